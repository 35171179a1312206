import type { Issue } from '../issues/issue.js';
import { targetFor } from '../mapping/apply.js';
import type { CompiledColumn } from '../mapping/columns.js';
import type { CompiledTarget } from '../mapping/compile.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf, type ReadRecord, rowPlace } from '../mapping/record.js';
import { UncheckedTables } from '../schema/unchecked-tables.js';
import type { Pointer } from '../values/pointer.js';
import type { Writable } from '../values/writable.js';
import { derivationsFor } from './attention-parts.js';
import { type CellAccounting, droppedAmounts } from './cells.js';
import { type CheckSite, checkDocument, toCell } from './check-document.js';
import { type Gathered, gather } from './document-context.js';
import type { Followed } from './follow.js';
import { createGeneralIssues } from './general-issues.js';
import type { Located } from './locate.js';
import type { PrepareOptions, Tally } from './prepare.js';
import { faultOfRecord, hiddenRow } from './read-table.js';
import { displayName, RecordDraft } from './record-draft.js';
import { createSeen } from './seen-documents.js';
import { keyPlace, keyText, type Side, shownKey } from './sides.js';

/** Makes documents of records, checks them, and tells what came of each. */
export interface Maker {
  make(own: readonly ReadRecord[]): void;
  /** A record without a key: no document can be made of it. */
  refuse(record: ReadRecord): void;
  /** What is to be said once all documents are made. */
  finish(): readonly Issue[];
}

const NONE: readonly Issue[] = [];
/** So many required values that a record lacks leave little of it. */
const MUCH = 3;
const isMissing = ({ code }: Issue): boolean => code === 'document/required';
const ALREADY_DONE = 'ya estaba hecho / already done';

const issuesOf = (followed: Followed | undefined): readonly Issue[] =>
  followed === undefined ? NONE : followed.is === 'next' ? followed.issues : [followed.issue];

