import { compare } from '../core/decimal.js';
import { formatPlace, type Issue, issueOf, type Place } from '../core/issue.js';
import type { JsonObject, Pointer, Writable } from '../core/json.js';
import type { SchemaName } from '../generated/schema-types.js';
import { applyMapping, originsOf, targetFor } from '../mapping/apply.js';
import { valueFor } from '../mapping/context.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import type { ParamValues, ResolvedParams } from '../mapping/params.js';
import { CellFault } from '../mapping/read/cell.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type Context,
  type LocatedTable,
  placeOf,
  type ReadRecord,
  readRecord,
  recordContext,
  rowPlace,
} from '../mapping/record.js';
import type { Present } from '../mapping/write.js';
import { hasTrait, type Note } from '../messages/wording.js';
import { UncheckedTables } from '../schema/catalogue.js';
import {
  type ColumnAccount,
  contentHash,
  type Document,
  type DocumentCounts,
  noDocuments,
  noRecords,
  type RecordCounts,
  type Trace,
} from '../schema/document.js';
import type { Edit } from '../tables/edits.js';
import type { InputFile, Piece, Row } from '../tables/table.js';
import { CellAccounting, type ComparedTotal, droppedAmounts } from './cells.js';
import {
  type CheckedDocument,
  type CheckSite,
  type Complete,
  createGeneralIssues,
  type Derivation,
  DocumentCheck,
  type Gathered,
  gather,
  jsonOrigin,
  toCell,
} from './check-document.js';
import {
  isReadable,
  KeysApart,
  keyBlankBelow,
  keyColumns,
  keyOf,
  MOST_RECORDS,
  otherZeros,
  RecordGroups,
  saysNoKey,
  whyKeyless,
} from './groups.js';
import {
  isRecord,
  type JoinedTable,
  joinedTablesOf,
  keyAsked,
  keyPlace,
  plainKeyText,
  shownKey,
} from './joined-tables.js';
import { closeInputs, foundBefore, type Located, locate, openInputs } from './locate.js';
import {
  AT_ONCE,
  faultOfRecord,
  filled,
  type GivenFormats,
  hiddenRow,
  isIdentified,
  lotsOf,
  readTable,
  slices,
  TableReader,
  type TableWatch,
  type Told,
  type VotedTable,
  votedOf,
} from './read-table.js';
import {
  type HeldBackEvent,
  type OfRun,
  type ScreenedDocuments,
  type ScreenedRows,
  type Screening,
  screenedPieces,
} from './screened.js';
import { createSeen, type DocumentKeys, rowFrom } from './seen.js';
import { type BatchChecks, createBatchChecks } from './totals.js';

const placesOf = (records: readonly ReadRecord[]): readonly Place[] =>
  records.map(({ table, row }) => rowPlace(table, row));

const besideOf = ({ joined }: Pick<Gathered, 'joined'>): readonly Place[] =>
  joined.flatMap(({ records }) => placesOf(records));

/** Keeps its records, and computes name, hash and trace when first asked: most documents are never asked. */
class RecordDocument implements Document {
  private knownHash: string | undefined;
  private knownTrace: Trace | undefined;

  constructor(
    readonly sequence: number,
    readonly key: string,
    readonly body: JsonObject,
    private readonly mapping: LoadedMapping,
    private readonly target: CompiledTarget,
    private readonly context: Context,
    private readonly gathered: Pick<Gathered, 'own' | 'joined'>,
    private readonly derivation: Derivation | undefined,
  ) {}

  get schema(): SchemaName {
    return this.target.schema;
  }

  get name(): string | undefined {
    return displayName(this.mapping, this.context);
  }

  get details(): Document['details'] {
    return detailsOf(this.mapping, this.context);
  }

  get records(): readonly Place[] {
    return placesOf(this.gathered.own);
  }

  get beside(): readonly Place[] {
    return besideOf(this.gathered);
  }

  get counted(): readonly Place[] {
    const { own, joined } = this.gathered;
    const counting = joined.flatMap(({ joinedTable: { table }, records }) =>
      records.filter(({ row }) => isRecord(table, row)),
    );
    return placesOf([...own, ...counting]);
  }

  get hash(): string {
    this.knownHash ??= contentHash(this.schema, this.body);
    return this.knownHash;
  }

  get trace(): Trace {
    this.knownTrace ??= this.traced();
    return this.knownTrace;
  }

  private traced(): Trace {
    const origins = originsOf(this.target, this.context, this.gathered.own[0]!);
    const from = jsonOrigin(this.mapping, this.gathered.own[0]!);
    return (this.derivation?.origins(this.body, origins, from) ?? origins).trace;
  }
}

/** The value of a column; undefined where its cell cannot be read. */
function shownValue(context: Context, column: CompiledColumn): ReturnType<typeof valueFor> {
  try {
    return valueFor(context, column);
  } catch (fault) {
    if (fault instanceof CellFault) return undefined;
    throw fault;
  }
}

/** What people call what a document is about, by the mapping's names for it. */
function detailsOf({ details }: LoadedMapping, context: Context): Document['details'] {
  if (details.size === 0) return undefined;
  return Object.fromEntries(
    [...details].flatMap(([name, columns]) =>
      columns
        .flatMap((column) => shownValue(context, column) ?? [])
        .slice(0, 1)
        .map((value) => [name, String(value)]),
    ),
  );
}

/** What people call the records of a document beside its key. */
function displayName({ display }: LoadedMapping, context: Context): string | undefined {
  const parts = display.flatMap((column) => shownValue(context, column) ?? []);
  return parts.length > 0 ? parts.join(' ') : undefined;
}

