import type { DocumentState } from '../document/outcome.js';
import type { Issue } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import type { Statement } from './database.js';
import type { Journal } from './journal.js';
import { PAGE, pages } from './pages.js';
import type { Made, Position } from './transition.js';
import type { Writer } from './writer.js';

/** A document in the sender's hands. */
export interface Item {
  readonly id: number;
  readonly sequence: number;
  readonly schema: string;
  /** Exactly what is sent. */
  readonly body: string;
  /** What people call it: its number, or its key where it has none. */
  readonly number: string;
  /** When its state last changed, milliseconds. */
  readonly updated: number;
  readonly position: Position;
}

/** One line of the attempt log. */
export interface Attempt {
  readonly asked: string;
  readonly answered: string;
  readonly excerpt?: string;
}

/** What follows from an answer, as it is written down. */
export interface Settlement {
  readonly to: Position;
  readonly issues: readonly Issue[];
  /** Worth keeping. */
  readonly answer?: JsonObject;
}

/** The documents of one run, as the sender reads and writes them. Statements are prepared once. */
export interface Documents {
  /**
   * To be sent, or asked about; in order, a page at a time: what is written meanwhile does not disturb. What has to
   * wait for another document is left out until that one is accepted.
   */
  open(): Iterable<Item>;
  /** To be polled. */
  pending(): Iterable<Item>;
  /** What a dead process was sending may have landed. */
  doubtInterrupted(now: number): void;
  /** Whether a stage of another document, of any run, made this. */
  isTaken(document: number, stage: string, made: number): boolean;
  /** NIT of the employer as an answer to some document of the journal showed it. */
  employer(): string | undefined;
  keepEmployer(nit: string): Promise<void>;
  /** The accepted document, of any run, that has a code. */
  holderOf(documentCode: string, but: number): number | undefined;
  /** An accepted document may not be so after all; its run is open again. Whether it is one of this run. */
  doubt(document: number, issueOf: (number: string) => Issue, now: number): Promise<boolean>;
  /** Durable before the request leaves; only what sends the document itself counts as an attempt. */
  markSending(item: Item, counts: boolean, now: number): Promise<void>;
  /** Durable before anyone hears of it. */
  settle(item: Item, settlement: Settlement, attempt: Attempt, now: number): Promise<void>;
  /** Says what a person is to do, unless something was said already. */
  leaveToPerson(item: Item, issue: Issue): Promise<void>;
  /** An answer that changed nothing. */
  log(item: Item, attempt: Attempt, now: number): Promise<void>;
}

interface Row {
  id: number;
  sequence: number;
  schema: string;
  body: string;
  number: string;
  updated: number;
  state: DocumentState;
  doubt: number;
  document_code: string | null;
  zip_key: string | null;
  made: string | null;
}

/** `document.doubt` of what a journal that was restored is not sure of. */
export const RESTORED = 2;

/** How the doubt of a position is kept. */
export const doubtOf = ({ doubt, restored }: Position): number => (restored ? RESTORED : doubt ? 1 : 0);

const toItem = (row: Row): Item => ({
  id: row.id,
  sequence: row.sequence,
  schema: row.schema,
  body: row.body,
  number: row.number,
  updated: row.updated,
  position: {
    state: row.state,
    doubt: row.doubt > 0,
    ...(row.doubt === RESTORED && { restored: true }),
    ...(row.document_code !== null && { documentCode: row.document_code }),
    ...(row.zip_key !== null && { zipKey: row.zip_key }),
    ...(row.made !== null && { made: JSON.parse(row.made) as Made }),
  },
});

