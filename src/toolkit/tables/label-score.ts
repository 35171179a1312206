import { distance } from 'fastest-levenshtein';
import type { NonEmpty } from '../core/non-empty.js';
import { getOrAdd, remember } from '../core/remember.js';
import { areUnlike, fold, isOverlong, NEGATIONS, stemOf, wildcard } from '../core/text.js';
import type { WantedColumn } from './header.js';
import { type LabelForms, labelForms } from './titles.js';

/** Word, or words of an acronym → abbreviations and translations, without accents and dots (mappings/synonyms). */
export type Abbreviations = Readonly<Record<string, readonly string[]>>;

interface Word {
  readonly text: string;
  /** True if a dot ends it: it may be the beginning of a longer word. */
  readonly dotted: boolean;
  /** Word without the ending of gender and number. */
  readonly stem: string;
  /** Text and dot, the key of cached comparisons. */
  readonly key: string;
}

const wordOf = (text: string, dotted: boolean): Word => ({
  text,
  dotted,
  stem: stemOf(text),
  key: dotted ? `${text}.` : text,
});

interface KnownWord extends Word {
  /** Position among all words of the index. */
  readonly place: number;
  /** Bit set of its letters: words that differ in too many letters are not compared further. */
  readonly letters: number;
}

const lettersOf = (text: string): number => {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
};

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Words often omitted in headers. */
const STOP_WORDS = new Set('de del la las el los y o a al en por para que se of the in and for'.split(' '));

const INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.\s?){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})/gu;
/** `Nº`, `N°` and `1º`; the sign adds nothing to the letter or digit before it. */
const ORDINAL_MARK = /[º°ª]/g;
const WORD = /(\p{L}+|\p{N}+\p{L}*|[$%#+])(\.?)/gu;

/**
 * Splits a label: `F. INGRESO ($)` → f. ingreso $ · `H.E.D.` → hed · `numDocumento` → num documento · `1er. Apellido` →
 * 1er. apellido.
 */
export function wordsOf(text: string): readonly Word[] {
  const spaced = text.replace(CAMEL, ' ').replace(ORDINAL_MARK, '');
  const joined = fold(spaced).replace(INITIALS, (initials) => ` ${initials.replace(/[^\p{L}]/gu, '')} `);
  return [...joined.matchAll(WORD)]
    .map(([, word = '', dot]) => wordOf(word, dot === '.'))
    .filter((word) => word.dotted || !STOP_WORDS.has(word.text));
}

/** Index of abbreviations by what they may stand for. */
interface AbbreviationIndex {
  /** Abbreviation → single words. */
  readonly words: ReadonlyMap<string, readonly Word[]>;
  /** Word → alternatives. */
  readonly instead: ReadonlyMap<string, readonly string[]>;
  /** Abbreviations of several words, or of several letters or words each: `hed`, `last name`. */
  readonly phrases: readonly Phrase[];
  /** All words on either side. */
  readonly vocabulary: ReadonlySet<string>;
  /** Words of labels and titles by key; the same few recur. */
  readonly known: Map<string, KnownWord>;
  /** Cached similarity of two words by their positions; NaN if not yet compared. */
  readonly likeness: Map<number, Float64Array>;
}

function knownWord(word: Word, { known }: AbbreviationIndex): KnownWord {
  return getOrAdd(known, word.key, () => ({ ...word, place: known.size, letters: lettersOf(word.text) }));
}

/** Returns the cached similarities of a word, long enough for all current words. */
function likenessOf({ place }: KnownWord, { known, likeness }: AbbreviationIndex): Float64Array {
  const before = likeness.get(place);
  if (before !== undefined && before.length >= known.size) return before;
  const row = new Float64Array(2 * known.size).fill(Number.NaN);
  if (before !== undefined) row.set(before);
  likeness.set(place, row);
  return row;
}

interface Phrase {
  readonly short: readonly string[];
  readonly meaning: readonly Word[];
}

const abbreviationIndex = remember((table: Abbreviations): AbbreviationIndex => {
  const words = new Map<string, Word[]>();
  const phrases: Phrase[] = [];
  for (const [meaning, abbreviations] of Object.entries(table)) {
    const parts = wordsOf(meaning).map(({ text }) => wordOf(text, false));
    for (const abbreviation of abbreviations.map((text) => fold(text).replace(ORDINAL_MARK, ''))) {
      const short = abbreviation.split(' ');
      if (parts.length + short.length > 2) phrases.push({ short, meaning: parts });
      else words.set(abbreviation, [...(words.get(abbreviation) ?? []), ...parts]);
    }
  }
  const instead = new Map<string, string[]>();
  for (const [short, meanings] of words)
    for (const { text } of meanings) instead.set(text, [...(instead.get(text) ?? []), short]);
  const all = Object.entries(table).flat(2);
  const vocabulary = new Set(
    all.flatMap((text) => wordsOf(text).flatMap(({ text: word, stem }) => [word, stem])),
  );
  return { words, instead, phrases, vocabulary, known: new Map(), likeness: new Map() };
});

const IN_TABLE = 0.97;
const PLURAL = 0.97;
const INFLECTED = 0.85;
const MISSPELT = 0.85;
/** Score of `DCMNT` for documento: without its vowels, or with letters missing. */
const SKELETON = 0.92;
const THIN_SKELETON = 0.85;
/** Max score of a word that makes the whole label doubtful. */
const DOUBTFUL = 0.85;
const INITIAL = 0.72;
/** Scores of the beginning of a word of two letters, of three, and of more: `AU.`, `SAL.`, `INTEG.` */
const TWO_LETTERS = 0.8;
const THREE_LETTERS = 0.88;
const LONG_BEGINNING = 0.92;
/** Min length at which a changed letter is a typo: banco and bono differ. */
const MIN_TYPO_LENGTH = 5;

const plural = (word: string, other: string): boolean =>
  word.length >= 3 && (other === `${word}s` || (other === `${word}es` && !/[aeo]$/.test(word)));

/** True for the same word in another gender or number: `Otros` and `otras`. */
const inflected = (a: Word, b: Word): boolean => a.stem === b.stem && a.stem.length >= 3;

/** Scores the beginning of a word as its abbreviation. */
function beginning(short: Word, word: string): number {
  const { text, dotted } = short;
  if (!word.startsWith(text) || !/^\p{L}+$/u.test(text)) return 0;
  // `Sin salario` is not sindicato.
  if (!dotted && NEGATIONS.has(text)) return 0;
  const left = word.length - text.length;
  // The F. of fecha is not fin.
  if (text.length === 1) return dotted && left >= 3 ? INITIAL : 0;
  if (text.length === 2) return dotted && left >= 3 ? TWO_LETTERS : 0;
  // HED and HEDDF, empleado and empleador are different words; sal. is not salud.
  if (left < (dotted && text.length >= MIN_TYPO_LENGTH ? 1 : 3)) return 0;
  return text.length === 3 ? THREE_LETTERS : LONG_BEGINNING;
}

const bones = (word: string): string => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, '');

/** Scores consonants as abbreviation of a word. */
function withoutVowels(short: string, word: string): number {
  if (short.length < 3 || !/^\p{L}[^aeiou\d]+$/u.test(short) || short[0] !== word[0]) return 0;
  const consonants = bones(word);
  if (consonants === word) return 0;
  if (short === consonants || `${short}s` === consonants) return SKELETON;
  if (short.length < 4) return 0;
  let at = 0;
  for (const letter of consonants) if (letter === short[at]) at += 1;
  return at === short.length ? THIN_SKELETON : 0;
}

/** Counts typos; two swapped letters count as one. */
function mistakes(a: string, b: string): number {
  const count = distance(a, b);
  if (count !== 2 || a.length !== b.length) return count;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) ? 1 : 2;
}

