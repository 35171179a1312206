import type { Class, Formats, Table, Take } from '../../generated/mapping-types.js';
import { add } from '../core/decimal.js';
import type { IssueCode, Params, Place, Suggestion } from '../core/issue.js';
import type { Writable } from '../core/json.js';
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
import type { WordLists } from './readings.js';

/** What formulas and leaves of one document see. Slots number the tables of a mapping. */
export interface Context {
  readonly params: ParamValues;
  /** The one record that stands for its table here; undefined where a document may have several. */
  readonly at: readonly (ReadRecord | undefined)[];
  /** All records of the document. */
  readonly sets: readonly (readonly ReadRecord[])[];
  /** Where a table that has no record for the document was asked: the cells of the key. */
  readonly asked?: readonly (readonly Place[] | undefined)[];
  /** Items already in the list that is being made. */
  readonly index: number;
  /** The context of the whole document, where this one stands at a record of it. */
  readonly root?: Context;
  /** Named values of the document by their number, once computed; null for those that are blank. */
  readonly named: (FormulaValue | null)[];
  /** Of the whole document: amounts that were passed over for another one. */
  dropped?: { readonly record: ReadRecord; readonly column: CompiledColumn; readonly kept: string }[];
  /** Of the whole document: columns of amounts that are added up. */
  summed?: Set<CompiledColumn>;
}

/** A fault of one among the columns that a source reads: the blank one of a formula, the one that was looked up. */
export class FaultAt<C extends IssueCode = IssueCode> extends CellFault<C> {
  constructor(
    readonly column: CompiledColumn | undefined,
    code: C,
    ...rest: FaultRest<C>
  ) {
    super(code, ...rest);
  }
}

/** A column of a mapping, and the columns of the sheet that hold it. */
export interface HeadedColumn {
  readonly column: CompiledColumn;
  readonly index: number;
  /** Further columns whose amounts are added. */
  readonly more: readonly number[];
  /** Of a moment: other columns of moments that may have the same time. */
  readonly others?: readonly number[];
}

/** A column of a sheet, and how its cells are read. */
export interface ReadableColumn extends HeadedColumn {
  readonly read: CellReader;
}

/** One of the parts of a record that stand side by side. */
export interface Part {
  /** The columns that stand in it. */
  readonly own: readonly ReadableColumn[];
  /** How it reads where it is the first part with values: with all that stands in none. */
  readonly first: ReadableTable;
  /** How it reads as a further one: amounts that stand in no part are of the first. */
  readonly further: ReadableTable;
}

/** A table of a file, found by its header; how its cells are read is still to be decided. */
export interface HeadedTable {
  readonly tableIndex: number;
  /** Its place among the located tables of the run. */
  readonly number: number;
  readonly source: RowSource;
  readonly header: Header;
  /** How many values a record has. */
  readonly width: number;
  readonly present: readonly HeadedColumn[];
  /** By position of the column; undefined where the file has no such column. */
  readonly indexes: readonly (number | undefined)[];
  readonly computed: readonly CompiledColumn[];
  /** Without header: how many fields a record may have. */
  readonly fields?: readonly number[];
  /** Groups of columns that come again: each instance reads like a table of its own. */
  readonly repeats: readonly HeadedTable[];
  readonly params: ParamValues;
  /** Columns that Excel does not show. */
  readonly hidden?: SheetView['hidden'];
  /** What a record may leave to the one above it; whether it does where nothing is merged. */
  readonly fillDown?: FillDown & { readonly isOn: boolean };
  /** Slips of form in its JSON records that leave no doubt are read as what they mean. */
  readonly mendsJson?: true;
}

/** A table whose records can be read. */
export interface ReadableTable extends HeadedTable {
  readonly present: readonly ReadableColumn[];
  readonly repeats: readonly ReadableTable[];
  /** Parts of its records that stand side by side. The table itself reads their amounts added up. */
  readonly parts: readonly Part[];
  /** Of a text with a header: so many fields a record has at most. */
  readonly most?: number;
  /** Of a part: columns that stand in no part, whose values it has from the whole record. */
  readonly inherited?: ReadonlySet<CompiledColumn>;
  /** The cell by which the format of a column was decided. */
  readonly witnesses?: ReadonlyMap<CompiledColumn, Place>;
}

