import type { Class, Formats, Table, Take } from '../../generated/mapping-types.js';
import { add } from '../core/decimal.js';
import type { IssueCode, Params, Place, Suggestion } from '../core/issue.js';
import type { Writable } from '../core/json.js';
import { unreachable } from '../core/required.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { CatalogueRow, LookupColumn } from '../schema/catalogue.js';
import type { Header, IgnoredColumns, WantedColumn } from '../tables/header.js';
import type { CellKind, Row, RowSource, SheetView } from '../tables/table.js';
import type { ParamValues } from './params.js';
import {
  CellFault,
  type CellReader,
  type FaultRest,
  type HeldTexts,
  type ReadKind,
  type ReadOptions,
  withTime,
} from './read/cell.js';
import type { prefixReader } from './read/prefix.js';
import type { WordLists } from './readings.js';

/** Records that formulas and leaves of one document see, by index of the table in the mapping. */
export interface Context {
  readonly params: ParamValues;
  /** Current record by table; undefined for a table with several records. */
  readonly at: readonly (ReadRecord | undefined)[];
  /** Records of the document by table. */
  readonly sets: readonly (readonly ReadRecord[])[];
  /** Cells of the key for tables that have no record for the document. */
  readonly asked?: readonly (readonly Place[] | undefined)[];
  /** Number of items already in the list being made. */
  readonly index: number;
  /** Context of the document; set if this one is at a record of it. */
  readonly root?: Context;
  /** Computed named values by number; null for blank ones. */
  readonly named: (FormulaValue | null)[];
  /** Amounts of the document that were dropped for another one. */
  dropped?: { readonly record: ReadRecord; readonly column: CompiledColumn; readonly kept: string }[];
  /** Columns of the document whose amounts are added up. */
  summed?: Set<CompiledColumn>;
}

/** Fault of one of the columns that a source reads, such as the blank one of a formula. */
export class FaultAt<C extends IssueCode = IssueCode> extends CellFault<C> {
  constructor(
    readonly column: CompiledColumn | undefined,
    code: C,
    ...rest: FaultRest<C>
  ) {
    super(code, ...rest);
  }
}

/** Column of a mapping with the sheet columns that hold it. */
export interface HeadedColumn {
  readonly column: CompiledColumn;
  readonly index: number;
  /** Further sheet columns whose amounts are added. */
  readonly more: readonly number[];
  /** Other columns of moments that may have the same time. */
  readonly others?: readonly number[];
  /** Wraps its reader if a word of another column may stand in the same cells. */
  readonly around?: (reader: CellReader) => CellReader;
}

export interface ReadableColumn extends HeadedColumn {
  readonly read: CellReader;
}

/** Part of a record that is side by side with others. */
export interface Part {
  readonly columns: readonly ReadableColumn[];
  /** Table of the part as the first one with values: includes the columns outside all parts. */
  readonly first: ReadableTable;
  /** Table of the part as a further one: without amounts outside all parts. */
  readonly further: ReadableTable;
}

/** Table of a file, located by its header; formats of its cells are not decided yet. */
export interface HeadedTable {
  /** Table of the mapping that is read here. */
  readonly compiled: CompiledTable;
  readonly tableIndex: number;
  /** Index among the located tables of the run. */
  readonly number: number;
  readonly source: RowSource;
  readonly header: Header;
  readonly width: number;
  readonly present: readonly HeadedColumn[];
  /** Sheet columns by position of the column; undefined if the file has none. */
  readonly indexes: readonly (number | undefined)[];
  readonly computed: readonly CompiledColumn[];
  /** Allowed numbers of fields of a record without header. */
  readonly fields?: readonly number[];
  /** Repeated groups of columns; each instance is read as a table. */
  readonly repeats: readonly HeadedTable[];
  readonly params: ParamValues;
  /** Columns hidden in Excel. */
  readonly hidden?: SheetView['hidden'];
  /** Columns that a record may take from the one above; `isOn` if also without merged cells. */
  readonly fillDown?: FillDown & { readonly isOn: boolean };
  /** True if unambiguous slips of form in its JSON records are repaired. */
  readonly mendsJson?: true;
}

