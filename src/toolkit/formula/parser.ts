import type { OwnCode } from '../../generated/issue-codes.js';
import type { Params, ParamsOf } from '../core/issue.js';

/** Tokens of the formula language. `at` is the 0-based offset in the source. */
type Token =
  | { readonly kind: 'number' | 'text' | 'name' | 'pointer'; readonly text: string; readonly at: number }
  | { readonly kind: 'word' | 'sign' | 'end'; readonly text: string; readonly at: number };

type FormulaCode = Extract<OwnCode, `formula/${string}`>;

/** Error in a formula, with its offset. */
export class FormulaFault<C extends FormulaCode = FormulaCode> extends Error {
  readonly params: Params<C>;
  /** Known name that resembles the unknown one. */
  readonly near: string | undefined;
  constructor(
    readonly code: C,
    readonly at: number,
    ...rest: ParamsOf<C, string>
  ) {
    super(code);
    const [params, near] = rest as [Params<C>?, string?];
    this.params = params ?? ({} as Params<C>);
    this.near = near;
  }
}

const WORDS = new Set(['and', 'or', 'not', 'in', 'is', 'blank', 'true', 'false']);
const NUMBER = /\d+(?:\.\d+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?/y;
const POINTER = /(?:\/(?:[A-Za-z0-9_]+|\*|\^))+/y;
const SIGN = /<>|<=|>=|[-+*/(),=<>]/y;

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** True if a token ends an operand: after one, `/` divides; elsewhere it starts a pointer. */
const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'number' ||
    token.kind === 'text' ||
    token.kind === 'name' ||
    token.kind === 'pointer' ||
    token.text === ')' ||
    token.text === 'blank' ||
    token.text === 'true' ||
    token.text === 'false');

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    if (/\s/.test(char)) {
      at += 1;
      continue;
    }
    if (char === "'" || char === '"') {
      const end = source.indexOf(char, at + 1);
      if (end < 0) throw new FormulaFault('formula/open-text', at);
      tokens.push({ kind: 'text', text: source.slice(at + 1, end), at });
      at = end + 1;
      continue;
    }
    const pointer = char === '/' && !endsOperand(tokens.at(-1)) ? match(POINTER, source, at) : undefined;
    const number = pointer === undefined ? match(NUMBER, source, at) : undefined;
    const name = number === undefined ? match(NAME, source, at) : undefined;
    const text = pointer ?? number ?? name ?? match(SIGN, source, at);
    if (text === undefined) throw new FormulaFault('formula/unexpected', at, { found: char });
    if (pointer !== undefined) tokens.push({ kind: 'pointer', text, at });
    else if (number !== undefined) tokens.push({ kind: 'number', text, at });
    else if (name !== undefined) tokens.push({ kind: WORDS.has(name) ? 'word' : 'name', text, at });
    else tokens.push({ kind: 'sign', text, at });
    at += text.length;
  }
  return tokens;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '=' | '<>' | '<' | '<=' | '>' | '>=' | 'and' | 'or';

/** Syntax tree of a formula; `at` is the offset of the node. */
export type Expression =
  | { readonly kind: 'number' | 'text'; readonly value: string; readonly at: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: number }
  | { readonly kind: 'reference'; readonly name: string; readonly at: number }
  | { readonly kind: 'pointer'; readonly pointer: string; readonly at: number }
  | { readonly kind: 'negate' | 'not'; readonly operand: Expression; readonly at: number }
  | { readonly kind: 'blank'; readonly operand: Expression; readonly at: number }
  | {
      readonly kind: 'in';
      readonly operand: Expression;
      readonly options: readonly Expression[];
      readonly at: number;
    }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly inputs: readonly Expression[];
      readonly at: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    };

/** Binary operators from loosest to tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
];
const COMPARISONS = 2;
/** Max tokens of a formula; real ones have far fewer. */
const MAX_TOKENS = 2_000;
const MAX_DEPTH = 100;

