import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledTable, type ReadRecord, recordContext } from '../mapping/record.js';
import { CellAccounting } from './cells.js';
import { AT_ONCE, FormatDecider } from './decide.js';
import { filled } from './footers.js';
import { isReadable, keyColumns, RecordGroups, saysNoKey } from './groups.js';
import { closeInputs, openInputs } from './inputs.js';
import { isRecord, type JoinedTable, joinedTablesOf, plainKeyText } from './joined-tables.js';
import { foundBefore, locate } from './locate.js';
import { areContiguous, lookAhead } from './look-ahead.js';
import { FEW_RECORDS, Maker } from './maker.js';
import { faultOfRecord, type RowStep, recordsIn } from './read.js';
import { displayName, placesOf } from './record-document.js';
import { type PrepareEvent, type PrepareOptions, type Reading, stepsOf, Tally, tellStep } from './run.js';
import { TextChanges } from './text-changes.js';
import { createBatchChecks } from './totals.js';

/** read → map → validate. Streams: slices of records in, their events out. */
export async function* prepare(options: PrepareOptions): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping, params } = options;
  const tally = new Tally();
  let joinedTables: readonly JoinedTable[] = [];
  const known = options.located && foundBefore(options.located);
  const inputs = options.inputs ?? (known ? [] : await openInputs(options.files, options.edits));
  try {
    const located = known ?? (await locate(mapping, inputs, params, options));
    joinedTables = joinedTablesOf(mapping, located.tables);
    for (const issue of located.issues) tally.issue(issue);
    for (const { place, note } of located.leftAside) tally.tell({ kind: 'skipped', place, note });
    for (const file of inputs.flatMap((input) => input.passedOver ?? []))
      tally.tell({ kind: 'skipped', place: { file }, note: { key: 'no-data' } });
    const batch = createBatchChecks(mapping, params.values, located.present);
    const cells = new CellAccounting(mapping, options.chosen !== undefined, located.issues);
    const changes = new TextChanges();
    const formats = new FormatDecider(options.formats);
    const reading: Reading = { options, tally, located, formats, batch, cells, changes };
    const hasMain = located.tables.some(({ slot }) => mapping.mains.some((main) => main.slot === slot));
    if (hasMain) {
      yield* gatherJoined(reading, joinedTables);
      const foreseeing = joinedTables.filter(({ isForeseeing }) => isForeseeing);
      await lookAhead(reading, [...foreseeing, ...batch.foreseeing]);
      for (const one of foreseeing)
        for (const record of one.handOver()) refuseJoined(reading, one.table, record);
      const maker = new Maker(reading, joinedTables);
      yield* mapping.onePer === 'record' ? eachRecord(reading, maker) : eachGroup(reading, maker);
      finishJoined(joinedTables, tally);
      for (const issue of maker.finish()) tally.issue(issue);
      for (const issue of batch.finish()) tally.issue(issue);
    }
    const { columns, issues } = cells.finish();
    for (const issue of [...changes.issues(), ...issues]) tally.issue(issue);
    const { records, documents } = tally;
    yield [...tally.drain(), { kind: 'end', records, documents, columns, defaults: params.defaults }];
  } finally {
    for (const joinedTable of joinedTables) joinedTable.close();
    await closeInputs(inputs);
  }
}

/** A record of another table than those that make documents: it cannot be read, and no document is known to be its own. */
function refuseJoined({ tally }: Reading, table: CompiledTable, record: ReadRecord): void {
  tally.issue(faultOfRecord(record)!);
  if (isRecord(table, record.row)) tally.records.heldBack += 1;
}

/** Reads the tables that documents look up, and those that only state totals. */
async function* gatherJoined(
  reading: Reading,
  joinedTables: readonly JoinedTable[],
): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping } = reading.options;
  for (const table of mapping.tables.values()) {
    if (table.parent !== undefined || mapping.mains.includes(table)) continue;
    const joinedTable = joinedTables.find((one) => one.table === table);
    for await (const { steps } of stepsOf(reading, table)) {
      for (const step of steps) tellStep(reading, table, step);
      for (const record of recordsIn(steps)) {
        if (!isReadable(record)) {
          // A file of its own is nobody's services.
          const isOwed = record.row.file === undefined && joinedTable?.lose(record) === true;
          if (!isOwed) refuseJoined(reading, table, record);
        } else if (joinedTable !== undefined) joinedTable.add(record);
        else if (isRecord(table, record.row)) reading.tally.records.skipped += 1;
      }
      yield reading.tally.drain();
    }
  }
}

/** Documents that wait for others, to be made side by side; of what stands below them is told afterwards. */
class Waiting {
  private some: (readonly ReadRecord[])[] = [];
  private records = 0;

  constructor(private readonly maker: Maker) {}

  /** Gives a promise where making does: a tick of its own for each document costs. */
  add(own: readonly ReadRecord[]): Promise<void> | undefined {
    this.some.push(own);
    this.records += own.length;
    return this.some.length < AT_ONCE && this.records < FEW_RECORDS ? undefined : this.make();
  }

  make(): Promise<void> | undefined {
    const { some } = this;
    if (some.length === 0) return undefined;
    this.some = [];
    this.records = 0;
    return this.maker.make(some);
  }
}

/** Rows that are no records between those of one document, at most. */
const MOST_BETWEEN = 100;