/** Makes documents of records, checks them, and tells what came of each. Several are made side by side, each of its own records. */
interface Maker {
  /** Gives a promise only where others complete documents, or decide what becomes of them: there are many documents. */
  make(some: readonly (readonly ReadRecord[])[]): Promise<void> | undefined;
  /** Makes documents only to see what there is to tell; undefined where that depends on others. */
  screen(some: readonly (readonly ReadRecord[])[]): readonly (ScreenedOne | undefined)[];
  /** Tells of documents that were screened; false where beside those before them there is more to tell. */
  take(documents: ScreenedDocuments, table: LocatedTable): boolean;
  /** A record without a key: no document can be made of it. */
  refuse(record: ReadRecord): void;
  /** No document is to be made of these: some may be another's, or others may be missing. */
  hold(own: readonly ReadRecord[], why: readonly Issue[]): void;
  /** A document is to be told of, and held back, since the record below it does not say its own and may be a part of it. */
  doubt(record: ReadRecord, below: ReadRecord): void;
  /** No document is to be made at all: any may lack a record. */
  lack(why: Issue): void;
  /** What is to be said once all documents are made. */
  finish(): readonly Issue[];
}

/** A document that was screened. */
export interface ScreenedOne extends Pick<ScreenedDocuments, 'records' | 'issues' | 'heldBack' | 'run'> {
  readonly keys: DocumentKeys;
  /** By which key it asked each of the tables that it looks up. */
  readonly asked: readonly (string | undefined)[];
  readonly compared: readonly ComparedTotal[];
}

/** What a document that is screened would do to what documents share. */
interface Screened {
  readonly compared: ComparedTotal[];
  /** It depends on what was told before. */
  isNew: boolean;
  keys?: DocumentKeys | undefined;
  said: readonly string[];
  unchecked: OfRun['unchecked'];
}

const newlyScreened = (): Screened => ({ compared: [], isNew: false, said: [], unchecked: [] });

const NONE: readonly Issue[] = [];

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, at) => text === b[at]);

/** So many required values that a record lacks leave little of it. */
const MUCH = 3;

const NO_BODIES: readonly JsonObject[] = [];

/** A document on its way: what it is made of, and what is said of that so far. */
interface Begun {
  readonly gathered: Gathered;
  /** Its records, and those that it joins. */
  readonly count: number;
  readonly key: string;
  readonly keyIssue: Issue | undefined;
  readonly target: CompiledTarget | undefined;
  readonly issues: Issue[];
  /** Where its records cannot be trusted at all: then no document is made of them. */
  readonly faults: readonly Issue[];
  check: DocumentCheck | undefined;
  /** Where it is screened. */
  readonly screened: Screened | undefined;
}

/** Cells of a row that is more likely a heading than a record, at most. */
const HARDLY = 2;

/** What is said of a row of hardly any cells in place of all that it lacks. */
function hardlyFilled({ table, row }: ReadRecord): Issue | undefined {
  const cells = filled(row.texts);
  if (cells.length > HARDLY || row.json !== undefined) return undefined;
  const value = cells.map(({ text }) => text).join(' · ');
  return { ...issueOf('row/hardly-filled', 'error', {}, rowPlace(table, row)), value };
}

const isMissing = ({ code }: Issue): boolean => code === 'document/required';

const ALREADY_DONE: Note = { key: 'already-done' };

const issuesOf = (followed: Followed | undefined): readonly Issue[] =>
  followed === undefined ? NONE : followed.is === 'next' ? followed.issues : [followed.issue];

