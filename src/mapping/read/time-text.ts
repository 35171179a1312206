import { fold } from '../../values/fold.js';

const CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s*(am|pm|a\.? ?m\.?|p\.? ?m\.?)?$/;

const LONGEST = 40;

/** A wall-clock time as `HH:MM:SS`: `8:05`, `08:05:00`, `8:05 p. m.`; undefined when it is none. */
export function readTimeText(raw: string): string | undefined {
  if (raw.length > LONGEST) return undefined;
  const match = CLOCK.exec(fold(raw));
  if (match === null || (match[2] === undefined && match[4] === undefined)) return undefined;
  const half = match[4]?.[0];
  let hour = +match[1]!;
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half === 'p' ? 12 : 0);
  }
  const minute = +(match[2] ?? 0);
  const second = +(match[3] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
}
