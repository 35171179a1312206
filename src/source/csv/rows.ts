import { stop } from '../../issues/pipeline-error.js';
import { columnLetter } from '../../values/a1.js';
import { isBlank } from '../blank.js';
import type { Row } from '../table.js';
import type { CsvDialect } from './table.js';

const QUOTE = 34;

/** Turns the records of one pass into rows, counting records and text lines. */
export interface RowBuilder {
  /** The next record, which becomes the row's own array; undefined when it has no content. */
  row(record: (string | undefined)[]): Row | undefined;
  /** Where the record after the last one starts. */
  position(): { row: number; line: number };
}

export function rowBuilder(file: string, dialect: CsvDialect): RowBuilder {
  const { delimiter, quotes } = dialect;
  const swallowed = swallowedFields(delimiter);
  let number = 0;
  let line = dialect.firstLine;
  return {
    row(record) {
      number++;
      const start = line++;
      let filled = false;
      for (let column = 0; column < record.length; column++) {
        const text = record[column]!;
        if (isBlank(text)) record[column] = undefined;
        else filled = true;
        if (!quotes) continue;
        line += lineBreaks(text);
        if (text.charCodeAt(0) === QUOTE && swallowed.test(text)) {
          const place = { file, row: number, column: columnLetter(column), line: start };
          stop('input', { code: 'file/csv-quote', place });
        }
      }
      if (!filled) return undefined;
      return { number, line: start, hidden: false, texts: record, kinds: undefined };
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

function lineBreaks(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)!.length;
}
