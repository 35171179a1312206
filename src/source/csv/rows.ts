import { stop } from '../../issues/pipeline-error.js';
import { columnLetter } from '../../values/a1.js';
import { isBlank } from '../blank.js';
import type { ReadLimits } from '../limits.js';
import type { Row } from '../table.js';
import type { CsvDialect } from './table.js';

const QUOTE = 34;

export interface ParsedRecord {
  /** Becomes the row's own array. */
  readonly fields: (string | undefined)[];
  /** Lines that the parser had counted at the end of the record. It counts a CRLF inside quotes twice, so this only tells whether there are any. */
  readonly parsedLines: number;
  /** Byte of the text behind the record and its line break. */
  readonly end: number;
}

/** Turns the records of one pass into rows, counting records and text lines. */
export interface RowBuilder {
  /** The next record; undefined when it has no content. */
  row(record: ParsedRecord): Row | undefined;
  /** Where the record after the last one starts. */
  position(): { row: number; line: number };
}

/** @param written The text between two bytes as the file has it; asked only for the record that is being built. */
export function rowBuilder(
  file: string,
  dialect: CsvDialect,
  { columns }: ReadLimits,
  written: (from: number, to: number) => string,
): RowBuilder {
  const { delimiter, quotes } = dialect;
  const swallowed = swallowedFields(delimiter);
  const isQuotedWell = wellQuotedFields(delimiter);
  let number = 0;
  let line = dialect.firstLine;
  let parsedBefore = 0;
  let end = 0;
  return {
    row({ fields, parsedLines, end: recordEnd }) {
      number++;
      const begin = end;
      end = recordEnd;
      const start = line++;
      if (parsedLines !== parsedBefore + 1) line += countLineBreaks(fields);
      parsedBefore = parsedLines;
      if (fields.length > columns)
        stop('input', {
          code: 'file/too-many-columns',
          params: { count: fields.length, most: columns },
          place: { file, row: number, line: start },
        });
      let filled = false;
      for (let column = 0; column < fields.length; column++) {
        const text = fields[column]!;
        if (isBlank(text)) fields[column] = undefined;
        else filled = true;
        if (!quotes || text.charCodeAt(0) !== QUOTE || !swallowed.test(text)) continue;
        if (!isQuotedWell(written(begin, end), column)) {
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

/**
 * Finds a quote that was never closed: the parser then takes the next field's quote for its end, and keeps both as they are written.
 * Such a text begins with a quote and goes over a line break before the second one, or has a quote right behind a delimiter.
 * So does a value that really holds quotes, `"""a"",""b"""`; only the record as it is written tells them apart.
 */
function swallowedFields(delimiter: string): RegExp {
  const escaped = delimiter.replaceAll(/[\\\]^-]/g, '\\$&');
  return new RegExp(`^"[^"]*[\\r\\n]|[${escaped}\\r\\n]"`);
}

/** Whether the fields of a record, up to one of them, open and close their quotes as they should. */
function wellQuotedFields(delimiter: string): (record: string, column: number) => boolean {
  const mark = delimiter.replaceAll(/[\\\]^-]/g, '\\$&');
  const field = new RegExp(`(?:"[^"]*(?:""[^"]*)*"|[^"${mark}][^${mark}]*)?(?:[${mark}]|[\\r\\n]*$)`, 'y');
  return (record, column) => {
    field.lastIndex = 0;
    for (let at = 0; at <= column; at++) if (!field.test(record)) return false;
    return true;
  };
}

const countLineBreaks = (fields: readonly (string | undefined)[]): number =>
  fields.reduce((sum, text) => sum + (text?.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
