import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Draft } from '../../document/draft.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { JsonObject } from '../../values/json.js';
import { giveAccounts } from '../accounts.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { type Job, loadJob } from '../job.js';
import { createNumbering } from '../number-series.js';
import type { Options } from '../options.js';
import { refuseInputAsOutput } from '../outputs.js';
import { type Prepared, runPrepare } from '../prepared.js';
import { say } from '../say.js';

const documentEvent = (draft: Draft, document: JsonObject | undefined): string =>
  JSON.stringify({
    event: 'document',
    sequence: draft.sequence,
    key: draft.key,
    name: draft.name ?? null,
    schema: draft.schema,
    ...(document && { document }),
  });

function toStdout(context: Context, job: Job, options: Options): Promise<Prepared> {
  const numbered = createNumbering(job.params.values);
  return runPrepare(context, job, options, {
    document(draft) {
      const document = numbered(draft);
      context.terminal.out(options.json ? documentEvent(draft, document) : JSON.stringify(document));
    },
  });
}

async function toFile(context: Context, job: Job, options: Options, output: string): Promise<Prepared> {
  const numbered = createNumbering(job.params.values);
  let prepared: Prepared | undefined;
  const written = await putInPlace(output, async (temporary) => {
    const file = createWriteStream(temporary);
    const closed = finished(file);
    closed.catch(() => undefined); // looked at below, when all is written
    try {
      prepared = await runPrepare(context, job, options, {
        document(draft) {
          file.write(`${JSON.stringify(numbered(draft))}\n`);
          if (options.json) context.terminal.out(documentEvent(draft, undefined));
        },
        async batch() {
          if (file.errored) throw file.errored;
          if (file.writableNeedDrain) await once(file, 'drain');
        },
      });
    } finally {
      file.end();
    }
    await closed;
  });
  context.terminal.say(say(context.language, 'written', { file: written }));
  return prepared!;
}

/** `cargue convert FILE...`: the good documents, numbered, one JSON a line. */
export const run: Run = async (context, files, options) => {
  const job = await loadJob(files, options);
  if (options.output !== undefined) refuseInputAsOutput(options.output, job.files);
  const prepared =
    options.output === undefined
      ? await toStdout(context, job, options)
      : await toFile(context, job, options, options.output);
  giveAccounts(context.terminal, options.json, prepared);
  return prepared.errors === 0 ? EXIT.fine : EXIT.dataErrors;
};
