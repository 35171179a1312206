import type { ColumnView } from '../api.js';
import { language } from './words.js';

export interface SortOrder {
  /** Letters of the column. */
  readonly column: string;
  readonly isDescending: boolean;
}

/**
 * Returns the amount of a text for the order alone: of two kinds of marks the last is the decimal one, and one kind
 * that occurs once is too, unless three digits follow it and others than a lone zero stand before it.
 */
function amountIn(text: string): number | undefined {
  const plain = text.replace(/[$\s]/g, '');
  if (!/^-?\d[\d.,]*$/.test(plain)) return undefined;
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','));
  const mark = plain[last];
  const marks = plain.replace(/[^.,]/g, '');
  const isDecimal =
    last >= 0 &&
    (new Set(marks).size > 1 ||
      (marks.length === 1 && !(/^-?[1-9]/.test(plain) && /[.,]\d{3}$/.test(plain))));
  const digits = (part: string): string => part.replace(/[.,]/g, '');
  return Number(
    isDecimal && mark !== undefined
      ? `${digits(plain.slice(0, last))}.${plain.slice(last + 1)}`
      : digits(plain),
  );
}

const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });

function compareTexts(a: string, b: string): number {
  const [x, y] = [amountIn(a), amountIn(b)];
  if (x !== undefined && y !== undefined) return x - y;
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
  return collator.compare(a, b);
}

/** Returns the row numbers in the order of a column: blank cells last, the rows up to `headerRow` first. */
export function sortedRows(
  { numbers, texts }: ColumnView,
  { isDescending }: SortOrder,
  headerRow: number,
): readonly number[] {
  const rows = numbers.map((number, at) => ({ number, text: (texts[at] ?? '').trim() }));
  const isHead = ({ number }: { readonly number: number }): boolean => number <= headerRow;
  const data = rows.filter((row) => !isHead(row));
  const filled = data.filter(({ text }) => text !== '').sort((a, b) => compareTexts(a.text, b.text));
  if (isDescending) filled.reverse();
  return [...rows.filter(isHead), ...filled, ...data.filter(({ text }) => text === '')].map(
    ({ number }) => number,
  );
}