export function createMaker(
  { options, located, tally, batch, cells }: Reading,
  joinedTables: readonly JoinedTable[],
): Maker {
  const { params } = options;
  const present = presentIn(located);
  const mapping: LoadedMapping = {
    ...options.mapping,
    targets: options.mapping.targets.map((target) => ({ ...target, ...target.within(present) })),
  };
  const derivations = new Map(
    mapping.targets.flatMap(({ schema }) => {
      const derivation = options.derive?.(schema, params);
      return derivation === undefined ? [] : [[schema, derivation] as const];
    }),
  );
  const unchecked = new UncheckedTables();
  const keys = keyColumns(mapping);
  const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
  const { today, complete } = options;
  const general = createGeneralIssues();
  /** Of the document that is screened. */
  let found: Screened | undefined;
  const site: CheckSite = {
    mapping,
    cells: {
      compared(name, columns, stated, computed) {
        if (found === undefined) cells.compared(name, columns, stated, computed);
        else if (cells.compares(name))
          found.compared.push({ name, stated, computed, wrong: compare(stated, computed) === 0 ? 0 : 1 });
        else {
          cells.compared(name, columns, stated, computed);
          found.isNew = true;
        }
      },
    },
    unfed: unfedLeaves(mapping, located, params.values),
    lacking: lackingTables(mapping, located),
    levels,
    general,
    derivations,
    options: {
      derived: true,
      levels,
      unchecked,
      params: params.values,
      ...(today !== undefined && { today }),
    },
  };
  const seen = createSeen(mapping, levels, derivations);
  const hasUnread = joinedTables.some((one) => one.hasUnread);
  const lacks = joinedTables.flatMap(({ lack }) => lack ?? []);
  /** By the first record of a document: why it is not to be made. */
  const held = new Map<ReadRecord, readonly Issue[]>();
  /** By a record: what may be a part of its document. */
  const doubted = new Map<ReadRecord, ReadRecord>();
  const said = new Set<string>();

  /** What spoils many documents alike is said once: a wrong parameter, a fault in a record that many look up. */
  const once = (issue: Issue): void => {
    const { pointer, file, sheet, row, column } = issue.place;
    const about = [issue.value, ...Object.values(issue.params), row === undefined ? pointer : ''];
    const text = [issue.code, file, sheet, row, column, ...about].join('\n');
    if (found !== undefined) found.isNew = true; // whether it was said before, only the telling one knows
    if (said.has(text)) return;
    said.add(text);
    tally.issue(issue);
  };

  const sayHidden = (record: ReadRecord, key: string): void => {
    if (record.row.hidden && specOf(mapping, record)?.hidden_rows !== 'include') once(hiddenRow(record, key));
  };

  /** Records that cannot be trusted hold back the document that they belong to. */
  const tellFaults = ({ gathered, key, faults }: Begun): void => {
    const { own, joined } = gathered;
    tally.documents.planned += 1;
    tally.documents.heldBack += 1;
    tally.records.heldBack += own.length;
    for (const issue of faults) tally.issue({ ...issue, documentKey: key });
    tally.tell({ kind: 'held-back', key, places: placesOf(own), beside: besideOf(gathered) });
    settle(joined, false);
  };

  /** What other documents have as well, or may not have. */
  const repeatedIn = (
    record: ReadRecord,
    target: CompiledTarget,
    checked: CheckedDocument,
    context: Context,
  ): readonly Issue[] => {
    if (found === undefined) return seen.judge(record, target, checked, context);
    found.keys = seen.keysOf(record, target, checked, context);
    return NONE;
  };

  /** One object for what most documents have alike, so that a million of them do not carry it each. */
  const ofRuns = new Map<string, OfRun>();
  let lastRun: OfRun | undefined;
  const ofRunFor = (of: OfRun): OfRun => {
    if (lastRun?.unchecked === of.unchecked && isSame(lastRun.said, of.said)) return lastRun;
    const key = JSON.stringify(of);
    lastRun = ofRuns.get(key) ?? of;
    ofRuns.set(key, lastRun);
    return lastRun;
  };

  /** Puts together what a document is made of. */
  const begin = (own: readonly ReadRecord[], screened?: Screened): Begun => {
    const gathered = gather(mapping, params.values, own, joinedTables);
    const { context, unlike, joined } = gathered;
    const first = own[0]!;
    const { key, issue: keyIssue } = keyOf(keys, first);
    const count = joined.reduce((sum, { records }) => sum + records.length, own.length);
    const all = hasUnread ? [...own, ...joined.flatMap(({ records }) => records)] : own;
    const unread = all.every(isReadable) ? NONE : all.flatMap((record) => faultOfRecord(record) ?? []);
    const why = held.size === 0 ? undefined : held.get(first);
    const apart = own.length > 1 ? [...otherZeros(keys, own), ...unlike] : NONE;
    const faults = why === undefined && apart.length === 0 ? unread : [...unread, ...(why ?? NONE), ...apart];
    const below = doubted.get(first);
    held.delete(first);
    doubted.delete(first);
    const isTrusted = faults.length === 0;
    const target = isTrusted && count <= MOST_RECORDS ? targetFor(mapping.targets, context) : undefined;
    const issues: Issue[] = [];
    if (isTrusted) {
      if (keyIssue !== undefined) issues.push(keyIssue);
      if (below !== undefined) issues.push(keyBlankBelow(keys, first, below));
      if (count > MOST_RECORDS) issues.push(tooMany(first, count));
      else if (target === undefined) issues.push(noTarget(first));
    }
    // Written out at once: objects put together from others have a shape of their own each, and are slow ever after.
    return {
      gathered,
      count,
      key: isTrusted ? key : (first.row.file ?? key),
      keyIssue,
      target,
      issues,
      faults,
      check: undefined,
      screened,
    };
  };

  const map = (begun: Begun): void => {
    const { target, gathered } = begun;
    if (target === undefined) return;
    const { context, own } = gathered;
    begun.check = new DocumentCheck(site, target, context, own[0]!, applyMapping(target, context));
  };

  const applyRules = ({ check, screened }: Begun): void => {
    check?.applyRules();
    if (screened !== undefined) screened.unchecked = unchecked.drain();
  };

  /** Places on cells what is wrong with it, and adds what is wrong with it beside other documents. */
  const judge = ({ gathered, keyIssue, target, issues, check, screened }: Begun): void => {
    const { context, joined, own } = gathered;
    const [first] = own;
    const unjoined = joined.length > 0 ? joinIssues(gathered) : NONE;
    const before = general.size;
    check?.place(unjoined.length > 0 ? [...issues, ...unjoined] : issues);
    if (screened !== undefined) {
      screened.isNew ||= general.size !== before;
      screened.said = general.ofDocument(context);
    }
    if (check !== undefined && keyIssue === undefined && options.follow === undefined)
      for (const issue of repeatedIn(first!, target!, check, context)) issues.push(issue);
    if (target !== undefined)
      for (const issue of droppedAmounts(mapping, target, context)) issues.push(issue);
    for (const issue of unjoined) issues.push(issue);
    for (const record of own) for (const issue of batch.refused(record)) issues.push(issue);
    for (const issue of lacks) general.note(context, issue, issue);
  };

  type MakingStep = (begun: Begun) => void;

  /** What is done to mapped documents until it is known what to tell of them. */
  const checking: readonly MakingStep[] = [
    ({ check }) => check?.derive(),
    ({ check }) => check?.validate(),
    applyRules,
    judge,
  ];

  /** All of the documents take one step before the next. */
  const advance = (some: readonly Begun[], ...steps: readonly MakingStep[]): void => {
    for (const step of steps)
      for (const one of some) {
        found = one.screened;
        if (one.faults.length === 0) step(one);
      }
    found = undefined;
  };

  /** Documents after all those steps; as many take them together as have few records. */
  function* advanced(
    some: readonly (readonly ReadRecord[])[],
    screenedOf?: () => Screened,
  ): Generator<Begun> {
    let together: Begun[] = [];
    let count = 0;
    for (const [at, own] of some.entries()) {
      const begun = begin(own, screenedOf?.());
      together.push(begun);
      count += begun.count;
      if (count < FEW_RECORDS && at < some.length - 1) continue;
      advance(together, map, ...checking);
      yield* together;
      together = [];
      count = 0;
    }
  }

  const settle = (joined: Gathered['joined'], isUsed: boolean): void => {
    for (const { joinedTable, key, records } of joined) joinedTable.settle(key, records, isUsed);
  };

  /** Tells of one document; gives whether it is good by itself. */
  const tellIssues = ({ gathered: { own, joined }, key, keyIssue, issues, check }: Begun): boolean => {
    tally.documents.planned += 1;
    for (const record of own) sayHidden(record, key);
    for (const { records } of joined) for (const record of records) sayHidden(record, key);
    const found = check?.issues ?? NONE;
    // Of a row that hardly says anything its lack of a key says all, or that it is hardly filled.
    const missing = found.filter(isMissing).length;
    const isBare = keyIssue !== undefined && missing >= MUCH;
    const bare = missing > MUCH && own.length === 1 ? hardlyFilled(own[0]!) : undefined;
    const all = isBare
      ? issues
      : bare === undefined
        ? withoutBlanksSaid([...issues, ...found])
        : [bare, ...issues, ...found.filter((issue) => !isMissing(issue))];
    const shares = joined.some(({ joinedTable }) => !joinedTable.table.join!.many);
    const isOwn = ({ place: { file, sheet } }: Issue): boolean =>
      own.some(({ table: { source } }) => source.file === file && source.sheet === sheet);
    for (const issue of all) {
      const told: Writable<Issue> = Object.assign({}, issue);
      told.documentKey = key;
      if (shares && !isOwn(issue)) once(told);
      else tally.issue(told);
    }
    return check?.good === true && lacks.length === 0 && issues.every(({ level }) => level !== 'error');
  };

  /** What becomes of it. */
  const tellOutcome = (
    { gathered, key, target, check }: Begun,
    fine: boolean,
    followed: Followed | undefined,
  ): void => {
    const { own, joined, context } = gathered;
    for (const issue of issuesOf(followed))
      tally.issue({ ...toCell(issue, own[0]!, check!.origins()), documentKey: key });
    if (followed?.is === 'done') {
      tally.documents.planned -= 1;
      tally.records.skipped += own.length;
      settle(joined, true);
      for (const { table, row } of own)
        tally.tell({ kind: 'skipped', place: rowPlace(table, row), note: ALREADY_DONE, done: true });
      return;
    }
    const good = fine && followed?.is !== 'refused';
    settle(joined, good);
    if (!good) {
      tally.documents.heldBack += 1;
      tally.records.heldBack += own.length;
      const name = displayName(mapping, context);
      const places = placesOf(own);
      const beside = besideOf(gathered);
      tally.tell({ kind: 'held-back', key, ...(name !== undefined && { name }), places, beside });
      return;
    }
    tally.records.used += own.length;
    const made = (body: JsonObject): void => {
      tally.documents.made += 1;
      const derivation = derivations.get(target!.schema);
      const number = tally.documents.made;
      tally.tell({
        kind: 'document',
        document: new RecordDocument(number, key, body, mapping, target!, context, gathered, derivation),
      });
    };
    const before = followed?.before ?? NO_BODIES;
    tally.documents.planned += before.length;
    for (const body of before) made(body);
    made(check!.document);
  };

  const tell = (begun: Begun): void => {
    if (begun.faults.length > 0) tellFaults(begun);
    else tellOutcome(begun, tellIssues(begun), undefined);
  };

  const makeWithOthers = async (some: readonly (readonly ReadRecord[])[]): Promise<void> => {
    for (const own of some) {
      const begun = begin(own);
      if (begun.faults.length > 0) {
        tellFaults(begun);
        continue;
      }
      advance([begun], map);
      const { gathered, key, target, check } = begun;
      if (check !== undefined) await complete?.(check.document, { schema: target!.schema, key });
      advance([begun], ...checking);
      const fine = tellIssues(begun);
      const from: Followable = { row: own[0]!.row.number, details: detailsOf(mapping, gathered.context) };
      const followed = fine ? await options.follow?.next(check!.document, from) : undefined;
      if (!fine && check !== undefined) options.follow?.heldBack?.(check.document, from);
      tellOutcome(begun, fine, followed);
    }
  };

  /** What there is to tell of a document that was looked at beside others. */
  const screenedOne = (begun: Begun): ScreenedOne | undefined => {
    const { gathered, screened } = begun;
    found = screened;
    tell(begun);
    found = undefined;
    const events = tally.told();
    const { keys, said, unchecked, compared, isNew } = screened!;
    const end = events.at(-1);
    const issues = events.flatMap((event) => (event.kind === 'issue' ? [event.issue] : []));
    if (isNew || keys === undefined || issues.length !== events.length - 1) return undefined;
    if (end?.kind !== 'document' && end?.kind !== 'held-back') return undefined;
    const heldBack = end.kind === 'held-back' ? end : undefined;
    const asked = gathered.joined.map(({ key }) => key);
    const run = ofRunFor({ said, unchecked });
    return { records: gathered.own.length, issues, heldBack, keys, asked, run, compared };
  };

  return {
    screen(some) {
      return Array.from(advanced(some, newlyScreened), screenedOne);
    },
    take({ documents, records, issues, heldBack, keys, asked, run, compared }, table) {
      const isKnown =
        !hasUnread && compared.every(({ name }) => cells.compares(name)) && general.knowsAll(run.said);
      if (!isKnown || !seen.take(keys, table)) return false;
      general.take(run.said, documents);
      unchecked.take(run.unchecked, documents);
      for (const total of compared) cells.comparedAgain(total);
      for (const [at, joinedTable] of joinedTables.entries())
        for (const key of asked[at]!) joinedTable.settle(key, [], heldBack === undefined);
      for (const issue of issues) tally.issue(issue);
      tally.documents.planned += documents;
      tally.documents[heldBack === undefined ? 'made' : 'heldBack'] += documents;
      tally.records[heldBack === undefined ? 'used' : 'heldBack'] += records;
      if (heldBack === undefined) tally.good(documents);
      else tally.tell(heldBack);
      return true;
    },
    make(some) {
      if (options.follow !== undefined || complete !== undefined) return makeWithOthers(some);
      for (const begun of advanced(some)) tell(begun);
      return undefined;
    },
    finish: () => [...site.general.finish(), ...unchecked.issues()],
    hold(own, why) {
      held.set(own[0]!, why);
    },
    doubt(record, below) {
      doubted.set(record, below);
    },
    lack(why) {
      lacks.push(why);
    },
    refuse(record) {
      const { key } = keyOf(keys, record);
      const fault = faultOfRecord(record);
      tally.documents.planned += 1;
      tally.documents.heldBack += 1;
      tally.records.heldBack += 1;
      for (const cause of fault === undefined ? whyKeyless(keys, record) : [fault])
        tally.issue({ ...cause, documentKey: key });
      tally.tell({ kind: 'held-back', key, places: [rowPlace(record.table, record.row)], beside: [] });
    },
  };
}

