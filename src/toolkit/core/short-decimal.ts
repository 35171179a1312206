import type { Decimal } from './decimal-text.js';

/**
 * Fast arithmetic on short decimals, as safe integers of their smallest unit. Returns undefined for a longer
 * operand or one that is no decimal; then core/decimal computes or reports it.
 */

const MAX_LENGTH = 15;
const ZERO = 48;
const MINUS = 45;
const TENS = Array.from({ length: MAX_LENGTH + 1 }, (_, power) => 10 ** power);
const tenTo = (power: number): number => TENS[power] ?? 10 ** power;

/** Returns the number of decimals of a short text, or -1 if it does not fit; sets `units` to its digits. */
let units = 0;
function decimalsOf(text: Decimal): number {
  if (text.length > MAX_LENGTH) return -1;
  const negative = text.charCodeAt(0) === MINUS;
  let dot = -1;
  let total = 0;
  let digits = 0;
  for (let at = negative ? 1 : 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) {
      total = total * 10 + digit;
      digits += 1;
    } else if (digit === -2 && dot < 0) dot = at;
    else return -1;
  }
  if (digits === 0) return -1;
  units = negative ? -total : total;
  return dot < 0 ? 0 : text.length - dot - 1;
}

function toText(total: number, decimals: number): Decimal {
  if (decimals === 0) return String(total);
  const size = Math.abs(total);
  const unit = tenTo(decimals);
  const integer = Math.floor(size / unit);
  const rest = String(size - integer * unit);
  return `${total < 0 ? '-' : ''}${integer}.${'0'.repeat(decimals - rest.length)}${rest}`;
}

/** Sums a list whose every step stays within the safe integers; undefined otherwise. */
export function sum(values: readonly Decimal[]): Decimal | undefined {
  let total = 0;
  let scale = 0;
  for (const value of values) {
    const decimals = decimalsOf(value);
    if (decimals < 0) return undefined;
    if (decimals > scale) {
      total *= tenTo(decimals - scale);
      scale = decimals;
    }
    total += units * tenTo(scale - decimals);
    if (!Number.isSafeInteger(total)) return undefined;
  }
  return toText(total, scale);
}

/**
 * A stack calculator for chains of arithmetic, without a text for each step. A step replaces its operands by
 * the result; if that is not exact, it returns false and empties the stack.
 */
const MAX_STACK = 64;
const waitingUnits = new Float64Array(MAX_STACK);
const waitingDecimals = new Int32Array(MAX_STACK);
let waiting = 0;

/** Returns units of the stack; outside it NaN, which counts as not exact. */
const unitsAt = (at: number): number => waitingUnits[at] ?? Number.NaN;
/** Returns decimals of the stack; outside it more than any result may have. */
const decimalsAt = (at: number): number => waitingDecimals[at] ?? MAX_LENGTH + 1;

function leave(total: number, decimals: number): boolean {
  if (decimals > MAX_LENGTH || waiting === MAX_STACK || !Number.isSafeInteger(total)) {
    waiting = 0;
    return false;
  }
  waitingUnits[waiting] = total;
  waitingDecimals[waiting] = decimals;
  waiting += 1;
  return true;
}

export function push(text: Decimal): boolean {
  const decimals = decimalsOf(text);
  return leave(decimals < 0 ? Number.NaN : units, decimals);
}

let left = 0;
let right = 0;
/** Pops two operands into `left` and `right` in one unit; returns their decimals. */
function takeAligned(): number {
  waiting -= 2;
  const first = decimalsAt(waiting);
  const second = decimalsAt(waiting + 1);
  left = unitsAt(waiting) * (first < second ? tenTo(second - first) : 1);
  right = unitsAt(waiting + 1) * (second < first ? tenTo(first - second) : 1);
  return Math.max(first, second);
}

const areExact = (): boolean => Number.isSafeInteger(left) && Number.isSafeInteger(right);

export function plus(): boolean {
  const decimals = takeAligned();
  return leave(areExact() ? left + right : Number.NaN, decimals);
}

export function minus(): boolean {
  const decimals = takeAligned();
  return leave(areExact() ? left - right : Number.NaN, decimals);
}

export function times(): boolean {
  waiting -= 2;
  const product = unitsAt(waiting) * unitsAt(waiting + 1);
  return leave(product, decimalsAt(waiting) + decimalsAt(waiting + 1));
}

export function size(): boolean {
  waitingUnits[waiting - 1] = Math.abs(unitsAt(waiting - 1));
  return true;
}

/** Pops two operands; true if they can be compared exactly, and then `order` tells how. */
export function compared(): boolean {
  takeAligned();
  return areExact();
}

export const order = (): number => left - right;

function taken(): Decimal {
  waiting -= 1;
  return toText(unitsAt(waiting), decimalsAt(waiting));
}

/** Pops the result without trailing zeros, as products are written. */
function takenShort(): Decimal {
  waiting -= 1;
  let total = unitsAt(waiting);
  let decimals = decimalsAt(waiting);
  for (; decimals > 0 && total % 10 === 0; decimals--) total /= 10;
  return toText(total, decimals);
}

/** Compares without the stack. */
export function compare(a: Decimal, b: Decimal): number | undefined {
  const first = decimalsOf(a);
  let left = units;
  const second = decimalsOf(b);
  let right = units;
  if (first < 0 || second < 0) return undefined;
  if (first < second) left *= tenTo(second - first);
  else if (second < first) right *= tenTo(first - second);
  return Number.isSafeInteger(left) && Number.isSafeInteger(right) ? left - right : undefined;
}

export const add = (a: Decimal, b: Decimal): Decimal | undefined =>
  push(a) && push(b) && plus() ? taken() : undefined;

export const subtract = (a: Decimal, b: Decimal): Decimal | undefined =>
  push(a) && push(b) && minus() ? taken() : undefined;

export const multiply = (a: Decimal, b: Decimal): Decimal | undefined =>
  push(a) && push(b) && times() ? takenShort() : undefined;
