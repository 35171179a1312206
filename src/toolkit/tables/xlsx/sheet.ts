import { fromScientific, multiply, toSignificant } from '../../core/decimal.js';
import { stop } from '../../core/issue.js';
import { MAX_FORMAT_LENGTH, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../../core/limits.js';
import { fromSerial, isPlainDate, isPlainTime } from '../../core/plain-date.js';
import { unreachable } from '../../core/required.js';
import { columnIndex, columnLetter, detached } from '../../core/text.js';
import { widened } from '../key-table.js';
import {
  type CellKind,
  isBlank,
  type MergedCells,
  type MergedDown,
  type Row,
  type SheetView,
} from '../table.js';
import { PlainRows, type RowBuilder } from './plain-rows.js';
import { isTrue, parseXml, readXml, type XmlHandlers, type ZipArchive, type ZipPart } from './zip.js';

/**
 * Format of a style: number, percent, date or clock time, date with time, duration beyond 24 hours, number of digits
 * with leading zeros, or a foreign currency.
 */
type NumberFormat =
  | 'number'
  | 'percent'
  | 'date'
  | 'moment'
  | 'duration'
  | number
  | { readonly currency: string };

/** Built-in formats that are dates or times in some language of Excel (ECMA-376 part 1, 18.8.30). */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const BUILT_IN_DURATION = 46; // [h]:mm:ss
const BUILT_IN_MOMENT = 22; // m/d/yy h:mm
const BUILT_IN_PERCENT: readonly number[] = [9, 10];

export function builtInFormat(id: number): NumberFormat {
  if (id === BUILT_IN_DURATION) return 'duration';
  if (id === BUILT_IN_MOMENT) return 'moment';
  if (BUILT_IN_PERCENT.includes(id)) return 'percent';
  return BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? 'date' : 'number';
}

const ONLY_ZEROS = /^00+(?=;|$)/;
/** Currency symbol with its language, `[$USD]`, `[$€-2]`; `$` alone or with a language is the local currency. */
const CURRENCY = /\[\$([^\]-]+)(?:-[^\]]*)?\]|"([^"]+)"|([€£¥])/gu;
const FOREIGN = /[€£¥]|\b(?:USD|US|EUR|GBP|MXN|PEN|CLP|BRL|VES)\b/iu;
const ELAPSED = /\[(h+|m+|s+)\]/i;
const QUOTED = /"[^"]*"|\\./gsu;
/** Padding and fill characters, and bracketed colours, conditions, currencies and languages. */
const DECORATION = /[_*].|\[[^\]]*\]/gsu;

/** Parses a format code such as `[$-409]d/mm/yyyy;@`. The first section, for positive numbers, decides. */
export function customFormat(code: string): NumberFormat {
  if (code.length > MAX_FORMAT_LENGTH || /^(general|standard|estándar)$/i.test(code)) return 'number';
  const [zeros] = ONLY_ZEROS.exec(code) ?? [];
  if (zeros !== undefined) return zeros.length;
  const [first = ''] = code.split(';', 1);
  const [currency] = [...first.matchAll(CURRENCY)]
    .map(([, symbol, quoted, sign]) => (symbol ?? quoted ?? sign ?? '').trim())
    .filter((text) => FOREIGN.test(text));
  if (currency !== undefined) return { currency };
  const [section = ''] = code.replaceAll(QUOTED, '').split(';', 1);
  if (ELAPSED.test(section)) return 'duration';
  const shown = section.replaceAll(DECORATION, '');
  if (/[yd]/i.test(shown) && /h/i.test(shown)) return 'moment';
  if (/[ymdhs]/i.test(shown)) return 'date';
  return shown.includes('%') ? 'percent' : 'number';
}

const INTEGER = /^\d+$/;

/** Precision of Excel; further digits are noise of the binary storage. */
const SIGNIFICANT_DIGITS = 15;
/** Max characters of a double written out. */
const MAX_LENGTH = 400;

/** Parses short integers several times faster than `Number()`. */
function numberOf(text: string): number {
  if (text.length === 0 || text.length > SIGNIFICANT_DIGITS) return Number(text);
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number(text);
    number = number * 10 + digit;
  }
  return number;
}

/**
 * Formats a stored number as Excel shows it: exact decimal text, at most 15 significant digits. Undefined if it is no
 * number.
 */
