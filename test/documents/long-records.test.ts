import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Grid, gridsOf } from '../inspect/grid.js';
import { prepareFiles, SAMPLE } from '../support/prepare-file.js';

const sample = (await gridsOf(SAMPLE))[0]!;
const grid: Grid = { ...sample, rows: sample.rows.slice(0, 5) };
const folder = mkdtempSync(join(tmpdir(), 'cargue-long-records-'));

/** What is said of a text whose lines end as told, the header first. */
async function said(...ends: readonly string[]): Promise<readonly string[]> {
  const file = join(folder, 'nomina.csv');
  const lines = [grid.labels, ...grid.rows].map((cells) =>
    cells.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : (cell ?? ''))).join(';'),
  );
  writeFileSync(file, lines.map((line, at) => line + (ends[at] ?? '')).join('\n'));
  const { issues } = await prepareFiles({ files: [file] });
  return issues.flatMap(({ level, code, place }) => (level === 'error' ? [`${place.row} ${code}`] : []));
}

test.each<[string, readonly string[], readonly string[]]>([
  ['as many fields as labels', [], []],
  ['one field more in one record', ['', '', ';'], ['3 header/field-count']],
  ['one field more in two', ['', ';x', '', ';'], ['2 header/field-count', '4 header/field-count']],
  ['a delimiter behind every record', ['', ';', ';', ';', ';', ';'], []],
  ['and one more in one of them', ['', ';', ';', ';;', ';', ';'], ['4 header/field-count']],
  ['a delimiter behind the header alone', [';'], []],
])('%s', async (_, ends, expected) => {
  expect(await said(...ends)).toEqual(expected);
});
