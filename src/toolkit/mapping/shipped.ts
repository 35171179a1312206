import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { JsonValue } from '../core/json.js';
import { packageFile } from '../core/package-file.js';

/** Values of the YAML files of this program, parsed by the build: parsing one takes as long as checking a month. */
const FILE = packageFile('dist', 'mappings.json');

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Value of each shipped text as JSON, by the hash of the text; few are parsed in a run. */
let values: ReadonlyMap<string, string> | undefined;

function read(): ReadonlyMap<string, string> {
  try {
    return new Map(JSON.parse(readFileSync(FILE, 'utf8')) as [string, string][]);
  } catch {
    return new Map(); // not built yet
  }
}

/** Returns the value of a text that came with this program; undefined for any other text. */
export function shippedValue(text: string): JsonValue | undefined {
  values ??= read();
  const value = values.size === 0 ? undefined : values.get(hashOf(text));
  return value === undefined ? undefined : (JSON.parse(value) as JsonValue);
}

export const readyFile = (name: string): string => packageFile('mappings', `${name}.yaml`);

/** Returns the names of the ready-made mappings, such as `payroll/wide`. */
export const readyNames = (): readonly string[] =>
  shippedNames().filter((name) => !/^(synonyms|vocabularies)\//.test(name));

/** Returns the names of the YAML files of this program below a folder of `mappings`: `payroll/wide`. */
export const shippedNames = (folder = ''): readonly string[] =>
  readdirSync(packageFile('mappings', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.yaml$/, ''))
    .sort();

/** Stores the values of the files below `mappings`, as `read` returns them. */
export function keepShipped(
  read: (text: string) => readonly (readonly [text: string, value: JsonValue])[],
): void {
  const texts = shippedNames().map((name) => readFileSync(readyFile(name), 'utf8'));
  const values = texts.flatMap(read).map(([text, value]) => [hashOf(text), JSON.stringify(value)]);
  writeFileSync(FILE, JSON.stringify(values));
}