function numberText(stored: string): string | undefined {
  if (stored.length <= SIGNIFICANT_DIGITS && isPlain(stored)) return stored;
  const text = stored.trim().replace(/^\+/, '');
  const size = Number(text);
  if (text === '' || text.length > MAX_LENGTH || !Number.isFinite(size)) return undefined;
  if (size === 0) return '0';
  const exact = fromScientific(text);
  if (exact === undefined) return undefined;
  const digits = exact.replace(/^[-0.]+/, '').replace('.', '').length;
  return digits <= SIGNIFICANT_DIGITS
    ? isPlain(text)
      ? text
      : exact
    : toSignificant(exact, SIGNIFICANT_DIGITS);
}

/** True for `-?digits[.digits]` without needless leading zeros; a loop, since it runs for every number of a file. */
function isPlain(text: string): boolean {
  const first = text.charCodeAt(0) === 45 ? 1 : 0;
  let dot = 0;
  for (let i = first; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 46 && dot === 0 && i > first) dot = i;
    else if (code < 48 || code > 57) return false;
  }
  if (text.length === first || dot === text.length - 1) return false;
  return text.charCodeAt(first) !== 48 || (text.length === 1 ? true : dot === first + 1);
}

/** Formats a stored serial as ISO text; undefined outside the calendar, where Excel shows `####`. */
type SerialReader = (stored: string, format: 'date' | 'moment' | 'duration') => string | undefined;

/** Number of cached days, up to the year 2173: columns repeat a few thousand. */
const MAX_CACHED_DAYS = 100_000;

function serialReader(base1904: boolean): SerialReader {
  const days: (string | undefined)[] = [];
  return (stored, format) => {
    const serial = numberOf(stored);
    if (stored === '' || !(serial >= 0)) return undefined;
    if (format === 'duration') return durationText(serial);
    if (!(serial < MAX_CACHED_DAYS && Number.isInteger(serial))) return fromSerial(serial, base1904);
    const known = days[serial];
    if (known !== undefined) return known;
    const text = fromSerial(serial, base1904);
    days[serial] = text;
    return text;
  };
}

function durationText(days: number): string {
  const seconds = Math.round(days * 86_400);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Normalises a cell of type `d`: ISO 8601 without zone and fractions, and without time at midnight. */
function isoText(stored: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})?T?(\d{2}:\d{2}(?::\d{2})?)?(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(
    stored.trim(),
  );
  if (match === null) return undefined;
  const date = match[1];
  const time = match[2]?.padEnd(8, ':00');
  if ((date !== undefined && !isPlainDate(date)) || (time !== undefined && !isPlainTime(time)))
    return undefined;
  if (date === undefined) return time;
  return time === undefined || time === '00:00:00' ? date : `${date}T${time}`;
}

/** Decodes characters that XML cannot hold, written `_x000D_` (ECMA-376 part 1, 22.9.2.19); NUL stays encoded. */
const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x(?!0000)([0-9a-f]{4})_/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;

