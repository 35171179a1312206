import { type Issue, issueOf, type Place } from '../core/issue.js';
import { unreachable } from '../core/required.js';
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
import { createKeyTable, widened } from '../tables/key-table.js';
import { createRowStore, type RowStore, type StoredRow } from '../tables/row-store.js';
import type { Row } from '../tables/table.js';
import { StoredRecords } from './stored-records.js';

const SEPARATOR = '\u0000';
/** Prefix of a key that replaces a blank one. */
const ALTERNATIVE = '\u0001';

/** Max cached groups of records: every document looks up the same few entries of a tariff table. */
const MAX_CACHED_GROUPS = 256;

/** Max sheets or files in a message. */
const MAX_LISTED_SOURCES = 3;

/** Joins values, all or of some columns, to a text; undefined if one is blank. */
export function keyText(
  values: readonly FormulaValue[],
  columns?: readonly Pick<CompiledColumn, 'position'>[],
): string | undefined {
  let text = '';
  for (let at = 0; at < (columns ?? values).length; at++) {
    const value = values[columns?.[at]?.position ?? at];
    if (value === undefined || value === '') return undefined;
    text = at === 0 ? String(value) : `${text}${SEPARATOR}${value}`;
  }
  return text;
}

/** Leading zeros of a number that is a key or part of one. */
const ZEROS_BEFORE = new RegExp(`(?<![^${SEPARATOR}${ALTERNATIVE}])0+(?=\\d)`, 'g');

/**
 * Removes leading zeros from the numbers of a key, which some sheets omit. A record found this way with different zeros
 * is wrong or belongs to another document: an error, never a match.
 */
export const plainKey = (key: string): string => key.replace(ZEROS_BEFORE, '');

/** Joins values like `keyText`, without leading zeros. */
export function plainKeyText(...given: Parameters<typeof keyText>): string | undefined {
  const text = keyText(...given);
  return text === undefined ? undefined : plainKey(text);
}

/** Returns the keys of a record by which a table is joined, in order; undefined for one with a blank column. */
export const keyTexts = (
  { keys }: Join,
  valuesOf: (key: JoinKey) => readonly FormulaValue[],
): readonly (string | undefined)[] =>
  keys.map((key, at) => {
    const text = keyText(valuesOf(key));
    return text === undefined || at === 0 ? text : `${ALTERNATIVE.repeat(at)}${text}`;
  });

const keyNumber = (key: string): number => {
  let at = 0;
  while (key[at] === ALTERNATIVE) at += 1;
  return at;
};

/** Returns the join key that a key text belongs to. */
export const keyAsked = ({ keys }: Join, key: string): JoinKey =>
  keys[keyNumber(key)] ?? unreachable(`key ${key}`);

/** Formats a key for users. */
export const shownKey = (key: string): string => key.slice(keyNumber(key)).replaceAll(SEPARATOR, ' ');

/**
 * True if a row of a joined table counts as a record of the run. Parameters, tables of every document, and files named
 * by a record do not.
 */
export const isRecord = ({ spec }: CompiledTable, row: Row): boolean =>
  spec.param === undefined && spec.join?.every !== true && row.file === undefined;

/** Returns the cell of the key of a joined record, or its row if it belongs to all documents. */
export function keyPlace(record: ReadRecord, join: Join, key: string): Place {
  const [column] = keyAsked(join, key).columns;
  return column === undefined
    ? { ...rowPlace(record.table, record.row), column: 'A' }
    : placeOf(record, column);
}

/** Counts of the records of a joined table. */
interface JoinedCounts {
  used: number;
  skipped: number;
  heldBack: number;
  /** Keys without a document. */
  orphans: number;
}

/** Requested keys, and whether a good document requested them; outside the heap. */
class AskedKeys {
  private readonly keys = createKeyTable();
  /** State by number of the key: 1 requested, 2 requested by a good document. */
  private states = new Uint8Array(1024);

  settle(key: string, good: boolean): void {
    const at = this.keys.add(key);
    this.states = widened(this.states, at + 1);
    if (this.states[at] !== 2) this.states[at] = good ? 2 : 1;
  }

  /** Returns whether a good document requested the key; undefined if none did. */
  good(key: string): boolean | undefined {
    const at = this.keys.find(key);
    return at === undefined ? undefined : this.states[at] === 2;
  }
}

/** Records of a key that belong to the requester, or the reason that there are none. */
export interface OwnedRecords {
  readonly records: readonly ReadRecord[];
  /** Records of the key that belong to another document, that several may claim, or that differ in leading zeros. */
  readonly refused?: {
    readonly as: 'of-another' | 'shared' | 'other-zeros';
    readonly records: readonly ReadRecord[];
  };
}

