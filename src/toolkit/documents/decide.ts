import type { Formats } from '../../generated/mapping-types.js';
import { type Issue, issueOf, type Place } from '../core/issue.js';
import { isPlainMonth } from '../core/plain-date.js';
import { fold } from '../core/text.js';
import { giveTurn } from '../core/turn.js';
import { withParts, withReaders } from '../mapping/located.js';
import { CellFault, type CellReader, FORMAT_NAMES, fewTexts } from '../mapping/read/cell.js';
import { readDateText } from '../mapping/read/dates.js';
import type { CompiledColumn, HeadedTable, ReadableTable, Trust } from '../mapping/record.js';
import { type Evidence, textOfSwapped, type Verdict, type Voter, voteFormats } from '../mapping/vote.js';
import type { StyledColumn } from '../schema/document.js';
import { cellPlace, type Row } from '../tables/table.js';
import { type ClockVerdict, clockOf, hasOpenClock, readerByClock } from './clock.js';
import { hasAccounts, shortAccounts } from './short-accounts.js';

/** Inferred formats of a table, with the evidence. */
export interface VotedTable {
  readonly table: ReadableTable;
  readonly verdicts: ReadonlyMap<CompiledColumn, Verdict>;
  readonly clock: ClockVerdict;
  readonly shortAccounts: readonly Issue[];
}

/** Formats given by the caller, which override inferred ones. */
export interface GivenFormats extends Pick<Formats, 'decimal' | 'date' | 'time'> {
  /** Folded words that are names here, although they may mean that there is no value. */
  readonly names?: readonly string[];
}

const votersOf = (table: HeadedTable, given: GivenFormats): { voter: Voter; column: CompiledColumn }[] =>
  [table, ...table.repeats].flatMap(({ present }, part) =>
    present.flatMap(({ column, index, more }) => {
      const kind = column.type === 'decimal' ? 'decimal' : isDated(column) ? 'date' : undefined;
      if (kind === undefined) return [];
      const declared = column.formats?.[kind] ?? given[kind];
      return [index, ...more].map((at) => ({
        column,
        voter: {
          id: `${part} ${column.id} ${at}`,
          index: at,
          kind,
          ...(typeof declared === 'string' && { declared }),
        } satisfies Voter,
      }));
    }),
  );

/** True if records decide how a column is read, or are compared with each other. */
const hasOpenFormats = (table: HeadedTable, given: GivenFormats): boolean =>
  hasAccounts(table) ||
  hasOpenClock(table, given) ||
  votersOf(table, given).some(({ voter }) => voter.declared === undefined) ||
  [table, ...table.repeats].some(({ present }) => present.some(({ column }) => column.readings?.length));

const isDated = ({ type }: CompiledColumn): boolean => type === 'date' || type === 'datetime';

/** Returns how far the style of a column resolves ambiguous texts. */
function trustIn({ by, against, isClear = false, decimals = 0 }: Verdict, { kind }: CompiledColumn): Trust {
  if (by !== 'column') return {};
  // Thousands with the other mark may occur here too, unless decimals are shown as well.
  const thousandths = kind === 'money' || kind === 'integer' ? decimals >= 3 : decimals > 0;
  return { mixed: against !== undefined && !isClear, thousandths };
}

export function styleOf(
  column: CompiledColumn,
  verdict: Verdict | undefined,
): StyledColumn['style'] | undefined {
  if (verdict?.style === undefined) return undefined;
  const format =
    column.type === 'decimal' ? { decimal: verdict.style as 'comma' } : { date: verdict.style as 'dmy' };
  return { ...format, ...trustIn(verdict, column) };
}

const MONTH = 'month';

function monthOf({ params }: HeadedTable): string | undefined {
  const month = params[MONTH];
  return typeof month === 'string' && isPlainMonth(month) ? month : undefined;
}

