import { type Catalogue, catalogue } from '../catalogue/catalogue.js';
import { createLookup, type LookupColumn } from '../catalogue/lookup.js';
import type { Class } from '../generated/mapping-types.js';
import type { CompiledColumn } from './columns.js';
import type { Feed, Feeds } from './feeds.js';
import type { Synonyms } from './synonyms.js';
import type { CompiledTable } from './tables.js';

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
function lookedUp({ leaf, columnOf }: Feed, column: CompiledColumn, synonyms: Synonyms): readonly string[] {
  const list = leaf.lookup && catalogue(leaf.lookup.catalogue);
  if (list === undefined) return [];
  for (const { from, by, within = {} } of leaf.lookup!.match) {
    if (columnOf(from) === column) return wordsOf(list, by ?? ['name', 'code'], synonyms);
    const apart = Object.entries(within).find(([, name]) => columnOf(name) === column)?.[0];
    if (apart !== undefined)
      return [...new Set(list.rows.map((row) => row[apart] ?? ''))].sort((a, b) => a.localeCompare(b, 'es'));
  }
  return [];
}

const likes = (spec: Class): readonly string[] => (Array.isArray(spec) ? spec : spec.like);

/** A plain word for each class that the column is sorted into. */
function classified({ spec }: CompiledTable, { id }: CompiledColumn, synonyms: Synonyms): readonly string[] {
  const classify = Object.values(spec.columns).find((column) => column.classify?.from === id)?.classify;
  if (classify === undefined) return [];
  const { classes } = classify;
  const named = typeof classes === 'string' ? synonyms.classes[classes] : classes;
  return Object.values(named ?? {}).flatMap(
    (spec) => likes(spec as Class).find((word) => !/[*?]/.test(word)) ?? [],
  );
}

const enumerated = ({ leaf, node, columnOf }: Feed, column: CompiledColumn): readonly string[] =>
  leaf.from !== undefined && columnOf(leaf.from) === column
    ? (node.enum ?? []).filter((value) => typeof value === 'string')
    : [];

/** The words that a column takes, when they are few; undefined when anything may be written. */
export function templateWords(
  table: CompiledTable,
  column: CompiledColumn,
  { feeds, synonyms }: Feeds,
): readonly string[] | undefined {
  const own = feeds.filter(({ columns }) => columns.has(column));
  const spec = table.spec.columns[column.id];
  const found = [
    column.kind === 'boolean' ? ['Sí', 'No'] : [],
    Object.keys(spec?.choices ?? {}),
    ...own.map((feed) => lookedUp(feed, column, synonyms)),
    classified(table, column, synonyms),
    ...own.map((feed) => enumerated(feed, column)),
  ];
  const words = found.find(({ length }) => length > 0);
  return words !== undefined && words.length <= MOST_WORDS ? words : undefined;
}
