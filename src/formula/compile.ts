import { negate } from '../values/decimal.js';
import { suggest } from '../values/similar.js';
import { Emitter, isArithmetic, type Part } from './emit.js';
import {
  type FormulaFunction,
  type FormulaType,
  type FormulaValue,
  FUNCTIONS,
  type WordFunction,
} from './functions.js';
import { FormulaFault } from './lexer.js';
import { type BinaryOperator, type Expression, parseFormula } from './parser.js';

/** What a name or pointer of a formula stands for, in a context of type C. */
export interface Reference<C> {
  readonly type: FormulaType;
  /** A pointer with `*` has many values and may only stand in a function that takes many. */
  readonly many?: (context: C) => readonly FormulaValue[];
  readonly one: (context: C) => FormulaValue;
  /** An amount of money: of two that stand for each other only one may say something. */
  readonly amount?: boolean;
  /** The same, to be read in place: an expression over the context `c`, and how what it gives is understood. */
  readonly inline?: { readonly code: string; readonly as: (value: never) => FormulaValue };
}

export interface Scope<C> {
  readonly resolve: (name: string) => Reference<C> | undefined;
  /** Every value of many references in one pass, for functions that take many; blank ones may be left out. */
  readonly gather?: (names: readonly string[]) => (context: C) => readonly FormulaValue[];
  /** Names to suggest when one is unknown. */
  readonly names: readonly string[];
  /** Functions that only this scope has: those over tables. */
  readonly functions?: Readonly<Record<string, WordFunction>>;
}

export interface Formula<C> {
  readonly type: FormulaType;
  /** Names and pointers it reads, for lint and provenance. */
  readonly references: readonly string[];
  /** Those without which it cannot be computed: not only asked whether they are blank, nor one of several that would do. */
  readonly needed: readonly string[];
  /** Those that are added up in what it gives. */
  readonly addends: readonly string[];
  /** Tables that it asks and that are not there. */
  readonly absent: readonly string[];
  readonly run: (context: C) => FormulaValue;
}

export { BeyondBounds, BlankOperand, TwoAmounts } from './blank-operand.js';

class Compiler<C> {
  readonly references: string[] = [];
  readonly needed: string[] = [];
  readonly absent: string[] = [];
  readonly emit = new Emitter<C>();
  /** How many constructs around that take a blank. */
  private tolerant = 0;
  constructor(private readonly scope: Scope<C>) {}

