import { wildcard } from '../values/fold.js';
import type { WantedColumn } from './header.js';
import { type LabelForms, labelForms } from './header-label.js';
import {
  type AbbreviationIndex,
  type Abbreviations,
  abbreviationIndex,
  type Word,
  wordsOf,
} from './label-words.js';
import { DOUBTFUL, wordLikeness } from './word-likeness.js';

/**
 * How scores are meant to be used. At or above `alone`, and `margin` ahead of every other column, a label may be
 * decided without asking; at or above `ask` it is a candidate, best first; below it is none.
 */
export const SCORE_LEVELS = { alone: 0.9, margin: 0.1, ask: 0.7 } as const;

const EQUAL = 1;
const SQUASHED = 0.98;
const BY_WILDCARD = 0.9;
/** The most that words alike one by one can reach. */
const WORD_BY_WORD = 0.95;

/** Words that often stand before or after a name and change little: `VR. SALUD` is `Salud`. */
const WEAK = new Set(['valor', 'numero', 'descuento', 'deduccion', 'aporte', 'empleado', 'trabajador', '%']);
/** Of counts, the amount is something else: `Valor día` is not `Días`. */
const COUNTS = new Set(['dia', 'dias', 'hora', 'horas', 'cantidad', 'hrs', 'cant']);
const MONEY = new Set(['valor']);
const WEAK_LEFT_OVER = 0.12;
const LEFT_OVER = 0.35;
/** `Auxilio no salarial` is the opposite of `Auxilio salarial`. */
const NEGATION = 'no';
const NEGATED = 0.6;
const OTHER_ORDER = 0.08;

const SAME_GROUP = 0.05;
const OTHER_GROUP = 0.35;
/** Groups at least so much alike are the same. */
const GROUPS_ALIKE = 0.75;
/** A title found in group and label together is less sure than in the label. */
const OVER_BOTH_ROWS = 0.03;

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly likeness: number;
}

/** The likeliest pairs of words, each word used once. */
function pairs(label: readonly Word[], title: readonly Word[], index: AbbreviationIndex): readonly Pair[] {
  const all = label
    .flatMap((one, a) => title.map((other, b): Pair => ({ a, b, likeness: wordLikeness(one, other, index) })))
    .filter(({ likeness }) => likeness > 0)
    .sort((x, y) => y.likeness - x.likeness || Math.abs(x.a - x.b) - Math.abs(y.a - y.b));
  const taken: Pair[] = [];
  for (const pair of all) if (!taken.some(({ a, b }) => a === pair.a || b === pair.b)) taken.push(pair);
  return taken.sort((x, y) => x.a - y.a);
}

const isOneOf = (list: ReadonlySet<string>, { text }: Word, index: AbbreviationIndex): boolean =>
  list.has(text) || (index.words.get(text)?.some((word) => list.has(word)) ?? false);

function leftOver(word: Word, counts: boolean, index: AbbreviationIndex): number {
  if (word.text === NEGATION && !word.dotted) return NEGATED;
  return isOneOf(WEAK, word, index) && !(counts && isOneOf(MONEY, word, index)) ? WEAK_LEFT_OVER : LEFT_OVER;
}

/** Single letters and beginnings of two letters fit too much to say anything by themselves. */
const saysEnough = (found: readonly Pair[], label: readonly Word[], title: readonly Word[]): boolean =>
  found.some(
    ({ a, b, likeness }) =>
      likeness >= DOUBTFUL && !(/^\p{L}$/u.test(label[a]!.text) || /^\p{L}$/u.test(title[b]!.text)),
  );

