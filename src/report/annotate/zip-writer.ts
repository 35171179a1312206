import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import type { Entry } from 'yauzl';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const FULL_32 = 0xffffffff;
const FULL_16 = 0xffff;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_64 = 45;
const UTF8_NAME = 0x800;
/**
 * Flag bits that are kept: encryption, deflate method and UTF-8 name. Sizes are in the header, so no data
 * descriptor follows.
 */
const KEPT_FLAGS = 0x807;
/** 1980-01-01, the first date of the zip format. */
const NO_DATE = 0x21;
/** Min previous size, in bytes, of a part that may outgrow 32 bits. */
const MIN_ZIP64_BYTES = 0xe0000000;
const CHUNK_BYTES = 64 * 1024;
/**
 * Limits of compression: beyond this size in bytes and ratio chunks are stored, since our reader would take
 * the file for a zip bomb.
 */
const MAX_FREE_BYTES = 64 * 2 ** 20;
const MAX_RATIO = 20;
/** Compression level: rows come out 2 % larger than at zlib's default, in two thirds of the time. */
const LEVEL = 5;

interface Written {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly attributes: number;
  readonly offset: number;
  readonly large: boolean;
  checksum: number;
  packed: number;
  size: number;
}

/**
 * Writes a zip file entry by entry. Unlike yazl it can copy packed entries of another zip.
 * @throws the file system's error
 */
export class ZipFileWriter {
  readonly #file: FileHandle;
  readonly #level: number;
  readonly #entries: Written[] = [];
  #at = 0;

  private constructor(file: FileHandle, level: number) {
    this.#file = file;
    this.#level = level;
  }

  /** Creates the file. `level` is zlib's; 1 suits a temporary file. */
  static async open(path: string, level = LEVEL): Promise<ZipFileWriter> {
    return new ZipFileWriter(await open(path, 'w', 0o600), level);
  }

