import { outcomeCounts } from '../../send/accounting.js';
import { abandonRun, discardDraft, findRun } from '../../send/runs.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { withSender } from '../journal-access.js';
import { formatCount, say } from '../say.js';
import { confirmed } from '../service.js';

/**
 * `cargue journal abandon RUN`: without it the rest of a wrong file keeps its corrected one from being sent. With a reason
 * nobody asks any more about what is unconfirmed. Of a held run nothing stays.
 */
export const run: Run = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    const { state } = findRun(journal, id);
    const { unsent, pending, unknown } = outcomeCounts(journal, id);
    const params = { run: id, count: formatCount(unsent, language) };
    const left = pending + unknown;
    const open = formatCount(left, language);
    const { reason } = options;
    const isHeld = state === 'held' || state === 'draft';
    const question = reason !== undefined && left > 0 && !isHeld ? 'askAbandonOpen' : 'askAbandon';
    const something = unsent > 0 || isHeld || (reason !== undefined && left > 0);
    if (something && !(await confirmed(context, options, say(language, question, { ...params, open }))))
      return EXIT.fine;
    if (isHeld) discardDraft(journal, id);
    else if (something) abandonRun(journal, id, now().getTime(), reason);
    if (options.json)
      terminal.out(JSON.stringify({ event: 'abandon', run: id, documents: unsent, open: isHeld ? 0 : left }));
    if (isHeld) {
      terminal.say(say(language, 'heldDropped', params));
      return EXIT.fine;
    }
    terminal.say(say(language, something ? 'abandoned' : 'nothingToAbandon', params));
    if (left === 0) return EXIT.fine;
    terminal.say(
      say(language, reason === undefined ? 'stillOpen' : 'openAbandoned', { run: id, count: open }),
    );
    return EXIT.unfinished;
  });
