import { writeCellEdits } from '../report/annotate/write-cell-edits.js';
import { putInPlace } from '../report/put-in-place.js';
import { writeTextEdits } from '../report/write-text-edits.js';
import { type Edit, editedRows } from '../toolkit/tables/edits.js';
import { withInputs } from './files.js';

/** Writes a copy of a workbook or text table with the edits; everything else is unchanged. */
export async function writeEditedCopy(path: string, edits: readonly Edit[], output: string): Promise<void> {
  const { isText, found } = await withInputs(path, async (inputs) => ({
    isText: inputs.some(({ kind }) => kind === 'csv'),
    found: await Promise.all(
      inputs.flatMap(({ tables }) =>
        tables.map(async (source) => [source.sheet, await editedRows(source, edits)] as const),
      ),
    ),
  }));
  const bySheet = new Map(
    found.flatMap(([sheet, rows]) => (sheet && rows.length > 0 ? [[sheet, rows]] : [])),
  );
  await putInPlace(output, (temporary) =>
    isText ? writeTextEdits(path, temporary, found[0]?.[1] ?? []) : writeCellEdits(path, temporary, bySheet),
  );
}
