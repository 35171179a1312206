import type { Row } from '../tables/table.js';
import { type DateOrder, readDateText } from './read/dates.js';
import { type DecimalStyle, readNumberText } from './read/numbers.js';

const [ZERO, NINE, DOT, COMMA] = [48, 57, 46, 44];
/** Patterns of amounts with at least two marks, as most grouped amounts have. */
const COMMA_STYLE = /^\$? ?[1-9]\d{0,2}(?:\.\d{3})+(?:\.\d{3}|,\d+)$/;
const DOT_STYLE = /^\$? ?[1-9]\d{0,2}(?:,\d{3})+(?:,\d{3}|\.\d+)$/;

/**
 * Returns the decimal style that a text shows: the only one in which it is a number, `ambiguous` if it is another number in
 * each, or undefined if it shows none.
 */
export function numberVote(text: string): DecimalStyle | 'ambiguous' | undefined {
  const { length } = text;
  let mark = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) continue;
    if (mark >= 0 || (code !== DOT && code !== COMMA)) return slowly(text);
    mark = at;
  }
  if (mark < 0 || length === 1) return undefined;
  // Three digits after the only mark may be thousands, when one to three come before and the first is no zero.
  if (length - mark === 4 && mark >= 1 && mark <= 3 && text.charCodeAt(0) !== ZERO) return 'ambiguous';
  return text.charCodeAt(mark) === DOT ? 'dot' : 'comma';
}

function slowly(text: string): DecimalStyle | 'ambiguous' | undefined {
  if (COMMA_STYLE.test(text)) return 'comma';
  if (DOT_STYLE.test(text)) return 'dot';
  const { kind } = readNumberText(text);
  if (kind !== 'number') return kind === 'ambiguous' ? kind : undefined;
  if (readNumberText(text, 'comma').kind !== 'number') return 'dot';
  return readNumberText(text, 'dot').kind === 'number' ? undefined : 'comma';
}

const TIME = /[T ]\d{1,2}:\d{2}.*$/;

const dayOf = (text: string): string => (text.includes(':') ? text.replace(TIME, '').trim() : text);

/**
 * Returns the date order that a text shows: the only one in which it is a date, `ambiguous` if it is another date in each,
 * or undefined if it shows none, as `2026-10-31` or `31-oct-26`.
 */
export function dateVote(text: string): DateOrder | 'ambiguous' | undefined {
  const day = dayOf(text);
  const reading = readDateText(day);
  if (reading.kind !== 'date') return reading.kind === 'ambiguous' ? 'ambiguous' : undefined;
  if (readDateText(day, 'dmy').kind === 'contradiction') return 'mdy';
  return readDateText(day, 'mdy').kind === 'contradiction' ? 'dmy' : undefined;
}

const SHORT_DATE = /^\d{2}([-/.])\d{2}\1\d{2}$/;

/**
 * True if a date with two-digit parts is one too with its year first, as ISO orders them: with hyphens, or with other signs
 * where the column writes years in full elsewhere.
 */
const mayBeginWithYear = (text: string, rows: readonly Row[], index: number): boolean =>
  SHORT_DATE.test(text) &&
  (text[2] === '-' || hasFullYears(rows, index)) &&
  readDateText(text, 'ymd').kind === 'date';

const hasFullYears = (rows: readonly Row[], index: number): boolean =>
  rows.some(({ texts, kinds }) => kinds?.[index] === 'date' || /\d{4}/.test(texts[index] ?? ''));

/** Min distinct dates and texts that show swapped days; fewer may be chance. */
const MIN_SWAPPED_DATES = 4;
const MIN_UNSWAPPED_TEXTS = 2;

/**
 * Finds a text that shows that Excel took day for month in the dates of a column, or undefined. Excel reads dates whose day
 * may be a month the wrong way round and leaves the others as texts: no date then has a day past 12, no text is ambiguous,
 * and the dates are not only of the texts' months. Firsts of a month do not count.
 */
