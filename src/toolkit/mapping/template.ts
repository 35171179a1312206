import type { Text } from '../../generated/issue-codes.js';
import { stop } from '../core/issue.js';
import { fold, isWild, squash } from '../core/text.js';
import { NO_TEXT } from '../messages/texts.js';
import { type Catalogue, catalogue, createLookup, type LookupColumn } from '../schema/catalogue.js';
import { requiredNode, resolveNode, type SchemaNode } from '../schema/registry.js';
import { parseLetterLabel } from '../tables/header.js';
import type { LoadedMapping } from './load.js';
import { choicesOf, defaultOn, hasDefault, typeOf } from './params.js';
import { type Condition, type Field, readBy } from './plan.js';
import { READ_KINDS } from './read/cell.js';
import { askingIds, type CompiledColumn, type CompiledTable, joiningColumns, patternsOf } from './record.js';
import type { Synonyms } from './synonyms.js';
import type {
  TemplateColumn,
  TemplateNeed,
  TemplateParam,
  TemplatePlan,
  TemplateSheet,
} from './template-plan.js';

/** The columns of the template by table, in the order of the mapping. */
type Chosen = ReadonlyMap<CompiledTable, readonly CompiledColumn[]>;

const isSheet = ({ spec, parent }: CompiledTable): boolean =>
  parent === undefined &&
  spec.param === undefined &&
  (spec.template !== false || spec.labels !== undefined) &&
  spec.role !== 'control';

/** Returns the labels of the file that the mapping gives to a column; a letter is no title. */
const labelsOf = ({ spec }: CompiledTable, { id }: CompiledColumn): readonly string[] =>
  Object.entries(spec.labels ?? {}).flatMap(([label, meant]) =>
    meant === id && parseLetterLabel(label) === undefined ? [label] : [],
  );

/** Chooses the tables that a person fills in a workbook, and their columns that reach a document or a condition. */
function chooseColumns(mapping: LoadedMapping, { fields, conditions }: Readers): Chosen {
  const tables = [...mapping.tables.values()].filter(isSheet);
  const slots = new Set(tables.map(({ tableIndex }) => tableIndex));
  const mains = new Set(mapping.mains.map(({ tableIndex }) => tableIndex));
  const elsewhere = new Set(
    fields
      .filter(({ reads }) =>
        [...reads].some(({ tableIndex }) => slots.has(tableIndex) && !mains.has(tableIndex)),
      )
      .map(({ pointer }) => pointer),
  );
  const isWanted = (table: CompiledTable, column: CompiledColumn): boolean => {
    if (column.wanted === undefined) return false;
    if (labelsOf(table, column).length > 0) return true; // the file has it
    if (table.spec.columns[column.id]?.template === false) return false;
    if (identifies(table, column)) return true;
    if (conditions.some(({ reads }) => reads.has(column))) return true;
    const filled = fields.filter(({ reads }) => reads.has(column));
    // A leaf with a sheet of its own, a record for each event, needs no column in the main sheet.
    return (
      filled.length > 0 &&
      !(mains.has(column.tableIndex) && filled.every(({ pointer }) => elsewhere.has(pointer)))
    );
  };
  return new Map(
    tables.map((table) => [table, [...table.columns.values()].filter((column) => isWanted(table, column))]),
  );
}

/** Leaves and conditions with the read columns behind them. */
interface Readers {
  readonly fields: readonly (Field & { readonly reads: ReadonlySet<CompiledColumn> })[];
  readonly conditions: readonly (Condition & { readonly reads: ReadonlySet<CompiledColumn> })[];
}

interface WordSite extends Readers {
  readonly mapping: LoadedMapping;
}

interface TemplateSite extends WordSite {
  readonly chosen: Chosen;
}

const readersOf = (mapping: LoadedMapping): Readers => ({
  fields: mapping.fields.map((field) => ({ ...field, reads: readBy(field) })),
  conditions: mapping.conditions.map((condition) => ({ ...condition, reads: readBy(condition) })),
});

