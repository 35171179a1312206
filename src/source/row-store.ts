import { tmpdir } from 'node:os';
import { createKeyTable } from './key-table.js';
import { openRowFile, type RowFile } from './row-file.js';
import type { Row } from './table.js';

/** A row, and which of the caller's tables it is of. */
export interface StoredRow {
  readonly table: number;
  readonly row: Row;
}

/** All rows of one key, in the order in which they came. */
export interface RowGroup {
  readonly key: string;
  readonly rows: readonly StoredRow[];
}

/** Rows by key. Once there are many they wait in a private temporary file, and only the keys stay in memory. */
export interface RowStore {
  add(key: string, stored: StoredRow): void;
  /** The rows of a key, none when it is unknown, as often as asked; remembers that the key was asked for. */
  take(key: string): readonly StoredRow[];
  /** In order of first appearance, as all that follows. */
  keys(): Iterable<string>;
  /** Keys that were never taken. */
  unfetched(): Iterable<string>;
  /** Every key with its rows: one scan, and no taking. Add nothing while it runs. */
  groups(): Iterable<RowGroup>;
  readonly rows: number;
  /** Gives up the memory and the temporary file. */
  close(): void;
}

export interface RowStoreOptions {
  /** With more rows than these all of them go to a file. @default 20_000 */
  readonly rowsInMemory?: number;
  /** Where the temporary file goes. @default the folder that the system has for them */
  readonly folder?: string;
}

/** Throws PipelineError (`store/not-writable`) when the temporary file cannot be made, or the disk is full. */
export function createRowStore({ rowsInMemory = 20_000, folder = tmpdir() }: RowStoreOptions = {}): RowStore {
  const keys = createKeyTable();
  /** By number of the key. */
  let inMemory: StoredRow[][] = [];
  let file: RowFile | undefined;
  let taken = new Uint8Array(1024);
  let rows = 0;

  function spill(): RowFile {
    const opened = openRowFile(folder);
    file = opened;
    for (const [key, group] of inMemory.entries()) for (const stored of group) opened.add(key, stored);
    inMemory = [];
    return opened;
  }

  function mark(key: number): void {
    if (key >= taken.length) {
      const wider = new Uint8Array(Math.max(taken.length * 2, keys.size));
      wider.set(taken);
      taken = wider;
    }
    taken[key] = 1;
  }

  function* texts(wanted: (key: number) => boolean): Generator<string> {
    for (let key = 0; key < keys.size; key++) if (wanted(key)) yield keys.text(key);
  }

  return {
    get rows() {
      return rows;
    },
    add(text, stored) {
      const key = keys.add(text);
      rows += 1;
      if (file !== undefined || rows > rowsInMemory) {
        (file ?? spill()).add(key, stored);
        return;
      }
      const group = inMemory[key];
      if (group === undefined) inMemory[key] = [stored];
      else group.push(stored);
    },
    take(text) {
      const key = keys.find(text);
      if (key === undefined) return [];
      mark(key);
      return file?.read(key) ?? inMemory[key] ?? [];
    },
    keys: () => texts(() => true),
    unfetched: () => texts((key) => taken[key] !== 1),
    *groups() {
      for (const [key, group] of file?.all() ?? inMemory.entries())
        yield { key: keys.text(key), rows: group };
    },
    close() {
      file?.close();
      file = undefined;
      inMemory = [];
    },
  };
}
