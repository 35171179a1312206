import { parentPort } from 'node:worker_threads';
import { PipelineError } from '../../toolkit/core/issue.js';
import type { Reply, Request } from './reader.js';
import type { TaskChange } from './task-events.js';
import { UploadReader } from './upload-reader.js';

/** Min time between two posts of a task's changes, in ms; changes meanwhile are batched. */
const POST_INTERVAL_MS = 50;

const reader = new UploadReader();

const reply = (message: Reply): void => parentPort!.postMessage(message);

/** Posts changes in batches: one message for each of 100,000 events would block the server. */
function batches(id: number) {
  let changes: TaskChange[] = [];
  let last = 0;
  const flush = (): void => {
    // Converted through JSON, as the page receives them.
    if (changes.length > 0) reply({ id, changes: JSON.parse(JSON.stringify(changes)) as TaskChange[] });
    changes = [];
    last = Date.now();
  };
  return {
    flush,
    take(change: TaskChange): void {
      changes.push(change);
      if (Date.now() - last >= POST_INTERVAL_MS) flush();
    },
  };
}

async function answer({ id, name, args }: Request): Promise<void> {
  const { flush, take } = batches(id);
  const timer = setInterval(flush, POST_INTERVAL_MS);
  try {
    const call = reader[name].bind(reader) as (...args: readonly unknown[]) => Promise<unknown>;
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
