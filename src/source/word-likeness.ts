import { distance } from 'fastest-levenshtein';
import type { AbbreviationIndex, Word } from './label-words.js';

const EQUAL = 1;
const IN_TABLE = 0.97;
const PLURAL = 0.97;
const INFLECTED = 0.85;
const MISSPELT = 0.85;
/** A word no likelier than this leaves a doubt about the whole label. */
export const DOUBTFUL = 0.85;
const INITIAL = 0.72;
/** Beginning of a word, by its length: `SAL.`, `INTEG.` */
const BEGINNING: Readonly<Record<number, number>> = { 2: 0.8, 3: 0.88 };
const LONG_BEGINNING = 0.92;
/** Below this length a changed letter makes another word: banco, bono. */
const LONG_ENOUGH = 5;

/** Words one letter apart that mean opposite or different things. */
const UNLIKE: readonly (readonly [string, string])[] = [
  ['maternidad', 'paternidad'],
  ['materna', 'paterna'],
  ['materno', 'paterno'],
  ['legal', 'ilegal'],
  ['pagado', 'pasado'],
];

const plural = (one: string, other: string): boolean =>
  one.length >= 3 && (other === `${one}s` || (other === `${one}es` && !/[aeo]$/.test(one)));

const stem = (word: string): string => word.replace(/(?:[aeo]s?|es)$/, '');

/** `Otros` and `otras`: the same word in another gender or number. */
const inflected = (a: string, b: string): boolean => stem(a) === stem(b) && stem(a).length >= 3;

/** How well a word abbreviated by its beginning stands for the whole word. */
function beginning(short: Word, whole: string): number {
  const { text, dotted } = short;
  if (!/^\p{L}+$/u.test(text) || !whole.startsWith(text)) return 0;
  if (text.length === 1) return dotted ? INITIAL : 0;
  const left = whole.length - text.length;
  if (text.length === 2) return dotted && left >= 3 ? BEGINNING[2]! : 0;
  // HED and HEDDF, empleado and empleador are different words; sal. is no salud.
  if (left < (dotted && text.length >= LONG_ENOUGH ? 1 : 3)) return 0;
  return BEGINNING[text.length] ?? LONG_BEGINNING;
}

/** Letters in the wrong order count as one mistake. */
function mistakes(a: string, b: string): number {
  const count = distance(a, b);
  if (count !== 2 || a.length !== b.length) return count;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) ? 1 : 2;
}

function misspelt(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  if (length < LONG_ENOUGH || !/^\p{L}+$/u.test(a + b) || a.startsWith(b) || b.startsWith(a)) return false;
  if (UNLIKE.some(([one, other]) => (a === one && b === other) || (a === other && b === one))) return false;
  const count = mistakes(a, b);
  return count <= (length >= 8 ? 2 : 1);
}

/** How likely two words mean the same, from 0 to 1: equal, abbreviated, inflected or misspelt. */
export function wordLikeness(a: Word, b: Word, { words }: AbbreviationIndex): number {
  if (a.text === b.text) return EQUAL;
  const stands = (short: Word, whole: Word): boolean =>
    words
      .get(short.text)
      ?.some((word) => word === whole.text || plural(word, whole.text) || inflected(word, whole.text)) ??
    false;
  if (stands(a, b) || stands(b, a)) return IN_TABLE;
  if (plural(a.text, b.text) || plural(b.text, a.text)) return PLURAL;
  const started = Math.max(beginning(a, b.text), beginning(b, a.text));
  if (started > 0) return started;
  if (inflected(a.text, b.text)) return INFLECTED;
  return misspelt(a.text, b.text) ? MISSPELT : 0;
}
