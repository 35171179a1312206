import { catalogue } from '../catalogue/catalogue.js';
import { createLookup, type Lookup } from '../catalogue/lookup.js';
import { compileFormula, BlankOperand } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/lexer.js';
import type { Leaf, Lookup as LookupSpec, Match, Parts } from '../generated/mapping-types.js';
import type { Suggestion } from '../issues/issue.js';
import { suggest } from '../values/similar.js';
import type { CompiledColumn } from './columns.js';
import { type RecordContext, recordScope } from './context.js';
import type { Lint } from './lint.js';
import type { CompiledParam } from './params.js';
import { CellFault } from './read/cell-reader.js';
import { takePart } from './read/parts.js';
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
    bench.lint.report(path, 'mapping/unknown-column', { value: id, suggestions: suggest(id, bench.columns.keys(), 1) });
  return column;
}

export function paramOf(bench: Workbench, name: string, path: YamlPath): CompiledParam | undefined {
  const param = bench.params.get(name);
  if (param === undefined)
    bench.lint.report(path, 'mapping/unknown-param', { value: name, suggestions: suggest(name, bench.params.keys(), 1) });
  return param;
}

/** A compiled formula that treats blank operands as an unmet condition or a missing value. */
export function formulaSource(bench: Workbench, source: string, path: YamlPath, wanted?: FormulaType): Source | undefined {
  try {
    const formula = compileFormula(source, scopeOf(bench), wanted);
    const columns = formula.references.flatMap((name) => bench.columns.get(name) ?? []);
    const read = (context: RecordContext): FormulaValue | CellFault => {
      try {
        return formula.run(context);
      } catch (error) {
        if (error instanceof BlankOperand) return new CellFault('formula/blank', { name: error.reference ?? '' });
        throw error;
      }
    };
    return { type: formula.type, columns, alternatives: columns.length > 0 ? [columns] : [], read };
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    bench.lint.formula(path, fault);
    return undefined;
  }
}

function columnSource(column: CompiledColumn): Source {
  return { type: column.type, columns: [column], alternatives: [[column]], read: (context) => context.values[column.position] };
}

function partsSource(bench: Workbench, parts: Parts, path: YamlPath): Source | undefined {
  const column = columnOf(bench, parts.from, [...path, 'from']);
  const taken = takePart(parts);
  if (taken === undefined) bench.lint.report([...path, 'part'], 'mapping/unknown-part', { value: String(parts.part) });
  if (column === undefined || taken === undefined) return undefined;
  return {
    type: taken.type,
    columns: [column],
    alternatives: [[column]],
    read: (context) => {
      const value = context.values[column.position];
      return typeof value === 'string' ? taken.take(value) : undefined;
    },
  };
}

interface CompiledMatch {
  readonly column: CompiledColumn;
  readonly within: readonly (readonly [string, CompiledColumn])[];
  readonly lookup: Lookup;
}

const textOf = (value: FormulaValue): string | undefined => (typeof value === 'string' ? value : undefined);

function lookupSource(bench: Workbench, spec: LookupSpec, path: YamlPath): Source | undefined {
  const list = catalogue(spec.catalogue);
  if (list === undefined) {
    bench.lint.report([...path, 'catalogue'], 'mapping/unknown-catalogue', { value: spec.catalogue });
    return undefined;
  }
  const give = spec.give ?? 'id';
  if (!list.columns.includes(give)) bench.lint.report([...path, 'give'], 'mapping/unknown-catalogue-column', { value: give });
  const words = bench.synonyms.values[spec.catalogue];
  const compileMatch = (match: Match, at: YamlPath): CompiledMatch[] => {
    const column = columnOf(bench, match.from, [...at, 'from']);
    const within = Object.entries(match.within ?? {}).flatMap(([name, id]): [string, CompiledColumn][] => {
      if (!list.columns.includes(name)) bench.lint.report([...at, 'within', name], 'mapping/unknown-catalogue-column', { value: name, key: true });
      const other = columnOf(bench, id, [...at, 'within', name]);
      return other === undefined ? [] : [[name, other]];
    });
    return column === undefined ? [] : [{ column, within, lookup: createLookup(list, match.by ?? ['name', 'code'], words) }];
  };
  const matches = spec.match.flatMap((match, index) => compileMatch(match, [...path, 'match', index]));
  const read = (context: RecordContext): FormulaValue | CellFault | Repaired => {
    for (const { column, within, lookup } of matches) {
      const text = textOf(context.values[column.position]);
      if (text === undefined) continue;
      const narrowed = within.map(([name, other]) => [name, textOf(context.values[other.position])] as const);
      if (narrowed.some(([, value]) => value === undefined)) continue;
      return lookedUp(lookup, text, narrowed.length > 0 ? (Object.fromEntries(narrowed) as Record<string, string>) : undefined);
    }
    return undefined;
  };
  const lookedUp = (lookup: Lookup, text: string, within: Record<string, string> | undefined) => {
    const result = lookup.find(text, within);
    if (result.kind === 'found') {
      const value = result.row[give] ?? '';
      if (result.restored === undefined) return value;
      return { value, warning: new CellFault('cell/zeros-restored', { restored: result.restored }) };
    }
    if (result.kind === 'unknown') return new CellFault('lookup/unknown', { catalogue: spec.catalogue }, result.suggestions);
    const labels = result.candidates.map((row) => [row['code'], row['name'], row['department']].filter(Boolean).join(' '));
    const suggestions: Suggestion[] = result.candidates.map((row) => ({ value: row['code'] ?? '', score: 1 }));
    return new CellFault('lookup/ambiguous', { candidates: labels.join('; ') }, suggestions);
  };
  const columnsOf = ({ column, within }: CompiledMatch): CompiledColumn[] => [column, ...within.map(([, other]) => other)];
  return { type: 'catalogue', columns: [...new Set(matches.flatMap(columnsOf))], alternatives: matches.map(columnsOf), read };
}

/** The source of a leaf that reads the record; const and param are the tree's business. */
export function compileSource(bench: Workbench, leaf: Leaf, path: YamlPath): Source | undefined {
  if (leaf.from !== undefined) {
    const column = columnOf(bench, leaf.from, [...path, 'from']);
    return column && columnSource(column);
  }
  if (leaf.formula !== undefined) return formulaSource(bench, leaf.formula, [...path, 'formula']);
  if (leaf.parts !== undefined) return partsSource(bench, leaf.parts, [...path, 'parts']);
  if (leaf.lookup !== undefined) return lookupSource(bench, leaf.lookup, [...path, 'lookup']);
  if (leaf.param !== undefined) {
    const param = paramOf(bench, leaf.param, [...path, 'param']);
    return param && { type: param.type, columns: [], alternatives: [], read: (context) => context.params[param.name] };
  }
  return undefined;
}
