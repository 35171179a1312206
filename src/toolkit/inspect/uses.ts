import { getOrAdd, listIn, remember } from '../core/remember.js';
import { unreachable } from '../core/required.js';
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
import { createLookup, type LookupColumn, requiredCatalogue } from '../schema/catalogue.js';
import { resolveNode } from '../schema/registry.js';

/** Parameter that gives a leaf its value if no column has it. */
interface ParamUse {
  readonly param: string;
  readonly keys: readonly string[];
  /** Columns of its block; without any of them in the file the leaf does not exist. */
  readonly beside: readonly CompiledColumn[];
  /** Columns of the same leaf, any of which makes the parameter needless. */
  readonly instead: readonly CompiledColumn[];
  /** Columns of the leaf's condition. */
  readonly when: readonly CompiledColumn[];
}

/** Column of a full name, and the columns that make it needless. */
interface NameUse {
  readonly column: CompiledColumn;
  readonly instead: readonly CompiledColumn[];
  readonly param: string;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Tells whether a word is known. */
type Words = (text: string) => boolean;

/** Heuristics that identify a column besides its label. */
export const HEURISTICS = [
  'unreadable cells',
  'unknown words',
  'known words',
  'words of many concepts',
  'known codes',
  'unusual cells',
  'dates for a date',
  'yes and no',
  'words of a choice',
  'street addresses',
  'documents for the key',
  'digests of documents',
  'known words before numbers',
  'full names of records',
  'days of birth',
  'neighbours of one item',
  'name of an item',
  'order of the mapping',
  'sum of others',
  'style of the header',
  'a field taken',
  'counts for an amount',
  'amounts for a quantity',
  'dates for something else',
  'decades for a moment',
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

/** Uses of columns by the documents of a mapping. */
export interface Uses {
  /** Heuristics turned off by a test that measures them. */
  readonly without: ReadonlySet<Heuristic>;
  /** Tests of words by column that looks up a code list. */
  readonly lookups: ReadonlyMap<CompiledColumn, readonly Words[]>;
  /** Code list by pointer of the leaf that it fills (`/worker/municipality_id`, `*` for items). */
  readonly catalogues: ReadonlyMap<string, string>;
  /** Columns whose words are sorted into classes, with the columns that sort them. */
  readonly classes: ReadonlyMap<CompiledColumn, readonly CompiledColumn[]>;
  /** Columns that give a leaf one value for all records; two of them are never added up. */
  readonly single: ReadonlySet<CompiledColumn>;
  /** Single columns on which all records of a document must agree. */
  readonly alike: ReadonlySet<CompiledColumn>;
  /** Members of the document that a column fills: `accrued`, `deductions`. */
  readonly members: ReadonlyMap<CompiledColumn, ReadonlySet<string>>;
  /** Range of the numbers of a leaf, if its schema gives one. */
  readonly ranges: ReadonlyMap<CompiledColumn, Range>;
  readonly personal: ReadonlySet<CompiledColumn>;
  /** Columns without which a document is incomplete. */
  readonly needed: ReadonlySet<CompiledColumn>;
  /** Columns that identify records. */
  readonly keys: ReadonlySet<CompiledColumn>;
  /** Columns that only join tables: numbers of the program that wrote the file. */
  readonly links: ReadonlySet<CompiledColumn>;
  /** Items of the document that a column fills in part: hours of overtime and their value. */
  readonly items: ReadonlyMap<CompiledColumn, readonly unknown[]>;
  /** Columns of totals that the file states and that are compared. */
  readonly stated: ReadonlySet<CompiledColumn>;
  /** Columns that people are shown next to a document. */
  readonly shown: ReadonlySet<CompiledColumn>;
  readonly params: readonly ParamUse[];
  readonly names: readonly NameUse[];
  /** Columns with a part of a name. */
  readonly nameParts: ReadonlySet<CompiledColumn>;
}

/** Returns every column that a leaf names, fallbacks too. */
const namedIn = ({ sources }: Field): CompiledColumn[] => sources.flatMap(({ named }) => named);

/** Returns the uses of the columns of a mapping. */
export const usesOf = (mapping: LoadedMapping, without = NONE): Uses =>
  without === NONE ? allUsesOf(mapping) : findUses(mapping, without);

/** True if amounts of a column reach a document, what is shown of it, or a stated total. */
export const leads = (column: CompiledColumn, { members, stated, shown }: Uses): boolean =>
  column.kind !== 'money' || (members.get(column)?.size ?? 0) > 0 || stated.has(column) || shown.has(column);

/** Keeps the uses of each mapping, with all heuristics on. */
const allUsesOf = remember((mapping: LoadedMapping) => findUses(mapping, NONE));

/** Returns the columns that join tables and fill no field. */
function linksOf({ fields, tables, mains }: LoadedMapping): ReadonlySet<CompiledColumn> {
  const named = new Set(fields.flatMap((field) => namedIn(field).flatMap(({ feeders }) => feeders)));
  const joining = [...tables.values()].flatMap(({ join }) => [
    ...joiningColumns(join).flatMap(({ feeders }) => feeders),
    ...mains.flatMap(({ columns }) => askingIds(join).flatMap((id) => columns.get(id) ?? [])),
  ]);
  return new Set(joining.filter((column) => !named.has(column)));
}

function findUses(mapping: LoadedMapping, without: Uses['without']): Uses {
  const { fields, target, tables } = mapping;
  const lookups = new Map<CompiledColumn, Words[]>();
  const catalogues = new Map<string, string>();
  const single = new Set<CompiledColumn>();
  const alike = new Set<CompiledColumn>();
  const members = new Map<CompiledColumn, Set<string>>();
  const ranges = new Map<CompiledColumn, Range>();
  const personal = new Set<CompiledColumn>();
  const needed = new Set<CompiledColumn>();
  const items = new Map<CompiledColumn, unknown[]>();
  for (const field of fields) {
    const { keys, pointer, sources } = field;
    const [top = unreachable('key of a field')] = keys;
    const [{ kind }] = sources;
    const named = namedIn(field);
    if (field.needed) for (const column of field.alternatives.flat()) needed.add(column);
    if (field.each !== undefined)
      for (const column of named.flatMap(({ feeders }) => feeders))
        listIn(items, column).push(field.blocks.at(-1));
    const isPersonal = keys.some(
      (_, last) => resolveNode(target, keys.slice(0, last + 1))?.['x-personal'] === true,
    );
    for (const column of named) {
      const taken = (kind.is === 'column' ? kind.take : undefined) ?? column.take ?? 'equal';
      const isSingle = field.each === undefined && kind.is !== 'formula' && taken !== 'sum';
      for (const feeder of column.feeders) {
        if (isPersonal) personal.add(feeder);
        getOrAdd(members, feeder, () => new Set()).add(top);
        if (isSingle) single.add(feeder);
        if (isSingle && taken === 'equal') alike.add(feeder);
      }
    }
    const { minimum, maximum } = resolveNode(target, keys) ?? {};
    if (kind.is === 'column' && typeof minimum === 'number' && typeof maximum === 'number') {
      const { column } = kind;
      for (const item of column.feeders.length === 1 ? column.feeders : [column])
        ranges.set(item, { from: minimum, to: maximum });
    }
    if (kind.is === 'lookup') catalogues.set(pointer, kind.catalogue);
    // A list that other words are kept beside says nothing of a column.
    if (kind.is === 'lookup' && !kind.keeps)
      for (const match of kind.matches)
        for (const [column, knows] of wordsOf(mapping, kind.catalogue, match))
          listIn(lookups, column).push(knows);
  }
  const names = fields.flatMap(nameUsesOf);
  return {
    needed,
    items,
    stated: statedColumns(mapping),
    shown: new Set([...mapping.details.values()].flatMap((of) => of.flatMap(({ feeders }) => feeders))),
    keys: new Set([...tables.values()].flatMap((table) => keysOf(mapping, table))),
    links: linksOf(mapping),
    without,
    lookups,
    catalogues,
    classes: sortersOf(mapping),
    single,
    alike,
    members,
    ranges,
    personal,
    params: fields.flatMap((field) => paramUsesOf(field, fields)),
    names: names.flatMap(({ column, ...use }) => (column === undefined ? [] : [{ column, ...use }])),
    nameParts: new Set(names.flatMap(({ instead }) => instead)),
  };
}

/** Returns the computed columns that sort the words of a column, by that column. */
function sortersOf({ tables }: LoadedMapping): Uses['classes'] {
  const found = new Map<CompiledColumn, CompiledColumn[]>();
  for (const { computed } of tables.values())
    for (const sorter of computed)
      for (const column of sorter.sorts?.column.feeders ?? []) listIn(found, column).push(sorter);
  return found;
}

const isFullName = ({ kind }: Field['sources'][number]): boolean =>
  kind.is === 'part' && kind.order !== undefined;

/** Returns the columns of full names of a field, and for each those that are used first; surnames name the column. */
function nameUsesOf({ sources }: Field) {
  return sources.flatMap(({ kind, named }, at) => {
    if (kind.is !== 'part' || kind.order === undefined) return [];
    // A full name is used only where these are blank.
    const before = sources.slice(0, at).filter((other) => !isFullName(other));
    const instead = before.flatMap((other) => other.named).flatMap(({ feeders }) => feeders);
    const isSurname = kind.part === 'surname' || kind.part === 'surnames';
    return [{ column: isSurname ? named[0] : undefined, instead, param: kind.order }];
  });
}

/** Returns the parameters that a field takes where its columns are blank or absent. */
function paramUsesOf(field: Field, fields: readonly Field[]): readonly ParamUse[] {
  const { keys, sources, when, blocks } = field;
  const [{ kind }] = sources;
  // A parameter before the column replaces it in this run only, so it is never asked for.
  const last = (sources.at(-1) ?? sources[0]).kind;
  const standIns = [
    ...(last.is === 'param' ? [last.name] : last.is === 'formula' ? last.standIns : []),
    ...(kind.is === 'formula' && sources.length > 1 ? kind.standIns : []),
  ];
  if (standIns.length === 0) return [];
  const block = blocks.at(-1) ?? unreachable('block of a field');
  const beside = fields.filter((other) => other.blocks.includes(block)).flatMap(namedIn);
  return standIns.map((param) => ({ param, keys, beside, instead: namedIn(field), when }));
}

/** Returns the columns by which a table's records belong to documents. */
const keysOf = (mapping: LoadedMapping, table: CompiledTable): readonly CompiledColumn[] =>
  mapping.mains.includes(table)
    ? mapping.key.flatMap((id) => table.columns.get(id)?.feeders ?? [])
    : joiningColumns(table.join).flatMap(({ feeders }) => feeders);

/** Finds the columns that look up a code list, with tests of their words. */
function wordsOf(
  { synonyms }: LoadedMapping,
  list: string,
  { column, by, within }: MatchedColumn,
): (readonly [CompiledColumn, Words])[] {
  const found = requiredCatalogue(list);
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

type OfTable = Pick<CompiledTable, 'tableIndex'>;

export const tableOf = ({ tables }: LoadedMapping, { tableIndex }: OfTable): CompiledTable =>
  [...tables.values()].find((table) => table.tableIndex === tableIndex) ?? unreachable(`table ${tableIndex}`);

/** Returns the name of a column with its table: `workers.salary`. */
export const fullId = (mapping: LoadedMapping, column: CompiledColumn): string =>
  `${tableOf(mapping, column).id}.${column.id}`;