/** One record, read: typed values by position of the column, and what could not be read. */
export interface ReadRecord {
  readonly table: ReadableTable;
  readonly row: Row;
  readonly values: readonly FormulaValue[];
  readonly faults: ReadonlyMap<CompiledColumn, CellFault> | undefined;
  /** Values that were repaired rather than refused. */
  readonly repairs?: ReadonlyMap<CompiledColumn, CellFault>;
  /** Set in an instance of repeated columns, or in a part: the record that it is part of. */
  readonly parent?: ReadRecord;
  /** Where its columns stand in several sheets: what each of them has of it. */
  readonly bySheet?: readonly ReadRecord[];
  /** Bits of the columns that a condition or a fallback let into a document, 32 in each; undefined if there are none. */
  taken: number[] | undefined;
}

export const NO_RECORDS: readonly ReadRecord[] = [];

/** Reads the mapped cells of a row. Never throws: what cannot be read is blank, and a fault. */
export function readRecord(table: ReadableTable, row: Row, parent?: ReadRecord): ReadRecord {
  const { texts, kinds } = row;
  const values: FormulaValue[] = new Array(table.width);
  if (table.inherited !== undefined)
    for (const { position } of table.inherited) values[position] = parent!.values[position];
  let faults: Map<CompiledColumn, CellFault> | undefined;
  let faultyParts: Map<CompiledColumn, number> | undefined;
  for (const { column, index, more, read, others } of table.present) {
    const text = texts[index];
    const kind = kinds?.[index] ?? 'text';
    let value =
      text === undefined
        ? undefined
        : column.times === undefined
          ? read(text, kind)
          : readTimed(text, kind, read, timeOf(column.times, others, values, texts));
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
        faultyParts.set(column, at);
      }
    } else values[column.position] = value;
  }
  const record: ReadRecord =
    parent === undefined
      ? { table, row, values, faults, taken: undefined }
      : { table, row, values, faults, parent, taken: undefined };
  if (faultyParts !== undefined)
    for (const [column, index] of faultyParts) {
      const { code, params, suggestions } = faults!.get(column)!;
      faults!.set(column, new PlacedFault(record, column, code, params, { index, suggestions }));
    }
  return table.computed.length === 0 ? record : compute(record, values, faults);
}

/** One record of those in several sheets: each value of the first that has it, and what is computed of them. */
export function joinRecords(bySheet: readonly ReadRecord[]): ReadRecord {
  const { table, row } = bySheet[0]!;
  const values: FormulaValue[] = new Array(table.width);
  let faults: Map<CompiledColumn, CellFault> | undefined;
  for (const one of bySheet)
    for (const { column } of one.table.present) {
      values[column.position] ??= one.values[column.position];
      const fault = one.faults?.get(column);
      if (fault === undefined || faults?.has(column)) continue;
      faults ??= new Map();
      faults.set(column, fault);
    }
  return compute({ table, row, values, faults, bySheet, taken: undefined }, values, faults);
}

/** The time of a moment: of its own column, or of one that stands in where the record has no other moment that it may be of. */
function timeOf(
  times: readonly CompiledColumn[],
  others: HeadedColumn['others'],
  values: readonly FormulaValue[],
  texts: Row['texts'],
): FormulaValue {
  const own = values[times[0]!.position];
  if (own !== undefined || times.length === 1 || others?.some((index) => texts[index] !== undefined))
    return own;
  const standIn = times.find(({ position }) => values[position] !== undefined);
  return standIn && values[standIn.position];
}

/** A moment whose time may stand in another cell of the record. */
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

/** Amounts of several columns that mean one thing, or the first of other values; `at` is the one that cannot be read. */
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

/** Fills the computed columns, in an order in which each finds what it needs. */
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
    if (all !== undefined && column.uses.some((used) => all!.has(used) || spoilt?.has(used))) {
      spoilt ??= new Set(); // the fault of what it reads is said already
      spoilt.add(column);
      continue;
    }
    const value = column.computed!(context);
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

/** A context in which only this record is known: for what concerns a record by itself. */
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

/** The instances of repeated columns in a record that hold anything. */
export const repeatedIn = (record: ReadRecord): ReadRecord[] =>
  record.table.repeats.flatMap((table) => {
    const part = readRecord(table, record.row, record);
    return part.faults !== undefined || part.values.some((value) => value !== undefined) ? [part] : [];
  });

