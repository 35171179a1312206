import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import { PipelineError, stop } from '../../core/issue.js';
import { wholeCharacters } from '../encoding.js';
import type { ZipArchive, ZipPart } from './zip.js';

export type Attributes = Readonly<Record<string, string>>;

/** Names are local and come only of elements in the namespace of the root: extensions use the same names for other things. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes, namespaceOf: NamespaceOf): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** The namespace that a prefix stands for at this place; the default namespace has the prefix `''`. */
export type NamespaceOf = (prefix: string) => string | undefined;

/**
 * Feeds a part through a SAX parser, a chunk at a time, and yields after each: what the handlers gathered can be taken then.
 * Memory is bounded: depth and the size of a single token have limits, and any DOCTYPE is refused, so no entity is ever defined.
 * @throws PipelineError `input`: `file/xml-broken`, `file/xml-entities`, and what reading the zip can say.
 */
export async function* parseXml(zip: ZipArchive, part: ZipPart, handlers: XmlHandlers): AsyncGenerator<void> {
  const { file, limits } = zip;
  const place = { file };
  const params = { part: part.name };
  const broken = (cause: unknown): never => stop('input', { code: 'file/xml-broken', params, place }, cause);

  // Without an error handler the parser throws. And each handler is a property more: with eight V8 makes the parser a slow dictionary.
  // The parser's own namespaces would cost a third more for every cell.
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names = localNames();
  let depth = 0;
  let silent = 0;
  parser.on('doctype', () => stop('input', { code: 'file/xml-entities', params, place }));
  parser.on('attribute', names.attribute);
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0;
    if (++depth > limits.depth) broken(new Error('too deep'));
    const local = names.open(name, depth);
    if (local !== undefined) handlers.open(local, attributes, names.namespaceOf);
  });
  parser.on('closetag', ({ name }) => {
    const local = names.close(name, depth--);
    if (local !== undefined) handlers.close?.(local);
  });
  if (handlers.text !== undefined) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }

  let decode: Decode | undefined;
  const write = (bytes: Buffer, last: boolean): void => {
    try {
      decode ??= decoderFor(bytes);
      const text = decode(bytes, last);
      silent += text.length;
      parser.write(text);
      if (silent > limits.tokenChars) throw new Error('token too long');
      if (!isUnicode(parser.xmlDecl.encoding)) throw new Error('encoding');
      if (last) parser.close();
    } catch (cause) {
      if (cause instanceof PipelineError) throw cause;
      broken(cause);
    }
  };
  for await (const chunk of part.chunks()) {
    write(chunk, false);
    yield;
  }
  write(Buffer.alloc(0), true);
  yield;
}

/** Reads a small part to its end. */
export async function readXml(zip: ZipArchive, part: ZipPart, handlers: XmlHandlers): Promise<void> {
  for await (const _ of parseXml(zip, part, handlers));
}

/** The declarations of an element, and those around it. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
  readonly depth: number;
}

const DECLARATION = /^xmlns(?::|$)/;

/**
 * Follows which prefix stands for what, and gives the local name of an element in the root's namespace, else undefined.
 * It runs for every cell: an element without prefix, where no scope begins or ends, costs a comparison.
 */
function localNames() {
  let scope: Scope | undefined;
  let declared: Map<string, string> | undefined;
  let own: string | undefined;
  /** The prefix that the root bears, with its colon, and whether it still stands for the same. */
  let rootPrefix = '';
  let rootPrefixHolds = false;
  let unprefixedIsOwn = true;

  const namespaceOf: NamespaceOf = (prefix) => {
    for (let at = scope; at !== undefined; at = at.outer) {
      const namespace = at.declared.get(prefix);
      if (namespace !== undefined) return namespace;
    }
    return undefined;
  };
  const enter = (next: Scope | undefined): void => {
    scope = next;
    unprefixedIsOwn = (namespaceOf('') ?? '') === own;
    rootPrefixHolds = rootPrefix !== '' && namespaceOf(rootPrefix.slice(0, -1)) === own;
  };
  const localOf = (name: string): string | undefined => {
    if (rootPrefixHolds && name.startsWith(rootPrefix)) return name.slice(rootPrefix.length);
    const colon = name.indexOf(':');
    if (colon < 0) return unprefixedIsOwn ? name : undefined;
    const namespace = namespaceOf(name.slice(0, colon));
    if (namespace === undefined) throw new Error(`undeclared prefix in ${name}`);
    return namespace === own ? name.slice(colon + 1) : undefined;
  };

  return {
    namespaceOf,
    attribute({ name, value }: { readonly name: string; readonly value: string }): void {
      if (name.charCodeAt(0) !== 120 || !DECLARATION.test(name)) return;
      declared ??= new Map();
      declared.set(name.slice('xmlns:'.length), value.trim());
    },
    open(name: string, depth: number): string | undefined {
      if (declared !== undefined) {
        enter({ declared, outer: scope, depth });
        declared = undefined;
      }
      if (depth === 1) {
        rootPrefix = name.slice(0, name.indexOf(':') + 1);
        own = namespaceOf(rootPrefix.slice(0, -1)) ?? '';
        enter(scope);
      }
      return localOf(name);
    },
    close(name: string, depth: number): string | undefined {
      const local = localOf(name);
      if (scope?.depth === depth) enter(scope.outer);
      return local;
    },
  };
}

const isUnicode = (encoding = 'utf-8'): boolean => /^(utf-?8|utf-?16(le|be)?|us-ascii)$/i.test(encoding);

type Decode = (bytes: Buffer, last: boolean) => string;

/** How UTF-16 begins: with a mark, or with `<`. */
const UTF_16: Readonly<Record<number, 'utf-16le' | 'utf-16be'>> = {
  65534: 'utf-16le', // FF FE
  15360: 'utf-16le', // 3C 00
  65279: 'utf-16be', // FE FF
  60: 'utf-16be', // 00 3C
};

/** Parts are UTF-8 or UTF-16 (ECMA-376 part 2, 8.1.4). */
function decoderFor(start: Buffer): Decode {
  const utf16 = start.length < 2 ? undefined : UTF_16[start.readUInt16BE(0)];
  if (utf16 !== undefined) {
    const decoder = new TextDecoder(utf16, { fatal: true });
    return (bytes, last) => decoder.decode(bytes, { stream: !last });
  }
  const cut = wholeCharacters();
  return (bytes, last) => {
    const whole = cut(bytes, last);
    if (!isUtf8(whole)) throw new Error('not UTF-8');
    return whole.toString('utf8');
  };
}

/** `1`, `true` and `on` are how the standard and its writers say yes. */
export const isTrue = (value: string | undefined): boolean =>
  value === '1' || value === 'true' || value === 'on';