function misspelt({ text: a, letters }: KnownWord, { text: b, letters: others }: KnownWord): boolean {
  const length = Math.min(a.length, b.length);
  const most = length >= 8 ? 2 : 1;
  if (length < MIN_TYPO_LENGTH || Math.abs(a.length - b.length) > most) return false;
  // A changed letter removes one and adds one.
  if (bitsIn(letters ^ others) > 2 * most) return false;
  if (a.startsWith(b) || b.startsWith(a) || !/^\p{L}+$/u.test(a + b)) return false;
  return mistakes(a, b) <= most;
}

/** Returns the likelihood that two words mean the same, from 0 to 1: equal, abbreviated, inflected or misspelt. */
function wordLikeness(a: KnownWord, b: KnownWord, { words }: AbbreviationIndex): number {
  if (a.text === b.text) return EQUAL;
  const stands = (short: Word, long: Word): boolean =>
    words
      .get(short.text)
      ?.some((word) => word.text === long.text || plural(word.text, long.text) || inflected(word, long)) ??
    false;
  if (stands(a, b) || stands(b, a)) return IN_TABLE;
  if (areUnlike(a.text, b.text)) return 0;
  // Only a typo changes the first letter.
  if (a.text[0] === b.text[0]) {
    if (plural(a.text, b.text) || plural(b.text, a.text)) return PLURAL;
    const started = Math.max(beginning(a, b.text), beginning(b, a.text));
    if (started > 0) return started;
    const bare = Math.max(withoutVowels(a.text, b.text), withoutVowels(b.text, a.text));
    if (bare > 0) return bare;
    if (inflected(a, b)) return INFLECTED;
  }
  return misspelt(a, b) ? MISSPELT : 0;
}

/**
 * Thresholds of scores. At or above `alone`, and `margin` ahead of every other column, a label may be decided without a
 * question; at or above `ask` it is a candidate.
 */
export const SCORE_LEVELS = { alone: 0.9, margin: 0.1, ask: 0.7 } as const;

const EQUAL = 1;
const SQUASHED = 0.98;
const BY_WILDCARD = 0.9;
/** Max score of labels that are similar word by word. */
const WORD_BY_WORD = 0.95;

/** Words that often surround a name and change little: `VR. SALUD` is `Salud`. */
const WEAK = new Set(
  'valor numero descuento deduccion aporte empleado trabajador paciente mes dane divipola %'.split(' '),
);
/** Counts, whose amounts are other columns: `Valor día` is not `Días`. */
const COUNTS = new Set(['dia', 'dias', 'hora', 'horas', 'cantidad', 'hrs', 'cant']);
const MONEY = new Set(['valor']);
const WEAK_LEFT_OVER = 0.12;
/** Words often implied: `HED` alone may be its hours, `Municipio` its code; the cells decide. */
const OFTEN_UNSAID = new Set([...COUNTS, 'total', 'codigo', 'cod']);
const IMPLIED = 0.12;
const LEFT_OVER = 0.35;
/** First words of many titles, used alone under groups: `Tipo` is not `Modalidad`, `Número` not `Cédula`. */
const HEADS = new Set('tipo clase numero valor pago documento identificacion entidad'.split(' '));
/** Synonyms among those words. */
const KINDS = new Set(['tipo', 'clase']);
/** Cost of an unknown word; less than that of a word with another meaning. */
const LEFT_OVER_UNKNOWN = 0.27;
/** Word that inverts a label: `Auxilio no salarial` is the opposite of `Auxilio salarial`. */
const NEGATION = 'no';
const NEGATED = 0.6;
const OTHER_ORDER = 0.06;

const SAME_GROUP = 0.05;
const OTHER_GROUP = 0.35;
/** Min similarity of the same groups. */
export const GROUPS_ALIKE = 0.75;
/** Cost of a title found in group and label together rather than in the label. */
const OVER_BOTH_ROWS = 0.03;

