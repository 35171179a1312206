import { type Coded, type Issue, type IssueCode, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { fold, squash } from '../core/text.js';
import { rowPlace } from '../mapping/places.js';
import { isNullWord } from '../mapping/read/null-words.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type HeadedTable,
  type Heading,
  type ReadableTable,
  type ReadRecord,
  readRecord,
  recordContext,
  type Skip,
} from '../mapping/record.js';
import type { Note } from '../messages/wording.js';
import { fieldCountIssue } from '../tables/header.js';
import { isUnitsRow } from '../tables/header-rows.js';
import { withoutSlips } from '../tables/json/slips.js';
import { isOtherHeader, isRepeatedHeader } from '../tables/repeated-header.js';
import { isBlank, type Row } from '../tables/table.js';
import type { FormatDecider, VotedTable } from './decide.js';
import { Footers, filled, hasValues, isTotal, type Kind, kindOf } from './footers.js';
import { ControlTotals } from './totals.js';

/** Min records whose amounts can be compared with a total. */
const MIN_SUMMED_RECORDS = 2;

/** Several codes in one cell: `030, 032`, `030/032`, `030 y 032`. */
const CODES = /^\d+(?:(?:\s*[,;/+\n]\s*|\s+[ye]\s+)\d+)+$/i;

/** True if every column except amounts and `apart` is blank, as in an unlabelled total. */
function saysAmountsAlone(
  { present }: ReadableTable,
  apart: readonly CompiledColumn[],
  { texts }: Row,
): boolean {
  const others = present.filter(({ column }) => column.type !== 'decimal' && !apart.includes(column));
  return others.length > 0 && others.every(({ index }) => isBlank(texts[index] ?? ''));
}

/** Min different words in columns of numbers that make a row of titles. */
const MIN_TITLE_WORDS = 3;

const FIGURES: ReadonlySet<CompiledColumn['type']> = new Set(['decimal', 'date', 'datetime']);

/** Kinds of words with which a title may begin. */
const IN_TITLES: ReadonlySet<Kind | undefined> = new Set([undefined, 'total']);

/** True if no cell of a row is a number, and columns of amounts, counts or dates hold different words. */
function hasWordsForFigures({ present }: ReadableTable, row: Row): boolean {
  const words = new Set<string>();
  for (const { column, index } of present) {
    const text = row.texts[index];
    if (text !== undefined && FIGURES.has(column.type) && !isNullWord(text)) words.add(fold(text));
  }
  if (words.size < MIN_TITLE_WORDS || isUnitsRow(row)) return false;
  return row.texts.every((text) => text === undefined || IN_TITLES.has(kindOf(text)));
}

/** True if no cell of a row begins with a digit; called for every record, most of which fail at the second cell. */
function isWordy({ texts, kinds }: Row): boolean {
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index];
    if (text === undefined) continue;
    const kind = kinds?.[index] ?? 'text';
    if (kind !== 'text' || /^[\s$(+-]*\d/.test(text)) return false;
  }
  return true;
}

const MAX_HEADING_CELLS = 2;

/** Kinds of words with which a heading may begin. */
const IN_HEADINGS: ReadonlySet<Kind | undefined> = new Set([undefined, 'heading']);

/** Results of the rows of a table, in order: records, and other rows with the reason. */
export type RowStep =
  | { readonly is: 'formats'; readonly voted: VotedTable }
  | { readonly is: 'record'; readonly record: ReadRecord }
  | {
      readonly is: 'skipped';
      readonly place: Place;
      readonly note: Note;
      readonly issues: readonly Issue[];
    };

/** Called with every row below a header as it is read, record or not. */
export type OnRow = (table: ReadableTable, row: Row) => void;

