import { expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonValue } from '../../src/toolkit/core/json.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { edited, GOLDEN } from '../schema/payroll-document.js';

const SOUND = GOLDEN[0]!;
const LISTS = ['HEDs', 'HENs', 'HRNs', 'HEDDFs', 'HRDDFs', 'HENDFs', 'HRNDFs'] as const;

type Hours = readonly [
  list: (typeof LISTS)[number],
  start: string,
  end: string,
  quantity: string,
  payment?: string,
];

/** Codes on hours that a document with these items gets, with the place of each. */
function issuesOf(items: readonly Hours[], month = '2026-10', codes = /night|overtime-limit/) {
  const lists = Object.fromEntries(
    LISTS.map((list, index): [string, JsonValue | undefined] => {
      const own = items
        .filter(([name]) => name === list)
        .map(([, start, end, quantity, payment = '900000.00']) => ({
          start_time: start,
          end_time: end,
          quantity,
          percentage: index + 1,
          payment,
        }));
      return [`/accrued/${list}`, own.length > 0 ? own : undefined];
    }),
  );
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  const document = edited(SOUND, {
    ...lists,
    '/period/settlement_start_date': `${month}-01`,
    '/period/settlement_end_date': `${month}-${days}`,
  });
  return checkRules('payroll/payroll', document).filter(({ code }) => codes.test(code));
}

const codesOf = (items: readonly Hours[], month?: string) =>
  issuesOf(items, month).map(({ code, place }) => [code, place.pointer]);

const item = (list: Hours[0], day: string, from: string, to: string, quantity = '1.00'): Hours => [
  list,
  `${day}T${from}:00`,
  `${day}T${to}:00`,
  quantity,
];

test.each<[string, Hours, string | undefined]>([
  ['19:30 before the new night', item('HEDs', '2025-12-24', '19:30', '20:30'), undefined],
  ['21:00 before the new night', item('HEDs', '2025-12-24', '21:00', '22:00'), 'payroll/night-hours'],
  ['over 21:00 before the new night', item('HEDs', '2025-12-24', '20:30', '21:30'), 'payroll/night-border'],
  ['19:30 on its first day', item('HEDs', '2025-12-25', '19:30', '20:30'), 'payroll/night-hours'],
  ['19:30 today', item('HEDs', '2026-10-06', '19:30', '20:30'), 'payroll/night-hours'],
  ['19:30 in 2027', item('HEDs', '2027-01-05', '19:30', '20:30'), 'payroll/night-hours'],
  ['from 19:00 on', item('HEDs', '2026-10-06', '19:00', '20:00'), 'payroll/night-hours'],
  ['until 19:00', item('HEDs', '2026-10-06', '18:00', '19:00'), undefined],
  ['across the border', item('HEDs', '2026-10-06', '18:00', '20:00', '2.00'), 'payroll/night-border'],
  ['until 06:00', item('HEDs', '2026-10-06', '05:00', '06:00'), 'payroll/night-hours'],
  ['from 06:00 on', item('HEDs', '2026-10-06', '06:00', '07:00'), undefined],
  ['across the morning', item('HEDs', '2026-10-06', '05:00', '07:00', '2.00'), 'payroll/night-border'],
  ['of a Sunday', item('HEDDFs', '2026-10-04', '19:30', '20:30'), 'payroll/night-hours'],
  ['a surcharge of a Sunday', item('HRDDFs', '2026-10-04', '19:30', '20:30'), 'payroll/night-hours'],
  ['night overtime is where it should be', item('HENs', '2026-10-06', '19:30', '20:30'), undefined],
  ['no clock time', item('HEDs', '2026-10-06', '00:00', '00:00'), undefined],
  ['a month', ['HEDs', '2026-10-01T00:00:00', '2026-10-31T00:00:00', '2.00'], undefined],
])('day hours %s: %o', (_, hours, code) => {
  const month = hours[1].slice(0, 7);
  const at = `/accrued/${hours[0]}/0/start_time`;
  expect(codesOf([hours], month)).toEqual(code === undefined ? [] : [[code, at]]);
});

test('hours of a Sunday column on a weekday are no fault: the rest day may be another', () => {
  const all = (items: readonly Hours[]) => issuesOf(items, '2026-10', /./).map(({ code }) => code);
  const work = (day: string) => [
    item('HEDDFs', day, '08:00', '09:00'),
    item('HRDDFs', day, '09:00', '10:00'),
    item('HENDFs', day, '20:00', '21:00'),
  ];
  expect(all(work('2026-10-06'))).toEqual(all(work('2026-10-04')));
});

