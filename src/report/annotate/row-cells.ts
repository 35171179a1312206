import { attributeIn } from './xml-attributes.js';
import { localName, nextTag, type Tag } from './xml-tags.js';

/** A cell of a row by its offsets in the row's text. */
export interface CellSpan {
  /** 0-based. */
  readonly column: number;
  readonly start: number;
  readonly tagEnd: number;
  readonly end: number;
}

export interface RowSpans {
  readonly tag: Tag;
  readonly cells: readonly CellSpan[];
  /** Where the row is closed; the end of the tag when the row is empty. */
  readonly contentEnd: number;
}

/** `AB12` → 27. */
export function columnOf(reference: string): number {
  let index = 0;
  for (let i = 0; i < reference.length; i++) {
    const code = reference.charCodeAt(i) & ~32;
    if (code < 65 || code > 90) break;
    index = index * 26 + code - 64;
  }
  return index - 1;
}

/** The cells of a row, in the order in which they are written. */
export function spansOf(raw: string, start: number): RowSpans {
  const tag = nextTag(raw, start)!;
  const cells: CellSpan[] = [];
  if (tag.kind === 'empty') return { tag, cells, contentEnd: tag.end };
  const name = `${tag.name.slice(0, -'row'.length)}c`;
  // Comments hide tags; without any, the end of a cell is found by its closing tag alone.
  const plain = !raw.includes('<!', tag.end);
  let column = -1;
  let depth = 0;
  for (let next = nextTag(raw, tag.end); next !== undefined; ) {
    let end = next.end;
    if (next.kind === 'close') {
      if (depth-- === 0) return { tag, cells, contentEnd: next.start };
    } else if (depth === 0 && next.name === name) {
      const reference = attributeIn(raw, next.start, next.end, 'r');
      column = reference === undefined ? column + 1 : columnOf(reference);
      if (next.kind === 'open') end = cellEnd(raw, next, plain);
      cells.push({ column, start: next.start, tagEnd: next.end, end });
    } else if (next.kind === 'open') depth++;
    next = nextTag(raw, end);
  }
  throw new Error('row has no end');
}

function cellEnd(raw: string, tag: Tag, plain: boolean): number {
  if (plain) {
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

/** Whether a cell holds a value, a text or a formula, and not only a style. */
export const isFilled = (raw: string, { tagEnd, end }: CellSpan): boolean => {
  for (let tag = nextTag(raw, tagEnd); tag !== undefined && tag.start < end; tag = nextTag(raw, tag.end))
    if (tag.kind === 'open' || localName(tag.name) === 'f') return true;
  return false;
};

export const hasFormula = (raw: string, { tagEnd, end }: CellSpan): boolean =>
  /<(\w+:)?f[\s/>]/.test(raw.slice(tagEnd, end));

/** Index of the style that a tag names; 0 when none. */
export const styleOf = (raw: string, start: number, end: number): number =>
  Number(attributeIn(raw, start, end, 's') ?? 0);
