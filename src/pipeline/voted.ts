import type { Formats } from '../generated/mapping-types.js';
import type { Place } from '../issues/issue.js';
import type { CompiledColumn, Trust } from '../mapping/columns.js';
import { withReaders } from '../mapping/located.js';
import type { CellReader } from '../mapping/read/cell-reader.js';
import { fewTexts } from '../mapping/read/few-texts.js';
import type { LocatedTable } from '../mapping/record.js';
import { type Verdict, type Voter, voteFormats } from '../mapping/vote/vote-formats.js';
import { cellPlace, type Row } from '../source/table.js';

/** How the texts of a table are read, and by what evidence. */
export interface VotedTable {
  readonly table: LocatedTable;
  readonly verdicts: ReadonlyMap<CompiledColumn, Verdict>;
}

/** Formats that the caller answered, stronger than any vote. */
export type GivenFormats = Pick<Formats, 'decimal' | 'date'>;

const votersOf = (table: LocatedTable, given: GivenFormats): { voter: Voter; column: CompiledColumn }[] =>
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

/** Whether any column is read in a way that its records decide. */
export const hasOpenFormats = (table: LocatedTable, given: GivenFormats): boolean =>
  votersOf(table, given).some(({ voter }) => voter.declared === undefined) ||
  [table, ...table.repeats].some(({ present }) => present.some(({ column }) => column.readings?.length));

const isDated = ({ type }: CompiledColumn): boolean => type === 'date' || type === 'datetime';

/** How far the style of a column settles what could be read two ways. */
function trustIn({ by, against, decimals = 0 }: Verdict, { kind }: CompiledColumn): Trust {
  if (by !== 'column') return {};
  // Who writes thousands with the other mark may have meant thousands here too, unless decimals are shown as well.
  const thousandths = kind === 'money' || kind === 'integer' ? decimals >= 3 : decimals > 0;
  return { mixed: against !== undefined, thousandths };
}

/** Decides the decimal mark and the order of dates from the first records, and gives the table readers that know. */
export function votedTable(table: LocatedTable, rows: readonly Row[], given: GivenFormats = {}): VotedTable {
  const voters = votersOf(table, given);
  const found = voteFormats(
    voters.map(({ voter }) => voter),
    rows,
  );
  const verdicts = new Map<CompiledColumn, Verdict>();
  for (const { voter, column } of voters)
    if (!verdicts.has(column)) verdicts.set(column, found.get(voter.id)!);
  const witnesses = new Map<CompiledColumn, Place>();
  for (const [column, { evidence }] of verdicts)
    if (evidence !== undefined)
      witnesses.set(
        column,
        cellPlace(table.source, evidence.row, evidence.index, table.header.labels[evidence.index]),
      );
  const readerOf = (column: CompiledColumn) => {
    const verdict = verdicts.get(column);
    if (verdict?.style === undefined) return undefined;
    return column.readAs?.(
      column.type === 'decimal' ? { decimal: verdict.style as 'comma' } : { date: verdict.style as 'dmy' },
      trustIn(verdict, column),
    );
  };
  return { table: heldWhereListsDiffer({ ...withReaders(table, readerOf), witnesses }, rows), verdicts };
}

/** Columns of which the words waver between lists are held: what means one thing in one and another in the other cannot be told. */
function heldWhereListsDiffer(table: LocatedTable, rows: readonly Row[]): LocatedTable {
  const repeats = table.repeats.map((part) => heldWhereListsDiffer(part, rows));
  const present = table.present.map((one) => {
    const { readings = [] } = one.column;
    if (readings.length === 0) return one;
    const texts = new Set(rows.flatMap((row) => row.texts[one.index] ?? []));
    const inColumn = readings.map((list) => ({ list, fault: list.contradiction(texts, table.params) }));
    const held = fewTexts((text) =>
      inColumn
        .filter(({ list }) => list.concerns(text))
        .map(({ list, fault }) => fault ?? list.contradiction([text], table.params))
        .find((fault) => fault !== undefined),
    );
    const read: CellReader = (text, kind) => held(text) ?? one.read(text, kind);
    return { ...one, read };
  });
  return { ...table, present, repeats };
}
