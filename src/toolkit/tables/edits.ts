import { canonicalText } from '../core/canonical.js';
import { columnIndex } from '../core/text.js';
import { type CellKind, type InputFile, isBlank, type Row, type RowSource } from './table.js';

/**
 * Row that a user edited: base name of the file (`zip/entry` inside a zip), sheet of a workbook, row as Excel shows it.
 */
interface EditPlace {
  readonly file: string;
  readonly sheet?: string;
  readonly row: number;
}

/** New text of a cell, by the letters of its column; a blank text empties it. */
interface CellEdit extends EditPlace {
  readonly column: string;
  readonly text: string;
}

/** Edit of a cell, or of a row declared not to be a record. The last edit of a place counts. */
export type Edit = CellEdit | (EditPlace & { readonly leftOut: true });

/** Returns the edits of a file, or of the parts of a zip. */
export const editsOf = (edits: readonly Edit[], file: string): readonly Edit[] =>
  edits.filter((edit) => edit.file === file || edit.file.startsWith(`${file}/`));

const INTEGER = /^-?(0|[1-9]\d{0,14})$/;

/** Returns the kind of a typed text: a number if the cell held one and the text is unambiguous, else text. */
const typedKind = (text: string, before: CellKind | undefined): CellKind =>
  (before === 'number' || before === 'error' || before === 'uncached') && INTEGER.test(text)
    ? 'number'
    : 'text';

/** Edited texts of a row by 0-based column. */
type RowEdit = ReadonlyMap<number, string> | 'left-out';

function editedRow(row: Row, edit: RowEdit): Row {
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

/** New content of an edited cell. */
export interface EditedCell {
  /** Empty if the cell was emptied. */
  readonly text: string;
  readonly kind: CellKind;
}

export interface EditedRow {
  readonly number: number;
  /** Line on which the record of a text file starts. */
  readonly line: number | undefined;
  /** Cells by 0-based column; undefined if the row was declared not to be a record. */
  readonly cells: ReadonlyMap<number, EditedCell> | undefined;
}

/** Returns the edited rows of a sheet that exist. */
export async function editedRows(source: RowSource, edits: readonly Edit[]): Promise<readonly EditedRow[]> {
  const rows = rowEdits(source, edits);
  const found: EditedRow[] = [];
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

/** Applies edits to the rows of a sheet; returns the source itself if there are none. */
export function editedSource(source: RowSource, edits: readonly Edit[]): RowSource {
  const rows = rowEdits(source, edits);
  if (rows.size === 0) return source;
  const applyEdit = (row: Row): Row => {
    const edit = rows.get(row.number);
    return edit === undefined ? row : editedRow(row, edit);
  };
  return {
    ...source,
    async *batches() {
      for await (const batch of source.batches())
        yield batch.some(({ number }) => rows.has(number)) ? batch.map(applyEdit).filter(isFilled) : batch;
    },
  };
}

/** Applies edits to a file; returns the file itself if there are none. */
export function withEdits(input: InputFile, edits: readonly Edit[]): InputFile {
  if (edits.length === 0 || input.kind === 'xml') return input;
  const tables = input.tables.map((source) => editedSource(source, edits));
  return { ...input, tables, close: () => input.close() };
}
