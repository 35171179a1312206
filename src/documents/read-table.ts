import { type Issue, issueOf, type Place } from '../core/issue.js';
import type { Formats } from '../generated/mapping-types.js';
import { rowPlace } from '../mapping/places.js';
import { type CellReader, fewTexts } from '../mapping/read/cell.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type LocatedTable,
  type ReadRecord,
  readRecord,
  recordContext,
  type Skip,
  type Trust,
  withReaders,
} from '../mapping/record.js';
import { type Verdict, type Voter, voteFormats } from '../mapping/vote.js';
import { fieldCountIssue, isRepeatedHeader } from '../tables/header.js';
import { cellPlace, type Row } from '../tables/table.js';
import { Footers } from './footers.js';
import { ControlTotals } from './totals.js';

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
const hasOpenFormats = (table: LocatedTable, given: GivenFormats): boolean =>
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
function votedTable(table: LocatedTable, rows: readonly Row[], given: GivenFormats = {}): VotedTable {
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

/** Told what a table holds besides data records. */
export interface TableWatch {
  /** A record with content, data or not. */
  read(row: Row): void;
  skipped(place: Place, note: string): void;
  issue(issue: Issue): void;
  voted(voted: VotedTable): void;
}

/** Leaves out columns that are of no interest, once the formats of all are known. */
export type Narrow = (table: LocatedTable) => LocatedTable;

/** Rows that are looked at before the formats of a table are decided. */
const VOTING_ROWS = 10_000;

/** Records that live at once: few, so that they die young and cost the collector little. */
const AT_ONCE = 32;

const NOTES = {
  hidden: 'fila oculta / hidden row',
  header: 'encabezado repetido / repeated header',
  signature: 'pie de página / footer',
  note: 'nota / note',
  heading: 'título de grupo / heading of a group',
  total: 'fila de totales / row of totals',
  unknown: 'sin documento ni valores / without identification and amounts',
  after: 'después del final de la tabla / after the end of the table',
} as const;

/** The data rows of a table in slices, after its formats were voted over the first of them. */
async function* slices(
  table: LocatedTable,
  given: GivenFormats,
  watch: TableWatch,
  narrow: Narrow | undefined,
): AsyncGenerator<{ table: LocatedTable; rows: readonly Row[] }> {
  let first: Row[] | undefined = [];
  let voted = table;
  const enough = hasOpenFormats(table, given) ? VOTING_ROWS : 1;
  const vote = (): Row[] => {
    const rows = first!;
    first = undefined;
    const decided = votedTable(table, rows, given);
    watch.voted(decided);
    voted = narrow === undefined ? decided.table : narrow(decided.table);
    return rows;
  };
  for await (const batch of table.source.batches()) {
    let rows = batch.filter(({ number }) => number >= table.header.firstDataRow);
    if (first !== undefined) {
      first.push(...rows);
      if (first.length < enough) continue;
      rows = vote();
    }
    for (let at = 0; at < rows.length; at += AT_ONCE)
      yield { table: voted, rows: rows.slice(at, at + AT_ONCE) };
  }
  if (first === undefined) return;
  const rows = vote();
  for (let at = 0; at < rows.length; at += AT_ONCE)
    yield { table: voted, rows: rows.slice(at, at + AT_ONCE) };
}

/** The data records of a table in slices; all else is counted, told and left out. */
export async function* readTable(
  compiled: CompiledTable,
  located: LocatedTable,
  given: GivenFormats,
  watch: TableWatch,
  narrow?: Narrow,
): AsyncGenerator<readonly ReadRecord[]> {
  const totals = new ControlTotals(compiled);
  const footers = new Footers(compiled);
  const { spec, skips } = compiled;
  const blankRows = spec.stop?.blank_rows;
  let last: number | undefined;
  let ended = false;
  for await (const { table, rows } of slices(located, given, watch, narrow)) {
    const records: ReadRecord[] = [];
    for (const row of rows) {
      watch.read(row);
      if (blankRows !== undefined && last !== undefined && row.number - last > blankRows) ended = true;
      last = row.number;
      const skip = (note: string): void => watch.skipped(rowPlace(table, row), note);
      if (ended) {
        skip(NOTES.after);
        continue;
      }
      if (isRepeatedHeader(table.header, row)) {
        skip(NOTES.header);
        continue;
      }
      if (row.hidden && spec.hidden_rows === 'skip') {
        skip(NOTES.hidden);
        continue;
      }
      const record = readRecord(table, row);
      const reason = skipOf(skips, record);
      if (reason !== undefined) {
        skip(reason.note);
        for (const issue of totals.compare(record, reason)) watch.issue(issue);
        continue;
      }
      const footer = footers.find(record);
      if (footer !== undefined) {
        skip(`${NOTES[footer.kind]}: ${footer.text}`);
        if (footer.issue !== undefined) watch.issue(footer.issue);
        if (footer.control)
          for (const issue of totals.compareFooter(record, footer.subtotal)) watch.issue(issue);
        continue;
      }
      if (totals.wanted) totals.add(record);
      records.push(record);
    }
    yield records;
  }
}

/** Why a record is no data, if so. */
function skipOf(skips: readonly Skip[], record: ReadRecord): Skip | undefined {
  if (skips.length === 0) return undefined;
  const context = recordContext(record);
  for (const skip of skips) if (skip.when.read(context) === true) return skip;
  return undefined;
}

/** A hidden row that counts as data is worth a word. */
export function hiddenRow({ table, row }: ReadRecord, key: string): Issue {
  return {
    code: 'row/hidden',
    level: 'warning',
    params: {},
    place: { ...rowPlace(table, row), column: 'A' },
    documentKey: key,
  };
}

/** Why nothing of a record can be trusted, if so: its columns have shifted, or it is a file that cannot be read. */
export function faultOfRecord({ table, row }: ReadRecord): Issue | undefined {
  if (row.fault !== undefined)
    return issueOf(row.fault.code, 'error', row.fault.params, rowPlace(table, row));
  return table.fields && fieldCountIssue(table.source, row, table.fields);
}
