import type { Text } from '../../generated/issue-codes.js';
import { stop } from '../core/issue.js';
import { fold, isWild, squash } from '../core/text.js';
import { NO_TEXT } from '../messages/texts.js';
import { type Catalogue, catalogue, createLookup, type LookupColumn } from '../schema/catalogue.js';
import { resolveNode, type SchemaNode } from '../schema/registry.js';
import { parseLetterLabel } from '../tables/header.js';
import type { LoadedMapping } from './load.js';
import { choicesOf, defaultOn, hasDefault, typeOf } from './params.js';
import { type Condition, type Field, readBy } from './plan.js';
import { askingIds, type CompiledColumn, type CompiledTable, joiningColumns, patternsOf } from './record.js';
import type { Synonyms } from './synonyms.js';
import type {
  TemplateColumn,
  TemplateKind,
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

/** What the mapping says that a column is called in the file; a letter is no title. */
const labelsOf = ({ spec }: CompiledTable, { id }: CompiledColumn): readonly string[] =>
  Object.entries(spec.labels ?? {}).flatMap(([label, meant]) =>
    meant === id && parseLetterLabel(label) === undefined ? [label] : [],
  );

/** Of the tables, those that a person fills in a workbook; of their columns, those that something comes of. */
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
    const own = fields.filter(({ reads }) => reads.has(column));
    // What a sheet of its own holds, a record for each event, needs no column beside the documents' own.
    return (
      own.length > 0 && !(mains.has(column.tableIndex) && own.every(({ pointer }) => elsewhere.has(pointer)))
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

interface TemplateSite extends Readers {
  readonly mapping: LoadedMapping;
  readonly chosen: Chosen;
}

const KINDS: Readonly<Record<NonNullable<CompiledColumn['kind']>, TemplateKind>> = {
  text: 'text',
  identifier: 'text',
  cie10: 'text',
  cups: 'text',
  choice: 'text',
  boolean: 'text',
  integer: 'integer',
  decimal: 'decimal',
  percent: 'decimal',
  money: 'money',
  date: 'date',
  datetime: 'datetime',
  date_or_datetime: 'date',
  month: 'text',
  time: 'time',
};

/** The first statement of a description, without the rules that it cites. */
const brief = (text: string): string => text.replace(/\s*\([^)]*\)/g, '').replace(/[.;:](?:\s.*)?$/s, '');

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter(Boolean))];

/** What schema nodes are called in Spanish, and what they say of themselves in English. */
const aboutNodes = (nodes: readonly SchemaNode[]): Text => ({
  es: unique(nodes.map(({ title }) => title ?? '')).join(', '),
  en: unique(nodes.map(({ description }) => brief(description ?? ''))).join('; '),
});

/** What fills more places than this is described by what they are parts of, and else not at all. */
const FEW_PLACES = 3;

const few = (nodes: readonly SchemaNode[], parents: readonly SchemaNode[]): readonly SchemaNode[] =>
  [nodes, parents].find((some) => new Set(some.map(({ title }) => title)).size <= FEW_PLACES) ?? [];

const filledBy = ({ fields }: TemplateSite, column: CompiledColumn): readonly Field[] =>
  fields.filter(({ reads }) => reads.has(column));

/** The columns by which records belong to documents, or say whose they are, and those that they agree with. */
const links = (join: CompiledTable['join']) => [
  ...joiningColumns(join).map((own, at) => ({ own, theirs: askingIds(join)[at] })),
  ...(join?.whose ?? []),
];

/** Whether a column says whom a record is about, or that is looked up by it. */
const identifies = ({ identity, join }: CompiledTable, column: CompiledColumn): boolean =>
  identity.includes(column) || links(join).some(({ own }) => own.feeders.includes(column));

/** The column of the documents' own table that a column joins. */
function joined({ mapping }: TemplateSite, table: CompiledTable, column: CompiledColumn) {
  const theirs = links(table.join).find(({ own }) => own.feeders.includes(column))?.theirs;
  const main = mapping.mains.find(({ columns }) => theirs !== undefined && columns.has(theirs));
  const [there] = main?.columns.get(theirs!)?.feeders ?? [];
  return main && there && { main, column: there };
}

