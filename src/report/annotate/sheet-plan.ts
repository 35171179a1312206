import { UNNOTED } from '../../generated/texts-report.js';
import { type Language, type Level, stop } from '../../toolkit/core/issue.js';
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../../toolkit/core/limits.js';
import { unreachable } from '../../toolkit/core/required.js';
import { columnIndex, columnLetter } from '../../toolkit/core/text.js';
import { filled } from '../../toolkit/messages/texts.js';

import type { CopyState } from '../palette.js';
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
  tagAt,
  withAttribute,
  withContent,
} from './xml-tags.js';

/** Cell of a row, by offsets in the row's text. */
export interface CellSpan {
  /** Index from 0. */
  readonly column: number;
  readonly start: number;
  readonly tagEnd: number;
  readonly end: number;
}

export interface RowSpans {
  readonly tag: Tag;
  readonly cells: readonly CellSpan[];
  /** Offset of the closing tag; the end of the tag if the row is empty. */
  readonly contentEnd: number;
}

/** Finds the cells of a row in the order in which they are written. */
export function spansOf(raw: string, start: number): RowSpans {
  const tag = tagAt(raw, start);
  const cells: CellSpan[] = [];
  if (tag.kind === 'empty') return { tag, cells, contentEnd: tag.end };
  const name = `${tag.name.slice(0, -'row'.length)}c`;
  // Comments may hide tags; without any, a closing tag ends the cell.
  const hasNoComments = !raw.includes('<!', tag.end);
  let column = -1;
  let depth = 0;
  for (let next = nextTag(raw, tag.end); next !== undefined; ) {
    let end = next.end;
    if (next.kind === 'close') {
      if (depth-- === 0) return { tag, cells, contentEnd: next.start };
    } else if (depth === 0 && next.name === name) {
      const reference = attributeIn(raw, next.start, next.end, 'r');
      column = reference === undefined ? column + 1 : columnIndex(reference);
      if (next.kind === 'open') end = cellEnd(raw, next, hasNoComments);
      cells.push({ column, start: next.start, tagEnd: next.end, end });
    } else if (next.kind === 'open') depth++;
    next = nextTag(raw, end);
  }
  throw new Error('row has no end');
}

