import { type Issue, issueOf, type Place } from '../core/issue.js';
import { squash } from '../core/text.js';
import type { FormulaValue } from '../formula/functions.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import {
  askingIds,
  type CompiledColumn,
  type CompiledTable,
  type HeadedTable,
  type Join,
  type JoinKey,
  joiningColumns,
  NO_RECORDS,
  type ReadableTable,
  type ReadRecord,
} from '../mapping/record.js';
import { createKeyTable } from '../tables/key-table.js';
import { createRowStore, type RowStore, type StoredRow } from '../tables/row-store.js';
import type { Row } from '../tables/table.js';
import { StoredRecords } from './stored-records.js';

const BETWEEN = '\u0000';
/** Before a key that stands in for one that was left blank. */
const INSTEAD = '\u0001';

/** Groups of records that are kept once read: a table of tariffs is asked the same few things by every document. */
const KEPT = 256;

/** Sheets or files that a sentence names. */
const FEW = 3;

/** Values as one text, all or those of some columns; undefined when one is blank. */
export function keyText(
  values: readonly FormulaValue[],
  columns?: readonly Pick<CompiledColumn, 'position'>[],
): string | undefined {
  let text = '';
  for (let at = 0; at < (columns ?? values).length; at++) {
    const value = values[columns === undefined ? at : columns[at]!.position];
    if (value === undefined || value === '') return undefined;
    text = at === 0 ? String(value) : `${text}${BETWEEN}${value}`;
  }
  return text;
}

/** Zeros before a number that is a key, or a part of one. */
const ZEROS_BEFORE = new RegExp(`(?<![^${BETWEEN}${INSTEAD}])0+(?=\\d)`, 'g');

/**
 * A key without zeros before its numbers: one sheet has them and another one not. What is found by it and writes the key otherwise is
 * somebody else's, or has it wrong; that is an error, never a match.
 */
export const plainKey = (key: string): string => key.replace(ZEROS_BEFORE, '');

/** The same, of values. */
export function plainKeyText(...given: Parameters<typeof keyText>): string | undefined {
  const text = keyText(...given);
  return text === undefined ? undefined : plainKey(text);
}

/** Every key of a record that a table is joined by, in order; undefined where a column of one is blank. */
export const keyTexts = (
  { keys }: Join,
  valuesOf: (key: JoinKey) => readonly FormulaValue[],
): readonly (string | undefined)[] =>
  keys.map((key, at) => {
    const text = keyText(valuesOf(key));
    return text === undefined || at === 0 ? text : `${INSTEAD.repeat(at)}${text}`;
  });

const keyNumber = (key: string): number => {
  let at = 0;
  while (key[at] === INSTEAD) at += 1;
  return at;
};

/** Of the keys of a table that one by which it was asked. */
export const keyAsked = ({ keys }: Join, key: string): JoinKey => keys[keyNumber(key)]!;

/** How a key is shown to people. */
export const shownKey = (key: string): string => key.slice(keyNumber(key)).replaceAll(BETWEEN, ' ');

/**
 * Whether a row of a table that documents look up is a record in the accounts of the run. A parameter is none, nor what belongs to every
 * document, nor a file that a record names.
 */
export const isRecord = ({ spec }: CompiledTable, row: Row): boolean =>
  spec.param === undefined && spec.join?.every !== true && row.file === undefined;

/** The cell by which a record belongs to documents, asked by a key; the row where it belongs to all. */
export function keyPlace(record: ReadRecord, join: Join, key: string): Place {
  const [column] = keyAsked(join, key).own;
  return column === undefined
    ? { ...rowPlace(record.table, record.row), column: 'A' }
    : placeOf(record, column);
}

/** What became of the records of a table that documents look up. */
interface JoinedCounts {
  used: number;
  skipped: number;
  heldBack: number;
  /** Keys that no document has: documents that cannot be made. */
  orphans: number;
}

/** Keys that documents asked for, and whether one of them was good; outside the heap. */
class AskedKeys {
  private readonly keys = createKeyTable();
  /** By number of the key: 1 asked for, 2 by a good document. */
  private states = new Uint8Array(1024);

  settle(key: string, good: boolean): void {
    const at = this.keys.add(key);
    if (at >= this.states.length) {
      const wider = new Uint8Array(this.states.length * 2);
      wider.set(this.states);
      this.states = wider;
    }
    if (this.states[at] !== 2) this.states[at] = good ? 2 : 1;
  }

