import { remember } from '../core/remember.js';
import { squash } from '../core/text.js';
import { statedColumns } from '../documents/sections.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { Field } from '../mapping/plan.js';
import {
  askingIds,
  type CompiledColumn,
  type CompiledTable,
  joiningColumns,
  type MatchedColumn,
} from '../mapping/record.js';
import { catalogue, createLookup, type LookupColumn } from '../schema/catalogue.js';
import { resolveNode } from '../schema/registry.js';

/** A parameter that a place of the document takes its value from when no column has it; one that stands before columns is none. */
interface ParamUse {
  readonly param: string;
  readonly keys: readonly string[];
  /** Columns of the block in which it stands: without any of them in the file the place does not arise. */
  readonly beside: readonly CompiledColumn[];
  /** Columns of the same leaf: with any of them it is needless. */
  readonly instead: readonly CompiledColumn[];
}

/** A full name in one cell, and the columns that would make it needless. */
interface NameUse {
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

/** Ways of telling what a column is beside its label. */
export const HEURISTICS = [
  'unreadable cells',
  'unknown words',
  'known words',
  'known codes',
  'unusual cells',
  'dates for a date',
  'yes and no',
  'words of a choice',
  'street addresses',
  'documents for the key',
  'neighbours of one item',
  'name of an item',
  'order of the mapping',
  'sum of others',
  'style of the header',
  'a field taken',
  'counts for an amount',
  'amounts for a quantity',
  'dates for something else',
  'moments for a time of day',
  'ordinals for an identification',
  'words for an identification',
  'full names for a part of one',
  'full name beside its parts',
  'companies for a person',
  'amounts for a text',
  'sections of the header',
  'group and label together',
  'left aside by the mapping',
  'a rival',
  'claimed twice',
  'paid by the days',
  'rival of a need',
  'out of order',
  'differs within documents',
] as const;
export type Heuristic = (typeof HEURISTICS)[number];

const NONE: ReadonlySet<Heuristic> = new Set();

/** What the document of a mapping does with columns. */
export interface Uses {
  /** Heuristics that are turned off: a test shows what each of them is good for. */
  readonly without: ReadonlySet<Heuristic>;
  /** Columns that a code list is asked with, and whether it knows a word. */
  readonly lookups: ReadonlyMap<CompiledColumn, readonly Words[]>;
  /** Place of the document (`/worker/municipality_id`, `*` for items) → the code list that fills it. */
  readonly catalogues: ReadonlyMap<string, string>;
  /** Columns whose words are sorted into classes, and the columns that sort them. */
  readonly classes: ReadonlyMap<CompiledColumn, readonly CompiledColumn[]>;
  /** Columns that give a leaf one value that all records agree on: two of them are never added up. */
  readonly single: ReadonlySet<CompiledColumn>;
  /** Those of them on which all records of a document must agree. */
  readonly alike: ReadonlySet<CompiledColumn>;
  /** The members of the document that a column gives something of: `accrued`, `deductions`. */
  readonly members: ReadonlyMap<CompiledColumn, ReadonlySet<string>>;
  /** Numbers that a leaf may be, where its schema says between which. */
  readonly ranges: ReadonlyMap<CompiledColumn, Range>;
  readonly personal: ReadonlySet<CompiledColumn>;
  /** Columns without which a document is not whole. */
  readonly needed: ReadonlySet<CompiledColumn>;
  /** What tells records apart. */
  readonly keys: ReadonlySet<CompiledColumn>;
  /** What joins tables to each other and goes nowhere else: a number of the program that wrote the file. */
  readonly links: ReadonlySet<CompiledColumn>;
  /** The items of the document that a column gives part of: the hours of overtime and their value. */
  readonly items: ReadonlyMap<CompiledColumn, readonly unknown[]>;
  /** Totals that the file states, which are compared. */
  readonly stated: ReadonlySet<CompiledColumn>;
  readonly params: readonly ParamUse[];
  readonly names: readonly NameUse[];
  /** Columns with a part of a name. */
  readonly nameParts: ReadonlySet<CompiledColumn>;
}

/** Every column that a leaf names, those that stand in for others too. */
const namedIn = ({ sources }: Field): CompiledColumn[] => sources.flatMap(({ named }) => named);

/** What the plan of a mapping says of columns that a file may have. */
export const usesOf = (mapping: LoadedMapping, without = NONE): Uses =>
  without === NONE ? allUsesOf(mapping) : findUses(mapping, without);

/** Ready-made mappings are asked again and again. */
const allUsesOf = remember((mapping: LoadedMapping) => findUses(mapping, NONE));

/** Returns the columns that join tables and fill no field. */
function linksOf({ fields, tables, mains }: LoadedMapping): ReadonlySet<CompiledColumn> {
  const told = new Set(fields.flatMap((field) => namedIn(field).flatMap(({ feeders }) => feeders)));
  const joining = [...tables.values()].flatMap(({ join }) => [
    ...joiningColumns(join).flatMap(({ feeders }) => feeders),
    ...mains.flatMap(({ columns }) => askingIds(join).flatMap((id) => columns.get(id) ?? [])),
  ]);
  return new Set(joining.filter((column) => !told.has(column)));
}

function findUses(mapping: LoadedMapping, without: Uses['without']): Uses {
  const { fields, target, tables } = mapping;
  const lookups = new Map<CompiledColumn, Words[]>();
  const catalogues = new Map<string, string>();
  const classes = new Map<CompiledColumn, CompiledColumn[]>();
  const single = new Set<CompiledColumn>();
  const alike = new Set<CompiledColumn>();
  const members = new Map<CompiledColumn, Set<string>>();
  const ranges = new Map<CompiledColumn, Range>();
  const personal = new Set<CompiledColumn>();
  const needed = new Set<CompiledColumn>();
  const items = new Map<CompiledColumn, unknown[]>();
  const params: ParamUse[] = [];
  const names: NameUse[] = [];
  const nameParts = new Set<CompiledColumn>();
  for (const field of fields) {
    const { keys, pointer, sources } = field;
    const [{ kind }] = sources;
    const named = namedIn(field);
    if (field.needed) for (const column of field.alternatives.flat()) needed.add(column);
    if (field.each !== undefined)
      for (const column of named.flatMap(({ feeders }) => feeders))
        items.set(column, [...(items.get(column) ?? []), field.blocks.at(-1)]);
    const isPersonal = keys.some(
      (_, last) => resolveNode(target, keys.slice(0, last + 1))?.['x-personal'] === true,
    );
    for (const column of named) {
      const taken = (kind.is === 'column' ? kind.take : undefined) ?? column.take ?? 'equal';
      const isSingle = field.each === undefined && kind.is !== 'formula' && taken !== 'sum';
      for (const feeder of column.feeders) {
        if (isPersonal) personal.add(feeder);
        members.set(feeder, (members.get(feeder) ?? new Set()).add(keys[0]!));
        if (isSingle) single.add(feeder);
        if (isSingle && taken === 'equal') alike.add(feeder);
      }
    }
    const { minimum, maximum } = resolveNode(target, keys) ?? {};
    if (kind.is === 'column' && typeof minimum === 'number' && typeof maximum === 'number') {
      const { column } = kind;
      for (const one of column.feeders.length === 1 ? column.feeders : [column])
        ranges.set(one, { from: minimum, to: maximum });
    }
    if (kind.is === 'lookup') catalogues.set(pointer, kind.catalogue);
    // A list that other words are kept beside says nothing of a column.
    if (kind.is === 'lookup' && !kind.keeps)
      for (const match of kind.matches)
        for (const [column, knows] of wordsOf(mapping, kind.catalogue, match))
          lookups.set(column, [...(lookups.get(column) ?? []), knows]);
    const isWhole = ({ kind: one }: (typeof sources)[number]): boolean =>
      one.is === 'part' && one.order !== undefined;
    for (const [at, source] of sources.entries()) {
      const { kind: one, named: own } = source;
      if (one.is !== 'part' || one.order === undefined) continue;
      // What stands behind it is asked only where it is blank as well.
      const before = sources.slice(0, at).filter((other) => !isWhole(other));
      const instead = before.flatMap(({ named }) => named).flatMap(({ feeders }) => feeders);
      for (const column of instead) nameParts.add(column);
      if (one.part === 'surname' || one.part === 'surnames')
        names.push({ column: own[0]!, instead, param: one.order });
    }
    // What stands before a column is said instead of it, for a reason of the run's own: it is never asked for.
    const last = sources.at(-1)!.kind;
    const standIns = [
      ...(last.is === 'param' ? [last.name] : []),
      ...(kind.is === 'formula' ? kind.standIns : []),
    ];
    const block = field.blocks.at(-1)!;
    const beside = (): CompiledColumn[] =>
      fields.filter(({ blocks }) => blocks.includes(block)).flatMap(namedIn);
    for (const param of standIns) params.push({ param, keys, beside: beside(), instead: named });
  }
  for (const { computed } of tables.values())
    for (const sorter of computed)
      for (const column of sorter.sorts?.column.feeders ?? [])
        classes.set(column, [...(classes.get(column) ?? []), sorter]);
  const stated = statedColumns(mapping);
  const keys = new Set([...tables.values()].flatMap((table) => keysOf(mapping, table)));
  return {
    needed,
    items,
    stated,
    keys,
    links: linksOf(mapping),
    without,
    lookups,
    catalogues,
    classes,
    single,
    alike,
    members,
    ranges,
    personal,
    params,
    names,
    nameParts,
  };
}

/** The columns by which a table's records belong to documents. */
const keysOf = (mapping: LoadedMapping, table: CompiledTable): readonly CompiledColumn[] =>
  mapping.mains.includes(table)
    ? mapping.key.flatMap((id) => table.columns.get(id)?.feeders ?? [])
    : joiningColumns(table.join).flatMap(({ feeders }) => feeders);

/** The columns that a code list is asked with, and the words that it knows of them. */
function wordsOf(
  { synonyms }: LoadedMapping,
  list: string,
  { column, by, within }: MatchedColumn,
): (readonly [CompiledColumn, Words])[] {
  const found = catalogue(list)!;
  // Whether numbers are codes or ids of the service is told, or asked, later.
  const asked: readonly LookupColumn[] =
    by.includes('code') && found.columns.includes('id') ? [...new Set([...by, 'id' as const])] : by;
  const words = synonyms.values[list] ?? {};
  const lookup = createLookup(found, asked, words);
  // Which of two lists they are of is told, or asked, later too.
  const read = new Set(
    Object.values(synonyms.readings[list] ?? {}).flatMap((codes) => Object.values(codes).flat().map(squash)),
  );
  return [
    [column, (text) => lookup.find(text).kind !== 'unknown' || read.has(squash(text))],
    ...within.map(([name, other]): [CompiledColumn, Words] => {
      const values = new Set(
        found.rows.flatMap((row) => {
          const code = row[`${name}_code`] ?? '';
          return [code, ...[row[name] ?? '', ...(words[code] ?? [])].map(squash)];
        }),
      );
      return [other, (text) => values.has(squash(text))];
    }),
  ];
}

const tableOf = ({ tables }: LoadedMapping, { tableIndex }: CompiledColumn): CompiledTable =>
  [...tables.values()].find((table) => table.tableIndex === tableIndex)!;

/** `workers.salary`: how people name a column of a mapping. */
export const fullId = (mapping: LoadedMapping, column: CompiledColumn): string =>
  `${tableOf(mapping, column).id}.${column.id}`;
