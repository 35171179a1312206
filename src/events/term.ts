import { addDays, type PlainDate } from '../values/plain-date.js';

/** Business days for a claim or an acceptance, counted from DIAN's approval of 032 (C. Co. art. 773; events.md 4). */
export const CLAIM_TERM = 3;

const isWeekend = (date: PlainDate): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The last day of a term that starts the day after `from`. Days off besides Saturdays and Sundays are given. */
export function termEnd(
  from: PlainDate,
  holidays: ReadonlySet<PlainDate> = new Set(),
  days = CLAIM_TERM,
): PlainDate {
  let date = from;
  for (let left = days; left > 0; ) {
    date = addDays(date, 1);
    if (!isWeekend(date) && !holidays.has(date)) left -= 1;
  }
  return date;
}
