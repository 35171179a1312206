import { expect, test } from 'vitest';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { word } from '../../src/toolkit/messages/wording.js';
import { gridsOf, mapColumn, page, type Value, workbook } from '../inspect/grid.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const sample = (await gridsOf(SAMPLE))[0]!;
const grid = { ...sample, rows: sample.rows.slice(0, 8) };

/** The sample, with other days of admission: `5/10/2020` as Excel reads it month first, or a text. */
async function issuesOf(days: readonly string[]): Promise<readonly Issue[]> {
  const asExcel = (text: string): Value => {
    const [first, second, year] = text.split('/').map(Number) as [number, number, number];
    return first > 12 ? text : new Date(Date.UTC(year, first - 1, second));
  };
  const file = await workbook([
    page(
      mapColumn(grid, 'Fecha ingreso', (_, row) =>
        days[row]!.startsWith('=') ? new Date(days[row]!.slice(1)) : asExcel(days[row]!),
      ),
    ),
  ]);
  const { issues } = await prepareFiles({ files: [file] });
  return issues.filter(({ code }) => code.startsWith('cell/'));
}

async function said(...days: readonly string[]): Promise<readonly unknown[]> {
  const found = await issuesOf(days);
  return placed(found).map((one, at) => [...one, found[at]!.suggestions?.[0]?.value]);
}

const PAST = ['15/10/2020', '31/10/2020'];

test('dates of which Excel took the day for the month are held, with what they may be', async () => {
  expect(
    await said('5/10/2020', ...PAST, '7/10/2020', '10/10/2020', '1/12/2020', '12/2/2020', '28/2/2020'),
  ).toEqual([
    ['Nomina!P2', 'cell/date-swapped', '2020-10-05'],
    ['Nomina!P5', 'cell/date-swapped', '2020-10-07'],
    ['Nomina!P7', 'cell/date-swapped', '2020-12-01'],
    ['Nomina!P8', 'cell/date-swapped', '2020-02-12'],
  ]);
});

test('the message says which date it is, and by which of the others', async () => {
  const days = ['5/10/2020', ...PAST, '7/10/2020', '10/10/2020', '1/12/2020', '12/2/2020', '28/2/2020'];
  const [first] = await issuesOf(days);
  expect(word(first!, 'es').message).toMatch(
    /^La fecha es seguramente 05\/10\/2020 .* y no 10\/05\/2020: .* como texto, como «15\/10\/2020»/,
  );
});

test.each<[string, readonly string[]]>([
  [
    'a date is past the 12th',
    ['=2020-10-13', ...PAST, '7/10/2020', '8/10/2020', '1/12/2020', '12/2/2020', '28/2/2020'],
  ],
  [
    'one text alone',
    ['5/10/2020', '15/10/2020', '6/11/2020', '7/10/2020', '8/10/2020', '1/12/2020', '12/2/2020', '2/8/2020'],
  ],
  ['few dates', ['5/10/2020', ...PAST, '7/10/2020', '8/10/2020', '15/12/2020', '16/2/2020', '28/2/2020']],
  [
    'all are of the months of the texts',
    ['=2020-10-02', '=2020-10-03', '=2020-10-05', '=2020-10-07', '=2020-10-12', '=2020-10-09', ...PAST],
  ],
  [
    'the dates are firsts of a month',
    ['=2020-03-01', '=2019-05-01', '=2018-06-01', '=2020-01-01', '=2021-02-01', '=2021-03-01', ...PAST],
  ],
])('nothing is said where %s', async (_, days) => {
  expect(await said(...days)).toEqual([]);
});
