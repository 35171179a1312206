import type { SchemaName } from '../../generated/schema-types.js';
import { hasErrors, type Issue, NO_ISSUES, type Place, paramOf, withParams } from '../core/issue.js';
import { type JsonObject, type Pointer, parsePointer, valueAt } from '../core/json.js';
import { getOrAdd, remember } from '../core/remember.js';
import { applyMapping, type Origins, originsOf, statedTotal } from '../mapping/apply.js';
import { recordsOf } from '../mapping/context.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import { placesOf, rowPlace } from '../mapping/places.js';
import type { Field } from '../mapping/plan.js';
import type { CompiledColumn, Context, ReadRecord } from '../mapping/record.js';
import { hasTrait } from '../messages/wording.js';
import { compareStated, deriveTotals, NO_TOTALS, NO_WRONG_TOTALS } from '../schema/derived-totals.js';
import { placesOf as tracedPlaces } from '../schema/document.js';
import { leafKind, resolveNode } from '../schema/registry.js';
import type { Levels } from '../schema/rule-data.js';
import { checkRules, type RuleOptions } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import { explaining, ignoredKeys, namesOf, passedOverAmounts, unusedAmounts } from './cells.js';
import type { GeneralIssue, GeneralMemo } from './general-issues.js';
import type { Complete, Derivation, Group, JsonOrigin } from './phases.js';

export const jsonOrigin = (mapping: LoadedMapping, { table, row }: ReadRecord): JsonOrigin | undefined =>
  row.json && {
    json: row.json,
    place: rowPlace(table, row),
    ignored: ignoredKeys(mapping, table.tableIndex),
  };

/** Data shared by the checks of all documents of a run. */
export interface CheckSite {
  readonly mapping: LoadedMapping;
  /** Leaves that no column of the files can fill; the header's issue covers all documents. */
  readonly unfed: ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>>;
  /** Indexes of required tables that are missing, which is reported once. */
  readonly lacking: ReadonlySet<number>;
  /** Levels by rule that the mapping sets, with reasons. */
  readonly levels: Levels;
  /** Issues of documents that are reported once for all. */
  readonly general: GeneralMemo;
  readonly derivations: ReadonlyMap<SchemaName, Derivation>;
  readonly options: RuleOptions;
}

/** Total stated by a document, with the computed one. */
interface ComparedTotal {
  readonly name: string;
  readonly columns: readonly CompiledColumn[];
  readonly stated: string;
  readonly computed: string;
}

/** True for an issue of a parameter, without a row. */
const isOfRun = ({ place }: Issue): boolean => place.row === undefined && place.param !== undefined;

/** True for an issue of a mapping's check that concerns all documents. */
const isTogether = ({ place }: Issue): boolean => place.row === undefined && place.column !== undefined;

/** True for issues after which sums and comparisons of amounts would only repeat the problem. */
const spoilsAmounts = (issue: Issue): boolean => hasTrait(issue, 'spoils-amounts');

/** Cache for issues of missing leaves, which are one object per schema and leaf. */
const amounts = new WeakMap<Issue, boolean>();

/** True if a required amount is missing, so that every sum over it is wrong too. */
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

/** Returns a key of the issue's place: a cell, a parameter, or the mapping. */
const causeKey = ({ file, sheet, column, row, json, param, mapping }: Place): string =>
  [file, sheet, column, row, json, param, mapping].join('!');

/**
 * Mapped document, checked in steps: `derive`, `validate`, `applyRules` and `place`, which assigns issues to cells.
 * Documents complete each step together, for better use of the processor's caches.
 */
