import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { suggest } from '../values/similar.js';
import type { CompiledColumn } from './columns.js';
import { type RecordContext, recordScope } from './context.js';
import type { Lint } from './lint.js';
import type { CompiledParam } from './params.js';
import type { CellFault } from './read/cell-reader.js';
import type { Synonyms } from './synonyms.js';
import type { YamlPath } from './yaml-source.js';

/** Everything that the compilation of a mapping's nodes needs at hand. */
export interface Workbench {
  readonly lint: Lint;
  readonly columns: ReadonlyMap<string, CompiledColumn>;
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly synonyms: Synonyms;
}

/** A warning that goes with a value that could be had all the same. */
export interface Repaired {
  readonly value: string;
  readonly warning: CellFault;
}

/** One source of a leaf: what it gives, and the columns it reads. */
export interface Source {
  readonly type: FormulaType | 'catalogue';
  /** Every column it may read, for provenance. */
  readonly columns: readonly CompiledColumn[];
  /** Sets of columns that suffice, one of which must be in the file; empty when none is needed. */
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly read: (context: RecordContext) => FormulaValue | CellFault | Repaired;
}

const typeOf = (types: ReadonlyMap<string, CompiledParam>): ReadonlyMap<string, FormulaType> =>
  new Map([...types].map(([name, param]) => [name, param.type]));

export const scopeOf = (bench: Workbench) => recordScope(bench.columns, typeOf(bench.params));

/** The column of that id; an unknown one is a lint error. */
export function columnOf(bench: Workbench, id: string, path: YamlPath): CompiledColumn | undefined {
  const column = bench.columns.get(id);
  if (column === undefined)
    bench.lint.report(path, 'mapping/unknown-column', {
      value: id,
      suggestions: suggest(id, bench.columns.keys(), 1),
    });
  return column;
}

export function paramOf(bench: Workbench, name: string, path: YamlPath): CompiledParam | undefined {
  const param = bench.params.get(name);
  if (param === undefined)
    bench.lint.report(path, 'mapping/unknown-param', {
      value: name,
      suggestions: suggest(name, bench.params.keys(), 1),
    });
  return param;
}
