import { MOST_COLUMNS } from './sheet-plan.js';
import { attributesIn, withAttribute } from './xml-attributes.js';
import { childrenOf, prefixOf, rawOf, rootOf, withContent } from './xml-tags.js';

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
      last: Math.min(MOST_COLUMNS, number('max') ?? 1) - 1,
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
