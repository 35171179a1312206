import { randomBytes } from 'node:crypto';
import { access, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { PipelineError, stop } from '../issues/pipeline-error.js';

/** The few calls that can fail because someone has the file open; a test hands over its own. */
export interface FileCalls {
  rename(from: string, to: string): Promise<void>;
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

async function firstNameThatTakes(temporary: string, file: string, calls: FileCalls): Promise<string> {
  for (let n = 1; ; n++) {
    const name = nthName(file, n);
    if (n > 1 && (await isThere(name))) continue;
    try {
      await calls.rename(temporary, name);
      return name;
    } catch (error) {
      if (!OPEN_ELSEWHERE.has(codeOf(error)) || n >= MOST_NAMES) notWritable(file, error);
    }
  }
}

/**
 * Writes beside the target, readable by its owner alone, and renames: a half-written report is never seen, and one
 * that is open in Excel stays as it is while the new one takes a second name. Returns the name it got.
 * @throws PipelineError('output', report/not-writable)
 */
export async function putInPlace(
  file: string,
  write: (temporary: string) => Promise<void>,
  calls: FileCalls = { rename },
): Promise<string> {
  await refuseSpecial(file);
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}.part`);
  try {
    await (await open(temporary, 'wx', 0o600)).close();
  } catch (error) {
    notWritable(file, error);
  }
  try {
    await write(temporary);
    return await firstNameThatTakes(temporary, file, calls);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error instanceof PipelineError || !isFileError(error) ? error : notWritable(file, error);
  }
}
