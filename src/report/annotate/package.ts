import { basename, posix } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { stop } from '../../toolkit/core/issue.js';
import { keyOf } from '../../toolkit/tables/xlsx/zip.js';
import {
  attributeIn,
  attributesIn,
  childNamed,
  childrenOf,
  prefixOf,
  rootOf,
  withAppended,
} from './xml-tags.js';

/**
 * Encoding in which a part is searched for tags. UTF-8 is read byte by byte (Latin-1): tags and additions are
 * ASCII, all other bytes pass unchanged. UTF-16 is decoded and encoded again.
 */
type PartEncoding = 'bytes' | 'utf-16le' | 'utf-16be';
/** New parts are written as UTF-8. */
type TargetEncoding = PartEncoding | 'utf-8';

function encodingOf(start: Buffer): PartEncoding {
  const mark = start.length < 2 ? 0 : start.readUInt16BE(0);
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'bytes';
}

function encode(text: string, encoding: TargetEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'bytes') return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Decodes a piece of text for reading. */
export const readable = (piece: string, encoding: PartEncoding): string =>
  encoding === 'bytes' ? Buffer.from(piece, 'latin1').toString('utf8') : piece;

/** Text of a part in chunks; `encoding` is known once the first one has come. */
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
        // The byte order mark stays in the text, so that it is written again.
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

export interface PartContent {
  readonly text: string;
  readonly encoding: PartEncoding;
}

interface Relation {
  readonly id: string;
  /** Full URI; strict files use other ones than transitional files. */
  readonly type: string;
  /** Name of the part, from the root of the package. */
  readonly target: string;
}

const CHUNK_BYTES = 64 * 1024;
const STORED = 0;
/** Max length of a part other than a sheet, which is held in memory. */
const MAX_PART_LENGTH = 256 * 2 ** 20;

/** Reads the parts of a workbook, unpacking only those asked for. The reader has already refused zip bombs. */
export class Package {
  readonly file: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws PipelineError `input`: `file/not-readable`, `file/zip-broken` */
  static async open(path: string): Promise<Package> {
    const file = basename(path);
    const refused = (cause: unknown): never => {
      const code = 'syscall' in (cause as Error) ? 'file/not-readable' : 'file/zip-broken';
      return stop('input', { code, params: { part: '' }, place: { file } }, cause);
    };
    const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(refused);
    const entries = new Map<string, Entry>();
    try {
      for await (const entry of zip.eachEntry()) {
        const key = keyOf(entry.fileNameRaw.toString('utf8'));
        if (entries.has(key)) throw new Error(`two parts are called ${key}`);
        entries.set(key, entry);
      }
    } catch (cause) {
      zip.close();
      refused(cause);
    }
    return new Package(file, zip, entries);
  }

  /** Returns the entries in the order of the zip. */
  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Finds an entry; case and a leading slash are ignored. */
  entry(name: string): Entry | undefined {
    return this.#entries.get(keyOf(name));
  }

  /** Returns an unused name for a pattern like `xl/comments#.xml`. */
  freeName(pattern: string, taken: ReadonlySet<string>): string {
    for (let n = 1; ; n++) {
      const name = pattern.replace('#', String(n));
      if (this.entry(name) === undefined && !taken.has(name)) return name;
    }
  }

  packed(entry: Entry): Promise<Readable> {
    return this.#zip.openReadStreamPromise(entry, { decodeFileData: false });
  }

  async *unpacked(name: string): AsyncGenerator<Buffer> {
    const entry = this.entry(name) ?? this.missing(name);
    const packed = await this.packed(entry);
    const stream =
      entry.compressionMethod === STORED
        ? packed
        : pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {});
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > entry.uncompressedSize) throw new Error('more bytes than announced');
      yield chunk;
    }
  }

  async read(name: string): Promise<PartContent> {
    const part = textOf(this.unpacked(name));
    const pieces: string[] = [];
    let length = 0;
    for await (const piece of part.pieces) {
      length += piece.length;
      if (length > MAX_PART_LENGTH)
        stop('input', { code: 'file/zip-bomb', params: { part: name }, place: { file: this.file } });
      pieces.push(piece);
    }
    return { text: pieces.join(''), encoding: part.encoding };
  }

  async readIfThere(name: string): Promise<PartContent | undefined> {
    return this.entry(name) === undefined ? undefined : this.read(name);
  }

  /** Returns the relationships of a part, or of the package (`''`), to other parts. */
  async relations(source: string): Promise<readonly Relation[]> {
    const part = await this.readIfThere(relationsName(source));
    if (part === undefined) return [];
    const relations: Relation[] = [];
    for (const child of childrenOf(part.text, rootOf(part.text))) {
      const given = attributesIn(part.text, child.start, child.tagEnd);
      if (given['Target'] === undefined || given['TargetMode'] === 'External') continue;
      const target = posix.resolve('/', posix.dirname(source), given['Target']).slice(1);
      relations.push({ id: given['Id'] ?? '', type: given['Type'] ?? '', target });
    }
    return relations;
  }

  missing(part: string): never {
    return stop('input', { code: 'file/part-missing', params: { part }, place: { file: this.file } });
  }

  close(): void {
    this.#zip.close();
  }
}