/** Reads the rows of one table in order, and decides which are records. */
class TableReader {
  private readonly totals: ControlTotals;
  private readonly footers: Footers;
  private last: number | undefined;
  private ended = false;
  /** Header of other columns above the current rows. */
  private other: Row | undefined;
  /** Heading of an area above the current rows, with its condition. */
  private heading: { readonly row: Row; readonly text: string; readonly demand: Heading } | undefined;
  /** Last row skipped by its cells; rows below that are blank in its columns may belong to it. */
  private leftOut: { readonly row: Row; readonly values: Skip['values'] } | undefined;
  /** Current block of adjacent records of one owner. */
  private block: Block | undefined;
  /** Statistics of blocks: their number, the records below their first ones, and the columns filled by each. */
  private readonly blocks = {
    count: 0,
    below: 0,
    inFirst: new Map<number, number>(),
    inBelow: new Set<number>(),
  };

  constructor(
    private readonly compiled: CompiledTable,
    private readonly onRow: OnRow | undefined,
  ) {
    this.totals = new ControlTotals(compiled);
    this.footers = new Footers(compiled);
  }

  read(table: ReadableTable, rows: readonly Row[]): RowStep[] {
    const { totals, footers } = this;
    const { spec, skips } = this.compiled;
    const blankRows = spec.stop?.blank_rows;
    const steps: RowStep[] = [];
    const take = (record: ReadRecord): void => {
      steps.push({ is: 'record', record });
    };
    for (const row of this.split(table, this.unpivoted(table, this.corrected(table, rows)))) {
      this.onRow?.(table, row);
      if (blankRows !== undefined && this.last !== undefined && row.number - this.last > blankRows)
        this.ended = true;
      this.last = row.number;
      const skip = (note: Note, issues: readonly Issue[] = NO_ISSUES): void => {
        steps.push({ is: 'skipped', place: rowPlace(table, row), note, issues });
      };
      if (row.leftOut) {
        skip({ key: 'left-out' });
        continue;
      }
      if (row.owner !== undefined) {
        skip({ key: 'owner' }, row.owner === 'unread' ? [unreadOwner(table, row)] : NO_ISSUES);
        continue;
      }
      if (this.ended) {
        skip({ key: 'after' });
        continue;
      }
      if (isRepeatedHeader(table.header, row)) {
        this.other = undefined;
        this.block = undefined;
        skip({ key: 'header' });
        continue;
      }
      if (row.hidden && spec.hidden_rows === 'skip') {
        skip({ key: 'hidden' });
        continue;
      }
      if (isWordy(row) && this.isOtherHeader(table, row)) {
        this.other = row;
        skip({ key: 'other-header' }, [otherHeader(table, row)]);
        continue;
      }
      if (this.other !== undefined) {
        take(belowOther(table, row, this.other));
        continue;
      }
      let record = readRecord(table, row);
      let reason = skipOf(skips, record);
      if (table.fillDown?.isOn && reason?.control === undefined) {
        const filled = this.filledDown(table, table.fillDown.columns, row);
        // A row skipped by its cells needs no owner.
        if (filled !== row && reason === undefined) {
          record = readRecord(table, filled);
          reason = skipOf(skips, record);
        }
      }
      if (reason !== undefined && !this.isOwnerless(record, reason)) {
        if (reason.control === undefined) totals.leave(record);
        else this.block = undefined;
        if (reason.values.length > 0) this.leftOut = { row, values: reason.values };
        this.standBelow(row);
        skip(noteOf(reason, record), totals.compare(record, reason));
        continue;
      }
      const footer = footers.find(record);
      if (footer !== undefined) {
        this.block = undefined;
        this.standBelow(row);
        const differences = footer.control ? totals.compareFooter(record, footer.subtotal) : [];
        const { issue } = footer;
        skip({ key: footer.kind, text: footer.text }, [...(issue ? [issue] : []), ...differences]);
        continue;
      }
      if (totals.wanted) totals.add(record);
      take(this.beginsAnother(record, row) ?? this.belowLeftOut(record) ?? this.underHeading(record));
    }
    return steps;
  }

  /** Remembers a row that is a heading with a condition for the rows below; the next heading or a total ends it. */
  private standBelow(row: Row): void {
    const { headings } = this.compiled;
    if (headings.length === 0) return;
    if (isTotal(row)) this.heading = undefined;
    const cells = filled(row.texts);
    if (cells.length > MAX_HEADING_CELLS || !isWordy(row)) return;
    if (cells.some(({ text }) => !IN_HEADINGS.has(kindOf(text)))) return;
    const [{ text } = { text: '' }] = cells;
    const demand = headings.find(({ fits }) => fits(fold(text)));
    this.heading = demand && { row, text, demand };
  }

