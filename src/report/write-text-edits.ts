import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unreachable } from '../toolkit/core/required.js';
import { dialectOf } from '../toolkit/tables/csv.js';
import type { EditedRow } from '../toolkit/tables/edits.js';
import { encodeText, fileBytes, utf8Chunks, wholeCharacters } from '../toolkit/tables/encoding.js';

/**
 * Writes a copy of a table in text with other values in some cells. Delimiter, line breaks, encoding and
 * other records stay; a value that the encoding lacks makes the copy UTF-8.
 */
export async function writeTextEdits(
  path: string,
  output: string,
  rows: readonly EditedRow[],
): Promise<void> {
  const dialect = await dialectOf(path, basename(path));
  const texts = rows.flatMap(({ cells }) => [...(cells?.values() ?? [])].map(({ text }) => text));
  const fits = texts.every((text) => encodeText(text, dialect.encoding) !== undefined);
  const encoding = fits ? dialect.encoding : 'utf-8';
  const byLine = new Map(rows.map((row) => [row.line ?? unreachable('line of an edited row'), row]));
  async function* copy(): AsyncGenerator<Buffer> {
    if (!fits) yield Buffer.from('\uFEFF');
    if (dialect.start > 0) yield* createReadStream(path, { end: dialect.start - 1 });
    for await (const text of editedLines(path, dialect, byLine))
      yield encodeText(text, encoding) ?? unreachable(`text in ${encoding}`);
  }
  await pipeline(copy, createWriteStream(output, { mode: 0o600 }));
}

const quotesIn = (text: string): number => text.split('"').length - 1;

/** Yields the lines of a text with the edited records, which are keyed by their first line. */
async function* editedLines(
  path: string,
  { encoding, start, firstLine, carriageReturns, delimiter }: Awaited<ReturnType<typeof dialectOf>>,
  rows: ReadonlyMap<number, EditedRow>,
): AsyncGenerator<string> {
  const line = carriageReturns ? /([^\r\n]*)(\r\n|\n|\r(?!$))/y : /([^\n]*)(\n)/y;
  const completeCharacters = wholeCharacters();
  let number = firstLine;
  let rest = '';
  /** Edited record read so far, if it continues on the next line. */
  let record: { readonly row: EditedRow; text: string } | undefined;
  const take = (text: string, end: string): string => {
    if (record === undefined) {
      const row = rows.get(number);
      number += 1;
      if (row === undefined) return text + end;
      record = { row, text };
    } else {
      record.text += text;
      number += 1;
    }
    if (quotesIn(record.text) % 2 === 1 && end !== '') {
      record.text += end;
      return '';
    }
    const edited = editedRecord(record.text, record.row, delimiter);
    record = undefined;
    return edited + end;
  };
  for await (const chunk of utf8Chunks(fileBytes(path), encoding, start)) {
    rest += completeCharacters(chunk).toString('utf8');
    const out: string[] = [];
    let at = 0;
    line.lastIndex = 0;
    for (let match = line.exec(rest); match !== null; match = line.exec(rest)) {
      const [, text = '', end = ''] = match;
      out.push(take(text, end));
      at = line.lastIndex;
    }
    rest = rest.slice(at);
    yield out.join('');
  }
  const last = /\r$/.test(rest) ? '\r' : '';
  if (rest !== '') yield take(rest.slice(0, rest.length - last.length), last);
}

function editedRecord(text: string, { cells }: EditedRow, delimiter: string): string {
  const fields = fieldsOf(text, delimiter);
  if (cells === undefined) return delimiter.repeat(fields.length - 1);
  const width = Math.max(
    fields.length,
    ...[...cells].map(([column, cell]) => (cell.text === '' ? 0 : column + 1)),
  );
  return Array.from({ length: width }, (_, column) => {
    const cell = cells.get(column);
    return cell === undefined ? (fields[column] ?? '') : quoted(cell.text, delimiter);
  }).join(delimiter);
}

/** Splits a record into its fields as written; quoted delimiters do not separate. */
function fieldsOf(text: string, delimiter: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  for (const part of text.split(delimiter)) {
    field = field === '' ? part : field + delimiter + part;
    const isOpen = field.startsWith('"') && quotesIn(field) % 2 === 1;
    if (isOpen) continue;
    fields.push(field);
    field = '';
  }
  if (field !== '') fields.push(field);
  return fields;
}

const quoted = (text: string, delimiter: string): string =>
  /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
