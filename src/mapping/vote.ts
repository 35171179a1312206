import type { Row } from '../tables/table.js';
import { type DateOrder, readDateText } from './read/dates.js';
import { type DecimalStyle, readNumberText } from './read/numbers.js';

const [ZERO, NINE, DOT, COMMA] = [48, 57, 46, 44];
/** Two marks at least, in their order: how nearly every grouped amount looks. */
const COMMA_STYLE = /^\$? ?[1-9]\d{0,2}(?:\.\d{3})+(?:\.\d{3}|,\d+)$/;
const DOT_STYLE = /^\$? ?[1-9]\d{0,2}(?:,\d{3})+(?:,\d{3}|\.\d+)$/;

/**
 * What a text tells about the decimal mark of its column: the one style in which it is a number,
 * `ambiguous` when it is another number in each, undefined when it tells nothing.
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

/** Without the time of day. */
const dayOf = (text: string): string => (text.includes(':') ? text.replace(TIME, '').trim() : text);

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

/** So many dates, and so many texts, each another, are needed to tell: fewer are so by chance. */
const FEWEST_DATES = 4;
const FEWEST_TEXTS = 2;

/**
 * Whether Excel took day for month in the dates of a column: it reads as dates those whose day may be a month, the wrong way round, and
 * leaves as texts those whose day is none. So no date has a day past 12, no text can be read two ways, and the dates are not of the
 * months of the texts alone. What begins on the first of a month tells nothing: much does. Gives one of the texts.
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
  if (dates.size < FEWEST_DATES) return undefined; // as in every text file
  const texts = new Map<string, string>();
  for (const { texts: cells, kinds } of rows) {
    const text = cells[index];
    if (text === undefined || (kinds?.[index] ?? 'text') !== 'text') continue;
    const vote = dateVote(text);
    if (vote === 'ambiguous') return undefined;
    const reading = vote === undefined ? undefined : readDateText(dayOf(text));
    if (reading?.kind === 'date') texts.set(reading.date, text);
  }
  if (texts.size < FEWEST_TEXTS) return undefined;
  const months = new Set([...texts.keys()].map((date) => date.slice(0, 7)));
  return [...dates].some((date) => !months.has(date.slice(0, 7))) ? [...texts.values()][0] : undefined;
}

/** A column whose cells may be written in several ways. */
export interface Voter {
  readonly id: string;
  /** 0-based column of the table. */
  readonly index: number;
  readonly kind: 'decimal' | 'date';
  /** What the mapping, or an answer, says; then the cells are not asked. */
  readonly declared?: DecimalStyle | DateOrder;
}

/** A cell, as a witness. */
interface Evidence {
  readonly row: Row;
  readonly index: number;
  readonly text: string;
}

export interface Verdict {
  /** How to read the column; absent when undecided, or when no cell needed it and the table does not tell. */
  readonly style?: DecimalStyle | DateOrder;
  readonly by: 'declared' | 'column' | 'table' | 'unneeded' | 'undecided';
  /** A cell that can only be read so; with `table` and `unneeded` it stands in another column. */
  readonly evidence?: Evidence;
  /** A cell of the column that says otherwise. */
  readonly against?: Evidence;
  /** A cell of the column that can be read two ways. */
  readonly ambiguous?: Evidence;
  /** The most decimals that a cell of the column surely has. */
  readonly decimals?: number;
  /** Cells of the column that can only be read so. */
  readonly witnesses?: number;
}

type Style = DecimalStyle | DateOrder;

/** What the cells of one column said: the first of each sort. */
interface Tally {
  style?: Style;
  evidence?: Evidence;
  against?: Evidence;
  ambiguous?: Evidence;
  decimals: number;
  witnesses: number;
}

/** Of a text that can only be read in that style. */
function decimalsIn(text: string, style: Style): number {
  const mark = text.lastIndexOf(style === 'comma' ? ',' : '.');
  return mark < 0 ? 0 : (/^\d*/.exec(text.slice(mark + 1))?.[0].length ?? 0);
}

const VOTES: Readonly<Record<Voter['kind'], (text: string) => Style | 'ambiguous' | undefined>> = {
  decimal: numberVote,
  date: dateVote,
};

function countColumn({ index, kind }: Voter, rows: readonly Row[]): Tally {
  const vote = VOTES[kind];
  const tally: Tally = { decimals: 0, witnesses: 0 };
  for (const row of rows) {
    const text = row.texts[index];
    if (text === undefined || (row.kinds?.[index] ?? 'text') !== 'text') continue;
    const said = vote(text);
    if (said === undefined) continue;
    if (kind === 'decimal' && tally.decimals < 3 && said !== 'ambiguous')
      tally.decimals = Math.max(tally.decimals, decimalsIn(text, said));
    if (said === 'ambiguous') tally.ambiguous ??= { row, index, text };
    else if (tally.style === undefined) {
      tally.style = said;
      tally.evidence = { row, index, text };
      tally.witnesses = 1;
    } else if (said === tally.style) tally.witnesses += 1;
    else tally.against ??= { row, index, text };
    if (tally.against !== undefined && tally.ambiguous !== undefined) break;
  }
  return tally;
}

/** What every column that says something says; undefined when they differ, or one of them contradicts itself. */
function unanimous(tallies: readonly Tally[]): Tally | undefined {
  const [first, ...others] = tallies.filter(({ style }) => style !== undefined);
  if (first === undefined || first.against !== undefined) return undefined;
  const agree = others.every(({ style, against }) => style === first.style && against === undefined);
  return agree ? first : undefined;
}

function judge(tally: Tally, table: Tally | undefined): Verdict {
  const { style, evidence, against, ambiguous, decimals, witnesses } = tally;
  const cells = { ...(against && { against }), ...(ambiguous && { ambiguous }) };
  if (style !== undefined)
    return { style, by: 'column', decimals, witnesses, ...(evidence && { evidence }), ...cells };
  const by = ambiguous === undefined ? 'unneeded' : table === undefined ? 'undecided' : 'table';
  return {
    by,
    ...(table?.style && { style: table.style }),
    ...(table?.evidence && { evidence: table.evidence }),
    ...cells,
  };
}

/**
 * How each column of a table is written, by id: as declared, else as its own cells show, else as the other columns of
 * its kind show when they all agree. What no cell decides stays `undecided`: it is to be asked, never guessed.
 * Only cells of text vote; a declared column neither votes nor speaks for the others.
 */
export function voteFormats(voters: readonly Voter[], rows: readonly Row[]): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const { id, declared } of voters)
    if (declared !== undefined) verdicts.set(id, { style: declared, by: 'declared' });
  for (const kind of Object.keys(VOTES)) {
    const open = voters.filter((voter) => voter.kind === kind && voter.declared === undefined);
    const tallies = open.map((voter) => countColumn(voter, rows));
    const table = unanimous(tallies);
    for (const [place, { id }] of open.entries()) verdicts.set(id, judge(tallies[place]!, table));
  }
  return verdicts;
}