  private underHeading(record: ReadRecord): ReadRecord {
    const { heading } = this;
    return heading === undefined || heading.demand.that.read(recordContext(record)) !== false
      ? record
      : belowHeading(record, heading);
  }

  /** Splits rows so that each has at most one filled cell in columns that each make a record. */
  private unpivoted(table: ReadableTable, rows: readonly Row[]): readonly Row[] {
    const columns = this.compiled.unpivot.flatMap(({ position }) => table.indexes[position] ?? []);
    if (columns.length === 0) return rows;
    return rows.flatMap((row) => {
      const filled = columns.filter((index) => !isBlank(row.texts[index] ?? ''));
      if (filled.length < 2 || isRepeatedHeader(table.header, row)) return row;
      return filled.map((index) => ({
        ...row,
        texts: row.texts.map((text, at) => (at !== index && filled.includes(at) ? undefined : text)),
      }));
    });
  }

  /** Corrects slips of JSON records, if the mapping allows it. */
  private corrected(table: ReadableTable, rows: readonly Row[]): readonly Row[] {
    if (table.mendsJson !== true) return rows;
    return rows.map((row) => withoutSlips(row, table.header.labels, (text) => isNullWord(text, 'text')));
  }

  /** Splits rows so that each has one code in a column whose cells may hold several. */
  private split(table: ReadableTable, rows: readonly Row[]): readonly Row[] {
    const { split } = this.compiled;
    const index = split && table.indexes[split.column.position];
    if (split === undefined || index === undefined) return rows;
    return rows.flatMap((row) => {
      const text = row.texts[index]?.trim() ?? '';
      const codes = CODES.test(text) && split.classOf(text) === undefined ? (text.match(/\d+/g) ?? []) : [];
      if (codes.length === 0 || codes.some((code) => split.classOf(code) === undefined)) return row;
      return codes.map((code) => ({ ...row, texts: row.texts.with(index, code) }));
    });
  }

  /** Fills a row from the first one of its block; returns the row itself if it is complete, or its owner is unclear. */
  private filledDown(table: ReadableTable, filled: readonly CompiledColumn[], row: Row): Row {
    const columns = filled.flatMap(({ position }) => table.indexes[position] ?? []);
    const textIn = ({ texts }: Row, index: number): string => squash(texts[index] ?? '');
    const filledIndexes = columns.filter((index) => textIn(row, index) !== '');
    if (isTotal(row) || (filledIndexes.length === 0 && saysAmountsAlone(table, filled, row))) {
      this.block = undefined;
      return row;
    }
    const { block } = this;
    const isOfBlock =
      block !== undefined &&
      block.table.source === table.source &&
      block.last + 1 === row.number &&
      filledIndexes.every((index) => textIn(row, index) === textIn(block.first, index));
    if (isOfBlock) block.last = row.number;
    else this.block = { table, first: row, last: row.number, isSaidAgain: false };
    if (!isOfBlock) return row;
    if (filledIndexes.length === columns.length) block.isSaidAgain = true;
    if (block.isSaidAgain) return row;
    const texts = [...row.texts];
    const kinds = row.kinds && [...row.kinds];
    for (const index of columns) {
      texts[index] = block.first.texts[index];
      if (kinds) kinds[index] = block.first.kinds?.[index];
    }
    return { ...row, texts, ...(kinds && { kinds }) };
  }

