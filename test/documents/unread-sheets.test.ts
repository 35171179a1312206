import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { writeTemplate } from '../../src/report/template.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { templatePlan } from '../../src/toolkit/mapping/template.js';
import { PARAMS, placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

type Rows = readonly ExcelJS.CellValue[][];
/** `rows`: given, or made of those of the sample. */
type Extra = readonly [name: string, rows: Rows | ((sample: Rows) => Rows), hidden?: boolean];

/** The sample payroll with more sheets behind its own. */
async function withSheets(...extra: readonly Extra[]): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  const sample: ExcelJS.CellValue[][] = [];
  book.worksheets[0]!.eachRow(({ values }) => sample.push((values as ExcelJS.CellValue[]).slice(1)));
  for (const [name, rows, hidden] of extra) {
    const sheet = book.addWorksheet(name, { state: hidden ? 'hidden' : 'visible' });
    for (const row of typeof rows === 'function' ? rows(sample) : rows) sheet.addRow(row);
  }
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'libro.xlsx');
  await book.xlsx.writeFile(path);
  return path;
}

const ABOUT_SHEETS = /^header\/(hidden-)?sheet-/;
const PRIMAS = [
  ['Empleado', 'Prima'],
  ['Ana', 700_000],
  ['Luis', 800_000],
];

async function read(
  files: readonly string[],
  ignore = '',
): Promise<{ issues: object[]; skipped: readonly string[] }> {
  const mappingText = `extends: payroll/wide\ncargue: 1\nname: nomina\n${ignore}`;
  const { issues, skipped } = await prepareFiles({ files, mappingText });
  const found = issues.filter(({ code }) => ABOUT_SHEETS.test(code));
  return {
    issues: found.map(({ level, params }, at) => [...placed(found)[at]!, level, paramOf({ params }, 'rows')]),
    skipped,
  };
}

describe('a filled sheet that no table reads is said once', () => {
  test.each<[string, Extra, unknown[]]>([
    ['of any kind', ['Primas', PRIMAS], ['Primas', 'header/sheet-unread', 'warning', '3']],
    ['hidden', ['Primas', PRIMAS, true], ['Primas', 'header/hidden-sheet-unread', 'warning', '3']],
    ['of a single row', ['Ajuste', [[900_000]]], ['Ajuste', 'header/sheet-unread', 'warning', '1']],
    [
      'of people',
      [
        'Otros',
        [
          ['Número documento', 'Prima'],
          [52_100_200, 1],
        ],
      ],
      ['Otros', 'header/sheet-unused', 'warning', '2'],
    ],
  ])('%s', async (_, extra, expected) => {
    expect((await read([await withSheets(extra)])).issues).toEqual([expected]);
  });

  test('an empty sheet says nothing', async () => {
    expect(await read([await withSheets(['Hoja2', []])])).toEqual({ issues: [], skipped: [] });
  });
});

describe('a sheet with the header of one that is read is left out by nobody but a person', () => {
  /** Labels and some records, of the first columns. */
  const first =
    (columns: number, records = 2) =>
    (sample: Rows): Rows =>
      sample.slice(0, records + 1).map((row) => row.slice(0, columns));
  const ALL = 54;
  const leftOut = (name: string, rows = '3') => [[name, 'header/sheet-left-out', 'error', rows]];

  test.each<[string, Extra, mapping: string, expected: unknown[]]>([
    ['another branch', ['Medellín', first(ALL)], '', leftOut('Medellín')],
    ['with a few columns less', ['Medellín', first(ALL - 10)], '', leftOut('Medellín')],
    [
      'another month, hidden',
      ['Nómina septiembre', first(ALL, 1), true],
      '',
      leftOut('Nómina septiembre', '2'),
    ],
    [
      'though the table names the other one',
      ['Medellín', first(ALL)],
      'tables: { workers: { sheet: Nomina } }\n',
      leftOut('Medellín'),
    ],
    [
      'other content, of the same people',
      ['Resumen', first(ALL / 2)],
      '',
      [['Resumen', 'header/sheet-unused', 'warning', '3']],
    ],
    [
      'a form without records',
      ['Formato', first(ALL, 0)],
      '',
      [['Formato', 'header/sheet-unread', 'warning', '1']],
    ],
    [
      'said to be left out',
      ['Medellín', first(ALL)],
      'ignore_sheets: [{ sheets: Medellín, reason: x }]\n',
      [],
    ],
    ['read as well', ['Medellín', first(ALL)], 'tables: { workers: { every: true } }\n', []],
    [
      'read as well, though hidden',
      ['Medellín', first(ALL), true],
      'tables: { workers: { every: true } }\n',
      [['Medellín', 'header/hidden-sheet-read', 'warning', undefined]],
    ],
  ])('%s', async (_, extra, mapping, expected) => {
    expect((await read([await withSheets(extra)], mapping)).issues).toEqual(expected);
  });
});