/** Table with decided formats, ready to read. */
export interface ReadableTable extends HeadedTable {
  readonly present: readonly ReadableColumn[];
  readonly repeats: readonly ReadableTable[];
  /** Side-by-side parts of its records; the table itself adds up their amounts. */
  readonly parts: readonly Part[];
  /** Max fields of a record of a text with a header. */
  readonly most?: number;
  /** Columns outside all parts, whose values a part has from the whole record. */
  readonly inherited?: ReadonlySet<CompiledColumn>;
  /** Cell that decided the format of a column. */
  readonly witnesses?: ReadonlyMap<CompiledColumn, Place>;
}

/** Record with typed values by position of the column, and faults of cells. */
export interface ReadRecord {
  readonly table: ReadableTable;
  readonly row: Row;
  readonly values: readonly FormulaValue[];
  readonly faults: ReadonlyMap<CompiledColumn, CellFault> | undefined;
  readonly repairs?: ReadonlyMap<CompiledColumn, CellFault>;
  /** Record that an instance of repeated columns, or a part, belongs to. */
  readonly parent?: ReadRecord;
  /** Records of the single sheets, if its columns are spread over several. */
  readonly bySheet?: readonly ReadRecord[];
  /** Bits of columns that passed a condition or a fallback, 32 per number; undefined if none. */
  taken: number[] | undefined;
}

export const NO_RECORDS: readonly ReadRecord[] = [];

/** Reads the mapped cells of a row. Never throws: what cannot be read is blank, and a fault. */
export function readRecord(table: ReadableTable, row: Row, parent?: ReadRecord): ReadRecord {
  const { texts, kinds } = row;
  const values: FormulaValue[] = new Array(table.width);
  if (table.inherited !== undefined)
    for (const { position } of table.inherited) values[position] = parent?.values[position];
  let faults: Map<CompiledColumn, CellFault> | undefined;
  let faultyParts: Map<CompiledColumn, readonly [fault: CellFault, index: number]> | undefined;
  for (const { column, index, more, read, others } of table.present) {
    const text = texts[index];
    const kind = kinds?.[index] ?? 'text';
    let value: ReturnType<CellReader>;
    if (text !== undefined) {
      const { times, defaultTime } = column;
      value =
        times === undefined
          ? read(text, kind)
          : readTimed(text, kind, read, timeOf(times, others, values, texts));
      if (defaultTime !== undefined && value instanceof CellFault && value.code === 'cell/without-time')
        value = readAtDefault(text, kind, read, table.params[defaultTime], defaultTime);
    }
    let at = index;
    if (more.length > 0 && !(value instanceof CellFault)) {
      const sum = addUp(value, more, row, { column, read });
      ({ value } = sum);
      at = sum.at ?? index;
    }
    if (value === undefined) continue;
    if (value instanceof CellFault) {
      faults ??= new Map();
      faults.set(column, value);
      if (at !== index) {
        faultyParts ??= new Map();
        faultyParts.set(column, [value, at]);
      }
    } else values[column.position] = value;
  }
  const record: ReadRecord =
    parent === undefined
      ? { table, row, values, faults, taken: undefined }
      : { table, row, values, faults, parent, taken: undefined };
  if (faultyParts !== undefined)
    for (const [column, [{ code, params, suggestions }, index]] of faultyParts)
      faults?.set(column, new PlacedFault(record, column, code, params, { index, suggestions }));
  return table.computed.length === 0 ? record : compute(record, values, faults);
}

/** Merges records of several sheets: each value from the first record with one; computes the others. */
export function joinRecords(bySheet: readonly ReadRecord[]): ReadRecord {
  const { table, row } = bySheet[0] ?? unreachable('record of a sheet');
  const values: FormulaValue[] = new Array(table.width);
  let faults: Map<CompiledColumn, CellFault> | undefined;
  for (const part of bySheet)
    for (const { column } of part.table.present) {
      values[column.position] ??= part.values[column.position];
      const fault = part.faults?.get(column);
      if (fault === undefined || faults?.has(column)) continue;
      faults ??= new Map();
      faults.set(column, fault);
    }
  return compute({ table, row, values, faults, bySheet, taken: undefined }, values, faults);
}

/** Finds the time of a moment: in its own column, else in a shared one if no other moment of the record can have it. */
function timeOf(
  times: readonly CompiledColumn[],
  others: HeadedColumn['others'],
  values: readonly FormulaValue[],
  texts: Row['texts'],
): FormulaValue {
  const [first] = times;
  const time = first && values[first.position];
  if (time !== undefined || times.length === 1 || others?.some((index) => texts[index] !== undefined))
    return time;
  const standIn = times.find(({ position }) => values[position] !== undefined);
  return standIn && values[standIn.position];
}

