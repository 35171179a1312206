import { stop } from '../../issues/pipeline-error.js';
import { columnLetter } from '../../values/a1.js';
import { isBlank } from '../blank.js';
import type { Row } from '../table.js';
import type { CsvDialect } from './table.js';

const QUOTE = 34;

export interface ParsedRecord {
  /** Becomes the row's own array. */
  readonly fields: (string | undefined)[];
  /** Lines that the parser had counted at the end of the record. It counts a CRLF inside quotes twice, so this only tells whether there are any. */
  readonly parsedLines: number;
}

/** Turns the records of one pass into rows, counting records and text lines. */
export interface RowBuilder {
  /** The next record; undefined when it has no content. */
  row(record: ParsedRecord): Row | undefined;
  /** Where the record after the last one starts. */
  position(): { row: number; line: number };
}

export function rowBuilder(file: string, dialect: CsvDialect): RowBuilder {
  const { delimiter, quotes } = dialect;
  const swallowed = swallowedFields(delimiter);
  let number = 0;
  let line = dialect.firstLine;
  let parsedBefore = 0;
  return {
    row({ fields, parsedLines }) {
      number++;
      const start = line++;
      if (parsedLines !== parsedBefore + 1) line += countLineBreaks(fields);
      parsedBefore = parsedLines;
      let filled = false;
      for (let column = 0; column < fields.length; column++) {
        const text = fields[column]!;
        if (isBlank(text)) fields[column] = undefined;
        else filled = true;
        if (quotes && text.charCodeAt(0) === QUOTE && swallowed.test(text)) {
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
 */
function swallowedFields(delimiter: string): RegExp {
  const escaped = delimiter.replaceAll(/[\\\]^-]/g, '\\$&');
  return new RegExp(`^"[^"]*[\\r\\n]|[${escaped}\\r\\n]"`);
}

const countLineBreaks = (fields: readonly (string | undefined)[]): number =>
  fields.reduce((sum, text) => sum + (text?.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
