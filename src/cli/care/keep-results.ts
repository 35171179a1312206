import type { Journal } from '../../send/journal.js';
import { writeResultFiles } from '../../send/rips/result-files.js';
import type { Context } from '../context.js';
import type { Options } from '../options.js';
import { formatCount, say } from '../say.js';

/** Writes what the ministry answered in a run, and says where; nothing for a run without such answers. */
export function keepResults(
  { terminal, language }: Context,
  journal: Journal,
  run: string,
  { results }: Options,
): void {
  const folder = results ?? `resultados-${run}`;
  const count = writeResultFiles(journal, run, folder);
  if (count > 0) terminal.say(say(language, 'resultsKept', { count: formatCount(count, language), folder }));
}
