import { add, compare, sum, toMoney, toPlain } from '../core/decimal.js';
import type { Place } from '../core/issue.js';
import type { JsonValue, Writable } from '../core/json.js';
import { suggest } from '../core/text.js';
import type { Reference, Scope } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { LeafKind } from '../schema/registry.js';
import type { Header } from '../tables/header.js';
import type { Row, RowSource } from '../tables/table.js';
import type { CompiledParam, ParamValues } from './params.js';
import { CellFault, type CellReader } from './read/cell.js';
import type { Synonyms } from './synonyms.js';
import { type CompiledColumn, type CompiledTable, PlacedFault, placeOf } from './tables.js';
import type { Lint, YamlPath } from './yaml-source.js';

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
  passedOver?: { readonly record: ReadRecord; readonly column: CompiledColumn; readonly kept: string }[];
  /** Of the whole document: columns of amounts that are added up. */
  summed?: Set<CompiledColumn>;
}

const NO_RECORDS: readonly ReadRecord[] = [];

/** Records of one document that contradict each other; both cells are named. */
export class Conflict extends PlacedFault {
  constructor(
    record: ReadRecord,
    column: CompiledColumn,
    related: Place,
    first: FormulaValue,
    other: FormulaValue,
  ) {
    super(record, column, 'group/conflict', {
      params: { first: String(first), other: String(other) },
      related,
    });
  }
}

/** A fault of one among the columns that a source reads: the blank one of a formula, the one that was looked up. */
export class FaultAt extends CellFault {
  constructor(
    readonly column: CompiledColumn | undefined,
    code: string,
    params?: CellFault['params'],
    suggestions?: CellFault['suggestions'],
  ) {
    super(code, params, suggestions);
  }
}

export const recordsOf = (context: Context, slot: number): readonly ReadRecord[] => {
  const record = context.at[slot];
  return record === undefined ? (context.sets[slot] ?? NO_RECORDS) : [record];
};

/** Amounts of the records here have gone through that gate. */
export function letThrough({ masks }: Gate, context: Context): void {
  for (const [slot, mask] of masks) for (const record of recordsOf(context, slot)) record.taken |= mask;
}

/** The value of a column for the document, many records taken together. Throws Conflict. */
export function valueFor(context: Context, column: CompiledColumn): FormulaValue {
  const record = context.at[column.slot];
  return record === undefined
    ? take(context.sets[column.slot] ?? NO_RECORDS, column, column.take ?? 'equal', context)
    : record.values[column.position];
}

export const hasValue = (context: Context, column: CompiledColumn): boolean => {
  const record = context.at[column.slot];
  if (record !== undefined) return record.values[column.position] !== undefined;
  return (context.sets[column.slot] ?? NO_RECORDS).some(
    ({ values }) => values[column.position] !== undefined,
  );
};

/** Whether any of the columns has a value; asked for every list of every document, so a plain loop. */
export function hasAny(context: Context, columns: readonly CompiledColumn[]): boolean {
  for (let index = 0; index < columns.length; index++) if (hasValue(context, columns[index]!)) return true;
  return false;
}

/** The same context standing at one record of a table, and at the record that it is part of. */
export function standAt(context: Context, slot: number, record: ReadRecord, index: number): Context {
  const at = context.at.slice();
  at[slot] = record;
  if (record.parent !== undefined) at[record.parent.table.slot] = record.parent;
  // Written out: a spread of so many keys costs several times as much.
  const { params, sets, asked, named } = context;
  const root = context.root ?? context;
  return asked === undefined
    ? { params, at, sets, index, root, named }
    : { params, at, sets, asked, index, root, named };
}

type How = NonNullable<CompiledColumn['take']>;

/** What many records give together; blank ones do not count. Throws Conflict when they must be equal and are not. */
export function take(
  records: readonly ReadRecord[],
  column: CompiledColumn,
  how: How,
  context: Context,
): FormulaValue {
  const value = taken(records, column, how);
  if (column.kind !== 'money' || records.length < 2) return value;
  const root = context.root ?? context;
  if (how === 'sum') {
    root.summed ??= new Set();
    root.summed.add(column);
  } else if (PICKS.has(how)) {
    for (const record of records) {
      const other = record.values[column.position];
      if (other === undefined || Number(other) === 0 || isEqual(other, value!, column)) continue;
      root.passedOver ??= [];
      root.passedOver.push({ record, column, kept: String(value) });
    }
  }
  return value;
}

