import { type CellReader, createCellReader } from '../mapping/read/cell.js';
import type { StyledColumn } from '../schema/document.js';
import type { CellKind, Row } from '../tables/table.js';
import { styleOf, type VotedTable } from './decide.js';

/** Returns the columns with inferred formats, and these formats. */
export const styledColumns = ({ table, verdicts }: VotedTable): readonly StyledColumn[] =>
  [
    table.present,
    ...table.repeats.map(({ present }) => present),
    ...table.parts.map(({ columns }) => columns),
  ]
    .flat()
    .flatMap(({ column, index, more }) => {
      const style = styleOf(column, verdicts.get(column));
      if (style === undefined || column.kind === undefined) return [];
      const { file, sheet } = table.source;
      const read = column.kind;
      return [index, ...more].map((at) => ({ file, ...(sheet && { sheet }), index: at, read, style }));
    });

/** Returns the texts of a date: alone, if midnight means no time, and with its time. */
const datesOf = (value: string): readonly string[] => [value.slice(0, 10), value.replace('T', ' ')];

/** Returns the kinds that a column may have: a moment may be a date with its time in another column. */
const kindsOf = (read: StyledColumn['read']): readonly StyledColumn['read'][] =>
  read === 'datetime' ? [read, 'date'] : [read];

/**
 * Rewrites the texts of a row that would be read differently without the other rows: `2/10/2026` as `2026-10-02`,
 * `1.500` as the number.
 */
export function asRead(styled: readonly StyledColumn[]): (row: Row) => Row {
  const readers = styled.flatMap(({ index, read, style }) =>
    kindsOf(read).map(
      (
        kind,
      ): readonly [
        number,
        { readonly voted: CellReader; readonly alone: CellReader; readonly isDate: boolean },
      ] => [
        index,
        { voted: createCellReader(kind, style), alone: createCellReader(kind, {}), isDate: 'date' in style },
      ],
    ),
  );
  return (row) => {
    const texts = [...row.texts];
    const kinds: (CellKind | undefined)[] = [...(row.kinds ?? [])];
    for (const [index, { voted, alone, isDate }] of readers) {
      const text = texts[index];
      if (text === undefined || (kinds[index] ?? 'text') !== 'text') continue;
      const value = voted(text, 'text');
      if (typeof value !== 'string' || value === alone(text, 'text')) continue;
      if (isDate) texts[index] = datesOf(value).find((date) => alone(date, 'text') === value) ?? text;
      else {
        texts[index] = value;
        kinds[index] = 'number';
      }
    }
    return { ...row, texts, kinds };
  };
}
