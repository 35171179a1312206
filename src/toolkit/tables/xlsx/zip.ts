import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { type Entry, fromFdPromise } from 'yauzl';
import { PipelineError, stop } from '../../core/issue.js';
import type { ReadLimits } from '../../core/limits.js';
import { wholeCharacters } from '../encoding.js';

/** File inside the zip, which can be read repeatedly. */
export interface ZipPart {
  readonly name: string;
  readonly packedBytes: number;
  /** Unpacks the part; size and checksum are verified at the end. The loop may be left at any time. */
  chunks(): AsyncGenerator<Buffer>;
}

/** Opened zip; parts are found by name, whatever their order, and never written to disk. */
export interface ZipArchive {
  readonly file: string;
  readonly limits: ReadLimits;
  /** Finds a part; OPC names ignore case and a leading slash. */
  part(name: string): ZipPart | undefined;
  /** All files in directory order, by their name as written, without folders. */
  readonly parts: readonly ZipPart[];
  /** Closes the file; pending readers get an error. */
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;

/** Returns the key by which OPC compares names. */
export const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
/** Code of a zip that cannot be read. */
type ZipFault =
  | 'file/not-readable'
  | 'file/zip-broken'
  | 'file/zip-bomb'
  | 'file/zip-ambiguous'
  | 'file/encrypted';

/**
 * Opens a zip.
 * @throws PipelineError `input`: `file/not-readable`, `file/zip-broken`, `file/zip-bomb`, `file/zip-ambiguous`; while a
 * part is read also `file/encrypted`
 */
export async function openZip(path: string, file: string, limits: ReadLimits): Promise<ZipArchive> {
  const refuse = (code: ZipFault, part: string, cause?: unknown): never =>
    stop('input', { code, params: { part }, place: { file } }, cause);
  const broken = (cause: unknown, part = ''): never => {
    if (cause instanceof PipelineError) throw cause;
    const ofTheSystem = cause instanceof Error && 'syscall' in cause;
    return refuse(ofTheSystem ? 'file/not-readable' : 'file/zip-broken', part, cause);
  };

  const handle = await open(path).catch(broken);
  let entries: Map<string, NamedEntry>;
  let mostRead: number;
  try {
    const { size } = await handle.stat();
    const mostBytes = Math.min(limits.totalBytes, Math.max(limits.freeBytes, limits.ratio * size));
    mostRead = mostBytes * limits.passes;
    entries = await readDirectory(handle, { ...limits, totalBytes: mostBytes }, refuse);
  } catch (cause) {
    await handle.close();
    return broken(cause);
  }

  let closed = false;
  let bytesRead = 0;
  const verifyOpen = (): void => {
    if (closed) throw new Error(`${file} is closed`);
  };
  async function* chunks({ entry }: NamedEntry, name: string): AsyncGenerator<Buffer> {
    verifyOpen();
    if (entry.isEncrypted()) refuse('file/encrypted', name);
    try {
      let size = 0;
      let checksum = 0;
      for await (const chunk of unpacked(handle, entry)) {
        verifyOpen();
        size += chunk.length;
        bytesRead += chunk.length;
        if (size > entry.uncompressedSize) throw new Error('more bytes than announced');
        if (bytesRead > mostRead) refuse('file/zip-bomb', name);
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      if (size !== entry.uncompressedSize || checksum !== entry.crc32)
        throw new Error('size or checksum differs');
    } catch (cause) {
      verifyOpen();
      broken(cause, name);
    }
  }
  const partOf = (found: NamedEntry, name: string): ZipPart => ({
    name,
    packedBytes: found.entry.compressedSize,
    chunks: () => chunks(found, name),
  });

  return {
    file,
    limits,
    part(name) {
      const found = entries.get(keyOf(name));
      return found && partOf(found, name);
    },
    parts: [...entries.values()].map((found) => partOf(found, found.name)),
    async close() {
      if (closed) return;
      closed = true;
      await handle.close();
    },
  };
}

interface NamedEntry {
  readonly name: string;
  readonly entry: Entry;
}

/**
 * Reads the directory, by the key of names. Ambiguous zips are refused: two files of one name, or two that share bytes.
 * The announced sizes are limits: `chunks` stops at the first byte beyond them.
 */
async function readDirectory(
  handle: FileHandle,
  limits: ReadLimits,
  refuse: (code: ZipFault, part: string) => never,
): Promise<Map<string, NamedEntry>> {
  // yauzl reads only the directory and closes nothing: its reading of parts fails in a callback if a reader leaves
  // early. Names stay bytes: it would refuse the file for a name like `../x`, which is only an unused key here.
  const zip = await fromFdPromise(handle.fd, { autoClose: false, decodeStrings: false });
  if (zip.entryCount > limits.entries) refuse('file/zip-bomb', '');
  const entries = new Map<string, NamedEntry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString('utf8');
    if (/[\\/]$/.test(name)) continue;
    const size = entry.uncompressedSize;
    total += size;
    if (size > limits.partBytes || total > limits.totalBytes) refuse('file/zip-bomb', name);
    if (size > limits.freeBytes && size > limits.ratio * entry.compressedSize) refuse('file/zip-bomb', name);
    if (entries.has(keyOf(name))) refuse('file/zip-ambiguous', name);
    entries.set(keyOf(name), { name, entry });
  }
  const inOrder = [...entries.values()].sort((a, b) => startOf(a.entry) - startOf(b.entry));
  let end = 0;
  for (const { name, entry } of inOrder) {
    if (startOf(entry) < end) refuse('file/zip-ambiguous', name);
    end = startOf(entry) + LOCAL_HEADER_BYTES + entry.compressedSize;
  }
  return entries;
}

const startOf = (entry: Entry): number => entry.relativeOffsetOfLocalHeader;

function unpacked(handle: FileHandle, entry: Entry): AsyncIterable<Buffer> {
  const method = entry.compressionMethod;
  if (method !== STORED && method !== DEFLATED) throw new Error(`compression method ${method}`);
  const packed = packedChunks(handle, entry);
  if (method === STORED) return packed;
  // Errors reach the reader through the last stream; pipeline also destroys the first, as does leaving the loop.
  const source = Readable.from(packed, { objectMode: false, highWaterMark: CHUNK_BYTES });
  return pipeline(source, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {});
}

/** Reads at explicit positions, so that an abandoned read ends on its own, and closing the file waits for it. */
async function* packedChunks(handle: FileHandle, entry: Entry): AsyncGenerator<Buffer> {
  const read = async (length: number, position: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new Error('unexpected end of file');
    return buffer.subarray(0, bytesRead);
  };
  const header = await read(LOCAL_HEADER_BYTES, startOf(entry));
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER)
    throw new Error('no local header');
  let at = startOf(entry) + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = at + entry.compressedSize;
  while (at < end) {
    const chunk = await read(Math.min(end - at, CHUNK_BYTES), at);
    at += chunk.length;
    yield chunk;
  }
}

