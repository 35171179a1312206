import { expect, test } from 'vitest';
import { gridsOf, page, rename, workbook } from '../inspect/grid.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const [whole] = await gridsOf(SAMPLE);
const sample = { ...whole!, rows: whole!.rows.slice(0, 2) };
const CODE = 'header/scaled-amounts';

test.each<[string, boolean]>([
  ['Valores en miles de pesos', true],
  ['(Cifras en miles)', true],
  ['NÓMINA OCTUBRE · EN MILES DE $', true],
  ['Miles de pesos', true],
  ['$ millones', true],
  ['COP in thousands', true],
  ['Valores en pesos, no en miles', false],
  ['Valores en pesos', false],
  ['Llegamos en miles de cajas cada mes', false],
  ['Hoteles Dos Miles de Oro SAS', false],
])('a note %j above the table', async (note, isTold) => {
  const file = await workbook([page(sample, [['ANDINA SAS'], ['', note]])]);
  const { issues, drafts } = await prepareFiles({ files: [file] });
  expect(placed(issues).filter(([, code]) => code === CODE)).toEqual(
    isTold ? [[`${sample.name}!B2`, CODE]] : [],
  );
  expect(drafts.map(({ body }) => (body['accrued'] as { salary: string }).salary)).toEqual([
    '1750905.00',
    '4148000.00',
  ]);
});

const DIVIDED = (scale: number) => `
extends: payroll/wide
cargue: 1
name: own
tables: { workers: { formats: { scale: ${scale} } } }`;

test.each([
  [1000, 'Valores en miles', []],
  [1_000_000, 'Valores en miles', [CODE]],
])('a mapping that reads them %d times as large', async (scale, note, expected) => {
  const file = await workbook([page(sample, [[note]])]);
  const { issues } = await prepareFiles({ files: [file], mappingText: DIVIDED(scale) });
  expect(issues.map(({ code }) => code).filter((code) => code === CODE)).toEqual(expected);
});

test('one column as it stands does not say how the others are', async () => {
  const mappingText = `
extends: payroll/wide
cargue: 1
name: own
tables: { workers: { formats: { scale: 1000000 }, columns: { health: { formats: { scale: 1 } } } } }`;
  const file = await workbook([page(sample, [['Valores en miles de pesos']])]);
  const { issues } = await prepareFiles({ files: [file], mappingText });
  expect(placed(issues).filter(([, code]) => code === CODE)).toEqual([[`${sample.name}!A1`, CODE]]);
});

test.each<[string, readonly (readonly string[])[], readonly unknown[]]>([
  ['no sheet says so', [[], []], ['warning', 'warning']],
  ['all say so', [['En miles'], ['En miles']], []],
  ['one says so', [['En miles'], []], ['error']],
])('amounts that the mapping multiplies: %s', async (_, [one, other], levels) => {
  const mappingText = `
extends: payroll/wide
cargue: 1
name: own
tables: { workers: { sheet: ["*"], every: true, formats: { scale: 1000 } } }`;
  const pages = [one, other].map((note, at) =>
    page(
      { ...sample, name: `Sede ${at + 1}`, rows: sample.rows.slice(at, at + 1) },
      note!.length === 0 ? [] : [note!],
    ),
  );
  const { issues } = await prepareFiles({ files: [await workbook(pages)], mappingText });
  const found = issues.filter(({ code }) => code === 'header/scale-unsaid');
  expect(found.map(({ level }) => level)).toEqual(levels);
  expect(placed(found).map(([place]) => place.replace(/[A-Z]+(?=\d+$)/, ''))).toEqual(
    levels.length === 1 ? ['Sede 2!1'] : levels.map((__, at) => `Sede ${at + 1}!1`),
  );
});

test('in the title of a column of amounts, and not in that of another', async () => {
  const titles = { 'Sueldo mensual': 'Sueldo mensual (en miles)', 'Otros nombres': 'Ventas (en miles)' };
  const mappingText = `
extends: payroll/wide
cargue: 1
name: own
tables: { workers: { labels: { 'Sueldo mensual (en miles)': base_salary, 'Ventas (en miles)': ignore } } }`;
  const file = await workbook([page(rename(sample, titles))]);
  const { issues } = await prepareFiles({ files: [file], mappingText });
  expect(placed(issues).filter(([, code]) => code === CODE)).toEqual([[`${sample.name}!O1`, CODE]]);
});
