import type { Issue } from '../issues/issue.js';
import type { Header, IgnoredColumns, WantedColumn } from './header.js';
import { cellPlace, type Row, type RowSource } from './table.js';

const NO_ROW: Row = { number: 0, hidden: false, texts: [], kinds: undefined };

/** The header of a table that has none: columns stand where the mapping says. */
export function positionalHeader(
  wanted: readonly WantedColumn[],
  ignored: readonly IgnoredColumns[] = [],
): Header {
  const labels: string[] = [];
  const columns = new Map<string, number>();
  for (const { id, titles, position } of wanted) {
    if (position === undefined) continue;
    columns.set(id, position - 1);
    labels[position - 1] ??= titles[0] ?? id;
  }
  return {
    row: NO_ROW,
    firstDataRow: 1,
    labels: Array.from(labels),
    groupLabels: [],
    columns,
    several: new Map([...columns].map(([id, column]) => [id, [column]])),
    repeats: new Map(),
    ignored: new Map(
      ignored.flatMap(({ positions, reason }) =>
        positions.map((position) => [position - 1, reason] as const),
      ),
    ),
    unused: [],
    issues: [],
  };
}

/** A record without header whose number of fields is none of those that it may have: its columns have shifted. */
export function fieldCountIssue(source: RowSource, row: Row, fields: readonly number[]): Issue | undefined {
  const found = row.texts.length;
  // A sheet does not store blank cells at the end of a row; a text file does.
  const fits = row.line === undefined ? fields.some((count) => found <= count) : fields.includes(found);
  if (fits || fields.length === 0) return undefined;
  const { column: _, ...place } = cellPlace(source, row, 0);
  return {
    code: 'header/field-count',
    level: 'error',
    params: { found, wanted: fields.join(', ') },
    place,
    value: String(found),
  };
}
