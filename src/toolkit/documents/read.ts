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

/** Amounts of so few records are no sum. */
const SEVERAL = 2;

/** Several codes in one cell: `030, 032`, `030/032`, `030 y 032`. */
const CODES = /^\d+(?:(?:\s*[,;/+\n]\s*|\s+[ye]\s+)\d+)+$/i;

/** Whether of what records say beside amounts and some columns it says nothing, as a total without a word. */
function saysAmountsAlone(
  { present }: ReadableTable,
  apart: readonly CompiledColumn[],
  { texts }: Row,
): boolean {
  const beside = present.filter(({ column }) => column.type !== 'decimal' && !apart.includes(column));
  return beside.length > 0 && beside.every(({ index }) => isBlank(texts[index] ?? ''));
}

/** Words instead of figures that nobody writes for one record. */
const WORDS = 3;

const FIGURES: ReadonlySet<CompiledColumn['type']> = new Set(['decimal', 'date', 'datetime']);

/** Kinds of words that a title may begin with. */
const IN_TITLES: ReadonlySet<Kind | undefined> = new Set([undefined, 'total']);

/** Whether no cell of a row is a figure, and different words stand where amounts, counts or dates should. */
function hasWordsForFigures({ present }: ReadableTable, row: Row): boolean {
  const words = new Set<string>();
  for (const { column, index } of present) {
    const text = row.texts[index];
    if (text !== undefined && FIGURES.has(column.type) && !isNullWord(text)) words.add(fold(text));
  }
  if (words.size < WORDS || isUnitsRow(row)) return false;
  return row.texts.every((text) => text === undefined || IN_TITLES.has(kindOf(text)));
}

/** Whether a row begins no cell with a figure: every record passes here, and hardly any gets past its second cell. */
function isWordy({ texts, kinds }: Row): boolean {
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index];
    if (text === undefined) continue;
    const kind = kinds?.[index] ?? 'text';
    if (kind !== 'text' || /^[\s$(+-]*\d/.test(text)) return false;
  }
  return true;
}

/** Cells of a heading of an area, at most. */
const HEADING_CELLS = 2;

/** Kinds of words with which one may begin. */
const IN_HEADINGS: ReadonlySet<Kind | undefined> = new Set([undefined, 'heading']);

/** What comes of the rows of a table, in their order: records, and between them what is none and why. */
export type RowStep =
  | { readonly is: 'formats'; readonly voted: VotedTable }
  | { readonly is: 'record'; readonly record: ReadRecord }
  | {
      readonly is: 'skipped';
      readonly place: Place;
      readonly note: Note;
      readonly issues: readonly Issue[];
    };

/** Called with every row below a header as it is read, be it a record or not. */
export type OnRow = (table: ReadableTable, row: Row) => void;

