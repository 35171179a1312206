import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeTemplate } from '../../src/report/template.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { locate } from '../../src/toolkit/documents/locate.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { templatePlan } from '../../src/toolkit/mapping/template.js';
import { fake, NOW } from '../cli/fake-context.js';
import { check, template } from '../cli/use-cases.js';
import { fillTemplate, headersOf, openBook } from '../support/fill-template.js';
import { closeInputs, openInputs } from '../support/opened-files.js';
import { payrollMonth, seeded } from '../support/payroll-month.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const MULTI = 'mappings/payroll/multi-sheet.yaml';
const READY = [
  MULTI,
  'mappings/payroll/wide.yaml',
  'mappings/payroll/long.yaml',
  'mappings/payroll/adjust.yaml',
];
const PARAMS = { prefix: 'NOM', month: '2026-10', issue_date: '2026-10-31', worked_time: 'days' };

const folder = mkdtempSync(join(tmpdir(), 'cargue-template-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.xlsx`);

const planOf = async (mapping: string) => templatePlan(await loadMapping(mapping));
const write = async (mapping: string, language: 'es' | 'en' = 'es'): Promise<string> =>
  writeTemplate(await planOf(mapping), { file: newFile(), language, now: NOW });

let empty: string;
beforeAll(async () => {
  empty = await write(MULTI);
});

describe('documents written into the template come out of it', () => {
  const used = new Set<string>();

  test.each([1, 2, 3, 4, 5])('twelve workers of seed %i', async (seed) => {
    const random = seeded(seed);
    const months = Array.from({ length: 12 }, (_, serial) => payrollMonth(random, seed * 100 + serial));
    const file = newFile();
    const filled = await fillTemplate(empty, months, file);
    for (const name of filled.keys()) used.add(name);
    const rows = [...filled.values()].reduce((sum, count) => sum + count, 0);
    const prepared = await prepareFiles({ files: [file], mapping: MULTI, params: PARAMS });
    expect(placed(prepared.issues.filter(({ level }) => level === 'error'))).toEqual([]);
    expect(prepared.drafts.map(({ body: document }) => document)).toEqual(
      months.map(({ document }) => document),
    );
    expect(prepared.records).toEqual({ read: rows, used: rows, skipped: 0, heldBack: 0 });
  });

  test('of which every sheet held some', async () => {
    expect([...used].sort()).toEqual((await planOf(MULTI)).sheets.map(({ name }) => name).sort());
  });
});

describe.each(READY)('the template of %s', (mapping) => {
  test('is found whole by the mapping, and its other sheets are no data', async () => {
    const plan = await planOf(mapping);
    const loaded = await loadMapping(mapping);
    const inputs = await openInputs([await write(mapping)]);
    const located = await locate(loaded, inputs, resolveParams(loaded.params, {}).value!);
    await closeInputs(inputs);
    expect(placed(located.issues)).toEqual([]);
    const found = located.tables.map(({ source, header }) => [source.sheet, header.columns.size]);
    const wanted = plan.sheets.map(({ name, columns }) => [name, columns.length]);
    expect(new Map(found as [string, number][])).toEqual(new Map(wanted as [string, number][]));
    expect(located.tables.flatMap(({ header }) => header.unused)).toEqual([]);
  });

  test('takes the words of its lists', async () => {
    const plan = await planOf(mapping);
    const file = newFile();
    const book = await openBook(await write(mapping));
    const most = Math.max(...[...plan.lists.values()].map((words) => words.length));
    for (const { name, key, columns } of plan.sheets) {
      const headers = headersOf(book.getWorksheet(name)!);
      for (let n = 0; n < most; n++) {
        const row = book.getWorksheet(name)!.getRow(n + 2);
        for (const { title, list } of columns) {
          const words = list === undefined ? undefined : plan.lists.get(list)!;
          if (words !== undefined) row.getCell(headers.get(title)!).value = words[n % words.length]!;
        }
        for (const title of key) row.getCell(headers.get(title)!).value = `A${n}`;
      }
    }
    await book.xlsx.writeFile(file);
    const { issues } = await prepareFiles({ files: [file], mapping, params: PARAMS });
    const refused = issues.filter(({ code }) => /^(lookup|class)\/|cell\/not-/.test(code));
    expect(placed(refused)).toEqual([]);
    expect(issues.length).toBeGreaterThan(0);
  });
});

test('of patients and groups of services each sheet asks whose a record is, and the newborn is nobody who attends', async () => {
  const { sheets } = await planOf('mappings/rips/excel-por-nodo.yaml');
  for (const { key, columns } of sheets.filter(({ main }) => !main)) {
    expect([...key].sort()).toEqual(['Número de documento', 'Tipo de documento']);
    expect(columns.filter(({ need }) => need === 'always').map(({ title }) => title)).toEqual(
      expect.arrayContaining([...key]),
    );
  }
  const newborn = sheets.find(({ columns }) => columns.some(({ title }) => title === 'peso'))!;
  expect(newborn.columns.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Tipo de documento del recién nacido', 'Número de documento del recién nacido']),
  );
});

test.each([
  ['mappings/payroll/long.yaml', true],
  ['mappings/rips/lista.yaml', true],
  ['mappings/payroll/wide.yaml', false],
])('%s makes one document of several rows: %s', async (mapping, grouped) => {
  expect((await planOf(mapping)).grouped).toBe(grouped);
});

test('of parts that stand side by side it asks for the whole month once, and the mapping finds all of it', async () => {
  const mapping = 'samples/payroll/quincenas/mapeo.yaml';
  const titles = (await planOf(mapping)).sheets[0]!.columns.map(({ title }) => title);
  const loaded = await loadMapping(mapping);
  const inputs = await openInputs([await write(mapping)]);
  const { tables } = await locate(loaded, inputs, resolveParams(loaded.params, {}).value!);
  await closeInputs(inputs);
  const { columns, unused, issues } = tables[0]!.header;
  expect([columns.size, unused, issues]).toEqual([titles.length, [], []]);
});

describe('the workbook', () => {
  test('has instructions first, then the sheet of workers, and hides its lists', async () => {
    const sheets = (await openBook(empty)).worksheets.map(({ name, state }) => [name, state]);
    expect(sheets.slice(0, 2)).toEqual([
      ['Instrucciones', 'visible'],
      ['Empleados', 'visible'],
    ]);
    expect(sheets.at(-1)).toEqual(['Listas', 'hidden']);
  });

  test.each([
    ['Número de documento', '@'],
    ['Número de cuenta', '@'],
    ['Sueldo mensual', '#,##0.00'],
    ['Fecha ingreso', 'dd/mm/yyyy'],
    ['Días trabajados', '0'],
  ])('formats %s as %s', async (title, format) => {
    const sheet = (await openBook(empty)).getWorksheet('Empleados')!;
    expect(sheet.getRow(300).getCell(headersOf(sheet).get(title)!).numFmt).toBe(format);
  });

  test('marks what must be filled, says why in a note, and offers the words', async () => {
    const sheet = (await openBook(empty)).getWorksheet('Empleados')!;
    const headers = headersOf(sheet);
    const cell = (title: string) => sheet.getRow(1).getCell(headers.get(title)!);
    expect(cell('Primer apellido').value).toBe('Primer apellido *');
    expect(cell('Segundo apellido').value).toBe('Segundo apellido');
    const colours = ['Primer apellido', 'Municipio', 'Segundo apellido'].map((title) => {
      const { fill } = cell(title);
      return fill.type === 'pattern' ? fill.fgColor?.argb : undefined;
    });
    expect(new Set(colours).size).toBe(3);
    expect(JSON.stringify(cell('Municipio').note)).toContain('municipality_id');
    const offered = sheet.getRow(501).getCell(headers.get('Tipo documento')!).dataValidation;
    expect(offered?.formulae[0]).toMatch(/^'?Listas'?!\$A\$1:\$L\$1$/);
    expect(sheet.getRow(502).getCell(headers.get('Tipo documento')!).dataValidation).toBeUndefined();
  });

  test('does not ask in the sheet of workers for what has a sheet of its own', async () => {
    const { sheets } = await planOf(MULTI);
    const titles = sheets.find(({ main }) => main)!.columns.map(({ title }) => title);
    for (const title of [
      'HED horas',
      'Vacaciones días',
      'Comisiones',
      'Retención en la fuente',
      'Total devengado',
    ])
      expect(titles).not.toContain(title);
    expect(sheets.map(({ name }) => name)).not.toContain('Horas extras');
    expect(titles).not.toContain('Nombre completo');
  });

  test.each(['es', 'en'] as const)('says in %s how to go on', async (language) => {
    const guide = (await openBook(await write(MULTI, language))).worksheets[0]!;
    const texts: string[] = [];
    guide.eachRow((row) => row.eachCell((cell) => texts.push(cell.text)));
    const all = texts.join('\n');
    for (const word of [
      'cargue check',
      'cargue send',
      '-m payroll/multi-sheet',
      '"prefix": "NOM"',
      '"month": "2026-11"',
    ])
      expect(all).toContain(word);
    expect(all).toMatch(language === 'es' ? /Llene la hoja «Empleados»/ : /Fill the sheet "Empleados"/);
  });

  test('holds no formula, whatever the mapping calls things', async () => {
    const text = `
cargue: 1
name: test
target: rips/appointment
params: { user: { type: integer, about: { es: "=HYPERLINK(1)", en: "+1" } } }
tables:
  rows: { sheet: "=1+1", columns: { time: { titles: ["=cmd|' /C calc'!A0"], read: text }, date: { titles: ["@SUM(1)"], read: date } } }
one_per: { record: rows }
key: time
document: { user_id: { param: user }, date: { from: date }, time: { from: time } }`;
    const plan = templatePlan(compileMapping('m.yaml', text));
    const file = await writeTemplate(plan, { file: newFile(), language: 'es', now: NOW });
    const book = await openBook(file);
    const formulas = book.worksheets.flatMap((sheet) => {
      const found: string[] = [];
      sheet.eachRow((row) => row.eachCell((cell) => cell.formula && found.push(cell.address)));
      return found;
    });
    expect(formulas).toEqual([]);
    expect(book.worksheets[1]!.getCell('A1').value).toBe("=cmd|' /C calc'!A0 *");
  });
});

describe('cargue template', () => {
  test('writes the one of payroll, and never over a file', async () => {
    const { context } = fake();
    const output = newFile();
    expect(await template(context, ['payroll'], { output })).toBe(0);
    const before = readFileSync(output);
    const again = template(context, ['payroll'], { output });
    await expect(again).rejects.toMatchObject({ issues: [{ code: 'run/output-exists' }] });
    expect(readFileSync(output).equals(before)).toBe(true);
  });

  test("names a mapping of one's own by its path", async () => {
    const own = join(folder, 'own.yaml');
    const output = newFile();
    writeFileSync(own, 'extends: payroll/wide\ncargue: 1\nname: own\n');
    expect(await template(fake().context, [own], { output })).toBe(0);
    const texts: string[] = [];
    (await openBook(output)).worksheets[0]!.eachRow((row) => row.eachCell((cell) => texts.push(cell.text)));
    expect(texts.join('\n')).toContain(`-m ${own} --params`);
  });

  test('refuses a mapping of files without header', async () => {
    const file = join(folder, 'flat.yaml');
    const output = newFile();
    writeFileSync(
      file,
      `
cargue: 1
name: flat
target: rips/appointment
tables: { rows: { header: { none: true }, columns: { time: { position: 1, read: text } } } }
one_per: { record: rows }
key: time
document: { user_id: { const: 7 }, date: { const: "2026-11-03" }, time: { from: time } }`,
    );
    const refused = template(fake().context, [file], { output });
    await expect(refused).rejects.toBeInstanceOf(PipelineError);
    await expect(refused).rejects.toMatchObject({ key: 'usage', issues: [{ code: 'run/no-template' }] });
    expect(existsSync(output)).toBe(false);
  });

  test('an empty one makes no document, and check says so', async () => {
    const { context, events } = fake();
    const params = join(folder, 'params.json');
    writeFileSync(params, JSON.stringify(PARAMS));
    expect(await check(context, [empty], { mapping: 'payroll/multi-sheet', params, json: true })).toBe(1);
    const issues = events().filter(({ event }) => event === 'issue');
    expect(issues.map(({ code }) => code)).toEqual(['run/no-documents']);
  });
});

describe.each(['payroll/desordenada', 'payroll/ingles', 'payroll/quincenas'])(
  'the template of a mapping with labels of its own, %s',
  (sample) => {
    const mapping = `samples/${sample}/mapeo.yaml`;

    test('has the labels that the mapping promises, and the mapping finds all of it', async () => {
      const loaded = await loadMapping(mapping);
      const plan = templatePlan(loaded);
      for (const { columns } of plan.sheets)
        expect(new Set(columns.map(({ title }) => title)).size).toBe(columns.length);
      const titles = plan.sheets.flatMap(({ columns }) => columns.map(({ title }) => title));
      const promised = [...loaded.tables.values()].flatMap(({ spec }) =>
        Object.entries(spec.labels ?? {}).flatMap(([label, id]) =>
          id === 'ignore' || label.startsWith('[') ? [] : [label],
        ),
      );
      expect(promised.filter((label) => !titles.includes(label))).toEqual([]);
      const inputs = await openInputs([await write(mapping)]);
      const located = await locate(loaded, inputs, resolveParams(loaded.params, {}).value!);
      await closeInputs(inputs);
      expect(placed(located.issues)).toEqual([]);
      expect(located.tables.flatMap(({ header }) => header.unused)).toEqual([]);
    });
  },
);

test.each<[mapping: string, title: string, words: readonly string[]]>([
  ['payroll/nomexp', 'TIPCON', ['1', '2', '3', '4', '5']],
  ['payroll/wide', 'Tipo de cuenta', ['Ahorros', 'Corriente']],
  ['rips/interfaz', 'incapacity', ['SI', 'NO']],
])('the template of %s offers in %s the words that it reads', async (mapping, title, words) => {
  const { sheets, lists } = templatePlan(await loadMapping(`mappings/${mapping}.yaml`));
  const column = sheets.flatMap(({ columns }) => columns).find((known) => known.title === title);
  expect(lists.get(column?.list ?? '')).toEqual(words);
});
