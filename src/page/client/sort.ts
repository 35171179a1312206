import { amountIn } from '../amounts.js';
import type { ColumnView } from '../api.js';
import { language } from './words.js';

export interface SortOrder {
  /** Letters of the column. */
  readonly column: string;
  readonly isDescending: boolean;
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