/** Takes the rows of one table in order, and finds which of them are records. */
class TableReader {
  private readonly totals: ControlTotals;
  private readonly footers: Footers;
  private last: number | undefined;
  private ended = false;
  /** The header of other columns that the rows stand below. */
  private other: Row | undefined;
  /** The heading of an area that the rows stand below, where more must hold of them. */
  private heading: { readonly row: Row; readonly text: string; readonly demand: Heading } | undefined;
  /** The row left out by what its cells say, of which those below may be more: they say nothing in its columns. */
  private leftOut: { readonly row: Row; readonly values: Skip['values'] } | undefined;
  /** The records that stand right below each other and are of the same, by the first of them. */
  private block: Block | undefined;
  /** Of blocks so far: how many, how many records stand below their first ones, and which columns each of both fills. */
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
    for (const row of this.split(table, this.unpivoted(table, this.mended(table, rows)))) {
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
        // What is left out by what it says needs nobody.
        if (filled !== row && reason === undefined) {
          record = readRecord(table, filled);
          reason = skipOf(skips, record);
        }
      }
      if (reason !== undefined && !this.isNobodys(record, reason)) {
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

  /** Whether a row that is no record is a heading that says something of those below it; the next one, or a total, ends it. */
  private standBelow(row: Row): void {
    const { headings } = this.compiled;
    if (headings.length === 0) return;
    if (isTotal(row)) this.heading = undefined;
    const cells = filled(row.texts);
    if (cells.length > HEADING_CELLS || !isWordy(row)) return;
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

  /** Rows with at most one filled cell in columns of which each makes a record of its own. */
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

  /** Records of JSON files without slips of form, where the mapping reads over them. */
  private mended(table: ReadableTable, rows: readonly Row[]): readonly Row[] {
    if (table.mendsJson !== true) return rows;
    return rows.map((row) => withoutSlips(row, table.header.labels, (text) => isNullWord(text, 'text')));
  }

  /** Rows with one code each in the column of which a cell may hold several. */
  private split(table: ReadableTable, rows: readonly Row[]): readonly Row[] {
    const { split } = this.compiled;
    const index = split && table.indexes[split.column.position];
    if (split === undefined || index === undefined) return rows;
    return rows.flatMap((row) => {
      const whole = row.texts[index]?.trim() ?? '';
      const codes =
        CODES.test(whole) && split.classOf(whole) === undefined ? (whole.match(/\d+/g) ?? []) : [];
      if (codes.length === 0 || codes.some((code) => split.classOf(code) === undefined)) return row;
      return codes.map((code) => ({ ...row, texts: row.texts.with(index, code) }));
    });
  }

  /** The row with what it has from the first one of its block; itself where it has all, or it is not clear whose it is. */
  private filledDown(table: ReadableTable, filled: readonly CompiledColumn[], row: Row): Row {
    const columns = filled.flatMap(({ position }) => table.indexes[position] ?? []);
    const textIn = ({ texts }: Row, index: number): string => squash(texts[index] ?? '');
    const said = columns.filter((index) => textIn(row, index) !== '');
    if (isTotal(row) || (said.length === 0 && saysAmountsAlone(table, filled, row))) {
      this.block = undefined;
      return row;
    }
    const { block } = this;
    const isOfBlock =
      block !== undefined &&
      block.table.source === table.source &&
      block.last + 1 === row.number &&
      said.every((index) => textIn(row, index) === textIn(block.first, index));
    if (isOfBlock) block.last = row.number;
    else this.block = { table, first: row, last: row.number, isSaidAgain: false };
    if (!isOfBlock) return row;
    if (said.length === columns.length) block.isSaidAgain = true;
    if (block.isSaidAgain) return row;
    const texts = [...row.texts];
    const kinds = row.kinds && [...row.kinds];
    for (const index of columns) {
      texts[index] = block.first.texts[index];
      if (kinds) kinds[index] = block.first.kinds?.[index];
    }
    return { ...row, texts, ...(kinds && { kinds }) };
  }

  /** A record that leaves out whose it is, with a cell by which it may begin a block whose owner was lost. */
  private beginsAnother(record: ReadRecord, row: Row): ReadRecord | undefined {
    const { block, blocks } = this;
    const { fillDown } = record.table;
    if (fillDown?.once === undefined || !fillDown.isOn || block?.last !== row.number) return undefined;
    const owners = fillDown.columns.flatMap(({ position }) => record.table.indexes[position] ?? []);
    const own = [...row.texts.keys()].filter(
      (index) => !owners.includes(index) && squash(row.texts[index] ?? '') !== '',
    );
    const isOnce = fillDown.once.read(recordContext(record)) === true;
    const beginsBy = (text = ''): ReadRecord =>
      faulty(record, { code: 'row/begins-another', params: { row: block.first.number, text } });
    if (block.first === row) {
      blocks.count += 1;
      for (const index of own) blocks.inFirst.set(index, (blocks.inFirst.get(index) ?? 0) + 1);
    } else if (record.row !== row && owners.every((index) => squash(row.texts[index] ?? '') === '')) {
      const isOfFirst = (index: number): boolean =>
        blocks.inFirst.get(index) === blocks.count && !blocks.inBelow.has(index);
      const sign =
        Math.min(blocks.count, blocks.below) < SEVERAL
          ? undefined
          : own.find(
              (index) => isOfFirst(index) && isLabelOrNext(row.texts[index], block.first.texts[index]),
            );
      const again = isOnce && block.once !== undefined && isAlike(record, block.once, isOfFirst);
      if (sign !== undefined) return beginsBy(row.texts[sign]);
      if (again) return beginsBy(own[0] === undefined ? undefined : row.texts[own[0]]);
      blocks.below += 1;
      for (const index of own) blocks.inBelow.add(index);
    }
    if (isOnce) block.once ??= record;
    return undefined;
  }

  /** A record that leaves blank what the row above was left out by, as one whose cells are merged over rows: it may be left out as well. */
  private belowLeftOut(record: ReadRecord): ReadRecord | undefined {
    const { leftOut } = this;
    if (leftOut === undefined) return undefined;
    if (areBlank(record, leftOut.values))
      return faulty(record, { code: 'row/below-left-out', params: { row: leftOut.row.number } });
    this.leftOut = undefined;
    return undefined;
  }

  /** Below records words for figures are titles; right below the header they may say how to fill it in. */
  private isOtherHeader(table: ReadableTable, row: Row): boolean {
    if (this.compiled.spec.header?.none) return false;
    return isOtherHeader(table.header, row) || (this.footers.records > 0 && hasWordsForFigures(table, row));
  }

  /** Whether a row that is skipped only as a total has figures, and is none: a second row of somebody, or one whose owner was lost. */
  private isNobodys(record: ReadRecord, reason: Skip): boolean {
    if (!reason.proven || !hasValues(record)) return false;
    if (isTotal(record.row)) return false;
    return this.footers.records < SEVERAL || !this.totals.isSum(record, reason);
  }
}

/** Another header, and from where on nothing is read. */
function otherHeader(table: ReadableTable, row: Row): Issue {
  const titles = filled(row.texts)
    .filter(({ index, text }) => fold(text) !== fold(table.header.labels[index] ?? ''))
    .slice(0, WORDS);
  return issueOf<IssueCode>(
    'row/other-header',
    'error',
    { titles: titles.map(({ text }) => text).join(' · '), header: table.header.row.number },
    rowPlace(table, row),
  );
}

/** A record of which nothing is read, since other titles stand over it than those of the table. */
const belowOther = (table: ReadableTable, row: Row, other: Row): ReadRecord =>
  readRecord(table, {
    ...row,
    texts: [],
    fault: { code: 'row/below-other-header', params: { header: other.number } },
  });

const areBlank = ({ values }: ReadRecord, columns: readonly CompiledColumn[]): boolean =>
  columns.every(({ position }) => values[position] === undefined);

/** Records that stand right below each other and are of the same, by the first of them. */
interface Block {
  readonly table: ReadableTable;
  readonly first: Row;
  last: number;
  isSaidAgain: boolean;
  /** The record of which it has one. */
  once?: ReadRecord;
}

/** Whether a cell is a name or a code, or the number after that of another. */
function isLabelOrNext(text = '', before = ''): boolean {
  if (/\p{L}/u.test(text)) return true;
  return /^\d{1,9}$/.test(text) && Number(text) === Number(before) + 1;
}

/** Whether nothing but amounts and counts tells two records apart, such as the fortnight or the dates; what blocks fill but once does not. */
function isAlike(one: ReadRecord, { row }: ReadRecord, isOfFirst: (index: number) => boolean): boolean {
  const { present, fillDown } = one.table;
  const read = new Map(present.map(({ index, column }) => [index, column]));
  return one.row.texts.every((text = '', index) => {
    const [a, b] = [squash(text), squash(row.texts[index] ?? '')];
    if (a === b || a === '' || b === '' || isOfFirst(index)) return true;
    const column = read.get(index);
    if (column !== undefined) return column.type === 'decimal' || fillDown?.columns.includes(column) === true;
    return [a, b].some((one) => /^\d{3,}$/.test(one));
  });
}

/** The record with a reason why nothing of it can be trusted. */
const faulty = ({ table, row }: ReadRecord, fault: Coded): ReadRecord => readRecord(table, { ...row, fault });

/** A record of which does not hold what the heading above asks. */
const belowHeading = (
  record: ReadRecord,
  { row: { number }, text, demand }: { readonly row: Row; readonly text: string; readonly demand: Heading },
): ReadRecord => {
  const params = { row: number, heading: text, ...demand.params };
  return faulty(record, { code: 'row/under-heading', params });
};

/** Reads the rows of a table, lot by lot; `narrow` leaves out columns that are of no interest. */
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
  for await (const { table, rows, voted } of formats.lots(headed)) {
    narrowed ??= narrow === undefined ? table : narrow(table);
    const steps = reader.read(narrowed, rows);
    yield voted === undefined ? steps : [{ is: 'formats', voted }, ...steps];
  }
}

export const recordsIn = (steps: readonly RowStep[]): readonly ReadRecord[] =>
  steps.flatMap((step) => (step.is === 'record' ? step.record : []));

/** Why a record is left out, with what its cells say of it. */
function noteOf({ note, values }: Skip, { table, row, values: read }: ReadRecord): string {
  const said = values.flatMap(({ position }) => {
    const index = table.indexes[position];
    if (index === undefined) return [];
    const text = row.texts[index];
    // A date is said as it is read: its month.
    return row.kinds?.[index] === 'date' ? String(read[position] ?? text) : (text ?? []);
  });
  return said.length === 0 ? note : `${note.replace(/\.$/, '')}: ${said.join(', ')}`;
}

/** Why a record is no data, if so. */
function skipOf(skips: readonly Skip[], record: ReadRecord): Skip | undefined {
  if (skips.length === 0) return undefined;
  const context = recordContext(record);
  for (const skip of skips) if (skip.when.read(context) === true) return skip;
  return undefined;
}

/** A hidden row that counts as data is worth a word. */
export function hiddenRow({ table, row }: ReadRecord, key: string): Issue {
  return {
    code: 'row/hidden',
    level: 'warning',
    params: {},
    place: { ...rowPlace(table, row), column: 'A' },
    documentKey: key,
  };
}

/** Why nothing of a record can be trusted, if so: its columns have shifted, or it is a file that cannot be read. */
export function faultOfRecord({ table, row }: ReadRecord): Issue | undefined {
  if (row.fault !== undefined)
    return issueOf<IssueCode>(row.fault.code, 'error', row.fault.params, rowPlace(table, row));
  if (table.most !== undefined && row.texts.length > table.most)
    return fieldCountIssue(table.source, row, [table.most]);
  return table.fields && fieldCountIssue(table.source, row, table.fields);
}
