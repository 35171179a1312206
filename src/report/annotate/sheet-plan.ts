import { UNNOTED } from '../../generated/texts-report.js';
import { type Language, type Level, stop } from '../../toolkit/core/issue.js';
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../../toolkit/core/limits.js';
import { columnIndex, columnLetter } from '../../toolkit/core/text.js';
import { filled } from '../../toolkit/messages/texts.js';

import type { CopyState } from '../tones.js';
import {
  attributeIn,
  attributesIn,
  childrenOf,
  localName,
  nextTag,
  prefixOf,
  rawOf,
  rootOf,
  type Tag,
  withAttribute,
  withContent,
} from './xml-tags.js';

/** A cell of a row by its offsets in the row's text. */
export interface CellSpan {
  /** 0-based. */
  readonly column: number;
  readonly start: number;
  readonly tagEnd: number;
  readonly end: number;
}

export interface RowSpans {
  readonly tag: Tag;
  readonly cells: readonly CellSpan[];
  /** Where the row is closed; the end of the tag when the row is empty. */
  readonly contentEnd: number;
}

/** The cells of a row, in the order in which they are written. */
export function spansOf(raw: string, start: number): RowSpans {
  const tag = nextTag(raw, start)!;
  const cells: CellSpan[] = [];
  if (tag.kind === 'empty') return { tag, cells, contentEnd: tag.end };
  const name = `${tag.name.slice(0, -'row'.length)}c`;
  // Comments hide tags; without any, the end of a cell is found by its closing tag alone.
  const plain = !raw.includes('<!', tag.end);
  let column = -1;
  let depth = 0;
  for (let next = nextTag(raw, tag.end); next !== undefined; ) {
    let end = next.end;
    if (next.kind === 'close') {
      if (depth-- === 0) return { tag, cells, contentEnd: next.start };
    } else if (depth === 0 && next.name === name) {
      const reference = attributeIn(raw, next.start, next.end, 'r');
      column = reference === undefined ? column + 1 : columnIndex(reference);
      if (next.kind === 'open') end = cellEnd(raw, next, plain);
      cells.push({ column, start: next.start, tagEnd: next.end, end });
    } else if (next.kind === 'open') depth++;
    next = nextTag(raw, end);
  }
  throw new Error('row has no end');
}

function cellEnd(raw: string, tag: Tag, plain: boolean): number {
  if (plain) {
    const closing = raw.indexOf(`</${tag.name}`, tag.end);
    if (closing < 0) throw new Error('cell has no end');
    return raw.indexOf('>', closing) + 1;
  }
  let depth = 1;
  for (let next = nextTag(raw, tag.end); next !== undefined; next = nextTag(raw, next.end)) {
    if (next.kind === 'open') depth++;
    else if (next.kind === 'close' && --depth === 0) return next.end;
  }
  throw new Error('cell has no end');
}

/** Whether a cell holds a value, a text or a formula, and not only a style. */
export const isFilled = (raw: string, { tagEnd, end }: CellSpan): boolean => {
  for (let tag = nextTag(raw, tagEnd); tag !== undefined && tag.start < end; tag = nextTag(raw, tag.end))
    if (tag.kind === 'open' || localName(tag.name) === 'f') return true;
  return false;
};

export const hasFormula = (raw: string, { tagEnd, end }: CellSpan): boolean =>
  /<(\w+:)?f[\s/>]/.test(raw.slice(tagEnd, end));

/** Index of the style that a tag names; 0 when none. */
export const styleOf = (raw: string, start: number, end: number): number =>
  Number(attributeIn(raw, start, end, 's') ?? 0);

/** What is to be said of one cell: the worst level, and all texts; without any it is only coloured. */
export interface Mark {
  readonly level: 'error' | 'warning';
  readonly texts: readonly string[];
}

export type CellMarks = ReadonlyMap<number, ReadonlyMap<number, Mark>>;

/** All that happens to one sheet. Rows as Excel shows them, columns 0-based. */
export interface SheetPlan {
  readonly headers: ReadonlySet<number>;
  readonly marks: CellMarks;
  readonly rowMarks: ReadonlyMap<number, Mark>;
  readonly states: ReadonlyMap<number, CopyStatus>;
}

/** What the columns of the copy say of a row; the state is the colour. */
export interface CopyStatus {
  readonly state: CopyState;
  readonly text: string;
  /** Of the accepted document. */
  readonly code?: string | undefined;
}

