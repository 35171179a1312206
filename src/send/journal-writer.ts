/**
 * Thread that writes a journal in groups, so that a slow disk delays neither answers nor Ctrl-C. Started by
 * `sqlite.ts`; takes one group at a time and replies to each with a `Written`, first once the file is open.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { getOrAdd } from '../toolkit/core/remember.js';
import { unreachable } from '../toolkit/core/required.js';
import { openConnection, type Statement, storageCode } from '../toolkit/core/sqlite-engine.js';
import { checkpointsOf, rollBack } from './checkpoint.js';
import type { Write } from './database.js';

export interface WriterStart {
  readonly path: string;
  readonly busyMs: number;
  /** Last statement of each transaction. */
  readonly count?: string;
}

export type WriterTask = readonly Write[] | 'close';

/** Reply to a group: it is durable, with the row of `count`; or it will never be. */
export type Written =
  | { readonly row?: unknown }
  | { readonly failed: { readonly code?: string; readonly message: string } };

const port = parentPort ?? unreachable('parent of a writer');
const { path, busyMs, count } = workerData as WriterStart;

/** Converts an error to data; it would lose its code between threads. */
function failureOf(error: unknown): Written {
  const code = storageCode(error);
  const { message } = error as Error;
  return { failed: { message, ...(code !== undefined && { code }) } };
}

function openWriter(): (task: WriterTask) => void {
  const db = openConnection(path, busyMs);
  db.exec('PRAGMA synchronous = FULL');
  const checkpoints = checkpointsOf(path, db);
  const known = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    return getOrAdd(known, sql, () => db.prepare(sql));
  };

  function commit(writes: readonly Write[]): Written {
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const [sql, ...values] of writes) prepared(sql).run(...values);
      const row = count === undefined ? undefined : prepared(count).first();
      db.exec('COMMIT');
      return { row };
    } catch (error) {
      rollBack(db);
      return failureOf(error);
    }
  }

  return (task) => {
    if (task === 'close') {
      checkpoints.close();
      db.close();
      port.close();
      return;
    }
    port.postMessage(commit(task));
    // The group is durable already; the reply does not wait for this.
    checkpoints.afterCommit();
  };
}

try {
  port.on('message', openWriter());
  port.postMessage({});
} catch (error) {
  port.postMessage(failureOf(error));
  port.close();
}
