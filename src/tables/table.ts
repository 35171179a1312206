import type { Coded, Place } from '../core/issue.js';
import type { Writable } from '../core/json.js';
import { columnLetter } from '../core/text.js';

/** What an input file may ask of the machine. An honest workbook of 1,000,000 rows × 50 columns stays below all of them. */
export interface ReadLimits {
  /** Entries in the zip of a workbook. */
  readonly entries: number;
  /** Bytes of one part, unpacked. */
  readonly partBytes: number;
  /** Bytes of all parts together, unpacked. */
  readonly totalBytes: number;
  /** Unpacked bytes over packed bytes, of a part and of all together, looked at only above `freeBytes`: small ones do no harm. */
  readonly ratio: number;
  readonly freeBytes: number;
  /** How often all that may be announced can be read while the file is open. */
  readonly passes: number;
  /** Sheets of a workbook. */
  readonly sheets: number;
  /** XML characters without the start of an element: one cell holds 32,767 in Excel. */
  readonly tokenChars: number;
  /** Elements within elements. */
  readonly depth: number;
  /** Bytes held in memory for the shared strings of a workbook: so many in any, and so many for each byte of its part in the zip. */
  readonly stringBytes: number;
  readonly stringRatio: number;
  /** Bytes of one CSV record, characters of the texts of a row in a sheet. */
  readonly recordBytes: number;
  /** Columns of one CSV record: twice what a sheet of Excel has. */
  readonly columns: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: ReadLimits = {
  entries: 10_000,
  partBytes: 8192 * MIB,
  totalBytes: 16_384 * MIB,
  ratio: 40,
  freeBytes: 128 * MIB,
  passes: 4,
  sheets: 1000,
  tokenChars: 8 * MIB,
  depth: 100,
  stringBytes: 64 * MIB,
  stringRatio: 10,
  recordBytes: 4 * MIB,
  columns: 32_768,
};

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
  readonly fault?: Coded;
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

/** Only spaces, of whatever kind: a blank cell to people. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 128) && text.trim() === '';
}
