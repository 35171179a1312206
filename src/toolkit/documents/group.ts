import type { Issue } from '../core/issue.js';
import type { NonEmpty } from '../core/non-empty.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { type CompiledTable, type ReadRecord, recordContext } from '../mapping/record.js';
import { AT_ONCE } from './decide.js';
import {
  isReadable,
  type KeyColumns,
  keyBlankBelow,
  keyColumns,
  keyOf,
  missingKeyIssues,
  otherZeros,
  saysNoKey,
} from './document-keys.js';
import { filled } from './footers.js';
import { gather } from './gather.js';
import { type JoinedTable, plainKeyText } from './joined-tables.js';
import { areAdjacent } from './look-ahead.js';
import type { Group, OtherStep, Step } from './phases.js';
import { faultOfRecord, type RowStep } from './read.js';
import { displayName, placesOf } from './record-document.js';
import type { RunReader } from './run-reader.js';
import { StoredGroups } from './stored-groups.js';

interface GroupSite {
  readonly mapping: LoadedMapping;
  readonly params: ParamValues;
  readonly keys: KeyColumns;
  readonly joinedTables: readonly JoinedTable[];
  readonly reader: RunReader;
  readonly lacks: readonly Issue[];
}

/** Groups the records of the main tables by document, and joins other tables. */
export async function* groupRecords(
  { mapping, params }: Pick<GroupSite, 'mapping'> & { readonly params: { readonly values: ParamValues } },
  reader: RunReader,
  joinedTables: readonly JoinedTable[],
): AsyncGenerator<Iterable<Step>> {
  const [main] = mapping.mains;
  if (main === undefined) return;
  const keys = keyColumns(mapping);
  const lacks = joinedTables.flatMap(({ lack }) => lack ?? []);
  const site: GroupSite = { mapping, params: params.values, keys, joinedTables, reader, lacks };
  if (mapping.onePer === 'record') yield* eachRecord(site, main);
  else if (await areAdjacent(mapping, reader)) yield* adjacentRecords(site, main);
  else yield* storedRecords(site);
}

function groupOf(
  { mapping, params, keys, joinedTables, reader, lacks }: GroupSite,
  records: NonEmpty<ReadRecord>,
  { held, below }: { readonly held?: readonly Issue[]; readonly below?: ReadRecord | undefined } = {},
): Group {
  const { context, joined, unlike } = gather(mapping, params, keys, records, joinedTables);
  const [first] = records;
  const { key, issue: keyIssue } = keyOf(keys, first);
  const hasUnread = joinedTables.some((table) => table.hasUnread);
  const all = hasUnread ? [...records, ...joined.flatMap((entry) => entry.records)] : records;
  const untrusted = all.every(isReadable) ? [] : all.flatMap((record) => faultOfRecord(record) ?? []);
  if (held !== undefined) untrusted.push(...held);
  if (records.length > 1) untrusted.push(...otherZeros(keys, records), ...unlike);
  // Written as one literal: objects composed of others have different hidden classes and are slow.
  return {
    key: untrusted.length === 0 ? key : (first.row.file ?? key),
    records,
    joined,
    context,
    count: joined.reduce((sum, entry) => sum + entry.records.length, records.length),
    untrusted,
    keyIssue,
    belowIssue: below && keyBlankBelow(keys, first, below),
    foreseen: records.flatMap((record) => reader.batch.refused(record)),
    lacks,
  };
}

function refusal(keys: KeyColumns, record: ReadRecord): Step {
  const fault = faultOfRecord(record);
  const [place] = placesOf([record]);
  const issues = fault === undefined ? missingKeyIssues(keys, record) : [fault];
  return { is: 'refused', place: place ?? {}, key: keyOf(keys, record).key, issues };
}

/** Max other rows between records of one document. */
const MAX_ROWS_BETWEEN = 100;

/** True if a record without key is clearly not part of the one above: it names another person, and is as filled. */
const isAnother = (mapping: LoadedMapping, above: ReadRecord, below: ReadRecord): boolean => {
  const [name, other] = [above, below].map((record) => displayName(mapping, recordContext(record)));
  return (
    other !== undefined &&
    other !== name &&
    2 * filled(below.row.texts).length >= filled(above.row.texts).length
  );
};

/** Makes a document of each record once the next one is known, which may be a part of it. */
class SingleRecords {
  private above: ReadRecord | undefined;
  private between: OtherStep[] = [];

  constructor(private readonly site: GroupSite) {}

