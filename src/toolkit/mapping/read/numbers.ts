import { fromScientific } from '../../core/decimal.js';

/** Decimal mark of amounts written as text. */
export type DecimalStyle = 'comma' | 'dot';

type NumberReading =
  | { readonly kind: 'number'; readonly decimal: string }
  | { readonly kind: 'ambiguous'; readonly comma: string; readonly dot: string }
  /** It is no number in the expected style, but one in the other. */
  | { readonly kind: 'contradiction'; readonly other: DecimalStyle }
  | { readonly kind: 'scientific'; readonly decimal?: string }
  | { readonly kind: 'not-a-number' };

const NOT_A_NUMBER: NumberReading = { kind: 'not-a-number' };
const [ZERO, NINE, DOT, COMMA] = [48, 57, 46, 44];
/** Max length of an amount that is read without a regular expression. */
const SHORT = 18;
/** Max length of an amount with its currency and all its marks. */
const MAX_NUMBER_LENGTH = 80;
const CURRENCY = /^(?:COP|COL\$|\$)\s*|\s*(?:COP|PESOS|\$|%)$/giu;
const BARE_NUMBER = /^\d[\d.,]*$/;
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E[+-]?\d+$/i;
const WITH: Readonly<Record<DecimalStyle, RegExp>> = {
  // The apostrophe before the millions, 1'423.500, is how Colombia writes by hand.
  comma:
    /^(?:[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:\.\d{3})?'\d{3}\.\d{3}|[1-9]\d{0,2}(?: \d{3})+|\d+)?(?:,(\d*))?$/,
  dot: /^(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:'\d{3})+|[1-9]\d{0,2}(?: \d{3})+|\d+)?(?:\.(\d*))?$/,
};

/**
 * Reads `1.300.000,50` by one style as exact decimal text; undefined if it does not fit. Blanks, `$` and `%` are
 * already removed.
 */
function readStyle(text: string, style: DecimalStyle): string | undefined {
  if (!WITH[style].test(text) || !/\d/.test(text)) return undefined;
  const mark = style === 'comma' ? ',' : '.';
  const at = text.lastIndexOf(mark);
  const digits = (at < 0 ? text : text.slice(0, at)).replace(/\D+/g, '');
  const integer = (digits.startsWith('0') ? digits.replace(/^0+(?=\d)/, '') : digits) || '0';
  const cents = at < 0 ? '' : text.slice(at + 1);
  return cents === '' ? integer : `${integer}.${cents}`;
}

/**
 * Reads an amount of digits with at most one mark before one or two cents, without regular expression: it has one
 * reading only, and nearly every cell is so. Undefined if it is not so plain, or not of that style.
 */
export function readPlainAmount(text: string, style?: DecimalStyle): string | undefined {
  const { length } = text;
  if (length === 0 || length > SHORT) return undefined;
  let mark = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) continue;
    if (mark >= 0 || at === 0 || (code !== DOT && code !== COMMA)) return undefined;
    mark = at;
  }
  if (text.charCodeAt(0) === ZERO && length > 1 && mark !== 1) return undefined;
  if (mark < 0) return text;
  const cents = length - mark - 1;
  if (cents !== 1 && cents !== 2) return undefined;
  const dotted = text.charCodeAt(mark) === DOT;
  if (style !== undefined && dotted !== (style === 'dot')) return undefined;
  return dotted ? text : `${text.slice(0, mark)}.${text.slice(mark + 1)}`;
}

/** Removes blanks, currency, per cent and sign. */
function bare(raw: string): { readonly text: string; readonly negative: boolean } {
  const amount = raw.startsWith('$') ? raw.slice(1).trimStart() : raw;
  if (BARE_NUMBER.test(amount)) return { text: amount, negative: false };
  let text = raw
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/[\u2019\u00b4]/g, "'")
    .trim()
    .replace(CURRENCY, '')
    .trim();
  let negative = false;
  if (/^\(.*\)$/.test(text)) {
    negative = true;
    text = text.slice(1, -1).trim().replace(CURRENCY, '').trim();
  }
  const sign = /^[-+\u2212]\s*|\s*[-\u2212]$/.exec(text);
  if (sign !== null) {
    negative = !sign[0].includes('+');
    text = text.replace(sign[0], '').replace(CURRENCY, '').trim();
  }
  return { text, negative };
}

/** Matches the mark of millions before one of thousands: `3'500.000`. */
const BEFORE_MILLIONS = /^(\d{1,3})['’´`](?=\d{3}([.,])\d{3}(?!\d))/;

/**
 * Reads an amount as people write it: `$ 1.423.500`, `1,423,500.00`, `1'423.500`, `(1.000)`, `-5`, `12 %`. Without a
 * style it takes only what has one reading: `1.500` alone is ambiguous.
 */
export function readNumberText(raw: string, style?: DecimalStyle): NumberReading {
  const plain = readPlainAmount(raw, style);
  if (plain !== undefined) return { kind: 'number', decimal: plain };
  if (raw.length > MAX_NUMBER_LENGTH) return NOT_A_NUMBER;
  const { text: written, negative } = bare(raw);
  const text = written.replace(BEFORE_MILLIONS, '$1$2');
  if (SCIENTIFIC.test(text)) {
    const decimal = fromScientific(text.replace(',', '.'));
    return decimal === undefined ? { kind: 'scientific' } : { kind: 'scientific', decimal };
  }
  const signed = (decimal: string): string => (negative && /[1-9]/.test(decimal) ? `-${decimal}` : decimal);
  const asked = style && readStyle(text, style);
  if (asked !== undefined) return { kind: 'number', decimal: signed(asked) };
  const comma = readStyle(text, 'comma');
  const dot = readStyle(text, 'dot');
  if (comma === undefined && dot === undefined) return NOT_A_NUMBER;
  if (style !== undefined) return { kind: 'contradiction', other: style === 'comma' ? 'dot' : 'comma' };
  if (comma !== undefined && dot !== undefined && comma !== dot)
    return { kind: 'ambiguous', comma: signed(comma), dot: signed(dot) };
  return { kind: 'number', decimal: signed(comma ?? dot ?? '') };
}
