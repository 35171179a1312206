import { canonicalText, isCanonical, type TextChange } from '../core/canonical.js';
import type { CellChange, InputFile, Row, RowSource } from './table.js';

/** Returns the row with all texts in canonical form and the changes made, or the row itself if there are none. */
function canonicalRow(row: Row): Row {
  const { kinds } = row;
  let texts: (string | undefined)[] | undefined;
  let changes: CellChange[] | undefined;
  for (let column = 0; column < row.texts.length; column++) {
    const text = row.texts[column];
    if (text === undefined || (kinds?.[column] ?? 'text') !== 'text' || isCanonical(text)) continue;
    texts ??= [...row.texts];
    const note = (change: TextChange): void => {
      changes ??= [];
      changes.push({ column, change });
    };
    texts[column] = canonicalText(text, note) || undefined;
  }
  if (texts === undefined) return row;
  return { ...row, texts, ...(changes && { changes: [...(row.changes ?? []), ...changes] }) };
}

const hasContent = ({ texts, fault, json, leftOut }: Row): boolean =>
  fault !== undefined || json !== undefined || leftOut === true || texts.some((text) => text !== undefined);

/** Returns the source with all rows in canonical form; rows that become blank are omitted like other blank rows. */
function canonicalSource(source: RowSource): RowSource {
  return {
    ...source,
    async *batches() {
      for await (const rows of source.batches()) {
        const found = rows.map(canonicalRow);
        yield found.every((row, index) => row === rows[index]) ? rows : found.filter(hasContent);
      }
    },
  };
}

export const canonicalInput = (input: InputFile): InputFile => ({
  ...input,
  tables: input.tables.map(canonicalSource),
  close: () => input.close(),
});
