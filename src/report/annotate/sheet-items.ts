import { attributeIn } from './xml-attributes.js';
import { type Element, elementAt, localName, nextTag, prefixOf, type Tag } from './xml-tags.js';

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
    const opened = `${this.#text.slice(tag.start, tag.end).replace(/\s*\/>$/, '')}></${tag.name}>`;
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
