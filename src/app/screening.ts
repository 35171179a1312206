import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PrepareOptions } from '../documents/run.js';
import { createScreener } from '../documents/screen.js';
import type { Helper, ScreenedPiece, Screening } from '../documents/screened.js';
import type { Piece } from '../tables/table.js';
import { type Context, tableFolder } from './context.js';
import { deriveFor, type Job } from './job.js';

/** Bytes of files, as they lie there, for which helpers pay: each starts, warms up and reads the first rows. */
const ENOUGH_BYTES = 32 * 2 ** 20;

/** More would wait for the one that tells. */
const MOST = 8;

/** Megabytes of the heap of a helper. */
const HEAP_MB = 128;

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

/** What it answers; undefined where the piece tells nothing by itself. */
interface Found {
  readonly found: ScreenedPiece | undefined;
}

/** Before anything else it says that it can look. */
export type Told = { readonly ready: true } | Found;

type Answer = Found | undefined;

/**
 * A process of its own: threads of one process get into each other's way in its memory, and two take longer than one. Where it ends
 * before its time the telling one looks itself.
 */
class HelperProcess implements Helper {
  private readonly child: ChildProcess;
  private readonly waiting: ((answer: Answer) => void)[] = [];
  private ended = false;
  readonly ready: Promise<void>;

  constructor(job: HelperJob) {
    this.child = fork(fileURLToPath(new URL('./screening-process.js', import.meta.url)), {
      serialization: 'advanced',
      // There are as many processes as cores: threads of a collector would take time from another.
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--single-threaded-gc'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = (): void => {
      this.ended = true;
      for (const answer of this.waiting.splice(0)) answer(undefined);
    };
    this.child.on('error', end).on('exit', end);
    this.ready = new Promise((resolve) => {
      this.child.on('message', (told: Told) => {
        if ('ready' in told) resolve();
        else this.waiting.shift()?.(told);
      });
    });
    this.child.send(job, () => undefined);
  }

  screen(table: number, { bytes, ...where }: Piece): Promise<Answer> {
    if (this.ended) return Promise.resolve(undefined);
    // Of a Buffer only its own bytes go over, not all that it is a part of.
    const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.child.send({ table, piece: { bytes: own, ...where } } satisfies Asked, () => undefined);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
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
    const helpers = Array.from({ length: threads - 1 }, () => new HelperProcess(job));
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
        ({ size }) => size,
        () => 0, // who reads it says what is wrong
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes < ENOUGH_BYTES ? 1 : Math.min(availableParallelism(), MOST);
}