/** Reads a moment whose time may be in another cell of the record. */
function readTimed(
  text: string,
  kind: CellKind,
  read: CellReader,
  time: FormulaValue,
): ReturnType<CellReader> {
  if (typeof time !== 'string') return read(text, kind);
  const moment = read(withTime(text, kind, time), kind);
  return typeof moment === 'string' && moment.slice(11, 16) !== time.slice(0, 5)
    ? new CellFault('cell/other-time', { time: time.slice(0, 5) })
    : moment;
}

/** Reads a date alone as of the time that a parameter gives. */
const readAtDefault = (
  text: string,
  kind: CellKind,
  read: CellReader,
  time: unknown,
  param: string,
): ReturnType<CellReader> =>
  typeof time === 'string'
    ? read(withTime(text, kind, time), kind)
    : new CellFault('cell/without-time', { param });

/** Combines the cells of a column: the sum of amounts, else the first value; `at` is the sheet column with a fault. */
function addUp(
  first: Exclude<ReturnType<CellReader>, CellFault>,
  more: readonly number[],
  row: Row,
  { column, read }: Pick<ReadableColumn, 'column' | 'read'>,
): { value: ReturnType<CellReader>; at?: number } {
  let sum = first;
  for (const index of more) {
    const value = readAt(row, index, read);
    if (value instanceof CellFault) return { value, at: index };
    if (sum === undefined) sum = value;
    else if (value !== undefined && column.type === 'decimal') sum = add(sum as string, value as string);
  }
  return { value: sum };
}

/** Computes the computed columns in order of their needs. */
function compute(
  record: ReadRecord,
  values: FormulaValue[],
  faults: Map<CompiledColumn, CellFault> | undefined,
): ReadRecord {
  const { table } = record;
  const context = recordContext(record);
  let all = faults;
  let spoilt: Set<CompiledColumn> | undefined;
  let repairs: Map<CompiledColumn, CellFault> | undefined;
  for (const column of table.computed) {
    if (all !== undefined && column.uses.some((used) => all?.has(used) || spoilt?.has(used))) {
      spoilt ??= new Set(); // the fault of what it reads is said already
      spoilt.add(column);
      continue;
    }
    const value = column.computed?.(context);
    if (value instanceof CellFault) {
      all ??= new Map();
      all.set(column, value);
    } else if (typeof value === 'object') {
      repairs ??= new Map();
      repairs.set(column, value.warning);
      values[column.position] = value.value;
    } else values[column.position] = value;
  }
  if (all === faults && repairs === undefined) return record;
  const changed: Writable<ReadRecord> = { table, row: record.row, values, faults: all, taken: undefined };
  if (record.parent !== undefined) changed.parent = record.parent;
  if (record.bySheet !== undefined) changed.bySheet = record.bySheet;
  if (repairs !== undefined) changed.repairs = repairs;
  return changed;
}

export function recordContext(record: ReadRecord): Context {
  const at: (ReadRecord | undefined)[] = [];
  if (record.parent !== undefined) at[record.parent.table.tableIndex] = record.parent;
  at[record.table.tableIndex] = record;
  return {
    params: record.table.params,
    at,
    sets: [],
    index: 0,
    named: [],
  };
}

/** Returns the filled instances of repeated columns of a record. */
export const repeatedIn = (record: ReadRecord): ReadRecord[] =>
  record.table.repeats.flatMap((table) => {
    const part = readRecord(table, record.row, record);
    return part.faults !== undefined || part.values.some((value) => value !== undefined) ? [part] : [];
  });

/** Returns true if a cell is neither blank nor zero. */
function isTelling(row: Row, { column, index, more, read }: ReadableColumn): boolean {
  return [index, ...more].some((at) => {
    const value = readAt(row, at, read);
    return value !== undefined && !(column.type === 'decimal' && Number(value) === 0);
  });
}

/** Reads the cell of a row at an index; returns a blank for a blank one. */
export function readAt({ texts, kinds }: Row, index: number, read: CellReader): ReturnType<CellReader> {
  const text = texts[index];
  return text === undefined ? undefined : read(text, kinds?.[index] ?? 'text');
}

/** Returns all side-by-side parts of a record, filled or not. */
export const everyPartOf = (record: ReadRecord): readonly ReadRecord[] =>
  record.table.parts.map(({ first, further }, at) =>
    readRecord(at === 0 ? first : further, record.row, record),
  );

