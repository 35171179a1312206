import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import '../../src/families/registry.js';
import { READ_LIMITS } from '../../src/toolkit/core/limits.js';
import { openInput } from '../../src/toolkit/tables/open.js';

import { openZip, type ZipPart } from '../../src/toolkit/tables/xlsx/zip.js';
import { zipOf } from '../support/zip-writer.js';
import { type Folder, makeFolder, rowsOf } from './input-files.js';
import { workbookOf } from './workbook-parts.js';

let folder: Folder;
const failures: unknown[] = [];
const onFailure = (cause: unknown): void => {
  failures.push(cause);
};
beforeAll(async () => {
  folder = await makeFolder();
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
});
afterAll(async () => {
  process.off('uncaughtException', onFailure).off('unhandledRejection', onFailure);
  await folder.remove();
  expect(failures).toEqual([]);
});

/** Inline strings that hardly compress: a sheet of so many rows has some 80 packed bytes a row. */
const inlineRows = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `<row r="${index + 1}"><c t="inlineStr"><is><t>${randomBytes(24).toString('hex')}</t></is></c></row>`,
  ).join('');

/** Takes so many items of each and leaves; `undefined` reads to the end. */
async function takeFrom<T>(items: AsyncIterable<T>, count: number | undefined): Promise<number> {
  let taken = 0;
  if (count === 0) return taken;
  for await (const _ of items) {
    taken += 1;
    if (taken === count) break;
  }
  return taken;
}

const DATA = randomBytes(700_000);

test.each([true, false])('a part left at any chunk leaves the next whole, stored: %s', async (stored) => {
  const names = ['a', 'b', 'c'];
  const path = await folder.file(
    `parts-${stored}.zip`,
    zipOf(names.map((name) => ({ name, data: DATA, stored }))),
  );
  const zip = await openZip(path, 'parts.zip', { ...READ_LIMITS, passes: 1000 });
  const [a, b, c] = names.map((name) => zip.part(name)!) as [ZipPart, ZipPart, ZipPart];
  const whole = await takeFrom(a.chunks(), undefined);
  expect(whole).toBeGreaterThan(10);
  for (let chunk = 0; chunk <= whole; chunk++) {
    await takeFrom(a.chunks(), chunk);
    const bytes = await Promise.all(
      [b, c, a].map(async (part) => {
        const chunks: Buffer[] = [];
        for await (const piece of part.chunks()) chunks.push(piece);
        return Buffer.concat(chunks);
      }),
    );
    expect(bytes.every((read) => read.equals(DATA))).toBe(true);
  }
  await zip.close();
});

test.each([true, false])(
  'the archive may be closed at any chunk of parts being read, stored: %s',
  async (stored) => {
    const path = await folder.file(
      `closed-${stored}.zip`,
      zipOf(['a', 'b'].map((name) => ({ name, data: DATA, stored }))),
    );
    for (let chunk = 0; chunk < 10; chunk++) {
      const zip = await openZip(path, 'closed.zip', READ_LIMITS);
      const suspended = zip.part('a')!.chunks();
      for (let taken = 0; taken < chunk; taken++) await suspended.next();
      const waiting = takeFrom(zip.part('b')!.chunks(), undefined);
      const outcome = waiting.then(
        () => 'read',
        (cause: Error) => cause.message,
      );
      await zip.close();
      await expect(suspended.next()).rejects.toThrow('is closed');
      expect(['closed.zip is closed', 'read']).toContain(await outcome);
      await zip.close();
      await expect(takeFrom(zip.part('a')!.chunks(), undefined)).rejects.toThrow('is closed');
    }
  },
);

test.each([1, 2, 3])('sheets of inline strings, previewed and read again: %i sheets', async (sheets) => {
  const COUNT = 2500;
  const path = await folder.file(
    `inline-${sheets}.xlsx`,
    workbookOf({
      sheets: Array.from({ length: sheets }, (_, index) => ({ name: `H${index}`, rows: inlineRows(COUNT) })),
    }),
  );
  const input = await openInput(path, { limits: { passes: 1000 } });
  for (let batches = 0; batches < 12; batches++) {
    for (const table of input.tables) await takeFrom(table.batches(), batches);
    const read = await Promise.all(input.tables.map(rowsOf));
    expect(read.map((rows) => rows.length)).toEqual(Array(sheets).fill(COUNT));
  }
  await input.close();
});

test.each([true, false])(
  'texts and documents of a zip are left and read again, stored: %s',
  async (stored) => {
    const line = (index: number): string => `${index};${randomBytes(24).toString('hex')}\n`;
    const data = Array.from({ length: 5000 }, (_, index) => line(index)).join('');
    const path = await folder.file(
      `texts-${stored}.zip`,
      zipOf(['AC1.TXT', 'US1.TXT'].map((name) => ({ name, data, stored }))),
    );
    const input = await openInput(path);
    for (let batches = 0; batches < 4; batches++)
      for (const table of input.tables) await takeFrom(table.batches(), batches);
    expect((await Promise.all(input.tables.map(rowsOf))).map((rows) => rows.length)).toEqual([5000, 5000]);
    await input.close();

    const xml = `<?xml version="1.0"?><AttachedDocument>${randomBytes(200_000).toString('hex')}</AttachedDocument>`;
    const documents = await folder.file(
      `documents-${stored}.zip`,
      zipOf(['a.xml', 'b.xml', 'c.xml'].map((name) => ({ name, data: xml, stored }))),
    );
    const list = await openInput(documents);
    await takeFrom(list.tables[0]!.batches(), 1);
    expect((await rowsOf(list.tables[0]!)).slice(1).map(({ file }) => file)).toEqual([
      'a.xml',
      'b.xml',
      'c.xml',
    ]);
    await list.close();
  },
);

test('what is read in all has a limit, however often a part is read', async () => {
  const path = await folder.file('again.zip', zipOf([{ name: 'a', data: DATA }]));
  const zip = await openZip(path, 'again.zip', {
    ...READ_LIMITS,
    freeBytes: 1_000_000,
    ratio: 1,
    passes: 2,
  });
  await takeFrom(zip.part('a')!.chunks(), undefined);
  await takeFrom(zip.part('a')!.chunks(), undefined);
  await expect(takeFrom(zip.part('a')!.chunks(), undefined)).rejects.toMatchObject({
    issues: [{ code: 'file/zip-bomb', params: { part: 'a' } }],
  });
  await zip.close();
});
