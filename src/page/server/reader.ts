import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Issue, PipelineError, type PipelineErrorKey } from '../../toolkit/core/issue.js';
import type { TaskChange } from './task-events.js';
import type { UploadReader } from './upload-reader.js';

/** Max time a thread may take to close, in ms; then it is terminated. */
const MAX_CLOSE_MS = 1000;

type MethodName = keyof UploadReader;

/** Arguments of a method without its last one, the change listener. */
type CallArgs<N extends MethodName> =
  Parameters<UploadReader[N]> extends readonly [...infer Rest, (change: TaskChange) => void]
    ? Rest
    : Parameters<UploadReader[N]>;

export interface Request {
  readonly id: number;
  readonly name: MethodName;
  readonly args: readonly unknown[];
}

/** Message of the thread about a request: changes so far, or how it ended. */
export type Reply = { readonly id: number } & (
  | { readonly changes: readonly TaskChange[] }
  | { readonly result: unknown }
  | { readonly stopped: { readonly key: PipelineErrorKey; readonly issues: readonly Issue[] } }
  | { readonly error: string }
);

interface PendingCall {
  readonly take: (changes: readonly TaskChange[]) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const startThread = (): Worker => {
  const worker = new Worker(new URL('./reader-thread.js', import.meta.url));
  worker.unref();
  return worker;
};

/** Thread that no reader has taken yet. */
let spare: Worker | undefined;

/** Starts a thread for the next reader: to start it and to load the program takes a third of the time of a small file. */
export function prepareThread(): void {
  if (spare !== undefined) return;
  const started = startThread();
  const drop = (): void => {
    if (spare === started) spare = undefined;
  };
  started.once('error', drop).once('exit', drop);
  spare = started;
}

function takeThread(): Worker {
  const worker = spare ?? startThread();
  spare = undefined;
  return worker;
}

/** Rejects the calls of a reader that is closed. */
export class ReaderClosed extends Error {}

/**
 * Reads the files of one upload in a thread, so that requests are not blocked. The first call starts the
 * thread.
 */
export class Reader {
  private worker: Worker | undefined;
  private readonly calls = new Map<number, PendingCall>();
  private lastId = 0;
  private hasEnded = false;

  call<N extends MethodName>(
    name: N,
    args: CallArgs<N>,
    take: (changes: readonly TaskChange[]) => void = () => undefined,
  ): Promise<Awaited<ReturnType<UploadReader[N]>>> {
    if (this.hasEnded) return Promise.reject(new ReaderClosed());
    this.worker ??= this.start();
    const { worker } = this;
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { take, resolve: resolve as PendingCall['resolve'], reject });
      worker.postMessage({ id, name, args } satisfies Request);
    });
  }

  /** True if a thread runs, so that there may be something to forget. */
  get isStarted(): boolean {
    return this.worker !== undefined;
  }

  get isClosed(): boolean {
    return this.hasEnded;
  }

  private start(): Worker {
    const worker = takeThread();
    worker.on('message', (reply: Reply) => this.take(reply));
    // The thread ends early if, say, a file exhausts its memory; the next call starts another one.
    const end = (error: unknown): void => {
      if (this.worker === worker) this.worker = undefined;
      for (const { reject } of this.calls.values()) reject(error);
      this.calls.clear();
    };
    worker.on('error', end).on('exit', () => end(new ReaderClosed()));
    return worker;
  }

  private take(reply: Reply): void {
    const { id } = reply;
    const call = this.calls.get(id);
    if (call === undefined) return;
    if ('changes' in reply) {
      call.take(reply.changes);
      return;
    }
    this.calls.delete(id);
    if ('result' in reply) call.resolve(reply.result);
    else
      call.reject(
        'stopped' in reply
          ? new PipelineError(reply.stopped.key, reply.stopped.issues)
          : new Error(reply.error),
      );
  }

  /** Ends the thread; open calls reject with `ReaderClosed`. */
  async close(): Promise<void> {
    this.hasEnded = true;
    const { worker } = this;
    if (worker === undefined) return;
    const exit = once(worker, 'exit');
    const timeout = setTimeout(() => void worker.terminate(), MAX_CLOSE_MS);
    worker.postMessage('close');
    await exit;
    clearTimeout(timeout);
  }
}
