import { isUtf8 } from 'node:buffer';
import { SaxesParser } from 'saxes';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import { wholeCharacters } from '../utf8.js';
import type { ZipArchive, ZipPart } from './zip.js';

export type Attributes = Readonly<Record<string, string>>;

/** Names come as written, prefix included. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

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
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let silent = 0;
  parser.on('doctype', () => stop('input', { code: 'file/xml-entities', params, place }));
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0;
    if (++depth > limits.depth) broken(new Error('too deep'));
    handlers.open(name, attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handlers.close?.(name);
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

const isUnicode = (encoding = 'utf-8'): boolean => /^(utf-?8|utf-?16|us-ascii)$/i.test(encoding);

type Decode = (bytes: Buffer, last: boolean) => string;

/** Parts are UTF-8 or UTF-16 (ECMA-376 part 2, 8.1.4). */
function decoderFor(start: Buffer): Decode {
  const mark = start.length < 2 ? 0 : start.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) {
    const decoder = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be', { fatal: true });
    return (bytes, last) => decoder.decode(bytes, { stream: !last });
  }
  const cut = wholeCharacters();
  return (bytes, last) => {
    const whole = cut(bytes, last);
    if (!isUtf8(whole)) throw new Error('not UTF-8');
    return whole.toString('utf8');
  };
}

/** `x:row` → `row`. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** `1`, `true` and `on` are how the standard and its writers say yes. */
export const isTrue = (value: string | undefined): boolean =>
  value === '1' || value === 'true' || value === 'on';
