import { hasErrors, type Issue, NO_ISSUES, type Place, paramOf, withParams } from '../core/issue.js';
import { type JsonObject, type Pointer, parsePointer } from '../core/json.js';
import type { SchemaName } from '../generated/schema-types.js';
import { type applyMapping, type Origins, originsOf, statedTotal } from '../mapping/apply.js';
import { recordsOf } from '../mapping/context.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf, placesOf, rowPlace } from '../mapping/places.js';
import {
  askingIds,
  type CompiledColumn,
  type Context,
  type JoinKey,
  joinRecords,
  partsIn,
  type ReadRecord,
  repeatedIn,
} from '../mapping/record.js';
import { hasTrait } from '../messages/wording.js';
import type { BatchRule } from '../schema/batch-rules.js';
import { compareStated, deriveTotals, NO_TOTALS, NONE_WRONG } from '../schema/derived-totals.js';
import { placesOf as tracedPlaces } from '../schema/document.js';
import { leafKind, resolveNode } from '../schema/registry.js';
import type { Levels } from '../schema/rule-data.js';
import { checkRules, type RuleOptions } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { JsonRecord } from '../tables/table.js';
import {
  type CellAccounting,
  explaining,
  ignoredKeys,
  namesOf,
  passedOverAmounts,
  unusedAmounts,
} from './cells.js';
import { apartIn } from './groups.js';
import { type Found, type JoinedTable, keyAsked, keyTexts } from './joined-tables.js';

/** The record of a JSON file that a document is made of, and where it stands. */
interface JsonOrigin {
  readonly json: JsonRecord;
  readonly place: Place;
  /** Keys that the mapping leaves aside where nobody knows them, and why. */
  readonly ignored: ReadonlyMap<string, string>;
}

export const jsonOrigin = (mapping: LoadedMapping, { table, row }: ReadRecord): JsonOrigin | undefined =>
  row.json && {
    json: row.json,
    place: rowPlace(table, row),
    ignored: ignoredKeys(mapping, table.slot),
  };

/** What follows from the mapped parts of a document, for kinds of documents that have such parts. */
export interface Derivation {
  /** Adds the derived part. */
  complete(document: JsonObject, from?: JsonOrigin): readonly Issue[];
  /** The faults of shape without those of derived leaves whose source has one. */
  shape(document: JsonObject, faults: readonly Issue[]): readonly Issue[];
  /** What rules say of the derived part, with pointers of the document; of a leaf whose shape is wrong they say nothing more. */
  rules(document: JsonObject, shape: readonly Issue[], options: RuleOptions): readonly Issue[];
  /** The rules over a file that the derived part has; they are asked of the document. */
  readonly batch: readonly BatchRule[];
  /** With the derived leaves, which come from where their sources do. */
  origins(document: JsonObject, origins: Origins, from?: JsonOrigin): Origins;
}

/** Issues that no cell of a document caused: a parameter did, the mapping, or a column that no file has. Each is said once, with how many documents have it. */
interface GeneralIssues {
  /** Whether all of them were noted before, of documents made of the same tables; this document is then counted. */
  knows(context: Context, issues: readonly Issue[]): boolean;
  /**
   * `found` as the document's check found it; `said` as it is to be said, undefined where the header's own issue says it.
   * `record` is where the document stands: an issue that only this one has, and no parameter caused, is told there.
   */
  note(context: Context, found: Issue, said?: Issue, record?: Place): void;
  /** Once all documents are made. */
  finish(): readonly Issue[];
}

/** A leaf in a list has other sources in every document. */
const IN_LIST = /\/\d+(\/|$)/;

/** Which tables have records in the document: from the same ones, the same leaves are fed. */
function tablesOf({ at, sets }: Context): string {
  let text = '';
  for (let slot = 0; slot < Math.max(at.length, sets.length); slot++) {
    const record = at[slot];
    let last: number | undefined;
    if (record !== undefined) text += record.table.number;
    else
      for (const { table } of sets[slot] ?? []) {
        if (table.number !== last) text += `${table.number}+`;
        last = table.number;
      }
    text += ' ';
  }
  return text;
}

const keyOf = (tables: string, { code, level, params, place, value }: Issue): string =>
  [tables, code, level, place.pointer, value, ...Object.values(params)].join('\n');

