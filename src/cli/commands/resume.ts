import { outcomeCounts } from '../../send/accounting.js';
import type { Journal } from '../../send/journal.js';
import { leftTotals } from '../../send/journal-left.js';
import { type Run as JournalRun, listRuns } from '../../send/runs.js';
import { settleAll } from '../care/settle.js';
import { sisproAccess, storeSisproAccess } from '../care/sispro-access.js';
import { clientFor } from '../client-for.js';
import type { Context, Run } from '../context.js';
import { deliverRun, exitOf } from '../deliver-run.js';
import { environmentOf, productionConfirmed } from '../environment.js';
import { EXIT } from '../exit-code.js';
import { closeWithAccounts } from '../finish-run.js';
import { withSender } from '../journal-access.js';
import { kindOfRun } from '../kinds.js';
import type { Options } from '../options.js';
import { chosenRun } from '../run-report.js';
import { say } from '../say.js';
import { confirmed, isElsewhere, serviceAddress } from '../service.js';

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
  const question = say(context.language, 'askResume', { run: left.id, count });
  return !isElsewhere(url) || confirmed(context, options, question);
}

/** `cargue resume [RUN]`: asks and sends what is left, from the journal alone. */
export const run: Run = (context, [id], options) =>
  withSender(context, options, false, async (journal) => {
    const { terminal, language } = context;
    const left = chosenRun(listRuns(journal), journal, id, ({ state }) => state === 'open');
    if (left === undefined) {
      terminal.say(say(language, 'nothingToResume'));
      return EXIT.fine;
    }
    const url = serviceAddress(context, options);
    const access = await sisproAccess(context, options);
    const kind = kindOfRun(journal, left.id);
    settleAll(journal, kind, left.id, options.settle ?? [], context.now());
    const counts = outcomeCounts(journal, left.id);
    const count = counts.pending + counts.unknown + counts.unsent;
    if (count > 0 && !(await mayGoOn(context, options, { journal, left, url, count }))) {
      terminal.say(say(language, 'notSentAnswer'));
      return EXIT.fine;
    }
    const client = await clientFor(context, options, url);
    try {
      await storeSisproAccess(context, client, access);
      const made = left.counts.documents.made;
      const result = await deliverRun(context, options, {
        journal,
        run: left.id,
        client,
        kind,
        made,
      });
      await closeWithAccounts(context, journal, left.id, options);
      return exitOf(result, 0);
    } finally {
      await client.close();
    }
  });
