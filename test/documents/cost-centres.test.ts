import { expect, test } from 'vitest';
import { gridsOf, mapColumn, page, workbook } from '../inspect/grid.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const [sample] = await gridsOf(SAMPLE);
const [first, second] = sample!.rows;

const grouped = (columns = '') => `
extends: payroll/wide
cargue: 1
name: own
one_per: { key: [document], of: [workers] }
key: null
${columns}`;
const BY_LARGEST = 'tables: { workers: { columns: { worked_days: { read: integer, take: max } } } }';

async function days(each: readonly number[], columns?: string) {
  const rows = [...each.map(() => first!), second!];
  const grid = mapColumn({ ...sample!, rows }, 'Días trabajados', (value, row) => each[row] ?? value);
  const files = [await workbook([page(grid)])];
  const { drafts, issues } = await prepareFiles({ files, mappingText: grouped(columns) });
  const codes = ['payroll/worked-days', 'check/failed'];
  return {
    made: drafts.map(({ body }) => (body['accrued'] as { worked_days: number }).worked_days),
    told: placed(issues.filter(({ code }) => codes.includes(code))).map(
      ([place, code]) => `${place} ${code}`,
    ),
  };
}

const AT = `${sample!.name}!U2`;

test('days of a person in several rows that are more than a month are said to be such', async () => {
  expect(await days([30, 30])).toEqual({
    made: [20],
    told: [`${AT} payroll/worked-days`, `${AT} check/failed`],
  });
  expect(await days([15, 15])).toEqual({ made: [30, 20], told: [] });
  expect(await days([45])).toEqual({ made: [20], told: [`${AT} payroll/worked-days`] });
  expect(await days([30, 30], BY_LARGEST)).toEqual({ made: [30, 20], told: [] });
});
