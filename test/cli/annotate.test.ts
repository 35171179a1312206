import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { annotateCopy } from '../../src/report/annotate/annotate-copy.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { cellsOf, loaded } from '../report/annotate-reading.js';
import { editedSample, workbookOf } from '../support/edit-workbook.js';
import { zipOf } from '../support/zip-writer.js';
import { workbookEntries } from '../tables/workbook-parts.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { check, send } from './use-cases.js';

const STATE = 'Estado (cargue)';

const codes = ({ events }: Fake): unknown[] =>
  events().flatMap(({ event, code }) => (event === 'issue' ? [code] : []));

/** The state column of a copy, by row. */
async function statesOf(path: string): Promise<Map<number, string>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(path);
  const sheet = book.worksheets[0]!;
  const states = new Map<number, string>();
  let column = 0;
  sheet.getRow(1).eachCell((cell, at) => {
    if (cell.value === STATE) column = at;
  });
  sheet.eachRow((row, number) => {
    if (number > 1) states.set(number, String(row.getCell(column).value ?? ''));
  });
  return states;
}

test('check --annotate says what became of each row, and can be checked again', async () => {
  const input = await editedSample({ O17: '1.75O.905', C5: null, A28: 'TOTAL' });
  const copy = join(freshFolder(), 'copia.xlsx');
  const first = fake();
  expect(await check(first.context, [input], { ...WIDE, json: true, annotate: copy })).toBe(1);
  const states = await statesOf(copy);
  expect(states.get(17)).toBe('Con errores');
  expect(states.get(5)).toBe('Con errores');
  expect(states.get(2)).toBe('Correcto');
  expect(states.get(28)).toMatch(/^Omitido/);
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600);

  const again = fake();
  expect(await check(again.context, [copy], { ...WIDE, json: true })).toBe(1);
  expect(codes(again)).toEqual(codes(first));
  const [before] = Object.values(await cellsOf(input));
  const [after] = Object.values(await cellsOf(copy));
  expect(after).toMatchObject(before!);
});

test('a CSV gets a copy in Excel, its leading zeros kept', async () => {
  const folder = freshFolder();
  const input = join(folder, 'nomina.csv');
  writeFileSync(
    input,
    'Número documento;Primer apellido;Días trabajados;Código municipio\n0012;Ruiz;treinta;05001\n',
  );
  const copy = join(folder, 'copia.xlsx');
  expect(await check(fake().context, [input], { ...WIDE, json: true, annotate: copy })).toBe(1);
  const [cells] = Object.values(await cellsOf(copy));
  expect(cells).toMatchObject({ A2: 'text 0012', D2: 'text 05001' });
  expect((await statesOf(copy)).get(2)).toBe('Con errores');
});

test('send --annotate brings every CUNE home to its row', async () => {
  await using sandbox = await disposable();
  const copy = join(freshFolder(), 'copia.xlsx');
  const call = fake({ url: sandbox.url, token: sandbox.token, workspace: freshFolder() });
  const options = {
    ...WIDE,
    json: true,
    yes: true,
    testSet: 'set-1',
    report: join(freshFolder(), 'r.xlsx'),
    annotate: copy,
  };
  expect(await send(call.context, [SAMPLE], options)).toBe(0);
  const states = [...(await statesOf(copy)).values()];
  expect(states).toHaveLength(25);
  for (const state of states) expect(state).toBe('Aceptado');
  const book = await loaded(copy);
  const sheet = book.worksheets[0]!;
  const titles = sheet.getRow(1).values as unknown[];
  const codes = sheet.getColumn(titles.indexOf('Código (cargue)')).values.slice(2);
  expect(codes).toHaveLength(25);
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{96}$/);
  // Both are columns of the copy, and no new ones to the mapping.
  expect(await check(fake().context, [copy], { ...WIDE })).toBe(0);
});

test('one copy, one file; and never over the input', async () => {
  const input = await workbookOf([['Número documento']]);
  const calls = [
    check(fake().context, [input, SAMPLE], { ...WIDE, annotate: 'x.xlsx' }),
    check(fake().context, [input], { ...WIDE, annotate: input }),
  ];
  const codes = await Promise.all(
    calls.map((call) =>
      call.then(
        () => '',
        (error: { issues: { code: string }[] }) => error.issues[0]?.code,
      ),
    ),
  );
  expect(codes).toEqual(['run/annotate-one-file', 'run/output-is-input']);
});

