import { eventTitle } from '../events/sequence.js';
import type { Issue, Place } from '../issues/issue.js';
import type { DocumentFamily, ReportedDocument, ReportedEvent, RunReport } from '../report/run-report.js';
import { blamedLeaves } from '../schema/rules.js';
import { accounting } from '../send/accounting.js';
import { runEvents } from '../send/events/run-events.js';
import type { Journal } from '../send/journal.js';
import { numberGaps, rejectedNumbers } from '../send/numbering.js';
import { type JournalOutcome, outcomes, runIssues, runSkipped } from '../send/outcomes.js';
import { sourceForm } from '../send/rips/source-form.js';
import { findRun, type Run } from '../send/runs.js';
import type { Pointer } from '../values/pointer.js';
import type { Accounts } from './accounts.js';
import { careReportOf } from './care/care-report.js';
import { familyOf } from './document-family.js';
import { rangesText } from './number-ranges.js';

/** What is said of a document as a whole stands at its record, not at a cell that happens to be the first. */
function atRecord(issue: Issue): Issue {
  const { pointer, column, label, ...record } = issue.place;
  return pointer === undefined ? { ...issue, place: record } : issue;
}

/** Rules of packages are about the national form; people know the leaves behind it. */
const careLeaves = (rule: string): readonly Pointer[] => [
  ...new Set(blamedLeaves(rule).flatMap((leaf) => sourceForm(leaf) ?? [])),
];

/** Outcomes of a run in order, their issues placed for people. */
export function* placedOutcomes(journal: Journal, run: string): Iterable<JournalOutcome> {
  const blame = familyOf(journal, run) === 'care' ? careLeaves : blamedLeaves;
  for (const outcome of outcomes(journal, run, { blame }))
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
export function* allIssues(journal: Journal, run: string): Iterable<Issue> {
  yield* runIssues(journal, run);
  const once = new SaidOnce();
  for (const { issues, place } of placedOutcomes(journal, run))
    for (const issue of issues) if (!once.take(issue, place)) yield issue;
  yield* once.finish();
}

/** Of an outcome that is about an invoice: which event of which. */
function eventsOf(journal: Journal, run: string): (outcome: JournalOutcome) => ReportedEvent | undefined {
  const eventAt = runEvents(journal, run);
  return ({ sequence, key, name }) => {
    const event = eventAt(sequence);
    if (event === undefined) return undefined;
    const { cufe, code, fromFile } = event;
    return { invoice: fromFile ? key : (name ?? key), cufe, code, name: eventTitle(code) };
  };
}

function* withEvents(journal: Journal, run: string): Iterable<ReportedDocument> {
  const eventOf = eventsOf(journal, run);
  for (const outcome of placedOutcomes(journal, run)) {
    const event = eventOf(outcome);
    yield event === undefined ? outcome : { ...outcome, event };
  }
}

/** What is said of a document that another run has and has not finished. */
const isElsewhere = ({ code, params }: Issue): boolean =>
  ['send/unfinished-run', 'send/may-be-there'].includes(code) ||
  ['pending', 'unknown', 'open'].includes(String(params['case']));

/** The documents that were made, then those that an error in the data held back. */
function* allDocuments(journal: Journal, run: string, family: DocumentFamily): Iterable<ReportedDocument> {
  yield* family === 'events' ? withEvents(journal, run) : placedOutcomes(journal, run);
  const heldBack = new Map<string, Issue[]>();
  for (const issue of runIssues(journal, run)) {
    if (issue.level !== 'error' || issue.documentKey === undefined) continue;
    const known = heldBack.get(issue.documentKey);
    if (known === undefined) heldBack.set(issue.documentKey, [issue]);
    else known.push(issue);
  }
  for (const [key, issues] of heldBack)
    yield {
      key,
      state: issues.every(isElsewhere) ? 'elsewhere' : 'held-back',
      attempts: 0,
      issues,
      place: issues[0]!.place,
    };
}

/** The accounting of a run, with its errors and warnings. */
export function accountsOf(journal: Journal, run: string): Accounts {
  const counts = { error: 0, warning: 0 };
  for (const { level } of allIssues(journal, run)) counts[level] += 1;
  return { ...accounting(journal, run), errors: counts.error, warnings: counts.warning };
}

const rangeFacts = (journal: Journal, run: string) => {
  const rejected = rejectedNumbers(journal, run);
  const gaps = numberGaps(journal);
  return {
    ...(rejected.length > 0 && { rejectedNumbers: rangesText(rejected) }),
    ...(gaps.length > 0 && { numberGaps: rangesText(gaps) }),
  };
};

/** The workbook of a run, from the journal alone. */
export function reportOf(journal: Journal, run: Run): RunReport {
  const { id, meta, counts, created, ended, testSet, digest, approval, abandonment } = run;
  const accounts = accountsOf(journal, id);
  const family = familyOf(journal, id);
  return {
    family,
    ...(family === 'care' && { care: careReportOf(journal, id) }),
    facts: {
      run: id,
      company: meta.company,
      url: meta.url,
      ...(testSet !== undefined && { testSet }),
      started: created,
      ...(ended !== undefined && { ended }),
      ...(digest !== undefined && { digest }),
      ...(approval !== undefined && { approval: `${approval.by} (${approval.at})` }),
      ...(abandonment !== undefined && { abandonment: `${abandonment.reason} (${abandonment.at})` }),
      versions: meta.versions,
      ...(meta.mapping !== undefined && { mapping: `${meta.mapping.name} (SHA-256 ${meta.mapping.sha256})` }),
      ...rangeFacts(journal, id),
      params: meta.params,
      defaults: counts.defaults,
      inputs: meta.inputs,
    },
    counts: { ...accounting(journal, id), errors: accounts.errors, warnings: accounts.warnings },
    documents: () => allDocuments(journal, id, family),
    issues: () => allIssues(journal, id),
    skipped: () => runSkipped(journal, id),
  };
}

/** The run of a call: the one named, or the latest that fits. Undefined when none does. */
export const chosenRun = (
  runs: readonly Run[],
  journal: Journal,
  id: string | undefined,
  fits: (run: Run) => boolean = () => true,
): Run | undefined => (id === undefined ? runs.find(fits) : findRun(journal, id));
