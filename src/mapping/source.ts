import { BlankOperand, compileFormula } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/lexer.js';
import type { Leaf, Parts } from '../generated/mapping-types.js';
import type { SchemaNode } from '../schema/registry.js';
import type { CompiledColumn } from './columns.js';
import type { RecordContext } from './context.js';
import { lookupSource } from './lookup-source.js';
import { CellFault } from './read/cell-reader.js';
import { takePart } from './read/parts.js';
import { columnOf, paramOf, type Source, scopeOf, type Workbench } from './workbench.js';
import type { YamlPath } from './yaml-source.js';

/** A compiled formula that treats blank operands as an unmet condition or a missing value. */
export function formulaSource(
  bench: Workbench,
  source: string,
  path: YamlPath,
  wanted?: FormulaType,
): Source | undefined {
  try {
    const formula = compileFormula(source, scopeOf(bench), wanted);
    const columns = formula.references.flatMap((name) => bench.columns.get(name) ?? []);
    const read = (context: RecordContext): FormulaValue | CellFault => {
      try {
        return formula.run(context);
      } catch (error) {
        if (error instanceof BlankOperand)
          return new CellFault('formula/blank', { name: error.reference ?? '' });
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
  return {
    type: column.type,
    columns: [column],
    alternatives: [[column]],
    read: (context) => context.values[column.position],
  };
}

function partsSource(bench: Workbench, parts: Parts, path: YamlPath): Source | undefined {
  const column = columnOf(bench, parts.from, [...path, 'from']);
  const taken = takePart(parts);
  if (taken === undefined)
    bench.lint.report([...path, 'part'], 'mapping/unknown-part', { value: String(parts.part) });
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

/** The source of a leaf that reads the record; `node` is what the schema says of it. */
export function compileSource(
  bench: Workbench,
  leaf: Leaf,
  path: YamlPath,
  node: SchemaNode,
): Source | undefined {
  if (leaf.from !== undefined) {
    const column = columnOf(bench, leaf.from, [...path, 'from']);
    return column && columnSource(column);
  }
  if (leaf.formula !== undefined) return formulaSource(bench, leaf.formula, [...path, 'formula']);
  if (leaf.parts !== undefined) return partsSource(bench, leaf.parts, [...path, 'parts']);
  if (leaf.lookup !== undefined) return lookupSource(bench, leaf.lookup, [...path, 'lookup'], node);
  if (leaf.param !== undefined) {
    const param = paramOf(bench, leaf.param, [...path, 'param']);
    return (
      param && {
        type: param.type,
        columns: [],
        alternatives: [],
        read: (context) => context.params[param.name],
      }
    );
  }
  return undefined;
}