/** What people read as one and the same. */
const saidKey = ({ code, level, params, place, value }: Issue): string => {
  const { file, sheet, param, mapping, pointer = '' } = place;
  const leaf = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return [code, level, file, sheet, param, mapping, leaf, value, ...Object.values(params)].join('\n');
};

interface Said {
  readonly issue: Issue;
  readonly record: Place | undefined;
  documents: number;
  /** The document that was counted last: one that has it twice counts once. */
  last: Context | undefined;
}

function count(said: Said | undefined, context: Context): void {
  if (said === undefined || said.last === context) return;
  said.documents += 1;
  said.last = context;
}

function tell({ issue, record, documents }: Said): Issue {
  const { param, mapping, pointer } = issue.place;
  if (documents > 1 || record === undefined || param !== undefined || mapping !== undefined)
    return { ...issue, documents };
  return { ...issue, place: { ...record, ...(pointer !== undefined && { pointer }) } };
}

/** What every document of a run has alike is worked out for the first one only. */
export function createGeneralIssues(): GeneralIssues {
  const known = new Map<string, Said | undefined>();
  const all = new Map<string, Said>();
  /** Rules give the same object while they find the same; it need not be looked at again. */
  const seen = new WeakMap<Issue, { readonly tables: string; readonly said: Said | undefined }>();

  function saidOf(tables: string, issue: Issue): Said | undefined | null {
    const before = seen.get(issue);
    if (before?.tables === tables) return before.said;
    const key = keyOf(tables, issue);
    if (!known.has(key)) return null;
    const said = known.get(key);
    seen.set(issue, { tables, said });
    return said;
  }

  return {
    knows(context, issues) {
      if (known.size === 0) return false;
      const tables = tablesOf(context);
      for (const issue of issues) if (saidOf(tables, issue) === null) return false;
      for (const issue of issues) count(saidOf(tables, issue) ?? undefined, context);
      return true;
    },
    note(context, issue, told, record) {
      let said: Said | undefined;
      if (told !== undefined) {
        const key = saidKey(told);
        said = all.get(key);
        if (said === undefined) {
          said = { issue: told, record, documents: 0, last: undefined };
          all.set(key, said);
        }
        count(said, context);
      }
      if (!IN_LIST.test(issue.place.pointer ?? '')) known.set(keyOf(tablesOf(context), issue), said);
    },
    finish: () => [...all.values()].map(tell),
  };
}

/** A document, and everything that is wrong with it, placed on cells. */
export interface CheckedDocument {
  readonly document: JsonObject;
  readonly issues: readonly Issue[];
  /** False when an error, shown here, on the header or of the run, holds the document back. */
  readonly good: boolean;
  /** Where its leaves came from, derived ones too; worked out when first asked for. */
  origins(): Origins;
}

/** What the check of every document of a run shares. */
export interface CheckSite {
  readonly mapping: LoadedMapping;
  /** Leaves that no column of the files can feed: the header's own issue says it for all. */
  readonly unfed: ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>>;
  /** Tables that must be there and are not, which is told of them as a whole: by slot. */
  readonly lacking: ReadonlySet<number>;
  /** Levels that the mapping gives to rules, each with its reason. */
  readonly levels: Levels;
  /** What was said of the run as a whole. */
  readonly general: GeneralIssues;
  /** What follows from the mapped parts, by schema of the target. */
  readonly derivations: ReadonlyMap<SchemaName, Derivation>;
  /** How rules are asked. */
  readonly options: RuleOptions;
  /** Where totals that the files state are added up. */
  readonly cells: Pick<CellAccounting, 'compared'>;
}

/** Changes the document it is given; `key` is what people know it by. */
export type Complete = (
  document: JsonObject,
  about: { readonly schema: SchemaName; readonly key: string },
) => Promise<void>;

/** Of a parameter, and no row. */
const isOfRun = ({ place }: Issue): boolean => place.row === undefined && place.param !== undefined;

/** Of a check of the mapping that is said of all documents together. */
const isTogether = ({ place }: Issue): boolean => place.row === undefined && place.column !== undefined;

/** Faults after which sums and comparisons of amounts would only repeat the trouble. */
const spoilsAmounts = (issue: Issue): boolean => hasTrait(issue, 'spoils-amounts');

/** Of what documents of a schema lack, which is one object for all of them. */
const amounts = new WeakMap<Issue, boolean>();

