import { LEVELS, OWN_HEADERS } from '../../generated/texts-report.js';
import type { Language } from '../../toolkit/core/issue.js';
import { columnLetter } from '../../toolkit/core/text.js';
import { asciiXml } from '../cell-xml.js';
import { TONE_OF } from '../tones.js';
import {
  type CellMarks,
  type CellSpan,
  type ColumnRange,
  columnStyle,
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
import { type OwnHeader, type SheetItem, type Survey, sheetItems } from './survey.js';
import { attributeIn, nextTag, prefixOf, type Tag, withAttribute } from './xml-tags.js';

/** What a cell of a column of the copy becomes; a style of undefined is that of the cell at its left. */
interface OwnCell {
  readonly text: string;
  readonly style: number | undefined;
}

interface RowChange {
  /** By 0-based column. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** By column. `clear`: an earlier copy may have put something there. */
  readonly own: ReadonlyMap<number, OwnCell | 'clear'>;
}

/** What is the same for all rows of a sheet. */
interface RowContext {
  readonly styles: StyleBook;
  /** The last column of any cell. */
  readonly widest: number;
  readonly columns: readonly ColumnRange[];
}

/** A row as it shall be. Cells that are not concerned stay as they were written. */
function patchRow({ raw, start, number }: SheetItem, change: RowChange, context: RowContext): string {
  const quick = appended(raw, start, number, change, context);
  return quick ?? rewritten(raw, spansOf(raw, start), number, change, context);
}

/** A row that the sheet does not have. */
function newRow(prefix: string, number: number, change: RowChange, context: RowContext): string {
  const raw = `<${prefix}row r="${number}"/>`;
  const tag: Tag = { kind: 'empty', name: `${prefix}row`, start: 0, end: raw.length };
  return rewritten(raw, { tag, cells: [], contentEnd: raw.length }, number, change, context);
}

/** Most rows only get a state behind their last cell; they need not be taken apart. */
function appended(
  raw: string,
  start: number,
  number: number,
  { marks, own }: RowChange,
  { styles, widest }: RowContext,
): string | undefined {
  if (marks.size > 0 || styles.hasMarks) return undefined;
  if (own.size === 0) return raw;
  for (const [column, cell] of own)
    if (column <= widest || cell === 'clear' || cell.style === undefined) return undefined;
  const tag = nextTag(raw, start)!;
  if (tag.kind === 'empty' || raw.includes('<!', tag.end)) return undefined;
  const closing = raw.lastIndexOf('</');
  const cells = [...(own as ReadonlyMap<number, OwnCell>)].map(([column, { text, style }]) =>
    textCell(prefixOf(tag.name), column, number, text, style!),
  );
  return (
    withoutSpans(raw, tag.start, tag.end) + raw.slice(tag.end, closing) + cells.join('') + raw.slice(closing)
  );
}

function rewritten(
  raw: string,
  { tag, cells, contentEnd }: RowSpans,
  number: number,
  change: RowChange,
  context: RowContext,
): string {
  const { marks, own } = change;
  const { styles } = context;
  const prefix = prefixOf(tag.name);
  const known = new Set(cells.map(({ column }) => column));
  const written = [...own].flatMap(([column, cell]) => (cell === 'clear' ? [] : [column]));
  const missing = [...new Set([...marks.keys(), ...written])].filter((column) => !known.has(column));
  missing.sort((a, b) => a - b);

  /** The style that a cell has or, when it is not there, would have. */
  const styleAt = (column: number): number => {
    const cell = cells.find((candidate) => candidate.column === column);
    if (cell !== undefined) return styleOf(raw, cell.start, cell.tagEnd);
    const ofRow = attributeIn(raw, tag.start, tag.end, 's');
    const custom = attributeIn(raw, tag.start, tag.end, 'customFormat');
    return ofRow !== undefined && (custom === '1' || custom === 'true')
      ? Number(ofRow)
      : columnStyle(context.columns, column);
  };
  const ownCell = (column: number, { text, style }: OwnCell): string => {
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
    const mine = own.get(column);
    if (mine !== undefined && mine !== 'clear') return ownCell(column, mine);
    const style = styles.marked(styleAt(column), marks.get(column)!.level);
    return `<${prefix}c r="${columnLetter(column)}${number}" s="${style}"/>`;
  };
  const patched = (cell: CellSpan): string => {
    const { column, start, tagEnd, end } = cell;
    const mine = own.get(column);
    if (mine !== undefined && !hasFormula(raw, cell)) return mine === 'clear' ? '' : ownCell(column, mine);
    const style = styleOf(raw, start, tagEnd);
    const mark = marks.get(column);
    const wanted = mark === undefined ? styles.base(style) : styles.marked(style, mark.level);
    return wanted === style
      ? raw.slice(start, end)
      : withAttribute(raw.slice(start, tagEnd), 's', `${wanted}`) + raw.slice(tagEnd, end);
  };

  const inner: string[] = [];
  let at = tag.end;
  let next = 0;
  for (const cell of cells) {
    while (next < missing.length && missing[next]! < cell.column) inner.push(newCell(missing[next++]!));
    inner.push(raw.slice(at, cell.start), patched(cell));
    at = cell.end;
  }
  for (; next < missing.length; next++) inner.push(newCell(missing[next]!));
  inner.push(raw.slice(at, contentEnd));
  const content = inner.join('');
  const opening = missing.length === 0 ? raw.slice(0, tag.end) : withoutSpans(raw, tag.start, tag.end);
  if (tag.kind !== 'empty') return opening + content + raw.slice(contentEnd);
  return content === '' ? opening : `${opening.replace(/(?<!\s)\s*\/>$/, '>')}${content}</${tag.name}>`;
}

/** `spans` says which columns the row has; it is only a hint, and wrong once a cell is added. */
const withoutSpans = (raw: string, start: number, tagEnd: number): string =>
  raw.slice(0, start) + withAttribute(raw.slice(start, tagEnd), 'spans', undefined);

const textCell = (prefix: string, column: number, row: number, text: string, style: number): string =>
  `<${prefix}c r="${columnLetter(column)}${row}" s="${style}" t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${asciiXml(text)}</${prefix}t></${prefix}is></${prefix}c>`;

/** A relationship to name in the sheet: its id, and the namespace that such ids have in this file. */
export interface NamedRelation {
  readonly id: string;
  readonly namespace: string;
}

/** What may follow `legacyDrawing` in a sheet (ECMA-376 part 1, 18.3.1.99). */
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

/** What may stand between the rows and their filter. */
const BEFORE_FILTER: ReadonlySet<string> = new Set([
  'sheetCalcPr',
  'sheetProtection',
  'protectedRanges',
  'scenarios',
]);

const withWidths = (cols: string, own: SheetEdit['own']): string =>
  own.reduce((list, { column, width }) => withColumnWidth(list, column, width), cols);

/** The text of a sheet, changed while it passes. `newDrawing`: the sheet has no shapes for notes yet. */
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
        this.#prefix = prefixOf(nextTag(item.raw, item.start)!.name);
        return item.raw;
      case 'element':
        return this.#element(item);
      case 'rows':
        return this.#columnsBefore(item);
      case 'row':
        return (
          this.#rowsBefore(item.number) + patchRow(item, this.#edit.changeOf(item.number), this.#edit.context)
        );
      case 'rows-end':
        this.#rowsAreOver = true;
        return this.#rowsBefore(Number.POSITIVE_INFINITY) + item.raw;
      case 'end':
        return this.#filterElement() + this.#drawingElement() + item.raw;
    }
  }

  #element({ local, raw, start }: SheetItem): string {
    const { own } = this.#edit;
    if (local === 'dimension') return raw.slice(0, start) + this.#dimension(raw.slice(start));
    if (local === 'cols' && own.length > 0) {
      this.#hasColumns = true;
      return raw.slice(0, start) + withWidths(raw.slice(start), own);
    }
    if (local === 'autoFilter' && this.#rowsAreOver)
      return raw.slice(0, start) + this.#widened(raw.slice(start));
    const filter = this.#rowsAreOver && !BEFORE_FILTER.has(local) ? this.#filterElement() : '';
    return filter + (AFTER_LEGACY_DRAWING.has(local) ? this.#drawingElement() : '') + raw;
  }

  /** Over the table and the columns of the copy. */
  #filterElement(): string {
    const ref = this.#filter;
    this.#filter = undefined;
    return ref === undefined ? '' : `<${this.#prefix}autoFilter ref="${ref}"/>`;
  }

  /** A filter of the sheet's own that ends where the columns of the copy begin goes over them too; any other is left alone. */
  #widened(element: string): string {
    const { own, header } = this.#edit;
    const range = rangeOf(attributeIn(element, 0, nextTag(element, 0)!.end, 'ref') ?? '');
    const [first] = own;
    if (range === undefined || first === undefined || range.top !== header) return element;
    if (range.right + 1 !== first.column) return element;
    return withAttribute(element, 'ref', refOf({ ...range, right: own.at(-1)!.column }));
  }

  #dimension(element: string): string {
    const { own, lastRow, context } = this.#edit;
    const range = rangeOf(attributeIn(element, 0, element.length, 'ref') ?? '');
    if (range === undefined) return element;
    const right = Math.max(range.right, context.widest, ...own.map(({ column }) => column));
    const bottom = Math.max(range.bottom, lastRow);
    return withAttribute(element, 'ref', refOf({ ...range, right, bottom }));
  }

  #columnsBefore({ raw, start }: SheetItem): string {
    const { own } = this.#edit;
    if (this.#hasColumns || own.length === 0) return raw;
    const name = `${this.#prefix}cols`;
    return raw.slice(0, start) + withWidths(`<${name}></${name}>`, own) + raw.slice(start);
  }

  #rowsBefore(number: number): string {
    const { missingRows, changeOf, context } = this.#edit;
    let rows = '';
    while (this.#missing < missingRows.length && missingRows[this.#missing]! < number) {
      const row = missingRows[this.#missing++]!;
      rows += newRow(this.#prefix, row, changeOf(row), context);
    }
    return rows;
  }

  #drawingElement(): string {
    if (this.#drawing === undefined) return '';
    const { id, namespace } = this.#drawing;
    this.#drawing = undefined;
    return `<${this.#prefix}legacyDrawing xmlns:r="${namespace}" r:id="${id}"/>`;
  }
}

