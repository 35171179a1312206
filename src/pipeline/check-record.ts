import { placesOf, type Trace } from '../document/trace.js';
import { hasErrors, type Issue } from '../issues/issue.js';
import { applyMapping, statedTotals, traceRecord } from '../mapping/apply.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { type LocatedTable, type ReadRecord, rowPlace } from '../mapping/record.js';
import { checkRules, compareStated, deriveTotals } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { JsonObject } from '../values/json.js';

/** A record's document, and everything that is wrong with it, placed on cells. */
export interface CheckedRecord {
  readonly document: JsonObject;
  readonly issues: readonly Issue[];
  /** False when an error, shown here or on the header, holds the document back. */
  readonly good: boolean;
}

const isAmount = ({ code }: Issue): boolean => code === 'document/format-money';

const cellKey = ({ column, row }: Issue['place']): string => `${column}${row}`;

/** Points an issue of the document at the cells that fed its leaf. */
function toCell(issue: Issue, table: LocatedTable, record: ReadRecord, trace: Trace): Issue {
  const { pointer = '' } = issue.place;
  const [place = rowPlace(table, record.row), ...related] = placesOf(trace, pointer);
  return { ...issue, place: { ...place, pointer }, ...(related.length > 0 && { related }) };
}

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
  const unread = hasErrors(found);
  const shape = validate(target, 'draft', document);
  const summable = mapping.stated.size > 0 && !unread && !shape.some(isAmount); // a total of bad parts says nothing new
  const sums = !summable ? [] : compareStated(target, totals, statedTotals(mapping, table, record));
  const rules = shape.length > 0 ? [] : checkRules(target, document, true);
  if (found.length + shape.length + sums.length + rules.length === 0)
    return { document, issues: found, good: true };

  const trace = traceRecord(mapping, table, record, params);
  const faulty = new Set(found.filter(({ level }) => level === 'error').map(({ place }) => cellKey(place)));
  const placed: Issue[] = [];
  for (const issue of [...shape, ...rules]) {
    const fed = trace.get(issue.place.pointer ?? '');
    if (fed?.some((place) => faulty.has(cellKey(place)))) continue; // the cell's own fault says it
    if (fed?.length === 0 && issue.code === 'document/required' && isHeaderFault(mapping, table, issue))
      continue;
    placed.push(toCell(issue, table, record, trace));
  }
  const issues = [...found, ...placed, ...sums];
  return { document, issues, good: shape.length === 0 && !hasErrors(issues) };
}

/** The leaf's column is not in the file, which the header's own issue says once for all records. */
function isHeaderFault(mapping: LoadedMapping, table: LocatedTable, issue: Issue): boolean {
  const { pointer = '' } = issue.place;
  return (
    !/\/\d+(\/|$)/.test(pointer) &&
    mapping.tree.needs.some(({ alternatives }) =>
      alternatives.every((set) => set.some(({ position }) => table.indexes[position] === undefined)),
    )
  );
}