/** Without an amount that must be there, every sum over it is wrong as well. */
function lacksAmount(issue: Issue, schema: SchemaName): boolean {
  if (issue.code !== 'document/required') return false;
  let isAmount = amounts.get(issue);
  if (isAmount === undefined) {
    const node = resolveNode(schema, parsePointer(issue.place.pointer ?? ''));
    isAmount = node !== undefined && leafKind(node) === 'money';
    amounts.set(issue, isAmount);
  }
  return isAmount;
}

/** What an issue is laid to: a cell, a parameter, the mapping. */
const causeKey = ({ file, sheet, column, row, json, param, mapping }: Place): string =>
  [file, sheet, column, row, json, param, mapping].join('!');

/**
 * The check of one document that is mapped: `derive`, `validate`, `applyRules`, and `place`, which tells what was found. Documents
 * take each step together, since a processor that goes through all of this code for each of them never has it at hand.
 */
export class DocumentCheck implements CheckedDocument {
  readonly document: JsonObject;
  issues = NO_ISSUES;
  good = false;
  private readonly derivation: Derivation | undefined;
  /** Of the mapping. */
  private readonly found: readonly Issue[];
  private derived = NO_ISSUES;
  private totals = NO_TOTALS;
  private shape = NO_ISSUES;
  private sums = NONE_WRONG;
  private rules = NO_ISSUES;
  /** Of the checks that the mapping has. */
  private own = NO_ISSUES;
  private knownOrigins: Origins | undefined;

  constructor(
    private readonly site: CheckSite,
    private readonly target: CompiledTarget,
    private readonly context: Context,
    private readonly record: ReadRecord,
    { document, issues }: ReturnType<typeof applyMapping>,
  ) {
    this.document = document;
    this.derivation = site.derivations.get(target.schema);
    this.found = context.passedOver === undefined ? issues : [...issues, ...passedOverAmounts(context)];
  }

  derive(): void {
    const { site, document, record, derivation } = this;
    if (derivation !== undefined)
      this.derived = derivation.complete(document, jsonOrigin(site.mapping, record));
    this.totals = deriveTotals(this.target.schema, document);
  }

  validate(): void {
    const { document, derived, derivation } = this;
    const faults = validate(this.target.schema, 'draft', document);
    this.shape = derivation?.shape(document, [...derived, ...faults]) ?? faults;
  }

  applyRules(): void {
    const { document, shape, derivation } = this;
    const { mapping, options } = this.site;
    const { schema } = this.target;
    const isSummable =
      !this.found.some(spoilsAmounts) &&
      !shape.some((fault) => spoilsAmounts(fault) || lacksAmount(fault, schema));
    if (isSummable) {
      if (this.totals.size > 0) this.compareTotals();
      const plain = checkRules(schema, document, options);
      this.rules = derivation ? [...plain, ...derivation.rules(document, shape, options)] : plain;
    }
    const own: Issue[] = [];
    for (const check of mapping.checks) check(this.context, own);
    this.own = own;
  }

  private compareTotals(): void {
    const { target, context, totals } = this;
    const { cells, levels } = this.site;
    const statedHere = (name: string): string | undefined => {
      const claim = statedTotal(target, context, name);
      const computed = totals.get(name);
      if (claim !== undefined && computed !== undefined)
        cells.compared(name, target.stated.get(name)!.columns, claim, computed);
      return claim;
    };
    this.sums = compareStated(target.schema, totals, statedHere, levels);
  }

  origins(): Origins {
    if (this.knownOrigins === undefined) {
      const { site, target, context, record, document, derivation } = this;
      const mapped = originsOf(target, context, record);
      this.knownOrigins = derivation?.origins(document, mapped, jsonOrigin(site.mapping, record)) ?? mapped;
    }
    return this.knownOrigins;
  }

  /** @param said what is wrong with its key, and records that it should have in other tables and has not */
  place(said: readonly Issue[]): void {
    const { found, shape, sums, rules, own, context } = this;
    const { general } = this.site;
    const isPlain = shape.length + sums.length + rules.length + own.length === 0 && !found.some(isOfRun);
    this.good = !hasErrors(shape) && !hasErrors(found) && !hasErrors(rules);
    if (isPlain) this.issues = found;
    else if (sums.length + own.length > 0 || !found.every(isOfRun)) this.placeEach(said);
    else {
      const all = found.length + shape.length === 0 ? rules : [...found, ...shape, ...rules];
      if (!general.knows(context, all)) this.placeEach(said);
    }
  }