test('who is in two sheets is told of by row and sheet of the first', async () => {
  const file = await withSheets(['Medellín', (sample) => sample.slice(0, 2)]);
  const mappingText =
    'extends: payroll/wide\ncargue: 1\nname: nomina\ntables: { workers: { every: true } }\n';
  const { issues } = await prepareFiles({ files: [file], mappingText });
  const repeated = issues.filter(({ params }) => paramOf({ params }, 'first') !== undefined);
  expect(repeated.map(({ place, params }) => [place.sheet, paramOf({ params }, 'first')])).toEqual([
    ['Medellín', '2 (Nomina)'],
  ]);
});

describe('a sheet is left aside with a reason', () => {
  test.each(['Instrucciones', 'INSTRUCCIÓN DE USO', 'Parametros', 'Parámetros 2026', 'Listas'])(
    '%s, by the ready-made mapping',
    async (name) => {
      expect(await read([await withSheets([name, PRIMAS])])).toEqual({ issues: [], skipped: [name] });
    },
  );

  test('by a mapping of its own, beside what the base leaves aside', async () => {
    const file = await withSheets(['Primas 2025', PRIMAS, true], ['Parametros', PRIMAS]);
    expect(await read([file], 'ignore_sheets: [{ sheets: [Primas*], reason: x }]\n')).toEqual({
      issues: [],
      skipped: ['Primas 2025', 'Parametros'],
    });
  });

  test('a table that names the sheet beats what the base leaves aside, not what the mapping itself does', async () => {
    const mappingOf = (ignore: string): string =>
      `extends: payroll/wide\ncargue: 1\nname: nomina\ntables: { workers: { sheet: Parametros } }\n${ignore}`;
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(SAMPLE);
    book.worksheets[0]!.name = 'Parametros';
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'libro.xlsx');
    await book.xlsx.writeFile(file);
    const { documents } = await prepareFiles({ files: [file], mappingText: mappingOf('') });
    expect(documents).toMatchObject({ made: 25, heldBack: 0 });
    const own = 'ignore_sheets: [{ sheets: [parámetros], reason: x }]\n';
    await expect(prepareFiles({ files: [file], mappingText: mappingOf(own) })).rejects.toMatchObject({
      issues: [{ code: 'mapping/ignored-sheet-wanted' }],
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['payroll/wide', PARAMS],
    ['payroll/multi-sheet', PARAMS],
    ['rips/excel-por-nodo', JSON.parse(readFileSync('samples/rips/grupos/params.json', 'utf8'))],
  ])('the sheets of our own template: %s', async (name, params) => {
    const mapping = await loadMapping(`mappings/${name}.yaml`);
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'plantilla.xlsx');
    for (const language of ['es', 'en'] as const) {
      await writeTemplate(templatePlan(mapping), { file, language, now: new Date(0) });
      const { issues } = await prepareFiles({
        files: [file],
        mapping: `mappings/${name}.yaml`,
        params,
      });
      expect(placed(issues.filter(({ code }) => ABOUT_SHEETS.test(code)))).toEqual([]);
    }
  });
});
