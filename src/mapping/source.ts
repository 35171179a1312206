import { BeyondBounds, BlankOperand, compileFormula, TwoAmounts } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/lexer.js';
import type { Leaf, Parts } from '../generated/mapping-types.js';
import type { SchemaNode } from '../schema/registry.js';
import { compare } from '../values/decimal.js';
import type { CompiledColumn } from './columns.js';
import { Conflict, type Context, FaultAt, recordsOf, standAt, take, valueFor } from './context.js';
import { lookupSource } from './lookup-source.js';
import { CellFault } from './read/cell-reader.js';
import { takePart } from './read/parts.js';
import { negativePart, PlacedFault, placeOf, type ReadRecord, recordContext } from './record.js';
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
        if (error instanceof TwoAmounts) return twoAmounts(bench, error.names, context);
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
    const negative = negativeAddend(bench, formula.addends);
    return {
      type: formula.type,
      columns,
      params,
      alternatives: needed.length > 0 ? [needed] : [],
      read,
      ...(negative && { negative }),
    };
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    bench.lint.formula(path, fault);
    return undefined;
  }
}

/** The first two of columns that hold different amounts, where only one of them may. */
function twoAmounts(bench: Workbench, names: readonly string[], context: Context): CellFault {
  const filled = names.flatMap((name) => {
    const column = findColumn(bench, name);
    const record =
      column && recordsOf(context, column.slot).find(({ values }) => isAmount(values[column.position]));
    return record === undefined ? [] : [{ record, column: column!, value: record.values[column!.position] }];
  });
  const [first] = filled;
  const other = filled.find(({ value }) => compare(value as string, first!.value as string) !== 0);
  return contradiction(first!, other ?? first!);
}

interface FilledCell {
  readonly record: ReadRecord;
  readonly column: CompiledColumn;
  readonly value: FormulaValue;
}

/** What alternatives of one leaf say: the place of the first that holds an amount among them, or why there are two. */
export function oneAmount(columns: readonly CompiledColumn[], context: Context): number | CellFault {
  let at = -1;
  let first: FilledCell | undefined;
  for (const [place, column] of columns.entries()) {
    const record = recordsOf(context, column.slot).find(({ values }) => isAmount(values[column.position]));
    if (record === undefined) continue;
    const cell: FilledCell = { record, column, value: record.values[column.position] };
    if (first === undefined) {
      first = cell;
      at = place;
    } else if (compare(first.value as string, cell.value as string) !== 0) return contradiction(first, cell);
  }
  return at;
}

const isAmount = (value: FormulaValue): boolean => typeof value === 'string' && /[1-9]/.test(value);

const contradiction = (first: FilledCell, second: FilledCell): CellFault =>
  new PlacedFault(second.record, second.column, 'cell/two-amounts', {
    params: { first: String(first.value), other: String(second.value) },
    related: placeOf(first.record, first.column),
  });

/** A negative amount among those that records give to a sum. */
function negativeAmong(records: readonly ReadRecord[], column: CompiledColumn): CellFault | undefined {
  for (const record of records) {
    const value = record.values[column.position];
    const index = column.wanted?.several ? negativePart(record, column) : undefined;
    if (index !== undefined || (typeof value === 'string' && value.startsWith('-')))
      return new PlacedFault(record, column, 'cell/negative-part', index === undefined ? {} : { index });
    const inside = column.negative?.(recordContext(record));
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** For a formula that adds up columns or named sums. */
function negativeAddend(bench: Workbench, names: readonly string[]): Source['negative'] {
  const named = names.flatMap((name) => bench.named.get(name.replace(/^value\./, ''))?.negative ?? []);
  const columns = names.flatMap((name) => findColumn(bench, name) ?? []);
  const added = names.length > 1 ? columns.filter(({ type }) => type === 'decimal') : [];
  if (named.length === 0 && added.length === 0) return undefined;
  return (context) => {
    for (const column of added) {
      const found = negativeAmong(recordsOf(context, column.slot), column);
      if (found !== undefined) return found;
    }
    for (const negative of named) {
      const found = negative(context.root ?? context);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Whether a value of the column is itself a sum. */
const isSum = ({ wanted, negative, take: how }: CompiledColumn): boolean =>
  wanted?.several === true || negative !== undefined || how === 'sum';

/** Reads one column; records of a document that contradict each other are a fault. */
function columnSource(column: CompiledColumn): Source {
  return {
    type: column.type,
    columns: [column],
    ...(column.params && { params: column.params }),
    plain: column,
    alternatives: [column.needs],
    read: (context) => {
      const record = context.at[column.slot];
      return record === undefined ? agreed(context, column) : record.values[column.position];
    },
    ...(isSum(column) && {
      negative: (context: Context) => negativeAmong(recordsOf(context, column.slot), column),
    }),
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
  const chosen = (context: Context): readonly ReadRecord[] => {
    const records = recordsOf(context, column.slot);
    if (condition === undefined) return records;
    return records.filter(
      (record) => condition.read(standAt(context, column.slot, record, context.index)) === true,
    );
  };
  return {
    type: how === 'count' ? 'decimal' : how === 'collect' ? 'text' : column.type,
    columns: [column],
    alternatives: [column.needs],
    ...(how === 'sum' && {
      // Nearly never is one negative at all: conditions are asked only then.
      negative: (context: Context) =>
        negativeAmong(recordsOf(context, column.slot), column) && negativeAmong(chosen(context), column),
    }),
    read: (context) => {
      const records = chosen(context);
      if (gate !== undefined)
        for (const record of records) for (const [, mask] of gate.masks) record.taken |= mask;
      try {
        return take(records, column, how, context);
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
