import { SaxesParser } from 'saxes';
import { OWN_HEADERS } from '../../generated/texts-report.js';
import { MAX_SHEET_COLUMNS } from '../../toolkit/core/limits.js';
import { required } from '../../toolkit/core/required.js';
import { columnIndex } from '../../toolkit/core/text.js';

import type { PartText } from './package.js';
import {
  type ColumnRange,
  columnRanges,
  DEFAULT_WIDTH,
  firstHeader,
  isFilled,
  type Range,
  type RowSpans,
  rangeOf,
  rowsOfPlan,
  type SheetPlan,
  spansOf,
} from './sheet-plan.js';
import {
  attributeIn,
  attributesIn,
  childrenOf,
  type Element,
  elementAt,
  localName,
  nextTag,
  prefixOf,
  rootOf,
  type Tag,
  unescapeXml,
} from './xml-tags.js';

/**
 * Complete piece of a sheet: the start, a child of the root, the opening of the row list, a row, its
 * closing, or the end. The `raw` of all items in order is the sheet.
 */
export interface SheetItem {
  readonly kind: 'start' | 'element' | 'rows' | 'row' | 'rows-end' | 'end';
  readonly raw: string;
  /** Offset of the element in `raw`, after blanks and comments. */
  readonly start: number;
  /** Name of the element without prefix. */
  readonly local: string;
  /** Row number as Excel shows it; rows only. */
  readonly number: number;
}

/** Max length of an element: a row may have 16,384 cells of 32,767 characters, but none comes near that. */
const MAX_ELEMENT_LENGTH = 64 * 2 ** 20;

/** Splits the text of a sheet as it arrives; items of one piece come together. */
export async function* sheetItems(pieces: AsyncIterable<string>): AsyncGenerator<readonly SheetItem[]> {
  const splitter = new SheetSplitter();
  for await (const piece of pieces) {
    const items = splitter.take(piece);
    if (items.length > 0) yield items;
  }
  yield splitter.finish();
}

class SheetSplitter {
  #text = '';
  #at = 0;
  /** Min length at which to scan again: below it, the text is known to hold no complete item. */
  #minLength = 0;
  #state: 'start' | 'elements' | 'rows' | 'end' = 'start';
  #prefix = '';
  #number = 0;
  /** Offset of the next comment or CDATA, in which tags do not count. */
  #hidden = -1;

