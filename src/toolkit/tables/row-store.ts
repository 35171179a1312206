import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PipelineError, stop } from '../core/issue.js';
import { type Connection, openConnection, storageCode } from '../core/sqlite-engine.js';
import { createKeyTable } from './key-table.js';
import type { CellKind, Row } from './table.js';

/** A row as JSON on one line: table, number, line, hidden, a letter for each cell's kind, texts. */
type Packed = [number, number, number, 0 | 1, string | 0, readonly (string | null | undefined)[]];

const LETTERS: Readonly<Record<CellKind, string>> = {
  text: 't',
  number: 'n',
  percent: 'p',
  date: 'd',
  boolean: 'b',
  error: 'e',
  uncached: 'u',
};
const NONE = '-';
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as CellKind]));

function lettersOf(kinds: readonly (CellKind | undefined)[]): string {
  let letters = '';
  for (const kind of kinds) letters += kind === undefined ? NONE : LETTERS[kind];
  return letters;
}

function packRow({ table, row }: StoredRow): string {
  const { number, line = 0, hidden, texts, kinds } = row;
  return JSON.stringify([
    table,
    number,
    line,
    hidden ? 1 : 0,
    kinds ? lettersOf(kinds) : 0,
    texts,
  ] satisfies Packed);
}

function unpack([table, number, line, hidden, letters, texts]: Packed): StoredRow {
  return {
    table,
    row: {
      number,
      ...(line !== 0 && { line }),
      hidden: hidden === 1,
      texts: texts.map((text) => text ?? undefined),
      kinds: letters === 0 ? undefined : Array.from(letters, (letter) => KINDS.get(letter)),
    },
  };
}

/** Rows written by packRow, joined by commas. */
const unpackRows = (texts: string): StoredRow[] => (JSON.parse(`[${texts}]`) as Packed[]).map(unpack);

/** Rows by the number of their key, in a temporary SQLite file. */
interface RowFile {
  add(key: number, stored: StoredRow): void;
  /** The rows of one key in the order in which they came. */
  read(key: number): StoredRow[];
  /** All rows by ascending key, those of a key in the order in which they came. */
  all(): Iterable<readonly [key: number, rows: readonly StoredRow[]]>;
  close(): void;
}

/** Crossing into SQLite costs more than the row does. */
const TOGETHER = 32;
/**
 * Nothing of it outlives the process, so nothing is waited for, and the one transaction never ends: all pages are new in
 * it, and none has to be kept to undo it. SQLite sorts in files of its own, private and without a name.
 */
const SETUP = `
  PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA temp_store = FILE; PRAGMA cache_size = -16000;
  BEGIN EXCLUSIVE; CREATE TABLE rows (key INTEGER, row TEXT)`;
const INSERT = 'INSERT INTO rows VALUES ';
const INDEX = 'CREATE INDEX IF NOT EXISTS by_key ON rows (key)';
const ONE = `SELECT group_concat(row, ',' ORDER BY rowid) AS rows FROM rows WHERE key = ?`;
/** The plus keeps the index out of it: sorting the rows is a few scans, following the index a seek for each of them. */
const ALL = 'SELECT key, row FROM rows ORDER BY +key, rowid';

/** Rethrows what SQLite or the file system threw in the words of the program. */
function fail(folder: string, error: unknown): never {
  if (error instanceof PipelineError) throw error;
  const code = storageCode(error);
  if (code === undefined) throw error;
  stop('output', { code: 'store/not-writable', params: { path: folder, reason: code } }, error);
}

interface OpenFile {
  readonly db: Connection;
  readonly close: () => void;
}

/** A file (0600) in a folder of its own (0700), both without a name from then on where the system allows it. */
function openPrivate(folder: string): OpenFile {
  const own = mkdtempSync(join(folder, 'cargue-rows-'));
  const remove = (): boolean => {
    try {
      rmSync(own, { recursive: true, force: true });
      return true;
    } catch {
      return false; // Windows keeps the names of open files
    }
  };
  let db: Connection | undefined;
  try {
    const path = join(own, 'rows.db');
    closeSync(openSync(path, 'wx', 0o600));
    db = openConnection(path, 0);
    db.exec(SETUP);
    return { db, close: closing(db, remove) };
  } catch (error) {
    db?.close();
    remove();
    throw error;
  }
}

/** How to close the file, now or when the process ends. What it holds goes with the transaction, though the file may stay open. */
function closing(db: Connection, remove: () => boolean): () => void {
  const gone = remove();
  const close = (): void => {
    process.off('exit', close);
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite itself rolls back when the disk is full.
    }
    db.close();
    if (!gone && !remove()) process.on('exit', remove);
  };
  if (!gone) process.on('exit', close);
  return close;
}

/** Opens a file that is gone when the process is, however it ends. Throws PipelineError (`store/not-writable`). */
function openRowFile(folder: string): RowFile {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(folder, error);
    }
  };
  const { db, close } = guard(() => openPrivate(folder));
  const several = db.prepare(INSERT + Array(TOGETHER).fill('(?, ?)').join(', '));
  const single = db.prepare(`${INSERT}(?, ?)`);
  const one = db.prepare(ONE);
  let waiting: (number | string)[] = [];
  let indexed = false;

  const flush = (): void => {
    for (let at = 0; at < waiting.length; at += 2) single.run(...waiting.slice(at, at + 2));
    waiting = [];
  };

  return {
    add(key, stored) {
      waiting.push(key, packRow(stored));
      if (waiting.length < TOGETHER * 2) return;
      guard(() => several.run(...waiting));
      waiting = [];
    },
    read: (key) =>
      guard(() => {
        flush();
        if (!indexed) db.exec(INDEX);
        indexed = true;
        const { rows } = one.first<{ rows: string | null }>(key)!;
        return rows === null ? [] : unpackRows(rows);
      }),
    *all() {
      const sorted = guard(() => {
        flush();
        return db.prepare(ALL).iterate<{ readonly key: number; readonly row: string }>();
      });
      let current: number | undefined;
      let texts: string[] = [];
      for (let next = guard(() => sorted.next()); !next.done; next = guard(() => sorted.next())) {
        const { key, row } = next.value;
        if (current !== undefined && key !== current) {
          yield [current, unpackRows(texts.join(','))];
          texts = [];
        }
        current = key;
        texts.push(row);
      }
      if (current !== undefined) yield [current, unpackRows(texts.join(','))];
    },
    close,
  };
}

/** A row, and which of the caller's tables it is of. */
export interface StoredRow {
  readonly table: number;
  readonly row: Row;
}

/** All rows of one key, in the order in which they came. */
interface RowGroup {
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

interface RowStoreOptions {
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