function scoreWords(label: readonly Word[], title: readonly Word[], index: AbbreviationIndex): number {
  const found = pairs(label, title, index);
  if (!saysEnough(found, label, title)) return 0;
  const weight = ({ a, b }: Pair): number => Math.max(label[a]!.text.length, title[b]!.text.length);
  const total = found.reduce((sum, pair) => sum + weight(pair), 0);
  const likeness = found.reduce((sum, pair) => sum + pair.likeness * weight(pair), 0) / total;
  const counts = found.some(({ b }) => COUNTS.has(title[b]!.text));
  const left = [
    ...label.filter((_, at) => !found.some(({ a }) => a === at)),
    ...title.filter((_, at) => !found.some(({ b }) => b === at)),
  ].reduce((sum, word) => sum + leftOver(word, counts, index), 0);
  const inOrder = found.every(({ b }, at) => at === 0 || found[at - 1]!.b < b);
  const score = WORD_BY_WORD * likeness - left - (inOrder ? 0 : OTHER_ORDER);
  const doubtful = found.some((pair) => pair.likeness <= DOUBTFUL);
  return Math.max(0, doubtful ? Math.min(score, DOUBTFUL) : score);
}

/** The words as written, and with each acronym of the table spelt out. */
function readings(words: readonly Word[], { phrases }: AbbreviationIndex): readonly (readonly Word[])[] {
  const spelt = words.flatMap((word, at) =>
    (phrases.get(word.text) ?? []).map((phrase) => [
      ...words.slice(0, at),
      ...phrase.map((text) => ({ text, dotted: false })),
      ...words.slice(at + 1),
    ]),
  );
  return [words, ...spelt];
}

/** A rate says how much, hardly what: `SALUD 4%`. */
const withoutRate = (text: string): string => text.replace(/\d+(?:[.,]\d+)?\s*%/g, '%');

/** A text made ready to be compared. */
interface Read {
  readonly text: string;
  readonly forms: LabelForms;
  readonly readings: readonly (readonly Word[])[];
}

const readText = (text: string, index: AbbreviationIndex): Read => ({
  text,
  forms: labelForms(text),
  readings: readings(wordsOf(withoutRate(text)), index),
});

const titlesRead = new WeakMap<AbbreviationIndex, Map<string, Read>>();

/** Titles are compared with every label of a sheet, and read once. */
function readTitle(title: string, index: AbbreviationIndex): Read {
  const known = titlesRead.get(index) ?? new Map<string, Read>();
  titlesRead.set(index, known);
  const read = known.get(title) ?? readText(title, index);
  known.set(title, read);
  return read;
}

function scoreText(label: Read, title: Read, index: AbbreviationIndex): number {
  if (/[*?]/.test(title.text)) return wildcard(title.text)(label.forms.folded) ? BY_WILDCARD : 0;
  if (label.forms.folded === title.forms.folded) return label.forms.folded === '' ? 0 : EQUAL;
  if (label.forms.squashed === title.forms.squashed) return label.forms.squashed === '' ? 0 : SQUASHED;
  return Math.max(
    ...label.readings.flatMap((words) => title.readings.map((other) => scoreWords(words, other, index))),
  );
}

function best(label: string, titles: readonly string[], index: AbbreviationIndex): number {
  const read = readText(label, index);
  return Math.max(0, ...titles.map((title) => scoreText(read, readTitle(title, index), index)));
}

/**
 * How likely a label of a header means a wanted column, from 0 to 1: 1 equal once folded, .98 also without separators,
 * .9 by a declared wildcard, at most .95 word by word. A hint for people and for `cargue inspect`, never a match.
 */
export function scoreLabel(
  label: string,
  group: string | undefined,
  wanted: WantedColumn,
  abbreviations: Abbreviations = {},
): number {
  const index = abbreviationIndex(abbreviations);
  const alone = best(label, wanted.titles, index);
  const both = group === undefined ? 0 : best(`${group} ${label}`, wanted.titles, index) - OVER_BOTH_ROWS;
  const score = Math.max(alone, both) + groupScore(group, wanted.groups, index, alone);
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
}

/** What the group above adds or takes away; nothing where either side names none. */
function groupScore(
  group: string | undefined,
  wanted: readonly string[] | undefined,
  index: AbbreviationIndex,
  score: number,
): number {
  if (group === undefined || wanted === undefined || score === 0) return 0;
  return best(group, wanted, index) >= GROUPS_ALIKE ? SAME_GROUP : -OTHER_GROUP;
}