/** What the located tables have. A computed column may have a value without any. */
function presentIn({ present, tables }: Located): Present {
  const slots = new Set(tables.flatMap(({ slot, repeats }) => [slot, ...repeats.map((one) => one.slot)]));
  return {
    column: (column) => column.computed !== undefined || present.has(column),
    table: (slot) => slots.has(slot),
  };
}

const specOf = ({ tables }: LoadedMapping, { table }: ReadRecord) =>
  [...tables.values()].find(({ slot }) => slot === table.slot)?.spec;

/** Tables that the files do not have and should, and those that are looked up by what stands in them. */
function lackingTables({ tables }: LoadedMapping, { tables: located }: Located): ReadonlySet<number> {
  const lacking = new Map<string, number>();
  for (const { id, slot, spec, parent, join } of tables.values()) {
    const isThere = located.some((one) => one.slot === slot);
    const isWanted = !spec.optional && spec.param === undefined && parent === undefined;
    const isLacking = (name: string): boolean => lacking.has(name.split('.')[0]!);
    const isBehind = join?.keys.every(({ theirs }) => theirs.some(isLacking));
    if (isBehind || (isWanted && !isThere)) lacking.set(id, slot);
  }
  return new Set(lacking.values());
}

/** Leaves of which every column that could feed them is missing in the files. */
function unfedLeaves(
  { targets }: LoadedMapping,
  { present }: Located,
  params: ParamValues,
): ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>> {
  const isUnfed = (alternatives: CompiledTarget['fields'][number]['alternatives']): boolean =>
    alternatives.every((set) => set.some(({ feeders }) => feeders.every((column) => !present.has(column))));
  return new Map(
    targets.map((target) => [
      target,
      new Set(
        target.fields
          .filter(({ needed, param }) => needed && (param === undefined || params[param] === undefined))
          .filter(({ alternatives }) => isUnfed(alternatives))
          .map(({ pointer }) => pointer),
      ),
    ]),
  );
}

