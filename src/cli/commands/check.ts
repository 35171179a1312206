import { giveAccounts } from '../accounts.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { loadJob } from '../job.js';
import { runPrepare } from '../prepared.js';

/** `cargue check FILE...`: reads everything, says what to fix, makes nothing. */
export const run: Run = async (context, files, options) => {
  const job = await loadJob(files, options);
  const prepared = await runPrepare(context, job, options, {});
  giveAccounts(context.terminal, options.json, prepared);
  return prepared.errors === 0 ? EXIT.fine : EXIT.dataErrors;
};
