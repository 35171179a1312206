import type { Reference, Scope } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { CompiledColumn } from './columns.js';
import type { ParamValues } from './params.js';

/** What formulas and leaves of one record see. */
export interface RecordContext {
  /** Values by position of the column in the mapping; undefined is blank. */
  readonly values: readonly FormulaValue[];
  readonly params: ParamValues;
}

/** Names of mapping formulas: column ids, and `param.name`. */
export function recordScope(
  columns: ReadonlyMap<string, CompiledColumn>,
  paramTypes: ReadonlyMap<string, FormulaType>,
): Scope<RecordContext> {
  const resolve = (name: string): Reference<RecordContext> | undefined => {
    if (name.startsWith('param.')) {
      const param = name.slice('param.'.length);
      const type = paramTypes.get(param);
      return type === undefined ? undefined : { type, one: (context) => context.params[param] };
    }
    const column = columns.get(name);
    return column === undefined
      ? undefined
      : { type: column.type, one: (context) => context.values[column.position] };
  };
  return { resolve, names: [...columns.keys(), ...[...paramTypes.keys()].map((name) => `param.${name}`)] };
}