export function createMaker(
  options: PrepareOptions,
  located: Located,
  sides: readonly Side[],
  tally: Tally,
  cells: CellAccounting,
): Maker {
  const { mapping, params } = options;
  const derivations = derivationsFor(
    mapping.targets.map(({ schema }) => schema),
    params,
  );
  const unchecked = new UncheckedTables();
  const keys = keyColumns(mapping);
  const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
  const { today, complete } = options;
  const site: CheckSite = {
    mapping,
    cells,
    unfed: unfedLeaves(mapping, located, params.values),
    levels,
    general: createGeneralIssues(),
    derivations,
    options: {
      derived: true,
      levels,
      unchecked,
      params: params.values,
      ...(today !== undefined && { today }),
    },
    ...(complete !== undefined && { complete }),
  };
  const seen = createSeen(mapping, levels, derivations);
  const said = new Set<string>();

  /** What spoils many documents alike is said once: a wrong parameter, a fault in a record that many look up. */
  const once = (issue: Issue): void => {
    const { pointer, file, sheet, row, column } = issue.place;
    const about = [issue.value, ...Object.values(issue.params), row === undefined ? pointer : ''];
    const text = [issue.code, file, sheet, row, column, ...about].join('\n');
    if (said.has(text)) return;
    said.add(text);
    tally.issue(issue);
  };

  const sayHidden = (record: ReadRecord, key: string): void => {
    if (record.row.hidden && specOf(mapping, record)?.hidden_rows !== 'include') once(hiddenRow(record, key));
  };

  /** Whether a record cannot be trusted at all; it holds back the document that it belongs to. */
  const isUnreadable = (own: readonly ReadRecord[]): boolean => {
    const faults = own.flatMap((record) => faultOfRecord(record) ?? []);
    if (faults.length === 0) return false;
    const [first] = own;
    const key = first!.row.file ?? keyOf(keys, first!).key;
    tally.documents.planned += 1;
    tally.documents.heldBack += 1;
    tally.records.heldBack += own.length;
    for (const issue of faults) tally.issue({ ...issue, documentKey: key });
    tally.tell({ kind: 'held-back', key, places: own.map(({ table, row }) => rowPlace(table, row)) });
    return true;
  };

  return {
    make(own) {
      const gathered = gather(mapping, params.values, own, sides);
      const { context, joined } = gathered;
      if (isUnreadable(own)) {
        for (const { side, key: asked, records } of joined) side.settle(asked, records, false);
        return;
      }
      const first = own[0]!;
      const { key, issue: keyIssue } = keyOf(keys, first);
      const count = joined.reduce((sum, { records }) => sum + records.length, own.length);
      const target = count > MOST_RECORDS ? undefined : targetFor(mapping.targets, context);
      const issues: Issue[] = keyIssue === undefined ? [] : [keyIssue];
      if (count > MOST_RECORDS) issues.push(tooMany(first, count));
      else if (target === undefined) issues.push(noTarget(first));
      const unjoined = joined.length > 0 ? joinIssues(gathered) : NONE;
      const checked =
        target && checkDocument(site, target, context, first, { key, said: [...issues, ...unjoined] });
      const repeated =
        checked && keyIssue === undefined && options.follow === undefined
          ? seen(first, target!, checked, context)
          : NONE;
      issues.push(...repeated);
      if (target !== undefined) issues.push(...droppedAmounts(mapping, target, context));
      tally.documents.planned += 1;
      const shares = joined.some(({ side }) => !side.table.join!.many);
      const isOwn = ({ place: { file, sheet } }: Issue): boolean =>
        own.some(({ table: { source } }) => source.file === file && source.sheet === sheet);
      issues.push(...unjoined);
      for (const record of own) sayHidden(record, key);
      for (const { records } of joined) for (const record of records) sayHidden(record, key);
      const say = (issue: Issue): void => {
        const told: Writable<Issue> = Object.assign({}, issue);
        told.documentKey = key;
        if (shares && !isOwn(issue)) once(told);
        else tally.issue(told);
      };
      for (const issue of issues) say(issue);
      // Of a row that hardly says anything its lack of a key says all.
      const isBare = keyIssue !== undefined && (checked?.issues ?? NONE).filter(isMissing).length >= MUCH;
      if (!isBare) for (const issue of checked?.issues ?? NONE) say(issue);
      const fine = checked?.good === true && issues.every(({ level }) => level !== 'error');
      const followed = fine ? options.follow?.(checked.document) : undefined;
      for (const issue of issuesOf(followed))
        tally.issue({ ...toCell(issue, first, checked!.origins()), documentKey: key });
      if (followed?.is === 'done') {
        tally.documents.planned -= 1;
        tally.records.skipped += own.length;
        for (const { side, key: asked, records } of joined) side.settle(asked, records, true);
        for (const { table, row } of own)
          tally.tell({ kind: 'skipped', place: rowPlace(table, row), note: ALREADY_DONE });
        return;
      }
      const good = fine && followed?.is !== 'refused';
      for (const { side, key: asked, records } of joined) side.settle(asked, records, good);
      if (!good) {
        tally.documents.heldBack += 1;
        tally.records.heldBack += own.length;
        const name = displayName(mapping, context);
        const places = own.map(({ table, row }) => rowPlace(table, row));
        tally.tell({ kind: 'held-back', key, ...(name !== undefined && { name }), places });
        return;
      }
      tally.records.used += own.length;
      const before = followed?.before ?? [];
      tally.documents.planned += before.length;
      for (const document of [...before, checked.document]) {
        tally.documents.made += 1;
        tally.tell({
          kind: 'document',
          draft: new RecordDraft(
            tally.documents.made,
            key,
            document,
            mapping,
            target!,
            context,
            own,
            derivations.get(target!.schema),
          ),
        });
      }
    },
    finish: () => [...site.general.finish(), ...unchecked.issues()],
    refuse(record) {
      const { key, issue } = keyOf(keys, record);
      tally.documents.planned += 1;
      tally.documents.heldBack += 1;
      tally.records.heldBack += 1;
      if (issue !== undefined) tally.issue({ ...issue, documentKey: key });
      for (const [column, { code, params: found }] of record.faults ?? [])
        tally.issue({
          code,
          level: 'error',
          params: found,
          place: placeOf(record, column),
          documentKey: key,
        });
      tally.tell({ kind: 'held-back', key, places: [rowPlace(record.table, record.row)] });
    },
  };
}

const specOf = ({ tables }: LoadedMapping, { table }: ReadRecord) =>
  [...tables.values()].find(({ slot }) => slot === table.slot)?.spec;

