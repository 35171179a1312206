import { writeFile } from 'node:fs/promises';
import { putInPlace } from '../../report/put-in-place.js';
import { keptAnswers } from '../../send/answers.js';
import { listRuns } from '../../send/runs.js';
import type { JsonObject, JsonValue } from '../../values/json.js';
import type { Context, Run } from '../context.js';
import { loadJob } from '../job.js';
import { withSender } from '../journal-access.js';
import { outputOf, refuseOutput } from '../outputs.js';
import { say } from '../say.js';
import { type Sending, sendAll } from '../send-flow.js';
import { serviceAddress } from '../service.js';
import { spoolJob } from '../spooling.js';

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Flags of the service's own book; useful as a check, never a proof of an event (events.md 7). */
const FLAGS: readonly (readonly [key: string, code: string])[] = [
  ['acu_recibo', '030'],
  ['rec_bienes', '032'],
  ['aceptacion', '033'],
  ['rechazo', '031'],
];

const flagsOf = (data: JsonObject): string =>
  FLAGS.flatMap(([key, code]) => (Number(data[key]) === 1 ? [code] : [])).join(' ');

function tell({ terminal, language }: Context, data: JsonObject): void {
  terminal.say(
    say(language, 'readInvoice', {
      number: text(data['number']),
      seller: text(data['name_seller']),
      total: text(data['total']),
      state: flagsOf(data),
    }).trimEnd(),
  );
}

/** `cargue reception FILE...`: has the service read the seller's files, and hands on what it read. */
export const run: Run = async (context, files, options) => {
  const job = await loadJob(files, { ...options, mapping: options.mapping ?? 'events/reception' });
  const url = serviceAddress(context, options);
  const { files: inputs } = job;
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: inputs });
  refuseOutput(context, options, { purpose: 'reception', output: options.output, files: inputs });
  return withSender(context, options, true, async (journal) => {
    const before = listRuns(journal)[0]?.id;
    const sending: Sending = { context, options, job, url, journal };
    const code = await sendAll(sending, { spool: (call) => spoolJob(context, options, call) });
    const made = listRuns(journal)[0]?.id;
    if (made === undefined || made === before) return code;
    const records: string[] = [];
    for (const { sequence, key, answer } of keptAnswers(journal, made)) {
      records.push(JSON.stringify(answer));
      if (options.json)
        context.terminal.out(JSON.stringify({ event: 'reception', sequence, key, data: answer }));
      else tell(context, answer);
    }
    if (options.output !== undefined) {
      const file = await putInPlace(
        options.output,
        (temporary) => writeFile(temporary, records.map((record) => `${record}\n`).join('')),
        outputOf(context, options, 'reception'),
      );
      context.terminal.say(say(context.language, 'written', { file }));
    }
    return code;
  });
};
