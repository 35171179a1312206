import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addDays, type PlainDate } from '../../src/toolkit/core/plain-date.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { shippedCatalogue, storeLawRows, withLoadedTables } from '../../src/toolkit/schema/catalogue.js';
import { ruleAt, rulesAt } from '../../src/toolkit/schema/dated-rows.js';
import { lawTables } from '../../src/toolkit/schema/law-tables.js';
import { freshFolder } from '../cli/run-cli.js';

const at = (table: string, date: string, column: string, match?: Record<string, string>) => {
  const found = ruleAt(table, date as PlainDate, match);
  return found.kind === 'row' ? found.row[column] : found;
};

/** The last day before a change of Sunday work, its first, and a day of the next year. */
const SUNDAYS = ['2025-06-30', '2025-07-01', '2026-06-30', '2026-07-01', '2027-06-30', '2027-07-01'];
/** Percentages of each kind of hour on those days; the base is 100 where the hour itself is paid too. */
const RATES: readonly (readonly [id: string, base: string, percentages: readonly string[]])[] = [
  ['1', '100', ['25', '25', '25', '25', '25', '25']],
  ['2', '100', ['75', '75', '75', '75', '75', '75']],
  ['3', '0', ['35', '35', '35', '35', '35', '35']],
  ['4', '100', ['100', '105', '105', '115', '115', '125']],
  ['5', '0', ['75', '80', '80', '90', '90', '100']],
  ['6', '100', ['150', '155', '155', '165', '165', '175']],
  ['7', '0', ['110', '115', '115', '125', '125', '135']],
];
const MULTIPLES = [
  ['integral_salary_minimum', '13'],
  ['integral_salary_base', '70'],
  ['contribution_base_floor', '1'],
  ['contribution_base_ceiling', '25'],
  ['health_worker', '4'],
  ['pension_worker', '4'],
  ['transport_allowance_limit', '2'],
  ['severance_interest', '12'],
] as const;
/** Terms with the first day that is known of them. */
const TERMS = [
  ['payroll_transmission', '2021-09-01', '10'],
  ['payroll_note', '2021-09-01', '10'],
  ['payroll_after_outage', '2021-09-01', '48'],
  ['event_claim', '2020-08-20', '3'],
  ['event_express_acceptance', '2020-08-20', '3'],
  ['event_tacit_acceptance', '2020-08-20', '3'],
  ['event_receipts', '2022-07-13', ''],
  ['rips_without_invoice', '2026-05-14', '5'],
  ['rips_with_invoice', '2026-05-14', '22'],
] as const;

const zipped = (days: readonly string[], texts: readonly string[]) =>
  days.map((day, index) => [day, texts[index]!] as const);

type Dated = readonly [
  table: string,
  match: Record<string, string>,
  column: string,
  days: readonly (readonly [day: string, says: string])[],
];

test.each<Dated>([
  [
    'payroll_yearly_figures',
    {},
    'minimum_wage',
    [
      ['2025-12-31', '1423500'],
      ['2026-01-01', '1750905'],
    ],
  ],
  [
    'payroll_yearly_figures',
    {},
    'transport_allowance',
    [
      ['2025-12-31', '200000'],
      ['2026-12-31', '249095'],
    ],
  ],
  [
    'uvt',
    {},
    'uvt',
    [
      ['2022-05-01', '38004'],
      ['2023-05-01', '42412'],
      ['2024-05-01', '47065'],
      ['2025-05-01', '49799'],
      ['2026-05-01', '52374'],
    ],
  ],
  [
    'night_hours',
    {},
    'night_start',
    [
      ['2025-12-24', '21:00'],
      ['2025-12-25', '19:00'],
      ['2027-01-01', '19:00'],
    ],
  ],
  [
    'weekly_hours',
    {},
    'hours_per_month',
    [
      ['2023-07-14', '240'],
      ['2023-07-15', '235'],
      ['2024-07-14', '235'],
      ['2024-07-15', '230'],
      ['2025-07-14', '230'],
      ['2025-07-15', '220'],
      ['2026-07-14', '220'],
      ['2026-07-15', '210'],
    ],
  ],
  [
    'weekly_hours',
    {},
    'hours_per_week',
    [
      ['2023-07-14', '48'],
      ['2025-07-15', '44'],
      ['2026-07-15', '42'],
    ],
  ],
  [
    'overtime_limits',
    {},
    'hours_per_day',
    [
      ['2025-06-24', '2'],
      ['2025-06-25', '2'],
    ],
  ],
  [
    'overtime_limits',
    {},
    'hours_per_week',
    [
      ['2025-06-24', '12'],
      ['2027-01-01', '12'],
    ],
  ],
  ...RATES.flatMap(([id, base, percentages]) => [
    ['overtime_law_rates', { id }, 'base', SUNDAYS.map((day) => [day, base] as const)] as const,
    ['overtime_law_rates', { id }, 'percentage', zipped(SUNDAYS, percentages)] as const,
  ]),
  ...MULTIPLES.map(
    ([name, value]) =>
      [
        'law_multiples',
        { name },
        'value',
        [
          ['2020-01-01', value],
          ['2027-01-31', value],
        ],
      ] as const,
  ),
  ...TERMS.map(([name, day, amount]) => ['law_terms', { name }, 'amount', [[day, amount]]] as const),
  ['rips_document_ages', { code: 'TI' }, 'to_years', [['2026-10-31', '17']]],
  [
    'apprentices',
    { code: '4:01' },
    'stage',
    [
      ['2025-06-24', ''],
      ['2025-06-25', 'productiva'],
      ['2025-08-01', 'productiva o dual'],
    ],
  ],
  [
    'apprentices',
    { code: '4:19' },
    'stage',
    [
      ['2025-06-24', 'productiva'],
      ['2025-07-31', 'lectiva o productiva'],
      ['2025-08-01', 'lectiva'],
    ],
  ],
  [
    'apprentices',
    { code: '4:12' },
    'stage',
    [
      ['2025-06-24', 'lectiva'],
      ['2025-07-31', 'lectiva'],
      ['2025-08-01', ''],
    ],
  ],
])('%s %o says of %s', (table, match, column, days) => {
  expect(days.map(([day]) => [day, at(table, day, column, match)])).toEqual(days);
});

