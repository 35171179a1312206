import {
  type ColumnAccount,
  type DocumentCounts,
  noDocuments,
  noRecords,
  type RecordCounts,
} from '../document/accounting.js';
import type { Draft } from '../document/draft.js';
import type { Issue, Place } from '../issues/issue.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues, ResolvedParams } from '../mapping/params.js';
import type { LocatedTable, ReadRecord } from '../mapping/record.js';
import type { CompiledTable } from '../mapping/tables.js';
import type { InputFile } from '../source/table.js';
import { createBatchChecks } from './batch-checks.js';
import { CellAccounting } from './cells.js';
import type { Complete } from './check-document.js';
import type { Follow } from './follow.js';
import { createGroups } from './groups.js';
import { closeInputs, openInputs } from './inputs.js';
import { type Located, locate } from './locate.js';
import { createMaker, type Maker } from './make-document.js';
import { faultOfRecord, readTable, type TableWatch } from './read-table.js';
import { createSides, isRecord, keyText, type Side } from './sides.js';
import { expectAskers, standTogether } from './together.js';
import type { GivenFormats, VotedTable } from './voted.js';

export interface PrepareOptions {
  readonly files: readonly string[];
  /** Read instead of `files`, and closed at the end: tables that are in memory already. */
  readonly inputs?: readonly InputFile[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** How texts are read where the mapping does not say: answers to what a vote left open. */
  readonly formats?: GivenFormats;
  /** Day of the run, for rules about it; they are silent without. */
  readonly today?: string;
  /** Fills in what the records leave blank and the caller knows, before a document is checked. */
  readonly complete?: Complete;
  /** Decides what becomes of a good document, given those before it; it then knows what is repeated, too. */
  readonly follow?: Follow;
  /** The mapping was picked by itself: its name. Nobody has said that it knows every column of the files. */
  readonly chosen?: string;
}

/** What happens on the way from files to documents, in order; `end` comes last. */
export type PrepareEvent =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'document'; readonly draft: Draft }
  | {
      readonly kind: 'held-back';
      readonly key: string;
      readonly name?: string;
      readonly places: readonly Place[];
    }
  | { readonly kind: 'skipped'; readonly place: Place; readonly note: string }
  | { readonly kind: 'formats'; readonly voted: VotedTable }
  | {
      readonly kind: 'end';
      readonly records: RecordCounts;
      readonly documents: DocumentCounts;
      /** Every filled column. */
      readonly columns: readonly ColumnAccount[];
      /** Parameters that the run did not give, with the values used. */
      readonly defaults: ParamValues;
    };

/** What the steps of a run share: its counts, and what is to be told. */
export class Tally {
  readonly records = noRecords();
  readonly documents = noDocuments();
  private events: PrepareEvent[] = [];

  tell(event: PrepareEvent): void {
    this.events.push(event);
  }

  issue(issue: Issue): void {
    this.events.push({ kind: 'issue', issue });
  }

  /** What was told since the last time. */
  told(): readonly PrepareEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

const PASSED_OVER = 'no es un archivo de datos / no file of data';

/** read → map → validate. Streams: slices of records in, their events out. */
export async function* prepare(options: PrepareOptions): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping, params } = options;
  const tally = new Tally();
  let sides: readonly Side[] = [];
  const inputs = options.inputs ?? (await openInputs(options.files));
  try {
    const located = await locate(mapping, inputs, params);
    sides = createSides(mapping, located.tables);
    for (const issue of located.issues) tally.issue(issue);
    for (const { place, note } of located.leftAside) tally.tell({ kind: 'skipped', place, note });
    for (const file of inputs.flatMap((input) => input.passedOver ?? []))
      tally.tell({ kind: 'skipped', place: { file }, note: PASSED_OVER });
    const batch = createBatchChecks(mapping, params.values);
    const cells = new CellAccounting(mapping, options.chosen !== undefined, located.issues);
    const reading: Reading = { options, tally, located, batch, cells };
    const hasMain = located.tables.some(({ slot }) => mapping.mains.some((main) => main.slot === slot));
    if (hasMain) {
      yield* gatherSides(reading, sides);
      await expectAskers(mapping, located.tables, options.formats ?? {}, sides);
      const maker = createMaker(options, located, sides, tally, cells);
      yield* mapping.onePer === 'record' ? eachRecord(reading, maker) : eachGroup(reading, maker);
      finishSides(sides, tally);
      for (const issue of maker.finish()) tally.issue(issue);
      for (const issue of batch.finish()) tally.issue(issue);
    }
    const { columns, issues } = cells.finish();
    for (const issue of issues) tally.issue(issue);
    const { records, documents } = tally;
    yield [...tally.told(), { kind: 'end', records, documents, columns, defaults: params.defaults }];
  } finally {
    for (const side of sides) side.close();
    await closeInputs(inputs);
  }
}

