import { outcomes } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { findRun } from '../send/runs.js';
import type { Issue, Place } from '../toolkit/core/issue.js';
import { atTitle } from '../toolkit/mapping/params.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import type { Outcome } from '../toolkit/schema/document.js';
import { blamedLeaves } from '../toolkit/schema/rule-data.js';
import type { Context } from './context.js';
import { capabilityOfRun } from './job.js';

/** Moves a document-level issue to its record; login failures get no place. */
function atRecord(issue: Issue): Issue {
  if (hasTrait(issue, 'by-access')) return placed(issue, {});
  const { pointer, column, label, ...record } = issue.place;
  return pointer === undefined ? placed(issue, record) : issue;
}

/** Spreads one kind of issue: a spread of the union is too large for the compiler. */
const placed = <I extends Issue>(issue: I, place: Place): I => ({ ...issue, place });

/**
 * Reads the outcomes of a run in order, with issues placed for users; `withIssues` limits them to those that have
 * some.
 */
export async function* placedOutcomes(
  context: Context,
  journal: Journal,
  run: string,
  withIssues = false,
): AsyncIterable<Outcome> {
  const authority = await capabilityOfRun(context, journal, run, 'authority');
  const blame = authority?.blame ?? blamedLeaves;
  const { titles = {} } = (await findRun(journal, run)).meta;
  for await (const outcome of outcomes(journal, run, { blame, withIssues }))
    yield { ...outcome, issues: outcome.issues.map((issue) => atTitle(atRecord(issue), titles)) };
}

/** Max issues held at once for counting; further ones are emitted directly. */
const MAX_HELD_ISSUES = 1000;

/** Holds issues without a cell and reports each once, with its number of documents. */
export class IssueDeduplicator {
  private readonly held = new Map<
    string,
    { readonly issue: Issue; readonly record?: Place; documents: number }
  >();

  /** Returns true if the issue is held for the end; `record` is the place of its document. */
  take(issue: Issue, record?: Place): boolean {
    const { code, level, value, params, place } = issue;
    if (place.row !== undefined) return false;
    const { file, sheet, param, mapping, pointer } = place;
    const key = JSON.stringify([code, level, value, params, file, sheet, param, mapping, pointer]);
    const known = this.held.get(key);
    if (known === undefined && this.held.size >= MAX_HELD_ISSUES) return false;
    // A failed login is not the fault of the record that met it.
    const at = hasTrait(issue, 'by-access') ? undefined : record;
    // The record, without the column that happens to be first.
    const { column, label, ...recordPlace } = at ?? {};
    if (known === undefined) this.held.set(key, { issue, ...(at && { record: recordPlace }), documents: 1 });
    else known.documents += 1;
    return true;
  }

  *finish(): Iterable<Issue> {
    for (const { issue, record, documents } of this.held.values()) {
      const { documentKey: _, ...general } = issue;
      const { param, mapping } = issue.place;
      if (documents > 1) yield { ...general, documents };
      else yield (param ?? mapping) ? issue : { ...issue, place: { ...record, ...issue.place } };
    }
  }
}
