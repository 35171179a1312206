import { absolute, add, centsOf, compare, fromCents, subtract, toMoney } from '../core/decimal.js';
import { type Issue, isSameSheet, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import { baseName, fold } from '../core/text.js';
import type { CompiledBatchCheck } from '../mapping/checks.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf } from '../mapping/places.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type Control,
  everyPartOf,
  type ReadableTable,
  type ReadRecord,
  recordContext,
  type Skip,
} from '../mapping/record.js';
import { keyText, plainKeyText, shownKey } from './joined-tables.js';
import { KeyPlaces } from './key-places.js';

/** Checks over all records of a run; records are shown as they are read. */
interface BatchChecks {
  /** Those that hold documents back: they must know all records of the main tables before. */
  readonly foreseeing: readonly Foreseen[];
  add(records: readonly ReadRecord[]): void;
  /** Why no document may be made of a record of a main table. */
  refused(record: ReadRecord): readonly Issue[];
  finish(): Issue[];
}

interface Running {
  add(record: ReadRecord): void;
  finish(): Issue[];
}

/** Whether a check has nothing to look at: no file has its column. */
const isIdle = ({ filled }: CompiledBatchCheck, present: ReadonlySet<CompiledColumn>): boolean =>
  filled?.column.feeders.every((one) => !present.has(one)) ?? false;

/** What is known of a record only once all of them were read. */
interface Foreseen {
  /** The columns that it looks at. */
  readonly ids: readonly string[];
  expect(record: ReadRecord): void;
  /** Why no document may be made of it. */
  refused(record: ReadRecord): readonly Issue[];
}

/** `present`: columns that some file has. */
export function createBatchChecks(
  { batch, mains }: LoadedMapping,
  params: ParamValues,
  present: ReadonlySet<CompiledColumn>,
): BatchChecks {
  const foreseeing: Foreseen[] = [];
  const running: Running[] = [];
  for (const check of batch) {
    const { filled, level } = check;
    const columns = nonEmpty(check.unique ?? []);
    if (isIdle(check, present)) continue;
    if (filled !== undefined) foreseeing.push(new FilledByAll(filled));
    else if (columns === undefined) running.push(total(check, params));
    else if (level === 'error' && mains.some(({ slot }) => slot === columns[0].slot))
      foreseeing.push(new SoleValues(columns));
    else running.push(unique(columns, level));
  }
  return {
    foreseeing,
    add(records) {
      for (const one of running) for (const record of records) one.add(record);
    },
    refused: (record) => foreseeing.flatMap((one) => one.refused(record)),
    finish: () => running.flatMap((one) => one.finish()),
  };
}

/** A value that records share: the cell of one of them, beside that of another. */
function repeated(
  record: ReadRecord,
  columns: NonEmpty<CompiledColumn>,
  { key, level, other }: { readonly key: string; readonly level: Issue['level']; readonly other: Place },
): Issue {
  return {
    code: 'batch/repeated',
    level,
    params: { first: other.row ?? 0 },
    place: placeOf(record, columns[0]),
    value: shownKey(key),
    related: [other],
  };
}

const isSameRow = (a: Place, b: Place): boolean => a.row === b.row && isSameSheet(a, b);

/** Values that one record of a main table alone may have: each of those that share one may have what is the other's. */
class SoleValues implements Foreseen {
  /** By value, where the first two records are that have it. */
  private readonly first = new KeyPlaces();
  private readonly second = new KeyPlaces();

  constructor(private readonly columns: NonEmpty<CompiledColumn>) {}

  get ids(): readonly string[] {
    return this.columns.map(({ id }) => id);
  }

  private keyOf({ table, values }: ReadRecord): string | undefined {
    return table.slot === this.columns[0].slot ? keyText(values, this.columns) : undefined;
  }

  expect(record: ReadRecord): void {
    const key = this.keyOf(record);
    if (key === undefined || this.second.has(key)) return;
    const isRepeated = this.first.has(key);
    (isRepeated ? this.second : this.first).set(key, placeOf(record, this.columns[0]));
  }

