import { distance } from 'fastest-levenshtein';
import type { Suggestion } from './issue.js';
import { MAX_CELL_LENGTH, MAX_NAME_LENGTH } from './limits.js';

/** How texts are compared when people wrote them: without case, accents and stray blanks. */

const COMBINING = /[\u0300-\u036f]/g;
const BLANKS = /[\s\u00a0]+/g;
const SEPARATORS = /[^\p{L}\p{N}%+*?]+/gu;

/** What no cell of Excel holds is no name and no word of a list: it stays as it is, since each of its copies takes megabytes. */
export const isOverlong = (text: string): boolean => text.length > MAX_CELL_LENGTH;

/** Returns a text without the characters at its end that fit `sign`; the pattern `/sign+$/` takes quadratic time. */
export function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Where only the case can change. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** `  Número   Documento ` → `numero documento`. */
export const fold = (text: string): string =>
  isOverlong(text)
    ? text
    : PLAIN.test(text)
      ? text.toLowerCase()
      : text.normalize('NFD').replace(COMBINING, '').toLowerCase().replace(BLANKS, ' ').trim();

/** Without separators as well: `H.E.D. (horas)` → `hedhoras`. Percent and plus signs carry meaning and stay. */
export const squash = (text: string): string =>
  isOverlong(text) ? text : fold(text).replace(SEPARATORS, '');

export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** A file's own name, without the zip or folder that holds it. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Two letters and a number, as the flat files of Resolución 3374 are called, with what browsers and people put around it. */
const FLAT_NAME = /^([a-z]{2})[ _-]?(\d+)(?: ?\(\d+\)| ?-? ?(?:copia|copy))?(?:\.(?:txt|csv|dat))?$/;

/** Returns the name of a flat file in its usual form: `AC 000123 (1).csv` → `ac000123.txt`; undefined for another file. */
export function flatName(path: string): string | undefined {
  const [, letters, number] = FLAT_NAME.exec(fold(baseName(path))) ?? [];
  return letters === undefined ? undefined : `${letters}${number}.txt`;
}

/** The name of a file as a shell takes it. */
export const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

/** Whether a name is a pattern. */
export const isWild = (text: string): boolean => /[*?]/.test(text);

/** A pattern with `*` and `?` over folded text, as a test. */
export function wildcard(
  pattern: string,
  form: (text: string) => string = fold,
): (folded: string) => boolean {
  const folded = form(pattern);
  if (!isWild(folded)) return (text) => text === folded;
  return (text) => fits(text, folded);
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Greedy, and only the last `*` is ever tried again: no pattern takes more than the product of both lengths. */
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

/** Trimmed, with runs of blanks as one space: how a text leaves a cell. */
export const collapse = (text: string): string => {
  if (isOverlong(text)) return text.trim();
  return UNEVEN.test(text) ? text.replace(BLANKS, ' ').trim() : text;
};

/** Words of a line mean opposite or different things, however alike they are written. */
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
/** What undoes the word that it begins: indefinido, ilegal, desaprobado. */
const UNDOES = /^(?:in|im|ir|i|des|dis|non|no|un|anti)(?=\p{L}{4})/u;
/** Words that negate what they stand beside. */
export const NEGATIONS: ReadonlySet<string> = new Set('no ns non not sin without nunca never'.split(' '));

/** Without the ending that tells gender and number. */
export const stemOf = (word: string): string => word.replace(/(?:[aeo]s?|es)$/, '');

const unlike = new Map<string, Set<string>>();
for (const line of UNLIKE) {
  const stems = line.split(' ').map(stemOf);
  for (const stem of stems) unlike.set(stem, new Set([...(unlike.get(stem) ?? []), ...stems]));
}

/** Whether one of two folded words undoes the other, or they are known to be others. */
export function areUnlike(one: string, other: string): boolean {
  const [a, b] = [stemOf(one), stemOf(other)];
  if (a === b) return false;
  return unlike.get(a)?.has(b) === true || a.replace(UNDOES, '') === b || b.replace(UNDOES, '') === a;
}

/** Whether a text says the opposite of another, or another thing: `No dependiente`, `Independiente` and `Dependiente`. */
export function areOpposed(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => new Set(fold(text).match(/\p{L}+(?!\p{L})(?!\.)|\p{L}{3,}/gu)));
  // A mere "no" is an answer.
  const negated = (words: ReadonlySet<string>): boolean =>
    words.size > 1 && [...words].some((word) => NEGATIONS.has(word));
  if (negated(a!) !== negated(b!)) return true;
  const own = [...a!].filter((word) => !b!.has(word));
  const theirs = [...b!].filter((word) => !a!.has(word));
  return own.some((word) => theirs.some((another) => areUnlike(word, another)));
}

const GOOD_ENOUGH = 0.6;

/** How alike two texts are once folded, from 0 to 1. */
export const similarity = (a: string, b: string): number => likeness(squash(a), squash(b), 0);

/** The same of folded texts; 0 where their lengths alone keep it below `least`. */
function likeness(left: string, right: string, least: number): number {
  const longest = Math.max(left.length, right.length);
  if (longest === 0 || Math.min(left.length, right.length) / longest < least) return 0;
  return 1 - distance(left, right) / longest;
}

/** The nearest candidates, best first; only a hint for people, never a match. */
export function suggest(text: string, candidates: Iterable<string>, most = 3): Suggestion[] {
  const found: Suggestion[] = [];
  if (text.length > MAX_NAME_LENGTH) return found;
  const folded = squash(text);
  for (const value of candidates) {
    const score = likeness(folded, squash(value), GOOD_ENOUGH);
    if (score >= GOOD_ENOUGH && !areOpposed(text, value))
      found.push({ value, score: Math.round(score * 100) / 100 });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, most);
}

/** A name with letters that look alike as one: small L, capital I and 1; O and 0. */
const lookAlike = (name: string): string =>
  name
    .replaceAll(/[Il1|]/g, 'l')
    .replaceAll(/[O0]/g, 'o')
    .toLowerCase();

const SAME_BUT_FOR_A_SLIP = 0.9;
const digitsOf = (name: string): string => name.replaceAll(/\D/g, '');

/** The name that a misspelt one stands for: the one that looks the same, else the nearest with the same digits. */
export function nameMeant(name: string, candidates: readonly string[]): string | undefined {
  const shape = lookAlike(name);
  const same = candidates.filter((one) => lookAlike(one) === shape);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const near = candidates.filter((one) => digitsOf(one) === digitsOf(name));
  return suggest(name, near, 1).find(({ score }) => score >= SAME_BUT_FOR_A_SLIP)?.value;
}

/** Excel's names for columns. Indexes are 0-based, letters start at `A`. */

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

/** Of a cell: `AB12` → 27; -1 when no letter leads. */
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
 * A string of its own: V8 keeps the whole chunk alive for any piece cut from it (13 characters or more),
 * and whoever collects a key per row would keep the whole file.
 */
export const detached = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** As `String.prototype.toWellFormed` of later versions of the language: what is no Unicode becomes U+FFFD. */
export const toWellFormed = (text: string): string => text.replaceAll(LONE_SURROGATE, '\uFFFD');

/** Whether two NITs, of digits alone, are one: either may have its check digit. */
export const isSameNit = (one: string, other: string): boolean =>
  one.length < other.length
    ? isSameNit(other, one)
    : one === other || (one.length === other.length + 1 && one.startsWith(other));