  private placeEach(said: readonly Issue[]): void {
    const { target, context, record, found, shape, sums, rules, own } = this;
    const { mapping, unfed, lacking, general } = this.site;
    const origins = this.origins();
    const told = [...found, ...said].filter(({ level }) => level === 'error');
    const faults = new Map(told.map((issue) => [causeKey(issue.place), issue]));
    const placed: Issue[] = [];
    const saidAt = new Set<string>();
    /** Leaves of which a rule, or a check of the mapping, says more than that they are missing. */
    const ruled = new Set(
      [...rules, ...own].flatMap(({ level, place }) => (level === 'error' ? [place.pointer] : [])),
    );
    for (const issue of found) {
      if (isOfRun(issue)) general.note(context, issue, issue);
      else {
        placed.push(issue);
        saidAt.add(`${issue.code} ${causeKey(issue.place)}`);
      }
    }
    const put = (issue: Issue): void => {
      const causes = causesOf(issue, target, context, record, origins, mapping.name);
      const { pointer = '' } = issue.place;
      const [place = {}] = causes;
      const isOwn = issue.code === 'document/required' || origins.trace.get(pointer) === causes;
      const fault = isOwn ? causes.map((cause) => faults.get(causeKey(cause))).find(Boolean) : undefined;
      if (fault !== undefined) {
        // It says it: one of the run for all that have it.
        if (isOfRun(fault)) general.note(context, issue, fault);
        return;
      }
      if (place.row !== undefined) {
        const key = `${issue.code} ${causeKey(place)}`;
        if (isOwn && saidAt.has(key)) return; // one cell, several leaves
        saidAt.add(key);
        placed.push(placedAt(place.column === undefined ? withItem(issue, target.schema) : issue, causes));
      } else if (unfed.get(target)?.has(pointer)) general.note(context, issue);
      else general.note(context, issue, placedAt(issue, causes), rowPlace(record.table, record.row));
    };
    for (const issue of shape) {
      const isMissing = issue.code === 'document/required';
      if (isMissing && ruled.has(issue.place.pointer)) continue;
      if (isMissing && isOfTables(lacking, target, issue)) general.note(context, issue);
      else put(issue);
    }
    for (const issue of rules) put(issue);
    let unused: ReturnType<typeof unusedAmounts> | undefined;
    for (const { name, issue } of sums) {
      const [place = rowPlace(record.table, record.row), ...others] = placesOf(
        context,
        target.stated.get(name)!.columns,
      );
      unused ??= unusedAmounts(mapping, target, context);
      const left = explaining(String(paramOf(issue, 'difference')), unused);
      const whole = left.length === 0 ? issue : withParams(issue, { left_out: namesOf(left) });
      const related = [...left.map((amount) => amount.place), ...others];
      placed.push({ ...whole, place, ...(related.length > 0 && { related }) });
    }
    for (const issue of own) if (isTogether(issue)) general.note(context, issue, issue);
    this.issues = [...placed, ...own.filter((issue) => !isTogether(issue))];
    this.good &&= !hasErrors(this.issues) && !hasErrors(own);
  }
}

/** What an item lacks, where no cell shows it, is said with what the item is: a start may be of a vacation, or of a disability. */
function withItem(issue: Issue, schema: SchemaName): Issue {
  const keys = parsePointer(issue.place.pointer ?? '');
  const at = keys.findLastIndex((key) => /^\d+$/.test(key));
  const item = keys[at - 1];
  if (issue.code !== 'document/required' || item === undefined) return issue;
  const title = resolveNode(schema, keys.slice(0, at))?.title ?? item;
  const said = (own: 'field' | 'title', of: string): string => `${paramOf(issue, own)} (${of})`;
  return withParams(issue, { field: said('field', item), title: said('title', title) });
}

/** Points an issue of the document at where its cause lies. */
function placedAt(issue: Issue, causes: readonly Place[]): Issue {
  const [place, ...related] = causes;
  const { pointer = '' } = issue.place;
  return { ...issue, place: { ...place, pointer }, ...(related.length > 0 && { related }) };
}

