import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CODES } from '../../src/generated/codes.js';
import { type IssueCode, issueOf as sayIssue } from '../../src/toolkit/core/issue.js';
import { word } from '../../src/toolkit/messages/wording.js';
import type { OpenOptions } from '../../src/toolkit/tables/open.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';
import { type Folder, issueOf, makeFolder, openDescriptors } from './input-files.js';
import { sheetOf, sheetXml, workbookEntries, workbookOf } from './workbook-parts.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** With the name of a stream across the first 64 KiB. */
const oleWith = (stream: string): Buffer =>
  Buffer.concat([
    OLE,
    Buffer.alloc(65_536 - OLE.length - 7),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(99),
  ]);
const ROW = '<row><c><v>1</v></c></row>';
const PLAIN = workbookEntries({
  sheets: [{ name: 'Hoja1', rows: ROW }],
  strings: ['<t>a</t>'],
  formats: [0],
});
const SHEET = 'xl/worksheets/sheet1.xml';

/** An ordinary workbook with one entry changed. */
const withEntry = (name: string, change: Partial<ZipEntry>): Buffer =>
  zipOf(PLAIN.map((entry) => (entry.name === name ? { ...entry, ...change } : entry)));
const without = (name: string): Buffer => zipOf(PLAIN.filter((entry) => entry.name !== name));
const damaged = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
};
const stored = zipOf(PLAIN.map((entry) => ({ ...entry, stored: true })));
const ENTITIES =
  '<!DOCTYPE worksheet [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';

type Case = [what: string, content: string | Buffer, code: string, params?: object, options?: OpenOptions];

