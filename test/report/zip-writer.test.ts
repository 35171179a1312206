import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ZipFileWriter } from '../../src/report/annotate/zip-writer.js';
import { READ_LIMITS } from '../../src/toolkit/core/limits.js';

import { openZip } from '../../src/toolkit/tables/xlsx/zip.js';
import { freshFolder } from '../cli/run-cli.js';

const MIB = 2 ** 20;

test.each([1, 600])('%i MiB of the same record are a zip that our own reader takes', async (size) => {
  const record = Buffer.alloc(MIB, '<row><c t="inlineStr"><is><t>lo mismo</t></is></c></row>');
  const path = join(freshFolder(), 'copy.xlsx');
  const writer = await ZipFileWriter.open(path);
  await writer.add(
    'xl/worksheets/sheet1.xml',
    (async function* () {
      for (let i = 0; i < size; i++) yield record;
    })(),
  );
  await writer.finish();
  await writer.close();
  const zip = await openZip(path, 'copy.xlsx', READ_LIMITS);
  const part = zip.part('xl/worksheets/sheet1.xml')!;
  let read = 0;
  for await (const chunk of part.chunks()) read += chunk.length;
  await zip.close();
  expect(read).toBe(size * MIB);
});
