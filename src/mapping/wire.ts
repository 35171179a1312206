import type { FormulaType } from '../formula/functions.js';
import type { LeafKind } from '../schema/registry.js';
import { toMoney, toPlain } from '../values/decimal.js';
import type { JsonValue } from '../values/json.js';
import { CellFault } from './read/cell-reader.js';

/** Turns a typed value into the canonical form of a leaf, or says why it cannot. */
export type ToWire = (value: string | boolean) => JsonValue | CellFault;

const TOO_MANY_DECIMALS = new CellFault('cell/too-many-decimals');
const NOT_WHOLE = new CellFault('cell/not-whole');
const DIGITS_WITHOUT_ZERO = /^[1-9]\d{0,14}$/;

const asIs: ToWire = (value) => value;
const twoDecimals: ToWire = (value) => toMoney(value as string) ?? TOO_MANY_DECIMALS;
const whole: ToWire = (value) => {
  const plain = toPlain(value as string);
  return plain.includes('.') ? NOT_WHOLE : Number(plain);
};
/** Leaves hold hours and minutes; seconds that say something are not cut off. */
const clock: ToWire = (value) =>
  typeof value === 'string' && value.length === 8
    ? value.endsWith(':00')
      ? value.slice(0, 5)
      : new CellFault('cell/not-a-time')
    : value;
/** A number when it is digits without a leading zero, else text (service.md 4.3). */
const workerDocument: ToWire = (value) => (DIGITS_WITHOUT_ZERO.test(value as string) ? Number(value) : value);

const FROM_DECIMAL: Partial<Record<LeafKind, ToWire>> = {
  money: twoDecimals,
  'two-decimals': twoDecimals,
  quantity: (value) => toPlain(value as string),
  integer: whole,
  number: (value) => Number(value),
  text: (value) => toPlain(value as string),
  'worker-document': (value) => workerDocument(toPlain(value as string)),
};
const FROM_TEXT: Partial<Record<LeafKind, ToWire>> = {
  text: asIs,
  'worker-document': workerDocument,
  time: clock,
};

const TABLE: Readonly<Record<FormulaType, Partial<Record<LeafKind, ToWire>>>> = {
  decimal: FROM_DECIMAL,
  text: FROM_TEXT,
  date: { date: asIs, text: asIs },
  datetime: { 'local-date-time': asIs, text: asIs, date: (value) => (value as string).slice(0, 10) },
  boolean: { boolean: asIs },
};

/** The conversion from a type to a kind of leaf; undefined when there is none, which is a lint error. */
export const toWire = (from: FormulaType, kind: LeafKind): ToWire | undefined => TABLE[from][kind];

/** Catalogue cells are text; ids become the integers that leaves want. */
export const catalogueToWire = (kind: LeafKind): ToWire | undefined =>
  kind === 'integer' || kind === 'number' ? (value) => Number(value) : FROM_TEXT[kind];
