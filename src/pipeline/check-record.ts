import { placesOf } from '../document/trace.js';
import { hasErrors, type Issue } from '../issues/issue.js';
import { applyMapping, type Origins, originsOf, statedTotal } from '../mapping/apply.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { type LocatedTable, placeOf, type ReadRecord, rowPlace } from '../mapping/record.js';
import { checkRules, compareStated, deriveTotals, type WrongTotal } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { JsonObject } from '../values/json.js';

/** A record's document, and everything that is wrong with it, placed on cells. */
export interface CheckedRecord {
  readonly document: JsonObject;
  readonly issues: readonly Issue[];
  /** Faults of leaves that a parameter fed: every record has them alike. */
  readonly paramIssues: readonly Issue[];
  /** False when an error, shown here or on the header, holds the document back. */
  readonly good: boolean;
}

const NONE: readonly Issue[] = [];
const NONE_WRONG: readonly WrongTotal[] = [];

/** Faults after which sums and comparisons of amounts would only repeat the trouble. */
const SPOILS_AMOUNTS = /^(document\/format-money|cell\/(not-a-number|number-|scientific|too-many|formula-))/;

const cellKey = ({ column, row }: Issue['place']): string => `${column}${row}`;

/** map → derive → compare → validate → rules, for one record. */
export function checkRecord(
  mapping: LoadedMapping,
  table: LocatedTable,
  record: ReadRecord,
  params: ParamValues,
): CheckedRecord {
  const { target } = mapping;
  const { document, issues: found } = applyMapping(mapping, table, record, params);
  const totals = deriveTotals(target, document);
  const shape = validate(target, 'draft', document);
  const summable = ![...found, ...shape].some(({ code }) => SPOILS_AMOUNTS.test(code));
  const sums = summable
    ? compareStated(target, totals, (name) => statedTotal(mapping, record, name))
    : NONE_WRONG;
  const rules = summable ? checkRules(target, document, true) : NONE;
  if (found.length + shape.length + sums.length + rules.length === 0)
    return { document, issues: NONE, paramIssues: NONE, good: true };

  const origins = originsOf(mapping, table, record, params);
  const cells = new Set(found.filter(({ level }) => level === 'error').map(({ place }) => cellKey(place)));
  const placed: Issue[] = [];
  const paramIssues: Issue[] = [];
  for (const issue of [...shape, ...rules]) {
    const { pointer = '' } = issue.place;
    const fed = origins.trace.get(pointer);
    const param = origins.fromParams.get(pointer);
    if (fed?.some((place) => cells.has(cellKey(place)))) continue; // the cell's own fault says it
    if (fed?.length === 0 && isHeaderFault(mapping, table, pointer)) continue; // the header's own issue says it for all
    if (param !== undefined && (fed ?? []).length === 0)
      paramIssues.push({ ...issue, params: { ...issue.params, param } });
    else placed.push(toCell(issue, table, record, origins));
  }
  for (const { name, issue } of sums)
    placed.push({ ...issue, place: placeOf(table, record.row, mapping.stated.get(name)!) });
  const issues = [...found, ...placed];
  return { document, issues, paramIssues, good: shape.length === 0 && !hasErrors(issues) };
}

/** Points an issue of the document at the cells that fed its leaf. */
function toCell(issue: Issue, table: LocatedTable, record: ReadRecord, { trace }: Origins): Issue {
  const { pointer = '' } = issue.place;
  const [place = rowPlace(table, record.row), ...related] = placesOf(trace, pointer);
  return { ...issue, place: { ...place, pointer }, ...(related.length > 0 && { related }) };
}

/** No column that could feed the leaf is in the file. */
const isHeaderFault = (mapping: LoadedMapping, table: LocatedTable, pointer: string): boolean =>
  mapping.tree.needs.some(
    (need) =>
      need.pointer === pointer &&
      need.alternatives.every((set) => set.some(({ position }) => table.indexes[position] === undefined)),
  );
