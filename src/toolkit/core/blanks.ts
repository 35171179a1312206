/**
 * Placeholders of a sentence in ICU MessageFormat: `{name}`, `{amount, number}`, `{day, date}`, `{of, month}`,
 * and `{count, plural, one {# documento} other {# documentos}}`. Branches may hold placeholders, and `#` is the
 * count. In Spanish and English `one` applies to the value 1.
 */
const BRANCH = String.raw`\{((?:[^{}]|\{\w+\})*)\}`;
const BLANK = new RegExp(
  String.raw`\{(\w+)(?:, (number|date|month)|, plural, one ${BRANCH} other ${BRANCH})?\}`,
  'g',
);

/** Way in which a placeholder is formatted for the reader's language. */
export type BlankForm = 'number' | 'date' | 'month';

/**
 * Fills the placeholders of a sentence; `written` formats amounts, days and months for the reader's language.
 */
export const fillBlanks = (
  text: string,
  lookUp: (name: string) => string,
  written: (value: string, form: BlankForm) => string = (value) => value,
): string =>
  text.replaceAll(BLANK, (_, name: string, form?: BlankForm, singular?: string, plural?: string) => {
    const value = lookUp(name);
    if (form !== undefined) return written(value, form);
    if (singular === undefined || plural === undefined) return value;
    return fillBlanks(value === '1' ? singular : plural, lookUp, written).replaceAll('#', value);
  });

/** Returns the names of the placeholders of a text, also those inside branches. */
export const blanksIn = (text: string): string[] =>
  [...text.matchAll(BLANK)].flatMap(([, name = '', , singular = '', plural = '']) => [
    name,
    ...blanksIn(singular),
    ...blanksIn(plural),
  ]);
