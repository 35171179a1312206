import { mendWorkbook } from '../report/annotate/mend-workbook.js';
import { mendText } from '../report/mend-text.js';
import { putInPlace } from '../report/put-in-place.js';
import { type Edit, mendedRows } from '../toolkit/tables/edits.js';
import { openInput } from '../toolkit/tables/open.js';

/** Writes a copy of a workbook, or of a table in text, as it was mended; all else stays as it is in the file. */
export async function writeMended(path: string, edits: readonly Edit[], output: string): Promise<void> {
  const input = await openInput(path);
  const found = await (async () => {
    try {
      return await Promise.all(
        input.tables.map(async (source) => ({ source, rows: await mendedRows(source, edits) })),
      );
    } finally {
      await input.close();
    }
  })();
  await putInPlace(output, (temporary) =>
    input.kind === 'csv'
      ? mendText(path, temporary, found[0]!.rows)
      : mendWorkbook(
          path,
          temporary,
          new Map(
            found.flatMap(({ source: { sheet }, rows }) => (sheet && rows.length > 0 ? [[sheet, rows]] : [])),
          ),
        ),
  );
}
