import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Grid, gridsOf, type Value, workbook } from '../inspect/grid.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { PARAMS, SAMPLE } from './sample.js';
import { check, convert } from './use-cases.js';

const sample = (await gridsOf(SAMPLE))[0]!;
const [LABELS, ROWS]: [Grid['labels'], Grid['rows']] = [sample.labels, sample.rows];
const NAME = 'Nomina';

/** Last month above, this month below it under titles of its own, with a column less. */
const twoTables = (): Promise<string> => {
  const older = ROWS.slice(0, 3);
  const without = (cells: readonly Value[]): readonly Value[] => cells.slice(0, -1);
  const rows = [LABELS, ...older, [], without(LABELS), ...ROWS.slice(3, 8).map(without)];
  return workbook([{ name: NAME, rows }]);
};
const TITLES_ROW = 6;

/** Numbers of the workers whose documents were made. */
async function made(file: string, options: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const output = join(freshFolder(), 'documentos.jsonl');
  const { context } = fake({});
  await convert(context, [file], { params: PARAMS, output, ...options });
  return readFileSync(output, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) =>
      String((JSON.parse(line) as { worker: Record<string, unknown> }).worker['identification_number']),
    );
}

const codes = async (
  file: string,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> => {
  const { context, events } = fake({});
  await check(context, [file], { params: PARAMS, json: true, ...options });
  return (events() as readonly { code?: string; sheet?: string; row?: number }[]).flatMap(
    ({ code, sheet, row }) => (code?.startsWith('header/row-') ? [[code, sheet, row]] : []),
  );
};

describe.each([
  ['with a mapping', { mapping: 'payroll/wide' }],
  ['without one', {}],
])('the row of titles is said: %s', (_, mapping) => {
  test('what stands below it is read', async () => {
    const file = await twoTables();
    const numbers = ROWS.slice(3, 8).map((cells) => String(cells[LABELS.indexOf('Número documento')]));
    expect(await made(file, { ...mapping, answer: [`header.${NAME}=${TITLES_ROW}`] })).toEqual(numbers);
  });
});

test.each<[string, string, readonly unknown[]]>([
  ['a row without titles', `header.${NAME}=3`, [['header/row-without-titles', NAME, 3]]],
  ['a row that is not there', `header.${NAME}=4000`, [['header/row-without-titles', NAME, 4000]]],
  ['a sheet that is not there', 'header.Otra=3', [['header/row-of-no-sheet', null, null]]],
  ['the name in small letters', `header.${NAME.toLowerCase()}=${TITLES_ROW}`, []],
])('%s', async (_, answer, expected) => {
  expect(await codes(await twoTables(), { mapping: 'payroll/wide', answer: [answer] })).toEqual(expected);
});

test.each(['header.Nomina=cinco', 'header.Nomina=0', 'header.Nomina=10001', 'otra=1'])(
  '%s is no answer',
  async (answer) => {
    await expect(
      codes(await twoTables(), { mapping: 'payroll/wide', answer: [answer] }),
    ).rejects.toMatchObject({
      issues: [{ code: 'run/bad-option' }],
    });
  },
);