/** Whether a cell says that something happened in its part: neither blank nor zero. */
function isTelling(row: Row, { column, index, more, read }: ReadableColumn): boolean {
  return [index, ...more].some((at) => {
    const value = readAt(row, at, read);
    return value !== undefined && !(column.type === 'decimal' && Number(value) === 0);
  });
}

/** What a reader makes of the cell at a place of a row; blank where it is. */
export function readAt({ texts, kinds }: Row, index: number, read: CellReader): ReturnType<CellReader> {
  const text = texts[index];
  return text === undefined ? undefined : read(text, kinds?.[index] ?? 'text');
}

/** All parts of a record that stand side by side, with values or not. */
export const everyPartOf = (record: ReadRecord): readonly ReadRecord[] =>
  record.table.parts.map(({ first, further }, at) =>
    readRecord(at === 0 ? first : further, record.row, record),
  );

/** A record, or its parts that stand side by side: those that hold anything, else the first. */
export function partsIn(record: ReadRecord): readonly ReadRecord[] {
  const { table, row } = record;
  if (table.parts.length === 0) return [record];
  const telling = table.parts.filter(({ own }) => own.some((column) => isTelling(row, column)));
  const [first = table.parts[0]!, ...others] = telling;
  return [first.first, ...others.map(({ further }) => further)].map((part) => readRecord(part, row, record));
}

/** Columns that reach a document only where a condition holds, or another source of the field is blank. */
export interface Gate {
  readonly columns: Set<CompiledColumn>;
  /** Bits, by `tableIndex`, of the columns that have no other way into a document; 32 in each word. */
  masks: readonly (readonly [tableIndex: number, word: number, mask: number])[];
}

/** Notes that records of a table have gone through a gate. */
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

/** A warning that goes with a value that could be had all the same. */
export interface Repaired {
  readonly value: string;
  readonly warning: CellFault;
}

/** What a leaf takes its value from, as the mapping says. */
type SourceKind =
  | { readonly is: 'constant' | 'sequence' }
  | { readonly is: 'param'; readonly name: string }
  /** `where`: the columns that decide which records count. */
  | {
      readonly is: 'column';
      readonly column: CompiledColumn;
      readonly take?: Take;
      readonly where?: readonly CompiledColumn[];
    }
  /** `standIns`: parameters that stand in where columns are blank. */
  | { readonly is: 'formula'; readonly standIns: readonly string[] }
  /** `order`: the parameter that says in what order the parts of a name stand. */
  | { readonly is: 'part'; readonly part: string | number; readonly order?: string }
  /** `keeps`: what the list does not know is taken as it is. */
  | {
      readonly is: 'lookup';
      readonly catalogue: string;
      readonly keeps: boolean;
      readonly matches: readonly MatchedColumn[];
    };

/** A column that a code list is asked with, and those that tell entries of one name apart. */
export interface MatchedColumn {
  readonly column: CompiledColumn;
  readonly by: readonly LookupColumn[];
  readonly within: readonly (readonly [column: string, CompiledColumn])[];
  /** Joins codes that stand in two columns, if the list has such codes and the mapping a column for their first half. */
  readonly halves?: CodeHalves;
}

/** A code in two columns: that of a department, and the rest of a municipality's. */
export interface CodeHalves {
  /** Holds the code or name of the larger unit. */
  readonly unit: CompiledColumn;
  /** Most digits of the second half. */
  readonly restDigits: number;
  /** Returns the entry of the second half and what the unit's column says; undefined if there is none. */
  readonly entryOf: (rest: string, unit: string) => CatalogueRow | undefined;
}

/** True if a text is the second half of a code: `001` of 05001. */
export const isHalfCode = (text: string, { restDigits }: Pick<CodeHalves, 'restDigits'>): boolean =>
  text.length <= restDigits && /^\d+$/.test(text);

/** One source of a leaf: what it gives, and the columns it reads. */
export interface Source {
  readonly kind: SourceKind;
  readonly type: FormulaType | 'catalogue';
  /** The columns that it names. */
  readonly named: readonly CompiledColumn[];
  /** Every column it may read, for provenance. */
  readonly columns: readonly CompiledColumn[];
  /** Every parameter that may give the value. */
  readonly params?: readonly string[];
  /** Sets of columns that suffice, one of which must be in the file; empty when none is needed. */
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly read: (context: Context) => FormulaValue | CellFault | Repaired;
  /** The one column whose value it gives as it is. */
  readonly plain?: CompiledColumn;
  /** Of many records taken together: those. */
  readonly records?: (context: Context) => readonly ReadRecord[];
  /** Of amounts that are added up: the first negative one, which the sum could hide. */
  readonly negative?: (context: Context) => CellFault | undefined;
}

