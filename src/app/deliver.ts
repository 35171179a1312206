import { setMaxListeners } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIssuePrinter, issueLine } from '../cli/issue-printer.js';
import type { Options } from '../cli/options.js';
import { createProgress } from '../cli/terminal.js';
import { formatCount, type Phrase, say } from '../cli/texts.js';
import type { Client } from '../client/client.js';
import { type Issue, type Language, PipelineError, stop } from '../core/issue.js';
import { resultFiles } from '../families/rips/run-care.js';
import type { SchemaName } from '../generated/schema-types.js';
import { word } from '../messages/wording.js';
import { putInPlace } from '../report/put-in-place.js';
import { writeReport } from '../report/workbook.js';
import type { OutcomeCounts } from '../schema/document.js';
import { ruleEntry } from '../schema/rule-data.js';
import type { JournalOutcome } from '../send/documents.js';
import { type ErrandOptions, type ErrandResult, runErrands } from '../send/errand.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import { numberGaps, rejectedNumbers } from '../send/numbering.js';
import {
  approveRun,
  findRun,
  heldRuns,
  type Run as JournalRun,
  leftTotals,
  listRuns,
  outcomeCounts,
} from '../send/runs.js';
import { type SendResult, sendRun, settleByPerson } from '../send/send.js';
import { leaveOut, overtaken, planOf } from '../send/spool.js';
import { bogotaDate, defaultPolicy, openPace, type Policy, REAL_WORLD } from '../send/traffic.js';
import { type Context, EXIT, type ExitCode, type UseCase } from './context.js';
import { familyOf, kindOfRun } from './job.js';
import { claimToken, journalFile, withJournal, withSender } from './journal-access.js';
import { defaultReportName, outputOf, refuseOutput, runName } from './outputs.js';
import { type Accounts, sayAccounts, summaryEvent } from './reading.js';
import { accountsOf, chosenRun, maskFor, placedOutcomes, reportOf, SaidOnce, shownPerson } from './report.js';
import { counted, moveOn, sayDigest } from './send.js';
import {
  clientFor,
  confirmed,
  environmentOf,
  givenPin,
  isElsewhere,
  pinToProve,
  productionConfirmed,
  rangesText,
  serviceAddress,
  sisproAccess,
  storeSisproAccess,
} from './service.js';

/** A word as a shell reads it back. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * `cargue resume 2026-10-03-1 --profile andina`: a command about what this call worked on, to be pasted into any shell. It
 * names what the call was told by options, environment or profile; of what the profile says itself, its name is enough.
 */
export function followUp({ profile, url }: Context, options: Options, command: string): string {
  const said = profile?.own;
  const needed = Object.entries({
    profile: profile?.name,
    company: options.company === said?.company ? undefined : options.company,
    url:
      url !== undefined && options.url === undefined && url === said?.url ? undefined : (options.url ?? url),
    ca: options.ca === said?.ca ? undefined : options.ca,
  });
  const flags = needed.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['cargue', command, ...flags].join(' ');
}

/** What the options say of the pace; the rest is the sender's own. */
export const policyOf = ({ concurrency, rate }: Options): Partial<Policy> => ({
  ...(concurrency !== undefined && { concurrency }),
  // `undefined` is no limit, and must win over the default of a distant service.
  ...(rate !== undefined && ({ requestsPerMinute: rate === 0 ? undefined : rate } as Partial<Policy>)),
});

const total = (counts: OutcomeCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

export interface DeliverOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly client: Client;
  readonly kind: DocumentKind;
  /** Documents of the run. */
  readonly made: number;
}

