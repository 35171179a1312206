import type { SchemaName } from '../generated/schema-types.js';
import type { JsonObject } from '../values/json.js';
import type { Journal } from './journal.js';
import { PAGE, pages } from './pages.js';

/** A document that a draft would send, with what it corrects. */
export interface PlannedChange {
  readonly sequence: number;
  readonly schema: SchemaName;
  readonly key: string;
  readonly name?: string;
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly body: JsonObject;
  /** What a note corrects, where the journal knows it. */
  readonly predecessor?: { readonly number: string; readonly cune: string; readonly body: JsonObject };
  /** Number of the document of the same run that has to be accepted first. */
  readonly follows?: string;
  /** Number of the document of the same run that waits for this one. */
  readonly leads?: string;
}

interface Row {
  readonly sequence: number;
  readonly schema: SchemaName;
  readonly key: string;
  readonly name: string | null;
  readonly number: string;
  readonly body: string;
  readonly before: string | null;
  readonly beforeNumber: string | null;
  readonly beforeCode: string | null;
  readonly follows: string | null;
  readonly leads: string | null;
}

const toChange = (row: Row): PlannedChange => ({
  sequence: row.sequence,
  schema: row.schema,
  key: row.key,
  ...(row.name !== null && { name: row.name }),
  number: row.number,
  body: JSON.parse(row.body) as JsonObject,
  ...(row.before !== null && {
    predecessor: {
      number: row.beforeNumber ?? '',
      cune: row.beforeCode ?? '',
      body: JSON.parse(row.before) as JsonObject,
    },
  }),
  ...(row.follows !== null && { follows: row.follows }),
  ...(row.leads !== null && { leads: row.leads }),
});

/** What a run would send, in order; a page at a time. */
export function* plannedChanges(journal: Journal, run: string): Iterable<PlannedChange> {
  const page = journal.prepare(`
    SELECT d.sequence, d.schema, d.key, d.name, d.prefix || d.consecutive AS number, c.body,
      b.body AS before, p.prefix || p.consecutive AS beforeNumber, p.document_code AS beforeCode,
      w.prefix || w.consecutive AS follows, l.prefix || l.consecutive AS leads
    FROM document d JOIN content c ON c.document = d.id
      LEFT JOIN document p ON p.id = d.predecessor
      LEFT JOIN content b ON b.document = d.predecessor
      LEFT JOIN document w ON w.id = d.waits_for
      LEFT JOIN document l ON l.run = d.run AND l.waits_for = d.id
    WHERE d.run = ? AND d.state = 'planned' AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`);
  for (const row of pages<Row>(page, run)) yield toChange(row);
}
