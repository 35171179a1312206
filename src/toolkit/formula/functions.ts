import { absolute, add, compare, divide, multiply, round, sum } from '../core/decimal.js';
import { MAX_CELL_LENGTH } from '../core/limits.js';
import type { NonEmpty } from '../core/non-empty.js';
import {
  addDays,
  dateParts,
  days360,
  daysBetween,
  firstOfMonth,
  isPlainDate,
  lastOfMonth,
  minutesBetween,
  nthWorkday,
  type PlainDate,
  weekdayOf,
  yearsBetween,
} from '../core/plain-date.js';
import { collapse, fold, isSameNit, wildcard } from '../core/text.js';

/** Thrown if an operand is blank; carries its name, if it has one. */
export class BlankOperand extends Error {
  constructor(readonly reference: string | undefined) {
    // Documents lack much and the stack is never read: collecting it would be most of the cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('blank');
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Thrown if both of two alternative amounts are given; carries their names. */
export class TwoAmounts extends BlankOperand {
  constructor(readonly names: readonly string[]) {
    super(undefined);
  }
}

/** Thrown if the result exceeds any amount, date or text of a document. */
export class BeyondBounds extends BlankOperand {
  constructor() {
    super(undefined);
  }
}

/** Returns the first or last text in order, which is also that of dates and moments. */
const outermost =
  (sign: 1 | -1) =>
  (values: readonly FormulaValue[]): FormulaValue => {
    let best: string | undefined;
    for (const value of values)
      if (typeof value === 'string' && (best === undefined || (sign < 0 ? value < best : value > best)))
        best = value;
    return best;
  };

/** Last folded text: one text is compared with several patterns. */
let plain = '';
let folded = '';

function foldedLast(text: string): string {
  if (text !== plain) {
    plain = text;
    folded = fold(text);
  }
  return folded;
}

/** Compiled patterns. Those of formulas are few; those of cells are dropped at `MAX_PATTERNS`. */
const patterns = new Map<string, (text: string) => boolean>();
const MAX_PATTERNS = 1000;

function fitsPattern(text: string, pattern: string): boolean {
  let fits = patterns.get(pattern);
  if (fits === undefined) {
    if (patterns.size === MAX_PATTERNS) patterns.clear();
    fits = wildcard(pattern);
    patterns.set(pattern, fits);
  }
  return fits(foldedLast(text));
}

/** Max days that may be added: the length of the calendar. */
const MAX_DAYS = 3_000_000;

/** Separators between letters and digits. Those between digits matter: `FE1-23` is not `FE12-3`. */
const BESIDE_PREFIX = /(?<=\p{L})[\s._/–—-]+(?=\p{N})|(?<=\p{N})[\s._/–—-]+(?=\p{L})/gu;

/** Max minutes of an item of one day. */
const MAX_ITEM_MINUTES = 1440;

const NO_HOURS: Hours = new Map();

const isMoment = (text: string): boolean => text.charAt(10) === 'T';

const monday = (date: PlainDate): PlainDate => addDays(date, -((weekdayOf(date) + 6) % 7));

type Hours = ReadonlyMap<PlainDate | undefined, string>;

/** Last items and their hours: the rules of a document ask for the same. */
let lastItems: readonly FormulaValue[] = [];
let lastHours = NO_HOURS;

/**
 * Sums the hours of items (start, end, quantity) by the day of the start; key `undefined` sums those without
 * a clock
 * time that their hours fit into.
 */
function hoursByDay(values: readonly FormulaValue[]): Hours {
  if (values !== lastItems) lastHours = addHours(values);
  lastItems = values;
  return lastHours;
}

function addHours(values: readonly FormulaValue[]): Hours {
  const totals = new Map<PlainDate | undefined, string>();
  for (let at = 0; at + 2 < values.length; at += 3) {
    const [start, end, hours] = [values[at], values[at + 1], values[at + 2]] as [string, string, string];
    if (!isMoment(start) || !isMoment(end) || isMoment(hours)) return NO_HOURS; // an item lacks one of them
    const minutes = minutesBetween(start as never, end as never);
    const fits = minutes <= MAX_ITEM_MINUTES && compare(String(minutes), multiply(hours, '60')) >= 0;
    const day = fits ? start.slice(0, 10) : undefined;
    totals.set(day, add(totals.get(day) ?? '0', hours));
  }
  return totals;
}

function hoursByWeek(values: readonly FormulaValue[]): Hours {
  const totals = new Map<PlainDate | undefined, string>();
  for (const [day, hours] of hoursByDay(values))
    if (day !== undefined) totals.set(monday(day), add(totals.get(monday(day)) ?? '0', hours));
  return totals;
}

/** Returns the key of the largest total, and that total; blank if no item has a day. */
function largest(totals: Hours): readonly [FormulaValue, FormulaValue] {
  let best: readonly [FormulaValue, FormulaValue] = [undefined, undefined];
  for (const [key, total] of totals)
    if (key !== undefined && (best[1] === undefined || compare(total, best[1] as string) > 0))
      best = [key, total];
  return best;
}

const ofItems = (
  gives: FormulaType,
  about: string,
  run: (values: readonly FormulaValue[]) => FormulaValue,
): FormulaFunction => ({ inputs: ['any'], many: true, gives, about, run });

const HOUR_FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  hours_in_day: ofItems(
    'decimal',
    'Most hours that items have on one day.',
    (values) => largest(hoursByDay(values))[1],
  ),
  busiest_day: ofItems('date', 'The day of the most hours.', (values) => largest(hoursByDay(values))[0]),
  hours_in_week: ofItems(
    'decimal',
    'Most hours that items have in one week from Monday.',
    (values) => largest(hoursByWeek(values))[1],
  ),
  busiest_week: ofItems(
    'date',
    'Monday of the week of the most hours.',
    (values) => largest(hoursByWeek(values))[0],
  ),
  hours_without_day: ofItems(
    'decimal',
    'Hours of items whose start and end do not say when they were.',
    (values) => hoursByDay(values).get(undefined),
  ),
  weeks: {
    inputs: ['date', 'date'],
    keeps: true,
    gives: 'decimal',
    about: 'Weeks from Monday that have a day between two dates, both included.',
    run: (from: PlainDate, to: PlainDate) => String(daysBetween(monday(from), monday(to)) / 7 + 1),
  },
};

/** Functions of dates and moments. */
const DATE_FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  earliest: {
    inputs: ['any'],
    many: true,
    blanks: true,
    gives: 'same',
    about: 'First of dates, or of moments, that are not blank.',
    run: outermost(-1),
  },
  latest: {
    inputs: ['any'],
    many: true,
    blanks: true,
    gives: 'same',
    about: 'Last of dates, or of moments, that are not blank.',
    run: outermost(1),
  },
  year: {
    inputs: ['date'],
    gives: 'decimal',
    about: 'Year of a date.',
    run: (date: string) => String(dateParts(date).year),
  },
  month: {
    inputs: ['date'],
    gives: 'text',
    about: 'Month of a date as YYYY-MM.',
    run: (date: string) => date.slice(0, 7),
  },
  same_month: {
    inputs: ['text', 'text'],
    gives: 'boolean',
    about: 'Whether two months are one: `2026-10`, or `10` of which the year is not said.',
    run: (month: string, another: string) => month.endsWith(another) || another.endsWith(month),
  },
  month_start: {
    inputs: ['text'],
    keeps: true,
    gives: 'date',
    about: 'First day of a month given as YYYY-MM.',
    run: (month: string) => firstOfMonth(`${month}-01`),
  },
  month_end: {
    inputs: ['text'],
    keeps: true,
    gives: 'date',
    about: 'Last day of a month given as YYYY-MM.',
    run: (month: string) => lastOfMonth(`${month}-01`),
  },
  date_of: {
    inputs: ['datetime'],
    keeps: true,
    gives: 'date',
    about: 'Date of a moment.',
    run: (moment: string) => moment.slice(0, 10),
  },
  time_of: {
    inputs: ['datetime'],
    blanks: true,
    gives: 'text',
    about:
      'Time of day of a moment; blank where there is none, and at midnight: a date without time is kept so.',
    run: (moment?: string) => (moment?.endsWith('T00:00:00') ? undefined : moment?.slice(11)),
  },
  years: {
    inputs: ['date', 'date'],
    keeps: true,
    gives: 'decimal',
    about: 'Whole years from the first date to the second: the age of who was born on the first.',
    run: (from: string, to: string) => String(yearsBetween(from, to)),
  },
  minutes: {
    inputs: ['datetime', 'datetime'],
    keeps: true,
    gives: 'decimal',
    about: 'Minutes from the first moment to the second; negative when the second comes first.',
    run: (from: string, to: string) => String(minutesBetween(from, to)),
  },
  workday: {
    inputs: ['date', 'decimal'],
    keeps: true,
    gives: 'date',
    about:
      'The n-th day from a date on, itself included, that is neither Saturday nor Sunday; holidays count.',
    run: (date: string, count: string) => nthWorkday(date, Number(count)),
  },
  days: {
    inputs: ['date', 'date'],
    keeps: true,
    gives: 'decimal',
    about: 'Days from the first date to the second, both included.',
    run: (from: string, to: string) => add(String(daysBetween(from, to)), '1'),
  },
  days_360: {
    inputs: ['date', 'date'],
    keeps: true,
    gives: 'decimal',
    about: 'Days from the first date to the second on the 360/30 calendar, both included.',
    run: (from: string, to: string) => String(days360(from, to)),
  },
  add_days: {
    inputs: ['date', 'decimal'],
    keeps: true,
    gives: 'date',
    about: 'The date so many days later.',
    run: (date: string, days: string) => {
      const count = Number(days);
      const later = Math.abs(count) < MAX_DAYS ? addDays(date, count) : '';
      if (!isPlainDate(later)) throw new BeyondBounds();
      return later;
    },
  },
};

