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

/** What is said of a document as a whole stands at its record, not at a cell that happens to be the first; that nobody is let in, nowhere. */
function atRecord(issue: Issue): Issue {
  if (hasTrait(issue, 'by-access')) return placed(issue, {});
  const { pointer, column, label, ...record } = issue.place;
  return pointer === undefined ? placed(issue, record) : issue;
}

/** Of one kind of issue: all of them at once are more than the compiler can spread quickly. */
const placed = <I extends Issue>(issue: I, place: Place): I => ({ ...issue, place });

/** Outcomes of a run in order, their issues placed for people; all, or those of which something is said. */
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

/** Sayings that are kept at once to be counted; beyond, each is told as it comes. */
const MOST_KEPT = 1000;

/** Says once, with how many documents have it, what no cell of a document caused; the rest as it comes. */
export class SaidOnce {
  private readonly kept = new Map<
    string,
    { readonly issue: Issue; readonly record?: Place; documents: number }
  >();

  /** Whether the issue is kept for the end; `record` is where its document stands. */
  take(issue: Issue, record?: Place): boolean {
    const { code, level, value, params, place } = issue;
    if (place.row !== undefined) return false;
    const { file, sheet, param, mapping, pointer } = place;
    const key = JSON.stringify([code, level, value, params, file, sheet, param, mapping, pointer]);
    const known = this.kept.get(key);
    if (known === undefined && this.kept.size >= MOST_KEPT) return false;
    // That nobody is let in is no record's fault, though only one found it out.
    const at = hasTrait(issue, 'by-access') ? undefined : record;
    // The record, and not the cell that happens to be its first.
    const { column, label, ...whole } = at ?? {};
    if (known === undefined) this.kept.set(key, { issue, ...(at && { record: whole }), documents: 1 });
    else known.documents += 1;
    return true;
  }

  *finish(): Iterable<Issue> {
    for (const { issue, record, documents } of this.kept.values()) {
      const { documentKey: _, ...general } = issue;
      const { param, mapping } = issue.place;
      if (documents > 1) yield { ...general, documents };
      else yield (param ?? mapping) ? issue : { ...issue, place: { ...record, ...issue.place } };
    }
  }
}
