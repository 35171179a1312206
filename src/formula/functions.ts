import { absolute, add, compare, divide, round, sum } from '../values/decimal.js';
import { collapse, fold, wildcard } from '../values/fold.js';
import {
  addDays,
  dateParts,
  days360,
  daysBetween,
  firstOfMonth,
  lastOfMonth,
  type PlainDate,
} from '../values/plain-date.js';

/** Static types of formulas. A blank value of any type is `undefined` at run time. */
export type FormulaType = 'decimal' | 'text' | 'date' | 'datetime' | 'boolean';
/** decimal, date and datetime are text in canonical form (values/decimal, values/plain-date). */
export type FormulaValue = string | boolean | undefined;

export interface FormulaFunction {
  readonly inputs: readonly (FormulaType | 'any')[];
  /** Takes any number of inputs of the one type, every value of a `*` pointer among them, as one list. */
  readonly many?: boolean;
  /** Blank inputs reach the function instead of being an error. */
  readonly blanks?: boolean;
  /** `same` is the type of the `any` inputs. */
  readonly gives: FormulaType | 'same';
  readonly about: string;
  readonly run: (...inputs: never[]) => FormulaValue;
}

/** A function over a table: its first inputs are fixed words that choose the table, when the formula is compiled. */
export interface WordFunction {
  /** How many of its inputs are words. */
  readonly words: number;
  /** One or two inputs after the words; a blank one makes the result blank. */
  readonly inputs: readonly FormulaType[];
  readonly gives: FormulaType;
  readonly about: string;
  /** What runs, or undefined when there is nothing of that name. */
  readonly bind: (...words: string[]) => ((first: string, second: string) => FormulaValue) | undefined;
}

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

const isWeekend = (date: PlainDate): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

function nthWorkday(from: PlainDate, count: number): PlainDate | undefined {
  if (!(count >= 1 && count <= 366)) return undefined;
  let date = from;
  for (let left = count; ; date = addDays(date, 1)) {
    if (!isWeekend(date)) left -= 1;
    if (left <= 0) return date;
  }
}

// Control characters are just what is looked for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const UNPRINTABLE = /[&\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The closed registry. Every function is total: no clock, no network, no disk. */
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
    run: (values: readonly FormulaValue[]) => String(values.filter((value) => value !== undefined).length),
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
    run: (value: string, places: string) => round(value, Number(places)),
  },
  divide: {
    inputs: ['decimal', 'decimal', 'decimal'],
    gives: 'decimal',
    about: 'First by second, rounded half to even to so many decimals; blank when the second is zero.',
    run: (a: string, b: string, places: string) =>
      compare(b, '0') === 0 ? undefined : divide(a, b, Number(places)),
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
    about: 'Without case, accents and stray blanks.',
    run: (text: string) => fold(text),
  },
  like: {
    inputs: ['text', 'text'],
    gives: 'boolean',
    about: 'Whether a text fits a pattern with * and ?, folded.',
    run: (text: string, pattern: string) => wildcard(pattern)(fold(text)),
  },
  has_letters: {
    inputs: ['text'],
    gives: 'boolean',
    about: 'Whether there is a letter in a text.',
    run: (text: string) => /\p{L}/u.test(text),
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
    run: (texts: readonly FormulaValue[]) => collapse(present(texts).join(' ')) || undefined,
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
  month_start: {
    inputs: ['text'],
    gives: 'date',
    about: 'First day of a month given as YYYY-MM.',
    run: (month: string) => firstOfMonth(`${month}-01`),
  },
  month_end: {
    inputs: ['text'],
    gives: 'date',
    about: 'Last day of a month given as YYYY-MM.',
    run: (month: string) => lastOfMonth(`${month}-01`),
  },
  date_of: {
    inputs: ['datetime'],
    gives: 'date',
    about: 'Date of a moment.',
    run: (moment: string) => moment.slice(0, 10),
  },
  workday: {
    inputs: ['date', 'decimal'],
    gives: 'date',
    about:
      'The n-th day from a date on, itself included, that is neither Saturday nor Sunday; holidays count.',
    run: (date: string, count: string) => nthWorkday(date, Number(count)),
  },
  days: {
    inputs: ['date', 'date'],
    gives: 'decimal',
    about: 'Days from the first date to the second, both included.',
    run: (from: string, to: string) => add(String(daysBetween(from, to)), '1'),
  },
  days_360: {
    inputs: ['date', 'date'],
    gives: 'decimal',
    about: 'Days from the first date to the second on the 360/30 calendar, both included.',
    run: (from: string, to: string) => String(days360(from, to)),
  },
  add_days: {
    inputs: ['date', 'decimal'],
    gives: 'date',
    about: 'The date so many days later.',
    run: (date: string, days: string) => addDays(date, Number(days)),
  },
};
