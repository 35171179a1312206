import { describe, expect, it, test } from 'vitest';
import {
  EVENT_CODES,
  type EventCode,
  eventCode,
  type OrderRule,
  orderRule,
} from '../../../src/families/events/sequence.js';

const CODES = Object.values(EVENT_CODES);

test.each([
  [1, '030'],
  [2, '031'],
  [3, '032'],
  [4, '033'],
  [5, '034'],
  [6, '02'],
  [7, '04'],
  ['3', '032'],
  [0, undefined],
  [8, undefined],
  [1.5, undefined],
  ['', undefined],
  ['030', undefined],
  ['constructor', undefined],
  [null, undefined],
  [{}, undefined],
])('event_id %j is %s', (id, code) => expect(eventCode(id)).toBe(code));

test('there are seven', () => expect(CODES).toHaveLength(7));

/** The table of events.md 3, row by row: approved so far, next, rule. */
const TABLE: readonly (readonly [string, EventCode, OrderRule | undefined])[] = [
  ['', '030', undefined],
  ['', '032', 'LGC09'],
  ['', '033', 'LGC12'],
  ['', '031', 'LGC03'],
  ['', '034', 'LGC14'],
  ['030', '030', 'LGC01'],
  ['030', '032', undefined],
  ['030', '033', 'LGC13'],
  ['030', '031', 'LGC03'],
  ['030', '034', 'LGC14'],
  ['030 032', '033', undefined],
  ['030 032', '031', undefined],
  ['030 032', '034', undefined],
  ['030 032', '032', 'LGC01'],
  ['030 032 033', '033', 'LGC01'],
  ['030 032 033', '031', 'LGC02'],
  ['030 032 033', '034', 'LGC05'],
  ['030 032 031', '031', 'LGC01'],
  ['030 032 031', '033', 'LGC04'],
  ['030 032 031', '034', 'LGC04'],
  ['030 032 034', '034', 'LGC01'],
  ['030 032 034', '033', 'LGC07'],
  ['030 032 034', '031', 'LGC02'],
  ['', '02', undefined],
  ['', '04', undefined],
  ['02', '02', 'LGC01'],
  ['02 030 032 031', '04', undefined],
  // Others may have acted where this program sees only the end.
  ['033', '031', 'LGC02'],
  ['031', '033', 'LGC04'],
];

const split = (text: string): EventCode[] => text.split(' ').filter(Boolean) as EventCode[];

test.each(TABLE)('[%s] then %s: %s', (approved, next, rule) => {
  expect(orderRule(split(approved), next)).toBe(rule);
});

describe('circumstances', () => {
  test.each(CODES)('a cash sale, %s', (next) => {
    const expected = next === '030' ? 'LGC62' : orderRule(['032'], next);
    expect(orderRule(['032'], next, { soldForCash: true })).toBe(expected);
  });

  it('a cash sale has been told before', () => {
    expect(orderRule(['030'], '030', { soldForCash: true })).toBe('LGC01');
  });

  test.each(CODES)('before the end of the term, %s', (next) => {
    const approved: EventCode[] = ['030', '032'];
    const expected = next === '034' ? 'LGC14' : orderRule(approved, next);
    expect(orderRule(approved, next, { termOver: false })).toBe(expected);
  });

  it('what excludes is told before the term', () => {
    expect(orderRule(['030', '032', '031'], '034', { termOver: false })).toBe('LGC04');
  });
});

/** Events 030 to 034 in each of the orders that the diagram of events.md 3 allows. */
const WAYS = [
  [],
  ['030'],
  ['030', '032'],
  ['030', '032', '033'],
  ['030', '032', '031'],
  ['030', '032', '034'],
].map((way) => way.join(' '));

/** 02 and 04 stand outside of the order. */
const ordered = (codes: readonly EventCode[]): string =>
  codes.filter((code) => code.startsWith('03')).join(' ');

describe('all orders of up to three events', () => {
  const upTo = (length: number): EventCode[][] =>
    length === 0 ? [[]] : [[], ...upTo(length - 1).flatMap((rest) => CODES.map((code) => [code, ...rest]))];
  const orders = upTo(3);

  it.each(orders.map((order) => [order.join(' ')]))('[%s]', (text) => {
    const approved: EventCode[] = [];
    const order = split(text);
    for (const next of order) if (orderRule(approved, next) === undefined) approved.push(next);
    expect(WAYS).toContain(ordered(approved));
    // Nothing lawful is refused, nothing unlawful passes.
    const lawful = WAYS.includes(ordered(order)) && new Set(order).size === order.length;
    expect(approved.length === order.length).toBe(lawful);
  });

  it('are 400', () => expect(orders).toHaveLength(400));
});