/** Sends or resumes a run under the eyes of a person: progress, Ctrl-C, why it stopped. */
export async function deliverRun(
  context: Context,
  options: Options,
  what: DeliverOptions,
): Promise<SendResult> {
  const { terminal, language } = context;
  const { made, ...rest } = what;
  claimToken(context, options, what.journal, what.client.fingerprint);
  const done = (counts: OutcomeCounts): number => total(counts) - counts.unsent;
  const before = done(outcomeCounts(what.journal, what.run));
  const progress = createProgress(terminal, { what: 'sending', total: made, before });
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, finish.signal, abort.signal); // every request under way listens
  const stopListening = context.onInterrupt(
    () => {
      terminal.say(say(language, 'finishing'));
      finish.abort();
    },
    () => abort.abort(),
  );
  try {
    const go = (softwarePin: string | undefined): Promise<SendResult> =>
      sendRun({
        ...rest,
        policy: policyOf(options),
        finish: finish.signal,
        abort: abort.signal,
        onProgress: (counts) => progress.update(done(counts)),
        ...(softwarePin !== undefined && { softwarePin }),
      });
    const given = what.kind.hashed === undefined ? undefined : await givenPin(context, options);
    let result = await go(given);
    progress.finish();
    const { unproven, stopped, interrupted } = result;
    // Asked for only where there is something to prove.
    if (
      unproven !== undefined &&
      stopped === undefined &&
      !interrupted &&
      terminal.interactive &&
      !options.yes
    ) {
      const pin = await pinToProve(context, unproven);
      if (pin !== undefined) result = await go(pin);
      progress.finish();
    }
    if (result.pinTrouble !== undefined)
      terminal.say(terminal.paint('yellow', '! ') + issueLine(result.pinTrouble, language));
    sayHowItEnded(context, options, result, what.run);
    return result;
  } finally {
    progress.finish();
    stopListening();
  }
}

/**
 * What has left has left: where journal or results fail after that, as on a full disk, the call was no mistake, and a
 * person is told how to go on once there is room.
 * @throws PipelineError('unfinished') in place of `journal` and `output`
 */
export async function onceBegun<T>(
  context: Context,
  options: Options,
  run: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PipelineError) || !['journal', 'output'].includes(error.key)) throw error;
    const { terminal, language } = context;
    const verb = error.key === 'journal' ? 'resume' : 'report';
    const { ca, ...local } = options;
    const said = verb === 'resume' ? options : local; // a report is written without the service
    terminal.say(say(language, `${verb}Hint`, { command: followUp(context, said, `${verb} ${run}`) }));
    throw new PipelineError('unfinished', error.issues, { cause: error.cause });
  }
}

const unfinished = ({ pending, unknown, unsent }: OutcomeCounts): number => pending + unknown + unsent;

function sayHowItEnded(
  context: Context,
  options: Options,
  { stopped, counts }: SendResult,
  run: string,
): void {
  const { terminal, language } = context;
  if (stopped !== undefined) {
    terminal.say(terminal.paint('red', say(language, 'stoppedEarly')));
    terminal.say(issueLine(stopped, language));
  }
  if (unfinished(counts) === 0) return;
  const { from, until } = stopped?.params ?? {};
  const command = followUp(context, options, `resume ${run}`);
  const later = from !== undefined && until !== undefined;
  terminal.say(
    later ? say(language, 'resumeLater', { command, from, until }) : say(language, 'resumeHint', { command }),
  );
}

/** Whether the cause lies in the documents, told by DIAN or the service, and not in reaching them. */
const isVerdict = (cause: Issue): boolean => cause.code.startsWith('remote/');

/** What the shell is told of a run. */
export function exitOf({ counts, stopped, interrupted }: SendResult, dataErrors: number): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (counts.pending + counts.unknown > 0) return EXIT.unfinished;
  if (stopped !== undefined && !isVerdict(stopped)) return EXIT.unreachable;
  if (stopped === undefined && counts.unsent > 0) return EXIT.unfinished;
  return counts.rejected + counts.unsent + dataErrors > 0 ? EXIT.dataErrors : EXIT.fine;
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

/** One document's outcome as an object of `--json`; a reason is what somebody said, with the cure of that rule. */
const outcomeEvent = (outcome: JournalOutcome, language: Language, saying: Saying): string =>
  JSON.stringify({
    event: 'outcome',
    sequence: outcome.sequence,
    key: saying.person(outcome.key),
    name: outcome.name === undefined ? null : saying.person(outcome.name),
    state: outcome.state,
    number: outcome.number ?? null,
    documentCode: outcome.documentCode ?? null,
    zipKey: outcome.zipKey ?? null,
    attempts: outcome.attempts,
    earlier: outcome.earlier === true,
    file: outcome.place?.file ?? null,
    sheet: outcome.place?.sheet ?? null,
    row: outcome.place?.row ?? null,
    issues: outcome.issues.map(({ code }) => code),
    reasons: outcome.issues.map((issue) => {
      const { message, fix } = word(saying.mask(issue), language, ruleEntry);
      const { code, level, params } = issue;
      return { code, level, rule: params['rule'] ?? null, message, fix };
    }),
    ...(outcome.settled && { settled: outcome.settled }),
  });

