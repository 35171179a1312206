import { withOpened } from '../../toolkit/documents/opened.js';
import { createRowStore, type RowStore } from '../../toolkit/tables/row-store.js';
import type { Row, RowSource } from '../../toolkit/tables/table.js';
import type { FilePreviews, TableName, TablePreview, TableRows } from '../api.js';

const FIRST_ROWS = 30;
const MOST_TABLES = 100;
const MOST_BLANK = 5;

const shown = ({ number, texts }: Row) => ({
  number,
  texts: Array.from(texts, (text) => text ?? null),
});

async function firstRows(source: RowSource): Promise<TablePreview> {
  const rows: TablePreview['rows'][number][] = [];
  for await (const batch of source.batches()) {
    for (const row of batch.slice(0, FIRST_ROWS - rows.length)) {
      // Blank rows that the file leaves out are there in Excel.
      const last = rows.at(-1)?.number ?? row.number - 1;
      if (row.number - last - 1 <= MOST_BLANK)
        for (let number = last + 1; number < row.number; number += 1) rows.push({ number, texts: [] });
      rows.push(shown(row));
    }
    if (rows.length >= FIRST_ROWS) break;
  }
  return { file: source.file, sheet: source.sheet ?? null, hidden: source.hidden === true, rows };
}

/** Reads the tables of a file. */
const readTables = <T>(path: string, read: (tables: readonly RowSource[]) => Promise<T>): Promise<T> =>
  withOpened([path], async (opened) => read((await opened.inputs()).flatMap(({ tables }) => tables)));

/** Returns the names of the tables of a file. */
export const tablesOf = (path: string): Promise<readonly TableName[]> =>
  readTables(path, async (tables) => tables.map(({ file, sheet = null }) => ({ file, sheet })));

/** The beginning of the tables of some files. */
export async function previewsOf(paths: readonly string[]): Promise<FilePreviews> {
  const tables: TablePreview[] = [];
  let more = 0;
  for (const path of paths)
    await readTables(path, async (sources) => {
      const room = MOST_TABLES - tables.length;
      for (const source of sources.slice(0, room)) tables.push(await firstRows(source));
      more += Math.max(0, sources.length - room);
    });
  return { tables, more };
}

/** Of a table that knows its own name. */
export type Rows = Omit<TableRows, 'sheet'>;

/** Which rows of a table are wanted: a range of them, those of some numbers, or where the one of a number is. */
export type RowsWanted =
  | { readonly from: number; readonly count: number }
  | { readonly numbers: readonly number[] }
  | { readonly find: number };

const BLOCK = 200;
/** Where a sheet freezes none: who it is about. */
const FROZEN = 2;

/** The rows of a table, to be scrolled through: read once, and kept on disk. */
export class Grid {
  private latest: { readonly block: number; readonly rows: readonly Row[] } | undefined;

  private constructor(
    private readonly store: RowStore,
    /** Of each row, as Excel shows it. */
    private readonly numbers: readonly number[],
    /** Null for a table in text. */
    readonly sheet: string | null,
    /** Columns that have a text somewhere. */
    private readonly width: number,
    /** Columns that stay where they are while the others scroll. */
    private readonly frozen: number,
  ) {}

  static open(path: string, file: string, sheet: string | undefined): Promise<Grid> {
    return readTables(path, async (tables) => {
      const store = createRowStore();
      try {
        const source = tables.find(
          (one) => one.file === file && (sheet === undefined || one.sheet === sheet),
        );
        const numbers: number[] = [];
        let width = 1;
        if (source !== undefined)
          for await (const batch of source.batches())
            for (const row of batch) {
              store.add(String(Math.floor(numbers.length / BLOCK)), { table: 0, row });
              numbers.push(row.number);
              width = Math.max(width, row.texts.length);
            }
        const frozen = (await source?.view?.())?.frozen || FROZEN;
        return new Grid(store, numbers, source?.sheet ?? null, width, Math.min(frozen, width));
      } catch (error) {
        store.close();
        throw error;
      }
    });
  }

  private get size(): Omit<Rows, 'rows'> {
    return { total: this.numbers.length, width: this.width, frozen: this.frozen };
  }

  part(wanted: RowsWanted): Rows {
    if ('find' in wanted) return this.find(wanted.find);
    return 'numbers' in wanted ? this.numbered(wanted.numbers) : this.rows(wanted.from, wanted.count);
  }

  /** Rows in the order of the file, the first being 0. */
  private rows(from: number, count: number): Rows {
    const rows: TableRows['rows'][number][] = [];
    const end = Math.min(from + count, this.numbers.length);
    for (let block = Math.floor(from / BLOCK); block * BLOCK < end; block++)
      for (const [at, row] of this.block(block).entries()) {
        const index = block * BLOCK + at;
        if (index >= from && index < end) rows.push(shown(row));
      }
    return { ...this.size, rows };
  }

  /** Rows by their numbers; those that are not there are left out. */
  private numbered(numbers: readonly number[]): Rows {
    const rows = numbers.flatMap((number) => this.row(number) ?? []).map(shown);
    return { ...this.size, rows };
  }

  /** Where a row is, from 0. */
  private find(number: number): Rows {
    const at = this.indexOf(number);
    return { ...this.size, rows: [], ...(this.numbers[at] === number && { index: at }) };
  }

  /** As it is in the file. */
  row(number: number): Row | undefined {
    const at = this.indexOf(number);
    if (this.numbers[at] !== number) return undefined;
    return this.block(Math.floor(at / BLOCK))[at % BLOCK];
  }

  private block(block: number): readonly Row[] {
    if (this.latest?.block !== block)
      this.latest = { block, rows: this.store.take(String(block)).map(({ row }) => row) };
    return this.latest.rows;
  }

  /** The first row of that number or a higher one: numbers ascend. */
  private indexOf(number: number): number {
    let [low, high] = [0, this.numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.numbers[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  close(): void {
    this.store.close();
  }
}
