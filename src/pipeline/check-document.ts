import { placesOf as tracedPlaces } from '../document/trace.js';
import type { SchemaName } from '../generated/schema-types.js';
import { hasErrors, type Issue } from '../issues/issue.js';
import { applyMapping, type Origins, originsOf, statedTotal } from '../mapping/apply.js';
import type { CompiledTarget } from '../mapping/compile.js';
import type { Context } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placesOf, type ReadRecord, rowPlace } from '../mapping/record.js';
import { checkRules, compareStated, deriveTotals, type Levels, type WrongTotal } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';

/** A document, and everything that is wrong with it, placed on cells. */
export interface CheckedDocument {
  readonly document: JsonObject;
  readonly issues: readonly Issue[];
  /** Faults of leaves that a parameter fed: every document has them alike. */
  readonly paramIssues: readonly Issue[];
  /** False when an error, shown here or on the header, holds the document back. */
  readonly good: boolean;
}

/** What the check of every document of a run shares. */
export interface CheckSite {
  readonly mapping: LoadedMapping;
  /** Leaves that no column of the files can feed: the header's own issue says it for all. */
  readonly unfed: ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>>;
  /** Levels that the mapping gives to rules, each with its reason. */
  readonly levels: Levels;
  readonly today?: string;
  readonly complete?: Complete;
}

/** Changes the document it is given; `key` is what people know it by. */
export type Complete = (
  document: JsonObject,
  about: { readonly schema: SchemaName; readonly key: string },
) => void;

const NONE: readonly Issue[] = [];
const NONE_WRONG: readonly WrongTotal[] = [];

/** Faults after which sums and comparisons of amounts would only repeat the trouble. */
const SPOILS_AMOUNTS =
  /^(document\/format-money|class\/|group\/|format\/|cell\/(not-a-number|number-|scientific|too-many|formula-))/;

const cellKey = ({ file, sheet, column, row }: Issue['place']): string =>
  [file, sheet, column, row].join('!');

/** map → derive → compare → validate → rules, for one document. */
export function checkDocument(
  { mapping, unfed, levels, today, complete }: CheckSite,
  target: CompiledTarget,
  context: Context,
  record: ReadRecord,
  key: string,
): CheckedDocument {
  const { schema } = target;
  const { document, issues: found } = applyMapping(target, context);
  complete?.(document, { schema, key });
  const totals = deriveTotals(schema, document);
  const shape = validate(schema, 'draft', document);
  const summable = ![...found, ...shape].some(({ code }) => SPOILS_AMOUNTS.test(code));
  const sums = summable
    ? compareStated(schema, totals, (name) => statedTotal(target, context, name), levels)
    : NONE_WRONG;
  const rules = summable
    ? checkRules(schema, document, { derived: true, levels, ...(today && { today }) })
    : NONE;
  const own = mapping.checks.length === 0 ? NONE : mapping.checks.flatMap((check) => check(context));
  if (found.length + shape.length + sums.length + rules.length + own.length === 0)
    return { document, issues: NONE, paramIssues: NONE, good: true };

  const origins = originsOf(target, context);
  const cells = new Set(found.filter(({ level }) => level === 'error').map(({ place }) => cellKey(place)));
  const placed: Issue[] = [];
  const paramIssues: Issue[] = [];
  for (const issue of [...shape, ...rules]) {
    const { pointer = '' } = issue.place;
    const fed = origins.trace.get(pointer);
    const param = origins.fromParams.get(pointer);
    if (fed?.some((place) => cells.has(cellKey(place)))) continue; // the cell's own fault says it
    if (fed?.length === 0 && unfed.get(target)?.has(pointer)) continue; // the header's own issue says it for all
    if (issue.level === 'warning' && fed?.length === 0 && param === undefined)
      paramIssues.push({ ...issue, place: { ...tableOf(record), pointer } }); // no file has the column
    else if (param !== undefined && (fed ?? []).length === 0)
      paramIssues.push({ ...issue, params: { ...issue.params, param } });
    else placed.push(toCell(issue, record, origins));
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
  };
}

const tableOf = ({ table }: ReadRecord): Issue['place'] => {
  const { file, sheet } = table.source;
  return { file, ...(sheet !== undefined && { sheet }) };
};

/** Points an issue of the document at the cells that fed its leaf. */
function toCell(issue: Issue, record: ReadRecord, { trace }: Origins): Issue {
  const { pointer = '' } = issue.place;
  // A leaf whose columns have no cell here is no fault of the cell beside it.
  const places = trace.get(pointer) ?? tracedPlaces(trace, pointer);
  const [place = rowPlace(record.table, record.row), ...related] = places;
  return { ...issue, place: { ...place, pointer }, ...(related.length > 0 && { related }) };
}