/**
 * Where the cause of an issue lies: the cells of its leaf; the parameter or the mapping that gives it; the table, where the file
 * lacks the columns; the record, where others should have given it.
 */
function causesOf(
  { place: { pointer = '' } }: Issue,
  { fields }: CompiledTarget,
  context: Context,
  record: ReadRecord,
  { trace }: Origins,
  mapping: string,
): readonly Place[] {
  if (pointer === '') return [rowPlace(record.table, record.row)];
  const known = tracedPlaces(trace, pointer);
  if (known.length > 0) return known;
  const leaf = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  const own = fields.filter(({ pointer: one }) => one === leaf || one.startsWith(`${leaf}/`));
  const columns = own.flatMap((field) => field.columns);
  const isOwn = ({ slot }: CompiledColumn): boolean => slot === record.table.slot;
  // Items of a list are made of records: where another table has none, neither a parameter nor what all share stands in for them.
  const isListElsewhere = !columns.every(isOwn) && !own.some((field) => field.pointer === leaf);
  const asked = isListElsewhere ? columns.filter(isOwn) : columns;
  const cells = asked.some(({ slot }) => recordsOf(context, slot).length > 0) ? placesOf(context, asked) : [];
  if (cells.length > 0) return cells;
  if (isListElsewhere) return [rowPlace(record.table, record.row)];
  const open = own.flatMap(({ params }) => params.filter((name) => context.params[name] === undefined));
  if (open.length > 0) return [...new Set(open)].map((param) => ({ param }));
  if (columns.length === 0) return [{ mapping }];
  if (columns.every(isOwn)) return [tableOf(record)];
  return [rowPlace(record.table, record.row)];
}

/** Whether what is missing would have come of one of those tables. */
function isOfTables(tables: ReadonlySet<number>, { fields }: CompiledTarget, { place }: Issue): boolean {
  if (tables.size === 0) return false;
  const leaf = place.pointer?.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return fields.some(
    ({ pointer, columns }) =>
      pointer === leaf &&
      columns.some((column) => [column, ...column.feeders].some(({ slot }) => tables.has(slot))),
  );
}

const tableOf = ({ table }: ReadRecord): Place => {
  const { file, sheet } = table.source;
  return { file, ...(sheet !== undefined && { sheet }) };
};

/** Points an issue of a made document at the cells that fed its leaf. */
export function toCell(issue: Issue, record: ReadRecord, { trace }: Origins): Issue {
  const causes = tracedPlaces(trace, issue.place.pointer ?? '');
  return placedAt(issue, causes.length > 0 ? causes : [rowPlace(record.table, record.row)]);
}

/** The records of one document: its own, and those that it joins. */
export interface Gathered {
  readonly context: Context;
  /** Its own records, in order. */
  readonly own: readonly ReadRecord[];
  /** What records of several sheets do not say alike. */
  readonly unlike: readonly Issue[];
  readonly joined: readonly {
    readonly joinedTable: JoinedTable;
    readonly key: string | undefined;
    readonly records: readonly ReadRecord[];
    /** Without records: the cells by which they were looked for. */
    readonly cells: readonly Place[];
    /** Where another key of the document leads to records of another one: that key, and the first of them. */
    readonly contrary?: {
      readonly key: string;
      readonly cells: readonly Place[];
      readonly record: ReadRecord;
    };
    /** Records that the key leads to and that are not the document's. */
    readonly refused?: NonNullable<Found['refused']> & { readonly asked: string };
  }[];
}

const NO_CELLS: readonly Place[] = [];

