import { MAX_CELL_LENGTH } from '../toolkit/core/limits.js';
import { toWellFormed } from '../toolkit/core/text.js';

/** Characters that XML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must be replaced
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
/** Text such as `_x000D_`, which would be read as an escaped character (ECMA-376 part 1, 22.9.2.19). */
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;
const SPECIAL = /[&<>"]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Fast path for texts without special characters, up to the end of the Latin letters. */
const PLAIN = /^[ !#-%'-;=?-^`-~\u00A0-\u024F]*$/;
const NOT_ASCII = /\P{ASCII}/gu;

/** Escapes a text for XML content or attributes of a cell, and cuts it to Excel's limit. */
export const xmlText = (text: string): string =>
  text.length <= MAX_CELL_LENGTH && PLAIN.test(text)
    ? text
    : toWellFormed(text.slice(0, MAX_CELL_LENGTH))
        .replaceAll(UNWRITABLE, ' ')
        .replaceAll(LOOKS_ESCAPED, '_x005F_')
        .replaceAll('\r', '_x000D_')
        .replaceAll(SPECIAL, (char) => ENTITIES[char] ?? char);

/** Escapes a text as ASCII, which fits any encoding of the part. */
export const asciiXml = (text: string): string =>
  xmlText(text).replaceAll(NOT_ASCII, (char) => `&#${char.codePointAt(0)};`);

/** Returns a text cell at an address such as `B2`. */
export const textXml = (at: string, text: string, style = 0): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/** Characters that turn a text into a formula when its cell is edited. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** True if a text needs the quote prefix to stay a text when its cell is edited. */
export const needsQuotePrefix = (text: string): boolean => FORMULA_START.test(text);

export const numberXml = (at: string, value: number | string, style: number): string =>
  `<c r="${at}" s="${style}"><v>${value}</v></c>`;

export const blankXml = (at: string, style: number): string => `<c r="${at}" s="${style}"/>`;

const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar for dates after its 29 February 1900. */
const EPOCH = Date.UTC(1899, 11, 30);

/** Converts local time in ms, encoded as UTC, to Excel's days with fractions. */
export const serialAt = (time: number): number => (time - EPOCH) / DAY_MS;
