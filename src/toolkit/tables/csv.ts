import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { stop } from '../core/issue.js';
import { READ_LIMITS, type ReadLimits } from '../core/limits.js';
import { columnLetter } from '../core/text.js';
import { type Bytes, fileBytes, scanText, type TextEncoding, type TextScan, utf8Chunks } from './encoding.js';
import { byteText, type SimpleRecord, simpleCsvReader } from './simple-csv.js';
import { type InputFile, isBlank, type Row, type RowSource } from './table.js';

/** Candidate delimiters, in order of preference: Excel in Spanish writes `;`. */
const CANDIDATES = [';', ',', '\t', '|'] as const;
type Candidate = (typeof CANDIDATES)[number];
const isCandidate = (char: string): char is Candidate => CANDIDATES.some((candidate) => candidate === char);
type Counts = Record<Candidate, number>;
const noneOfEach = (): Counts => ({ ';': 0, ',': 0, '\t': 0, '|': 0 });
const SAMPLED_RECORDS = 50;

/** Parses the `sep=;` line that Excel obeys and hides, with its line break. */
function separatorLine(text: string): { delimiter: string; length: number } | undefined {
  const [line = '', delimiter] = /^sep=([^"\r\n])(?:\r\n|\r|\n|$)/i.exec(text) ?? [];
  return delimiter === undefined ? undefined : { delimiter, length: line.length };
}

/** Comma between digits that fill a field of another delimiter. */
const DECIMAL_COMMA = /,(?<=(?:^|[;\t|"\r\n])[ $+-]*\d[\d.]*,)(?=\d+ *(?:[;\t|"\r\n]|$))/g;

/** Min share of records in which a candidate occurs equally often; some omit trailing blanks. */
const NEARLY_EVEN = 0.5;

/**
 * Detects the delimiter from the beginning of a text: the candidate that occurs equally often, outside quotes, in each
 * record with content; among several or none, the one that makes most columns in most records. `;` if none occurs. A
 * candidate that another outnumbers in every record is punctuation inside fields, such as a decimal comma.
 * @param cut the text ends before the file does, so its last record is ignored unless it is the only one
 */
function detectDelimiter(text: string, cut: boolean): string {
  const written = countByRecord(text, cut);
  const hasOther = CANDIDATES.some(
    (candidate) => candidate !== ',' && written.every((record) => record[candidate] > 0),
  );
  const records = hasOther ? countByRecord(text.replace(DECIMAL_COMMA, '.'), cut) : written;
  let best = { delimiter: ';', even: false, score: 0 };
  const tallies = CANDIDATES.map((delimiter) => {
    const counts = records.map((record) => record[delimiter]);
    const usual = mostFrequent(counts.filter((count) => count > 0));
    return {
      delimiter,
      usual,
      share: counts.filter((count) => count === usual).length / counts.length,
    };
  });
  const isOutnumbered = ({ delimiter }: (typeof tallies)[number]): boolean =>
    tallies.some(
      (other) =>
        other.share >= NEARLY_EVEN && records.every((record) => record[other.delimiter] > record[delimiter]),
    );
  for (const tally of tallies) {
    if (isOutnumbered(tally)) continue;
    const { delimiter, usual, share } = tally;
    const even = share === 1;
    // Cubed: amounts and addresses hold commas in many records, a delimiter separates in nearly all.
    const score = usual * share ** 3;
    if (score > 0 && (even === best.even ? score > best.score : even)) best = { delimiter, even, score };
  }
  return best.delimiter;
}

/** Counts each candidate in the first records with content. A quote opens only at the start of a field. */
function countByRecord(text: string, cut: boolean): Counts[] {
  const records: Counts[] = [];
  let counts = noneOfEach();
  let quoted = false;
  let fieldStart = true;
  let closedAt = -2;
  let content = false;
  for (let i = 0; i < text.length && records.length < SAMPLED_RECORDS; i++) {
    const char = text.charAt(i);
    if (quoted) {
      if (char === '"') {
        quoted = false;
        closedAt = i;
      }
      continue;
    }
    const delimits = isCandidate(char);
    if (delimits) counts[char] += 1;
    else if (char === '\n' || char === '\r') {
      if (content) records.push(counts);
      counts = noneOfEach();
      content = false;
    } else if (char === '"' && (fieldStart || closedAt === i - 1)) quoted = true;
    content ||= !delimits && char.trim() !== '';
    fieldStart = delimits || char === '\n' || char === '\r';
  }
  // A record longer than the text counts as far as it goes.
  if (content && (!cut || records.length === 0) && records.length < SAMPLED_RECORDS) records.push(counts);
  return records;
}

const MIN_DELIMITERS_INSIDE = 2;
const ONE_QUOTED_FIELD = /^"(?:[^"]|"")*"[;,\t|]*$/;

/**
 * Returns the delimiter that all lines have equally often inside one pair of quotes: a CSV that was opened with another
 * delimiter and saved again. Undefined for other texts.
 */
function delimiterInQuotes(text: string, cut: boolean): string | undefined {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const complete = (cut ? lines.slice(0, -1) : lines).slice(0, SAMPLED_RECORDS);
  if (complete.length < 2 || !complete.every((line) => ONE_QUOTED_FIELD.test(line))) return undefined;
  const inside = complete.map((line) => line.slice(1, line.lastIndexOf('"')).replaceAll('""', '"'));
  const [first, ...others] = countByRecord(inside.join('\n'), false);
  return CANDIDATES.find(
    (candidate) =>
      first !== undefined &&
      first[candidate] >= MIN_DELIMITERS_INSIDE &&
      others.every((record) => record[candidate] === first[candidate]),
  );
}