/** Recursive descent over the tokens; throws FormulaFault. */
class Parser {
  private position = 0;
  private depth = 0;
  constructor(
    private readonly tokens: readonly Token[],
    private readonly end: Token,
  ) {}

  formula(): Expression {
    const tree = this.level(0);
    if (this.peek().kind !== 'end') throw this.unexpected();
    return tree;
  }

  private peek(): Token {
    return this.tokens[this.position] ?? this.end;
  }

  private accept(text: string): boolean {
    const token = this.peek();
    if ((token.kind !== 'sign' && token.kind !== 'word') || token.text !== text) return false;
    this.position += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.accept(text))
      throw new FormulaFault('formula/expected', this.peek().at, { expected: text, found: this.peek().text });
  }

  private unexpected(): FormulaFault {
    const token = this.peek();
    return token.kind === 'end'
      ? new FormulaFault('formula/ends-early', token.at)
      : new FormulaFault('formula/unexpected', token.at, { found: token.text });
  }

  private level(depth: number): Expression {
    const operators = LEVELS[depth];
    if (operators === undefined) return this.unary();
    let left = depth === COMPARISONS ? this.tested(depth) : this.level(depth + 1);
    for (;;) {
      const { text, at, kind } = this.peek();
      if ((kind !== 'sign' && kind !== 'word') || !operators.includes(text)) return left;
      this.position += 1;
      left = { kind: 'binary', operator: text as BinaryOperator, left, right: this.level(depth + 1), at };
    }
  }

  /** Parses `x is blank`, `x is not blank`, `x in ('a', 'b')`, `x not in (…)`. */
  private tested(depth: number): Expression {
    const operand = this.level(depth + 1);
    const { at } = this.peek();
    if (this.accept('is')) {
      const negative = this.accept('not');
      this.expect('blank');
      return this.maybeNot(negative, { kind: 'blank', operand, at });
    }
    const negative =
      this.peek().text === 'not' && this.tokens[this.position + 1]?.text === 'in' && this.accept('not');
    if (!this.accept('in')) return operand;
    this.expect('(');
    const options = this.list();
    return this.maybeNot(negative, { kind: 'in', operand, options, at });
  }

  private maybeNot(negative: boolean, operand: Expression): Expression {
    return negative ? { kind: 'not', operand, at: operand.at } : operand;
  }

  /** Parses a unary operand; counts the depth, since every nested construct passes here. */
  private unary(): Expression {
    const { at } = this.peek();
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new FormulaFault('formula/too-long', at);
    const tree: Expression = this.accept('not')
      ? { kind: 'not', operand: this.level(COMPARISONS), at }
      : this.accept('-')
        ? { kind: 'negate', operand: this.unary(), at }
        : this.primary();
    this.depth -= 1;
    return tree;
  }

  private primary(): Expression {
    const token = this.peek();
    const { at, text } = token;
    this.position += 1;
    switch (token.kind) {
      case 'number':
      case 'text':
        return { kind: token.kind, value: text, at };
      case 'pointer':
        return { kind: 'pointer', pointer: text, at };
      case 'name':
        return this.accept('(')
          ? { kind: 'call', name: text, inputs: this.list(), at }
          : { kind: 'reference', name: text, at };
      case 'word':
        if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', at };
        break;
      case 'sign':
        if (text === '(') {
          const inner = this.level(0);
          this.expect(')');
          return inner;
        }
    }
    this.position -= 1;
    throw this.unexpected();
  }

  private list(): Expression[] {
    const items: Expression[] = [];
    if (this.accept(')')) return items;
    do items.push(this.level(0));
    while (this.accept(','));
    this.expect(')');
    return items;
  }
}

export function parseFormula(source: string): Expression {
  const tokens = tokenize(source);
  const excess = tokens[MAX_TOKENS];
  if (excess !== undefined) throw new FormulaFault('formula/too-long', excess.at);
  return new Parser(tokens, { kind: 'end', text: '', at: source.length }).formula();
}
