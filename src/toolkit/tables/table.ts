import { createReadStream } from 'node:fs';
import type { TextChange } from '../core/canonical.js';
import type { Coded, Place } from '../core/issue.js';
import type { JsonObject, Pointer, Writable } from '../core/json.js';
import { columnLetter } from '../core/text.js';

/**
 * What a cell holds once the file's own typing is read:
 * text · number (exact decimal text) · percent (the same in percent, as shown: `4.5%`) ·
 * date (`YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS` or `HH:MM:SS`; a duration may pass 24 hours: `26:30:00`) ·
 * boolean (`true`/`false`) · error (`#N/A`) · uncached (a formula whose value the file does not store; the formula's text, `=A1+B1`).
 */
export type CellKind = 'text' | 'number' | 'percent' | 'date' | 'boolean' | 'error' | 'uncached';

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
  /** A person said that it is no record; its cells are blank. */
  readonly leftOut?: true;
  /** Where the record is one of a JSON file: all of it, of which the cells are a part. */
  readonly json?: JsonRecord;
  /** What is merged across columns, where that was asked for: its first column → its last. */
  readonly merged?: ReadonlyMap<number, number>;
  /** Texts that were brought into canonical form; absent if none was. */
  readonly changes?: readonly CellChange[];
}

/** A slip of form in a JSON record that leaves no doubt of what is meant. */
export type JsonSlip =
  | 'blanks'
  | 'seconds'
  | 'midnight'
  | 'empty-text'
  | 'number-as-text'
  | 'missing-key'
  | 'small-letters';

/** A change of a cell's text to its canonical form; column -1 is a text of a JSON record that no column shows. */
export interface CellChange {
  readonly column: number;
  readonly change: TextChange | JsonSlip;
}

/** A record of a JSON file: an item of a list, and the object that the list is in. */
export interface JsonRecord {
  readonly value: JsonObject;
  /** Of the item in its file. */
  readonly pointer: Pointer;
  readonly line: number;
  /** The members of the object beside the list. */
  readonly head: JsonObject;
  readonly headPointer: Pointer;
  /** From 1, and of how many. */
  readonly position: number;
  readonly count: number;
  /** Numbers that would not be kept as they are written, by their place in the item. */
  readonly inexact: ReadonlyMap<Pointer, string>;
  /** Filled members around the object that are no part of it. */
  readonly beside: readonly { readonly pointer: Pointer; readonly line: number }[];
  /** Every object of the record, by its path in the file without indices. */
  objects(): Iterable<readonly [path: string, object: JsonObject]>;
  /** What a key of such an object is to those who read it; undefined for one that nobody knows. */
  roleOf(path: string, key: string): 'used' | 'control' | undefined;
  /** The line of what is in the item; of what is missing, that of what it is missing in. */
  lineIn(pointer: Pointer): number;
  headLine(member: string): number;
}

/** What is merged in a sheet: by row, the first column → the last. */
export type MergedCells = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** A cell that reaches over rows: its column, the row that it stands in and the last below it. */
export interface MergedDown {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** How Excel shows the columns of a sheet. */
export interface SheetView {
  /** So many stay where they are while the others scroll. */
  readonly frozen: number;
  /** First and last of columns that are hidden, counted from 0. */
  readonly hidden: readonly (readonly [first: number, last: number])[];
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
  /** Its rows are records of a JSON file, in which lines and pointers are named. */
  readonly json?: true;
  /** What is merged in the rows up to that number; absent where nothing can be. */
  merged?(upTo: number): Promise<MergedCells>;
  /** What is merged over rows; absent where nothing can be. */
  mergedDown?(): Promise<readonly MergedDown[]>;
  /** How its columns are shown; absent where nothing can be frozen or hidden. */
  view?(): Promise<SheetView>;
}

/** An input file, opened: its sheets in workbook order, the one table of a CSV or of documents, or the texts of a zip. */
export interface InputFile {
  readonly path: string;
  readonly file: string;
  readonly kind: 'xlsx' | 'csv' | 'xml' | 'json' | 'zip';
  readonly tables: readonly RowSource[];
  /** Parts of a zip that hold no table, as `zip/part`: a picture, a text among XML documents. */
  readonly passedOver?: readonly string[];
  /** Joins files of its kind that a run reads as one list. */
  together?(files: readonly InputFile[]): InputFile;
  close(): Promise<void>;
}

export function cellPlace(source: RowSource, row: Row, column: number, label?: string): Place {
  // A document has no cells: its file is all that helps.
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
  place.row = row.number;
  place.column = columnLetter(column);
  if (label !== undefined) place.label = label;
  if (row.line !== undefined) place.line = row.line;
  return place;
}

const childOf = (pointer: Pointer, label: string | undefined): Pointer =>
  label === undefined ? pointer : `${pointer}/${label}`;

/** Only spaces, of whatever kind: a blank cell to people. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 128) && text.trim() === '';
}

/** What the first bytes of a file say it is; `name` is how people call a format that is not read. */
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

/** Workbooks of Excel 2 to 4, which are no OLE files: their first record says so ([MS-XLS] 2.4.21). */
const BIFF = ['\x09\x00\x04\x00', '\x09\x02\x06\x00', '\x09\x04\x06\x00'];

/** The workbook format that Excel 2003 saves as XML, named `.xls` or `.xml`. */
export const EXCEL_2003_XML = 'Excel 2003 XML';

/** Programs save web pages and tables in XML as `.xls`; read as text they would look like a table of one column. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype html|html|head|body|table|meta)\b/i, 'HTML'],
  [/^\s*<\?xml\b[^>]*>\s*(<\?mso-|<(\w+:)?workbook\b)/i, EXCEL_2003_XML],
  [/^\s*<\?xml\b/, 'XML'],
];

/** The text that a file begins with, without its mark. */
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

/** Streams by which an OLE file tells what it is; an encrypted workbook has one of its own ([MS-OFFCRYPTO] 2.3.4.4). */
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