  /** Copies an entry of another zip without unpacking it. */
  async copy(entry: Entry, packed: AsyncIterable<Buffer>): Promise<void> {
    const written: Written = {
      name: entry.fileNameRaw,
      flags: entry.generalPurposeBitFlag & KEPT_FLAGS,
      method: entry.compressionMethod,
      time: entry.lastModFileTime,
      date: entry.lastModFileDate,
      attributes: entry.externalFileAttributes,
      offset: this.#at,
      large: entry.uncompressedSize >= FULL_32 || entry.compressedSize >= FULL_32,
      checksum: entry.crc32,
      packed: entry.compressedSize,
      size: entry.uncompressedSize,
    };
    this.#entries.push(written);
    await this.#write(localHeader(written));
    for await (const chunk of packed) await this.#write(chunk);
    if (this.#at !== written.offset + localHeader(written).length + written.packed)
      throw new Error('packed size differs');
  }

  /** Adds an entry, or one that replaces `instead`. */
  async add(name: string, content: AsyncIterable<Buffer>, instead?: Entry): Promise<void> {
    const written: Written = {
      name: instead?.fileNameRaw ?? Buffer.from(name),
      flags: (instead?.generalPurposeBitFlag ?? UTF8_NAME) & UTF8_NAME,
      method: DEFLATED,
      time: instead?.lastModFileTime ?? 0,
      date: instead?.lastModFileDate ?? NO_DATE,
      attributes: instead?.externalFileAttributes ?? 0,
      offset: this.#at,
      large: (instead?.uncompressedSize ?? 0) >= MIN_ZIP64_BYTES,
      checksum: 0,
      packed: 0,
      size: 0,
    };
    this.#entries.push(written);
    await this.#write(localHeader(written));
    const deflate = createDeflateRaw({ chunkSize: CHUNK_BYTES, level: this.#level });
    let level = this.#level;
    const watched = async function* (packing: number): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        written.checksum = crc32(chunk, written.checksum);
        written.size += chunk.length;
        const tooWell = written.size > MAX_FREE_BYTES && written.size > MAX_RATIO * written.packed;
        const wanted = tooWell ? constants.Z_NO_COMPRESSION : packing;
        if (wanted !== level) {
          level = wanted;
          await new Promise<void>((resolve, reject) => {
            deflate.params(level, constants.Z_DEFAULT_STRATEGY, (error?: Error | null) =>
              error ? reject(error) : resolve(),
            );
          });
        }
        yield chunk;
      }
    };
    const write = async (packed: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of packed) {
        written.packed += chunk.length;
        await this.#write(chunk);
      }
    };
    await pipeline(Readable.from(watched(this.#level)), deflate, write);
    if (!written.large && (written.size >= FULL_32 || written.packed >= FULL_32))
      throw new Error(`${name} grew beyond 4 GiB`);
    const header = localHeader(written);
    await this.#file.write(header, 0, header.length, written.offset);
  }

  async finish(): Promise<void> {
    const start = this.#at;
    for (const entry of this.#entries) await this.#write(centralHeader(entry));
    await this.#write(endOfDirectory(this.#entries.length, start, this.#at - start, this.#at));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#at);
      done += bytesWritten;
      this.#at += bytesWritten;
    }
  }
}

/** Writes integers of 2, 4 or 8 bytes in little-endian order. */
function fields(...list: readonly (readonly [size: 2 | 4 | 8, value: number])[]): Buffer {
  const bytes = Buffer.alloc(list.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of list) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, size);
    at += size;
  }
  return bytes;
}

const cut32 = (value: number, large = false): number => (large ? FULL_32 : Math.min(value, FULL_32));

const common = (entry: Written, version: number, extra: number): readonly (readonly [2 | 4, number])[] => [
  [2, version],
  [2, entry.flags],
  [2, entry.method],
  [2, entry.time],
  [2, entry.date],
  [4, entry.checksum],
  [4, cut32(entry.packed, entry.large)],
  [4, cut32(entry.size, entry.large)],
  [2, entry.name.length],
  [2, extra],
];

function localHeader(entry: Written): Buffer {
  const extra = entry.large ? fields([2, 1], [2, 16], [8, entry.size], [8, entry.packed]) : Buffer.alloc(0);
  const version = entry.large ? VERSION_64 : VERSION;
  return Buffer.concat([fields([4, LOCAL], ...common(entry, version, extra.length)), entry.name, extra]);
}

function centralHeader(entry: Written): Buffer {
  const large: [8, number][] = entry.large
    ? [
        [8, entry.size],
        [8, entry.packed],
      ]
    : [];
  if (entry.offset >= FULL_32) large.push([8, entry.offset]);
  const extra = large.length === 0 ? Buffer.alloc(0) : fields([2, 1], [2, large.length * 8], ...large);
  const version = large.length === 0 ? VERSION : VERSION_64;
  const head = fields(
    [4, CENTRAL],
    [2, version],
    ...common(entry, version, extra.length),
    [2, 0], // comment
    [2, 0], // disk
    [2, 0], // internal attributes
    [4, entry.attributes],
    [4, cut32(entry.offset)],
  );
  return Buffer.concat([head, entry.name, extra]);
}

function endOfDirectory(count: number, start: number, size: number, at: number): Buffer {
  const end = fields(
    [4, END],
    [4, 0], // disks
    [2, Math.min(count, FULL_16)],
    [2, Math.min(count, FULL_16)],
    [4, cut32(size)],
    [4, cut32(start)],
    [2, 0],
  );
  if (count < FULL_16 && start < FULL_32 && size < FULL_32) return end;
  const large = fields(
    [4, END_64],
    [8, 44],
    [2, VERSION_64],
    [2, VERSION_64],
    [8, 0], // disks
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  );
  return Buffer.concat([large, fields([4, LOCATOR_64], [4, 0], [8, at], [4, 1]), end]);
}