function cellEnd(raw: string, tag: Tag, hasNoComments: boolean): number {
  if (hasNoComments) {
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

/** True if a cell holds a value, text or formula, and not only a style. */
export const isFilled = (raw: string, { tagEnd, end }: CellSpan): boolean => {
  for (let tag = nextTag(raw, tagEnd); tag !== undefined && tag.start < end; tag = nextTag(raw, tag.end))
    if (tag.kind === 'open' || localName(tag.name) === 'f') return true;
  return false;
};

export const hasFormula = (raw: string, { tagEnd, end }: CellSpan): boolean =>
  /<(\w+:)?f[\s/>]/.test(raw.slice(tagEnd, end));

/** Returns the style index of a tag; 0 if it has none. */
export const styleOf = (raw: string, start: number, end: number): number =>
  Number(attributeIn(raw, start, end, 's') ?? 0);

/** Result for a cell: the worst level and all texts; without texts it is only coloured. */
export interface Mark {
  readonly level: 'error' | 'warning';
  readonly texts: readonly string[];
}

export type CellMarks = ReadonlyMap<number, ReadonlyMap<number, Mark>>;

/** Annotations of one sheet. Rows as Excel shows them, columns from 0. */
export interface SheetPlan {
  readonly headers: ReadonlySet<number>;
  readonly marks: CellMarks;
  readonly rowMarks: ReadonlyMap<number, Mark>;
  readonly states: ReadonlyMap<number, CopyStatus>;
}

/** Outcome of a row for the columns of the copy; the state determines the colour. */
export interface CopyStatus {
  readonly state: CopyState;
  readonly text: string;
  /** Code of the accepted document. */
  readonly code?: string | undefined;
}

/**
 * Reports a place that no sheet has, so the copy cannot show it. @throws PipelineError('input',
 * run/annotate-beyond-sheet)
 */
export const beyondSheet = (file: string, row: number, column?: string): never =>
  stop('input', {
    code: 'run/annotate-beyond-sheet',
    params: { row: MAX_SHEET_ROWS, column: columnLetter(MAX_SHEET_COLUMNS - 1) },
    place: { file, row, ...(column !== undefined && { column }) },
  });

interface PlanBuilder {
  readonly headers: Set<number>;
  readonly marks: Marks;
  readonly rowMarks: Map<number, Mark>;
  readonly states: Map<number, CopyStatus>;
}

const mergeMarks = (known: Mark | undefined, mark: Mark): Mark =>
  known === undefined
    ? mark
    : { level: known.level === 'error' ? 'error' : mark.level, texts: [...known.texts, ...mark.texts] };

type Marks = Map<number, ReadonlyMap<number, Mark>>;

/** Shared maps of one mark: most rows have one mark, and many have the same. */
const singleMarkMaps = new WeakMap<Mark, Map<number, ReadonlyMap<number, Mark>>>();

function singleMarkMap(column: number, mark: Mark): ReadonlyMap<number, Mark> {
  const byColumn = singleMarkMaps.get(mark) ?? new Map<number, ReadonlyMap<number, Mark>>();
  singleMarkMaps.set(mark, byColumn);
  const known = byColumn.get(column) ?? new Map([[column, mark]]);
  byColumn.set(column, known);
  return known;
}

function addMark(marks: Marks, row: number, column: number, mark: Mark): void {
  const ofRow = marks.get(row);
  marks.set(
    row,
    ofRow === undefined
      ? singleMarkMap(column, mark)
      : new Map(ofRow).set(column, mergeMarks(ofRow.get(column), mark)),
  );
}

/**
 * Max comments per cause: one in every row of a column is useless and slows Excel; further cells are only
 * coloured.
 */
const MAX_COMMENTS_PER_CAUSE = 1_000;
const MAX_CAUSES = 10_000;
const MAX_COMMENTS = 20_000;

/** Shares the marks of a cause (column, level, text) and counts its cells. */
class Causes {
  readonly #causes = new Map<string, { readonly first: CellMark; readonly mark: Mark; cells: number }>();
  readonly #colours = {
    error: { level: 'error', texts: [] },
    warning: { level: 'warning', texts: [] },
  } as const;
  #others: { readonly first: CellMark; cells: number } | undefined;
  #notes = 0;

  markFor(cellMark: CellMark): Mark {
    const { sheet, column, level, text } = cellMark;
    if (text === undefined) return this.#colour(cellMark);
    const key = `${sheet}\n${column}\n${level}\n${text}`;
    let cause = this.#causes.get(key);
    if (cause === undefined && this.#causes.size < MAX_CAUSES) {
      cause = { first: cellMark, mark: { level, texts: [text] }, cells: 0 };
      this.#causes.set(key, cause);
    }
    if (cause === undefined || this.#notes >= MAX_COMMENTS) return this.#colour(cellMark);
    cause.cells += 1;
    if (cause.cells > MAX_COMMENTS_PER_CAUSE) return this.#colours[level];
    this.#notes += 1;
    return cause.mark;
  }

  #colour(of: CellMark): Mark {
    this.#others ??= { first: of, cells: 0 };
    this.#others.cells += 1;
    return this.#colours[of.level];
  }

  /** Yields the header's comments about cells that are only coloured. */
  *unnoted(language: Language): Generator<CellMark> {
    for (const { first, cells } of this.#causes.values())
      if (cells > MAX_COMMENTS_PER_CAUSE) {
        const counts = { cells: `${cells}`, noted: `${MAX_COMMENTS_PER_CAUSE}` };
        yield { ...first, text: `${filled(UNNOTED.some, language, counts)} ${first.text}` };
      }
    if (this.#others === undefined) return;
    const { first, cells } = this.#others;
    const { column: _, ...row } = first;
    yield { ...row, text: filled(UNNOTED.others, language, { cells: `${cells}` }) };
  }
}

/**
 * Groups marks, states and headers by sheet.
 * @throws Error on a sheet that the file does not have
 * @throws PipelineError('input', run/annotate-beyond-sheet)
 */
export function planBySheet(
  { marks, states, headerRows, language }: Annotations,
  sheets: readonly string[],
  file: string,
): ReadonlyMap<string, SheetPlan> {
  const plans = new Map<string, PlanBuilder>();
  const planOf = (sheet = sheets[0] ?? '', row: number): PlanBuilder => {
    if (!sheets.includes(sheet)) throw new Error(`no sheet ${sheet}`);
    if (!(Number.isInteger(row) && row >= 1 && row <= MAX_SHEET_ROWS)) beyondSheet(file, row);
    const known = plans.get(sheet);
    if (known !== undefined) return known;
    const plan: PlanBuilder = {
      headers: new Set(),
      marks: new Map(),
      rowMarks: new Map(),
      states: new Map(),
    };
    plans.set(sheet, plan);
    return plan;
  };
  for (const { sheet, row } of headerRows) planOf(sheet, row).headers.add(row);
  for (const { sheet, row, ...status } of states) planOf(sheet, row).states.set(row, status);
  const put = (plan: PlanBuilder, row: number, column: string | undefined, mark: Mark): void => {
    if (column === undefined) {
      plan.rowMarks.set(row, mergeMarks(plan.rowMarks.get(row), mark));
      return;
    }
    const index = columnIndex(column);
    if (!(index >= 0 && index < MAX_SHEET_COLUMNS)) beyondSheet(file, row, column);
    addMark(plan.marks, row, index, mark);
  };
  const causes = new Causes();
  for (const mark of marks) put(planOf(mark.sheet, mark.row), mark.row, mark.column, causes.markFor(mark));
  for (const { sheet, row, column, level, text } of causes.unnoted(language)) {
    const plan = planOf(sheet, row);
    put(plan, Math.min(row, ...plan.headers), column, { level, texts: [text ?? ''] });
  }
  return plans;
}

/** Returns the rows that the copy must have, in order. */
export const rowsOfPlan = ({ headers, marks, rowMarks, states }: SheetPlan): readonly number[] =>
  [...new Set([...headers, ...marks.keys(), ...rowMarks.keys(), ...states.keys()])].sort((a, b) => a - b);

export const wantsStates = ({ states, rowMarks }: SheetPlan): boolean => states.size > 0 || rowMarks.size > 0;

export const wantsCodes = ({ states }: SheetPlan): boolean => {
  for (const { code } of states.values()) if (code !== undefined) return true;
  return false;
};

/** Returns the first row of the table; columns of the copy begin there. */
export const firstHeader = ({ headers }: SheetPlan): number =>
  headers.size === 0 ? 1 : Math.min(...headers);

/** Corners of a range such as `B2:D7`; rows as Excel shows them, columns from 0. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Formats a range as `B2:D7`. */
export const refOf = ({ top, left, bottom, right }: Range): string =>
  `${columnLetter(left)}${top}:${columnLetter(right)}${bottom}`;

const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

export function rangeOf(reference: string): Range | undefined {
  const [from = '', to = from] = reference.split(':');
  const [, left, top] = CELL.exec(from) ?? [];
  const [, right, bottom] = CELL.exec(to) ?? [];
  if (left === undefined || right === undefined) return undefined;
  return { top: Number(top), left: columnIndex(left), bottom: Number(bottom), right: columnIndex(right) };
}

/** Moves marks of cells hidden by a merge to the cell that is shown. */
export function onShownCells(marks: CellMarks, merges: readonly Range[]): CellMarks {
  if (merges.length === 0) return marks;
  const rows = [...marks].sort(([a], [b]) => a - b);
  const moved: Marks = new Map(marks);
  for (const { top, left, bottom, right } of merges) {
    for (let at = firstFrom(rows, top); at < rows.length; at++) {
      const [row, marksOfRow] = rows[at] ?? unreachable('marked row');
      if (row > bottom) break;
      for (const [column, mark] of marksOfRow) {
        if (column < left || column > right || (row === top && column === left)) continue;
        const others = new Map(moved.get(row));
        others.delete(column);
        moved.set(row, others);
        addMark(moved, top, left, mark);
      }
    }
  }
  return moved;
}

/** Returns the index of the first row whose number is at least `min`. */
function firstFrom(rows: readonly (readonly [number: number, marks: unknown])[], min: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [number] = rows[middle] ?? unreachable('marked row');
    if (number < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Author of our comments. LibreOffice drops it, so a comment also begins with this line, as Excel's do. */
export const AUTHOR = 'cargue';
export const FIRST_LINE = 'cargue:';
/** Line from which on a user's comment was extended. */
export const EXTENSION_LINE = '--- cargue ---';

/** Max characters of a text in a comment: problem, fix, and perhaps a suggestion. */
const MAX_TEXT_LENGTH = 600;
const MAX_TEXTS_PER_CELL = 4;

const SENTENCE_END = /[.?!](?=\s)/g;

/** Shortens a text to complete sentences; a first sentence that is too long is cut between words. */
function shortened(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  if (flat.length <= MAX_TEXT_LENGTH) return flat;
  const cut = flat.slice(0, MAX_TEXT_LENGTH);
  const ends = [...cut.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const end = ends.at(-1);
  return end === undefined
    ? `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trimEnd()}…`
    : cut.slice(0, end);
}

/** Returns the comment of a cell: each text once, shortened, and the number of omitted ones. */
export function noteText(texts: readonly string[]): string {
  const lines = [...new Set(texts.map(shortened))];
  const rest = lines.length - MAX_TEXTS_PER_CELL;
  return rest <= 0 ? lines.join('\n') : [...lines.slice(0, MAX_TEXTS_PER_CELL), `(+${rest})`].join('\n');
}

/** Columns with the same width and style; both ends are included, from 0. */
export interface ColumnRange {
  readonly first: number;
  readonly last: number;
  /** Width in characters; undefined for the default. */
  readonly width: number | undefined;
  readonly hidden: boolean;
  readonly style: number | undefined;
  readonly tag: string;
}

/** Excel's default width in characters. */
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

/** Returns a range for a column of the copy; first in a list, it overrides the sheet's. */
export const copyColumnRange = (column: number, width: number): ColumnRange => ({
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

/** Sets the width of a column in the list of columns, splitting ranges that contain it; its style is dropped unless kept. */
export function withColumnWidth(cols: string, column: number, width: number, keepsStyle = false): string {
  const root = rootOf(cols);
  const columnTag = `<${prefixOf(root.name)}col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`;
  const tags: string[] = [];
  let placed = false;
  for (const range of columnRanges(cols)) {
    if (!placed && range.last >= column) {
      const base = keepsStyle && range.first <= column ? between(range.tag, column, column) : columnTag;
      const widened = withAttribute(withAttribute(base, 'width', `${width}`), 'customWidth', '1');
      tags.push(between(range.tag, range.first, Math.min(range.last, column - 1)), widened);
      tags.push(between(range.tag, Math.max(range.first, column + 1), range.last));
      placed = true;
    } else tags.push(range.tag);
  }
  if (!placed) tags.push(columnTag);
  return withContent(cols, root, tags.join(''));
}

/** Annotation of a cell, or of a row. */
export interface CellMark {
  /** Name of the sheet; undefined for the first one. */
  readonly sheet?: string | undefined;
  /** Row as Excel shows it; for CSV the record number, the header being 1. */
  readonly row: number;
  /** Column letters; undefined for the row, whose comment goes to the state column. */
  readonly column?: string | undefined;
  readonly level: Level;
  /** Undefined if the cell is only coloured. */
  readonly text?: string;
}

export interface RowState extends CopyStatus {
  readonly sheet?: string;
  readonly row: number;
}

export interface HeaderRow {
  readonly sheet?: string;
  readonly row: number;
}

/** Rows of a table in text, as `RowSource.batches` returns them. */
export type TextRows = AsyncIterable<
  readonly { readonly number: number; readonly texts: readonly (string | undefined)[] }[]
>;

/** Annotations of a file; each list is read once. */
export interface Annotations {
  readonly marks: Iterable<CellMark>;
  readonly states: Iterable<RowState>;
  readonly headerRows: Iterable<HeaderRow>;
  readonly language: Language;
}
