import { paramOf } from '../core/issue.js';
import { remember } from '../core/remember.js';
import { fold } from '../core/text.js';
import { DOCUMENT, PESOS } from '../documents/cells.js';
import type { FormulaValue } from '../formula/functions.js';
import { CellFault, NO_AMOUNT } from '../mapping/read/cell.js';
import { readDateText } from '../mapping/read/dates.js';
import { isNullWord } from '../mapping/read/null-words.js';
import { readNumberText } from '../mapping/read/numbers.js';
import { type CompiledColumn, type Context, MIN_READABLE_CELLS } from '../mapping/record.js';
import type { CellKind, Row } from '../tables/table.js';
import type { Uses } from './uses.js';

/** Filled cell. */
interface Filled {
  readonly text: string;
  /** Number in the cell. */
  readonly amount?: number;
  readonly kind: CellKind;
  readonly row: number;
}

/** Properties of the cells under a label. */
export interface Content {
  readonly filled: readonly Filled[];
  /** Shares of the filled cells, from 0 to 1. */
  readonly numeric: number;
  readonly dated: number;
  /** Median of the numbers other than zero, without sign; undefined if there are none. */
  readonly median: number | undefined;
  readonly largest: number;
  readonly negatives: number;
  /** True for ordinals: 1, 2, 3 … */
  readonly counts: boolean;
  readonly distinct: readonly string[];
  /** Words rather than numbers and codes. */
  readonly wordy: boolean;
}

/** Share of some items that a test holds for. */
export const share = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length;

/** Max records of a sheet that are examined. */
const RECORDS = 200;

export const saysTotal = (text: string | undefined): boolean =>
  text !== undefined && /^(sub|gran )?total/.test(fold(text));

/** True for a row of totals, by the words of a cell. */
export const isTotalRow = ({ texts }: Row): boolean => texts.some(saysTotal);

const filledIn = ({ texts }: Row): readonly string[] => texts.flatMap((text) => text ?? []);

/** Words alone, in so few cells, name an area above its records where these are so wide. */
const [FEW_CELLS, WIDE] = [2, 5];

const namesArea = (row: Row): boolean => {
  const filled = filledIn(row);
  return filled.length <= FEW_CELLS && filled.every((text) => !/^\W*\d/.test(text));
};

/** Returns the first rows that look like records, and those of `late`. */
export function dataRows(rows: readonly Row[], from: number, late?: ReadonlySet<Row>): readonly Row[] {
  const below = rows.filter(({ number }) => number >= from);
  const isWide = below.some((row) => filledIn(row).length >= WIDE);
  const filled = isWide ? below.filter((row) => !namesArea(row)) : below;
  const records = filled.filter((row) => !isTotalRow(row));
  // Where all of them say so, it is a summary that stands beside.
  return (records.length > 0 ? records : filled).filter((row, at) => at < RECORDS || late?.has(row));
}

/** True for a date without type, as programs export it: `20261005`. */
const isPackedDate = (text: string): boolean =>
  /^(19|20)\d{6}$/.test(text) && readDateText(text).kind === 'date';

/** Returns the number in a cell, in any notation; undefined if there is none. */
function numberIn({ text, kind }: Filled): number | undefined {
  if (kind === 'number') return Number(text);
  if (kind === 'percent') return Number(text.slice(0, -1));
  if (kind !== 'text') return undefined;
  const reading = readNumberText(text);
  if (reading.kind === 'number') return Number(reading.decimal);
  if (reading.kind === 'scientific') return Number(reading.decimal);
  // A dash alone may be any blank; beside the sign of pesos it is none of them.
  if (reading.kind !== 'ambiguous') return text.includes('$') && NO_AMOUNT.test(text.trim()) ? 0 : undefined;
  // An amount rather than a count, be it negative.
  const [comma, dot] = [Number(reading.comma), Number(reading.dot)];
  return Math.abs(comma) > Math.abs(dot) ? comma : dot;
}

/** Returns a date without its time of day. */
export function withoutTime(text: string): string {
  const at = text.search(/[T\s]\d{1,2}:\d{2}/);
  return at < 0 ? text : text.slice(0, at);
}