/** They give one of the values and leave the others. */
const PICKS: ReadonlySet<How> = new Set(['first', 'last', 'min', 'max']);

function taken(records: readonly ReadRecord[], column: CompiledColumn, how: How): FormulaValue {
  const filled = records.filter(({ values }) => values[column.position] !== undefined);
  const values = filled.map((record) => record.values[column.position]!);
  switch (how) {
    case 'first':
      return values[0];
    case 'last':
      return values.at(-1);
    case 'count':
      return String(values.length);
    case 'sum':
      return values.length === 0 ? undefined : sum(values as string[]);
    case 'min':
      return extreme(values, column, -1);
    case 'max':
      return extreme(values, column, 1);
    case 'collect':
      return values.length === 0 ? undefined : [...new Set(values)].join(', ');
    case 'equal': {
      const other = values.findIndex((value) => !isEqual(value, values[0]!, column));
      if (other < 0) return values[0];
      throw new Conflict(filled[other]!, column, placeOf(filled[0]!, column), values[0], values[other]);
    }
  }
}

const isEqual = (a: string | boolean, b: string | boolean, { type }: CompiledColumn): boolean =>
  a === b || (type === 'decimal' && compare(a as string, b as string) === 0);

function extreme(
  values: readonly (string | boolean)[],
  { type }: CompiledColumn,
  sign: 1 | -1,
): FormulaValue {
  const order = type === 'decimal' ? compare : (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  return (values as readonly string[]).reduce<string | undefined>(
    (best, value) => (best === undefined || order(value, best) === sign ? value : best),
    undefined,
  );
}

/** Turns a typed value into the canonical form of a leaf, or says why it cannot. */
export type ToWire = (value: string | boolean) => JsonValue | CellFault;

const TOO_MANY_DECIMALS = new CellFault('cell/too-many-decimals');
const NOT_WHOLE = new CellFault('cell/not-whole');
const DIGITS_WITHOUT_ZERO = /^[1-9]\d{0,14}$/;

const asIs: ToWire = (value) => value;
const twoDecimals: ToWire = (value) => toMoney(value as string) ?? TOO_MANY_DECIMALS;
const whole: ToWire = (value) => {
  const plain = toPlain(value as string);
  return plain.includes('.') ? NOT_WHOLE : Number(plain);
};
/** Leaves hold hours and minutes; seconds that say something are not cut off. */
const clock: ToWire = (value) =>
  typeof value === 'string' && value.length === 8
    ? value.endsWith(':00')
      ? value.slice(0, 5)
      : new CellFault('cell/not-a-time')
    : value;
/** A number when it is digits without a leading zero, else text (service.md 4.3). */
const workerDocument: ToWire = (value) => (DIGITS_WITHOUT_ZERO.test(value as string) ? Number(value) : value);

const FROM_DECIMAL: Partial<Record<LeafKind, ToWire>> = {
  money: twoDecimals,
  'two-decimals': twoDecimals,
  quantity: (value) => toPlain(value as string),
  integer: whole,
  number: (value) => Number(value),
  text: (value) => toPlain(value as string),
  'worker-document': (value) => workerDocument(toPlain(value as string)),
};
const FROM_TEXT: Partial<Record<LeafKind, ToWire>> = {
  text: asIs,
  'worker-document': workerDocument,
  time: clock,
};

const TABLE: Readonly<Record<FormulaType, Partial<Record<LeafKind, ToWire>>>> = {
  decimal: FROM_DECIMAL,
  text: FROM_TEXT,
  date: { date: asIs, text: asIs },
  datetime: { 'local-date-time': asIs, text: asIs, date: (value) => (value as string).slice(0, 10) },
  boolean: { boolean: asIs },
};

/** The conversion from a type to a kind of leaf; undefined when there is none, which is a lint error. */
export const toWire = (from: FormulaType, kind: LeafKind): ToWire | undefined => TABLE[from][kind];

/** Catalogue cells are text; ids become the integers that leaves want. */
export const catalogueToWire = (kind: LeafKind): ToWire | undefined =>
  kind === 'integer' || kind === 'number' ? (value) => Number(value) : FROM_TEXT[kind];

/** A read column, and the columns of the sheet that hold it. */
export interface PresentColumn {
  readonly column: CompiledColumn;
  readonly index: number;
  /** Further columns whose amounts are added. */
  readonly more: readonly number[];
  readonly read: CellReader;
}

/** A table of a file, found and matched. */
export interface LocatedTable {
  readonly slot: number;
  /** Its place among the located tables of the run. */
  readonly number: number;
  readonly source: RowSource;
  readonly header: Header;
  /** How many values a record has. */
  readonly width: number;
  readonly present: readonly PresentColumn[];
  /** By position of the column; undefined where the file has no such column. */
  readonly indexes: readonly (number | undefined)[];
  readonly computed: readonly CompiledColumn[];
  /** Without header: how many fields a record may have. */
  readonly fields?: readonly number[];
  /** Groups of columns that come again: each instance reads like a table of its own. */
  readonly repeats: readonly LocatedTable[];
  readonly params: ParamValues;
  /** The cell by which the format of a column was decided. */
  readonly witnesses?: ReadonlyMap<CompiledColumn, Place>;
}

/** One record, read: typed values by position of the column, and what could not be read. */
export interface ReadRecord {
  readonly table: LocatedTable;
  readonly row: Row;
  readonly values: readonly FormulaValue[];
  readonly faults: ReadonlyMap<CompiledColumn, CellFault> | undefined;
  /** Values that were repaired rather than refused. */
  readonly repairs?: ReadonlyMap<CompiledColumn, CellFault>;
  /** Set in an instance of repeated columns: the record that it is part of. */
  readonly parent?: ReadRecord;
  /** Bits of the amounts that a condition let into a document. */
  taken: number;
}

/** Reads the mapped cells of a row. Never throws: what cannot be read is blank, and a fault. */
export function readRecord(table: LocatedTable, row: Row, parent?: ReadRecord): ReadRecord {
  const { texts, kinds } = row;
  const values: FormulaValue[] = new Array(table.width);
  let faults: Map<CompiledColumn, CellFault> | undefined;
  let faultyParts: Map<CompiledColumn, number> | undefined;
  for (const { column, index, more, read } of table.present) {
    const text = texts[index];
    let value = text === undefined ? undefined : read(text, kinds?.[index] ?? 'text');
    let at = index;
    if (more.length > 0 && !(value instanceof CellFault)) {
      const sum = addUp(value, more, row, read);
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
      ? { table, row, values, faults, taken: 0 }
      : { table, row, values, faults, parent, taken: 0 };
  if (faultyParts !== undefined)
    for (const [column, index] of faultyParts) {
      const { code, params, suggestions } = faults!.get(column)!;
      faults!.set(column, new PlacedFault(record, column, code, { params, index, suggestions }));
    }
  return table.computed.length === 0 ? record : compute(record, values, faults);
}

/** Amounts of several columns that mean one thing; `at` is the one that cannot be read. */
function addUp(
  first: Exclude<ReturnType<CellReader>, CellFault>,
  more: readonly number[],
  { texts, kinds }: Row,
  read: CellReader,
): { value: ReturnType<CellReader>; at?: number } {
  let sum = first;
  for (const index of more) {
    const text = texts[index];
    if (text === undefined) continue;
    const value = read(text, kinds?.[index] ?? 'text');
    if (value instanceof CellFault) return { value, at: index };
    if (value !== undefined) sum = sum === undefined ? value : add(sum as string, value as string);
  }
  return { value: sum };
}

/** The negative one among several columns of a record whose amounts are added up. */
export function negativePart({ table, row }: ReadRecord, column: CompiledColumn): number | undefined {
  const present = table.present.find((one) => one.column === column);
  if (present === undefined || present.more.length === 0) return undefined;
  return [present.index, ...present.more].find((index) => {
    const text = row.texts[index];
    const value = text === undefined ? undefined : present.read(text, row.kinds?.[index] ?? 'text');
    return typeof value === 'string' && value.startsWith('-');
  });
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
  const changed: Writable<ReadRecord> = { table, row: record.row, values, faults: all, taken: 0 };
  if (record.parent !== undefined) changed.parent = record.parent;
  if (repairs !== undefined) changed.repairs = repairs;
  return changed;
}

/** A context in which only this record is known: for what concerns a record by itself. */
export function recordContext(record: ReadRecord): Context {
  const at: (ReadRecord | undefined)[] = [];
  at[record.table.slot] = record;
  if (record.parent !== undefined) at[record.parent.table.slot] = record.parent;
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

/** A value of the document that formulas may name: value.name. */
export interface NamedValue {
  readonly type: FormulaType;
  readonly columns: readonly CompiledColumn[];
  /** Those that it reads on every record: what reads the value reads them. */
  readonly reads: readonly CompiledColumn[];
  readonly params?: readonly string[];
  /** The read columns without which it cannot be had. */
  readonly needs: readonly CompiledColumn[];
  readonly read: (context: Context) => FormulaValue;
  readonly negative?: Source['negative'];
}

/** Which columns a mapping names, and what for: whoever compiles a part of it says where to write them down. */
export interface Named {
  /** What names them now. */
  readonly into: Set<CompiledColumn>;
  /** Columns that only decide something. */
  readonly conditions: Set<CompiledColumn>;
  readonly gates: Gate[];
}

/** Columns that reach a document only where a condition holds. */
export interface Gate {
  readonly columns: Set<CompiledColumn>;
  /** By slot of a table: the bits of its amounts that have no other way into a document. */
  masks: readonly (readonly [slot: number, mask: number])[];
}

export const namedBy = (): Named => ({ into: new Set(), conditions: new Set(), gates: [] });

/** The same bench, on which columns are named for a condition. */
export const deciding = <B extends Workbench>(bench: B): B => ({
  ...bench,
  notes: { ...bench.notes, into: bench.notes.conditions },
});

/** The same bench behind a gate. */
export function gated<B extends Workbench>(bench: B): { readonly bench: B; readonly gate: Gate } {
  const gate: Gate = { columns: new Set(), masks: [] };
  bench.notes.gates.push(gate);
  return { bench: { ...bench, notes: { ...bench.notes, into: gate.columns } }, gate };
}

/** Everything that the compilation of a mapping's nodes needs at hand. */
export interface Workbench {
  readonly lint: Lint;
  readonly tables: ReadonlyMap<string, CompiledTable>;
  /** Tables whose columns may be called by their bare id, nearest first. */
  readonly open: readonly CompiledTable[];
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly named: ReadonlyMap<string, NamedValue>;
  readonly synonyms: Synonyms;
  readonly notes: Named;
}

/** A warning that goes with a value that could be had all the same. */
export interface Repaired {
  readonly value: string;
  readonly warning: CellFault;
}

/** One source of a leaf: what it gives, and the columns it reads. */
export interface Source {
  readonly type: FormulaType | 'catalogue';
  /** Every column it may read, for provenance. */
  readonly columns: readonly CompiledColumn[];
  /** Every parameter that may give the value. */
  readonly params?: readonly string[];
  /** Sets of columns that suffice, one of which must be in the file; empty when none is needed. */
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly read: (context: Context) => FormulaValue | CellFault | Repaired;
  /** The one column whose value it gives as it is. */
  readonly plain?: CompiledColumn;
  /** Of amounts that are added up: the first negative one, which the sum could hide. */
  readonly negative?: (context: Context) => CellFault | undefined;
}

/** The column that a name means: `column` of the nearest open table, or `table.column`. */
export function findColumn(bench: Workbench, name: string): CompiledColumn | undefined {
  const dot = name.indexOf('.');
  const column =
    dot >= 0
      ? bench.tables.get(name.slice(0, dot))?.columns.get(name.slice(dot + 1))
      : bench.open.find(({ columns }) => columns.has(name))?.columns.get(name);
  if (column !== undefined) bench.notes.into.add(column);
  return column;
}

export const columnNames = ({ open, tables }: Workbench): string[] => [
  ...open.flatMap(({ columns }) => [...columns.keys()]),
  ...[...tables.values()].flatMap(({ id, columns }) => [...columns.keys()].map((name) => `${id}.${name}`)),
];

/** Names of mapping formulas: columns, `param.name` and `value.name`. */
export function scopeOf(bench: Workbench): Scope<Context> {
  const resolve = (name: string): Reference<Context> | undefined => {
    const [, kind, rest] = /^(param|value)\.(.*)$/.exec(name) ?? [];
    if (kind === 'param') {
      const type = bench.params.get(rest!)?.type;
      return type === undefined ? undefined : { type, one: (context) => context.params[rest!] };
    }
    if (kind === 'value') {
      const named = bench.named.get(rest!);
      return named && { type: named.type, one: named.read };
    }
    const column = findColumn(bench, name);
    if (column === undefined) return undefined;
    const one = (context: Context): FormulaValue => valueFor(context, column);
    return { type: column.type, one, amount: column.kind === 'money' };
  };
  const names = [
    ...columnNames(bench),
    ...[...bench.params.keys()].map((name) => `param.${name}`),
    ...[...bench.named.keys()].map((name) => `value.${name}`),
  ];
  return {
    resolve,
    names,
    gather: (wanted) => {
      const each = wanted.map((name): ((context: Context, found: FormulaValue[]) => void) => {
        const column = findColumn(bench, name);
        if (column === undefined) return (context, found) => found.push(resolve(name)!.one(context));
        const { slot, position } = column;
        return (context, found) => {
          const record = context.at[slot];
          if (record !== undefined) found.push(record.values[position]);
          else for (const { values } of context.sets[slot] ?? []) found.push(values[position]);
        };
      });
      return (context) => {
        const found: FormulaValue[] = [];
        for (const add of each) add(context, found);
        return found;
      };
    },
  };
}

/** The columns that a formula's names stand for. */
export const columnsNamed = (bench: Workbench, names: readonly string[]): CompiledColumn[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [];
      if (name.startsWith('value.')) {
        const value = bench.named.get(name.slice('value.'.length));
        for (const column of value?.reads ?? []) bench.notes.into.add(column);
        return value?.columns ?? [];
      }
      return findColumn(bench, name) ?? [];
    }),
  ),
];

/** The parameters that a formula's names stand for. */
export const paramsNamed = (bench: Workbench, names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [name.slice('param.'.length)];
      if (name.startsWith('value.')) return bench.named.get(name.slice('value.'.length))?.params ?? [];
      return findColumn(bench, name)?.params ?? [];
    }),
  ),
];

