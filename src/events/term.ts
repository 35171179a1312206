import { catalogue } from '../catalogue/catalogue.js';
import type { Level } from '../issues/issue.js';
import { addDays, type PlainDate } from '../values/plain-date.js';
import { HOLIDAYS, type Holidays } from './holidays.js';
import type { EventCode } from './kinds.js';

/** The days that a person has for an event, or must let go by (catalogue `event_terms`; events.md 4). */
export interface Term {
  /** It starts the business day after this event was approved. */
  readonly from: EventCode;
  /** Business days. */
  readonly days: number;
  /** The business day of the term from which one is told to hurry. */
  readonly warnFrom?: number;
  /** What the event is while the term runs, and once it is over; fine where nothing is said. */
  readonly before?: Level;
  readonly after?: Level;
}

export function termOf(event: EventCode): Term | undefined {
  const row = catalogue('event_terms')!.rows.find((one) => one['event'] === event);
  if (row === undefined) return undefined;
  const { warn_from_day: warnFrom, before_end: before, after_end: after } = row;
  return {
    from: row['counted_from'] as EventCode,
    days: Number(row['business_days']),
    ...(warnFrom && { warnFrom: Number(warnFrom) }),
    ...(before && { before: before as Level }),
    ...(after && { after: after as Level }),
  };
}

const isWeekend = (date: PlainDate): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

const isBusinessDay = (date: PlainDate, holidays: Holidays): boolean =>
  !isWeekend(date) && !holidays.has(date);

/** The last day of a term that starts the day after `from`; by default that of a claim or an acceptance. */
export function termEnd(
  from: PlainDate,
  holidays: Holidays = HOLIDAYS,
  days = termOf('031')!.days,
): PlainDate {
  let date = from;
  for (let left = days; left > 0; ) {
    date = addDays(date, 1);
    if (isBusinessDay(date, holidays)) left -= 1;
  }
  return date;
}

/** How many business days have begun since `from`: 1 on the first day of a term. */
export function termDay(from: PlainDate, date: PlainDate, holidays: Holidays = HOLIDAYS): number {
  let days = 0;
  for (let at = addDays(from, 1); at <= date; at = addDays(at, 1)) if (isBusinessDay(at, holidays)) days += 1;
  return days;
}