/** Without what only says that something is blank, where the lack of the key, or a check of the mapping, says more of the same cells. */
function withoutBlanksSaid(issues: readonly Issue[]): readonly Issue[] {
  if (!issues.some((issue) => hasTrait(issue, 'says-blank'))) return issues;
  const saidBy = (code: Issue['code']): ReadonlySet<string> =>
    new Set(
      issues
        .filter((issue) => issue.code === code && issue.level === 'error')
        .flatMap(({ place, related = [] }) => [place, ...related].map(formatPlace)),
    );
  const checked = saidBy('check/failed');
  const lacking = saidBy('row/key-blank');
  return issues.filter((issue) => {
    const at = formatPlace(issue.place);
    const isSaid = checked.has(at) || (issue.code !== 'row/key-blank' && lacking.has(at));
    return !isSaid || !hasTrait(issue, 'says-blank');
  });
}

/** A document that lacks a record it should have, or has two where one may be. */
function joinIssues({ own, joined }: Gathered): Issue[] {
  return joined.flatMap((one): Issue[] => {
    const { joinedTable, key, records, cells, refused, contrary } = one;
    const { join } = joinedTable.table;
    const [record] = own;
    if (refused?.as === 'other-zeros') return [otherZerosIssue(record!, one)];
    if (refused !== undefined && (refused.as === 'shared' || join!.missing !== 'ignore'))
      return [refusedIssue(record!, one)];
    const disagreeing = contrary === undefined ? [] : [disagreement(one, contrary)];
    if (records.length === 0 && join!.missing !== 'ignore' && key !== undefined)
      return [
        ...disagreeing,
        {
          code: 'join/missing',
          level: join!.missing,
          params: { table: joinedTable.name },
          place: cells[0] ?? rowPlace(record!.table, record!.row),
          value: shownKey(key),
        },
      ];
    const [first, ...others] = records;
    const second = others.find((one) => !saysSame(first!, one));
    if (join!.many || second === undefined) return disagreeing;
    const place = keyPlace(second, join!, key!);
    const { row, table } = first!;
    return [
      ...disagreeing,
      {
        code: 'row/key-repeated',
        level: 'error',
        params: { first: rowFrom(place, { row: row.number, table }) },
        place,
        value: shownKey(key!),
        related: [keyPlace(first!, join!, key!)],
      },
    ];
  });
}

/** Whether two records say the same in all that is read of them; of a file of its own not all is. */
const saysSame = (one: ReadRecord, other: ReadRecord): boolean =>
  one.row.file === undefined &&
  one.faults === undefined &&
  other.faults === undefined &&
  [...new Set([...one.table.present, ...other.table.present])].every(
    ({ column: { position } }) => one.values[position] === other.values[position],
  );

/** What a document says twice of the record that it belongs to, and not the same; a number may be that of another seller's invoice. */
function disagreement(
  { joinedTable, key, records }: Gathered['joined'][number],
  { key: other, cells, record }: NonNullable<Gathered['joined'][number]['contrary']>,
): Issue {
  const { join } = joinedTable.table;
  const found = placeOf(record, keyAsked(join!, key!).own[0]!);
  return {
    code: 'join/keys-disagree',
    level: records.length > 0 ? 'error' : 'warning',
    params: { table: joinedTable.name, asked: shownKey(key!) },
    place: cells[0]!,
    value: shownKey(other),
    related: [found],
  };
}

/** Owners that an issue names. */
const NAMED = 5;

/** A record that the document's key leads to, and that is of somebody else or of nobody. */
function refusedIssue(
  { table, row }: ReadRecord,
  { joinedTable, key, cells, refused }: Gathered['joined'][number],
): Issue {
  const { join } = joinedTable.table;
  const { as, records, asked } = refused!;
  const owners = records.map((record) =>
    join!.whose.flatMap(({ own }) => record.values[own.position] ?? []).join(' '),
  );
  const column = join!.whose[0]!.own;
  const params = {
    table: joinedTable.name,
    asked,
    found: [...new Set(owners)].slice(0, NAMED).join(', '),
  };
  return {
    code: `join/${as}`,
    level: join!.missing as Issue['level'],
    params,
    place: cells[0] ?? rowPlace(table, row),
    value: shownKey(key!),
    related: records.slice(0, NAMED).map((record) => placeOf(record, column)),
  };
}

