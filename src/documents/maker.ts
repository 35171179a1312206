import { compare } from '../core/decimal.js';
import { formatPlace, type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import type { JsonObject, Pointer, Writable } from '../core/json.js';
import { applyMapping, targetFor } from '../mapping/apply.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { rowPlace } from '../mapping/places.js';
import type { Context, LocatedTable, ReadRecord } from '../mapping/record.js';
import type { Present } from '../mapping/write.js';
import { hasTrait, type Note } from '../messages/wording.js';
import { UncheckedTables } from '../schema/catalogue.js';
import { type ComparedTotal, droppedAmounts } from './cells.js';
import {
  type CheckedDocument,
  type CheckSite,
  createGeneralIssues,
  DocumentCheck,
  type Gathered,
  gather,
  toCell,
} from './check-document.js';
import { filled } from './footers.js';
import {
  isReadable,
  keyBlankBelow,
  keyColumns,
  keyOf,
  MOST_RECORDS,
  otherZeros,
  whyKeyless,
} from './groups.js';
import { joinIssues } from './join-issues.js';
import type { JoinedTable } from './joined-tables.js';
import type { Located } from './locate.js';
import { faultOfRecord, hiddenRow } from './read-table.js';
import { besideOf, detailsOf, displayName, placesOf, RecordDocument } from './record-document.js';
import type { Followable, Followed, Reading } from './run.js';
import type { OfRun, ScreenedDocuments } from './screened.js';
import { createSeen, type DocumentKeys } from './seen.js';

/** Makes documents of records, checks them, and tells what came of each. Several are made side by side, each of its own records. */
export interface Maker {
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
  followed === undefined ? NO_ISSUES : followed.is === 'next' ? followed.issues : [followed.issue];

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
    return NO_ISSUES;
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
    const unread = all.every(isReadable) ? NO_ISSUES : all.flatMap((record) => faultOfRecord(record) ?? []);
    const why = held.size === 0 ? undefined : held.get(first);
    const apart = own.length > 1 ? [...otherZeros(keys, own), ...unlike] : NO_ISSUES;
    const faults =
      why === undefined && apart.length === 0 ? unread : [...unread, ...(why ?? NO_ISSUES), ...apart];
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
    const unjoined = joined.length > 0 ? joinIssues(gathered) : NO_ISSUES;
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
    const found = check?.issues ?? NO_ISSUES;
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
    const events = tally.drain();
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

/** Documents of more records together are not held side by side. */
export const FEW_RECORDS = 256;

const tooMany = ({ table, row }: ReadRecord, count: number): Issue => ({
  code: 'document/too-many-records',
  level: 'error',
  params: { count, most: MOST_RECORDS },
  place: rowPlace(table, row),
});

function noTarget({ table, row }: ReadRecord): Issue {
  return { code: 'document/no-target', level: 'error', params: {}, place: rowPlace(table, row) };
}