/** Returns the first statement of a description, without the rules that it cites. */
const brief = (text: string): string => text.replace(/\s*\([^)]*\)/g, '').replace(/[.;:](?:\s.*)?$/s, '');

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter(Boolean))];

/** Returns the titles of schema nodes in Spanish and their descriptions in English. */
const aboutNodes = (nodes: readonly SchemaNode[]): Text => ({
  es: unique(nodes.map(({ title }) => title ?? '')).join(', '),
  en: unique(nodes.map(({ description }) => brief(description ?? ''))).join('; '),
});

/** Max schema nodes named in the description of a column; beyond it their parents are named, or nothing. */
const MAX_NAMED_NODES = 3;

const nodesToName = (nodes: readonly SchemaNode[], parents: readonly SchemaNode[]): readonly SchemaNode[] =>
  [nodes, parents].find(
    (candidates) => new Set(candidates.map(({ title }) => title)).size <= MAX_NAMED_NODES,
  ) ?? [];

const filledBy = ({ fields }: Readers, column: CompiledColumn): readonly Field[] =>
  fields.filter(({ reads }) => reads.has(column));

/** Returns the columns by which records belong to documents or name a person, each with the id that it must equal. */
const links = (join: CompiledTable['join']) => [
  ...joiningColumns(join).map((column, at) => ({ column, primary: askingIds(join)[at] })),
  ...(join?.whose ?? []),
];

/** True if a column says whom a record is about, or is joined by. */
const identifies = ({ identity, join }: CompiledTable, column: CompiledColumn): boolean =>
  identity.includes(column) || links(join).some((link) => link.column.feeders.includes(column));

/** Returns the column of a main table that a column joins. */
function joined({ mapping }: TemplateSite, table: CompiledTable, column: CompiledColumn) {
  const primary = links(table.join).find((link) => link.column.feeders.includes(column))?.primary;
  if (primary === undefined) return undefined;
  const main = mapping.mains.find(({ columns }) => columns.has(primary));
  const [there] = main?.columns.get(primary)?.feeders ?? [];
  return main && there && { main, column: there };
}

function aboutColumn(site: TemplateSite, table: CompiledTable, column: CompiledColumn): Text {
  const filled = filledBy(site, column);
  if (filled.length > 0) {
    const parents = [...new Set(filled.map(({ parent }) => parent))];
    const { es, en } = aboutNodes(nodesToName([...new Set(filled.map(({ node }) => node))], parents));
    const [parent, ...others] = parents;
    return { es: parent !== undefined && others.length === 0 ? `${parent.title}: ${es}` : es, en };
  }
  const conditions = site.conditions.filter(({ reads }) => reads.has(column));
  if (conditions.length > 0) return aboutNodes(conditions.map(({ node }) => node));
  const target = joined(site, table, column);
  return target === undefined ? NO_TEXT : aboutColumn(site, target.main, target.column);
}

/**
 * Returns a title that the mapping knows: the label that the mapping gives to the column, the title of the joined
 * column, or for a column of several sheets (`Cantidad`) the field that it fills (`Horas`, `Días`) if it has that title.
 */
function titleOf(site: TemplateSite, table: CompiledTable, column: CompiledColumn): string {
  const [label] = labelsOf(table, column);
  if (label !== undefined) return label;
  const titles = column.wanted?.titles ?? [];
  const first = titles.find((title) => !isWild(title)) ?? titles[0]?.replace(/[*?]/g, '') ?? column.id;
  const knows = (title: string | undefined): title is string =>
    title !== undefined && titles.some((known) => squash(known) === squash(title));
  const there = joined(site, table, column);
  if (there !== undefined) {
    const title = titleOf(site, there.main, there.column);
    return knows(title) ? title : first;
  }
  const sheets = [...site.chosen.values()].filter((columns) => columns.some(({ id }) => id === column.id));
  const [name, ...others] = new Set(filledBy(site, column).map(({ node }) => node.title));
  return sheets.length > 1 && others.length === 0 && knows(name) ? name : first;
}

