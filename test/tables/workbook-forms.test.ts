import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PARAMS, placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';
import { type Folder, issueOf, makeFolder, readAll } from './input-files.js';
import { STRICT, sheetXml, workbookEntries } from './workbook-parts.js';

const WORKBOOKS = 'test/tables/workbooks';
const golden = readFileSync('test/golden/payroll/nomina-octubre-2026.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>);

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

async function documentsOf(path: string): Promise<readonly unknown[]> {
  const { drafts, issues } = await prepareFiles({ files: [path], params: PARAMS });
  expect(placed(issues)).toEqual([]);
  return drafts.map(({ body: document }, index) => ({ ...document, consecutive: index + 1 }));
}

/** The sample payroll as other programs save it: openpyxl, LibreOffice, SheetJS and XlsxWriter. */
test.each(readdirSync(join(WORKBOOKS, 'written')))('%s gives the golden documents', async (name) => {
  expect(await documentsOf(join(WORKBOOKS, 'written', name))).toEqual(golden);
});

const cells = (await readAll(SAMPLE)).rows[0]!;

test.each([true, false])('exceljs gives the golden documents, as a stream: %s', async (asStream) => {
  const filename = join(folder.path, `exceljs-${asStream}.xlsx`);
  const book = asStream
    ? new ExcelJS.stream.xlsx.WorkbookWriter({ filename, useStyles: true, useSharedStrings: false })
    : new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Nomina');
  for (const { number, texts, kinds } of cells) {
    const row = sheet.getRow(number);
    for (const [column, text] of texts.entries()) {
      if (text === undefined) continue;
      const kind = kinds?.[column];
      const value = kind === 'date' ? new Date(text) : kind === 'number' ? Number(text) : text;
      row.getCell(column + 1).value = value;
    }
    row.commit();
  }
  if (book instanceof ExcelJS.stream.xlsx.WorkbookWriter) await book.commit();
  else await book.xlsx.writeFile(filename);
  expect(await documentsOf(filename)).toEqual(golden);
});

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const serialOf = (date: string): number => Date.parse(date) / 86_400_000 + 25_569;

interface Form {
  /** How a text is written in its cell, when it is no shared string. */
  readonly text?: (text: string) => string;
  /** How a shared string is written. */
  readonly shared?: (text: string) => string;
  readonly date?: (date: string) => string;
  readonly styles?: false;
  readonly entries?: (entries: readonly ZipEntry[]) => readonly ZipEntry[];
  readonly strict?: true;
}

const last = (name: string) => (entries: readonly ZipEntry[]) =>
  [...entries].sort((a, b) => Number(a.name === name) - Number(b.name === name));
const EXCEL_ROOT =
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr" ' +
  'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" xr:uid="{0}"';
const EXCEL_END =
  '<extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{1}">' +
  '<x14:dataValidations><x14:row><x14:c r="A1"><x14:v>1</x14:v></x14:c></x14:row></x14:dataValidations></ext></extLst>';

/** As Excel writes a sheet: other namespaces for its own attributes, and an extension behind the rows. */
const likeExcel = (entries: readonly ZipEntry[]): readonly ZipEntry[] =>
  entries.map((entry) => ({
    ...entry,
    data: String(entry.data)
      .replace('<worksheet ', `<worksheet ${EXCEL_ROOT} `)
      .replaceAll('<row ', '<row x14ac:dyDescent="0.25" ')
      .replace('</worksheet>', `${EXCEL_END}</worksheet>`)
      .replace(
        '<workbook ',
        '<workbook xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main" ',
      )
      .replace('</workbook>', '<extLst><ext><x15:workbookPr date1904="1"/></ext></extLst></workbook>'),
  }));

const halves = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  const run = (part: string): string => `<r><rPr><b/></rPr><t xml:space="preserve">${escaped(part)}</t></r>`;
  return run(text.slice(0, middle)) + run(text.slice(middle));
};

const FORMS: readonly (readonly [string, Form])[] = [
  ['inline strings', { text: (text) => `t="inlineStr"><is><t>${escaped(text)}</t></is>` }],
  ['inline rich text', { text: (text) => `t="inlineStr"><is>${halves(text)}</is>` }],
  ['texts of formulas', { text: (text) => `t="str"><f>T(A1)</f><v>${escaped(text)}</v>` }],
  ['shared strings', {}],
  ['shared rich text', { shared: halves }],
  [
    'shared strings with a pronunciation',
    { shared: (text) => `<t>${escaped(text)}</t><rPh sb="0" eb="1"><t>x</t></rPh>` },
  ],
  ['no styles part, dates in ISO', { styles: false, date: (date) => `t="d"><v>${date}T00:00:00.000Z</v>` }],
  ['no styles part, dates as numbers', { styles: false, date: (date) => `><v>${serialOf(date)}</v>` }],
  ['styles behind the sheet', { entries: last('xl/styles.xml') }],
  ['strings behind the sheet', { entries: last('xl/sharedStrings.xml') }],
  ['workbook behind all', { entries: last('xl/workbook.xml') }],
  ['strict', { strict: true }],
  ['as Excel writes it', { entries: likeExcel }],
];

