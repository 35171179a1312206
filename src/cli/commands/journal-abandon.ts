import { outcomeCounts } from '../../send/accounting.js';
import { abandonRun, findRun } from '../../send/runs.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { withSender } from '../journal-access.js';
import { formatCount, say } from '../say.js';
import { confirmed } from '../service.js';

/** `cargue journal abandon RUN`: without it the rest of a wrong file keeps its corrected one from being sent. */
export const run: Run = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    findRun(journal, id);
    const { unsent, pending, unknown } = outcomeCounts(journal, id);
    const params = { run: id, count: formatCount(unsent, language) };
    if (unsent > 0 && !(await confirmed(context, options, say(language, 'askAbandon', params))))
      return EXIT.fine;
    if (unsent > 0) abandonRun(journal, id, now().getTime());
    if (options.json) terminal.out(JSON.stringify({ event: 'abandon', run: id, documents: unsent }));
    terminal.say(say(language, unsent === 0 ? 'nothingToAbandon' : 'abandoned', params));
    const left = pending + unknown;
    if (left === 0) return EXIT.fine;
    terminal.say(say(language, 'stillOpen', { run: id, count: formatCount(left, language) }));
    return EXIT.unfinished;
  });
