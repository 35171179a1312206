import { createReadStream } from 'node:fs';
import type { TextChange } from '../core/canonical.js';
import type { Coded, Place } from '../core/issue.js';
import type { JsonObject, Pointer, Writable } from '../core/json.js';
import { columnLetter } from '../core/text.js';

/**
 * Kind of a cell by the typing of its file: text · number (exact decimal text) · percent (as shown: `4.5%`) · date
 * (`YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS` or `HH:MM:SS`; a duration may exceed 24 hours: `26:30:00`) · boolean
 * (`true`/`false`) · error (`#N/A`) · uncached (a formula without stored value; its text, `=A1+B1`).
 */
export type CellKind = 'text' | 'number' | 'percent' | 'date' | 'boolean' | 'error' | 'uncached';

/** One row. Arrays are by 0-based column; an absent or undefined text is a blank cell. */
export interface Row {
  /** Number as Excel shows it; for CSV that of the record, the header being 1. */
  readonly number: number;
  /** Text line on which the record starts; CSV only. */
  readonly line?: number;
  readonly hidden: boolean;
  readonly texts: readonly (string | undefined)[];
  /** Undefined if every cell is text, as in a CSV. */
  readonly kinds: readonly (CellKind | undefined)[] | undefined;
  /** Base name of the record's file, if each record is a file, as XML documents are. */
  readonly file?: string;
  /** Reason for which the file cannot be read; its cells are blank. */
  readonly fault?: Coded;
  /** True if a user declared that it is no record; its cells are blank. */
  readonly leftOut?: true;
  /** Set if it describes the owner of the records below: its cells are blank, or some state what no column has. */
  readonly owner?: 'read' | 'unread';
  /** Cells of the owner's rows that a record has as its last columns. */
  readonly ownerCells?: OwnerCells;
  /** Complete record of a JSON file, of which the cells are a part. */
  readonly json?: JsonRecord;
  /** Merged columns, first → last, if they were requested. */
  readonly merged?: ReadonlyMap<number, number>;
  /** Texts that were normalised; absent if there are none. */
  readonly changes?: readonly CellChange[];
}

/** Origin of the columns that the rows of an owner give its records: the first of them, and the cell of each. */
export interface OwnerCells {
  readonly from: number;
  readonly cells: readonly ({ readonly row: number; readonly column: number } | undefined)[];
}

/** Unambiguous slip of form in a JSON record. */
export type JsonSlip =
  | 'blanks'
  | 'seconds'
  | 'midnight'
  | 'empty-text'
  | 'number-as-text'
  | 'missing-key'
  | 'small-letters';

/** Change of a cell's text to its canonical form; column -1 is a text of a JSON record without a column. */
export interface CellChange {
  readonly column: number;
  readonly change: TextChange | JsonSlip;
}

/** Record of a JSON file: an item of a list, and the object with the list. */
export interface JsonRecord {
  readonly value: JsonObject;
  /** Pointer of the item in its file. */
  readonly pointer: Pointer;
  readonly line: number;
  /** Members of the object besides the list. */
  readonly head: JsonObject;
  readonly headPointer: Pointer;
  /** Position in the list, from 1. */
  readonly position: number;
  readonly count: number;
  /** Numbers that a double does not represent exactly: their text by pointer in the item. */
  readonly inexact: ReadonlyMap<Pointer, string>;
  /** Filled members around the object that do not belong to it. */
  readonly beside: readonly { readonly pointer: Pointer; readonly line: number }[];
  /** Returns every object of the record, by its path in the file without indices. */
  objects(): Iterable<readonly [path: string, object: JsonObject]>;
  /** Returns the role of a key of such an object; undefined if it is unknown. */
  roleOf(path: string, key: string): 'used' | 'control' | undefined;
  /** Returns the line of a pointer in the item, or of the nearest existing parent. */
  lineIn(pointer: Pointer): number;
  headLine(member: string): number;
}

