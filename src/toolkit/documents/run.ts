import type { LoadedMapping } from '../mapping/load.js';
import type { InputFile } from '../tables/table.js';
import { checkMapped, createChecks, mapChunk } from './check.js';
import { isReadable } from './document-keys.js';
import { Emitter } from './emit.js';
import { chunksOf, groupRecords } from './group.js';
import { type JoinedTable, joinedTablesOf } from './joined-tables.js';
import { type Located, locate } from './locate.js';
import { lookAhead } from './look-ahead.js';
import type { Hooks, Plan, PrepareEvent } from './phases.js';
import { recordsIn } from './read.js';
import { RunReader } from './run-reader.js';

/**
 * Makes documents of files: locate → read → group → map → check → emit. Streams, so that memory does not grow with the
 * files.
 */
export async function* run(
  plan: Plan,
  inputs: readonly InputFile[],
  hooks: Hooks = {},
): AsyncGenerator<readonly PrepareEvent[]> {
  yield* runLocated(plan, await locate(plan.mapping, inputs, plan.params, plan), hooks);
}

/** Makes documents of located tables. */
export async function* runLocated(
  plan: Plan,
  located: Located,
  { complete, follow, onRow, atOnce }: Hooks = {},
): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping, params } = plan;
  const reader = new RunReader(plan, located, onRow);
  const checks = createChecks(plan, located);
  const emitter = new Emitter(checks, reader, follow);
  const joinedTables = joinedTablesOf(mapping, located.tables);
  try {
    emitter.begin(located);
    if (mapping.mains.some((main) => reader.sourcesOf(main).length > 0)) {
      yield* readOtherTables(mapping, reader, joinedTables, emitter);
      await foresee(mapping, reader, joinedTables, emitter);
      for await (const chunk of chunksOf(groupRecords(plan, reader, joinedTables), atOnce)) {
        const mapped = mapChunk(checks, chunk);
        if (complete !== undefined)
          for (const { group, draft } of mapped) await draft?.complete(complete, group.key);
        yield await emitter.take(chunk, checkMapped(checks, mapped));
      }
      yield await emitter.endSequence();
      emitter.endDocuments(joinedTables);
    }
    yield emitter.end(params.defaults);
  } finally {
    for (const joinedTable of joinedTables) joinedTable.close();
  }
}

/** Reads joined tables, and tables that only state totals. */
async function* readOtherTables(
  { tables, mains }: LoadedMapping,
  reader: RunReader,
  joinedTables: readonly JoinedTable[],
  emitter: Emitter,
): AsyncGenerator<readonly PrepareEvent[]> {
  for (const table of tables.values()) {
    if (table.parent !== undefined || mains.includes(table)) continue;
    const joinedTable = joinedTables.find((entry) => entry.table === table);
    for await (const { steps } of reader.read(table)) {
      for (const step of steps) emitter.besideStep(table, step);
      for (const record of recordsIn(steps)) {
        if (!isReadable(record)) {
          // A separate file holds no services of a document.
          const isOwed = record.row.file === undefined && joinedTable?.lose(record) === true;
          if (!isOwed) emitter.unreadBeside(table, record);
        } else if (joinedTable !== undefined) joinedTable.add(record);
        else emitter.stating(table, record);
      }
      yield emitter.drain();
    }
  }
}

/** Reads the main tables for observers that must see all records before the first document. */
async function foresee(
  mapping: LoadedMapping,
  reader: RunReader,
  joinedTables: readonly JoinedTable[],
  emitter: Emitter,
): Promise<void> {
  const foreseeing = joinedTables.filter(({ isForeseeing }) => isForeseeing);
  await lookAhead(mapping, reader, [...foreseeing, ...reader.batch.foreseeing]);
  for (const joinedTable of foreseeing)
    for (const record of joinedTable.handOver()) emitter.unreadBeside(joinedTable.table, record);
}
