import { type ColumnAccount, type ColumnRole, STATE_HEADER } from '../document/accounting.js';
import { formatPlace, type Issue, type Place } from '../issues/issue.js';
import type { CompiledTarget } from '../mapping/compile.js';
import type { Context } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import { readNumberText } from '../mapping/read/number-text.js';
import { type LocatedTable, placeOf, type ReadRecord } from '../mapping/record.js';
import { derivedNames } from '../schema/rules.js';
import { IGNORE } from '../source/header-declared.js';
import { cellPlace, type Row } from '../source/table.js';
import { ExactSum } from './control-totals.js';
import { faultOfRecord } from './read-table.js';

/** What a column that nobody reads holds. */
class Unread {
  cells = 0;
  example = '';
  private numbers = 0;
  private dates = 0;
  private documents = 0;
  private ordinals = 0;
  private last: number | undefined;
  private readonly sizes: number[] = [];
  private readonly total = new ExactSum();

  add({ texts, kinds }: Row, column: number): void {
    const text = texts[column]!;
    const kind = kinds?.[column] ?? 'text';
    if (this.cells === 0) this.example = text;
    this.cells += 1;
    if (kind === 'date') this.dates += 1;
    const amount = kind === 'number' ? text : kind === 'text' ? numberIn(text) : undefined;
    if (amount === undefined) return;
    const value = Number(amount);
    this.numbers += 1;
    if (DOCUMENT.test(amount) && !amount.endsWith('00')) this.documents += 1;
    if (this.last === undefined ? value <= 1 : value === this.last + 1) this.ordinals += 1;
    this.last = value;
    if (value !== 0 && this.sizes.length < SAMPLE) this.sizes.push(Math.abs(value));
    this.total.add(amount);
  }

  /** Pesos: numbers of that size that are neither ordinals nor numbers of identity documents or telephones. */
  get amounts(): boolean {
    const median = this.sizes.sort((a, b) => a - b)[Math.floor(this.sizes.length / 2)];
    return (
      this.numbers >= this.cells * MOST &&
      this.dates < this.cells * MOST &&
      this.documents < this.numbers * MOST &&
      this.ordinals < this.numbers &&
      median !== undefined &&
      median >= PESOS.from &&
      median < PESOS.to
    );
  }

  get sum(): string {
    return this.total.text;
  }
}

const MOST = 0.7;
const SAMPLE = 1000;
const PESOS = { from: 1_000, to: 1_000_000_000 } as const;
const DOCUMENT = /^\d{8,11}$/;

function numberIn(text: string): string | undefined {
  const reading = readNumberText(text);
  if (reading.kind === 'number') return reading.decimal;
  return reading.kind === 'ambiguous' ? reading.comma : undefined;
}

/** Which columns of one table hold anything, and what they are for. Looks at every record, so at few columns of it. */
class Census {
  private readonly roles: (ColumnRole | undefined)[] = [];
  private readonly reasons = new Map<number, string | undefined>();
  /** Columns with a part in the documents, not yet seen filled. */
  private awaited: number[] = [];
  private readonly filled: number[] = [];
  /** All the others; a record may be wider than the header. */
  private readonly others: number[] = [];
  private readonly unread = new Map<number, Unread>();
  private readonly sums: { readonly position: number; readonly index: number; readonly sum: ExactSum }[] = [];
  private width: number;

  constructor(
    private readonly table: LocatedTable,
    { roles }: LoadedMapping,
    money: boolean,
  ) {
    const { header } = table;
    for (const part of [table, ...table.repeats])
      for (const { column, index, more } of part.present) {
        const role = roles.get(column);
        if (role === undefined) continue;
        for (const at of [index, ...more]) this.roles[at] = role;
        if (money && part === table && column.kind === 'money')
          this.sums.push({ position: column.position, index, sum: new ExactSum() });
      }
    for (const [index, reason] of header.ignored) {
      if (this.roles[index] !== undefined) continue;
      this.roles[index] = 'declined';
      this.reasons.set(index, reason);
    }
    // The column that an annotated copy adds is the program's own.
    for (const [index, label] of header.labels.entries())
      if (this.roles[index] === undefined && OWN.includes(label ?? '')) {
        this.roles[index] = 'declined';
        this.reasons.set(index, 'cargue');
      }
    this.width = Math.max(header.labels.length, this.roles.length);
    for (let index = 0; index < this.width; index++)
      (isRead(this.roles[index]) ? this.awaited : this.others).push(index);
  }

  add(records: readonly ReadRecord[]): void {
    const { awaited, others, unread, sums } = this;
    for (const record of records) {
      if (faultOfRecord(record) !== undefined) continue; // its columns have shifted
      const { row, values } = record;
      const { texts } = row;
      for (; this.width < texts.length; this.width++) others.push(this.width);
      for (let at = awaited.length - 1; at >= 0; at--) {
        const index = awaited[at]!;
        if (texts[index] === undefined) continue;
        this.filled.push(index);
        awaited.splice(at, 1);
      }
      for (let at = 0; at < others.length; at++) {
        const index = others[at]!;
        if (texts[index] === undefined) continue;
        let found = unread.get(index);
        if (found === undefined) {
          found = new Unread();
          unread.set(index, found);
        }
        found.add(row, index);
      }
      for (let at = 0; at < sums.length; at++) {
        const { position, sum } = sums[at]!;
        const value = values[position];
        if (value !== undefined) sum.add(value as string);
      }
    }
  }

