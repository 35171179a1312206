import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { splitAnswers } from '../../src/app/reading-answers.js';
import { receive } from '../../src/app/upload-store.js';
import { readAttachedDocument } from '../../src/families/events/xml/received-invoice.js';
import { Upload } from '../../src/page/server/upload.js';
import { parseForeignJson } from '../../src/toolkit/core/foreign-json.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import * as limits from '../../src/toolkit/core/limits.js';
import { fold, suggest } from '../../src/toolkit/core/text.js';
import { withOpened } from '../../src/toolkit/documents/opened.js';
import { Survey } from '../../src/toolkit/inspect/survey.js';
import { readYaml } from '../../src/toolkit/mapping/yaml-source.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { customFormat } from '../../src/toolkit/tables/xlsx/sheet.js';
import { fake } from '../cli/fake-context.js';
import { lawImport } from '../cli/use-cases.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';
import { issueOf, readAll } from '../tables/input-files.js';
import { sheetOf, sheetXml, workbookEntries, workbookOf } from '../tables/workbook-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-limits-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** What reading a file is refused with. */
const refusedFile = async (name: string, content: string | Buffer, given: Partial<limits.ReadLimits> = {}) =>
  (await issueOf(fileOf(name, content), { limits: given }))?.code;

/** What the first record of a JSON file is refused with. */
async function refusedRecord(record: string): Promise<string | undefined> {
  const { rows } = await readAll(fileOf('registro.json', `{"usuarios":[${record}]}`));
  return rows.flat().find(({ fault }) => fault !== undefined)?.fault?.code;
}

const refusedBook = (content: Buffer, given?: Partial<limits.ReadLimits>) =>
  refusedFile('libro.xlsx', content, given);

const ROW = '<row><c><v>1</v></c></row>';
const PLAIN = workbookEntries({ sheets: [{ name: 'Hoja1', rows: ROW }] });
const withSheet = (data: string): Buffer =>
  zipOf(PLAIN.map((entry): ZipEntry => (entry.name.includes('sheet1') ? { ...entry, data } : entry)));
const LARGE = withSheet(sheetXml(ROW.repeat(100_000)));

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const many = (values: number): string => `[${'0,'.repeat(values)}0]`;
const problem = (text: string, given?: limits.JsonLimits) => parseForeignJson(text, given).problem;
const ofJson = (name: string, given: limits.JsonLimits): readonly Case[] => [
  [`${name}.maxLength`, () => problem('x'.repeat(given.maxLength + 1), given), 'too-large'],
  [`${name}.maxDepth`, () => problem(nested(given.maxDepth + 1), given), 'too-deep'],
  [`${name}.maxValues`, () => problem(many(given.maxValues), given), 'too-many'],
];

const settings = (text: string) => readYaml('m.yaml', text).issues.map(({ params }) => params)[0];
const invoice = (text: string) => {
  const reading = readAttachedDocument(Buffer.from(text));
  return reading.is === 'refused' ? reading.refusal : undefined;
};

/** What a piece of work of the page is refused with. */
async function refusal(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof PipelineError ? error.issues[0]?.code : String(error);
  }
}
const upload = () =>
  Upload.open('v', folder, { workspace: folder, language: 'es' } as never, { profile: undefined });
const nothing = () => Readable.from([]);

const ALIASES = `a: &a [${'x,'.repeat(100)}]\nb: &b [${'*a,'.repeat(100)}]\nc: &c [${'*b,'.repeat(100)}]\nd: [*c]\n`;
const SMALL_XML = '<?xml version="1.0"?><AttachedDocument>';

type Case = readonly [limit: string, provoke: () => unknown, expected: unknown];

