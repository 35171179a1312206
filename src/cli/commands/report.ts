import { listRuns, refusePurged } from '../../send/runs.js';
import { keepResults } from '../care/keep-results.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { reportRun } from '../finish-run.js';
import { withJournal } from '../journal-access.js';
import { refuseOutput } from '../outputs.js';
import { chosenRun } from '../run-report.js';
import { say } from '../say.js';

/** `cargue report [RUN]`: the workbook again, from the journal alone. */
export const run: Run = (context, [id], options) =>
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