/** Puts together what the leaves of a document may read. */
export function gather(
  mapping: LoadedMapping,
  params: ParamValues,
  own: readonly ReadRecord[],
  joinedTables: readonly JoinedTable[],
): Gathered {
  const at: (ReadRecord | undefined)[] = [];
  const sets: (readonly ReadRecord[])[] = [];
  const unlike: Issue[] = [];
  for (const { slot, repeated, single, spec, columns } of mapping.mains) {
    const found = mapping.mains.length === 1 ? own : own.filter(({ table }) => table.slot === slot);
    const isSpread = spec.spread === true && found.length > 1;
    const records = isSpread ? [joinRecords(found)] : found;
    if (isSpread)
      unlike.push(
        ...apartIn(
          mapping.key.map((id) => columns.get(id)!),
          found,
        ),
      );
    sets[slot] = spec.side_by_side === undefined ? records : records.flatMap(partsIn);
    if (single) at[slot] = records[0];
    if (repeated.length > 0) {
      const parts = records.flatMap(repeatedIn);
      for (const group of repeated) sets[group.slot] = parts.filter(({ table }) => table.slot === group.slot);
    }
  }
  const asked: (readonly Place[])[] = [];
  const joined = joinedTables.map((joinedTable) => {
    const join = joinedTable.table.join!;
    const { whose } = join;
    const valuesOf = (theirs: readonly string[], one: ReadRecord) =>
      theirs.map((id) => {
        const { record, column } = asking(mapping, id, one, at);
        return record?.values[column.position];
      });
    // What a document asks by need not be its key: its first record may not say it.
    const askerOf = (theirs: readonly string[]): ReadRecord =>
      own.find((one) => !valuesOf(theirs, one).includes(undefined)) ?? own[0]!;
    const keys = keyTexts(join, ({ theirs }) => valuesOf(theirs, askerOf(theirs)));
    const key = keys.find((text) => text !== undefined);
    const ids = key === undefined ? askingIds(join) : keyAsked(join, key).theirs;
    const who = whose.map((one) => asking(mapping, one.theirs, own[0]!, at));
    const asker = who.map(({ record, column }) => record?.values[column.position]);
    const { records, refused } = joinedTable.find(key, asker);
    const { slot, single, spec } = joinedTable.table;
    sets[slot] = spec.side_by_side === undefined ? records : records.flatMap(partsIn);
    const cells = records.length > 0 ? NO_CELLS : keyCells(mapping, ids, askerOf(ids), { at, asked });
    const contrary = contraryOf(joinedTable, key, keys, ({ theirs }) =>
      keyCells(mapping, theirs, askerOf(theirs), { at, asked }),
    );
    if (single) {
      at[slot] = records[0];
      if (records.length === 0) asked[slot] = cells;
    }
    const found = { joinedTable, key, records, cells, ...(contrary && { contrary }) };
    if (refused === undefined) return found;
    const names = asker.filter((value) => value !== undefined).join(' ');
    return { ...found, refused: { ...refused, asked: names } };
  });
  return { context: { params, at, sets, asked, index: 0, named: [] }, own, unlike, joined };
}

/** Where a later key of a document leads to records all of which say another one of the key that it is joined by. */
function contraryOf(
  joinedTable: JoinedTable,
  key: string | undefined,
  keys: readonly (string | undefined)[],
  cellsOf: (key: JoinKey) => readonly Place[],
): Gathered['joined'][number]['contrary'] {
  const join = joinedTable.table.join!;
  if (key === undefined || join.keys.length === 1) return undefined;
  const { own } = keyAsked(join, key);
  const isOther = (record: ReadRecord): boolean =>
    own.every(({ position }) => record.values[position] !== undefined) &&
    !joinedTable.keysOf(record).includes(key);
  for (const other of keys.slice(keys.indexOf(key) + 1)) {
    const records = joinedTable.take(other);
    if (records.length > 0 && records.every(isOther))
      return { key: other!, cells: cellsOf(keyAsked(join, other!)), record: records[0]! };
  }
  return undefined;
}

/** What a join asks with: a column of the document's own record, or of a record joined before. */
function asking(
  { mains, tables }: LoadedMapping,
  id: string,
  own: ReadRecord,
  at: Context['at'],
): { readonly record: ReadRecord | undefined; readonly column: CompiledColumn } {
  const main = mains.find(({ slot }) => slot === own.table.slot)!;
  const column = main.columns.get(id);
  if (column !== undefined) return { record: own, column };
  const [name = '', other = ''] = id.split('.');
  const above = tables.get(name)!;
  return { record: at[above.slot], column: above.columns.get(other)! };
}

/** The cells by which a document asks a joined table; those that led nowhere where the record before is missing. */
const keyCells = (
  mapping: LoadedMapping,
  theirs: readonly string[],
  own: ReadRecord,
  context: Pick<Context, 'at' | 'asked'>,
): readonly Place[] =>
  theirs.flatMap((id) => {
    const { record, column } = asking(mapping, id, own, context.at);
    return record === undefined ? (context.asked?.[column.slot] ?? []) : [placeOf(record, column)];
  });
