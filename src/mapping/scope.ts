import { suggest } from '../core/text.js';
import type { Reference, Scope } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { valueFor } from './context.js';
import type { CompiledParam } from './params.js';
import type { CompiledColumn, CompiledTable, Context, Gate, Source } from './record.js';
import type { Synonyms } from './synonyms.js';
import type { Lint, YamlPath } from './yaml-source.js';

/** A value of the document that formulas may name: value.name. */
export interface NamedValue {
  readonly type: FormulaType;
  readonly columns: readonly CompiledColumn[];
  /** Those that it reads on every record: what reads the value reads them. */
  readonly reads: readonly CompiledColumn[];
  readonly params?: readonly string[];
  /** The read columns without which it cannot be had. */
  readonly needs: readonly CompiledColumn[];
  readonly read: (context: Context) => FormulaValue;
  readonly negative?: Source['negative'];
}

/** Which columns a mapping names, and what for: whoever compiles a part of it says where to write them down. */
export interface Named {
  /** What names them now. */
  readonly into: Set<CompiledColumn>;
  /** Columns that only decide something. */
  readonly conditions: Set<CompiledColumn>;
  readonly gates: Gate[];
}

export const namedBy = (): Named => ({ into: new Set(), conditions: new Set(), gates: [] });

/** The same bench, on which columns are named for a condition. */
export const deciding = <B extends Workbench>(bench: B): B => ({
  ...bench,
  notes: { ...bench.notes, into: bench.notes.conditions },
});

/** The same bench behind a gate. */
export function gated<B extends Workbench>(bench: B): { readonly bench: B; readonly gate: Gate } {
  const gate: Gate = { columns: new Set(), masks: [] };
  bench.notes.gates.push(gate);
  return { bench: { ...bench, notes: { ...bench.notes, into: gate.columns } }, gate };
}

/** Everything that the compilation of a mapping's nodes needs at hand. */
export interface Workbench {
  readonly lint: Lint;
  readonly tables: ReadonlyMap<string, CompiledTable>;
  /** Tables whose columns may be called by their bare id, nearest first. */
  readonly open: readonly CompiledTable[];
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly named: ReadonlyMap<string, NamedValue>;
  readonly synonyms: Synonyms;
  readonly notes: Named;
}

/** The column that a name means: `column` of the nearest open table, or `table.column`. */
export function findColumn(bench: Workbench, name: string): CompiledColumn | undefined {
  const dot = name.indexOf('.');
  const column =
    dot >= 0
      ? bench.tables.get(name.slice(0, dot))?.columns.get(name.slice(dot + 1))
      : bench.open.find(({ columns }) => columns.has(name))?.columns.get(name);
  if (column !== undefined) bench.notes.into.add(column);
  return column;
}

export const columnNames = ({ open, tables }: Workbench): string[] => [
  ...open.flatMap(({ columns }) => [...columns.keys()]),
  ...[...tables.values()].flatMap(({ id, columns }) => [...columns.keys()].map((name) => `${id}.${name}`)),
];

/** Names of mapping formulas: columns, `param.name` and `value.name`. */
export function scopeOf(bench: Workbench): Scope<Context> {
  const resolve = (name: string): Reference<Context> | undefined => {
    const [, kind, rest] = /^(param|value)\.(.*)$/.exec(name) ?? [];
    if (kind === 'param') {
      const type = bench.params.get(rest!)?.type;
      return type === undefined ? undefined : { type, one: (context) => context.params[rest!] };
    }
    if (kind === 'value') {
      const named = bench.named.get(rest!);
      return named && { type: named.type, one: named.read };
    }
    const column = findColumn(bench, name);
    if (column === undefined) return undefined;
    const one = (context: Context): FormulaValue => valueFor(context, column);
    return { type: column.type, one, amount: column.kind === 'money' };
  };
  const names = [
    ...columnNames(bench),
    ...[...bench.params.keys()].map((name) => `param.${name}`),
    ...[...bench.named.keys()].map((name) => `value.${name}`),
  ];
  return {
    resolve,
    names,
    gather: (wanted) => {
      const each = wanted.map((name): ((context: Context, found: FormulaValue[]) => void) => {
        const column = findColumn(bench, name);
        if (column === undefined) return (context, found) => found.push(resolve(name)!.one(context));
        const { slot, position } = column;
        return (context, found) => {
          const record = context.at[slot];
          if (record !== undefined) found.push(record.values[position]);
          else for (const { values } of context.sets[slot] ?? []) found.push(values[position]);
        };
      });
      return (context) => {
        const found: FormulaValue[] = [];
        for (const add of each) add(context, found);
        return found;
      };
    },
  };
}

/** The columns that a formula's names stand for. */
export const columnsNamed = (bench: Workbench, names: readonly string[]): CompiledColumn[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [];
      if (name.startsWith('value.')) {
        const value = bench.named.get(name.slice('value.'.length));
        for (const column of value?.reads ?? []) bench.notes.into.add(column);
        return value?.columns ?? [];
      }
      return findColumn(bench, name) ?? [];
    }),
  ),
];

/** The parameters that a formula's names stand for. */
export const paramsNamed = (bench: Workbench, names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [name.slice('param.'.length)];
      if (name.startsWith('value.')) return bench.named.get(name.slice('value.'.length))?.params ?? [];
      return findColumn(bench, name)?.params ?? [];
    }),
  ),
];

/** The read columns without which those names have no value. */
export const columnsNeeded = (bench: Workbench, names: readonly string[]): CompiledColumn[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [];
      if (name.startsWith('value.')) return bench.named.get(name.slice('value.'.length))?.needs ?? [];
      return findColumn(bench, name)?.needs ?? [];
    }),
  ),
];

/** The column of that name; an unknown one is a lint error. */
export function columnOf(bench: Workbench, name: string, path: YamlPath): CompiledColumn | undefined {
  const column = findColumn(bench, name);
  if (column === undefined)
    bench.lint.report(path, 'mapping/unknown-column', {
      value: name,
      suggestions: suggest(name, columnNames(bench), 1),
    });
  return column;
}

/** The table of that id; an unknown one is a lint error. */
export function tableOf(bench: Workbench, id: string, path: YamlPath): CompiledTable | undefined {
  const table = bench.tables.get(id);
  if (table === undefined)
    bench.lint.report(path, 'mapping/unknown-table', {
      value: id,
      suggestions: suggest(id, bench.tables.keys(), 1),
    });
  return table;
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
/** Entries each after those that they need; what is left goes in a circle. */
export function inOrder<T>(
  entries: ReadonlyMap<string, T>,
  textOf: (entry: T) => string,
): { readonly ordered: readonly (readonly [string, T])[]; readonly circle: readonly string[] } {
  const left = new Map(entries);
  const ordered: (readonly [string, T])[] = [];
  const isFree = (entry: T): boolean => {
    const text = textOf(entry);
    return ![...left.keys()].some((name) => new RegExp(`(?<![\\w])${name}(?![\\w])`).test(text));
  };
  for (;;) {
    const free = [...left].filter(([, entry]) => isFree(entry));
    if (free.length === 0) return { ordered, circle: [...left.keys()] };
    for (const entry of free) {
      ordered.push(entry);
      left.delete(entry[0]);
    }
  }
}