/** Returns the record, or its filled side-by-side parts, at least the first one. */
export function partsIn(record: ReadRecord): readonly ReadRecord[] {
  const { table, row } = record;
  const telling = table.parts.filter(({ columns }) => columns.some((column) => isTelling(row, column)));
  const [first] = table.parts;
  const [filled = first, ...others] = telling;
  if (filled === undefined) return [record];
  return [filled.first, ...others.map(({ further }) => further)].map((part) => readRecord(part, row, record));
}

/** Merges records of several sheets part by part; the first part has what a sheet without parts says. */
export function joinParts(bySheet: readonly ReadRecord[]): readonly ReadRecord[] {
  const parts = bySheet.map(partsIn);
  return [joinRecords(parts.flatMap(([first]) => first ?? [])), ...parts.flatMap((found) => found.slice(1))];
}

/** Columns that reach a document only under a condition, or if another source of the field is blank. */
export interface Gate {
  readonly columns: Set<CompiledColumn>;
  /** Bits by `tableIndex` of columns with no other way into a document, 32 per number. */
  masks: readonly (readonly [tableIndex: number, word: number, mask: number])[];
}

/** Marks records of a table as having passed a gate. */
export function markTaken({ masks }: Gate, recordsIn: (tableIndex: number) => readonly ReadRecord[]): void {
  for (const [tableIndex, word, mask] of masks)
    for (const record of recordsIn(tableIndex)) {
      record.taken ??= [];
      record.taken[word] = (record.taken[word] ?? 0) | mask;
    }
}

