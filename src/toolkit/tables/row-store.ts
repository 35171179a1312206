import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PipelineError, stop } from '../core/issue.js';
import { type Connection, openConnection, storageCode } from '../core/sqlite-engine.js';
import { createKeyTable, widened } from './key-table.js';
import type { CellKind, OwnerCells, Row } from './table.js';

/** A row as a line of JSON: table, number, line, hidden, a letter for each cell's kind, texts, cells of its owner. */
type Packed = [
  table: number,
  number: number,
  line: number,
  hidden: 0 | 1,
  kinds: string | 0,
  texts: readonly (string | null | undefined)[],
  ...owner: OwnerCells[],
];

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
  const { number, line = 0, hidden, texts, kinds, ownerCells } = row;
  return JSON.stringify([
    table,
    number,
    line,
    hidden ? 1 : 0,
    kinds ? lettersOf(kinds) : 0,
    texts,
    ...(ownerCells ? [ownerCells] : []),
  ] satisfies Packed);
}

function unpack([table, number, line, hidden, letters, texts, ownerCells]: Packed): StoredRow {
  return {
    table,
    row: {
      number,
      ...(line !== 0 && { line }),
      hidden: hidden === 1,
      texts: texts.map((text) => text ?? undefined),
      kinds: letters === 0 ? undefined : Array.from(letters, (letter) => KINDS.get(letter)),
      ...(ownerCells && { ownerCells }),
    },
  };
}

/** Parses rows written by packRow, joined by commas. */
const unpackRows = (texts: string): StoredRow[] => (JSON.parse(`[${texts}]`) as Packed[]).map(unpack);

/** Rows by the number of their key, in a temporary SQLite file. */
interface RowFile {
  add(key: number, stored: StoredRow): void;
  /** Returns the rows of a key in order of arrival. */
  read(key: number): StoredRow[];
  /** Returns all rows by ascending key, those of a key in order of arrival. */
  all(): Iterable<readonly [key: number, rows: readonly StoredRow[]]>;
  close(): void;
}

/** Rows per statement: a call into SQLite costs more than a row. */
const INSERT_BATCH_SIZE = 32;
/**
 * The file dies with the process: no journal, no fsync, one open transaction. SQLite sorts in private files without a
 * name.
 */
const SETUP = `
  PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA temp_store = FILE; PRAGMA cache_size = -16000;
  BEGIN EXCLUSIVE; CREATE TABLE rows (key INTEGER, row TEXT)`;
const INSERT = 'INSERT INTO rows VALUES ';
const INDEX = 'CREATE INDEX IF NOT EXISTS by_key ON rows (key)';
const BY_KEY = `SELECT group_concat(row, ',' ORDER BY rowid) AS rows FROM rows WHERE key = ?`;
/** The plus disables the index: sorting takes a few scans, following the index a seek per row. */
const ALL = 'SELECT key, row FROM rows ORDER BY +key, rowid';

/** Rethrows errors of SQLite or the file system as PipelineError. */
function fail(folder: string, error: unknown): never {
  if (error instanceof PipelineError) throw error;
  const code = storageCode(error);
  if (code === undefined) throw error;
  stop('output', { code: 'store/not-writable', params: { path: folder, reason: code } }, error);
}

/** Creates a file (0600) in a new folder (0700), and unlinks both at once if the system allows it. */
function openPrivate(folder: string): { readonly db: Connection; readonly close: () => void } {
  const privateFolder = mkdtempSync(join(folder, 'cargue-rows-'));
  const remove = (): boolean => {
    try {
      rmSync(privateFolder, { recursive: true, force: true });
      return true;
    } catch {
      return false; // Windows keeps the names of open files
    }
  };
  let db: Connection | undefined;
  try {
    const path = join(privateFolder, 'rows.db');
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

/** Returns a function that closes the file, and also runs at the end of the process. */
function closing(db: Connection, remove: () => boolean): () => void {
  const isRemoved = remove();
  const close = (): void => {
    process.off('exit', close);
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite rolls back by itself if the disk is full.
    }
    db.close();
    if (!isRemoved && !remove()) process.on('exit', remove);
  };
  if (!isRemoved) process.on('exit', close);
  return close;
}

/**
 * Opens a file that is removed with the process, however it ends.
 * @throws PipelineError `store/not-writable`
 */
function openRowFile(folder: string): RowFile {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(folder, error);
    }
  };
  const { db, close } = guard(() => openPrivate(folder));
  const several = db.prepare(INSERT + Array(INSERT_BATCH_SIZE).fill('(?, ?)').join(', '));
  const single = db.prepare(`${INSERT}(?, ?)`);
  const byKey = db.prepare(BY_KEY);
  let waiting: (number | string)[] = [];
  let indexed = false;

  const flush = (): void => {
    for (let at = 0; at < waiting.length; at += 2) single.run(...waiting.slice(at, at + 2));
    waiting = [];
  };

  return {
    add(key, stored) {
      waiting.push(key, packRow(stored));
      if (waiting.length < INSERT_BATCH_SIZE * 2) return;
      guard(() => several.run(...waiting));
      waiting = [];
    },
    read: (key) =>
      guard(() => {
        flush();
        if (!indexed) db.exec(INDEX);
        indexed = true;
        const rows = byKey.first<{ rows: string | null }>(key)?.rows ?? null;
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

export interface StoredRow {
  readonly table: number;
  readonly row: Row;
}

/** Rows by key. Beyond `rowsInMemory` they are stored in a private temporary file, and only the keys stay in memory. */
export interface RowStore {
  add(key: string, stored: StoredRow): void;
  /** Returns the rows of a key, as often as needed, and marks the key as taken. */
  take(key: string): readonly StoredRow[];
  /** Returns the keys in order of first appearance. */
  keys(): Iterable<string>;
  /** Returns the keys that were never taken. */
  unfetched(): Iterable<string>;
  /** Returns every key with its rows, without marking it; nothing may be added meanwhile. */
  groups(): Iterable<{ readonly key: string; readonly rows: readonly StoredRow[] }>;
  readonly rows: number;
  /** Frees the memory and removes the temporary file. */
  close(): void;
}

interface RowStoreOptions {
  /** Max rows in memory; beyond, all go to a file. @default 20_000 */
  readonly rowsInMemory?: number;
  /** Folder of the temporary file. @default that of the system */
  readonly folder?: string;
}

/**
 * Creates a row store.
 * @throws PipelineError `store/not-writable` if the temporary file cannot be made or the disk is full
 */
export function createRowStore({ rowsInMemory = 20_000, folder = tmpdir() }: RowStoreOptions = {}): RowStore {
  const keys = createKeyTable();
  /** Rows by number of the key. */
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
    taken = widened(taken, key + 1);
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
