import { existsSync } from 'node:fs';
import { annotationFor, writeAnnotation } from '../annotation.js';
import { sisproAccess, storeSisproAccess } from '../care/sispro-access.js';
import { isCareJob, spoolCare } from '../care/spool-care.js';
import type { Run } from '../context.js';
import { isEventJob } from '../events/event-follow.js';
import { spoolEvents } from '../events/spool-events.js';
import { type Job, loadJob } from '../job.js';
import { withSender } from '../journal-access.js';
import { kindOf } from '../kinds.js';
import { refuseOutput } from '../outputs.js';
import { type Sending, sendAll } from '../send-flow.js';
import { serviceAddress } from '../service.js';
import { spoolJob } from '../spooling.js';
import { sendRunById } from './resume.js';

const spoolOf = (job: Job) => (isEventJob(job) ? spoolEvents : isCareJob(job) ? spoolCare : spoolJob);

/** A run is named by the day and a number of it. */
const isRunId = ([name = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && /^\d{4}-\d\d-\d\d-\d+$/.test(name) && !existsSync(name);

/** `cargue send FILE...`, or `cargue send RUN` */
export const run: Run = async (context, files, options) => {
  if (isRunId(files)) return sendRunById(context, files, options);
  const job = await loadJob(files, options);
  kindOf(job.mapping);
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.files });
  const access = options.hold ? undefined : await sisproAccess(context, options);
  const annotation = annotationFor(context, job.files, options);
  const nit = job.params.values['numDocumentoIdObligado'];
  return withSender(
    context,
    options,
    { create: true, nit: typeof nit === 'string' ? nit : undefined },
    async (journal) => {
      const sending: Sending = { context, options, job, url, journal, annotation };
      const code = await sendAll(sending, {
        spool: (call) => spoolOf(job)(context, options, call),
        begin: (client) => storeSisproAccess(context, client, access),
      });
      await writeAnnotation(context, annotation, options);
      return code;
    },
  );
};