/** Infers decimal mark and date order from the first records, and creates readers by them. */
function votedTable(table: HeadedTable, rows: readonly Row[], given: GivenFormats): VotedTable {
  const voters = votersOf(table, given);
  const found = voteFormats(
    voters.map(({ voter }) => voter),
    rows,
    monthOf(table),
  );
  const verdicts = new Map<CompiledColumn, Verdict>();
  for (const { voter, column } of voters) {
    const verdict = found.get(voter.id);
    if (verdict !== undefined && !verdicts.has(column)) verdicts.set(column, verdict);
  }
  const witnesses = new Map<CompiledColumn, Place>();
  for (const [column, { evidence }] of verdicts)
    if (evidence !== undefined)
      witnesses.set(
        column,
        cellPlace(table.source, evidence.row, evidence.index, table.header.labels[evidence.index]),
      );
  const swapped = new Map(
    voters.flatMap(({ voter, column }) => {
      const text = voter.kind === 'date' ? textOfSwapped(rows, voter.index) : undefined;
      return text === undefined ? [] : [[column, text] as const];
    }),
  );
  const clock = clockOf(table, rows, given);
  const names = new Set(given.names);
  const readerOf = (column: CompiledColumn, declared: CellReader): CellReader => {
    const style = styleOf(column, verdicts.get(column));
    const voted = style && column.readAs?.(style, style);
    const read = readerByClock(column, voted ?? declared, given, clock);
    const sample = swapped.get(column);
    if (names.size > 0 && column.kind === 'text') return withNames(read, names);
    return sample === undefined ? read : unlessSwapped(read, sample);
  };
  const most = mostFields(table, rows);
  const known: ReadableTable = {
    ...withReaders(table, readerOf),
    ...(most !== undefined && { most }),
    witnesses,
  };
  const read = heldWhereListsDiffer(known, rows);
  return { table: withParts(read), verdicts, clock, shortAccounts: shortAccounts(read, rows) };
}

/** Max rows read to infer the formats of a table. */
const VOTING_ROWS = 10_000;

/** Max rows, records or documents processed together: few, so that they die young and cost the collector little. */
export const AT_ONCE = 32;

/** Some rows of a table, with its readers. */
interface RowChunk {
  readonly table: ReadableTable;
  readonly rows: readonly Row[];
  /** Inferred formats, in the first chunk of a table. */
  readonly voted?: VotedTable;
}

/** True if the formats of a table were inferred before. */
const isReadable = (table: HeadedTable): table is ReadableTable => 'parts' in table;

/** Yields the rows below the header of a table. */
async function* dataRows({ source, header }: HeadedTable): AsyncGenerator<readonly Row[]> {
  for await (const rows of source.batches()) {
    await giveTurn();
    yield rows.filter(({ number }) => number >= header.firstDataRow);
  }
}

function* cut(table: ReadableTable, rows: readonly Row[]): Generator<RowChunk> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield { table, rows: rows.slice(at, at + AT_ONCE) };
}

/** Yields the rows of tables in chunks; the formats of a table are inferred once, from its first rows. */
export class FormatDecider {
  private readonly decided = new Map<HeadedTable, VotedTable>();

  constructor(private readonly given: GivenFormats = {}) {}

  async *chunks(headed: HeadedTable): AsyncGenerator<RowChunk> {
    const batches = dataRows(headed);
    if (isReadable(headed)) {
      for await (const rows of batches) yield* cut(headed, rows);
      return;
    }
    try {
      const first: Row[] = [];
      const voted = this.decided.get(headed) ?? (await this.decide(headed, batches, first));
      yield { table: voted.table, rows: [], voted };
      yield* cut(voted.table, first);
      for await (const rows of batches) yield* cut(voted.table, rows);
    } finally {
      await batches.return(undefined);
    }
  }

  /** @param first receives the rows that are read for it */
  private async decide(
    table: HeadedTable,
    batches: AsyncGenerator<readonly Row[]>,
    first: Row[],
  ): Promise<VotedTable> {
    const enough = hasOpenFormats(table, this.given) ? VOTING_ROWS : 1;
    while (first.length < enough) {
      const { done, value } = await batches.next();
      if (done) break;
      first.push(...value);
    }
    const voted = votedTable(table, first, this.given);
    this.decided.set(table, voted);
    return voted;
  }
}

