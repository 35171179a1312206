import type { Issue } from '../issues/issue.js';
import type { CompiledBatchCheck } from '../mapping/checks.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf, type ReadRecord, recordContext, rowPlace } from '../mapping/record.js';
import { absolute, add, compare, subtract } from '../values/decimal.js';
import { keyText, shownKey } from './sides.js';

/** Checks over all records of a run; records are shown as they are read. */
export interface BatchChecks {
  add(records: readonly ReadRecord[]): void;
  finish(): Issue[];
}

interface Running {
  add(record: ReadRecord): void;
  finish(): Issue[];
}

export function createBatchChecks({ batch }: LoadedMapping, params: ParamValues): BatchChecks {
  const running = batch.map((check) => (check.unique === undefined ? total(check, params) : unique(check)));
  return {
    add(records) {
      for (const one of running) for (const record of records) one.add(record);
    },
    finish: () => running.flatMap((one) => one.finish()),
  };
}

/** No two records share the values; the later one is at fault. */
function unique({ unique: columns = [], level }: CompiledBatchCheck): Running {
  const first = new Map<string, ReadRecord['row']>();
  const issues: Issue[] = [];
  const slot = columns[0]?.slot;
  return {
    add(record) {
      if (record.table.slot !== slot) return;
      const key = keyText(columns.map(({ position }) => record.values[position]));
      if (key === undefined) return;
      const known = first.get(key);
      if (known === undefined) first.set(key, record.row);
      else
        issues.push({
          code: 'batch/repeated',
          level,
          params: { first: known.number },
          place: placeOf(record, columns[0]!),
          value: shownKey(key),
        });
    },
    finish: () => issues,
  };
}

/** The number of records, or the sum of a column, against what is stated. */
function total(check: CompiledBatchCheck, params: ParamValues): Running {
  const { level, tolerance, param, stated, where } = check;
  const slot = check.sum?.slot ?? check.count;
  let found = '0';
  let cell: { readonly record: ReadRecord; readonly value: string } | undefined;
  return {
    add(record) {
      if (record.table.slot === slot) {
        const value = check.sum === undefined ? '1' : record.values[check.sum.position];
        if (typeof value === 'string') found = add(found, value);
      }
      if (stated === undefined || record.table.slot !== stated.slot || cell !== undefined) return;
      if (where !== undefined && where.read(recordContext(record)) !== true) return;
      const value = record.values[stated.position];
      if (typeof value === 'string') cell = { record, value };
    },
    finish() {
      const claim = cell?.value ?? (param === undefined ? undefined : params[param]);
      if (typeof claim !== 'string') return [];
      const difference = subtract(claim, found);
      if (compare(absolute(difference), tolerance) <= 0) return [];
      const place =
        cell === undefined
          ? {}
          : stated === undefined
            ? rowPlace(cell.record.table, cell.record.row)
            : placeOf(cell.record, stated);
      const code = check.sum === undefined ? 'batch/count-differs' : 'batch/sum-differs';
      return [{ code, level, params: { stated: claim, found, difference }, place, value: claim }];
    },
  };
}
