import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { stop } from '../core/issue.js';
import { READ_LIMITS, type ReadLimits } from '../core/limits.js';
import { columnLetter } from '../core/text.js';
import { type Bytes, fileBytes, scanText, type TextEncoding, type TextScan, utf8Chunks } from './encoding.js';
import { type PlainRecord, plainRecords, plainText } from './plain-records.js';
import { type InputFile, isBlank, type Row, type RowSource } from './table.js';

/** Delimiters looked for; among equals the earlier one, as Excel in Spanish writes `;`. */
const CANDIDATES = [';', ',', '\t', '|'] as const;
const RECORDS_LOOKED_AT = 50;

/** The `sep=;` line that Excel obeys and does not show, with its line break. */
function separatorLine(text: string): { delimiter: string; length: number } | undefined {
  const match = /^sep=([^"\r\n])(\r\n|\r|\n|$)/i.exec(text);
  return match === null ? undefined : { delimiter: match[1]!, length: match[0].length };
}

/** A comma between figures that fill a field of another delimiter. */
const DECIMAL_COMMA = /,(?<=(?:^|[;\t|"\r\n])[ $+-]*\d[\d.]*,)(?=\d+ *(?:[;\t|"\r\n]|$))/g;

/** Candidates that occur equally often in so many records may be the delimiter, though trailing blanks are left out of some. */
const NEARLY_EVEN = 0.5;

/**
 * The delimiter of a text from its beginning: the candidate that occurs equally often in each record with content, outside quotes;
 * of several such, or of none, the one that makes most columns in most records. `;` when none occurs. What another candidate outnumbers
 * in every record is a mark inside of its fields, however even: a decimal comma in each.
 * @param cut The text ends before the file does, so its last record is left out, unless it is the only one.
 */
function detectDelimiter(text: string, cut: boolean): string {
  const written = countByRecord(text, cut);
  const hasOther = CANDIDATES.some(
    (candidate, at) => candidate !== ',' && written.every((record) => record[at]! > 0),
  );
  const records = hasOther ? countByRecord(text.replace(DECIMAL_COMMA, '.'), cut) : written;
  let best = { delimiter: ';', even: false, score: 0 };
  const tallies = CANDIDATES.map((delimiter, index) => {
    const counts = records.map((record) => record[index]!);
    const usual = mostFrequent(counts.filter((count) => count > 0));
    return {
      delimiter,
      counts,
      usual,
      share: counts.filter((count) => count === usual).length / counts.length,
    };
  });
  const isOutnumbered = ({ counts }: (typeof tallies)[number]): boolean =>
    tallies.some(
      (other) => other.share >= NEARLY_EVEN && other.counts.every((count, at) => count > counts[at]!),
    );
  for (const tally of tallies) {
    if (isOutnumbered(tally)) continue;
    const { delimiter, usual, share } = tally;
    const even = share === 1;
    // The power: amounts and addresses hold commas in many records, a delimiter separates in nearly all.
    const score = usual * share ** 3;
    if (score > 0 && (even === best.even ? score > best.score : even)) best = { delimiter, even, score };
  }
  return best.delimiter;
}

/** How often each candidate occurs, for the first records with content. A quote opens only at the start of a field. */
function countByRecord(text: string, cut: boolean): number[][] {
  const records: number[][] = [];
  let counts = CANDIDATES.map(() => 0);
  let quoted = false;
  let fieldStart = true;
  let closedAt = -2;
  let content = false;
  for (let i = 0; i < text.length && records.length < RECORDS_LOOKED_AT; i++) {
    const char = text[i]!;
    if (quoted) {
      if (char === '"') {
        quoted = false;
        closedAt = i;
      }
      continue;
    }
    const candidate = CANDIDATES.indexOf(char as (typeof CANDIDATES)[number]);
    if (candidate >= 0) counts[candidate]!++;
    else if (char === '\n' || char === '\r') {
      if (content) records.push(counts);
      counts = CANDIDATES.map(() => 0);
      content = false;
    } else if (char === '"' && (fieldStart || closedAt === i - 1)) quoted = true;
    content ||= candidate < 0 && char.trim() !== '';
    fieldStart = candidate >= 0 || char === '\n' || char === '\r';
  }
  // Of a record that is longer than the text what is there must do.
  if (content && (!cut || records.length === 0) && records.length < RECORDS_LOOKED_AT) records.push(counts);
  return records;
}

/** Fields that a line must hold inside of its quotes, less one. */
const MIN_DELIMITERS_INSIDE = 2;
const ONE_QUOTED_FIELD = /^"(?:[^"]|"")*"[;,\t|]*$/;

