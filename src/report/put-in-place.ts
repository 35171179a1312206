import { existsSync, unlinkSync } from 'node:fs';
import { open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { PipelineError, stop } from '../toolkit/core/issue.js';
import { isLeftBehind, MARK, processMark } from '../toolkit/core/process-mark.js';

/** Operations that give a temporary file its final name. */
export interface Placing {
  /** Renames the file; fails if another program has it open. Tests replace it. */
  rename?(from: string, to: string): Promise<void>;
  /** True if the file of this name may be replaced. @default only the requested name may */
  mayReplace?(file: string): Promise<boolean>;
  /** Called once the file has its final name. */
  placed?(file: string): Promise<void>;
}

const OPEN_CODES = new Set(['EBUSY', 'EPERM', 'EACCES']);
const MAX_NAMES = 50;

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? String(error);

const isFileError = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException)?.code === 'string' && 'syscall' in (error as object);

/** @throws PipelineError('output', report/not-writable) */
export const notWritable = (file: string, error: unknown): never =>
  stop('output', { code: 'report/not-writable', params: { file, reason: codeOf(error) } }, error);

/** Throws on a folder or device, which a rename would replace. */
async function refuseSpecial(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there !== undefined && !there.isFile()) notWritable(file, 'no file');
}

/** Returns `report (2).xlsx` for `report.xlsx` and 2. */
const nthName = (file: string, n: number): string => {
  if (n === 1) return file;
  const extension = extname(file);
  return join(dirname(file), `${basename(file, extension)} (${n})${extension}`);
};

async function renameToFree(temporary: string, file: string, placing: Placing): Promise<string> {
  for (let n = 1; ; n++) {
    const name = nthName(file, n);
    const mayHave = async (): Promise<boolean> =>
      placing.mayReplace === undefined ? n === 1 : placing.mayReplace(name);
    if (n < MAX_NAMES && existsSync(name) && !(await mayHave())) continue;
    try {
      await (placing.rename ?? rename)(temporary, name);
      return name;
    } catch (error) {
      if (!OPEN_CODES.has(codeOf(error)) || n >= MAX_NAMES) notWritable(file, error);
    }
  }
}

/** Temporary files that this process is using. */
const inUse = new Set<string>();
/** Name of a temporary file; SQLite appends the suffixes of its files. */
const TEMPORARY = new RegExp(`^\\..*\\.(${MARK})\\.part(?:-journal|-wal|-shm)?$`, 's');
const NAME_CHARACTERS = 60;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function discardAll(): void {
  for (const file of inUse)
    try {
      unlinkSync(file);
    } catch {
      // already deleted
    }
}

/** Deletes temporary files, then ends the process unless another listener handles the signal. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  discardAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

function watch(file: string): void {
  if (inUse.size === 0) {
    process.on('exit', discardAll);
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  inUse.add(file);
}

function unwatch(file: string): void {
  inUse.delete(file);
  if (inUse.size > 0) return;
  process.off('exit', discardAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

const swept = new Set<string>();

/** Removes temporary files that killed processes of this host left, as they may hold personal data. */
async function sweep(folder: string): Promise<void> {
  if (swept.size === swept.add(resolve(folder)).size) return;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, mark] = TEMPORARY.exec(name) ?? [];
    if (mark === undefined || !isLeftBehind(mark)) continue;
    await unlink(join(folder, name)).catch(() => undefined);
  }
}

/**
 * Lends a temporary file next to the target, mode 0600. It is deleted when the work or the process ends;
 * after a kill, the next call for the folder deletes it.
 * @throws the file system's error
 */
export async function withTemporary<T>(file: string, use: (temporary: string) => Promise<T>): Promise<T> {
  const folder = dirname(file);
  await sweep(folder);
  const temporary = resolve(folder, `.${basename(file).slice(0, NAME_CHARACTERS)}.${processMark()}.part`);
  watch(temporary);
  try {
    await (await open(temporary, 'wx', 0o600)).close();
    return await use(temporary);
  } finally {
    await unlink(temporary).catch(() => undefined);
    unwatch(temporary);
  }
}

/**
 * Writes a temporary file and renames it, so that a half-written file is never visible. If the target is
 * open in Excel or may not be replaced, the file takes a second name.
 * @returns the final path
 * @throws PipelineError('output', report/not-writable)
 */
export async function putInPlace(
  file: string,
  write: (temporary: string) => Promise<void>,
  placing: Placing = {},
): Promise<string> {
  await refuseSpecial(file);
  try {
    const name = await withTemporary(file, async (temporary) => {
      await write(temporary);
      return renameToFree(temporary, file, placing);
    });
    await placing.placed?.(name);
    return name;
  } catch (error) {
    throw error instanceof PipelineError || !isFileError(error) ? error : notWritable(file, error);
  }
}
