import { existsSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { readyFile } from './shipped.js';
import { readSynonyms } from './synonyms.js';
import { readYaml, sourceOf, type YamlPath } from './yaml-source.js';

/** Text in both languages: what to do instead of naming a column that is gone. */
interface Advice {
  readonly es: string;
  readonly en: string;
}

/** Table → former id of a column → its present id, or advice if it is gone. */
type Renamed = Readonly<Record<string, Readonly<Record<string, string | Advice>>>>;

export interface GoneColumn {
  readonly path: YamlPath;
  readonly id: string;
  readonly advice: Advice;
}

/** Returns what was renamed in a ready-made mapping and those that it extends. */
function renamedIn(mapping: string): Renamed {
  const file = readyFile(mapping);
  if (!existsSync(file)) return {};
  const { value } = readYaml('', readFileSync(file, 'utf8'));
  const { extends: base, tables = {} } = isObject(value) ? value : {};
  // A column that the mapping declares again is there.
  const isBack = (table: string, id: string): boolean => {
    const here = isObject(tables) ? tables[table] : undefined;
    const columns = isObject(here) ? here['columns'] : undefined;
    return isObject(columns) && isObject(columns[id]);
  };
  const inherited = Object.entries(typeof base === 'string' ? renamedIn(base) : {}).map(
    ([table, ids]) =>
      [table, Object.fromEntries(Object.entries(ids).filter(([id]) => !isBack(table, id)))] as const,
  );
  const { renamed } = readSynonyms<{ renamed: Readonly<Record<string, Renamed>> }>('renamed');
  return { ...Object.fromEntries(inherited), ...renamed[mapping] };
}

/** Keys of which the texts name columns, or hold formulas that do. */
const REFERRING: ReadonlySet<string> = new Set(
  `from formula when that where must_have on else_on whose key display details blame values unpivot split time
  within columns once control labels $sort $where $when`.split(/\s+/),
);

/**
 * Returns a mapping with the present ids of columns that the ready-made mapping below it called otherwise, and its uses of columns
 * that are gone. A column that the mapping or the one below declares keeps its id.
 */
export function withPresentIds(
  over: JsonObject,
  mapping: string,
  base: JsonValue,
): { readonly value: JsonObject; readonly gone: readonly GoneColumn[] } {
  const declared = [over, base].flatMap((node) =>
    Object.values(isObject(node) && isObject(node['tables']) ? node['tables'] : {}).flatMap((table) =>
      isObject(table) && isObject(table['columns']) ? [table['columns']] : [],
    ),
  );
  const isDeclared = (id: string): boolean =>
    declared.some(({ [id]: column }) => isObject(column) && sourceOf(column) !== undefined);
  const tables = Object.entries(renamedIn(mapping)).map(
    ([table, ids]) => [table, Object.entries(ids).filter(([id]) => !isDeclared(id))] as const,
  );
  const gone = new Map<string, GoneColumn>();
  const tell = (path: YamlPath, id: string, advice: Advice): void => {
    gone.set(JSON.stringify([path, id]), { path, id, advice });
  };
  const inText = (text: string, path: YamlPath): string => {
    const [, within] = path[0] === 'tables' ? path : [];
    return tables.reduce((renamed, [table, ids]) => {
      if (within !== undefined && within !== table) return renamed;
      return ids.reduce((result, [id, fate]) => {
        const pattern = new RegExp(`(?<![\\w."'])((?:${table}\\.)?)${id}(?![\\w"'])`, 'g');
        if (typeof fate === 'string') return result.replace(pattern, `$1${fate}`);
        if (pattern.test(result)) tell(path, id, fate);
        return result;
      }, renamed);
    }, text);
  };
  const visit = (node: JsonValue, path: YamlPath, refers: boolean): JsonValue => {
    if (typeof node === 'string') return refers ? inText(node, path) : node;
    if (Array.isArray(node)) return node.map((item, at) => visit(item, [...path, at], refers));
    if (!isObject(node)) return node;
    const isColumns = path[0] === 'tables' && path[2] === 'columns' && path.length === 3;
    const ids = tables.find(([table]) => table === path[1])?.[1] ?? [];
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, value = null]) => {
        const fate = isColumns ? ids.find(([id]) => id === key)?.[1] : undefined;
        if (fate !== undefined && typeof fate !== 'string' && value !== null) tell([...path, key], key, fate);
        const isListed = key === 'columns' && Array.isArray(value);
        const isReferring = key === 'columns' ? isListed : REFERRING.has(key) || (refers && !isColumns);
        const name = typeof fate === 'string' && !(fate in node) ? fate : key;
        return typeof fate === 'object' ? [] : [[name, visit(value, [...path, key], isReferring)] as const];
      }),
    );
  };
  return { value: visit(over, [], false) as JsonObject, gone: [...gone.values()] };
}