test.each<[string, string, string]>([
  ['payroll_yearly_figures', '2027-01-31', '2027'],
  ['payroll_yearly_figures', '2020-12-31', '2020'],
  ['uvt', '2021-12-31', '2021'],
  ['uvt', '2027-01-01', '2027'],
])('%s has nothing for %s', (table, date, period) => {
  expect(ruleAt(table, date as PlainDate)).toEqual({ kind: 'missing', table, period });
});

test.each(TERMS.filter(([name]) => !name.startsWith('rips_')))('%s is missing before %s', (name, day) => {
  const period = addDays(day as PlainDate, -1);
  expect(at('law_terms', period, 'amount', { name })).toEqual({
    kind: 'missing',
    table: 'law_terms',
    period,
  });
});

test('the percentage of severance interest is that of the end of the settlement, unless one is given', () => {
  const folder = freshFolder();
  storeLawRows(
    folder,
    { source: 'x', kind: 'file', hash: '0', at: '2026-11-28T00:00:00.000Z' },
    {
      law_multiples: [
        {
          name: 'severance_interest',
          valid_from: '2026-11-01',
          valid_to: '',
          value: '13',
          norm: '',
          certainty: '',
        },
      ],
    },
  );
  const own =
    'cargue: 1\nname: own\nextends: payroll/long\nparams: { severance_percentage: { default: "11.00" } }\n';
  const percentages = ['payroll/long', 'payroll/multi-sheet', 'own'].map((name) => {
    const file = name === 'own' ? 'own.yaml' : `mappings/${name}.yaml`;
    return withLoadedTables(folder, () => {
      const { params } = compileMapping(file, name === 'own' ? own : readFileSync(file, 'utf8'));
      return [
        { month: '2026-10' },
        { month: '2026-11' },
        { month: '2026-11', severance_percentage: '9' },
      ].map((given) => resolveParams(params, given).value?.values['severance_percentage']);
    });
  });
  expect(percentages).toEqual([
    ['12', '13', '9'],
    ['12', '13', '9'],
    ['11', '11', '9'],
  ]);
});

test('every row of a law table is dated, and its days are in order', () => {
  for (const name of Object.keys(lawTables()))
    for (const row of shippedCatalogue(name)!.rows)
      if (row['year'] === undefined) {
        const { valid_from: from = '', valid_to: to = '' } = row;
        expect(from, name).toMatch(/^(\d{4}-\d\d-\d\d)?$/);
        expect(to === '' || to >= from, name).toBe(true);
      } else expect(row['year'], name).toMatch(/^\d{4}$/);
});

test('the next set of rows replaces the one before on its day', () => {
  const folder = freshFolder();
  const fund = (from: string, percentage: string) => ({
    valid_from: '2027-07-01',
    valid_to: '',
    from_minimum_wages: from,
    to_minimum_wages: '',
    percentage,
    norm: '',
    certainty: '',
  });
  storeLawRows(
    folder,
    { source: 'x', kind: 'file', hash: '0', at: '2027-06-30T00:00:00.000Z' },
    { solidarity_fund: [fund('4', '1.5'), fund('7', '1.8')] },
  );
  const steps = (date: string) =>
    withLoadedTables(folder, () =>
      rulesAt('solidarity_fund', date as PlainDate).map((row) => row['percentage']),
    );
  expect(steps('2027-06-30')).toEqual(['1.0', '1.2', '1.4', '1.6', '1.8', '2.0']);
  expect(steps('2027-07-01')).toEqual(['1.5', '1.8']);
});
