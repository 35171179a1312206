import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { stop } from '../issues/pipeline-error.js';

const isPattern = (name: string): boolean => /[*?]/.test(name);

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'su',
  );

async function matches(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const name = basename(pattern);
  const wanted = expression(name);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // As in a shell, a hidden file needs a dot, and `~$` is the lock that Excel leaves beside an open book.
  const visible = entries.filter(
    (entry) => !entry.isDirectory() && (name.startsWith('.') || !/^(\.|~\$)/.test(entry.name)),
  );
  const found = visible.filter((entry) => wanted.test(entry.name)).map((entry) => join(folder, entry.name));
  if (found.length === 0) stop('usage', { code: 'run/no-match', value: pattern });
  return found.sort(new Intl.Collator('es', { numeric: true }).compare);
}

/**
 * The files of a call: `*` and `?` in the last part are expanded here, since not every shell does it. A name that
 * exists as it is stands for itself, and a file named twice is taken once.
 * @throws PipelineError('usage', run/no-match)
 */
export async function expandFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const files = new Map<string, string>();
  for (const pattern of patterns) {
    const plain = !isPattern(basename(pattern)) || existsSync(pattern);
    for (const file of plain ? [pattern] : await matches(pattern)) files.set(resolve(file), file);
  }
  return [...files.values()];
}