/** Returns `xl/worksheets/_rels/sheet1.xml.rels` for `xl/worksheets/sheet1.xml`. */
export const relationsName = (source: string): string =>
  posix.join(posix.dirname(source), '_rels', `${posix.basename(source)}.rels`);

export const relationKind = ({ type }: Relation): string => type.slice(type.lastIndexOf('/') + 1);

export const NEW_PART: TargetEncoding = 'utf-8';

export async function* encoded(
  pieces: Iterable<string> | AsyncIterable<string>,
  encoding: TargetEncoding,
): AsyncGenerator<Buffer> {
  let buffered: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    buffered.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    yield encode(buffered.join(''), encoding);
    buffered = [];
    length = 0;
  }
  yield encode(buffered.join(''), encoding);
}

/** Worksheets of a workbook, and the names of its styles and strings parts. */
export type Directory = Awaited<ReturnType<typeof readDirectory>>;

export async function readDirectory(input: Package) {
  const main = (await input.relations('')).find((relation) => relationKind(relation) === 'officeDocument');
  const workbook = main?.target ?? 'xl/workbook.xml';
  const relations = await input.relations(workbook);
  const { text, encoding } = await input.read(workbook);
  const root = rootOf(text);
  const list = childNamed(text, root, 'sheets');
  const version = childNamed(text, root, 'fileVersion');
  const sheets: { name: string; part: string }[] = [];
  let sheetRelation: Relation | undefined;
  for (const sheet of list === undefined ? [] : childrenOf(text, list)) {
    const given = attributesIn(text, sheet.start, sheet.tagEnd);
    const id = Object.entries(given).find(([name]) => name.endsWith(':id'))?.[1];
    const relation = relations.find((candidate) => candidate.id === id);
    if (relation === undefined || relationKind(relation) !== 'worksheet') continue;
    sheetRelation ??= relation;
    sheets.push({ name: readable(given['name'] ?? '', encoding), part: relation.target });
  }
  const type = sheetRelation?.type ?? '';
  const partOf = (kind: string): string | undefined =>
    relations.find((relation) => relationKind(relation) === kind)?.target;
  return {
    workbook,
    /** Worksheets in the order of the workbook. */
    sheets,
    styles: partOf('styles'),
    strings: partOf('sharedStrings'),
    /** Program that saved it last, as it calls itself: `xl`, `Calc`. */
    savedBy: version && attributeIn(text, version.start, version.tagEnd, 'appName'),
    /** Prefix of the relationship types of this workbook, up to the last slash. */
    relationTypes: type.slice(0, type.lastIndexOf('/')),
  };
}

export const CONTENT_TYPES = '[Content_Types].xml';
export const NOTES_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml';
export const STYLES_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml';
export const SHAPES_TYPE = 'application/vnd.openxmlformats-officedocument.vmlDrawing';
export const SHAPES_EXTENSION = 'vml';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const NO_RELATIONS = `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>`;

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function withChild(list: string, name: string, attributes: Readonly<Record<string, string>>): string {
  const root = rootOf(list);
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`);
  const child = `<${prefixOf(root.name)}${name}${written.join('')}/>`;
  return withAppended(list, root, child);
}

/** Adds a content type for a part, or for all parts with an extension. */
export function withContentType(
  types: string,
  of: { part: string } | { extension: string },
  type: string,
): string {
  const [name, key, value] =
    'part' in of
      ? (['Override', 'PartName', `/${of.part}`] as const)
      : (['Default', 'Extension', of.extension] as const);
  for (const child of childrenOf(types, rootOf(types)))
    if (attributesIn(types, child.start, child.tagEnd)[key]?.toLowerCase() === value.toLowerCase())
      return types;
  return withChild(types, name, { [key]: value, ContentType: type });
}

/** Adds a relationship; its `target` is relative to the part that has the list. */
export const withRelation = (relations: string, { id, type, target }: Relation): string =>
  withChild(relations, 'Relationship', { Id: id, Type: type, Target: target });

export function freeId(relations: string): string {
  const ids = new Set(
    [...childrenOf(relations, rootOf(relations))].map(
      (child) => attributesIn(relations, child.start, child.tagEnd)['Id'],
    ),
  );
  for (let n = 1; ; n++) if (!ids.has(`rId${n}`)) return `rId${n}`;
}
