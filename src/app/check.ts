import { giveAccounts } from './accounts.js';
import { annotationFor, writeAnnotation } from './annotation.js';
import { EXIT, type UseCase } from './context.js';
import { loadJob } from './job.js';
import { readJob } from './reading.js';

/** `cargue check FILE...`: reads everything, says what to fix, makes nothing. */
export const check: UseCase = async (context, files, options) => {
  const job = await loadJob(files, options);
  const annotation = annotationFor(context, job.files, options);
  const reading = readJob(context, job, options, { annotation });
  for await (const _ of reading.drafts); // all that a check wants is told on the way
  const findings = reading.findings();
  await writeAnnotation(context, annotation, options);
  giveAccounts(context.terminal, options.json, findings);
  return findings.errors === 0 ? EXIT.fine : EXIT.dataErrors;
};
