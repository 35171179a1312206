import { type CompiledTable, type LocatedTable, type ReadRecord, readRecord } from '../mapping/record.js';
import type { Row } from '../tables/table.js';
import type { Located } from './locate.js';
import { lotsOf, type Notice, slices, TableReader, votedOf } from './read-table.js';
import { type PrepareOptions, type Reading, SILENT, watchFor } from './run.js';
import { type ScreenedDocuments, type ScreenedRows, type Screening, screenedPieces } from './screened.js';

/** A record, what tells of a row that is none, or documents that were screened, and how their records can be had again. */
export type Step =
  | ReadRecord
  | Notice
  | {
      readonly screened: ScreenedDocuments;
      readonly table: LocatedTable;
      readonly records: () => Promise<readonly ReadRecord[]>;
    };

/**
 * Whether rows of the main table can be looked at apart: one table, nothing that depends on all documents before, and nothing looked up
 * but what comes with the parameters.
 */
export function canScreen(options: PrepareOptions, located: Located): boolean {
  const { mapping, follow, complete, edits = [] } = options;
  const [main, ...further] = mapping.mains;
  if (main === undefined || further.length > 0) return false;
  const others = [...mapping.tables.values()].filter(
    ({ slot }) => slot !== main.slot && located.tables.some((one) => one.slot === slot),
  );
  return (
    others.every(({ spec, join }) => spec.param !== undefined && join?.whose.length === 0) &&
    (follow ?? complete) === undefined &&
    edits.length === 0 &&
    located.tables.every(({ slot, fillDown }) => slot !== main.slot || !fillDown?.isOn) &&
    TableReader.canSeparate(main)
  );
}

/** The records of the main table as far as they are to be made documents of here, and what helpers found of the others. */
export async function* stepsOf(reading: Reading, main: CompiledTable): AsyncGenerator<readonly Step[]> {
  for (const source of reading.located.tables.filter(({ slot }) => slot === main.slot)) {
    const screening = source.source.pieces && reading.startScreening?.();
    if (screening === undefined) yield* readSteps(reading, main, source);
    else yield* screenedSteps(reading, main, source, screening);
  }
}

async function* readSteps(
  reading: Reading,
  main: CompiledTable,
  source: LocatedTable,
): AsyncGenerator<readonly Step[]> {
  const watch = watchFor(reading, main);
  const reader = new TableReader(main, watch);
  for await (const { table, rows } of slices(source, reading.options.formats ?? {}, watch))
    yield stepsOfRows(reading, main, source, reader.inOrder(table, rows));
}

function stepsOfRows(
  { batch, cells }: Reading,
  { spec }: CompiledTable,
  source: LocatedTable,
  steps: readonly (ReadRecord | Notice)[],
): readonly Step[] {
  const isRead = (step: ReadRecord | Notice): step is ReadRecord => typeof step !== 'function';
  const records = steps.every(isRead) ? steps : steps.filter(isRead);
  batch.add(records);
  if (spec.param === undefined) cells.add(source, records);
  return steps;
}

async function* screenedSteps(
  reading: Reading,
  main: CompiledTable,
  source: LocatedTable,
  screening: Screening,
): AsyncGenerator<readonly Step[]> {
  const { options, located, cells } = reading;
  const formats = options.formats ?? {};
  const pieces = source.source.pieces!;
  const watch = watchFor(reading, main);
  const table = await votedOf(source, formats, watch);
  if (table === undefined) return;
  const reader = new TableReader(main, watch);
  const stepsAmong = (rows: readonly Row[]): readonly Step[] =>
    stepsOfRows(reading, main, source, reader.inOrder(table, rows));
  const own = await screening.own(located, table);
  let before = 0;
  let isWhole = true;
  for await (const one of screenedPieces(source.number, pieces.all(), screening.helpers, own)) {
    if (one === undefined) {
      isWhole = false;
      break;
    }
    const { piece, found } = one;
    let data: Promise<readonly Row[]> | undefined;
    const again = (from: number, to: number): Promise<readonly Row[]> => {
      data ??= dataRows(pieces.rows(piece), table); // once for all of the piece
      return data.then((rows) => rows.slice(from, to));
    };
    const recordsAgain = async (from: number, to: number): Promise<readonly ReadRecord[]> =>
      (await again(from, to)).map((row) => readRecord(table, row));
    let at = 0;
    for (const part of found.parts) {
      if (!('documents' in part)) {
        for (const rows of lotsOf(part)) yield stepsAmong(rows);
        at += part.length;
        continue;
      }
      if (reader.isBelowOther) {
        for (const rows of lotsOf(await again(at, at + part.rows))) yield stepsAmong(rows);
        at += part.rows;
        continue;
      }
      reader.take(part.rows, part.control);
      cells.take(source, table, part.census);
      yield stepsIn(table, part, at, recordsAgain);
      at += part.rows;
    }
    before += found.rows;
  }
  if (isWhole) return;
  // What is left, or all of it, can only be read from the top.
  let skipped = 0;
  for await (const { rows } of slices(table, formats, SILENT)) {
    const left = rows.slice(Math.max(0, before - skipped));
    skipped += rows.length;
    if (left.length > 0) yield stepsAmong(left);
  }
}

async function dataRows(
  all: AsyncIterable<readonly Row[] | undefined>,
  { header: { firstDataRow } }: LocatedTable,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const some of all) for (const row of some!) if (row.number >= firstDataRow) rows.push(row);
  return rows;
}

function stepsIn(
  table: LocatedTable,
  { documents }: ScreenedRows,
  first: number,
  again: (from: number, to: number) => Promise<readonly ReadRecord[]>,
): readonly Step[] {
  let at = first;
  return documents.flatMap((one): readonly Step[] => {
    const from = at;
    at += 'records' in one ? one.records : one.length;
    const to = at;
    return 'records' in one
      ? [{ screened: one, table, records: () => again(from, to) }]
      : one.map((row) => readRecord(table, row));
  });
}

export const isReadRecord = (step: Step): step is ReadRecord =>
  typeof step !== 'function' && !('screened' in step);
