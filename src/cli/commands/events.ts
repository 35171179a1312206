import { stop } from '../../issues/pipeline-error.js';
import { withInputs } from '../../pipeline/inputs.js';
import type { Run } from '../context.js';
import { isEventJob } from '../events/event-follow.js';
import { makeWorklist } from '../events/worklist.js';
import { expandFiles } from '../files.js';
import { loadJob } from '../job.js';
import { areDocuments, FOR_DOCUMENTS } from '../mapping-choice.js';
import { run as send } from './send.js';

/** `cargue events FILE...`: registers events after what DIAN has, or says what is to be done with each invoice. */
export const run: Run = async (context, files, options) => {
  const { worklist } = options;
  if (worklist === undefined) {
    const job = await loadJob(files, options);
    if (!isEventJob(job)) stop('usage', { code: 'events/not-events', value: job.mapping.name });
    return send(context, files, { ...options, mapping: options.mapping ?? job.chosen ?? '' });
  }
  const fromFiles =
    options.mapping === FOR_DOCUMENTS || (await withInputs(await expandFiles(files), areDocuments));
  // The invoices count, not what would be registered: of files only the codes are needed.
  const asked = fromFiles ? { byCufe: true, param: ['event_id=1', ...(options.param ?? [])] } : {};
  const job = await loadJob(files, { ...options, ...asked });
  if (!isEventJob(job)) stop('usage', { code: 'events/not-events', value: job.mapping.name });
  return makeWorklist(context, job, options, worklist);
};