/** No sheet has such a place, so the copy cannot show what stands there. */
export const beyondSheet = (file: string, row: number, column?: string): never =>
  stop('input', {
    code: 'run/annotate-beyond-sheet',
    params: { row: MAX_SHEET_ROWS, column: columnLetter(MAX_SHEET_COLUMNS - 1) },
    place: { file, row, ...(column !== undefined && { column }) },
  });

interface Gathered {
  readonly headers: Set<number>;
  readonly marks: Marks;
  readonly rowMarks: Map<number, Mark>;
  readonly states: Map<number, CopyStatus>;
}

const joined = (known: Mark | undefined, mark: Mark): Mark =>
  known === undefined
    ? mark
    : { level: known.level === 'error' ? 'error' : mark.level, texts: [...known.texts, ...mark.texts] };

type Marks = Map<number, ReadonlyMap<number, Mark>>;

/** Most rows have one mark, and many of them the same: it is held once. */
const singles = new WeakMap<Mark, Map<number, ReadonlyMap<number, Mark>>>();

function single(column: number, mark: Mark): ReadonlyMap<number, Mark> {
  const byColumn = singles.get(mark) ?? new Map<number, ReadonlyMap<number, Mark>>();
  singles.set(mark, byColumn);
  const known = byColumn.get(column) ?? new Map([[column, mark]]);
  byColumn.set(column, known);
  return known;
}

function addMark(marks: Marks, row: number, column: number, mark: Mark): void {
  const ofRow = marks.get(row);
  marks.set(
    row,
    ofRow === undefined ? single(column, mark) : new Map(ofRow).set(column, joined(ofRow.get(column), mark)),
  );
}

/** A note in each cell of a column that is wrong in every row helps nobody and makes Excel slow: from here on cells are only coloured. */
const NOTES_A_CAUSE = 1_000;
const MOST_CAUSES = 10_000;
/** Of a copy. */
const MOST_NOTES = 20_000;

