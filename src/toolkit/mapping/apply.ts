import { type Issue, isSameCell, issueOf, NO_ISSUES, type Place, paramOf } from '../core/issue.js';
import type { JsonObject, Pointer } from '../core/json.js';
import { hasTrait } from '../messages/wording.js';
import { derivedLeaves } from '../schema/derived-totals.js';
import type { Trace } from '../schema/document.js';
import { recordsOf } from './context.js';
import type { CompiledTarget } from './load.js';
import { faultIssue, hasCell, placesOf, rowPlace } from './places.js';
import type { CellFault } from './read/cell.js';
import { type CompiledColumn, type Context, FaultAt, PlacedFault, type ReadRecord } from './record.js';
import type { WriteLog } from './write.js';

/** Document that a mapping made of its records. */
interface Applied {
  readonly document: JsonObject;
  /** Issues of cells that could not be read or found in a list, or that contradict each other. */
  readonly issues: readonly Issue[];
}

const columnAt = (column: CompiledColumn, fault: CellFault): CompiledColumn =>
  (fault instanceof FaultAt ? fault.column : undefined) ?? column;

/** Lists the faults of a record's cells, and their repairs. */
const faultsOf = (record: ReadRecord): Issue[] => [
  ...[...(record.faults ?? [])].map(([column, fault]) =>
    faultIssue(record, columnAt(column, fault), fault, column.warns ? 'warning' : 'error'),
  ),
  ...[...(record.repairs ?? [])].map(([column, fault]) =>
    faultIssue(record, columnAt(column, fault), fault, 'warning'),
  ),
];

export function applyMapping(target: CompiledTarget, context: Context): Applied {
  let issues: Issue[] | undefined;
  for (const records of context.sets)
    if (records !== undefined)
      for (const record of records)
        if (record.faults !== undefined || record.repairs !== undefined)
          issues = [...(issues ?? []), ...faultsOf(record)];
  const log: WriteLog = {
    fed: false,
    fault(fault, columns, pointer, where) {
      const param = blankParam(fault);
      if (param !== undefined) {
        const { code, params } = fault;
        issues = [
          ...(issues ?? []),
          issueOf(code, 'error', params, { param, ...(pointer !== undefined && { pointer }) }),
        ];
        return;
      }
      const found = blamed(fault, columns, where);
      if (found === undefined || columns.some((column) => isFaulty(column, where))) return;
      issues ??= [];
      const issue = faultIssue(
        found.record,
        found.column,
        fault,
        hasTrait(fault, 'repair') ? 'warning' : 'error',
      );
      if (issues.some((other) => other.code === issue.code && isSameCell(other.place, issue.place))) return;
      issues.push(pointer === undefined ? issue : { ...issue, place: { ...issue.place, pointer } });
    },
  };
  const document = target.write(context, log, undefined);
  return { document, issues: issues ?? NO_ISSUES };
}

/** Returns the parameter that a formula lacks, or undefined. */
const blankParam = (fault: CellFault): string | undefined =>
  fault.code === 'formula/blank' ? /^param\.(.+)$/.exec(String(paramOf(fault, 'name')))?.[1] : undefined;

/** Returns true if a cell of the column has a fault, which its dependants need not report again. */
const isFaulty = (column: CompiledColumn, context: Context): boolean =>
  recordsOf(context, column.tableIndex).some(
    ({ faults }) => faults !== undefined && isSpoilt(column, faults),
  );

const isSpoilt = (column: CompiledColumn, faults: NonNullable<ReadRecord['faults']>): boolean =>
  faults.has(column) ||
  column.feeders.some((feeder) => faults.has(feeder)) ||
  column.uses.some((used) => isSpoilt(used, faults));

const recordOf = (
  column: CompiledColumn,
  context: Context,
): { record: ReadRecord; column: CompiledColumn } | undefined => {
  const records = recordsOf(context, column.tableIndex);
  const record = column.type === 'decimal' ? mostDecimals(records, column) : records[0];
  return record && { record, column };
};

/** Finds the amount with the most decimals, which is why a sum has too many. */
const mostDecimals = (
  records: readonly ReadRecord[],
  { position }: CompiledColumn,
): ReadRecord | undefined => {
  const decimals = ({ values }: ReadRecord): number =>
    String(values[position] ?? '').split('.')[1]?.length ?? 0;
  return records.reduce<ReadRecord | undefined>(
    (longest, value) => (longest !== undefined && decimals(longest) >= decimals(value) ? longest : value),
    undefined,
  );
};

function blamed(
  fault: CellFault,
  columns: Parameters<WriteLog['fault']>[1],
  context: Context,
): { record: ReadRecord; column: (typeof columns)[number] } | undefined {
  if (fault instanceof PlacedFault) return fault;
  if (fault instanceof FaultAt && fault.column !== undefined) return recordOf(fault.column, context);
  const found = columns.flatMap((column) => recordOf(column, context) ?? []);
  const inFile = found.find(({ record, column }) => hasCell(record, column));
  return inFile ?? found[0];
}

/** Origins of the leaves of a document. */
export interface Origins {
  /** Cells that gave each leaf or state its total; for others, the parameter or constant. */
  readonly trace: Trace;
}

/** Writes the document again like `applyMapping` and records origins; `record` is the document's first one. */
export function originsOf(target: CompiledTarget, context: Context, record: ReadRecord): Origins {
  const trace = new Map<Pointer, readonly Place[]>();
  const log: WriteLog = {
    fed: false,
    fault(fault, _columns, pointer) {
      const param = blankParam(fault);
      // No cell of the record could have given it.
      if (param !== undefined && pointer !== undefined) trace.set(pointer, [{ param }]);
    },
    trace,
    placesOf,
  };
  target.write(context, log, '');
  const leaves = derivedLeaves(target.schema);
  for (const [name, leaf] of leaves) {
    const cells = placesOf(context, target.stated.get(name)?.columns ?? []);
    trace.set(leaf, cells.length > 0 ? cells : [rowPlace(record.table, record.row)]);
  }
  return { trace };
}

/** Returns the total that the records state under a name, or undefined. */
export function statedTotal({ stated }: CompiledTarget, context: Context, name: string): string | undefined {
  const value = stated.get(name)?.read(context);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the kind of document that the records make, or undefined if none. */
export const targetFor = (targets: readonly CompiledTarget[], context: Context): CompiledTarget | undefined =>
  targets.find(({ when }) => when === undefined || when.read(context) === true);
