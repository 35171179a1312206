import * as exact from '../core/decimal.js';
import { negate } from '../core/decimal.js';
import { isDecimal, MAX_DIGITS } from '../core/decimal-text.js';
import { unreachable } from '../core/required.js';
import * as short from '../core/short-decimal.js';
import { suggest } from '../core/text.js';
import {
  BeyondBounds,
  BlankOperand,
  type FormulaFunction,
  type FormulaType,
  type FormulaValue,
  FUNCTIONS,
  TwoAmounts,
  type WordFunction,
} from './functions.js';
import { type BinaryOperator, type Expression, FormulaFault, parseFormula } from './parser.js';

/** Computes on long decimals. A text that is no decimal counts as blank: another check reports it. */
function long<T>(compute: (a: string, b: string) => T, a: string, b: string): T {
  if (!isDecimal(a) || !isDecimal(b))
    throw a.length > MAX_DIGITS || b.length > MAX_DIGITS ? new BeyondBounds() : new BlankOperand(undefined);
  return compute(a, b);
}

export const compare = (a: string, b: string): number => short.compare(a, b) ?? long(exact.compare, a, b);
export const add = (a: string, b: string): string => short.add(a, b) ?? long(exact.add, a, b);
export const subtract = (a: string, b: string): string => short.subtract(a, b) ?? long(exact.subtract, a, b);
export const multiply = (a: string, b: string): string => short.multiply(a, b) ?? long(exact.multiply, a, b);

/**
 * A part of a formula: its type and the expression that computes it, over the context `c`.
 * Formulas run for every document, so each becomes a JavaScript function, as schemas do in ajv: inlined, V8
 * makes it
 * several times as fast as a tree of closures. Only operators, JSON literals and numbers of constants enter
 * the source.
 * A blank is `undefined`; an operation on a missing operand is `null`: throwing costs too much for that.
 */
interface Part<C> {
  readonly type: FormulaType;
  readonly code: string;
  /** Name of a reference. */
  readonly label?: string;
  /** True if it is never blank: a literal, or made of literals. */
  readonly sure?: true;
  /** True if it may be null. */
  readonly stops?: boolean;
  /** Operands that must be present, and the expression with VALUE in the place of each. */
  readonly needs?: Needs<C>;
  readonly many?: (context: C) => readonly FormulaValue[];
  /** Names of the amounts that the value may be. */
  readonly amounts?: readonly string[];
}

interface Needs<C> {
  readonly parts: readonly Part<C>[];
  readonly form: string;
  /** The same arithmetic as steps of the calculator. */
  readonly steps?: string;
}

/** An operation that needs all of its operands. */
type Operation<C> = Part<C> & { readonly needs: Needs<C> };

const isZero = (decimal: string): boolean => !/[1-9]/.test(decimal);

const RUNTIME = {
  add,
  subtract,
  multiply,
  compare,
  push: short.push,
  plus: short.plus,
  minus: short.minus,
  times: short.times,
  size: short.size,
  compared: short.compared,
  order: short.order,
  /** True if a required value is missing; remembers which one was blank. */
  lacks: (value: Tried, label: string): boolean => {
    if (value === undefined) lacking = label;
    return value === undefined || value === null;
  },
  required: (value: FormulaValue | null): FormulaValue => {
    if (value === null) throw new BlankOperand(lacking);
    return value;
  },
  /** Returns the non-zero one of two amounts. Throws if they differ. */
  pick: (a: FormulaValue, b: FormulaValue, names: readonly string[]): FormulaValue => {
    if (a === undefined || b === undefined) return a ?? b;
    if (isZero(a as string)) return isZero(b as string) ? a : b;
    if (isZero(b as string) || compare(a as string, b as string) === 0) return a;
    throw new TwoAmounts(names);
  },
};

let lacking: string | undefined;

/** Returns the name of the last blank operand; valid after `attempt` gave null. */
export const lackingLast = (): string | undefined => lacking;

type Tried = FormulaValue | null;