/** What is said of the cells of a column: held once, and of so many cells. */
class Causes {
  readonly #causes = new Map<string, { readonly first: CellMark; readonly mark: Mark; cells: number }>();
  readonly #colours = {
    error: { level: 'error', texts: [] },
    warning: { level: 'warning', texts: [] },
  } as const;
  #others: { readonly first: CellMark; cells: number } | undefined;
  #notes = 0;

  markOf(of: CellMark): Mark {
    const { sheet, column, level, text } = of;
    if (text === undefined) return this.#colour(of);
    const key = `${sheet}\n${column}\n${level}\n${text}`;
    let cause = this.#causes.get(key);
    if (cause === undefined && this.#causes.size < MOST_CAUSES) {
      cause = { first: of, mark: { level, texts: [text] }, cells: 0 };
      this.#causes.set(key, cause);
    }
    if (cause === undefined || this.#notes >= MOST_NOTES) return this.#colour(of);
    cause.cells += 1;
    if (cause.cells > NOTES_A_CAUSE) return this.#colours[level];
    this.#notes += 1;
    return cause.mark;
  }

  #colour(of: CellMark): Mark {
    this.#others ??= { first: of, cells: 0 };
    this.#others.cells += 1;
    return this.#colours[of.level];
  }

  /** What the header says of cells that are only coloured. */
  *unnoted(language: Language): Generator<CellMark> {
    for (const { first, cells } of this.#causes.values())
      if (cells > NOTES_A_CAUSE) {
        const counts = { cells: `${cells}`, noted: `${NOTES_A_CAUSE}` };
        yield { ...first, text: `${filled(UNNOTED.some, language, counts)} ${first.text}` };
      }
    if (this.#others === undefined) return;
    const { first, cells } = this.#others;
    const { column: _, ...row } = first;
    yield { ...row, text: filled(UNNOTED.others, language, { cells: `${cells}` }) };
  }
}

/**
 * Marks, states and headers by sheet.
 * @throws Error on a sheet that the file does not have
 * @throws PipelineError('input', run/annotate-beyond-sheet)
 */
export function planBySheet(
  { marks, states, headerRows, language }: Annotations,
  sheets: readonly string[],
  file: string,
): ReadonlyMap<string, SheetPlan> {
  const plans = new Map<string, Gathered>();
  const planOf = (sheet = sheets[0] ?? '', row: number): Gathered => {
    if (!sheets.includes(sheet)) throw new Error(`no sheet ${sheet}`);
    if (!(Number.isInteger(row) && row >= 1 && row <= MAX_SHEET_ROWS)) beyondSheet(file, row);
    const known = plans.get(sheet);
    if (known !== undefined) return known;
    const plan: Gathered = { headers: new Set(), marks: new Map(), rowMarks: new Map(), states: new Map() };
    plans.set(sheet, plan);
    return plan;
  };
  for (const { sheet, row } of headerRows) planOf(sheet, row).headers.add(row);
  for (const { sheet, row, ...status } of states) planOf(sheet, row).states.set(row, status);
  const put = (plan: Gathered, row: number, column: string | undefined, mark: Mark): void => {
    if (column === undefined) {
      plan.rowMarks.set(row, joined(plan.rowMarks.get(row), mark));
      return;
    }
    const index = columnIndex(column);
    if (!(index >= 0 && index < MAX_SHEET_COLUMNS)) beyondSheet(file, row, column);
    addMark(plan.marks, row, index, mark);
  };
  const causes = new Causes();
  for (const mark of marks) put(planOf(mark.sheet, mark.row), mark.row, mark.column, causes.markOf(mark));
  for (const { sheet, row, column, level, text } of causes.unnoted(language)) {
    const plan = planOf(sheet, row);
    put(plan, Math.min(row, ...plan.headers), column, { level, texts: [text ?? ''] });
  }
  return plans;
}

/** Rows that must be there, in order. */
export const rowsOfPlan = ({ headers, marks, rowMarks, states }: SheetPlan): readonly number[] =>
  [...new Set([...headers, ...marks.keys(), ...rowMarks.keys(), ...states.keys()])].sort((a, b) => a - b);

export const wantsStates = ({ states, rowMarks }: SheetPlan): boolean => states.size > 0 || rowMarks.size > 0;

export const wantsCodes = ({ states }: SheetPlan): boolean => {
  for (const { code } of states.values()) if (code !== undefined) return true;
  return false;
};

/** The first row from which a column belongs to the table. */
export const firstHeader = ({ headers }: SheetPlan): number =>
  headers.size === 0 ? 1 : Math.min(...headers);

/** Corners of `B2:D7`; rows as Excel shows them, columns 0-based. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** `B2:D7` */
export const refOf = ({ top, left, bottom, right }: Range): string =>
  `${columnLetter(left)}${top}:${columnLetter(right)}${bottom}`;

const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

export function rangeOf(reference: string): Range | undefined {
  const [from, to = from] = reference.split(':');
  const start = CELL.exec(from ?? '');
  const end = CELL.exec(to ?? '');
  if (start === null || end === null) return undefined;
  return {
    top: Number(start[2]),
    left: columnIndex(start[1]!),
    bottom: Number(end[2]),
    right: columnIndex(end[1]!),
  };
}

/** Marks inside merged cells go to the cell that is shown. */
export function onShownCells(marks: CellMarks, merges: readonly Range[]): CellMarks {
  if (merges.length === 0) return marks;
  const rows = [...marks.keys()].sort((a, b) => a - b);
  const moved: Marks = new Map(marks);
  for (const { top, left, bottom, right } of merges) {
    for (let at = firstFrom(rows, top); at < rows.length && rows[at]! <= bottom; at++) {
      const row = rows[at]!;
      for (const [column, mark] of marks.get(row)!) {
        if (column < left || column > right || (row === top && column === left)) continue;
        const others = new Map(moved.get(row)!);
        others.delete(column);
        moved.set(row, others);
        addMark(moved, top, left, mark);
      }
    }
  }
  return moved;
}

/** Index of the first number that is not below `least`. */
function firstFrom(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whose notes are ours. LibreOffice forgets the author, so the note also begins with this line, as Excel's own notes begin with a name. */
export const AUTHOR = 'cargue';
export const FIRST_LINE = 'cargue:';
/** From here on a person's own note was extended. */
export const EXTENSION_LINE = '--- cargue ---';

/** A note says what is wrong, how it is fixed, and perhaps what was meant. */
const NOTE_CHARACTERS = 600;
const NOTES_A_CELL = 4;

const SENTENCE_END = /[.?!](?=\s)/g;

/** Whole sentences, as many as there is room for. A first one that is longer than that is cut between words. */
function shortened(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  if (flat.length <= NOTE_CHARACTERS) return flat;
  const cut = flat.slice(0, NOTE_CHARACTERS);
  const ends = [...cut.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const end = ends.at(-1);
  return end === undefined
    ? `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trimEnd()}…`
    : cut.slice(0, end);
}

/** The note of a cell: each text once and short, and how many more there are. */
export function noteText(texts: readonly string[]): string {
  const lines = [...new Set(texts.map(shortened))];
  const rest = lines.length - NOTES_A_CELL;
  return rest <= 0 ? lines.join('\n') : [...lines.slice(0, NOTES_A_CELL), `(+${rest})`].join('\n');
}

/** Columns that share a width and a style; 0-based, both ends included. */
export interface ColumnRange {
  readonly first: number;
  readonly last: number;
  /** In characters; undefined when the default. */
  readonly width: number | undefined;
  readonly hidden: boolean;
  readonly style: number | undefined;
  /** As written. */
  readonly tag: string;
}

/** Excel's width of a column that nobody has set. */
export const DEFAULT_WIDTH = 8.43;

export function columnRanges(cols: string): readonly ColumnRange[] {
  const ranges: ColumnRange[] = [];
  for (const col of childrenOf(cols, rootOf(cols))) {
    const given = attributesIn(cols, col.start, col.tagEnd);
    const number = (name: string): number | undefined =>
      given[name] === undefined ? undefined : Number(given[name]);
    ranges.push({
      first: Math.max(1, number('min') ?? 1) - 1,
      last: Math.min(MAX_SHEET_COLUMNS, number('max') ?? 1) - 1,
      width: number('width'),
      hidden: given['hidden'] === '1' || given['hidden'] === 'true',
      style: number('style'),
      tag: rawOf(cols, col),
    });
  }
  return ranges;
}

/** A column that is made so wide; first in a list it wins over what the sheet says. */
export const ownColumn = (column: number, width: number): ColumnRange => ({
  first: column,
  last: column,
  width,
  hidden: false,
  style: undefined,
  tag: '',
});

const inRange = (column: number, { first, last }: ColumnRange): boolean => first <= column && column <= last;

export const columnStyle = (ranges: readonly ColumnRange[], column: number): number =>
  ranges.find((range) => inRange(column, range))?.style ?? 0;

export function columnWidth(ranges: readonly ColumnRange[], column: number, otherwise: number): number {
  const range = ranges.find((candidate) => inRange(column, candidate));
  return range?.hidden === true ? 0 : (range?.width ?? otherwise);
}

const between = (tag: string, first: number, last: number): string =>
  first > last ? '' : withAttribute(withAttribute(tag, 'min', `${first + 1}`), 'max', `${last + 1}`);

/** The list of columns with one made so wide; ranges over it are split. */
export function withColumnWidth(cols: string, column: number, width: number): string {
  const root = rootOf(cols);
  const own = `<${prefixOf(root.name)}col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`;
  const tags: string[] = [];
  let placed = false;
  for (const range of columnRanges(cols)) {
    if (!placed && range.last >= column) {
      tags.push(between(range.tag, range.first, Math.min(range.last, column - 1)), own);
      tags.push(between(range.tag, Math.max(range.first, column + 1), range.last));
      placed = true;
    } else tags.push(range.tag);
  }
  if (!placed) tags.push(own);
  return withContent(cols, root, tags.join(''));
}

/** Something to say about a cell, or about a row as a whole. */
export interface CellMark {
  /** Absent: the first sheet. */
  readonly sheet?: string | undefined;
  /** As Excel shows it; for CSV the record number, the header being 1. */
  readonly row: number;
  /** Letters. Absent: the row as a whole; its note goes to the cell of the state column. */
  readonly column?: string | undefined;
  readonly level: Level;
  /** Absent: the cell is only coloured. */
  readonly text?: string;
}

/** What the columns of the copy say of a row. */
export interface RowState extends CopyStatus {
  readonly sheet?: string;
  readonly row: number;
}

export interface HeaderRow {
  readonly sheet?: string;
  readonly row: number;
}

/** Rows of a table in text, as `RowSource.batches` gives them. */
export type TextRows = AsyncIterable<
  readonly { readonly number: number; readonly texts: readonly (string | undefined)[] }[]
>;

/** Each list is gone through once. */
export interface Annotations {
  readonly marks: Iterable<CellMark>;
  readonly states: Iterable<RowState>;
  readonly headerRows: Iterable<HeaderRow>;
  readonly language: Language;
}
