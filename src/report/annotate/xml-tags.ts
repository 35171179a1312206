/**
 * Tags found in a text by their offsets, so that all that is not changed stays as it was written, character for character.
 * A parser would give values; here only places are wanted.
 */
export interface Tag {
  readonly kind: 'open' | 'close' | 'empty';
  /** As written, prefix included. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** An element: its tag, what stands inside, and its end. Empty ones have `tagEnd === contentEnd === end`. */
export interface Element {
  readonly name: string;
  /** Without prefix. */
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

/** The next tag at or after `from`; undefined when the text ends before it does. */
export function nextTag(text: string, from: number): Tag | undefined {
  let start = text.indexOf('<', from);
  for (;;) {
    if (start < 0 || start + 1 >= text.length) return undefined;
    const second = text.charCodeAt(start + 1);
    if (second !== 33 && second !== 63) break; // `!` and `?`
    const skipped = SKIPPED.find(([opening]) => text.startsWith(opening, start));
    if (skipped === undefined) {
      // The opening of a comment may itself be cut by the end of what was read so far.
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

/** Past the `>` that closes a tag; one within quotes closes nothing. */
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
/** `x:row` → `x:`. */
export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

/** The element that a tag opens; undefined when the text ends before it does. */
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

/** @throws Error when the text is no complete document */
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

/** What stands between the tags. */
export const contentOf = (text: string, element: Element): string =>
  text.slice(element.tagEnd, element.contentEnd);

/** An element with the same tag and another content; an empty one is opened for it. */
export function withContent(text: string, element: Element, content: string): string {
  const tag = text.slice(element.start, element.tagEnd).replace(/(?<!\s)\s*\/>$/, '>');
  return `${tag}${content}</${element.name}>`;
}

/** Where an attribute's value stands, quotes excluded, and where the attribute with its blank begins. */
interface Found {
  readonly name: string;
  readonly before: number;
  readonly from: number;
  readonly to: number;
}

/** The attribute that begins at or after `at`, inside a tag that ends at `end`. */
function attributeFrom(text: string, at: number, end: number): Found | undefined {
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

/** Past the name of the element. */
function afterName(text: string, start: number, end: number): number {
  let at = start + 1;
  while (at < end && !isSpace(text.charCodeAt(at))) at++;
  return at;
}

function find(text: string, start: number, end: number, name: string): Found | undefined {
  let at = afterName(text, start, end);
  for (;;) {
    const found = attributeFrom(text, at, end);
    if (found === undefined || found.name === name) return found;
    at = found.to + 1;
  }
}

/** An attribute of the tag between two offsets, as written. */
export function attributeIn(text: string, start: number, end: number, name: string): string | undefined {
  const found = find(text, start, end, name);
  return found && text.slice(found.from, found.to);
}

/** All attributes of the tag between two offsets, with the characters that references stand for. */
export function attributesIn(text: string, start: number, end: number): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  let found = attributeFrom(text, afterName(text, start, end), end);
  for (; found !== undefined; found = attributeFrom(text, found.to + 1, end))
    all[found.name] = unescapeXml(text.slice(found.from, found.to));
  return all;
}

/** A tag with an attribute set, or without it when the value is undefined. The value is written as it is. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const found = find(tag, 0, tag.length, name);
  if (found !== undefined)
    return value === undefined
      ? tag.slice(0, found.before) + tag.slice(found.to + 1)
      : tag.slice(0, found.from) + value + tag.slice(found.to);
  if (value === undefined) return tag;
  const end = /(?<!\s)\s*\/?>$/.exec(tag)!.index;
  return `${tag.slice(0, end)} ${name}="${value}"${tag.slice(end)}`;
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export const unescapeXml = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return NAMED[name] ?? whole;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;
