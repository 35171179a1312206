import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stop } from '../core/issue.js';
import type { ReadLimits } from '../core/limits.js';

const NOTHING: Buffer = Buffer.alloc(0);

/** Returns the number of bytes, 0 to 3, of an incomplete character at the end. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes.readUInt8(bytes.length - back);
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Creates a function that returns complete characters of a stream of chunks and retains the rest for the next call. */
export function wholeCharacters(): (chunk: Buffer, last?: boolean) => Buffer {
  let rest = NOTHING;
  return (chunk, last = false) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const cut = bytes.length - (last ? 0 : unfinished(bytes));
    rest = bytes.subarray(cut);
    return bytes.subarray(0, cut);
  };
}

/**
 * Characters of the bytes 0x80 to 0x9F in Windows-1252, which is Latin-1 otherwise (WHATWG Encoding, index
 * windows-1252). TextDecoder reads these as control characters from Node 20.18.3 on and in several later lines.
 */
const UPPER_CONTROLS = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

const fromWindows1252 = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (char) => UPPER_CONTROLS.charAt(char.charCodeAt(0) - 0x80));

/** Encodes a text; undefined if the encoding lacks a character of it. */
export function encodeText(text: string, encoding: TextEncoding): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (isUtf16(encoding)) {
    const bytes = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16be' ? bytes.swap16() : bytes;
  }
  const codes = Array.from(text, (char) => {
    const upper = char === '\ufffd' ? -1 : UPPER_CONTROLS.indexOf(char);
    const code = char.codePointAt(0) ?? -1;
    return upper >= 0 ? 0x80 + upper : code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : -1;
  });
  return codes.includes(-1) ? undefined : Buffer.from(codes);
}

/** True if a byte is undefined in Windows-1252. */
const hasUndefinedByte = (bytes: Buffer): boolean => /[\x81\x8d\x8f\x90\x9d]/.test(bytes.toString('latin1'));

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Facts about a text file, found by reading all of its bytes. */
export interface TextScan {
  readonly encoding: TextEncoding;
  /** Byte after the byte order mark. */
  readonly start: number;
  /** True if a line may end in a carriage return. */
  readonly carriageReturns: boolean;
  /** True if there are quotes, so that a field may contain line breaks. */
  readonly quotes: boolean;
}

interface Facts {
  readonly size: number;
  readonly nul: boolean;
  readonly utf8: boolean;
  /** True if letters beyond ASCII occur in UTF-8, even if other bytes are not UTF-8. */
  readonly utf8Letters: boolean;
  readonly undefinedInWindows: boolean;
  readonly carriageReturns: boolean;
  readonly quotes: boolean;
  /** Bytes of the longest stretch without a line break, to the nearest chunk. */
  readonly longestLine: number;
  readonly mark?: (typeof MARKS)[number];
}

const CHUNK_BYTES = 64 * 1024;
const MARKS: readonly (readonly [bytes: string, encoding: TextEncoding])[] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
];
const isUtf16 = (encoding: TextEncoding): boolean => encoding.startsWith('utf-16');

/** Reads the bytes of a file or zip entry from `start`, as often as needed. */
export type Bytes = (start: number) => AsyncIterable<Buffer>;

export const fileBytes =
  (path: string): Bytes =>
  (start) =>
    createReadStream(path, { start, highWaterMark: CHUNK_BYTES });

/** Code of a text that cannot be read. */
type Unreadable = 'file/empty' | 'file/binary' | 'file/encoding' | 'file/record-too-long';

/**
 * Reads the whole file once to detect its encoding. A byte order mark decides; else valid UTF-8 is UTF-8, other text
 * Windows-1252, unless it also holds UTF-8 letters: then two encodings are mixed and either reading would garble names.
 * @throws PipelineError `input`: `file/encoding`, `file/binary` (a NUL), `file/empty`, `file/record-too-long`
 */
