import { columnLetter } from '../../values/a1.js';
import { type CellSpan, hasFormula, type RowSpans, spansOf, styleOf } from './row-cells.js';
import { type ColumnRange, columnStyle } from './sheet-columns.js';
import type { SheetItem } from './sheet-items.js';
import type { Mark } from './sheet-plan.js';
import type { StyleBook } from './style-book.js';
import { asciiXml } from './texts.js';
import { attributeIn, withAttribute } from './xml-attributes.js';
import { nextTag, prefixOf, type Tag } from './xml-tags.js';

/** What the cell of the state column becomes; a style of undefined is that of the cell at its left. */
export interface StateCell {
  readonly text: string;
  readonly style: number | undefined;
}

export interface RowChange {
  /** By 0-based column. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** `clear`: an earlier copy may have put something there. */
  readonly state: StateCell | 'clear' | 'keep';
}

/** What is the same for all rows of a sheet. */
export interface RowContext {
  readonly styles: StyleBook;
  readonly stateColumn: number | undefined;
  /** The last column of any cell. */
  readonly widest: number;
  readonly columns: readonly ColumnRange[];
}

/** A row as it shall be. Cells that are not concerned stay as they were written. */
export function patchRow({ raw, start, number }: SheetItem, change: RowChange, context: RowContext): string {
  const quick = appended(raw, start, number, change, context);
  return quick ?? rewritten(raw, spansOf(raw, start), number, change, context);
}

/** A row that the sheet does not have. */
export function newRow(prefix: string, number: number, change: RowChange, context: RowContext): string {
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
