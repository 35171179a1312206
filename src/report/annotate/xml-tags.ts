import { unreachable } from '../../toolkit/core/required.js';

/** Tag by its offsets in a text, so that everything else stays as written, character for character. */
export interface Tag {
  readonly kind: 'open' | 'close' | 'empty';
  /** Name as written, with its prefix. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Element by its offsets; `tagEnd === contentEnd === end` if it is empty. */
export interface Element {
  readonly name: string;
  /** Name without prefix. */
  readonly local: string;
  readonly start: number;
  readonly tagEnd: number;
  readonly contentEnd: number;
  readonly end: number;
}

const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** Finds the next tag at or after `from`; undefined if the text ends first. */
export function nextTag(text: string, from: number): Tag | undefined {
  let start = text.indexOf('<', from);
  for (;;) {
    if (start < 0 || start + 1 >= text.length) return undefined;
    const second = text.charCodeAt(start + 1);
    if (second !== 33 && second !== 63) break; // `!` and `?`
    const skipped = SKIPPED.find(([opening]) => text.startsWith(opening, start));
    if (skipped === undefined) {
      // The start of a comment may be cut off by the end of the text read so far.
      if (text.length - start < 9) return undefined;
      throw new Error('declaration in a part');
    }
    const end = text.indexOf(skipped[1], start + skipped[0].length);
    if (end < 0) return undefined;
    start = text.indexOf('<', end + skipped[1].length);
  }
  const end = tagEnd(text, start);
  if (end < 0) return undefined;
  const closing = text.charCodeAt(start + 1) === 47;
  const nameStart = start + (closing ? 2 : 1);
  let nameEnd = nameStart;
  while (!isDelimiter(text.charCodeAt(nameEnd))) nameEnd++;
  const kind = closing ? 'close' : text.charCodeAt(end - 2) === 47 ? 'empty' : 'open';
  return { kind, name: text.slice(nameStart, nameEnd), start, end };
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const isDelimiter = (code: number): boolean => isSpace(code) || code === 62 || code === 47;

/** Returns the offset after the `>` that closes a tag, ignoring quoted ones; -1 if it is missing. */
function tagEnd(text: string, start: number): number {
  let quote = 0;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62) return at + 1;
    else if (code === 34 || code === 39) quote = code;
  }
  return -1;
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
/** Returns `x:` for `x:row`. */
export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

/** Returns the element that a tag opens; undefined if the text ends first. */
export function elementAt(text: string, tag: Tag): Element | undefined {
  const { name, start, end: tagEnd } = tag;
  const local = localName(name);
  if (tag.kind === 'empty') return { name, local, start, tagEnd, contentEnd: tagEnd, end: tagEnd };
  let depth = 1;
  for (let next = nextTag(text, tagEnd); next !== undefined; next = nextTag(text, next.end)) {
    if (next.kind === 'open') depth++;
    else if (next.kind === 'close' && --depth === 0)
      return { name, local, start, tagEnd, contentEnd: next.start, end: next.end };
  }
  return undefined;
}

/** Returns the root element. @throws Error if the text is not a complete document */
export function rootOf(text: string): Element {
  const tag = nextTag(text, 0);
  const root = tag && elementAt(text, tag);
  if (root === undefined) throw new Error('no complete element');
  return root;
}

export function* childrenOf(text: string, parent: Element): Generator<Element> {
  let at = parent.tagEnd;
  while (at < parent.contentEnd) {
    const tag = nextTag(text, at);
    if (tag === undefined || tag.start >= parent.contentEnd) return;
    const child = tag.kind === 'close' ? undefined : elementAt(text, tag);
    if (child === undefined) throw new Error(`element ${tag.name} has no end`);
    yield child;
    at = child.end;
  }
}

export const childNamed = (text: string, parent: Element, local: string): Element | undefined => {
  for (const child of childrenOf(text, parent)) if (child.local === local) return child;
  return undefined;
};

export const rawOf = (text: string, { start, end }: { start: number; end: number }): string =>
  text.slice(start, end);

export const contentOf = (text: string, element: Element): string =>
  text.slice(element.tagEnd, element.contentEnd);

/** Replaces the content of an element; an empty one is opened. */
export function withContent(text: string, element: Element, content: string): string {
  const tag = text.slice(element.start, element.tagEnd).replace(/(?<!\s)\s*\/>$/, '>');
  return `${tag}${content}</${element.name}>`;
}

export const withAppended = (text: string, element: Element, child: string): string =>
  text.slice(0, element.start) +
  withContent(text, element, contentOf(text, element) + child) +
  text.slice(element.end);

/** Attribute by its offsets: `before` includes the blank before it, `from` and `to` are inside the quotes. */
interface AttributeSpan {
  readonly name: string;
  readonly before: number;
  readonly from: number;
  readonly to: number;
}

/** Finds the attribute at or after `at` in a tag that ends at `end`. */
function attributeFrom(text: string, at: number, end: number): AttributeSpan | undefined {
  const equals = text.indexOf('=', at);
  if (equals < 0 || equals >= end) return undefined;
  let start = at;
  while (isSpace(text.charCodeAt(start))) start++;
  let nameEnd = equals;
  while (isSpace(text.charCodeAt(nameEnd - 1))) nameEnd--;
  let opening = equals + 1;
  while (isSpace(text.charCodeAt(opening))) opening++;
  const to = text.indexOf(text.charAt(opening), opening + 1);
  if (to < 0 || to >= end) return undefined;
  return { name: text.slice(start, nameEnd), before: at, from: opening + 1, to };
}

/** Returns the offset after the element's name. */
function afterName(text: string, start: number, end: number): number {
  let at = start + 1;
  while (at < end && !isSpace(text.charCodeAt(at))) at++;
  return at;
}

function findAttribute(text: string, start: number, end: number, name: string): AttributeSpan | undefined {
  let at = afterName(text, start, end);
  for (;;) {
    const span = attributeFrom(text, at, end);
    if (span === undefined || span.name === name) return span;
    at = span.to + 1;
  }
}

/** Returns an attribute of the tag between two offsets, as written. */
export function attributeIn(text: string, start: number, end: number, name: string): string | undefined {
  const span = findAttribute(text, start, end, name);
  return span && text.slice(span.from, span.to);
}

/** Returns all attributes of the tag between two offsets, unescaped. */
export function attributesIn(text: string, start: number, end: number): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  let span = attributeFrom(text, afterName(text, start, end), end);
  for (; span !== undefined; span = attributeFrom(text, span.to + 1, end))
    all[span.name] = unescapeXml(text.slice(span.from, span.to));
  return all;
}

/** Returns a tag that is known to follow. */
export const tagAt = (text: string, from: number): Tag => nextTag(text, from) ?? unreachable('tag');

/** Sets an attribute of a tag, or removes it if the value is undefined. The value is written as it is. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const span = findAttribute(tag, 0, tag.length, name);
  if (span !== undefined)
    return value === undefined
      ? tag.slice(0, span.before) + tag.slice(span.to + 1)
      : tag.slice(0, span.from) + value + tag.slice(span.to);
  if (value === undefined) return tag;
  return tag.replace(/(?<!\s)\s*\/?>$/, (end) => ` ${name}="${value}"${end}`);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export const unescapeXml = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (reference, hex, decimal, name) => {
        if (name !== undefined) return ENTITIES[name] ?? reference;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
      })
    : text;
