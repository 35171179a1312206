import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportPart } from '../families/family.js';
import { capability } from '../families/registry.js';
import { notWritable, putInPlace } from '../report/put-in-place.js';
import type { RunReport } from '../report/rows.js';
import type { MonthChange, ReportedDocument } from '../report/run-report.js';
import { printReport, writeReport, writeWorkbook } from '../report/workbook.js';
import { runFindings, runIssues, runSkipped } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { NO_NAME } from '../send/journal-proof.js';
import { type NumberRange, numberGaps, rejectedNumbers } from '../send/numbering.js';
import {
  accounting,
  employerOf,
  findRun,
  monthsOf,
  pages,
  type Run,
  type RunMeta,
  refusePurged,
  runTotals,
  schemasOfRun,
  totalsByFate,
} from '../send/runs.js';
import { add, subtract } from '../toolkit/core/decimal.js';
import { type Issue, paramOf } from '../toolkit/core/issue.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import { explainRule, ruleEntry } from '../toolkit/schema/rule-data.js';
import type { Context, Outcome, UseCase } from './context.js';
import { emitRowsToFix } from './copies.js';
import { type Accounts, emitMessage, issueEmitter, type LeftOut, type RunFacts } from './events.js';
import { capabilityOfRun, familyOfRun, senderOfRun } from './job.js';
import { chosenRun, withJournal, withSender } from './journal-access.js';
import { formatNextCommand, quotedCommands } from './next-command.js';
import type { OutputOptions, ServiceOptions } from './options.js';
import { IssueDeduplicator, placedOutcomes } from './outcomes.js';
import { defaultReportName, outputOf, refuseOutput, runName } from './outputs.js';
import { readResults } from './read-results.js';
import { rowsToFixOfRun } from './rows-to-fix.js';
import { destination, environmentOf } from './service.js';

export interface ReportOptions extends ServiceOptions, OutputOptions {
  readonly pdf?: string;
  readonly overtime?: string;
  /** Result files of the authority, or their folders. */
  readonly readResults?: readonly string[];
}

/** Yields the issues of a run: of its data, then of its outcomes. */
export async function* allIssues(context: Context, journal: Journal, run: string): AsyncIterable<Issue> {
  yield* runIssues(journal, run);
  const documentIssues = new IssueDeduplicator();
  for await (const { issues, place } of placedOutcomes(context, journal, run, true))
    for (const issue of issues) if (!documentIssues.take(issue, place)) yield issue;
  yield* documentIssues.finish();
}

/** Returns the accounts of a run; issues are added to the given counts. */
async function accountsWith(
  journal: Journal,
  run: string,
  issues: AsyncIterable<Issue>,
  { errors, warnings }: Pick<Accounts, 'errors' | 'warnings'> = { errors: 0, warnings: 0 },
): Promise<Accounts> {
  const counts = { error: errors, warning: warnings };
  for await (const { level } of issues) counts[level] += 1;
  return { ...(await accounting(journal, run)), errors: counts.error, warnings: counts.warning };
}

/** Returns the accounts of a run with its errors and warnings. */
export const accountsOf = (context: Context, journal: Journal, run: string): Promise<Accounts> =>
  accountsWith(journal, run, allIssues(context, journal, run));

/** Max rules listed in a hint. */
const MAX_NAMED_RULES = 8;

/** Emits the outcomes of a run and their issues; returns its accounts. */
export async function emitOutcomes(context: Context, journal: Journal, run: string): Promise<Accounts> {
  const { documents: about } = (await senderOfRun(context, journal, run)).family;
  const teller = issueEmitter(context, about);
  const documentIssues = new IssueDeduplicator();
  const rules = new Set<string>();
  for await (const outcome of placedOutcomes(context, journal, run)) {
    for (const issue of outcome.issues)
      if (hasTrait(issue, 'passes-on-rule')) rules.add(String(paramOf(issue, 'rule') ?? ''));
    for (const issue of outcome.issues) if (!documentIssues.take(issue, outcome.place)) teller.emit(issue);
    context.tell({ event: 'outcome', outcome, about });
    await context.taken();
  }
  for (const issue of documentIssues.finish()) teller.emit(issue);
  teller.end();
  const known = [...rules].filter((id) => explainRule(id) !== undefined);
  const [rule] = known;
  if (rule !== undefined)
    emitMessage(context, 'explainHint', {
      rule,
      rules: known.slice(0, MAX_NAMED_RULES).join(', '),
    });
  for await (const document of leftOut(journal, run)) {
    context.tell({ event: 'left-out', document, about });
    await context.taken();
  }
  return accountsWith(journal, run, runIssues(journal, run), teller);
}

