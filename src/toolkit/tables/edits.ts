import { canonicalText } from '../core/canonical.js';
import { columnIndex } from '../core/text.js';
import { type CellKind, type InputFile, isBlank, type Row, type RowSource } from './table.js';

/** Where a person mended a file: its base name (`zip/entry` inside a zip), the sheet of a workbook, the row as Excel shows it. */
interface EditedRow {
  readonly file: string;
  readonly sheet?: string;
  readonly row: number;
}

/** A cell, by the letters of its column, and what it is to say; a blank text empties it. */
interface CellEdit extends EditedRow {
  readonly column: string;
  readonly text: string;
}

/** What a person mended in a file: a cell, or a row that is no record. The last of a place counts. */
export type Edit = CellEdit | (EditedRow & { readonly leftOut: true });

/** The edits of a file: of itself, or of the parts of a zip. */
export const editsOf = (edits: readonly Edit[], file: string): readonly Edit[] =>
  edits.filter((edit) => edit.file === file || edit.file.startsWith(`${file}/`));

const WHOLE = /^-?(0|[1-9]\d{0,14})$/;

/** What a typed text is in a cell of a kind: a number where numbers stand and it can be read in one way only, else text. */
const typedKind = (text: string, before: CellKind | undefined): CellKind =>
  (before === 'number' || before === 'error' || before === 'uncached') && WHOLE.test(text)
    ? 'number'
    : 'text';

/** What was mended in one row; undefined where it is no record. */
type RowEdit = ReadonlyMap<number, string> | 'left-out';

function mended(row: Row, edit: RowEdit): Row {
  if (edit === 'left-out') return { ...row, texts: [], kinds: undefined, leftOut: true };
  const texts = [...row.texts];
  const kinds = row.kinds && [...row.kinds];
  for (const [column, text] of edit) {
    texts[column] = isBlank(text) ? undefined : text;
    if (kinds !== undefined) kinds[column] = isBlank(text) ? undefined : typedKind(text, row.kinds?.[column]);
  }
  return { ...row, texts, kinds };
}

const isFilled = ({ texts, leftOut }: Row): boolean =>
  leftOut === true || texts.some((text) => text !== undefined);

/** What was mended in a sheet, by row. */
function rowEdits(source: RowSource, edits: readonly Edit[]): ReadonlyMap<number, RowEdit> {
  const rows = new Map<number, Map<number, string> | 'left-out'>();
  for (const edit of edits) {
    if (edit.file !== source.file || edit.sheet !== source.sheet) continue;
    const known = rows.get(edit.row);
    if ('leftOut' in edit) rows.set(edit.row, 'left-out');
    else if (known === undefined)
      rows.set(edit.row, new Map([[columnIndex(edit.column), canonicalText(edit.text)]]));
    else if (known !== 'left-out') known.set(columnIndex(edit.column), canonicalText(edit.text));
  }
  return rows;
}

/** What a mended cell is to say. */
export interface MendedCell {
  /** Blank where it is emptied. */
  readonly text: string;
  readonly kind: CellKind;
}

/** A row that was mended, for a copy of the file. */
export interface MendedRow {
  readonly number: number;
  /** Of a text the line on which the record starts. */
  readonly line: number | undefined;
  /** By 0-based column; undefined where the row is no record. */
  readonly cells: ReadonlyMap<number, MendedCell> | undefined;
}

/** The rows of a sheet that were mended, as far as they are there. */
export async function mendedRows(source: RowSource, edits: readonly Edit[]): Promise<readonly MendedRow[]> {
  const rows = rowEdits(source, edits);
  const found: MendedRow[] = [];
  if (rows.size === 0) return found;
  for await (const batch of source.batches())
    for (const { number, line, kinds } of batch) {
      const edit = rows.get(number);
      if (edit === undefined) continue;
      const cells =
        edit === 'left-out'
          ? undefined
          : new Map(
              [...edit].map(([column, text]) => {
                const kind = kinds === undefined ? 'text' : typedKind(text, kinds[column]);
                return [column, { text: isBlank(text) ? '' : text, kind }] as const;
              }),
            );
      found.push({ number, line, cells });
    }
  return found;
}

/** The rows of a sheet as they were mended; itself where nothing was. */
export function editedSource(source: RowSource, edits: readonly Edit[]): RowSource {
  const rows = rowEdits(source, edits);
  if (rows.size === 0) return source;
  const mend = (row: Row): Row => {
    const edit = rows.get(row.number);
    return edit === undefined ? row : mended(row, edit);
  };
  return {
    ...source,
    async *batches() {
      for await (const batch of source.batches())
        yield batch.some(({ number }) => rows.has(number)) ? batch.map(mend).filter(isFilled) : batch;
    },
  };
}

/** A file as it was mended; itself where nothing was. */
export function withEdits(input: InputFile, edits: readonly Edit[]): InputFile {
  if (edits.length === 0 || input.kind === 'xml') return input;
  const tables = input.tables.map((source) => editedSource(source, edits));
  return { ...input, tables, close: () => input.close() };
}
