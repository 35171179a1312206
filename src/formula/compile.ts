import { add, compare, multiply, negate, subtract } from '../values/decimal.js';
import { suggest } from '../values/similar.js';
import { type FormulaFunction, type FormulaType, type FormulaValue, FUNCTIONS } from './functions.js';
import { FormulaFault } from './lexer.js';
import { type BinaryOperator, type Expression, parseFormula } from './parser.js';

/** What a name or pointer of a formula stands for, in a context of type C. */
export interface Reference<C> {
  readonly type: FormulaType;
  /** A pointer with `*` has many values and may only stand in a function that takes many. */
  readonly many?: (context: C) => FormulaValue[];
  readonly one: (context: C) => FormulaValue;
}

export interface Scope<C> {
  readonly resolve: (name: string) => Reference<C> | undefined;
  /** Every value of many references in one pass, for functions that take many; blank ones may be left out. */
  readonly gather?: (names: readonly string[]) => (context: C) => FormulaValue[];
  /** Names to suggest when one is unknown. */
  readonly names: readonly string[];
}

export interface Formula<C> {
  readonly type: FormulaType;
  /** Names and pointers it reads, for lint and provenance. */
  readonly references: readonly string[];
  readonly run: (context: C) => FormulaValue;
}

/** Thrown at run time when an operator meets a blank value; carries the name that was blank, if one. */
export class BlankOperand extends Error {
  constructor(readonly reference: string | undefined) {
    super('blank');
  }
}

interface Compiled<C> {
  readonly type: FormulaType;
  readonly label?: string;
  readonly many?: (context: C) => FormulaValue[];
  readonly run: (context: C) => FormulaValue;
}

const ARITHMETIC: Readonly<Record<string, (a: string, b: string) => string>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
};

const ORDER: Readonly<Record<string, (sign: number) => boolean>> = {
  '=': (sign) => sign === 0,
  '<>': (sign) => sign !== 0,
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
};

const inOrder = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The value, which must be there. */
function needed<C>(part: Compiled<C>): (context: C) => string | boolean {
  return (context) => {
    const value = part.run(context);
    if (value === undefined) throw new BlankOperand(part.label);
    return value;
  };
}

/** `if` computes only the branch it takes: the other may meet a blank. */
function conditional<C>(type: FormulaType, [condition, yes, no]: readonly Compiled<C>[]): Compiled<C> {
  const holds = needed(condition!);
  return { type, run: (context) => (holds(context) === true ? yes!.run(context) : no!.run(context)) };
}

class Compiler<C> {
  readonly references: string[] = [];
  constructor(private readonly scope: Scope<C>) {}