/** Returns the need of a column whose blank cells a param fills: it must be filled unless the param is given. */
function unlessParam({ mapping }: TemplateSite, name: string): TemplateNeed {
  const spec = mapping.params.get(name)?.spec;
  return spec === undefined || !(hasDefault(spec) || spec.formula !== undefined)
    ? { unless: name }
    : 'optional';
}

/** True if the records of the table make the items of the list that the leaf is part of. */
const isItem = ({ each }: Field, table: CompiledTable): boolean => each === table && !table.single;

function needOfLeaf(
  site: TemplateSite,
  table: CompiledTable,
  column: CompiledColumn,
  field: Field,
): TemplateNeed {
  const { keys, required, listed, alternatives, param, params, sources } = field;
  if (!required) return 'optional';
  if (alternatives.length === 0)
    return listed && params[0] !== undefined ? unlessParam(site, params[0]) : 'optional';
  if (keys.includes('*') && !isItem(field, table)) return 'optional';
  const present = new Set([...site.chosen.values()].flat());
  const ways = alternatives.filter((way) => way.every((needed) => present.has(needed)));
  if (ways.length === 0 || !ways.every((way) => way.includes(column))) return 'optional';
  if (param !== undefined) return unlessParam(site, param);
  return sources.some(({ kind }) => kind.is === 'constant') ? 'optional' : 'always';
}

/** Returns whether a cell of the column must be filled for a document to be complete. */
function needOf(site: TemplateSite, table: CompiledTable, column: CompiledColumn): TemplateNeed {
  if (identifies(table, column)) return 'always';
  if (site.conditions.some(({ reads }) => reads.has(column))) return 'always';
  const asking = filledBy(site, column)
    .map((field) => ({ field, need: needOfLeaf(site, table, column, field) }))
    .filter(({ need }) => need !== 'optional');
  // A record makes an item of one list or of another: only what all of them need is needed of every record.
  const blocks = new Set(site.fields.filter((field) => isItem(field, table)).map(({ blocks }) => blocks[0]));
  const served = new Set(
    asking.filter(({ field }) => isItem(field, table)).map(({ field }) => field.blocks[0]),
  );
  const needs = asking
    .filter(({ field }) => !isItem(field, table) || served.size === blocks.size)
    .map(({ need }) => need);
  return needs.find((need) => need === 'always') ?? needs[0] ?? 'optional';
}

const MAX_WORDS = 100;

/** Returns the words of a catalogue that find their entry, and no other. */
function wordsOf(list: Catalogue, by: readonly LookupColumn[], synonyms: Synonyms): string[] {
  const lookup = createLookup(list, by, synonyms.values[list.name]);
  const [shown = 'name'] = by.includes('name') ? [] : by;
  return list.rows.flatMap((row) => {
    const word = row[shown] ?? '';
    const found = lookup.find(word);
    return found.kind === 'found' && found.row === row ? [word] : [];
  });
}

/** Returns the words that a leaf looks up in the column: entries of its catalogue, or values that tell entries apart. */
function lookedUp(
  { sources: [{ kind }] }: Field,
  column: CompiledColumn,
  synonyms: Synonyms,
): readonly string[] {
  const list = kind.is === 'lookup' ? catalogue(kind.catalogue) : undefined;
  if (kind.is !== 'lookup' || list === undefined) return [];
  for (const match of kind.matches) {
    if (match.column === column) return wordsOf(list, match.by, synonyms);
    const apart = match.within.find(([, within]) => within === column)?.[0];
    if (apart !== undefined)
      return [...new Set(list.rows.map((row) => row[apart] ?? ''))].sort((a, b) => a.localeCompare(b, 'es'));
  }
  return [];
}

/** Returns a plain word for each class of the column. */
const classified = ({ computed }: CompiledTable, column: CompiledColumn): readonly string[] =>
  Object.values(computed.find(({ sorts }) => sorts?.column === column)?.sorts?.classes ?? {}).flatMap(
    (spec) => patternsOf(spec).find((word) => !isWild(word)) ?? [],
  );