const folded = (value: FormulaValue): string | undefined =>
  value === undefined ? undefined : squash(String(value));

/** Formats the names of sheets, else of files. */
function namesOf(sources: readonly HeadedTable[]): string {
  const names = new Set(sources.map(({ source: { sheet, file } }) => sheet ?? file));
  const listed = [...names].slice(0, MAX_LISTED_SOURCES).join(', ');
  return names.size > MAX_LISTED_SOURCES ? `${listed}…` : listed;
}

/** True if key and owner precede all other columns, so that an extra comma cannot have shifted them. */
function isKeyFirst({ indexes }: ReadableTable, join: Join): boolean {
  const keys = joiningColumns(join).flatMap(({ feeders }) => feeders);
  const owners = join.whose.flatMap(({ column }) => column.feeders);
  const columns = new Set([...keys, ...owners.filter(({ position }) => indexes[position] !== undefined)]);
  const isFirst = ({ position }: CompiledColumn): boolean =>
    (indexes[position] ?? columns.size) < columns.size;
  return columns.size > 0 && [...columns].every(isFirst);
}

/** Records of one joined table by plain key, in memory or stored. */
export class JoinedTable {
  private readonly store: RowStore = createRowStore();
  private readonly rows = new StoredRecords();
  private readonly asked = new AskedKeys();
  private readonly taken = new Map<string, readonly ReadRecord[]>();
  private readonly blankKeys: Issue[] = [];
  /** Keys, keys with their requesters, and keys with several requesters. */
  private readonly asking = { keys: createKeyTable(), pairs: createKeyTable(), several: createKeyTable() };
  /** True if a key has leading zeros. */
  private hasZeros = false;
  /** True if a record does not name its owner. */
  private isOpen = false;
  /** Unreadable records with a trustworthy key. */
  private readonly unread: RowStore = createRowStore();
  /** Records of unknown owner: place of the first, and number. */
  private stray: { readonly place: Place; records: number } | undefined;
  /** True if some records are unreadable. */
  hasUnread = false;

  constructor(
    readonly table: CompiledTable,
    readonly join: Join,
    private readonly sources: readonly HeadedTable[],
    /** Located main tables, to whose records its own belong. */
    private readonly mains: readonly HeadedTable[],
  ) {}

  get name(): string {
    return namesOf(this.sources);
  }