const ARITHMETIC = { '+': 'add', '-': 'subtract', '*': 'multiply' };
/** Steps of the calculator by operator. */
const STEPS = { '+': 'plus', '-': 'minus', '*': 'times' };
const ORDER = {
  '=': '===',
  '<>': '!==',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const isArithmetic = (operator: BinaryOperator): operator is keyof typeof ARITHMETIC =>
  operator in ARITHMETIC;

/** Placeholder that occurs in no expression, since texts are JSON. */
const VALUE = '\u0001';

type Write = (...values: readonly string[]) => string;

/** Tells whether an operation on all of the parts is certain or may be null. */
const certainty = (parts: readonly Pick<Part<never>, 'sure'>[]): Pick<Part<never>, 'sure' | 'stops'> =>
  parts.every(({ sure }) => sure) ? { sure: true } : { stops: true };

const stepsOf = (needs: Part<never>['needs']): string => needs?.steps ?? `push(${needs?.form ?? VALUE})`;

/** Writes the expressions of one formula, or of several that run together, and collects their constants. */
class Emitter<C> {
  private readonly constants = new Map<unknown, string>();
  private readonly once = new Map<string, string>();
  private variables = 0;

  /** @param areMany several formulas share what they read; the name of a blank operand is not recorded */
  constructor(private readonly areMany = false) {}

  /** Returns an expression for a constant that is not a literal. */
  keep(value: unknown): string {
    const name = this.constants.get(value) ?? `k${this.constants.size}`;
    this.constants.set(value, name);
    return name;
  }

  /** Reads a value once, when a formula first needs it. */
  read(code: string): string {
    if (!this.areMany) return code;
    const name = this.once.get(code) ?? `r${this.once.size}`;
    this.once.set(code, name);
    return `(${name} === 0 ? ${name} = ${code} : ${name})`;
  }

  private variable(): string {
    this.variables += 1;
    return `v${this.variables}`;
  }

  literal(type: FormulaType, value: string | boolean): Part<C> {
    return { type, code: JSON.stringify(value), sure: true };
  }

  /** Writes an operation on parts that must be present, evaluated one after the other. */
  with(parts: readonly Part<C>[], write: Write): string {
    const lacks: string[] = [];
    const values = parts.map(({ sure, code, label }) => {
      if (sure) return code;
      const value = this.variable();
      const isTold = label !== undefined && !this.areMany;
      lacks.push(isTold ? `lacks(${value} = ${code}, ${this.keep(label)})` : `(${value} = ${code}) == null`);
      return value;
    });
    const made = write(...values);
    return lacks.length === 0 ? made : `(${lacks.join(' || ')} ? null : ${made})`;
  }

  /** Writes an operation that needs all parts; nested ones are flattened, so that one check covers all. */
  operation(type: FormulaType, operands: readonly Part<C>[], write: Write): Operation<C> {
    const parts = operands.flatMap((part) => part.needs?.parts ?? [part]);
    const form = write(...operands.map(({ needs }) => needs?.form ?? VALUE));
    return this.composed(type, parts, { parts, form }, form);
  }

  /** Composes a part; `text` has VALUE for each of the parts in turn, once or several times. */
  private composed(
    type: FormulaType,
    parts: readonly Part<C>[],
    needs: Needs<C>,
    text: string,
  ): Operation<C> {
    const pieces = text.split(VALUE);
    const code = (): string =>
      this.with(parts, (...values) =>
        pieces.map((piece, at) => (at === 0 ? '' : values[(at - 1) % values.length]) + piece).join(''),
      );
    return {
      type,
      needs,
      get code() {
        return code();
      },
      ...certainty(parts),
    };
  }

  /** Writes an operation on decimals; `step` is the calculator's. */
  arithmetic(operands: readonly Part<C>[], write: Write, step: string): Part<C> {
    const made = this.operation('decimal', operands, write);
    const steps = [...operands.map(({ needs }) => stepsOf(needs)), `${step}()`].join(' && ');
    return this.composed('decimal', made.needs.parts, { ...made.needs, steps }, made.needs.form);
  }

  /** Writes an operation on parts that may be blank, but not null. */
  tolerated(parts: readonly Part<C>[], write: Write): string {
    const values = parts.map(({ stops, code }) => (stops ? this.variable() : code));
    return parts.reduceRight(
      (inner, { stops, code }, at) =>
        stops ? `((${values[at]} = ${code}) === null ? null : ${inner})` : inner,
      write(...values),
    );
  }

  /** Writes the first part, or the second if the first is blank. */
  orElse(first: Part<C>, second: Part<C>): string {
    if (!first.stops) return `(${first.code} ?? ${second.code})`;
    const value = this.variable();
    return `((${value} = ${first.code}) === undefined ? ${second.code} : ${value})`;
  }

  comparison(operator: keyof typeof ORDER, left: Part<C>, right: Part<C>): Part<C> {
    const sign = ORDER[operator];
    const made = this.operation('boolean', [left, right], (a, b) =>
      left.type === 'decimal' ? `(compare(${a}, ${b}) ${sign} 0)` : `(${a} ${sign} ${b})`,
    );
    if (left.needs?.steps === undefined && right.needs?.steps === undefined) return made;
    const { parts, form } = made.needs;
    const steps = `${stepsOf(left.needs)} && ${stepsOf(right.needs)} && compared()`;
    return this.composed('boolean', parts, { parts, form }, `(${steps} ? order() ${sign} 0 : ${form})`);
  }

  /** Writes a membership test; later options are evaluated only if no earlier one fits. */
  member(operand: Part<C>, options: readonly Part<C>[]): Part<C> {
    const isEqual = (value: string, option: string): string =>
      operand.type === 'decimal' ? `compare(${value}, ${option}) === 0` : `${value} === ${option}`;
    const code = this.with([operand], (value) =>
      options.reduceRight(
        (rest, option) => this.with([option], (choice) => `(${isEqual(value, choice)} || ${rest})`),
        'false',
      ),
    );
    return { type: 'boolean', code, ...certainty([operand, ...options]) };
  }

  /** Writes an operation that is blank or null if one of its parts is. */
  passed(parts: readonly Part<C>[], write: Write): string {
    const values = parts.map(() => this.variable());
    const made = write(...values);
    if (values.length === 0) return made;
    const isSilent = parts.map(({ code }, at) => `(${values[at]} = ${code}) === null`).join(' || ');
    const isBlank = values.map((value) => `${value} === undefined`).join(' || ');
    return `(${isSilent} ? null : ${isBlank} ? undefined : ${made})`;
  }

  /** Returns what `write` returns, and the declarations of the variables in it. */
  declaring<T>(write: () => T): { readonly written: T; readonly declarations: string } {
    const before = this.variables;
    const written = write();
    const names = Array.from({ length: this.variables - before }, (_, at) => `v${before + at + 1}`);
    return { written, declarations: names.length === 0 ? '' : `let ${names.join(', ')}; ` };
  }

  /** Compiles a function over the context `c` and `names`; `values` are in scope of `body`. */
  compile<F>(names: string, body: string, values: Readonly<Record<string, unknown>> = {}): F {
    const known = { ...RUNTIME, ...values };
    const reads = [...this.once.values()].map((name) => `let ${name} = 0;`).join(' ');
    const source = `return (${names}) => { ${reads} ${body} };`;
    const make = new Function(...Object.keys(known), ...this.constants.values(), source);
    return make(...Object.values(known), ...this.constants.keys()) as F;
  }
}

/** Formulas compiled into one function, which reads shared references once. */
export class FormulaGroup<C> {
  private readonly emit = new Emitter<C>(true);

  /** Writes code that runs `then` if the formula gives `wanted`. */
  test(formula: Formula<C>, wanted: boolean, then: string): string {
    const { written, declarations } = this.emit.declaring(() => formula.write(this.emit));
    return `{ ${declarations}if (${written} === ${wanted}) { ${then} } }`;
  }

  compile<F>(names: string, body: string, values: Readonly<Record<string, unknown>>): F {
    return this.emit.compile(names, body, values);
  }
}

/** Value of a name or pointer, in a context of type C. */
export interface Reference<C> {
  readonly type: FormulaType;
  /** All values of a pointer with `*`, which may only stand in a function that takes many. */
  readonly many?: (context: C) => readonly FormulaValue[];
  readonly read: (context: C) => FormulaValue;
  /** True for an amount of money: of two alternatives only one may be non-zero. */
  readonly amount?: boolean;
  /** An expression over the context `c` to be inlined, and the conversion of its result. */
  readonly inline?: { readonly code: string; readonly as: (value: never) => FormulaValue };
}

export interface Scope<C> {
  readonly resolve: (name: string) => Reference<C> | undefined;
  /** Reads all values of many references in one pass; may leave out blank ones. */
  readonly gather?: (names: readonly string[]) => (context: C) => readonly FormulaValue[];
  /** Returns the names to suggest if one is unknown. */
  readonly names: () => readonly string[];
  /** Functions of this scope only: those over tables. */
  readonly functions?: Readonly<Record<string, WordFunction>>;
}

export interface Formula<C> {
  readonly type: FormulaType;
  /** Names and pointers it reads, for lint and provenance. */
  readonly references: readonly string[];
  /** References without which it cannot be computed. */
  readonly needed: readonly string[];
  /** References that are added up in the result. */
  readonly addends: readonly string[];
  /** References used if the one before is blank. */
  readonly standIns: readonly string[];
  /** Optional tables that it uses and that are missing. */
  readonly absent: readonly string[];
  /** Computes the value. Throws BlankOperand if a required value is blank. */
  readonly run: (context: C) => FormulaValue;
  /** Computes the value, or null if a required value is blank, which is common. */
  readonly attempt: (context: C) => FormulaValue | null;
  /** Writes the formula as an expression. */
  readonly write: (emit: Emitter<C>) => string;
}

class Compiler<C> {
  readonly references: string[] = [];
  readonly needed: string[] = [];
  readonly absent: string[] = [];
  /** Number of enclosing constructs that accept a blank. */
  private tolerant = 0;
  constructor(
    private readonly scope: Scope<C>,
    private readonly emit: Emitter<C>,
  ) {}

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
        const operand = this.typed(tree.operand, 'decimal');
        return this.emit.operation('decimal', [operand], (value) => `${this.emit.keep(negate)}(${value})`);
      }
      case 'not':
        return this.emit.operation('boolean', [this.typed(tree.operand, 'boolean')], (value) => `!${value}`);
      case 'blank': {
        const operand = this.tolerating(() => this.compile(tree.operand));
        const code = this.emit.tolerated([operand], (value) => `(${value} === undefined)`);
        return { type: 'boolean', code, ...(operand.stops ? { stops: true } : { sure: true }) };
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
      const near = suggest(name, this.scope.names(), 1)[0]?.value;
      throw new FormulaFault('formula/unknown-name', at, { name }, near);
    }
    if (!this.references.includes(name)) this.references.push(name);
    if (this.tolerant === 0 && !this.needed.includes(name)) this.needed.push(name);
    const { type, read, many, inline } = found;
    const { emit } = this;
    const code = emit.read(
      inline === undefined ? `${emit.keep(read)}(c)` : `${emit.keep(inline.as)}(${inline.code})`,
    );
    return { type, label: name, code, ...(many && { many }), ...(found.amount && { amounts: [name] }) };
  }

  private typed(tree: Expression, type: FormulaType): Part<C> {
    const part = this.compile(tree);
    if (part.type !== type)
      throw new FormulaFault('formula/type', tree.at, { expected_type: type, found_type: part.type });
    if (part.many) throw new FormulaFault('formula/many', tree.at, { name: part.label ?? '' });
    return part;
  }

  /** Compiles both sides of a comparison; a text literal may stand for a date. */
  private pair(left: Expression, right: Expression): [Part<C>, Part<C>] {
    const a = this.compile(left);
    const b = this.typed(
      right,
      right.kind === 'text' && a.type !== 'decimal' && a.type !== 'boolean' ? 'text' : a.type,
    );
    if (a.many) throw new FormulaFault('formula/many', left.at, { name: a.label ?? '' });
    return [a, b];
  }

  private binary(operator: BinaryOperator, left: Expression, right: Expression, at: number): Part<C> {
    const { emit } = this;
    if (operator === 'and' || operator === 'or') {
      const a = this.typed(left, 'boolean');
      const b = this.typed(right, 'boolean');
      // The second is evaluated only if the first does not decide.
      const second = emit.with([b], (value) => value);
      const code = emit.with([a], (value) => `(${value} ${operator === 'or' ? '||' : '&&'} ${second})`);
      return { type: 'boolean', code, ...certainty([a, b]) };
    }
    if (operator === '/') throw new FormulaFault('formula/division', at);
    if (isArithmetic(operator))
      return emit.arithmetic(
        [this.typed(left, 'decimal'), this.typed(right, 'decimal')],
        (a, b) => `${ARITHMETIC[operator]}(${a}, ${b})`,
        STEPS[operator],
      );
    const [first, second] = this.pair(left, right);
    if (first.type === 'boolean' && operator !== '=' && operator !== '<>')
      throw new FormulaFault('formula/type', at, { expected_type: 'decimal', found_type: 'boolean' });
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
      throw new FormulaFault('formula/unknown-function', at, { name }, near);
    }
    const enough = found.many ? inputs.length > 0 : inputs.length === found.inputs.length;
    if (!enough)
      throw new FormulaFault('formula/inputs', at, {
        name,
        expected: found.inputs.length,
        found: inputs.length,
      });
    const read = (input: Expression, index: number) => this.input(found, input, index);
    const parts = inputs.map((input, index) =>
      found.blanks && !(name === 'if' && index === 0)
        ? this.tolerating(() => read(input, index))
        : read(input, index),
    );
    const type = found.gives === 'same' ? this.shared(found, parts, at) : found.gives;
    const { emit } = this;
    if (name === 'if') {
      const [condition, yes, no] = parts as [Part<C>, Part<C>, Part<C>];
      const code = emit.with([condition], (value) => `(${value} ? ${yes.code} : ${no.code})`);
      return { type, code, stops: !condition.sure || yes.stops === true || no.stops === true };
    }
    if (name === 'if_blank') {
      const [value, otherwise] = parts as [Part<C>, Part<C>];
      if (value.amounts === undefined || otherwise.amounts === undefined)
        return { type, code: emit.orElse(value, otherwise), stops: value.stops || otherwise.stops };
      const amounts = [...value.amounts, ...otherwise.amounts];
      return { type, code: `pick(${value.code}, ${otherwise.code}, ${emit.keep(amounts)})`, amounts };
    }
    if (name === 'abs') return emit.arithmetic(parts, (value) => `${emit.keep(found.run)}(${value})`, 'size');
    const run = emit.keep(found.keeps ? lastKept(found.run as Texts) : found.run);
    if (found.many) return { type, code: `${run}(${this.values(parts)})` };
    const stops = found.blanks ? parts.some((part) => part.stops) : parts.some((part) => !part.sure);
    const code = found.blanks
      ? emit.tolerated(parts, (...values) => `${run}(${values.join(', ')})`)
      : emit.with(parts, (...values) => `${run}(${values.join(', ')})`);
    return { type, code, stops };
  }

  /** Compiles a function whose first inputs are words, which choose what runs; blank if another input is. */
  private worded(found: WordFunction, name: string, inputs: readonly Expression[], at: number): Part<C> {
    const expected = found.words + found.inputs.length;
    if (inputs.length !== expected)
      throw new FormulaFault('formula/inputs', at, { name, expected, found: inputs.length });
    const words = inputs.slice(0, found.words).map((input) => (input.kind === 'text' ? input.value : ''));
    const [first = '', second = '', third = ''] = words;
    const run = found.bind(first, second, third);
    if (run === undefined) throw new FormulaFault('formula/unknown-name', at, { name: words.join(' ') });
    const given = inputs.flatMap((input, index) => {
      const type = found.inputs[index - found.words];
      return type === undefined ? [] : [this.typed(input, type)];
    });
    if ('absent' in run) {
      this.absent.push(run.absent);
      return { type: found.gives, code: 'undefined' };
    }
    const called = this.emit.keep(run);
    const code = this.emit.passed(given, (...values) => `${called}(${values.join(', ')})`);
    return { type: found.gives, code, stops: given.some((part) => part.stops) };
  }

  /** Writes all values of the inputs of a function that takes many. */
  private values(parts: readonly Part<C>[]): string {
    const { emit } = this;
    const names = parts.map((part) => part.label);
    if (this.scope.gather !== undefined && names.every((name) => name !== undefined))
      return `${emit.keep(this.scope.gather(names))}(c)`;
    return `[${parts.map(({ many, code }) => (many ? `...${emit.keep(many)}(c)` : `required(${code})`)).join(', ')}]`;
  }

  /** Compiles references that may be blank. */
  private tolerating<T>(compile: () => T): T {
    this.tolerant += 1;
    const compiled = compile();
    this.tolerant -= 1;
    return compiled;
  }

  /** Returns the type that the inputs of any type have in common. */
  private shared(found: FormulaFunction, parts: readonly Part<C>[], at: number): FormulaType {
    const [type, ...others] = parts
      .filter((_, index) => this.wanted(found, index) === 'any')
      .map((part) => part.type);
    const other = others.find((candidate) => candidate !== type);
    if (type === undefined) return unreachable('input of any type');
    if (other !== undefined)
      throw new FormulaFault('formula/type', at, { expected_type: type, found_type: other });
    return type;
  }

  private wanted(found: FormulaFunction, index: number): FormulaType | 'any' {
    return found.inputs[index] ?? found.inputs[0]; // one that takes many has one type
  }

  private input(found: FormulaFunction, tree: Expression, index: number): Part<C> {
    const wanted = this.wanted(found, index);
    const part = this.compile(tree);
    if (part.many && !found.many) throw new FormulaFault('formula/many', tree.at, { name: part.label ?? '' });
    if (wanted !== 'any' && part.type !== wanted)
      throw new FormulaFault('formula/type', tree.at, { expected_type: wanted, found_type: part.type });
    return part;
  }
}

