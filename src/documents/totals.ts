import { absolute, add, compare, subtract, toMoney } from '../core/decimal.js';
import type { Issue } from '../core/issue.js';
import type { CompiledBatchCheck } from '../mapping/checks.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type Control,
  type ReadRecord,
  recordContext,
  type Skip,
} from '../mapping/record.js';
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

/** Sums in cents: exact for amounts of at most two decimals, far beyond any payroll. */
interface Sum {
  cents: number;
  /** A cell that could not be read, or has more decimals: the sum is not known. */
  spoilt: boolean;
}

/** Beyond this a float no longer tells cents apart. */
const TOO_MUCH = 9e13;

/** Whole cents of an amount, or undefined where it has parts of a cent or is too large. */
function centsOf(amount: string): number | undefined {
  const exact = Number(amount) * 100;
  const cents = Math.round(exact);
  return Math.abs(exact - cents) < 1e-3 && Math.abs(cents) < TOO_MUCH ? cents : undefined;
}

const textOf = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** An exact sum: of cents while they are whole and few enough, else of decimals. */
export class ExactSum {
  private cents = 0;
  private rest = '0';

  add(amount: string): void {
    const cents = centsOf(amount);
    if (cents === undefined || Math.abs(this.cents + cents) >= TOO_MUCH) this.rest = add(this.rest, amount);
    else this.cents += cents;
  }

  get text(): string {
    return this.rest === '0' ? textOf(this.cents) : add(textOf(this.cents), this.rest);
  }
}

/** Running sums of the columns that control records of a table may state. */
export class ControlTotals {
  private readonly sums = new Map<CompiledColumn, { whole: Sum; last: Sum }>();

  private readonly amounts: readonly CompiledColumn[];

  constructor({ skips, columns: all, identity, spec }: CompiledTable) {
    const hasFooters = identity.length > 0 && spec.footers !== false;
    this.amounts = hasFooters ? [...all.values()].filter(({ kind }) => kind === 'money') : [];
    for (const column of this.amounts)
      this.sums.set(column, { whole: { cents: 0, spoilt: false }, last: { cents: 0, spoilt: false } });
    for (const { control } of skips)
      for (const columns of control?.values() ?? [])
        for (const column of columns)
          this.sums.set(column, { whole: { cents: 0, spoilt: false }, last: { cents: 0, spoilt: false } });
  }

  get wanted(): boolean {
    return this.sums.size > 0;
  }

  /** A data record: good or faulty, its raw amounts count. */
  add({ values, faults }: ReadRecord): void {
    for (const [column, { whole, last }] of this.sums) {
      const value = values[column.position];
      if (value === undefined) {
        if (faults?.has(column)) whole.spoilt = last.spoilt = true;
        continue;
      }
      const cents = centsOf(value as string);
      if (cents === undefined) whole.spoilt = last.spoilt = true;
      else {
        whole.cents += cents;
        last.cents += cents;
      }
    }
  }

  /** A row of totals that no `skip` of the mapping foresees: of the whole, or since the row of totals before. */
  compareFooter(record: ReadRecord, subtotal: boolean): Issue[] {
    const control = new Map(this.amounts.map((column) => [column, [column]]));
    const of = (sinceLast: boolean): Issue[] => this.differences(record, control, sinceLast);
    const last = of(true);
    const whole = of(false);
    const found = last.length < whole.length || (subtotal && last.length === whole.length) ? last : whole;
    this.restart();
    return found;
  }

  private restart(): void {
    for (const { last } of this.sums.values()) Object.assign(last, { cents: 0, spoilt: false });
  }

  /** A control record: what it states against the sums of the records above. */
  compare(record: ReadRecord, { control, sinceLast }: Skip): Issue[] {
    if (control === undefined) return [];
    const issues = this.differences(record, control, sinceLast);
    if (sinceLast) this.restart();
    return issues;
  }

  private differences(record: ReadRecord, control: Control, sinceLast: boolean): Issue[] {
    const issues: Issue[] = [];
    for (const [column, columns] of control) {
      const stated = record.values[column.position];
      if (typeof stated !== 'string') continue;
      const sums = columns.map((one) => this.sums.get(one)![sinceLast ? 'last' : 'whole']);
      if (sums.some(({ spoilt }) => spoilt)) continue;
      if (sums.some(({ cents }) => compare(textOf(cents), stated) === 0)) continue;
      const computed = textOf(sums[0]!.cents);
      const difference = subtract(stated, computed);
      issues.push({
        code: 'control/total-differs',
        level: 'warning',
        params: { stated, computed, difference: toMoney(difference) ?? difference },
        place: placeOf(record, column),
        value: stated,
      });
    }
    return issues;
  }
}
