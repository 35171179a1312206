import { readDateText } from '../mapping/read/date-text.js';
import { readNumberText } from '../mapping/read/number-text.js';
import type { CellKind, Row } from '../source/table.js';
import { fold } from '../values/fold.js';

/** A filled cell. */
export interface Filled {
  readonly text: string;
  readonly kind: CellKind;
  readonly row: number;
}

/** What the cells under a label look like. */
export interface Content {
  readonly filled: readonly Filled[];
  /** Shares of the filled cells, from 0 to 1. */
  readonly numeric: number;
  readonly dated: number;
  /** Of the numbers other than zero, without sign; undefined when there are none. */
  readonly median: number | undefined;
  readonly largest: number;
  readonly negatives: number;
  /** Ordinals: 1, 2, 3 … */
  readonly counts: boolean;
  readonly distinct: readonly string[];
}

/** Records of a sheet that are looked at. */
const RECORDS = 200;
/** Amounts of a month's pay in pesos lie between; what is larger is a telephone or a document. */
const AMOUNT = { from: 1_000, to: 1_000_000_000 } as const;
const MOST = 0.7;

/** A row that states totals says so in one of its cells. */
export const isTotalRow = ({ texts }: Row): boolean =>
  texts.some((text) => text !== undefined && /^(sub|gran )?total/.test(fold(text)));

export const dataRows = (rows: readonly Row[], from: number): readonly Row[] =>
  rows.filter((row) => row.number >= from && !isTotalRow(row)).slice(0, RECORDS);

/** The number in a cell, however it is written; undefined when there is none. */
function numberIn({ text, kind }: Filled): number | undefined {
  if (kind === 'number') return Number(text);
  if (kind !== 'text') return undefined;
  const reading = readNumberText(text);
  if (reading.kind === 'number') return Number(reading.decimal);
  if (reading.kind === 'scientific') return Number(reading.decimal);
  return reading.kind === 'ambiguous' ? Math.max(Number(reading.comma), Number(reading.dot)) : undefined;
}

const isDated = ({ text, kind }: Filled): boolean =>
  kind === 'date' ||
  (kind === 'text' && ['date', 'ambiguous'].includes(readDateText(text.slice(0, 10)).kind)) ||
  (kind === 'text' && ['date', 'ambiguous'].includes(readDateText(text).kind));

export function contentOf(rows: readonly Row[], column: number): Content {
  const filled = rows.flatMap(({ texts, kinds, number }): Filled[] => {
    const text = texts[column];
    const kind = kinds?.[column] ?? 'text';
    return text === undefined || text.trim() === '' || kind === 'error' || kind === 'uncached'
      ? []
      : [{ text, kind, row: number }];
  });
  const numbers = filled.flatMap((cell) => numberIn(cell) ?? []);
  const sizes = numbers
    .filter((value) => value !== 0)
    .map(Math.abs)
    .sort((a, b) => a - b);
  const share = (count: number): number => (filled.length === 0 ? 0 : count / filled.length);
  return {
    filled,
    numeric: share(numbers.length),
    dated: share(filled.filter(isDated).length),
    median: sizes[Math.floor(sizes.length / 2)],
    largest: sizes.at(-1) ?? 0,
    negatives: numbers.filter((value) => value < 0).length,
    counts:
      numbers.length === filled.length &&
      numbers.length > 2 &&
      numbers[0]! <= 1 &&
      numbers.every((n, at) => n === numbers[0]! + at),
    distinct: [...new Set(filled.map(({ text }) => text.trim()))],
  };
}

/** Numbers that may be money or quantities: nothing of the kind is ever left aside unasked. */
export const holdsAmounts = ({ numeric, median, counts, dated }: Content): boolean =>
  numeric >= MOST && dated < MOST && !counts && median !== undefined && median < AMOUNT.to;

/** Pesos rather than days, hours or percentages. */
export const looksLikeMoney = (content: Content): boolean =>
  holdsAmounts(content) && (content.median ?? 0) >= AMOUNT.from;

/** Days, hours or percentages rather than pesos. */
export const looksLikeCount = ({ numeric, largest }: Content): boolean =>
  numeric >= MOST && largest > 0 && largest < AMOUNT.from;

const DOCUMENT = /^\d{8,11}$/;
const NEARLY_ALL = 0.8;

/** Numbers of identity documents, with or without dots: what tells records apart, whatever its label. */
export function looksLikeDocuments({ filled, counts }: Content): boolean {
  const documents = filled.filter(({ text }) => DOCUMENT.test(text.replace(/[.\s]/g, '')));
  return !counts && filled.length > 0 && documents.length / filled.length >= NEARLY_ALL;
}
