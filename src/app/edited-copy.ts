import { writeCellEdits } from '../report/annotate/write-cell-edits.js';
import { putInPlace } from '../report/put-in-place.js';
import { writeTextEdits } from '../report/write-text-edits.js';
import { withOpened } from '../toolkit/documents/opened.js';
import { type Edit, editedRows } from '../toolkit/tables/edits.js';

/** Writes a copy of a workbook or text table with the edits; everything else is unchanged. */
export async function writeEditedCopy(path: string, edits: readonly Edit[], output: string): Promise<void> {
  const { isText, found } = await withOpened([path], async (opened) => {
    const inputs = await opened.inputs();
    const sources = inputs.flatMap(({ tables }) => tables);
    return {
      isText: inputs.some(({ kind }) => kind === 'csv'),
      found: await Promise.all(
        sources.map(async (source) => ({ source, rows: await editedRows(source, edits) })),
      ),
    };
  });
  await putInPlace(output, (temporary) =>
    isText
      ? writeTextEdits(path, temporary, found[0]!.rows)
      : writeCellEdits(
          path,
          temporary,
          new Map(
            found.flatMap(({ source: { sheet }, rows }) => (sheet && rows.length > 0 ? [[sheet, rows]] : [])),
          ),
        ),
  );
}
