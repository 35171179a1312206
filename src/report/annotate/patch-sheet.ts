import { LEVELS, OWN_HEADERS } from '../../generated/texts-report.js';
import type { Language } from '../../toolkit/core/issue.js';
import { required } from '../../toolkit/core/required.js';
import { columnLetter } from '../../toolkit/core/text.js';
import { asciiXml } from '../cell-xml.js';
import { TONE_OF } from '../palette.js';
import {
  type CellMarks,
  type CellSpan,
  type ColumnRange,
  columnStyle,
  columnWidth,
  firstHeader,
  hasFormula,
  type Mark,
  onShownCells,
  type RowSpans,
  rangeOf,
  refOf,
  rowsOfPlan,
  type SheetPlan,
  spansOf,
  styleOf,
  wantsCodes,
  wantsStates,
  withColumnWidth,
} from './sheet-plan.js';
import type { StyleBook } from './style-book.js';
import { type CopyHeader, type SheetItem, type Survey, sheetItems } from './survey.js';
import { attributeIn, prefixOf, type Tag, tagAt, withAttribute } from './xml-tags.js';

/** New content of a cell in a column of the copy; without a style it takes that of the cell to its left. */
interface CopyCell {
  readonly text: string;
  readonly style: number | undefined;
}

/** Changes of a row, by 0-based column. */
interface RowChange {
  readonly marks: ReadonlyMap<number, Mark>;
  /** Cells of the copy's columns; `clear` removes what an earlier copy may have written. */
  readonly copyColumns: ReadonlyMap<number, CopyCell | 'clear'>;
}

/** Settings shared by all rows of a sheet. */
interface RowContext {
  readonly styles: StyleBook;
  /** Last column of any cell. */
  readonly widest: number;
  readonly columns: readonly ColumnRange[];
}

/** Returns the text of a row with its changes; other cells stay as written. */
function patchRow({ raw, start, number }: SheetItem, change: RowChange, context: RowContext): string {
  const quick = appended(raw, start, number, change, context);
  return quick ?? rewritten(raw, spansOf(raw, start), number, change, context);
}

/** Returns a row that the sheet lacks. */
function newRow(prefix: string, number: number, change: RowChange, context: RowContext): string {
  const raw = `<${prefix}row r="${number}"/>`;
  const tag: Tag = { kind: 'empty', name: `${prefix}row`, start: 0, end: raw.length };
  return rewritten(raw, { tag, cells: [], contentEnd: raw.length }, number, change, context);
}

/** Fast path for most rows: appends cells after the last one without parsing the row. */
function appended(
  raw: string,
  start: number,
  number: number,
  { marks, copyColumns }: RowChange,
  { styles, widest }: RowContext,
): string | undefined {
  if (marks.size > 0 || styles.hasMarks) return undefined;
  if (copyColumns.size === 0) return raw;
  const tag = tagAt(raw, start);
  if (tag.kind === 'empty' || raw.includes('<!', tag.end)) return undefined;
  const closing = raw.lastIndexOf('</');
  let cells = '';
  for (const [column, cell] of copyColumns) {
    if (column <= widest || cell === 'clear' || cell.style === undefined) return undefined;
    cells += textCell(prefixOf(tag.name), column, number, cell.text, cell.style);
  }
  return withoutSpans(raw, tag.start, tag.end) + raw.slice(tag.end, closing) + cells + raw.slice(closing);
}

