import Big from 'big.js';
import type { Decimal } from './decimal-text.js';
import { compare as compareShort, sum as sumShort } from './short-decimal.js';

export type { Decimal };

const ZERO = 48;
const MINUS = 45;

const canonical = (big: Big): Decimal => big.toFixed();

/** Max exponent of a number in scientific notation; a float64 has up to 308. */
const MAX_EXPONENT = 400;
const SCIENTIFIC = /^[-+]?(?=\.?\d)\d*(?:\.\d*)?(?:e([-+]?\d+))?$/i;

/**
 * Returns a number in scientific notation (`1.5E+3`) as plain text, or undefined if it is not a plausible
 * number.
 */
export function fromScientific(text: string): Decimal | undefined {
  if (text.length > 2 * MAX_EXPONENT) return undefined;
  const match = SCIENTIFIC.exec(text);
  if (match === null || Math.abs(Number(match[1] ?? 0)) > MAX_EXPONENT) return undefined;
  try {
    return canonical(new Big(text));
  } catch {
    return undefined;
  }
}

/** Rounds to significant digits: Excel keeps 15, the rest is noise of its binary storage. */
export const toSignificant = (text: string, digits: number): Decimal => canonical(new Big(text).prec(digits));

export const negate = (a: Decimal): Decimal =>
  a.startsWith('-') ? a.slice(1) : /[1-9]/.test(a) ? `-${a}` : a;
export const absolute = (a: Decimal): Decimal => (a.startsWith('-') ? a.slice(1) : a);
export const add = (a: Decimal, b: Decimal): Decimal => sum([a, b]);
export const subtract = (a: Decimal, b: Decimal): Decimal => sum([a, negate(b)]);
export const multiply = (a: Decimal, b: Decimal): Decimal => canonical(new Big(a).times(b));

export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a === b) return 0;
  const short = compareShort(a, b);
  if (short !== undefined) return short === 0 ? 0 : short < 0 ? -1 : 1;
  const scale = Math.max(decimalsOf(a), decimalsOf(b));
  const left = scaled(a, scale);
  const right = scaled(b, scale);
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Rounds half to even (payroll.md 3). */
export const round = (a: Decimal, places: number): Decimal =>
  new Big(a).round(places, Big.roundHalfEven).toFixed(places);

/** Returns the quotient rounded half to even. Throws on a zero divisor. */
export const divide = (a: Decimal, b: Decimal, places: number): Decimal => {
  const wide = Big();
  wide.DP = places + 20;
  return new wide(a).div(b).round(places, Big.roundHalfEven).toFixed(places);
};

const decimalsOf = (text: Decimal): number => {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
};

const scaled = (text: Decimal, scale: number): bigint => {
  const dot = text.indexOf('.');
  const digits = dot < 0 ? text : text.slice(0, dot) + text.slice(dot + 1);
  return BigInt(digits + '0'.repeat(scale - (dot < 0 ? 0 : text.length - dot - 1)));
};

/** Sums exactly, on integers of the smallest unit (payroll.md 3: "in integer cents"). */
export function sum(values: readonly Decimal[]): Decimal {
  const short = sumShort(values);
  if (short !== undefined) return short;
  let scale = 0;
  for (const value of values) scale = Math.max(scale, decimalsOf(value));
  let total = 0n;
  for (const value of values) total += scaled(value, scale);
  return unscale(total.toString(), scale);
}

/** Returns the amount in cents, or undefined if it has fractions of a cent or exceeds the safe integers. */
export function centsOf(value: Decimal): number | undefined {
  const negative = value.charCodeAt(0) === MINUS;
  let units = 0;
  let decimals = -1;
  for (let at = negative ? 1 : 0; at < value.length; at++) {
    const digit = value.charCodeAt(at) - ZERO;
    if (digit < 0) decimals = 0;
    else {
      units = units * 10 + digit;
      if (decimals >= 0) decimals += 1;
    }
  }
  if (units > Number.MAX_SAFE_INTEGER) return undefined;
  for (decimals = Math.max(decimals, 0); decimals > 2; decimals--) {
    if (units % 10 !== 0) return undefined;
    units /= 10;
  }
  const cents = decimals === 2 ? units : decimals === 1 ? units * 10 : units * 100;
  if (cents > Number.MAX_SAFE_INTEGER) return undefined;
  return negative ? -cents : cents;
}

export const fromCents = (cents: number): Decimal => unscale(String(cents), 2);

/** Adds amounts up: as safe integers of cents if possible, else as decimals. */
export class RunningSum {
  private cents = 0;
  private rest: Decimal = '0';

  add(amount: Decimal): void {
    const cents = centsOf(amount);
    const total = this.cents + (cents ?? 0);
    if (cents === undefined || !Number.isSafeInteger(total)) this.rest = add(this.rest, amount);
    else this.cents = total;
  }

  /** Returns the sum with two decimals, or as many more as it needs; independent of the order of addition. */
  get text(): Decimal {
    if (this.rest === '0') return fromCents(this.cents);
    const total = add(fromCents(this.cents), this.rest);
    return toMoney(total) ?? toPlain(total);
  }
}

/** Formats an integer of the smallest unit: 250 with scale 2 is `2.50`. */
function unscale(units: string, scale: number): Decimal {
  if (scale === 0) return units;
  const sign = units.startsWith('-') ? '-' : '';
  const digits = units.slice(sign.length).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/**
 * Formats with two decimals (`1750905.00`); undefined if the amount has more, so that none is dropped silently.
 */
export function toMoney(value: Decimal): Decimal | undefined {
  const decimals = decimalsOf(value);
  if (decimals === 2) return value;
  if (decimals === 0) return `${value}.00`;
  if (decimals === 1) return `${value}0`;
  const cut = value.length - (decimals - 2);
  return /^0*$/.test(value.slice(cut)) ? value.slice(0, cut) : undefined;
}

/** Removes trailing zeros: `4.00` → `4`, `7.50` → `7.5`. */
export const toPlain = (value: Decimal): Decimal =>
  value.includes('.') ? value.replace(/\.?0+$/, '') : value;