  /** Undefined for a key that nobody asked for. */
  good(key: string): boolean | undefined {
    const at = this.keys.find(key);
    return at === undefined ? undefined : this.states[at] === 2;
  }
}

/** What was found under a key: the records of the one that asks, or why they are not. */
export interface Found {
  readonly records: readonly ReadRecord[];
  /** Records under the key that are somebody else's, that several could claim, or that write it with other zeros before it. */
  readonly refused?: {
    readonly as: 'of-another' | 'shared' | 'other-zeros';
    readonly records: readonly ReadRecord[];
  };
}

const said = (value: FormulaValue): string | undefined =>
  value === undefined ? undefined : squash(String(value));

/** Where records stand, as people call it: the sheets, else the files. */
function namesOf(sources: readonly HeadedTable[]): string {
  const names = new Set(sources.map(({ source: { sheet, file } }) => sheet ?? file));
  const few = [...names].slice(0, FEW);
  return names.size > FEW ? `${few.join(', ')}…` : few.join(', ');
}

/** Whether the key of a record, and whose it is, stands before all else of it: there, no comma too many has moved it. */
function isKeyFirst({ indexes }: ReadableTable, join: Join): boolean {
  const keys = joiningColumns(join).flatMap(({ feeders }) => feeders);
  const owners = join.whose.flatMap(({ own }) => own.feeders);
  const columns = new Set([...keys, ...owners.filter(({ position }) => indexes[position] !== undefined)]);
  const isFirst = ({ position }: CompiledColumn): boolean =>
    (indexes[position] ?? columns.size) < columns.size;
  return columns.size > 0 && [...columns].every(isFirst);
}

/** The records of one joined table by plain key, in memory or spilled. */
export class JoinedTable {
  private readonly store: RowStore = createRowStore();
  private readonly rows = new StoredRecords();
  private readonly asked = new AskedKeys();
  private readonly taken = new Map<string, readonly ReadRecord[]>();
  private readonly blankKeys: Issue[] = [];
  /** Keys, keys with who asked by them, and those that several asked by. */
  private readonly asking = { keys: createKeyTable(), pairs: createKeyTable(), several: createKeyTable() };
  /** Whether any of its keys has zeros before it. */
  private hasZeros = false;
  /** Whether it has records that do not say whose they are. */
  private isOpen = false;
  /** Records that cannot be read and say a key that is to be believed. */
  private readonly unread: RowStore = createRowStore();
  /** Those that may be anybody's: where the first is, and how many. */
  private stray: { readonly place: Place; records: number } | undefined;
  /** Whether some of its records cannot be read. */
  hasUnread = false;

  constructor(
    readonly table: CompiledTable,
    readonly join: Join,
    private readonly sources: readonly HeadedTable[],
    /** Those of the records that its own belong to. */
    private readonly mains: readonly HeadedTable[],
  ) {}

  get name(): string {
    return namesOf(this.sources);
  }

  /** Whether its records are compared with documents, and make no part of them. */
  private get isControl(): boolean {
    return this.table.spec.role === 'control';
  }

  add(record: ReadRecord): void {
    const { values, faults } = record;
    const keys = this.keysOf(record);
    const columns = joiningColumns(this.join);
    const faulty = columns.find((column) => faults?.has(column));
    const fault = faulty && faults?.get(faulty);
    if (faulty !== undefined && fault !== undefined) {
      this.blankKeys.push(issueOf(fault.code, 'error', fault.params, placeOf(record, faulty)));
      this.addStray(record);
    } else if (keys.length > 0) {
      const stored = this.rows.rowOf(record);
      for (const key of keys) this.put(key, stored);
      const [first] = this.join.whose;
      if (first !== undefined && values[first.own.position] === undefined) this.isOpen = true;
    } else {
      const blank = columns.filter(({ position }) => values[position] === undefined).slice(0, 1);
      for (const column of blank)
        this.blankKeys.push(issueOf('row/key-blank', 'error', {}, placeOf(record, column)));
      this.addStray(record);
    }
  }

  /** Puts aside a record that cannot be read, until it is known who asks by its key; false where it does not say one. */
  lose(record: ReadRecord): boolean {
    this.hasUnread = true;
    const [key] = isKeyFirst(record.table, this.join) ? this.keysOf(record) : [];
    if (key === undefined) this.addStray(record);
    else this.unread.add(plainKey(key), this.rows.rowOf(record));
    return key !== undefined;
  }

