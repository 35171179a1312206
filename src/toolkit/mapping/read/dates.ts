import { fromSerial, isPlainDate, isPlainMonth, type PlainDate, plainDate } from '../../core/plain-date.js';
import { fold } from '../../core/text.js';

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export type DateReading =
  | { readonly kind: 'date'; readonly date: PlainDate }
  | { readonly kind: 'ambiguous'; readonly dmy: PlainDate; readonly mdy: PlainDate }
  /** It is no date in the expected order, but one in another. */
  | { readonly kind: 'contradiction'; readonly other: DateOrder }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'not-a-date' };

const NOT_A_DATE: DateReading = { kind: 'not-a-date' };
const IMPOSSIBLE: DateReading = { kind: 'impossible' };
const YEAR_FIRST = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/;
/** Max length; `miércoles, 31 de diciembre de 2026` and its time are half as long. */
const MAX_DATE_LENGTH = 80;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/;
const DAY_AND_NAME = /^(\d{1,2})[-/. ]*(?:de )?([a-z]{3,})\.?[-/. ,]*(?:de |del )?(\d{4}|\d{2})$/;
/** Matches midnight after a date, which means no time: Excel and programs write it so. */
export const MIDNIGHT = /[t ]+(?:0?0:00(?::00(?:\.0+)?)?|(?:12|0?0):00(?::00)? ?a\.? ?m\.?)$/;
/** Matches the weekday that Excel writes before a long date, which is ignored. */
const WEEKDAY =
  /^(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)[, ]+/;
const NAME_AND_DAY = /^([a-z]{3,})\.?[-/. ]*(\d{1,2})[-/. ,]+(\d{4})$/;

const MONTHS = [
  'ene jan enero january',
  'feb febrero february',
  'mar marzo march',
  'abr apr abril april',
  'may mayo',
  'jun junio june',
  'jul julio july',
  'ago aug agosto august',
  'sep set septiembre setiembre september sept',
  'oct octubre october',
  'nov noviembre november',
  'dic dec diciembre december',
].map((names) => names.split(' '));

/** Returns 1 to 12 for the folded name of a month or its abbreviation, in Spanish or English. */
export function monthNumber(word: string): number | undefined {
  const index = MONTHS.findIndex((names) => names.includes(word));
  return index < 0 ? undefined : index + 1;
}

/**
 * Completes a two-digit year: 00–49 are 2000s, 50–99 are 1900s, as Excel reads them from 2029 on in Spanish locales.
 */
const fullYear = (text: string): number =>
  text.length === 4 ? +text : +text < 50 ? 2000 + +text : 1900 + +text;

const checked = (year: number, month: number, day: number): DateReading => {
  const date = plainDate(year, month, day);
  return date === undefined ? IMPOSSIBLE : { kind: 'date', date };
};

/**
 * Reads two numbers and a year in an order. Three numbers of two digits have the year first only if the order is
 * declared.
 */
function readNumeric(
  [, first = '', second = '', last = '']: RegExpExecArray,
  order: DateOrder | undefined,
): DateReading {
  const year = fullYear(last);
  const dmy = plainDate(year, +second, +first);
  const mdy = plainDate(year, +first, +second);
  if (order === undefined) {
    if (dmy !== undefined && mdy !== undefined && dmy !== mdy) return { kind: 'ambiguous', dmy, mdy };
    const date = dmy ?? mdy;
    return date === undefined ? IMPOSSIBLE : { kind: 'date', date };
  }
  const short = first.length === 2 && last.length === 2;
  const ymd = short ? plainDate(fullYear(first), +second, +last) : undefined;
  const asked = { dmy, mdy, ymd }[order];
  if (asked !== undefined) return { kind: 'date', date: asked };
  if (order !== 'dmy' && dmy !== undefined) return { kind: 'contradiction', other: 'dmy' };
  return mdy === undefined ? IMPOSSIBLE : { kind: 'contradiction', other: 'mdy' };
}

/**
 * Reads a date as people write it: `31/10/2026`, `2026-10-31`, `31-oct-26`, `31 de octubre de 2026`, `oct 31, 2026`.
 */
export function readDateText(raw: string, order?: DateOrder): DateReading {
  if (raw.length > MAX_DATE_LENGTH) return NOT_A_DATE;
  if (isPlainDate(raw)) return { kind: 'date', date: raw };
  const numeric = YEAR_LAST.exec(raw);
  if (numeric !== null) return readNumeric(numeric, order);
  const text = fold(raw).replace(MIDNIGHT, '').replace(WEEKDAY, '');
  const iso = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (iso !== null) {
    const [, year, month, day] = iso;
    return checked(Number(year), Number(month), Number(day));
  }
  const named = DAY_AND_NAME.exec(text);
  const english = NAME_AND_DAY.exec(text);
  const [day = '', word = '', year = ''] =
    named?.slice(1) ?? (english === null ? [] : [english[2], english[1], english[3]]);
  if (word !== '') {
    const month = monthNumber(word);
    return month === undefined ? NOT_A_DATE : checked(fullYear(year), month, +day);
  }
  const folded = YEAR_LAST.exec(text);
  return folded === null ? NOT_A_DATE : readNumeric(folded, order);
}

