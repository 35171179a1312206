import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PrepareOptions } from '../documents/prepare.js';
import { type ScreenedRows, type Screening, type Sharing, sliceOf } from '../documents/screened.js';
import { type Context, tableFolder } from './context.js';
import type { Job } from './job.js';

/** Bytes of text for which helpers pay: each starts, warms up and takes all of the text apart. */
const ENOUGH_BYTES = 64 * 2 ** 20;

/** More would wait for the one that tells. */
const MOST = 8;

/** Megabytes of the heap of a helper. */
const HEAP_MB = 128;

const SHARES = { lots: 32, head: 8 } as const;

/** What a helper is given: what a check is made of, as data. */
export interface HelperJob
  extends Sharing,
    Pick<PrepareOptions, 'files' | 'params' | 'formats' | 'today' | 'chosen'> {
  /** Path, and what it held when it was read. */
  readonly mapping: { readonly file: string; readonly sha256: string };
  /** Folder of the tables that were loaded on this machine. */
  readonly tables?: string;
  readonly thread: number;
}

/** What a helper found in a slice. */
interface SliceFound {
  readonly slice: number;
  readonly found: readonly (ScreenedRows | undefined)[];
}

/** What a helper says; that it has ended, after all that it found. */
export type Said = SliceFound | 'end';

/** Told to helpers: the slice that is being told, so that none runs far ahead. */
export interface Told {
  readonly told: number;
}

/**
 * A process of its own: threads of one process get into each other's way in its memory. Where it ends before its time nothing more
 * is found, and the telling one looks itself.
 */
class Helper {
  private readonly child: ChildProcess;
  private readonly found = new Map<number, SliceFound['found']>();
  private ended = false;
  private wake = (): void => undefined;

  constructor(job: HelperJob) {
    this.child = fork(fileURLToPath(new URL('./screening-process.js', import.meta.url)), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = (): void => {
      this.ended = true;
      this.wake();
    };
    this.child.on('error', end).on('exit', end);
    this.child.on('message', (message) => {
      const said = message as Said;
      if (said === 'end') return end();
      this.found.set(said.slice, said.found);
      this.wake();
    });
    this.child.send(job);
  }

  async slice(slice: number): Promise<SliceFound['found']> {
    if (!this.ended) this.child.send({ told: slice } satisfies Told, () => undefined);
    while (!this.found.has(slice) && !this.ended)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    const found = this.found.get(slice) ?? [];
    this.found.delete(slice);
    return found;
  }

  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
  }
}

/** Starts helpers that screen the files of a job. */
function startScreening(job: Omit<HelperJob, 'thread'>): Screening {
  const helpers = Array.from({ length: job.threads - 1 }, (_, at) => new Helper({ ...job, thread: at + 1 }));
  let lot = 0;
  let current: SliceFound['found'] = [];
  return {
    async next(rows) {
      const { slice, within, thread } = sliceOf(lot, job);
      lot += 1;
      if (within === 0) current = (await helpers[thread - 1]?.slice(slice)) ?? [];
      const found = current[within];
      return found?.rows === rows.length ? found : undefined;
    },
    async close() {
      await Promise.all(helpers.map((helper) => helper.close()));
    },
  };
}

/**
 * Helpers for the check of a job: as many as there are other cores, none for little text. Nor, unless they are asked for, where documents
 * have several records: all of the file is read before for them, and on two cores nothing was gained.
 */
export async function screeningFor(
  { families, workspace }: Pick<Context, 'families' | 'workspace'>,
  { files, mapping, mappingFile, params, formats, chosen }: Job,
  today: string,
  wanted: number | undefined,
): Promise<(() => Screening) | undefined> {
  const threads = wanted ?? (mapping.onePer === 'record' ? await threadsFor(files) : 1);
  if (threads < 2 || families !== undefined || mappingFile === undefined) return undefined;
  const tables = tableFolder(workspace);
  const job = {
    files,
    params,
    formats,
    today,
    threads,
    ...SHARES,
    mapping: { file: mappingFile, sha256: mapping.sha256 },
    ...(chosen !== undefined && { chosen }),
    ...(existsSync(tables) && { tables }),
  };
  return () => startScreening(job);
}

/** Workbooks are left to one: each that reads one unpacks and takes apart all of it, which costs what is gained. */
async function threadsFor(files: readonly string[]): Promise<number> {
  if (!files.every((file) => /\.(csv|tsv|txt)$/i.test(file))) return 1;
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0, // who reads it says what is wrong
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes < ENOUGH_BYTES ? 1 : Math.min(availableParallelism(), MOST);
}