export function textOfSwapped(rows: readonly Row[], index: number): string | undefined {
  const dates = new Set<string>();
  for (const { texts: cells, kinds } of rows) {
    const text = cells[index];
    if (text === undefined || kinds?.[index] !== 'date' || text.length < 10) continue;
    const day = Number(text.slice(8, 10));
    if (day > 12) return undefined;
    if (day > 1) dates.add(text.slice(0, 10));
  }
  if (dates.size < MIN_SWAPPED_DATES) return undefined; // as in every text file
  const texts = new Map<string, string>();
  for (const { texts: cells, kinds } of rows) {
    const text = cells[index];
    if (text === undefined || (kinds?.[index] ?? 'text') !== 'text') continue;
    const vote = dateVote(text);
    if (vote === 'ambiguous') return undefined;
    const reading = vote === undefined ? undefined : readDateText(dayOf(text));
    if (reading?.kind === 'date') texts.set(reading.date, text);
  }
  if (texts.size < MIN_UNSWAPPED_TEXTS) return undefined;
  const months = new Set([...texts.keys()].map((date) => date.slice(0, 7)));
  return [...dates].some((date) => !months.has(date.slice(0, 7))) ? [...texts.values()][0] : undefined;
}

/** Column whose cells may have several formats. */
export interface Voter {
  readonly id: string;
  /** 0-based column of the table. */
  readonly index: number;
  readonly kind: 'decimal' | 'date';
  /** Format by the mapping or an answer; the cells then do not count. */
  readonly declared?: DecimalStyle | DateOrder;
}

/** Cell that shows a format. */
export interface Evidence {
  readonly row: Row;
  readonly index: number;
  readonly text: string;
}

export interface Verdict {
  /** Format of the column; undefined if undecided, or if no cell needs it. */
  readonly style?: DecimalStyle | DateOrder;
  readonly by: 'declared' | 'column' | 'table' | 'month' | 'unneeded' | 'undecided';
  /** Cell that can only be read so; with `table` and `unneeded`, of another column. */
  readonly evidence?: Evidence;
  /** Cell of the column in another format. */
  readonly against?: Evidence;
  /** True if the cells in another format are too few to count. */
  readonly isClear?: boolean;
  readonly ambiguous?: Evidence;
  /** Number of cells with two readings. */
  readonly ambiguousCells?: number;
  /** Cell whose first two digits may also be the year: `19-03-05`. */
  readonly shortYear?: Evidence;
  /** Max decimals of the column's unambiguous cells. */
  readonly decimals?: number;
  /** Number of cells with only this reading. */
  readonly witnesses?: number;
}

type Style = DecimalStyle | DateOrder;

/** Cells of a column with only one style: their number, and the first. */
interface StyleCount {
  readonly style: Style;
  readonly evidence: Evidence;
  cells: number;
}

interface ColumnEvidence {
  /** Style of most unambiguous cells. */
  readonly most?: StyleCount;
  /** First cell in another style. */
  readonly against?: Evidence;
  readonly isClear: boolean;
  readonly ambiguous?: Evidence;
  readonly ambiguousCells: number;
  readonly shortYear?: Evidence;
  readonly decimals: number;
  /** Order in which all ambiguous dates are in the documents' month, if none is in the other order. */
  readonly byMonth?: { readonly style: DateOrder; readonly evidence: Evidence };
}

/** Min cells of a style that is clear despite others, and their min ratio to those. */
const MIN_CLEAR_CELLS = 3;
const MIN_CLEAR_RATIO = 4;

function decimalsIn(text: string, style: Style): number {
  const mark = text.lastIndexOf(style === 'comma' ? ',' : '.');
  return mark < 0 ? 0 : (/^\d*/.exec(text.slice(mark + 1))?.[0].length ?? 0);
}

const VOTES: Readonly<Record<Voter['kind'], (text: string) => Style | 'ambiguous' | undefined>> = {
  decimal: numberVote,
  date: dateVote,
};

/** Returns the only order in which an ambiguous date is in a month, or undefined. */
function orderWithin(text: string, month: string): DateOrder | undefined {
  const reading = readDateText(dayOf(text));
  if (reading.kind !== 'ambiguous') return undefined;
  const [isDmy, isMdy] = [reading.dmy.startsWith(month), reading.mdy.startsWith(month)];
  return isDmy === isMdy ? undefined : isDmy ? 'dmy' : 'mdy';
}