/** Words of a label and a title that may mean the same. */
interface Pair {
  readonly word: KnownWord;
  readonly other: KnownWord;
  readonly a: number;
  /** Position in the title. */
  readonly b: number;
  readonly likeness: number;
}

const NO_PAIRS: readonly Pair[] = [];

/** Returns the likeliest pairs of words, each word used once. */
function pairs(
  label: readonly KnownWord[],
  title: readonly KnownWord[],
  index: AbbreviationIndex,
): readonly Pair[] {
  let all: Pair[] | undefined;
  let a = -1;
  for (const word of label) {
    a += 1;
    let b = -1;
    const known = likenessOf(word, index);
    for (const other of title) {
      b += 1;
      let likeness = known[other.place];
      if (likeness === undefined || Number.isNaN(likeness)) {
        likeness = wordLikeness(word, other, index);
        known[other.place] = likeness;
      }
      if (likeness === 0) continue;
      all ??= [];
      all.push({ word, other, a, b, likeness });
    }
  }
  if (all === undefined) return NO_PAIRS;
  if (all.length < 2) return all;
  all.sort((x, y) => y.likeness - x.likeness || Math.abs(x.a - x.b) - Math.abs(y.a - y.b));
  const taken: Pair[] = [];
  for (const pair of all) if (!taken.some(({ a, b }) => a === pair.a || b === pair.b)) taken.push(pair);
  return taken.sort((x, y) => x.a - y.a);
}

const isOneOf = (list: ReadonlySet<string>, { text }: Word, index: AbbreviationIndex): boolean =>
  list.has(text) || (index.words.get(text)?.some((word) => list.has(word.text)) ?? false);

function leftOver(word: Word, counts: boolean, index: AbbreviationIndex): number {
  if (word.text === NEGATION && !word.dotted) return NEGATED;
  return isOneOf(WEAK, word, index) && !(counts && isOneOf(MONEY, word, index)) ? WEAK_LEFT_OVER : LEFT_OVER;
}

/** Returns the cost of a word that the title lacks. */
function unmeant(word: Word, counts: boolean, index: AbbreviationIndex): number {
  const cost = leftOver(word, counts, index);
  const isKnown = index.vocabulary.has(word.text) || index.vocabulary.has(word.stem) || word.text.length < 3;
  return cost === LEFT_OVER && !isKnown ? LEFT_OVER_UNKNOWN : cost;
}

/** True if a pair is significant; single letters fit too much. */
const saysEnough = (found: readonly Pair[]): boolean =>
  found.some(
    ({ word, other, likeness }) =>
      likeness >= DOUBTFUL && !(/^\p{L}$/u.test(word.text) || /^\p{L}$/u.test(other.text)),
  );

/** Returns the cost of a word that the label lacks. */
const unsaid = (word: Word, counts: boolean, index: AbbreviationIndex): number =>
  OFTEN_UNSAID.has(word.text) ? IMPLIED : leftOver(word, counts, index);

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** True if a label is a single head word, and the title a different one. */
function isHeadAlone(label: readonly Word[], title: readonly Word[]): boolean {
  const [[head], [other]] = [label, title];
  if (head === undefined || other === undefined || label.length > 1 || title.length > 1) return false;
  const areSame = head.text[0] === other.text[0] || (KINDS.has(head.text) && KINDS.has(other.text));
  return HEADS.has(head.text) && !areSame;
}