/** Yields documents that were held back, or that another run has. */
async function* leftOut(journal: Journal, run: string): AsyncIterable<LeftOut> {
  const heldBack = new Map<string, [Issue, ...Issue[]]>();
  const names = new Map<string, string>();
  for await (const { issue, document } of runFindings(journal, run)) {
    if (issue.level !== 'error' || issue.documentKey === undefined) continue;
    if (document?.name !== undefined) names.set(issue.documentKey, document.name);
    const known = heldBack.get(issue.documentKey);
    if (known === undefined) heldBack.set(issue.documentKey, [issue]);
    else known.push(issue);
  }
  for (const [key, issues] of heldBack)
    yield {
      key,
      ...(names.has(key) && { name: names.get(key) }),
      state: issues.every((issue) => hasTrait(issue, 'elsewhere')) ? 'elsewhere' : 'held-back',
      issues,
      place: issues[0].place,
    };
}

/** Yields the documents that were made, then those left out. */
async function* allDocuments(
  context: Context,
  journal: Journal,
  run: string,
): AsyncIterable<ReportedDocument> {
  const { about } = (await capabilityOfRun(context, journal, run, 'report')) ?? {};
  const rows = about && pages(journal, about.page, run)[Symbol.asyncIterator]();
  let row = await rows?.next();
  for await (const outcome of placedOutcomes(context, journal, run)) {
    const { sequence } = outcome;
    while (row?.done === false && row.value.sequence < sequence) row = await rows?.next();
    const known =
      row?.done === false && row.value.sequence === sequence ? about?.of(row.value, outcome) : undefined;
    yield known === undefined ? outcome : { ...outcome, about: known };
  }
  for await (const document of leftOut(journal, run)) yield { ...document, attempts: 0 };
}

const rangeFacts = async (journal: Journal, run: string) => {
  const rejected = await rejectedNumbers(journal, run);
  const gaps = await numberGaps(journal);
  return {
    ...(rejected.length > 0 && { rejectedNumbers: rangesText(rejected) }),
    ...(gaps.length > 0 && { numberGaps: rangesText(gaps) }),
  };
};

/** Sums up the differences from the month before; undefined if there are none. */
async function differenceOf(journal: Journal, { id, testSet }: Run, part: ReportPart | undefined) {
  let found: MonthChange | undefined;
  for await (const { month, was, is } of part?.months?.differences(journal, id, testSet, 'made') ?? []) {
    const { changed, fresh, missing, amount } = found ?? { changed: 0, fresh: 0, missing: 0, amount: '0.00' };
    found = {
      month,
      changed: changed + Number(was !== undefined && is !== undefined),
      fresh: fresh + Number(was === undefined),
      missing: missing + Number(is === undefined),
      amount: add(amount, subtract(is ?? '0.00', was ?? '0.00')),
    };
  }
  return found;
}

const NIT = /^\d{6,10}$/;

/** Returns the NIT from a response or from the company's name; undefined if none is known. */
const nitOf = async (journal: Journal, run: RunMeta): Promise<string | undefined> => {
  const named = [run.employer, run.params['numDocumentoIdObligado'], run.company, await employerOf(journal)];
  return named.find((text): text is string => typeof text === 'string' && NIT.test(text));
};

