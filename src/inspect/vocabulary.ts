import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { LoadedMapping } from '../mapping/load.js';
import { squashLabel } from '../source/header-label.js';
import { type Abbreviations, wordsOf } from '../source/label-words.js';
import { packageFile } from '../values/package-file.js';

/** Every header word that some ready-made mapping knows: tells headers from data, not one column from another. */
export interface Vocabulary {
  readonly titles: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

let loaded: Abbreviations | undefined;

/** How words of headers are abbreviated (mappings/synonyms/abbreviations.yaml). */
export function abbreviations(): Abbreviations {
  loaded ??= parse(
    readFileSync(packageFile('mappings', 'synonyms', 'abbreviations.yaml'), 'utf8'),
  ) as Abbreviations;
  return loaded;
}

export function vocabularyOf(mappings: readonly LoadedMapping[]): Vocabulary {
  const titles = mappings.flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ columns }) =>
      [...columns.values()].flatMap(({ wanted }) => [...(wanted?.titles ?? []), ...(wanted?.groups ?? [])]),
    ),
  );
  const distinct = [...new Set(titles)];
  const short = Object.values(abbreviations()).flat();
  return {
    titles: new Set(distinct.map(squashLabel)),
    words: new Set([...distinct, ...short].flatMap((text) => wordsOf(text).map(({ text: word }) => word))),
  };
}