/** Static types of formulas. A blank value of any type is `undefined` at run time. */
export type FormulaType = 'decimal' | 'text' | 'date' | 'datetime' | 'boolean';
/** Value of a formula; decimals, dates and moments are canonical text (core/decimal, core/plain-date). */
export type FormulaValue = string | boolean | undefined;

export interface FormulaFunction {
  readonly inputs: NonEmpty<FormulaType | 'any'>;
  /** True if it takes any number of inputs of one type as a list, with every value of a `*` pointer. */
  readonly many?: boolean;
  /** True if blank inputs reach the function instead of being an error. */
  readonly blanks?: boolean;
  /** True if each call site caches its last result: documents of a file share their dates. */
  readonly keeps?: boolean;
  /** Type of the result; `same` is that of the `any` inputs. */
  readonly gives: FormulaType | 'same';
  readonly about: string;
  readonly run: (...inputs: never[]) => FormulaValue;
}

/** A function over a table: its first inputs are words that choose the table at compile time. */
export interface WordFunction {
  /** Number of inputs that are words. */
  readonly words: 1 | 2 | 3;
  /** One to three inputs after the words; if one is blank, so is the result. */
  readonly inputs: readonly FormulaType[];
  readonly gives: FormulaType;
  readonly about: string;
  /** Returns the function for the words, empty ones beyond `words`; undefined if they name nothing. */
  readonly bind: (
    first: string,
    second: string,
    third: string,
  ) => ((first: string, second: string, third: string) => FormulaValue) | Absent | undefined;
}