export async function scanText(
  bytes: Bytes,
  file: string,
  limits: ReadLimits,
  given?: TextEncoding,
): Promise<TextScan> {
  const fail = (code: Unreadable, cause?: unknown): never => stop('input', { code, place: { file } }, cause);
  const facts = await gatherFacts(bytes);
  const start = facts.mark?.[0].length ?? 0;
  const encoding = given ?? facts.mark?.[1] ?? (facts.utf8 ? 'utf-8' : 'windows-1252');

  if (facts.size === start) fail('file/empty');
  if (isUtf16(encoding)) await verifyUtf16(bytes, encoding, start, fail);
  else if (facts.nul) fail('file/binary');
  if (encoding === 'utf-8' && !facts.utf8) fail('file/encoding');
  if (encoding === 'windows-1252') {
    const mixed = given === undefined && facts.utf8Letters;
    if (mixed || facts.undefinedInWindows) fail('file/encoding');
  }
  if (facts.longestLine > limits.recordBytes) fail('file/record-too-long');
  return { encoding, start, carriageReturns: facts.carriageReturns, quotes: facts.quotes };
}

async function gatherFacts(bytes: Bytes): Promise<Facts> {
  const completeCharacters = wholeCharacters();
  let mark: Facts['mark'];
  let size = 0;
  let nul = false;
  let utf8 = true;
  let utf8Letters = false;
  let undefinedInWindows = false;
  let carriageReturns = false;
  let quotes = false;
  let line = 0;
  let longestLine = 0;
  const look = (text: Buffer): void => {
    if (isAscii(text)) return;
    if (isUtf8(text)) {
      utf8Letters = true;
      return;
    }
    utf8 = false;
    undefinedInWindows ||= hasUndefinedByte(text);
    // `á` to `ÿ`, `¿` and `º` in UTF-8; in Windows-1252 `Ã±` and the like are no words.
    utf8Letters ||= /[\xc2\xc3][\x80-\xbf]/.test(text.toString('latin1'));
  };
  for await (const chunk of bytes(0)) {
    if (size === 0) {
      const head = chunk.toString('latin1', 0, 3);
      mark = MARKS.find(([bytes]) => head.startsWith(bytes));
    }
    size += chunk.length;
    nul ||= chunk.includes(0);
    carriageReturns ||= chunk.includes(13);
    quotes ||= chunk.includes(34);
    const lastBreak = Math.max(chunk.lastIndexOf(10), chunk.lastIndexOf(13));
    line = lastBreak < 0 ? line + chunk.length : chunk.length - lastBreak;
    longestLine = Math.max(longestLine, line);
    look(completeCharacters(chunk));
  }
  look(completeCharacters(Buffer.alloc(0), true));
  return { size, nul, utf8, utf8Letters, undefinedInWindows, carriageReturns, quotes, longestLine, mark };
}

async function verifyUtf16(
  bytes: Bytes,
  encoding: TextEncoding,
  start: number,
  fail: (code: Unreadable, cause?: unknown) => never,
): Promise<void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      return fail('file/encoding', cause);
    }
  };
  for await (const chunk of bytes(start)) if (decode(chunk).includes('\0')) fail('file/binary');
  decode();
}

/** Converts a part of a text in a one-byte encoding, or returns UTF-8 as it is. */
const toUtf8 = (bytes: Buffer, encoding: TextEncoding): Buffer =>
  encoding === 'windows-1252' ? Buffer.from(fromWindows1252(bytes)) : bytes;

/** Returns the text from byte `start` as chunks of UTF-8, in an encoding detected by `scanText`. */
export async function* utf8Chunks(
  bytes: Bytes,
  encoding: TextEncoding,
  start: number,
): AsyncGenerator<Buffer> {
  const decoder = isUtf16(encoding) ? new TextDecoder(encoding) : undefined;
  for await (const chunk of bytes(start)) {
    if (decoder !== undefined) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    else yield toUtf8(chunk, encoding);
  }
}
