import { placesOf as tracedPlaces } from '../document/trace.js';
import type { SchemaName } from '../generated/schema-types.js';
import { hasErrors, type Issue } from '../issues/issue.js';
import { applyMapping, type Origins, originsOf, statedTotal } from '../mapping/apply.js';
import type { CompiledTarget } from '../mapping/compile.js';
import type { Context } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placesOf, type ReadRecord, rowPlace } from '../mapping/record.js';
import {
  checkRules,
  compareStated,
  deriveTotals,
  type Levels,
  type RuleOptions,
  type WrongTotal,
} from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';
import type { Derivation } from './attention-parts.js';
import type { GeneralIssues } from './general-issues.js';

/** A document, and everything that is wrong with it, placed on cells. */
export interface CheckedDocument {
  readonly document: JsonObject;
  readonly issues: readonly Issue[];
  /** Faults of leaves that a parameter fed: every document has them alike. */
  readonly paramIssues: readonly Issue[];
  /** False when an error, shown here or on the header, holds the document back. */
  readonly good: boolean;
  /** Where its leaves came from, derived ones too; worked out when first asked for. */
  readonly origins: () => Origins;
}

/** What the check of every document of a run shares. */
export interface CheckSite {
  readonly mapping: LoadedMapping;
  /** Leaves that no column of the files can feed: the header's own issue says it for all. */
  readonly unfed: ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>>;
  /** Levels that the mapping gives to rules, each with its reason. */
  readonly levels: Levels;
  /** What was said of the run as a whole. */
  readonly general: GeneralIssues;
  /** What follows from the mapped parts, by schema of the target. */
  readonly derivations: ReadonlyMap<SchemaName, Derivation>;
  /** How rules are asked. */
  readonly options: RuleOptions;
  readonly complete?: Complete;
}

/** Changes the document it is given; `key` is what people know it by. */
export type Complete = (
  document: JsonObject,
  about: { readonly schema: SchemaName; readonly key: string },
) => void;

/** What is known of a document before it is made. */
interface Known {
  readonly key: string;
  /** What is wrong with its key, and records that it should have in other tables and has not. */
  readonly said: readonly Issue[];
}

const NONE: readonly Issue[] = [];
const NONE_WRONG: readonly WrongTotal[] = [];

/** Faults after which sums and comparisons of amounts would only repeat the trouble. */
const SPOILS_AMOUNTS =
  /^(document\/format-money|class\/|group\/|format\/|cell\/(not-a-number|number-|scientific|too-many|formula-))/;

const spoilsAmounts = ({ code }: Issue): boolean => SPOILS_AMOUNTS.test(code);

const cellKey = ({ file, sheet, column, row }: Issue['place']): string =>
  [file, sheet, column, row].join('!');

/** map → derive → compare → validate → rules, for one document. */
export function checkDocument(
  { mapping, unfed, levels, general, derivations, options, complete }: CheckSite,
  target: CompiledTarget,
  context: Context,
  record: ReadRecord,
  { key, said }: Known,
): CheckedDocument {
  const { schema } = target;
  const { document, issues: found } = applyMapping(target, context);
  complete?.(document, { schema, key });
  const derivation = derivations.get(schema);
  const derived = derivation?.complete(document) ?? NONE;
  const totals = deriveTotals(schema, document);
  const faults = validate(schema, 'draft', document);
  const shape = derivation?.shape(document, [...derived, ...faults]) ?? faults;
  const summable = !found.some(spoilsAmounts) && !shape.some(spoilsAmounts);
  const sums = summable
    ? compareStated(schema, totals, (name) => statedTotal(target, context, name), levels)
    : NONE_WRONG;
  const plain = summable ? checkRules(schema, document, options) : NONE;
  const rules = derivation && summable ? [...plain, ...derivation.rules(document, shape, options)] : plain;
  const own = mapping.checks.length === 0 ? NONE : mapping.checks.flatMap((check) => check(context));
  let known: Origins | undefined;
  const originsOnce = (): Origins => {
    if (known === undefined) {
      const mapped = originsOf(target, context);
      known = derivation?.origins(document, mapped) ?? mapped;
    }
    return known;
  };
  if (shape.length + sums.length + rules.length + own.length === 0)
    return { document, issues: found, paramIssues: NONE, good: !hasErrors(found), origins: originsOnce };
  if (found.length + sums.length + own.length === 0 && general.knows(context, [...shape, ...rules])) {
    const good = shape.length === 0 && !hasErrors(rules);
    return { document, issues: NONE, paramIssues: NONE, good, origins: originsOnce };
  }

  const origins = originsOnce();
  const told = [...found, ...said].filter(({ level }) => level === 'error');
  const cells = new Set(told.map(({ place }) => cellKey(place)));
  const placed: Issue[] = [];
  const paramIssues: Issue[] = [];
  for (const issue of [...shape, ...rules]) {
    const { pointer = '' } = issue.place;
    const fed = origins.trace.get(pointer);
    const param = origins.fromParams.get(pointer);
    if (fed?.some((place) => cells.has(cellKey(place)))) continue; // the cell's own fault says it
    const isSaidByHeader = fed?.length === 0 && unfed.get(target)?.has(pointer) === true;
    const isOfParam = param !== undefined && (fed ?? []).length === 0;
    const lacksColumn = issue.level === 'warning' && fed?.length === 0;
    if (!isSaidByHeader && !isOfParam && !lacksColumn) {
      placed.push(toCell(issue, record, origins));
      continue;
    }
    general.note(context, issue);
    if (isOfParam && !isSaidByHeader) paramIssues.push({ ...issue, params: { ...issue.params, param } });
    else if (!isSaidByHeader) paramIssues.push({ ...issue, place: { ...tableOf(record), pointer } });
  }
  for (const { name, issue } of sums) {
    const [place = rowPlace(record.table, record.row), ...related] = placesOf(
      context,
      target.stated.get(name)!.columns,
    );
    placed.push({ ...issue, place, ...(related.length > 0 && { related }) });
  }
  const issues = [...found, ...placed, ...own];
  return {
    document,
    issues,
    paramIssues,
    good: shape.length === 0 && !hasErrors(issues) && !hasErrors(paramIssues),
    origins: originsOnce,
  };
}

const tableOf = ({ table }: ReadRecord): Issue['place'] => {
  const { file, sheet } = table.source;
  return { file, ...(sheet !== undefined && { sheet }) };
};

/** Points an issue of the document at the cells that fed its leaf. */
export function toCell(issue: Issue, record: ReadRecord, { trace }: Origins): Issue {
  const { pointer = '' } = issue.place;
  // A leaf whose columns have no cell here is no fault of the cell beside it.
  const places = trace.get(pointer) ?? tracedPlaces(trace, pointer);
  const [place = rowPlace(record.table, record.row), ...related] = places;
  return { ...issue, place: { ...place, pointer }, ...(related.length > 0 && { related }) };
}