/** What a computed column gives for the record that the context stands at. */
type Computed = (context: Context) => FormulaValue | CellFault | Repaired;

/** What a vote says besides the style. */
export type Trust = Pick<ReadOptions, 'mixed' | 'thousandths'>;

/** A column of a table: found in a header and read, or computed from others of its record. */
export interface CompiledColumn {
  readonly id: string;
  /** How it is found in a header; undefined when it is computed. */
  readonly wanted?: WantedColumn;
  /** The table that it belongs to, by its place in a context. */
  readonly tableIndex: number;
  /** Place among the values of a record. */
  readonly position: number;
  readonly type: FormulaType;
  readonly kind?: ReadKind;
  /** The reader with formats as the mapping declares them. */
  readonly read?: CellReader;
  /** The reader with formats that were voted. */
  readonly readAs?: (formats: Formats, trust: Trust) => CellReader;
  readonly formats?: Formats;
  /** Kind of its texts: words of a code list or a set of classes, or by the role of what it feeds; set once that is compiled. */
  holds?: HeldTexts;
  /** Of a moment: the columns that may hold its time, read before it; the first is its own. */
  times?: readonly CompiledColumn[];
  /** It makes records of its own (`unpivot`): of another column of them it says nothing. */
  apart?: boolean;
  readonly computed?: Computed;
  /** Of a computed one that adds up others: the first negative one of them. */
  readonly negative?: (context: Context) => CellFault | undefined;
  /** Whether a fault of a computed column only warns. */
  readonly warns?: boolean;
  /** The read columns behind it: itself, or those that it is computed from. */
  readonly feeders: readonly CompiledColumn[];
  /** The read columns without which it cannot be had. */
  readonly needs: readonly CompiledColumn[];
  /** The columns that a computed one reads, computed ones among them. */
  readonly uses: readonly CompiledColumn[];
  /** How it sorts the words of another column into classes. */
  readonly sorts?: {
    /** The column whose words they are. */
    readonly column: CompiledColumn;
    /** The patterns of each class. */
    readonly classes: Readonly<Record<string, Class>>;
    /** Which groups of telling words a text has one of: only what has the same is of one class. */
    readonly tells: (text: string) => string;
    /** Whether a text has a word that may not stand beside those of a class. */
    readonly strays: (name: string, text: string) => boolean;
    /** Whether some class is called so, whatever else the text says. */
    readonly resembles: (text: string) => boolean;
    /** The one class of a text; undefined where none fits, or several do. */
    readonly classOf: (text: string) => string | undefined;
  };
  /** The parameters that may give a computed one its value. */
  readonly params?: readonly string[];
  /** What many records of a document give together. */
  readonly take?: Take;
  /** The parameter that says whether its amounts are written with a minus sign. */
  readonly sign?: string;
  /** Texts that do not show that a label means it, though it is a title of it. */
  readonly doubtful?: readonly string[];
  /** Patterns of what most of its cells hold. */
  readonly usual?: readonly string[];
  /** Of a column of choices: what it may be, and the words for each. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Lists of words among which its cells must not waver; those who look it up add theirs. */
  readonly readings?: WordLists[];
}

/** So many of the cells of a column show what it is. */
export const MOST_CELLS = 0.7;

/** Whether cells below a title that may mean something else as well are plainly of the column. */
export function showsColumn(
  { read, doubtful = [] }: CompiledColumn,
  cells: readonly { readonly text: string; readonly kind: CellKind }[],
): boolean {
  const good = cells.filter(({ text, kind }) => !(read!(text, kind) instanceof CellFault));
  return good.length >= cells.length * MOST_CELLS && good.some(({ text }) => !doubtful.includes(text.trim()));
}

/** A record that states totals: its columns, and those whose sums they may be. */
export type Control = ReadonlyMap<CompiledColumn, readonly CompiledColumn[]>;

