import { unlinkSync } from 'node:fs';
import { access, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { PipelineError, stop } from '../toolkit/core/issue.js';
import { isLeftBehind, MARK, processMark } from '../toolkit/core/process-mark.js';

/** How a file comes to stand under its name. */
export interface Placing {
  /** Fails when someone has the file open; a test hands over its own. */
  rename?(from: string, to: string): Promise<void>;
  /** Whether what has this name may be replaced. Absent: what has the wanted name may. */
  mayReplace?(file: string): Promise<boolean>;
  /** Told once the file stands under its name. */
  placed?(file: string): Promise<void>;
}

const OPEN_ELSEWHERE = new Set(['EBUSY', 'EPERM', 'EACCES']);
const MOST_NAMES = 50;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? String(error);

const isFileError = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException)?.code === 'string' && 'syscall' in (error as object);

const notWritable = (file: string, error: unknown): never =>
  stop('output', { code: 'report/not-writable', params: { file, reason: codeOf(error) } }, error);

/** A rename would put a file in the place of a folder or a device. */
async function refuseSpecial(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there !== undefined && !there.isFile()) notWritable(file, 'no file');
}

/** `report.xlsx` → `report (2).xlsx`. */
const nthName = (file: string, n: number): string => {
  if (n === 1) return file;
  const extension = extname(file);
  return join(dirname(file), `${basename(file, extension)} (${n})${extension}`);
};

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

async function firstNameThatTakes(temporary: string, file: string, placing: Placing): Promise<string> {
  for (let n = 1; ; n++) {
    const name = nthName(file, n);
    const mayHave = async (): Promise<boolean> =>
      placing.mayReplace === undefined ? n === 1 : placing.mayReplace(name);
    if (n < MOST_NAMES && (await isThere(name)) && !(await mayHave())) continue;
    try {
      await (placing.rename ?? rename)(temporary, name);
      return name;
    } catch (error) {
      if (!OPEN_ELSEWHERE.has(codeOf(error)) || n >= MOST_NAMES) notWritable(file, error);
    }
  }
}

/** Temporary files of this process that are in use. */
const inUse = new Set<string>();
/** SQLite puts others beside its own. */
const TEMPORARY = new RegExp(`^\\..*\\.(${MARK})\\.part(?:-journal|-wal|-shm)?$`, 's');
const NAME_CHARACTERS = 60;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function discardAll(): void {
  for (const file of inUse)
    try {
      unlinkSync(file);
    } catch {
      // Never made, or gone.
    }
}

/** Where nobody else listens the signal ends the process, as it would without us. */
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

/** Removes what killed processes of this machine left in a folder: it may hold personal data. */
async function sweep(folder: string): Promise<void> {
  if (swept.size === swept.add(resolve(folder)).size) return;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, mark] = TEMPORARY.exec(name) ?? [];
    if (mark === undefined || !isLeftBehind(mark)) continue;
    await unlink(join(folder, name)).catch(() => undefined);
  }
}

/**
 * Lends a new file beside the target, readable by its owner alone. It is gone when the work ends, and when the process does by a signal
 * or by itself; what a kill leaves is removed by the next call that writes into the folder.
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
 * Writes beside the target and renames: a half-written file is never seen, and one that is open in Excel, or that may not be replaced,
 * stays as it is while the new one takes a second name. Returns the name it got.
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
      return firstNameThatTakes(temporary, file, placing);
    });
    await placing.placed?.(name);
    return name;
  } catch (error) {
    throw error instanceof PipelineError || !isFileError(error) ? error : notWritable(file, error);
  }
}
