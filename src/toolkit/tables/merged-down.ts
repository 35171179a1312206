import { type CellKind, isBlank, type Row, type RowSource } from './table.js';

interface Cell {
  readonly text: string;
  readonly kind: CellKind;
  /** The last row that it reaches over. */
  readonly last: number;
}

/**
 * The rows of a sheet, in which a cell that is merged over rows counts for each of them in these columns; the sheet itself where none is.
 * @param from the row below the header
 */
export async function withMergedDown(
  source: RowSource,
  columns: readonly number[],
  from: number,
): Promise<RowSource> {
  const all = columns.length === 0 ? [] : ((await source.mergedDown?.()) ?? []);
  const merged = all.filter(({ column, last }) => columns.includes(column) && last >= from);
  if (merged.length === 0) return source;
  /** By column and row of a cell, the last row that it reaches over. */
  const ends = new Map(merged.map(({ column, first, last }) => [`${column} ${first}`, last]));
  return {
    ...source,
    async *batches() {
      const above = new Map<number, Cell>();
      const fill = (row: Row): Row => {
        if (row.number < from) return row;
        const lent = new Map<number, Cell>();
        for (const column of columns) {
          const text = row.texts[column];
          const last = ends.get(`${column} ${row.number}`);
          const cell = above.get(column);
          if (text === undefined || isBlank(text)) {
            if (cell !== undefined && row.number <= cell.last) lent.set(column, cell);
          } else if (last !== undefined)
            above.set(column, { text, kind: row.kinds?.[column] ?? 'text', last });
        }
        return lent.size === 0 ? row : withCells(row, lent);
      };
      for await (const rows of source.batches()) yield rows.map(fill);
    },
  };
}

function withCells(row: Row, cells: ReadonlyMap<number, Cell>): Row {
  const texts = [...row.texts];
  const kinds = row.kinds === undefined ? texts.map(() => 'text' as CellKind | undefined) : [...row.kinds];
  for (const [column, { text, kind }] of cells) {
    texts[column] = text;
    kinds[column] = kind;
  }
  return { ...row, texts, kinds };
}