function countColumn({ index, kind }: Voter, rows: readonly Row[], month?: string): ColumnEvidence {
  const vote = VOTES[kind];
  const counts = new Map<Style, StyleCount>();
  let ambiguous: Evidence | undefined;
  let ambiguousCells = 0;
  let shortYear: Evidence | undefined;
  let decimals = 0;
  const within = new Set<DateOrder | undefined>();
  for (const row of rows) {
    const text = row.texts[index];
    if (text === undefined || (row.kinds?.[index] ?? 'text') !== 'text') continue;
    const style = vote(text);
    if (style === undefined) continue;
    if (kind === 'date' && shortYear === undefined && mayBeginWithYear(text, rows, index))
      shortYear = { row, index, text };
    if (style === 'ambiguous') {
      ambiguous ??= { row, index, text };
      ambiguousCells += 1;
      if (kind === 'date' && month !== undefined && within.size < 2) within.add(orderWithin(text, month));
      continue;
    }
    if (kind === 'decimal' && decimals < 3) decimals = Math.max(decimals, decimalsIn(text, style));
    const known = counts.get(style);
    if (known === undefined) counts.set(style, { style, evidence: { row, index, text }, cells: 1 });
    else known.cells += 1;
  }
  // Of equal counts the style of the first cell comes first.
  const [most, ...others] = [...counts.values()].sort((a, b) => b.cells - a.cells);
  const [order] = within.size === 1 ? within : [];
  const contrary = others.reduce((sum, { cells }) => sum + cells, 0);
  return {
    ...(most && { most }),
    ...(others[0] && { against: others[0].evidence }),
    isClear: most !== undefined && most.cells >= MIN_CLEAR_CELLS && most.cells >= MIN_CLEAR_RATIO * contrary,
    ...(ambiguous && { ambiguous }),
    ambiguousCells,
    ...(shortYear && { shortYear }),
    decimals,
    ...(order && ambiguous && { byMonth: { style: order, evidence: ambiguous } }),
  };
}

/** Returns what every column with evidence shows; undefined if they differ, or one contradicts itself. */
function unanimous(tallies: readonly ColumnEvidence[]): StyleCount | undefined {
  const shown = tallies.flatMap(({ most, against }) => (most === undefined ? [] : { most, against }));
  const [first] = shown;
  const agree = shown.every(({ most, against }) => most.style === first?.most.style && against === undefined);
  return agree ? first?.most : undefined;
}

function judge(
  { most, against, isClear, ambiguous, ambiguousCells, shortYear, decimals, byMonth }: ColumnEvidence,
  table?: StyleCount,
): Verdict {
  const cells = {
    ...(against && { against }),
    ...(against && isClear && { isClear }),
    ...(ambiguous && { ambiguous, ambiguousCells }),
    ...(shortYear && { shortYear }),
  };
  if (most !== undefined) {
    const { style, evidence, cells: witnesses } = most;
    return { style, by: 'column', decimals, witnesses, evidence, ...cells };
  }
  if (byMonth !== undefined && (table === undefined || table.style === byMonth.style))
    return { ...byMonth, by: 'month', ...cells };
  // The other columns and the month show different orders.
  if (byMonth !== undefined) return { by: 'undecided', ...cells };
  const by = ambiguous === undefined ? 'unneeded' : table === undefined ? 'undecided' : 'table';
  return { by, ...(table && { style: table.style, evidence: table.evidence }), ...cells };
}

/**
 * Infers the format of each column, by id: declared, else shown by its own cells, else by all other columns of its kind.
 * If cells of a column differ, most of them count. A format that no cell decides stays `undecided` and is asked for.
 * Only cells of text vote; a declared column neither votes nor speaks for the others.
 * @param month `YYYY-MM` of the documents, if it is known: dates that all lie in it in one order only are read so
 */
export function voteFormats(
  voters: readonly Voter[],
  rows: readonly Row[],
  month?: string,
): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const { id, declared } of voters)
    if (declared !== undefined) verdicts.set(id, { style: declared, by: 'declared' });
  for (const kind of Object.keys(VOTES)) {
    const open = voters.filter((voter) => voter.kind === kind && voter.declared === undefined);
    const tallies = open.map((voter) => ({ id: voter.id, evidence: countColumn(voter, rows, month) }));
    const table = unanimous(tallies.map(({ evidence }) => evidence));
    for (const { id, evidence } of tallies) verdicts.set(id, judge(evidence, table));
  }
  return verdicts;
}
