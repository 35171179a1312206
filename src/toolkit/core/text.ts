import { distance } from 'fastest-levenshtein';
import type { Suggestion } from './issue.js';
import { MAX_CELL_LENGTH, MAX_NAME_LENGTH } from './limits.js';

const COMBINING = /[\u0300-\u036f]/g;
const BLANKS = /[\s\u00a0]+/g;
const SEPARATORS = /[^\p{L}\p{N}%+*?]+/gu;

/** True if a text is longer than an Excel cell; it is never folded, since each copy takes megabytes. */
export const isOverlong = (text: string): boolean => text.length > MAX_CELL_LENGTH;

/** Removes the characters at the end that fit `sign`; the pattern `/sign+$/` takes quadratic time. */
export function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Texts in which only the case can change. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Removes case, accents and stray blanks: `  Número   Documento ` → `numero documento`. */
export const fold = (text: string): string =>
  isOverlong(text)
    ? text
    : PLAIN.test(text)
      ? text.toLowerCase()
      : text.normalize('NFD').replace(COMBINING, '').toLowerCase().replace(BLANKS, ' ').trim();

/**
 * Folds and removes separators: `H.E.D. (horas)` → `hedhoras`. Percent and plus signs carry meaning and stay.
 */
export const squash = (text: string): string =>
  isOverlong(text) ? text : fold(text).replace(SEPARATORS, '');

export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Returns the name of a file without its zip or folder. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Name of a flat file of Resolución 3374: two letters and a number, with what browsers and users add. */
const FLAT_NAME = /^([a-z]{2})[ _-]?(\d+)(?: ?\(\d+\)| ?-? ?(?:copia|copy))?(?:\.(?:txt|csv|dat))?$/;

/**
 * Returns the name of a flat file in its usual form: `AC 000123 (1).csv` → `ac000123.txt`; undefined for
 * another file.
 */
export function flatName(path: string): string | undefined {
  const [, letters, number] = FLAT_NAME.exec(fold(baseName(path))) ?? [];
  return letters === undefined ? undefined : `${letters}${number}.txt`;
}

/** Quotes a file name for a shell. */
export const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

export const isWild = (text: string): boolean => /[*?]/.test(text);

/** Compiles a pattern with `*` and `?` to a test of folded text. */
export function wildcard(
  pattern: string,
  form: (text: string) => string = fold,
): (folded: string) => boolean {
  const folded = form(pattern);
  if (!isWild(folded)) return (text) => text === folded;
  return (text) => fits(text, folded);
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Matches greedily; only the last `*` is retried, so the cost is at most the product of both lengths. */
function fits(text: string, pattern: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let tried = 0;
  while (at < text.length) {
    const sign = pattern[next];
    if (sign === '*') {
      star = next++;
      tried = at;
    } else if (sign === '?') {
      at += isHighSurrogate(text.charCodeAt(at)) ? 2 : 1;
      next += 1;
    } else if (sign !== undefined && sign === text[at]) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      tried += isHighSurrogate(text.charCodeAt(tried)) ? 2 : 1;
      at = tried;
      next = star + 1;
    } else return false;
  }
  while (pattern[next] === '*') next += 1;
  return next === pattern.length;
}

const UNEVEN = /^\s|\s$|\s\s|[^\S ]/;

/** Trims and turns runs of blanks into one space. */
export const collapse = (text: string): string => {
  if (isOverlong(text)) return text.trim();
  return UNEVEN.test(text) ? text.replace(BLANKS, ' ').trim() : text;
};

/** Words of a line have opposite or different meanings, however similar they look. */
const UNLIKE = [
  'maternidad paternidad',
  'materno paterno',
  'legal ilegal',
  'pagado pasado',
  'pension pensionado',
  'ciudadania extranjeria venezolano',
  'nacional extranjero',
  'masculino femenino',
  'hombre mujer',
  'diurno nocturno',
  'ingreso egreso retiro',
  'interno externo',
  'entrada salida',
  'publico privado',
  'urbano rural',
  'mayor menor',
  'debito credito',
  'inicial final',
  'anterior posterior',
  'ahorro corriente',
  'empleado empleador',
  'contributivo subsidiado',
  'cotizante beneficiario',
  'ordinario extraordinario',
];
/** Prefix that negates a word: indefinido, ilegal, desaprobado. */
const UNDOES = /^(?:in|im|ir|i|des|dis|non|no|un|anti)(?=\p{L}{4})/u;
/** Words that negate their neighbours. */
export const NEGATIONS: ReadonlySet<string> = new Set('no ns non not sin without nunca never'.split(' '));