const MONTH_AND_OF = `[-/. ]*(?:de )?(?:${MONTHS.flat().join('|')})\\b\\.?[-/. ,]*(?:del? )?`;
/** Matches the first day of `del 3 al 5 de noviembre de 2026`, which has its month and year from the second. */
const FIRST_OF_TWO = new RegExp(
  `(?<!\\d)(\\d{1,2})(?= ?(?:al?|hasta(?: el)?|y|-) ?\\d{1,2}(${MONTH_AND_OF}\\d{4}))`,
  'g',
);
const DATE_IN_TEXT = new RegExp(
  `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4}|\\d{1,2}${MONTH_AND_OF}(?:\\d{4}|\\d{2})(?!\\d)`,
  'g',
);
const RATE_OR_DAYS = /\d+(?:[.,]\d+)? ?(?:%|dias?\b|days?\b)/g;

/**
 * Reads the only two dates of a text, the earlier one first: `Incapacidad del 03/11/2026 al 05/11/2026`; undefined if
 * any other figure may be part of a date. Days stand before months, as words around them are Spanish.
 */
export function readPeriodText(raw: string): readonly [PlainDate, PlainDate] | undefined {
  const text = fold(raw).replace(FIRST_OF_TWO, '$1$2 ');
  const [from, to, ...more] = (text.match(DATE_IN_TEXT) ?? []).map((date) => readDateText(date, 'dmy'));
  const rest = text.replace(DATE_IN_TEXT, ' ').replace(RATE_OR_DAYS, ' ');
  if (from?.kind !== 'date' || to?.kind !== 'date' || more.length > 0 || /\d/.test(rest)) return undefined;
  return from.date <= to.date ? [from.date, to.date] : undefined;
}

const YEAR_AND_MONTH = /^((?:19|20)\d{2})(?:[-/. ](\d{1,2})|(0[1-9]|1[0-2]))$/;
const MONTH_AND_YEAR =
  /^(?:([a-z]{3,})\.?[-/ ]*(?:de |del )?(\d{4}|\d{2})|(\d{1,2})\.?[-/ ]*(?:de |del )?((?:19|20)\d{2}))$/;

/**
 * Reads a month with its year as `YYYY-MM`: `2026-11`, `202611`, `11/2026`, `noviembre 2026`, `nov-26`; undefined if it
 * is none.
 */
export function readMonthText(raw: string): string | undefined {
  if (raw.length > MAX_DATE_LENGTH) return undefined;
  const text = fold(raw);
  const [, year, marked, plain] = YEAR_AND_MONTH.exec(text) ?? [];
  const [, name = '', short, first, last] = MONTH_AND_YEAR.exec(text) ?? [];
  const of = year ?? last ?? (short && String(fullYear(short)));
  const month = `${of}-${String(marked ?? plain ?? first ?? monthNumber(name)).padStart(2, '0')}`;
  return isPlainMonth(month) ? month : undefined;
}

/** Serials of 1950 to 2100: a plain number in a date column is one of them, or no date. */
export const FIRST_SERIAL = 18_264;
const LAST_SERIAL = 73_415;

/** Matches five digits, which are no other form of a date: even as text they are a date that lost its format. */
export const SERIAL = /^\d{5}$/;

/** Reads a date that lost its format and shows as a number. */
export function readDateNumber(decimal: string): DateReading {
  const serial = Number(decimal);
  if (!Number.isInteger(serial)) return NOT_A_DATE;
  if (serial >= 19_500_101 && serial <= 21_001_231) return readDateText(decimal);
  if (serial < FIRST_SERIAL || serial > LAST_SERIAL) return NOT_A_DATE;
  const date = fromSerial(serial, false);
  return date === undefined ? NOT_A_DATE : { kind: 'date', date };
}

const CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s*(am|pm|a\.? ?m\.?|p\.? ?m\.?|m\.?)?$/;

const MAX_TIME_LENGTH = 40;

/** Reads a wall-clock time as `HH:MM:SS`: `8:05`, `08:05:00`, `8:05 p. m.`, `12:00 m.` of noon; undefined if it is none. */
export function readTimeText(raw: string): string | undefined {
  if (raw.length > MAX_TIME_LENGTH) return undefined;
  const match = CLOCK.exec(fold(raw));
  if (match === null || (match[2] === undefined && match[4] === undefined)) return undefined;
  const half = match[4]?.[0];
  let hour = Number(match[1]);
  if (half !== undefined) {
    if (hour < 1 || hour > 12 || (half === 'm' && hour < 12)) return undefined;
    hour = (hour % 12) + (half === 'a' ? 0 : 12);
  }
  const minute = +(match[2] ?? 0);
  const second = +(match[3] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
}
