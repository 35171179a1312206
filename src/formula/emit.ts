import { add, compare, multiply, subtract } from './arithmetic.js';
import { BlankOperand, TwoAmounts } from './blank-operand.js';
import type { FormulaType, FormulaValue } from './functions.js';

/**
 * Formulas run for every document, so each becomes a JavaScript function of its own, as schemas do in ajv: read in
 * place, V8 makes it several times as fast as a tree of closures. Only operators, literals as JSON and numbers of
 * constants enter the source; names and functions are constants.
 */

/** A part of a formula: its type and the expression that computes it, over the context `c`. */
export interface Part<C> {
  readonly type: FormulaType;
  readonly code: string;
  /** Its name, where it is one. */
  readonly label?: string;
  /** Never blank: a literal, or what an operator gives. */
  readonly sure?: true;
  readonly many?: (context: C) => readonly FormulaValue[];
  /** Names of the amounts of which it is one. */
  readonly amounts?: readonly string[];
}

const isZero = (decimal: string): boolean => !/[1-9]/.test(decimal);

const RUNTIME = {
  add,
  subtract,
  multiply,
  compare,
  /** The value, which must be there. */
  need: (value: FormulaValue, label: string | undefined): string | boolean => {
    if (value === undefined) throw new BlankOperand(label);
    return value;
  },
  /** The one of two amounts that says something. */
  pick: (a: FormulaValue, b: FormulaValue, names: readonly string[]): FormulaValue => {
    if (a === undefined || b === undefined) return a ?? b;
    if (isZero(a as string)) return isZero(b as string) ? a : b;
    if (isZero(b as string) || compare(a as string, b as string) === 0) return a;
    throw new TwoAmounts(names);
  },
  /** Blank in, blank out. */
  one: (run: (value: string) => FormulaValue, value: FormulaValue): FormulaValue =>
    value === undefined ? undefined : run(value as string),
  two: (run: (a: string, b: string) => FormulaValue, a: FormulaValue, b: FormulaValue): FormulaValue =>
    a === undefined || b === undefined ? undefined : run(a as string, b as string),
};

const ARITHMETIC: Readonly<Record<string, string>> = { '+': 'add', '-': 'subtract', '*': 'multiply' };
const ORDER: Readonly<Record<string, string>> = {
  '=': '===',
  '<>': '!==',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

export const isArithmetic = (operator: string): boolean => operator in ARITHMETIC;

/** Writes the expressions of one formula and keeps its constants. */
export class Emitter<C> {
  private readonly constants: unknown[] = [];

  /** An expression for a value that is not written out. */
  keep(value: unknown): string {
    return `k[${this.constants.push(value) - 1}]`;
  }

  literal(type: FormulaType, value: string | boolean): Part<C> {
    return { type, code: JSON.stringify(value), sure: true };
  }

  operation(type: FormulaType, code: string): Part<C> {
    return { type, code, sure: true };
  }

  /** The expression of a value that must be there. */
  need({ code, label, sure }: Part<C>): string {
    if (sure) return code;
    return `need(${code}${label === undefined ? '' : `, ${this.keep(label)}`})`;
  }

  arithmetic(operator: string, left: Part<C>, right: Part<C>): Part<C> {
    return this.operation('decimal', `${ARITHMETIC[operator]}(${this.need(left)}, ${this.need(right)})`);
  }

  comparison(operator: string, left: Part<C>, right: Part<C>): Part<C> {
    const sign = ORDER[operator]!;
    const [a, b] = [this.need(left), this.need(right)];
    return this.operation(
      'boolean',
      left.type === 'decimal' ? `(compare(${a}, ${b}) ${sign} 0)` : `(${a} ${sign} ${b})`,
    );
  }

  /** Whether a value is one of several. */
  member(operand: Part<C>, options: readonly Part<C>[]): Part<C> {
    const test = (option: Part<C>): string =>
      operand.type === 'decimal' ? `compare(v, ${this.need(option)}) === 0` : `v === ${this.need(option)}`;
    return this.operation('boolean', `((v) => ${options.map(test).join(' || ')})(${this.need(operand)})`);
  }

  /** The formula as a function. */
  compile(code: string): (context: C) => FormulaValue {
    const names = Object.keys(RUNTIME);
    const make = new Function('k', ...names, `return (c) => ${code};`);
    return make(this.constants, ...Object.values(RUNTIME));
  }
}
