import type { FormulaType } from '../formula/functions.js';
import type { Column, Formats, Table } from '../generated/mapping-types.js';
import type { WantedColumn } from '../source/header.js';
import type { Lint } from './lint.js';
import { type CellReader, createCellReader, type ReadKind } from './read/cell-reader.js';
import type { Synonyms } from './synonyms.js';
import type { YamlPath } from './yaml-source.js';

/** A column of a table, ready to be found in a header and read. */
export interface CompiledColumn extends WantedColumn {
  /** Place among the values of a record. */
  readonly position: number;
  readonly kind: ReadKind;
  readonly type: FormulaType;
  readonly read: CellReader;
}

const TYPES: Readonly<Record<ReadKind, FormulaType>> = {
  text: 'text',
  identifier: 'text',
  integer: 'decimal',
  decimal: 'decimal',
  money: 'decimal',
  percent: 'decimal',
  date: 'date',
  datetime: 'datetime',
  time: 'text',
  boolean: 'boolean',
  choice: 'text',
};

function readerOf(column: Column, formats: Formats | undefined): CellReader {
  const { decimal, date, blanks = [] } = { ...formats, ...column.formats };
  return createCellReader(column.read, {
    blanks: [...blanks, ...(column.blanks ?? [])],
    ...(decimal && { decimal }),
    ...(date && { date }),
    ...(column.zero_is_blank && { zeroIsBlank: true }),
    ...(column.choices && { choices: column.choices }),
  });
}

/** The columns of a table by id. A column without titles takes those of the synonyms for its id. */
export function compileColumns(
  table: Table,
  synonyms: Synonyms,
  lint: Lint,
  path: YamlPath,
): ReadonlyMap<string, CompiledColumn> {
  const compiled = new Map<string, CompiledColumn>();
  for (const [id, column] of Object.entries(table.columns)) {
    const at = [...path, 'columns', id];
    const titles = column.titles ?? synonyms.columns[id] ?? [];
    if (titles.length === 0) lint.report(at, 'mapping/no-titles', { params: { column: id }, key: true });
    if (column.read === 'choice' && column.choices === undefined)
      lint.report(at, 'mapping/no-choices', { params: { column: id }, key: true });
    compiled.set(id, {
      id,
      titles,
      position: compiled.size,
      kind: column.read,
      type: TYPES[column.read],
      read: readerOf(column, table.formats),
    });
  }
  return compiled;
}