  compile(tree: Expression): Compiled<C> {
    switch (tree.kind) {
      case 'number':
        return { type: 'decimal', run: () => tree.value };
      case 'text':
        return { type: 'text', run: () => tree.value };
      case 'boolean':
        return { type: 'boolean', run: () => tree.value };
      case 'reference':
        return this.reference(tree.name, tree.at);
      case 'pointer':
        return this.reference(tree.pointer, tree.at);
      case 'negate': {
        const value = needed(this.typed(tree.operand, 'decimal'));
        return { type: 'decimal', run: (context) => negate(value(context) as string) };
      }
      case 'not': {
        const value = needed(this.typed(tree.operand, 'boolean'));
        return { type: 'boolean', run: (context) => !value(context) };
      }
      case 'blank': {
        const operand = this.compile(tree.operand);
        return { type: 'boolean', run: (context) => operand.run(context) === undefined };
      }
      case 'in':
        return this.membership(tree.operand, tree.options);
      case 'call':
        return this.call(tree.name, tree.inputs, tree.at);
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right, tree.at);
    }
  }

  private reference(name: string, at: number): Compiled<C> {
    const found = this.scope.resolve(name);
    if (found === undefined) {
      const near = suggest(name, this.scope.names, 1)[0]?.value;
      throw new FormulaFault('unknown-name', at, { name, ...(near !== undefined && { near }) });
    }
    if (!this.references.includes(name)) this.references.push(name);
    return { type: found.type, label: name, run: found.one, ...(found.many && { many: found.many }) };
  }

  private typed(tree: Expression, type: FormulaType): Compiled<C> {
    const part = this.compile(tree);
    if (part.type !== type) throw new FormulaFault('type', tree.at, { expected: type, found: part.type });
    if (part.many) throw new FormulaFault('many', tree.at, { name: part.label ?? '' });
    return part;
  }

  /** Text literals stand for dates where a date is compared. */
  private pair(left: Expression, right: Expression): [Compiled<C>, Compiled<C>] {
    const a = this.compile(left);
    const b = this.typed(
      right,
      right.kind === 'text' && a.type !== 'decimal' && a.type !== 'boolean' ? 'text' : a.type,
    );
    if (a.many) throw new FormulaFault('many', left.at, { name: a.label ?? '' });
    return [a, b];
  }

  private binary(operator: BinaryOperator, left: Expression, right: Expression, at: number): Compiled<C> {
    if (operator === 'and' || operator === 'or') {
      const a = needed(this.typed(left, 'boolean'));
      const b = needed(this.typed(right, 'boolean'));
      const stopsAt = operator === 'or';
      return { type: 'boolean', run: (context) => (a(context) === stopsAt ? stopsAt : b(context)) };
    }
    if (operator === '/') throw new FormulaFault('division', at);
    const arithmetic = ARITHMETIC[operator];
    if (arithmetic !== undefined) {
      const a = needed(this.typed(left, 'decimal'));
      const b = needed(this.typed(right, 'decimal'));
      return { type: 'decimal', run: (context) => arithmetic(a(context) as string, b(context) as string) };
    }
    const [first, second] = this.pair(left, right);
    const test = ORDER[operator]!;
    const order = first.type === 'decimal' ? compare : inOrder;
    if (first.type === 'boolean' && operator !== '=' && operator !== '<>')
      throw new FormulaFault('type', at, { expected: 'decimal', found: 'boolean' });
    const a = needed(first);
    const b = needed(second);
    return { type: 'boolean', run: (context) => test(order(String(a(context)), String(b(context)))) };
  }

  private membership(operand: Expression, options: readonly Expression[]): Compiled<C> {
    const pairs = options.map((option) => this.pair(operand, option));
    const value = needed(this.compile(operand));
    const numeric = pairs[0]?.[0].type === 'decimal';
    const choices = pairs.map(([, choice]) => needed(choice));
    return {
      type: 'boolean',
      run: (context) => {
        const found = value(context);
        return choices.some((choice) => {
          const wanted = choice(context);
          return numeric ? compare(found as string, wanted as string) === 0 : found === wanted;
        });
      },
    };
  }

  private call(name: string, inputs: readonly Expression[], at: number): Compiled<C> {
    const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (found === undefined) {
      const near = suggest(name, Object.keys(FUNCTIONS), 1)[0]?.value;
      throw new FormulaFault('unknown-function', at, { name, ...(near !== undefined && { near }) });
    }
    const enough = found.many ? inputs.length > 0 : inputs.length === found.inputs.length;
    if (!enough)
      throw new FormulaFault('inputs', at, { name, expected: found.inputs.length, found: inputs.length });
    const parts = inputs.map((input, index) => this.input(found, input, index));
    const types = parts.filter((_, index) => this.wanted(found, index) === 'any').map((part) => part.type);
    if (found.gives === 'same' && new Set(types).size > 1)
      throw new FormulaFault('type', at, {
        expected: types[0]!,
        found: types.find((type) => type !== types[0])!,
      });
    const type = found.gives === 'same' ? types[0]! : found.gives;
    if (name === 'if') return conditional(type, parts);
    if (found.many) {
      const all = this.values(parts);
      const gather = found.run as unknown as (values: readonly FormulaValue[]) => FormulaValue;
      return { type, run: (context) => gather(all(context)) };
    }
    const run = found.run as (...values: FormulaValue[]) => FormulaValue;
    const readers = parts.map((part) => (found.blanks ? part.run : needed(part)));
    return { type, run: (context) => run(...readers.map((read) => read(context))) };
  }

  /** All values of the inputs of a function that takes many. */
  private values(parts: readonly Compiled<C>[]): (context: C) => FormulaValue[] {
    const names = parts.map((part) => part.label);
    if (this.scope.gather !== undefined && names.every((name) => name !== undefined))
      return this.scope.gather(names);
    return (context) => parts.flatMap((part) => part.many?.(context) ?? [part.run(context)]);
  }

  private wanted(found: FormulaFunction, index: number): FormulaType | 'any' {
    return found.inputs[Math.min(index, found.inputs.length - 1)]!;
  }

  private input(found: FormulaFunction, tree: Expression, index: number): Compiled<C> {
    const wanted = this.wanted(found, index);
    const part = this.compile(tree);
    if (part.many && !found.many) throw new FormulaFault('many', tree.at, { name: part.label ?? '' });
    if (wanted !== 'any' && part.type !== wanted)
      throw new FormulaFault('type', tree.at, { expected: wanted, found: part.type });
    return part;
  }
}

/** Parses, type-checks and compiles a formula. Throws FormulaFault with the offset of what is wrong. */
export function compileFormula<C>(source: string, scope: Scope<C>, wanted?: FormulaType): Formula<C> {
  const compiler = new Compiler(scope);
  const { type, run, many, label } = compiler.compile(parseFormula(source));
  if (many) throw new FormulaFault('many', 0, { name: label ?? '' });
  if (wanted !== undefined && type !== wanted)
    throw new FormulaFault('type', 0, { expected: wanted, found: type });
  return { type, run, references: compiler.references };
}
