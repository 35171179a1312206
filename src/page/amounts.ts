import type { Language } from '../toolkit/core/issue.js';
import { formatMoney } from '../toolkit/messages/texts.js';
import type { ColumnView } from './api.js';

/**
 * Returns the amount of a text for the order alone: of two kinds of marks the last is the decimal one, and one kind
 * that occurs once is too, unless three digits follow it and others than a lone zero stand before it.
 */
export function amountIn(text: string): number | undefined {
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

const PLAIN_AMOUNT = /^-?\d+(?:[.,]\d{1,2})?$/;

/** Formats an amount of a cell with marks between thousands; all else than plain digits stays as it is. */
export const formatAmount = (text: string, language: Language): string =>
  PLAIN_AMOUNT.test(text) ? formatMoney(text.replace(',', '.'), language).replace(/[.,]00$/, '') : text;

/** Returns the text of an amount from what is typed; one of plain digits stays one, such as `1.800.000` as `1800000`. */
export const parseTypedAmount = (typed: string, before: string): string =>
  PLAIN_AMOUNT.test(before) && /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/.test(typed.trim())
    ? typed.trim().replace(/[.,]/g, '')
    : typed;

const WITH_COMMA = /\d,\d{1,2}\s*-?$/;

/** Writes an amount with cents after a point, such as `1634178.50`, as a column writes its own. */
export function amountLike(amount: string, { texts }: ColumnView): string {
  const short = amount.replace(/\.00$/, '');
  return texts.some((text) => WITH_COMMA.test(text)) ? short.replace('.', ',') : short;
}

const NO_CENTS = /«[^»]*»|"[^"]*"|(?<=\d)[.,]00(?!\d)/g;
const CENTS = /(?<=\d)[.,](?!00)\d\d(?!\d)/;

/** Leaves the cents out of a sentence in which no amount has any; what it quotes stays as it is. */
export const withoutCents = (text: string): string =>
  CENTS.test(text) ? text : text.replaceAll(NO_CENTS, (part) => (/^[.,]/.test(part) ? '' : part));
