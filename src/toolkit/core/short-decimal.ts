import type { Decimal } from './decimal-text.js';

/**
 * Arithmetic on exact decimals that are short, as amounts of people are: on whole numbers of their smallest unit, which a float64
 * holds exactly. Undefined where one is longer, or no decimal: then core/decimal computes, or says so.
 */

const LONGEST = 15;
const ZERO = 48;
const MINUS = 45;
const TENS = Array.from({ length: LONGEST + 1 }, (_, power) => 10 ** power);

/** Decimals of a short text, or -1 when it is none that fits; its digits as one number are left in `units`. */
let units = 0;
function decimalsOf(text: Decimal): number {
  if (text.length > LONGEST) return -1;
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
  const unit = TENS[decimals]!;
  const whole = Math.floor(size / unit);
  const rest = String(size - whole * unit);
  return `${total < 0 ? '-' : ''}${whole}.${'0'.repeat(decimals - rest.length)}${rest}`;
}

/** Of few enough that no step of it is beyond what is exact. */
export function sum(values: readonly Decimal[]): Decimal | undefined {
  let total = 0;
  let scale = 0;
  for (const value of values) {
    const decimals = decimalsOf(value);
    if (decimals < 0) return undefined;
    if (decimals > scale) {
      total *= TENS[decimals - scale]!;
      scale = decimals;
    }
    total += units * TENS[scale - decimals]!;
    if (!Number.isSafeInteger(total)) return undefined;
  }
  return toText(total, scale);
}

/**
 * A calculator: what is pushed waits, and each step takes the last one or two and leaves one. A step that does not come out exactly says
 * no, and nothing waits any more. For chains of arithmetic, which would write and read a text for each step.
 */
const DEEP = 64;
const waitingUnits = new Float64Array(DEEP);
const waitingDecimals = new Int32Array(DEEP);
let waiting = 0;

function leave(total: number, decimals: number): boolean {
  if (decimals > LONGEST || waiting === DEEP || !Number.isSafeInteger(total)) {
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
/** Takes two, as whole numbers of one unit, into `left` and `right`; gives their decimals. */
function takeAligned(): number {
  waiting -= 2;
  const first = waitingDecimals[waiting]!;
  const second = waitingDecimals[waiting + 1]!;
  left = waitingUnits[waiting]! * (first < second ? TENS[second - first]! : 1);
  right = waitingUnits[waiting + 1]! * (second < first ? TENS[first - second]! : 1);
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
  const product = waitingUnits[waiting]! * waitingUnits[waiting + 1]!;
  return leave(product, waitingDecimals[waiting]! + waitingDecimals[waiting + 1]!);
}

export function size(): boolean {
  waitingUnits[waiting - 1] = Math.abs(waitingUnits[waiting - 1]!);
  return true;
}

/** Takes the two that wait; whether they can be told apart exactly. Then `order` says how. */
export function compared(): boolean {
  takeAligned();
  return areExact();
}

export const order = (): number => left - right;

/** Takes the one that waits. */
function taken(): Decimal {
  waiting -= 1;
  return toText(waitingUnits[waiting]!, waitingDecimals[waiting]!);
}

/** The same without zeros at the end, as a product is written. */
function takenShort(): Decimal {
  waiting -= 1;
  let total = waitingUnits[waiting]!;
  let decimals = waitingDecimals[waiting]!;
  for (; decimals > 0 && total % 10 === 0; decimals--) total /= 10;
  return toText(total, decimals);
}

/** As the calculator would, but without one: most is only compared. */
export function compare(a: Decimal, b: Decimal): number | undefined {
  const first = decimalsOf(a);
  let one = units;
  const second = decimalsOf(b);
  let other = units;
  if (first < 0 || second < 0) return undefined;
  if (first < second) one *= TENS[second - first]!;
  else if (second < first) other *= TENS[first - second]!;
  return Number.isSafeInteger(one) && Number.isSafeInteger(other) ? one - other : undefined;
}

export const add = (a: Decimal, b: Decimal): Decimal | undefined =>
  push(a) && push(b) && plus() ? taken() : undefined;

export const subtract = (a: Decimal, b: Decimal): Decimal | undefined =>
  push(a) && push(b) && minus() ? taken() : undefined;

export const multiply = (a: Decimal, b: Decimal): Decimal | undefined =>
  push(a) && push(b) && times() ? takenShort() : undefined;
