import type { FormulaValue } from '../formula/functions.js';
import type { CompiledColumn } from '../mapping/columns.js';
import type { Context } from '../mapping/context.js';
import { CellFault } from '../mapping/read/cell-reader.js';
import { type Content, looksLikeCount, looksLikeMoney } from './content.js';
import type { Range, Uses } from './uses.js';

/** How the cells agree with what a column is read as. `text` says nothing for or against: any text is one. */
export type Agreement = 'agrees' | 'blank' | 'disagrees';

/** Faults of cells that are of the right kind all the same. */
const READABLE =
  /^(cell\/(number-ambiguous|date-ambiguous|date-impossible|digits-lost|not-whole|scientific)|format\/)/;
const ENOUGH = 0.7;
/** Of the words of a code list so many are known; the rest is asked for later. */
const KNOWN_WORDS = 0.3;
const MOST_WORDS = 0.6;
/** Ids of columns whose text is often all digits: account_number, concept_code. */
const CODES = /(number|code|document|fortnight|subtype|type)$/;
/** A person's name in several cells is seldom longer: more words are a full name. */
const NAME_PARTS = /^(surname|second_surname|first_name|middle_name)$/;
const WORDS_OF_A_NAME = 3;

const share = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length;

/** The class that a column sorts a word into, or undefined. */
export function classOf(sorter: CompiledColumn, source: CompiledColumn, text: string): string | undefined {
  const values: FormulaValue[] = [];
  values[source.position] = text;
  const at = [];
  at[source.slot] = { values };
  const context = { params: {}, at, sets: [], index: 0, named: new Map() } as unknown as Context;
  try {
    const found = sorter.computed?.(context);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined; // a condition on columns that are not known here
  }
}

/** Share of the words that a code list, or the classes of concepts, know; undefined for other columns. */
export function knownWords(column: CompiledColumn, content: Content, uses: Uses): number | undefined {
  const lookups = uses.lookups.get(column) ?? [];
  const sorters = uses.classes.get(column) ?? [];
  if (lookups.length + sorters.length === 0) return undefined;
  return share(
    content.distinct,
    (text) =>
      lookups.some((knows) => knows(text)) ||
      sorters.some((sorter) => classOf(sorter, column, text) !== undefined),
  );
}

/** How many classes the words of a column fall into, when most of them are known; 0 for other columns. */
export function knownClasses(column: CompiledColumn, content: Content, uses: Uses): number {
  if ((knownWords(column, content, uses) ?? 0) < MOST_WORDS) return 0;
  const sorters = uses.classes.get(column) ?? [];
  return new Set(
    content.distinct.flatMap((text) => sorters.flatMap((sorter) => classOf(sorter, column, text) ?? [])),
  ).size;
}

function readable(column: CompiledColumn, { filled }: Content): number {
  return share(filled, ({ text, kind }) => {
    const value = column.read!(text, kind);
    return !(value instanceof CellFault) || READABLE.test(value.code);
  });
}

/** Whether the cells under a label can be what a column wants. Content speaks against, never alone for. */
export function agreement(column: CompiledColumn, content: Content, uses: Uses): Agreement {
  if (content.filled.length === 0) return 'blank';
  if (readable(column, content) < ENOUGH) return 'disagrees';
  const known = knownWords(column, content, uses);
  if (known !== undefined) return known >= KNOWN_WORDS ? 'agrees' : 'disagrees';
  return contradicts(column, content, uses.ranges.get(column)) ? 'disagrees' : 'agrees';
}

/** What the schema allows is no contradiction: grams are as large as some amounts. */
const isInRange = (range: Range | undefined, { filled, numeric, median = 0, largest }: Content): boolean =>
  range !== undefined &&
  numeric * filled.length === filled.length &&
  median >= range.from &&
  largest <= range.to;

/** Dates that nobody reads as such: they are for people. */
const DATES = /(^|_)date$/;

function contradicts({ kind, id }: CompiledColumn, content: Content, range: Range | undefined): boolean {
  switch (kind) {
    case 'money':
      return looksLikeCount(content) || content.dated >= ENOUGH;
    case 'integer':
    case 'decimal':
    case 'percent':
      return (looksLikeMoney(content) && !isInRange(range, content)) || content.dated >= ENOUGH;
    case 'identifier':
      return (
        content.counts ||
        content.dated >= ENOUGH ||
        share(content.filled, ({ text }) => /\d/.test(text)) < ENOUGH
      );
    case 'text':
      if (NAME_PARTS.test(id)) return hasFullNames(content) || content.numeric >= ENOUGH;
      if (id === 'email') return share(content.filled, ({ text }) => text.includes('@')) < ENOUGH;
      return !CODES.test(id) && (looksLikeMoney(content) || (content.dated >= ENOUGH && !DATES.test(id)));
    default:
      return false;
  }
}

const hasFullNames = ({ filled }: Content): boolean =>
  share(filled, ({ text }) => text.trim().split(/\s+/).length >= WORDS_OF_A_NAME) > 0.5;
