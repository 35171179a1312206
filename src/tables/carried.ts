import { type CellKind, isBlank, type Row, type RowSource } from './table.js';

/** Columns of a sheet whose cells may stand once for several rows. */
interface Carried {
  readonly columns: readonly number[];
  /** The row below the header. */
  readonly from: number;
  /** A row that fills none of them has those of the row above. */
  readonly above: boolean;
  /** One of these is filled in what is a record at all, and no total. */
  readonly beside: readonly number[];
}

interface Cell {
  readonly row: number;
  readonly text: string;
  readonly kind: CellKind;
}

/** The rows of a sheet, in which a cell counts for all that it stands for; the sheet itself where none does. */
export async function withCarried(source: RowSource, carried: Carried): Promise<RowSource> {
  const { columns, from, above, beside } = carried;
  const all = (await source.mergedDown?.()) ?? [];
  const merged = all.filter(({ column, last }) => columns.includes(column) && last >= from);
  if (columns.length === 0 || (merged.length === 0 && !above)) return source;
  /** By column and row of a cell, the last row that it reaches over. */
  const ends = new Map(merged.map(({ column, first, last }) => [`${column} ${first}`, last]));
  const reaches = (column: number, cell: Cell, row: Row): boolean =>
    (ends.get(`${column} ${cell.row}`) ?? 0) >= row.number;
  const isFilled = ({ texts }: Row, column: number): boolean =>
    texts[column] !== undefined && !isBlank(texts[column]);
  const { pieces: _, ...whole } = source;
  return {
    ...whole,
    async *batches() {
      /** By column, the last cell that was filled. */
      const filled = new Map<number, Cell>();
      /** The cells of the last row that fills any of the columns. */
      let last = new Map<number, Cell>();
      const carry = (row: Row): Row => {
        if (row.number < from) return row;
        const lent = new Map<number, Cell>();
        const own = new Map<number, Cell>();
        for (const column of columns) {
          if (isFilled(row, column)) {
            const kind = row.kinds?.[column] ?? 'text';
            const cell = { row: row.number, text: row.texts[column]!, kind };
            filled.set(column, cell);
            own.set(column, cell);
            continue;
          }
          const cell = filled.get(column);
          if (cell !== undefined && reaches(column, cell, row)) lent.set(column, cell);
        }
        if (own.size + lent.size > 0) last = new Map([...own, ...lent]);
        else if (above && beside.some((column) => isFilled(row, column)))
          for (const [column, cell] of last) lent.set(column, cell);
        return lent.size === 0 ? row : withCells(row, lent);
      };
      for await (const rows of source.batches()) yield rows.map(carry);
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