const CASES: readonly Case[] = [
  ['nothing in it', '', 'file/empty'],
  ['only a mark', '\ufeff', 'file/empty'],
  ['old Excel named .xlsx', oleWith('Workbook'), 'file/old-xls'],
  ['Excel 5', oleWith('Book'), 'file/old-xls'],
  ['Excel 4', Buffer.from('090406000000100000000000', 'hex'), 'file/old-xls'],
  ['a letter of old Word', oleWith('WordDocument'), 'file/unknown-format', { format: 'DOC' }],
  ['an OLE file of something else', oleWith('x'), 'file/unknown-format', { format: 'OLE' }],
  ['encrypted workbook', oleWith('EncryptedPackage'), 'file/encrypted'],
  ['PDF named .xlsx', '%PDF-1.7\n%âãÏÓ\n', 'file/unknown-format', { format: 'PDF' }],
  [
    'web page named .xls',
    '\n<html><table><tr><td>1</td></tr></table></html>',
    'file/unknown-format',
    { format: 'HTML' },
  ],
  [
    'XML of Excel 2003',
    '\ufeff<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook/>',
    'file/unknown-format',
    { format: 'Excel 2003 XML' },
  ],
  ['binary', Buffer.from([1, 2, 3, 0, 0, 5, 10, 7]), 'file/binary'],
  [
    'a zip with a name that leaves its folder',
    zipOf([
      { name: 'CT000123.TXT', data: 'a,b' },
      { name: '../AC000123.TXT', data: 'a,b' },
    ]),
    'file/zip-path',
    { part: '../AC000123.TXT' },
  ],
  [
    'a zip with a name of the root',
    zipOf([{ name: '/etc/AC000123.TXT', data: 'a,b' }]),
    'file/zip-path',
    { part: '/etc/AC000123.TXT' },
  ],
  [
    'a zip with a zip inside',
    zipOf([
      { name: 'CT000123.TXT', data: 'a,b' },
      { name: 'mas.zip', data: zipOf(PLAIN) },
    ]),
    'file/zip-nested',
    { part: 'mas.zip' },
  ],
  [
    'a zip with a book beside JSON',
    zipOf([
      { name: 'FE1.json', data: '{"numDocumentoIdObligado":"900123456","numFactura":"FE1","usuarios":[]}' },
      { name: 'mas.xlsx', data: zipOf(PLAIN) },
    ]),
    'file/zip-nested',
    { part: 'mas.xlsx' },
  ],
  ['a zip of empty texts', zipOf([{ name: 'AC000123.TXT', data: '' }]), 'file/zip-without-table'],
  [
    'a zip of texts with a password',
    zipOf([{ name: 'AC000123.TXT', data: 'a,b', claims: { flags: 1 } }]),
    'file/encrypted',
  ],
  [
    'a text in a zip too large',
    zipOf([{ name: 'AC000123.TXT', data: 'a,b\n'.repeat(1000) }]),
    'file/zip-bomb',
    { part: 'AC000123.TXT' },
    { limits: { partBytes: 200 } },
  ],
  ['an empty zip', zipOf([]), 'file/not-a-workbook', { format: 'ZIP' }],
  [
    'a letter',
    zipOf([{ name: 'word/document.xml', data: '<document/>' }]),
    'file/not-a-workbook',
    { format: 'DOCX' },
  ],
  [
    'an OpenDocument sheet',
    zipOf([
      { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
      { name: 'content.xml', data: '<x/>' },
    ]),
    'file/ods',
  ],
  [
    'an OpenDocument text',
    zipOf([
      { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text', stored: true },
      { name: 'content.xml', data: '<x/>' },
    ]),
    'file/not-a-workbook',
    { format: 'OpenDocument' },
  ],
  ['a binary workbook', zipOf([{ name: 'xl/workbook.bin', data: 'x' }]), 'file/xlsb'],
  [
    'a workbook part of another kind',
    withEntry('xl/workbook.xml', { data: '<document/>' }),
    'file/not-a-workbook',
  ],
  [
    'only a chart sheet',
    workbookOf({ sheets: [{ name: 'x', type: 'chartsheet', xml: '<chartsheet/>' }] }),
    'file/not-a-workbook',
  ],
  ['cut short', zipOf(PLAIN).subarray(0, -100), 'file/zip-broken'],
  ['cut to its start', zipOf(PLAIN).subarray(0, 40), 'file/zip-broken'],
  [
    'a bit flipped in a stored part',
    damaged(stored, stored.indexOf('<v>1</v>') + 3),
    'file/zip-broken',
    { part: SHEET },
  ],
  ['a wrong checksum', withEntry(SHEET, { claims: { checksum: 1 } }), 'file/zip-broken', { part: SHEET }],
  [
    'more bytes than announced',
    withEntry(SHEET, { claims: { size: 10 } }),
    'file/zip-broken',
    { part: SHEET },
  ],
  [
    'fewer bytes than announced',
    withEntry(SHEET, { claims: { size: 10_000 } }),
    'file/zip-broken',
    { part: SHEET },
  ],
  [
    'deflate data that is none',
    withEntry(SHEET, { stored: true, claims: { method: 8 } }),
    'file/zip-broken',
    { part: SHEET },
  ],
  [
    'an unknown compression',
    withEntry(SHEET, { claims: { method: 93 } }),
    'file/zip-broken',
    { part: SHEET },
  ],
  ['a zip with a password', withEntry(SHEET, { claims: { flags: 1 } }), 'file/encrypted'],
  ['a sheet part missing', without(SHEET), 'file/part-missing', { part: SHEET }],
  [
    'a sheet that points nowhere',
    withEntry('xl/_rels/workbook.xml.rels', { data: '<Relationships/>' }),
    'file/part-missing',
    { part: 'Hoja1' },
  ],
  [
    'the strings missing',
    without('xl/sharedStrings.xml'),
    'file/part-missing',
    { part: 'xl/sharedStrings.xml' },
  ],
  ['a part too large', zipOf(PLAIN), 'file/zip-bomb', {}, { limits: { partBytes: 200 } }],
  ['too large in total', zipOf(PLAIN), 'file/zip-bomb', {}, { limits: { totalBytes: 1000 } }],
  ['too many entries', zipOf(PLAIN), 'file/zip-bomb', {}, { limits: { entries: 3 } }],
  [
    'a part packed too tightly',
    withEntry(SHEET, { data: sheetXml(ROW.repeat(100_000)) }),
    'file/zip-bomb',
    { part: SHEET },
    { limits: { ratio: 50, freeBytes: 2 ** 20 } },
  ],
  [
    'strings beyond what is kept in memory',
    sheetOf(ROW, { strings: Array.from({ length: 30_000 }, (_, i) => `<t>${'x'.repeat(100)}${i}</t>`) }),
    'file/zip-bomb',
    { part: 'xl/sharedStrings.xml' },
    { limits: { stringBytes: 2 ** 20 } },
  ],
  ['one string of megabytes', sheetOf(ROW, { strings: [`<t>${'x'.repeat(2 ** 21)}</t>`] }), 'file/zip-bomb'],
  [
    'a token without end',
    withEntry(SHEET, { data: sheetXml(`<row><c><v>${'9'.repeat(3_000_000)}</v></c></row>`) }),
    'file/xml-broken',
    { part: SHEET },
    { limits: { tokenChars: 2 ** 20 } },
  ],
  [
    'elements without bottom',
    withEntry(SHEET, { data: '<a>'.repeat(500) }),
    'file/xml-broken',
    { part: SHEET },
  ],
  [
    'XML that ends early',
    withEntry(SHEET, { data: '<worksheet><sheetData><row><c><v>1' }),
    'file/xml-broken',
    { part: SHEET },
  ],
  ['crossed elements', withEntry(SHEET, { data: '<worksheet><a></b></worksheet>' }), 'file/xml-broken'],
  [
    'an unknown entity',
    withEntry(SHEET, { data: sheetXml('<row><c t="str"><v>&amigo;</v></c></row>') }),
    'file/xml-broken',
  ],
  [
    'bytes that are not UTF-8',
    withEntry(SHEET, { data: Buffer.from('<worksheet>\xf1</worksheet>', 'latin1') }),
    'file/xml-broken',
  ],
  [
    'another encoding',
    withEntry(SHEET, { data: '<?xml version="1.0" encoding="ISO-8859-1"?><worksheet/>' }),
    'file/xml-broken',
  ],
  [
    'a string number out of range',
    sheetOf('<row><c t="s"><v>1</v></c></row>', { strings: ['<t>a</t>'] }),
    'file/xml-broken',
  ],
  [
    'a string number below zero',
    sheetOf('<row><c t="s"><v>-1</v></c></row>', { strings: ['<t>a</t>'] }),
    'file/xml-broken',
  ],
  ['a string without strings', sheetOf('<row><c t="s"><v>0</v></c></row>'), 'file/xml-broken'],
  [
    'a column beyond XFD',
    sheetOf('<row><c r="XFE1"><v>1</v></c></row>'),
    'file/cell-outside',
    { cell: 'XFE1' },
  ],
  [
    'more cells than columns',
    sheetOf(`<row r="7">${'<c/>'.repeat(16_385)}</row>`),
    'file/cell-outside',
    { cell: 'XFE7' },
  ],
  [
    'a row beyond the last',
    sheetOf('<row r="1048577"><c/></row>'),
    'file/cell-outside',
    { cell: 'A1048577' },
  ],
  [
    'a prefix that is not declared',
    sheetOf('<x:row><c><v>1</v></c></x:row>'),
    'file/xml-broken',
    { part: SHEET },
  ],
  [
    'a text of megabytes in pieces',
    sheetOf(`<row r="3"><c t="inlineStr"><is>${`<t>${'x'.repeat(30_000)}</t>`.repeat(200)}</is></c></row>`),
    'file/row-too-long',
    { row: 3 },
  ],
  [
    'a row of megabytes',
    sheetOf(`<row r="3">${'<c t="s"><v>0</v></c>'.repeat(5)}</row>`, {
      strings: [`<t>${'x'.repeat(2 ** 20)}</t>`],
    }),
    'file/row-too-long',
    { row: 3 },
  ],
  [
    'a shared string of megabytes in pieces',
    sheetOf(ROW, { strings: [`<r><t>${'x'.repeat(30_000)}</t></r>`.repeat(200)] }),
    'file/zip-bomb',
  ],
  [
    'two files of one name',
    zipOf([...PLAIN, { name: SHEET, data: sheetXml('') }]),
    'file/zip-ambiguous',
    { part: SHEET },
  ],
  [
    'two files whose names differ in case',
    zipOf([...PLAIN, { name: SHEET.toUpperCase(), data: sheetXml('') }]),
    'file/zip-ambiguous',
  ],
  [
    'two files on one local header',
    zipOf([...PLAIN, { name: 'x.xml', data: 'x', claims: { offset: 0 } }]),
    'file/zip-ambiguous',
  ],
  [
    'a file inside of another',
    zipOf([
      { name: 'outer', data: zipOf([{ name: 'x.xml', data: 'x' }]), stored: true },
      ...PLAIN,
      { name: 'x.xml', data: 'x', claims: { offset: 35 } },
    ]),
    'file/zip-ambiguous',
    { part: 'x.xml' },
  ],
  [
    'a sheet beyond the end of the file',
    withEntry(SHEET, { claims: { offset: 10_000_000 } }),
    'file/zip-broken',
    { part: SHEET },
  ],
  [
    'two sheets on one part',
    zipOf(
      workbookEntries({ sheets: ['Uno', 'Dos'].map((name) => ({ name, rows: ROW })) }).map((entry) => ({
        ...entry,
        data: String(entry.data).replace('worksheets/sheet2.xml', '/XL/worksheets/Sheet1.xml'),
      })),
    ),
    'file/zip-ambiguous',
  ],
  [
    'more sheets than are read',
    workbookOf({ sheets: ['a', 'b', 'c'].map((name) => ({ name, rows: ROW })) }),
    'file/too-many-sheets',
    { sheets: 3, most: 2 },
    { limits: { sheets: 2 } },
  ],
  [
    'more bytes in all than the file is worth',
    workbookOf({ sheets: ['a', 'b', 'c'].map((name) => ({ name, rows: ROW.repeat(100_000) })) }),
    'file/zip-bomb',
    {},
    { limits: { freeBytes: 4 * 2 ** 20, ratio: 2 } },
  ],
  ['a cell without column', sheetOf('<row><c r="1"><v>1</v></c></row>'), 'file/xml-broken'],
  ['a row number that is none', sheetOf('<row r="1.5"><c><v>1</v></c></row>'), 'file/xml-broken'],
  [
    'entities in the sheet',
    withEntry(SHEET, { data: `${ENTITIES}<worksheet/>` }),
    'file/xml-entities',
    { part: SHEET },
  ],
  [
    'entities in the strings',
    withEntry('xl/sharedStrings.xml', { data: `${ENTITIES}<sst><si><t>&b;</t></si></sst>` }),
    'file/xml-entities',
  ],
  [
    'a bare DOCTYPE in the workbook',
    withEntry('xl/workbook.xml', { data: '<!DOCTYPE x><workbook/>' }),
    'file/xml-entities',
  ],
];

test.each<Case>(CASES)('refuses: %s', async (what, content, code, params = {}, options = {}) => {
  const name = `${what.replaceAll(/\W/g, '-')}.xlsx`;
  const path = await folder.file(name, content);
  const issue = await issueOf(path, options);
  expect(issue).toMatchObject({ code, level: 'error', params, place: { file: name } });
  expect(openDescriptors(path)).toBe(0);
});

test('refuses what cannot be read as a file', async () => {
  const path = join(folder.path, 'loop.xlsx');
  await symlink(path, path);
  await mkdir(join(folder.path, 'carpeta.xlsx'));
  const file = await folder.file('datos.csv', 'a;b\n');
  const codes = [
    await issueOf(join(folder.path, 'no-hay.xlsx')),
    await issueOf(join(file, 'dentro.xlsx')),
    await issueOf(join(folder.path, 'carpeta.xlsx')),
    await issueOf(path),
    await issueOf('/dev/null'),
  ].map((issue) => issue?.code);
  expect(codes).toEqual([
    'file/not-found',
    'file/not-found',
    'file/is-directory',
    'file/not-readable',
    'file/not-readable',
  ]);
});

test.each(Object.keys(CODES).filter((code) => code.startsWith('file/')))(
  '%s is worded in both languages, with every blank filled',
  (code) => {
    for (const language of ['es', 'en'] as const) {
      const params = {
        part: 'xl/workbook.xml',
        format: 'PDF',
        cell: 'XFE1',
        row: 3,
        sheets: 2000,
        most: 1000,
      };
      const { title, message, fix } = word(sayIssue(code as IssueCode, 'error', params), language);
      for (const text of [title, message, fix]) expect(text).toMatch(/^[^{}]+$/);
      expect(title).not.toBe(code);
    }
  },
);