/** Records that the document's key leads to only where zeros before its number are left aside. */
function otherZerosIssue(
  { table, row }: ReadRecord,
  { joinedTable, key, cells, refused }: Gathered['joined'][number],
): Issue {
  const [first, ...others] = refused!.records;
  const places = [first!, ...others].slice(0, NAMED);
  return {
    code: 'join/other-zeros',
    level: 'error',
    params: { table: joinedTable.name, found: shownKey(joinedTable.keysOf(first!)[0]!) },
    place: cells[0] ?? rowPlace(table, row),
    value: shownKey(key!),
    related: places.map((record) => keyPlace(record, joinedTable.table.join!, key!)),
  };
}

/** Documents of more records together are not held side by side. */
const FEW_RECORDS = 256;

const tooMany = ({ table, row }: ReadRecord, count: number): Issue => ({
  code: 'document/too-many-records',
  level: 'error',
  params: { count, most: MOST_RECORDS },
  place: rowPlace(table, row),
});

function noTarget({ table, row }: ReadRecord): Issue {
  return { code: 'document/no-target', level: 'error', params: {}, place: rowPlace(table, row) };
}

export const SILENT: TableWatch = {
  read: () => undefined,
  taken: () => undefined,
  skipped: () => undefined,
  issue: () => undefined,
  voted: () => undefined,
};

/** The columns by which documents and records that are no data are told, and those behind them. */
function deciding({ columns, skips }: CompiledTable, key: readonly string[]): Set<CompiledColumn> {
  const wanted = new Set<CompiledColumn>();
  const add = (column: CompiledColumn): void => {
    if (wanted.has(column)) return;
    wanted.add(column);
    for (const other of [...column.uses, ...column.feeders]) add(other);
  };
  for (const id of key) add(columns.get(id)!);
  for (const { when } of skips) for (const column of when.columns) add(column);
  return wanted;
}

/** The same table, of which only some columns are read. */
const narrowed =
  (wanted: ReadonlySet<CompiledColumn>) =>
  (table: LocatedTable): LocatedTable => ({
    ...table,
    present: table.present.filter(({ column }) => wanted.has(column)),
    computed: table.computed.filter((column) => wanted.has(column)),
    repeats: [],
    parts: [],
  });

/**
 * Whether the records of each document stand together in the one text that holds them, so that documents can be made while it is read.
 * The text is read once for it, the key alone, up to the first record that comes too late or has no key; where two keys look alike the
 * answer is no.
 */
async function areContiguous({ options, located, startScreening }: Reading): Promise<boolean> {
  const { mains, key } = options.mapping;
  const formats = options.formats ?? {};
  const [main, ...others] = mains;
  const sources = located.tables.filter(({ slot }) => slot === main?.slot);
  // A sheet costs more to unpack twice than its few rows do to put aside.
  if (main === undefined || others.length > 0 || sources.some(({ source }) => source.sheet !== undefined))
    return false;
  if (sources.some(({ source }) => source.pieces !== undefined)) startScreening?.(); // helpers get ready meanwhile
  const columns = key.map((id) => main.columns.get(id)!);
  const narrow = narrowed(deciding(main, key));
  const isApart = async (records: AsyncIterable<readonly ReadRecord[] | undefined>, apart: KeysApart) => {
    for await (const some of records) {
      if (some === undefined) return undefined;
      for (const record of some) if (!apart.add(plainKeyText(record.values, columns))) return false;
    }
    return true;
  };
  const all = async (
    recordsOf: (source: LocatedTable) => AsyncIterable<readonly ReadRecord[] | undefined>,
  ): Promise<boolean | undefined> => {
    const apart = new KeysApart();
    for (const source of sources) {
      const answer = await isApart(recordsOf(source), apart);
      if (answer !== true) return answer;
    }
    return true;
  };
  const quickly = await all((source) => keyRecords(main, source, formats, narrow));
  return quickly ?? (await all((source) => readTable(main, source, formats, SILENT, narrow))) === true;
}

/**
 * The records of a text as far as their keys go: other fields are not read. Rows that are no records count as well. Undefined comes
 * last where a row may be none and have a key all the same, or be one without a key, as only the whole row tells.
 */
async function* keyRecords(
  main: CompiledTable,
  source: LocatedTable,
  formats: GivenFormats,
  narrow: (table: LocatedTable) => LocatedTable,
): AsyncGenerator<readonly ReadRecord[] | undefined> {
  const { pieces } = source.source;
  const voted = pieces && (await votedOf(source, formats, SILENT));
  if (voted === undefined) {
    yield undefined;
    return;
  }
  const table = narrow(voted);
  const wanted: boolean[] = [];
  for (const { index, more } of table.present) for (const at of [index, ...more]) wanted[at] = true;
  const { firstDataRow } = table.header;
  let next = firstDataRow;
  let last: Piece | undefined;
  for await (const piece of pieces!.all()) {
    last = piece;
    for await (const rows of piece === undefined ? [undefined] : pieces!.rows(piece, wanted)) {
      const data = rows?.filter(({ number }) => number >= firstDataRow);
      // Rows without any of those fields are not given.
      const isWhole = data?.every(({ number }) => number === next++);
      const records = data?.map((row) => readRecord(table, row));
      if (!isWhole || records?.every((record) => isIdentified(main, record)) !== true) {
        yield undefined;
        return;
      }
      yield records;
    }
  }
  // Nor are those below all others: the last piece is read whole for them.
  if (last === undefined) return;
  for await (const rows of pieces!.rows(last))
    if (rows?.some(({ number }) => number >= next)) {
      yield undefined;
      return;
    }
}

