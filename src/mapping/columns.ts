import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { Column, Formats, Take } from '../generated/mapping-types.js';
import type { WantedColumn } from '../source/header.js';
import type { Context } from './context.js';
import type { Lint } from './lint.js';
import {
  type CellFault,
  type CellReader,
  createCellReader,
  type ReadKind,
  type ReadOptions,
} from './read/cell-reader.js';
import type { Readings } from './readings.js';
import type { Synonyms } from './synonyms.js';
import type { Repaired } from './workbench.js';
import type { YamlPath } from './yaml-source.js';

/** What a computed column gives for the record that the context stands at. */
export type Computed = (context: Context) => FormulaValue | CellFault | Repaired;

/** What a vote says besides the style. */
export type Trust = Pick<ReadOptions, 'mixed' | 'thousandths'>;

/** A column of a table: found in a header and read, or computed from others of its record. */
export interface CompiledColumn {
  readonly id: string;
  /** How it is found in a header; undefined when it is computed. */
  readonly wanted?: WantedColumn;
  /** The table that it belongs to, by its place in a context. */
  readonly slot: number;
  /** Place among the values of a record. */
  readonly position: number;
  readonly type: FormulaType;
  readonly kind?: ReadKind;
  /** The reader with formats as the mapping declares them. */
  readonly read?: CellReader;
  /** The reader with formats that were voted. */
  readonly readAs?: (formats: Formats, trust: Trust) => CellReader;
  readonly formats?: Formats;
  readonly computed?: Computed;
  /** Of a computed one that adds up others: the first negative one of them. */
  readonly negative?: (context: Context) => CellFault | undefined;
  /** Whether a fault of a computed column only warns. */
  readonly warns?: boolean;
  /** The read columns behind it: itself, or those that it is computed from. */
  readonly feeders: readonly CompiledColumn[];
  /** The read columns without which it cannot be had. */
  readonly needs: readonly CompiledColumn[];
  /** The columns that a computed one reads, computed ones among them. */
  readonly uses: readonly CompiledColumn[];
  /** The parameters that may give a computed one its value. */
  readonly params?: readonly string[];
  /** What many records of a document give together. */
  readonly take?: Take;
  /** Lists of words among which its cells must not waver; those who look it up add theirs. */
  readonly readings?: Readings[];
}

const TYPES: Readonly<Record<NonNullable<ReadKind>, FormulaType>> = {
  text: 'text',
  identifier: 'text',
  cie10: 'text',
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

/** A column that is read from cells. */
export type ReadColumn = Column & { readonly read: ReadKind };

export const isTyped = (column: Column): column is ReadColumn => column.read !== undefined;

const listOf = (words: string | readonly string[] | undefined): readonly string[] =>
  words === undefined ? [] : [words].flat();

function readerOf(column: ReadColumn, formats: Formats, trust: Trust): CellReader {
  const { decimal, date, blanks = [] } = formats;
  return createCellReader(column.read, {
    blanks: [...blanks, ...(column.blanks ?? [])],
    ...(typeof decimal === 'string' && { decimal }),
    ...(typeof date === 'string' && { date }),
    ...trust,
    ...(column.zero_is_blank && { zeroIsBlank: true }),
    ...(column.choices && { choices: column.choices }),
  });
}

export interface ColumnSite {
  readonly slot: number;
  readonly position: number;
  readonly formats: Formats | undefined;
  readonly synonyms: Synonyms;
  readonly lint: Lint;
  readonly path: YamlPath;
  /** Titles are not asked for: a label or a position names the column. */
  readonly named: boolean;
  /** The table is a parameter: its keys are the ids of the columns. */
  readonly given: boolean;
  /** Several labels of the table have its id. */
  readonly several: boolean;
}

/** A column that is read. Without titles of its own it takes those of the synonyms for its id. */
export function compileRead(id: string, column: ReadColumn, site: ColumnSite): CompiledColumn {
  const { slot, position, synonyms, lint, path } = site;
  const said = column.titles ?? synonyms.columns[id] ?? [];
  const titles = site.given ? [...said, id] : said;
  if (titles.length === 0 && !site.named && column.position === undefined)
    lint.report(path, 'mapping/no-titles', { params: { column: id }, key: true });
  if (column.read === 'choice' && column.choices === undefined)
    lint.report(path, 'mapping/no-choices', { params: { column: id }, key: true });
  const type = TYPES[column.read];
  const several = column.several === true || site.several;
  if (several && type !== 'decimal')
    lint.report(path, 'mapping/several-not-amounts', { params: { column: id }, key: true });
  const formats = { ...site.formats, ...column.formats };
  const groups = listOf(column.groups);
  const feeders: CompiledColumn[] = [];
  const wanted: WantedColumn = {
    id,
    titles,
    ...(groups.length > 0 && { groups }),
    ...(column.position !== undefined && { position: column.position }),
    ...(several && { several }),
  };
  const compiled: CompiledColumn = {
    id,
    wanted,
    slot,
    position,
    type,
    kind: column.read,
    read: readerOf(column, formats, {}),
    readAs: (voted, trust) => readerOf(column, { ...formats, ...voted }, trust),
    formats,
    feeders,
    needs: feeders,
    uses: [],
    readings: [],
    ...(column.take && { take: column.take }),
  };
  feeders.push(compiled);
  return compiled;
}