interface Saying {
  readonly person: (text: string) => string;
  readonly mask: (issue: Issue) => Issue;
}

/** Whose marks of personal fields count; pointers of one say nothing in another. */
const MASKED: readonly SchemaName[] = ['payroll/payroll', 'payroll/adjust-note-replace', 'rips/attention'];
const EVENTS: readonly SchemaName[] = ['events/event-by-cufe', 'events/event-by-document'];

/** What the service and the sender said of documents: to people in groups, to programs with every outcome. */
async function tellOutcomes(
  context: Context,
  journal: Journal,
  run: string,
  options: Options,
): Promise<void> {
  const { terminal } = context;
  const ofEvents = familyOf(journal, run) === 'events';
  const saying: Saying = {
    person: ofEvents ? (text) => text : shownPerson(options),
    mask: maskFor(options, ofEvents ? EVENTS : MASKED),
  };
  const printer = createIssuePrinter(terminal, {
    json: options.json === true,
    mask: saying.mask,
    extra: ruleEntry,
  });
  const once = new SaidOnce();
  for (const outcome of placedOutcomes(journal, run)) {
    for (const issue of outcome.issues) if (!once.take(issue, outcome.place)) printer.print(issue);
    if (!options.json) continue;
    terminal.out(outcomeEvent(outcome, context.language, saying));
    await terminal.drained();
  }
  for (const issue of once.finish()) printer.print(issue);
  printer.finish();
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

export interface WatchedErrands<Item, T> extends Pick<ErrandOptions<Item, T>, 'items' | 'settle' | 'repeat'> {
  readonly url: URL;
  readonly what: Phrase;
  readonly total: number;
  /** Makes one request, hanging up on the second Ctrl-C. */
  readonly ask: (abort: AbortSignal) => ErrandOptions<Item, T>['ask'];
}

/** Runs errands under the eyes of a person: progress, Ctrl-C, why they stopped. */
export async function watchErrands<Item, T>(
  context: Context,
  options: Options,
  errands: WatchedErrands<Item, T>,
): Promise<ErrandResult> {
  const { terminal, language } = context;
  const { url, what, total, ask, settle, ...rest } = errands;
  const progress = createProgress(terminal, { what, total });
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, abort.signal); // every request under way listens
  const stopListening = context.onInterrupt(
    () => {
      terminal.say(say(language, 'finishing'));
      finish.abort();
    },
    () => abort.abort(),
  );
  const policy = { ...defaultPolicy(url.href), ...policyOf(options) };
  const pace = openPace(journalFile(context, options), policy.requestsPerMinute, REAL_WORLD);
  let done = 0;
  try {
    const result = await runErrands({
      ...rest,
      policy,
      pace,
      ask: ask(abort.signal),
      settle: async (item, reply) => {
        await settle(item, reply);
        done += 1;
        progress.update(done);
      },
      finish: finish.signal,
    });
    progress.finish();
    if (result.stopped !== undefined) {
      terminal.say(terminal.paint('red', say(language, 'stoppedEarly')));
      terminal.say(issueLine(result.stopped, language));
    }
    return result;
  } finally {
    pace.close();
    progress.finish();
    stopListening();
  }
}

/** What the shell is told: trouble on the way goes before single failures. */
export function errandExit({ stopped, interrupted }: ErrandResult, open: number, failed: number): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (stopped !== undefined) return EXIT.unreachable;
  if (open > 0) return EXIT.unfinished;
  return failed > 0 ? EXIT.dataErrors : EXIT.fine;
}

/**
 * Takes each `NUMBER=WORD` of `--settle`.
 * @throws PipelineError('usage', run/bad-option, send/cannot-settle)
 */
function settleAll(context: Context, { settle = [], as }: Options, journal: Journal, run: string): void {
  for (const text of settle) {
    const at = text.lastIndexOf('=');
    if (at < 1)
      stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--settle', expected: 'NUMBER=accepted:CODE | NUMBER=none | NUMBER=ID' },
      });
    settleByPerson(journal, kindOfRun(journal, run), run, {
      number: text.slice(0, at),
      word: text.slice(at + 1),
      by: as ?? context.account ?? '',
      now: context.now().getTime(),
    });
  }
}

