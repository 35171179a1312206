import {
  type ColumnAccount,
  type DocumentCounts,
  noOutcomes,
  type OutcomeCounts,
  type RecordCounts,
} from '../document/accounting.js';
import type { DocumentState, OutcomeState } from '../document/outcome.js';
import type { Journal } from './journal.js';
import { findRun } from './runs.js';

/** What a person sees: a request that left without an answer may have landed. */
export const outcomeState = (state: DocumentState): OutcomeState =>
  state === 'planned' ? 'unsent' : state === 'sending' ? 'unknown' : state;

export function outcomeCounts(journal: Journal, run: string): OutcomeCounts {
  const counts = noOutcomes();
  const rows = journal
    .prepare('SELECT state, count(*) AS count FROM document WHERE run = ? GROUP BY state')
    .all<{ state: DocumentState; count: number }>(run);
  for (const { state, count } of rows) counts[outcomeState(state)] += count;
  return counts;
}

export interface RunAccounting {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly columns?: readonly ColumnAccount[];
  readonly outcomes: OutcomeCounts;
}

/** Nothing is lost: `documents.made` is the sum of the outcomes. Throws a PipelineError (`usage`) for an unknown run. */
export function accounting(journal: Journal, run: string): RunAccounting {
  const { records, documents, columns } = findRun(journal, run).counts;
  return { records, documents, ...(columns && { columns }), outcomes: outcomeCounts(journal, run) };
}
