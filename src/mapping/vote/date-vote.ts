import { type DateOrder, readDateText } from '../read/date-text.js';

const TIME = /[T ]\d{1,2}:\d{2}.*$/;

/** Without the time of day. */
export const dayOf = (text: string): string => (text.includes(':') ? text.replace(TIME, '').trim() : text);

/**
 * What a text tells about the date order of its column: the one order in which it is a date,
 * `ambiguous` when it is another date in each, undefined when it tells nothing, as `2026-10-31` or `31-oct-26`.
 */
export function dateVote(text: string): DateOrder | 'ambiguous' | undefined {
  const day = dayOf(text);
  const reading = readDateText(day);
  if (reading.kind !== 'date') return reading.kind === 'ambiguous' ? 'ambiguous' : undefined;
  if (readDateText(day, 'dmy').kind === 'contradiction') return 'mdy';
  return readDateText(day, 'mdy').kind === 'contradiction' ? 'dmy' : undefined;
}