  *take(steps: readonly RowStep[]): Generator<Step> {
    for (const step of steps) {
      if (step.is === 'record') yield* this.takeRecord(step.record);
      else if (this.above !== undefined && this.between.length < MAX_ROWS_BETWEEN) this.between.push(step);
      else {
        yield* this.release();
        yield step;
      }
    }
  }

  private *takeRecord(record: ReadRecord): Generator<Step> {
    const isKeyless = saysNoKey(this.site.keys, record);
    yield* this.release(isKeyless ? record : undefined);
    if (isKeyless) yield { is: 'group', group: groupOf(this.site, [record]) };
    else this.above = record;
  }

  *release(next?: ReadRecord): Generator<Step> {
    const { above, between, site } = this;
    if (above === undefined) return;
    this.above = undefined;
    this.between = [];
    const isPart = above.table.number === next?.table.number && !isAnother(site.mapping, above, next);
    yield { is: 'group', group: groupOf(site, [above], { below: isPart ? next : undefined }) };
    yield* between;
  }
}

async function* eachRecord(site: GroupSite, main: CompiledTable): AsyncGenerator<Iterable<Step>> {
  const records = new SingleRecords(site);
  for await (const { steps } of site.reader.read(main)) yield records.take(steps);
  yield records.release();
}

class AdjacentRecords {
  private key: string | undefined;
  private records: NonEmpty<ReadRecord> | undefined;
  private readonly more: ReadRecord[] = [];

  constructor(private readonly site: GroupSite) {}

  *take(steps: readonly RowStep[]): Generator<Step> {
    const { keys } = this.site;
    for (const step of steps) {
      if (step.is !== 'record') {
        yield step;
        continue;
      }
      const { record } = step;
      const key = plainKeyText(record.values, keys(record.table));
      if (key === undefined) yield refusal(keys, record);
      else if (this.records !== undefined && key === this.key) this.more.push(record);
      else {
        yield* this.release();
        this.key = key;
        this.records = [record];
      }
    }
  }

  *release(): Generator<Step> {
    const { records, more } = this;
    if (records === undefined) return;
    this.records = undefined;
    yield { is: 'group', group: groupOf(this.site, [records[0], ...more.splice(0)]) };
  }
}

async function* adjacentRecords(site: GroupSite, main: CompiledTable): AsyncGenerator<Iterable<Step>> {
  const records = new AdjacentRecords(site);
  for await (const { steps } of site.reader.read(main)) yield records.take(steps);
  yield records.release();
}

/** Groups scattered records: all are stored first. */
async function* storedRecords(site: GroupSite): AsyncGenerator<Iterable<Step>> {
  const { mapping, keys, reader } = site;
  const refused: Step[] = [];
  const groups = new StoredGroups(mapping, keys, (record) => refused.push(refusal(keys, record)));
  try {
    for (const main of mapping.mains)
      for await (const { steps, source } of reader.read(main)) {
        for (const step of steps) if (step.is === 'record') groups.add(step.record, source);
        yield [...steps.filter((step) => step.is !== 'record'), ...refused.splice(0)];
      }
    const lack = groups.finish();
    yield refused.splice(0);
    yield stepsIn(groups, lack === undefined ? site : { ...site, lacks: [...site.lacks, lack] });
  } finally {
    groups.close();
  }
}

function* stepsIn(groups: StoredGroups, site: GroupSite): Generator<Step> {
  for (const { records, issues, isIdle } of groups.all())
    if (!isIdle) yield { is: 'group', group: groupOf(site, records, { held: issues }) };
    else
      for (const place of placesOf(records))
        yield { is: 'skipped', place, note: { key: 'idle' }, issues: [] };
  for (const issue of groups.idle()) yield { is: 'issue', issue };
}

/** Max records of documents that are checked together. */
const MAX_CHUNK_RECORDS = 256;
const MAX_CHUNK_STEPS = 512;

/** Cuts steps into chunks, whose documents are checked together. */
export async function* chunksOf(
  all: AsyncIterable<Iterable<Step>>,
  mostDocuments = AT_ONCE,
): AsyncGenerator<readonly Step[]> {
  let chunk: Step[] = [];
  let documents = 0;
  let records = 0;
  for await (const steps of all) {
    for (const step of steps) {
      chunk.push(step);
      if (step.is === 'group') {
        documents += 1;
        records += step.group.count;
      }
      if (documents < mostDocuments && records < MAX_CHUNK_RECORDS && chunk.length < MAX_CHUNK_STEPS)
        continue;
      yield chunk;
      chunk = [];
      documents = records = 0;
    }
    if (documents > 0) continue;
    yield chunk; // also without a step, to show progress
    chunk = [];
  }
  yield chunk;
}
