import { absolute, add, centsOf, compare, fromCents, subtract, toMoney } from '../core/decimal.js';
import { type Issue, isSameSheet, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import { baseName, fold, isSameNit } from '../core/text.js';
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
import type { RunCompany } from './other-company.js';

/** Checks over all records of a run, which are added as they are read. */
interface BatchChecks {
  /** Checks that hold documents back, and must see all records of the main tables first. */
  readonly foreseeing: readonly Foreseen[];
  add(records: readonly ReadRecord[]): void;
  /** Returns the reasons to make no document of a main record. */
  refused(record: ReadRecord): readonly Issue[];
  finish(): Issue[];
}

interface Running {
  add(record: ReadRecord): void;
  finish(): Issue[];
}

/** True if no file has the column of a check. */
const isIdle = ({ filled, company }: CompiledBatchCheck, present: ReadonlySet<CompiledColumn>): boolean =>
  (filled?.column ?? company)?.feeders.every((column) => !present.has(column)) ?? false;

/** Check whose result for a record depends on all records. */
interface Foreseen {
  /** Ids of the columns that it reads. */
  readonly ids: readonly string[];
  expect(record: ReadRecord): void;
  /** Returns the reasons to make no document of the record. */
  refused(record: ReadRecord): readonly Issue[];
}

/**
 * Creates the checks.
 * @param present columns that at least one file has
 * @param ofRun company of the run, if it is known
 */
export function createBatchChecks(
  { batch, mains }: LoadedMapping,
  params: ParamValues,
  {
    present,
    ofRun,
  }: { readonly present: ReadonlySet<CompiledColumn>; readonly ofRun?: RunCompany | undefined },
): BatchChecks {
  const foreseeing: Foreseen[] = [];
  const running: Running[] = [];
  for (const check of batch) {
    const { filled, company, level } = check;
    const columns = nonEmpty(check.unique ?? []);
    if (isIdle(check, present)) continue;
    if (filled !== undefined) foreseeing.push(new FilledByAll(filled));
    else if (company !== undefined) foreseeing.push(new OneCompany(company, ofRun?.nit));
    else if (columns === undefined) running.push(total(check, params));
    else if (level === 'error' && mains.some(({ tableIndex }) => tableIndex === columns[0].tableIndex))
      foreseeing.push(new UniqueValues(columns));
    else running.push(unique(columns, level));
  }
  return {
    foreseeing,
    add(records) {
      for (const check of running) for (const record of records) check.add(record);
    },
    refused: (record) => foreseeing.flatMap((check) => check.refused(record)),
    finish: () => running.flatMap((check) => check.finish()),
  };
}

/** Creates the issue of a value shared by two records. */
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

/** Values that only one main record may have: of records that share one, each may have the other's. */
class UniqueValues implements Foreseen {
  /** First and second record of each value. */
  private readonly first = new KeyPlaces();
  private readonly second = new KeyPlaces();

  constructor(private readonly columns: NonEmpty<CompiledColumn>) {}

  get ids(): readonly string[] {
    return this.columns.map(({ id }) => id);
  }

  private keyOf({ table, values }: ReadRecord): string | undefined {
    return table.tableIndex === this.columns[0].tableIndex ? keyText(values, this.columns) : undefined;
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

/** Column that all records of an owner fill, or none: a blank one may belong to another record's value. */
class FilledByAll implements Foreseen {
  /** First record that fills it, and first that does not, by owner. */
  private readonly filled = new KeyPlaces();
  private readonly blank = new KeyPlaces();

  constructor(private readonly check: NonNullable<CompiledBatchCheck['filled']>) {}

  get ids(): readonly string[] {
    const { column, of } = this.check;
    return [column, ...of].map(({ id }) => id);
  }

  private keyOf({ table, values }: ReadRecord): string | undefined {
    const { column, of } = this.check;
    const [owner] = of;
    if (table.tableIndex !== column.tableIndex || owner === undefined || values[owner.position] === undefined)
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

/** Column with the NIT of each record's company: a run is for one company, and of several a blank cell names none. */
class OneCompany implements Foreseen {
  /** First record with a NIT, and first of another company than the run's or, if that is unknown, than the first's. */
  private first: Employer | undefined;
  private other: Employer | undefined;

  constructor(
    private readonly column: CompiledColumn,
    private readonly ofRun: string | undefined,
  ) {}

  get ids(): readonly string[] {
    return [this.column.id];
  }

  /** Returns the digits of a record's NIT, empty if it has none; undefined for a record of another table. */
  private nitOf({ table, values }: ReadRecord): string | undefined {
    if (table.tableIndex !== this.column.tableIndex) return undefined;
    return String(values[this.column.position] ?? '').replace(/\D/g, '');
  }

  expect(record: ReadRecord): void {
    const nit = this.nitOf(record);
    if (!nit || this.other !== undefined) return;
    const employer: Employer = { nit, place: placeOf(record, this.column) };
    this.first ??= employer;
    if (!isSameNit(nit, this.ofRun ?? this.first.nit)) this.other = employer;
  }

  refused(record: ReadRecord): readonly Issue[] {
    const nit = this.nitOf(record);
    const { first, other, ofRun } = this;
    if (nit === undefined || first === undefined || other === undefined) return NO_ISSUES;
    const place = placeOf(record, this.column);
    if (nit === '')
      return [
        { ...issueOf('batch/blank-company', 'error', { other: other.nit }, place), related: [other.place] },
      ];
    if (ofRun !== undefined) {
      const params = { nit, company: ofRun };
      return isSameNit(nit, ofRun)
        ? NO_ISSUES
        : [{ ...issueOf('batch/not-of-company', 'error', params, place), value: nit }];
    }
    const another = isSameNit(nit, first.nit) ? other : first;
    const params = { nit, other: another.nit };
    return [
      { ...issueOf('batch/other-company', 'error', params, place), value: nit, related: [another.place] },
    ];
  }
}

interface Employer {
  readonly nit: string;
  readonly place: Place;
}

/** Reports values shared by two records, at the later one. */
function unique(columns: NonEmpty<CompiledColumn>, level: Issue['level']): Running {
  const first = new KeyPlaces();
  const issues: Issue[] = [];
  const { tableIndex } = columns[0];
  return {
    add(record) {
      if (record.table.tableIndex !== tableIndex) return;
      const key = keyText(record.values, columns);
      if (key === undefined) return;
      const other = first.get(key);
      if (other === undefined) first.set(key, placeOf(record, columns[0]));
      else issues.push(repeated(record, columns, { key, level, other }));
    },
    finish: () => issues,
  };
}

/** Delivery of files without header, within which stated and counted values are compared. */
interface Delivery {
  /** Zip, if any, and control number that its files share: `CT000123.TXT`, `AC000123.TXT`. */
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

/** Compares the number of records, or the sum of a column, with the stated value, per delivery. */
function total(check: CompiledBatchCheck, params: ParamValues): Running {
  const { level, tolerance, param, stated, where } = check;
  const tableIndex = check.sum?.tableIndex ?? check.count;
  const found = new Map<string, { readonly delivery: Delivery; amount: string }>();
  const cells = new Map<
    string,
    { readonly delivery: Delivery; readonly record: ReadRecord; readonly value: string }
  >();
  let last: ReadableTable | undefined;
  let delivery = ONE;
  /** Returns the delivery with the statement for some records: their own, or the only candidate. */
  const ownerOf = ({ at, number }: Delivery): string | undefined => {
    if (cells.has(at)) return at;
    const alike = [...cells.values()].filter((entry) => entry.delivery.number === number);
    const [only, ...more] = alike.length > 0 ? alike : cells.values();
    return more.length > 0 ? undefined : only?.delivery.at;
  };
  return {
    add(record) {
      const isCounted = record.table.tableIndex === tableIndex;
      if (!isCounted && record.table.tableIndex !== stated?.tableIndex) return;
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
      if (record.table.tableIndex !== stated?.tableIndex || cells.has(delivery.at)) return;
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

interface Sum {
  cents: number;
  /** True if the sum is unknown: a cell was unreadable, or had fractions of a cent. */
  spoilt: boolean;
  /** Sum at the last subtotal. */
  before: number;
  spoiltSince: boolean;
}

function addTo(sum: Sum, cents: number | undefined): void {
  if (cents !== undefined) sum.cents += cents;
  if (cents === undefined || !Number.isSafeInteger(sum.cents)) sum.spoilt = sum.spoiltSince = true;
}

/** Min compared amounts of which most agree by more than chance. */
const MIN_COMPARED_AMOUNTS = 3;

/** Running sums of the columns that control records of a table may state. */
export class ControlTotals {
  private readonly sums = new Map<CompiledColumn, Sum>();
  private readonly amounts: readonly CompiledColumn[];
  private table: ReadableTable | undefined;
  private there: (readonly [CompiledColumn, Sum])[] = [];
  /** Sums of skipped records, which the file's totals may include. */
  private left: ControlTotals | undefined;
  /** Sums of each part, for records side by side. */
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

  /** Adds a data record; amounts of faulty records count too. */
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
    for (const [column, sum] of this.there) {
      const value = values[column.position];
      const cents =
        value !== undefined ? centsOf(value as string) : faults?.has(column) === true ? undefined : 0;
      addTo(sum, cents);
    }
  }

  /** Adds a skipped record, as one of another month. */
  leave(record: ReadRecord): void {
    if (!this.wanted) return;
    if (record.table.parts.length > 0) {
      this.eachPart(record, (totals, part) => totals.leave(part));
      return;
    }
    this.left ??= new ControlTotals(this.compiled);
    this.left.add(record);
  }

  /** Compares a row of totals without `skip` condition: with all records, or those since the last such row. */
  compareFooter(record: ReadRecord, subtotal: boolean): Issue[] {
    if (record.table.parts.length > 0)
      return this.eachPart(record, (totals, part) => totals.compareFooter(part, subtotal)).flat();
    const control = new Map(this.amounts.map((column) => [column, [column]]));
    return this.nearest(record, control, subtotal);
  }

  /** Compares with all records, or those since the last row of totals, whichever agrees better. */
  private nearest(record: ReadRecord, control: Control, subtotal: boolean): Issue[] {
    const of = (sinceLast: boolean): Issue[] => this.differences(record, control, sinceLast);
    const last = of(true);
    const total = of(false);
    const found = last.length < total.length || (subtotal && last.length === total.length) ? last : total;
    this.restart();
    return found;
  }

  /** True if a record states amounts, and all, or most of several, are the sums of the records above. */
  isSum(record: ReadRecord, { control }: Skip): boolean {
    if (control === undefined || record.table.parts.length > 0) return false;
    const agrees = (sinceLast: boolean): boolean => {
      const { compared, issues } = this.compared(record, control, sinceLast);
      return (
        compared > 0 &&
        (issues.length === 0 || (compared >= MIN_COMPARED_AMOUNTS && issues.length * 2 < compared))
      );
    };
    return agrees(true) || agrees(false);
  }

  private restart(): void {
    for (const sum of this.sums.values()) Object.assign(sum, { before: sum.cents, spoiltSince: false });
    this.left?.restart();
  }

  /** Compares a control record with the sums of the records above. */
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
      const sums = columns.flatMap((summed) => {
        const sum = this.sums.get(summed);
        return sum === undefined ? [] : { sum, left: this.left?.sums.get(summed) };
      });
      const spoils = (sum: Sum | undefined): boolean => sum?.[sinceLast ? 'spoiltSince' : 'spoilt'] === true;
      if (sums.some(({ sum, left }) => spoils(sum) || spoils(left))) continue;
      compared += 1;
      const centsIn = ({ cents, before }: Sum): number => (sinceLast ? cents - before : cents);
      const amounts = sums.map(({ sum }) => centsIn(sum));
      const all = sums.flatMap(({ sum, left }) => (left === undefined ? [] : centsIn(sum) + centsIn(left)));
      if ([...amounts, ...all].some((cents) => compare(fromCents(cents), stated) === 0)) continue;
      const computed = fromCents(amounts[0] ?? 0);
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
