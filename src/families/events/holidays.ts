import { addDays, type PlainDate, plainDate, weekdayOf } from '../../toolkit/core/plain-date.js';
import { unreachable } from '../../toolkit/core/required.js';
import { cachedByLists, requiredCatalogue } from '../../toolkit/schema/catalogue.js';

export interface Holidays {
  has(date: PlainDate): boolean;
}

const dayOf = (year: number, month: number, day: number): PlainDate =>
  plainDate(year, month, day) ?? unreachable(`day ${year}-${month}-${day}`);

/** Returns Easter Sunday in the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8). */
export function easter(year: number): PlainDate {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const f = Math.floor((century + 8) / 25);
  const g = Math.floor((century - f + 1) / 3);
  const h = (19 * a + century - Math.floor(century / 4) - g + 15) % 30;
  const l = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - h - (ofCentury % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const days = h + l - 7 * m + 114;
  return dayOf(year, Math.floor(days / 31), (days % 31) + 1);
}

const MONDAY = 1;

/** Returns the holidays of a year by the catalogue `holidays` (Ley 51 of 1983), in its order. */
export const holidaysOf = (year: number): readonly PlainDate[] =>
  requiredCatalogue('holidays').rows.flatMap((row) => {
    const { month, day, days_from_easter: offset = '', valid_from: from = '', valid_to: to = '' } = row;
    const fixed =
      offset === '' ? dayOf(year, Number(month), Number(day)) : addDays(easter(year), Number(offset));
    const date =
      row['moved_to_monday'] === 'yes' ? addDays(fixed, (7 + MONDAY - weekdayOf(fixed)) % 7) : fixed;
    return from <= date && (to === '' || date <= to) ? [date] : [];
  });

const daysOf = cachedByLists((year: string): ReadonlySet<PlainDate> => new Set(holidaysOf(Number(year))));

/** Holidays of Colombia, computed per year on first use. */
export const HOLIDAYS: Holidays = { has: (date) => daysOf(date.slice(0, 4)).has(date) };