const isDated = ({ text, kind }: Filled): boolean =>
  kind === 'date' ||
  isPackedDate(text) ||
  // Eight other digits are a number: `52111222` would be a day of the year 5211.
  (kind === 'text' &&
    !/^\d{8}$/.test(text) &&
    ['date', 'ambiguous'].includes(readDateText(withoutTime(text)).kind));

function withAmount(cell: Filled): Filled {
  const amount = numberIn(cell);
  return amount === undefined ? cell : { ...cell, amount };
}

/** Returns the share of dates; a zero counts as one, since programs write it for no date. */
function datedShare(filled: readonly Filled[]): number {
  const said = filled.filter(({ amount }) => amount !== 0);
  return share(said.length > 0 ? said : filled, isDated);
}

export function contentOf(rows: readonly Row[], ...columns: readonly number[]): Content {
  const filled = columns.flatMap((column) =>
    rows.flatMap(({ texts, kinds, number }): Filled[] => {
      const text = texts[column];
      const kind = kinds?.[column] ?? 'text';
      return text === undefined || text.trim() === '' || kind === 'error' || kind === 'uncached'
        ? []
        : [withAmount({ text, kind, row: number })];
    }),
  );
  const distinct = [...new Set(filled.map(({ text }) => text.trim()))];
  const numbers = filled.flatMap(({ amount }) => amount ?? []);
  const [start = Number.NaN] = numbers;
  /** A cell that says nothing is no word among numbers. */
  const said = filled.filter(({ text, amount }) => amount !== undefined || !isNullWord(text.trim()));
  const sizes = numbers
    .filter((value) => value !== 0)
    .map(Math.abs)
    .sort((a, b) => a - b);
  return {
    filled,
    numeric: said.length === 0 ? 0 : numbers.length / said.length,
    dated: datedShare(said),
    median: sizes[Math.floor(sizes.length / 2)],
    largest: sizes.at(-1) ?? 0,
    negatives: numbers.filter((value) => value < 0).length,
    counts:
      numbers.length === said.length &&
      numbers.length > 2 &&
      start <= 1 &&
      numbers.every((n, at) => n === start + at),
    distinct,
    wordy:
      numbers.length < said.length * MIN_READABLE_CELLS && distinct.some((text) => /\p{L}{2}/u.test(text)),
  };
}

/** True for numbers that may be money or quantities; they are never ignored unasked. */
export const holdsAmounts = ({ numeric, median, counts, dated }: Content): boolean =>
  numeric >= MIN_READABLE_CELLS &&
  dated < MIN_READABLE_CELLS &&
  !counts &&
  median !== undefined &&
  median < PESOS.to;

/** True for pesos rather than days, hours or percentages. */
export const looksLikeMoney = (content: Content): boolean =>
  holdsAmounts(content) && (content.median ?? 0) >= PESOS.from;

/** True if a column without meaning may be money in some of the rows. */
export function hasAmounts(rows: readonly Row[], isOther: (column: number) => boolean = () => true): boolean {
  // Titles and labels are no part of what stands below them.
  const data = dataRows(
    rows.filter(({ texts }) => texts.some((text) => text !== undefined && /\d/.test(text))),
    0,
  );
  const width = Math.max(0, ...data.map(({ texts }) => texts.length));
  return Array.from({ length: width }, (_, column) => column).some(
    (column) => isOther(column) && looksLikeMoney(contentOf(data, column)),
  );
}

/** True for days, hours or percentages rather than pesos. */
export const looksLikeCount = ({ numeric, largest }: Content): boolean =>
  numeric >= MIN_READABLE_CELLS && largest > 0 && largest < PESOS.from;

/** Marks, yes and no. */
const ANSWER = /^(s[ií]?|no?|y|yes|x|true|false|verdadero|falso|aplica|no aplica)$/i;

export const holdsAnswers = ({ distinct }: Content): boolean =>
  distinct.length > 0 && distinct.every((text) => ANSWER.test(text));

const NEARLY_ALL = 0.8;

/** True for numbers of identity documents, with or without dots, whatever the label. */
export function looksLikeDocuments({ filled, counts }: Content): boolean {
  const documents = filled.filter(({ text }) => DOCUMENT.test(text.replace(/[.\s]/g, '')));
  return !counts && filled.length > 0 && documents.length / filled.length >= NEARLY_ALL;
}

