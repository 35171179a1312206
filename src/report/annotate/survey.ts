import { SaxesParser } from 'saxes';
import { OWN_HEADERS } from '../../generated/texts-report.js';
import { MAX_SHEET_COLUMNS } from '../../toolkit/core/limits.js';
import { columnIndex } from '../../toolkit/core/text.js';

import type { PartEncoding, PartText } from './package.js';
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
 * A piece of a sheet, whole: what comes before the first child, a child of the root, the opening of the row list, a row, its closing, or
 * the end. The `raw` of all items in their order is the sheet; each begins where the one before ended.
 */
export interface SheetItem {
  readonly kind: 'start' | 'element' | 'rows' | 'row' | 'rows-end' | 'end';
  readonly raw: string;
  /** Where in `raw` the element begins; before it are blanks and comments. */
  readonly start: number;
  /** Of the element, without prefix. */
  readonly local: string;
  /** Rows only, as Excel shows it. */
  readonly number: number;
}

/** A row has 16,384 cells of at most 32,767 characters, but none is like that. */
const MOST_CHARACTERS = 64 * 2 ** 20;

/** Splits the text of a sheet as it comes; items of one piece of text come together. */
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
  /** Text below this length is known to hold no whole item: else a large one would be scanned again for every piece. */
  #enough = 0;
  #state: 'start' | 'elements' | 'rows' | 'end' = 'start';
  #prefix = '';
  #number = 0;
  /** Where the next comment or CDATA begins, in which a tag is no tag. */
  #hidden = -1;

  take(piece: string): SheetItem[] {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#hidden = -1;
    if (this.#text.length < this.#enough) return [];
    const items: SheetItem[] = [];
    for (let item = this.#next(); item !== undefined; item = this.#next()) items.push(item);
    const rest = this.#text.length - this.#at;
    if (rest > MOST_CHARACTERS) throw new Error('element too long');
    this.#enough = items.length > 0 ? 0 : rest * 2;
    return items;
  }

  finish(): SheetItem[] {
    this.#enough = 0;
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
      // Emitted by `finish`, with all that follows.
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

  /** An empty row list is opened, so that rows can be put in. */
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

/** What a sheet is like, found in a first pass, so that the second can write as it reads. */
export interface Survey {
  readonly encoding: PartEncoding;
  /** Rows of the plan that the sheet has. */
  readonly present: ReadonlySet<number>;
  /** The last column of any cell, with or without a value; -1 when there is none. */
  readonly widest: number;
  /** Where states and codes go. */
  readonly own: Readonly<Record<OwnHeader, OwnColumn>>;
  /** Whether a filter can be put over the table: there is none, nor anything that a filter would be in the way of. */
  readonly mayFilter: boolean;
  /** Whether tables of Excel's stand in it. */
  readonly hasTables: boolean;
  readonly columns: readonly ColumnRange[];
  readonly defaultWidth: number;
  readonly merges: readonly Range[];
  /** Id of the relationship to the shapes of the notes. */
  readonly legacyDrawing: string | undefined;
}

export type OwnHeader = keyof typeof OWN_HEADERS;

interface OwnColumn {
  /** The one that has it already, else the first free one at the right of the header. Undefined when no column is free. */
  readonly column: number | undefined;
  /** It was there already. */
  readonly had: boolean;
}

/** Texts of shared strings by their index. */
type FindStrings = (wanted: ReadonlySet<number>) => Promise<ReadonlyMap<number, string>>;

const OWN = Object.keys(OWN_HEADERS) as readonly OwnHeader[];
const TITLES: ReadonlyMap<string, OwnHeader> = new Map(
  OWN.flatMap((header) => Object.values(OWN_HEADERS[header]).map((title) => [title, header] as const)),
);

/** A filter of its own, of a table or of a protected sheet. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['autoFilter', 'tableParts', 'sheetProtection']);

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

  const take = ({ kind, local, raw, start, number }: SheetItem): void => {
    if (kind === 'row') {
      if (needed.has(number)) present.add(number);
      if (!plan.headers.has(number) && tellsNothing(raw, start, found)) return;
      const spans = spansOf(raw, start);
      for (const { column } of spans.cells) if (column > found.widest) found.widest = column;
      if (number >= from) lookAt(raw, spans, found, plan.headers.has(number));
      return;
    }
    if (kind !== 'element') return;
    if (IN_THE_WAY.has(local)) mayFilter = false;
    if (local === 'tableParts') hasTables = true;
    const element = raw.slice(start);
    if (local === 'cols') columns = columnRanges(element);
    else if (local === 'sheetFormatPr')
      defaultWidth = Number(attributeIn(element, 0, element.length, 'defaultColWidth') ?? DEFAULT_WIDTH);
    else if (local === 'mergeCells') merges = mergedRanges(element);
    else if (local === 'legacyDrawing') legacyDrawing = relationOf(element);
  };
  for await (const items of sheetItems(part.pieces)) for (const item of items) take(item);

  const known = await ownColumns(found, findStrings);
  for (const ofRow of plan.marks.values()) for (const column of ofRow.keys()) found.used[column] = 1;
  for (const { left, bottom, right } of merges) if (bottom >= from) found.used.fill(1, left, right + 1);
  return {
    encoding: part.encoding,
    present,
    widest: found.widest,
    own: placed(known, found),
    mayFilter,
    hasTables,
    columns,
    defaultWidth,
    merges,
    legacyDrawing,
  };
}

/** Whether all cells of a row are in columns that are known to be used, as in most rows: they need not be taken apart. */
function tellsNothing(raw: string, start: number, { used }: Found): boolean {
  if (!raw.startsWith('<row', start)) return false; // its cells have a prefix too
  for (let at = raw.indexOf(CELL, start); at >= 0; at = raw.indexOf(CELL, at)) {
    at += CELL.length;
    if (!raw.startsWith(REFERENCE, at)) return false;
    at += REFERENCE.length;
    if (used[columnIndex(raw.slice(at, at + LONG_ENOUGH))] !== 1) return false;
  }
  return true;
}

const CELL = '<c';
const REFERENCE = ' r="';
/** No column has more than three letters. */
const LONG_ENOUGH = 4;

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

const VALUE = /<(?:\w+:)?[tv](?:\s[^<>]*)?>([^<]*)</g;
const valueText = (content: string): string =>
  unescapeXml([...content.matchAll(VALUE)].map((match) => match[1]).join('')).trim();

type Known = ReadonlyMap<OwnHeader, number>;

async function ownColumns(found: Found, findStrings: FindStrings): Promise<Known> {
  if (found.shared.size > 0)
    for (const [index, text] of await findStrings(new Set(found.shared.keys())))
      found.titles.set(found.shared.get(index)!, text.trim());
  const known = new Map<OwnHeader, number>();
  for (const [column, title] of found.titles) {
    const header = TITLES.get(title);
    if (header !== undefined && !known.has(header)) known.set(header, column);
  }
  return known;
}

/** Those that the sheet has stay where they are; the others come one behind the other. */
function placed(known: Known, { used, lastHeader, lastUsed }: Found): Survey['own'] {
  let from = (lastHeader < 0 ? lastUsed : lastHeader) + 1;
  const free = (): number | undefined => {
    const column = used.indexOf(0, from);
    from = column + 1;
    return column < 0 ? undefined : column;
  };
  const placeOf = (header: OwnHeader): OwnColumn => ({
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

/** The shared strings of some numbers; the part is read no further than the last of them. */
export async function findStrings(
  { pieces }: PartText,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
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
    else if (local === 'si' && wanted.has(index)) found.set(index, text);
  });
  for await (const piece of pieces) {
    parser.write(piece);
    if (index > last) break;
  }
  return found;
}
