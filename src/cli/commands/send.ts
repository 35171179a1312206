import { annotationFor, writeAnnotation } from '../annotation.js';
import type { Run } from '../context.js';
import { loadJob } from '../job.js';
import { withSender } from '../journal-access.js';
import { refuseInputAsOutput } from '../outputs.js';
import { type Sending, sendAll } from '../send-flow.js';
import { serviceAddress } from '../service.js';
import { kindOf, spoolJob } from '../spooling.js';

/** `cargue send FILE...` */
export const run: Run = async (context, files, options) => {
  const job = await loadJob(files, options);
  kindOf(job.mapping);
  const url = serviceAddress(context, options);
  if (options.report !== undefined) refuseInputAsOutput(options.report, job.files);
  const annotation = annotationFor(context, job.files, options);
  return withSender(context, options, true, async (journal) => {
    const sending: Sending = { context, options, job, url, journal, annotation };
    const code = await sendAll(sending, { spool: (call) => spoolJob(context, options, call) });
    await writeAnnotation(context, annotation, options);
    return code;
  });
};
