import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { capability } from '../families/registry.js';
import type { Journal } from '../send/journal.js';
import { readBack } from '../send/read-back.js';
import { stop } from '../toolkit/core/issue.js';
import type { Context } from './context.js';
import { issueTeller, say } from './events.js';
import { senderOfRun } from './job.js';

/** Text files; in a folder whatever else lies there is nobody's result. */
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
 * Reads results that the authority itself saved back into a run: reasons that the service cut off become whole, and a code
 * ends a doubt. What does not fit is said of each file that was named, and counted of those of a folder.
 */
export async function readResults(
  context: Context,
  journal: Journal,
  run: string,
  paths: readonly string[],
): Promise<void> {
  const { family, kind } = await senderOfRun(context, journal, run);
  const authority = await capability(family, 'authority');
  const teller = issueTeller(context);
  const counts = { kept: 0, settled: 0 };
  for (const path of paths)
    for (const file of await filesIn(path)) {
      const paper = authority?.paperIn(await readFile(file, 'utf8'));
      const use =
        paper === undefined
          ? 'no-result'
          : await readBack(journal, kind, run, paper, {
              by: basename(file),
              now: context.now().getTime(),
            });
      if (use === 'kept' || use === 'settled') counts[use] += 1;
      else if (use === 'other' || file === path)
        teller.tell({
          code: 'report/result-not-read',
          level: 'warning',
          params: use === 'no-result' ? {} : { case: use, number: paper?.number ?? '', run },
          place: { file },
        });
    }
  teller.end();
  say(context, 'resultsRead', { ...counts, run });
}