export class DraftDocument {
  readonly body: JsonObject;
  /** Issues of the document, placed on cells. */
  issues = NO_ISSUES;
  /** Issues shared with other documents, reported once. */
  general: readonly GeneralIssue[] = NO_GENERAL;
  /** False if an error, here, of the header or of the run, holds it back. */
  isGood = false;
  readonly compared: ComparedTotal[] = [];
  private readonly derivation: Derivation | undefined;
  private readonly context: Context;
  private readonly record: ReadRecord;
  /** Issues of applying the mapping. */
  private readonly found: readonly Issue[];
  private derived = NO_ISSUES;
  private totals = NO_TOTALS;
  private shape = NO_ISSUES;
  private sums = NO_WRONG_TOTALS;
  private rules = NO_ISSUES;
  /** Issues of the mapping's own checks. */
  private checked = NO_ISSUES;
  private knownOrigins: Origins | undefined;

  constructor(
    private readonly site: CheckSite,
    readonly target: CompiledTarget,
    { context, records: [record] }: Group,
  ) {
    const { document, issues } = applyMapping(target, context);
    this.body = document;
    this.context = context;
    this.record = record;
    this.derivation = site.derivations.get(target.schema);
    this.found = context.dropped === undefined ? issues : [...issues, ...passedOverAmounts(context)];
  }

  complete(complete: Complete, key: string): Promise<void> {
    return complete(this.body, { schema: this.target.schema, key });
  }

  derive(): void {
    const { site, body, record, derivation } = this;
    if (derivation !== undefined) this.derived = derivation.complete(body, jsonOrigin(site.mapping, record));
    this.totals = deriveTotals(this.target.schema, body);
  }

  validate(): void {
    const { body, derived, derivation } = this;
    const faults = validate(this.target.schema, 'draft', body);
    this.shape = derivation?.shape(body, [...derived, ...faults]) ?? faults;
  }

  applyRules(): void {
    const { body, shape, derivation } = this;
    const { mapping, options } = this.site;
    const { schema } = this.target;
    const isSummable =
      !this.found.some(spoilsAmounts) &&
      !shape.some((fault) => spoilsAmounts(fault) || lacksAmount(fault, schema));
    if (isSummable) {
      if (this.totals.size > 0) this.compareTotals();
      const plain = checkRules(schema, body, options);
      this.rules = derivation ? [...plain, ...derivation.rules(body, shape, options)] : plain;
    }
    const checked: Issue[] = [];
    for (const check of mapping.checks) check(this.context, checked);
    this.checked = checked;
  }

  private compareTotals(): void {
    const { target, context, totals } = this;
    const statedHere = (name: string): string | undefined => {
      const stated = statedTotal(target, context, name);
      const computed = totals.get(name);
      if (stated !== undefined && computed !== undefined)
        this.compared.push({ name, columns: columnsStating(target, name), stated, computed });
      return stated;
    };
    this.sums = compareStated(target.schema, totals, statedHere, this.site.levels);
  }

  /** Returns the origins of its leaves, with derived ones; computed on first use. */
  origins(): Origins {
    if (this.knownOrigins === undefined) {
      const { site, target, context, record, body, derivation } = this;
      const mapped = originsOf(target, context, record);
      this.knownOrigins = derivation?.origins(body, mapped, jsonOrigin(site.mapping, record)) ?? mapped;
    }
    return this.knownOrigins;
  }

  /** @param reported issues of its key, and of records that it lacks in other tables */
  place(reported: readonly Issue[]): void {
    const { found, shape, sums, rules, checked, context } = this;
    this.isGood = !hasErrors(shape) && !hasErrors(found) && !hasErrors(rules);
    if (!found.some(isOfRun) && shape.length + sums.length + rules.length + checked.length === 0)
      this.issues = found;
    else if (sums.length + checked.length > 0 || !found.every(isOfRun)) this.placeEach(reported);
    else {
      const all = found.length + shape.length === 0 ? rules : [...found, ...shape, ...rules];
      const general = this.site.general.known(context, all);
      if (general === undefined) this.placeEach(reported);
      else this.general = general;
    }
  }

