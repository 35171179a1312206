import { TextDecoder } from 'node:util';

/**
 * How the bytes of a part become text to look for tags in. UTF-8 is taken byte by byte (Latin-1): tags are ASCII, all else passes
 * unchanged and need not be understood, and what is added is ASCII as well. UTF-16 is decoded and encoded again.
 */
export type PartEncoding = 'bytes' | 'utf-16le' | 'utf-16be';
/** Parts that are new are written as text. */
export type TargetEncoding = PartEncoding | 'utf-8';

export function encodingOf(start: Buffer): PartEncoding {
  const mark = start.length < 2 ? 0 : start.readUInt16BE(0);
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'bytes';
}

export function encode(text: string, encoding: TargetEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'bytes') return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** A piece of the text as people read it. */
export const readable = (piece: string, encoding: PartEncoding): string =>
  encoding === 'bytes' ? Buffer.from(piece, 'latin1').toString('utf8') : piece;

/** The text of a part, a chunk at a time; `encoding` is known once the first has come. */
export interface PartText {
  encoding: PartEncoding;
  readonly pieces: AsyncGenerator<string>;
}

export function textOf(chunks: AsyncIterable<Buffer>): PartText {
  const text: PartText = { encoding: 'bytes', pieces: pieces() };
  async function* pieces(): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined;
    let first = true;
    for await (const chunk of chunks) {
      if (first) {
        text.encoding = encodingOf(chunk);
        // The mark stays in the text, and so comes out again.
        if (text.encoding !== 'bytes') decoder = new TextDecoder(text.encoding, { ignoreBOM: true });
        first = false;
      }
      yield decoder === undefined ? chunk.toString('latin1') : decoder.decode(chunk, { stream: true });
    }
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  }
  return text;
}