  compile(tree: Expression): Part<C> {
    switch (tree.kind) {
      case 'number':
        return this.emit.literal('decimal', tree.value);
      case 'text':
        return this.emit.literal('text', tree.value);
      case 'boolean':
        return this.emit.literal('boolean', tree.value);
      case 'reference':
        return this.reference(tree.name, tree.at);
      case 'pointer':
        return this.reference(tree.pointer, tree.at);
      case 'negate': {
        const value = this.emit.need(this.typed(tree.operand, 'decimal'));
        return this.emit.operation('decimal', `${this.emit.keep(negate)}(${value})`);
      }
      case 'not':
        return this.emit.operation('boolean', `!${this.emit.need(this.typed(tree.operand, 'boolean'))}`);
      case 'blank': {
        const operand = this.tolerating(() => this.compile(tree.operand));
        return this.emit.operation('boolean', `(${operand.code} === undefined)`);
      }
      case 'in':
        return this.membership(tree.operand, tree.options);
      case 'call':
        return this.call(tree.name, tree.inputs, tree.at);
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right, tree.at);
    }
  }

  private reference(name: string, at: number): Part<C> {
    const found = this.scope.resolve(name);
    if (found === undefined) {
      const near = suggest(name, this.scope.names, 1)[0]?.value;
      throw new FormulaFault('unknown-name', at, { name, ...(near !== undefined && { near }) });
    }
    if (!this.references.includes(name)) this.references.push(name);
    if (this.tolerant === 0 && !this.needed.includes(name)) this.needed.push(name);
    const { type, one, many, inline } = found;
    const code =
      inline === undefined ? `${this.emit.keep(one)}(c)` : `${this.emit.keep(inline.as)}(${inline.code})`;
    return { type, label: name, code, ...(many && { many }), ...(found.amount && { amounts: [name] }) };
  }

  private typed(tree: Expression, type: FormulaType): Part<C> {
    const part = this.compile(tree);
    if (part.type !== type) throw new FormulaFault('type', tree.at, { expected: type, found: part.type });
    if (part.many) throw new FormulaFault('many', tree.at, { name: part.label ?? '' });
    return part;
  }

  /** Text literals stand for dates where a date is compared. */
  private pair(left: Expression, right: Expression): [Part<C>, Part<C>] {
    const a = this.compile(left);
    const b = this.typed(
      right,
      right.kind === 'text' && a.type !== 'decimal' && a.type !== 'boolean' ? 'text' : a.type,
    );
    if (a.many) throw new FormulaFault('many', left.at, { name: a.label ?? '' });
    return [a, b];
  }

  private binary(operator: BinaryOperator, left: Expression, right: Expression, at: number): Part<C> {
    const { emit } = this;
    if (operator === 'and' || operator === 'or') {
      const a = emit.need(this.typed(left, 'boolean'));
      const b = emit.need(this.typed(right, 'boolean'));
      return emit.operation('boolean', `(${a} ${operator === 'or' ? '||' : '&&'} ${b})`);
    }
    if (operator === '/') throw new FormulaFault('division', at);
    if (isArithmetic(operator))
      return emit.arithmetic(operator, this.typed(left, 'decimal'), this.typed(right, 'decimal'));
    const [first, second] = this.pair(left, right);
    if (first.type === 'boolean' && operator !== '=' && operator !== '<>')
      throw new FormulaFault('type', at, { expected: 'decimal', found: 'boolean' });
    return emit.comparison(operator, first, second);
  }

  private membership(operand: Expression, options: readonly Expression[]): Part<C> {
    const pairs = options.map((option) => this.pair(operand, option));
    return this.emit.member(
      this.compile(operand),
      pairs.map(([, choice]) => choice),
    );
  }

  private call(name: string, inputs: readonly Expression[], at: number): Part<C> {
    const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    const worded = this.scope.functions?.[name];
    if (worded !== undefined) return this.worded(worded, name, inputs, at);
    if (found === undefined) {
      const near = suggest(name, Object.keys(FUNCTIONS), 1)[0]?.value;
      throw new FormulaFault('unknown-function', at, { name, ...(near !== undefined && { near }) });
    }
    const enough = found.many ? inputs.length > 0 : inputs.length === found.inputs.length;
    if (!enough)
      throw new FormulaFault('inputs', at, { name, expected: found.inputs.length, found: inputs.length });
    const read = (input: Expression, index: number) => this.input(found, input, index);
    const parts = inputs.map((input, index) =>
      found.blanks && !(name === 'if' && index === 0)
        ? this.tolerating(() => read(input, index))
        : read(input, index),
    );
    const types = parts.filter((_, index) => this.wanted(found, index) === 'any').map((part) => part.type);
    if (found.gives === 'same' && new Set(types).size > 1)
      throw new FormulaFault('type', at, {
        expected: types[0]!,
        found: types.find((type) => type !== types[0])!,
      });
    const type = found.gives === 'same' ? types[0]! : found.gives;
    const { emit } = this;
    if (name === 'if') {
      const [condition, yes, no] = parts;
      return { type, code: `(${emit.need(condition!)} ? ${yes!.code} : ${no!.code})` };
    }
    const [first, second] = parts.map((part) => part.amounts);
    if (name === 'if_blank' && first !== undefined && second !== undefined) {
      const amounts = [...first, ...second];
      const code = `pick(${parts[0]!.code}, ${parts[1]!.code}, ${emit.keep(amounts)})`;
      return { type, code, amounts };
    }
    if (name === 'if_blank') return { type, code: `(${parts[0]!.code} ?? ${parts[1]!.code})` }; // the second only when needed
    const run = emit.keep(found.run);
    if (found.many) return { type, code: `${run}(${emit.keep(this.values(parts))}(c))` };
    const given = parts.map((part) => (found.blanks ? part.code : emit.need(part)));
    return { type, code: `${run}(${given.join(', ')})` };
  }

  /** A function whose first inputs are words, which choose what runs; blank when another input is. */
  private worded(found: WordFunction, name: string, inputs: readonly Expression[], at: number): Part<C> {
    const expected = found.words + found.inputs.length;
    if (inputs.length !== expected)
      throw new FormulaFault('inputs', at, { name, expected, found: inputs.length });
    const words = inputs.slice(0, found.words).map((input) => (input.kind === 'text' ? input.value : ''));
    const run = found.bind(...words);
    if (run === undefined) throw new FormulaFault('unknown-name', at, { name: words.join(' ') });
    const given = found.inputs.map((type, index) => this.typed(inputs[found.words + index]!, type).code);
    if ('absent' in run) {
      this.absent.push(run.absent);
      return { type: found.gives, code: 'undefined' };
    }
    const call = given.length === 1 ? 'one' : 'two';
    return { type: found.gives, code: `${call}(${this.emit.keep(run)}, ${given.join(', ')})` };
  }

  /** All values of the inputs of a function that takes many. */
  private values(parts: readonly Part<C>[]): (context: C) => readonly FormulaValue[] {
    const names = parts.map((part) => part.label);
    if (this.scope.gather !== undefined && names.every((name) => name !== undefined))
      return this.scope.gather(names);
    const each = parts.map(({ many, code }) => many ?? this.emit.compile(`[${code}]`));
    return (context) => each.flatMap((read) => read(context));
  }

  /** References compiled inside may be blank. */
  private tolerating<T>(compile: () => T): T {
    this.tolerant += 1;
    const compiled = compile();
    this.tolerant -= 1;
    return compiled;
  }

  private wanted(found: FormulaFunction, index: number): FormulaType | 'any' {
    return found.inputs[Math.min(index, found.inputs.length - 1)]!;
  }

  private input(found: FormulaFunction, tree: Expression, index: number): Part<C> {
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
  const tree = parseFormula(source);
  const { type, code, many, label } = compiler.compile(tree);
  if (many) throw new FormulaFault('many', 0, { name: label ?? '' });
  if (wanted !== undefined && type !== wanted)
    throw new FormulaFault('type', 0, { expected: wanted, found: type });
  const run = compiler.emit.compile(code);
  const { references, needed, absent } = compiler;
  return { type, run, references, needed, absent, addends: addendsOf(tree) };
}

/** The names whose values are added up in what a formula gives. */
function addendsOf(tree: Expression): readonly string[] {
  if (tree.kind === 'reference') return [tree.name];
  if (tree.kind === 'binary')
    return tree.operator === '+' ? [...addendsOf(tree.left), ...addendsOf(tree.right)] : [];
  if (tree.kind !== 'call') return [];
  switch (tree.name) {
    case 'sum':
    case 'if_blank':
      return tree.inputs.flatMap(addendsOf);
    case 'round':
    case 'divide':
      return tree.inputs.slice(0, 1).flatMap(addendsOf);
    default:
      return [];
  }
}
