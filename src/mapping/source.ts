import { BeyondBounds, BlankOperand, compileFormula } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/lexer.js';
import type { Leaf, Parts } from '../generated/mapping-types.js';
import type { SchemaNode } from '../schema/registry.js';
import type { CompiledColumn } from './columns.js';
import { Conflict, type Context, FaultAt, recordsOf, standAt, take, valueFor } from './context.js';
import { lookupSource } from './lookup-source.js';
import { CellFault } from './read/cell-reader.js';
import { takePart } from './read/parts.js';
import {
  columnOf,
  columnsNamed,
  columnsNeeded,
  deciding,
  findColumn,
  type Gate,
  gated,
  paramOf,
  paramsNamed,
  type Source,
  scopeOf,
  type Workbench,
} from './workbench.js';
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
    const columns = columnsNamed(bench, formula.references);
    const read = (context: Context): FormulaValue | CellFault => {
      try {
        return formula.run(context);
      } catch (error) {
        if (error instanceof BeyondBounds) return new FaultAt(columns[0], 'formula/beyond-bounds');
        if (error instanceof BlankOperand)
          return new FaultAt(findColumn(bench, error.reference ?? ''), 'formula/blank', {
            name: error.reference ?? '',
          });
        if (error instanceof CellFault) return error;
        throw error;
      }
    };
    const needed = columnsNeeded(bench, formula.needed);
    const params = paramsNamed(bench, formula.references);
    return { type: formula.type, columns, params, alternatives: needed.length > 0 ? [needed] : [], read };
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    bench.lint.formula(path, fault);
    return undefined;
  }
}

/** Reads one column; records of a document that contradict each other are a fault. */
function columnSource(column: CompiledColumn): Source {
  return {
    type: column.type,
    columns: [column],
    ...(column.params && { params: column.params }),
    alternatives: [column.needs],
    read: (context) => {
      const record = context.at[column.slot];
      return record === undefined ? agreed(context, column) : record.values[column.position];
    },
  };
}

function agreed(context: Context, column: CompiledColumn): FormulaValue | CellFault {
  try {
    return valueFor(context, column);
  } catch (error) {
    if (error instanceof Conflict) return error;
    throw error;
  }
}

/** What many records give together, those of which a condition holds. */
function takenSource(
  bench: Workbench,
  leaf: Taken,
  column: CompiledColumn,
  path: YamlPath,
  gate: Gate | undefined,
): Source {
  const how = leaf.take ?? column.take ?? 'equal';
  const table = [...bench.tables.values()].find(({ slot }) => slot === column.slot)!;
  const condition =
    leaf.where === undefined
      ? undefined
      : formulaSource(
          deciding({ ...bench, open: [table, ...bench.open] }),
          leaf.where,
          [...path, 'where'],
          'boolean',
        );
  if (how === 'sum' && column.type !== 'decimal')
    bench.lint.report([...path, 'take'], 'mapping/type', {
      params: { expected: 'decimal', found: column.type },
    });
  return {
    type: how === 'count' ? 'decimal' : how === 'collect' ? 'text' : column.type,
    columns: [column],
    alternatives: [column.needs],
    read: (context) => {
      const records = recordsOf(context, column.slot);
      const chosen =
        condition === undefined
          ? records
          : records.filter(
              (record) => condition.read(standAt(context, column.slot, record, context.index)) === true,
            );
      if (gate !== undefined)
        for (const record of chosen) for (const [, mask] of gate.masks) record.taken |= mask;
      try {
        return take(chosen, column, how);
      } catch (error) {
        if (error instanceof Conflict) return error;
        throw error;
      }
    },
  };
}

/** What `from`, `take` and `where` say of a leaf, a named value or a stated total. */
export type Taken = Pick<Leaf, 'from' | 'take' | 'where'>;

/** The column of `from`, alone or taken over many records. */
export function fromSource(bench: Workbench, leaf: Taken, path: YamlPath): Source | undefined {
  const { bench: behind, gate } = leaf.where === undefined ? { bench, gate: undefined } : gated(bench);
  const column = columnOf(behind, leaf.from!, [...path, 'from']);
  if (column === undefined) return undefined;
  if (leaf.take === undefined && leaf.where === undefined) return columnSource(column);
  return takenSource(bench, leaf, column, path, gate);
}

/** How to take a part, when a parameter says in what order the parts stand. */
function takersOf(bench: Workbench, parts: Parts, path: YamlPath) {
  const { order } = parts;
  if (typeof order !== 'object') {
    const taken = takePart(parts);
    return taken && (() => taken);
  }
  const param = paramOf(bench, order.param, [...path, 'order', 'param']);
  const orders = ['surnames_first', 'names_first'] as const;
  const takers = new Map(orders.map((one) => [one as string, takePart({ ...parts, order: one })]));
  const first = takers.get(orders[0]);
  if (param === undefined || first === undefined) return undefined;
  return (context: Context) => takers.get(String(context.params[param.name])) ?? first;
}

function partsSource(bench: Workbench, parts: Parts, path: YamlPath): Source | undefined {
  const column = columnOf(bench, parts.from, [...path, 'from']);
  const takers = takersOf(bench, parts, path);
  const type = takePart({ ...parts, order: 'surnames_first' })?.type;
  if (takers === undefined || type === undefined) {
    bench.lint.report([...path, 'part'], 'mapping/unknown-part', { value: String(parts.part) });
    return undefined;
  }
  if (column === undefined) return undefined;
  return {
    type,
    columns: [column],
    alternatives: [column.needs],
    read: (context) => {
      const value = agreed(context, column);
      return typeof value === 'string'
        ? takers(context).take(value)
        : value instanceof CellFault
          ? value
          : undefined;
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
  if (leaf.from !== undefined) return fromSource(bench, leaf, path);
  if (leaf.sequence !== undefined) {
    const start = leaf.sequence === true ? 1 : leaf.sequence;
    return { type: 'decimal', columns: [], alternatives: [], read: ({ index }) => String(start + index) };
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
        params: [param.name],
        alternatives: [],
        read: (context) => context.params[param.name],
      }
    );
  }
  return undefined;
}
