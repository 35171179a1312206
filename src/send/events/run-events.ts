import type { EventCode } from '../../events/kinds.js';
import type { JsonObject } from '../../values/json.js';
import type { Journal } from '../journal.js';
import { eventOf } from './event-subject.js';

/** An event of a run, by what the journal holds of it. */
export interface RunEvent {
  readonly cufe: string;
  readonly code: EventCode;
  /** Whether the invoice went along as a file: then the key of the document is the number of the invoice. */
  readonly fromFile: boolean;
}

interface Row {
  readonly schema: string;
  readonly body: string;
}

/** Tells the event of a run's document, by its sequence; undefined of what is no event. */
export function runEvents(journal: Journal, run: string): (sequence: number) => RunEvent | undefined {
  const find = journal.prepare(
    `SELECT d.schema, c.body FROM document d JOIN content c ON c.document = d.id WHERE d.run = ? AND d.sequence = ?`,
  );
  return (sequence) => {
    const row = find.first<Row>(run, sequence);
    if (row === undefined || !row.schema.startsWith('events/event')) return undefined;
    const { cufe, code } = eventOf(JSON.parse(row.body) as JsonObject);
    return { cufe, code, fromFile: row.schema === 'events/event-by-document' };
  };
}
