const cut = (text: string, limit: number | undefined): string =>
  limit === undefined || text.length <= limit ? text : `${text.slice(0, Math.max(1, limit - 1))}…`;

/** Lines of a table no wider than `width`: each column as wide as its widest text or as `most` allows, the last takes the rest. */
export function inColumns(
  rows: readonly (readonly string[])[],
  width: number,
  most: readonly number[] = [],
): readonly string[] {
  const texts = rows.map((row) => row.map((text, column) => cut(text, most[column])));
  const columns = Math.max(0, ...texts.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...texts.map((row) => (row[column] ?? '').length)),
  );
  return texts.map((row) => {
    const line = row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column]!)));
    return cut(line.join('  ').trimEnd(), width);
  });
}

/** Words of a text over lines no wider than `width`; the second and later ones are indented. */
export function wrapped(text: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > width && line !== '') {
      lines.push(line);
      line = indent + word;
    } else line = next;
  }
  return [...lines, line];
}