function mostFrequent(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  let best = 0;
  for (const number of numbers) {
    const count = (times.get(number) ?? 0) + 1;
    times.set(number, count);
    if (count > (times.get(best) ?? 0)) best = number;
  }
  return best;
}

const QUOTE = 34;
const EQUALS = 61;
/** Formula by which exports make Excel preserve zeros: `="00123"`. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"\s*$/;
const PLAIN_DELIMITER = /^[^"\r\n\x80-\uffff]$/;
/** End of file mark of DOS programs. */
const END_OF_FILE = '\u001a';

interface ParsedRecord {
  /** Becomes the array of the row. */
  readonly fields: (string | undefined)[];
  /** True if a field spans several lines. */
  readonly hasBreaks: boolean;
  /** Byte after the record and its line break; absent if its quotes are known to be right. */
  readonly end?: number;
}

/** Turns the records of one pass into rows, counting records and text lines. */
interface RowBuilder {
  /** Returns the row of the next record, or undefined if it has no content. */
  row(record: ParsedRecord): Row | undefined;
  /** Returns the position of the following record. */
  position(): { row: number; line: number };
}

/** @param written returns the text between two bytes of the file; called for the current record only */
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
      /** Number of fields before the first whose quotes are wrong; counted once per record. */
      let wellQuoted: number | undefined;
      for (let column = 0; column < fields.length; column++) {
        let text = fields[column];
        if (text === undefined) continue;
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

/** Returns the text of a text formula, or the field as it is. */
function textOf(field: string): string {
  const [, text] = TEXT_FORMULA.exec(field) ?? [];
  return text?.replaceAll('""', '"') ?? field;
}

/**
 * Matches a field with an unclosed quote: the parser takes the next field's quote for its end and retains both. The
 * text begins with a quote and has a line break before the second one, or a quote after a delimiter. A value that
 * really holds quotes, `"""a"",""b"""`, matches too; only the raw record tells them apart.
 */
function swallowedFields(delimiter: string): RegExp {
  const escaped = delimiter.replaceAll(/[\\\]^-]/g, '\\$&');
  return new RegExp(`^"[^"]*[\\r\\n]|[${escaped}\\r\\n]"`);
}

/** Counts the fields of a record, up to `most`, before the first with wrong quotes. */
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

/** Encoding and syntax of a text file, detected when it is opened. */
interface CsvDialect extends TextScan {
  readonly delimiter: string;
  /** Text line of the first record: 2 after a `sep=;` line. */
  readonly firstLine: number;
}

/** Min rows of a batch; a chunk of short records gives more. */
const BATCH_ROWS = 256;

/**
 * Opens a CSV file.
 * @throws PipelineError `input`: `file/csv-quote`, `file/record-too-long` while rows are read, and those of `scanText`
 */
export async function openCsv(path: string, file: string, options: CsvOptions): Promise<InputFile> {
  const table = await textTable(fileBytes(path), file, options);
  return { path, file, kind: 'csv', tables: [table], close: async () => {} };
}

/** Creates the table of a text; throws like `openCsv`. */
export async function textTable(bytes: Bytes, file: string, options: CsvOptions): Promise<RowSource> {
  const scan = await scanText(bytes, file, options.limits, options.encoding);
  const dialect = await readDialect(bytes, scan, file, options.delimiter);
  return {
    file,
    batches: () => readRows(bytes, file, dialect, options.limits),
  };
}

/** Detects the dialect of a file; throws like `openCsv`. */
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

/** Reads records chunk by chunk; the result so far can be taken after each chunk. */
interface RecordReader {
  /** @throws CsvError */
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  close(): void;
}

/**
 * Creates a csv-parse parser driven chunk by chunk: records are passed on while it parses, without an await for each,
 * and the next chunk waits for the reader.
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
    // The parser counts a CRLF inside quotes twice, so its lines only tell whether there are any.
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

/** Creates a reader that uses the fast path until the first unusual record, and the parser from there on. */
function readerOf(
  dialect: CsvDialect,
  limits: ReadLimits,
  plain: (record: SimpleRecord) => void,
  parser: () => RecordReader,
): RecordReader {
  if (!PLAIN_DELIMITER.test(dialect.delimiter)) return parser();
  const records = simpleCsvReader(dialect.delimiter, plain);
  let chunks: Buffer[] = [];
  let size = 0;
  /** Bytes before an incomplete record is read again, doubled each time to keep the cost per byte constant. */
  let minBytes = 0;
  let behind: RecordReader | undefined;

  async function read(chunk: Buffer, last: boolean): Promise<void> {
    chunks.push(chunk);
    size += chunk.length;
    if (!last && size < Math.min(minBytes, limits.recordBytes)) return;
    const joined = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const { end, unusual } = records.read(byteText(joined), last);
    const rest = joined.subarray(end);
    size = rest.length;
    chunks = size === 0 ? [] : [rest];
    minBytes = 2 * size;
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

async function* readRows(
  bytes: Bytes,
  file: string,
  dialect: CsvDialect,
  limits: ReadLimits,
): AsyncGenerator<readonly Row[]> {
  // Bytes that the parser read since the last built record; only needed with quotes.
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
