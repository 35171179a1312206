import { expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { UncheckedTables } from '../../src/toolkit/schema/catalogue.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { type Edits, edited, GOLDEN } from '../schema/payroll-document.js';

const SOUND = GOLDEN[0]!;
/** Ids of the service for kinds of worker. */
const KINDS = { '01': 1, '12': 4, '19': 6, '23': 9, '58': 16 } as const;
const MINIMUM: Readonly<Record<string, number>> = { 2024: 1_300_000, 2025: 1_423_500, 2026: 1_750_905 };
const ALLOWANCE: Readonly<Record<string, string>> = { 2025: '200000.00', 2026: '249095.00' };

interface Apprentice {
  readonly end: string;
  readonly kind: keyof typeof KINDS;
  /** Percentage of the minimum wage. */
  readonly support: number;
  /** Percentage of the support held back for each of health and pension. */
  readonly held: number;
  readonly contract?: number;
  readonly more?: Edits;
}

/** Codes on wages, contributions and apprentices that the document of one gets. */
function codesOf({ end, kind, support, held, contract = 4, more = {} }: Apprentice) {
  const year = end.slice(0, 4);
  const pay = ((MINIMUM[year] ?? MINIMUM['2026']!) * support) / 100;
  const { accrued } = SOUND as { accrued: Record<string, unknown> };
  const nothingElse = Object.keys(accrued)
    .filter((name) => !['worked_days', 'salary', 'accrued_total'].includes(name))
    .map((name) => [`/accrued/${name}`, undefined] as const);
  const document = edited(SOUND, {
    ...Object.fromEntries(nothingElse),
    '/period/settlement_start_date': `${end.slice(0, 8)}01`,
    '/period/settlement_end_date': end,
    '/worker/type_contract_id': contract,
    '/worker/type_worker_id': KINDS[kind],
    '/worker/salary': pay.toFixed(2),
    '/accrued/salary': pay.toFixed(2),
    '/accrued/worked_days': 30,
    '/deductions/eps_deduction': ((pay * held) / 100).toFixed(2),
    '/deductions/pension_deduction': ((pay * held) / 100).toFixed(2),
    ...more,
  });
  const unchecked = new UncheckedTables();
  const issues = checkRules('payroll/payroll', document, { unchecked });
  expect(issues.filter(({ level, code }) => level === 'error' && code !== 'payroll/dates-order')).toEqual([]);
  return {
    codes: issues
      .map(({ code }) => code)
      .filter((code) => /apprentice|minimum-wage|health-pension|transport|solidarity/.test(code)),
    notices: unchecked.issues(),
  };
}

const allowance = (year: string): Edits => ({ '/accrued/transportation_allowance': ALLOWANCE[year]! });

test.each<[string, Apprentice, readonly string[]]>([
  // Before Ley 2466.
  ['lectiva at half', { end: '2025-06-24', kind: '12', support: 50, held: 0 }, []],
  [
    'lectiva below half',
    { end: '2025-06-24', kind: '12', support: 49, held: 0 },
    ['payroll/apprentice-support'],
  ],
  ['productiva at three quarters', { end: '2025-06-24', kind: '19', support: 75, held: 0 }, []],
  ['productiva at the whole wage', { end: '2024-12-31', kind: '19', support: 100, held: 0 }, []],
  [
    'contributions held back',
    { end: '2025-06-24', kind: '19', support: 75, held: 4 },
    ['payroll/apprentice-contributions'],
  ],
  [
    '01 of a later law',
    { end: '2025-06-24', kind: '01', support: 100, held: 4 },
    ['payroll/apprentice-code'],
  ],
  // From the law to the new codes: nobody is judged.
  ['12 in between', { end: '2025-06-25', kind: '12', support: 50, held: 0 }, []],
  ['19 in between', { end: '2025-07-31', kind: '19', support: 100, held: 4 }, []],
  ['01 in between', { end: '2025-07-31', kind: '01', support: 50, held: 0 }, []],
  // Since August 2025.
  ['lawful 01', { end: '2025-08-01', kind: '01', support: 100, held: 4, more: allowance('2025') }, []],
  [
    'lawful 01 of today',
    { end: '2026-10-31', kind: '01', support: 100, held: 4, more: allowance('2026') },
    [],
  ],
  [
    'dual in its first year',
    { end: '2026-10-31', kind: '01', support: 75, held: 4 },
    ['payroll/apprentice-dual'],
  ],
  [
    '01 below three quarters',
    { end: '2026-10-31', kind: '01', support: 74, held: 4 },
    ['payroll/apprentice-support'],
  ],
  [
    '01 with nothing held back',
    { end: '2026-10-31', kind: '01', support: 100, held: 0 },
    ['payroll/health-pension', 'payroll/health-pension'],
  ],
  [
    '01 with half the allowance',
    {
      end: '2026-10-31',
      kind: '01',
      support: 100,
      held: 4,
      more: { '/accrued/transportation_allowance': '124547.50' },
    },
    ['payroll/transport'],
  ],
  ['lectiva as 19', { end: '2025-08-01', kind: '19', support: 75, held: 0 }, []],
  [
    'lectiva as support alone',
    {
      end: '2026-10-31',
      kind: '19',
      support: 75,
      held: 0,
      more: { '/accrued/salary': '0.00', '/accrued/sustenance_support': '1313178.75' },
    },
    [],
  ],
  [
    '19 at half the wage',
    { end: '2026-10-31', kind: '19', support: 50, held: 0 },
    ['payroll/apprentice-support'],
  ],
  [
    '19 that contributes',
    { end: '2026-10-31', kind: '19', support: 75, held: 4 },
    ['payroll/apprentice-stage'],
  ],
  [
    '19 at the whole wage with nothing held back',
    { end: '2026-10-31', kind: '19', support: 100, held: 0 },
    ['payroll/apprentice-stage'],
  ],
  ['19 below the whole wage', { end: '2026-10-31', kind: '19', support: 99, held: 0 }, []],
  [
    '19 that contributes, of a year without its minimum wage',
    { end: '2027-01-31', kind: '19', support: 50, held: 4 },
    ['payroll/apprentice-stage'],
  ],
  [
    '19 of which the text says productiva',
    { end: '2026-10-31', kind: '19', support: 75, held: 0, more: { '/notes': 'Etapa productiva SENA' } },
    ['payroll/apprentice-stage'],
  ],
  [
    '12, which has ended',
    { end: '2025-08-01', kind: '12', support: 75, held: 0 },
    ['payroll/apprentice-code'],
  ],
  ['12 before it ended', { end: '2025-07-31', kind: '12', support: 75, held: 0 }, []],
  // The exemption hangs on the contract too.
  [
    '19 with another contract',
    { end: '2026-10-31', kind: '19', contract: 2, support: 75, held: 0 },
    ['payroll/health-pension', 'payroll/health-pension', 'payroll/minimum-wage'],
  ],
  ['a trainee', { end: '2026-10-31', kind: '23', contract: 5, support: 50, held: 0 }, []],
  ['a trainee of the state', { end: '2026-10-31', kind: '58', contract: 5, support: 50, held: 4 }, []],
])('%s: %o', (_, apprentice, codes) => {
  expect(codesOf(apprentice).codes).toEqual(codes);
});

test('without the minimum wage of the year the support is not judged, and the run says so', () => {
  const { codes, notices } = codesOf({ end: '2027-01-31', kind: '19', support: 50, held: 0 });
  expect(codes).toEqual([]);
  expect(notices.map((issue) => [issue.code, paramOf(issue, 'period')])).toEqual([
    ['payroll/figure-missing', '2027'],
  ]);
  expect(String(paramOf(notices[0]!, 'checks')).split(', ')).toEqual([
    'payroll/apprentice-stage',
    'payroll/apprentice-support',
  ]);
});
