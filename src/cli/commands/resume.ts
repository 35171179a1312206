import { outcomeCounts } from '../../send/accounting.js';
import { PAYROLL } from '../../send/payroll-kind.js';
import { listRuns } from '../../send/runs.js';
import type { Run } from '../context.js';
import { clientFor, deliverRun, exitOf } from '../deliver-run.js';
import { EXIT } from '../exit-code.js';
import { closeWithAccounts } from '../finish-run.js';
import { withSender } from '../journal-access.js';
import { chosenRun } from '../run-report.js';
import { say } from '../say.js';
import { companyToken, confirmed, isElsewhere, serviceAddress } from '../service.js';

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
    const counts = outcomeCounts(journal, left.id);
    const count = counts.pending + counts.unknown + counts.unsent;
    const question = say(language, 'askResume', { run: left.id, count });
    if (isElsewhere(url) && count > 0 && !(await confirmed(context, options, question))) return EXIT.fine;
    const client = clientFor(url, await companyToken(context), options);
    try {
      const made = left.counts.documents.made;
      const result = await deliverRun(context, options, {
        journal,
        run: left.id,
        client,
        kind: PAYROLL,
        made,
      });
      await closeWithAccounts(context, journal, left.id, options);
      return exitOf(result, 0);
    } finally {
      await client.close();
    }
  });
