import type { Language } from '../../core/issue.js';
import { columnLetter } from '../../core/text.js';
import { LEVELS, STATE_HEADER } from '../../generated/texts-report.js';
import { TONE_OF } from '../tones.js';
import {
  asciiXml,
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
  rowsOfPlan,
  type SheetPlan,
  spansOf,
  styleOf,
  wantsStates,
  withColumnWidth,
} from './sheet-plan.js';
import type { StyleBook } from './style-book.js';
import { type SheetItem, type Survey, sheetItems } from './survey.js';
import { attributeIn, nextTag, prefixOf, type Tag, withAttribute } from './xml-tags.js';

/** What the cell of the state column becomes; a style of undefined is that of the cell at its left. */
interface StateCell {
  readonly text: string;
  readonly style: number | undefined;
}

interface RowChange {
  /** By 0-based column. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** `clear`: an earlier copy may have put something there. */
  readonly state: StateCell | 'clear' | 'keep';
}

/** What is the same for all rows of a sheet. */
interface RowContext {
  readonly styles: StyleBook;
  readonly stateColumn: number | undefined;
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
  { marks, state }: RowChange,
  { styles, stateColumn, widest }: RowContext,
): string | undefined {
  if (marks.size > 0 || styles.hasMarks || stateColumn === undefined || stateColumn <= widest)
    return undefined;
  if (typeof state === 'string' || state.style === undefined) return state === 'keep' ? raw : undefined;
  const tag = nextTag(raw, start)!;
  if (tag.kind === 'empty' || raw.includes('<!', tag.end)) return undefined;
  const closing = raw.lastIndexOf('</');
  const cell = textCell(prefixOf(tag.name), stateColumn, number, state.text, state.style);
  return withoutSpans(raw, tag.start, tag.end) + raw.slice(tag.end, closing) + cell + raw.slice(closing);
}

function rewritten(
  raw: string,
  { tag, cells, contentEnd }: RowSpans,
  number: number,
  change: RowChange,
  context: RowContext,
): string {
  const { marks, state } = change;
  const { styles, stateColumn } = context;
  const prefix = prefixOf(tag.name);
  const known = new Set(cells.map(({ column }) => column));
  const missing = [...marks.keys()].filter((column) => !known.has(column) && column !== stateColumn);
  if (stateColumn !== undefined && !known.has(stateColumn) && typeof state !== 'string')
    missing.push(stateColumn);
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
  const stateCell = ({ text, style }: StateCell): string => {
    const mark = marks.get(stateColumn!);
    const plain = style ?? styles.base(styleAt(Math.max(0, stateColumn! - 1)));
    return textCell(
      prefix,
      stateColumn!,
      number,
      text,
      mark === undefined ? plain : styles.marked(plain, mark.level),
    );
  };
  const newCell = (column: number): string => {
    if (column === stateColumn && typeof state !== 'string') return stateCell(state);
    const style = styles.marked(styleAt(column), marks.get(column)!.level);
    return `<${prefix}c r="${columnLetter(column)}${number}" s="${style}"/>`;
  };
  const patched = (cell: CellSpan): string => {
    const { column, start, tagEnd, end } = cell;
    if (column === stateColumn && state !== 'keep' && !hasFormula(raw, cell))
      return state === 'clear' ? '' : stateCell(state);
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
  return content === '' ? opening : `${opening.replace(/\s*\/>$/, '>')}${content}</${tag.name}>`;
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
  #prefix = '';
  #hasColumns = false;
  #missing = 0;

  constructor(edit: SheetEdit, newDrawing: NamedRelation | undefined) {
    this.#edit = edit;
    this.#drawing = newDrawing;
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
        return this.#rowsBefore(Number.POSITIVE_INFINITY) + item.raw;
      case 'end':
        return this.#drawingElement() + item.raw;
    }
  }

  #element({ local, raw, start }: SheetItem): string {
    const { states } = this.#edit;
    if (local === 'dimension') return raw.slice(0, start) + this.#dimension(raw.slice(start));
    if (local === 'cols' && states !== undefined) {
      this.#hasColumns = true;
      return raw.slice(0, start) + withColumnWidth(raw.slice(start), states.column, states.width);
    }
    return AFTER_LEGACY_DRAWING.has(local) ? this.#drawingElement() + raw : raw;
  }

  #dimension(element: string): string {
    const { states, lastRow, context } = this.#edit;
    const range = rangeOf(attributeIn(element, 0, element.length, 'ref') ?? '');
    if (range === undefined) return element;
    const right = Math.max(range.right, states?.column ?? 0, context.widest);
    const bottom = Math.max(range.bottom, lastRow);
    const ref = `${columnLetter(range.left)}${range.top}:${columnLetter(right)}${bottom}`;
    return withAttribute(element, 'ref', ref);
  }

  #columnsBefore({ raw, start }: SheetItem): string {
    const { states } = this.#edit;
    if (this.#hasColumns || states === undefined) return raw;
    const name = `${this.#prefix}cols`;
    return (
      raw.slice(0, start) +
      withColumnWidth(`<${name}></${name}>`, states.column, states.width) +
      raw.slice(start)
    );
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
  /** The state column and its width, when it is written. */
  readonly states: { readonly column: number; readonly width: number } | undefined;
  /** The last row of all that is written. */
  readonly lastRow: number;
  changeOf(row: number): RowChange;
}

const NO_MARKS: ReadonlyMap<number, Mark> = new Map();
const LEAST_WIDTH = 18;
const MOST_WIDTH = 60;

export function editOf(plan: SheetPlan, survey: Survey, styles: StyleBook, language: Language): SheetEdit {
  const { stateColumn, hadStates } = survey;
  const rows = rowsOfPlan(plan);
  const marks = onShownCells(plan.marks, survey.merges);
  const column = wantsStates(plan) ? stateColumn : undefined;
  const header = STATE_HEADER[language];
  const from = firstHeader(plan);
  const rest: RowChange['state'] = hadStates ? 'clear' : 'keep';

  const stateOf = (row: number): RowChange['state'] => {
    if (row < from) return 'keep';
    if (column === undefined) return rest;
    if (plan.headers.has(row)) return { text: header, style: undefined };
    const state = plan.states.get(row);
    if (state !== undefined) return { text: state.text, style: styles.tone(TONE_OF[state.state]) };
    const mark = plan.rowMarks.get(row);
    if (mark === undefined) return rest;
    return {
      text: LEVELS[mark.level][language],
      style: styles.tone(mark.level === 'error' ? 'bad' : 'waiting'),
    };
  };
  const texts = [...plan.states.values()].map(({ text }) => text.length);
  const longest = texts.reduce((most, length) => Math.max(most, length), header.length);
  return {
    survey,
    context: { styles, stateColumn, widest: survey.widest, columns: survey.columns },
    notes: notesOf(marks, column === undefined ? new Map() : plan.rowMarks, column),
    missingRows: rows.filter((row) => !survey.present.has(row)),
    states:
      column === undefined
        ? undefined
        : { column, width: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest + 2)) },
    lastRow: rows.at(-1) ?? 0,
    changeOf: (row) => ({ marks: marks.get(row) ?? NO_MARKS, state: stateOf(row) }),
  };
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
