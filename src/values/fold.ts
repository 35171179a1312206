/** How texts are compared when people wrote them: without case, accents and stray blanks. */

const COMBINING = /[\u0300-\u036f]/g;
const BLANKS = /[\s\u00a0]+/g;
const SEPARATORS = /[^\p{L}\p{N}%+*?]+/gu;

/** `  Número   Documento ` → `numero documento`. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(COMBINING, '').toLowerCase().replace(BLANKS, ' ').trim();

/** Without separators as well: `H.E.D. (horas)` → `hedhoras`. Percent and plus signs carry meaning and stay. */
export const squash = (text: string): string => fold(text).replace(SEPARATORS, '');

/** A pattern with `*` and `?` over folded text, as a test. */
export function wildcard(
  pattern: string,
  form: (text: string) => string = fold,
): (folded: string) => boolean {
  const folded = form(pattern);
  if (!/[*?]/.test(folded)) return (text) => text === folded;
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
export const collapse = (text: string): string =>
  UNEVEN.test(text) ? text.replace(BLANKS, ' ').trim() : text;
