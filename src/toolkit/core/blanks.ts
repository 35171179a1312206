/**
 * Blanks of a sentence, as ICU MessageFormat has them: `{name}`, `{amount, number}`, `{day, date}`, `{of, month}`, and `{count, plural, one {# documento} other {# documentos}}`,
 * in whose branches blanks may stand and `#` is the count as it is shown. In Spanish and English one is what shows as 1.
 */
const BRANCH = String.raw`\{((?:[^{}]|\{\w+\})*)\}`;
const BLANK = new RegExp(
  String.raw`\{(\w+)(?:, (number|date|month)|, plural, one ${BRANCH} other ${BRANCH})?\}`,
  'g',
);

/** How a blank says that the reader's language writes what it holds. */
export type BlankForm = 'number' | 'date' | 'month';

/** The sentence with its blanks filled; `written` writes amounts, days and months as the reader's language does. */
export const fillBlanks = (
  text: string,
  said: (name: string) => string,
  written: (value: string, form: BlankForm) => string = (value) => value,
): string =>
  text.replaceAll(BLANK, (_, name: string, form?: BlankForm, one?: string, other?: string) => {
    const value = said(name);
    if (form !== undefined) return written(value, form);
    if (one === undefined || other === undefined) return value;
    return fillBlanks(value === '1' ? one : other, said, written).replaceAll('#', value);
  });

/** Names of the blanks of a text, those in branches too. */
export const blanksIn = (text: string): string[] =>
  [...text.matchAll(BLANK)].flatMap(([, name, , one = '', other = '']) => [
    name!,
    ...blanksIn(one),
    ...blanksIn(other),
  ]);

/** Names of the blanks by which the text has forms of its own. */
export const countsIn = (text: string): string[] =>
  [...text.matchAll(BLANK)].flatMap(([, name, , one]) => (one === undefined ? [] : [name!]));