  /** True if its records are only compared with documents. */
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
      if (first !== undefined && values[first.column.position] === undefined) this.isOpen = true;
    } else {
      const blank = columns.filter(({ position }) => values[position] === undefined).slice(0, 1);
      for (const column of blank)
        this.blankKeys.push(issueOf('row/key-blank', 'error', {}, placeOf(record, column)));
      this.addStray(record);
    }
  }

  /** Stores an unreadable record until the requesters of its key are known; false if it has no key. */
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

  /** Adds unreadable records to the documents that request their keys, and yields the others. */
  *handOver(): Iterable<ReadRecord> {
    for (const { rows } of this.unread.groups())
      for (const stored of rows) {
        const record = this.rows.recordOf(stored);
        const keys = this.keysOf(record);
        if (keys.some((key) => this.asking.keys.find(plainKey(key)) !== undefined))
          for (const key of keys) this.put(key, stored);
        else {
          this.addStray(record);
          yield record;
        }
      }
  }

  /** Issue that holds back all documents: any of them may lack a record. */
  get lack(): Issue | undefined {
    const { many, missing } = this.join;
    const isNeeded = !this.isControl && (many || missing !== 'error');
    if (this.stray === undefined || !isNeeded) return undefined;
    return issueOf('join/owner-unknown', 'error', { records: this.stray.records }, this.stray.place);
  }

  keysOf({ values }: ReadRecord): readonly string[] {
    const texts = keyTexts(this.join, ({ columns }) => columns.map(({ position }) => values[position]));
    return texts.filter((text) => text !== undefined);
  }

  take(key: string | undefined): readonly ReadRecord[] {
    if (key === undefined) return NO_RECORDS;
    let records = this.taken.get(key);
    if (records === undefined) {
      records = this.store.take(plainKey(key)).map(this.rows.recordOf);
      if (this.taken.size < MAX_CACHED_GROUPS) this.taken.set(key, records);
    }
    return records;
  }

  /** True if requesters must be known before records are given out. */
  get isForeseeing(): boolean {
    return this.isOpen || this.unread.rows > 0;
  }

  /** Ids of the columns of lookup keys and owners. */
  get ids(): readonly string[] {
    const { join } = this;
    return [...askingIds(join), ...join.whose.map(({ primary }) => primary)];
  }

  /** Notes the requester of a key, to detect sharing of records that do not name their owner. */
  expect({ values }: ReadRecord, { columns }: CompiledTable): void {
    const valuesOf = (ids: readonly string[]): readonly FormulaValue[] =>
      ids.flatMap((id) => columns.get(id) ?? []).map(({ position }) => values[position]);
    const join = this.join;
    const text = keyTexts(join, ({ primary }) => valuesOf(primary)).find((key) => key !== undefined);
    if (text === undefined) return;
    const key = plainKey(text);
    const { keys, pairs, several } = this.asking;
    const before = pairs.size;
    const who = valuesOf(join.whose.map(({ primary }) => primary));
    pairs.add([key, ...who.map((value) => folded(value) ?? '')].join(SEPARATOR));
    if (pairs.size === before) return;
    const known = keys.size;
    keys.add(key);
    if (keys.size === known) several.add(key);
  }

  /** Returns the records of a key that belong to the requester; none if one differs in leading zeros. */
  find(key: string | undefined, who: readonly FormulaValue[]): OwnedRecords {
    const found = this.findOwn(key, who);
    if (key === undefined || (!this.hasZeros && plainKey(key) === key)) return found;
    const others = found.records.filter((record) => !this.keysOf(record).includes(key));
    return others.length === 0
      ? found
      : { records: NO_RECORDS, refused: { as: 'other-zeros', records: others } };
  }

  /** Returns the records that name the requester, else those without owner if no other one requests them. */
  private findOwn(key: string | undefined, who: readonly FormulaValue[]): OwnedRecords {
    const all = this.take(key);
    const { whose } = this.join;
    const [owner] = whose;
    if (key === undefined || owner === undefined || all.length === 0) return { records: all };
    const candidates = all.filter(({ values }) =>
      whose.every(({ column }, index) => {
        const owner = folded(values[column.position]);
        return owner === undefined || owner === folded(who[index]);
      }),
    );
    if (candidates.length === 0) return { records: candidates, refused: { as: 'of-another', records: all } };
    const withOwner = candidates.filter(({ values }) => values[owner.column.position] !== undefined);
    if (withOwner.length > 0) return { records: withOwner };
    if (this.asking.several.find(plainKey(key)) === undefined) return { records: candidates };
    return { records: NO_RECORDS, refused: { as: 'shared', records: candidates } };
  }

  /** Records whether a document that requested a key, and received these records, was good. */
  settle(key: string | undefined, records: readonly ReadRecord[], good: boolean): void {
    if (key === undefined) return;
    if (this.join.whose.length === 0) this.asked.settle(plainKey(key), good);
    else for (const record of records) this.asked.settle(this.ownerOf(key, record), good);
  }

  private ownerOf(key: string, { values }: ReadRecord): string {
    const owners = this.join.whose.map(({ column }) => folded(values[column.position]) ?? '');
    return [plainKey(key), ...owners].join(SEPARATOR);
  }

  /**
   * Yields records that are requested together: those of a key, or single ones by each of their keys and their owner.
   */
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
      for (const stored of rows) {
        const record = this.rows.recordOf(stored);
        const all = this.keysOf(record);
        const [first] = all;
        if (first !== undefined && plainKey(first) === key)
          yield { key, asked: all.map((each) => this.ownerOf(each, record)), rows: [stored] };
      }
    }
  }

  /** Returns whether a good document requested one of the keys; undefined if none did. */
  private wasGood(asked: readonly string[]): boolean | undefined {
    const found = asked.map((key) => this.asked.good(key));
    return found.find((good) => good) ?? found.find((good) => good !== undefined);
  }

  /** Returns orphans and the counts of all records; call it when all documents are made. */
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

/** Creates the joined tables of a mapping that the files have, still empty. */
export function joinedTablesOf(
  { tables, mains }: LoadedMapping,
  located: readonly HeadedTable[],
): JoinedTable[] {
  const of = (owners: readonly CompiledTable[]): readonly HeadedTable[] =>
    located.filter(({ tableIndex }) => owners.some((table) => table.tableIndex === tableIndex));
  return [...tables.values()].flatMap((table) => {
    const sources = of([table]);
    return table.join === undefined || sources.length === 0
      ? []
      : new JoinedTable(table, table.join, sources, of(mains));
  });
}
