import type { Issue, Place } from '../core/issue.js';
import { blamedLeaves } from '../schema/rule-data.js';
import { type JournalOutcome, outcomes, runIssues } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { accounting } from '../send/runs.js';

import type { Context } from './context.js';
import { type Accounts, issueTeller } from './events.js';
import { familyOfRun, senderOfRun } from './family.js';

/** What is said of a document as a whole stands at its record, not at a cell that happens to be the first. */
function atRecord(issue: Issue): Issue {
  const { pointer, column, label, ...record } = issue.place;
  return pointer === undefined ? { ...issue, place: record } : issue;
}

/** Outcomes of a run in order, their issues placed for people. */
export async function* placedOutcomes(
  context: Context,
  journal: Journal,
  run: string,
): AsyncIterable<JournalOutcome> {
  const blame = (await familyOfRun(context, journal, run))?.blame ?? blamedLeaves;
  for await (const outcome of outcomes(journal, run, { blame }))
    yield { ...outcome, issues: outcome.issues.map(atRecord) };
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
    if (known === undefined) this.kept.set(key, { issue, ...(record && { record }), documents: 1 });
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

/** Every issue of a run: of its data, then of what became of its documents. */
export async function* allIssues(context: Context, journal: Journal, run: string): AsyncIterable<Issue> {
  yield* runIssues(journal, run);
  const once = new SaidOnce();
  for await (const { issues, place } of placedOutcomes(context, journal, run))
    for (const issue of issues) if (!once.take(issue, place)) yield issue;
  yield* once.finish();
}

/** The accounting of a run, with its errors and warnings. */
export async function accountsOf(context: Context, journal: Journal, run: string): Promise<Accounts> {
  const counts = { error: 0, warning: 0 };
  for await (const { level } of allIssues(context, journal, run)) counts[level] += 1;
  return { ...(await accounting(journal, run)), errors: counts.error, warnings: counts.warning };
}

/** Tells every outcome of a run, and what the service and the sender said of its documents. */
export async function tellOutcomes(context: Context, journal: Journal, run: string): Promise<void> {
  const about = await senderOfRun(context, journal, run);
  const teller = issueTeller(context, about);
  const once = new SaidOnce();
  for await (const outcome of placedOutcomes(context, journal, run)) {
    for (const issue of outcome.issues) if (!once.take(issue, outcome.place)) teller.tell(issue);
    context.tell({ event: 'outcome', outcome, about });
    await context.taken();
  }
  for (const issue of once.finish()) teller.tell(issue);
  teller.end();
}
