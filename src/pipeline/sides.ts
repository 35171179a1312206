import type { FormulaValue } from '../formula/functions.js';
import type { Issue, Place } from '../issues/issue.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type LocatedTable, placeOf, type ReadRecord, readRecord, rowPlace } from '../mapping/record.js';
import type { CompiledTable } from '../mapping/tables.js';
import { createKeyTable } from '../source/key-table.js';
import { createRowStore, type RowStore } from '../source/row-store.js';

const BETWEEN = '\u0000';
/** Groups of records that are kept once read: a table of tariffs is asked the same few things by every document. */
const KEPT = 256;
const NO_RECORDS: readonly ReadRecord[] = [];

/** Values of key columns as one text; undefined when one is blank. */
export function keyText(values: readonly FormulaValue[]): string | undefined {
  let text = '';
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value === undefined || value === '') return undefined;
    text = at === 0 ? String(value) : `${text}${BETWEEN}${value}`;
  }
  return text;
}

/** How a key is shown to people. */
export const shownKey = (key: string): string => (key.includes(BETWEEN) ? key.replaceAll(BETWEEN, ' ') : key);

/** What became of the records of a table that documents look up. */
export interface SideCounts {
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

/** The records of one joined table by key, in memory or spilled. */
export class Side {
  private readonly store: RowStore = createRowStore();
  private readonly located: LocatedTable[] = [];
  private readonly asked = new AskedKeys();
  private readonly taken = new Map<string, readonly ReadRecord[]>();
  private readonly blankKeys: Issue[] = [];

  constructor(readonly table: CompiledTable) {}

  add(record: ReadRecord): void {
    const { table, row } = record;
    const key = this.keyOf(record);
    if (!this.located.includes(table)) this.located.push(table);
    if (key !== undefined) this.store.add(key, { table: this.located.indexOf(table), row });
    else {
      const column = this.table.join!.own.find(({ position }) => record.values[position] === undefined)!;
      if (record.faults?.has(column)) this.blankKeys.push(faultOfKey(record, column));
      else
        this.blankKeys.push({
          code: 'row/key-blank',
          level: 'error',
          params: {},
          place: placeOf(record, column),
        });
    }
  }

  private keyOf({ values }: ReadRecord): string | undefined {
    return keyText(this.table.join!.own.map(({ position }) => values[position]));
  }

  take(key: string | undefined): readonly ReadRecord[] {
    if (key === undefined) return NO_RECORDS;
    let records = this.taken.get(key);
    if (records === undefined) {
      records = this.store.take(key).map(({ table, row }) => readRecord(this.located[table]!, row));
      if (this.taken.size < KEPT) this.taken.set(key, records);
    }
    return records;
  }

  /** Tells whether a document that asked for the key was good. */
  settle(key: string | undefined, good: boolean): void {
    if (key !== undefined) this.asked.settle(key, good);
  }

  /** Orphans, and what became of every record; call it when all documents are made. */
  finish(): { issues: Issue[]; skipped: Place[]; counts: SideCounts } {
    const counts: SideCounts = {
      used: 0,
      skipped: 0,
      heldBack: this.blankKeys.length,
      orphans: this.blankKeys.length,
    };
    const issues = [...this.blankKeys];
    const skipped: Place[] = [];
    const { orphan } = this.table.join!;
    for (const { key, rows } of this.store.groups()) {
      const good = this.asked.good(key);
      if (good !== undefined) counts[good ? 'used' : 'heldBack'] += rows.length;
      else if (orphan === 'error') {
        counts.heldBack += rows.length;
        counts.orphans += 1;
      } else {
        counts.skipped += rows.length;
        skipped.push(...rows.map(({ table, row }) => rowPlace(this.located[table]!, row)));
      }
      if (good !== undefined || orphan === 'ignore') continue;
      for (const { table, row } of rows) {
        const record = readRecord(this.located[table]!, row);
        const [column] = this.table.join!.own;
        issues.push({
          code: 'join/orphan',
          level: orphan,
          params: {},
          place: placeOf(record, column!),
          value: shownKey(key),
          documentKey: shownKey(key),
        });
      }
    }
    return { issues, skipped, counts };
  }

  close(): void {
    this.store.close();
  }
}

function faultOfKey(record: ReadRecord, column: Parameters<typeof placeOf>[1]): Issue {
  const { code, params } = record.faults!.get(column)!;
  return { code, level: 'error', params, place: placeOf(record, column) };
}

/** The joined tables of a mapping that the files have, still empty. */
export const createSides = ({ tables }: LoadedMapping, located: readonly LocatedTable[]): Side[] =>
  [...tables.values()]
    .filter(({ join, slot }) => join !== undefined && located.some((one) => one.slot === slot))
    .map((table) => new Side(table));
