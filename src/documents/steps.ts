import type { CompiledTable, LocatedTable, ReadRecord } from '../mapping/record.js';
import { type Notice, slices, TableReader } from './read-table.js';
import { type Reading, watchFor } from './run.js';

/** A record, or what tells of a row that is none. */
export type Step = ReadRecord | Notice;

export const isReadRecord = (step: Step): step is ReadRecord => typeof step !== 'function';

/** Reads the records of the main table in order, and between them what tells of other rows. */
export async function* stepsOf(reading: Reading, main: CompiledTable): AsyncGenerator<readonly Step[]> {
  for (const source of reading.located.tables.filter(({ slot }) => slot === main.slot))
    yield* stepsIn(reading, main, source);
}

async function* stepsIn(
  reading: Reading,
  main: CompiledTable,
  source: LocatedTable,
): AsyncGenerator<readonly Step[]> {
  const { batch, cells, options } = reading;
  const watch = watchFor(reading, main);
  const reader = new TableReader(main, watch);
  for await (const { table, rows } of slices(source, options.formats ?? {}, watch)) {
    const steps = reader.inOrder(table, rows);
    const records = steps.every(isReadRecord) ? steps : steps.filter(isReadRecord);
    batch.add(records);
    if (main.spec.param === undefined) cells.add(source, records);
    yield steps;
  }
}