  refused(record: ReadRecord): readonly Issue[] {
    const key = this.keyOf(record);
    if (key === undefined) return NO_ISSUES;
    const [first, second] = [this.first.get(key), this.second.get(key)];
    if (first === undefined || second === undefined) return NO_ISSUES;
    const other = isSameRow(first, placeOf(record, this.columns[0])) ? second : first;
    return [repeated(record, this.columns, { key, level: 'error', other })];
  }
}

/** A column that all records of somebody fill, or none: one that leaves it blank may belong to what another one says there. */
class FilledByAll implements Foreseen {
  /** By whose they are, the first record that fills it, and the first that does not. */
  private readonly filled = new KeyPlaces();
  private readonly blank = new KeyPlaces();

  constructor(private readonly check: NonNullable<CompiledBatchCheck['filled']>) {}

  get ids(): readonly string[] {
    const { column, of } = this.check;
    return [column, ...of].map(({ id }) => id);
  }

  private keyOf({ table, values }: ReadRecord): string | undefined {
    const { column, of } = this.check;
    const [whose] = of;
    if (table.slot !== column.slot || whose === undefined || values[whose.position] === undefined)
      return undefined;
    return plainKeyText(of.map(({ position }) => String(values[position] ?? '-')));
  }

  expect(record: ReadRecord): void {
    const key = this.keyOf(record);
    if (key === undefined) return;
    const { column } = this.check;
    const isBlank = record.values[column.position] === undefined;
    const places = isBlank ? this.blank : this.filled;
    if (!places.has(key)) places.set(key, placeOf(record, column));
  }

  refused(record: ReadRecord): readonly Issue[] {
    const key = this.keyOf(record);
    const { column, of } = this.check;
    const isBlank = record.values[column.position] === undefined;
    const other = key === undefined ? undefined : (isBlank ? this.filled : this.blank).get(key);
    if (other === undefined) return NO_ISSUES;
    const params = {
      other: other.row ?? 0,
      key: of
        .slice(0, 1)
        .map(({ position }) => String(record.values[position]))
        .join(),
    };
    const code = isBlank ? 'batch/blank-in-some' : 'batch/filled-in-some';
    return [{ ...issueOf(code, 'error', params, placeOf(record, column)), related: [other] }];
  }
}

/** No two records share the values; the later one is told. */
function unique(columns: NonEmpty<CompiledColumn>, level: Issue['level']): Running {
  const first = new KeyPlaces();
  const issues: Issue[] = [];
  const { slot } = columns[0];
  return {
    add(record) {
      if (record.table.slot !== slot) return;
      const key = keyText(record.values, columns);
      if (key === undefined) return;
      const other = first.get(key);
      if (other === undefined) first.set(key, placeOf(record, columns[0]));
      else issues.push(repeated(record, columns, { key, level, other }));
    },
    finish: () => issues,
  };
}

/** What is stated of files without header, and what they hold, by the delivery that they are part of. */
interface Delivery {
  /** Where it stands: the zip, if any, and the control number that its files share: `CT000123.TXT`, `AC000123.TXT`. */
  readonly at: string;
  readonly number: string;
}

const ONE: Delivery = { at: '', number: '' };

function deliveryOf({ header, source }: ReadableTable): Delivery {
  if (header.row.number > 0) return ONE;
  const name = baseName(source.file);
  const number = fold(name).replace(/^[a-z]+/, '');
  return { at: source.file.slice(0, -name.length) + number, number };
}

