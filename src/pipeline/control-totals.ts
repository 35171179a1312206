import type { Issue } from '../issues/issue.js';
import type { CompiledColumn } from '../mapping/columns.js';
import { placeOf, type ReadRecord } from '../mapping/record.js';
import type { CompiledTable, Control, Skip } from '../mapping/tables.js';
import { add, compare, subtract, toMoney } from '../values/decimal.js';

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
