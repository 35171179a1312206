import { type Issue, type IssueCode, issueOf, type Place } from '../core/issue.js';
import { fold, squash } from '../core/text.js';
import { giveTurn } from '../core/turn.js';
import { rowPlace } from '../mapping/places.js';
import { isNullWord } from '../mapping/read/null-words.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type Heading,
  type LocatedTable,
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
import { Footers, filled, hasValues, isTotal, type Kind, kindOf } from './footers.js';
import { ControlTotals } from './totals.js';
import { type GivenFormats, hasOpenFormats, type VotedTable, votedTable } from './voted.js';

/** Amounts of so few records are no sum. */
const SEVERAL = 2;

/** Several codes in one cell: `030, 032`, `030/032`, `030 y 032`. */
const CODES = /^\d+(?:(?:\s*[,;/+\n]\s*|\s+[ye]\s+)\d+)+$/i;

/** Whether of what records say beside amounts and some columns it says nothing, as a total without a word. */
function saysAmountsAlone(
  { present }: LocatedTable,
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
function hasWordsForFigures({ present }: LocatedTable, row: Row): boolean {
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

/** Told what a table holds besides data records. */
export interface TableWatch {
  /** A record with content, data or not. */
  read(table: LocatedTable, row: Row): void;
  skipped(place: Place, note: Note): void;
  issue(issue: Issue): void;
  voted(voted: VotedTable): void;
}

/** Leaves out columns that are of no interest, once the formats of all are known. */
type Narrow = (table: LocatedTable) => LocatedTable;

/** Rows that are looked at before the formats of a table are decided. */
const VOTING_ROWS = 10_000;

/** Records, or documents, that live at once: few, so that they die young and cost the collector little. */
export const AT_ONCE = 32;

/** The data rows of a table in slices, after its formats were voted over the first of them. */
export async function* slices(
  table: LocatedTable,
  given: GivenFormats,
  watch: Pick<TableWatch, 'voted'>,
  narrow?: Narrow,
): AsyncGenerator<{ table: LocatedTable; rows: readonly Row[] }> {
  let first: Row[] | undefined = table.voted ? undefined : [];
  let voted = table.voted && narrow !== undefined ? narrow(table) : table;
  const enough = hasOpenFormats(table, given) ? VOTING_ROWS : 1;
  const vote = (): Row[] => {
    const rows = first!;
    first = undefined;
    const decided = votedTable(table, rows, given);
    watch.voted(decided);
    voted = narrow === undefined ? decided.table : narrow(decided.table);
    return rows;
  };
  for await (const batch of table.source.batches()) {
    await giveTurn();
    let rows = batch.filter(({ number }) => number >= table.header.firstDataRow);
    if (first !== undefined) {
      first.push(...rows);
      if (first.length < enough) continue;
      rows = vote();
    }
    for (const lot of lotsOf(rows)) yield { table: voted, rows: lot };
  }
  if (first === undefined) return;
  const rows = vote();
  await giveTurn();
  for (const lot of lotsOf(rows)) yield { table: voted, rows: lot };
}

/** Rows, as many as live at once. */
function* lotsOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE);
}

/** Tells of a row that is no data record. */
export type Notice = () => void;