/** The number of records, or the sum of a column, against what is stated; several deliveries each against their own. */
function total(check: CompiledBatchCheck, params: ParamValues): Running {
  const { level, tolerance, param, stated, where } = check;
  const slot = check.sum?.slot ?? check.count;
  const found = new Map<string, { readonly delivery: Delivery; amount: string }>();
  const cells = new Map<
    string,
    { readonly delivery: Delivery; readonly record: ReadRecord; readonly value: string }
  >();
  let last: ReadableTable | undefined;
  let delivery = ONE;
  /** The delivery whose statement is about those records: their own, or the only one that may be. */
  const ownerOf = ({ at, number }: Delivery): string | undefined => {
    if (cells.has(at)) return at;
    const alike = [...cells.values()].filter((one) => one.delivery.number === number);
    const [only, ...more] = alike.length > 0 ? alike : cells.values();
    return more.length > 0 ? undefined : only?.delivery.at;
  };
  return {
    add(record) {
      const isCounted = record.table.slot === slot;
      if (!isCounted && record.table.slot !== stated?.slot) return;
      if (record.table !== last) {
        last = record.table;
        delivery = deliveryOf(last);
      }
      if (isCounted) {
        const value = check.sum === undefined ? '1' : record.values[check.sum.position];
        const sum = found.get(delivery.at);
        if (typeof value === 'string') {
          if (sum === undefined) found.set(delivery.at, { delivery, amount: value });
          else sum.amount = add(sum.amount, value);
        }
      }
      if (record.table.slot !== stated?.slot || cells.has(delivery.at)) return;
      if (where !== undefined && where.read(recordContext(record)) !== true) return;
      const value = record.values[stated.position];
      if (typeof value === 'string') cells.set(delivery.at, { delivery, record, value });
    },
    finish() {
      const sums = new Map<string | undefined, string>();
      for (const { delivery, amount } of found.values()) {
        const owner = ownerOf(delivery);
        sums.set(owner, add(sums.get(owner) ?? '0', amount));
      }
      const differs = (claim: unknown, sum: string, place: Place): Issue[] => {
        if (typeof claim !== 'string') return [];
        const difference = subtract(claim, sum);
        if (compare(absolute(difference), tolerance) <= 0) return [];
        const code = check.sum === undefined ? 'batch/count-differs' : 'batch/sum-differs';
        return [{ ...issueOf(code, level, { stated: claim, found: sum, difference }, place), value: claim }];
      };
      if (stated === undefined || cells.size === 0)
        return differs(param === undefined ? undefined : params[param], sums.get(undefined) ?? '0', {});
      return [...cells.values()].flatMap(({ delivery, record, value }) =>
        differs(value, sums.get(delivery.at) ?? '0', placeOf(record, stated)),
      );
    },
  };
}

/** The sum of a column, in cents. */
interface Sum {
  cents: number;
  /** A cell could not be read, or has parts of a cent: the sum is not known. */
  spoilt: boolean;
  /** What it was at the last subtotal. */
  before: number;
  spoiltSince: boolean;
}

function addTo(sum: Sum, cents: number | undefined): void {
  if (cents !== undefined) sum.cents += cents;
  if (cents === undefined || !Number.isSafeInteger(sum.cents)) sum.spoilt = sum.spoiltSince = true;
}

/** Of so many amounts, most are no sums by chance. */
const SEVERAL = 3;

/** Running sums of the columns that control records of a table may state. */
export class ControlTotals {
  private readonly sums = new Map<CompiledColumn, Sum>();
  private readonly amounts: readonly CompiledColumn[];
  /** The table that records came from last, and the sums of the columns that it has. */
  private table: ReadableTable | undefined;
  private there: (readonly [CompiledColumn, Sum])[] = [];
  /** The sums of records that are left out: the file's own totals may count them. */
  private left: ControlTotals | undefined;
  /** Of records whose parts stand side by side: the sums of each part. */
  private readonly parts: ControlTotals[] = [];

  constructor(private readonly compiled: CompiledTable) {
    const { skips, columns: all, identity, spec } = compiled;
    const hasFooters = identity.length > 0 && spec.footers !== false;
    this.amounts = hasFooters ? [...all.values()].filter(({ kind }) => kind === 'money') : [];
    const stated = skips.flatMap(({ control }) => [...(control?.values() ?? [])].flat());
    for (const column of [...this.amounts, ...stated])
      this.sums.set(column, { cents: 0, spoilt: false, before: 0, spoiltSince: false });
  }

  get wanted(): boolean {
    return this.sums.size > 0;
  }

  private eachPart<T>(record: ReadRecord, look: (totals: ControlTotals, part: ReadRecord) => T): T[] {
    return everyPartOf(record).map((part, at) => {
      this.parts[at] ??= new ControlTotals(this.compiled);
      return look(this.parts[at], part);
    });
  }

