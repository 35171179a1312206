import { centsOf, compare, RunningSum, subtract, sum, toMoney } from '../core/decimal.js';
import { formatPlace, hasErrors, type Issue, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { getOrAdd } from '../core/remember.js';
import { recordsOf } from '../mapping/context.js';
import type { CompiledTarget, LoadedMapping, Roles } from '../mapping/load.js';
import { placeOf } from '../mapping/places.js';
import type { CellReader } from '../mapping/read/cell.js';
import { isNullWord } from '../mapping/read/null-words.js';
import { readNumberText } from '../mapping/read/numbers.js';
import {
  type CompiledColumn,
  type Context,
  type HeadedTable,
  isTaken,
  MIN_READABLE_CELLS,
  type ReadableTable,
  type ReadRecord,
} from '../mapping/record.js';
import { derivedNames } from '../schema/derived-totals.js';
import type { ColumnAccount, ColumnRole, Reconciled } from '../schema/document.js';
import { IGNORE } from '../tables/header.js';
import { cellPlace, type JsonRecord, type Row } from '../tables/table.js';
import { faultOfRecord } from './read.js';

/** Returns the ignored titles of a table, with the reasons. */
export const ignoredKeys = ({ tables }: LoadedMapping, tableIndex: number): ReadonlyMap<string, string> =>
  new Map(
    [...tables.values()]
      .filter((table) => table.tableIndex === tableIndex)
      .flatMap(({ ignored }) =>
        ignored.flatMap(({ titles, reason }) => titles.map((title) => [title, reason] as const)),
      ),
  );

/** Counts the filled keys of JSON records of all files together, since they form one table. */
class KeyCensus {
  private readonly lists = new Map<string, Map<string, { account: ColumnAccount; cells: number }>>();

  add(json: JsonRecord, file: string, ignored: ReadonlyMap<string, string>): void {
    for (const [path, object] of json.objects()) {
      const keys = getOrAdd(this.lists, path, () => new Map());
      for (const key in object) {
        const value = object[key];
        if (typeof value === 'object' || value === '') continue;
        const known = keys.get(key);
        if (known !== undefined) known.cells += 1;
        else {
          const list = path.replaceAll('/*', '').split('/').at(-1);
          const label = list === '' ? key : `${list}.${key}`;
          const reason = ignored.get(key);
          const role = json.roleOf(path, key) ?? (reason === undefined ? 'unread' : 'declined');
          const declined = role === 'declined' && reason !== undefined ? { reason } : {};
          keys.set(key, { account: { place: { file, label }, role, ...declined }, cells: 1 });
        }
      }
    }
  }

  accounts(): ColumnAccount[] {
    return [...this.lists.values()].flatMap((keys) =>
      [...keys.values()].map(({ account, cells }) =>
        account.role === 'used' ? account : { ...account, cells },
      ),
    );
  }
}

/** Statistics of a column that is not mapped. */
class UnmappedColumn {
  cells = 0;
  example = '';
  /** Cells that mean no value: `N/A`. */
  private silent = 0;
  private numbers = 0;
  private dates = 0;
  private documents = 0;
  /** Numbers greater by one than the previous one. */
  private ordinals = 0;
  private first: number | undefined;
  private last: number | undefined;
  private readonly sizes: number[] = [];
  private readonly total = new RunningSum();

  add(text: string, { kinds }: Row, column: number): void {
    const kind = kinds?.[column] ?? 'text';
    if (this.cells === 0) this.example = text;
    this.cells += 1;
    if (kind === 'date') this.dates += 1;
    const amount = kind === 'number' ? text : kind === 'text' ? numberIn(text) : undefined;
    if (amount === undefined) {
      if (isNullWord(text)) this.silent += 1;
      return;
    }
    const value = Number(amount);
    this.numbers += 1;
    if (DOCUMENT.test(amount) && !amount.endsWith('00')) this.documents += 1;
    this.follow(value);
    this.last = value;
    if (value !== 0 && this.sizes.length < SAMPLE) this.sizes.push(Math.abs(value));
    this.total.add(amount);
  }

  private follow(value: number): void {
    if (this.last === undefined) this.first = value;
    else if (value === this.last + 1) this.ordinals += 1;
  }

  /** True for amounts in pesos: numbers of that size other than ordinals, identity documents or telephones. */
  get amounts(): boolean {
    const median = this.sizes.sort((a, b) => a - b)[Math.floor(this.sizes.length / 2)];
    const meaningful = this.cells - this.silent;
    return (
      this.numbers >= meaningful * MIN_READABLE_CELLS &&
      this.dates < meaningful * MIN_READABLE_CELLS &&
      this.documents < this.numbers * MIN_READABLE_CELLS &&
      this.ordinals + ((this.first ?? Infinity) <= 1 ? 1 : 0) < this.numbers &&
      median !== undefined &&
      median >= PESOS.from &&
      median < PESOS.to
    );
  }

  get sum(): string {
    return this.total.text;
  }
}

/** Returns the role of each column of a table by index, with those of repeated groups. */
function rolesIn(table: ReadableTable, roles: Roles): (ColumnRole | undefined)[] {
  const found: (ColumnRole | undefined)[] = [];
  for (const { column, index, more } of [table, ...table.repeats].flatMap(({ present }) => present)) {
    const role = roles.get(column);
    if (role !== undefined) for (const at of [index, ...more]) found[at] = role;
  }
  return found;
}

const SAMPLE = 1000;

/** Range of monthly pay in pesos; larger numbers are telephones or documents. */
export const PESOS = { from: 1_000, to: 1_000_000_000 } as const;

/** Number of an identity document. */
export const DOCUMENT = /^\d{8,11}$/;

function numberIn(text: string): string | undefined {
  const reading = readNumberText(text);
  if (reading.kind === 'number') return reading.decimal;
  return reading.kind === 'ambiguous' ? reading.comma : undefined;
}

/** Running sum of an amount column; cells of added or repeated columns are read here. */
type Summed = {
  readonly index: number;
  readonly column: CompiledColumn;
  readonly sum: RunningSum;
} & (
  | { readonly position: number; readonly read?: undefined }
  | { readonly position?: undefined; readonly read: CellReader }
);

/** Counts the filled columns of a table by role. It sees every record, so it examines few columns of each. */
class Census {
  private readonly roles: (ColumnRole | undefined)[];
  private readonly reasons = new Map<number, string | undefined>();
  /** Columns used by documents, not yet seen filled. */
  private awaited: number[] = [];
  private readonly filled: number[] = [];
  /** Other columns; a record may be wider than the header. */
  private readonly others: number[] = [];
  private readonly unread = new Map<number, UnmappedColumn>();
  private readonly sums: Summed[] = [];
  private width: number;

  constructor(
    private readonly table: ReadableTable,
    { roles }: LoadedMapping,
    money: boolean,
  ) {
    const { header } = table;
    this.roles = rolesIn(table, roles);
    if (money)
      for (const part of [table, ...table.repeats])
        for (const { column, index, more, read } of part.present) {
          if (column.kind !== 'money' || !roles.has(column)) continue;
          if (part === table && more.length === 0)
            this.sums.push({ index, column, position: column.position, sum: new RunningSum() });
          else
            for (const at of [index, ...more])
              this.sums.push({ index: at, column, read, sum: new RunningSum() });
        }
    for (const [index, reason] of header.ignored) {
      if (this.roles[index] !== undefined) continue;
      this.roles[index] = 'declined';
      this.reasons.set(index, reason);
    }
    this.width = Math.max(header.labels.length, this.roles.length);
    for (let index = 0; index < this.width; index++)
      (isRead(this.roles[index]) ? this.awaited : this.others).push(index);
  }

  add(records: readonly ReadRecord[]): void {
    for (const record of records) {
      if (faultOfRecord(record) !== undefined) continue; // its columns have shifted
      this.look(record.row);
      this.addUp(record);
    }
  }

  /** Records which cells are filled. */
  private look(row: Row): void {
    const { awaited, others } = this;
    const { texts } = row;
    for (; this.width < texts.length; this.width++) others.push(this.width);
    for (let at = awaited.length - 1; at >= 0; at--) {
      const index = awaited[at];
      if (index === undefined || texts[index] === undefined) continue;
      this.filled.push(index);
      awaited.splice(at, 1);
    }
    for (const index of others) {
      const text = texts[index];
      if (text !== undefined) this.unreadAt(index).add(text, row, index);
    }
  }

  private addUp({ row, values }: ReadRecord): void {
    for (const { index, position, read, sum } of this.sums) {
      const text = row.texts[index];
      if (text === undefined) continue;
      const value = position === undefined ? read(text, row.kinds?.[index] ?? 'text') : values[position];
      if (typeof value === 'string') sum.add(value);
    }
  }

  private unreadAt(index: number): UnmappedColumn {
    return getOrAdd(this.unread, index, () => new UnmappedColumn());
  }

  /** Amounts that no document uses. */
  get unused(): Amount[] {
    return [...this.unread].flatMap(([index, { amounts, sum }]) =>
      amounts ? [{ value: sum, place: this.placeOf(index) }] : [],
    );
  }

  accounts(reconciled: ReadonlyMap<CompiledColumn, Reconciled>): ColumnAccount[] {
    const account = (index: number, role: ColumnRole, more: Partial<ColumnAccount> = {}): ColumnAccount => ({
      place: this.placeOf(index),
      role,
      ...more,
    });
    return [...this.filled, ...this.unread.keys()]
      .sort((a, b) => a - b)
      .map((index) => {
        const found = this.unread.get(index);
        const role = this.roles[index] ?? 'unread';
        if (found === undefined) {
          const summed = this.sums.find((entry) => entry.index === index);
          if (summed === undefined) return account(index, role);
          const total = reconciled.get(summed.column);
          return account(index, role, { sum: summed.sum.text, ...(total && { total }) });
        }
        const reason = this.reasons.get(index);
        return account(index, this.roles[index] ?? 'unread', {
          cells: found.cells,
          ...(found.amounts && { sum: found.sum }),
          ...(reason !== undefined && { reason }),
        });
      });
  }

  /** Columns used by documents and hidden in Excel; amounts of zero do not matter. */
  get hidden(): Issue[] {
    const { hidden = [] } = this.table;
    const isHidden = (index: number): boolean => hidden.some(([from, to]) => index >= from && index <= to);
    const holds = (index: number): boolean =>
      compare(this.sums.find((entry) => entry.index === index)?.sum.text ?? '1', '0') !== 0;
    return this.filled
      .filter((index) => this.roles[index] === 'used' && isHidden(index) && holds(index))
      .sort((a, b) => a - b)
      .map((index) => issueOf('header/hidden-column-read', 'warning', {}, this.placeOf(index)));
  }

  /** Returns the cell of the column's label, or the column alone without header. */
  private placeOf(index: number): Place {
    const { source, header } = this.table;
    const label = header.labels[index];
    const { row, ...column } = cellPlace(source, header.rowOf(index), index, label);
    return row === 0 ? column : { ...column, ...(row !== undefined && { row }) };
  }

  /**
   * Returns the issues of unmapped columns.
   * @param isAutomatic the mapping was chosen by the program
   * @param reported levels of issues that are reported already, by the cell of the label
   */
  issues(isAutomatic: boolean, reported: ReadonlyMap<string, Issue['level']>): Issue[] {
    return [...this.unread]
      .filter(([index]) => this.roles[index] === undefined)
      .sort(([a], [b]) => a - b)
      .flatMap(([index, { cells, example, amounts, sum }]): Issue[] => {
        const place = this.placeOf(index);
        const level = amounts || isAutomatic ? 'error' : 'warning';
        const known = reported.get(formatPlace(place));
        if (known === 'error' || known === level) return [];
        return [
          {
            ...(amounts
              ? issueOf('header/amounts-new', level, { cells, example, sum }, place)
              : issueOf('header/label-new', level, { cells, example }, place)),
            value: place.label ?? place.column ?? '',
          },
        ];
      });
  }
}

const isRead = (role: ColumnRole | undefined): boolean => role === 'used' || role === 'control';

/** Sums of a stated total and its computed value over all documents that have it. */
interface StatedTotal {
  readonly stated: RunningSum;
  readonly computed: RunningSum;
  readonly columns: readonly CompiledColumn[];
  /** Number of documents with a different total. */
  wrong: number;
}

/** Accounts for every filled column and every amount of the tables that are read. */
export class CellAccounting {
  private readonly tables = new Map<HeadedTable, Census>();
  private readonly money: boolean;
  private readonly totals = new Map<string, StatedTotal>();
  private readonly keys = new KeyCensus();
  private readonly reported: ReadonlyMap<string, Issue['level']>;
  /** @param isAutomatic the mapping was chosen by the program, so no user confirmed that it fits the file */
  constructor(
    private readonly mapping: LoadedMapping,
    private readonly isAutomatic: boolean,
    reported: readonly Issue[],
  ) {
    // An issue without a value is not about the label at its place.
    this.reported = new Map(
      reported.flatMap(({ place, level, value }) =>
        value === undefined ? [] : [[formatPlace(place), level]],
      ),
    );
    this.money = mapping.targets.some(({ schema }) => derivedNames(schema).length > 0);
  }

  add(table: HeadedTable, records: readonly ReadRecord[]): void {
    const [first] = records;
    if (first === undefined) return;
    const isJson = records.some(({ row }) => row.json !== undefined);
    if (isJson) {
      const ignored = ignoredKeys(this.mapping, table.tableIndex);
      for (const { row } of records)
        if (row.json !== undefined) this.keys.add(row.json, table.source.file, ignored);
      return;
    }
    this.censusOf(table, first.table).add(records);
  }

  /** @param voted the table once its formats are known */
  private censusOf(table: HeadedTable, voted: ReadableTable): Census {
    return getOrAdd(this.tables, table, () => new Census(voted, this.mapping, this.money));
  }

  /** Adds the stated and computed total of a document. */
  compared(name: string, columns: readonly CompiledColumn[], stated: string, computed: string): void {
    const found = getOrAdd(this.totals, name, () => ({
      stated: new RunningSum(),
      computed: new RunningSum(),
      columns,
      wrong: 0,
    }));
    found.stated.add(stated);
    found.computed.add(computed);
    if (compare(stated, computed) !== 0) found.wrong += 1;
  }

  finish(): { columns: readonly ColumnAccount[]; issues: readonly Issue[] } {
    const all = [...this.tables.values()];
    const unused = all.flatMap((census) => census.unused);
    const reconciled = new Map<CompiledColumn, Reconciled>();
    const issues: Issue[] = [];
    for (const [name, { stated, computed, columns, wrong }] of this.totals) {
      const [column] = columns.flatMap(({ feeders }) => feeders);
      const difference = subtract(stated.text, computed.text);
      const total = {
        name,
        stated: stated.text,
        computed: computed.text,
        difference: toMoney(difference) ?? difference,
      };
      if (column !== undefined) reconciled.set(column, total);
      const [first, ...others] = explaining(difference, unused);
      if (first === undefined || wrong < 2) continue; // a single document has an issue of its own
      const value = namesOf([first, ...others]);
      const related = others.map(({ place }) => place);
      issues.push({
        code: 'control/left-out',
        level: 'warning',
        params: { ...total, documents: wrong },
        place: first.place,
        value,
        ...(related.length > 0 && { related }),
      });
    }
    return {
      columns: [...all.flatMap((census) => census.accounts(reconciled)), ...this.keys.accounts()],
      issues: [
        ...all.flatMap((census) => census.issues(this.isAutomatic, this.reported)),
        ...issues,
        ...all.flatMap(({ hidden }) => hidden),
      ],
    };
  }
}

interface Amount {
  readonly value: string;
  readonly place: Place;
}

/** Formats the names of columns: label, else letter. */
export const namesOf = (amounts: readonly Amount[]): string =>
  amounts.map(({ place: { label, column } }) => `«${label ?? column}»`).join(' + ');

/** Max amounts that are combined to explain a difference. */
const MAX_COMBINED_AMOUNTS = 40;

/** Finds the fewest amounts, at most three, that add up to a difference to the cent; empty if none do. */
export function explaining(difference: string, amounts: readonly Amount[]): readonly Amount[] {
  const wanted = Math.abs(centsOf(difference) ?? 0);
  if (wanted < PESOS.from * 100) return [];
  const tried = amounts
    .map((amount) => ({ amount, cents: Math.abs(centsOf(amount.value) ?? 0) }))
    .filter(({ cents }) => cents > 0)
    .slice(0, MAX_COMBINED_AMOUNTS);
  const search = (left: number, items: typeof tried, most: number): readonly Amount[] | undefined => {
    for (const [at, { amount, cents }] of items.entries())
      if (most === 1 ? cents === left : cents < left) {
        const rest = most === 1 ? [] : search(left - cents, items.slice(at + 1), most - 1);
        if (rest !== undefined) return [amount, ...rest];
      }
    return undefined;
  };
  return search(wanted, tried, 1) ?? search(wanted, tried, 2) ?? search(wanted, tried, 3) ?? [];
}

/**
 * Returns the amounts in the records of a document that it does not use, summed by column; empty if no total is
 * derived.
 */
export function unusedAmounts(
  { tables, roles }: LoadedMapping,
  { atRisk }: CompiledTarget,
  context: Context,
): Amount[] {
  const found = new Map<string, { value: string; readonly place: Place }>();
  const rows = new Set<Row>(); // parts of a record share theirs
  const add = (key: string, value: string, place: Place): void => {
    const known = found.get(key);
    if (known === undefined) found.set(key, { value, place });
    else known.value = sum([known.value, value]);
  };
  for (const { tableIndex, parent } of tables.values())
    for (const record of recordsOf(context, tableIndex)) {
      const { table, row, values } = record;
      const known = rolesIn((record.parent ?? record).table, roles);
      const isLooked = parent !== undefined || rows.has(row);
      rows.add(row);
      for (const [index, text] of isLooked ? [] : row.texts.entries()) {
        if (text === undefined || isRead(known[index])) continue;
        const kind = row.kinds?.[index] ?? 'text';
        const value = kind === 'number' ? text : kind === 'text' ? numberIn(text) : undefined;
        if (value === undefined) continue;
        add(
          `${table.number} ${index}`,
          value,
          cellPlace(table.source, row, index, table.header.labels[index]),
        );
      }
      for (const [column, bit] of atRisk.get(tableIndex) ?? []) {
        if (column.kind !== 'money') continue;
        const value = values[column.position];
        if (value === undefined || isTaken(record, bit)) continue;
        const at = table.indexes[column.position];
        add(`${table.number} ${row.number} ${column.id} ${at}`, value as string, placeOf(record, column));
      }
    }
  return [...found.values()];
}

/** Reports amounts that a document drops in favour of the first, last, smallest or largest. */
export function passedOverAmounts({ dropped = [], summed }: Context): Issue[] {
  const issues = new Map<string, Issue>();
  for (const { record, column, kept } of dropped) {
    if (summed?.has(column)) continue; // they are in the document as well
    const place = placeOf(record, column);
    issues.set(formatPlace(place), {
      code: 'cell/amount-passed-over',
      level: 'warning',
      params: { kept },
      place,
      value: String(record.values[column.position]),
    });
  }
  return [...issues.values()];
}

/**
 * Reports amounts of a document's own records that no condition accepted: their class is blank, or unknown to the
 * mapping.
 */
export function droppedAmounts(
  { tables }: LoadedMapping,
  { atRisk }: CompiledTarget,
  { sets }: Context,
): readonly Issue[] {
  if (atRisk.size === 0) return NO_ISSUES;
  const issues: Issue[] = [];
  for (const { tableIndex, join } of tables.values()) {
    const amounts = join?.many === false ? undefined : atRisk.get(tableIndex);
    if (amounts === undefined) continue;
    for (const record of sets[tableIndex] ?? []) {
      if (record.faults !== undefined) continue; // reported already
      if (record.table.computed.some(({ position }) => record.values[position] === IGNORE)) continue; // a user's decision
      for (const [column, bit] of amounts) {
        if (column.kind !== 'money') continue;
        const value = record.values[column.position];
        if (value === undefined || isTaken(record, bit) || Number(value) === 0) continue;
        const params = {};
        const place = placeOf(record, column);
        issues.push({ code: 'cell/amount-unused', level: 'error', params, place, value: String(value) });
      }
    }
  }
  return issues;
}

/**
 * Reports columns of a document's own records with values other than amounts that are not in it, unless the cell is in
 * `reported`.
 */
export function droppedValues(
  { mains }: LoadedMapping,
  { atRisk }: CompiledTarget,
  { sets }: Context,
  reported: readonly Issue[],
): readonly Issue[] {
  if (atRisk.size === 0 || hasErrors(reported)) return NO_ISSUES;
  let dropped: Map<CompiledColumn, Place> | undefined;
  for (const { tableIndex } of mains) {
    const risks = atRisk.get(tableIndex);
    if (risks === undefined) continue;
    for (const record of sets[tableIndex] ?? NO_RECORDS) {
      if (record.faults !== undefined) continue;
      for (const [column, bit] of risks) {
        const value = record.values[column.position];
        if (column.kind === 'money' || value === undefined || isTaken(record, bit)) continue;
        if (dropped?.has(column) || (column.type === 'decimal' && NO_LOSS.has(Number(value)))) continue;
        dropped ??= new Map();
        dropped.set(column, placeOf(record, column));
      }
    }
  }
  if (dropped === undefined) return NO_ISSUES;
  const cells = new Set(reported.map(({ place }) => formatPlace(place)));
  return [...dropped.values()]
    .filter((place) => !cells.has(formatPlace(place)))
    .map(({ row: _, line: __, ...place }) => issueOf('cell/value-unused', 'warning', {}, place));
}

const NO_RECORDS: readonly ReadRecord[] = [];
/** Numbers whose loss does not matter: 0, and 1 of something that is single. */
const NO_LOSS: ReadonlySet<number> = new Set([0, 1]);
