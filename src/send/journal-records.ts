import { PipelineError } from '../toolkit/core/issue.js';
import type { JsonObject, JsonValue } from '../toolkit/core/json.js';
import type { DocumentState } from '../toolkit/schema/document.js';
import type { Database, Sql, Value } from './database.js';
import { JOURNAL_VERSION } from './journal.js';
import { fateOf, HELD_BACK, PAGE, paged } from './runs.js';

/** Line of an export: `record` names its kind, times are ISO instants, unknown values are null. */
export type JournalRecord = JsonObject & { readonly record: string };

type Row = Readonly<Record<string, Value>>;

/** Kind of line: a query over ids, and how to write its rows. */
interface Part {
  readonly name: string;
  /** Query of rows after an id, in order; the column is `id`. */
  readonly sql: string;
  /** Name of a table that may be missing. */
  readonly table?: string;
  readonly record: (row: Row) => JsonObject;
}

/**
 * Condition without drafts. The empty text keeps the engine from the index of runs, by which it would sort all of
 * them for every page.
 */
const noDraft = (run: string): string =>
  `${run} || '' IN (SELECT id FROM run WHERE state <> 'draft' OR held IS NOT NULL)`;

const instant = (value: Value | undefined): string | null =>
  typeof value === 'number' ? new Date(value).toISOString() : null;

const parsed = (value: Value | undefined): JsonValue =>
  typeof value === 'string' ? (JSON.parse(value) as JsonValue) : null;

const PARTS: readonly Part[] = [
  {
    name: 'run',
    sql: `SELECT * FROM (
        SELECT row_number() OVER (ORDER BY created, id) AS id, id AS run,
          CASE WHEN state = 'draft' THEN 'held' ELSE state END AS state, created, ended,
          test_set, meta, stopped, digest, approval, abandonment
        FROM run WHERE state <> 'draft' OR held IS NOT NULL) AS runs
      WHERE id > ? ORDER BY id`,
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
    sql: `SELECT d.id, d.run, d.sequence, d.key, d.name, d.schema, d.state, ${HELD_BACK} AS "heldBack",
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
      const { earlier_run, earlier_sequence, ...fields } = rest;
      return {
        ...fields,
        state: fateOf(state as DocumentState, heldBack),
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

const rowsOf = (journal: Sql, { sql }: Part): AsyncIterable<Row> =>
  paged(
    0,
    (after) => journal.all<Row>(`${sql} LIMIT ${PAGE}`, after),
    (last) => Number(last['id']),
  );

const isDamage = (error: unknown): boolean =>
  error instanceof PipelineError && error.issues.some(({ code }) => code === 'journal/damaged');

/**
 * Emits all data of a journal but drafts, from one snapshot while a sender may work: runs, documents with their
 * outcomes, attempts, answers, findings, mails. Personal data in full, never a token. `onDamage` gets each part of a
 * damaged journal that is cut short; the others follow. Memory does not grow with the journal.
 */
export const emitRecords = (
  database: Database,
  take: (record: JournalRecord) => void | Promise<void>,
  onDamage: (part: string) => void,
): Promise<void> =>
  database.moment(async (journal) => {
    await take({ record: 'journal', version: JOURNAL_VERSION });
    for (const part of PARTS)
      try {
        if (part.table !== undefined && !(await journal.hasTable(part.table))) continue;
        for await (const row of rowsOf(journal, part)) await take({ record: part.name, ...part.record(row) });
      } catch (error) {
        if (!isDamage(error)) throw error;
        onDamage(part.name);
      }
  });
