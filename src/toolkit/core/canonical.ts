import type { JsonObject, JsonValue } from './json.js';

/** Change that brought a text into its canonical form, besides trimming and plain blanks. */
export type TextChange = 'composed' | 'invisible' | 'apostrophe' | 'quotes';

/** True if a text has blanks before or behind. */
export const hasOuterBlanks = (text: string): boolean => /^\s|\s$/.test(text);

/** Canonical texts have none of this; most cells of a file are let through by this test alone. */
const UNUSUAL = /[^\n\r\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]|^['\s\\]|\s$/;

/** UTF-8 read as Latin-1, in which a soft hyphen or a no-break blank is half of a letter: repairing it needs them. */
const DECODED_WRONG = /[ÂÃâ][\u0080-\u00bf]/;

/** Direction marks, zero-width signs, soft hyphens, variation selectors, byte order marks. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\u034f|[\ufe00-\ufe0f]/g;
const OTHER_BLANKS = /[\t\v\f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

/** A field behind a comma and a blank, or quoted with backslashes: a reader of CSV takes such quotes for a part of the value. */
const STRAY_QUOTES = /^(?:\s+"([^"]+)"|\s*\\"([^"]+)\\")\s*$/;

/** The mark by which a cell is text, written into the value; `'A'` is a quotation. */
const TEXT_APOSTROPHE = /^'(?=[^'])(?!.*'$)/s;

/** True if a text is canonical already. */
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

/** Parses a body that was kept, with its texts in canonical form, so that it can be compared with a new one. */
export const parseCanonical = (json: string): JsonObject =>
  JSON.parse(json, (_, value: JsonValue) =>
    typeof value === 'string' ? canonicalText(value) : value,
  ) as JsonObject;
