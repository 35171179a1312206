import { afterAll, expect, test } from 'vitest';
import { openInput } from '../../src/toolkit/tables/open.js';
import { zipOf } from '../support/zip-writer.js';
import { makeFolder } from './input-files.js';

const folder = await makeFolder();
afterAll(() => folder.remove());

test('each text of a zip is a table by the name of both, in the encoding it has', async () => {
  const path = await folder.file(
    'RIPS.zip',
    zipOf([
      { name: 'US000123.TXT', data: Buffer.from('CC,98,PE\xd1A\r\nTI,99,\xc1NGEL\r\n', 'latin1') },
      { name: 'otros/AC000123.txt', data: 'FC1,1\n', stored: true },
      { name: '__MACOSX/._US000123.TXT', data: 'x' },
      { name: 'leame.pdf', data: '%PDF-1.7' },
      { name: 'AP000123.TXT', data: '' },
    ]),
  );
  const input = await openInput(path);
  try {
    expect(input.kind).toBe('zip');
    expect(input.tables.map(({ file }) => file)).toEqual([
      'RIPS.zip/US000123.TXT',
      'RIPS.zip/otros/AC000123.txt',
    ]);
    expect(input.ignoredParts).toEqual(['RIPS.zip/leame.pdf', 'RIPS.zip/AP000123.TXT']);
    for (const _ of [1, 2]) {
      const rows: unknown[] = [];
      for await (const batch of input.tables[0]!.batches())
        rows.push(...batch.map(({ number, line, texts }) => [number, line, ...texts]));
      expect(rows).toEqual([
        [1, 1, 'CC', '98', 'PEÑA'],
        [2, 2, 'TI', '99', 'ÁNGEL'],
      ]);
    }
  } finally {
    await input.close();
  }
});