  private placeEach(reported: readonly Issue[]): void {
    const { target, context, record, found, shape, sums, rules, checked } = this;
    const { mapping, unfed, lacking } = this.site;
    const general: GeneralIssue[] = [];
    const note = (issue: Issue, shared?: Issue, at?: Place): void => {
      const noted = this.site.general.note(context, issue, shared, at);
      if (noted !== undefined) general.push(noted);
    };
    const origins = this.origins();
    const errors = [...found, ...reported].filter(({ level }) => level === 'error');
    const faults = new Map(errors.map((issue) => [causeKey(issue.place), issue]));
    const placed: Issue[] = [];
    const placedKeys = new Set<string>();
    /** Leaves about which a rule or check says more than that they are missing. */
    const ruled = new Set(
      [...rules, ...checked].flatMap(({ level, place }) => (level === 'error' ? [place.pointer] : [])),
    );
    for (const issue of found) {
      if (isOfRun(issue)) note(issue, issue);
      else {
        placed.push(issue);
        placedKeys.add(`${issue.code} ${causeKey(issue.place)}`);
      }
    }
    const put = (issue: Issue): void => {
      const causes = causesOf(issue, target, context, record, origins, mapping.name);
      const { pointer = '' } = issue.place;
      const [place = {}] = causes;
      const isOwn = issue.code === 'document/required' || origins.trace.get(pointer) === causes;
      const fault = isOwn ? causes.map((cause) => faults.get(causeKey(cause))).find(Boolean) : undefined;
      if (fault !== undefined) {
        // The cause's issue covers this one; an issue of the run covers all documents with it.
        if (isOfRun(fault)) note(issue, fault);
        return;
      }
      if (place.row !== undefined) {
        const key = `${issue.code} ${causeKey(place)}`;
        if (isOwn && placedKeys.has(key)) return; // one cell, several leaves
        placedKeys.add(key);
        const named = place.column === undefined ? withItem(issue, target.schema) : issue;
        placed.push(placedAt(withStandIn(named, target, mapping, context, this.body), causes));
      } else if (unfed.get(target)?.has(pointer)) note(issue);
      else note(issue, placedAt(issue, causes), rowPlace(record.table, record.row));
    };
    for (const issue of shape) {
      const isMissing = issue.code === 'document/required';
      if (isMissing && ruled.has(issue.place.pointer)) continue;
      if (isMissing && isOfTables(lacking, target, issue)) note(issue);
      else put(issue);
    }
    for (const issue of rules) put(issue);
    let unused: ReturnType<typeof unusedAmounts> | undefined;
    for (const { name, issue } of sums) {
      const [place = rowPlace(record.table, record.row), ...others] = placesOf(
        context,
        columnsStating(target, name),
      );
      unused ??= unusedAmounts(mapping, target, context);
      const omitted = explaining(String(paramOf(issue, 'difference')), unused);
      const explained = omitted.length === 0 ? issue : withParams(issue, { left_out: namesOf(omitted) });
      const related = [...omitted.map((amount) => amount.place), ...others];
      placed.push({ ...explained, place, ...(related.length > 0 && { related }) });
    }
    for (const issue of checked) if (isTogether(issue)) note(issue, issue);
    this.general = general;
    this.issues = [...placed, ...checked.filter((issue) => !isTogether(issue))];
    this.isGood &&= !hasErrors(this.issues) && !hasErrors(checked);
  }
}

const NO_GENERAL: readonly GeneralIssue[] = [];

const columnsStating = ({ stated }: CompiledTarget, name: string): readonly CompiledColumn[] =>
  stated.get(name)?.columns ?? [];

/** Adds the item to the issue of a missing leaf without cell: a start may be of a vacation or of a disability. */
function withItem(issue: Issue, schema: SchemaName): Issue {
  const keys = parsePointer(issue.place.pointer ?? '');
  const at = keys.findLastIndex((key) => /^\d+$/.test(key));
  const item = keys[at - 1];
  if (issue.code !== 'document/required' || item === undefined) return issue;
  const title = resolveNode(schema, keys.slice(0, at))?.title ?? item;
  const withName = (param: 'field' | 'title', of: string): string => `${paramOf(issue, param)} (${of})`;
  return withParams(issue, { field: withName('field', item), title: withName('title', title) });
}

const blockOf = ({ path }: Field): string => path.slice(0, -1).join('/');

