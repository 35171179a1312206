import type { Options } from '../cli/options.js';
import { say } from '../cli/texts.js';
import { add, type Decimal } from '../core/decimal.js';
import type { Issue, Place } from '../core/issue.js';
import { type Pointer, parsePointer } from '../core/json.js';
import { runEvents } from '../families/events/kind.js';
import { eventTitle } from '../families/events/sequence.js';
import { sourceForm } from '../families/rips/answer.js';
import { RIPS_GROUPS, type RipsGroup } from '../families/rips/national.js';
import { type CarePackage, runCare } from '../families/rips/run-care.js';
import type { SchemaName } from '../generated/schema-types.js';
import type {
  CareReport,
  DocumentFamily,
  ReportedDocument,
  ReportedEvent,
  ReportedService,
  ReportedTotal,
  RunReport,
} from '../report/run-report.js';
import { resolveNode } from '../schema/registry.js';
import { blamedLeaves } from '../schema/rule-data.js';
import { type JournalOutcome, outcomes, runIssues, runSkipped } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { numberGaps, rejectedNumbers } from '../send/numbering.js';
import { accounting, findRun, listRuns, type Run, refusePurged } from '../send/runs.js';
import { EXIT, type UseCase } from './context.js';
import { keepResults, reportRun } from './deliver.js';
import { familyOf } from './job.js';
import { withJournal } from './journal-access.js';
import { refuseOutput } from './outputs.js';
import type { Accounts } from './reading.js';
import { rangesText } from './service.js';
import { patientTable } from './spool.js';

interface Sum {
  packages: number;
  services: number;
  value: Decimal;
  readonly accepted: { services: number; value: Decimal };
}

const nothing = (): Sum => ({ packages: 0, services: 0, value: '0', accepted: { services: 0, value: '0' } });

/** Adds the services of a package, those of one group or all. */
function addTo(sum: Sum, { state, services }: CarePackage, group?: RipsGroup): void {
  let isIn = group === undefined;
  for (const { group: own, value = '0' } of services) {
    if (group !== undefined && own !== group) continue;
    isIn = true;
    for (const part of state === 'accepted' ? [sum, sum.accepted] : [sum]) {
      part.services += 1;
      part.value = add(part.value, value);
    }
  }
  if (isIn) sum.packages += 1;
}

/** One pass over the packages, for patients and totals alike. */
function tally(journal: Journal, run: string) {
  const patients = patientTable(journal);
  const all = nothing();
  const groups = new Map<RipsGroup, Sum>();
  for (const one of runCare(journal, run, false)) {
    patients.add(one);
    addTo(all, one);
    for (const group of new Set(one.services.map((service) => service.group))) {
      const sum = groups.get(group) ?? nothing();
      groups.set(group, sum);
      addTo(sum, one, group);
    }
  }
  const totals: ReportedTotal[] = RIPS_GROUPS.flatMap((group) => {
    const sum = groups.get(group);
    return sum === undefined ? [] : { group, ...sum, patients: patients.count(group) };
  });
  return { patients, totals: [...totals, { ...all, patients: patients.count() }] };
}

function* servicesOf(journal: Journal, run: string): Iterable<ReportedService> {
  for (const { services, document, number, state, cuv } of runCare(journal, run, true))
    for (const service of services)
      yield {
        ...service,
        patient: document,
        state,
        ...(number !== undefined && { number }),
        ...(cuv !== undefined && { cuv }),
      };
}

/** Patients, services and totals of a run, from the journal alone. */
function careReportOf(journal: Journal, run: string): CareReport {
  let known: ReturnType<typeof tally> | undefined;
  const tallied = () => {
    known ??= tally(journal, run);
    return known;
  };
  return {
    patients: () => tallied().patients.all(),
    services: () => servicesOf(journal, run),
    totals: () => tallied().totals,
  };
}

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

/** `cargue report [RUN]`: the workbook again, from the journal alone. */
export const report: UseCase = (context, [id], options) =>
  withJournal(context, options, async (journal) => {
    const chosen = chosenRun(listRuns(journal), journal, id);
    if (chosen === undefined) {
      context.terminal.say(say(context.language, 'noRuns'));
      return EXIT.usage;
    }
    refusePurged(chosen);
    refuseOutput(context, options, { purpose: 'report', output: options.output });
    const report = await reportRun(context, journal, chosen.id, { file: options.output, options });
    await keepResults(context, journal, chosen.id, options);
    if (options.json) context.terminal.out(JSON.stringify({ event: 'report', run: chosen.id, report }));
    return EXIT.fine;
  });

/**
 * What a terminal shows of a personal value: the first character and the last two, dots between; of one with fewer
 * than six characters, dots alone. Enough to recognise a row that one has before one's eyes, too little to learn from.
 */
export const maskText = (text: string): string =>
  text.length < 6 ? '•••' : `${text.slice(0, 1)}•••${text.slice(-2)}`;

/** What a person is called, as a call may show it on a terminal or to a program. */
export const shownPerson =
  ({ showValues }: Pick<Options, 'showValues'>) =>
  (text: string): string =>
    showValues ? text : maskText(text);

/** Whether the keys of such documents are numbers of persons: an event is known by its invoice. */
const keysArePersonal = (schemas: readonly SchemaName[]): boolean =>
  schemas.length === 0 || schemas.some((schema) => !schema.startsWith('events/'));

/** How issues about such documents may be shown, on a terminal as to a program. */
export const maskFor =
  ({ showValues }: Pick<Options, 'showValues'>, schemas: readonly SchemaName[]) =>
  (issue: Issue): Issue =>
    showValues ? issue : maskValue(issue, schemas);

/** Whether a schema marks the place of a pointer, or what it lies in, as `x-personal`. */
export function isPersonal(schema: SchemaName, pointer: string): boolean {
  const keys = parsePointer(pointer);
  return keys.some((_, last) => resolveNode(schema, keys.slice(0, last + 1))?.['x-personal'] === true);
}

/**
 * The issue as a terminal or a log may show it: the value found in a personal field, what repeats it, and the key of
 * a document, where it is a person's number, are masked. Files that only their owner can read have them in full.
 */
export function maskValue(issue: Issue, schemas: readonly SchemaName[]): Issue {
  const { documentKey, value, suggestions, ...rest } = issue;
  const pointer = issue.place.pointer;
  const personal = pointer !== undefined && schemas.some((schema) => isPersonal(schema, pointer));
  const key = keysArePersonal(schemas) ? documentKey : undefined;
  const secrets = [key ?? '', personal ? (value ?? '') : ''].filter((text) => text !== '');
  const cover = (text: string): string =>
    secrets.reduce((covered, secret) => covered.replaceAll(secret, maskText(secret)), text);
  const coverParam = (name: string, param: string | number): string | number => {
    // Nobody knows whether a column that no one reads is about people.
    if (name === 'example') return maskText(String(param));
    const covered = cover(String(param));
    return covered === String(param) ? param : covered;
  };
  return {
    ...rest,
    params: Object.fromEntries(
      Object.entries(issue.params).map(([name, param]) => [name, coverParam(name, param)]),
    ),
    ...(documentKey !== undefined && { documentKey: key === undefined ? documentKey : maskText(key) }),
    ...(value !== undefined && { value: cover(value) }),
    ...(suggestions !== undefined && !personal && { suggestions }),
  };
}