export async function documentsOf(journal: Journal, writer: Writer, run: string): Promise<Documents> {
  const page = (states: string) =>
    journal.prepare(`
      SELECT d.id, d.sequence, d.schema, c.body, coalesce(d.number, d.prefix || d.consecutive, d.key) AS number, d.updated,
        d.state, d.doubt, d.document_code, d.zip_key, d.made
      FROM document d JOIN content c ON c.document = d.id
      WHERE d.run = ? AND d.sequence > ? AND d.state ${states}
        AND (d.waits_for IS NULL OR (SELECT state FROM document WHERE id = d.waits_for) = 'accepted')
      ORDER BY d.sequence LIMIT ${PAGE}`);
  const openPage = page(`IN ('planned', 'unknown')`);
  const pendingPage = page(`= 'pending'`);
  const holder = journal.prepare(
    `SELECT 1 FROM document WHERE id <> ? AND made IS NOT NULL AND json_extract(made, '$.' || ?) = ? LIMIT 1`,
  );
  const codeHolder = journal.prepare(
    `SELECT id FROM document WHERE document_code = ? AND id <> ? AND state = 'accepted' AND earlier IS NULL LIMIT 1`,
  );
  const nameOf = journal.prepare(
    'SELECT run, coalesce(number, prefix || consecutive, key) AS number FROM document WHERE id = ?',
  );
  const doubted = await writer.prepare(
    `UPDATE document SET state = 'unknown', doubt = 1, issues = ?, updated = ? WHERE id = ? AND state = 'accepted'`,
  );
  const knownEmployer = journal.prepare(
    `SELECT json_extract(meta, '$.employer') AS nit FROM run WHERE json_extract(meta, '$.employer') IS NOT NULL LIMIT 1`,
  );
  const employed = await writer.prepare(`UPDATE run SET meta = json_set(meta, '$.employer', ?) WHERE id = ?`);
  const reopened = await writer.prepare(`UPDATE run SET state = 'open' WHERE id = ?`);
  const doubt = journal.prepare(
    `UPDATE document SET state = 'unknown', doubt = max(doubt, 1), issues = NULL, updated = ?
      WHERE run = ? AND state = 'sending'`,
  );
  const sending = await writer.prepare(
    `UPDATE document SET state = 'sending', attempts = attempts + ?, updated = ? WHERE id = ?`,
  );
  const settled = await writer.prepare(
    `UPDATE document SET state = ?, doubt = ?, document_code = ?, zip_key = ?, made = ?, issues = ?, updated = ?
      WHERE id = ?`,
  );
  const kept = await writer.prepare('INSERT OR REPLACE INTO answer (document, body) VALUES (?, ?)');
  const told = await writer.prepare('UPDATE document SET issues = ? WHERE id = ? AND issues IS NULL');
  const attempted = await writer.prepare(
    'INSERT INTO attempt (document, at, asked, answered, excerpt) VALUES (?, ?, ?, ?, ?)',
  );

  function* items(statement: Statement): Iterable<Item> {
    for (const row of pages<Row>(statement, run)) yield toItem(row);
  }

  const logged = ({ id }: Item, { asked, answered, excerpt }: Attempt, now: number): void => {
    attempted(id, now, asked, answered, excerpt ?? null);
  };

  return {
    open: () => items(openPage),
    pending: () => items(pendingPage),
    doubtInterrupted: (now) =>
      journal.transaction(() => {
        doubt.run(now, run);
      }),
    isTaken: (document, stage, made) => holder.first(document, stage, made) !== undefined,
    employer: () => knownEmployer.first<{ nit: string }>()?.nit,
    keepEmployer: (nit) => writer.commit(() => void employed(nit, run)),
    holderOf: (documentCode, but) => codeHolder.first<{ id: number }>(documentCode, but)?.id,
    doubt: async (document, issueOf, now) => {
      const { run: owner, number } = nameOf.first<{ run: string; number: string }>(document)!;
      await writer.commit(() => {
        doubted(JSON.stringify([issueOf(number)]), now, document);
        reopened(owner);
      });
      return owner === run;
    },
    markSending: (item, counts, now) => writer.commit(() => sending(counts ? 1 : 0, now, item.id)),
    log: (item, attempt, now) => writer.commit(() => logged(item, attempt, now)),
    settle: (item, { to, issues, answer }, attempt, now) =>
      writer.commit(() => {
        settled(
          to.state,
          doubtOf(to),
          to.documentCode ?? null,
          to.zipKey ?? null,
          to.made === undefined ? null : JSON.stringify(to.made),
          issues.length === 0 ? null : JSON.stringify(issues),
          now,
          item.id,
        );
        if (answer !== undefined) kept(item.id, JSON.stringify(answer));
        logged(item, attempt, now);
      }),
    leaveToPerson: (item, issue) => writer.commit(() => told(JSON.stringify([issue]), item.id)),
  };
}
