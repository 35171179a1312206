import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Issue, PipelineError, type PipelineErrorKey } from '../../toolkit/core/issue.js';
import type { ActChange } from './act-events.js';
import type { UploadReader } from './upload-reader.js';

/** How long a thread may take to end by itself, in ms. */
const MAX_CLOSE_MS = 1000;

type Name = keyof UploadReader;

/** The arguments of a call, without how to tell of changes. */
type Given<N extends Name> =
  Parameters<UploadReader[N]> extends readonly [...infer Rest, (change: ActChange) => void]
    ? Rest
    : Parameters<UploadReader[N]>;

export interface Request {
  readonly id: number;
  readonly name: Name;
  readonly args: readonly unknown[];
}

/** What a thread says of a request: what changes on the way, and how it ended. */
export type Reply = { readonly id: number } & (
  | { readonly changes: readonly ActChange[] }
  | { readonly result: unknown }
  | { readonly stopped: { readonly key: PipelineErrorKey; readonly issues: readonly Issue[] } }
  | { readonly error: string }
);

interface Waiting {
  readonly take: (changes: readonly ActChange[]) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Thrown to those who wait for a reader that is closed. */
export class ReaderClosed extends Error {}

/** Reads the files of one upload in a thread, so that no other request waits. The thread begins with the first call. */
export class Reader {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private hasEnded = false;

  call<N extends Name>(
    name: N,
    args: Given<N>,
    take: (changes: readonly ActChange[]) => void = () => undefined,
  ): Promise<Awaited<ReturnType<UploadReader[N]>>> {
    if (this.hasEnded) return Promise.reject(new ReaderClosed());
    this.worker ??= this.start();
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { take, resolve: resolve as Waiting['resolve'], reject });
      this.worker!.postMessage({ id, name, args } satisfies Request);
    });
  }

  /** True if there is something to forget. */
  get isStarted(): boolean {
    return this.worker !== undefined;
  }

  get isClosed(): boolean {
    return this.hasEnded;
  }

  private start(): Worker {
    const worker = new Worker(new URL('./reader-thread.js', import.meta.url));
    worker.on('message', (reply: Reply) => this.take(reply));
    // As where a file takes all memory that a thread may have: the next call begins another.
    const end = (error: unknown): void => {
      if (this.worker === worker) this.worker = undefined;
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    };
    worker.on('error', end).on('exit', () => end(new ReaderClosed()));
    worker.unref();
    return worker;
  }

  private take(reply: Reply): void {
    const { id } = reply;
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    if ('changes' in reply) {
      waiting.take(reply.changes);
      return;
    }
    this.waiting.delete(id);
    if ('result' in reply) waiting.resolve(reply.result);
    else
      waiting.reject(
        'stopped' in reply
          ? new PipelineError(reply.stopped.key, reply.stopped.issues)
          : new Error(reply.error),
      );
  }

  /** Ends the thread; who still waits gets a `ReaderClosed`. */
  async close(): Promise<void> {
    this.hasEnded = true;
    const { worker } = this;
    if (worker === undefined) return;
    const exit = once(worker, 'exit');
    const late = setTimeout(() => void worker.terminate(), MAX_CLOSE_MS);
    worker.postMessage('close');
    await exit;
    clearTimeout(late);
  }
}
