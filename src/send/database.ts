/**
 * The database under a journal, as one small asynchronous port: sentences of SQL, transactions, group commit. The port
 * stands here, below the journal's own verbs, because those are some ninety sentences that engines understand alike:
 * a second engine writes out this file's few methods, and not the ninety.
 *
 * The sentences are common to SQLite and PostgreSQL: `?` for values (an adapter may number them), RETURNING, ON CONFLICT,
 * IS NOT DISTINCT FROM, FILTER, window functions; names with capitals in quotes. Where the two differ, the sentence is
 * written as SQLite has it, and another engine brings a function of that name: `instr(text, text)`,
 * `json_extract(text, path)`, `json_set(text, path, value)`, `last_insert_rowid()` of the last document. Booleans come as 1 or true: they are asked for by `Boolean`.
 * What belongs to a file, and not to a journal, is in journal.ts: opening, migrating, proof, backup.
 */

export type Value = string | number | null;

/** A sentence and its values. */
export type Write = readonly [sql: string, ...values: Value[]];

/** A sentence that writes one row, as it is said of many. */
export interface ManyRows {
  /** Says it of all rows of `v`, whose columns c1, c2, … are its values. */
  readonly sql: string;
  /** Of its values, in order. */
  readonly types: readonly ('integer' | 'bigint' | 'text')[];
  /** Which of its values names the row that it changes, from 0; absent where it adds one. */
  readonly row?: number;
}

/** Where sentences are said. One text is prepared once. */
export interface Sql {
  all<T>(sql: string, ...values: Value[]): Promise<T[]>;
  first<T>(sql: string, ...values: Value[]): Promise<T | undefined>;
  /** Rows changed. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /** A write that nobody waits for: done before the next sentence, or with the end; what fails of it shows there. */
  later(sql: string, ...values: Value[]): Promise<void>;
  /** Several sentences without values. */
  script(sql: string): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /** How many documents of a run are in each state, where the engine keeps that; undefined where they are to be counted. */
  tally?(run: string): Promise<Readonly<Record<string, number>> | undefined>;
  /** Where the engine keeps the numbers of documents as ranges: what to select them from. */
  readonly numbers?: string;
}

/**
 * A database whose faults are PipelineErrors (`journal`), never a stack trace. Whoever reads (`all`, `first`) waits for
 * nobody; a write outside of a transaction is one by itself.
 */
export interface Database extends Sql {
  /** File or address, as people know it. */
  readonly path: string;
  /** All or nothing; of what goes through `sql`, and of nothing else. One at a time: others wait, also at its `await`s. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Reads that are all of one moment, whoever writes meanwhile. */
  moment<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** `many` says how what comes often is said of many rows at once. */
  writer(many?: ReadonlyMap<string, ManyRows>): Promise<Writer>;
  close(): Promise<void>;
}

/** A connection that only writes, and never holds up the program while it waits for the disk. */
export interface Writer {
  /**
   * Resolves once the writes are durable, and rejects when they will never be. Those of one turn share a commit, in order.
   */
  commit(...writes: readonly Write[]): Promise<void>;
  close(): Promise<void>;
}

/** One group at a time. */
interface GroupCommit<W> {
  /** Begins, writes, and waits for the disk while the program goes on. */
  commit(writes: readonly W[]): Promise<void>;
  /** What of a group that failed may have been begun. */
  undo?(): void;
}

interface Group<W> {
  readonly writes: W[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function newGroup<W>(): Group<W> {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const durable = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { writes: [], durable, resolve, reject };
}

/**
 * Group commit: writes asked for in one turn of the event loop, or while the disk is busy, share a transaction.
 * The disk is waited for once a group, and still nobody goes on before his own write is durable.
 */
export function commitQueue<W>({ commit, undo }: GroupCommit<W>) {
  let next: Group<W> | undefined;
  let working = false;

  async function work(): Promise<void> {
    while (next !== undefined) {
      const group = next;
      next = undefined;
      try {
        await commit(group.writes);
        group.resolve();
      } catch (error) {
        undo?.();
        group.reject(error);
      }
    }
    working = false;
  }

  return (...writes: readonly W[]): Promise<void> => {
    next ??= newGroup();
    next.writes.push(...writes);
    if (!working) {
      working = true;
      setImmediate(work);
    }
    return next.durable;
  };
}

/** How an engine says one sentence of many rows, each with its values. */
type RowsOf = (form: ManyRows, rows: readonly (readonly Value[])[]) => Write;

/**
 * The same writes in fewer sentences: what is said of one row after the other is said of all of them. What else is said, or
 * changes a row again, comes after all that was said before.
 */
export function merged(
  writes: readonly Write[],
  many: ReadonlyMap<string, ManyRows>,
  rowsOf: RowsOf,
): readonly Write[] {
  const all: Write[] = [];
  const waiting = new Map<string, Value[][]>();
  const changed = new Set<Value>();
  function flush(): void {
    for (const [sql, rows] of waiting)
      all.push(rows.length === 1 ? [sql, ...rows[0]!] : rowsOf(many.get(sql)!, rows));
    waiting.clear();
    changed.clear();
  }
  for (const write of writes) {
    const [sql, ...values] = write;
    const form = many.get(sql);
    const row = form?.row === undefined ? undefined : values[form.row]!;
    if (form === undefined || (row !== undefined && changed.has(row))) flush();
    if (form === undefined) {
      all.push(write);
      continue;
    }
    if (row !== undefined) changed.add(row);
    const rows = waiting.get(sql);
    if (rows === undefined) waiting.set(sql, [values]);
    else rows.push(values);
  }
  flush();
  return all;
}
