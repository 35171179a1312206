import { PipelineError } from '../core/issue.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { DocumentState } from '../schema/document.js';
import type { Value } from './database.js';
import { JOURNAL_VERSION, type Journal } from './journal.js';
import { fateOf, HELD_BACK } from './runs.js';

/** A line of an export: `record` says of what, times are ISO instants, what is not known is null. */
export type JournalRecord = JsonObject & { readonly record: string };

type Row = Readonly<Record<string, Value>>;

/** A kind of line: the rows of a query over ids in order, and how one is written. */
interface Part {
  readonly name: string;
  /** Rows after an id, in order of it; the id comes as `id`. */
  readonly sql: string;
  /** Where the journal may not have the table. */
  readonly table?: string;
  readonly record: (row: Row) => JsonObject;
}

const RECORDS_AT_ONCE = 256;
/** The plus keeps SQLite from the index of runs, by which it would sort all of them for every page. */
const noDraft = (run: string): string =>
  `+${run} IN (SELECT id FROM run WHERE state <> 'draft' OR held IS NOT NULL)`;

const instant = (value: Value | undefined): string | null =>
  typeof value === 'number' ? new Date(value).toISOString() : null;

const parsed = (value: Value | undefined): JsonValue =>
  typeof value === 'string' ? (JSON.parse(value) as JsonValue) : null;

const PARTS: readonly Part[] = [
  {
    name: 'run',
    sql: `SELECT rowid AS id, id AS run, CASE WHEN state = 'draft' THEN 'held' ELSE state END AS state, created, ended,
        test_set, meta, stopped, digest, approval, abandonment
      FROM run WHERE rowid > ? AND (state <> 'draft' OR held IS NOT NULL) ORDER BY rowid`,
    record: ({ id: _, created, ended, test_set, meta, stopped, approval, abandonment, ...rest }) => ({
      ...rest,
      created: instant(created),
      ended: instant(ended),
      testSet: test_set ?? null,
      ...(parsed(meta) as JsonObject),
      stopped: parsed(stopped),
      approval: parsed(approval),
      abandonment: parsed(abandonment),
    }),
  },
  {
    name: 'document',
    sql: `SELECT d.id, d.run, d.sequence, d.key, d.name, d.schema, d.state, ${HELD_BACK} AS heldBack,
        coalesce(d.number, d.prefix || d.consecutive) AS number, d.document_code, d.zip_key, d.attempts, d.hash,
        d.period, d.updated, d.place, d.issues, d.settled, e.run AS earlier_run, e.sequence AS earlier_sequence, c.body
      FROM document d LEFT JOIN document e ON e.id = d.earlier LEFT JOIN content c ON c.document = d.id
      WHERE d.id > ? AND ${noDraft('d.run')} ORDER BY d.id`,
    record: ({
      id: _,
      state,
      heldBack,
      document_code,
      zip_key,
      updated,
      place,
      issues,
      settled,
      body,
      ...rest
    }) => {
      const { earlier_run, earlier_sequence, ...own } = rest;
      return {
        ...own,
        state: fateOf(state as DocumentState, heldBack as number),
        documentCode: document_code ?? null,
        zipKey: zip_key ?? null,
        updated: instant(updated),
        place: parsed(place),
        issues: parsed(issues) ?? [],
        settled: parsed(settled),
        earlier: earlier_run == null ? null : { run: earlier_run, sequence: earlier_sequence ?? null },
        document: parsed(body),
      };
    },
  },
  {
    name: 'attempt',
    sql: `SELECT a.id, d.run, d.sequence, a.at, a.asked, a.answered, a.excerpt
      FROM attempt a JOIN document d ON d.id = a.document WHERE a.id > ? ORDER BY a.id`,
    record: ({ id: _, at, ...rest }) => ({ ...rest, at: instant(at) }),
  },
  {
    name: 'answer',
    sql: `SELECT d.id, d.run, d.sequence, a.body
      FROM answer a JOIN document d ON d.id = a.document WHERE a.document > ? ORDER BY a.document`,
    record: ({ id: _, body, ...rest }) => ({ ...rest, answer: parsed(body) }),
  },
  {
    name: 'finding',
    sql: `SELECT id, run, kind, content FROM finding WHERE id > ? AND ${noDraft('run')} ORDER BY id`,
    record: ({ id: _, content, ...rest }) => ({ ...rest, content: parsed(content) }),
  },
  {
    name: 'mail',
    table: 'mail',
    sql: `SELECT m.id, d.run, d.sequence, m.address, m.at, m.state
      FROM mail m JOIN document d ON d.id = m.document WHERE m.id > ? ORDER BY m.id`,
    record: ({ id: _, at, ...rest }) => ({ ...rest, at: instant(at) }),
  },
];

const isThere = (journal: Journal, table: string): boolean =>
  journal.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).first(table) !== undefined;

function* rowsOf(journal: Journal, { sql }: Part): Iterable<Row> {
  const page = journal.prepare(`${sql} LIMIT ${RECORDS_AT_ONCE}`);
  for (let after = 0; ; ) {
    const rows = page.all<Row>(after);
    yield* rows;
    if (rows.length < RECORDS_AT_ONCE) return;
    after = Number(rows.at(-1)!['id']);
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof PipelineError && error.issues.some(({ code }) => code === 'journal/damaged');

/**
 * All that a journal holds but drafts: runs, documents with what became of them, attempts, answers, findings, mails.
 * Personal data in full; the token is in none of it. `onDamage` is told the part of a damaged journal that is cut
 * short; the others follow all the same. Memory does not grow with the journal.
 */
export function* journalRecords(journal: Journal, onDamage: (part: string) => void): Iterable<JournalRecord> {
  yield { record: 'journal', version: JOURNAL_VERSION };
  journal.exec('BEGIN'); // all of one moment, though a sender may be at work
  try {
    for (const part of PARTS)
      try {
        if (part.table !== undefined && !isThere(journal, part.table)) continue;
        for (const row of rowsOf(journal, part)) yield { record: part.name, ...part.record(row) };
      } catch (error) {
        if (!isDamage(error)) throw error;
        onDamage(part.name);
      }
  } finally {
    journal.exec('ROLLBACK');
  }
}
