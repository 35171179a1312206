import type { Wording } from '../../generated/mapping-types.js';
import { suggest } from '../core/text.js';
import type { Scope as FormulaScope, Reference } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { catalogueFunctions } from '../schema/catalogue-functions.js';
import { valueFor } from './context.js';
import type { CompiledParam } from './params.js';
import type { CompiledColumn, CompiledTable, Context, Gate, OwnWords, Source } from './record.js';
import type { Synonyms } from './synonyms.js';
import type { Lint, YamlPath } from './yaml-source.js';

/** Value of the document that formulas name as `value.name`. */
export interface NamedValue {
  readonly type: FormulaType;
  readonly columns: readonly CompiledColumn[];
  /** Columns it reads on every record; a reader of the value reads them too. */
  readonly reads: readonly CompiledColumn[];
  readonly params?: readonly string[];
  /** Columns without which it has no value. */
  readonly needs: readonly CompiledColumn[];
  /** Columns that decide which records count. */
  readonly where?: readonly CompiledColumn[];
  readonly read: (context: Context) => FormulaValue;
  readonly records?: Source['records'];
  readonly negative?: Source['negative'];
}

/** Columns that a mapping uses, by purpose. */
export interface UsedColumns {
  /** Receives the columns of the node that is being compiled. */
  readonly into: Set<CompiledColumn>;
  /** Columns that are only used in conditions. */
  readonly conditions: Set<CompiledColumn>;
  readonly gates: Gate[];
}

export const noUsedColumns = (): UsedColumns => ({ into: new Set(), conditions: new Set(), gates: [] });

export const deciding = <B extends Scope>(scope: B): B => ({
  ...scope,
  notes: { ...scope.notes, into: scope.notes.conditions },
});

export function gated<B extends Scope>(scope: B): { readonly scope: B; readonly gate: Gate } {
  const gate: Gate = { columns: new Set(), masks: [] };
  scope.notes.gates.push(gate);
  return { scope: { ...scope, notes: { ...scope.notes, into: gate.columns } }, gate };
}

/** Names and notes for the compilation of a mapping's nodes. */
export interface Scope {
  readonly lint: Lint;
  readonly tables: ReadonlyMap<string, CompiledTable>;
  /** Tables whose columns may be named without the table, nearest first. */
  readonly open: readonly CompiledTable[];
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly named: ReadonlyMap<string, NamedValue>;
  readonly synonyms: Synonyms;
  readonly notes: UsedColumns;
}

/** Finds a column by name: `column` of the nearest open table, or `table.column`. */
export function findColumn(scope: Scope, name: string): CompiledColumn | undefined {
  const dot = name.indexOf('.');
  const column =
    dot >= 0
      ? scope.tables.get(name.slice(0, dot))?.columns.get(name.slice(dot + 1))
      : scope.open.find(({ columns }) => columns.has(name))?.columns.get(name);
  if (column !== undefined) scope.notes.into.add(column);
  return column;
}

const columnNames = ({ open, tables }: Scope): string[] => [
  ...open.flatMap(({ columns }) => [...columns.keys()]),
  ...[...tables.values()].flatMap(({ id, columns }) => [...columns.keys()].map((name) => `${id}.${name}`)),
];

const LIST_FUNCTIONS = catalogueFunctions();

/** Creates the scope of mapping formulas: columns, `param.name` and `value.name`. */
export function scopeOf(scope: Scope): FormulaScope<Context> {
  const resolve = (name: string): Reference<Context> | undefined => {
    const [, kind, rest = ''] = /^(param|value)\.(.*)$/.exec(name) ?? [];
    if (kind === 'param') {
      const type = scope.params.get(rest)?.type;
      return type === undefined ? undefined : { type, read: (context) => context.params[rest] };
    }
    if (kind === 'value') {
      const named = scope.named.get(rest);
      return named && { type: named.type, read: named.read };
    }
    const column = findColumn(scope, name);
    if (column === undefined) return undefined;
    const read = (context: Context): FormulaValue => valueFor(context, column);
    return { type: column.type, read, amount: column.kind === 'money' };
  };
  const names = (): readonly string[] => [
    ...columnNames(scope),
    ...[...scope.params.keys()].map((name) => `param.${name}`),
    ...[...scope.named.keys()].map((name) => `value.${name}`),
  ];
  return {
    resolve,
    names,
    functions: LIST_FUNCTIONS,
    gather: (wanted) => {
      const each = wanted.map((name): ((context: Context, found: FormulaValue[]) => void) => {
        const column = findColumn(scope, name);
        if (column === undefined) return (context, found) => found.push(resolve(name)?.read(context));
        const { tableIndex, position } = column;
        return (context, found) => {
          const record = context.at[tableIndex];
          if (record !== undefined) found.push(record.values[position]);
          else for (const { values } of context.sets[tableIndex] ?? []) found.push(values[position]);
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

/** Lists the columns that a formula's names stand for. */
export const columnsNamed = (scope: Scope, names: readonly string[]): CompiledColumn[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [];
      if (name.startsWith('value.')) {
        const value = scope.named.get(name.slice('value.'.length));
        for (const column of value?.reads ?? []) scope.notes.into.add(column);
        return value?.columns ?? [];
      }
      return findColumn(scope, name) ?? [];
    }),
  ),
];

/** Lists the parameters that a formula's names stand for. */
export const paramsNamed = (scope: Scope, names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [name.slice('param.'.length)];
      if (name.startsWith('value.')) return scope.named.get(name.slice('value.'.length))?.params ?? [];
      return findColumn(scope, name)?.params ?? [];
    }),
  ),
];

/** Lists the columns without which those names have no value. */
export const columnsNeeded = (scope: Scope, names: readonly string[]): CompiledColumn[] => [
  ...new Set(
    names.flatMap((name) => {
      if (name.startsWith('param.')) return [];
      if (name.startsWith('value.')) return scope.named.get(name.slice('value.'.length))?.needs ?? [];
      return findColumn(scope, name)?.needs ?? [];
    }),
  ),
];

/** Returns the column of a name, or reports a lint error. */
export function columnOf(scope: Scope, name: string, path: YamlPath): CompiledColumn | undefined {
  const column = findColumn(scope, name);
  if (column === undefined)
    scope.lint.report(path, 'mapping/unknown-column', {
      value: name,
      suggestions: suggest(name, columnNames(scope), 1),
    });
  return column;
}

/** Returns the table of an id, or reports a lint error. */
export function tableOf(scope: Scope, id: string, path: YamlPath): CompiledTable | undefined {
  const table = scope.tables.get(id);
  if (table === undefined)
    scope.lint.report(path, 'mapping/unknown-table', {
      value: id,
      suggestions: suggest(id, scope.tables.keys(), 1),
    });
  return table;
}

export function paramOf(scope: Scope, name: string, path: YamlPath): CompiledParam | undefined {
  const param = scope.params.get(name);
  if (param === undefined)
    scope.lint.report(path, 'mapping/unknown-param', {
      value: name,
      suggestions: suggest(name, scope.params.keys(), 1),
    });
  return param;
}
/** Orders entries after those they need; `rest` holds those that need each other. */
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

/** Returns the params of an issue with a message of the mapping. */
export const ownWords = (message: Wording, fix: Wording | undefined): OwnWords => ({
  message_es: message.es,
  message_en: message.en,
  fix_es: fix?.es ?? '',
  fix_en: fix?.en ?? '',
});