  private put(key: string, stored: StoredRow): void {
    const plain = plainKey(key);
    this.hasZeros ||= plain !== key;
    this.store.add(plain, stored);
  }

  private addStray({ table, row }: ReadRecord): void {
    this.stray ??= { place: rowPlace(table, row), records: 0 };
    this.stray.records += 1;
  }

  /** Gives the records that cannot be read to the documents that ask by their keys, and tells of the others. */
  *handOver(): Iterable<ReadRecord> {
    for (const { rows } of this.unread.groups())
      for (const stored of rows) {
        const record = this.rows.recordOf(stored);
        const keys = this.keysOf(record);
        if (keys.some((one) => this.asking.keys.find(plainKey(one)) !== undefined))
          for (const one of keys) this.put(one, stored);
        else {
          this.addStray(record);
          yield record;
        }
      }
  }

  /** Why no document may be made: any of them may lack a record, and be good without. */
  get lack(): Issue | undefined {
    const { many, missing } = this.join;
    const isNeeded = !this.isControl && (many || missing !== 'error');
    if (this.stray === undefined || !isNeeded) return undefined;
    return issueOf('join/owner-unknown', 'error', { records: this.stray.records }, this.stray.place);
  }

  /** The keys of which a record fills all columns. */
  keysOf({ values }: ReadRecord): readonly string[] {
    const texts = keyTexts(this.join, ({ own }) => own.map(({ position }) => values[position]));
    return texts.filter((text) => text !== undefined);
  }

  take(key: string | undefined): readonly ReadRecord[] {
    if (key === undefined) return NO_RECORDS;
    let records = this.taken.get(key);
    if (records === undefined) {
      records = this.store.take(plainKey(key)).map(this.rows.recordOf);
      if (this.taken.size < KEPT) this.taken.set(key, records);
    }
    return records;
  }

  /** Whether it must be known who asks, before records are given to anybody. */
  get isForeseeing(): boolean {
    return this.isOpen || this.unread.rows > 0;
  }

  /** The columns by which documents ask, and that say who asks. */
  get ids(): readonly string[] {
    const { join } = this;
    return [...askingIds(join), ...join.whose.map(({ theirs }) => theirs)];
  }

  /** Notes who will ask by a key; needed where records do not say whose they are, so that one is never shared unseen. */
  expect({ values }: ReadRecord, { columns }: CompiledTable): void {
    const valuesOf = (ids: readonly string[]): readonly FormulaValue[] =>
      ids.flatMap((id) => columns.get(id) ?? []).map(({ position }) => values[position]);
    const join = this.join;
    const text = keyTexts(join, ({ theirs }) => valuesOf(theirs)).find((one) => one !== undefined);
    if (text === undefined) return;
    const key = plainKey(text);
    const { keys, pairs, several } = this.asking;
    const before = pairs.size;
    const who = valuesOf(join.whose.map(({ theirs }) => theirs));
    pairs.add([key, ...who.map((value) => said(value) ?? '')].join(BETWEEN));
    if (pairs.size === before) return;
    const known = keys.size;
    keys.add(key);
    if (keys.size === known) several.add(key);
  }

  /** The records under a key that are of whom asks; none where one of them writes it with other zeros before it. */
  find(key: string | undefined, who: readonly FormulaValue[]): Found {
    const found = this.findOwn(key, who);
    if (key === undefined || (!this.hasZeros && plainKey(key) === key)) return found;
    const others = found.records.filter((record) => !this.keysOf(record).includes(key));
    return others.length === 0
      ? found
      : { records: NO_RECORDS, refused: { as: 'other-zeros', records: others } };
  }

  /** Those that say so, else those that say nothing where nobody else asks. */
  private findOwn(key: string | undefined, who: readonly FormulaValue[]): Found {
    const all = this.take(key);
    const { whose } = this.join;
    const [owner] = whose;
    if (key === undefined || owner === undefined || all.length === 0) return { records: all };
    const theirs = all.filter(({ values }) =>
      whose.every(({ own }, index) => {
        const owner = said(values[own.position]);
        return owner === undefined || owner === said(who[index]);
      }),
    );
    if (theirs.length === 0) return { records: theirs, refused: { as: 'of-another', records: all } };
    const named = theirs.filter(({ values }) => values[owner.own.position] !== undefined);
    if (named.length > 0) return { records: named };
    if (this.asking.several.find(plainKey(key)) === undefined) return { records: theirs };
    return { records: NO_RECORDS, refused: { as: 'shared', records: theirs } };
  }

