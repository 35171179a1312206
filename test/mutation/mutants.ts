import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** Rooms whose tests are judged, with the folder of their own tests. */
export const ROOMS = {
  'toolkit/documents': 'documents',
  'toolkit/mapping': 'mapping',
  'toolkit/tables': 'tables',
  'toolkit/schema': 'schema',
  send: 'send',
  families: 'families',
  'toolkit/inspect': 'inspect',
} as const;

export type Room = keyof typeof ROOMS;
export const ROOM_NAMES = Object.keys(ROOMS) as readonly Room[];

/** A fault in a built file: an expression or a statement that does something else. */
export interface Mutant {
  readonly id: number;
  readonly room: Room;
  /** Path below `dist`. */
  readonly file: string;
  readonly line: number;
  readonly change: Change;
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

/** A change that keeps a file valid: the text of a node, and the part of it that is replaced. */
interface Change {
  readonly node: Node;
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

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
  // A number that is a key of an object is no expression.
  for (const [member, value] of Object.entries(node))
    if (member === 'key') continue;
    else if (Array.isArray(value)) for (const item of value) isNode(item) && visit(item, look);
    else if (isNode(value)) visit(value, look);
}

const isText = (node: unknown): boolean =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string';

function operatorChange(text: string, node: Node, names: Readonly<Record<string, string>>): Change[] {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
  const replacement = names[operator];
  if (replacement === undefined || isText(left) || (isText(right) && operator === '+')) return [];
  const from = text.indexOf(operator, left.end);
  return from < 0 || from > right.start ? [] : [{ node, from, to: from + operator.length, replacement }];
}

const wholeChange = (node: Node, replacement: string): Change[] => [
  { node, from: node.start, to: node.end, replacement },
];

const negation = (text: string, test: unknown): Change[] =>
  isNode(test) ? wholeChange(test, `!(${text.slice(test.start, test.end)})`) : [];

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
      if (typeof node['value'] === 'boolean') return wholeChange(node, String(!node['value']));
      return typeof node['value'] === 'number' ? wholeChange(node, `${node['value'] + 1}`) : [];
    case 'ExpressionStatement':
      return (node['expression'] as Node).type === 'CallExpression' ? wholeChange(node, ';') : [];
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
  for (const room of ROOM_NAMES) {
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
      const { from, to, replacement } = change;
      const line = lineAt(text, from);
      mutants.push({
        id: mutants.length,
        room,
        file,
        line: line.number,
        change,
        before: text.slice(line.start, line.end).trim(),
        after: (text.slice(line.start, from) + replacement + text.slice(to, Math.max(to, line.end))).trim(),
      });
    }
  }
  return mutants;
}

/** Puts all faults of a file into it, each behind its switch: one text serves for all, and is loaded as it is for each. */
export function withSwitches(text: string, mutants: readonly Mutant[], switchPath: string): string {
  const before = new Map<number, string>();
  const after = new Map<number, string>();
  // From the inside out: what begins where something larger begins stands behind it.
  const sized = mutants.toSorted(
    ({ change: { node: a } }, { change: { node: b } }) => a.end - a.start - (b.end - b.start),
  );
  for (const { id, change } of sized) {
    const { node, from, to, replacement } = change;
    const other = text.slice(node.start, from) + replacement + text.slice(to, node.end);
    // Braces outside too: an else may follow.
    const [open, close] =
      node.type === 'ExpressionStatement'
        ? [`{ if (!isOn(${id})) {`, '} }']
        : [`(isOn(${id}) ? (${other}) : (`, '))'];
    before.set(node.start, open + (before.get(node.start) ?? ''));
    after.set(node.end, (after.get(node.end) ?? '') + close);
  }
  const places = [...new Set([0, ...before.keys(), ...after.keys(), text.length])].sort((a, b) => a - b);
  const parts = places.map(
    (place, index) =>
      (after.get(place) ?? '') + (before.get(place) ?? '') + text.slice(place, places[index + 1] ?? place),
  );
  return `import { isOn } from '${switchPath}';\n${parts.join('')}`;
}