/** Returns the constants of a target by block, such as the kind of a service. */
const constantsOf = remember(({ fields }: CompiledTarget) => {
  const found = new Map<string, Field[]>();
  for (const field of fields)
    if (field.sources[0].kind.is === 'constant')
      getOrAdd(found, blockOf(field), (): Field[] => []).push(field);
  return found;
});

/** Adds the parameter that would give a missing leaf its value as well, by the block that made its item. */
function withStandIn(
  issue: Issue,
  target: CompiledTarget,
  { params }: Pick<LoadedMapping, 'params'>,
  context: Context,
  body: unknown,
): Issue {
  const { pointer = '' } = issue.place;
  if (issue.code !== 'document/required') return issue;
  const leaf = leafOf(pointer);
  const item = pointer.slice(0, pointer.lastIndexOf('/'));
  const isStated = (constant: Field): boolean =>
    String(constant.sources[0].read(context)) === String(valueAt(body, `${item}/${constant.keys.at(-1)}`));
  const param = target.fields
    .filter((field) => field.pointer === leaf)
    .filter((field) => (constantsOf(target).get(blockOf(field)) ?? []).every(isStated))
    .flatMap((field) => field.params)
    .find((name) => params.get(name)?.spec.optional && context.params[name] === undefined);
  return param === undefined ? issue : withParams(issue, { param });
}

const leafOf = (pointer = ''): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');

/** Moves an issue of the document to its cause. */
function placedAt(issue: Issue, causes: readonly Place[]): Issue {
  const [place, ...related] = causes;
  const { pointer = '' } = issue.place;
  return { ...issue, place: { ...place, pointer }, ...(related.length > 0 && { related }) };
}

/**
 * Finds the cause of an issue: the cells of its leaf; the parameter or mapping that gives it; the table, if the file
 * lacks the columns; else the record.
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
  const leaf = leafOf(pointer);
  const sources = fields.filter(({ pointer: field }) => field === leaf || field.startsWith(`${leaf}/`));
  const columns = sources.flatMap((field) => field.columns);
  const isOwn = ({ tableIndex }: CompiledColumn): boolean => tableIndex === record.table.tableIndex;
  // List items come from records: if another table has none, neither a parameter nor shared values replace them.
  const isListElsewhere = !columns.every(isOwn) && !sources.some((field) => field.pointer === leaf);
  const asked = isListElsewhere ? columns.filter(isOwn) : columns;
  const cells = asked.some(({ tableIndex }) => recordsOf(context, tableIndex).length > 0)
    ? placesOf(context, asked)
    : [];
  if (cells.length > 0) return cells;
  if (isListElsewhere) return [rowPlace(record.table, record.row)];
  const open = sources.flatMap(({ params }) => params.filter((name) => context.params[name] === undefined));
  if (open.length > 0) return [...new Set(open)].map((param) => ({ param }));
  if (columns.length === 0) return [{ mapping }];
  if (columns.every(isOwn)) return [tableOf(record)];
  return [rowPlace(record.table, record.row)];
}

/** True if the missing leaf comes from one of the tables. */
function isOfTables(tables: ReadonlySet<number>, { fields }: CompiledTarget, { place }: Issue): boolean {
  if (tables.size === 0) return false;
  const leaf = leafOf(place.pointer);
  return fields.some(
    ({ pointer, columns }) =>
      pointer === leaf &&
      columns.some((column) => [column, ...column.feeders].some(({ tableIndex }) => tables.has(tableIndex))),
  );
}

const tableOf = ({ table }: ReadRecord): Place => {
  const { file, sheet } = table.source;
  return { file, ...(sheet !== undefined && { sheet }) };
};

/** Moves an issue of a made document to the cells of its leaf. */
export function toCell(issue: Issue, record: ReadRecord, { trace }: Origins): Issue {
  const causes = tracedPlaces(trace, issue.place.pointer ?? '');
  return placedAt(issue, causes.length > 0 ? causes : [rowPlace(record.table, record.row)]);
}
