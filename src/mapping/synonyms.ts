import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Words } from '../catalogue/lookup.js';
import { packageFile } from '../values/package-file.js';

/** Header titles and words of catalogue values that many customers share (mappings/synonyms). */
export interface Synonyms {
  /** Column id → titles. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Catalogue → code → words. */
  readonly values: Readonly<Record<string, Words>>;
}

export const NO_SYNONYMS: Synonyms = { columns: {}, values: {} };

/** The synonyms of that name, or undefined when there is no such file. */
export function loadSynonyms(name: string): Synonyms | undefined {
  const file = packageFile('mappings', 'synonyms', `${name}.yaml`);
  if (!existsSync(file)) return undefined;
  return { ...NO_SYNONYMS, ...(parse(readFileSync(file, 'utf8')) as Partial<Synonyms>) };
}

export const mergeSynonyms = (all: readonly Synonyms[]): Synonyms => ({
  columns: Object.assign({}, ...all.map(({ columns }) => columns)),
  values: Object.assign({}, ...all.map(({ values }) => values)),
});
