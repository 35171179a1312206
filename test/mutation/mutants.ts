import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** Rooms whose tests are judged. */
export const ROOMS = [
  'toolkit/documents',
  'toolkit/mapping',
  'toolkit/tables',
  'toolkit/schema',
  'send',
  'families',
  'toolkit/inspect',
] as const;

/** A fault put into a built file: the text between two offsets is replaced. */
export interface Mutant {
  readonly id: number;
  readonly room: string;
  /** Path below `dist`. */
  readonly file: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
  /** The line of code, and what it becomes. */
  readonly before: string;
  readonly after: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** A change that keeps a file valid. */
type Change = readonly [from: number, to: number, replacement: string];

const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
const COMPARED: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===' },
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+' },
};

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Visits a tree; what throws or builds a text is left out, as no behaviour hangs on it that a test should hold. */
function visit(node: Node, look: (node: Node) => void): void {
  if (node.type === 'ThrowStatement' || node.type === 'TemplateLiteral' || node.type === 'ImportDeclaration')
    return;
  look(node);
  for (const value of Object.values(node))
    if (Array.isArray(value)) for (const item of value) isNode(item) && visit(item, look);
    else if (isNode(value)) visit(value, look);
}

const isText = (node: unknown): boolean =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string';

function operatorChange(text: string, node: Node, names: Readonly<Record<string, string>>): Change[] {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
  const other = names[operator];
  if (other === undefined || isText(left) || (isText(right) && operator === '+')) return [];
  const at = text.indexOf(operator, left.end);
  return at < 0 || at > right.start ? [] : [[at, at + operator.length, other]];
}

function negation(text: string, test: unknown): Change[] {
  if (!isNode(test)) return [];
  return [[test.start, test.end, `!(${text.slice(test.start, test.end)})`]];
}

/** The faults that can be put in at a node. */
function changesAt(text: string, node: Node): Change[] {
  switch (node.type) {
    case 'LogicalExpression':
      return operatorChange(text, node, LOGICAL);
    case 'BinaryExpression':
      return operatorChange(text, node, COMPARED);
    case 'IfStatement':
    case 'ConditionalExpression':
      return negation(text, node['test']);
    case 'Literal':
      if (typeof node['value'] === 'boolean') return [[node.start, node.end, String(!node['value'])]];
      return typeof node['value'] === 'number' ? [[node.start, node.end, `${node['value'] + 1}`]] : [];
    case 'ExpressionStatement': {
      const { type } = node['expression'] as Node;
      return type === 'CallExpression' ? [[node.start, node.end, ';']] : [];
    }
    default:
      return [];
  }
}

/** A generator of numbers from 0 to below 1 that gives the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const lineAt = (
  text: string,
  from: number,
): { readonly number: number; readonly start: number; readonly end: number } => {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', from);
  return { number: text.slice(0, from).split('\n').length, start, end: end < 0 ? text.length : end };
};

/** Chooses so many faults of each room by chance, the same for the same seed and sources. */
export function chooseMutants(built: string, seed: number, each: number): readonly Mutant[] {
  const chance = seeded(seed);
  const mutants: Mutant[] = [];
  for (const room of ROOMS) {
    const files = readdirSync(join(built, room), { recursive: true, encoding: 'utf8' })
      .map((file) => join(room, file).replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.js'))
      .sort();
    const all = files.flatMap((file) => {
      const text = readFileSync(join(built, file), 'utf8');
      const found: Change[] = [];
      visit(parseAst(text) as never, (node) => found.push(...changesAt(text, node)));
      return found.map((change) => ({ file, text, change }));
    });
    const chosen = new Set<number>();
    while (chosen.size < Math.min(each, all.length)) chosen.add(Math.floor(chance() * all.length));
    for (const at of chosen) {
      const { file, text, change } = all[at]!;
      const [from, to, replacement] = change;
      const line = lineAt(text, from);
      mutants.push({
        id: mutants.length,
        room,
        file,
        line: line.number,
        from,
        to,
        replacement,
        before: text.slice(line.start, line.end).trim(),
        after: (text.slice(line.start, from) + replacement + text.slice(to, Math.max(to, line.end))).trim(),
      });
    }
  }
  return mutants;
}

export const mutated = (text: string, { from, to, replacement }: Mutant): string =>
  text.slice(0, from) + replacement + text.slice(to);
