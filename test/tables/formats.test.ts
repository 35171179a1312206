import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { Opened } from '../../src/toolkit/documents/opened.js';
import { type Format, registerFormat } from '../../src/toolkit/tables/formats.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import type { InputFile, Row } from '../../src/toolkit/tables/table.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';

const inputOf = (paths: readonly string[]): InputFile => ({
  path: paths[0]!,
  file: basename(paths[0]!),
  kind: 'xml',
  tables: [
    {
      file: basename(paths[0]!),
      async *batches() {
        for (const [at, path] of paths.entries()) {
          const texts = (await readFile(path, 'utf8')).replace('toy:', '').split('|');
          yield [{ number: at + 1, hidden: false, texts, kinds: undefined }];
        }
      },
    },
  ],
  together: (inputs) => inputOf(inputs.map(({ path }) => path)),
  close: async () => undefined,
});

/** A line of cells with bars between them; in a zip its first entry counts. */
const TOY: Format = {
  name: /\.toy$/,
  start: /^toy:/,
  open: async (path) => inputOf([path]),
  openZip: async (path, zip) =>
    zip.parts.some(({ name }) => name.endsWith('.toy')) ? inputOf([path]) : undefined,
};
registerFormat(TOY);

const folder = mkdtempSync(join(tmpdir(), 'cargue-formats-'));
function written(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function textsOf(inputs: readonly InputFile[]): Promise<Row['texts'][]> {
  const rows: Row['texts'][] = [];
  for (const { tables } of inputs)
    for (const table of tables)
      for await (const batch of table.batches()) rows.push(...batch.map(({ texts }) => texts));
  return rows;
}

test.each([
  ['by its name', 'a.toy', 'one|two', [['one', 'two']]],
  ['by its name, though it is empty', 'empty.toy', '', [['']]],
  ['by its start', 'b.dat', 'toy:three|four', [['three', 'four']]],
  ['no other text', 'c.dat', 'five;six', [['five', 'six']]],
])('a registered format is known %s', async (_, name, content, rows) => {
  expect(await textsOf([await openInput(written(name, content))])).toEqual(rows);
});

test('a zip of a registered format is known by its parts', async () => {
  const entry: ZipEntry = { name: 'a.toy', data: Buffer.from('one') };
  const { kind } = await openInput(written('a.zip', zipOf([entry])));
  expect(kind).toBe('xml');
});

test('files of one list are one table in the place of the first', async () => {
  const files = [
    written('t.csv', 'x;y'),
    written('d.toy', '1'),
    written('u.csv', 'z;w'),
    written('e.toy', '2'),
  ];
  const opened = new Opened(files);
  const inputs = await opened.inputs();
  expect(inputs.map(({ file }) => file)).toEqual(['t.csv', 'd.toy', 'u.csv']);
  expect(await textsOf(inputs)).toEqual([['x', 'y'], ['1'], ['2'], ['z', 'w']]);
  await opened.close();
});
