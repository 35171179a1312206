import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

/** The payroll of October 2026; in AF the vacations begin, in P is the day of admission. */
const edited = (cells: Readonly<Record<string, string>>) =>
  prepareFiles({
    edits: Object.entries(cells).map(([cell, text]) => {
      const [, column = '', row] = /^(\D+)(\d+)$/.exec(cell) ?? [];
      return { file: basename(SAMPLE), sheet: 'Nomina', row: Number(row), column, text };
    }),
  });

test.each([
  ['10/12/2026', '2026-10-12'],
  ['12/10/2026', '2026-10-12'],
  ['10/01/2026', '2026-10-01'],
])('%s is in the month in one order only: %s, and it is said', async (text, date) => {
  const { drafts, issues } = await edited({ AF3: text, AG3: '2026-10-21' });
  expect(placed(issues).filter(([, code]) => code.startsWith('format/'))).toEqual([
    ['Nomina!AF3', 'format/read-by-month'],
  ]);
  expect(valueAt(drafts[1]?.body, '/accrued/common_vacation/0/start_date')).toBe(date);
});

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['in no order in the month', { AF3: '05/04/2026' }, ['AF3']],
  ['one in the month, and one in none', { P2: '05/10/2026', P3: '04/09/2024' }, ['P2', 'P3']],
  ['in the month in different orders', { P2: '05/10/2026', P3: '10/06/2026' }, ['P2', 'P3']],
])('%s: asked', async (_, cells, expected) => {
  const { issues } = await edited(cells);
  const asked = placed(issues).filter(([, code]) => code === 'cell/date-ambiguous');
  expect(asked.map(([place]) => place)).toEqual(expected.map((cell) => `Nomina!${cell}`));
});

test('where other columns show the other order it is asked', async () => {
  const { issues } = await edited({ AF3: '10/12/2026', P2: '31/10/2020', P3: '30/10/2020' });
  expect(placed(issues)).toContainEqual(['Nomina!AF3', 'cell/date-ambiguous']);
});

test('a cell that contradicts its column names the answer for the other order', async () => {
  const { issues } = await edited({ P2: '12/31/2020', P3: '30/10/2020', P4: '29/10/2020', P5: '28/10/2020' });
  const [issue] = issues.filter(({ code }) => code === 'format/contradiction');
  expect(issue?.params).toMatchObject({ answer: 'date=mdy' });
});
