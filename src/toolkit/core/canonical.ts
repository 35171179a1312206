import type { JsonObject, JsonValue } from './json.js';

/** Kind of change made by `canonicalText`, trimming and blank normalisation aside. */
export type TextChange = 'composed' | 'invisible' | 'apostrophe' | 'quotes';

/** True if a text begins or ends with a blank. */
export const hasOuterBlanks = (text: string): boolean => /^\s|\s$/.test(text);

/** Characters that no canonical text has; this test alone passes most cells. */
const UNUSUAL = /[^\n\r\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]|^['\s\\]|\s$/;

/**
 * UTF-8 decoded as Latin-1: its soft hyphens and no-break spaces are halves of letters and needed for the
 * repair.
 */
const DECODED_WRONG = /[ÂÃâ][\u0080-\u00bf]/;

/** Direction marks, zero-width signs, soft hyphens, variation selectors, byte order marks. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\u034f|[\ufe00-\ufe0f]/g;
const OTHER_BLANKS = /[\t\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

/**
 * Quotes that a CSV parser takes as part of the value: after a comma and a blank, or escaped with backslashes.
 */
const STRAY_QUOTES = /^(?:\s+"([^"]+)"|\s*\\"([^"]+)\\")\s*$/;

/** Apostrophe that makes a cell text, written into the value; `'A'` is a quotation. */
const TEXT_APOSTROPHE = /^'(?=[^'])(?!.*'$)/s;

export const isCanonical = (text: string): boolean => !UNUSUAL.test(text);

/**
 * Returns the canonical form of a text: NFC, without invisible signs, with plain blanks, trimmed, without a text apostrophe
 * and without the quotes that a broken CSV leaves around a value.
 * @param noted called once with each kind of change that a user should know of
 */
export function canonicalText(text: string, noted?: (change: TextChange) => void): string {
  if (!UNUSUAL.test(text) || DECODED_WRONG.test(text)) return text;
  const change = (kind: TextChange, before: string, after: string): string => {
    if (after !== before) noted?.(kind);
    return after;
  };
  let found = change('invisible', text, text.replace(INVISIBLE, ''));
  found = change('composed', found, found.normalize('NFC'));
  found = found.replace(OTHER_BLANKS, ' ');
  found = change('quotes', found, found.replace(STRAY_QUOTES, '$1$2'));
  found = change('apostrophe', found.trim(), found.trim().replace(TEXT_APOSTROPHE, ''));
  // Below the apostrophe there may be quotes or blanks.
  return found === text ? found : canonicalText(found, noted);
}

/** Parses a stored body with its texts in canonical form, so that it can be compared with a new one. */
export const parseCanonical = (json: string): JsonObject =>
  JSON.parse(json, (_, value: JsonValue) =>
    typeof value === 'string' ? canonicalText(value) : value,
  ) as JsonObject;
