import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PrepareOptions } from '../documents/prepare.js';
import { createScreener } from '../documents/screen.js';
import type { Helper, ScreenedPiece, Screening } from '../documents/screened.js';
import type { Piece } from '../tables/table.js';
import { type Context, tableFolder } from './context.js';
import { deriveFor, type Job } from './job.js';

/** Bytes of text for which helpers pay: each starts, warms up and reads the first rows. */
const ENOUGH_BYTES = 64 * 2 ** 20;

/** What a packed byte of a workbook comes to. */
const UNPACKED = 8;

/** More would wait for the one that tells. */
const MOST = 8;

/** Megabytes of the heap of a helper, and of the part of it where what is new lives. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 } as const;

/** What a helper is given: what a check is made of, as data. */
export interface HelperJob extends Pick<PrepareOptions, 'files' | 'params' | 'formats' | 'today' | 'chosen'> {
  /** Path, and what it held when it was read. */
  readonly mapping: { readonly file: string; readonly sha256: string };
  /** Folder of the tables that were loaded on this machine. */
  readonly tables?: string;
}

/** What a helper is asked; it answers with what it found. */
export interface Asked {
  readonly table: number;
  readonly piece: Piece;
}

type Answer = { readonly found: ScreenedPiece | undefined } | undefined;

/** A thread of its own. Where it ends before its time the telling one looks itself. */
class Thread implements Helper {
  private readonly worker: Worker;
  private readonly waiting: ((answer: Answer) => void)[] = [];
  private ended = false;

  constructor(job: HelperJob) {
    this.worker = new Worker(new URL('./screening-thread.js', import.meta.url), {
      workerData: job,
      resourceLimits: LIMITS,
      stdout: true,
      stderr: true,
    });
    const end = (): void => {
      this.ended = true;
      for (const answer of this.waiting.splice(0)) answer(undefined);
    };
    this.worker.on('error', end).on('exit', end);
    this.worker.on('message', (found: ScreenedPiece | undefined) => this.waiting.shift()?.({ found }));
  }

  screen(table: number, piece: Piece): Promise<Answer> {
    if (this.ended) return Promise.resolve(undefined);
    this.worker.postMessage({ table, piece } satisfies Asked);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Helpers for the check of a job: as many as there are other cores, none for small files. */
export async function screeningFor(
  context: Pick<Context, 'families' | 'workspace'>,
  { files, mapping, mappingFile, params, formats, chosen }: Job,
  today: string,
  wanted: number | undefined,
): Promise<(() => Screening) | undefined> {
  const threads = wanted ?? (await threadsFor(files));
  if (threads < 2 || context.families !== undefined || mappingFile === undefined) return undefined;
  const tables = tableFolder(context.workspace);
  const given = { files, params, formats, today, ...(chosen !== undefined && { chosen }) };
  const job: HelperJob = {
    ...given,
    mapping: { file: mappingFile, sha256: mapping.sha256 },
    ...(existsSync(tables) && { tables }),
  };
  return () => {
    const helpers = Array.from({ length: threads - 1 }, () => new Thread(job));
    return {
      helpers,
      own: (located, voted) =>
        createScreener({ ...given, mapping, derive: deriveFor(context) }, located, async () => voted),
      async close() {
        await Promise.all(helpers.map((helper) => helper.close()));
      },
    };
  };
}

async function threadsFor(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size * (/\.(csv|tsv|txt)$/i.test(file) ? 1 : UNPACKED),
        () => 0, // who reads it says what is wrong
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes < ENOUGH_BYTES ? 1 : Math.min(availableParallelism(), MOST);
}
