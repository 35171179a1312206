import { isPlainDate } from '../values/plain-date.js';

/**
 * Checks of the leaf forms (schemas/README.md). They run some twenty times a document: plain regular
 * expressions, which V8 compiles to machine code, beat loops over characters by half.
 */

const DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2\\d))';
const DATE = new RegExp(`^(?:19|[2-9]\\d)\\d\\d-${DAY}$`);
const DATE_TIME = new RegExp(`^(?:19|[2-9]\\d)\\d\\d-${DAY}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$`);

const MINUTE = new RegExp(`^(?:19|[2-9]\\d)\\d\\d-${DAY} (?:[01]\\d|2[0-3]):[0-5]\\d$`);

/** Only 29 February needs the calendar. */
const existsInYear = (text: string): boolean =>
  !text.startsWith('02-29', 5) || isPlainDate(text.slice(0, 10));

/** Up to 15 digits, a point, two decimals, no sign (VLR01). */
const TWO_DECIMALS = /^\d{1,15}\.\d\d$/;

const BASE64 = /^[0-9A-Za-z+/]+={0,2}$/;

/** By format name. Numbers pass every one of them: formats speak about text only. */
export const FORMATS: Readonly<Record<string, RegExp | ((text: string) => boolean)>> = {
  /** `1750905.00` */
  money: TWO_DECIMALS,
  /** `780.00` */
  'two-decimals': TWO_DECIMALS,
  /** `4`, `7.5`: no sign, no trailing zeros. */
  decimal: /^\d{1,15}(?:\.\d{0,9}[1-9])?$/,
  /** `2026-10-31`, a day of the calendar. */
  date: (text) => DATE.test(text) && existsInYear(text),
  /** `2026-10-31T18:30:00` */
  'local-date-time': (text) => DATE_TIME.test(text) && existsInYear(text),
  /** `2026-10-31 18:30`, as the national health system writes it. */
  'national-date-time': (text) => MINUTE.test(text) && existsInYear(text),
  /** `07:30` */
  time: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
  /** Text only where an integer would lose something: a letter or a leading zero (service.md 4.3). */
  'worker-document': /^(?=0|\d*[A-Za-z])[0-9A-Za-z]{1,15}$/,
  prefix: /^[A-Z]{1,4}$/,
  /** SHA-384 in lower-case hexadecimal. */
  cune: /^[0-9a-f]{96}$/,
  cufe: /^[0-9a-f]{96}$/,
  base64: (text) => text.length % 4 === 0 && BASE64.test(text),
  /** Four characters, no dot; a category of three ends in X: `I10X`. */
  cie10: /^[A-Z]\d[0-9A-Z]{2}$/,
  /** Six characters: `890201`, `602E01`. */
  cups: /^[0-9A-Z]{6}$/,
  'country-code': /^\d{3}$/,
  phone: /^\d{7,10}$/,
  pin: /^\d{5}$/,
  // Forms that only the tolerant view speaks of.
  'number-text': /^[+-]?\d+(?:\.\d+)?$/,
  'integer-text': /^[+-]?\d+$/,
  alphanumeric: /^[0-9A-Za-z]{1,15}$/,
};