/** Merged columns of a sheet by row: first → last. */
export type MergedCells = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Cell merged over rows: its column, first and last row. */
export interface MergedDown {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

export interface SheetView {
  /** Number of columns that do not scroll. */
  readonly frozen: number;
  /** Hidden columns from first to last, 0-based. */
  readonly hidden: readonly (readonly [first: number, last: number])[];
}

/** Sheet or text table that can be read repeatedly. */
export interface RowSource {
  /** Base name of the file; inside a zip `zip/entry`. */
  readonly file: string;
  readonly sheet?: string;
  readonly hidden?: boolean;
  /** True if dates count from 1904, as do numbers that were dates. */
  readonly base1904?: boolean;
  /** Returns rows in file order, in batches to save awaits. Blank rows are omitted. */
  batches(): AsyncIterable<readonly Row[]>;
  /** True for records of a JSON file, whose places are lines and pointers. */
  readonly json?: true;
  /** Returns merged columns of rows up to a number; absent if nothing can be merged. */
  merged?(upTo: number): Promise<MergedCells>;
  /** Returns cells merged over rows; absent if nothing can be merged. */
  mergedDown?(): Promise<readonly MergedDown[]>;
  /** Returns the view of its columns; absent if there is none. */
  view?(): Promise<SheetView>;
}

/** Opened input file: its sheets in workbook order, the table of a CSV or of documents, or the texts of a zip. */
export interface InputFile {
  readonly path: string;
  readonly file: string;
  /** Decides how it is edited and annotated; a registered format takes the kind that it behaves like. */
  readonly kind: 'xlsx' | 'csv' | 'xml' | 'json' | 'zip';
  readonly tables: readonly RowSource[];
  /** Parts of a zip without a table, as `zip/part`: a picture, a text among XML documents. */
  readonly ignoredParts?: readonly string[];
  /** Combines files of its kind that a run reads as one list. */
  together?(files: readonly InputFile[]): InputFile;
  close(): Promise<void>;
}

export function cellPlace(source: RowSource, row: Row, column: number, label?: string): Place {
  // A document has no cells, only a file.
  if (row.file !== undefined) return { file: row.file, ...(label !== undefined && { label }) };
  const place: Writable<Place> = { file: source.file };
  const { json } = row;
  if (json !== undefined) {
    const isOfUser =
      label === undefined || !Object.hasOwn(json.head, label) || Object.hasOwn(json.value, label);
    place.row = row.number;
    place.line = label === undefined ? json.line : isOfUser ? json.lineIn(`/${label}`) : json.headLine(label);
    place.json = childOf(isOfUser ? json.pointer : json.headPointer, label);
    return place;
  }
  if (source.json) {
    place.row = row.number;
    place.line = row.line ?? 1;
    place.json = '';
    return place;
  }
  if (source.sheet !== undefined) place.sheet = source.sheet;
  const cell = row.ownerCells?.cells[column - row.ownerCells.from];
  place.row = cell?.row ?? row.number;
  place.column = columnLetter(cell?.column ?? column);
  if (label !== undefined) place.label = label;
  if (row.line !== undefined && cell === undefined) place.line = row.line;
  return place;
}

const childOf = (pointer: Pointer, label: string | undefined): Pointer =>
  label === undefined ? pointer : `${pointer}/${label}`;

/** True if a text has only spaces of any kind. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 128) && text.trim() === '';
}

/** Format of a file by its first bytes; `name` is that of a format that is not read. */
export type Signature = { kind: 'zip' | 'ole' | 'biff' | 'text' | 'json' } | { kind: 'other'; name: string };

const MAGIC: readonly (readonly [string, string])[] = [
  ['%PDF', 'PDF'],
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['GIF8', 'GIF'],
  ['Rar!', 'RAR'],
  ["7z\xbc\xaf'\x1c", '7-Zip'],
  ['\x1f\x8b', 'gzip'],
  ['{\\rtf', 'RTF'],
  ['SQLite format 3', 'SQLite'],
];

/** Workbooks of Excel 2 to 4, which are no OLE files: their first record ([MS-XLS] 2.4.21). */
const BIFF = ['\x09\x00\x04\x00', '\x09\x02\x06\x00', '\x09\x04\x06\x00'];

/** Workbook format that Excel 2003 saves as XML, named `.xls` or `.xml`. */
export const EXCEL_2003_XML = 'Excel 2003 XML';

/** Markup that programs save as `.xls`; read as text it would be a table of one column. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype html|html|head|body|table|meta)\b/i, 'HTML'],
  [/^\s*<\?xml\b[^>]*>\s*(<\?mso-|<(\w+:)?workbook\b)/i, EXCEL_2003_XML],
  [/^\s*<\?xml\b/, 'XML'],
];

/** Decodes the beginning of a file without its byte order mark. */
export const textOf = (head: Buffer): string => head.toString('latin1').replace(/^\xef\xbb\xbf/, '');

export function signatureOf(head: Buffer): Signature {
  const bytes = head.toString('latin1');
  if (bytes.startsWith('PK\x03\x04') || bytes.startsWith('PK\x05\x06')) return { kind: 'zip' };
  if (bytes.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return { kind: 'ole' };
  if (BIFF.some((start) => bytes.startsWith(start))) return { kind: 'biff' };
  const magic = MAGIC.find(([start]) => bytes.startsWith(start));
  if (magic !== undefined) return { kind: 'other', name: magic[1] };
  const text = textOf(head);
  const markup = MARKUP.find(([start]) => start.test(text));
  return markup === undefined ? { kind: 'text' } : { kind: 'other', name: markup[1] };
}

/** Streams that identify an OLE file; an encrypted workbook has its own ([MS-OFFCRYPTO] 2.3.4.4). */
const OLE_STREAMS = [
  ['EncryptedPackage', 'encrypted'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['WordDocument', 'DOC'],
  ['PowerPoint Document', 'PPT'],
] as const;
type OleKind = (typeof OLE_STREAMS)[number][1] | 'OLE';

const MARKS = OLE_STREAMS.map(([stream, kind]) => [Buffer.from(`${stream}\0`, 'utf16le'), kind] as const);

export async function oleKindOf(path: string): Promise<OleKind> {
  const found = new Set<OleKind>();
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([tail, chunk]);
    for (const [mark, kind] of MARKS) if (bytes.includes(mark)) found.add(kind);
    tail = bytes.subarray(-64);
  }
  return MARKS.find(([, kind]) => found.has(kind))?.[1] ?? 'OLE';
}
