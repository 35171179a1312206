import type { Block, Default, Leaf, Node } from '../generated/mapping-types.js';
import { isRequired, resolveNode, type SchemaNode } from '../schema/registry.js';
import type { LoadedMapping } from './load.js';
import type { CompiledColumn, CompiledTable } from './record.js';
import { findColumn, namedBy, type Workbench } from './scope.js';
import { compileNamedValues, compileSource, formulaSource } from './source.js';
import { loadSynonyms, mergeSynonyms, type Synonyms } from './synonyms.js';
import { SOURCES } from './tree.js';
import { createLint, readYaml } from './yaml-source.js';

/** A leaf of the document, and the read columns that may fill it. */
export interface Feed {
  /** Keys of the leaf from the root of the document, `*` for an item of a list. */
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  /** The object that it is part of; for an item of a list, the list. */
  readonly parent: SchemaNode;
  readonly leaf: Leaf;
  /** Whether the document, or the item of the list, must have it. */
  readonly required: boolean;
  /** Whether the list that it is part of must have an item. */
  readonly listed: boolean;
  readonly columns: ReadonlySet<CompiledColumn>;
  /** Sets of columns each of which suffices. */
  readonly alternatives: readonly ReadonlySet<CompiledColumn>[];
  /** What stands in for a blank cell. */
  readonly fallback?: { readonly param: string } | { readonly constant: true };
  /** The table whose records make the items of the list that it is part of, and the block that makes them. */
  readonly each?: CompiledTable;
  readonly block?: Block;
  /** The column that a name of the leaf means. */
  readonly columnOf: (name: string) => CompiledColumn | undefined;
}

/** Columns that decide which records a list takes, or a sum counts. */
export interface Gate {
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  readonly columns: ReadonlySet<CompiledColumn>;
}

export interface Feeds {
  readonly feeds: readonly Feed[];
  readonly gates: readonly Gate[];
  readonly synonyms: Synonyms;
}

interface Spot {
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  readonly parent: SchemaNode;
  readonly required: boolean;
  readonly listed: boolean;
  readonly each?: CompiledTable;
  readonly block?: Block;
}

const readColumns = (columns: readonly CompiledColumn[]): ReadonlySet<CompiledColumn> =>
  new Set(columns.flatMap(({ feeders }) => feeders));

function benchOf({ spec, tables, mains, params }: LoadedMapping): Workbench {
  const joined = [...tables.values()].filter(({ join }) => join?.many === false);
  const unnamed: Workbench = {
    lint: createLint(readYaml('', '')), // the mapping has passed its lint: nothing will be reported
    tables,
    open: [...mains, ...joined],
    params,
    named: new Map(),
    notes: namedBy(),
    synonyms: mergeSynonyms((spec.synonyms ?? []).flatMap((name) => loadSynonyms(name) ?? [])),
  };
  return { ...unnamed, named: compileNamedValues(unnamed, spec.values ?? {}) };
}

/** The bench with the table of a column nearest, as conditions on its records see it. */
function beside(bench: Workbench, column: CompiledColumn | undefined): Workbench {
  const table = column && [...bench.tables.values()].find(({ slot }) => slot === column.slot);
  return table === undefined ? bench : { ...bench, open: [table, ...bench.open] };
}

/** What every read column of a mapping is for: the leaves that it fills and the choices that it makes. */
export function feedsOf(mapping: LoadedMapping): Feeds {
  const bench = benchOf(mapping);
  const feeds: Feed[] = [];
  const gates: Gate[] = [];
  const resolve = (keys: readonly string[]): SchemaNode | undefined => {
    for (const { schema } of mapping.targets) {
      const node = resolveNode(schema, keys);
      if (node !== undefined) return node;
    }
    return undefined;
  };

  const gate = (open: Workbench, formula: string | undefined, { keys, node }: Spot): void => {
    const columns = formula === undefined ? [] : (formulaSource(open, formula, [], 'boolean')?.columns ?? []);
    if (columns.length > 0) gates.push({ keys, node, columns: readColumns(columns) });
  };

  const walkBlock = (open: Workbench, block: Block, spot: Spot): void => {
    const { $when: _, $each: __, $where: ___, $sort: ____, $distinct: _____, ...children } = block;
    for (const [key, child] of Object.entries(children)) {
      const keys = [...spot.keys, key];
      const node = resolve(keys);
      if (node === undefined) continue;
      const parent = spot.keys.at(-1) === '*' ? spot.parent : spot.node;
      const required = spot.required && isRequired(spot.node, key);
      walk(open, child as Node, { ...spot, keys, node, parent, required });
    }
  };

  const walkList = (open: Workbench, blocks: readonly Block[], spot: Spot): void => {
    const keys = [...spot.keys, '*'];
    const node = resolve(keys);
    if (node === undefined) return;
    for (const block of blocks) {
      const each = block.$each === undefined ? undefined : mapping.tables.get(block.$each);
      const inside = each === undefined ? open : { ...open, open: [each, ...open.open] };
      gate(inside, block.$where, spot);
      walkBlock(inside, block, {
        keys,
        node,
        parent: spot.node,
        required: true,
        listed: spot.required,
        ...(each && { each, block }),
      });
    }
  };

  const walkLeaf = (open: Workbench, leaf: Leaf, spot: Spot): void => {
    const sources = sourcesOf(open, leaf, spot.node);
    const from = leaf.from === undefined ? undefined : findColumn(open, leaf.from);
    gate(beside(open, from), leaf.where, spot);
    const fallback = fallbackOf(leaf);
    feeds.push({
      ...spot,
      leaf,
      required: spot.required && leaf.when === undefined,
      columns: readColumns(sources.flatMap(({ columns }) => columns)),
      alternatives: sources.flatMap(({ alternatives }) => alternatives.map(readColumns)),
      ...(fallback && { fallback }),
      columnOf: (name) => findColumn(open, name),
    });
  };

  const walk = (open: Workbench, node: Node, spot: Spot): void => {
    if (Array.isArray(node)) walkList(open, node as readonly Block[], spot);
    else if (SOURCES.some((name) => name in node)) walkLeaf(open, node as Leaf, spot);
    else walkBlock(open, node as Block, spot);
  };

  const document = resolve([])!;
  const root: Spot = { keys: [], node: document, parent: document, required: true, listed: true };
  walkBlock(bench, mapping.spec.document as Block, root);
  for (const { where, from } of Object.values(mapping.spec.values ?? {})) {
    const column = from === undefined ? undefined : findColumn(bench, from);
    gate(beside(bench, column), where, root);
  }
  return { feeds, gates, synonyms: bench.synonyms };
}

/** The source of a leaf and those that it falls back upon. */
function sourcesOf(bench: Workbench, leaf: Leaf | Default, node: SchemaNode) {
  const source = leaf.const === undefined ? compileSource(bench, leaf as Leaf, [], node) : undefined;
  const rest: ReturnType<typeof compileSource>[] =
    leaf.default === undefined ? [] : sourcesOf(bench, leaf.default, node);
  return [source, ...rest].flatMap((one) => one ?? []);
}

function fallbackOf({ default: next }: Leaf | Default): Feed['fallback'] {
  if (next === undefined) return undefined;
  if (next.param !== undefined) return { param: next.param };
  return next.const === undefined ? fallbackOf(next) : { constant: true };
}