/** What is left of a run. */
interface Left {
  readonly journal: Journal;
  readonly left: JournalRun;
  readonly url: URL;
  readonly count: number;
}

/** Beyond this machine and in production, only with a yes. */
async function mayGoOn(
  context: Context,
  options: Options,
  { journal, left, url, count }: Left,
): Promise<boolean> {
  if (environmentOf(context, url, left.testSet) === 'production')
    return productionConfirmed(context, options, {
      url,
      count,
      totals: leftTotals(journal, left.id, kindOfRun(journal, left.id)),
    });
  if (left.state === 'held') return confirmed(context, options, say(context.language, 'askSend', { count }));
  const question = say(context.language, 'askResume', { run: left.id, count });
  return !isElsewhere(url) || confirmed(context, options, question);
}

/** What the shell is told of a run of which nothing more is sent. */
function exitOfGivenUp(journal: Journal, run: string): ExitCode {
  const { pending, unknown, rejected } = outcomeCounts(journal, run);
  if (pending + unknown > 0) return EXIT.unfinished;
  return rejected > 0 ? EXIT.dataErrors : EXIT.fine;
}

/** Asks and sends what is left of a run, from the journal alone. */
async function goOn(
  context: Context,
  options: Options,
  journal: Journal,
  left: JournalRun,
): Promise<ExitCode> {
  const { terminal, language } = context;
  const { id } = left;
  const url = serviceAddress(context, options);
  const access = await sisproAccess(context, options);
  const kind = kindOfRun(journal, id);
  const { pending, unknown, unsent } = outcomeCounts(journal, id);
  const count = pending + unknown + unsent;
  if (count > 0 && !(await mayGoOn(context, options, { journal, left, url, count }))) {
    terminal.say(say(language, 'notSentAnswer'));
    return EXIT.fine;
  }
  const client = await clientFor(context, options, url);
  try {
    if (left.state === 'held')
      await moveOn(context, { journal, kind, run: id }, counted(client, options, journal));
    await storeSisproAccess(context, client, access);
    const made = left.counts.documents.made;
    return await onceBegun(context, options, id, async () => {
      const result = await deliverRun(context, options, { journal, run: id, client, kind, made });
      await closeWithAccounts(context, journal, id, options);
      return exitOf(result, 0);
    });
  } finally {
    await client.close();
  }
}

/** How many documents are named where a held run cannot go as it is. */
const NAMED = 20;

/**
 * What other runs had accepted or began meanwhile stays back, and then only `--partial` lets the rest go.
 * @throws PipelineError('input') with what stands in the way
 */
function leaveOutOvertaken(
  { terminal, language }: Context,
  { partial }: Options,
  journal: Journal,
  held: JournalRun,
): void {
  const { id, testSet, meta, approval } = held;
  const kind = kindOfRun(journal, id);
  const gone = overtaken({ journal, run: id, testSet, keyIsWorker: meta.keyIsWorker === true }, kind);
  if (gone.size === 0) return;
  if (!partial) throw new PipelineError('input', [...gone.values()].slice(0, NAMED));
  const { digest } = leaveOut(journal, kind, id, gone);
  // Who approved all of it approved the rest.
  if (approval !== undefined) approveRun(journal, id, { ...approval, digest });
  terminal.say(say(language, 'blocked', { count: formatCount(gone.size, language) }));
}

/**
 * `cargue send RUN`: what somebody approved, as it was approved. A run that was begun is gone on with.
 * @throws PipelineError('usage', send/not-approved)
 */
export const sendRunById: UseCase = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const found = findRun(journal, id);
    if (found.state !== 'held') return resumeIn(context, options, journal, id);
    const { digest } = planOf(journal, kindOfRun(journal, id), id);
    if (found.approval === undefined || digest !== found.digest)
      stop('usage', { code: 'send/not-approved', params: { run: id } });
    sayDigest(context, options, { run: id, digest });
    leaveOutOvertaken(context, options, journal, found);
    return goOn(context, options, journal, findRun(journal, id));
  });