function scoreWords(
  label: readonly KnownWord[],
  title: readonly KnownWord[],
  index: AbbreviationIndex,
): number {
  const found = pairs(label, title, index);
  if (!saysEnough(found)) return 0;
  const weight = ({ word, other }: Pair): number => Math.max(word.text.length, other.text.length);
  const total = found.reduce((sum, pair) => sum + weight(pair), 0);
  const likeness = found.reduce((sum, pair) => sum + pair.likeness * weight(pair), 0) / total;
  const counts = found.some(({ other }) => COUNTS.has(other.text));
  const over = label.filter((_, at) => !found.some(({ a }) => a === at));
  const missing = title.filter((_, at) => !found.some(({ b }) => b === at));
  // A label that says it is an amount is not a count.
  const isAmount = over.some((word) => isOneOf(MONEY, word, index));
  const left =
    sum(over, (word) => unmeant(word, counts, index)) +
    sum(missing, (word) => (isAmount && COUNTS.has(word.text) ? LEFT_OVER : unsaid(word, counts, index)));
  const inOrder = found.every(({ b }, at) => (found[at - 1]?.b ?? -1) < b);
  const score = WORD_BY_WORD * likeness - left - (inOrder ? 0 : OTHER_ORDER);
  const doubtful = found.some((pair) => pair.likeness <= DOUBTFUL);
  if (isHeadAlone(label, title)) return Math.max(0, score - LEFT_OVER);
  return Math.max(0, doubtful ? Math.min(score, DOUBTFUL) : score);
}

/** Scores a piece of a label without spaces as a word. */
function pieceLikeness(piece: string, { text }: Word, { words, instead }: AbbreviationIndex): number {
  if (piece === text) return piece.length > 1 || /\d/.test(piece) ? EQUAL : 0;
  const meanings = words.get(piece) ?? [];
  if (meanings.some((word) => word.text === text || plural(word.text, text)))
    return piece.length > 1 ? IN_TABLE : ONE_LETTER;
  if (piece.length >= 3 && text.startsWith(piece)) return LONG_BEGINNING;
  if (piece.length >= 3 && instead.get(text)?.some((word) => word.startsWith(piece))) return INFLECTED;
  if (!text.startsWith(piece)) return 0;
  return piece.length === 2 || text === NEGATION ? TWO_LETTERS : 0;
}

const ONE_LETTER = 0.8;
const MAX_LETTERS = 12;
const MIN_LETTERS = 3;

/** Scores `TIPCON` for tipo contrato, `VHED` for valor HED by the best way to cut it. */
function scoreRunTogether(label: string, title: readonly Word[], index: AbbreviationIndex): number {
  let best = 0;
  const cut = (from: number, used: readonly number[], total: number, turned: boolean): void => {
    if (from === label.length) {
      const rest = title.filter((_, at) => !used.includes(at));
      const counts = title.some(({ text }, at) => used.includes(at) && COUNTS.has(text));
      const left = sum(rest, (word) => unsaid(word, counts, index));
      const score = (WORD_BY_WORD * total) / label.length - left - (turned ? OTHER_ORDER / 2 : 0);
      if (used.length > 1 && score > best) best = score;
      return;
    }
    for (const [at, word] of title.entries()) {
      if (used.includes(at)) continue;
      for (let to = from + 1; to <= label.length; to++) {
        const likeness = pieceLikeness(label.slice(from, to), word, index);
        if (likeness > 0)
          cut(to, [...used, at], total + likeness * (to - from), turned || at < (used.at(-1) ?? 0));
      }
    }
  };
  cut(0, [], 0, false);
  return best;
}

/** Returns the words as written, and with each acronym and phrase of the table expanded. */
function readings(words: readonly Word[], index: AbbreviationIndex): NonEmpty<readonly KnownWord[]> {
  const { phrases } = index;
  const known = (list: readonly Word[]): readonly KnownWord[] => list.map((word) => knownWord(word, index));
  const spelt = words.flatMap((_, at) =>
    phrases
      .filter(({ short }) => short.every((text, ahead) => words[at + ahead]?.text === text))
      .map(({ short, meaning }) => [...words.slice(0, at), ...meaning, ...words.slice(at + short.length)]),
  );
  return [known(words), ...spelt.map(known)];
}

/** Removes rates, `SALUD 4%`, and answer formats, `INTEGRAL (S/N)`: they hardly tell what a column is. */
const withoutRate = (text: string): string =>
  text
    .replace(/(?<!\d)\d+(?:[.,]\d+)?\s*%/g, '%')
    .replace(/\(?(?<!\p{L})(?:y\/n|s\/n|s[ií]\/no|yes\/no)(?!\p{L})\)?/giu, ' ');

