import { unreachable } from '../core/required.js';

/** A row of a code list; every cell is text, so that `05001` keeps its zero. */
export type CatalogueRow = Readonly<Record<string, string>>;

/** Returns a cell of a row. @throws Error a programming error, if its list lacks the column */
export const cellOf = (row: CatalogueRow, column: string): string =>
  row[column] ?? unreachable(`column ${column}`);

/** Code list of schemas/catalogues: `id` (of the service), `code` (of the norm), `name` and further columns. */
export interface Catalogue {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly CatalogueRow[];
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const csvOf = ({ columns, rows }: Omit<Catalogue, 'name'>): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.map(quoted).join(',')}\n`)
    .join('');

/** A cell, quoted if needed, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/y;

export function cellsOf(text: string): string[][] {
  if (!text.includes('"'))
    return text.split(/\r?\n/).flatMap((line) => (line === '' ? [] : [line.split(',')]));
  const lines: string[][] = [];
  let line: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length) {
    const [, inQuotes, plain = '', end] = CELL.exec(text) ?? [];
    if (end === undefined) throw new Error('a list with a quote that nothing closes');
    line.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'));
    if (end === ',') continue;
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
  }
  return lines;
}

/** Parses a list from CSV. */
export function listOf(name: string, text: string): Catalogue {
  const [columns = [], ...lines] = cellsOf(text);
  const rows = lines.map((cells): CatalogueRow => {
    const row: Record<string, string> = {};
    for (const [at, column] of columns.entries()) row[column] = cells[at] ?? '';
    return row;
  });
  return { name, columns, rows };
}