  accounts(): ColumnAccount[] {
    const account = (index: number, role: ColumnRole, more: Partial<ColumnAccount> = {}): ColumnAccount => ({
      place: this.placeOf(index),
      role,
      ...more,
    });
    return [...this.filled, ...this.unread.keys()]
      .sort((a, b) => a - b)
      .map((index) => {
        const found = this.unread.get(index);
        if (found === undefined) {
          const sum = this.sums.find((one) => one.index === index)?.sum.text;
          return account(index, this.roles[index]!, { ...(sum !== undefined && { sum }) });
        }
        const reason = this.reasons.get(index);
        return account(index, this.roles[index] ?? 'unread', {
          cells: found.cells,
          ...(found.amounts && { sum: found.sum }),
          ...(reason !== undefined && { reason }),
        });
      });
  }

  /** The cell of its label; without header the column alone. */
  private placeOf(index: number): Place {
    const { source, header } = this.table;
    const label = header.labels[index];
    const above = label !== undefined && header.row.texts[index] === undefined ? header.groupRow : undefined;
    const { row, ...column } = cellPlace(source, above ?? header.row, index, label);
    return row === 0 ? column : { ...column, ...(row !== undefined && { row }) };
  }

  /** `said`: the cells of labels of which an issue of that level was told. */
  issues(alone: boolean, said: ReadonlyMap<string, Issue['level']>): Issue[] {
    return [...this.unread]
      .filter(([index]) => this.roles[index] === undefined)
      .sort(([a], [b]) => a - b)
      .flatMap(([index, { cells, example, amounts, sum }]): Issue[] => {
        const place = this.placeOf(index);
        const level = amounts || alone ? 'error' : 'warning';
        const told = said.get(formatPlace(place));
        if (told === 'error' || told === level) return [];
        return [
          {
            code: amounts ? 'header/amounts-new' : 'header/label-new',
            level,
            params: { cells, example, ...(amounts && { sum }) },
            place,
            value: place.label ?? place.column ?? '',
          },
        ];
      });
  }
}

const OWN: readonly string[] = Object.values(STATE_HEADER);

const isRead = (role: ColumnRole | undefined): boolean => role === 'used' || role === 'control';

/** The accounting of cells: every filled column of every table that is read. */
export class CellAccounting {
  private readonly tables = new Map<LocatedTable, Census>();
  private readonly money: boolean;
  private readonly said: ReadonlyMap<string, Issue['level']>;

  /** `alone`: the mapping was picked by itself, so nobody has said that it knows the file. */
  constructor(
    private readonly mapping: LoadedMapping,
    private readonly alone: boolean,
    said: readonly Issue[],
  ) {
    // An issue without a value is not about the label that it happens to stand at.
    this.said = new Map(
      said.flatMap(({ place, level, value }) => (value === undefined ? [] : [[formatPlace(place), level]])),
    );
    this.money = mapping.targets.some(({ schema }) => derivedNames(schema).length > 0);
  }

  add(table: LocatedTable, records: readonly ReadRecord[]): void {
    let census = this.tables.get(table);
    if (census === undefined) {
      census = new Census(table, this.mapping, this.money);
      this.tables.set(table, census);
    }
    census.add(records);
  }

  finish(): { columns: readonly ColumnAccount[]; issues: readonly Issue[] } {
    const all = [...this.tables.values()];
    return {
      columns: all.flatMap((census) => census.accounts()),
      issues: all.flatMap((census) => census.issues(this.alone, this.said)),
    };
  }
}

/** Amounts of a document's own records that no condition let into it: their class is blank, or none that the mapping takes. */
export function droppedAmounts(
  { tables }: LoadedMapping,
  { atRisk }: CompiledTarget,
  { sets }: Context,
): Issue[] {
  if (atRisk.size === 0) return [];
  const issues: Issue[] = [];
  for (const { slot, join } of tables.values()) {
    const amounts = join?.many === false ? undefined : atRisk.get(slot);
    if (amounts === undefined) continue;
    for (const record of sets[slot] ?? []) {
      if (record.faults !== undefined) continue; // why is said already
      if (record.table.computed.some(({ position }) => record.values[position] === IGNORE)) continue; // a person's decision
      for (const [column, bit] of amounts) {
        const value = record.values[column.position];
        if (value === undefined || (record.taken & bit) !== 0 || Number(value) === 0) continue;
        const params = {};
        const place = placeOf(record, column);
        issues.push({ code: 'cell/amount-unused', level: 'error', params, place, value: String(value) });
      }
    }
  }
  return issues;
}
