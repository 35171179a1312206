import { addDays } from '../toolkit/core/plain-date.js';

/** Deadline of a task. */
export interface Deadline {
  /** Stable id: a calendar replaces the previous entry when the list is imported again. */
  readonly id: string;
  /** Day, such as `2026-11-19`. */
  readonly date: string;
  readonly title: string;
  readonly about: string;
}

const MAX_LINE_OCTETS = 75;

/** Escapes a text (RFC 5545, 3.3.11). */
const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (char) => `\\${char}`).replaceAll(/\r\n|\r|\n/g, '\\n');

/** Folds a line at 75 octets, counting the leading blank, without splitting a character (RFC 5545, 3.1). */
function folded(line: string): string {
  let lines = '';
  let current = '';
  let octets = 0;
  for (const char of line) {
    const size = Buffer.byteLength(char);
    if (octets + size > MAX_LINE_OCTETS) {
      lines += `${current}\r\n`;
      current = ' ';
      octets = 1;
    }
    current += char;
    octets += size;
  }
  return `${lines}${current}\r\n`;
}

const day = (date: string, more = 0): string => addDays(date, more).replaceAll('-', '');

/** Formats deadlines as all-day events, each with an alarm at 9:00 the day before (RFC 5545). */
export function icsOf(deadlines: readonly Deadline[], now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const lines = deadlines.flatMap(({ id, date, title, about }) => [
    'BEGIN:VEVENT',
    `UID:${escaped(id)}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${day(date)}`,
    `DTEND;VALUE=DATE:${day(date, 1)}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(about)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    'TRIGGER:-PT15H',
    'END:VALARM',
    'END:VEVENT',
  ]);
  const all = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//cargue//cargue//ES',
    'CALSCALE:GREGORIAN',
    ...lines,
    'END:VCALENDAR',
  ];
  return all.map(folded).join('');
}