  /** Marks a record without owner that has a cell with which a block of another owner may begin. */
  private beginsAnother(record: ReadRecord, row: Row): ReadRecord | undefined {
    const { block, blocks } = this;
    const { fillDown } = record.table;
    if (fillDown?.once === undefined || !fillDown.isOn || block?.last !== row.number) return undefined;
    const owners = fillDown.columns.flatMap(({ position }) => record.table.indexes[position] ?? []);
    const otherCells = [...row.texts.keys()].filter(
      (index) => !owners.includes(index) && squash(row.texts[index] ?? '') !== '',
    );
    const isOnce = fillDown.once.read(recordContext(record)) === true;
    const beginsBy = (text = ''): ReadRecord =>
      faulty(record, { code: 'row/begins-another', params: { row: block.first.number, text } });
    if (block.first === row) {
      blocks.count += 1;
      for (const index of otherCells) blocks.inFirst.set(index, (blocks.inFirst.get(index) ?? 0) + 1);
    } else if (record.row !== row && owners.every((index) => squash(row.texts[index] ?? '') === '')) {
      const isOfFirst = (index: number): boolean =>
        blocks.inFirst.get(index) === blocks.count && !blocks.inBelow.has(index);
      const sign =
        Math.min(blocks.count, blocks.below) < MIN_SUMMED_RECORDS
          ? undefined
          : otherCells.find(
              (index) => isOfFirst(index) && isLabelOrNext(row.texts[index], block.first.texts[index]),
            );
      const again = isOnce && block.once !== undefined && isAlike(record, block.once, isOfFirst);
      if (sign !== undefined) return beginsBy(row.texts[sign]);
      if (again) return beginsBy(otherCells[0] === undefined ? undefined : row.texts[otherCells[0]]);
      blocks.below += 1;
      for (const index of otherCells) blocks.inBelow.add(index);
    }
    if (isOnce) block.once ??= record;
    return undefined;
  }

  /**
   * Marks a record that is blank in the columns by which the row above was skipped, like merged cells: it may be
   * skipped as well.
   */
  private belowLeftOut(record: ReadRecord): ReadRecord | undefined {
    const { leftOut } = this;
    if (leftOut === undefined) return undefined;
    if (areBlank(record, leftOut.values))
      return faulty(record, { code: 'row/below-left-out', params: { row: leftOut.row.number } });
    this.leftOut = undefined;
    return undefined;
  }

  /** Words in number columns are titles if records precede; directly below the header they may be instructions. */
  private isOtherHeader(table: ReadableTable, row: Row): boolean {
    if (this.compiled.spec.header?.none) return false;
    return isOtherHeader(table.header, row) || (this.footers.records > 0 && hasWordsForFigures(table, row));
  }

  /**
   * True if a row that is skipped as a total has numbers and is not one: a second row of a worker, or a row without its
   * owner.
   */
  private isOwnerless(record: ReadRecord, reason: Skip): boolean {
    if (!reason.proven || !hasValues(record)) return false;
    if (isTotal(record.row)) return false;
    return this.footers.records < MIN_SUMMED_RECORDS || !this.totals.isSum(record, reason);
  }
}

/** Creates the issue of another header, below which nothing is read. */
function otherHeader(table: ReadableTable, row: Row): Issue {
  const titles = filled(row.texts)
    .filter(({ index, text }) => fold(text) !== fold(table.header.labels[index] ?? ''))
    .slice(0, MIN_TITLE_WORDS);
  return issueOf<IssueCode>(
    'row/other-header',
    'error',
    { titles: titles.map(({ text }) => text).join(' · '), header: table.header.row.number },
    rowPlace(table, row),
  );
}

/** Creates the issue of a row above the records of an owner that states what no column has. */
const unreadOwner = (table: ReadableTable, row: Row): Issue => ({
  ...issueOf<IssueCode>('row/owner-unread', 'warning', {}, rowPlace(table, row)),
  value: filled(row.texts)
    .map(({ text }) => text)
    .join(' · '),
});

/** Creates a record that is not read, since it is below the titles of another table. */
const belowOther = (table: ReadableTable, row: Row, other: Row): ReadRecord =>
  readRecord(table, {
    ...row,
    texts: [],
    fault: { code: 'row/below-other-header', params: { header: other.number } },
  });

const areBlank = ({ values }: ReadRecord, columns: readonly CompiledColumn[]): boolean =>
  columns.every(({ position }) => values[position] === undefined);

/** Adjacent records of one owner. */
interface Block {
  readonly table: ReadableTable;
  readonly first: Row;
  last: number;
  isSaidAgain: boolean;
  /** Record of the kind that a block has once. */
  once?: ReadRecord;
}

