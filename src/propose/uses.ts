import { formatPointer } from '../core/json.js';
import { squash } from '../core/text.js';
import type { Block, Default, Leaf, Match, Node, Parts } from '../generated/mapping-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { CompiledColumn, CompiledTable } from '../mapping/record.js';
import { loadSynonyms, mergeSynonyms, NO_SYNONYMS, type Synonyms } from '../mapping/synonyms.js';
import { SOURCES } from '../mapping/tree.js';
import { catalogue } from '../schema/catalogue.js';
import { createLookup } from '../schema/lookup.js';
import { resolveNode } from '../schema/registry.js';

/** A parameter that a place of the document takes its value from when no column has it; one that stands before columns is none. */
export interface ParamUse {
  readonly param: string;
  readonly keys: readonly string[];
  /** Columns of the block in which it stands: without any of them in the file the place does not arise. */
  readonly beside: readonly CompiledColumn[];
  /** Columns of the same leaf: with any of them it is needless. */
  readonly instead: readonly CompiledColumn[];
}

/** A full name in one cell, and the columns that would make it needless. */
export interface NameUse {
  readonly column: CompiledColumn;
  readonly instead: readonly CompiledColumn[];
  readonly param: string;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Whether a word is known. */
type Words = (text: string) => boolean;

/** What the document of a mapping does with columns. */
export interface Uses {
  /** Columns that a code list is asked with, and whether it knows a word. */
  readonly lookups: ReadonlyMap<CompiledColumn, readonly Words[]>;
  /** Place of the document (`/worker/municipality_id`, `*` for items) → the code list that fills it. */
  readonly catalogues: ReadonlyMap<string, string>;
  /** Columns whose words are sorted into classes, and the columns that sort them. */
  readonly classes: ReadonlyMap<CompiledColumn, readonly CompiledColumn[]>;
  /** Columns that give a leaf one value that all records agree on: two of them are never added up. */
  readonly single: ReadonlySet<CompiledColumn>;
  /** Numbers that a leaf may be, where its schema says between which. */
  readonly ranges: ReadonlyMap<CompiledColumn, Range>;
  readonly personal: ReadonlySet<CompiledColumn>;
  readonly params: readonly ParamUse[];
  readonly names: readonly NameUse[];
}

export const synonymsOf = ({ spec }: LoadedMapping): Synonyms =>
  mergeSynonyms((spec.synonyms ?? []).map((name) => loadSynonyms(name) ?? NO_SYNONYMS));

const isLeaf = (node: Block | Leaf): node is Leaf =>
  SOURCES.some((name) => (node as Record<string, unknown>)[name] !== undefined);

const tableOf = ({ tables }: LoadedMapping, { slot }: CompiledColumn): CompiledTable =>
  [...tables.values()].find((table) => table.slot === slot)!;

/** Gathers what the document of a mapping reads, and how. */
export function usesOf(mapping: LoadedMapping): Uses {
  const lookups = new Map<CompiledColumn, Words[]>();
  const catalogues = new Map<string, string>();
  const single = new Set<CompiledColumn>();
  const ranges = new Map<CompiledColumn, Range>();
  const personal = new Set<CompiledColumn>();
  const params: ParamUse[] = [];
  const names: NameUse[] = [];
  const { values: words } = synonymsOf(mapping);
  const joined = [...mapping.tables.values()].filter(({ join }) => join?.many === false);
  const open = [...mapping.mains, ...joined];

  const find = (name: string, each: CompiledTable | undefined): CompiledColumn | undefined => {
    const [table, id] = name.includes('.') ? name.split('.') : [undefined, name];
    if (table !== undefined) return mapping.tables.get(table)?.columns.get(id!);
    return [...(each ? [each] : []), ...open].flatMap(({ columns }) => columns.get(name) ?? [])[0];
  };

  const mark = (set: Set<CompiledColumn>, column: CompiledColumn): void => {
    for (const feeder of column.feeders) set.add(feeder);
  };

  const addLookup = (
    list: string,
    { from, by, within = {} }: Match,
    each: CompiledTable | undefined,
  ): void => {
    const found = catalogue(list);
    if (found === undefined) return;
    const add = (name: string, lookup: Words): void => {
      const column = find(name, each);
      if (column !== undefined) lookups.set(column, [...(lookups.get(column) ?? []), lookup]);
    };
    const lookup = createLookup(found, by ?? ['name', 'code'], words[list]);
    add(from, (text) => lookup.find(text).kind !== 'unknown');
    for (const [column, name] of Object.entries(within)) {
      const values = new Set(
        found.rows.flatMap((row) => [squash(row[column] ?? ''), row[`${column}_code`] ?? '']),
      );
      add(name, (text) => values.has(squash(text)));
    }
  };

  const references = (leaf: Leaf | Default): string[] => [
    ...(leaf.from === undefined ? [] : [leaf.from]),
    ...(leaf.parts === undefined ? [] : [leaf.parts.from]),
    ...('lookup' in leaf && leaf.lookup !== undefined ? leaf.lookup.match.map(({ from }) => from) : []),
    ...('formula' in leaf && leaf.formula !== undefined
      ? [...leaf.formula.matchAll(/[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?/g)].map(([name]) => name)
      : []),
    ...(leaf.default === undefined ? [] : references(leaf.default)),
  ];

  const columnsIn = (node: Node, each: CompiledTable | undefined): CompiledColumn[] => {
    if (Array.isArray(node)) return [];
    if (isLeaf(node)) return references(node).flatMap((name) => find(name, each) ?? []);
    return Object.entries(node).flatMap(([key, child]) =>
      key.startsWith('$') ? [] : columnsIn(child as Node, each),
    );
  };

  const addName = (parts: Parts, path: Leaf, each: CompiledTable | undefined): void => {
    const column = find(parts.from, each);
    if (parts.pattern !== 'full_name' || typeof parts.order !== 'object' || column === undefined) return;
    const instead = references(path)
      .filter((name) => name !== parts.from)
      .flatMap((name) => find(name, each) ?? []);
    if (parts.part === 'surname') names.push({ column, instead, param: parts.order.param });
  };

  const addParam = (
    param: string,
    node: Leaf,
    keys: readonly string[],
    each: CompiledTable | undefined,
    block: Block,
  ): void => {
    const instead = references(node).flatMap((name) => find(name, each) ?? []);
    params.push({ param, keys, beside: columnsIn(block, each), instead });
  };

  const leaf = (node: Leaf, keys: readonly string[], each: CompiledTable | undefined, block: Block): void => {
    const isPersonal = keys.some(
      (_, last) => resolveNode(mapping.target, keys.slice(0, last + 1))?.['x-personal'] === true,
    );
    for (const name of references(node)) {
      const column = find(name, each);
      if (column === undefined) continue;
      if (isPersonal) mark(personal, column);
      const taken = node.take ?? column.take ?? 'equal';
      if (each === undefined && node.formula === undefined && taken !== 'sum') mark(single, column);
    }
    const { minimum, maximum } = resolveNode(mapping.target, keys) ?? {};
    const own = node.from === undefined ? undefined : find(node.from, each);
    if (own !== undefined && typeof minimum === 'number' && typeof maximum === 'number')
      ranges.set(own, { from: minimum, to: maximum });
    if (node.lookup !== undefined) catalogues.set(formatPointer(keys), node.lookup.catalogue);
    // A list that other words are kept beside says nothing of a column.
    if (node.lookup?.unknown !== 'keep')
      for (const match of node.lookup?.match ?? []) addLookup(node.lookup!.catalogue, match, each);
    for (let at: Leaf | Default | undefined = node; at !== undefined; at = at.default) {
      if (at.parts !== undefined) addName(at.parts, node, each);
      // What stands before a column is said instead of it, for a reason of the run's own: it is never asked for.
      if (at.param !== undefined && at.default === undefined) addParam(at.param, node, keys, each, block);
    }
    for (const [, name] of (node.formula ?? '').matchAll(/\bif_blank\(.*,\s*param\.([a-z0-9_]+)/g))
      addParam(name!, node, keys, each, block);
  };

  const walk = (node: Node, keys: readonly string[], each: CompiledTable | undefined): void => {
    if (Array.isArray(node)) {
      for (const item of node)
        walk(
          item,
          [...keys, '*'],
          item.$each === undefined ? each : mapping.tables.get(item.$each as string),
        );
      return;
    }
    for (const [key, child] of Object.entries(node)) {
      if (key.startsWith('$')) continue;
      const at = [...keys, key];
      if (!Array.isArray(child) && isLeaf(child as Leaf)) leaf(child as Leaf, at, each, node as Block);
      else walk(child as Node, at, each);
    }
  };
  walk(mapping.spec.document as Node, [], undefined);
  return { lookups, catalogues, classes: classesOf(mapping), single, ranges, personal, params, names };
}

function classesOf(mapping: LoadedMapping): Uses['classes'] {
  const classes = new Map<CompiledColumn, CompiledColumn[]>();
  for (const { columns, spec } of mapping.tables.values())
    for (const [id, { classify }] of Object.entries(spec.columns)) {
      const from = classify && columns.get(classify.from);
      const sorter = columns.get(id);
      if (from !== undefined && sorter !== undefined)
        classes.set(from, [...(classes.get(from) ?? []), sorter]);
    }
  return classes;
}

/** `workers.salary`: how people name a column of a mapping. */
export const fullId = (mapping: LoadedMapping, column: CompiledColumn): string =>
  `${tableOf(mapping, column).id}.${column.id}`;
