import { type Issue, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import type { HeadedTable, ReadableTable, ReadRecord } from '../mapping/record.js';
import { areHalves } from '../tables/fortnight.js';
import { createKeyHashes } from '../tables/key-table.js';
import { createRowStore } from '../tables/row-store.js';
import { isReadable, type KeyColumns, whyKeyless } from './document-keys.js';
import { plainKey, plainKeyText } from './joined-tables.js';
import { MOST_RECORDS } from './phases.js';
import { StoredRecords } from './stored-records.js';

/** Sheets of a file, each with another that has people of it and is no half of the same month: a copy, or another month, would count twice. */
type Overlaps = ReadonlyMap<ReadableTable, ReadableTable>;

const overlap = (one: ReadableTable, other: ReadableTable): boolean =>
  one !== other &&
  one.slot === other.slot &&
  one.source.file === other.source.file &&
  !areHalves([one.source.sheet ?? '', other.source.sheet ?? '']);

/** Of a document with records in such sheets; who is in one of them alone may be of the copy, or gone from it. */
function inTwoSheets(keys: KeyColumns, records: readonly ReadRecord[], overlaps: Overlaps): readonly Issue[] {
  const first = records.find(({ table }) => overlaps.has(table));
  if (first === undefined) return NO_ISSUES;
  const other = records.find(({ table }) => overlap(table, first.table));
  const [column] = keys(first.table);
  const { file, sheet = file } = (
    (other === undefined ? overlaps.get(first.table) : undefined) ?? first.table
  ).source;
  const code = other === undefined ? 'group/beside-copy' : 'group/in-two-sheets';
  const record = other ?? first;
  const issue = issueOf(code, 'error', { sheet }, placeOf(record, column));
  const value = String(record.values[column.position]);
  return [{ ...issue, value, ...(other && { related: [placeOf(first, column)] }) }];
}

/** Whether the same keys stand together. */
export class AdjacentKeys {
  private readonly seen = createKeyHashes();
  private current: string | undefined;

  /** False for a key that was there before another one, and for none. */
  add(text: string | undefined): boolean {
    if (text === undefined) return false;
    if (text === this.current) return true;
    this.current = text;
    return this.seen.add(text);
  }
}

/** Records that say the same part of a key. */
interface Partly {
  readonly place: Place;
  records: number;
}

/** So many are told apart. */
const MOST_PARTLY = 100_000;

/** The records of a document, and why none is to be made of them. */
interface RecordGroup {
  readonly records: NonEmpty<ReadRecord>;
  readonly why: readonly Issue[];
  /** They say who there is, and no sheet with amounts that add up has anything of them. */
  readonly isIdle: boolean;
}

/**
 * Records by the plain key of their document, in order of first appearance; in memory, or spilled. One that does not say its document holds back
 * those that may lack it: all that have what it says of the key; else the one above it, where the records of each document stand together; else all.
 */
export class StoredGroups {
  private readonly store = createRowStore();
  private readonly rows = new StoredRecords();
  private source: HeadedTable | undefined;
  private apart = new AdjacentKeys();
  private areScattered = false;
  private above: string | undefined;
  /** Those that say nothing, and stand above all others of their table. */
  private first: ReadRecord[] = [];
  /** Those that say nothing: how many, where the first is, and whether no document is known that may be theirs. */
  private strays = 0;
  private place: Place | undefined;
  private isAnybodys = false;
  private readonly partly = new Map<string, Partly>();
  /** Which parts those say. */
  private readonly said = new Map<string, readonly boolean[]>();
  /** Where the columns of a record stand in several sheets: how many records each has. */
  private readonly sheets: Map<ReadableTable, number> | undefined;
  /** The first record of each person who is in a list alone. */
  private readonly idlers: ReadRecord[] = [];
  /** Tables of which a document has the records of one sheet, or of two halves of a month. */
  private readonly halves: ReadonlySet<number>;

  constructor(
    mapping: LoadedMapping,
    private readonly keys: KeyColumns,
    /** Called with a record of which no document can be made. */
    private readonly refuse: (record: ReadRecord) => void,
  ) {
    if (mapping.mains.some(({ spec }) => spec.spread)) this.sheets = new Map();
    this.halves = new Set(mapping.mains.flatMap(({ slot, spec }) => (spec.every === 'halves' ? slot : [])));
  }

  add(record: ReadRecord, source: HeadedTable): void {
    if (source !== this.source) this.begin(source);
    const key = plainKeyText(record.values, this.keys(record.table));
    const parts = key === undefined ? this.partsOf(record) : [];
    if (key !== undefined) this.keep(record, key);
    else if (!isReadable(record)) this.leave(record);
    else if (parts.some((part) => part !== undefined)) this.keepPart(record, parts);
    else if (this.above !== undefined) this.keepStray(record, this.above);
    else if (this.first.length < MOST_RECORDS) this.first.push(record);
    else this.leave(record);
  }

  private partsOf({ table, values }: ReadRecord) {
    return this.keys(table).map(({ position }) => values[position] || undefined);
  }

  private begin(source?: HeadedTable): void {
    for (const record of this.first) this.leave(record);
    this.first = [];
    this.source = source;
    this.apart = new AdjacentKeys();
    this.above = undefined;
  }

  private put(record: ReadRecord, key: string): void {
    const { table } = record;
    this.store.add(key, this.rows.rowOf(record));
    this.sheets?.set(table, (this.sheets.get(table) ?? 0) + 1);
  }

  private keep(record: ReadRecord, key: string): void {
    if (!this.areScattered) this.areScattered = !this.apart.add(key);
    this.put(record, key);
    for (const one of this.first) this.keepStray(one, key);
    this.first = [];
    this.above = key;
  }

  private keepStray(record: ReadRecord, key: string): void {
    this.count(record);
    this.put(record, key);
  }

  private keepPart(record: ReadRecord, parts: ReturnType<StoredGroups['partsOf']>): void {
    const text = partText(parts);
    const known = this.partly.get(text);
    if (known === undefined && this.partly.size === MOST_PARTLY) {
      this.leave(record);
      return;
    }
    if (known !== undefined) known.records += 1;
    else this.partly.set(text, { place: rowPlace(record.table, record.row), records: 1 });
    const which = parts.map((part) => part !== undefined);
    this.said.set(which.join(), which);
    this.refuse(record);
  }

  private leave(record: ReadRecord): void {
    this.count(record);
    this.isAnybodys = true;
    this.refuse(record);
  }

  private count({ table, row }: ReadRecord): void {
    this.place ??= rowPlace(table, row);
    this.strays += 1;
  }

  /** Once all records are there: why no document is to be made at all. */
  finish(): Issue | undefined {
    this.begin();
    const isAny = this.isAnybodys || this.areScattered;
    return this.place !== undefined && isAny ? ownerUnknown(this.place, this.strays) : undefined;
  }

  *all(): Iterable<RecordGroup> {
    const whole = this.wholeSheets();
    const summed = this.summedSheets();
    const overlaps = this.overlaps();
    for (const { rows } of this.store.groups()) {
      const records = nonEmpty(rows.map(this.rows.recordOf));
      if (records === undefined) continue;
      const reasons = [...this.why(records), ...inTwoSheets(this.keys, records, overlaps)];
      // They are of sheets alone that say who there is, where others have what adds up in a month.
      const isIdle =
        reasons.length === 0 && summed.size > 0 && !records.some(({ table }) => summed.has(table));
      if (isIdle) this.idlers.push(records[0]);
      yield { records, why: isIdle ? NO_ISSUES : [...reasons, ...this.absences(records, whole)], isIdle };
    }
  }

  /** Who is in such sheets alone, once all records were given. */
  idle(): readonly Issue[] {
    const [first] = this.idlers;
    if (first === undefined) return NO_ISSUES;
    const [column] = this.keys(first.table);
    const count = this.idlers.length;
    const issue = issueOf('group/idle', 'warning', { count }, placeOf(first, column));
    const value = String(first.values[column.position]);
    return [{ ...issue, value, documentKey: value }];
  }

  /** Looked for where a file has sheets that are no halves of each other: records are read once more for it. */
  private overlaps(): Overlaps {
    const found = new Map<ReadableTable, ReadableTable>();
    const tables = this.rows.tables.filter(({ slot }) => this.halves.has(slot));
    if (!tables.some((one) => tables.some((other) => overlap(one, other)))) return found;
    for (const { rows } of this.store.groups()) {
      const all = [...new Set(rows.map((stored) => this.rows.tableOf(stored)))];
      for (const table of all) {
        const other = all.find((one) => overlap(one, table));
        if (this.halves.has(table.slot) && other !== undefined && !found.has(table)) found.set(table, other);
      }
    }
    return found;
  }

  /** Of the sheets in which the columns of a record stand, those with amounts that add up. */
  private summedSheets(): ReadonlySet<ReadableTable> {
    const all = [...(this.sheets?.keys() ?? [])];
    return new Set(all.filter(({ present }) => present.some(({ column }) => column.take === 'sum')));
  }

  /** The sheets that have a record of most documents, by their columns: branches have the same sheets each. */
  private wholeSheets(): ReadonlyMap<string, ReadableTable> {
    const counts = new Map<string, number>();
    const tables = [...(this.sheets ?? [])].map(([table, records]) => {
      const columns = columnsOf(table);
      counts.set(columns, (counts.get(columns) ?? 0) + records);
      return [columns, table] as const;
    });
    const most = Math.max(0, ...counts.values());
    return new Map(tables.filter(([columns]) => counts.get(columns)! >= most * MOST).reverse());
  }

  /** Those of such sheets that lack a record of the document. */
  private absences(
    records: NonEmpty<ReadRecord>,
    whole: ReadonlyMap<string, ReadableTable>,
  ): readonly Issue[] {
    if (whole.size === 0) return NO_ISSUES;
    const there = new Set(records.map(({ table }) => columnsOf(table)));
    const [first] = records;
    const [column] = this.keys(first.table);
    return [...whole].flatMap(([columns, { source }]) => {
      if (there.has(columns)) return [];
      const issue = issueOf(
        'group/absent',
        'error',
        { sheet: source.sheet ?? source.file },
        placeOf(first, column),
      );
      return { ...issue, value: String(first.values[column.position]) };
    });
  }

  private why(records: readonly ReadRecord[]): readonly Issue[] {
    if (this.strays === 0 && this.said.size === 0) return [];
    const isStray = (record: ReadRecord): boolean => this.partsOf(record).includes(undefined);
    const own = records.find((record) => !isStray(record));
    const keyed = own === undefined ? [] : this.partsOf(own);
    const lacking = [...this.said.values()].flatMap((which) => {
      const found = this.partly.get(partText(keyed.map((part, at) => (which[at] ? part : undefined))));
      return found === undefined ? [] : ownerUnknown(found.place, found.records);
    });
    return [...records.filter(isStray).flatMap((one) => whyKeyless(this.keys, one)), ...lacking];
  }

  close(): void {
    this.store.close();
  }
}

/** A sheet that has such a share of the records has all of them. */
const MOST = 0.75;

const columnsOf = ({ present }: ReadableTable): string => present.map(({ column }) => column.id).join();

const partText = (parts: readonly unknown[]): string =>
  JSON.stringify(parts.map((part) => (part === undefined ? null : plainKey(String(part)))));

const ownerUnknown = (place: Place, records: number): Issue =>
  issueOf('join/owner-unknown', 'error', { records }, place);
