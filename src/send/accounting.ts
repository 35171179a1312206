import {
  type ColumnAccount,
  type DocumentCounts,
  noOutcomes,
  type OutcomeCounts,
  type RecordCounts,
} from '../document/accounting.js';
import type { DocumentFate, DocumentState, OutcomeState } from '../document/outcome.js';
import type { Journal } from './journal.js';
import { findRun } from './runs.js';

/** What a person sees: a request that left without an answer may have landed. */
export const outcomeState = (state: DocumentState): OutcomeState =>
  state === 'planned' ? 'unsent' : state === 'sending' ? 'unknown' : state;

/**
 * SQL over `document` as `d`: closed without an answer of anybody, because it never left, or because a person found that it
 * never arrived and gave it up. Nobody rejected it.
 */
export const HELD_BACK = `(d.state = 'rejected' AND (
  (d.attempts = 0 AND instr(d.issues, '"remote/') = 0) OR instr(d.issues, '"send/abandoned"') > 0))`;

export const fateOf = (state: DocumentState, heldBack: number | null): DocumentFate =>
  heldBack === 1 ? 'held-back' : outcomeState(state);

function fates(journal: Journal, run: string): Readonly<Record<DocumentFate, number>> {
  const counts = { ...noOutcomes(), 'held-back': 0 };
  const rows = journal
    .prepare(
      `SELECT d.state, ${HELD_BACK} AS heldBack, count(*) AS count FROM document d WHERE d.run = ? GROUP BY 1, 2`,
    )
    .all<{ state: DocumentState; heldBack: number | null; count: number }>(run);
  for (const { state, heldBack, count } of rows) counts[fateOf(state, heldBack)] += count;
  return counts;
}

/** Of the documents that are made: what is held back is not among them. */
export function outcomeCounts(journal: Journal, run: string): OutcomeCounts {
  const { 'held-back': _, ...outcomes } = fates(journal, run);
  return outcomes;
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
  const { 'held-back': held, ...outcomes } = fates(journal, run);
  const { planned, made, heldBack } = documents;
  return {
    records,
    documents: { planned, made: made - held, heldBack: heldBack + held },
    ...(columns && { columns }),
    outcomes,
  };
}
