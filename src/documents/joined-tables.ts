import { type Issue, issueOf, type Place } from '../core/issue.js';
import { squash } from '../core/text.js';
import type { FormulaValue } from '../formula/functions.js';
import type { LoadedMapping } from '../mapping/load.js';
import {
  type CompiledTable,
  type Join,
  type LocatedTable,
  placeOf,
  type ReadRecord,
  readRecord,
  rowPlace,
} from '../mapping/record.js';
import { createKeyTable } from '../tables/key-table.js';
import { createRowStore, type RowStore, type StoredRow } from '../tables/row-store.js';
import type { Row } from '../tables/table.js';

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

/**
 * Whether a row of a table that documents look up is a record in the accounts of the run. A parameter is none, nor what belongs to every
 * document, nor a file that a record names.
 */
export const isRecord = ({ spec }: CompiledTable, row: Row): boolean =>
  spec.param === undefined && spec.join?.every !== true && row.file === undefined;

/** The cell by which a record belongs to documents; the row where it belongs to all. */
export function keyPlace(record: ReadRecord, { own }: Join): Place {
  const [column] = own;
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
  /** Records under the key that are somebody else's, or that several could claim. */
  readonly refused?: { readonly as: 'of-another' | 'shared'; readonly records: readonly ReadRecord[] };
}

const said = (value: FormulaValue): string | undefined =>
  value === undefined ? undefined : squash(String(value));

/** The records of one joined table by key, in memory or spilled. */
export class JoinedTable {
  private readonly store: RowStore = createRowStore();
  private readonly located: LocatedTable[] = [];
  private readonly asked = new AskedKeys();
  private readonly taken = new Map<string, readonly ReadRecord[]>();
  private readonly blankKeys: Issue[] = [];
  /** Keys, keys with who asked by them, and those that several asked by. */
  private readonly asking = { keys: createKeyTable(), pairs: createKeyTable(), several: createKeyTable() };
  /** Whether it has records that do not say whose they are. */
  isOpen = false;

  constructor(readonly table: CompiledTable) {}

  add(record: ReadRecord): void {
    const { table, row } = record;
    const key = this.keyOf(record);
    if (!this.located.includes(table)) this.located.push(table);
    if (key !== undefined) {
      this.store.add(key, { table: this.located.indexOf(table), row });
      const [first] = this.table.join!.whose;
      if (first !== undefined && record.values[first.own.position] === undefined) this.isOpen = true;
    } else {
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

  /** Notes who will ask by a key; needed where records do not say whose they are. */
  expect(key: string, who: readonly FormulaValue[]): void {
    const { keys, pairs, several } = this.asking;
    const before = pairs.size;
    pairs.add([key, ...who.map((value) => said(value) ?? '')].join(BETWEEN));
    if (pairs.size === before) return;
    const known = keys.size;
    keys.add(key);
    if (keys.size === known) several.add(key);
  }

  /** The records under a key that are of whom asks: those that say so, else those that say nothing where nobody else asks. */
  find(key: string | undefined, who: readonly FormulaValue[]): Found {
    const all = this.take(key);
    const { whose } = this.table.join!;
    if (whose.length === 0 || all.length === 0) return { records: all };
    const theirs = all.filter(({ values }) =>
      whose.every(({ own }, index) => {
        const owner = said(values[own.position]);
        return owner === undefined || owner === said(who[index]);
      }),
    );
    if (theirs.length === 0) return { records: theirs, refused: { as: 'of-another', records: all } };
    const named = theirs.filter(({ values }) => values[whose[0]!.own.position] !== undefined);
    if (named.length > 0) return { records: named };
    if (this.asking.several.find(key!) === undefined) return { records: theirs };
    return { records: NO_RECORDS, refused: { as: 'shared', records: theirs } };
  }

  /** Tells whether a document that asked for the key, and took those records, was good. */
  settle(key: string | undefined, records: readonly ReadRecord[], good: boolean): void {
    if (key === undefined) return;
    if (this.table.join!.whose.length === 0) this.asked.settle(key, good);
    else for (const record of records) this.asked.settle(this.ownerOf(key, record), good);
  }

  private ownerOf(key: string, { values }: ReadRecord): string {
    return [key, ...this.table.join!.whose.map(({ own }) => said(values[own.position]) ?? '')].join(BETWEEN);
  }

  /** Records that are asked for together: those of a key, or of one owner under it. */
  private *parts(): Iterable<{
    readonly key: string;
    readonly asked: string;
    readonly rows: readonly StoredRow[];
  }> {
    for (const { key, rows } of this.store.groups()) {
      if (this.table.join!.whose.length === 0) {
        yield { key, asked: key, rows };
        continue;
      }
      for (const one of rows) {
        const record = readRecord(this.located[one.table]!, one.row);
        yield { key, asked: this.ownerOf(key, record), rows: [one] };
      }
    }
  }

  /** Orphans, and what became of every record; call it when all documents are made. */
  finish(): { issues: Issue[]; skipped: Place[]; counts: JoinedCounts } {
    const counts: JoinedCounts = {
      used: 0,
      skipped: 0,
      heldBack: this.blankKeys.length,
      orphans: this.blankKeys.length,
    };
    const issues = [...this.blankKeys];
    const skipped: Place[] = [];
    const { orphan } = this.table.join!;
    for (const { key, asked, rows } of this.parts()) {
      const good = this.asked.good(asked);
      const records = rows.filter(({ row }) => isRecord(this.table, row));
      if (good !== undefined) counts[good ? 'used' : 'heldBack'] += records.length;
      else if (orphan === 'error') {
        counts.heldBack += records.length;
        if (records.length > 0) counts.orphans += 1;
      } else {
        counts.skipped += records.length;
        skipped.push(...records.map(({ table, row }) => rowPlace(this.located[table]!, row)));
      }
      if (good !== undefined || orphan === 'ignore') continue;
      for (const { table, row } of rows) {
        const record = readRecord(this.located[table]!, row);
        issues.push({
          code: row.file === undefined ? 'join/orphan' : 'join/file-unlisted',
          level: orphan,
          params: {},
          place: keyPlace(record, this.table.join!),
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
  return issueOf(code, 'error', params, placeOf(record, column));
}

/** The joined tables of a mapping that the files have, still empty. */
export const joinedTablesOf = ({ tables }: LoadedMapping, located: readonly LocatedTable[]): JoinedTable[] =>
  [...tables.values()]
    .filter(({ join, slot }) => join !== undefined && located.some((one) => one.slot === slot))
    .map((table) => new JoinedTable(table));
