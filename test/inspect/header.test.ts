import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { INDEX_SHEET } from '../../src/generated/texts-report.js';
import { stateOf } from '../../src/toolkit/inspect/inspect.js';
import { prepareFiles } from '../support/prepare-file.js';
import { look } from './answering.js';
import { gridsOf, page, type Value, workbook } from './grid.js';

const [sample] = await gridsOf('samples/payroll/nomina-octubre-2026.xlsx');

/** The titles stand twice: over an example, and over the records. */
const file = workbook([page(sample!, [[...sample!.labels], [...sample!.rows[0]!], ['Escriba desde aquí']])]);
const NAME = `header.${sample!.name}`;

describe('which row is the header', () => {
  test('is found, and otherwise where a person says', async () => {
    const found = await look([await file]);
    expect(found.sheets[0]!.header!.row.number).toBe(1);
    expect(found.questions).toEqual([]);
    const said = await look([await file], new Map([[NAME, '4']]));
    expect(said.sheets[0]!.header!.row.number).toBe(4);
    expect(said.fit!.tables[0]!.header.data[0]!.number).toBe(5);
    expect([...said.kept]).toEqual([[NAME, '4']]);
    expect(stringify(said.tree)).toMatch(/header:\n( +.*\n)*? +row: 4\n/);
    expect(said.trial!.records.read).toBe(sample!.rows.length);
  });

  const [one, two, three] = sample!.rows as (readonly Value[])[];
  const labels = [...sample!.labels];
  const fewer = labels.map((label) => (label === 'Comisiones' ? null : label));
  test.each<[string, readonly (readonly Value[])[], number, number]>([
    ['of two with records', [['ADMIN'], fewer, one!, two!, ['OPERATIVOS'], labels, three!], 2, 3],
    ['of two pages', [labels, one!, two!, ['EMPRESA ABC SAS', null, 'Página 2'], labels, three!], 1, 3],
    ['of two branches', [labels, one!, two!, [null, 'Sede', 'Cali'], labels, three!], 1, 3],
    ['above an area', [labels, ['DEPTO: ADMIN'], one!, ['DEPTO: VENTAS'], two!], 1, 2],
    ['above an area beside', [labels, [null, 'ADMIN'], one!, two!, [null, 'VENTAS'], three!], 1, 3],
    [
      'beside a summary',
      [
        [...labels, null, 'Resumen'],
        [...one!, null, 'Total sueldos'],
        [...two!, null, 'Total salud'],
      ],
      1,
      2,
    ],
    [
      'with the labels of records, below a small table',
      [
        ['NIT', 'Razón social', 'Periodo', 'Fecha de pago'],
        ['900123456', 'ACME', '2026-10', '2026-10-31'],
        [],
        labels,
        one!,
      ],
      4,
      1,
    ],
    [
      'of two whose labels stand otherwise',
      [labels, one!, two!, ['OPERATIVOS'], [...labels].reverse(), [...three!].reverse()],
      1,
      3,
    ],
    ['below a title', [['ACME S.A.S.'], ['NIT', '900123456'], [], labels, one!], 4, 1],
  ])('is the first %s', async (_, rows, row, records) => {
    const found = await look([await workbook([{ name: 'Hoja', rows }])]);
    const { header } = found.sheets[0]!;
    expect([header!.row.number, header!.groupRow]).toEqual([row, undefined]);
    const { read, skipped } = found.trial!.records;
    expect(read - skipped).toBe(records);
  });

  test('may be a row further down than is searched', async () => {
    const notes = Array.from({ length: 40 }, (_, at): Value[] => [`nota ${at}`]);
    const deep = await workbook([page(sample!, notes)]);
    const said = await look([deep], new Map([[NAME, '41']]));
    expect(said.sheets[0]!.header!.row.number).toBe(41);
    expect(said.trial!.records.read).toBe(sample!.rows.length);
    const { documents } = await prepareFiles({ files: [deep], mappingText: stringify(said.tree) });
    expect(documents).toMatchObject({ made: sample!.rows.length, heldBack: 0 });
  });

  test('is no row that is not there', async () => {
    await expect(look([await file], new Map([[NAME, '2000']]))).rejects.toMatchObject({
      issues: [{ code: 'inspect/bad-answer', params: { id: NAME }, value: '2000' }],
    });
  });
});

describe('a column that is first filled far down', () => {
  const at = sample!.labels.length;
  const number = sample!.labels.indexOf('Número documento');
  const salary = sample!.labels.indexOf('Salario devengado');
  const records = Array.from({ length: 300 }, (_, index) => {
    const row = [...sample!.rows[index % sample!.rows.length]!];
    row[number] = String(1_020_300_000 + index);
    return row;
  });
  const total = Array.from(sample!.labels, (_, column) =>
    column === 0 ? 'TOTAL' : column === salary ? 5_000_000 : null,
  );
  const labels = [...sample!.labels, 'Auxilio bicicleta'];
  const withBike = (row: readonly Value[]): Value[] => Object.assign([...row], { [at]: 40_000 });
  const asked = 'workers.BC';
  test.each<[string, readonly (readonly Value[])[], readonly string[]]>([
    ['is asked about', [labels, ...records.slice(0, -1), withBike(records.at(-1)!)], [asked]],
    [
      'is asked about without a label too',
      [sample!.labels, ...records.slice(0, -1), withBike(records.at(-1)!)],
      [asked],
    ],
    [
      'is asked about below the same labels',
      [labels, ...records, labels, labels, labels, labels, withBike(records[0]!)],
      [asked],
    ],
    ['is none by its label', [labels, ...records, labels], []],
    ['is none by a total', [labels, ...records, withBike(total)], []],
  ])('%s', async (_, rows, expected) => {
    const files = [await workbook([{ name: 'Hoja', rows }])];
    const { open } = await look(files);
    expect(open.flatMap(({ id }) => (id.startsWith('workers.') ? [id] : []))).toEqual(expected);
    const answered = await look(files, new Map(expected.map((id) => [id, 'ignore'])));
    expect(answered.open.map(({ id }) => id)).not.toContain(asked);
  });
});

test('of each sheet it is said whether it is read, and why not', async () => {
  const other = { ...sample!, name: 'Septiembre' };
  const found = await look(
    [
      await workbook([
        page(sample!),
        page({ name: 'Instrucciones', labels: ['Lea esto'], rows: [] }),
        page({ name: INDEX_SHEET.es, labels: ['Lea esto'], rows: [] }),
        page(other),
      ]),
    ],
    new Map([['workers.sheet', sample!.name]]),
  );
  expect(found.tree['ignore_sheets']).toMatchObject([{ sheets: ['Septiembre'] }]);
  expect(found.sheets.map((one) => stateOf(one, found, 'es'))).toEqual([
    { state: 'read' },
    expect.objectContaining({ state: 'aside', why: 'declined' }),
    { state: 'aside', why: 'declined', reason: 'hoja de cargue' },
    { state: 'aside', why: 'alike', reason: sample!.name },
  ]);
});
