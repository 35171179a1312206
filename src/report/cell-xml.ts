import { MAX_CELL_LENGTH } from '../toolkit/core/limits.js';
import { toWellFormed } from '../toolkit/core/text.js';

/** Characters that XML cannot carry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are just what must go
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
/** `_x000D_` in a text would be read as the character that it names (ECMA-376 part 1, 22.9.2.19). */
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;
const SPECIAL = /[&<>"]/g;
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Most texts have nothing special, up to the end of the Latin letters; asked for every cell of a table. */
const PLAIN = /^[ !#-%'-;=?-^`-~\u00A0-\u024F]*$/;
const NOT_ASCII = /\P{ASCII}/gu;

/** A text as XML content or attribute, as a cell keeps it. */
export const xmlText = (text: string): string =>
  text.length <= MAX_CELL_LENGTH && PLAIN.test(text)
    ? text
    : toWellFormed(text.slice(0, MAX_CELL_LENGTH))
        .replaceAll(UNWRITABLE, ' ')
        .replaceAll(LOOKS_ESCAPED, '_x005F_')
        .replaceAll('\r', '_x000D_')
        .replaceAll(SPECIAL, (char) => NAMED[char]!);

/** The same, all in ASCII: whatever the encoding of the part, it fits. */
export const asciiXml = (text: string): string =>
  xmlText(text).replaceAll(NOT_ASCII, (char) => `&#${char.codePointAt(0)};`);

/** A cell of text, whatever it begins with; `at` as Excel names it. */
export const textXml = (at: string, text: string, style = 0): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/** Characters with which a text becomes a formula when its cell is edited. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** True if a text needs the quote prefix to stay a text in a cell that people edit. */
export const needsQuotePrefix = (text: string): boolean => FORMULA_START.test(text);

export const numberXml = (at: string, value: number | string, style: number): string =>
  `<c r="${at}" s="${style}"><v>${value}</v></c>`;

export const blankXml = (at: string, style: number): string => `<c r="${at}" s="${style}"/>`;

const DAY = 86_400_000;
/** Day 0 of Excel's calendar, as it counts after its 29 February 1900. */
const EPOCH = Date.UTC(1899, 11, 30);

/** How Excel keeps a moment: days and parts of one. It is given in milliseconds, as if its clock were UTC's. */
export const serialAt = (time: number): number => (time - EPOCH) / DAY;
