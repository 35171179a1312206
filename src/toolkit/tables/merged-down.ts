import { type CellKind, isBlank, type Row, type RowSource } from './table.js';

interface Cell {
  readonly text: string;
  readonly kind: CellKind;
  /** Last row that the cell covers. */
  readonly last: number;
}

/**
 * Repeats cells that are merged over rows, in the given columns; returns the source itself if there are none.
 * @param from row below the header
 */
export async function withMergedDown(
  source: RowSource,
  columns: readonly number[],
  from: number,
): Promise<RowSource> {
  const all = columns.length === 0 ? [] : ((await source.mergedDown?.()) ?? []);
  const merged = all.filter(({ column, last }) => columns.includes(column) && last >= from);
  if (merged.length === 0) return source;
  /** Last covered row by column and first row of a cell. */
  const ends = new Map(merged.map(({ column, first, last }) => [`${column} ${first}`, last]));
  return {
    ...source,
    async *batches() {
      const above = new Map<number, Cell>();
      const fill = (row: Row): Row => {
        if (row.number < from) return row;
        const repeated = new Map<number, Cell>();
        for (const column of columns) {
          const text = row.texts[column];
          const last = ends.get(`${column} ${row.number}`);
          const cell = above.get(column);
          if (text === undefined || isBlank(text)) {
            if (cell !== undefined && row.number <= cell.last) repeated.set(column, cell);
          } else if (last !== undefined)
            above.set(column, { text, kind: row.kinds?.[column] ?? 'text', last });
        }
        return repeated.size === 0 ? row : withCells(row, repeated);
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
