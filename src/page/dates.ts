import { isPlainDate, isPlainDateTime, isPlainMonth } from '../toolkit/core/plain-date.js';
import { dateInWords } from '../toolkit/messages/texts.js';

/** Values that a field takes: `2026-10`, `2026-10-31` or `2026-10-31T18:00:00`. */
export type DateKind = 'month' | 'date' | 'datetime';

const DATE = /^(?:(\d{1,2})[/.-])?(\d{1,2})[/.-](\d{4})(?:[ T]+(\d{1,2}:\d\d)(?::(\d\d))?)?$/;
const ISO_DATE = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[ T]+(\d{1,2}:\d\d)(?::(\d\d))?)?$/;

const IS_KIND: Readonly<Record<DateKind, (text: string) => boolean>> = {
  month: isPlainMonth,
  date: isPlainDate,
  datetime: isPlainDateTime,
};

/** Parses what a person types, the day first; undefined if it is no date of the calendar. */
export function parseTypedDate(kind: DateKind, text: string): string | undefined {
  const typed = text.trim();
  const [, day, month = '', year, time, seconds] = DATE.exec(typed) ?? [];
  const [, isoYear, isoMonth, isoDay, isoTime, isoSeconds] = ISO_DATE.exec(typed) ?? [];
  const date = [year ?? isoYear, month || isoMonth, day ?? isoDay]
    .flatMap((part) => part?.padStart(2, '0') ?? [])
    .join('-');
  const hour = time ?? isoTime ?? (kind === 'datetime' ? '0:00' : undefined);
  const value =
    hour === undefined ? date : `${date}T${hour.padStart(5, '0')}:${seconds ?? isoSeconds ?? '00'}`;
  return IS_KIND[kind](value) ? value : undefined;
}

const isCellDate = (text: string): boolean => isPlainDate(text) || isPlainDateTime(text);

/** Formats a cell as a person writes it: `2026-10-31` as `31/10/2026`, and all else as it is. */
export const formatCell = (text: string): string => (isCellDate(text) ? dateInWords(text) : text);

/** Returns the text of a cell from what is typed; a date keeps the form that the cell had. */
export const parseTypedCell = (typed: string, before: string): string =>
  (isCellDate(before) && parseTypedDate(isPlainDate(before) ? 'date' : 'datetime', typed)) || typed;

/** Formats a value of a field as a person types it, such as `31/10/2026`. */
export const formatTypedDate = (value: string): string =>
  isPlainMonth(value) ? value.split('-').reverse().join('/') : dateInWords(value);
