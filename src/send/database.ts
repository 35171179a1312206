/**
 * Database under a journal as a small asynchronous port: SQL statements, transactions, group commit. The port is
 * below the journal's own functions, because those are some ninety statements that engines understand alike: a second
 * engine implements the few methods of this file, not the ninety.
 * Statements are common to SQLite and PostgreSQL: `?` for values (an adapter may number them), RETURNING, ON
 * CONFLICT, IS NOT DISTINCT FROM, FILTER, window functions; names with capitals in quotes. Where the two differ, the
 * statement is in SQLite's form, and another engine has a function of that name: `instr(text, text)`,
 * `json_extract(text, path)`, `json_set(text, path, value)`, `last_insert_rowid()` of the last document. Booleans
 * come as 1 or true: read them with `Boolean`. Functions of a file, not of a journal, are in journal.ts: opening,
 * migrating, proof, backup.
 */

import { unreachable } from '../toolkit/core/required.js';

export type Value = string | number | null;

export type Write = readonly [sql: string, ...values: Value[]];

/** Form of a one-row statement for many rows at once. */
export interface ManyRows {
  /** Statement over all rows of `v`, whose columns c1, c2, … are the values. */
  readonly sql: string;
  readonly types: readonly ('integer' | 'bigint' | 'text')[];
  /** Index of the value that names the changed row, from 0; undefined if it adds a row. */
  readonly row?: number;
}

/** Executes statements. Each text is prepared once. */
export interface Sql {
  all<T>(sql: string, ...values: Value[]): Promise<T[]>;
  first<T>(sql: string, ...values: Value[]): Promise<T | undefined>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /** Queues a write that is done before the next statement or the end of the transaction; its errors show there. */
  later(sql: string, ...values: Value[]): Promise<void>;
  /** Executes several statements without values. */
  script(sql: string): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /**
   * Returns the number of a run's documents by state; undefined if the engine does not keep it and they are to be
   * counted.
   */
  tally?(run: string): Promise<Readonly<Record<string, number>> | undefined>;
  /** Table expression with the ranges of document numbers, if the engine keeps them. */
  readonly numbers?: string;
}

/** Returns the row of a statement that always gives one, such as a count. */
export const onlyRow = async <T>(sql: Pick<Sql, 'first'>, text: string, ...values: Value[]): Promise<T> =>
  (await sql.first<T>(text, ...values)) ?? unreachable(`row of ${text}`);

/**
 * Database whose errors are PipelineErrors (`journal`). Reads (`all`, `first`) do not wait for writers; a write
 * outside of a transaction is one.
 */
export interface Database extends Sql {
  /** File or address for users. */
  readonly path: string;
  /** Runs work on `sql` all or nothing. One at a time: others wait, also at its `await`s. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs reads on one snapshot, whatever is written meanwhile. */
  moment<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Opens a writer; `many` has the forms of frequent statements for many rows at once. */
  writer(many?: ReadonlyMap<string, ManyRows>): Promise<Writer>;
  close(): Promise<void>;
}

/** Connection that only writes, and never blocks the program while it waits for the disk. */
export interface Writer {
  /**
   * Resolves once the writes are durable, and rejects if they never will be. Writes of one turn of the event loop
   * share a commit, in order.
   */
  commit(...writes: readonly Write[]): Promise<void>;
  close(): Promise<void>;
}

/** Engine of group commit; it gets one group at a time. */
interface GroupCommit<W> {
  /** Writes a group in one transaction and resolves once it is on disk. */
  commit(writes: readonly W[]): Promise<void>;
  /** Undoes what a failed group may have begun. */
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
 * Creates a group commit: writes requested in one turn of the event loop, or while the disk is busy, share a
 * transaction. Each caller still waits until its own write is durable.
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

/**
 * Merges writes into fewer statements: writes of one row each become one of many rows. Any other statement, or a
 * second change of a row, comes after all writes before it.
 */
export function merged(
  writes: readonly Write[],
  many: ReadonlyMap<string, ManyRows>,
  rowsOf: (form: ManyRows, rows: readonly (readonly Value[])[]) => Write,
): readonly Write[] {
  const all: Write[] = [];
  const waiting = new Map<string, { form: ManyRows; first: Value[]; rows: Value[][] }>();
  const changed = new Set<Value>();
  function flush(): void {
    for (const [sql, { form, first, rows }] of waiting)
      all.push(rows.length === 1 ? [sql, ...first] : rowsOf(form, rows));
    waiting.clear();
    changed.clear();
  }
  for (const write of writes) {
    const [sql, ...values] = write;
    const form = many.get(sql);
    const row = form?.row === undefined ? undefined : values[form.row];
    if (form === undefined || (row !== undefined && changed.has(row))) flush();
    if (form === undefined) {
      all.push(write);
      continue;
    }
    if (row !== undefined) changed.add(row);
    const known = waiting.get(sql);
    if (known === undefined) waiting.set(sql, { form, first: values, rows: [values] });
    else known.rows.push(values);
  }
  flush();
  return all;
}