function rewritten(
  raw: string,
  { tag, cells, contentEnd }: RowSpans,
  number: number,
  change: RowChange,
  context: RowContext,
): string {
  const { marks, copyColumns } = change;
  const { styles } = context;
  const prefix = prefixOf(tag.name);
  const known = new Set(cells.map(({ column }) => column));
  const written = [...copyColumns].flatMap(([column, cell]) => (cell === 'clear' ? [] : [column]));
  const missing = [...new Set([...marks.keys(), ...written])].filter((column) => !known.has(column));
  missing.sort((a, b) => a - b);

  /** Returns the style that a cell has, or would have if it existed. */
  const styleAt = (column: number): number => {
    const cell = cells.find((candidate) => candidate.column === column);
    if (cell !== undefined) return styleOf(raw, cell.start, cell.tagEnd);
    const ofRow = attributeIn(raw, tag.start, tag.end, 's');
    const custom = attributeIn(raw, tag.start, tag.end, 'customFormat');
    return ofRow !== undefined && (custom === '1' || custom === 'true')
      ? Number(ofRow)
      : columnStyle(context.columns, column);
  };
  const copyCell = (column: number, { text, style }: CopyCell): string => {
    const mark = marks.get(column);
    const plain = style ?? styles.base(styleAt(Math.max(0, column - 1)));
    return textCell(
      prefix,
      column,
      number,
      text,
      mark === undefined ? plain : styles.marked(plain, mark.level),
    );
  };
  const newCell = (column: number): string => {
    const added = copyColumns.get(column);
    if (added !== undefined && added !== 'clear') return copyCell(column, added);
    const style = styles.marked(styleAt(column), required(marks, column).level);
    return `<${prefix}c r="${columnLetter(column)}${number}" s="${style}"/>`;
  };
  const patched = (cell: CellSpan): string => {
    const { column, start, tagEnd, end } = cell;
    const mine = copyColumns.get(column);
    if (mine !== undefined && !hasFormula(raw, cell)) return mine === 'clear' ? '' : copyCell(column, mine);
    const style = styleOf(raw, start, tagEnd);
    const mark = marks.get(column);
    const wanted = mark === undefined ? styles.base(style) : styles.marked(style, mark.level);
    return wanted === style
      ? raw.slice(start, end)
      : withAttribute(raw.slice(start, tagEnd), 's', `${wanted}`) + raw.slice(tagEnd, end);
  };

  const inner: string[] = [];
  let at = tag.end;
  const waiting = [...missing];
  let next = waiting.shift();
  for (const cell of cells) {
    for (; next !== undefined && next < cell.column; next = waiting.shift()) inner.push(newCell(next));
    inner.push(raw.slice(at, cell.start), patched(cell));
    at = cell.end;
  }
  for (; next !== undefined; next = waiting.shift()) inner.push(newCell(next));
  inner.push(raw.slice(at, contentEnd));
  const content = inner.join('');
  const opening = missing.length === 0 ? raw.slice(0, tag.end) : withoutSpans(raw, tag.start, tag.end);
  if (tag.kind !== 'empty') return opening + content + raw.slice(contentEnd);
  return content === '' ? opening : `${opening.replace(/(?<!\s)\s*\/>$/, '>')}${content}</${tag.name}>`;
}

/** Removes `spans`, a hint about the columns of a row that is wrong once a cell is added. */
const withoutSpans = (raw: string, start: number, tagEnd: number): string =>
  raw.slice(0, start) + withAttribute(raw.slice(start, tagEnd), 'spans', undefined);

const textCell = (prefix: string, column: number, row: number, text: string, style: number): string =>
  `<${prefix}c r="${columnLetter(column)}${row}" s="${style}" t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${asciiXml(text)}</${prefix}t></${prefix}is></${prefix}c>`;

/** Relationship to name in the sheet: its id, and the namespace of such ids in this file. */
export interface NamedRelation {
  readonly id: string;
  readonly namespace: string;
}

/** Elements that may follow `legacyDrawing` in a sheet (ECMA-376 part 1, 18.3.1.99). */
const AFTER_LEGACY_DRAWING: ReadonlySet<string> = new Set([
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
]);

/** Elements that may precede the filter, after the rows. */
const BEFORE_FILTER: ReadonlySet<string> = new Set([
  'sheetCalcPr',
  'sheetProtection',
  'protectedRanges',
  'scenarios',
]);

const withWidths = (cols: string, widths: SheetEdit['widths']): string =>
  widths.reduce(
    (list, { column, width, keepsStyle }) => withColumnWidth(list, column, width, keepsStyle),
    cols,
  );

/**
 * Yields the text of a sheet with its changes. `newDrawing` is set if the sheet has no shapes for comments yet.
 */
export async function* patchSheet(
  pieces: AsyncIterable<string>,
  edit: SheetEdit,
  newDrawing: NamedRelation | undefined,
): AsyncGenerator<string> {
  const patcher = new SheetPatcher(edit, newDrawing);
  for await (const items of sheetItems(pieces)) {
    const out: string[] = [];
    for (const item of items) out.push(patcher.take(item));
    yield out.join('');
  }
}

class SheetPatcher {
  readonly #edit: SheetEdit;
  #drawing: NamedRelation | undefined;
  #filter: string | undefined;
  #prefix = '';
  #hasColumns = false;
  #rowsAreOver = false;
  #missing = 0;

  constructor(edit: SheetEdit, newDrawing: NamedRelation | undefined) {
    this.#edit = edit;
    this.#drawing = newDrawing;
    this.#filter = edit.filter;
  }

