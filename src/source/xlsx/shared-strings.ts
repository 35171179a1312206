import { stop } from '../../issues/pipeline-error.js';
import { isBlank } from '../blank.js';
import { unescapeText } from './cell-value.js';
import { readXml } from './xml.js';
import type { ZipArchive, ZipPart } from './zip.js';

/** The text of a shared string, empty when it is blank; undefined when the workbook has none of that number. */
export type SharedStrings = (index: number) => string | undefined;

const BLOCK_BYTES = 2 ** 20;
const CACHE_SIZE = 2 ** 15;
/** Longer texts hardly come again, and would fill the cache with megabytes. */
const MAX_CACHED_BYTES = 512;
const INDEX_BYTES = 8;

/**
 * Reads the strings that cells refer to by number. They are wanted at random, so all are kept, as UTF-8 outside the JavaScript heap:
 * blocks of 1 MiB, and 8 bytes for each string (where it starts, how long it is). A fixed cache holds the last decoded text
 * of each slot, so that the few values that fill most columns (cities, banks) are decoded once.
 * Two million strings of 20 bytes: 56 MB off the heap, some 2 MB on it.
 * @throws PipelineError `input`: `file/zip-bomb` above `limits.stringBytes` and `limits.stringRatio`, and what the part itself can say.
 */
export async function readSharedStrings(zip: ZipArchive, part: ZipPart): Promise<SharedStrings> {
  const { stringBytes, stringRatio } = zip.limits;
  const mostBytes = Math.max(stringBytes, stringRatio * part.packedBytes);
  const blocks: Buffer[] = [];
  let used = BLOCK_BYTES;
  let starts = new Uint32Array(1024);
  let lengths = new Uint32Array(1024);
  let count = 0;

  const tooLarge = (): never =>
    stop('input', { code: 'file/zip-bomb', params: { part: part.name }, place: { file: zip.file } });
  const add = (string: string): void => {
    const text = isBlank(string) ? '' : string;
    const length = Buffer.byteLength(text);
    if (length > BLOCK_BYTES || blocks.length * BLOCK_BYTES + count * INDEX_BYTES > mostBytes) tooLarge();
    if (used + length > BLOCK_BYTES) {
      blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      used = 0;
    }
    blocks.at(-1)?.write(text, used);
    if (count === starts.length) {
      starts = grown(starts);
      lengths = grown(lengths);
    }
    starts[count] = (blocks.length - 1) * BLOCK_BYTES + used;
    lengths[count] = length;
    count++;
    used += length;
  };
  await readXml(zip, part, stringHandlers(add, tooLarge));

  const cachedIndexes = new Int32Array(CACHE_SIZE).fill(-1);
  const cachedTexts = new Array<string>(CACHE_SIZE).fill('');
  return (index) => {
    if (!(index >= 0 && index < count)) return undefined;
    const length = lengths[index]!;
    // A blank string has no bytes, and may stand where no block is.
    if (length === 0) return '';
    const slot = index % CACHE_SIZE;
    if (cachedIndexes[slot] === index) return cachedTexts[slot];
    const start = starts[index]! % BLOCK_BYTES;
    const block = blocks[Math.floor(starts[index]! / BLOCK_BYTES)]!;
    const text = block.toString('utf8', start, start + length);
    if (length > MAX_CACHED_BYTES) return text;
    cachedIndexes[slot] = index;
    cachedTexts[slot] = text;
    return text;
  };
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** `<si>` holds one `<t>`, or runs of them with their own font; `<rPh>` is how to pronounce it, no part of the text. */
function stringHandlers(add: (text: string) => void, tooLarge: () => never) {
  let text = '';
  let inText = false;
  let phonetic = false;
  return {
    open(name: string): void {
      if (name === 't') inText = !phonetic;
      else if (name === 'si') text = '';
      else if (name === 'rPh') phonetic = true;
    },
    close(name: string): void {
      if (name === 't') inText = false;
      else if (name === 'si') add(unescapeText(text));
      else if (name === 'rPh') phonetic = false;
    },
    text(piece: string): void {
      if (!inText) return;
      text += piece;
      if (text.length > BLOCK_BYTES) tooLarge();
    },
  };
}