/** Every limit, what goes beyond it, and what becomes of that. */
const CASES: readonly Case[] = [
  [
    'MAX_SHEET_ROWS',
    () => refusedBook(sheetOf(`<row r="${limits.MAX_SHEET_ROWS + 1}"><c><v>1</v></c></row>`)),
    'file/cell-outside',
  ],
  [
    'MAX_SHEET_COLUMNS',
    () => refusedBook(sheetOf('<row r="1"><c r="XFE1"><v>1</v></c></row>')),
    'file/cell-outside',
  ],
  [
    'MAX_HEADER_ROW',
    () => refusal(async () => splitAnswers([`header.Nomina=${limits.MAX_HEADER_ROW + 1}`])),
    'run/bad-option',
  ],
  // Neither folded nor copied.
  [
    'MAX_COMPARED_LABELS',
    () => {
      const labels = Array.from({ length: limits.MAX_COMPARED_LABELS + 1 }, (_, at) => `Concepto ${at}`);
      const file = fileOf('conceptos.csv', `${labels.join()}\n${labels.map(() => 1).join()}\n`);
      return refusal(() => withOpened([file], (opened) => new Survey([]).under(opened, 'es', () => 1)));
    },
    'inspect/too-many-columns',
  ],
  ['MAX_CELL_LENGTH', () => fold('A'.repeat(limits.MAX_CELL_LENGTH + 1)).at(-1), 'A'],
  ['MAX_FORMAT_LENGTH', () => customFormat('yyyy-mm-dd'.padEnd(limits.MAX_FORMAT_LENGTH + 1, '-')), 'number'],
  [
    'MAX_SHEET_NAME_LENGTH',
    () =>
      refusedBook(
        workbookOf({ sheets: [{ name: 'x'.repeat(limits.MAX_SHEET_NAME_LENGTH + 1), rows: ROW }] }),
      ),
    'file/xml-broken',
  ],
  [
    'MAX_NAME_LENGTH',
    () => suggest('x'.repeat(limits.MAX_NAME_LENGTH + 1), ['x'.repeat(limits.MAX_NAME_LENGTH)]),
    [],
  ],
  ['READ_LIMITS.entries', () => refusedBook(zipOf(PLAIN), { entries: 3 }), 'file/zip-bomb'],
  ['READ_LIMITS.partBytes', () => refusedBook(zipOf(PLAIN), { partBytes: 200 }), 'file/zip-bomb'],
  ['READ_LIMITS.totalBytes', () => refusedBook(zipOf(PLAIN), { totalBytes: 1000 }), 'file/zip-bomb'],
  ['READ_LIMITS.ratio', () => refusedBook(LARGE, { ratio: 2, freeBytes: 2 ** 20 }), 'file/zip-bomb'],
  ['READ_LIMITS.freeBytes', () => refusedBook(LARGE, { ratio: 40, freeBytes: 2 ** 10 }), 'file/zip-bomb'],
  ['READ_LIMITS.passes', () => refusedBook(LARGE, { passes: 0 }), 'file/zip-bomb'],
  [
    'READ_LIMITS.sheets',
    () =>
      refusedBook(workbookOf({ sheets: ['a', 'b', 'c'].map((name) => ({ name, rows: ROW })) }), {
        sheets: 2,
      }),
    'file/too-many-sheets',
  ],
  [
    'READ_LIMITS.tokenChars',
    () => refusedBook(sheetOf(`<row><c><v>${'9'.repeat(3_000_000)}</v></c></row>`), { tokenChars: 2 ** 20 }),
    'file/xml-broken',
  ],
  [
    'READ_LIMITS.depth',
    () => refusedBook(withSheet('<a>'.repeat(limits.READ_LIMITS.depth + 1))),
    'file/xml-broken',
  ],
  ...(['stringBytes', 'stringRatio'] as const).map(
    (name): Case => [
      `READ_LIMITS.${name}`,
      () => {
        const strings = Array.from({ length: 30_000 }, (_, i) => `<t>${'x'.repeat(100)}${i}</t>`);
        return refusedBook(sheetOf(ROW, { strings }), { stringBytes: 2 ** 20, stringRatio: 1 });
      },
      'file/zip-bomb',
    ],
  ),
  [
    'READ_LIMITS.recordBytes',
    () => refusedFile('texto.csv', `a;b\n1;${'x'.repeat(200_000)}\n`, { recordBytes: 100_000 }),
    'file/record-too-long',
  ],
  [
    'READ_LIMITS.columns',
    () => refusedFile('ancho.csv', `a;b\n${'1;'.repeat(limits.READ_LIMITS.columns + 1)}\n`),
    'file/too-many-columns',
  ],
  ['XML_DOCUMENT.maxBytes', () => invoice(SMALL_XML + ' '.repeat(limits.XML_DOCUMENT.maxBytes)), 'too-large'],
  [
    'XML_DOCUMENT.maxDepth',
    () => invoice(SMALL_XML + '<a>'.repeat(limits.XML_DOCUMENT.maxDepth)),
    'xml-too-deep',
  ],
  [
    'SETTINGS.maxBytes',
    () => settings(`a: ${'x'.repeat(limits.SETTINGS.maxBytes)}`),
    { reason: 'TOO_LARGE' },
  ],
  [
    'SETTINGS.maxSigns',
    () => settings(`a: [${'1,'.repeat(limits.SETTINGS.maxSigns)}]`),
    { reason: 'TOO_MANY' },
  ],
  ['SETTINGS.maxDepth', () => settings(`a: ${nested(limits.SETTINGS.maxDepth + 1)}`), { reason: 'TOO_DEEP' }],
  ['SETTINGS.maxAliases', () => settings(ALIASES), { reason: 'BAD_ALIAS' }],
  [
    'UPLOAD.maxBytes',
    () => refusal(() => receive('a.csv', Readable.from([Buffer.alloc(11)]), join(folder, 'a.csv'), 10)),
    'web/too-large',
  ],
  [
    'UPLOAD.maxFiles',
    async () => {
      const into = await upload();
      for (let at = 0; at < limits.UPLOAD.maxFiles; at++) await into.add(`${at}.csv`, nothing());
      return refusal(() => into.add('last.csv', nothing()));
    },
    'web/too-many',
  ],
  [
    'UPLOAD.maxNameLength',
    async () =>
      refusal(async () => (await upload()).add('x'.repeat(limits.UPLOAD.maxNameLength + 1), nothing())),
    'web/bad-name',
  ],
  ['MAX_ANSWER_BYTES', () => problem('x'.repeat(limits.MAX_ANSWER_BYTES + 1)), 'too-large'],
  [
    'MAX_LAW_PACK_BYTES',
    () => {
      const pack = fileOf('ley.json', ' '.repeat(limits.MAX_LAW_PACK_BYTES + 1));
      const call = fake({ workspace: folder });
      return lawImport(call.context, [pack], { json: true }).catch(
        (error: PipelineError) => Object.values(error.issues[0]!.params)[0],
      );
    },
    'too-large',
  ],
  ...ofJson('FOREIGN_JSON', limits.FOREIGN_JSON),
  ...ofJson('PAGE_JSON', limits.PAGE_JSON),
  ...ofJson('SANDBOX_JSON', limits.SANDBOX_JSON),
  ['JSON_FILE.maxDepth', () => refusedRecord(`{"a":${nested(limits.JSON_FILE.maxDepth)}}`), 'json/too-deep'],
  [
    'JSON_FILE.maxItemBytes',
    () => refusedRecord(`{"a":"${'x'.repeat(limits.JSON_FILE.maxItemBytes)}"}`),
    'json/too-large',
  ],
  ['JSON_FILE.maxValues', () => refusedRecord(`{"a":${many(limits.JSON_FILE.maxValues)}}`), 'json/too-many'],
  [
    'JSON_FILE.maxPointerLength',
    () => refusedRecord(`{"${'k'.repeat(100_000)}":${many(1_000)}}`),
    'json/too-many',
  ],
];

test('every limit of the table has a case', () => {
  const names = Object.entries(limits).flatMap(([name, value]) =>
    typeof value === 'object' ? Object.keys(value).map((key) => `${name}.${key}`) : [name],
  );
  expect(CASES.map(([limit]) => limit).sort()).toEqual(names.sort());
});

test.each(CASES)('%s', async (_, provoke, expected) => expect(await provoke()).toEqual(expected));

test('what lies within is read', async () => {
  const name = 'x'.repeat(limits.MAX_SHEET_NAME_LENGTH);
  expect(
    await refusedBook(workbookOf({ sheets: [{ name, rows: ROW }], formats: ['dd/mm/yyyy'] })),
  ).toBeUndefined();
  expect(customFormat('yyyy-mm-dd'.padEnd(limits.MAX_FORMAT_LENGTH, '-'))).toBe('date');
  const input = await openInput(fileOf('bien.csv', 'a;b\n1;2\n'));
  await input.close();
});