/** So many hours a day from a day on, each from 07:00. */
const each = (days: readonly number[], hours: number, list: Hours[0] = 'HEDs'): readonly Hours[] =>
  days.map((day) =>
    item(
      list,
      `2026-10-${String(day).padStart(2, '0')}`,
      list === 'HENs' ? '20:00' : '07:00',
      list === 'HENs' ? '23:00' : '10:00',
      `${hours}.00`,
    ),
  );

test.each<[string, readonly Hours[], readonly [hours: string, limit: string, day: string][]]>([
  ['two hours a day', each([5, 6, 7], 2), []],
  ['three on a day', each([5], 3), [['3.00', '2', '2026-10-05']]],
  ['two by day and one by night', [...each([5], 2), ...each([5], 1, 'HENs')], [['3.00', '2', '2026-10-05']]],
  ['twelve a week', each([5, 6, 7, 8, 9, 10], 2), []],
  ['fourteen from Monday to Sunday', each([5, 6, 7, 8, 9, 10, 11], 2), [['14.00', '12', '2026-10-05']]],
  ['fourteen from Tuesday to Monday', each([6, 7, 8, 9, 10, 11, 12], 2), []],
  ['surcharges are no overtime', each([5], 3, 'HRNs'), []],
  ['sixty without days', [['HEDs', '2026-10-01T00:00:00', '2026-10-31T00:00:00', '60.00']], []],
  [
    'more than sixty without days',
    [['HENs', '2026-10-01T00:00:00', '2026-10-31T00:00:00', '60.50']],
    [['60.50', '60', '2026-10-01']],
  ],
  [
    'in two lists',
    [
      ['HENs', '2026-10-01T00:00:00', '2026-10-31T00:00:00', '40.00'],
      ['HENDFs', '2026-10-01T00:00:00', '2026-10-31T00:00:00', '21.00'],
    ],
    [['61.00', '60', '2026-10-01']],
  ],
])('%s', (_, items, limits) => {
  const found = issuesOf(items).filter(({ code }) => code === 'payroll/overtime-limit');
  expect(found.map((issue) => ['hours', 'limit', 'day'].map((name) => String(paramOf(issue, name))))).toEqual(
    limits,
  );
});

test('a February of four weeks has at most forty-eight hours', () => {
  const hours = (quantity: string): Hours => ['HEDs', '2027-02-01T00:00:00', '2027-02-28T00:00:00', quantity];
  expect(codesOf([hours('48.00')], '2027-02')).toEqual([]);
  expect(codesOf([hours('48.50')], '2027-02')).toEqual([
    ['payroll/overtime-limit', '/accrued/HEDs/0/quantity'],
  ]);
});

test.each([
  ['2026-07-14', '220'],
  ['2026-07-15', '210'],
])('less than the law gives: the warning of %s says by how many hours a month', (day, hours) => {
  const hour: Hours = ['HEDs', `${day}T08:00:00`, `${day}T09:00:00`, '1.00', '1.00'];
  const [issue] = issuesOf([hour], '2026-07', /overtime-pay/);
  expect(['hours', 'factor'].map((name) => paramOf(issue!, name))).toEqual([hours, '125']);
});

/** A salary whose hour is 10,000 pesos at so many hours a month. */
test.each<[string, string, string, string, number]>([
  ['Sunday of 75 %', 'HRDDFs', '2025-06-29', '220', 75],
  ['Sunday of 80 %', 'HRDDFs', '2025-07-06', '230', 80],
  ['Sunday of 90 %', 'HRDDFs', '2026-07-05', '220', 90],
  ['Sunday of 90 % at the end', 'HRDDFs', '2027-06-27', '210', 90],
  ['Sunday of 100 %', 'HRDDFs', '2027-07-04', '210', 100],
  ['overtime of a Sunday', 'HEDDFs', '2027-07-04', '210', 225],
])('%s: %s on %s', (_, list, day, divisor, percent) => {
  const hour = 10_000;
  const pay = (hour * percent) / 100;
  const paid = (payment: number) => {
    const document = edited(SOUND, {
      '/worker/salary': (hour * Number(divisor === '220' && day < '2025-07-15' ? '230' : divisor)).toFixed(2),
      '/period/settlement_start_date': `${day.slice(0, 8)}01`,
      '/period/settlement_end_date': `${day.slice(0, 8)}28`,
      ...Object.fromEntries(LISTS.map((name) => [`/accrued/${name}`, undefined])),
      [`/accrued/${list}`]: [
        {
          start_time: `${day}T08:00:00`,
          end_time: `${day}T09:00:00`,
          quantity: '1.00',
          percentage: LISTS.indexOf(list as (typeof LISTS)[number]) + 1,
          payment: payment.toFixed(2),
        },
      ],
    });
    return checkRules('payroll/payroll', document).filter(({ code }) => code === 'payroll/overtime-pay')
      .length;
  };
  expect([paid(pay), paid(pay - 2)]).toEqual([0, 1]);
});
