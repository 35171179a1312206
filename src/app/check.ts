import { annotationFor, writeAnnotation } from './annotation.js';
import type { UseCase } from './context.js';
import { tellAccounts } from './events.js';
import { loadJob } from './job.js';
import { readJob } from './reading.js';

/** `cargue check FILE...`: reads everything, says what to fix, makes nothing. */
export const check: UseCase = async (context, files, options) => {
  const job = await loadJob(context, files, options);
  const annotation = annotationFor(context, job.files, options);
  const reading = readJob(context, job, { annotation });
  for await (const _ of reading.documents); // all that a check wants is told on the way
  const findings = reading.findings();
  await writeAnnotation(context, annotation, options);
  tellAccounts(context, findings);
  return findings.errors === 0 ? 'fine' : 'data-errors';
};
