/** Where an attribute's value stands, quotes excluded, and where the attribute with its blank begins. */
interface Found {
  readonly name: string;
  readonly before: number;
  readonly from: number;
  readonly to: number;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

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
  const end = /\s*\/?>$/.exec(tag)!.index;
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