const MOST_WORDS = 0.6;

/** Returns the class that a column sorts a word into; undefined if it knows none. */
function classOf(sorter: CompiledColumn, source: CompiledColumn, text: string): string | undefined {
  const known = sorted(sorter);
  if (!known.has(text)) {
    if (known.size >= MOST_KEPT) known.clear();
    known.set(text, sortOne(sorter, source, text));
  }
  return known.get(text);
}

const MOST_KEPT = 5_000;
const sorted = remember((_: CompiledColumn) => new Map<string, string | undefined>());

function sortOne(sorter: CompiledColumn, source: CompiledColumn, text: string): string | undefined {
  const values: FormulaValue[] = [];
  values[source.position] = text;
  const at = [];
  at[source.tableIndex] = { values };
  const context = { params: {}, at, sets: [], index: 0, named: new Map() } as unknown as Context;
  try {
    const found = sorter.computed?.(context);
    if (found instanceof CellFault && found.code === 'class/other') return String(paramOf(found, 'found'));
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined; // a condition on columns that are not known here
  }
}

/** Max words that are tried against a list. */
const ENOUGH_WORDS = 60;

const sharesKnown = remember((_: Content) => new Map<CompiledColumn, number | undefined>());

/** Share of the words that a code list, or the classes of concepts, know; undefined for other columns. Asked for again and again. */
export function knownWords(column: CompiledColumn, content: Content, uses: Uses): number | undefined {
  if (!uses.lookups.has(column) && !uses.classes.has(column)) return undefined;
  const shares = sharesKnown(content);
  if (!shares.has(column)) shares.set(column, shareKnown(column, content, uses));
  return shares.get(column);
}

function shareKnown(column: CompiledColumn, { distinct }: Content, uses: Uses): number | undefined {
  const lookups = uses.lookups.get(column) ?? [];
  const sorters = uses.classes.get(column) ?? [];
  return share(
    distinct.slice(0, ENOUGH_WORDS),
    (text) =>
      lookups.some((knows) => knows(text)) ||
      // What is called almost so is a word of such a list too; which, is asked.
      sorters.some((sorter) => classOf(sorter, column, text) !== undefined || sorter.sorts?.resembles(text)),
  );
}

/** Returns the number of classes of the words of a column if most of them are known, else 0. */
export function knownClasses(column: CompiledColumn, content: Content, uses: Uses): number {
  if ((knownWords(column, content, uses) ?? 0) < MOST_WORDS) return 0;
  const sorters = uses.classes.get(column) ?? [];
  return new Set(
    content.distinct.flatMap((text) => sorters.flatMap((sorter) => classOf(sorter, column, text) ?? [])),
  ).size;
}

/** True if a column holds words of another class than the only one of the records of its table. */
export function holdsOtherClass(column: CompiledColumn, content: Content, uses: Uses): boolean {
  if ((knownWords(column, content, uses) ?? 0) < MOST_WORDS) return false;
  return (uses.classes.get(column) ?? []).some(
    (sorter) =>
      sorter.sorts?.only !== undefined &&
      content.distinct.some((text) => {
        const found = classOf(sorter, column, text);
        return found !== undefined && found !== sorter.sorts?.only;
      }),
  );
}

/** Returns the texts that a column sorts, with the class of each. */
export function sortedTexts(
  column: CompiledColumn,
  texts: readonly string[],
  uses: Uses,
): ReadonlyMap<string, string> {
  const sorters = uses.classes.get(column) ?? [];
  return new Map(
    texts.flatMap((text): [string, string][] => {
      const found = sorters.map((sorter) => classOf(sorter, column, text)).find((item) => item !== undefined);
      return found === undefined ? [] : [[text, found]];
    }),
  );
}

const FEW_WORDS = 6;
const SHORT_WORD = 24;

/** True for a few short repeated words, each of which is asked about if it is unknown. */
export const areFewWords = ({ distinct, filled }: Content): boolean =>
  distinct.length <= FEW_WORDS &&
  distinct.length < filled.length &&
  distinct.every((text) => text.length <= SHORT_WORD);