async function resumeIn(
  context: Context,
  options: Options,
  journal: Journal,
  id: string | undefined,
): Promise<ExitCode> {
  const { terminal, language } = context;
  const left = chosenRun(listRuns(journal), journal, id, ({ state }) => state === 'open');
  if (left === undefined) {
    terminal.say(say(language, 'nothingToResume'));
    return EXIT.fine;
  }
  if (left.state === 'draft') stop('usage', { code: 'journal/no-such-run', params: { run: left.id } });
  if (left.state === 'held') stop('usage', { code: 'send/held', params: { run: left.id } });
  settleAll(context, options, journal, left.id);
  if (left.abandonment === undefined) return goOn(context, options, journal, left);
  if (options.settle === undefined) stop('usage', { code: 'send/given-up', params: { run: left.id } });
  await closeWithAccounts(context, journal, left.id, options);
  return exitOfGivenUp(journal, left.id);
}

/** `cargue resume [RUN]`: asks and sends what is left, from the journal alone. */
export const resume: UseCase = (context, [id], options) =>
  withSender(context, options, false, (journal) => {
    refuseOutput(context, options, { purpose: 'report', output: options.report });
    return resumeIn(context, options, journal, id);
  });

function tellRun(context: Context, journal: Journal, run: JournalRun, options: Options): void {
  const { terminal, language } = context;
  const { id, state, created, testSet, digest, approval, abandonment, purged } = run;
  const counts = outcomeCounts(journal, id);
  const files = run.meta.inputs.map(({ file }) => file);
  if (options.json)
    terminal.out(
      JSON.stringify({
        event: 'run',
        run: id,
        state,
        created,
        testSet: testSet ?? null,
        files,
        documents: counts,
        ...(state === 'held' && { digest }),
        ...(approval && { approval }),
        ...(abandonment && { abandonment }),
        ...(purged && { purged }),
      }),
    );
  else {
    const made = Object.values(counts).reduce((sum, count) => sum + count, 0);
    terminal.say(`${id}  ${files.join(', ')}`);
    terminal.say(`  ${say(language, 'outcomes', { made, ...counts })}`);
    if (state === 'held' && approval === undefined)
      terminal.say(say(language, 'notApproved', { approve: followUp(context, options, `approve ${id}`) }));
    if (approval !== undefined) terminal.say(say(language, 'approvedBy', { ...approval }));
    if (abandonment !== undefined) terminal.say(say(language, 'abandonedFor', { ...abandonment }));
    sayPurged(terminal, language, run);
  }
}

function sayPurged(
  terminal: Context['terminal'],
  language: Context['language'],
  { purged }: JournalRun,
): void {
  if (purged !== undefined)
    terminal.say(say(language, 'wasPurged', { date: bogotaDate(Date.parse(purged)) }));
}

/** Numbers that were left out, of all series. */
function tellGaps({ terminal, language }: Context, journal: Journal, json: boolean | undefined): void {
  const gaps = numberGaps(journal);
  if (gaps.length === 0) return;
  if (json) terminal.out(JSON.stringify({ event: 'gaps', gaps }));
  else terminal.say(say(language, 'numberGaps', { list: rangesText(gaps) }));
}

async function tellOne(context: Context, journal: Journal, id: string, options: Options): Promise<void> {
  const run = findRun(journal, id);
  await tellOutcomes(context, journal, run.id, options);
  const { terminal, language } = context;
  const accounts = accountsOf(journal, run.id);
  const rejected = rejectedNumbers(journal, run.id);
  if (options.json)
    terminal.out(
      summaryEvent(accounts, {
        run: run.id,
        rejectedNumbers: rejected,
        ...(run.purged && { purged: run.purged }),
      }),
    );
  else {
    sayAccounts(terminal, accounts);
    sayPurged(terminal, language, run);
    if (rejected.length > 0) terminal.say(say(language, 'rejectedNumbers', { list: rangesText(rejected) }));
  }
}

/** `cargue status [RUN]`: what the journal knows, without asking the service. */
export const status: UseCase = (context, [id], options) =>
  withJournal(context, options, async (journal) => {
    if (id !== undefined) {
      await tellOne(context, journal, id, options);
      return EXIT.fine;
    }
    const runs = [...heldRuns(journal), ...listRuns(journal)];
    for (const each of runs) tellRun(context, journal, each, options);
    tellGaps(context, journal, options.json);
    if (runs.length === 0) context.terminal.say(say(context.language, 'noRuns'));
    return EXIT.fine;
  });