export type Attributes = Readonly<Record<string, string>>;

/** Handlers with local names, called only for elements in the namespace of the root: extensions reuse the names. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes, namespaceOf: NamespaceOf): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Reader of child elements in their usual form, past the parser, which reads the others. */
export interface PlainChildren {
  /** Name of their parent; plain if its start tag has nothing else. */
  readonly parent: string;
  readonly child: string;
  /** Reads the child at `from`; returns its end, or a negative number if it is not plain. */
  read(text: string, from: number): number;
}

/** Returns the namespace of a prefix at this place; `''` is the default namespace. */
type NamespaceOf = (prefix: string) => string | undefined;

/**
 * Feeds a part to a SAX parser chunk by chunk and yields after each. Memory is bounded: depth and token size have
 * limits, and any DOCTYPE is refused, so no entity is ever defined.
 * @throws PipelineError `input`: `file/xml-broken`, `file/xml-entities`, and those of the zip
 */
export async function* parseXml(
  zip: ZipArchive,
  part: ZipPart,
  handlers: XmlHandlers,
  children?: PlainChildren,
): AsyncGenerator<void> {
  const parser = openParser(zip, part, handlers);
  const { end, judged } = parser;
  const parse = children === undefined ? parser.parse : besideParser(parser, children);
  let decode: Decode | undefined;
  const write = judged((bytes: Buffer, last: boolean): void => {
    decode ??= decoderFor(bytes);
    parse(decode(bytes, last), last);
    if (last) end();
  });
  for await (const chunk of part.chunks()) {
    write(chunk, false);
    yield;
  }
  write(Buffer.alloc(0), true);
  yield;
}

/** Creates the parser of a part; errors inside `judged` are reported as errors of the file. */
function openParser(zip: ZipArchive, part: ZipPart, handlers: XmlHandlers) {
  const { file, limits } = zip;
  const place = { file };
  const params = { part: part.name };
  const broken = (cause: unknown): never => stop('input', { code: 'file/xml-broken', params, place }, cause);

  // Without an error handler the parser throws. Each handler is a property more: with eight, V8 makes the parser a slow
  // dictionary. The parser's own namespaces would cost a third more per cell.
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names = localNames();
  const state: ParserState = { depth: 0, tag: undefined };
  let silent = 0;
  parser.on('doctype', () => stop('input', { code: 'file/xml-entities', params, place }));
  parser.on('attribute', names.attribute);
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0;
    state.depth += 1;
    if (state.depth > limits.depth) broken(new Error('too deep'));
    const local = names.open(name, state.depth);
    state.tag = local;
    if (local !== undefined) handlers.open(local, attributes, names.namespaceOf);
  });
  parser.on('closetag', ({ name }) => {
    const local = names.close(name, state.depth);
    state.depth -= 1;
    state.tag = local;
    if (local !== undefined) handlers.close?.(local);
  });
  if (handlers.text !== undefined) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }

  const parse = (text: string): void => {
    if (text === '') return;
    silent += text.length;
    parser.write(text);
    if (silent > limits.tokenChars) throw new Error('token too long');
    if (!isUnicode(parser.xmlDecl.encoding)) throw new Error('encoding');
  };
  const judged =
    <A extends unknown[]>(work: (...given: A) => void) =>
    (...given: A): void => {
      try {
        work(...given);
      } catch (cause) {
        if (cause instanceof PipelineError) throw cause;
        broken(cause);
      }
    };
  return { state, parse, judged, end: () => void parser.close() };
}