/** The read columns without which those names have no value. */
export const columnsNeeded = (bench: Workbench, names: readonly string[]): CompiledColumn[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [];
      if (name.startsWith('value.')) return bench.named.get(name.slice('value.'.length))?.needs ?? [];
      return findColumn(bench, name)?.needs ?? [];
    }),
  ),
];

/** The column of that name; an unknown one is a lint error. */
export function columnOf(bench: Workbench, name: string, path: YamlPath): CompiledColumn | undefined {
  const column = findColumn(bench, name);
  if (column === undefined)
    bench.lint.report(path, 'mapping/unknown-column', {
      value: name,
      suggestions: suggest(name, columnNames(bench), 1),
    });
  return column;
}

/** The table of that id; an unknown one is a lint error. */
export function tableOf(bench: Workbench, id: string, path: YamlPath): CompiledTable | undefined {
  const table = bench.tables.get(id);
  if (table === undefined)
    bench.lint.report(path, 'mapping/unknown-table', {
      value: id,
      suggestions: suggest(id, bench.tables.keys(), 1),
    });
  return table;
}

export function paramOf(bench: Workbench, name: string, path: YamlPath): CompiledParam | undefined {
  const param = bench.params.get(name);
  if (param === undefined)
    bench.lint.report(path, 'mapping/unknown-param', {
      value: name,
      suggestions: suggest(name, bench.params.keys(), 1),
    });
  return param;
}