function aboutColumn(site: TemplateSite, table: CompiledTable, column: CompiledColumn): Text {
  const own = filledBy(site, column);
  if (own.length > 0) {
    const parents = [...new Set(own.map(({ parent }) => parent))];
    const { es, en } = aboutNodes(few([...new Set(own.map(({ node }) => node))], parents));
    return { es: parents.length === 1 ? `${parents[0]!.title}: ${es}` : es, en };
  }
  const conditions = site.conditions.filter(({ reads }) => reads.has(column));
  if (conditions.length > 0) return aboutNodes(conditions.map(({ node }) => node));
  const there = joined(site, table, column);
  return there === undefined ? NO_TEXT : aboutColumn(site, there.main, there.column);
}

/**
 * A title that the mapping knows. A column that is called by a label of the file goes by that; one that several sheets have, such as `Cantidad`, is called as the field that
 * it fills (`Horas`, `Días`) where that is one of its titles; one that joins is called as in the sheet joined.
 */
function titleOf(site: TemplateSite, table: CompiledTable, column: CompiledColumn): string {
  const [label] = labelsOf(table, column);
  if (label !== undefined) return label;
  const titles = column.wanted?.titles ?? [];
  const first = titles.find((title) => !isWild(title)) ?? titles[0]?.replace(/[*?]/g, '') ?? column.id;
  const knows = (title: string | undefined): title is string =>
    title !== undefined && titles.some((one) => squash(one) === squash(title));
  const there = joined(site, table, column);
  if (there !== undefined) {
    const title = titleOf(site, there.main, there.column);
    return knows(title) ? title : first;
  }
  const sheets = [...site.chosen.values()].filter((columns) => columns.some(({ id }) => id === column.id));
  const [name, ...others] = new Set(filledBy(site, column).map(({ node }) => node.title));
  return sheets.length > 1 && others.length === 0 && knows(name) ? name : first;
}

/** A param stands in for blank cells; it must be given where it has no value of its own. */
function unlessParam({ mapping }: TemplateSite, name: string): TemplateNeed {
  const spec = mapping.params.get(name)?.spec;
  return spec === undefined || !(hasDefault(spec) || spec.formula !== undefined)
    ? { unless: name }
    : 'optional';
}

/** Whether the records of the table make the items of the list that the leaf is part of. */
const isItem = ({ each }: Field, table: CompiledTable): boolean => each === table && !table.single;

/** What one leaf asks of a column. */
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
  const there = new Set([...site.chosen.values()].flat());
  const ways = alternatives.filter((way) => way.every((one) => there.has(one)));
  if (ways.length === 0 || !ways.every((way) => way.includes(column))) return 'optional';
  if (param !== undefined) return unlessParam(site, param);
  return sources.some(({ kind }) => kind.is === 'constant') ? 'optional' : 'always';
}

/** Whether a cell of the column must be filled for a document to be complete. */
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

/** Beyond this number a list is no help to who must choose. */
const MOST_WORDS = 100;

/** The words of a catalogue that find their entry, and no other. */
function wordsOf(list: Catalogue, by: readonly LookupColumn[], synonyms: Synonyms): string[] {
  const lookup = createLookup(list, by, synonyms.values[list.name]);
  const shown = by.includes('name') ? 'name' : by[0]!;
  return list.rows.flatMap((row) => {
    const word = row[shown] ?? '';
    const found = lookup.find(word);
    return found.kind === 'found' && found.row === row ? [word] : [];
  });
}

/** Words that the leaf looks up in the column: entries of its catalogue, or what they are told apart by. */
function lookedUp(
  { sources: [{ kind }] }: Field,
  column: CompiledColumn,
  synonyms: Synonyms,
): readonly string[] {
  const list = kind.is === 'lookup' ? catalogue(kind.catalogue) : undefined;
  if (kind.is !== 'lookup' || list === undefined) return [];
  for (const match of kind.matches) {
    if (match.column === column) return wordsOf(list, match.by, synonyms);
    const apart = match.within.find(([, one]) => one === column)?.[0];
    if (apart !== undefined)
      return [...new Set(list.rows.map((row) => row[apart] ?? ''))].sort((a, b) => a.localeCompare(b, 'es'));
  }
  return [];
}