  /** A data record: good or faulty, its raw amounts count. */
  add(record: ReadRecord): void {
    const { table, values, faults } = record;
    if (table.parts.length > 0) {
      this.eachPart(record, (totals, part) => totals.add(part));
      return;
    }
    if (table !== this.table) {
      this.table = table;
      this.there = [...this.sums].filter(
        ([{ computed, position }]) => computed !== undefined || table.indexes[position] !== undefined,
      );
    }
    for (let at = 0; at < this.there.length; at++) {
      const [column, sum] = this.there[at]!;
      const value = values[column.position];
      const cents =
        value !== undefined ? centsOf(value as string) : faults?.has(column) === true ? undefined : 0;
      addTo(sum, cents);
    }
  }

  /** A record that is no data of this run, as one of another month. */
  leave(record: ReadRecord): void {
    if (!this.wanted) return;
    if (record.table.parts.length > 0) {
      this.eachPart(record, (totals, part) => totals.leave(part));
      return;
    }
    this.left ??= new ControlTotals(this.compiled);
    this.left.add(record);
  }

  /** A row of totals that no `skip` of the mapping foresees: of the whole, or since the row of totals before. */
  compareFooter(record: ReadRecord, subtotal: boolean): Issue[] {
    if (record.table.parts.length > 0)
      return this.eachPart(record, (totals, part) => totals.compareFooter(part, subtotal)).flat();
    const control = new Map(this.amounts.map((column) => [column, [column]]));
    return this.nearest(record, control, subtotal);
  }

  /** Of the whole, or since the row of totals before: whichever it agrees with better. */
  private nearest(record: ReadRecord, control: Control, subtotal: boolean): Issue[] {
    const of = (sinceLast: boolean): Issue[] => this.differences(record, control, sinceLast);
    const last = of(true);
    const whole = of(false);
    const found = last.length < whole.length || (subtotal && last.length === whole.length) ? last : whole;
    this.restart();
    return found;
  }

  /** Whether a record states amounts, and those that the records above it come to: all, or most of several. */
  isSum(record: ReadRecord, { control }: Skip): boolean {
    if (control === undefined || record.table.parts.length > 0) return false;
    const agrees = (sinceLast: boolean): boolean => {
      const { compared, issues } = this.compared(record, control, sinceLast);
      return compared > 0 && (issues.length === 0 || (compared >= SEVERAL && issues.length * 2 < compared));
    };
    return agrees(true) || agrees(false);
  }

  private restart(): void {
    for (const sum of this.sums.values()) Object.assign(sum, { before: sum.cents, spoiltSince: false });
    this.left?.restart();
  }

  /** A control record: what it states against the sums of the records above. */
  compare(record: ReadRecord, skip: Skip): Issue[] {
    const { control, since } = skip;
    if (control === undefined) return [];
    if (record.table.parts.length > 0)
      return this.eachPart(record, (totals, part) => totals.compare(part, skip)).flat();
    if (since === 'either') return this.nearest(record, control, false);
    const issues = this.differences(record, control, since === 'last');
    if (since === 'last') this.restart();
    return issues;
  }

  private differences(record: ReadRecord, control: Control, sinceLast: boolean): Issue[] {
    return this.compared(record, control, sinceLast).issues;
  }

  private compared(
    record: ReadRecord,
    control: Control,
    sinceLast: boolean,
  ): { compared: number; issues: Issue[] } {
    let compared = 0;
    const issues: Issue[] = [];
    for (const [column, columns] of control) {
      const stated = record.values[column.position];
      if (typeof stated !== 'string') continue;
      const sums = columns.map((one) => this.sums.get(one)!);
      const left = columns.flatMap((one) => this.left?.sums.get(one) ?? []);
      if ([...sums, ...left].some(({ spoilt, spoiltSince }) => (sinceLast ? spoiltSince : spoilt))) continue;
      compared += 1;
      const centsIn = ({ cents, before }: Sum): number => (sinceLast ? cents - before : cents);
      const amounts = sums.map(centsIn);
      const all = left.map((sum, at) => amounts[at]! + centsIn(sum));
      if ([...amounts, ...all].some((cents) => compare(fromCents(cents), stated) === 0)) continue;
      const computed = fromCents(amounts[0]!);
      const difference = subtract(stated, computed);
      issues.push({
        code: 'control/total-differs',
        level: 'warning',
        params: { stated, computed, difference: toMoney(difference) ?? difference },
        place: placeOf(record, column),
        value: stated,
      });
    }
    return { compared, issues };
  }
}