/** An optional table that is missing; a function over it is blank. */
export interface Absent {
  readonly absent: string;
}

function sameNit(a: string, b: string): boolean | undefined {
  const [nit, other] = [a.replace(/\D/g, ''), b.replace(/\D/g, '')];
  return nit === '' || other === '' ? undefined : isSameNit(nit, other);
}

/** Forms in which spreadsheets show a code with hyphens that they took for a date. */
const TURNED_DATE =
  /^(?:\d{4}-\d{2}-\d{2}(?:T.*)?|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{1,5}-(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?(?:-\d{2,4})?|(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?-\d{2,4})$/i;

/** Letters and punctuation of personal names: `O'Brien`, `María-José`, `Sta. María`. */
const NAME = /^(?=.*\p{L})[\p{L}\p{M}\s.'\u2018\u2019\u00b4`\u00b7\u2010\u2013-]+$/u;

const isText = (value: FormulaValue): value is string => typeof value === 'string';

const present = (values: readonly FormulaValue[]): readonly string[] =>
  values.every(isText) ? values : values.filter(isText);

const extreme =
  (sign: 1 | -1) =>
  (values: readonly FormulaValue[]): FormulaValue =>
    present(values).reduce<string | undefined>(
      (best, value) => (best === undefined || compare(value, best) === sign ? value : best),
      undefined,
    );

// Control characters are what is searched for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const UNPRINTABLE = /[&\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Max digits of a number that is rounded, such as a product of long amounts. */
const MAX_ROUNDED_DIGITS = 100;
const MAX_PLACES = 20;

const bounded = (value: string): string => {
  if (value.length > MAX_ROUNDED_DIGITS) throw new BeyondBounds();
  return value;
};

function placesOf(text: string): number {
  const places = Number(text);
  if (!Number.isInteger(places) || places < 0 || places > MAX_PLACES) throw new BeyondBounds();
  return places;
}

function joined(texts: readonly string[], between: string): string {
  if (texts.reduce((length, text) => length + text.length, 0) > MAX_CELL_LENGTH) throw new BeyondBounds();
  return texts.join(between);
}

/** Closed registry of functions. Every function is total: no clock, no network, no disk. */
export const FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  sum: {
    inputs: ['decimal'],
    many: true,
    blanks: true,
    gives: 'decimal',
    about: 'Exact sum; blank values count as nothing.',
    run: (values: readonly FormulaValue[]) => sum(present(values)),
  },
  min: {
    inputs: ['decimal'],
    many: true,
    blanks: true,
    gives: 'decimal',
    about: 'Smallest value that is not blank.',
    run: extreme(-1),
  },
  max: {
    inputs: ['decimal'],
    many: true,
    blanks: true,
    gives: 'decimal',
    about: 'Largest value that is not blank.',
    run: extreme(1),
  },
  count: {
    inputs: ['any'],
    many: true,
    blanks: true,
    gives: 'decimal',
    about: 'How many values are not blank.',
    run: (values: readonly FormulaValue[]) => {
      let count = 0;
      for (const value of values) if (value !== undefined) count += 1;
      return String(count);
    },
  },
  if: {
    inputs: ['boolean', 'any', 'any'],
    blanks: true,
    gives: 'same',
    about: 'The second value when the condition holds, else the third.',
    run: (condition: FormulaValue, yes: FormulaValue, no: FormulaValue) => (condition === true ? yes : no),
  },
  if_blank: {
    inputs: ['any', 'any'],
    blanks: true,
    gives: 'same',
    about: 'The first value, or the second when the first is blank.',
    run: (value: FormulaValue, other: FormulaValue) => value ?? other,
  },
  round: {
    inputs: ['decimal', 'decimal'],
    gives: 'decimal',
    about: 'Rounded half to even to so many decimals.',
    run: (value: string, places: string) => round(bounded(value), placesOf(places)),
  },
  divide: {
    inputs: ['decimal', 'decimal', 'decimal'],
    gives: 'decimal',
    about: 'First by second, rounded half to even to so many decimals; blank when the second is zero.',
    run: (a: string, b: string, places: string) =>
      compare(bounded(b), '0') === 0 ? undefined : divide(bounded(a), b, placesOf(places)),
  },
  abs: {
    inputs: ['decimal'],
    gives: 'decimal',
    about: 'Without its sign.',
    run: (value: string) => absolute(value),
  },
  upper: {
    inputs: ['text'],
    gives: 'text',
    about: 'In capitals.',
    run: (text: string) => text.toUpperCase(),
  },
  lower: {
    inputs: ['text'],
    gives: 'text',
    about: 'In small letters.',
    run: (text: string) => text.toLowerCase(),
  },
  folded: {
    inputs: ['text'],
    gives: 'text',
    keeps: true,
    about: 'Without case, accents and stray blanks.',
    run: (text: string) => fold(text),
  },
  number_key: {
    inputs: ['text'],
    gives: 'text',
    keeps: true,
    about:
      'A number with its prefix as it is compared: `FE-2301` and `fe 2301` are one; what stands between digits is kept.',
    run: (text: string) => fold(text).replace(BESIDE_PREFIX, ''),
  },
  like: {
    inputs: ['text', 'text'],
    gives: 'boolean',
    about: 'Whether a text fits a pattern with * and ?, folded.',
    run: fitsPattern,
  },
  length: {
    inputs: ['text'],
    gives: 'decimal',
    about: 'How many characters a text has.',
    run: (text: string) => String(text.length),
  },
  same_nit: {
    inputs: ['text', 'text'],
    keeps: true,
    gives: 'boolean',
    about:
      'Whether two NITs are one, each with its check digit or without: 900.123.456-7 and 900123456. Blank where one has no digits.',
    run: sameNit,
  },
  start: {
    inputs: ['text', 'decimal'],
    gives: 'text',
    about: 'So many characters of the start of a text.',
    run: (text: string, count: string) => text.slice(0, Number(count)),
  },
  pad: {
    inputs: ['text', 'decimal'],
    gives: 'text',
    about: 'With zeros before it, so many characters long.',
    run: (text: string, count: string) => text.padStart(Number(count), '0'),
  },
  unpad: {
    inputs: ['text'],
    gives: 'text',
    about: 'Without the zeros before it.',
    run: (text: string) => text.replace(/^0+(?=.)/, ''),
  },
  text: {
    inputs: ['any'],
    gives: 'text',
    about: 'A number or a date as text.',
    run: (value: string | boolean) => String(value),
  },
  has_letters: {
    inputs: ['text'],
    gives: 'boolean',
    about: 'Whether there is a letter in a text.',
    run: (text: string) => /\p{L}/u.test(text),
  },
  has_digits: {
    inputs: ['text'],
    gives: 'boolean',
    about: 'Whether there is a digit in a text.',
    run: (text: string) => /\d/.test(text),
  },
  turned_date: {
    inputs: ['text'],
    gives: 'boolean',
    about:
      'Whether a text is a date as spreadsheets make one of a code: `2026-03-01`, `01/03/2026`, `mar-05`, `19954-nov`.',
    run: (text: string) => TURNED_DATE.test(text),
  },
  is_name: {
    inputs: ['text'],
    gives: 'boolean',
    about: 'Whether a text can be the name of a person: letters, apostrophes, hyphens and full stops alone.',
    run: (text: string) => NAME.test(text),
  },
  plain: {
    inputs: ['text'],
    gives: 'boolean',
    about: 'Whether a text has neither line breaks nor control characters nor &.',
    run: (text: string) => !UNPRINTABLE.test(text),
  },
  join: {
    inputs: ['text'],
    many: true,
    blanks: true,
    gives: 'text',
    about: 'Texts one after the other with a space between; blank ones are left out.',
    run: (texts: readonly FormulaValue[]) => collapse(joined(present(texts), ' ')) || undefined,
  },
  concat: {
    inputs: ['text'],
    many: true,
    blanks: true,
    gives: 'text',
    about: 'Texts one right after the other; blank when one of them is.',
    run: (texts: readonly FormulaValue[]) => (texts.every(isText) ? joined(texts, '') : undefined),
  },
  moment: {
    inputs: ['date', 'text'],
    gives: 'datetime',
    about: 'A date and a time of day as one moment.',
    run: (date: string, time: string) => `${date}T${time.length === 5 ? `${time}:00` : time}`,
  },
  ...DATE_FUNCTIONS,
  ...HOUR_FUNCTIONS,
};
