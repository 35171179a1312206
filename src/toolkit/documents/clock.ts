import type { Formats } from '../../generated/mapping-types.js';
import { CellFault, type CellReader } from '../mapping/read/cell.js';
import type { CompiledColumn, HeadedColumn, HeadedTable } from '../mapping/record.js';
import type { Evidence } from '../mapping/vote.js';
import type { CellKind, Row } from '../tables/table.js';

/** How hours from 1 to 6 without a. m. or p. m. are read: as they are, or of the afternoon. */
type Clock = NonNullable<Formats['time']> & string;

/** How the hours of a table are read, and a cell that can be read two ways where no other tells. */
export interface ClockVerdict {
  readonly isOpen: boolean;
  readonly ambiguous?: Evidence;
}

/** Hours of a day before which `2:30` may be of the afternoon, and from which on a clock has 24. */
const [FIRST_SURE, AFTERNOON] = [7, 13];
const HALF_DAY = 12;

const isTimed = ({ kind }: CompiledColumn): boolean =>
  kind === 'time' || kind === 'datetime' || kind === 'date_or_datetime';

/**
 * Hour of one digit and minutes at the end of a text, without a. m. or p. m., as people write them: programs that write
 * `02:30`, which flat files of the health system must, or seconds count 24 hours.
 */
const PLAIN_TIME = /(?:^|[T\s-])(\d):\d{2}$/;
const LONGEST = 40;

/** With seconds too: an hour past noon is one in any form. */
const ANY_TIME = /(?:^|[T\s-])(\d{1,2}):\d{2}(?::\d{2})?$/;
/** A time that lost its format: a part of the day. */
const PART_OF_DAY = /^0?\.\d+$/;
/** More than rounding takes from an hour. */
const HOUR_TOLERANCE = 1e-6;

const hourOfPart = (text: string): number | undefined =>
  PART_OF_DAY.test(text) ? Math.floor(Number(text) * 2 * HALF_DAY + HOUR_TOLERANCE) : undefined;

const hourIn = (text: string, pattern: RegExp): number | undefined => {
  const [, hour] = text.length > LONGEST ? [] : (pattern.exec(text) ?? []);
  return hour === undefined ? undefined : Number(hour);
};

/** The hour that a cell says without a half of the day; undefined if it says none or leaves no doubt which. */
function plainHour(text: string, kind: CellKind): number | undefined {
  if (kind === 'number') return hourOfPart(text);
  if (kind === 'date') return text.length === 8 ? hourIn(text, ANY_TIME) : undefined;
  return kind === 'text' ? hourIn(text, PLAIN_TIME) : undefined;
}

/** True if a cell shows that the hours around it are of 24: one past noon, or that of midnight in a column of hours. */
function showsDay(text: string, kind: CellKind, column: CompiledColumn): boolean {
  const hour = kind === 'number' ? hourOfPart(text) : hourIn(text, ANY_TIME);
  return hour !== undefined && (hour >= AFTERNOON || (hour === 0 && column.kind === 'time'));
}

const isDoubtful = (hour: number | undefined): boolean =>
  hour !== undefined && hour >= 1 && hour < FIRST_SURE;

const timedIn = (table: HeadedTable): readonly HeadedColumn[] =>
  [table, ...table.repeats].flatMap(({ present }) => present.filter(({ column }) => isTimed(column)));

const declaredFor = ({ formats }: CompiledColumn, given: Pick<Formats, 'time'>): Clock | undefined => {
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
    const [morning, afternoon] = [value, later].map((time) => time.slice(-8, -3));
    return new CellFault('cell/hour-ambiguous', { morning: morning!, afternoon: afternoon! }, [
      { value: morning!, score: 0.5 },
      { value: afternoon!, score: 0.5 },
    ]);
  };
}
