import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import type { ReadLimits } from '../limits.js';

/** One file inside the zip, read from its start as often as needed. */
export interface ZipPart {
  readonly name: string;
  /** Unpacked bytes; size and checksum are verified at the end. Leaving the loop early closes the stream. */
  chunks(): AsyncGenerator<Buffer>;
}

/** A zip opened at its directory; parts are found by name whatever their order, and never touch the disk. */
export interface ZipArchive {
  readonly file: string;
  readonly limits: ReadLimits;
  /** OPC names match without regard to case; a leading slash is ignored. */
  part(name: string): ZipPart | undefined;
  /** Every file in the order of the directory, by its name as written; folders are left out. */
  readonly parts: readonly ZipPart[];
  /** Ends what is still being read. */
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;

const nameOf = ({ fileNameRaw }: Entry): string => fileNameRaw.toString('utf8');

const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

/** @throws PipelineError `input`: `file/zip-broken`, `file/zip-bomb`; when a part is read also `file/encrypted`. */
export async function openZip(path: string, file: string, limits: ReadLimits): Promise<ZipArchive> {
  const broken = (cause: unknown, part = ''): never =>
    cause instanceof PipelineError
      ? rethrow(cause)
      : stop('input', { code: 'file/zip-broken', params: { part }, place: { file } }, cause);

  // Names stay bytes: yauzl would refuse the whole file for a name like `../x`, which here is only a key that nobody asks for.
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(broken);
  let entries: Map<string, Entry>;
  try {
    entries = await readDirectory(zip, file, limits);
  } catch (cause) {
    zip.close();
    return broken(cause);
  }

  const reading = new Set<Readable>();
  async function* chunks(entry: Entry, name: string): AsyncGenerator<Buffer> {
    if (!zip.isOpen) throw new Error(`${file} is closed`);
    if (entry.isEncrypted()) stop('input', { code: 'file/encrypted', place: { file } });
    let stream: Readable | undefined;
    try {
      stream = await unpacked(zip, entry);
      reading.add(stream);
      let size = 0;
      let checksum = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > entry.uncompressedSize) throw new Error('more bytes than announced');
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      if (size !== entry.uncompressedSize || checksum !== entry.crc32)
        throw new Error('size or checksum differs');
    } catch (cause) {
      broken(cause, name);
    } finally {
      stream?.destroy();
      if (stream !== undefined) reading.delete(stream);
    }
  }

  return {
    file,
    limits,
    part(name) {
      const entry = entries.get(keyOf(name));
      return entry && { name, chunks: () => chunks(entry, name) };
    },
    parts: [...entries.values()]
      .map((entry) => ({ entry, name: nameOf(entry) }))
      .filter(({ name }) => !/[\\/]$/.test(name))
      .map(({ entry, name }) => ({ name, chunks: () => chunks(entry, name) })),
    async close() {
      if (!zip.isOpen) return;
      const closed = once(zip, 'close');
      for (const stream of reading) stream.destroy();
      zip.close();
      await closed;
    },
  };
}

const rethrow = (error: unknown): never => {
  throw error;
};

/** The sizes that the directory announces hold: `chunks` stops at the first byte beyond them. */
async function readDirectory(zip: ZipFile, file: string, limits: ReadLimits): Promise<Map<string, Entry>> {
  const bomb = (part: string): never =>
    stop('input', { code: 'file/zip-bomb', params: { part }, place: { file } });
  if (zip.entryCount > limits.entries) bomb('');
  const entries = new Map<string, Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    const size = entry.uncompressedSize;
    total += size;
    if (size > limits.partBytes || total > limits.totalBytes) bomb(name);
    if (size > limits.ratioFromBytes && size > limits.ratio * entry.compressedSize) bomb(name);
    entries.set(keyOf(name), entry);
  }
  return entries;
}

/** yauzl finds the bytes; inflating here gives larger chunks and one stream less than its own. */
async function unpacked(zip: ZipFile, entry: Entry): Promise<Readable> {
  const method = entry.compressionMethod;
  if (method !== STORED && method !== DEFLATED) throw new Error(`compression method ${method}`);
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  if (method === STORED) return packed;
  // Errors reach the reader through the last stream; pipeline also destroys the first.
  return pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {});
}
