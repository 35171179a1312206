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
  const source = folded
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'su');
  return (text) => expression.test(text);
}

const UNEVEN = /^\s|\s$|\s\s|[^\S ]/;

/** Trimmed, with runs of blanks as one space: how a text leaves a cell. */
export const collapse = (text: string): string =>
  UNEVEN.test(text) ? text.replace(BLANKS, ' ').trim() : text;
