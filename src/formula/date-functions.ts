import { add } from '../values/decimal.js';
import {
  addDays,
  dateParts,
  days360,
  daysBetween,
  firstOfMonth,
  isPlainDate,
  lastOfMonth,
  minutesBetween,
  type PlainDate,
  yearsBetween,
} from '../values/plain-date.js';
import { BeyondBounds } from './blank-operand.js';
import type { FormulaFunction, FormulaValue } from './functions.js';

/** Dates and moments are in order as texts are. */
const outermost =
  (sign: 1 | -1) =>
  (values: readonly FormulaValue[]): FormulaValue => {
    let best: string | undefined;
    for (const value of values)
      if (typeof value === 'string' && (best === undefined || (sign < 0 ? value < best : value > best)))
        best = value;
    return best;
  };

const isWeekend = (date: PlainDate): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

const REMEMBERED = 100;
/** From one end of the calendar to the other. */
const MANY_DAYS = 3_000_000;

/** Documents of a file share their dates: what was asked of a few of them is not worked out again. */
function remembered<T>(compute: (date: string, count: string) => T): (date: string, count: string) => T {
  const known = new Map<string, T>();
  return (date, count) => {
    const key = `${date} ${count}`;
    if (known.has(key)) return known.get(key) as T;
    if (known.size >= REMEMBERED) known.clear();
    const value = compute(date, count);
    known.set(key, value);
    return value;
  };
}

function nthWorkday(from: PlainDate, count: number): PlainDate | undefined {
  if (!(count >= 1 && count <= 366)) return undefined;
  let date = from;
  for (let left = count; ; date = addDays(date, 1)) {
    if (!isWeekend(date)) left -= 1;
    if (left <= 0) return date;
  }
}

/** Functions of dates and moments. */
export const DATE_FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
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
  years: {
    inputs: ['date', 'date'],
    gives: 'decimal',
    about: 'Whole years from the first date to the second: the age of who was born on the first.',
    run: (from: string, to: string) => String(yearsBetween(from, to)),
  },
  minutes: {
    inputs: ['datetime', 'datetime'],
    gives: 'decimal',
    about: 'Minutes from the first moment to the second; negative when the second comes first.',
    run: (from: string, to: string) => String(minutesBetween(from, to)),
  },
  workday: {
    inputs: ['date', 'decimal'],
    gives: 'date',
    about:
      'The n-th day from a date on, itself included, that is neither Saturday nor Sunday; holidays count.',
    run: remembered((date, count) => nthWorkday(date, Number(count))),
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
    run: remembered((date, days) => {
      const count = Number(days);
      const later = Math.abs(count) < MANY_DAYS ? addDays(date, count) : '';
      if (!isPlainDate(later)) throw new BeyondBounds();
      return later;
    }),
  },
};