/** Leaves of which every column that could feed them is missing in the files. */
function unfedLeaves(
  { targets }: LoadedMapping,
  { present }: Located,
  params: ParamValues,
): ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>> {
  const isUnfed = (alternatives: CompiledTarget['tree']['needs'][number]['alternatives']): boolean =>
    alternatives.every((set) => set.some(({ feeders }) => feeders.every((column) => !present.has(column))));
  return new Map(
    targets.map((target) => [
      target,
      new Set(
        target.tree.needs
          .filter(({ param }) => param === undefined || params[param] === undefined)
          .filter(({ alternatives }) => isUnfed(alternatives))
          .map(({ pointer }) => pointer),
      ),
    ]),
  );
}

/** The columns of the key of a document, by slot of the table that makes it. */
const keyColumns = ({ mains, key }: LoadedMapping): KeyColumns =>
  new Map(mains.map(({ slot, columns }) => [slot, key.map((id) => columns.get(id)!)]));

type KeyColumns = ReadonlyMap<number, readonly CompiledColumn[]>;

/** The key of a document as people know it, and what is wrong with it. */
function keyOf(keys: KeyColumns, record: ReadRecord): { key: string; issue?: Issue } {
  const { table, row, values, faults } = record;
  const columns = keys.get(table.slot)!;
  const text = keyText(columns.map(({ position }) => values[position]));
  if (text !== undefined) return { key: shownKey(text) };
  const blank = columns.find(({ position }) => values[position] === undefined)!;
  const index = table.indexes[blank.position];
  const shown = (index === undefined ? undefined : row.texts[index]) ?? String(row.number);
  const isFaulty = [blank, ...blank.feeders].some((column) => faults?.has(column));
  if (isFaulty || (index === undefined && blank.computed === undefined)) return { key: shown };
  return {
    key: shown,
    issue: { code: 'row/key-blank', level: 'error', params: {}, place: placeOf(record, blank) },
  };
}

/** A document that lacks a record it should have, or has two where one may be. */
function joinIssues({ own, joined }: Gathered): Issue[] {
  return joined.flatMap((one): Issue[] => {
    const { side, key, records, cells, refused } = one;
    const { join, id } = side.table;
    const [record] = own;
    if (refused !== undefined && join!.missing !== 'ignore') return [refusedIssue(record!, one)];
    if (records.length === 0 && join!.missing !== 'ignore' && key !== undefined)
      return [
        {
          code: 'join/missing',
          level: join!.missing,
          params: { table: sheetName(side, id) },
          place: cells[0] ?? rowPlace(record!.table, record!.row),
          value: shownKey(key),
        },
      ];
    const [first, second] = records;
    if (join!.many || second === undefined) return [];
    return [
      {
        code: 'row/key-repeated',
        level: 'error',
        params: { first: first!.row.number },
        place: keyPlace(second, join!),
        value: shownKey(key!),
        related: [keyPlace(first!, join!)],
      },
    ];
  });
}

/** Owners that an issue names. */
const NAMED = 5;

/** A record that the document's key leads to, and that is of somebody else or of nobody. */
function refusedIssue(
  { table, row }: ReadRecord,
  { side, key, cells, refused }: Gathered['joined'][number],
): Issue {
  const { join, id } = side.table;
  const { as, records, asked } = refused!;
  const owners = records.map((record) =>
    join!.whose.flatMap(({ own }) => record.values[own.position] ?? []).join(' '),
  );
  const column = join!.whose[0]!.own;
  const params = {
    table: sheetName(side, id),
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

const sheetName = ({ table }: Side, id: string): string =>
  [table.spec.sheet ?? table.spec.file ?? id].flat()[0]!;

/** No worker's month and no visit has so many; it is made whole, in memory. */
const MOST_RECORDS = 3_000;

const tooMany = ({ table, row }: ReadRecord, count: number): Issue => ({
  code: 'document/too-many-records',
  level: 'error',
  params: { count, most: MOST_RECORDS },
  place: rowPlace(table, row),
});

function noTarget({ table, row }: ReadRecord): Issue {
  return { code: 'document/no-target', level: 'error', params: {}, place: rowPlace(table, row) };
}
