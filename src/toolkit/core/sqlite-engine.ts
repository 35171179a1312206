import { createRequire } from 'node:module';

/** Value that both engines store and return. */
type Value = string | number | null;

/** A prepared statement with positional parameters. */
export interface Statement {
  /** Returns the number of rows changed. */
  run(...values: Value[]): number;
  all<T>(...values: Value[]): T[];
  first<T>(...values: Value[]): T | undefined;
  iterate<T>(...values: Value[]): Iterator<T>;
}

/** An open SQLite file; every call waits for the disk. */
export interface Connection {
  prepare(sql: string): Statement;
  /** Runs several statements without parameters. */
  exec(sql: string): void;
  /** Closes the file; the engine releases it when its statements are collected. */
  close(): void;
}

/** The part of `node:sqlite` that is used here; the package's engine has the same. */
interface DriverStatement {
  run(...values: Value[]): { readonly changes: number | bigint };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  iterate(...values: Value[]): Iterator<unknown>;
  setReadBigInts(enabled: boolean): void;
}
interface Driver {
  readonly DatabaseSync: new (
    path: string,
    options: object,
  ) => { prepare(sql: string): DriverStatement; exec(sql: string): void; close(): void };
}

interface Engine {
  readonly driver: Driver;
  readonly version: string;
}

/**
 * First version without the WAL-reset bug, by which two connections that write and checkpoint at the same
 * moment may lose committed transactions (sqlite.org/wal.html); two older lines have the fix too.
 */
const FIRST_SAFE = [3, 51, 3] as const;
const BACKPORTS: readonly (readonly [number, number, number])[] = [
  [3, 50, 7],
  [3, 44, 6],
];

/** True if a version has the fix. */
export function isSafeVersion(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [safeMajor, safeMinor, safePatch] = FIRST_SAFE;
  if (major !== safeMajor) return major > safeMajor;
  if (minor !== safeMinor)
    return minor > safeMinor || BACKPORTS.some(([, line, least]) => line === minor && patch >= least);
  return patch >= safePatch;
}

const load = createRequire(import.meta.url);

/** Loads the engine of Node without its warning that it is experimental. */
function loadBuiltIn(): Driver {
  const { emitWarning } = process;
  const others = (warning: string | Error, ...rest: []): void => {
    if (!/^SQLite is an experimental feature/.test(String(warning)))
      emitWarning.call(process, warning, ...rest);
  };
  process.emitWarning = others as typeof emitWarning;
  try {
    return load('node:sqlite') as Driver;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function engineOf(driver: Driver): Engine {
  const db = new driver.DatabaseSync(':memory:', {});
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  db.close();
  return { driver, version };
}

/** Picks Node's SQLite if it is safe, else the package's; an unsafe one only if there is no other. */
function findEngine(): Engine {
  let builtIn: Engine | undefined;
  try {
    builtIn = engineOf(loadBuiltIn());
  } catch {
    // Node 20 has none.
  }
  if (builtIn !== undefined && isSafeVersion(builtIn.version)) return builtIn;
  try {
    return engineOf(load('@photostructure/sqlite') as Driver);
  } catch (error) {
    if (builtIn !== undefined) return builtIn;
    throw error;
  }
}

let found: Engine | undefined;
/** Loads the engine with the first file. One for all: two would not see each other's locks. */
const engine = (): Engine => {
  found ??= findEngine();
  return found;
};

export const sqliteVersion = (): string => engine().version;

/** Replaces NUL, at which both engines cut a text. */
const storable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value;

const TOO_LARGE = /too large to be represented/;

/** Replaces bigints of rows by numbers. */
const asNumbers = (found: unknown): unknown => {
  if (typeof found === 'bigint') return Number(found);
  if (Array.isArray(found)) return found.map(asNumbers);
  if (typeof found !== 'object' || found === null || ArrayBuffer.isView(found)) return found;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, asNumbers(value)]));
};

/** Reads rows; an integer beyond a double becomes the nearest number instead of an error. */
function reading(statement: DriverStatement, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!TOO_LARGE.test((error as Error).message)) throw error;
    statement.setReadBigInts(true);
    try {
      return asNumbers(read());
    } finally {
      statement.setReadBigInts(false);
    }
  }
}

/**
 * Opens or creates a file or a `file:` URL; an empty path is a temporary file. Waits `busyMs` for other
 * writers. Automatic checkpoints are off: they would run at the same time as other writers.
 */
export function openConnection(location: string, busyMs: number): Connection {
  const db = new (engine().driver.DatabaseSync)(location, { enableForeignKeyConstraints: false });
  db.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA wal_autocheckpoint = 0`);
  return {
    prepare(sql) {
      const statement = db.prepare(sql);
      return {
        run: (...values) => Number(statement.run(...values.map(storable)).changes),
        all: <T>(...values: Value[]) =>
          reading(statement, () => statement.all(...values.map(storable))) as T[],
        first: <T>(...values: Value[]) =>
          reading(statement, () => statement.get(...values.map(storable))) as T | undefined,
        iterate: <T>(...values: Value[]) => statement.iterate(...values.map(storable)) as Iterator<T>,
      };
    },
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
  };
}

/** Primary result codes by number (sqlite.org/rescode.html). */
const RESULT_CODES = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT'],
  ...['IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG'],
  ...['CONSTRAINT', 'MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
];

/** Codes by text (`sqlite3_errstr`): the package gives some errors no number. */
const CODE_BY_TEXT: Readonly<Record<string, string>> = {
  'database is locked': 'BUSY',
  'database table is locked': 'LOCKED',
  'attempt to write a readonly database': 'READONLY',
  'disk I/O error': 'IOERR',
  'database disk image is malformed': 'CORRUPT',
  'database or disk is full': 'FULL',
  'unable to open database file': 'CANTOPEN',
  'file is not a database': 'NOTADB',
};

/** Returns the code of an SQLite (`SQLITE_FULL`) or file system error (`ENOSPC`); undefined for any other. */
export function storageCode(error: unknown): string | undefined {
  const { code, errcode, message } = error as {
    readonly code?: unknown;
    readonly errcode?: number;
    readonly message: string;
  };
  if (code === 'ERR_SQLITE_ERROR') {
    const name = errcode === undefined ? CODE_BY_TEXT[message] : RESULT_CODES[errcode & 0xff];
    return `SQLITE_${name ?? 'ERROR'}`;
  }
  return typeof code === 'string' && /^(SQLITE_|E(?!RR_))/.test(code) ? code : undefined;
}
