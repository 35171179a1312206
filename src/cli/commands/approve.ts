import { stop } from '../../issues/pipeline-error.js';
import { planOf } from '../../send/draft.js';
import type { Journal } from '../../send/journal.js';
import { approveRun, findRun } from '../../send/runs.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { followUp } from '../follow-up.js';
import { withSender } from '../journal-access.js';
import { kindOfRun } from '../kinds.js';
import type { Options } from '../options.js';
import { accountsOf } from '../run-report.js';
import { formatCount, say } from '../say.js';
import { sayDigest, sayPlan } from '../send-plan.js';
import { confirmed, serviceAddress } from '../service.js';

/** Months of the documents, as far as they belong to one. */
function monthsOf(journal: Journal, run: string): readonly string[] {
  const rows = journal
    .prepare('SELECT DISTINCT period FROM document WHERE run = ? AND period IS NOT NULL ORDER BY period')
    .all<{ period: string }>(run);
  return [...new Set(rows.map(({ period }) => period.slice(-'2026-10'.length)))];
}

/**
 * Whoever approves is named: by `--as`, else asked.
 * @throws PipelineError('usage', run/needs-name) where nobody can answer
 */
async function nameOf({ terminal, language, ask }: Context, { as }: Options): Promise<string> {
  const name = as ?? (terminal.interactive ? await ask.text(say(language, 'askName')) : '');
  return name.trim() === '' ? stop('usage', { code: 'run/needs-name' }) : name.trim();
}

/** `cargue approve RUN`: a person lets a held run go, by name; the approval is of the digest shown. */
export const run: Run = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    const held = findRun(journal, id);
    if (held.state !== 'held') stop('usage', { code: 'send/not-held', params: { run: id } });
    const url = serviceAddress(context, options);
    const { planned, totals, digest } = planOf(journal, kindOfRun(journal, id), id);
    const { errors, warnings, documents, outcomes } = accountsOf(journal, id);
    const { accepted: earlier, rejected: blocked } = outcomes!;
    sayPlan(context, options, {
      url,
      testSet: held.testSet,
      planned,
      totals,
      earlier,
      blocked,
      errors,
      warnings,
    });
    if (documents.heldBack > 0)
      terminal.say(say(language, 'heldBackCount', { count: formatCount(documents.heldBack, language) }));
    const months = monthsOf(journal, id);
    if (months.length > 0) terminal.say(say(language, 'theMonths', { months: months.join(', ') }));
    const files = held.meta.inputs.map(({ file }) => file).join(', ');
    if (files !== '') terminal.say(say(language, 'theFiles', { files }));
    sayDigest(context, options, { run: id, digest });
    const by = await nameOf(context, options);
    if (!(await confirmed(context, options, say(language, 'askApprove')))) {
      terminal.say(say(language, 'notApprovedNow'));
      return EXIT.fine;
    }
    const at = now().toISOString();
    approveRun(journal, id, { by, at, digest });
    if (options.json) terminal.out(JSON.stringify({ event: 'approval', run: id, by, at, digest }));
    terminal.say(say(language, 'approvedToSend', { by, send: followUp(context, options, `send ${id}`) }));
    return EXIT.fine;
  });