/** True if a cell is a name or a code, or the number after another one. */
function isLabelOrNext(text = '', before = ''): boolean {
  if (/\p{L}/u.test(text)) return true;
  return /^\d{1,9}$/.test(text) && Number(text) === Number(before) + 1;
}

/** True if two records differ only in amounts and counts, not in fortnight or dates; columns filled once per block are ignored. */
function isAlike(record: ReadRecord, { row }: ReadRecord, isOfFirst: (index: number) => boolean): boolean {
  const { present, fillDown } = record.table;
  const read = new Map(present.map(({ index, column }) => [index, column]));
  return record.row.texts.every((text = '', index) => {
    const [a, b] = [squash(text), squash(row.texts[index] ?? '')];
    if (a === b || a === '' || b === '' || isOfFirst(index)) return true;
    const column = read.get(index);
    if (column !== undefined) return column.type === 'decimal' || fillDown?.columns.includes(column) === true;
    return [a, b].some((value) => /^\d{3,}$/.test(value));
  });
}

/** Marks a record as untrusted. */
const faulty = ({ table, row }: ReadRecord, fault: Coded): ReadRecord => readRecord(table, { ...row, fault });

/** Marks a record that violates the condition of the heading above. */
const belowHeading = (
  record: ReadRecord,
  { row: { number }, text, demand }: { readonly row: Row; readonly text: string; readonly demand: Heading },
): ReadRecord => {
  const params = { row: number, heading: text, ...demand.params };
  return faulty(record, { code: 'row/under-heading', params });
};

/** Reads the rows of a table in chunks; `narrow` drops columns. */
export async function* readTable(
  compiled: CompiledTable,
  headed: HeadedTable,
  formats: FormatDecider,
  {
    onRow,
    narrow,
  }: { readonly onRow?: OnRow; readonly narrow?: (table: ReadableTable) => ReadableTable } = {},
): AsyncGenerator<readonly RowStep[]> {
  const reader = new TableReader(compiled, onRow);
  let narrowed: ReadableTable | undefined;
  for await (const { table, rows, voted } of formats.chunks(headed)) {
    narrowed ??= narrow === undefined ? table : narrow(table);
    const steps = reader.read(narrowed, rows);
    yield voted === undefined ? steps : [{ is: 'formats', voted }, ...steps];
  }
}

export const recordsIn = (steps: readonly RowStep[]): readonly ReadRecord[] =>
  steps.flatMap((step) => (step.is === 'record' ? step.record : []));

/** Formats why a record is skipped, with the cells that decide. */
function noteOf({ note, values }: Skip, { table, row, values: read }: ReadRecord): string {
  const cells = values.flatMap(({ position }) => {
    const index = table.indexes[position];
    if (index === undefined) return [];
    const text = row.texts[index];
    // A date is formatted as it is read, such as its month.
    return row.kinds?.[index] === 'date' ? String(read[position] ?? text) : (text ?? []);
  });
  return cells.length === 0 ? note : `${note.replace(/\.$/, '')}: ${cells.join(', ')}`;
}

/** Returns the skip condition that a record fulfils. */
function skipOf(skips: readonly Skip[], record: ReadRecord): Skip | undefined {
  if (skips.length === 0) return undefined;
  const context = recordContext(record);
  for (const skip of skips) if (skip.when.read(context) === true) return skip;
  return undefined;
}

/** Warns of a hidden row that counts as data. */
export function hiddenRow({ table, row }: ReadRecord, key: string): Issue {
  return {
    code: 'row/hidden',
    level: 'warning',
    params: {},
    place: { ...rowPlace(table, row), column: 'A' },
    documentKey: key,
  };
}

/** Returns the reason not to trust a record: shifted columns, or an unreadable file. */
export function faultOfRecord({ table, row }: ReadRecord): Issue | undefined {
  if (row.fault !== undefined)
    return issueOf<IssueCode>(row.fault.code, 'error', row.fault.params, rowPlace(table, row));
  if (table.most !== undefined && row.texts.length > table.most)
    return fieldCountIssue(table.source, row, [table.most]);
  return table.fields && fieldCountIssue(table.source, row, table.fields);
}
