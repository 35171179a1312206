import { withOpened } from '../../toolkit/documents/opened.js';
import { createRowStore, type RowStore } from '../../toolkit/tables/row-store.js';
import type { Row, RowSource } from '../../toolkit/tables/table.js';
import type { FilePreviews, TableName, TablePreview, TableRows } from '../api.js';

const PREVIEW_ROWS = 30;
const MAX_PREVIEWED_TABLES = 100;
const MAX_BLANK_ROWS_SHOWN = 5;

const toGridRow = ({ number, texts }: Row) => ({
  number,
  texts: Array.from(texts, (text) => text ?? null),
});

async function firstRows(source: RowSource): Promise<TablePreview> {
  const rows: TablePreview['rows'][number][] = [];
  for await (const batch of source.batches()) {
    for (const row of batch.slice(0, PREVIEW_ROWS - rows.length)) {
      // Adds the blank rows that the file omits, as Excel shows them.
      const last = rows.at(-1)?.number ?? row.number - 1;
      if (row.number - last - 1 <= MAX_BLANK_ROWS_SHOWN)
        for (let number = last + 1; number < row.number; number += 1) rows.push({ number, texts: [] });
      rows.push(toGridRow(row));
    }
    if (rows.length >= PREVIEW_ROWS) break;
  }
  return { file: source.file, sheet: source.sheet ?? null, hidden: source.hidden === true, rows };
}

/** Reads the tables of a file. */
const readTables = <T>(path: string, read: (tables: readonly RowSource[]) => Promise<T>): Promise<T> =>
  withOpened([path], async (opened) => read((await opened.inputs()).flatMap(({ tables }) => tables)));

/** Returns the names of the tables of a file. */
export const tablesOf = (path: string): Promise<readonly TableName[]> =>
  readTables(path, async (tables) => tables.map(({ file, sheet = null }) => ({ file, sheet })));

/** Returns the first rows of every table of the files. */
export async function previewsOf(paths: readonly string[]): Promise<FilePreviews> {
  const tables: TablePreview[] = [];
  let more = 0;
  for (const path of paths)
    await readTables(path, async (sources) => {
      const room = MAX_PREVIEWED_TABLES - tables.length;
      for (const source of sources.slice(0, room)) tables.push(await firstRows(source));
      more += Math.max(0, sources.length - room);
    });
  return { tables, more };
}

/** Rows of a table that knows its own name. */
export type Rows = Omit<TableRows, 'sheet'>;

/** Rows to return: a range by index, those with the given numbers, or none but the index of one number. */
export type RowsWanted =
  | { readonly from: number; readonly count: number }
  | { readonly numbers: readonly number[] }
  | { readonly find: number };

const ROWS_PER_BLOCK = 200;
/** Columns that stay in place if the sheet freezes none: usually they identify the person. */
const DEFAULT_FROZEN_COLUMNS = 2;

/** Serves the rows of a table by index: reads the file once and stores the rows on disk. */
export class Grid {
  private latest: { readonly block: number; readonly rows: readonly Row[] } | undefined;

  private constructor(
    private readonly store: RowStore,
    /** Row numbers by index, as Excel shows them. */
    private readonly numbers: readonly number[],
    /** Null for a table in text. */
    readonly sheet: string | null,
    /** Number of columns up to the last one with a text. */
    private readonly width: number,
    /** Number of columns that stay in place while the others scroll. */
    private readonly frozen: number,
  ) {}

  static open(path: string, file: string, sheet: string | undefined): Promise<Grid> {
    return readTables(path, async (tables) => {
      const store = createRowStore();
      try {
        const source = tables.find(
          (table) => table.file === file && (sheet === undefined || table.sheet === sheet),
        );
        const numbers: number[] = [];
        let width = 1;
        if (source !== undefined)
          for await (const batch of source.batches())
            for (const row of batch) {
              store.add(String(Math.floor(numbers.length / ROWS_PER_BLOCK)), { table: 0, row });
              numbers.push(row.number);
              width = Math.max(width, row.texts.length);
            }
        const frozen = (await source?.view?.())?.frozen || DEFAULT_FROZEN_COLUMNS;
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

  /** Returns rows by index, in the order of the file; the first one has index 0. */
  private rows(from: number, count: number): Rows {
    const rows: TableRows['rows'][number][] = [];
    const end = Math.min(from + count, this.numbers.length);
    for (let block = Math.floor(from / ROWS_PER_BLOCK); block * ROWS_PER_BLOCK < end; block++)
      for (const [at, row] of this.block(block).entries()) {
        const index = block * ROWS_PER_BLOCK + at;
        if (index >= from && index < end) rows.push(toGridRow(row));
      }
    return { ...this.size, rows };
  }

  /** Returns rows by their numbers; missing ones are omitted. */
  private numbered(numbers: readonly number[]): Rows {
    const rows = numbers.flatMap((number) => this.row(number) ?? []).map(toGridRow);
    return { ...this.size, rows };
  }

  /** Finds the index of a row number. */
  private find(number: number): Rows {
    const at = this.indexOf(number);
    return { ...this.size, rows: [], ...(this.numbers[at] === number && { index: at }) };
  }

  /** Returns a row without edits. */
  row(number: number): Row | undefined {
    const at = this.indexOf(number);
    if (this.numbers[at] !== number) return undefined;
    return this.block(Math.floor(at / ROWS_PER_BLOCK))[at % ROWS_PER_BLOCK];
  }

  /** Returns the texts of a column in the order of the file. */
  column(index: number): { readonly numbers: readonly number[]; readonly texts: readonly string[] } {
    const texts: string[] = [];
    for (let block = 0; block * ROWS_PER_BLOCK < this.numbers.length; block++)
      for (const row of this.block(block)) texts.push(row.texts[index] ?? '');
    return { numbers: this.numbers, texts };
  }

  private block(block: number): readonly Row[] {
    if (this.latest?.block !== block)
      this.latest = { block, rows: this.store.take(String(block)).map(({ row }) => row) };
    return this.latest.rows;
  }

  /** Returns the index of the first row with that number or a higher one; numbers ascend. */
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
