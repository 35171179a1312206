import { fold } from '../values/fold.js';

/** Word, or words for an acronym → abbreviations, all without accents and dots (mappings/synonyms/abbreviations.yaml). */
export type Abbreviations = Readonly<Record<string, readonly string[]>>;

/** A word of a label. */
export interface Word {
  readonly text: string;
  /** A dot ends it: it may be the beginning of a longer word. */
  readonly dotted: boolean;
}

/** Words that people leave out of headers. */
const STOP_WORDS = new Set(['de', 'del', 'la', 'las', 'el', 'los', 'y', 'o', 'a', 'al', 'en', 'por', 'para']);

const INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.\s?){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})/gu;
/** `Nº`, `N°` and `1º`; the mark says no more than the letter or digit before it. */
const ORDINAL_MARK = /[º°ª]/g;
const WORD = /(\p{L}+|\p{N}+\p{L}*|[$%#+])(\.?)/gu;

/** `F. INGRESO ($)` → f. ingreso $ · `H.E.D.` → hed · `numDocumento` → num documento · `1er. Apellido` → 1er. apellido. */
export function wordsOf(text: string): readonly Word[] {
  const spaced = text.replace(CAMEL, ' ').replace(ORDINAL_MARK, '');
  const joined = fold(spaced).replace(INITIALS, (initials) => ` ${initials.replace(/[^\p{L}]/gu, '')} `);
  return [...joined.matchAll(WORD)]
    .map((match) => ({ text: match[1]!, dotted: match[2] === '.' }))
    .filter((word) => word.dotted || !STOP_WORDS.has(word.text));
}

/** An abbreviation table read backwards: what an abbreviation may stand for. */
export interface AbbreviationIndex {
  /** Abbreviation → single words. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Abbreviation → words of an acronym. */
  readonly phrases: ReadonlyMap<string, readonly (readonly string[])[]>;
}

const known = new WeakMap<Abbreviations, AbbreviationIndex>();

export function abbreviationIndex(table: Abbreviations): AbbreviationIndex {
  const ready = known.get(table);
  if (ready !== undefined) return ready;
  const words = new Map<string, string[]>();
  const phrases = new Map<string, string[][]>();
  for (const [meaning, abbreviations] of Object.entries(table)) {
    const parts = wordsOf(meaning).map(({ text }) => text);
    for (const abbreviation of abbreviations.map((one) => fold(one).replace(ORDINAL_MARK, '')))
      if (parts.length === 1) words.set(abbreviation, [...(words.get(abbreviation) ?? []), parts[0]!]);
      else phrases.set(abbreviation, [...(phrases.get(abbreviation) ?? []), parts]);
  }
  const index = { words, phrases };
  known.set(table, index);
  return index;
}