/** Number of a field before its name: `C04_codConsulta`. */
const FIELD_NUMBER = /^\p{L}{1,3}\d{1,3}[_\-.\s]+(?=\p{L}{3})/u;
const WITHOUT_NUMBER = 0.02;

interface PreparedText {
  readonly forms: LabelForms;
  /** Test of a title with `*` or `?`. */
  readonly fits?: (folded: string) => boolean;
  readonly readings: NonEmpty<readonly KnownWord[]>;
  /** A word, perhaps with digits after it, that may be several without spaces. */
  readonly single: string | undefined;
}

const textsRead = remember((_: AbbreviationIndex) => new Map<string, PreparedText>());

/** Returns a text that may be several words without spaces. */
function singleWord(text: string, { squashed }: LabelForms): string | undefined {
  const isOne = /^\p{L}+\d?$/u.test(text) && (text === text.toUpperCase() || text === text.toLowerCase());
  return isOne && text.length >= MIN_LETTERS && text.length <= MAX_LETTERS ? squashed : undefined;
}

/** Prepares a text once: titles are compared with every label of a sheet. */
function readText(text: string, index: AbbreviationIndex): PreparedText {
  const known = textsRead(index);
  const before = known.get(text);
  if (before !== undefined) return before;
  const forms = labelForms(text);
  const read = {
    forms,
    single: singleWord(text, forms),
    ...(/[*?]/.test(text) && { fits: wildcard(text) }),
    readings: readings(wordsOf(withoutRate(text)), index),
  };
  if (!isOverlong(text)) known.set(text, read);
  return read;
}

/** Words inverted by a negation. */
const NEGATABLE =
  /^(?:sal|salarial(?:es)?|salario|sueldo|const|constitu(?:ye|yen|tiv[oa]s?)|prest|prestacional(?:es)?|rem|remunera(?:cion|d[oa]s?)|(?:gravad|pagad|disfrutad|trabajad|laborad|practicad)[oa]s?|ns)$/;

/** True if a word negates what follows; `No` before other words is a number (`No cuenta`). */
function isNegation({ text, dotted }: Word, at: number, words: readonly Word[]): boolean {
  if (dotted || !NEGATIONS.has(text)) return false;
  return text !== NEGATION || at > 0 || NEGATABLE.test(words[at + 1]?.text ?? '');
}

/** True if one of two texts negates what the other says: `Bonif. no prest.` and `Bonificación salarial`. */
function areOpposite(words: readonly Word[], others: readonly Word[]): boolean {
  if (![...words, ...others].some(({ text }) => NEGATABLE.test(text))) return false;
  return words.some(isNegation) !== others.some(isNegation);
}

const isNegated = ({ readings: [words] }: PreparedText): boolean => words.some(isNegation);

/** True if a label states or negates what the first title of a column does not: it means another column. */
export function isOpposite(label: string, { titles: [name = ''] }: WantedColumn): boolean {
  const words = wordsOf(label);
  return words.some(({ text }) => NEGATABLE.test(text)) && areOpposite(words, wordsOf(name));
}

/** Max score of a label with a negation that the title lacks: `Sin valor`. */
const MAX_NEGATED_SCORE = 0.5;

/** @param agrees the label negates what the column's name negates, so titles without the negation are equal */
function scoreText(
  label: PreparedText,
  title: PreparedText,
  index: AbbreviationIndex,
  agrees: boolean,
): number {
  if (title.fits) return title.fits(label.forms.folded) ? BY_WILDCARD : 0;
  if (label.forms.folded === title.forms.folded) return label.forms.folded === '' ? 0 : EQUAL;
  if (label.forms.squashed === title.forms.squashed) return label.forms.squashed === '' ? 0 : SQUASHED;
  const [titleWords] = title.readings;
  if (!agrees && areOpposite(label.readings[0], titleWords)) return 0;
  const cut =
    label.single === undefined || titleWords.length < 2
      ? 0
      : scoreRunTogether(label.single, titleWords, index);
  let score = cut;
  for (const words of label.readings)
    for (const other of title.readings) score = Math.max(score, scoreWords(words, other, index));
  return isNegated(label) && !isNegated(title) ? Math.min(score, MAX_NEGATED_SCORE) : score;
}