/** Reads the number format of every cell style, by the index of a cell's `s`. */
export async function readStyles(zip: ZipArchive, part: ZipPart): Promise<readonly NumberFormat[]> {
  const custom = new Map<number, NumberFormat>();
  const styleIds: number[] = [];
  // `xf` and `numFmt` occur in other lists with other meanings.
  let list = '';
  await readXml(zip, part, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') list = name;
      else if (name === 'numFmt' && list === 'numFmts')
        custom.set(Number(attributes['numFmtId']), customFormat(attributes['formatCode'] ?? ''));
      else if (name === 'xf' && list === 'cellXfs') styleIds.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return styleIds.map((id) => custom.get(id) ?? builtInFormat(id));
}

/** Returns a shared string, empty if it is blank; undefined if the workbook has none of that index. */
type SharedStrings = (index: number) => string | undefined;

const BLOCK_BYTES = 2 ** 20;
const CACHE_SIZE = 2 ** 15;
/** Max size of a cached text; longer ones rarely recur. */
const MAX_CACHED_BYTES = 512;
const INDEX_BYTES = 8;

/**
 * Reads the shared strings as UTF-8 outside the JavaScript heap: blocks of 1 MiB, and 8 bytes per string for start and
 * length. A direct-mapped cache holds decoded texts, so that the few values of most columns are decoded once. Two
 * million strings of 20 bytes take 56 MB off the heap and some 2 MB on it.
 * @throws PipelineError `input`: `file/zip-bomb` above `limits.stringBytes` and `limits.stringRatio`, and those of the
 * part
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
      starts = widened(starts);
      lengths = widened(lengths);
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
    const length = lengths[index];
    const place = starts[index];
    if (length === undefined || place === undefined || index >= count) return undefined;
    // A blank string has no bytes, and there may be no block.
    if (length === 0) return '';
    const entry = index % CACHE_SIZE;
    if (cachedIndexes[entry] === index) return cachedTexts[entry];
    const start = place % BLOCK_BYTES;
    const block = blocks[Math.floor(place / BLOCK_BYTES)] ?? unreachable('block of strings');
    const text = block.toString('utf8', start, start + length);
    if (length > MAX_CACHED_BYTES) return text;
    cachedIndexes[entry] = index;
    cachedTexts[entry] = text;
    return text;
  };
}

/** Handles `<si>`, which holds one `<t>` or runs of them; `<rPh>` is pronunciation, not text. */
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

/** Shared parts of a workbook that cells refer to. */
export interface SheetContext {
  readonly strings: SharedStrings;
  /** Formats by the index of a cell's `s`. */
  readonly formats: readonly NumberFormat[];
  readonly base1904: boolean;
}

/** Min rows of a batch; larger ones outlive the young generation of the heap, which costs a fifth of the time. */
const BATCH_ROWS = 64;
/** Max preallocated cells of a row, so that one cell far to the right does not cost thousands in every row. */
const MAX_PRESIZED = 256;

/**
 * Reads the rows of a sheet with back-pressure: a chunk of XML is parsed after the rows of the previous one were taken.
 * @throws PipelineError `input`: `file/xml-broken`, `file/cell-outside`, `file/cell-twice`, `file/row-too-long` and
 * those of the zip
 */
export async function* readSheet(
  zip: ZipArchive,
  part: ZipPart,
  context: SheetContext,
): AsyncGenerator<readonly Row[]> {
  let rows: Row[] = [];
  const refuse = refusalsOf(zip, part);
  const builder = new SheetRows(context, (row) => rows.push(row), refuse, zip.limits.recordBytes);
  const handlers = rowHandlers(builder, refuse, zip.limits.recordBytes);
  for await (const _ of parseXml(zip, part, handlers, new PlainRows(builder))) {
    if (rows.length < BATCH_ROWS) continue;
    const batch = rows;
    rows = [];
    yield batch;
  }
  if (rows.length > 0) yield rows;
}

function refusalsOf(zip: ZipArchive, part: ZipPart): Refusals {
  const place = { file: zip.file };
  return {
    broken: (reason) =>
      stop('input', { code: 'file/xml-broken', params: { part: part.name }, place }, new Error(reason)),
    outside: (cell) => stop('input', { code: 'file/cell-outside', params: { part: part.name, cell }, place }),
    twice: (cell) => stop('input', { code: 'file/cell-twice', params: { part: part.name, cell }, place }),
    tooLong: (row) => stop('input', { code: 'file/row-too-long', params: { part: part.name, row }, place }),
  };
}

const LAST_ROW = Buffer.from('sheetData');
const CLOSING = /<\/(?:[\w.-]+:)?$/;
/** Max bytes of a tag before its name. */
const TAG_BYTES = 64;
const MERGED =
  /<(?:[\w.-]+:)?mergeCell\s[^<>]*?ref\s*=\s*["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']/g;

/**
 * Finds merged cells, which come after all rows: those are unpacked but not parsed, a small part of the time. Finds
 * nothing in a part that is not UTF-8.
 */
export async function readMerged({ limits }: ZipArchive, part: ZipPart) {
  let rest: Buffer = Buffer.alloc(0);
  let tail: string | undefined;
  for await (const chunk of part.chunks()) {
    if (tail === undefined) {
      const bytes = Buffer.concat([rest, chunk]);
      let at = bytes.indexOf(LAST_ROW);
      while (at >= 0 && !CLOSING.test(bytes.toString('latin1', Math.max(0, at - TAG_BYTES), at)))
        at = bytes.indexOf(LAST_ROW, at + 1);
      if (at < 0) rest = bytes.subarray(-2 * TAG_BYTES);
      else tail = bytes.toString('latin1', at);
    } else tail += chunk.toString('latin1');
    if (tail !== undefined && tail.length > limits.tokenChars) break;
  }
  return [...(tail ?? '').matchAll(MERGED)].map(([, left = '', top, right = '', bottom]) => ({
    columns: [columnIndex(left), columnIndex(right)] as const,
    rows: [Number(top), Number(bottom)] as const,
  }));
}

type Merged = Awaited<ReturnType<typeof readMerged>>;

export function mergedUpTo(all: Merged, upTo: number): MergedCells {
  const merged = new Map<number, Map<number, number>>();
  for (const { columns, rows } of all) {
    const [number] = rows;
    if (number > upTo) continue;
    merged.set(number, (merged.get(number) ?? new Map()).set(...columns));
  }
  return merged;
}

export const mergedOverRows = (all: Merged): readonly MergedDown[] =>
  all.flatMap(({ columns: [column], rows: [first, last] }) =>
    last > first && last <= MAX_SHEET_ROWS ? [{ column, first, last }] : [],
  );

/** Reads the view of the columns of a sheet, which comes before all rows. */
export async function readView(zip: ZipArchive, part: ZipPart): Promise<SheetView> {
  let columns = 0;
  let isFrozen = false;
  const hidden: (readonly [number, number])[] = [];
  let isOver = false;
  const handlers: XmlHandlers = {
    open(name, { state, xSplit, hidden: isHidden, min, max }) {
      if (name === 'pane' && state?.startsWith('frozen')) {
        if (!isFrozen) columns = Number(xSplit ?? 0);
        isFrozen = true;
      } else if (name === 'col' && isTrue(isHidden)) hidden.push([Number(min) - 1, Number(max) - 1]);
      else if (name === 'sheetData') isOver = true;
    },
  };
  for await (const _ of parseXml(zip, part, handlers)) if (isOver) break;
  const isNumber = Number.isInteger(columns) && columns > 0 && columns < MAX_SHEET_COLUMNS;
  return { frozen: isNumber ? columns : 0, hidden };
}

/** Fatal errors of a sheet. */
interface Refusals {
  broken(reason: string): never;
  outside(cell: string): never;
  twice(cell: string): never;
  tooLong(row: number): never;
}

class SheetRows implements RowBuilder {
  number = 0;
  private hidden = false;
  private texts: (string | undefined)[] = [];
  private kinds: (CellKind | undefined)[] = [];
  private width = 0;
  private rowChars = 0;
  private column = -1;
  private format: NumberFormat = 'number';
  private readonly strings: SharedStrings;
  private readonly formats: readonly NumberFormat[];
  private readonly serialText: SerialReader;

  constructor(
    { strings, formats, base1904 }: SheetContext,
    private readonly add: (row: Row) => void,
    private readonly refusals: Refusals,
    private readonly maxRowChars: number,
  ) {
    this.strings = strings;
    this.formats = formats;
    this.serialText = serialReader(base1904);
  }

  openRow(reference: string | undefined, isHidden: string | undefined): void {
    this.number = reference === undefined ? this.number + 1 : Number(reference);
    if (!(Number.isInteger(this.number) && this.number >= 1)) this.refusals.broken(`row ${reference}`);
    if (this.number > MAX_SHEET_ROWS) this.refusals.outside(`A${this.number}`);
    this.hidden = isTrue(isHidden);
    // As wide as the previous row: most are alike, and growing cell by cell costs more than the rest of a row.
    this.texts = new Array(Math.min(this.width, MAX_PRESIZED));
    this.kinds = new Array(this.texts.length);
    this.width = 0;
    this.rowChars = 0;
    this.column = -1;
  }

  openCell(reference: string | undefined, style = '0'): void {
    const column = reference === undefined ? this.column + 1 : columnIndex(reference);
    if (column < 0) this.refusals.broken(`cell ${reference}`);
    this.column = column;
    if (column >= MAX_SHEET_COLUMNS) this.refusals.outside(this.cell());
    this.format = this.formats[numberOf(style)] ?? 'number';
  }

  private shared(index: number): void {
    const text = this.strings(index) ?? this.refusals.broken(`no shared string ${index}`);
    if (text !== '') this.store(text, 'text');
  }

  content(type = 'n', value: string | undefined, formula: string | undefined, inline: string): void {
    // A formula with an empty text is stored as t="str" with an empty value; without a type, an empty value means none.
    if (type === 'inlineStr' && inline !== '') this.storeText(detached(unescapeText(inline)), 'text');
    else if (formula !== undefined && (value === undefined || (value === '' && type !== 'str')))
      this.store(detached(`=${formula}`), 'uncached');
    else if (value !== undefined && value !== '') this.storeValue(type, value);
  }

  closeRow(): void {
    const { number, hidden, texts, kinds, width } = this;
    if (width === 0) return;
    if (texts.length > width) {
      texts.length = width;
      kinds.length = width;
    }
    this.add({ number, hidden, texts, kinds });
  }

  private storeValue(type: string, value: string): void {
    switch (type) {
      case 's':
        this.shared(numberOf(value));
        return;
      case 'n':
        this.storeNumber(value);
        return;
      case 'b':
        this.store(isTrue(value) ? 'true' : 'false', 'boolean');
        return;
      case 'e':
        this.storeText(value, 'error');
        return;
      case 'd': {
        const date = isoText(value);
        this.storeText(date ?? value, date === undefined ? 'text' : 'date');
        return;
      }
      default:
        this.storeText(detached(unescapeText(value)), 'text');
    }
  }

  private storeNumber(stored: string): void {
    const { format } = this;
    if (format === 'date' || format === 'moment' || format === 'duration') {
      const date = this.serialText(stored, format);
      if (date !== undefined) {
        this.store(format === 'moment' && isPlainDate(date) ? `${date}T00:00:00` : date, 'date');
        return;
      }
    }
    const number = numberText(stored);
    if (number === undefined) this.storeText(detached(stored), 'text');
    else if (format === 'percent') this.store(`${multiply(number, '100')}%`, 'percent');
    else if (typeof format === 'object' && number !== '0') this.store(`${format.currency} ${number}`, 'text');
    else if (typeof format === 'number' && number.length < format && INTEGER.test(number))
      this.store(detached(number.padStart(format, '0')), 'text');
    else this.store(detached(number), 'number');
  }

  private storeText(text: string, kind: CellKind): void {
    if (!isBlank(text)) this.store(text, kind);
  }

  private store(text: string, kind: CellKind): void {
    const { column } = this;
    if (this.texts[column] !== undefined) this.refusals.twice(this.cell());
    this.texts[column] = text;
    this.kinds[column] = kind;
    if (column >= this.width) this.width = column + 1;
    this.rowChars += text.length;
    if (this.rowChars > this.maxRowChars) this.refusals.tooLong(this.number);
  }

  private cell(): string {
    return `${columnLetter(this.column)}${this.number}`;
  }
}

/** Creates the SAX handlers of a sheet. */
function rowHandlers(rows: RowBuilder, { tooLong }: Refusals, maxRowChars: number): XmlHandlers {
  let type: string | undefined;
  let value: string | undefined;
  let formula: string | undefined;
  let inline = '';

  let gathering = false;
  let gathered = '';
  let phonetic = false;

  return {
    open(name, attributes) {
      switch (name) {
        case 'c':
          rows.openCell(attributes['r'], attributes['s']);
          type = attributes['t'];
          value = undefined;
          formula = undefined;
          inline = '';
          break;
        case 'v':
        case 'f':
          gathering = true;
          gathered = '';
          break;
        case 'row':
          rows.openRow(attributes['r'], attributes['hidden']);
          break;
        case 't':
          gathering = !phonetic;
          gathered = '';
          break;
        case 'rPh':
          phonetic = true;
          break;
      }
    },
    text(piece) {
      if (gathering) gathered = gathered === '' ? piece : gathered + piece;
    },
    close(name) {
      switch (name) {
        case 'v':
          value = gathered;
          gathering = false;
          break;
        case 'c':
          rows.content(type, value, formula, inline);
          break;
        case 'f':
          formula = gathered;
          gathering = false;
          break;
        case 'row':
          rows.closeRow();
          break;
        case 't':
          if (!phonetic) inline += gathered;
          if (inline.length > maxRowChars) tooLong(rows.number);
          gathering = false;
          break;
        case 'rPh':
          phonetic = false;
          break;
      }
    },
  };
}