/** Parses, type-checks and compiles a formula. Throws FormulaFault with the offset of the error. */
export function compileFormula<C>(source: string, scope: Scope<C>, wanted?: FormulaType): Formula<C> {
  const emit = new Emitter<C>();
  const compiler = new Compiler(scope, emit);
  const tree = parseFormula(source);
  const { written, declarations } = emit.declaring(() => {
    const part = compiler.compile(tree);
    return { part, code: part.code };
  });
  const { type, many, label } = written.part;
  if (many) throw new FormulaFault('formula/many', 0, { name: label ?? '' });
  if (wanted !== undefined && type !== wanted)
    throw new FormulaFault('formula/type', 0, { expected_type: wanted, found_type: type });
  let compiled: ((context: C) => Tried) | undefined;
  const attempt = (context: C): Tried => {
    // A FormulaGroup never calls this.
    compiled ??= emit.compile<(context: C) => Tried>('c', `${declarations}return ${written.code};`);
    return compiled(context);
  };
  const run = (context: C): FormulaValue => RUNTIME.required(attempt(context));
  const { references, needed, absent } = compiler;
  return {
    type,
    run,
    attempt,
    write: (among) => new Compiler(scope, among).compile(tree).code,
    references,
    needed,
    absent,
    addends: addendsOf(tree),
    standIns: standInsOf(tree),
  };
}

type Texts = (a: string, b: string) => FormulaValue;

/** Caches the last result. */
function lastKept(run: Texts): Texts {
  let first: string | undefined;
  let second: string | undefined;
  let last: FormulaValue;
  return (a, b) => {
    if (first !== a || second !== b) {
      last = run(a, b);
      first = a;
      second = b;
    }
    return last;
  };
}

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

/** Returns the second inputs of all `if_blank`. */
function standInsOf(tree: Expression): readonly string[] {
  const inside = insideOf(tree).flatMap(standInsOf);
  const second = tree.kind === 'call' && tree.name === 'if_blank' ? tree.inputs[1] : undefined;
  return second?.kind === 'reference' ? [...inside, second.name] : inside;
}

function insideOf(tree: Expression): readonly Expression[] {
  switch (tree.kind) {
    case 'negate':
    case 'not':
    case 'blank':
      return [tree.operand];
    case 'in':
      return [tree.operand, ...tree.options];
    case 'call':
      return tree.inputs;
    case 'binary':
      return [tree.left, tree.right];
    default:
      return [];
  }
}
