import { expect, test } from 'vitest';
import { type EventCode, workOf } from '../../../src/families/events/sequence.js';

/** 032 on a Friday before a holiday moved to Monday: the term ends on 2026-11-19. */
const RECEIVED = '2026-11-13';

test.each<[EventCode[], string, ReturnType<typeof workOf>]>([
  [[], '2026-11-13', { state: 'none', next: ['030'] }],
  [['030'], '2026-11-13', { state: 'acknowledged', next: ['032'] }],
  [['030', '032'], '2026-11-18', { state: 'received', next: ['031', '033'], deadline: '2026-11-19', day: 2 }],
  [['030', '032'], '2026-11-20', { state: 'received', next: ['033'], deadline: '2026-11-19', day: 4 }],
  [['030', '032', '033'], '2026-11-18', { state: 'accepted', next: [] }],
  [['030', '032', '031'], '2026-11-18', { state: 'claimed', next: [] }],
  [['030', '032', '034'], '2026-11-30', { state: 'tacitly-accepted', next: [] }],
  // Others may have gone another way.
  [['032'], '2026-11-18', { state: 'received', next: ['030', '031'], deadline: '2026-11-19', day: 2 }],
])('%j on %s', (codes, today, work) => {
  expect(
    workOf(
      codes.map((code) => ({ code, date: RECEIVED })),
      today,
    ),
  ).toEqual(work);
});

test('without the date of 032 there is no deadline', () =>
  expect(workOf([{ code: '030' }, { code: '032' }], '2026-11-18')).toEqual({
    state: 'received',
    next: ['031', '033'],
  }));
