import { fromScientific, toSignificant } from '../../core/decimal.js';
import { fromSerial, isPlainDate, isPlainTime } from '../../core/plain-date.js';
import { readXml } from './xml.js';
import type { ZipArchive, ZipPart } from './zip.js';

/** How a style shows a number: as a number, as a date or clock time, or as a time that runs on past 24 hours. */
export type NumberFormat = 'number' | 'date' | 'duration';

/** Built-in formats that are dates or times in some language of Excel (ECMA-376 part 1, 18.8.30). */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const BUILT_IN_DURATION = 46; // [h]:mm:ss

export function builtInFormat(id: number): NumberFormat {
  if (id === BUILT_IN_DURATION) return 'duration';
  return BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? 'date' : 'number';
}

const ELAPSED = /\[(h+|m+|s+)\]/i;
const QUOTED = /"[^"]*"|\\./gsu;
/** Padding and filling characters, and what stands in brackets: colour, condition, currency, language. */
const DECORATION = /[_*].|\[[^\]]*\]/gsu;

/** Reads a format code such as `[$-409]d/mm/yyyy;@`. The first section, that of positive numbers, decides. */
export function customFormat(code: string): NumberFormat {
  if (/^(general|standard|estándar)$/i.test(code)) return 'number';
  const section = code.replaceAll(QUOTED, '').split(';', 1)[0]!;
  if (ELAPSED.test(section)) return 'duration';
  return /[ymdhs]/i.test(section.replaceAll(DECORATION, '')) ? 'date' : 'number';
}

/** Excel's precision; digits beyond it are noise of the binary storage. */
const SIGNIFICANT_DIGITS = 15;
/** No double needs more characters than this written out. */
const MAX_LENGTH = 400;

/** `Number()` of the short runs of digits that files are full of, several times faster. */
export function numberOf(text: string): number {
  if (text.length === 0 || text.length > SIGNIFICANT_DIGITS) return Number(text);
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number(text);
    number = number * 10 + digit;
  }
  return number;
}

/** The stored text of a number as Excel shows it: exact decimal text, at most 15 significant digits. Undefined when it is no number. */
export function numberText(stored: string): string | undefined {
  if (stored.length <= SIGNIFICANT_DIGITS && isPlain(stored)) return stored;
  const text = stored.trim().replace(/^\+/, '');
  const size = Number(text);
  if (text === '' || text.length > MAX_LENGTH || !Number.isFinite(size)) return undefined;
  if (size === 0) return '0';
  const exact = fromScientific(text);
  if (exact === undefined) return undefined;
  const digits = exact.replace(/^[-0.]+/, '').replace('.', '').length;
  return digits <= SIGNIFICANT_DIGITS
    ? isPlain(text)
      ? text
      : exact
    : toSignificant(exact, SIGNIFICANT_DIGITS);
}

/** `-?digits[.digits]` without needless zeros in front; a loop, since it runs for every number of a file. */
function isPlain(text: string): boolean {
  const first = text.charCodeAt(0) === 45 ? 1 : 0;
  let dot = 0;
  for (let i = first; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 46 && dot === 0 && i > first) dot = i;
    else if (code < 48 || code > 57) return false;
  }
  if (text.length === first || dot === text.length - 1) return false;
  return text.charCodeAt(first) !== 48 || (text.length === 1 ? true : dot === first + 1);
}

/** A stored serial as ISO text; undefined when it lies outside the calendar, where Excel shows `####`. */
export type SerialReader = (stored: string, format: NumberFormat) => string | undefined;

/** Days up to the year 2173 are remembered: whole columns hold the same few thousand, and a calendar is slow to ask. */
const REMEMBERED_DAYS = 100_000;

export function serialReader(base1904: boolean): SerialReader {
  const days: (string | undefined)[] = [];
  return (stored, format) => {
    const serial = numberOf(stored);
    if (stored === '' || !(serial >= 0)) return undefined;
    if (format === 'duration') return durationText(serial);
    if (!(serial < REMEMBERED_DAYS && Number.isInteger(serial))) return fromSerial(serial, base1904);
    const known = days[serial];
    if (known !== undefined) return known;
    const text = fromSerial(serial, base1904);
    days[serial] = text;
    return text;
  };
}

function durationText(days: number): string {
  const seconds = Math.round(days * 86_400);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** A cell of type `d`: ISO 8601, here without zone and fractions, and without a time at midnight. */
export function isoText(stored: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})?T?(\d{2}:\d{2}(?::\d{2})?)?(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(
    stored.trim(),
  );
  if (match === null) return undefined;
  const date = match[1];
  const time = match[2]?.padEnd(8, ':00');
  if ((date !== undefined && !isPlainDate(date)) || (time !== undefined && !isPlainTime(time)))
    return undefined;
  if (date === undefined) return time;
  return time === undefined || time === '00:00:00' ? date : `${date}T${time}`;
}

/** Characters that XML cannot hold are written `_x000D_` (ECMA-376 part 1, 22.9.2.19); a NUL is left as it is written. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x(?!0000)([0-9a-f]{4})_/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;

/**
 * A string of its own: V8 keeps the whole chunk alive for any piece cut from it (13 characters or more),
 * and whoever collects a key per row would keep the whole file.
 */
export const detached = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));

/** The number format of every cell style, by the index that a cell's `s` names. */
export async function readStyles(zip: ZipArchive, part: ZipPart): Promise<readonly NumberFormat[]> {
  const custom = new Map<number, NumberFormat>();
  const styleIds: number[] = [];
  // `xf` and `numFmt` also occur in other lists, with other meanings.
  let list = '';
  await readXml(zip, part, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') list = name;
      else if (name === 'numFmt' && list === 'numFmts')
        custom.set(Number(attributes['numFmtId']), customFormat(attributes['formatCode'] ?? ''));
      else if (name === 'xf' && list === 'cellXfs') styleIds.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return styleIds.map((id) => custom.get(id) ?? builtInFormat(id));
}