async function reportOf(context: Context, journal: Journal, run: Run): Promise<RunReport> {
  const { id, meta, counts, created, ended, testSet, digest, approval, abandonment } = run;
  const accounts = await accountsOf(context, journal, id);
  const family = await familyOfRun(context, journal, id);
  const kind = await capability(family, 'delivery');
  const part = await capability(family, 'report');
  const columns = part?.columns(await schemasOfRun(journal, id));
  const difference = await differenceOf(journal, run, part);
  const nit = await nitOf(journal, meta);
  const months = await monthsOf(journal, id);
  const called = meta.company === NO_NAME || NIT.test(meta.company) ? undefined : meta.company;
  const companyName = context.profile?.companyName ?? called;
  return {
    ...(columns && { columns }),
    ...(part && { sheets: (saying) => part.sheets(journal, id, saying, testSet) }),
    totals: kind === undefined ? {} : await totalsByFate(journal, id, kind),
    ...(difference && { difference }),
    facts: {
      run: id,
      company: meta.company,
      ...(companyName !== undefined && { companyName }),
      ...(nit !== undefined && { nit }),
      ...(months.length > 0 && { months }),
      environment: environmentOf(context, new URL(meta.url), testSet),
      url: meta.url,
      ...(testSet !== undefined && { testSet }),
      started: created,
      ...(ended !== undefined && { ended }),
      ...(digest !== undefined && { digest }),
      ...(meta.by !== undefined && { by: meta.by }),
      ...(approval && { approval }),
      ...(abandonment && { abandonment }),
      versions: meta.versions,
      ...(meta.law && { law: meta.law }),
      ...(meta.mapping !== undefined && { mapping: `${meta.mapping.name} (SHA-256 ${meta.mapping.sha256})` }),
      ...(await rangeFacts(journal, id)),
      params: meta.params,
      defaults: counts.defaults,
      ...(meta.titles && { titles: meta.titles }),
      inputs: meta.inputs,
    },
    counts: { ...(await accounting(journal, id)), errors: accounts.errors, warnings: accounts.warnings },
    documents: () => allDocuments(context, journal, id),
    issues: () => allIssues(context, journal, id),
    skipped: () => runSkipped(journal, id),
  };
}

/**
 * `cargue report [RUN]`: writes the workbook of a run from the journal, after adding the authority's result files if
 * given.
 */
export const report: UseCase<ReportOptions> = async (context, [id], options) => {
  const { readResults: paths = [] } = options;
  if (paths.length > 0)
    await withSender(context, options, false, async (journal) => {
      const chosen = await chosenRun(journal, id);
      if (chosen !== undefined) await readResults(context, journal, chosen.id, paths);
      return 'fine';
    });
  return writeAgain(context, id, options);
};

const writeAgain = (context: Context, id: string | undefined, options: ReportOptions): Promise<Outcome> =>
  withJournal(context, options, async (journal) => {
    const chosen = await chosenRun(journal, id);
    if (chosen === undefined) {
      emitMessage(context, 'noRuns');
      return 'usage';
    }
    refusePurged(chosen);
    const { output, pdf } = options;
    refuseOutput(context, options, { purpose: 'report', output });
    refuseOutput(context, options, { purpose: 'pdf', output: pdf });
    const files = chosen.meta.inputs.flatMap(({ path }) => path ?? []);
    refuseOutput(context, options, { purpose: 'failed', output: options.failed, files });
    refuseOutput(context, options, { purpose: 'overtime', output: options.overtime, files });
    const report =
      pdf === undefined || output !== undefined
        ? await reportRun(context, journal, chosen.id, { file: output, options })
        : null;
    const printed =
      pdf === undefined
        ? undefined
        : await reportRun(context, journal, chosen.id, { file: pdf, options, print: true });
    await writeResults(context, journal, chosen.id, options);
    await writeRowsToFix(context, journal, chosen.id, options);
    await writeOvertime(context, journal, chosen.id, options);
    context.tell({ event: 'report', run: chosen.id, report, ...(printed !== undefined && { pdf: printed }) });
    return 'fine';
  });

/** Max ranges in a list; a workbook cell takes 32,767 characters. */
const MAX_LISTED_RANGES = 60;

/** Formats ranges: `NOM7–NOM9, NOM12`. */
export function rangesText(ranges: readonly NumberRange[]): string {
  const named = ranges
    .slice(0, MAX_LISTED_RANGES)
    .map(({ prefix, from, to }) => (from === to ? `${prefix}${from}` : `${prefix}${from}–${prefix}${to}`));
  return (
    named.join(', ') + (ranges.length > MAX_LISTED_RANGES ? ` … (+${ranges.length - MAX_LISTED_RANGES})` : '')
  );
}

/** Writes the authority's results of a run with mode 0600 and emits their folder; does nothing if there are none. */
async function writeResults(
  context: Context,
  journal: Journal,
  run: string,
  options: ReportOptions,
): Promise<void> {
  const folder = options.results ?? `resultados-${runName(context, await findRun(journal, run))}`;
  const placing = outputOf(context, options, 'result');
  let count = 0;
  const authority = await capabilityOfRun(context, journal, run, 'authority');
  for await (const { name, text } of authority?.results(journal, run) ?? []) {
    if (count === 0)
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => notWritable(folder, error));
    const file = join(folder, name);
    // Most were written unchanged by an earlier call.
    const there = await readFile(file, 'utf8').catch(() => undefined);
    if (there !== text) await putInPlace(file, (temporary) => writeFile(temporary, text), placing);
    count += 1;
  }
  if (count > 0) emitMessage(context, 'resultsKept', { count, folder });
}