/** Who must know all records of the main tables before the first document is made. */
interface Foreseeing {
  /** The columns of the main tables that it looks at. */
  readonly ids: readonly string[];
  expect(record: ReadRecord, main: CompiledTable): void;
}

/** The main tables are read once for those who must know them before. */
async function lookAhead({ options, located }: Reading, all: readonly Foreseeing[]): Promise<void> {
  if (all.length === 0) return;
  for (const main of options.mapping.mains) {
    const ids = all.flatMap((one) => one.ids).filter((id) => main.columns.has(id));
    const narrow = narrowed(deciding(main, ids));
    for (const source of located.tables.filter(({ slot }) => slot === main.slot))
      for await (const records of readTable(main, source, options.formats ?? {}, SILENT, narrow))
        for (const record of records) for (const one of all) one.expect(record, main);
  }
}

/** The derivation that documents of a schema need, if any. */
export type Derive = (schema: SchemaName, params: ResolvedParams) => Derivation | undefined;

export interface PrepareOptions {
  readonly files: readonly string[];
  /** What a person mended in them. */
  readonly edits?: readonly Edit[];
  /** Read instead of `files`, and closed at the end: tables that are in memory already. */
  readonly inputs?: readonly InputFile[];
  /** Read instead of those: tables that were found before, and how their cells are read decided. */
  readonly located?: readonly LocatedTable[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** How texts are read where the mapping does not say: answers to what a vote left open. */
  readonly formats?: GivenFormats;
  /** Day of the run, for rules about it; they are silent without. */
  readonly today?: string;
  /** Fills in what the records leave blank and the caller knows, before a document is checked. */
  readonly complete?: Complete;
  /** What follows from the mapped parts of documents of a schema. @default nothing */
  readonly derive?: Derive;
  /** Decides what becomes of a good document, given those before it; it then knows what is repeated, too. */
  readonly follow?: Follow;
  /** The mapping was picked by itself: its name. Nobody has said that it knows every column of the files. */
  readonly chosen?: string;
  /** Starts helpers that look at rows ahead, where each can be looked at by itself. Good documents are then only counted. */
  readonly screening?: () => Screening;
  /** Is told of every row below a header as it is read, be it a record or not. */
  readonly onRow?: (table: LocatedTable, row: Row) => void;
}

/** What happens on the way from files to documents, in order; `end` comes last. */
export type PrepareEvent =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'document'; readonly document: Document }
  /** Good documents that were screened: only counted. */
  | { readonly kind: 'good'; readonly documents: number }
  | HeldBackEvent
  | {
      readonly kind: 'skipped';
      readonly place: Place;
      readonly note: Note;
      /** What it asks for is done already. */
      readonly done?: true;
    }
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

  /** Documents were found good elsewhere. */
  good(documents: number): void {
    const last = this.events.at(-1);
    if (last?.kind === 'good')
      this.events[this.events.length - 1] = { kind: 'good', documents: last.documents + documents };
    else this.events.push({ kind: 'good', documents });
  }

  /** What was told since the last time. */
  told(): readonly PrepareEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/** read → map → validate. Streams: slices of records in, their events out. */
export async function* prepare(options: PrepareOptions): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping, params } = options;
  const tally = new Tally();
  let joinedTables: readonly JoinedTable[] = [];
  let screening: Screening | undefined;
  const known = options.located && foundBefore(options.located);
  const inputs = options.inputs ?? (known ? [] : await openInputs(options.files, options.edits));
  try {
    const located = known ?? (await locate(mapping, inputs, params));
    joinedTables = joinedTablesOf(mapping, located.tables);
    for (const issue of located.issues) tally.issue(issue);
    for (const { place, note } of located.leftAside) tally.tell({ kind: 'skipped', place, note });
    for (const file of inputs.flatMap((input) => input.passedOver ?? []))
      tally.tell({ kind: 'skipped', place: { file }, note: { key: 'no-data' } });
    const batch = createBatchChecks(mapping, params.values, located.present);
    const cells = new CellAccounting(mapping, options.chosen !== undefined, located.issues);
    const begin = canScreen(options, located) ? options.screening : undefined;
    const startScreening = (): Screening | undefined => {
      if (!batch.needsRecords) screening ??= begin?.();
      return screening;
    };
    const reading: Reading = { options, tally, located, batch, cells, startScreening };
    const hasMain = located.tables.some(({ slot }) => mapping.mains.some((main) => main.slot === slot));
    if (hasMain) {
      yield* gatherJoined(reading, joinedTables);
      const foreseeing = joinedTables.filter(({ isForeseeing }) => isForeseeing);
      await lookAhead(reading, [...foreseeing, ...batch.foreseeing]);
      for (const one of foreseeing)
        for (const record of one.handOver()) refuseJoined(reading, one.table, record);
      const maker = createMaker(reading, joinedTables);
      yield* mapping.onePer === 'record' ? eachRecord(reading, maker) : eachGroup(reading, maker);
      finishJoined(joinedTables, tally);
      for (const issue of maker.finish()) tally.issue(issue);
      for (const issue of batch.finish()) tally.issue(issue);
    }
    const { columns, issues } = cells.finish();
    for (const issue of issues) tally.issue(issue);
    const { records, documents } = tally;
    yield [...tally.told(), { kind: 'end', records, documents, columns, defaults: params.defaults }];
  } finally {
    await screening?.close();
    for (const joinedTable of joinedTables) joinedTable.close();
    await closeInputs(inputs);
  }
}

export interface Reading {
  readonly options: PrepareOptions;
  readonly tally: Tally;
  readonly located: Located;
  readonly batch: BatchChecks;
  readonly cells: CellAccounting;
  /** Helpers, if any, who begin when they are first asked for: records that are put aside are none of theirs. */
  readonly startScreening?: () => Screening | undefined;
}

