import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { Value } from '../generated/mapping-types.js';
import { inOrder } from './order.js';
import { CellFault } from './read/cell.js';
import type { Context, NamedValue, Source, Workbench } from './record.js';
import { formulaSource, fromSource } from './source.js';
import type { CompiledColumn } from './tables.js';

/** The `values` of a mapping: each is computed at most once a document, when something asks for it. */
export function compileNamedValues(
  bench: Workbench,
  values: Readonly<Record<string, Value>>,
): ReadonlyMap<string, NamedValue> {
  const named = new Map<string, NamedValue>();
  const { ordered, circle } = inOrder(
    new Map(Object.entries(values).map(([name, value]) => [`value.${name}`, value])),
    ({ formula, where }) => JSON.stringify([formula, where]),
  );
  for (const name of circle)
    bench.lint.report(['values', name.slice('value.'.length)], 'mapping/cycle', { value: name, key: true });
  for (const [full, value] of ordered) {
    const name = full.slice('value.'.length);
    const path = ['values', name];
    const reads = new Set<CompiledColumn>();
    const within: Workbench = { ...bench, named, notes: { ...bench.notes, into: reads } };
    const source =
      value.formula === undefined
        ? fromSource(within, value, path)
        : formulaSource(within, value.formula, [...path, 'formula']);
    if (source !== undefined) named.set(name, remembered(named.size, source, [...reads]));
  }
  return named;
}

function remembered(number: number, source: Source, reads: NamedValue['reads']): NamedValue {
  return {
    type: source.type as FormulaType,
    columns: source.columns,
    reads,
    ...(source.params && { params: source.params }),
    needs: source.alternatives[0] ?? [],
    ...(source.negative && { negative: source.negative }),
    read(context: Context): FormulaValue {
      const known = context.named[number];
      if (known !== undefined) return known ?? undefined;
      const value = source.read(context.root ?? context) as FormulaValue | CellFault;
      if (value instanceof CellFault) throw value;
      context.named[number] = value ?? null;
      return value;
    },
  };
}
