import type {
  TemplateColumn,
  TemplateParam,
  TemplatePlan,
  TemplateSheet,
} from '../document/template-plan.js';
import { stop } from '../issues/pipeline-error.js';
import { resolveNode } from '../schema/registry.js';
import { fold } from '../values/fold.js';
import type { CompiledColumn } from './columns.js';
import type { LoadedMapping } from './compile.js';
import { type Feed, feedsOf } from './feeds.js';
import type { CompiledTable } from './tables.js';
import { chooseColumns, keysOf } from './template-choice.js';
import {
  aboutColumn,
  aboutNodes,
  few,
  isWild,
  KINDS,
  needOf,
  type TemplateSite,
  titleOf,
} from './template-column.js';
import { templateWords } from './template-words.js';

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
  const called = own ? resolveNode(site.mapping.target, [])?.title : mostFed(site, columns);
  const names = [table.spec.sheet ?? called ?? table.id].flat();
  const filled = names.map((name) => name.replaceAll('*', '').replaceAll('?', '_'));
  const free = [...names.filter((name) => !isWild(name)), ...filled, table.id]
    .map(asSheetName)
    .filter((name) => name !== '' && !taken.has(fold(name)));
  return free[0] ?? `${asSheetName(table.id).slice(0, 28)} ${taken.size}`;
}

/** What the object is called of which the columns fill the most. */
function mostFed({ feeds }: TemplateSite, columns: readonly CompiledColumn[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { parent, columns: read } of feeds)
    if (columns.some((column) => read.has(column)))
      counts.set(parent.title, (counts.get(parent.title) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function aboutSheet(
  { feeds, mapping }: TemplateSite,
  table: CompiledTable,
  columns: readonly CompiledColumn[],
) {
  if (mapping.mains.includes(table)) return aboutNodes([resolveNode(mapping.target, [])!]);
  const own = feeds.filter((feed) => columns.some((column) => feed.columns.has(column)));
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
): TemplateColumn {
  const title = titleOf(site, table, column);
  const words = templateWords(table, column, site);
  return {
    title,
    kind: KINDS[column.kind ?? 'text'],
    need: needOf(site, table, column),
    about: aboutColumn(site, table, column),
    ...(words && { list: lists.add(title, words) }),
  };
}

function planSheet(
  site: TemplateSite,
  table: CompiledTable,
  lists: Lists,
  taken: Set<string>,
): TemplateSheet {
  const columns = site.chosen.get(table)!;
  const repeated = table.repeated.flatMap((group) => {
    const under = table.spec.repeated?.[group.id]?.under?.map((name) => name.replace(/[*?]/g, '').trim());
    return (under?.map((_, index) => index + 1) ?? INSTANCES).flatMap((n) =>
      [...group.columns.values()]
        .filter(({ wanted }) => wanted !== undefined)
        .map((column) => planColumn(site, group, column, lists))
        .map(
          (column): TemplateColumn => ({
            ...column,
            title: under ? `${under[n - 1]} ${column.title}` : column.title.replace('{n}', String(n)),
            need: 'optional',
          }),
        ),
    );
  });
  const name = sheetName(site, table, columns, taken);
  taken.add(fold(name));
  return {
    name,
    about: aboutSheet(site, table, columns),
    main: site.mapping.mains.includes(table),
    headerRow: table.spec.header?.row ?? 1,
    key: columns
      .filter(({ id }) => keysOf(site.mapping, table).includes(id))
      .map((column) => titleOf(site, table, column)),
    columns: [...columns.map((column) => planColumn(site, table, column, lists)), ...repeated],
  };
}

function planParams({ params }: LoadedMapping, feeds: readonly Feed[]): TemplateParam[] {
  return [...params.values()]
    .filter(({ spec }) => spec.type !== 'table')
    .map(({ name, spec }) => {
      const fed = feeds.find(
        ({ leaf, fallback }) =>
          leaf.param === name || (fallback && 'param' in fallback && fallback.param === name),
      )?.node;
      const example = spec.choices?.[0] ?? EXAMPLES[fed?.format ?? ''];
      const isGiven = spec.optional || spec.default !== undefined || spec.formula !== undefined;
      return {
        name,
        type: spec.choices?.join(' | ') ?? spec.type,
        about: spec.about ?? (fed === undefined ? { es: '', en: '' } : aboutNodes([fed])),
        need: isGiven ? 'optional' : 'always',
        ...(spec.default !== undefined && { preset: spec.default }),
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
  const feeds = feedsOf(mapping);
  const chosen = chooseColumns(mapping, feeds);
  if (mapping.mains.some((main) => main.spec.header?.none || !chosen.has(main)))
    stop('usage', { code: 'run/no-template', value: mapping.name });
  const site: TemplateSite = { ...feeds, mapping, chosen };
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
    lists: lists.all,
    params: planParams(mapping, feeds.feeds),
  };
}