/** True if a gate with that bit has let the record into a document. */
export const isTaken = ({ taken }: ReadRecord, bit: number): boolean =>
  (((taken?.[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1;

/** Warning about a value that was read. */
export interface Repaired {
  readonly value: string;
  readonly warning: CellFault;
}

/** Source of a leaf, as the mapping declares it. */
type SourceKind =
  | { readonly is: 'constant' | 'sequence' }
  | { readonly is: 'param'; readonly name: string }
  /** `where`: columns that decide which records count. */
  | {
      readonly is: 'column';
      readonly column: CompiledColumn;
      readonly take?: Take;
      readonly where?: readonly CompiledColumn[];
    }
  /** `standIns`: parameters that replace blank columns. */
  | { readonly is: 'formula'; readonly standIns: readonly string[] }
  /** `order`: parameter with the order of the parts of a name. */
  | { readonly is: 'part'; readonly part: string | number; readonly order?: string }
  /** `keeps`: true if values missing from the list are taken as they are. */
  | {
      readonly is: 'lookup';
      readonly catalogue: string;
      readonly keeps: boolean;
      readonly matches: readonly MatchedColumn[];
    };

/** Column that a code list is searched with, and those that tell entries of one name apart. */
export interface MatchedColumn {
  readonly column: CompiledColumn;
  readonly by: readonly LookupColumn[];
  readonly within: readonly (readonly [column: string, CompiledColumn])[];
  /** Joins the halves of a code, if the list has such codes and the mapping a column for the first half. */
  readonly halves?: CodeHalves;
}

/** Code in two columns, such as department and municipality. */
export interface CodeHalves {
  /** Column with the code or name of the larger unit. */
  readonly unit: CompiledColumn;
  /** Max digits of the second half. */
  readonly restDigits: number;
  /** Returns the entry of the second half and what the unit's column says; undefined if there is none. */
  readonly entryOf: (rest: string, unit: string) => CatalogueRow | undefined;
}

/** True if a text is the second half of a code: `001` of 05001. */
export const isHalfCode = (text: string, { restDigits }: Pick<CodeHalves, 'restDigits'>): boolean =>
  text.length <= restDigits && /^\d+$/.test(text);

/** Compiled source of a leaf. */
export interface Source {
  readonly kind: SourceKind;
  readonly type: FormulaType | 'catalogue';
  readonly named: readonly CompiledColumn[];
  /** Columns that it may read, for provenance. */
  readonly columns: readonly CompiledColumn[];
  /** Parameters that may give the value. */
  readonly params?: readonly string[];
  /** Sets of columns of which one must be in the file; empty if none is needed. */
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly read: (context: Context) => FormulaValue | CellFault | Repaired;
  /** Column whose value it returns unchanged. */
  readonly plain?: CompiledColumn;
  readonly records?: (context: Context) => readonly ReadRecord[];
  /** Finds the first negative amount of a sum, which the sum could hide. */
  readonly negative?: (context: Context) => CellFault | undefined;
}

/** Details of an inferred format. */
export type Trust = Pick<ReadOptions, 'mixed' | 'thousandths'>;

/** Column of a table: read from cells, or computed from others of its record. */
export interface CompiledColumn {
  readonly id: string;
  /** Titles or position in a header; undefined if computed. */
  wanted?: WantedColumn;
  readonly tableIndex: number;
  /** Index among the values of a record. */
  readonly position: number;
  readonly type: FormulaType;
  readonly kind?: ReadKind;
  /** Reader with the declared formats. */
  readonly read?: CellReader;
  readonly readAs?: (formats: Formats, trust: Trust) => CellReader;
  readonly formats?: Formats;
  /** Kind of its texts: words of a code list or of classes, or the role of the leaf it feeds; set when those are compiled. */
  holds?: HeldTexts;
  /** Columns that may hold the time of a moment, read before it; the first is its own. */
  times?: readonly CompiledColumn[];
  /** Parameter with the time of moments whose record has none. */
  readonly defaultTime?: string;
  /** True if each of its cells makes a record (`unpivot`). */
  apart?: boolean;
  readonly computed?: (context: Context) => FormulaValue | CellFault | Repaired;
  /** Finds the first negative amount of a computed sum. */
  readonly negative?: (context: Context) => CellFault | undefined;
  /** True if a fault of a computed column is only a warning. */
  readonly warns?: boolean;
  /** Read columns behind it: itself, or those that it is computed from. */
  readonly feeders: readonly CompiledColumn[];
  /** Read columns without which it has no value. */
  readonly needs: readonly CompiledColumn[];
  /** Columns that a computed one reads, including computed ones. */
  readonly uses: readonly CompiledColumn[];
  /** Classification of the words of another column. */
  readonly sorts?: {
    /** Column with the words. */
    readonly column: CompiledColumn;
    readonly classes: Readonly<Record<string, Class>>;
    /** Returns the groups of distinguishing words in a text; texts of one class have the same. */
    readonly tells: (text: string) => string;
    /** Returns true if a text has a word that the class does not allow. */
    readonly strays: (name: string, text: string) => boolean;
    /** Returns true if a pattern of some class fits the text, whatever else it says. */
    readonly resembles: (text: string) => boolean;
    /** Returns the class of a text; undefined if none fits, or several do. */
    readonly classOf: (text: string) => string | undefined;
    /** The class of all records of the table. */
    readonly only?: string;
  };
  /** Parameters that may give a computed one its value. */
  readonly params?: readonly string[];
  /** Way to combine the records of a document. */
  readonly take?: Take;
  /** Parameter that tells whether its amounts have a minus sign. */
  readonly sign?: string;
  /** Reader of a word before the value in its cells, and the column that the word is for. */
  readonly prefix?: { readonly column: string; readonly of: ReturnType<typeof prefixReader> };
  /** Texts under which a title does not mean the column. */
  readonly doubtful?: readonly string[];
  /** Patterns of most of its cells. */
  readonly usual?: readonly string[];
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Lists of words among which its cells must not waver; those who look it up add theirs. */
  readonly readings?: WordLists[];
}

/** Min share of cells that a column can read, to be the column of an ambiguous title. */
export const MIN_READABLE_CELLS = 0.7;

/** Returns true if the cells below an ambiguous title are clearly of the column. */
export function showsColumn(
  { read, doubtful = [] }: CompiledColumn,
  cells: readonly { readonly text: string; readonly kind: CellKind }[],
): boolean {
  const good = cells.filter(({ text, kind }) => !(read?.(text, kind) instanceof CellFault));
  return (
    good.length >= cells.length * MIN_READABLE_CELLS &&
    good.some(({ text }) => !doubtful.includes(text.trim()))
  );
}

/** Record that states totals: its columns, and those that they may sum up. */
export type Control = ReadonlyMap<CompiledColumn, readonly CompiledColumn[]>;

/** Records that are not data, with the reason. */
export interface Skip {
  readonly when: Source;
  readonly note: string;
  /** Columns whose cells are quoted with it. */
  readonly values: readonly CompiledColumn[];
  readonly control?: Control;
  /** Start of its totals: the first record, after the previous control record, or where they agree better. */
  readonly since: 'start' | 'last' | 'either';
  /** True if a row is only skipped if it says, or its amounts show, that it is a total. */
  readonly proven: boolean;
}

/** Message of a mapping in both languages. */
export type OwnWords = Readonly<Record<'message_es' | 'message_en' | 'fix_es' | 'fix_en', string>>;

/** Heading of an area, with the condition for the records below it. */
export interface Heading {
  readonly fits: (folded: string) => boolean;
  readonly that: Source;
  /** Level of the issue if it does not hold. */
  readonly params: OwnWords;
}

export interface CompiledTable {
  readonly id: string;
  readonly tableIndex: number;
  readonly spec: Table;
  /** Table that a group of repeated columns belongs to. */
  readonly parent?: CompiledTable;
  readonly columns: ReadonlyMap<string, CompiledColumn>;
  /** Computed columns in order of their needs. */
  readonly computed: readonly CompiledColumn[];
  readonly repeated: readonly CompiledTable[];
  readonly ignored: readonly IgnoredColumns[];
  skips: readonly Skip[];
  headings: readonly Heading[];
  fillDown?: FillDown;
  /** Columns of which each filled cell makes a record. */
  unpivot: readonly CompiledColumn[];
  /** Column whose cells may hold several codes, each of which makes a record (`split`). */
  split?: NonNullable<CompiledColumn['sorts']>;
  /** Columns that identify a record: the key of the documents, or of a join. */
  identity: readonly CompiledColumn[];
  join?: Join;
  /** True if a document has at most one record of the table. */
  single: boolean;
  /** Columns with the names of the files that are sent together. */
  lists?: { readonly file: CompiledColumn; readonly records?: CompiledColumn };
}

/** Returns true if a table has no header: its columns have positions, and its file is known by name. */
export const isFlat = (table: CompiledTable): table is FlatTable =>
  table.spec.file !== undefined && table.spec.header?.none === true;

type FlatTable = CompiledTable & { readonly spec: Required<Pick<CompiledTable['spec'], 'file'>> };

export const patternsOf = (spec: Class): readonly string[] => (Array.isArray(spec) ? spec : spec.like);

/** Columns whose cells may count for several records, and the parameter that allows it without merged cells. */
interface FillDown {
  readonly columns: readonly CompiledColumn[];
  readonly param?: string;
  /** Condition that at most one of the records may meet. */
  readonly once?: Skip['when'];
}

/** Pairs of equal columns: of the joined table, and of the primary ones. */
export interface JoinKey {
  readonly columns: readonly CompiledColumn[];
  /** Ids of columns of the primary tables, or `table.column` of a table joined above. */
  readonly primary: readonly string[];
}

export const joiningColumns = (join: Join | undefined): readonly CompiledColumn[] =>
  join === undefined ? [] : join.keys.flatMap(({ columns }) => columns);

/** Returns the columns required in the header by default: those of the only key, or shared by all keys. */
export function alwaysJoining(join: Join | undefined): readonly CompiledColumn[] {
  const [first, ...others] = join?.keys ?? [];
  return (first?.columns ?? []).filter((column) => others.every(({ columns }) => columns.includes(column)));
}

/** Returns the ids of the primary columns of all keys. */
export const askingIds = (join: Join | undefined): readonly string[] =>
  join === undefined ? [] : join.keys.flatMap(({ primary }) => primary);

export interface Join {
  /** True if its records belong to every document. */
  readonly every: boolean;
  /** Keys in order; the first whose columns a record fills is used. One without columns if the records belong to every document. */
  readonly keys: readonly JoinKey[];
  /** Pairs of a column of this table and the id of a primary one that must name the same person. */
  readonly whose: readonly { readonly column: CompiledColumn; readonly primary: string }[];
  readonly many: boolean;
  readonly missing: 'error' | 'warning' | 'ignore';
  readonly orphan: 'error' | 'warning' | 'ignore';
}

/** Fault of another cell than the one being read, such as an addend of a sum. */
export class PlacedFault<C extends IssueCode = IssueCode> extends CellFault<C> {
  constructor(
    readonly record: ReadRecord,
    readonly column: CompiledColumn,
    code: C,
    params: Params<C>,
    {
      index,
      related,
      suggestions,
    }: {
      readonly index?: number;
      readonly related?: Place;
      readonly suggestions?: readonly Suggestion[];
    } = {},
  ) {
    super(code, ...([params, suggestions] as unknown as FaultRest<C>));
    this.index = index;
    this.related = related;
  }
  /** Column of the sheet, where several of them hold the column. */
  readonly index: number | undefined;
  readonly related: Place | undefined;
}
