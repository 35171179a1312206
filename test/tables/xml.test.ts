import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import type { Row } from '../../src/toolkit/tables/table.js';
import { attached } from '../families/events/attached.js';
import { closeInputs, openInputs } from '../support/opened-files.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-xml-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = attached({});
const DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n';
const write = (name: string, data: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

async function rowsOf(paths: readonly string[]): Promise<Row[]> {
  const inputs = await openInputs(paths);
  try {
    const rows: Row[] = [];
    for (const { tables } of inputs)
      for (const table of tables) for await (const batch of table.batches()) rows.push(...batch);
    return rows.slice(1);
  } finally {
    await closeInputs(inputs);
  }
}

/** File and fault, or the number of the invoice. */
const told = (rows: readonly Row[]): [string | undefined, string | undefined][] =>
  rows.map(({ file, fault, texts }) => [file, fault?.code ?? texts[3]]);

test.each([
  ['empty', ''],
  ['a page of a browser that could not get it', '<!DOCTYPE html><html><body>404</body></html>'],
  ['a text', 'no disponible'],
  ['no text', Buffer.from([0, 1, 2, 0, 3])],
])('a file that is %s is a fault of itself alone', async (_, data) => {
  const rows = await rowsOf([write('good.xml', GOOD), write('bad.xml', data)]);
  expect(rows.map(({ file, fault }) => [file, fault?.code.startsWith('xml/')])).toEqual([
    ['bad.xml', true],
    ['good.xml', undefined],
  ]);
});

test('files are one table, in the order of their names', async () => {
  const paths = ['b.xml', 'a.xml'].map((name) =>
    write(name, attached({ number: name.toUpperCase().slice(0, 1) })),
  );
  expect(told(await rowsOf(paths))).toEqual([
    ['a.xml', 'A'],
    ['b.xml', 'B'],
  ]);
});

describe('a file that is none is a fault of its own, and the next one goes on', () => {
  test.each<[string, string | Buffer, string]>([
    ['cut', DECLARED + GOOD.slice(GOOD.indexOf('<AttachedDocument'), GOOD.length / 2), 'xml/malformed'],
    ['DOCTYPE', attached({ doctype: '<!DOCTYPE a [<!ENTITY b "c">]>' }), 'xml/doctype'],
    ['an unknown entity', `${DECLARED}<a>&bomb;</a>`, 'xml/malformed'],
    ['too deep', DECLARED + '<a>'.repeat(200) + '</a>'.repeat(200), 'xml/too-deep'],
    ['another root', `${DECLARED}<Invoice/>`, 'xml/not-attached-document'],
    ['no invoice', attached({ root: 'CreditNote' }), 'xml/not-an-invoice'],
    ['an answer on another invoice', attached({ answerCufe: 'b'.repeat(96) }), 'xml/other-invoice'],
    ['no CUFE', attached({ cufe: 'x' }), 'xml/incomplete'],
    [
      'not UTF-8',
      Buffer.concat([Buffer.from(`${DECLARED}<a>`), Buffer.from([0xff]), Buffer.from('</a>')]),
      'xml/not-utf8',
    ],
    ['too large', `${DECLARED}<a>${' '.repeat(9 * 2 ** 20)}</a>`, 'xml/too-large'],
  ])('%s', async (_name, text, code) => {
    const paths = [write('1.xml', text), write('2.xml', attached({ number: 'FE2' }))];
    expect(told(await rowsOf(paths))).toEqual([
      ['1.xml', code],
      ['2.xml', 'FE2'],
    ]);
  });
});

const zipped = (name: string, entries: readonly ZipEntry[]): string => write(name, zipOf(entries));

test('a zip: folders, files of the system and anything but XML are passed over', async () => {
  const path = zipped('a.zip', [
    { name: 'x/', data: '' },
    { name: 'x/b.XML', data: attached({ number: 'B' }) },
    { name: '__MACOSX/x/._b.XML', data: 'junk' },
    { name: 'a.xml', data: attached({ number: 'A' }), stored: true },
    { name: 'a.pdf', data: '%PDF-1.7' },
  ]);
  expect(told(await rowsOf([path, write('c.xml', attached({ number: 'C' }))]))).toEqual([
    ['a.xml', 'A'],
    ['b.XML', 'B'],
    ['c.xml', 'C'],
  ]);
});

describe('a hostile zip is refused as a whole', () => {
  test.each<[string, ZipEntry, string]>([
    ['more than it says', { name: 'a.xml', data: GOOD, claims: { size: 10 } }, 'file/zip-broken'],
    ['another checksum', { name: 'a.xml', data: GOOD, claims: { checksum: 1 } }, 'file/zip-broken'],
    ['an entry with a password', { name: 'a.xml', data: GOOD, claims: { flags: 1 } }, 'file/encrypted'],
    ['a bomb', { name: 'a.xml', data: '<a>', claims: { size: 2 ** 31 } }, 'file/zip-bomb'],
    ['a name that leaves its folder', { name: '../../a.xml', data: GOOD }, 'file/zip-path'],
    ['another zip', { name: 'more.zip', data: zipOf([{ name: 'a.xml', data: GOOD }]) }, 'file/zip-nested'],
  ])('%s', async (_name, entry, code) => {
    const path = zipped('bad.zip', [{ name: 'good.xml', data: GOOD }, entry]);
    const thrown = await rowsOf([path]).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(PipelineError);
    expect((thrown as PipelineError).issues.map((issue) => issue.code)).toEqual([code]);
  });
});
