import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** Values by key. Every change goes to the state file, when there is one, with the next flush. */
export interface Collection<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): boolean;
  values(): IterableIterator<T>;
}

export interface Store {
  /** The collection of that name, with what earlier runs left in it. */
  collection<T>(name: string): Collection<T>;
  /** Hands all changes to the operating system: from here on they survive a kill of this process. */
  flush(): void;
  close(): void;
}

/** `[collection, key, value]`, one a line; without a value the key is gone. The last line of a key wins. */
type Change = [name: string, key: string, value?: unknown];
type Contents = Map<string, Map<string, unknown>>;

const PRIVATE = 0o600;
const NEWLINE = 10;

/** Opens the state file, created when it is missing; without a path everything stays in memory. */
export function openStore(path?: string): Store {
  const contents: Contents = path !== undefined && existsSync(path) ? replay(readFileSync(path)) : new Map();
  const file = path === undefined ? undefined : rewrite(path, contents);
  let pending = '';

  const record = (change: Change): void => {
    if (file !== undefined) pending += `${JSON.stringify(change)}\n`;
  };
  const flush = (): void => {
    if (file === undefined || pending === '') return;
    writeSync(file, pending);
    pending = '';
  };
  return {
    collection: <T>(name: string): Collection<T> => {
      const entries = (contents.get(name) ?? new Map()) as Map<string, T>;
      contents.set(name, entries);
      return {
        get: (key) => entries.get(key),
        put: (key, value) => {
          entries.set(key, value);
          record([name, key, value]);
        },
        delete: (key) => {
          record([name, key]);
          return entries.delete(key);
        },
        values: () => entries.values(),
      };
    },
    flush,
    close: () => {
      flush();
      if (file !== undefined) closeSync(file);
    },
  };
}

function replay(bytes: Buffer): Contents {
  const contents: Contents = new Map();
  let start = 0;
  // A kill in the middle of a write leaves a last line without its end: nobody was answered for it.
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const [name, key, value] = JSON.parse(bytes.toString('utf8', start, end)) as Change;
    const entries = contents.get(name) ?? new Map<string, unknown>();
    contents.set(name, entries);
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
    start = end + 1;
  }
  return contents;
}

/** Writes only what still counts beside the file, takes its place, and stays open for what comes. */
function rewrite(path: string, contents: Contents): number {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', PRIVATE);
  for (const [name, entries] of contents)
    for (const [key, value] of entries) writeSync(file, `${JSON.stringify([name, key, value])}\n`);
  renameSync(draft, path);
  return file;
}
