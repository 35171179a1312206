import { putInPlace } from '../../report/put-in-place.js';
import { backupJournal } from '../../send/journal-backup.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { withJournal } from '../journal-access.js';
import { outputOf, refuseOutput } from '../outputs.js';
import { say } from '../say.js';

/** `cargue journal backup FILE`: a copy of one moment, private (0600), in the place of no other file. */
export const run: Run = (context, [target = ''], options) =>
  withJournal(context, options, async (journal) => {
    const { terminal, language } = context;
    refuseOutput(context, options, { purpose: 'backup', output: target });
    const file = await putInPlace(
      target,
      async (temporary) => backupJournal(journal, temporary),
      outputOf(context, options, 'backup'),
    );
    if (options.json) terminal.out(JSON.stringify({ event: 'backup', file }));
    terminal.say(say(language, 'backedUp', { file }));
    return EXIT.fine;
  });
