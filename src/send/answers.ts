import type { DocumentState } from '../document/outcome.js';
import type { JsonObject } from '../values/json.js';
import type { Journal } from './journal.js';
import { PAGE, pages } from './pages.js';

/** What the service told of a document, as it was kept. */
export interface KeptAnswer {
  readonly sequence: number;
  readonly key: string;
  readonly state: DocumentState;
  readonly answer: JsonObject;
}

/** The kept answers of a run in the order of its documents. */
export function* keptAnswers(journal: Journal, run: string): Iterable<KeptAnswer> {
  const page = journal.prepare(`
    SELECT d.sequence, d.key, d.state, a.body FROM document d JOIN answer a ON a.document = d.id
    WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`);
  for (const { body, ...row } of pages<{ sequence: number; key: string; state: DocumentState; body: string }>(
    page,
    run,
  ))
    yield { ...row, answer: JSON.parse(body) as JsonObject };
}
