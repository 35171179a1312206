import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadReadyMappings } from '../../src/app/job.js';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { proposeFor, withInputs } from '../support/opened-files.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const SPLIT = 'mappings/payroll/split.yaml';

type Cells = ExcelJS.CellValue[][];

const sample = new ExcelJS.Workbook();
await sample.xlsx.readFile(SAMPLE);
const ROWS: Cells = [];
sample.worksheets[0]!.eachRow((row) => {
  const cells: ExcelJS.CellValue[] = [];
  for (let column = 1; column <= 54; column++)
    cells.push(row.getCell(column).result ?? row.getCell(column).value);
  ROWS.push(cells);
});
const columns = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);
const PEOPLE = columns(0, 20);
const EARNED = columns(20, 44);
const DEDUCTED = columns(44, 54);
const BONUS = 42;

const pick = (which: readonly number[], rows: Cells = ROWS): Cells =>
  rows.map((row) => which.map((column) => row[column]));

/** Files with sheets by name. */
async function written(...files: readonly Readonly<Record<string, Cells>>[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-spread-'));
  const paths: string[] = [];
  for (const [at, sheets] of files.entries()) {
    const book = new ExcelJS.Workbook();
    for (const [name, rows] of Object.entries(sheets)) book.addWorksheet(name).addRows(rows);
    const path = join(folder, `libro-${at + 1}.xlsx`);
    await book.xlsx.writeFile(path);
    paths.push(path);
  }
  return paths;
}

const inCapitals = (rows: Cells, columns: readonly number[]): Cells =>
  rows.map((cells, at) =>
    cells.map((cell, column) =>
      at > 0 && columns.includes(column) && typeof cell === 'string'
        ? cell
            .normalize('NFD')
            .replaceAll(/\p{Diacritic}/gu, '')
            .toUpperCase()
        : cell,
    ),
  );
const reversed = ([head, ...rows]: Cells): Cells => [head!, ...rows.reverse()];
const THREE = {
  Empleados: pick(PEOPLE),
  Devengados: pick([1, ...EARNED]),
  Deducciones: pick([1, ...DEDUCTED]),
};
const half = (from: number, to: number): Cells => [ROWS[0]!, ...ROWS.slice(from, to)];

test.each<[what: string, files: readonly Readonly<Record<string, Cells>>[]]>([
  ['people, earnings and deductions', [THREE]],
  [
    'people with what they earn',
    [{ Nómina: pick([...PEOPLE, ...EARNED]), Deducciones: pick([1, ...DEDUCTED]) }],
  ],
  ['names in both', [{ Datos: pick(PEOPLE), Pagos: pick([0, 1, 2, 3, 4, ...EARNED, ...DEDUCTED]) }]],
  [
    'names in both, in one in capitals without accents',
    [{ Datos: pick(PEOPLE), Pagos: inCapitals(pick([0, 1, 2, 3, 4, ...EARNED, ...DEDUCTED]), [2, 3, 4]) }],
  ],
  ['an amount in both', [{ Datos: pick([...PEOPLE, 21, 24]), Pagos: pick([1, ...EARNED, ...DEDUCTED]) }]],
  ['in another order', [{ ...THREE, Devengados: reversed(pick([1, ...EARNED])) }]],
  [
    'a file for each',
    [{ Hoja1: THREE.Empleados }, { Hoja1: THREE.Devengados }, { Hoja1: THREE.Deducciones }],
  ],
  [
    'two branches',
    [half(1, 10), half(10, ROWS.length)].map((rows) => ({
      Empleados: pick(PEOPLE, rows),
      Pagos: pick([1, ...EARNED, ...DEDUCTED], rows),
    })),
  ],
])('%s in a sheet each make the documents of one sheet', async (_, sheets) => {
  const files = await written(...sheets);
  const chosen = await withInputs(files, async (inputs) =>
    chooseReady(inputs, await loadReadyMappings(), {}),
  );
  expect(chosen.name).toBe('payroll/split');
  const { drafts, issues, columns: accounts } = await prepareFiles({ files, mapping: SPLIT });
  const whole = await prepareFiles({});
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  const byWorker = (bodies: readonly object[]) => bodies.map((body) => JSON.stringify(body)).sort();
  expect(byWorker(drafts.map(({ body }) => body))).toEqual(byWorker(whole.drafts.map(({ body }) => body)));
  expect(accounts.filter(({ role }) => role === 'unread')).toEqual([]);
});

const WORKER = 4; // the row of one who has amounts in all sheets, counted from 1
const changed = (rows: Cells, row: number, column: number, value: ExcelJS.CellValue): Cells =>
  rows.map((cells, at) =>
    at === row - 1 ? cells.map((cell, place) => (place === column ? value : cell)) : cells,
  );

test.each<
  [what: string, sheets: Readonly<Record<string, Cells>>, told: readonly (readonly [string, string])[]]
>([
  [
    'a worker who is twice in a sheet',
    { ...THREE, Deducciones: [...THREE.Deducciones, THREE.Deducciones[WORKER - 1]!] },
    [['Deducciones!A27', 'row/key-repeated']],
  ],
  [
    'amounts that differ',
    {
      Datos: pick([...PEOPLE, 21]),
      Pagos: changed(pick([1, ...EARNED, ...DEDUCTED]), WORKER, 2, 1_000_000),
    },
    [['Pagos!C4', 'group/conflict']],
  ],
  [
    'names that differ',
    {
      Datos: pick(PEOPLE),
      Pagos: changed(pick([1, 2, ...EARNED, ...DEDUCTED]), WORKER, 1, 'Quintero'),
    },
    [['Pagos!B4', 'group/conflict']],
  ],
])('%s hold back their worker alone', async (_, sheets, told) => {
  const { drafts, issues } = await prepareFiles({ files: await written(sheets), mapping: SPLIT });
  expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual(told);
  expect(drafts).toHaveLength(ROWS.length - 2);
});

test('whoever is not in a sheet that has the others is held back; a sheet of some is none of those', async () => {
  const files = await written({
    ...THREE,
    Deducciones: THREE.Deducciones.slice(0, -1),
    Devengados: [...pick([1, ...EARNED.filter((column) => column !== BONUS)]), ['1020304050', 30, 2_000_000]],
    Bonos: pick([1, BONUS]).filter(([, amount]) => amount !== null),
  });
  const { drafts, issues } = await prepareFiles({ files, mapping: SPLIT });
  expect(placed(issues.filter(({ level }) => level === 'error')).sort()).toEqual([
    ['Devengados!A27', 'group/absent'],
    ['Devengados!A27', 'group/absent'],
    ['Empleados!B26', 'group/absent'],
  ]);
  expect(drafts).toHaveLength(ROWS.length - 2);
  expect(drafts[0]!.body).toEqual((await prepareFiles({})).drafts[0]!.body);
});

test('who is in the list of people alone is skipped, and told of once', async () => {
  const gone = (document: string) => ROWS[1]!.slice(0, 20).with(1, document);
  const files = await written({
    ...THREE,
    Empleados: [...THREE.Empleados, gone('1020304050'), gone('1020304051')],
  });
  const { issues, records, skipped } = await prepareFiles({ files, mapping: SPLIT });
  expect(placed(issues.filter(({ code }) => code.startsWith('group/')))).toEqual([
    ['Empleados!B27', 'group/idle'],
  ]);
  expect(skipped).toEqual(['Empleados!27', 'Empleados!28']);
  expect(records).toMatchObject({ skipped: 2, heldBack: 0 });
});

test('hours in a sheet and their value in another are one item', async () => {
  const files = await written({
    Datos: pick([...PEOPLE, 20, 21, 22, 23, 25]),
    Pagos: pick([1, 24, 26, ...columns(27, 54)]),
  });
  const { drafts, issues } = await prepareFiles({ files, mapping: SPLIT });
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(drafts[0]!.body).toEqual((await prepareFiles({})).drafts[0]!.body);
});

test('a title that means another thing in each sheet is named by its column too', async () => {
  const others = (amount: number, at: number) => (row: readonly ExcelJS.CellValue[], index: number) => [
    ...row,
    index === 0 ? 'Otros' : index === at ? amount : null,
  ];
  const files = await written({
    Empleados: THREE.Empleados,
    Devengados: pick([1, ...EARNED].slice(0, -1)).map(others(50_000, 1)),
    Deducciones: pick([1, ...DEDUCTED].slice(0, -2)).map(others(7_000, 2)),
  });
  const given = new Map([
    ['workers.Devengados.Y', 'other_non_salary_concept'],
    ['workers.Deducciones.J', 'other_deduction'],
  ]);
  const ready = await loadReadyMappings();
  const { open, tree } = await proposeFor(files, {
    ready,
    answers: { ...NO_ANSWERS, given },
    language: 'es',
    name: 'prueba',
  });
  expect(open).toEqual([]);
  const { drafts } = await prepareFiles({ files, mappingText: stringify(tree) });
  const amounts = drafts.slice(0, 2).map(({ body }) => {
    const { accrued, deductions } = body as Record<string, Record<string, unknown>>;
    return [accrued?.['other_concepts'], deductions?.['other_deductions']];
  });
  expect(amounts).toMatchObject([
    [[{ non_salary_concept: '50000.00' }], undefined],
    [undefined, [{ other_deduction: '7000.00' }]],
  ]);
});

test('one surname beside a full name in another sheet is the only one', async () => {
  const [titles, [kind, document, surname, , name, ...others] = []] = ROWS;
  const people = [
    [...titles!.slice(0, 2), 'Apellidos', 'Nombres', ...titles!.slice(6, 20)],
    [kind, document, surname, `${name} José`, ...others.slice(1, 15)],
  ];
  const [labels, amounts] = pick([1, ...EARNED, ...DEDUCTED]);
  const pay = [
    ['Nombre completo', ...labels!],
    [`${surname} ${name} José`, ...amounts!],
  ];
  const files = await written({ Pagos: pay, Datos: people });
  const { drafts } = await prepareFiles({ files, mapping: SPLIT });
  const workers = drafts.map(({ body }) => (body as unknown as { worker: object }).worker);
  expect(workers).toMatchObject([{ surname, first_name: name, middle_name: 'José' }]);
  expect(workers[0]).not.toHaveProperty('second_surname');
});
