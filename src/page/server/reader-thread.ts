import { parentPort } from 'node:worker_threads';
import { PipelineError } from '../../toolkit/core/issue.js';
import type { ActChange } from './act-events.js';
import type { Reply, Request } from './reader.js';
import { UploadReader } from './upload-reader.js';

/** How often changes of an act are passed on, in ms; what comes meanwhile goes with them. */
const MIN_BETWEEN_MS = 50;

const reader = new UploadReader();

const reply = (message: Reply): void => parentPort!.postMessage(message);

/** Passes changes on in batches: a message for each of a hundred thousand would keep the server busy. */
function batches(id: number) {
  let changes: ActChange[] = [];
  let last = 0;
  const flush = (): void => {
    // As JSON has them, which is how the page gets them.
    if (changes.length > 0) reply({ id, changes: JSON.parse(JSON.stringify(changes)) as ActChange[] });
    changes = [];
    last = Date.now();
  };
  return {
    flush,
    take(change: ActChange): void {
      changes.push(change);
      if (Date.now() - last >= MIN_BETWEEN_MS) flush();
    },
  };
}

async function answer({ id, name, args }: Request): Promise<void> {
  const { flush, take } = batches(id);
  const timer = setInterval(flush, MIN_BETWEEN_MS);
  try {
    const call = reader[name].bind(reader) as (...all: readonly unknown[]) => Promise<unknown>;
    const result = await call(...args, take);
    flush();
    reply({ id, result });
  } catch (error) {
    flush();
    reply(
      error instanceof PipelineError
        ? { id, stopped: { key: error.key, issues: error.issues } }
        : { id, error: error instanceof Error ? error.message : String(error) },
    );
  } finally {
    clearInterval(timer);
  }
}

parentPort!.on('message', (request: Request | 'close') => {
  if (request === 'close') void reader.forget().finally(() => parentPort!.close());
  else void answer(request);
});