interface ParserState {
  depth: number;
  /** Local name of the last tag; undefined if it is of another namespace. */
  tag: string | undefined;
}

/** Max characters of an incomplete child or tag before the parser gets it. */
const MAX_PENDING = 2 ** 20;

/**
 * Passes a text to the parser except for the plain children of one element. Those are complete elements, so that the
 * parser still gets a document.
 */
function besideParser(
  { parse, state }: ReturnType<typeof openParser>,
  children: PlainChildren,
): (text: string, last: boolean) => void {
  const { parent, child } = children;
  const end = `</${child}>`;
  const tags = new RegExp(`<${parent}>|${end}`, 'g');
  let rest = '';
  let parentDepth = 0;
  /** True where a child may begin. */
  let isAmong = false;

  /** Parses up to the end of a tag. The last character by itself shows if it is one: comments may mention it. */
  const parseTag = (from: number, to: number): void => {
    parse(rest.slice(from, to - 1));
    state.tag = undefined;
    parse(rest.charAt(to - 1));
    if (state.tag === parent) parentDepth = state.depth;
    isAmong = state.tag !== undefined && state.depth === parentDepth;
  };

  /** Returns the place up to which all is read. */
  const readWhole = (): number => {
    for (let from = 0; ; ) {
      if (isAmong) {
        if (rest.indexOf(end, from) < 0) return from;
        const to = children.read(rest, from);
        isAmong = to >= 0;
        if (isAmong) from = to;
        continue;
      }
      tags.lastIndex = from;
      if (!tags.test(rest)) return from;
      const to = tags.lastIndex;
      parseTag(from, to);
      from = to;
    }
  };

  return (text, last) => {
    rest += text;
    rest = rest.slice(readWhole());
    const isOver = last || rest.length > MAX_PENDING;
    if (isAmong && !isOver) return;
    isAmong = false;
    // The last tag may be incomplete.
    const to = isOver ? rest.length : Math.max(0, rest.lastIndexOf('<'));
    parse(rest.slice(0, to));
    rest = rest.slice(to);
  };
}

/** Reads a small part completely. */
export async function readXml(zip: ZipArchive, part: ZipPart, handlers: XmlHandlers): Promise<void> {
  for await (const _ of parseXml(zip, part, handlers));
}

/** Declarations of an element, with those around it. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
  readonly depth: number;
}

const DECLARATION = /^xmlns(?::|$)/;

/**
 * Tracks namespaces; returns the local name of an element in the root's namespace, else undefined. An element without
 * prefix, where no scope begins or ends, costs a comparison.
 */
function localNames() {
  let scope: Scope | undefined;
  let declared: Map<string, string> | undefined;
  let rootNamespace: string | undefined;
  /** Prefix of the root with its colon. */
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
    unprefixedIsOwn = (namespaceOf('') ?? '') === rootNamespace;
    rootPrefixHolds = rootPrefix !== '' && namespaceOf(rootPrefix.slice(0, -1)) === rootNamespace;
  };
  const localOf = (name: string): string | undefined => {
    if (rootPrefixHolds && name.startsWith(rootPrefix)) return name.slice(rootPrefix.length);
    const colon = name.indexOf(':');
    if (colon < 0) return unprefixedIsOwn ? name : undefined;
    const namespace = namespaceOf(name.slice(0, colon));
    if (namespace === undefined) throw new Error(`undeclared prefix in ${name}`);
    return namespace === rootNamespace ? name.slice(colon + 1) : undefined;
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
        rootNamespace = namespaceOf(rootPrefix.slice(0, -1)) ?? '';
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

/** First two bytes of UTF-16: a byte order mark, or `<`. */
const UTF_16: Readonly<Record<number, 'utf-16le' | 'utf-16be'>> = {
  65534: 'utf-16le', // FF FE
  15360: 'utf-16le', // 3C 00
  65279: 'utf-16be', // FE FF
  60: 'utf-16be', // 00 3C
};

/** Creates the decoder of a part, UTF-8 or UTF-16 (ECMA-376 part 2, 8.1.4). */
function decoderFor(start: Buffer): Decode {
  const utf16 = start.length < 2 ? undefined : UTF_16[start.readUInt16BE(0)];
  if (utf16 !== undefined) {
    const decoder = new TextDecoder(utf16, { fatal: true });
    return (bytes, last) => decoder.decode(bytes, { stream: !last });
  }
  const cut = wholeCharacters();
  return (bytes, last) => {
    const complete = cut(bytes, last);
    if (!isUtf8(complete)) throw new Error('not UTF-8');
    return complete.toString('utf8');
  };
}

/** True for `1`, `true` and `on`, as the standard and its writers write it. */
export const isTrue = (value: string | undefined): boolean =>
  value === '1' || value === 'true' || value === 'on';
