import type { Formats } from '../../generated/mapping-types.js';
import { CellFault, type CellReader } from '../mapping/read/cell.js';
import type { CompiledColumn, HeadedColumn, HeadedTable } from '../mapping/record.js';
import type { Evidence } from '../mapping/vote.js';
import type { CellKind, Row } from '../tables/table.js';

/** Reading of the hours of a table, with an ambiguous cell if no other cell decides. */
export interface ClockVerdict {
  readonly isOpen: boolean;
  readonly ambiguous?: Evidence;
}

/** First hour that is not taken for the afternoon, and first that only a 24-hour clock has. */
const [FIRST_SURE, AFTERNOON] = [7, 13];
const HALF_DAY = 12;

const isTimed = ({ kind }: CompiledColumn): boolean =>
  kind === 'time' || kind === 'datetime' || kind === 'date_or_datetime';

/**
 * Hour of one digit with minutes at the end of a text, without a. m. or p. m., as people write it. Programs write
 * `02:30`, as flat files of the health system require, or seconds, and count 24 hours.
 */
const PLAIN_TIME = /(?:^|[T\s-])(\d):\d{2}$/;
const MAX_TIME_TEXT = 40;

/** Time, also with seconds: an hour past noon counts in any form. */
const ANY_TIME = /(?:^|[T\s-])(\d{1,2}):\d{2}(?::\d{2})?$/;
/** Time without its format: a fraction of a day. */
const PART_OF_DAY = /^0?\.\d+$/;
/** Tolerance of rounding, in hours. */
const HOUR_TOLERANCE = 1e-6;

const hourOfPart = (text: string): number | undefined =>
  PART_OF_DAY.test(text) ? Math.floor(Number(text) * 2 * HALF_DAY + HOUR_TOLERANCE) : undefined;

const hourIn = (text: string, pattern: RegExp): number | undefined => {
  const [, hour] = text.length > MAX_TIME_TEXT ? [] : (pattern.exec(text) ?? []);
  return hour === undefined ? undefined : Number(hour);
};

/** Returns the hour of a cell without half of the day; undefined if it has none or is unambiguous. */
function plainHour(text: string, kind: CellKind): number | undefined {
  if (kind === 'number') return hourOfPart(text);
  if (kind === 'date') return text.length === 8 ? hourIn(text, ANY_TIME) : undefined;
  return kind === 'text' ? hourIn(text, PLAIN_TIME) : undefined;
}

/** True if a cell proves a 24-hour clock: an hour past noon, or midnight in a column of times. */
function showsDay(text: string, kind: CellKind, column: CompiledColumn): boolean {
  const hour = kind === 'number' ? hourOfPart(text) : hourIn(text, ANY_TIME);
  return hour !== undefined && (hour >= AFTERNOON || (hour === 0 && column.kind === 'time'));
}

const isDoubtful = (hour: number | undefined): boolean =>
  hour !== undefined && hour >= 1 && hour < FIRST_SURE;

const timedIn = (table: HeadedTable): readonly HeadedColumn[] =>
  [table, ...table.repeats].flatMap(({ present }) => present.filter(({ column }) => isTimed(column)));

const declaredFor = (
  { formats }: CompiledColumn,
  given: Pick<Formats, 'time'>,
): (NonNullable<Formats['time']> & string) | undefined => {
  const declared = formats?.time ?? given.time;
  return typeof declared === 'string' ? declared : undefined;
};

/** True if its records decide how the hours of a table are read. */
export const hasOpenClock = (table: HeadedTable, given: Pick<Formats, 'time'>): boolean =>
  timedIn(table).some(({ column }) => declaredFor(column, given) === undefined);

/** Decides whether the hours of a table are of 24: one of its cells shows it, or it is open. */
export function clockOf(
  table: HeadedTable,
  rows: readonly Row[],
  given: Pick<Formats, 'time'>,
): ClockVerdict {
  const timed = timedIn(table).filter(({ column }) => declaredFor(column, given) === undefined);
  let ambiguous: Evidence | undefined;
  for (const row of timed.length === 0 ? [] : rows)
    for (const { column, index } of timed) {
      const text = row.texts[index];
      if (text === undefined) continue;
      const kind = row.kinds?.[index] ?? 'text';
      if (showsDay(text, kind, column)) return { isOpen: false };
      if (ambiguous === undefined && isDoubtful(plainHour(text, kind))) ambiguous = { row, index, text };
    }
  return { isOpen: true, ...(ambiguous && { ambiguous }) };
}

const laterBy = (value: string, hours: number): string => {
  const at = value.length - 8;
  return `${value.slice(0, at)}${Number(value.slice(at, at + 2)) + hours}${value.slice(at + 2)}`;
};

/** Returns the reader of a column that knows how its hours are read; the same if nothing is to be changed. */
export function readerByClock(
  column: CompiledColumn,
  read: CellReader,
  given: Pick<Formats, 'time'>,
  { isOpen }: ClockVerdict,
): CellReader {
  if (!isTimed(column)) return read;
  const clock = declaredFor(column, given);
  if (clock === '24h' || (clock === undefined && !isOpen)) return read;
  return (text, kind) => {
    const value = read(text, kind);
    if (typeof value !== 'string' || !isDoubtful(plainHour(text, kind))) return value;
    const later = laterBy(value, HALF_DAY);
    if (clock === 'afternoon') return later;
    const hourIn = (time: string): string => time.slice(-8, -3);
    const hours = { morning: hourIn(value), afternoon: hourIn(later) };
    return new CellFault('cell/hour-ambiguous', hours, [
      { value: hours.morning, score: 0.5 },
      { value: hours.afternoon, score: 0.5 },
    ]);
  };
}
