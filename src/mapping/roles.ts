import type { CompiledColumn } from './columns.js';
import type { CompiledTable } from './tables.js';
import type { Gate, Named } from './workbench.js';

/** What a column of the file is for: the document or a decision on the way to it, or comparison alone. */
export type Role = 'used' | 'control';

/** By column that is read. One without a role is read for nothing. */
export type Roles = ReadonlyMap<CompiledColumn, Role>;

/** Every read column behind those that are named. */
function readBehind(columns: Iterable<CompiledColumn>): ReadonlySet<CompiledColumn> {
  const found = new Set<CompiledColumn>();
  const add = (column: CompiledColumn): void => {
    if (found.has(column)) return;
    found.add(column);
    for (const other of column.uses) add(other);
  };
  for (const column of columns) add(column);
  return found;
}

export function rolesOf(uses: Named, control: Named, tables: Iterable<CompiledTable>): Roles {
  const roles = new Map<CompiledColumn, Role>();
  const give = ({ into, conditions, gates }: Named, role: Role): void => {
    const named = [...into, ...conditions, ...gates.flatMap(({ columns }) => [...columns])];
    for (const column of readBehind(named))
      if (column.wanted !== undefined && !roles.has(column)) roles.set(column, role);
  };
  give(uses, 'used');
  give(control, 'control');
  for (const { spec, columns } of tables)
    if (spec.role === 'control')
      for (const column of columns.values())
        if (column.wanted !== undefined && !roles.has(column)) roles.set(column, 'control');
  return roles;
}

/** Amounts of a table that reach a document only through gates, each with its bit. */
export type AtRisk = ReadonlyMap<number, readonly (readonly [column: CompiledColumn, bit: number])[]>;

/** Amounts share the last bit where a table has more of them: a drop may then be missed, never made up. */
const LAST_BIT = 30;

/** Gives every gate the bits of the amounts that have no other way into a document. */
export function bitsOfGates({ into, gates }: Named): (gates: readonly Gate[]) => AtRisk {
  const plain = new Set([...into].flatMap(({ feeders }) => feeders));
  const bits = new Map<number, [column: CompiledColumn, bit: number][]>();
  for (const gate of gates) {
    const masks = new Map<number, number>();
    for (const column of new Set([...gate.columns].flatMap(({ feeders }) => feeders))) {
      if (column.kind !== 'money' || plain.has(column)) continue;
      const own = bits.get(column.slot) ?? [];
      bits.set(column.slot, own);
      const known = own.find(([other]) => other === column);
      const bit = known?.[1] ?? 1 << Math.min(own.length, LAST_BIT);
      if (known === undefined) own.push([column, bit]);
      masks.set(column.slot, (masks.get(column.slot) ?? 0) | bit);
    }
    gate.masks = [...masks];
  }
  return (some) => {
    const risk = new Map<number, (readonly [column: CompiledColumn, bit: number])[]>();
    for (const [slot, own] of bits) {
      const mask = some
        .flatMap(({ masks }) => masks)
        .reduce((all, [at, one]) => (at === slot ? all | one : all), 0);
      const reached = own.filter(([, bit]) => (mask & bit) !== 0);
      if (reached.length > 0) risk.set(slot, reached);
    }
    return risk;
  };
}