/** Removes the ending of gender and number. */
export const stemOf = (word: string): string => word.replace(/(?:[aeo]s?|es)$/, '');

const unlike = new Map<string, Set<string>>();
for (const line of UNLIKE) {
  const stems = line.split(' ').map(stemOf);
  for (const stem of stems) unlike.set(stem, new Set([...(unlike.get(stem) ?? []), ...stems]));
}

/** True if one of two folded words negates the other, or both are on one line of `UNLIKE`. */
export function areUnlike(word: string, other: string): boolean {
  const [a, b] = [stemOf(word), stemOf(other)];
  if (a === b) return false;
  return unlike.get(a)?.has(b) === true || a.replace(UNDOES, '') === b || b.replace(UNDOES, '') === a;
}

/** True if two texts differ in meaning: `No dependiente`, `Independiente` and `Dependiente`. */
export function areOpposed(text: string, other: string): boolean {
  const wordsOf = (of: string): ReadonlySet<string> =>
    new Set(fold(of).match(/\p{L}+(?!\p{L})(?!\.)|\p{L}{3,}/gu));
  const [a, b] = [wordsOf(text), wordsOf(other)];
  // A mere "no" is an answer.
  const negated = (words: ReadonlySet<string>): boolean =>
    words.size > 1 && [...words].some((word) => NEGATIONS.has(word));
  if (negated(a) !== negated(b)) return true;
  const added = [...b].filter((word) => !a.has(word));
  return [...a].some((word) => !b.has(word) && added.some((another) => areUnlike(word, another)));
}

const MIN_SCORE = 0.6;

/** Returns the similarity of two texts once folded, from 0 to 1. */
export const similarity = (a: string, b: string): number => likeness(squash(a), squash(b), 0);

/** Returns the similarity of squashed texts, or 0 if their lengths alone keep it below `least`. */
function likeness(left: string, right: string, least: number): number {
  const longest = Math.max(left.length, right.length);
  if (longest === 0 || Math.min(left.length, right.length) / longest < least) return 0;
  return 1 - distance(left, right) / longest;
}

/** Returns the nearest candidates, best first; a hint for users, never a match. */
export function suggest(text: string, candidates: Iterable<string>, most = 3): Suggestion[] {
  const found: Suggestion[] = [];
  if (text.length > MAX_NAME_LENGTH) return found;
  const folded = squash(text);
  for (const value of candidates) {
    const score = likeness(folded, squash(value), MIN_SCORE);
    if (score >= MIN_SCORE && !areOpposed(text, value))
      found.push({ value, score: Math.round(score * 100) / 100 });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, most);
}

/** Maps look-alike letters to one: small L, capital I and 1; O and 0. */
const lookAlike = (name: string): string =>
  name
    .replaceAll(/[Il1|]/g, 'l')
    .replaceAll(/[O0]/g, 'o')
    .toLowerCase();

const MIN_TYPO_SCORE = 0.9;
const digitsOf = (name: string): string => name.replaceAll(/\D/g, '');

/** Returns the name meant by a misspelt one: the only look-alike, else the nearest with the same digits. */
export function nameMeant(name: string, candidates: readonly string[]): string | undefined {
  const shape = lookAlike(name);
  const same = candidates.filter((candidate) => lookAlike(candidate) === shape);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const near = candidates.filter((candidate) => digitsOf(candidate) === digitsOf(name));
  return suggest(name, near, 1).find(({ score }) => score >= MIN_TYPO_SCORE)?.value;
}

/** Letters of columns by 0-based index. */

const cache: string[] = [];

export function columnLetter(index: number): string {
  const known = cache[index];
  if (known !== undefined) return known;
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  cache[index] = letters;
  return letters;
}

/** Returns the column of a cell: `AB12` → 27; -1 if it begins with no letter. */
export function columnIndex(reference: string): number {
  let index = 0;
  for (let i = 0; i < reference.length; i++) {
    const code = reference.charCodeAt(i) & ~32;
    if (code < 65 || code > 90) break;
    index = index * 26 + code - 64;
  }
  return index - 1;
}

/**
 * Copies a text: V8 keeps the source of any slice of 13 characters or more alive, for a key a row the whole
 * file.
 */
export const detached = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Replaces lone surrogates by U+FFFD, as `String.prototype.toWellFormed` of later versions of the language. */
export const toWellFormed = (text: string): string => text.replaceAll(LONE_SURROGATE, '\uFFFD');

/** True if two NITs of digits are the same; either may have its check digit. */
export const isSameNit = (nit: string, other: string): boolean =>
  nit.length < other.length
    ? isSameNit(other, nit)
    : nit === other || (nit.length === other.length + 1 && nit.startsWith(other));