const enumerated = ({ sources: [{ kind }], node }: Field, column: CompiledColumn): readonly string[] =>
  kind.is === 'column' && kind.column === column
    ? (node.enum ?? []).filter((value) => typeof value === 'string')
    : [];

/** Returns the words that a column takes, if they are at most `max`; undefined if it takes any text. */
function wordsOfColumn(
  site: WordSite,
  table: CompiledTable,
  column: CompiledColumn,
  max: number,
): readonly string[] | undefined {
  const filled = filledBy(site, column);
  const found = [
    column.kind === 'boolean' ? ['Sí', 'No'] : [],
    Object.keys(column.choices ?? {}),
    ...filled.map((field) => lookedUp(field, column, site.mapping.synonyms)),
    classified(table, column),
    ...filled.map((field) => enumerated(field, column)),
  ];
  const words = found.find(({ length }) => length > 0);
  return words !== undefined && words.length <= max ? words : undefined;
}

/** Returns the words of every column of a table that takes only those of a list of at most `max`, by column. */
export function columnWords(
  mapping: LoadedMapping,
  table: CompiledTable,
  max: number,
): ReadonlyMap<CompiledColumn, readonly string[]> {
  const site = { ...readersOf(mapping), mapping };
  return new Map(
    [...table.columns.values()].flatMap((column) => {
      const words = column.wanted && wordsOfColumn(site, table, column, max);
      return words === undefined ? [] : [[column, words]];
    }),
  );
}

/** Instances of each group of repeated columns. */
const INSTANCES = [1, 2, 3];

/** Example values of params by the format of the leaf that they fill. */
const EXAMPLES: Readonly<Record<string, string>> = { prefix: 'NOM', email: 'nomina@ejemplo.co' };

/** Returns a text that Excel accepts as the name of a sheet. */
const asSheetName = (text: string): string =>
  text
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31)
    .trim();

/** Returns a free sheet name that the mapping knows: the first without wildcards, or any if it asks for none. */
function sheetName(
  site: TemplateSite,
  table: CompiledTable,
  columns: readonly CompiledColumn[],
  taken: ReadonlySet<string>,
): string {
  const isOnlyMain = site.mapping.mains.length === 1 && table === site.mapping.mains[0];
  const called = isOnlyMain ? resolveNode(site.mapping.target, [])?.title : mostFilled(site, columns);
  const names = [table.spec.sheet ?? called ?? table.id].flat();
  const filled = names.map((name) => name.replaceAll('*', '').replaceAll('?', '_'));
  const free = [...names.filter((name) => !isWild(name)), ...filled, table.id]
    .map(asSheetName)
    .filter((name) => name !== '' && !taken.has(fold(name)));
  return free[0] ?? `${asSheetName(table.id).slice(0, 28)} ${taken.size}`;
}

