import type { Issue, Place } from '../issues/issue.js';
import { columnLetter } from '../values/a1.js';
import type { Writable } from '../values/writable.js';

/**
 * What a cell holds once the file's own typing is read:
 * text · number (exact decimal text) · date (`YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS` or `HH:MM:SS`; a duration may pass 24 hours: `26:30:00`) ·
 * boolean (`true`/`false`) · error (`#N/A`) · uncached (a formula whose value the file does not store; the formula's text, `=A1+B1`).
 */
export type CellKind = 'text' | 'number' | 'date' | 'boolean' | 'error' | 'uncached';

/** One record. Arrays are by 0-based column; an absent or undefined text is a blank cell. */
export interface Row {
  /** As Excel shows it; for CSV the record number, the header being 1. */
  readonly number: number;
  /** CSV only: the text line on which the record starts. */
  readonly line?: number;
  readonly hidden: boolean;
  readonly texts: readonly (string | undefined)[];
  /** Undefined when every cell is text, as in a CSV. */
  readonly kinds: readonly (CellKind | undefined)[] | undefined;
  /** Where each record is a file of its own, as XML documents are: its base name. */
  readonly file?: string;
  /** Why nothing can be read of that file; its cells are blank. */
  readonly fault?: Pick<Issue, 'code' | 'params'>;
}

/** A sheet, or a CSV file, that can be read from the top as often as needed. */
export interface RowSource {
  /** Base name, as people call the file; inside a zip `zip/entry`. */
  readonly file: string;
  readonly sheet?: string;
  /** The sheet itself is hidden in the workbook. */
  readonly hidden?: boolean;
  /** Dates are counted from 1904: so are those among its numbers that lost their format. */
  readonly base1904?: boolean;
  /** Rows in file order, in batches so that a million rows do not cost a million awaits. Blank rows are left out. */
  batches(): AsyncIterable<readonly Row[]>;
}

/** An input file, opened: its sheets in workbook order, the one table of a CSV or of XML documents, or the texts of a zip. */
export interface InputFile {
  readonly path: string;
  readonly file: string;
  readonly kind: 'xlsx' | 'csv' | 'xml' | 'zip';
  readonly tables: readonly RowSource[];
  /** Parts of a zip that hold no table, as `zip/part`: a picture, a text among XML documents. */
  readonly passedOver?: readonly string[];
  close(): Promise<void>;
}

export function cellPlace(source: RowSource, row: Row, column: number, label?: string): Place {
  // A document has no cells: its file is all that helps.
  if (row.file !== undefined) return { file: row.file, ...(label !== undefined && { label }) };
  const place: Writable<Place> = { file: source.file };
  if (source.sheet !== undefined) place.sheet = source.sheet;
  place.row = row.number;
  place.column = columnLetter(column);
  if (label !== undefined) place.label = label;
  if (row.line !== undefined) place.line = row.line;
  return place;
}
