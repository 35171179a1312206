import { basename, posix } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { stop } from '../../issues/pipeline-error.js';
import { encode, type PartEncoding, type TargetEncoding, textOf } from './part-text.js';
import { attributesIn } from './xml-attributes.js';
import { childrenOf, rootOf } from './xml-tags.js';

/** A part read as a whole. */
export interface PartContent {
  readonly text: string;
  readonly encoding: PartEncoding;
}

export interface Relation {
  readonly id: string;
  /** The whole URI; strict files have another one than transitional files. */
  readonly type: string;
  /** Name of the part, from the root of the package. */
  readonly target: string;
}

const CHUNK_BYTES = 64 * 1024;
const STORED = 0;
/** Parts other than sheets are held in memory: styles, notes, relationships. */
const MOST_CHARACTERS = 256 * 2 ** 20;

const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

/** The parts of a workbook, unpacked only when they are asked for. The reader has refused bombs before. */
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

  /** In the order of the zip. */
  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Names match without regard to case; a leading slash is ignored. */
  entry(name: string): Entry | undefined {
    return this.#entries.get(keyOf(name));
  }

  /** A name like `xl/comments#.xml` whose number no part has. */
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
      if (length > MOST_CHARACTERS)
        stop('input', { code: 'file/zip-bomb', params: { part: name }, place: { file: this.file } });
      pieces.push(piece);
    }
    return { text: pieces.join(''), encoding: part.encoding };
  }

  async readIfThere(name: string): Promise<PartContent | undefined> {
    return this.entry(name) === undefined ? undefined : this.read(name);
  }

  /** Relationships of a part, or of the package itself (`''`), to other parts. */
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

/** `xl/worksheets/sheet1.xml` → `xl/worksheets/_rels/sheet1.xml.rels`. */
export const relationsName = (source: string): string =>
  posix.join(posix.dirname(source), '_rels', `${posix.basename(source)}.rels`);

export const relationKind = ({ type }: Relation): string => type.slice(type.lastIndexOf('/') + 1);

/** Of parts that are new. */
export const NEW_PART: TargetEncoding = 'utf-8';

export async function* encoded(
  pieces: Iterable<string> | AsyncIterable<string>,
  encoding: TargetEncoding,
): AsyncGenerator<Buffer> {
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    yield encode(waiting.join(''), encoding);
    waiting = [];
    length = 0;
  }
  yield encode(waiting.join(''), encoding);
}