  take(item: SheetItem): string {
    switch (item.kind) {
      case 'start':
        this.#prefix = prefixOf(tagAt(item.raw, item.start).name);
        return item.raw;
      case 'element':
        return this.#element(item);
      case 'rows':
        return this.#columnsBefore(item);
      case 'row':
        return (
          this.#rowsBefore(item.number) +
          patchRow(item, this.#edit.rowChange(item.number), this.#edit.context)
        );
      case 'rows-end':
        this.#rowsAreOver = true;
        return this.#rowsBefore(Number.POSITIVE_INFINITY) + item.raw;
      case 'end':
        return this.#filterElement() + this.#drawingElement() + item.raw;
    }
  }

  #element({ local, raw, start }: SheetItem): string {
    const { widths } = this.#edit;
    if (local === 'dimension') return raw.slice(0, start) + this.#dimension(raw.slice(start));
    if (local === 'cols' && widths.length > 0) {
      this.#hasColumns = true;
      return raw.slice(0, start) + withWidths(raw.slice(start), widths);
    }
    if (local === 'autoFilter' && this.#rowsAreOver)
      return raw.slice(0, start) + this.#widened(raw.slice(start));
    const filter = this.#rowsAreOver && !BEFORE_FILTER.has(local) ? this.#filterElement() : '';
    return filter + (AFTER_LEGACY_DRAWING.has(local) ? this.#drawingElement() : '') + raw;
  }

  /** Returns the new filter over the table and the columns of the copy, once. */
  #filterElement(): string {
    const ref = this.#filter;
    this.#filter = undefined;
    return ref === undefined ? '' : `<${this.#prefix}autoFilter ref="${ref}"/>`;
  }

  /** Widens the sheet's filter over the columns of the copy if they follow it directly. */
  #widened(element: string): string {
    const { copyColumns, header } = this.#edit;
    const range = rangeOf(attributeIn(element, 0, tagAt(element, 0).end, 'ref') ?? '');
    const [first, last] = [copyColumns[0], copyColumns.at(-1)];
    if (range === undefined || first === undefined || last === undefined) return element;
    if (range.top !== header || range.right + 1 !== first.column) return element;
    return withAttribute(element, 'ref', refOf({ ...range, right: last.column }));
  }

  #dimension(element: string): string {
    const { copyColumns, lastRow, context } = this.#edit;
    const range = rangeOf(attributeIn(element, 0, element.length, 'ref') ?? '');
    if (range === undefined) return element;
    const right = Math.max(range.right, context.widest, ...copyColumns.map(({ column }) => column));
    const bottom = Math.max(range.bottom, lastRow);
    return withAttribute(element, 'ref', refOf({ ...range, right, bottom }));
  }

  #columnsBefore({ raw, start }: SheetItem): string {
    const { widths } = this.#edit;
    if (this.#hasColumns || widths.length === 0) return raw;
    const name = `${this.#prefix}cols`;
    return raw.slice(0, start) + withWidths(`<${name}></${name}>`, widths) + raw.slice(start);
  }

  #rowsBefore(number: number): string {
    const { missingRows, rowChange, context } = this.#edit;
    let rows = '';
    for (;;) {
      const row = missingRows[this.#missing];
      if (row === undefined || row >= number) return rows;
      this.#missing += 1;
      rows += newRow(this.#prefix, row, rowChange(row), context);
    }
  }

  #drawingElement(): string {
    if (this.#drawing === undefined) return '';
    const { id, namespace } = this.#drawing;
    this.#drawing = undefined;
    return `<${this.#prefix}legacyDrawing xmlns:r="${namespace}" r:id="${id}"/>`;
  }
}

/** Comment on a cell; `column` is 0-based. */
export interface Note {
  readonly row: number;
  readonly column: number;
  readonly mark: Mark;
}

/** Input of the second pass over a sheet. */
export interface SheetEdit {
  readonly survey: Survey;
  readonly context: RowContext;
  readonly notes: readonly Note[];
  /** Rows to insert, in order. */
  readonly missingRows: readonly number[];
  readonly copyColumns: readonly {
    readonly column: number;
    readonly title: string;
    readonly width: number;
  }[];
  /** Widths of those columns, and of columns whose numbers need more room. */
  readonly widths: readonly {
    readonly column: number;
    readonly width: number;
    readonly keepsStyle?: true;
  }[];
  /** Row of the labels, if there is exactly one. */
  readonly header: number | undefined;
  /** Range of a new filter. */
  readonly filter: string | undefined;
  readonly lastRow: number;
  rowChange(row: number): RowChange;
}

const NO_MARKS: ReadonlyMap<number, Mark> = new Map();
const MIN_WIDTH = 18;
const MAX_WIDTH = 60;

type CopyCells = RowChange['copyColumns'];
const NO_OWN_CELLS: CopyCells = new Map();

