import type { Row } from '../../source/table.js';
import type { DateOrder } from '../read/date-text.js';
import type { DecimalStyle } from '../read/number-text.js';
import { dateVote } from './date-vote.js';
import { numberVote } from './number-vote.js';

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
export interface Evidence {
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
}

type Style = DecimalStyle | DateOrder;

/** What the cells of one column said: the first of each sort. */
interface Tally {
  style?: Style;
  evidence?: Evidence;
  against?: Evidence;
  ambiguous?: Evidence;
  decimals: number;
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
  const tally: Tally = { decimals: 0 };
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
    } else if (said !== tally.style) tally.against ??= { row, index, text };
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
  const { style, evidence, against, ambiguous, decimals } = tally;
  const cells = { ...(against && { against }), ...(ambiguous && { ambiguous }) };
  if (style !== undefined) return { style, by: 'column', decimals, ...(evidence && { evidence }), ...cells };
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