/** Warns of ambiguous cells read by the evidence of other cells: all of them, or none. */
export function formatWarnings({ table, verdicts, shortAccounts: accounts }: VotedTable): readonly Issue[] {
  const placeOf = ({ row, index }: Evidence): Place =>
    cellPlace(table.source, row, index, table.header.labels[index]);
  const short = [...verdicts.values()].flatMap(({ style, by, shortYear }): Issue[] => {
    if (style !== 'dmy' || by === 'declared' || shortYear === undefined) return [];
    const { text } = shortYear;
    const [dmy, ymd] = [readDateText(text, 'dmy'), readDateText(text, 'ymd')];
    if (dmy.kind !== 'date' || ymd.kind !== 'date') return [];
    const params = { dmy: dmy.date, ymd: ymd.date };
    return [{ ...issueOf('format/year-last', 'warning', params, placeOf(shortYear)), value: text }];
  });
  const outvoted = [...verdicts].flatMap(
    ([, { style, isClear, ambiguous, ambiguousCells = 0, witnesses = 0 }]) => {
      if (style === undefined || isClear !== true || ambiguous === undefined) return [];
      const params = { style: FORMAT_NAMES[style], witnesses, cells: ambiguousCells };
      const place = placeOf(ambiguous);
      return [{ ...issueOf('format/read-as-most', 'warning', params, place), value: ambiguous.text }];
    },
  );
  const month = monthOf(table);
  const byMonth = [...verdicts].flatMap(([, { style, by, ambiguous, ambiguousCells = 0 }]): Issue[] => {
    if (style === undefined || by !== 'month' || month === undefined || ambiguous === undefined) return [];
    const params = { style: FORMAT_NAMES[style], month, cells: ambiguousCells };
    const place = placeOf(ambiguous);
    return [{ ...issueOf('format/read-by-month', 'warning', params, place), value: ambiguous.text }];
  });
  return [...outvoted, ...byMonth, ...short, ...accounts];
}

/** Creates a reader that refuses dates whose day and month may be exchanged, unless both are equal. */
const unlessSwapped =
  (read: CellReader, sample: string): CellReader =>
  (text, kind) => {
    if (kind !== 'date' || text.length < 10) return read(text, kind);
    const [year, month, day, rest] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10), text.slice(10)];
    if (month === day) return read(text, kind);
    const other = `${year}-${day}-${month}`;
    return new CellFault('cell/date-swapped', { other, text: sample }, [
      { value: other + rest, score: 0.75 },
    ]);
  };

/** Creates a reader that accepts confirmed names. */
const withNames =
  (read: CellReader, names: ReadonlySet<string>): CellReader =>
  (text, kind) => {
    const value = read(text, kind);
    const isName =
      value instanceof CellFault && value.code === 'cell/null-word-or-name' && names.has(fold(text));
    return isName ? text : value;
  };

/** Returns the max number of fields of a record: that of the header, or of most records if all end in delimiters. */
function mostFields({ header, fields }: HeadedTable, rows: readonly Row[]): number | undefined {
  if (fields !== undefined || header.row.line === undefined) return undefined;
  const lengths = rows.map(({ texts }) => texts.length).sort((a, b) => a - b);
  return Math.max(header.row.texts.length, lengths[Math.floor((lengths.length - 1) / 2)] ?? 0);
}

/** Refuses columns whose words have different meanings in the lists that may apply. */
function heldWhereListsDiffer(table: ReadableTable, rows: readonly Row[]): ReadableTable {
  const repeats = table.repeats.map((part) => heldWhereListsDiffer(part, rows));
  const present = table.present.map((entry) => {
    const { readings = [] } = entry.column;
    if (readings.length === 0) return entry;
    const texts = new Set(rows.flatMap((row) => row.texts[entry.index] ?? []));
    const inColumn = readings.map((list) => ({ list, fault: list.contradiction(texts, table.params) }));
    const held = fewTexts((text) =>
      inColumn
        .filter(({ list }) => list.concerns(text))
        .map(({ list, fault }) => fault ?? list.faultOf(text, table.params))
        .find((fault) => fault !== undefined),
    );
    const read: CellReader = (text, kind) => held(text) ?? entry.read(text, kind);
    return { ...entry, read };
  });
  return { ...table, present, repeats };
}