describe('a copy that cannot be made is refused in words, and nothing is left', () => {
  const sheetWith = (cell: string) =>
    `<row r="1"><c r="A1" t="inlineStr"><is><t>Cédula</t></is></c></row><row r="2">${cell}</row>`;
  const entries = workbookEntries({
    sheets: [{ name: 'Nómina', rows: sheetWith('<c r="A2"><v>1</v></c>') }],
  });
  const annotations = (row: number, column = 'A') => ({
    marks: [{ row, column, level: 'error' as const, text: 'x' }],
    states: [],
    headerRows: [{ row: 1 }],
    language: 'es' as const,
  });
  test.each<[string, Parameters<typeof zipOf>[0], ReturnType<typeof annotations>, string]>([
    ['two parts of one name', [...entries, entries[0]!], annotations(2), 'file/zip-broken'],
    [
      'two that differ by case',
      [...entries, { name: 'XL/Workbook.xml', data: '' }],
      annotations(2),
      'file/zip-broken',
    ],
    ['a row beyond the last', entries, annotations(1_048_577), 'run/annotate-beyond-sheet'],
    ['no row', entries, annotations(0), 'run/annotate-beyond-sheet'],
    ['a column beyond the last', entries, annotations(2, 'XFE'), 'run/annotate-beyond-sheet'],
    [
      'a sheet without end',
      entries.map((entry) =>
        entry.name.includes('sheet1.xml') ? { ...entry, data: '<worksheet><sheetData><row' } : entry,
      ),
      annotations(2),
      'file/xml-broken',
    ],
  ])('%s', async (_, parts, marks, code) => {
    const folder = freshFolder();
    const input = join(folder, 'libro.xlsx');
    writeFileSync(input, zipOf(parts));
    const made = annotateCopy({ input, output: join(folder, 'copia.xlsx'), ...marks });
    await expect(made).rejects.toMatchObject({ issues: [{ code, place: { file: 'libro.xlsx' } }] });
    expect(readdirSync(folder)).toEqual(['libro.xlsx']);
  });

  test('a part whose offset lies beyond the file', async () => {
    const folder = freshFolder();
    const bytes = zipOf([...entries, { name: 'docProps/app.xml', data: '<Properties/>' }]);
    bytes.writeUInt32LE(bytes.length + 1000, bytes.lastIndexOf('docProps/app.xml') - 4);
    const input = join(folder, 'libro.xlsx');
    writeFileSync(input, bytes);
    const made = annotateCopy({ input, output: join(folder, 'copia.xlsx'), ...annotations(2) });
    await expect(made).rejects.toMatchObject({
      issues: [{ code: 'file/xml-broken', params: { part: 'docProps/app.xml' } }],
    });
    expect(readdirSync(folder)).toEqual(['libro.xlsx']);
  });

  test.each([
    [16_383, 0],
    [16_385, 1],
  ])('a CSV of %i filled columns', async (columns, refused) => {
    const folder = freshFolder();
    const input = join(folder, 'ancha.csv');
    writeFileSync(input, `${Array.from({ length: columns }, (_, at) => `c${at}`).join(';')}\n1\n`);
    const output = join(folder, 'copia.xlsx');
    const opened = await openInput(input);
    const made = annotateCopy({ input, output, rows: opened.tables[0]!.batches(), ...annotations(2) });
    if (refused) {
      const place = { file: 'ancha.csv', row: 1, column: 'XFE' };
      await expect(made).rejects.toMatchObject({ issues: [{ code: 'run/annotate-beyond-sheet', place }] });
      expect(readdirSync(folder)).toEqual(['ancha.csv']);
    } else {
      await made;
      expect(Object.keys(Object.values(await cellsOf(output))[0]!)).toContain('XFC1');
    }
  });
});

async function disposable() {
  const sandbox = await startSandbox();
  return { url: sandbox.url, token: sandbox.token, [Symbol.asyncDispose]: () => sandbox.close() };
}