const watchFor = ({ tally, options }: Reading, table: CompiledTable): TableWatch => ({
  read(source, row) {
    options.onRow?.(source, row);
    if (options.mapping.mains.includes(table) || isRecord(table, row)) tally.records.read += 1;
  },
  taken(records) {
    tally.records.read += records;
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
    yield* recordsIn(reading, table, source);
}

async function* recordsIn(
  reading: Reading,
  table: CompiledTable,
  source: LocatedTable,
): AsyncGenerator<{ records: readonly ReadRecord[]; source: LocatedTable }> {
  const { options, batch, cells } = reading;
  for await (const records of readTable(table, source, options.formats ?? {}, watchFor(reading, table))) {
    batch.add(records);
    if (table.spec.param === undefined) cells.add(source, records);
    yield { records, source };
  }
}

/** A record of another table than those that make documents: it cannot be read, and no document is known to be its own. */
function refuseJoined({ tally }: Reading, table: CompiledTable, record: ReadRecord): void {
  tally.issue(faultOfRecord(record)!);
  if (isRecord(table, record.row)) tally.records.heldBack += 1;
}

/** Reads the tables that documents look up, and those that only state totals. */
export async function* gatherJoined(
  reading: Reading,
  joinedTables: readonly JoinedTable[],
): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping } = reading.options;
  for (const table of mapping.tables.values()) {
    if (table.parent !== undefined || mapping.mains.includes(table)) continue;
    const joinedTable = joinedTables.find((one) => one.table === table);
    for await (const { records } of recordsOfTable(reading, table)) {
      for (const record of records) {
        if (!isReadable(record)) {
          // A file of its own is nobody's services.
          const isOwed = record.row.file === undefined && joinedTable?.lose(record) === true;
          if (!isOwed) refuseJoined(reading, table, record);
        } else if (joinedTable !== undefined) joinedTable.add(record);
        else if (isRecord(table, record.row)) reading.tally.records.skipped += 1;
      }
      yield reading.tally.told();
    }
  }
}

/** A record, what tells of a row that is none, or documents that were screened, and how their records can be had again. */
type Step =
  | ReadRecord
  | Told
  | {
      readonly screened: ScreenedDocuments;
      readonly table: LocatedTable;
      readonly records: () => Promise<readonly ReadRecord[]>;
    };

/**
 * Whether rows of the main table can be looked at apart: one table, nothing that depends on all documents before, and nothing looked up
 * but what comes with the parameters.
 */
function canScreen(options: PrepareOptions, located: Located): boolean {
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
async function* stepsOf(reading: Reading, main: CompiledTable): AsyncGenerator<readonly Step[]> {
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
  steps: readonly (ReadRecord | Told)[],
): readonly Step[] {
  const isRead = (step: ReadRecord | Told): step is ReadRecord => typeof step !== 'function';
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

/** Tells of screened documents; their records, where more is to be told. */
async function leftOf(maker: Maker, { screened, table, records }: Exclude<Step, ReadRecord | Told>) {
  return maker.take(screened, table) ? NO_RECORDS : await records();
}

const NO_RECORDS: readonly ReadRecord[] = [];

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

const isReadRecord = (step: Step): step is ReadRecord => typeof step !== 'function' && !('screened' in step);

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
  all: AsyncIterable<readonly Step[]>,
  { mapping }: PrepareOptions,
  maker: Maker,
): AsyncGenerator<readonly Step[]> {
  const keys = keyColumns(mapping);
  let above: ReadRecord | undefined;
  let between: Told[] = [];
  for await (const steps of all) {
    const known: Step[] = [];
    for (const step of steps) {
      if (typeof step === 'function' && above !== undefined && between.length < MOST_BETWEEN) {
        between.push(step);
        continue;
      }
      const isKeyless = isReadRecord(step) && saysNoKey(keys, step);
      if (isKeyless && above?.table.number === step.table.number && !isAnother(mapping, above, step))
        maker.doubt(above, step);
      if (above !== undefined) known.push(above, ...between);
      above = isReadRecord(step) && !isKeyless ? step : undefined;
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
      const isRecord = isReadRecord(step);
      const made = isRecord ? waiting.add([step]) : waiting.make();
      if (made !== undefined) await made;
      if (typeof step === 'function') step();
      else if (!isRecord) for (const record of await leftOf(maker, step)) await waiting.add([record]);
    }
    await waiting.make();
    yield reading.tally.told();
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
  for await (const steps of stepsOf(reading, main!)) {
    for (const step of steps)
      if (typeof step === 'function') {
        await waiting.make();
        step();
      } else if ('screened' in step) {
        await finish();
        await waiting.make();
        for (const record of await leftOf(maker, step)) await add(record);
        await finish();
      } else {
        const made = add(step);
        if (made !== undefined) await made;
      }
    yield reading.tally.told();
  }
  await finish();
  await waiting.make();
  yield reading.tally.told();
}

async function* eachStored(reading: Reading, maker: Maker): AsyncGenerator<readonly PrepareEvent[]> {
  const { mapping } = reading.options;
  const groups = new RecordGroups(mapping, maker.refuse);
  const waiting = new Waiting(maker);
  try {
    for (const main of mapping.mains)
      for await (const { records, source } of recordsOfTable(reading, main)) {
        for (const record of records) groups.add(record, source);
        yield reading.tally.told();
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
      if (count % AT_ONCE === 0) yield reading.tally.told();
    }
    await waiting.make();
    for (const issue of groups.idle()) reading.tally.issue(issue);
    yield reading.tally.told();
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

/** What becomes of a document that depends on those before it; issues point into the document. */
type Followed =
  /** Made, after others that the record did not name. */
  | { readonly is: 'next'; readonly before: readonly JsonObject[]; readonly issues: readonly Issue[] }
  /** Done already: the record is skipped. */
  | { readonly is: 'done'; readonly issue: Issue }
  /** Held back. */
  | { readonly is: 'refused'; readonly issue: Issue };

/** Where a document comes from: the row of its first record, and what people call what it is about. */
export interface Followable {
  readonly row: number;
  readonly details?: Document['details'];
}

export interface Follow {
  /** Asked once for each document that is good by itself, in order. */
  next(document: JsonObject, from: Followable): Followed | Promise<Followed>;
  /** Told, in the same order, of each that is not; some of it may be missing. */
  heldBack?(document: JsonObject, from: Followable): void;
}
