import { describe, expect, test } from 'vitest';
import { type EventCode, workOf } from '../../../src/families/events/sequence.js';
import { createWorklist } from '../../../src/families/events/worklist.js';
import { icsOf } from '../../../src/report/ics.js';

/** 032 on a Friday before a holiday moved to Monday: the term ends on 2026-11-19. */
const RECEIVED = '2026-11-13';
const TERM = { received: RECEIVED, deadline: '2026-11-19', days: 3, holidays: ['2026-11-16'] } as const;

test.each<[EventCode[], string, ReturnType<typeof workOf>]>([
  [[], '2026-11-13', { state: 'none', next: ['030'] }],
  [['030'], '2026-11-13', { state: 'acknowledged', next: ['032'] }],
  [['030', '032'], '2026-11-18', { state: 'received', next: ['031', '033'], ...TERM, day: 2 }],
  [['030', '032'], '2026-11-20', { state: 'received', next: ['033'], ...TERM, day: 4 }],
  [['030', '032', '033'], '2026-11-18', { state: 'accepted', next: [] }],
  [['030', '032', '031'], '2026-11-18', { state: 'claimed', next: [] }],
  [['030', '032', '034'], '2026-11-30', { state: 'tacitly-accepted', next: [] }],
  // Others may have gone another way.
  [['032'], '2026-11-18', { state: 'received', next: ['030', '031'], ...TERM, day: 2 }],
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

describe('an invoice whose term runs', () => {
  const CUFE = 'c0'.repeat(48);
  const details = { seller: 'Papelería Ñ; Útiles, S.A.S.', seller_id: '860012345', total: '1190000.00' };
  const list = createWorklist('es', '2026-11-18');
  const told = (['030', '032'] as const).map((code) => ({ code, date: RECEIVED }));
  list.add({ id: CUFE, name: 'FV8006', details }, told);
  list.add({ id: 'd0'.repeat(48), name: 'FV8007' }, undefined);

  test('has number, seller, NIT, total, dates, what may follow, and how the term is counted', () => {
    const { columns, rows } = list.sheet();
    const [first, second] = [...(rows as Iterable<readonly unknown[]>)];
    expect(columns.map(({ kind }) => kind)).toHaveLength(first!.length);
    expect(first!.slice(0, 4)).toEqual(['FV8006', details.seller, '860012345', '1190000.00']);
    expect(first!.slice(5, 8)).toEqual([RECEIVED, '2026-11-19', 2]);
    expect(first![9]).toBe('3 días hábiles desde el 13/11/2026; festivo: 16/11/2026');
    expect(columns.slice(5, 7).map(({ kind }) => kind)).toEqual(['date', 'date']);
    // Nobody told of it.
    expect(second![4]).toMatchObject({ tone: 'doubt' });
    expect(second!.slice(5, 8)).toEqual([undefined, undefined, undefined]);
  });

  test('is in the calendar: folded lines, escaped texts, an id that stays', () => {
    const now = new Date('2026-11-18T12:00:00Z');
    const text = icsOf(list.deadlines(), now);
    expect(text).toBe(icsOf(list.deadlines(), now));
    const lines = text.split('\r\n');
    expect(lines.at(-1)).toBe('');
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const unfolded = text.replaceAll('\r\n ', '').split('\r\n');
    expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    expect(unfolded).toEqual(
      expect.arrayContaining([
        `UID:${CUFE}@cargue`,
        'DTSTAMP:20261118T120000Z',
        'DTSTART;VALUE=DATE:20261119',
        'DTEND;VALUE=DATE:20261120',
        'SUMMARY:Vence el plazo de la factura FV8006 de Papelería Ñ\\; Útiles\\, S.A.S.',
        expect.stringMatching(/^DESCRIPTION:Total: 1\.190\.000\\,00\\nEventos posibles: 031 /),
      ]),
    );
  });

  test('once it is settled, or too late for all, nothing is due', () => {
    const over = createWorklist('es', '2026-11-18');
    over.add({ id: CUFE, name: 'FV1' }, [...told, { code: '033', date: RECEIVED }]);
    expect(over.deadlines()).toEqual([]);
  });
});