/** Records that are no data, and why. */
export interface Skip {
  readonly when: Source;
  readonly note: string;
  /** Columns whose cells are said with it. */
  readonly values: readonly CompiledColumn[];
  readonly control?: Control;
  /** Where its totals begin: at the first record, after the control record before, or wherever they agree better. */
  readonly since: 'start' | 'last' | 'either';
  /** Whether a row is skipped only where it says, or proves, that it is a total. */
  readonly proven: boolean;
}

/** What a mapping says of a record, in both languages. */
export type OwnWords = Readonly<Record<'message_es' | 'message_en' | 'fix_es' | 'fix_en', string>>;

/** A heading of an area, and what must hold of the records below it. */
export interface Heading {
  readonly fits: (folded: string) => boolean;
  readonly that: Source;
  /** Of the issue, where it does not. */
  readonly params: OwnWords;
}

export interface CompiledTable {
  readonly id: string;
  readonly tableIndex: number;
  readonly spec: Table;
  /** Set for a group of repeated columns: the table that it is part of. */
  readonly parent?: CompiledTable;
  readonly columns: ReadonlyMap<string, CompiledColumn>;
  /** In an order in which each finds what it needs. */
  readonly computed: readonly CompiledColumn[];
  readonly repeated: readonly CompiledTable[];
  /** Columns of the file that it leaves aside. */
  readonly ignored: readonly IgnoredColumns[];
  skips: readonly Skip[];
  headings: readonly Heading[];
  fillDown?: FillDown;
  /** Each of them makes a record of its own. */
  unpivot: readonly CompiledColumn[];
  /** Sorts a column of which a cell may hold several codes: each makes a record (`split`). */
  split?: NonNullable<CompiledColumn['sorts']>;
  /** The columns that say whom or what a record is about: the key of the documents, or what joins it to them. */
  identity: readonly CompiledColumn[];
  join?: Join;
  /** A document has at most one record here. */
  single: boolean;
  /** The columns in which its records name the files that are sent together. */
  lists?: { readonly file: CompiledColumn; readonly records?: CompiledColumn };
}

/** Whether a table has no header: its file is told by its name, and its columns stand at places, as in the files of a norm. */
export const isFlat = ({ spec }: CompiledTable): boolean =>
  spec.file !== undefined && spec.header?.none === true;

/** The patterns of the words that are of a class. */
export const patternsOf = (spec: Class): readonly string[] => (Array.isArray(spec) ? spec : spec.like);

/** Columns whose cells may stand once for several records, and the parameter by which they do without being merged. */
interface FillDown {
  readonly columns: readonly CompiledColumn[];
  readonly param?: string;
  /** What holds of one of them at most. */
  readonly once?: Skip['when'];
}

/** Columns that agree: of the joined table, and of the documents' own. */
export interface JoinKey {
  readonly own: readonly CompiledColumn[];
  /** Ids of columns of the documents' own tables, or `table.column` of a table joined above. */
  readonly theirs: readonly string[];
}

/** The columns by which a table belongs to documents, by any of its keys. */
export const joiningColumns = (join: Join | undefined): readonly CompiledColumn[] =>
  join === undefined ? [] : join.keys.flatMap(({ own }) => own);

/** The columns that its header must have, where the mapping does not say: those of its only key, or that all of its keys share. */
export const alwaysJoining = (join: Join | undefined): readonly CompiledColumn[] =>
  (join?.keys[0]?.own ?? []).filter((column) => join!.keys.every(({ own }) => own.includes(column)));

/** The ids with which documents ask a table, by any of its keys. */
export const askingIds = (join: Join | undefined): readonly string[] =>
  join === undefined ? [] : join.keys.flatMap(({ theirs }) => theirs);

/** How records of a table belong to documents. */
export interface Join {
  /** Its records belong to every document: there is nothing that agrees. */
  readonly every: boolean;
  /** In order: asked is the first of which a record fills all columns. One without columns where its records belong to every document. */
  readonly keys: readonly JoinKey[];
  /** Whose a record is: pairs of a column of this table and the id of one of the main tables. */
  readonly whose: readonly { readonly own: CompiledColumn; readonly theirs: string }[];
  readonly many: boolean;
  readonly missing: 'error' | 'warning' | 'ignore';
  readonly orphan: 'error' | 'warning' | 'ignore';
}

/** A fault of another cell than the one at which it is met: a part of a sum, one of two that contradict each other. */
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
