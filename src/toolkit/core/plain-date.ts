/** `YYYY-MM-DD`: a calendar date without a zone. */
export type PlainDate = string;
/** `YYYY-MM-DDTHH:MM:SS`: wall-clock time without a zone. */
type PlainDateTime = string;

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Returns the days of a month; 0 if it is not 1 to 12. */
const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0);

const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1900 && year <= 9999 && day >= 1 && day <= daysInMonth(year, month);

/** Returns the date, or undefined if the calendar has no such day. */
export function plainDate(year: number, month: number, day: number): PlainDate | undefined {
  if (!isDay(year, month, day)) return undefined;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const dateParts = (date: PlainDate): DateParts => ({
  year: yearOf(date),
  month: twoDigits(date, 5),
  day: twoDigits(date, 8),
});

const yearOf = (date: PlainDate): number => twoDigits(date, 0) * 100 + twoDigits(date, 2);

/** Parses two digits of a text, or returns NaN. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const HYPHEN = 45;
const COLON = 58;

function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false;
  return isDay(yearOf(text), twoDigits(text, 5), twoDigits(text, 8));
}

const isMinuteAt = (text: string, at: number): boolean =>
  twoDigits(text, at) <= 23 && text.charCodeAt(at + 2) === COLON && twoDigits(text, at + 3) <= 59;

const isSecondAt = (text: string, at: number): boolean =>
  isMinuteAt(text, at) && text.charCodeAt(at + 5) === COLON && twoDigits(text, at + 6) <= 59;

// Called for every date of every record, so these allocate nothing.

export const isPlainDate = (text: string): text is PlainDate => text.length === 10 && startsWithDate(text);

export const isPlainDateTime = (text: string): text is PlainDateTime =>
  text.length === 19 && text[10] === 'T' && startsWithDate(text) && isSecondAt(text, 11);

export const isPlainTime = (text: string): boolean => text.length === 8 && isSecondAt(text, 0);

/** True for `2026-10-31 18:30`, the form of the health ministry. */
export const isNationalDateTime = (text: string): boolean =>
  text.length === 16 && text[10] === ' ' && startsWithDate(text) && isMinuteAt(text, 11);

const DAY_MS = 86_400_000;

/** Returns the days since 1970. */
const dayNumber = (date: PlainDate): number =>
  Date.UTC(yearOf(date), twoDigits(date, 5) - 1, twoDigits(date, 8)) / DAY_MS;

/** Inverts `dayNumber`; outside the years 0 to 9999 the result is not a plain date. */
function dateOfDay(number: number): PlainDate {
  const date = new Date(number * DAY_MS);
  return Number.isNaN(date.getTime()) ? String(number) : date.toISOString().slice(0, 10);
}

export const addDays = (date: PlainDate, days: number): PlainDate => dateOfDay(dayNumber(date) + days);

/** Returns the whole days from `a` to `b`; negative if `b` is earlier. */
export const daysBetween = (a: PlainDate, b: PlainDate): number => dayNumber(b) - dayNumber(a);

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** True for `YYYY-MM`. */
export const isPlainMonth = (text: string): boolean => MONTH.test(text);

/** Returns the months from `a` to `b`, each a month or a date; negative if `b` is earlier. */
export const monthsBetween = (a: string, b: string): number =>
  (yearOf(b) - yearOf(a)) * 12 + twoDigits(b, 5) - twoDigits(a, 5);

/** Adds months to a month, a date or a moment; the last day of a month stays the last. */
export function addMonths(text: string, months: number): string {
  const count = yearOf(text) * 12 + twoDigits(text, 5) - 1 + months;
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
  const start = `${pad(year, 4)}-${pad(month, 2)}`;
  if (text.length < 10) return start;
  const day = twoDigits(text, 8);
  const wasLast = day === daysInMonth(yearOf(text), twoDigits(text, 5));
  const last = daysInMonth(year, month);
  return `${start}-${pad(wasLast ? last : Math.min(day, last), 2)}${text.slice(10)}`;
}

/** Returns the day of the week; 0 is Sunday. */
export const weekdayOf = (date: PlainDate): number => new Date(dayNumber(date) * DAY_MS).getUTCDay();

export const isWeekend = (date: PlainDate): boolean => weekdayOf(date) % 6 === 0;

/** Returns the n-th weekday from a date on, itself included; undefined for a count beyond a year. */
export function nthWorkday(from: PlainDate, count: number): PlainDate | undefined {
  if (!(count >= 1 && count <= 366)) return undefined;
  let date = from;
  for (let left = count; ; date = addDays(date, 1)) {
    if (!isWeekend(date)) left -= 1;
    if (left <= 0) return date;
  }
}

/** Returns the whole years from `a` to `b`, as ages are counted; negative if `b` is earlier. */
export function yearsBetween(a: PlainDate, b: PlainDate): number {
  const years = yearOf(b) - yearOf(a);
  return b.slice(5) < a.slice(5) ? years - 1 : years;
}

const minuteOf = (moment: PlainDateTime): number =>
  dayNumber(moment) * 1440 + twoDigits(moment, 11) * 60 + twoDigits(moment, 14);

/** Returns the whole minutes from `a` to `b` without their seconds; negative if `b` is earlier. */
export const minutesBetween = (a: PlainDateTime, b: PlainDateTime): number => minuteOf(b) - minuteOf(a);

export const firstOfMonth = (date: PlainDate): PlainDate => `${date.slice(0, 8)}01`;

export const lastOfMonth = (date: PlainDate): PlainDate => {
  const { year, month } = dateParts(date);
  return `${date.slice(0, 8)}${pad(daysInMonth(year, month), 2)}`;
};

/**
 * Counts days on the 360/30 calendar, both ends included: 2024-02-01 to 2026-03-31 is 780 (payroll.md 3,
 * TiempoLaborado).
 */
export function days360(from: PlainDate, to: PlainDate): number {
  const a = dateParts(from);
  const b = dateParts(to);
  const endOfMonth = b.day === daysInMonth(b.year, b.month);
  const day = (d: number): number => Math.min(d, 30);
  return (
    (b.year - a.year) * 360 + (b.month - a.month) * 30 + ((endOfMonth ? 30 : day(b.day)) - day(a.day)) + 1
  );
}

/**
 * Formats an Excel serial: `YYYY-MM-DD`, with a time `YYYY-MM-DDTHH:MM:SS`, below one day `HH:MM:SS`.
 * Undefined outside Excel's calendar, and for serial 60 of the 1900 base, a day that does not exist.
 */
export function fromSerial(serial: number, base1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return undefined;
  let days = Math.floor(serial);
  let seconds = Math.round((serial - days) * 86_400);
  if (seconds === 86_400) {
    days += 1;
    seconds = 0;
  }
  const time = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => pad(Math.floor(part), 2))
    .join(':');
  if (days === 0 && !base1904) return time;
  if (!base1904 && days === 60) return undefined;
  const date = addDays(base1904 ? '1904-01-01' : days < 60 ? '1899-12-31' : '1899-12-30', days);
  return seconds === 0 ? date : `${date}T${time}`;
}

const FIVE_HOURS = 5 * 3_600_000;

/** Returns the calendar day in Colombia: UTC-5 all year. */
export const dateInBogota = (instant: Date | number): PlainDate =>
  new Date(Number(instant) - FIVE_HOURS).toISOString().slice(0, 10) as PlainDate;

/** Returns the time in Colombia as `2026-11-21 10:30`. */
export const timeInBogota = (instant: Date | number): string =>
  new Date(Number(instant) - FIVE_HOURS).toISOString().slice(0, 16).replace('T', ' ');
