import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from '../../issues/pipeline-error.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { Journal } from '../../send/journal.js';
import { resultFiles } from '../../send/rips/result-files.js';
import { findRun } from '../../send/runs.js';
import type { Context } from '../context.js';
import type { Options } from '../options.js';
import { outputOf, runName } from '../outputs.js';
import { formatCount, say } from '../say.js';

/** Writes what the ministry answered in a run, each for its owner alone, and says where; nothing for a run without such answers. */
export async function keepResults(
  context: Context,
  journal: Journal,
  run: string,
  options: Options,
): Promise<void> {
  const { terminal, language } = context;
  const folder = options.results ?? `resultados-${runName(context, findRun(journal, run))}`;
  const placing = outputOf(context, options, 'result');
  let count = 0;
  for (const { name, text } of resultFiles(journal, run)) {
    if (count === 0)
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) =>
        stop(
          'output',
          { code: 'report/not-writable', params: { file: folder, reason: error.code ?? '' } },
          error,
        ),
      );
    const file = join(folder, name);
    // Most are there from an earlier call, just as they are.
    const there = await readFile(file, 'utf8').catch(() => undefined);
    if (there !== text) await putInPlace(file, (temporary) => writeFile(temporary, text), placing);
    count += 1;
  }
  if (count > 0) terminal.say(say(language, 'resultsKept', { count: formatCount(count, language), folder }));
}