/** Whether a record without key is plainly not of the one above it: it names another person, and is filled like it. */
const isAnother = (mapping: LoadedMapping, above: ReadRecord, below: ReadRecord): boolean => {
  const [name, other] = [above, below].map((record) => displayName(mapping, recordContext(record)));
  return (
    other !== undefined &&
    other !== name &&
    2 * filled(below.row.texts).length >= filled(above.row.texts).length
  );
};

/** The same steps, each record once the next one is known: where that may be a part of it, the maker is told. */
async function* withNextKnown(
  all: ReturnType<typeof stepsOf>,
  { mapping }: PrepareOptions,
  maker: Maker,
): AsyncGenerator<readonly RowStep[]> {
  const keys = keyColumns(mapping);
  let above: Extract<RowStep, { is: 'record' }> | undefined;
  let between: RowStep[] = [];
  for await (const { steps } of all) {
    const known: RowStep[] = [];
    for (const step of steps) {
      if (step.is !== 'record' && above !== undefined && between.length < MOST_BETWEEN) {
        between.push(step);
        continue;
      }
      const below = step.is === 'record' && saysNoKey(keys, step.record) ? step.record : undefined;
      if (below !== undefined && above?.record.table.number === below.table.number) {
        if (!isAnother(mapping, above.record, below)) maker.doubt(above.record, below);
      }
      if (above !== undefined) known.push(above, ...between);
      above = step.is === 'record' && below === undefined ? step : undefined;
      between = [];
      if (above === undefined) known.push(step);
    }
    yield known;
  }
  if (above !== undefined) yield [above, ...between];
}

async function* eachRecord(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const [main] = reading.options.mapping.mains;
  const waiting = new Waiting(maker);
  for await (const steps of withNextKnown(stepsOf(reading, main!), reading.options, maker)) {
    for (const step of steps) {
      const made = step.is === 'record' ? waiting.add([step.record]) : waiting.make();
      if (made !== undefined) await made;
      tellStep(reading, main!, step);
    }
    await waiting.make();
    yield reading.tally.drain();
  }
}

async function* eachGroup(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const contiguous = await areContiguous(reading);
  yield* contiguous ? eachRun(reading, maker) : eachStored(reading, maker);
}

/** Documents of records that stand together: each ends where the next one begins. */
async function* eachRun(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const { mains, key } = reading.options.mapping;
  const [main] = mains;
  const columns = key.map((id) => main!.columns.get(id)!);
  const waiting = new Waiting(maker);
  let current: string | undefined;
  let own: ReadRecord[] | undefined;
  const finish = (): Promise<void> | undefined => {
    const records = own;
    own = undefined;
    current = undefined;
    return records && waiting.add(records);
  };
  const refuse = async (record: ReadRecord): Promise<void> => {
    await waiting.make();
    maker.refuse(record);
  };
  const add = (record: ReadRecord): Promise<void> | undefined => {
    const text = plainKeyText(record.values, columns);
    if (text === undefined) return refuse(record);
    if (own !== undefined && text === current) {
      own.push(record);
      return undefined;
    }
    const made = finish();
    current = text;
    own = [record];
    return made;
  };
  for await (const { steps } of stepsOf(reading, main!)) {
    for (const step of steps) {
      const made = step.is === 'record' ? add(step.record) : waiting.make();
      if (made !== undefined) await made;
      tellStep(reading, main!, step);
    }
    yield reading.tally.drain();
  }
  await finish();
  await waiting.make();
  yield reading.tally.drain();
}

async function* eachStored(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping } = reading.options;
  const groups = new RecordGroups(mapping, (record) => maker.refuse(record));
  const waiting = new Waiting(maker);
  try {
    for (const main of mapping.mains)
      for await (const { steps, source } of stepsOf(reading, main)) {
        for (const step of steps) tellStep(reading, main, step);
        for (const record of recordsIn(steps)) groups.add(record, source);
        yield reading.tally.drain();
      }
    const lack = groups.finish();
    if (lack !== undefined) maker.lack(lack);
    let count = 0;
    for (const { records, why, isIdle } of groups.all()) {
      if (isIdle) {
        reading.tally.records.skipped += records.length;
        for (const one of placesOf(records))
          reading.tally.tell({ kind: 'skipped', place: one, note: { key: 'idle' } });
        continue;
      }
      if (why.length > 0) maker.hold(records, why);
      await waiting.add(records);
      count += 1;
      if (count % AT_ONCE === 0) yield reading.tally.drain();
    }
    await waiting.make();
    for (const issue of groups.idle()) reading.tally.issue(issue);
    yield reading.tally.drain();
  } finally {
    groups.close();
  }
}

/** Records that no document asked for, and what became of the others. */
function finishJoined(joinedTables: readonly JoinedTable[], tally: Tally): void {
  for (const joinedTable of joinedTables) {
    const { issues, skipped, counts } = joinedTable.finish();
    for (const issue of issues) tally.issue(issue);
    if (joinedTable.table.spec.param !== undefined) continue;
    for (const place of skipped) tally.tell({ kind: 'skipped', place, note: { key: 'unasked' } });
    tally.records.used += counts.used;
    tally.records.skipped += counts.skipped;
    tally.records.heldBack += counts.heldBack;
    tally.documents.planned += counts.orphans;
    tally.documents.heldBack += counts.orphans;
  }
}
