import { stop } from '../toolkit/core/issue.js';
import { unreachable } from '../toolkit/core/required.js';
import type { Sql, Value } from './database.js';
import type { Journal } from './journal.js';
import { canonicalCompany, NO_NAME } from './journal-proof.js';
import type { FoundJournal, Journals } from './journals.js';
import { openMailbook } from './mailbook.js';
import { PAGE, paged } from './runs.js';

type Row = Readonly<Record<string, Value>>;

function cellOf(row: Row, column: string): Value {
  const value = row[column];
  return value === undefined ? unreachable(`column ${column}`) : value;
}

/** Tables in an order in which referenced rows come first, each with the column that its rows are read by. */
const TABLES = [
  ['run', 'id'],
  ['document', 'id'],
  ['content', 'document'],
  ['answer', 'document'],
  ['attempt', 'id'],
  ['finding', 'id'],
  ['mail', 'id'],
] as const;

/**
 * Yields the rows of a table in order, without the columns that a database adds; none if the journal has no such
 * table.
 */
async function* rowsOf(journal: Sql, table: string, key: string): AsyncIterable<Row> {
  if (!(await journal.hasTable(table))) return;
  const page = `SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${PAGE}`;
  const rows = paged<Row, Value>(
    table === 'run' ? '' : 0,
    (after) => journal.all(page, after),
    (last) => cellOf(last, key),
  );
  for await (const { journal: _, ...row } of rows) yield row as Row;
}

/** Sets references to later rows once all rows are there. */
const WAITS = 'UPDATE document SET waits_for = ? WHERE id = ?';

async function copyTable(from: Sql, to: Sql, table: string, key: string): Promise<void> {
  let insert = '';
  const waiting: [Value, Value][] = [];
  for await (const row of rowsOf(from, table, key)) {
    const names = Object.keys(row);
    insert ||= `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
    const later = row['waits_for'] ?? null;
    if (later !== null) waiting.push([later, cellOf(row, key)]);
    await to.later(insert, ...names.map((name) => (name === 'waits_for' ? null : cellOf(row, name))));
  }
  for (const [whom, who] of waiting) await to.later(WAITS, whom, who);
}

/** Compares every row of two journals. Returns the number of rows. */
async function compare(from: Sql, to: Sql, table: string, key: string, path: string): Promise<number> {
  const copies = rowsOf(to, table, key)[Symbol.asyncIterator]();
  const differ = (row: Row | undefined): never =>
    stop('journal', {
      code: 'journal/copy-differs',
      params: { path, table, row: String(row?.[key] ?? '—') },
    });
  const text = (row: Row): string => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
  let rows = 0;
  for await (const row of rowsOf(from, table, key)) {
    const { value, done } = await copies.next();
    if (done || text(row) !== text(value as Row)) return differ(row);
    rows += 1;
  }
  const { value, done } = await copies.next();
  return done ? rows : differ(value as Row);
}

async function copyInto(source: Journal, target: Journal): Promise<number> {
  const hasMail = await source.hasTable('mail');
  if (hasMail) await openMailbook(target);
  return target.transaction(async (sql) => {
    for (const [table, key] of TABLES) await copyTable(source, sql, table, key);
    await target.copied?.(sql);
    let rows = 0;
    for (const [table, key] of TABLES) rows += await compare(source, sql, table, key, target.path);
    return rows;
  });
}

/**
 * Copies a journal to another engine and reads every row again. Meanwhile no process can send, and afterwards only
 * from the new place: the source is marked before the copy counts. Returns the path and number of rows.
 * @throws PipelineError('busy') · PipelineError('usage', journal/not-empty) · PipelineError('journal',
 * journal/copy-differs)
 */
export async function copyJournal(
  from: Journals,
  { path, names, tokens, owner }: FoundJournal,
  to: Journals,
): Promise<{ readonly path: string; readonly rows: number }> {
  const target = to.newPath({ url: `https://${owner.address}`, company: owner.company });
  const warn = (): void => {};
  const source = await from.open(path, { create: false, owner, movedTo: target, warn });
  try {
    const journal = await to.receive(target, { owner, movedTo: path, warn });
    try {
      await from.move(path, target);
      let rows: number;
      try {
        rows = await copyInto(source, journal);
      } catch (error) {
        await from.move(path, undefined);
        throw error;
      }
      for (const name of names)
        if (canonicalCompany(name) !== NO_NAME) await journal.claim?.({ ...owner, company: name });
      for (const token of tokens) await journal.claim?.(owner, token);
      return { path: target, rows };
    } finally {
      await journal.close();
    }
  } finally {
    await source.close();
  }
}