interface Reading {
  readonly options: PrepareOptions;
  readonly tally: Tally;
  readonly located: Located;
  readonly batch: ReturnType<typeof createBatchChecks>;
  readonly cells: CellAccounting;
}

const watchFor = ({ tally, options }: Reading, table: CompiledTable): TableWatch => ({
  read: (row) => {
    if (options.mapping.mains.includes(table) || isRecord(table, row)) tally.records.read += 1;
  },
  skipped(place, note) {
    if (table.spec.param !== undefined) return;
    if (!table.join?.every) tally.records.skipped += 1;
    tally.tell({ kind: 'skipped', place, note });
  },
  issue: (issue) => tally.issue(issue),
  voted: (voted) => tally.tell({ kind: 'formats', voted }),
});

/** The data records of one table of the mapping, from every sheet that holds it. */
async function* recordsOfTable(
  reading: Reading,
  table: CompiledTable,
): AsyncGenerator<{ records: readonly ReadRecord[]; source: LocatedTable }> {
  for (const source of reading.located.tables.filter(({ slot }) => slot === table.slot))
    for await (const records of readTable(
      table,
      source,
      reading.options.formats ?? {},
      watchFor(reading, table),
    )) {
      reading.batch.add(records);
      if (table.spec.param === undefined) reading.cells.add(source, records);
      yield { records, source };
    }
}

/** Reads the tables that documents look up, and those that only state totals. */
async function* gatherSides(
  reading: Reading,
  sides: readonly Side[],
): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping } = reading.options;
  for (const table of mapping.tables.values()) {
    if (table.parent !== undefined || mapping.mains.includes(table)) continue;
    const side = sides.find((one) => one.table === table);
    for await (const { records } of recordsOfTable(reading, table)) {
      for (const record of records) {
        const fault = faultOfRecord(record);
        if (fault !== undefined) {
          reading.tally.issue(fault);
          if (isRecord(table, record.row)) reading.tally.records.heldBack += 1;
        } else if (side !== undefined) side.add(record);
        else if (isRecord(table, record.row)) reading.tally.records.skipped += 1;
      }
      yield reading.tally.told();
    }
  }
}

async function* eachRecord(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const [main] = reading.options.mapping.mains;
  for await (const { records } of recordsOfTable(reading, main!)) {
    for (const record of records) maker.make([record]);
    yield reading.tally.told();
  }
}

/** Documents that are made between two batches of events. */
const AT_ONCE = 32;

async function* eachGroup(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const { options, located } = reading;
  const together = await standTogether(options.mapping, located.tables, options.formats ?? {});
  yield* together ? eachRun(reading, maker) : eachStored(reading, maker);
}

/** Documents of records that stand together: each is made when the next one begins. */
async function* eachRun(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const { mains, key } = reading.options.mapping;
  const [main] = mains;
  const positions = key.map((id) => main!.columns.get(id)!.position);
  let current: string | undefined;
  let own: ReadRecord[] = [];
  for await (const { records } of recordsOfTable(reading, main!)) {
    for (const record of records) {
      const text = keyText(positions.map((position) => record.values[position]));
      if (text === undefined) {
        maker.refuse(record);
        continue;
      }
      if (text !== current && own.length > 0) {
        maker.make(own);
        own = [];
      }
      current = text;
      own.push(record);
    }
    yield reading.tally.told();
  }
  if (own.length > 0) maker.make(own);
  yield reading.tally.told();
}

async function* eachStored(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const groups = createGroups(reading.options.mapping);
  try {
    for (const main of reading.options.mapping.mains)
      for await (const { records } of recordsOfTable(reading, main)) {
        for (const record of records) if (!groups.add(record)) maker.refuse(record);
        yield reading.tally.told();
      }
    let made = 0;
    for (const records of groups.all()) {
      maker.make(records);
      made += 1;
      if (made % AT_ONCE === 0) yield reading.tally.told();
    }
    yield reading.tally.told();
  } finally {
    groups.close();
  }
}

/** Records that no document asked for, and what became of the others. */
function finishSides(sides: readonly Side[], tally: Tally): void {
  for (const side of sides) {
    const { issues, skipped, counts } = side.finish();
    for (const issue of issues) tally.issue(issue);
    if (side.table.spec.param !== undefined) continue;
    for (const place of skipped)
      tally.tell({ kind: 'skipped', place, note: 'sin documento / without a document' });
    tally.records.used += counts.used;
    tally.records.skipped += counts.skipped;
    tally.records.heldBack += counts.heldBack;
    tally.documents.planned += counts.orphans;
    tally.documents.heldBack += counts.orphans;
  }
}
