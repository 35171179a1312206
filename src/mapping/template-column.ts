import type { TemplateKind, TemplateNeed } from '../document/template-plan.js';
import type { Text } from '../issues/codes.js';
import type { SchemaNode } from '../schema/registry.js';
import { squash } from '../values/fold.js';
import type { CompiledColumn } from './columns.js';
import type { LoadedMapping } from './compile.js';
import type { Feed, Feeds } from './feeds.js';
import type { CompiledTable } from './tables.js';
import { type Chosen, keysOf } from './template-choice.js';

export interface TemplateSite extends Feeds {
  readonly mapping: LoadedMapping;
  readonly chosen: Chosen;
}

export const KINDS: Readonly<Record<NonNullable<CompiledColumn['kind']>, TemplateKind>> = {
  text: 'text',
  identifier: 'text',
  cie10: 'text',
  choice: 'text',
  boolean: 'text',
  integer: 'integer',
  decimal: 'decimal',
  percent: 'decimal',
  money: 'money',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
};

/** The first statement of a description, without the rules that it cites. */
const brief = (text: string): string => text.replace(/\s*\([^)]*\)/g, '').replace(/[.;:](?:\s.*)?$/s, '');

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter(Boolean))];

/** What schema nodes are called in Spanish, and what they say of themselves in English. */
export const aboutNodes = (nodes: readonly SchemaNode[]): Text => ({
  es: unique(nodes.map(({ title }) => title ?? '')).join(', '),
  en: unique(nodes.map(({ description }) => brief(description ?? ''))).join('; '),
});

/** What fills more places than this is described by what they are parts of, and else not at all. */
const FEW_PLACES = 3;

export const few = (nodes: readonly SchemaNode[], parents: readonly SchemaNode[]): readonly SchemaNode[] =>
  [nodes, parents].find((some) => new Set(some.map(({ title }) => title)).size <= FEW_PLACES) ?? [];

const feedsInto = ({ feeds }: TemplateSite, column: CompiledColumn): readonly Feed[] =>
  feeds.filter(({ columns }) => columns.has(column));

/** The column of the documents' own table that a column joins. */
function joined({ mapping }: TemplateSite, table: CompiledTable, column: CompiledColumn) {
  const theirs = table.join?.theirs[table.join.own.indexOf(column)];
  const main = mapping.mains.find(({ columns }) => theirs !== undefined && columns.has(theirs));
  return main && { main, column: main.columns.get(theirs!)! };
}

export function aboutColumn(site: TemplateSite, table: CompiledTable, column: CompiledColumn): Text {
  const own = feedsInto(site, column);
  if (own.length > 0) {
    const parents = [...new Set(own.map(({ parent }) => parent))];
    const { es, en } = aboutNodes(few([...new Set(own.map(({ node }) => node))], parents));
    return { es: parents.length === 1 ? `${parents[0]!.title}: ${es}` : es, en };
  }
  const gates = site.gates.filter(({ columns }) => columns.has(column));
  if (gates.length > 0) return aboutNodes(gates.map(({ node }) => node));
  const there = joined(site, table, column);
  return there === undefined ? { es: '', en: '' } : aboutColumn(site, there.main, there.column);
}

export const isWild = (text: string): boolean => /[*?]/.test(text);

/**
 * A title that the mapping knows. A column that several sheets have, such as `Cantidad`, is called as the field that
 * it fills (`Horas`, `Días`) where that is one of its titles; one that joins is called as in the sheet joined.
 */
export function titleOf(site: TemplateSite, table: CompiledTable, column: CompiledColumn): string {
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
  const [name, ...others] = new Set(feedsInto(site, column).map(({ node }) => node.title));
  return sheets.length > 1 && others.length === 0 && knows(name) ? name : first;
}

/** A param stands in for blank cells; it must be given where it has no value of its own. */
function unlessParam({ mapping }: TemplateSite, name: string): TemplateNeed {
  const spec = mapping.params.get(name)?.spec;
  return spec?.default === undefined && spec?.formula === undefined ? { unless: name } : 'optional';
}

/** Whether the records of the table make the items of the list that the leaf is part of. */
const isItem = ({ each }: Feed, table: CompiledTable): boolean => each === table && !table.single;

/** What one leaf asks of a column. */
function needOfLeaf(
  site: TemplateSite,
  table: CompiledTable,
  column: CompiledColumn,
  feed: Feed,
): TemplateNeed {
  const { keys, leaf, required, listed, alternatives, fallback } = feed;
  if (!required) return 'optional';
  const named = /\bparam\.([a-z][a-z0-9_]*)/.exec(leaf.formula ?? '')?.[1];
  if (alternatives.length === 0) return listed && named !== undefined ? unlessParam(site, named) : 'optional';
  if (keys.includes('*') && !isItem(feed, table)) return 'optional';
  const there = new Set([...site.chosen.values()].flat());
  const ways = alternatives.filter((way) => [...way].every((one) => there.has(one)));
  if (ways.length === 0 || !ways.every((way) => way.has(column))) return 'optional';
  if (fallback === undefined) return 'always';
  return 'constant' in fallback ? 'optional' : unlessParam(site, fallback.param);
}

/** Whether a cell of the column must be filled for a document to be complete. */
export function needOf(site: TemplateSite, table: CompiledTable, column: CompiledColumn): TemplateNeed {
  if (keysOf(site.mapping, table).includes(column.id)) return 'always';
  if (site.gates.some(({ columns }) => columns.has(column))) return 'always';
  const asking = feedsInto(site, column)
    .map((feed) => ({ feed, need: needOfLeaf(site, table, column, feed) }))
    .filter(({ need }) => need !== 'optional');
  // A record makes an item of one list or of another: only what all of them need is needed of every record.
  const blocks = new Set(site.feeds.filter((feed) => isItem(feed, table)).map(({ block }) => block));
  const served = new Set(asking.filter(({ feed }) => isItem(feed, table)).map(({ feed }) => feed.block));
  const needs = asking
    .filter(({ feed }) => !isItem(feed, table) || served.size === blocks.size)
    .map(({ need }) => need);
  return needs.find((need) => need === 'always') ?? needs[0] ?? 'optional';
}
