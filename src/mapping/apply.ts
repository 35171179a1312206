import type { Trace } from '../document/trace.js';
import type { Issue, Place } from '../issues/issue.js';
import { derivedLeaves } from '../schema/rules.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';
import type { LoadedMapping } from './load.js';
import type { ParamValues } from './params.js';
import { faultIssue, type LocatedTable, placesOf, type ReadRecord } from './record.js';
import type { WriteLog } from './writer.js';

/** What a mapping makes of one record. */
export interface Applied {
  readonly document: JsonObject;
  /** Cells that could not be read or looked up. */
  readonly issues: readonly Issue[];
}

const NONE: readonly Issue[] = [];

/** Code of a value that was repaired rather than refused. */
const isRepair = (code: string): boolean => code === 'cell/zeros-restored';

export function applyMapping(
  mapping: LoadedMapping,
  table: LocatedTable,
  record: ReadRecord,
  params: ParamValues,
): Applied {
  let issues: Issue[] | undefined;
  if (record.faults !== undefined)
    issues = [...record.faults].map(([column, fault]) => faultIssue(table, record.row, column, fault));
  const log: WriteLog = {
    fault(fault, columns, pointer) {
      const column = columns.find(({ position }) => table.indexes[position] !== undefined) ?? columns[0];
      if (column === undefined || record.faults?.has(column)) return;
      issues ??= [];
      const issue = faultIssue(table, record.row, column, fault, isRepair(fault.code) ? 'warning' : 'error');
      issues.push(pointer === undefined ? issue : { ...issue, place: { ...issue.place, pointer } });
    },
  };
  const document = mapping.tree.write({ values: record.values, params }, log, undefined);
  return { document, issues: issues ?? NONE };
}

/** Where the leaves of a record's document came from. */
export interface Origins {
  /** The cells that fed a leaf, or that state its total. */
  readonly trace: Trace;
  /** The parameter that fed a leaf. */
  readonly fromParams: ReadonlyMap<Pointer, string>;
}

/** The same writing as `applyMapping`, watched. */
export function originsOf(
  mapping: LoadedMapping,
  table: LocatedTable,
  record: ReadRecord,
  params: ParamValues,
): Origins {
  const trace = new Map<Pointer, readonly Place[]>();
  const fromParams = new Map<Pointer, string>();
  const log: WriteLog = {
    fault: () => undefined,
    trace,
    fromParams,
    placesOf: (columns) => placesOf(table, record.row, columns),
  };
  mapping.tree.write({ values: record.values, params }, log, '');
  const leaves = derivedLeaves(mapping.target);
  for (const [name, column] of mapping.stated) {
    const leaf = leaves.get(name);
    if (leaf !== undefined) trace.set(leaf, placesOf(table, record.row, [column]));
  }
  return { trace, fromParams };
}

/** The total that the record states itself under that name. */
export function statedTotal(
  mapping: LoadedMapping,
  { values }: ReadRecord,
  name: string,
): string | undefined {
  const column = mapping.stated.get(name);
  const value = column === undefined ? undefined : values[column.position];
  return typeof value === 'string' ? value : undefined;
}
