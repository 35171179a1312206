import { writeFile } from 'node:fs/promises';
import { capabilities } from '../families/registry.js';
import { putInPlace } from '../report/put-in-place.js';
import { storedAnswers } from '../send/documents.js';
import { listRuns } from '../send/runs.js';
import { draftRun } from './draft-run.js';
import { emitMessage, emitText } from './events.js';
import { onFiles } from './files.js';
import { familiesOf, loadJob, senderFor } from './job.js';
import { withSender } from './journal-access.js';
import type { SendOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { type Sending, sendAll } from './send.js';
import { serviceAddress } from './service.js';

/** `cargue reception FILE...`: has the service read the seller's files and emits what it read. */
export const reception = onFiles<SendOptions>(async (context, opened, options) => {
  const deliveries = await capabilities(familiesOf(context), 'delivery');
  const ready = deliveries.flatMap(({ reading }) => reading?.mapping ?? []);
  const job = await loadJob(context, opened, { ...options, mapping: options.mapping ?? ready[0] ?? '' });
  const sender = await senderFor(context, job.mapping);
  const { reading } = sender.kind;
  const url = serviceAddress(context, options);
  const { files: inputs } = opened;
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: inputs });
  refuseOutput(context, options, { purpose: 'reception', output: options.output, files: inputs });
  return withSender(context, options, true, async (journal, asking) => {
    const before = (await listRuns(journal))[0]?.id;
    const sending: Sending = { context: asking, options, job, ...sender, url, journal };
    const outcome = await sendAll(sending, { draft: (call) => draftRun(asking, options, call) });
    const made = (await listRuns(journal))[0]?.id;
    if (made === undefined || made === before) return outcome;
    const records: string[] = [];
    for await (const { sequence, key, answer } of storedAnswers(journal, made)) {
      records.push(JSON.stringify(answer));
      context.tell({ event: 'reception', sequence, key, data: answer });
      if (reading !== undefined) emitText(context, 'readInvoice', reading.read(answer));
    }
    if (options.output !== undefined) {
      const file = await putInPlace(
        options.output,
        (temporary) => writeFile(temporary, records.map((record) => `${record}\n`).join('')),
        outputOf(context, options, 'reception'),
      );
      emitMessage(context, 'written', { file });
    }
    return outcome;
  });
});
