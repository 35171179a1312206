import { say } from '../messages/texts.js';
import type { Journal } from '../send/journal.js';
import { numberGaps, rejectedNumbers } from '../send/numbering.js';
import { findRun, heldRuns, type Run as JournalRun, listRuns, outcomeCounts } from '../send/runs.js';
import { bogotaDate } from '../send/traffic.js';
import { sayAccounts, summaryEvent } from './accounts.js';
import { type Context, EXIT, type UseCase } from './context.js';
import { followUp } from './deliver.js';
import { withJournal } from './journal-access.js';
import type { Options } from './options.js';
import { accountsOf, tellOutcomes } from './outcomes.js';
import { rangesText } from './report.js';

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
  const accounts = accountsOf(context, journal, run.id);
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
