/** Tokens of the formula language. `at` is the 0-based offset in the source. */
export type Token =
  | { readonly kind: 'number' | 'text' | 'name' | 'pointer'; readonly text: string; readonly at: number }
  | { readonly kind: 'word' | 'sign' | 'end'; readonly text: string; readonly at: number };

/** What is wrong with a formula, and where in it. */
export class FormulaFault extends Error {
  constructor(
    readonly reason: string,
    readonly at: number,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(reason);
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

/** Whether a token ends an operand: after one, `/` divides; elsewhere it starts a pointer. */
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

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const char = source[at]!;
    if (/\s/.test(char)) {
      at += 1;
      continue;
    }
    if (char === "'" || char === '"') {
      const end = source.indexOf(char, at + 1);
      if (end < 0) throw new FormulaFault('open-text', at);
      tokens.push({ kind: 'text', text: source.slice(at + 1, end), at });
      at = end + 1;
      continue;
    }
    const pointer = char === '/' && !endsOperand(tokens.at(-1)) ? match(POINTER, source, at) : undefined;
    const number = pointer === undefined ? match(NUMBER, source, at) : undefined;
    const name = number === undefined ? match(NAME, source, at) : undefined;
    const text = pointer ?? number ?? name ?? match(SIGN, source, at);
    if (text === undefined) throw new FormulaFault('unexpected', at, { found: char });
    if (pointer !== undefined) tokens.push({ kind: 'pointer', text, at });
    else if (number !== undefined) tokens.push({ kind: 'number', text, at });
    else if (name !== undefined) tokens.push({ kind: WORDS.has(name) ? 'word' : 'name', text, at });
    else tokens.push({ kind: 'sign', text, at });
    at += text.length;
  }
  tokens.push({ kind: 'end', text: '', at: source.length });
  return tokens;
}