/**
 * Returns the delimiter that all lines have equally often inside of one pair of quotes: a CSV that was opened with another
 * delimiter and saved again. Undefined if the lines are something else.
 */
function delimiterInQuotes(text: string, cut: boolean): string | undefined {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const whole = (cut ? lines.slice(0, -1) : lines).slice(0, RECORDS_LOOKED_AT);
  if (whole.length < 2 || !whole.every((line) => ONE_QUOTED_FIELD.test(line))) return undefined;
  const inside = whole.map((line) => line.slice(1, line.lastIndexOf('"')).replaceAll('""', '"'));
  const counts = countByRecord(inside.join('\n'), false);
  return CANDIDATES.find((_, at) =>
    counts.every((record) => record[at]! >= MIN_DELIMITERS_INSIDE && record[at] === counts[0]![at]),
  );
}

function mostFrequent(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  let best = 0;
  for (const number of numbers) {
    times.set(number, (times.get(number) ?? 0) + 1);
    if (times.get(number)! > (times.get(best) ?? 0)) best = number;
  }
  return best;
}

const QUOTE = 34;
const EQUALS = 61;
/** How exports make Excel keep zeros: `="00123"`, a formula that is a text. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"\s*$/;
/** A byte that is no part of a longer character. */
const PLAIN_DELIMITER = /^[^"\r\n\x80-\uffff]$/;
/** Programs of DOS end a text file with this mark. */
const END_OF_FILE = '\u001a';

interface ParsedRecord {
  /** Becomes the row's own array. */
  readonly fields: (string | undefined)[];
  /** Whether a field goes over several lines. */
  readonly hasBreaks: boolean;
  /** Byte behind the record and its line break, of what the parser read; absent where its quotes are known to be right. */
  readonly end?: number;
}

/** Turns the records of one pass into rows, counting records and text lines. */
interface RowBuilder {
  /** The next record; undefined when it has no content. */
  row(record: ParsedRecord): Row | undefined;
  /** Where the record after the last one starts. */
  position(): { row: number; line: number };
}

/** @param written The text between two bytes as the file has it; asked only for the record that is being built. */
function rowBuilder(
  file: string,
  dialect: CsvDialect,
  { columns }: ReadLimits,
  written: (from: number, to: number) => string,
): RowBuilder {
  const { delimiter, quotes } = dialect;
  const swallowed = swallowedFields(delimiter);
  const quotedWell = wellQuotedFields(delimiter);
  let number = 0;
  let line = dialect.firstLine;
  let end = 0;
  return {
    row({ fields, hasBreaks, end: recordEnd }) {
      number++;
      const begin = end;
      end = recordEnd ?? end;
      const start = line++;
      if (hasBreaks) line += countLineBreaks(fields);
      if (fields.length > columns)
        stop('input', {
          code: 'file/too-many-columns',
          params: { count: fields.length, most: columns },
          place: { file, row: number, line: start },
        });
      let filled = false;
      /** Fields up to the first whose quotes are wrong; counted once a record. */
      let wellQuoted: number | undefined;
      for (let column = 0; column < fields.length; column++) {
        let text = fields[column]!;
        if (text.charCodeAt(0) === EQUALS) {
          text = textOf(text);
          fields[column] = text;
        }
        if (isBlank(text) || text === END_OF_FILE) fields[column] = undefined;
        else filled = true;
        if (!quotes || recordEnd === undefined) continue;
        if (text.charCodeAt(0) !== QUOTE || !swallowed.test(text)) continue;
        wellQuoted ??= quotedWell(written(begin, end), fields.length);
        if (column >= wellQuoted) {
          const place = { file, row: number, column: columnLetter(column), line: start };
          stop('input', { code: 'file/csv-quote', place });
        }
      }
      if (!filled) return undefined;
      return { number, line: start, hidden: false, texts: fields, kinds: undefined };
    },
    position: () => ({ row: number + 1, line }),
  };
}

/** What a text formula says; any other text as it is. */
function textOf(field: string): string {
  const [, text] = TEXT_FORMULA.exec(field) ?? [];
  return text?.replaceAll('""', '"') ?? field;
}

/**
 * Finds a quote that was never closed: the parser then takes the next field's quote for its end, and keeps both as they are written.
 * Such a text begins with a quote and goes over a line break before the second one, or has a quote right behind a delimiter.
 * So does a value that really holds quotes, `"""a"",""b"""`; only the record as it is written tells them apart.
 */
function swallowedFields(delimiter: string): RegExp {
  const escaped = delimiter.replaceAll(/[\\\]^-]/g, '\\$&');
  return new RegExp(`^"[^"]*[\\r\\n]|[${escaped}\\r\\n]"`);
}