  /** Tells whether a document that asked for the key, and took those records, was good. */
  settle(key: string | undefined, records: readonly ReadRecord[], good: boolean): void {
    if (key === undefined) return;
    if (this.join.whose.length === 0) this.asked.settle(plainKey(key), good);
    else for (const record of records) this.asked.settle(this.ownerOf(key, record), good);
  }

  private ownerOf(key: string, { values }: ReadRecord): string {
    const owners = this.join.whose.map(({ own }) => said(values[own.position]) ?? '');
    return [plainKey(key), ...owners].join(BETWEEN);
  }

  /** Records that are asked for together: those of a key, or one by each of its keys and its owner. */
  private *parts(): Iterable<{
    readonly key: string;
    readonly asked: readonly string[];
    readonly rows: readonly StoredRow[];
  }> {
    const { keys, whose } = this.join;
    for (const { key, rows } of this.store.groups()) {
      if (keys.length === 1 && whose.length === 0) {
        yield { key, asked: [key], rows };
        continue;
      }
      for (const one of rows) {
        const record = this.rows.recordOf(one);
        const all = this.keysOf(record);
        const [first] = all;
        if (first !== undefined && plainKey(first) === key)
          yield { key, asked: all.map((each) => this.ownerOf(each, record)), rows: [one] };
      }
    }
  }

  /** Whether a good document asked by one of the keys; undefined when none did. */
  private wasGood(asked: readonly string[]): boolean | undefined {
    const found = asked.map((key) => this.asked.good(key));
    return found.find((good) => good) ?? found.find((good) => good !== undefined);
  }

  /** Orphans, and what became of every record; call it when all documents are made. */
  finish(): { issues: Issue[]; skipped: Place[]; counts: JoinedCounts } {
    const counts: JoinedCounts = {
      used: 0,
      skipped: 0,
      heldBack: this.blankKeys.length,
      orphans: this.isControl ? 0 : this.blankKeys.length,
    };
    const issues = [...this.blankKeys];
    const skipped: Place[] = [];
    const { orphan } = this.join;
    for (const { key, asked, rows } of this.parts()) {
      const good = this.wasGood(asked);
      const records = rows.filter(({ row }) => isRecord(this.table, row));
      if (this.isControl) counts.skipped += records.length;
      else if (good !== undefined) counts[good ? 'used' : 'heldBack'] += records.length;
      else if (orphan === 'error') {
        counts.heldBack += records.length;
        if (records.length > 0) counts.orphans += 1;
      } else {
        counts.skipped += records.length;
        skipped.push(...records.map((stored) => rowPlace(this.rows.tableOf(stored), stored.row)));
      }
      if (good !== undefined || orphan === 'ignore') continue;
      for (const stored of rows) {
        const { row } = stored;
        const record = this.rows.recordOf(stored);
        const [first = ''] = this.keysOf(record);
        const shown = shownKey(first);
        const about = {
          level: orphan,
          place: keyPlace(record, this.join, key),
          value: shown,
        };
        const params = { table: namesOf(this.mains) };
        if (this.isControl) issues.push({ code: 'join/only-listed', params, ...about });
        else if (row.file === undefined)
          issues.push({ code: 'join/orphan', params, ...about, documentKey: shown });
        else issues.push({ code: 'join/file-unlisted', params: {}, ...about, documentKey: shown });
      }
    }
    return { issues, skipped, counts };
  }

  close(): void {
    this.store.close();
    this.unread.close();
  }
}

/** The joined tables of a mapping that the files have, still empty. */
export function joinedTablesOf(
  { tables, mains }: LoadedMapping,
  located: readonly HeadedTable[],
): JoinedTable[] {
  const of = (owners: readonly CompiledTable[]): readonly HeadedTable[] =>
    located.filter(({ slot }) => owners.some((table) => table.slot === slot));
  return [...tables.values()].flatMap((table) => {
    const sources = of([table]);
    return table.join === undefined || sources.length === 0
      ? []
      : new JoinedTable(table, table.join, sources, of(mains));
  });
}