  take(piece: string): SheetItem[] {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#hidden = -1;
    if (this.#text.length < this.#minLength) return [];
    const items: SheetItem[] = [];
    for (let item = this.#next(); item !== undefined; item = this.#next()) items.push(item);
    const rest = this.#text.length - this.#at;
    if (rest > MAX_ELEMENT_LENGTH) throw new Error('element too long');
    this.#minLength = items.length > 0 ? 0 : rest * 2;
    return items;
  }

  finish(): SheetItem[] {
    this.#minLength = 0;
    const items = this.take('');
    if (this.#state !== 'end') throw new Error('sheet ends early');
    items.push(this.#item('end', this.#text.length, this.#at));
    return items;
  }

  #item(kind: SheetItem['kind'], end: number, start: number, local = ''): SheetItem {
    const raw = this.#text.slice(this.#at, end);
    const item = { kind, raw, start: start - this.#at, local, number: this.#number };
    this.#at = end;
    return item;
  }

  #next(): SheetItem | undefined {
    if (this.#state === 'end') return undefined;
    const tag = nextTag(this.#text, this.#at);
    if (tag === undefined) return undefined;
    if (this.#state === 'start') return this.#root(tag);
    return this.#state === 'rows' ? this.#inRows(tag) : this.#child(tag);
  }

  #root(tag: Tag): SheetItem {
    if (tag.kind !== 'open') throw new Error('empty sheet');
    this.#prefix = prefixOf(tag.name);
    this.#state = 'elements';
    return this.#item('start', tag.end, tag.start);
  }

  #child(tag: Tag): SheetItem | undefined {
    if (tag.kind === 'close') {
      this.#state = 'end';
      // Returned by `finish`, with all that follows.
      return undefined;
    }
    if (tag.name === `${this.#prefix}sheetData`) {
      if (tag.kind === 'open') {
        this.#state = 'rows';
        return this.#item('rows', tag.end, tag.start);
      }
      return this.#emptyRows(tag);
    }
    const element = elementAt(this.#text, tag);
    return element && this.#item('element', element.end, tag.start, localName(tag.name));
  }

  /** Opens an empty row list, so that rows can be inserted. */
  #emptyRows(tag: Tag): SheetItem {
    const opened = `${this.#text.slice(tag.start, tag.end).replace(/(?<!\s)\s*\/>$/, '')}></${tag.name}>`;
    this.#text = this.#text.slice(0, tag.start) + opened + this.#text.slice(tag.end);
    this.#state = 'rows';
    return this.#item('rows', this.#text.indexOf('>', tag.start) + 1, tag.start);
  }

  #inRows(tag: Tag): SheetItem | undefined {
    if (tag.kind === 'close') {
      this.#state = 'elements';
      return this.#item('rows-end', tag.end, tag.start);
    }
    if (tag.name !== `${this.#prefix}row`) {
      const other = elementAt(this.#text, tag);
      return other && this.#item('element', other.end, tag.start);
    }
    const end = this.#rowEnd(tag);
    if (end === undefined) return undefined;
    const given = attributeIn(this.#text, tag.start, tag.end, 'r');
    this.#number = given === undefined ? this.#number + 1 : Number(given);
    return this.#item('row', end, tag.start, 'row');
  }

  #rowEnd(tag: Tag): number | undefined {
    if (tag.kind === 'empty') return tag.end;
    const text = this.#text;
    if (this.#hidden < tag.end) {
      this.#hidden = text.indexOf('<!', tag.end);
      if (this.#hidden < 0) this.#hidden = text.length;
    }
    const closing = text.indexOf(`</${tag.name}`, tag.end);
    if (this.#hidden < closing || closing < 0) {
      const row: Element | undefined = elementAt(text, tag);
      return row?.end;
    }
    const end = text.indexOf('>', closing) + 1;
    return end === 0 ? undefined : end;
  }
}

/** Properties of a sheet from a first pass, so that the second pass can stream. */
export type Survey = Awaited<ReturnType<typeof surveySheet>>;

export type CopyHeader = keyof typeof OWN_HEADERS;

interface CopyColumn {
  /** Existing column, else the first free one to the right of the header; undefined if none is free. */
  readonly column: number | undefined;
  /** True if the sheet already has the column. */
  readonly had: boolean;
}

/** Looks up texts of shared strings by index. */
type FindStrings = (wanted: ReadonlySet<number>) => Promise<ReadonlyMap<number, string>>;

const OWN = Object.keys(OWN_HEADERS) as readonly CopyHeader[];
const TITLES: ReadonlyMap<string, CopyHeader> = new Map(
  OWN.flatMap((header) => Object.values(OWN_HEADERS[header]).map((title) => [title, header] as const)),
);

/** Elements that exclude a new filter: a filter of the sheet, an Excel table, or protection. */
const EXCLUDE_FILTER: ReadonlySet<string> = new Set(['autoFilter', 'tableParts', 'sheetProtection']);

/** Columns that are filled from the header down, and the texts of the header cells. */
interface ColumnUse {
  readonly used: Uint8Array;
  readonly titles: Map<number, string>;
  readonly shared: Map<number, number>;
  lastHeader: number;
  lastUsed: number;
  widest: number;
}

export async function surveySheet(part: PartText, plan: SheetPlan, findStrings: FindStrings) {
  const needed = new Set(rowsOfPlan(plan));
  const present = new Set<number>();
  const from = firstHeader(plan);
  const use: ColumnUse = {
    used: new Uint8Array(MAX_SHEET_COLUMNS),
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
  let mayFilter = true;
  let hasTables = false;
  const numberWidths = new Map<number, number>();
  let measured = 0;

  const take = ({ kind, local, raw, start, number }: SheetItem): void => {
    if (kind === 'row') {
      if (needed.has(number)) present.add(number);
      if (number >= from && measured++ < MAX_MEASURED_ROWS) measureNumbers(raw, numberWidths);
      if (!plan.headers.has(number) && usesKnownColumns(raw, start, use)) return;
      const spans = spansOf(raw, start);
      for (const { column } of spans.cells) if (column > use.widest) use.widest = column;
      if (number >= from) recordColumns(raw, spans, use, plan.headers.has(number));
      return;
    }
    if (kind !== 'element') return;
    if (EXCLUDE_FILTER.has(local)) mayFilter = false;
    if (local === 'tableParts') hasTables = true;
    const element = raw.slice(start);
    if (local === 'cols') columns = columnRanges(element);
    else if (local === 'sheetFormatPr')
      defaultWidth = Number(attributeIn(element, 0, element.length, 'defaultColWidth') ?? DEFAULT_WIDTH);
    else if (local === 'mergeCells') merges = mergedRanges(element);
    else if (local === 'legacyDrawing') legacyDrawing = relationOf(element);
  };
  for await (const items of sheetItems(part.pieces)) for (const item of items) take(item);

  const known = await existingColumns(use, findStrings);
  for (const ofRow of plan.marks.values()) for (const column of ofRow.keys()) use.used[column] = 1;
  for (const { left, bottom, right } of merges) if (bottom >= from) use.used.fill(1, left, right + 1);
  return {
    encoding: part.encoding,
    /** Rows of the plan that the sheet has. */
    present,
    /** Last column of any cell, also a blank one; -1 if there is none. */
    widest: use.widest,
    /** Columns for states and codes. */
    copyColumns: placeColumns(known, use),
    /** True if a filter can be set over the table: there is none, nor anything that excludes one. */
    mayFilter,
    /** True if the sheet contains Excel tables. */
    hasTables,
    columns,
    defaultWidth,
    /** Min widths of columns with long whole numbers, which Excel shows as 9E+09 where they have no room. */
    numberWidths,
    merges,
    /** Id of the relationship to the shapes of the comments. */
    legacyDrawing,
  };
}

/** Rows whose numbers are measured: those of a column are about as long in all others. */
const MAX_MEASURED_ROWS = 200;
/** Whole numbers that do not fit into Excel's usual width. */
const LONG_NUMBER = /<(?:\w+:)?c r="([A-Z]{1,3})\d+"([^>]*)><(?:\w+:)?v>(\d{9,15})</g;
const PADDING = 2;

function measureNumbers(raw: string, widths: Map<number, number>): void {
  for (const [, letters = '', attributes = '', digits = ''] of raw.matchAll(LONG_NUMBER)) {
    if (/ t="(?!n")/.test(attributes)) continue;
    const column = columnIndex(letters);
    widths.set(column, Math.max(widths.get(column) ?? 0, digits.length + PADDING));
  }
}

/** True if all cells of a row are in columns known to be used, as in most rows; they need no parsing. */
function usesKnownColumns(raw: string, start: number, { used }: ColumnUse): boolean {
  if (!raw.startsWith('<row', start)) return false; // its cells have a prefix too
  for (let at = raw.indexOf(CELL, start); at >= 0; at = raw.indexOf(CELL, at)) {
    at += CELL.length;
    if (!raw.startsWith(REFERENCE, at)) return false;
    at += REFERENCE.length;
    if (used[columnIndex(raw.slice(at, at + REFERENCE_LENGTH))] !== 1) return false;
  }
  return true;
}

const CELL = '<c';
const REFERENCE = ' r="';
/** Max letters of a column, plus one. */
const REFERENCE_LENGTH = 4;

function recordColumns(raw: string, { cells }: RowSpans, use: ColumnUse, isHeader: boolean): void {
  for (const cell of cells) {
    const { column } = cell;
    // Cells of columns known to be used add nothing.
    if ((use.used[column] === 1 && !isHeader) || !isFilled(raw, cell)) continue;
    use.used[column] = 1;
    if (column > use.lastUsed) use.lastUsed = column;
    if (!isHeader) continue;
    if (column > use.lastHeader) use.lastHeader = column;
    const text = valueText(raw.slice(cell.tagEnd, cell.end));
    if (attributeIn(raw, cell.start, cell.tagEnd, 't') === 's') use.shared.set(Number(text), column);
    else use.titles.set(column, text);
  }
}

const VALUE = /<(?:\w+:)?[tv](?:\s[^<>]*)?>([^<]*)</g;
const valueText = (content: string): string =>
  unescapeXml([...content.matchAll(VALUE)].map((match) => match[1]).join('')).trim();

type Known = ReadonlyMap<CopyHeader, number>;

async function existingColumns(use: ColumnUse, findStrings: FindStrings): Promise<Known> {
  if (use.shared.size > 0)
    for (const [index, text] of await findStrings(new Set(use.shared.keys())))
      use.titles.set(required(use.shared, index), text.trim());
  const known = new Map<CopyHeader, number>();
  for (const [column, title] of use.titles) {
    const header = TITLES.get(title);
    if (header !== undefined && !known.has(header)) known.set(header, column);
  }
  return known;
}

/** Places the columns of the copy: existing ones stay, others follow each other. */
function placeColumns(known: Known, { used, lastHeader, lastUsed }: ColumnUse) {
  let from = (lastHeader < 0 ? lastUsed : lastHeader) + 1;
  const free = (): number | undefined => {
    const column = used.indexOf(0, from);
    from = column + 1;
    return column < 0 ? undefined : column;
  };
  const placeOf = (header: CopyHeader): CopyColumn => ({
    column: known.get(header) ?? free(),
    had: known.has(header),
  });
  return { state: placeOf('state'), code: placeOf('code') };
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

/** Finds shared strings by index; reads the part no further than the last of them. */
export async function findStrings(
  { pieces }: PartText,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const last = Math.max(...wanted);
  let index = -1;
  let text = '';
  let inText = false;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name }) => {
    const local = localName(name);
    if (local === 'si') {
      index++;
      text = '';
    } else if (local === 't') inText = wanted.has(index);
  });
  parser.on('text', (piece) => {
    if (inText) text += piece;
  });
  parser.on('closetag', ({ name }) => {
    const local = localName(name);
    if (local === 't') inText = false;
    else if (local === 'si' && wanted.has(index)) texts.set(index, text);
  });
  for await (const piece of pieces) {
    parser.write(piece);
    if (index > last) break;
  }
  return texts;
}