/** Counts the fields of a record, up to `most`, before the first that does not open and close its quotes as it should. */
function wellQuotedFields(delimiter: string): (record: string, most: number) => number {
  const mark = delimiter.replaceAll(/[\\\]^-]/g, '\\$&');
  const field = new RegExp(`(?:"[^"]*(?:""[^"]*)*"|[^"${mark}][^${mark}]*)?(?:[${mark}]|[\\r\\n]*$)`, 'y');
  return (record, most) => {
    field.lastIndex = 0;
    let count = 0;
    while (count < most && field.test(record)) count += 1;
    return count;
  };
}

const countLineBreaks = (fields: readonly (string | undefined)[]): number =>
  fields.reduce((sum, text) => sum + (text?.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

export interface CsvOptions {
  readonly encoding: TextEncoding | undefined;
  readonly delimiter: string | undefined;
  readonly limits: ReadLimits;
}

/** How a text file is written, told once when it is opened. */
interface CsvDialect extends TextScan {
  readonly delimiter: string;
  /** Text line of the first record: 2 behind a `sep=;` line. */
  readonly firstLine: number;
}

/** A batch is given out when it has so many; a chunk of short records gives more. */
const BATCH_ROWS = 256;

/** @throws PipelineError `input`: `file/csv-quote`, `file/record-too-long` while rows are read, and what `scanText` can say. */
export async function openCsv(path: string, file: string, options: CsvOptions): Promise<InputFile> {
  const table = await textTable(fileBytes(path), file, options);
  return { path, file, kind: 'csv', tables: [table], close: async () => {} };
}

/** The table of a text, whatever holds its bytes; throws as `openCsv` does. */
export async function textTable(bytes: Bytes, file: string, options: CsvOptions): Promise<RowSource> {
  const scan = await scanText(bytes, file, options.limits, options.encoding);
  const dialect = await readDialect(bytes, scan, file, options.delimiter);
  return {
    file,
    batches: () => readRows(bytes, file, dialect, options.limits),
  };
}

/** How the text of a file is written; throws as `openCsv` does. */
export async function dialectOf(path: string, file: string): Promise<CsvDialect> {
  const bytes = fileBytes(path);
  return readDialect(bytes, await scanText(bytes, file, READ_LIMITS), file, undefined);
}

async function readDialect(
  bytes: Bytes,
  scan: TextScan,
  file: string,
  given: string | undefined,
): Promise<CsvDialect> {
  let text = '';
  let cut = false;
  for await (const chunk of utf8Chunks(bytes, scan.encoding, scan.start)) {
    cut = text !== '';
    if (cut) break;
    text = chunk.toString('utf8');
  }
  const line = separatorLine(text);
  const unit = scan.encoding.startsWith('utf-16') ? 2 : 1;
  const inside = given === undefined && line === undefined ? delimiterInQuotes(text, cut) : undefined;
  if (inside !== undefined)
    stop('input', { code: 'file/csv-in-one-column', params: { delimiter: inside }, place: { file } });
  return {
    ...scan,
    start: scan.start + (line?.length ?? 0) * unit,
    firstLine: line === undefined ? 1 : 2,
    delimiter: given ?? line?.delimiter ?? detectDelimiter(text, cut),
  };
}

/** Records of a text, a chunk at a time; what they come to can be taken after each. */
interface RecordReader {
  /** @throws CsvError */
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  close(): void;
}

/**
 * The parser, driven chunk by chunk: it hands its records over while it parses, so that a million of them cost no million
 * awaits, and nothing piles up, because the next chunk waits for the reader.
 */
function parserOf(
  { delimiter, carriageReturns }: CsvDialect,
  { recordBytes }: ReadLimits,
  take: (record: Required<ParsedRecord>) => void,
): RecordReader {
  const parser = parse({
    delimiter,
    record_delimiter: carriageReturns ? ['\r\n', '\n', '\r'] : ['\n'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: recordBytes,
  });
  let before = 0;
  parser.on('data', (fields: string[]) => {
    const { lines, bytes } = parser.info;
    // It counts a CRLF inside quotes twice, so its lines only tell whether there are any.
    take({ fields, hasBreaks: lines !== before + 1, end: bytes });
    before = lines;
  });
  const ended = finished(parser);
  ended.catch(() => {});
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        parser.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    async end() {
      parser.end();
      await ended;
    },
    close: () => void parser.destroy(),
  };
}

/** As long as records are plain; from the first on that is not, and may be wrong, the parser reads and judges. */
function readerOf(
  dialect: CsvDialect,
  limits: ReadLimits,
  plain: (record: PlainRecord) => void,
  parser: () => RecordReader,
): RecordReader {
  if (!PLAIN_DELIMITER.test(dialect.delimiter)) return parser();
  const records = plainRecords(dialect.delimiter, plain);
  let chunks: Buffer[] = [];
  let size = 0;
  /** A record that was not whole is looked at again once there is twice as much of it, so that a long one costs no more a byte. */
  let enough = 0;
  let behind: RecordReader | undefined;

  async function read(chunk: Buffer, last: boolean): Promise<void> {
    chunks.push(chunk);
    size += chunk.length;
    if (!last && size < Math.min(enough, limits.recordBytes)) return;
    const whole = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const { end, unusual } = records.read(plainText(whole), last);
    const rest = whole.subarray(end);
    size = rest.length;
    chunks = size === 0 ? [] : [rest];
    enough = 2 * size;
    if (size === 0 || !(unusual || last || size > limits.recordBytes)) return;
    behind = parser();
    await behind.write(rest);
  }
  return {
    async write(chunk) {
      if (behind === undefined) await read(chunk, false);
      else await behind.write(chunk);
    },
    async end() {
      if (behind === undefined) await read(Buffer.alloc(0), true);
      await behind?.end();
    },
    close: () => behind?.close(),
  };
}

/** Records as rows. */
async function* readRows(
  bytes: Bytes,
  file: string,
  dialect: CsvDialect,
  limits: ReadLimits,
): AsyncGenerator<readonly Row[]> {
  // What the parser read since the last record that was built; without quotes nobody asks for it.
  let recent: Buffer = Buffer.alloc(0);
  let recentFrom = 0;
  const builder = rowBuilder(file, dialect, limits, (from, to) =>
    recent.toString('utf8', from - recentFrom, to - recentFrom),
  );
  let rows: Row[] = [];
  const build = (record: ParsedRecord): void => {
    const row = builder.row(record);
    if (row !== undefined) rows.push(row);
  };
  let records: Required<ParsedRecord>[] = [];
  const buildParsed = (): void => {
    const parsed = records;
    records = [];
    for (const record of parsed) build(record);
    const end = parsed.at(-1)?.end ?? recentFrom;
    recent = recent.subarray(end - recentFrom);
    recentFrom = end;
  };
  const reader = readerOf(dialect, limits, build, () => {
    const parser = parserOf(dialect, limits, (record) => records.push(record));
    return {
      ...parser,
      write(chunk) {
        if (dialect.quotes) recent = recent.length === 0 ? chunk : Buffer.concat([recent, chunk]);
        return parser.write(chunk);
      },
    };
  });
  try {
    for await (const chunk of utf8Chunks(bytes, dialect.encoding, dialect.start)) {
      await reader.write(chunk);
      buildParsed();
      if (rows.length < BATCH_ROWS) continue;
      const batch = rows;
      rows = [];
      yield batch;
    }
    await reader.end();
    buildParsed();
    if (rows.length > 0) yield rows;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    buildParsed();
    const place = { file, ...builder.position() };
    if (cause.code === 'CSV_QUOTE_NOT_CLOSED') stop('input', { code: 'file/csv-quote', place }, cause);
    if (cause.code === 'CSV_MAX_RECORD_SIZE') stop('input', { code: 'file/record-too-long', place }, cause);
    throw cause;
  } finally {
    reader.close();
  }
}
