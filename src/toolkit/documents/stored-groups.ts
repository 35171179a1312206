import { type Issue, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import type { HeadedTable, ReadableTable, ReadRecord } from '../mapping/record.js';
import { areHalves } from '../tables/fortnight.js';
import { createKeyHashes } from '../tables/key-table.js';
import { createRowStore } from '../tables/row-store.js';
import { isReadable, type KeyColumns, missingKeyIssues } from './document-keys.js';
import { plainKey, plainKeyText } from './joined-tables.js';
import { MAX_RECORDS } from './phases.js';
import { StoredRecords } from './stored-records.js';

/**
 * Sheets of a file with another sheet of the same people that is not the other half of the month: a copy, or another
 * month, would count twice.
 */
type Overlaps = ReadonlyMap<ReadableTable, ReadableTable>;

const overlap = (table: ReadableTable, other: ReadableTable): boolean =>
  table !== other &&
  table.tableIndex === other.tableIndex &&
  table.source.file === other.source.file &&
  !areHalves([table.source.sheet ?? '', other.source.sheet ?? '']);

/**
 * Reports a document with records in such sheets; a person in only one of them may be of the copy, or missing in it.
 */
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

/** Checks that equal keys are adjacent. */
export class AdjacentKeys {
  private readonly seen = createKeyHashes();
  private current: string | undefined;

  /** Returns false for a key that occurred before another one, or without a key. */
  add(text: string | undefined): boolean {
    if (text === undefined) return false;
    if (text === this.current) return true;
    this.current = text;
    return this.seen.add(text);
  }
}

const MAX_PARTIAL_KEYS = 100_000;

/** Records of a document, with reasons to make none of them. */
interface RecordGroup {
  readonly records: NonEmpty<ReadRecord>;
  readonly issues: readonly Issue[];
  /** True if the records only list people, and no sheet with amounts has any of them. */
  readonly isIdle: boolean;
}

/**
 * Records by plain key of their document, in order of first appearance; in memory, or stored. A record without key
 * holds back the documents it may belong to: those with its partial key; else the one above, if records of each
 * document are adjacent; else all.
 */
export class StoredGroups {
  private readonly store = createRowStore();
  private readonly rows = new StoredRecords();
  private source: HeadedTable | undefined;
  private apart = new AdjacentKeys();
  private areScattered = false;
  private above: string | undefined;
  /** Records without key above all others of their table. */
  private first: ReadRecord[] = [];
  /** Records without key: their number, the place of the first, and whether any document may own them. */
  private strays = 0;
  private place: Place | undefined;
  private isAnybodys = false;
  private readonly partialKeys = new Map<string, { readonly place: Place; records: number }>();
  private readonly knownParts = new Map<string, readonly boolean[]>();
  /** Records of each sheet, if the columns of a record are in several sheets. */
  private readonly sheets: Map<ReadableTable, number> | undefined;
  /** First record of each person who is only listed. */
  private readonly idlers: ReadRecord[] = [];
  /** Tables of which a document has the records of one sheet, or of two halves of a month. */
  private readonly halves: ReadonlySet<number>;

  constructor(
    mapping: LoadedMapping,
    private readonly keys: KeyColumns,
    /** Receives a record of which no document can be made. */
    private readonly refuse: (record: ReadRecord) => void,
  ) {
    if (mapping.mains.some(({ spec }) => spec.spread)) this.sheets = new Map();
    this.halves = new Set(
      mapping.mains.flatMap(({ tableIndex, spec }) => (spec.every === 'halves' ? tableIndex : [])),
    );
  }

  add(record: ReadRecord, source: HeadedTable): void {
    if (source !== this.source) this.begin(source);
    const key = plainKeyText(record.values, this.keys(record.table));
    const parts = key === undefined ? this.partsOf(record) : [];
    if (key !== undefined) this.keep(record, key);
    else if (!isReadable(record)) this.leave(record);
    else if (parts.some((part) => part !== undefined)) this.keepPart(record, parts);
    else if (this.above !== undefined) this.keepStray(record, this.above);
    else if (this.first.length < MAX_RECORDS) this.first.push(record);
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

  private keep(keyed: ReadRecord, key: string): void {
    if (!this.areScattered) this.areScattered = !this.apart.add(key);
    this.put(keyed, key);
    for (const record of this.first) this.keepStray(record, key);
    this.first = [];
    this.above = key;
  }

  private keepStray(record: ReadRecord, key: string): void {
    this.count(record);
    this.put(record, key);
  }

  private keepPart(record: ReadRecord, parts: ReturnType<StoredGroups['partsOf']>): void {
    const text = partText(parts);
    const known = this.partialKeys.get(text);
    if (known === undefined && this.partialKeys.size === MAX_PARTIAL_KEYS) {
      this.leave(record);
      return;
    }
    if (known !== undefined) known.records += 1;
    else this.partialKeys.set(text, { place: rowPlace(record.table, record.row), records: 1 });
    const which = parts.map((part) => part !== undefined);
    this.knownParts.set(which.join(), which);
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

  /** Returns the issue that holds back all documents, once all records are added. */
  finish(): Issue | undefined {
    this.begin();
    const isAny = this.isAnybodys || this.areScattered;
    return this.place !== undefined && isAny ? ownerUnknown(this.place, this.strays) : undefined;
  }

  *all(): Iterable<RecordGroup> {
    const complete = this.wholeSheets();
    const summed = this.summedSheets();
    const overlaps = this.overlaps();
    for (const { rows } of this.store.groups()) {
      const records = nonEmpty(rows.map(this.rows.recordOf));
      if (records === undefined) continue;
      const reasons = [...this.reasons(records), ...inTwoSheets(this.keys, records, overlaps)];
      // Records only in sheets that list people, while other sheets have amounts.
      const isIdle =
        reasons.length === 0 && summed.size > 0 && !records.some(({ table }) => summed.has(table));
      if (isIdle) this.idlers.push(records[0]);
      const issues = isIdle ? NO_ISSUES : [...reasons, ...this.absences(records, complete)];
      yield { records, issues, isIdle };
    }
  }

  /** Reports people who are only listed, once all groups were read. */
  idle(): readonly Issue[] {
    const [first] = this.idlers;
    if (first === undefined) return NO_ISSUES;
    const [column] = this.keys(first.table);
    const count = this.idlers.length;
    const issue = issueOf('group/idle', 'warning', { count }, placeOf(first, column));
    const value = String(first.values[column.position]);
    return [{ ...issue, value, documentKey: value }];
  }

  /** Finds overlapping sheets, if a file has sheets that are not halves of a month; reads the records once more. */
  private overlaps(): Overlaps {
    const found = new Map<ReadableTable, ReadableTable>();
    const tables = this.rows.tables.filter(({ tableIndex }) => this.halves.has(tableIndex));
    if (!tables.some((table) => tables.some((other) => overlap(table, other)))) return found;
    for (const { rows } of this.store.groups()) {
      const all = [...new Set(rows.map((stored) => this.rows.tableOf(stored)))];
      for (const table of all) {
        const other = all.find((entry) => overlap(entry, table));
        if (this.halves.has(table.tableIndex) && other !== undefined && !found.has(table))
          found.set(table, other);
      }
    }
    return found;
  }

  /** Returns the sheets with amounts, if the columns of a record are in several sheets. */
  private summedSheets(): ReadonlySet<ReadableTable> {
    const all = [...(this.sheets?.keys() ?? [])];
    return new Set(all.filter(({ present }) => present.some(({ column }) => column.take === 'sum')));
  }

  /** Returns the sheets with a record of most documents, by their columns: branches have the same sheets. */
  private wholeSheets(): ReadonlyMap<string, ReadableTable> {
    const counts = new Map<string, number>();
    const tables = [...(this.sheets ?? [])].map(([table, records]) => {
      const columns = columnsOf(table);
      counts.set(columns, (counts.get(columns) ?? 0) + records);
      return [columns, table] as const;
    });
    const least = Math.max(0, ...counts.values()) * MIN_COMPLETE_SHARE;
    return new Map(tables.filter(([columns]) => (counts.get(columns) ?? 0) >= least).reverse());
  }

  /** Reports such sheets without a record of the document. */
  private absences(
    records: NonEmpty<ReadRecord>,
    complete: ReadonlyMap<string, ReadableTable>,
  ): readonly Issue[] {
    if (complete.size === 0) return NO_ISSUES;
    const there = new Set(records.map(({ table }) => columnsOf(table)));
    const [first] = records;
    const [column] = this.keys(first.table);
    return [...complete].flatMap(([columns, { source }]) => {
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

  private reasons(records: readonly ReadRecord[]): readonly Issue[] {
    if (this.strays === 0 && this.knownParts.size === 0) return [];
    const isStray = (record: ReadRecord): boolean => this.partsOf(record).includes(undefined);
    const complete = records.find((record) => !isStray(record));
    const keyed = complete === undefined ? [] : this.partsOf(complete);
    const lacking = [...this.knownParts.values()].flatMap((which) => {
      const found = this.partialKeys.get(partText(keyed.map((part, at) => (which[at] ? part : undefined))));
      return found === undefined ? [] : ownerUnknown(found.place, found.records);
    });
    const strays = records.filter(isStray);
    return [...strays.flatMap((record) => missingKeyIssues(this.keys, record)), ...lacking];
  }

  close(): void {
    this.store.close();
  }
}

/** Min share of the records of a sheet that should have all of them. */
const MIN_COMPLETE_SHARE = 0.75;

const columnsOf = ({ present }: ReadableTable): string => present.map(({ column }) => column.id).join();

const partText = (parts: readonly unknown[]): string =>
  JSON.stringify(parts.map((part) => (part === undefined ? null : plainKey(String(part)))));

const ownerUnknown = (place: Place, records: number): Issue =>
  issueOf('join/owner-unknown', 'error', { records }, place);