/** Writes the rows to fix of a run, if requested, and emits the path. */
export async function writeRowsToFix(
  context: Context,
  journal: Journal,
  run: string,
  options: ReportOptions,
): Promise<void> {
  const { failed } = options;
  if (failed === undefined) return;
  const found = await findRun(journal, run);
  const rows = await rowsToFixOfRun(context, journal, found);
  const file = await rows.write(failed, outputOf(context, options, 'failed'));
  if (file === undefined) emitMessage(context, 'nothingFailed');
  else await emitRowsToFix(context, file, found.meta.mapping?.name);
}

/** Writes the overtime register of a run, if requested, and emits the path. */
async function writeOvertime(
  context: Context,
  journal: Journal,
  run: string,
  options: ReportOptions,
): Promise<void> {
  const { overtime } = options;
  if (overtime === undefined) return;
  const part = await capabilityOfRun(context, journal, run, 'report');
  const saying = { language: context.language, linkTo: () => undefined };
  const sheets = part?.sheets(journal, run, saying, undefined, 'overtime');
  const sheet = sheets?.find(({ register }) => register === 'overtime');
  if (sheet === undefined) {
    emitMessage(context, 'noOvertime');
    return;
  }
  const write = (temporary: string) => writeWorkbook(temporary, [sheet], { now: context.now() });
  const file = await putInPlace(overtime, write, outputOf(context, options, 'overtime'));
  emitMessage(context, 'overtimeWritten', { file });
}

/** Writes the report of a run as a workbook or a PDF and emits the path. */
async function reportRun(
  context: Context,
  journal: Journal,
  id: string,
  { file, options, print }: { file: string | undefined; options: ReportOptions; print?: true },
): Promise<string> {
  const run = await findRun(journal, id);
  const write = print ? printReport : writeReport;
  const written = await write(await reportOf(context, journal, run), {
    file: file ?? defaultReportName(context, run),
    language: context.language,
    now: context.now(),
    extra: ruleEntry,
    complete: (text) =>
      quotedCommands(text, (words, isLocal) => formatNextCommand(context, options, words, isLocal)),
    placing: outputOf(context, options, print ? 'pdf' : 'report'),
  });
  for (const issue of written.issues) context.tell({ event: 'remark', issue });
  emitMessage(context, 'reported', { file: written.file });
  return written.file;
}

/** Returns the use cases that accept the run's documents. */
async function canOf(context: Context, journal: Journal, run: string): Promise<readonly string[]> {
  const { preview, mail } = (await capabilityOfRun(context, journal, run, 'paper')) ?? {};
  return [...(preview ? ['preview'] : []), ...(mail ? ['email'] : [])];
}

/** Returns the summary of a run for a signature. */
export async function factsOf(context: Context, journal: Journal, run: Run): Promise<RunFacts> {
  const { id, meta, created, ended, testSet, approval, purged } = run;
  const to = destination(context, { company: meta.company }, new URL(meta.url), testSet);
  const { kind } = await senderOfRun(context, journal, id);
  return {
    run: id,
    company: to.company,
    service: to.url.host,
    environment: to.environment,
    files: meta.inputs.map(({ file }) => file),
    created,
    ended: ended ?? null,
    approval: approval ?? null,
    totals: purged === undefined ? await runTotals(journal, id, kind, 'accepted') : {},
    can: purged === undefined ? await canOf(context, journal, id) : [],
  };
}

/** Emits the end of a run: outcomes, accounts, report. */
export async function closeWithAccounts(
  context: Context,
  journal: Journal,
  run: string,
  options: ReportOptions,
): Promise<void> {
  const accounts = await emitOutcomes(context, journal, run);
  context.tell({ event: 'accounts', accounts });
  let report: string | undefined;
  try {
    report = await reportRun(context, journal, run, { file: options.report, options });
  } finally {
    // Emitted even if the report cannot be written.
    const can = await canOf(context, journal, run);
    context.tell({ event: 'summary', accounts, run, report: report ?? null, can });
  }
  await writeResults(context, journal, run, options);
}
