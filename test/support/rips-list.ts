import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from '../cli/run-cli.js';

/** List of services of a clinic. */
export const LIST = 'samples/rips/lista/servicios octubre.csv';

/** Writes a copy of a list of services without some columns. */
export function listWithout(...titles: readonly string[]): string {
  const lines = readFileSync(LIST, 'latin1')
    .split(/\r?\n/)
    .map((line) => line.split(';'));
  const out = new Set(titles.map((title) => lines[0]!.indexOf(title)));
  const file = join(freshFolder(), 'servicios.csv');
  const text = lines.map((cells) => cells.filter((_, at) => !out.has(at)).join(';')).join('\r\n');
  writeFileSync(file, text, 'latin1');
  return file;
}
