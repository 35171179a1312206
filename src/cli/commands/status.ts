import { outcomeCounts } from '../../send/accounting.js';
import type { Journal } from '../../send/journal.js';
import { findRun, type Run as JournalRun, listRuns } from '../../send/runs.js';
import { sayAccounts, summaryEvent } from '../accounts.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { tellOutcomes } from '../finish-run.js';
import { withJournal } from '../journal-access.js';
import type { Options } from '../options.js';
import { accountsOf } from '../run-report.js';
import { say } from '../say.js';

function tellRun(
  { terminal, language }: Context,
  journal: Journal,
  run: JournalRun,
  json: boolean | undefined,
): void {
  const { id, state, created, testSet } = run;
  const counts = outcomeCounts(journal, id);
  const files = run.meta.inputs.map(({ file }) => file);
  if (json)
    terminal.out(
      JSON.stringify({
        event: 'run',
        run: id,
        state,
        created,
        testSet: testSet ?? null,
        files,
        documents: counts,
      }),
    );
  else {
    const made = Object.values(counts).reduce((sum, count) => sum + count, 0);
    terminal.say(`${id}  ${files.join(', ')}`);
    terminal.say(`  ${say(language, 'outcomes', { made, ...counts })}`);
  }
}

async function tellOne(context: Context, journal: Journal, id: string, options: Options): Promise<void> {
  const run = findRun(journal, id);
  await tellOutcomes(context, journal, run.id, options);
  const accounts = accountsOf(journal, run.id);
  if (options.json) context.terminal.out(summaryEvent(accounts, { run: run.id }));
  else sayAccounts(context.terminal, accounts);
}

/** `cargue status [RUN]`: what the journal knows, without asking the service. */
export const run: Run = (context, [id], options) =>
  withJournal(context, options, async (journal) => {
    if (id !== undefined) {
      await tellOne(context, journal, id, options);
      return EXIT.fine;
    }
    const runs = listRuns(journal);
    for (const each of runs) tellRun(context, journal, each, options.json);
    if (runs.length === 0) context.terminal.say(say(context.language, 'noRuns'));
    return EXIT.fine;
  });
