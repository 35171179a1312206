import type { DocumentState } from '../document/outcome.js';
import type { Issue } from '../issues/issue.js';
import type { Journal } from './journal.js';
import type { Position, Step } from './transition.js';
import type { Writer } from './writer.js';

/** A document in the sender's hands. */
export interface Item {
  readonly id: number;
  readonly sequence: number;
  /** Exactly what is sent. */
  readonly body: string;
  /** Prefix and consecutive joined. */
  readonly number: string;
  /** When its state last changed, milliseconds. */
  readonly updated: number;
  readonly position: Position;
}

/** One line of the attempt log. */
export interface Attempt {
  readonly asked: Step;
  readonly answered: string;
  readonly excerpt?: string;
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
  /** Durable before the request leaves. */
  markSending(item: Item, now: number): Promise<void>;
  /** Durable before anyone hears of it. */
  settle(item: Item, to: Position, issues: readonly Issue[], attempt: Attempt, now: number): Promise<void>;
  /** An answer that changed nothing. */
  log(item: Item, attempt: Attempt, now: number): Promise<void>;
}

interface Row {
  id: number;
  sequence: number;
  body: string;
  prefix: string | null;
  consecutive: number | null;
  updated: number;
  state: DocumentState;
  doubt: number;
  document_code: string | null;
  zip_key: string | null;
}

const PAGE = 256;

const toItem = (row: Row): Item => ({
  id: row.id,
  sequence: row.sequence,
  body: row.body,
  number: `${row.prefix ?? ''}${row.consecutive ?? ''}`,
  updated: row.updated,
  position: {
    state: row.state,
    doubt: row.doubt === 1,
    ...(row.document_code !== null && { documentCode: row.document_code }),
    ...(row.zip_key !== null && { zipKey: row.zip_key }),
  },
});

export async function documentsOf(journal: Journal, writer: Writer, run: string): Promise<Documents> {
  const page = (states: string) =>
    journal.prepare(`
      SELECT d.id, d.sequence, c.body, d.prefix, d.consecutive, d.updated, d.state, d.doubt, d.document_code, d.zip_key
      FROM document d JOIN content c ON c.document = d.id
      WHERE d.run = ? AND d.sequence > ? AND d.state ${states}
        AND (d.waits_for IS NULL OR (SELECT state FROM document WHERE id = d.waits_for) = 'accepted')
      ORDER BY d.sequence LIMIT ${PAGE}`);
  const openPage = page(`IN ('planned', 'unknown')`);
  const pendingPage = page(`= 'pending'`);
  const doubt = journal.prepare(
    `UPDATE document SET state = 'unknown', doubt = 1, updated = ? WHERE run = ? AND state = 'sending'`,
  );
  const sending = await writer.prepare(
    `UPDATE document SET state = 'sending', attempts = attempts + 1, updated = ? WHERE id = ?`,
  );
  const settled = await writer.prepare(
    'UPDATE document SET state = ?, doubt = ?, document_code = ?, zip_key = ?, issues = ?, updated = ? WHERE id = ?',
  );
  const attempted = await writer.prepare(
    'INSERT INTO attempt (document, at, asked, answered, excerpt) VALUES (?, ?, ?, ?, ?)',
  );

  function* pages(statement: typeof openPage): Iterable<Item> {
    for (let after = 0; ; ) {
      const rows = statement.all<Row>(run, after);
      for (const row of rows) yield toItem(row);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.sequence;
    }
  }

  const logged = ({ id }: Item, { asked, answered, excerpt }: Attempt, now: number): void => {
    attempted(id, now, asked, answered, excerpt ?? null);
  };

  return {
    open: () => pages(openPage),
    pending: () => pages(pendingPage),
    doubtInterrupted: (now) => void doubt.run(now, run),
    markSending: (item, now) => writer.commit(() => sending(now, item.id)),
    log: (item, attempt, now) => writer.commit(() => logged(item, attempt, now)),
    settle: (item, to, issues, attempt, now) =>
      writer.commit(() => {
        settled(
          to.state,
          to.doubt ? 1 : 0,
          to.documentCode ?? null,
          to.zipKey ?? null,
          issues.length === 0 ? null : JSON.stringify(issues),
          now,
          item.id,
        );
        logged(item, attempt, now);
      }),
  };
}
