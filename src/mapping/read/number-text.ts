import { fromScientific } from '../../values/decimal.js';

/** Decimal mark of amounts written as text. */
export type DecimalStyle = 'comma' | 'dot';

export type NumberReading =
  | { readonly kind: 'number'; readonly decimal: string }
  | { readonly kind: 'ambiguous'; readonly comma: string; readonly dot: string }
  | { readonly kind: 'scientific'; readonly decimal?: string }
  | { readonly kind: 'not-a-number' };

const NOT_A_NUMBER: NumberReading = { kind: 'not-a-number' };
const PLAIN = /^\d+$/;
/** Cents after a dot: readable one way only, and how programs export amounts. */
const DOT_CENTS = /^(?:0|[1-9]\d*)\.\d\d?$/;
const CURRENCY = /^(?:COP|COL\$|\$)\s*|\s*(?:COP|PESOS|\$|%)$/giu;
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E[+-]?\d+$/i;
const WITH: Readonly<Record<DecimalStyle, RegExp>> = {
  comma: /^(?:[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?: \d{3})+|\d+)?(?:,(\d*))?$/,
  dot: /^(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:'\d{3})+|[1-9]\d{0,2}(?: \d{3})+|\d+)?(?:\.(\d*))?$/,
};

/** `1.300.000,50` read by one style as exact decimal text, or undefined. Blanks, `$` and `%` are already gone. */
function readStyle(text: string, style: DecimalStyle): string | undefined {
  if (!/\d/.test(text) || !WITH[style].test(text)) return undefined;
  const mark = style === 'comma' ? ',' : '.';
  const at = text.lastIndexOf(mark);
  const whole = (at < 0 ? text : text.slice(0, at)).replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  const cents = at < 0 ? '' : text.slice(at + 1);
  return cents === '' ? whole : `${whole}.${cents}`;
}

/**
 * An amount as people write it: `$ 1.423.500`, `1,423,500.00`, `(1.000)`, `-5`, `12 %`.
 * Without a declared style only what can be read one way is taken: `1.500` alone is ambiguous.
 */
export function readNumberText(raw: string, style?: DecimalStyle): NumberReading {
  if (PLAIN.test(raw)) return { kind: 'number', decimal: raw.replace(/^0+(?=\d)/, '') };
  if (style !== 'comma' && DOT_CENTS.test(raw)) return { kind: 'number', decimal: raw };
  let text = raw
    .replace(/[\s\u00a0\u202f]+/g, ' ')
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
  if (SCIENTIFIC.test(text)) {
    const decimal = fromScientific(text.replace(',', '.'));
    return decimal === undefined ? { kind: 'scientific' } : { kind: 'scientific', decimal };
  }
  const signed = (decimal: string): string => (negative && /[1-9]/.test(decimal) ? `-${decimal}` : decimal);
  if (style !== undefined) {
    const decimal = readStyle(text, style);
    return decimal === undefined ? NOT_A_NUMBER : { kind: 'number', decimal: signed(decimal) };
  }
  const comma = readStyle(text, 'comma');
  const dot = readStyle(text, 'dot');
  if (comma !== undefined && dot !== undefined && comma !== dot)
    return { kind: 'ambiguous', comma: signed(comma), dot: signed(dot) };
  const decimal = comma ?? dot;
  return decimal === undefined ? NOT_A_NUMBER : { kind: 'number', decimal: signed(decimal) };
}

/** How a decimal looks in a style: `1423500.5` → `1.423.500,5`. The inverse of readNumberText. */
export function formatNumberText(decimal: string, style: DecimalStyle): string {
  const negative = decimal.startsWith('-');
  const [whole = '', cents] = (negative ? decimal.slice(1) : decimal).split('.');
  const [thousands, mark] = style === 'comma' ? ['.', ','] : [',', '.'];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${negative ? '-' : ''}${grouped}${cents === undefined ? '' : mark + cents}`;
}
