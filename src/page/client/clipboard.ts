const CELL = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/y;
const SEPARATOR = /\t|\r\n|\r|\n/y;

/** Parses cells as Excel copies them: tabs between cells, line breaks after rows, quotes around texts that hold either. */
export function parseCells(text: string): readonly (readonly string[])[] {
  let row: string[] = [];
  const rows = [row];
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (let at = 0; ; ) {
    const [cell = '', quoted] = match(CELL, at) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? cell);
    at += cell.length;
    const [separator = ''] = match(SEPARATOR, at) ?? [];
    at += separator.length;
    // The last row may end with a line break, which begins no other.
    if (separator === '' || (separator !== '\t' && at === text.length)) return rows;
    if (separator === '\t') continue;
    row = [];
    rows.push(row);
  }
}

/** Formats cells for Excel. */
export const formatCells = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) =>
      cells.map((cell) => (/[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
    )
    .join('\n');
