import { STATE_HEADER } from '../../document/accounting.js';
import type { PartEncoding, PartText } from './part-text.js';
import { type Range, rangeOf } from './ranges.js';
import { isFilled, type RowSpans, spansOf } from './row-cells.js';
import { type ColumnRange, columnRanges, DEFAULT_WIDTH } from './sheet-columns.js';
import { type SheetItem, sheetItems } from './sheet-items.js';
import { firstHeader, MOST_COLUMNS, rowsOfPlan, type SheetPlan } from './sheet-plan.js';
import { attributeIn, attributesIn, unescapeXml } from './xml-attributes.js';
import { childrenOf, rootOf } from './xml-tags.js';

/** What a sheet is like, found in a first pass, so that the second can write as it reads. */
export interface Survey {
  readonly encoding: PartEncoding;
  /** Rows of the plan that the sheet has. */
  readonly present: ReadonlySet<number>;
  /** The last column of any cell, with or without a value; -1 when there is none. */
  readonly widest: number;
  /** Where the state goes: the column that has it already, else the first free one at the right of the header. Undefined when no column is free. */
  readonly stateColumn: number | undefined;
  /** The column was there already. */
  readonly hadStates: boolean;
  readonly columns: readonly ColumnRange[];
  readonly defaultWidth: number;
  readonly merges: readonly Range[];
  /** Id of the relationship to the shapes of the notes. */
  readonly legacyDrawing: string | undefined;
}

/** Texts of shared strings by their index. */
export type FindStrings = (wanted: ReadonlySet<number>) => Promise<ReadonlyMap<number, string>>;

const TITLES: ReadonlySet<string> = new Set(Object.values(STATE_HEADER));

/** Columns in which something stands from the header down, and what the header cells say. */
interface Found {
  readonly used: Uint8Array;
  readonly titles: Map<number, string>;
  readonly shared: Map<number, number>;
  lastHeader: number;
  lastUsed: number;
  widest: number;
}

export async function surveySheet(
  part: PartText,
  plan: SheetPlan,
  findStrings: FindStrings,
): Promise<Survey> {
  const needed = new Set(rowsOfPlan(plan));
  const present = new Set<number>();
  const from = firstHeader(plan);
  const found: Found = {
    used: new Uint8Array(MOST_COLUMNS),
    titles: new Map(),
    shared: new Map(),
    lastHeader: -1,
    lastUsed: -1,
    widest: -1,
  };
  let columns: readonly ColumnRange[] = [];
  let merges: readonly Range[] = [];
  let defaultWidth = DEFAULT_WIDTH;
  let legacyDrawing: string | undefined;

  const take = ({ kind, local, raw, start, number }: SheetItem): void => {
    if (kind === 'row') {
      if (needed.has(number)) present.add(number);
      const spans = spansOf(raw, start);
      for (const { column } of spans.cells) if (column > found.widest) found.widest = column;
      if (number >= from) lookAt(raw, spans, found, plan.headers.has(number));
      return;
    }
    if (kind !== 'element') return;
    const element = raw.slice(start);
    if (local === 'cols') columns = columnRanges(element);
    else if (local === 'sheetFormatPr')
      defaultWidth = Number(attributeIn(element, 0, element.length, 'defaultColWidth') ?? DEFAULT_WIDTH);
    else if (local === 'mergeCells') merges = mergedRanges(element);
    else if (local === 'legacyDrawing') legacyDrawing = relationOf(element);
  };
  for await (const items of sheetItems(part.pieces)) for (const item of items) take(item);

  const known = await stateColumn(found, findStrings);
  for (const ofRow of plan.marks.values()) for (const column of ofRow.keys()) found.used[column] = 1;
  for (const { left, bottom, right } of merges) if (bottom >= from) found.used.fill(1, left, right + 1);
  return {
    encoding: part.encoding,
    present,
    widest: found.widest,
    stateColumn: known ?? freeColumn(found),
    hadStates: known !== undefined,
    columns,
    defaultWidth,
    merges,
    legacyDrawing,
  };
}

function lookAt(raw: string, { cells }: RowSpans, found: Found, isHeader: boolean): void {
  for (const cell of cells) {
    const { column } = cell;
    // Once a column is known to be used, nothing more is to be learnt from its cells.
    if ((found.used[column] === 1 && !isHeader) || !isFilled(raw, cell)) continue;
    found.used[column] = 1;
    if (column > found.lastUsed) found.lastUsed = column;
    if (!isHeader) continue;
    if (column > found.lastHeader) found.lastHeader = column;
    const text = valueText(raw.slice(cell.tagEnd, cell.end));
    if (attributeIn(raw, cell.start, cell.tagEnd, 't') === 's') found.shared.set(Number(text), column);
    else found.titles.set(column, text);
  }
}

const VALUE = /<(?:\w+:)?[tv](?:\s[^>]*)?>([^<]*)</g;
const valueText = (content: string): string =>
  unescapeXml([...content.matchAll(VALUE)].map((match) => match[1]).join('')).trim();

async function stateColumn(found: Found, findStrings: FindStrings): Promise<number | undefined> {
  if (found.shared.size > 0)
    for (const [index, text] of await findStrings(new Set(found.shared.keys())))
      found.titles.set(found.shared.get(index)!, text.trim());
  for (const [column, title] of found.titles) if (TITLES.has(title)) return column;
  return undefined;
}

function freeColumn({ used, lastHeader, lastUsed }: Found): number | undefined {
  const free = used.indexOf(0, (lastHeader < 0 ? lastUsed : lastHeader) + 1);
  return free < 0 ? undefined : free;
}

function mergedRanges(element: string): Range[] {
  const ranges: Range[] = [];
  for (const merge of childrenOf(element, rootOf(element))) {
    const range = rangeOf(attributeIn(element, merge.start, merge.tagEnd, 'ref') ?? '');
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

const relationOf = (element: string): string | undefined =>
  Object.entries(attributesIn(element, 0, element.length)).find(([name]) => name.endsWith(':id'))?.[1];
