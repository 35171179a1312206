import type { Issue } from '../issues/issue.js';
import type { CompiledColumn } from '../mapping/columns.js';
import { placeOf, type ReadRecord } from '../mapping/record.js';
import type { CompiledTable, Skip } from '../mapping/tables.js';
import { compare, subtract, toMoney } from '../values/decimal.js';

/** Sums in cents: exact for amounts of at most two decimals, far beyond any payroll. */
interface Sum {
  cents: number;
  /** A cell that could not be read, or has more decimals: the sum is not known. */
  spoilt: boolean;
}

const CENTS = /^-?\d{1,13}(?:\.\d{1,2})?$/;

const textOf = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Running sums of the columns that control records of a table may state. */
export class ControlTotals {
  private readonly sums = new Map<CompiledColumn, { whole: Sum; last: Sum }>();

  constructor({ skips }: CompiledTable) {
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
      } else if (CENTS.test(value as string)) {
        const cents = Math.round(Number(value) * 100);
        whole.cents += cents;
        last.cents += cents;
      } else whole.spoilt = last.spoilt = true;
    }
  }

  /** A control record: what it states against the sums of the records above. */
  compare(record: ReadRecord, { control, sinceLast }: Skip): Issue[] {
    if (control === undefined) return [];
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
    if (sinceLast)
      for (const { last } of this.sums.values()) Object.assign(last, { cents: 0, spoilt: false });
    return issues;
  }
}
