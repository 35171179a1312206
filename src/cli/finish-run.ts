import type { SchemaName } from '../generated/schema-types.js';
import type { Issue, Language } from '../issues/issue.js';
import { word } from '../issues/wording.js';
import { writeReport } from '../report/write-report.js';
import { ruleEntry } from '../schema/rules.js';
import type { Journal } from '../send/journal.js';
import type { JournalOutcome } from '../send/outcomes.js';
import { findRun } from '../send/runs.js';
import type { Accounts } from './accounts.js';
import { sayAccounts, summaryEvent } from './accounts.js';
import { keepResults } from './care/keep-results.js';
import type { Context } from './context.js';
import { familyOf } from './document-family.js';
import { createIssuePrinter } from './issue-printer.js';
import { maskFor, shownPerson } from './mask.js';
import type { Options } from './options.js';
import { defaultReportName, outputOf } from './outputs.js';
import { accountsOf, placedOutcomes, reportOf, SaidOnce } from './run-report.js';
import { say } from './say.js';

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
export async function tellOutcomes(
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