test.each(FORMS)('%s: the golden documents', async (name, form) => {
  const strings: string[] = [];
  const sharedAt = new Map<string, number>();
  const textCell = (text: string): string => {
    if (form.text !== undefined) return form.text(text);
    const index = sharedAt.get(text) ?? strings.length;
    if (index === strings.length) {
      sharedAt.set(text, index);
      strings.push(form.shared?.(text) ?? `<t>${escaped(text)}</t>`);
    }
    return `t="s"><v>${index}</v>`;
  };
  const cell = (text: string | undefined, kind = 'text'): string => {
    if (text === undefined) return '<c/>';
    if (kind === 'number') return `<c><v>${text}</v></c>`;
    if (kind === 'date') return `<c ${form.date?.(text) ?? `s="1"><v>${serialOf(text)}</v>`}</c>`;
    return `<c ${textCell(text)}</c>`;
  };
  const rows = cells.map(
    ({ number, texts, kinds }) =>
      `<row r="${number}">${Array.from(texts, (text, column) => cell(text, kinds?.[column])).join('')}</row>`,
  );
  const entries = workbookEntries({
    sheets: [{ name: 'Nomina', rows: rows.join('') }],
    ...(strings.length > 0 && { strings }),
    ...(form.styles !== false && { formats: [0, 14] }),
    ...(form.strict && { namespaces: STRICT }),
  });
  const path = await folder.file(
    `${name.replaceAll(/\W/g, '-')}.xlsx`,
    zipOf(form.entries?.(entries) ?? entries),
  );
  expect(await documentsOf(path)).toEqual(golden);
});

/** The sample payroll changed in one place, as such files were met; the document that differs is said. */
describe('awkward and hostile workbooks', () => {
  test.each([
    '1904-con-extension.xlsx',
    'primera-cadena-en-blanco.xlsx',
    'hoja-sin-relacion.xlsx',
    'xml-utf16be.xlsx',
    'parte-fuera-del-archivo.xlsx',
  ])('%s gives the golden documents', async (name) => {
    expect(await documentsOf(join(WORKBOOKS, 'awkward', name))).toEqual(golden);
  });

  test('1904-fecha-sin-formato.xlsx: a number without date format is counted from 1904 too', async () => {
    const documents = await documentsOf(join(WORKBOOKS, 'awkward', '1904-fecha-sin-formato.xlsx'));
    expect(documents).toEqual(golden);
    expect(documents[1]).toMatchObject({ period: { admision_date: '2017-07-26' } });
  });

  test('dos-hojas-200-trabajadores.xlsx gives 200 documents', async () => {
    const path = join(WORKBOOKS, 'awkward', 'dos-hojas-200-trabajadores.xlsx');
    const { drafts, issues, heldBack } = await prepareFiles({ files: [path] });
    expect([drafts.length, heldBack]).toEqual([200, []]);
    // Its ten columns of notes are declined by the mapping, numbers or not.
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('bloque-de-cadenas-lleno.xlsx is read', async () => {
    const { rows } = await readAll(join(WORKBOOKS, 'awkward', 'bloque-de-cadenas-lleno.xlsx'));
    expect(rows[0]!.length).toBeGreaterThan(0);
  });

  test.each([
    ['sin-styles.xlsx', 'file/part-missing', { part: 'xl/styles.xml' }],
    ['fila-1048577.xlsx', 'file/cell-outside', { cell: 'A1048577' }],
    ['entrada-doble.xlsx', 'file/zip-ambiguous', { part: 'xl/styles.xml' }],
    ['hojas-500.xlsx', 'file/zip-ambiguous', { part: 'xl/worksheets/sheet1.xml' }],
  ])('%s is refused: %s', async (name, code, params) => {
    expect(await issueOf(join(WORKBOOKS, 'awkward', name))).toMatchObject({ code, params });
  });

  test('250 sheets of 60 MiB on one local header are refused at the directory', async () => {
    const sheet = { name: 'xl/worksheets/sheet1.xml', data: sheetXml('<row/>'.repeat(10 * 2 ** 20)) };
    const size = sheet.data.length;
    const overlapping = Array.from({ length: 249 }, (_, index) => ({
      name: `xl/worksheets/sheet${index + 2}.xml`,
      data: '',
      claims: { offset: 0, size },
    }));
    const path = await folder.file('solapadas.xlsx', zipOf([sheet, ...overlapping]));
    const before = process.cpuUsage();
    expect(['file/zip-bomb', 'file/zip-ambiguous']).toContain((await issueOf(path))?.code);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