/** Returns the title of the object whose leaves the columns fill most. */
function mostFilled({ fields }: TemplateSite, columns: readonly CompiledColumn[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { parent, reads } of fields)
    if (columns.some((column) => reads.has(column)))
      counts.set(parent.title, (counts.get(parent.title) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function aboutSheet(
  { fields, mapping }: TemplateSite,
  table: CompiledTable,
  columns: readonly CompiledColumn[],
) {
  if (mapping.mains.includes(table)) return aboutNodes([requiredNode(mapping.target, [])]);
  const filled = fields.filter(({ reads }) => columns.some((column) => reads.has(column)));
  const places = new Set(filled.map(({ each, node, parent }) => (each === table ? parent : node)));
  return aboutNodes(nodesToName([...places], [...new Set(filled.map(({ parent }) => parent))]));
}

/** Lists of words that columns take; columns with equal lists share one, named after the first of them. */
class Lists {
  readonly all = new Map<string, readonly string[]>();

  add(title: string, words: readonly string[]): string {
    for (const [name, known] of this.all) if (known.join('\n') === words.join('\n')) return name;
    let name = title;
    for (let n = 2; this.all.has(name); n++) name = `${title} ${n}`;
    this.all.set(name, words);
    return name;
  }
}

function planColumn(
  site: TemplateSite,
  table: CompiledTable,
  column: CompiledColumn,
  lists: Lists,
): TemplateColumn[] {
  const title = titleOf(site, table, column);
  const words = wordsOfColumn(site, table, column, MAX_WORDS);
  const first = {
    title,
    kind: READ_KINDS[column.kind ?? 'text'].cells,
    need: needOf(site, table, column),
    about: aboutColumn(site, table, column),
    ...(words && { list: lists.add(title, words) }),
  };
  // Amounts of several labels are added up: each has a column, and any of them may do.
  const others = labelsOf(table, column).slice(1);
  return [first, ...others.map((label): TemplateColumn => ({ ...first, title: label, need: 'optional' }))];
}

function planSheet(
  site: TemplateSite,
  table: CompiledTable,
  lists: Lists,
  taken: Set<string>,
): TemplateSheet {
  const columns = site.chosen.get(table) ?? [];
  const repeated = table.repeated.flatMap((group) =>
    INSTANCES.flatMap((n) =>
      [...group.columns.values()]
        .filter(({ wanted }) => wanted !== undefined)
        .flatMap((column) => planColumn(site, group, column, lists))
        .map(
          (column): TemplateColumn => ({
            ...column,
            title: column.title.replace('{n}', String(n)),
            need: 'optional',
          }),
        ),
    ),
  );
  const name = sheetName(site, table, columns, taken);
  taken.add(fold(name));
  return {
    name,
    about: aboutSheet(site, table, columns),
    main: site.mapping.mains.includes(table),
    headerRow: table.spec.header?.row ?? 1,
    key: columns.filter((column) => identifies(table, column)).map((column) => titleOf(site, table, column)),
    columns: [...columns.flatMap((column) => planColumn(site, table, column, lists)), ...repeated],
  };
}

function planParams({ params, fields }: LoadedMapping): TemplateParam[] {
  return [...params.values()]
    .filter(({ spec }) => spec.type !== 'table')
    .map(({ name, spec }) => {
      const fed = fields.find(
        ({ sources: [{ kind }], param }) => param === name || (kind.is === 'param' && kind.name === name),
      )?.node;
      const example = choicesOf(spec)[0]?.value ?? EXAMPLES[fed?.format ?? ''];
      const preset = defaultOn(spec);
      const isGiven = spec.optional || hasDefault(spec) || spec.formula !== undefined;
      return {
        name,
        ...typeOf(spec),
        about: spec.about ?? (fed === undefined ? NO_TEXT : aboutNodes([fed])),
        need: isGiven ? 'optional' : 'always',
        ...(preset !== undefined && { preset }),
        ...(example !== undefined && { example }),
      };
    });
}

/**
 * Returns the plan of the workbook that a mapping reads, with a sheet for each table; tables with `template: false` are
 * left out.
 * @throws PipelineError('usage', run/no-template) when the mapping reads files without a header
 */
export function templatePlan(mapping: LoadedMapping): TemplatePlan {
  const readers = readersOf(mapping);
  const chosen = chooseColumns(mapping, readers);
  if (mapping.mains.some((main) => main.spec.json || main.spec.header?.none || !chosen.has(main)))
    stop('usage', { code: 'run/no-template', value: mapping.name });
  const site: TemplateSite = { ...readers, mapping, chosen };
  const lists = new Lists();
  const taken = new Set<string>();
  const tables = [...chosen.keys()].filter(({ spec }) => !spec.header?.none);
  const inOrder = [...tables].sort(
    (a, b) => Number(mapping.mains.includes(b)) - Number(mapping.mains.includes(a)),
  );
  return {
    mapping: mapping.name,
    about: aboutNodes([requiredNode(mapping.target, [])]),
    sheets: inOrder.map((table) => planSheet(site, table, lists, taken)),
    grouped: mapping.onePer === 'key',
    lists: lists.all,
    params: planParams(mapping),
  };
}
