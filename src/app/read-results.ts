import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { capability } from '../families/registry.js';
import type { Journal } from '../send/journal.js';
import { readBack } from '../send/read-back.js';
import { stop } from '../toolkit/core/issue.js';
import type { Context } from './context.js';
import { emitMessage, issueEmitter } from './events.js';
import { senderOfRun } from './job.js';

/** Endings of result files in a folder. */
const TEXT = /\.(json|txt)$/i;

async function filesIn(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() =>
    stop('usage', { code: 'file/not-found', place: { file: path } }),
  );
  if (!found.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => TEXT.test(name))
    .sort()
    .map((name) => join(path, name));
}

/**
 * Reads result files of the authority into a run: full reasons replace cut ones, and a code resolves an unknown
 * document. Warns about each named file that fits no document; in a folder such files are ignored, except those of
 * another run.
 */
export async function readResults(
  context: Context,
  journal: Journal,
  run: string,
  paths: readonly string[],
): Promise<void> {
  const { family, kind } = await senderOfRun(context, journal, run);
  const authority = await capability(family, 'authority');
  const teller = issueEmitter(context);
  const counts = { kept: 0, settled: 0 };
  for (const path of paths)
    for (const file of await filesIn(path)) {
      const result = authority?.resultIn(await readFile(file, 'utf8'));
      const use =
        result === undefined
          ? 'no-result'
          : await readBack(journal, kind, run, result, {
              by: basename(file),
              now: context.now().getTime(),
            });
      if (use === 'kept' || use === 'settled') counts[use] += 1;
      else if (use === 'other' || file === path)
        teller.emit({
          code: 'report/result-not-read',
          level: 'warning',
          params: use === 'no-result' ? {} : { case: use, number: result?.number ?? '', run },
          place: { file },
        });
    }
  teller.end();
  emitMessage(context, 'resultsRead', { ...counts, run });
}