/** A plain word for each class that the column is sorted into. */
const classified = ({ computed }: CompiledTable, column: CompiledColumn): readonly string[] =>
  Object.values(computed.find(({ sorts }) => sorts?.column === column)?.sorts?.classes ?? {}).flatMap(
    (spec) => patternsOf(spec).find((word) => !isWild(word)) ?? [],
  );

const enumerated = ({ sources: [{ kind }], node }: Field, column: CompiledColumn): readonly string[] =>
  kind.is === 'column' && kind.column === column
    ? (node.enum ?? []).filter((value) => typeof value === 'string')
    : [];

/** The words that a column takes, when they are few; undefined when anything may be written. */
function templateWords(
  site: TemplateSite,
  table: CompiledTable,
  column: CompiledColumn,
): readonly string[] | undefined {
  const own = filledBy(site, column);
  const found = [
    column.kind === 'boolean' ? ['Sí', 'No'] : [],
    Object.keys(column.choices ?? {}),
    ...own.map((field) => lookedUp(field, column, site.mapping.synonyms)),
    classified(table, column),
    ...own.map((field) => enumerated(field, column)),
  ];
  const words = found.find(({ length }) => length > 0);
  return words !== undefined && words.length <= MOST_WORDS ? words : undefined;
}

/** Groups of repeated columns get so many instances. */
const INSTANCES = [1, 2, 3];

/** Values to show for params that fill leaves of a form of their own. */
const EXAMPLES: Readonly<Record<string, string>> = { prefix: 'NOM', email: 'nomina@ejemplo.co' };

/** What Excel takes as the name of a sheet. */
const asSheetName = (text: string): string =>
  text
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31)
    .trim();

/** A free name that the mapping knows: the first without wildcards; any will do where it asks for none. */
function sheetName(
  site: TemplateSite,
  table: CompiledTable,
  columns: readonly CompiledColumn[],
  taken: ReadonlySet<string>,
): string {
  const own = site.mapping.mains.length === 1 && table === site.mapping.mains[0];
  const called = own ? resolveNode(site.mapping.target, [])?.title : mostFilled(site, columns);
  const names = [table.spec.sheet ?? called ?? table.id].flat();
  const filled = names.map((name) => name.replaceAll('*', '').replaceAll('?', '_'));
  const free = [...names.filter((name) => !isWild(name)), ...filled, table.id]
    .map(asSheetName)
    .filter((name) => name !== '' && !taken.has(fold(name)));
  return free[0] ?? `${asSheetName(table.id).slice(0, 28)} ${taken.size}`;
}

/** What the object is called of which the columns fill the most. */
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
  if (mapping.mains.includes(table)) return aboutNodes([resolveNode(mapping.target, [])!]);
  const own = fields.filter(({ reads }) => columns.some((column) => reads.has(column)));
  const places = new Set(own.map(({ each, node, parent }) => (each === table ? parent : node)));
  return aboutNodes(few([...places], [...new Set(own.map(({ parent }) => parent))]));
}

/** The lists of words that the columns take; equal ones are one, named after the first column. */
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
  const words = templateWords(site, table, column);
  const first = {
    title,
    kind: KINDS[column.kind ?? 'text'],
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
  const columns = site.chosen.get(table)!;
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
 * The workbook that a mapping reads, with a sheet for each of its tables: what `template: false` and another sheet
 * say otherwise is left out.
 * @throws PipelineError('usage', run/no-template) when the mapping reads files without a header
 */
export function templatePlan(mapping: LoadedMapping): TemplatePlan {
  const readers: Readers = {
    fields: mapping.fields.map((field) => ({ ...field, reads: readBy(field) })),
    conditions: mapping.conditions.map((condition) => ({ ...condition, reads: readBy(condition) })),
  };
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
    about: aboutNodes([resolveNode(mapping.target, [])!]),
    sheets: inOrder.map((table) => planSheet(site, table, lists, taken)),
    grouped: mapping.onePer === 'key',
    lists: lists.all,
    params: planParams(mapping),
  };
}
