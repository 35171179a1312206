import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInput } from '../../src/toolkit/tables/open.js';
import { type Folder, makeFolder, rowsOf } from '../tables/input-files.js';
import { sheetOf, workbookOf } from '../tables/workbook-parts.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const ROW = '<row><c><v>1</v></c></row>';
const sheetWith = (behind: string): Buffer =>
  workbookOf({
    sheets: [
      {
        name: 'Hoja1',
        xml: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${ROW}</sheetData>${behind}</worksheet>`,
      },
    ],
  });

/** Files that repeat a piece so often; each took time by the square of that, or would with a careless pattern. */
const FILES: Readonly<Record<string, (times: number) => string | Buffer>> = {
  'number format': (times) => sheetOf(ROW, { formats: ['[$-'.repeat(times)] }),
  'number format of colours': (times) => sheetOf(ROW, { formats: ['['.repeat(times)] }),
  'merged cells that are none': (times) =>
    sheetWith(`<mergeCells>${'<mergeCell />'.repeat(times)}</mergeCells>`),
  'a merged cell without end': (times) =>
    sheetWith(`<mergeCells><!--${'<mergeCell '.repeat(times)}--></mergeCells>`),
  'blanks within a tag': (times) => sheetOf(`<row${' '.repeat(times)} r="1"><c><v>1</v></c></row>`),
  'escapes in a text': (times) =>
    sheetOf(`<row><c t="inlineStr"><is><t>${'_x0'.repeat(times)}</t></is></c></row>`),
  'text of a CSV in one cell': (times) => `a;b\n1;${'9 '.repeat(times)}x\n`,
  'quotes of a CSV': (times) => `a;b\n${'"""";'.repeat(Math.min(times, 30_000))}1\n`,
};

async function timeOf(path: string): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    const from = performance.now();
    const input = await openInput(path);
    try {
      for (const table of input.tables) {
        await rowsOf(table);
        await table.merged?.(Number.POSITIVE_INFINITY);
      }
    } finally {
      await input.close();
    }
    best = Math.min(best, performance.now() - from);
  }
  return best;
}

test.each(Object.entries(FILES))('%s is read in linear time', async (name, make) => {
  const [short, long] = await Promise.all(
    [10_000, 100_000].map((times) => folder.file(`${name} ${times}`, make(times))),
  );
  const [before, took] = [await timeOf(short!), await timeOf(long!)];
  expect(took).toBeLessThan(Math.max(400, 35 * before));
  expect(before).toBeLessThan(2_000);
});