/** Rows of one table on their way to data records; all else is counted, told and left out. */
export class TableReader {
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
    private readonly watch: TableWatch,
  ) {
    this.totals = new ControlTotals(compiled);
    this.footers = new Footers(compiled);
  }

  /** The data records among rows; what is to be told of the others is told before. */
  read(table: LocatedTable, rows: readonly Row[]): ReadRecord[] {
    const records: ReadRecord[] = [];
    for (const step of this.inOrder(table, rows))
      if (typeof step === 'function') step();
      else records.push(step);
    return records;
  }

  /** The data records among rows, and between them what tells of the others. */
  inOrder(table: LocatedTable, rows: readonly Row[]): (ReadRecord | Notice)[] {
    const { totals, footers, watch } = this;
    const { spec, skips } = this.compiled;
    const blankRows = spec.stop?.blank_rows;
    const found: (ReadRecord | Notice)[] = [];
    for (const row of this.split(table, this.unpivoted(table, this.mended(table, rows)))) {
      watch.read(table, row);
      if (blankRows !== undefined && this.last !== undefined && row.number - this.last > blankRows)
        this.ended = true;
      this.last = row.number;
      const skip = (note: Note, issues: readonly Issue[] = []): void => {
        found.push(() => {
          watch.skipped(rowPlace(table, row), note);
          for (const issue of issues) watch.issue(issue);
        });
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
        found.push(belowOther(table, row, this.other));
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
      const sign = this.signOfAnother(record, row);
      if (sign !== undefined) found.push(belowAnother(record, this.block!.first, sign));
      else if (this.mayBeLeftOut(record)) found.push(belowLeftOut(record, this.leftOut!.row));
      else found.push(this.underHeading(record));
    }
    return found;
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
  private unpivoted(table: LocatedTable, rows: readonly Row[]): readonly Row[] {
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
  private mended(table: LocatedTable, rows: readonly Row[]): readonly Row[] {
    if (table.mendsJson !== true) return rows;
    return rows.map((row) => withoutSlips(row, table.header.labels, (text) => isNullWord(text, 'text')));
  }

  /** Rows with one code each in the column of which a cell may hold several. */
  private split(table: LocatedTable, rows: readonly Row[]): readonly Row[] {
    const { split } = this.compiled;
    const index = split && table.indexes[split.column.position];
    if (split === undefined || index === undefined) return rows;
    return rows.flatMap((row) => {
      const whole = row.texts[index]?.trim() ?? '';
      const codes = CODES.test(whole) && split.classOf(whole) === undefined ? whole.match(/\d+/g)! : [];
      if (codes.length === 0 || codes.some((code) => split.classOf(code) === undefined)) return row;
      return codes.map((code) => ({ ...row, texts: row.texts.with(index, code) }));
    });
  }

  /** The row with what it has from the first one of its block; itself where it has all, or it is not clear whose it is. */
  private filledDown(table: LocatedTable, filled: readonly CompiledColumn[], row: Row): Row {
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

  /** The cell by which a record that leaves out whose it is may begin a block whose owner was lost. */
  private signOfAnother(record: ReadRecord, row: Row): string | undefined {
    const { block, blocks } = this;
    const { columns: filled, once, isOn } = record.table.fillDown ?? {};
    if (!isOn || once === undefined || block?.last !== row.number) return undefined;
    const owners = filled!.flatMap(({ position }) => record.table.indexes[position] ?? []);
    const own = [...row.texts.keys()].filter(
      (index) => !owners.includes(index) && squash(row.texts[index] ?? '') !== '',
    );
    const isOnce = once.read(recordContext(record)) === true;
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
              (index) => isOfFirst(index) && isLabelOrNext(row.texts[index]!, block.first.texts[index]!),
            );
      const again = isOnce && block.once !== undefined && isAlike(record, block.once, isOfFirst);
      if (sign !== undefined) return row.texts[sign];
      if (again) return row.texts[own[0]!];
      blocks.below += 1;
      for (const index of own) blocks.inBelow.add(index);
    }
    if (isOnce) block.once ??= record;
    return undefined;
  }

  /** Whether a record leaves blank what the row above was left out by: cells of a month may be merged over its rows. */
  private mayBeLeftOut(record: ReadRecord): boolean {
    if (this.leftOut === undefined) return false;
    if (areBlank(record, this.leftOut.values)) return true;
    this.leftOut = undefined;
    return false;
  }

  /** Below records words for figures are titles; right below the header they may say how to fill it in. */
  private isOtherHeader(table: LocatedTable, row: Row): boolean {
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
function otherHeader(table: LocatedTable, row: Row): Issue {
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
const belowOther = (table: LocatedTable, row: Row, other: Row): ReadRecord =>
  readRecord(table, {
    ...row,
    texts: [],
    fault: { code: 'row/below-other-header', params: { header: other.number } },
  });

const areBlank = ({ values }: ReadRecord, columns: readonly CompiledColumn[]): boolean =>
  columns.every(({ position }) => values[position] === undefined);

/** Records that stand right below each other and are of the same, by the first of them. */
interface Block {
  readonly table: LocatedTable;
  readonly first: Row;
  last: number;
  isSaidAgain: boolean;
  /** The record of which it has one. */
  once?: ReadRecord;
}

/** Whether a cell is a name or a code, or the number after that of another. */
function isLabelOrNext(text: string, before: string): boolean {
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
    if (column !== undefined) return column.type === 'decimal' || fillDown!.columns.includes(column);
    return [a, b].some((one) => /^\d{3,}$/.test(one));
  });
}

/** A record that may begin a block whose owner was lost. */
const belowAnother = ({ table, row }: ReadRecord, { number }: Row, text: string): ReadRecord =>
  readRecord(table, { ...row, fault: { code: 'row/begins-another', params: { row: number, text } } });

/** A record of which does not hold what the heading above asks. */
const belowHeading = (
  { table, row }: ReadRecord,
  { row: { number }, text, demand }: { readonly row: Row; readonly text: string; readonly demand: Heading },
): ReadRecord => {
  const params = { row: number, heading: text, ...demand.params };
  return readRecord(table, { ...row, fault: { code: 'row/under-heading', params } });
};

/** A record that may be left out as the row above was. */
const belowLeftOut = ({ table, row }: ReadRecord, { number }: Row): ReadRecord =>
  readRecord(table, { ...row, fault: { code: 'row/below-left-out', params: { row: number } } });

/** The data records of a table in slices; all else is counted, told and left out. */
export async function* readTable(
  compiled: CompiledTable,
  located: LocatedTable,
  given: GivenFormats,
  watch: TableWatch,
  narrow?: Narrow,
): AsyncGenerator<readonly ReadRecord[]> {
  const reader = new TableReader(compiled, watch);
  for await (const { table, rows } of slices(located, given, watch, narrow)) yield reader.read(table, rows);
}

/** Why a record is left out, with what its cells say of it. */
function noteOf({ note, values }: Skip, { table, row, values: read }: ReadRecord): string {
  const said = values.flatMap(({ position }) => {
    const index = table.indexes[position];
    const text = index === undefined ? undefined : row.texts[index];
    // A date is said as it is read: its month.
    return row.kinds?.[index!] === 'date' ? String(read[position] ?? text) : (text ?? []);
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