export function editOf(plan: SheetPlan, survey: Survey, styles: StyleBook, language: Language): SheetEdit {
  const rows = rowsOfPlan(plan);
  const marks = onShownCells(plan.marks, survey.merges);
  const wanted: Readonly<Record<CopyHeader, boolean>> = { state: wantsStates(plan), code: wantsCodes(plan) };
  const columns = (Object.keys(wanted) as CopyHeader[]).flatMap((header) => {
    const { column, had } = survey.copyColumns[header];
    return column === undefined || !(wanted[header] || had) ? [] : [{ header, column, had }];
  });
  columns.sort((a, b) => a.column - b.column);
  const from = firstHeader(plan);

  const cellOf = (header: CopyHeader, row: number): CopyCell | undefined => {
    if (!wanted[header]) return undefined;
    if (plan.headers.has(row)) return { text: OWN_HEADERS[header][language], style: undefined };
    const status = plan.states.get(row);
    if (status !== undefined) {
      const text = header === 'state' ? status.text : status.code;
      return text === undefined ? undefined : { text, style: styles.tone(TONE_OF[status.state]) };
    }
    const mark = header === 'state' ? plan.rowMarks.get(row) : undefined;
    if (mark === undefined) return undefined;
    return {
      text: LEVELS[mark.level][language],
      style: styles.tone(mark.level === 'error' ? 'bad' : 'waiting'),
    };
  };
  const copyCellsOf = (row: number): CopyCells => {
    if (row < from || columns.length === 0) return NO_OWN_CELLS;
    const cells = new Map<number, CopyCell | 'clear'>();
    for (const { header, column, had } of columns) {
      // An Excel table requires its column title to stay.
      const stays = survey.hasTables && plan.headers.has(row);
      const cell = cellOf(header, row) ?? (had && !stays ? 'clear' : undefined);
      if (cell !== undefined) cells.set(column, cell);
    }
    return cells;
  };
  const widthOf = (header: CopyHeader): number => {
    let longest = OWN_HEADERS[header][language].length;
    for (const { text, code = '' } of plan.states.values())
      longest = Math.max(longest, (header === 'state' ? text : code).length);
    return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, longest + 2));
  };
  const copyColumns = columns
    .filter(({ header }) => wanted[header])
    .map(({ header, column }) => ({ column, title: OWN_HEADERS[header][language], width: widthOf(header) }));
  const stateColumn = wanted.state ? survey.copyColumns.state.column : undefined;
  const lastRow = rows.at(-1) ?? 0;
  return {
    survey,
    context: { styles, widest: survey.widest, columns: survey.columns },
    notes: notesOf(marks, stateColumn === undefined ? new Map() : plan.rowMarks, stateColumn),
    missingRows: rows.filter((row) => !survey.present.has(row)),
    copyColumns,
    widths: [
      ...copyColumns,
      ...[...survey.numberWidths].flatMap(([column, width]) => {
        const known = columnWidth(survey.columns, column, survey.defaultWidth);
        return known === 0 || known >= width || columns.some((copied) => copied.column === column)
          ? []
          : [{ column, width, keepsStyle: true as const }];
      }),
    ],
    header: plan.headers.size === 1 ? [...plan.headers][0] : undefined,
    filter: filterOf(plan, survey, copyColumns, lastRow),
    lastRow,
    rowChange: (row) => ({ marks: marks.get(row) ?? NO_MARKS, copyColumns: copyCellsOf(row) }),
  };
}

/** Returns the range of a new filter: from the labels over all checked rows, with the columns of the copy. */
function filterOf(
  { headers }: SheetPlan,
  { mayFilter, widest }: Survey,
  copyColumns: SheetEdit['copyColumns'],
  lastRow: number,
): string | undefined {
  const [header] = headers;
  if (
    !mayFilter ||
    copyColumns.length === 0 ||
    headers.size !== 1 ||
    header === undefined ||
    lastRow <= header
  )
    return undefined;
  const right = Math.max(widest, ...copyColumns.map(({ column }) => column));
  return refOf({ top: header, left: 0, bottom: lastRow, right });
}

function notesOf(
  marks: CellMarks,
  rowMarks: ReadonlyMap<number, Mark>,
  stateColumn: number | undefined,
): Note[] {
  const notes: Note[] = [];
  for (const [row, ofRow] of marks)
    for (const [column, mark] of ofRow) if (mark.texts.length > 0) notes.push({ row, column, mark });
  for (const [row, mark] of rowMarks)
    if (stateColumn !== undefined && mark.texts.length > 0) notes.push({ row, column: stateColumn, mark });
  return notes.sort((a, b) => a.row - b.row || a.column - b.column);
}
