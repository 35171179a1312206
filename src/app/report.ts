import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIssuePrinter } from '../cli/issue-printer.js';
import { add, type Decimal } from '../core/decimal.js';
import { type Issue, stop } from '../core/issue.js';
import { runEvents } from '../families/events/family.js';
import { eventTitle } from '../families/events/sequence.js';
import { RIPS_GROUPS, type RipsGroup } from '../families/rips/national.js';
import { type CarePackage, resultFiles, runCare } from '../families/rips/run-care.js';
import { formatCount, say } from '../messages/texts.js';
import { putInPlace } from '../report/put-in-place.js';
import type {
  CareReport,
  DocumentFamily,
  ReportedDocument,
  ReportedEvent,
  ReportedPatient,
  ReportedService,
  ReportedTotal,
  RunReport,
} from '../report/run-report.js';
import { writeReport } from '../report/workbook.js';
import type { DocumentFate } from '../schema/document.js';
import { ruleEntry } from '../schema/rule-data.js';
import { type JournalOutcome, runIssues, runSkipped } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { type NumberRange, numberGaps, rejectedNumbers } from '../send/numbering.js';
import { accounting, findRun, listRuns, type Run, refusePurged } from '../send/runs.js';
import { type Accounts, sayAccounts, summaryEvent } from './accounts.js';
import { type Context, EXIT, type UseCase } from './context.js';
import { familyOf } from './family.js';
import { chosenRun, withJournal } from './journal-access.js';
import type { Options } from './options.js';
import { accountsOf, allIssues, placedOutcomes, tellOutcomes } from './outcomes.js';
import { defaultReportName, outputOf, refuseOutput, runName } from './outputs.js';

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

/** How many ranges are named: a cell of a workbook takes 32,767 characters, a person far less. */
const NAMED = 60;

/** `NOM7–NOM9, NOM12` */
export function rangesText(ranges: readonly NumberRange[]): string {
  const named = ranges
    .slice(0, NAMED)
    .map(({ prefix, from, to }) => (from === to ? `${prefix}${from}` : `${prefix}${from}–${prefix}${to}`));
  return named.join(', ') + (ranges.length > NAMED ? ` … (+${ranges.length - NAMED})` : '');
}

/** From what is over to what must be looked at: a patient shows the worst of all packages. */
const WORST_LAST: readonly DocumentFate[] = [
  'accepted',
  'unsent',
  'pending',
  'unknown',
  'held-back',
  'rejected',
];

/** The patients of a run, each once, in SQLite's own temporary file: any run fits in memory. */
export interface PatientTable {
  add(one: CarePackage): void;
  count(group?: RipsGroup): number;
  /** By document. */
  all(): Iterable<ReportedPatient>;
}

interface Row {
  readonly document: string;
  readonly name: string;
  readonly packages: number;
  readonly services: number;
  readonly worst: number;
}

const PAGE = 512;

const bitOf = (group: RipsGroup): number => 1 << RIPS_GROUPS.indexOf(group);

/** Begins anew: a connection has one table of patients. */
export function patientTable(journal: Journal): PatientTable {
  journal.exec(`
    DROP TABLE IF EXISTS temp.patient;
    CREATE TEMP TABLE patient (
      document TEXT PRIMARY KEY, name TEXT NOT NULL, packages INTEGER NOT NULL, services INTEGER NOT NULL,
      worst INTEGER NOT NULL, groups INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`);
  const add = journal.prepare(`
    INSERT INTO temp.patient VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET
      packages = packages + 1, services = services + excluded.services, worst = max(worst, excluded.worst),
      groups = groups | excluded.groups`);
  const count = journal.prepare('SELECT count(*) AS patients FROM temp.patient WHERE groups & ? OR ? = 0');
  const page = journal.prepare(
    `SELECT document, name, packages, services, worst FROM temp.patient WHERE document > ? ORDER BY document LIMIT ${PAGE}`,
  );
  return {
    add({ document, name, services, state }) {
      const groups = services.reduce((bits, { group }) => bits | bitOf(group), 0);
      add.run(document, name, services.length, WORST_LAST.indexOf(state), groups);
    },
    count(group) {
      const bit = group === undefined ? 0 : bitOf(group);
      return count.first<{ patients: number }>(bit, bit)?.patients ?? 0;
    },
    *all() {
      for (let after = ''; ; ) {
        const rows = page.all<Row>(after);
        for (const { worst, ...patient } of rows) yield { ...patient, state: WORST_LAST[worst]! };
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.document;
      }
    },
  };
}

/** Writes what the ministry answered in a run, each for its owner alone, and says where; nothing for a run without such answers. */
export async function keepResults(
  context: Context,
  journal: Journal,
  run: string,
  options: Options,
): Promise<void> {
  const { terminal, language } = context;
  const folder = options.results ?? `resultados-${runName(context, findRun(journal, run))}`;
  const placing = outputOf(context, options, 'result');
  let count = 0;
  for (const { name, text } of resultFiles(journal, run)) {
    if (count === 0)
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) =>
        stop(
          'output',
          { code: 'report/not-writable', params: { file: folder, reason: error.code ?? '' } },
          error,
        ),
      );
    const file = join(folder, name);
    // Most are there from an earlier call, just as they are.
    const there = await readFile(file, 'utf8').catch(() => undefined);
    if (there !== text) await putInPlace(file, (temporary) => writeFile(temporary, text), placing);
    count += 1;
  }
  if (count > 0) terminal.say(say(language, 'resultsKept', { count: formatCount(count, language), folder }));
}

/** Writes the workbook of a run and says where it is. */
export async function reportRun(
  context: Context,
  journal: Journal,
  id: string,
  { file, options }: { file: string | undefined; options: Options },
): Promise<string> {
  const { terminal, language } = context;
  const run = findRun(journal, id);
  const written = await writeReport(reportOf(journal, run), {
    file: file ?? defaultReportName(context, run),
    language,
    now: context.now(),
    extra: ruleEntry,
    placing: outputOf(context, options, 'report'),
  });
  const printer = createIssuePrinter(terminal, { json: false, mask: (issue) => issue });
  for (const issue of written.issues) printer.print(issue);
  terminal.say(say(language, 'reported', { file: written.file }));
  return written.file;
}

/** The end of a run for whoever reads: outcomes, accounts, report. Returns the accounts. */
export async function closeWithAccounts(
  context: Context,
  journal: Journal,
  run: string,
  options: Options,
): Promise<Accounts> {
  await tellOutcomes(context, journal, run, options);
  const accounts = accountsOf(journal, run);
  if (!options.json) sayAccounts(context.terminal, accounts);
  let report: string | undefined;
  try {
    report = await reportRun(context, journal, run, { file: options.report, options });
  } finally {
    // Also where the report cannot be written.
    if (options.json) context.terminal.out(summaryEvent(accounts, { run, report: report ?? null }));
  }
  await keepResults(context, journal, run, options);
  return accounts;
}
