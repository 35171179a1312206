import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { stop } from '../../issues/pipeline-error.js';
import type { ReadLimits } from '../limits.js';
import type { InputFile, Row, RowSource } from '../table.js';
import { detectDelimiter, separatorLine } from './delimiter.js';
import { type Bytes, fileBytes, scanText, type TextEncoding, type TextScan, utf8Chunks } from './encoding.js';
import { type ParsedRecord, rowBuilder } from './rows.js';

export interface CsvOptions {
  readonly encoding: TextEncoding | undefined;
  readonly delimiter: string | undefined;
  readonly limits: ReadLimits;
}

/** How a text file is written, told once when it is opened. */
export interface CsvDialect extends TextScan {
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
  const dialect = await readDialect(bytes, scan, options.delimiter);
  return { file, batches: () => readRows(bytes, file, dialect, options.limits) };
}

async function readDialect(bytes: Bytes, scan: TextScan, given: string | undefined): Promise<CsvDialect> {
  let text = '';
  let cut = false;
  for await (const chunk of utf8Chunks(bytes, scan.encoding, scan.start)) {
    cut = text !== '';
    if (cut) break;
    text = chunk.toString('utf8');
  }
  const line = separatorLine(text);
  const unit = scan.encoding.startsWith('utf-16') ? 2 : 1;
  return {
    ...scan,
    start: scan.start + (line?.length ?? 0) * unit,
    firstLine: line === undefined ? 1 : 2,
    delimiter: given ?? line?.delimiter ?? detectDelimiter(text, cut),
  };
}

/**
 * Records as rows. The parser is driven chunk by chunk and hands its records over while it parses,
 * so that a million of them cost no million awaits, and nothing piles up: the next chunk waits for the reader.
 */
async function* readRows(
  bytes: Bytes,
  file: string,
  dialect: CsvDialect,
  limits: ReadLimits,
): AsyncGenerator<readonly Row[]> {
  const parser = parse({
    delimiter: dialect.delimiter,
    record_delimiter: dialect.carriageReturns ? ['\r\n', '\n', '\r'] : ['\n'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: limits.recordBytes,
  });
  // What is written since the last record that was built; without quotes nobody asks for it.
  let recent: Buffer = Buffer.alloc(0);
  let recentFrom = 0;
  const builder = rowBuilder(file, dialect, limits, (from, to) =>
    recent.toString('utf8', from - recentFrom, to - recentFrom),
  );
  let records: ParsedRecord[] = [];
  let rows: Row[] = [];
  const buildRows = (): void => {
    const parsed = records;
    records = [];
    for (const record of parsed) {
      const row = builder.row(record);
      if (row !== undefined) rows.push(row);
    }
    const end = parsed.at(-1)?.end ?? recentFrom;
    recent = recent.subarray(end - recentFrom);
    recentFrom = end;
  };
  parser.on('data', (fields: string[]) => {
    const { lines: parsedLines, bytes: end } = parser.info;
    records.push({ fields, parsedLines, end });
  });
  const ended = finished(parser);
  ended.catch(() => {});
  try {
    for await (const chunk of utf8Chunks(bytes, dialect.encoding, dialect.start)) {
      if (dialect.quotes) recent = recent.length === 0 ? chunk : Buffer.concat([recent, chunk]);
      await new Promise<void>((resolve, reject) => {
        parser.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      buildRows();
      if (rows.length < BATCH_ROWS) continue;
      const batch = rows;
      rows = [];
      yield batch;
    }
    parser.end();
    await ended;
    buildRows();
    if (rows.length > 0) yield rows;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    buildRows();
    const place = { file, ...builder.position() };
    if (cause.code === 'CSV_QUOTE_NOT_CLOSED') stop('input', { code: 'file/csv-quote', place }, cause);
    if (cause.code === 'CSV_MAX_RECORD_SIZE') stop('input', { code: 'file/record-too-long', place }, cause);
    throw cause;
  } finally {
    parser.destroy();
  }
}
