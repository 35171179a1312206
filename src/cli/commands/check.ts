import { giveAccounts } from '../accounts.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { loadJob } from '../job.js';
import { readJob } from '../reading.js';

/** `cargue check FILE...`: reads everything, says what to fix, makes nothing. */
export const run: Run = async (context, files, options) => {
  const reading = readJob(context, await loadJob(files, options), options);
  for await (const _ of reading.drafts); // all that a check wants is told on the way
  const findings = reading.findings();
  giveAccounts(context.terminal, options.json, findings);
  return findings.errors === 0 ? EXIT.fine : EXIT.dataErrors;
};
