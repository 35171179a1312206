import { fold, isOverlong, wildcard, withoutEnd } from '../core/text.js';

/** Marks of a required field, or at the end of a label. */
const MARKS_BEFORE = /^[\s*]+/;
const MARK_BEHIND = /[\s*:]/;
const NOT_LETTERS = /[^\p{L}\p{N}%+$]+|[ºª]/gu;

const DATE_FORM =
  '(?:(?:d{1,2}|m{1,3}|a{2,4}|y{2,4})(?:[-/. ](?:d{1,2}|m{1,3}|a{2,4}|y{2,4})){2}|ddmm(?:aaaa|yyyy)|(?:aaaa|yyyy)mmdd)';
/** Hint after a label on how to fill the cell: `Fecha (dd/mm/aaaa)`, `Sexo (M/F)`. */
const HINT = new RegExp(
  String.raw`\s*[([]\s*(?:${DATE_FORM}(?:\s+hh?:mm(?::ss)?)?|hh?:mm(?::ss)?|24 ?h(?:oras)?|[mfhi](?:\s*[/,-]\s*[mfhi]){1,2}|[ur]\s*[/,-]\s*[ur]|si?\s*[/,-]\s*no?|cie[- ]?10|obligatorio|requerido|opcional)\s*[)\]]\s*\**$|\s+${DATE_FORM}\s*\**$`,
);

/** Label in the forms that are compared: `H.E.D. ($)*` → `h.e.d. ($)` and `hed$`. */
export interface LabelForms {
  readonly folded: string;
  readonly squashed: string;
}

/**
 * Removes separators but not `$`: `H.E.D. ($)` is an amount, `H.E.D.` may be hours. Reads `Id` also with a small L, as
 * copied from print: `numDocumentoldObligado`.
 */
export const squashLabel = (text: string): string =>
  isOverlong(text) ? text : fold(text).replace(HINT, '').replace(NOT_LETTERS, '').replaceAll('ld', 'id');

export const labelForms = (label: string): LabelForms => ({
  folded: isOverlong(label) ? label : withoutEnd(fold(label), MARK_BEHIND).replace(MARKS_BEFORE, ''),
  squashed: squashLabel(label),
});

/**
 * Closeness of a label to titles: 4 equal once folded, 3 also without separators, 2 with a number for `{n}`, 1 by a
 * declared wildcard, 0 none.
 */
export type Closeness = 0 | 1 | 2 | 3 | 4;

export interface TitleMatcher {
  closeness(label: LabelForms): Closeness;
  /** Forms of a label that fits a title without wildcards; undefined if a title has one. */
  readonly forms: readonly string[] | undefined;
}

/** Compiles titles, in which `*` and `?` are wildcards. */
export function titleMatcher(titles: readonly string[]): TitleMatcher {
  const plain = titles.filter((title) => !/[*?]/.test(title)).map(labelForms);
  const folded = new Set(plain.map((forms) => forms.folded));
  const squashed = new Set(plain.map((forms) => forms.squashed).filter((text) => text !== ''));
  const patterns = titles.filter((title) => /[*?]/.test(title)).map((title) => wildcard(title));
  return {
    closeness: (label) =>
      folded.has(label.folded)
        ? 4
        : squashed.has(label.squashed)
          ? 3
          : patterns.some((test) => test(label.folded))
            ? 1
            : 0,
    forms: patterns.length > 0 ? undefined : [...folded, ...squashed],
  };
}

/** Compiles titles with `{n}`; the result returns the number of a label, or undefined if it fits none. */
export function numberedMatcher(titles: readonly string[]): (label: LabelForms) => number | undefined {
  const patterns = titles.map((title) => {
    const parts = title.split('{n}').map((part) => squashLabel(part));
    return new RegExp(`^${parts.map((part) => part.replace(/[$+]/g, '\\$&')).join('0*(\\d{1,3})')}$`, 'u');
  });
  return ({ squashed }) => {
    for (const pattern of patterns) {
      const found = pattern.exec(squashed);
      if (found?.[1] !== undefined) return Number(found[1]);
    }
    return undefined;
  };
}