/** Returns a label as it is, and without the number of its field. */
export function labelsToCompare(label: string): readonly string[] {
  const name = label.replace(FIELD_NUMBER, '');
  return name === label ? [label] : [label, ...labelsToCompare(name)];
}

const RATE = /(?<!\d)\d+(?:[.,]\d+)?(?=\s*%)/g;
const ratesIn = (text: string): readonly number[] =>
  (text.match(RATE) ?? []).map((rate) => Number.parseFloat(rate.replace(',', '.')));
/** Max score of a label with another rate than the titles: `SALUD 12.5%` is not `Salud 4%`. */
const MAX_OTHER_RATE_SCORE = 0.6;

function saysOtherRate(label: string, titles: readonly string[]): boolean {
  const labelRates = label.includes('%') ? ratesIn(label) : [];
  if (labelRates.length === 0) return false;
  const rates = titles.flatMap(ratesIn);
  return rates.length > 0 && !labelRates.some((rate) => rates.includes(rate));
}

function best(label: string, titles: readonly string[], index: AbbreviationIndex): number {
  let score = 0;
  for (const [at, text] of labelsToCompare(label).entries()) {
    const read = readText(text, index);
    const agrees = isNegated(read) && isNegated(readText(titles[0] ?? '', index));
    for (const title of titles) {
      const alike = scoreText(read, readText(title, index), index, agrees);
      score = Math.max(score, alike - at * WITHOUT_NUMBER);
      if (score === EQUAL) return score;
    }
  }
  return score;
}

/**
 * Scores from 0 to 1 how likely a label means a wanted column: 1 equal once folded, .98 also without separators, .9 by
 * a declared wildcard, at most .95 word by word. A hint for users and `cargue inspect`, never a match.
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
  const most = saysOtherRate(label, wanted.titles) ? MAX_OTHER_RATE_SCORE : 1;
  return Math.round(Math.min(most, Math.max(0, score)) * 100) / 100;
}

/** Returns what the group adds or subtracts; 0 if either side names none. */
function groupScore(
  group: string | undefined,
  wanted: readonly string[] | undefined,
  index: AbbreviationIndex,
  score: number,
): number {
  if (group === undefined || wanted === undefined || score === 0) return 0;
  return best(group, wanted, index) >= GROUPS_ALIKE ? SAME_GROUP : -OTHER_GROUP;
}

/** Returns the number of words of a name if the label has all of them, else 0. */
export function wordsOfName(label: string, name: string, abbreviations: Abbreviations): number {
  const index = abbreviationIndex(abbreviations);
  const [given, sought] = [readText(label, index), readText(name, index)];
  if (areOpposite(given.readings[0], sought.readings[0])) return 0;
  const counts = given.readings.flatMap((words) =>
    sought.readings.map((nameWords) => {
      const found = pairs(words, nameWords, index).filter(({ likeness }) => likeness >= DOUBTFUL);
      return found.length === nameWords.length && saysEnough(found) ? nameWords.length : 0;
    }),
  );
  return Math.max(0, ...counts);
}

/**
 * Returns the common first words of titles: `Vacaciones` of `Vacaciones desde` and `Vacaciones hasta`; '' if there are
 * none.
 */
export function commonName(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map((title) => title.split(' '));
  const end = first.findIndex((word, at) => others.some((other) => other[at] !== word));
  return titles.length < 2 ? '' : first.slice(0, end < 0 ? first.length : end).join(' ');
}
