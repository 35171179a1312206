import { stop } from '../../issues/pipeline-error.js';
import { purgeable, purgeRuns } from '../../send/journal-purge.js';
import { isPlainDate } from '../../values/plain-date.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { withSender } from '../journal-access.js';
import { formatCount, say } from '../say.js';
import { confirmed } from '../service.js';

/** Midnight of a day where the tax authority lives. */
const startOf = (date: string): number => Date.parse(`${date}T00:00:00-05:00`);

/** `cargue journal purge --before DATE`: what the law on personal data asks for; the proof of what was sent stays. */
export const run: Run = (context, _args, options) => {
  const { before = '' } = options;
  if (!isPlainDate(before))
    stop('usage', {
      code: 'run/bad-option',
      value: before,
      params: { option: '--before', expected: 'AAAA-MM-DD' },
    });
  return withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    const { runs, documents, unfinished } = purgeable(journal, startOf(before));
    const params = {
      date: before,
      runs: formatCount(runs.length, language),
      count: formatCount(documents, language),
    };
    if (runs.length > 0 && !(await confirmed(context, options, say(language, 'askPurge', params))))
      return EXIT.fine;
    purgeRuns(journal, runs, now().getTime());
    if (options.json) terminal.out(JSON.stringify({ event: 'purge', before, runs, documents, unfinished }));
    terminal.say(say(language, runs.length === 0 ? 'nothingToPurge' : 'purged', params));
    if (unfinished.length === 0) return EXIT.fine;
    terminal.say(say(language, 'notPurged', { list: unfinished.join(', ') }));
    return EXIT.unfinished;
  });
};