/** A note on a cell; column 0-based. */
export interface Note {
  readonly row: number;
  readonly column: number;
  readonly mark: Mark;
}

/** All that the second pass over a sheet needs to know. */
export interface SheetEdit {
  readonly survey: Survey;
  readonly context: RowContext;
  readonly notes: readonly Note[];
  /** Rows to be put in, in order. */
  readonly missingRows: readonly number[];
  /** The columns of the copy that are written, with their titles and widths. */
  readonly own: readonly { readonly column: number; readonly title: string; readonly width: number }[];
  /** The row of the labels, where there is one alone. */
  readonly header: number | undefined;
  /** What a new filter goes over. */
  readonly filter: string | undefined;
  /** The last row of all that is written. */
  readonly lastRow: number;
  changeOf(row: number): RowChange;
}

const NO_MARKS: ReadonlyMap<number, Mark> = new Map();
const LEAST_WIDTH = 18;
const MOST_WIDTH = 60;

type OwnCells = RowChange['own'];
const NO_OWN: OwnCells = new Map();

export function editOf(plan: SheetPlan, survey: Survey, styles: StyleBook, language: Language): SheetEdit {
  const rows = rowsOfPlan(plan);
  const marks = onShownCells(plan.marks, survey.merges);
  const wanted: Readonly<Record<OwnHeader, boolean>> = { state: wantsStates(plan), code: wantsCodes(plan) };
  const columns = (Object.keys(wanted) as OwnHeader[]).flatMap((header) => {
    const { column, had } = survey.own[header];
    return column === undefined || !(wanted[header] || had) ? [] : [{ header, column, had }];
  });
  columns.sort((a, b) => a.column - b.column);
  const from = firstHeader(plan);

  const cellOf = (header: OwnHeader, row: number): OwnCell | undefined => {
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
  const ownOf = (row: number): OwnCells => {
    if (row < from || columns.length === 0) return NO_OWN;
    const cells = new Map<number, OwnCell | 'clear'>();
    for (const { header, column, had } of columns) {
      // A table of Excel's goes over it: what it calls a column must stand there.
      const stays = survey.hasTables && plan.headers.has(row);
      const cell = cellOf(header, row) ?? (had && !stays ? 'clear' : undefined);
      if (cell !== undefined) cells.set(column, cell);
    }
    return cells;
  };
  const widthOf = (header: OwnHeader): number => {
    let longest = OWN_HEADERS[header][language].length;
    for (const { text, code = '' } of plan.states.values())
      longest = Math.max(longest, (header === 'state' ? text : code).length);
    return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest + 2));
  };
  const own = columns
    .filter(({ header }) => wanted[header])
    .map(({ header, column }) => ({ column, title: OWN_HEADERS[header][language], width: widthOf(header) }));
  const stateColumn = wanted.state ? survey.own.state.column : undefined;
  const lastRow = rows.at(-1) ?? 0;
  return {
    survey,
    context: { styles, widest: survey.widest, columns: survey.columns },
    notes: notesOf(marks, stateColumn === undefined ? new Map() : plan.rowMarks, stateColumn),
    missingRows: rows.filter((row) => !survey.present.has(row)),
    own,
    header: plan.headers.size === 1 ? [...plan.headers][0] : undefined,
    filter: filterOf(plan, survey, own, lastRow),
    lastRow,
    changeOf: (row) => ({ marks: marks.get(row) ?? NO_MARKS, own: ownOf(row) }),
  };
}

/** From the labels over all rows that were looked at, the columns of the copy included. */
function filterOf(
  { headers }: SheetPlan,
  { mayFilter, widest }: Survey,
  own: SheetEdit['own'],
  lastRow: number,
): string | undefined {
  const [header] = headers;
  if (!mayFilter || own.length === 0 || headers.size !== 1 || header === undefined || lastRow <= header)
    return undefined;
  const right = Math.max(widest, ...own.map(({ column }) => column));
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
