import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** True for the rooms that turn files into documents and know no service, no journal and no family. */
export const isToolkit = (path: string): boolean => path.startsWith('toolkit/');

interface SourceFile {
  /** Path below `src`, with slashes. */
  readonly path: string;
  readonly room: string;
  readonly text: string;
}

/** Rooms of the use cases; the worker of a queue is one. */
const USE_CASES = ['app', 'server'];

/** Folder of a file below `src`; below `toolkit`, its folder there. */
const roomOf = (path: string): string => path.replace(/^toolkit\//, '').split('/')[0]!;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Hand-written sources, generated ones left out. */
export function readSources(): readonly SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.startsWith('generated/'))
    .sort()
    .map((path) => ({ path, room: roomOf(path), text: readFileSync(join('src', path), 'utf8') }));
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Visits every node of a file, parents first. */
export function visit(node: Node, look: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  look(node, parent);
  for (const value of Object.values(node))
    if (Array.isArray(value)) for (const item of value) isNode(item) && visit(item, look, node);
    else if (isNode(value)) visit(value, look, node);
}

const treeOf = ({ path, text }: SourceFile): Node =>
  parseAst(text, { lang: path.endsWith('x') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts' }) as never;

const linesOf = (text: string, { start, end }: Node): number => text.slice(start, end).split('\n').length;

const nameOf = (node: Node | undefined): string => {
  const name = (node?.['id'] ?? node?.['key']) as { readonly name?: string } | null | undefined;
  return name?.name ?? '';
};

export interface LongFunction {
  readonly name: string;
  readonly path: string;
  readonly lines: number;
}

/** Facts of one source file. */
interface Measured {
  readonly nonNull: number;
  readonly functions: readonly LongFunction[];
  /** Optional members and all members, by name of the interface. */
  readonly interfaces: ReadonlyMap<string, { readonly optional: number; readonly members: number }>;
  /** Text without comments. */
  readonly code: string;
}

function measure(file: SourceFile): Measured {
  let nonNull = 0;
  const functions: LongFunction[] = [];
  const interfaces = new Map<string, { optional: number; members: number }>();
  visit(treeOf(file), (node, parent) => {
    if (node.type === 'TSNonNullExpression') nonNull += 1;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const name = nameOf(node) || nameOf(parent);
      if (name !== '') functions.push({ name, path: file.path, lines: linesOf(file.text, node) });
    }
    if (node.type === 'TSInterfaceDeclaration') {
      const members = (node['body'] as unknown as { readonly body: readonly Node[] }).body;
      interfaces.set(nameOf(node), {
        optional: members.filter((member) => member['optional'] === true).length,
        members: members.length,
      });
    }
  });
  const code = file.text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return { nonNull, functions, interfaces, code };
}

/** Parts of a family, by their types. */
const CAPABILITIES = [
  'DocumentPart',
  'Delivery',
  'ReportPart',
  'Corrections',
  'Inquiry',
  'Authority',
  'PaperDocuments',
  'Setup',
];

const COLOMBIAN = /payroll|rips|cufe|cune|\bdian\b|colomb|invoice/gi;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Measures the sources: each figure by name, smaller is better. */
export function measureHouse(): Readonly<Record<string, number>> {
  const files = readSources().map((file) => ({ ...file, ...measure(file) }));
  const toolkit = files.filter(({ path }) => isToolkit(path));
  const lines = (some: typeof files): number => sum(some.map(({ text }) => text.split('\n').length - 1));
  const matches = (some: typeof files, pattern: RegExp): number =>
    sum(some.map(({ code }) => code.match(pattern)?.length ?? 0));
  const longest = (some: typeof files): number =>
    Math.max(...some.flatMap(({ functions }) => functions.map((one) => one.lines)));
  const interfaceOf = (path: string, name: string) =>
    files.find((file) => file.path === path)?.interfaces.get(name);
  const inApp = files.filter(({ room }) => USE_CASES.includes(room));
  return {
    'lines of src': lines(files),
    'lines of the toolkit without inspect': lines(toolkit.filter(({ room }) => room !== 'inspect')),
    'non-null assertions in src': sum(files.map(({ nonNull }) => nonNull)),
    'non-null assertions in documents': sum(
      files.filter(({ room }) => room === 'documents').map(({ nonNull }) => nonNull),
    ),
    'files of toolkit and app that know threads or processes': [...toolkit, ...inApp].filter(({ code }) =>
      /node:(worker_threads|child_process|cluster)/.test(code),
    ).length,
    'places that open an input': matches(
      files.filter(({ path }) => !/^toolkit\/(tables\/open|documents\/opened)\.ts$/.test(path)),
      /\bopenInput\(|\bnew Opened\(|\bwithOpened\(/g,
    ),
    'lines of the longest function in the toolkit': longest(toolkit),
    'lines of the longest function in app': longest(inApp),
    'capabilities of a family': interfaceOf('families/family.ts', 'Capabilities')?.members ?? 0,
    'optional members of a capability': Math.max(
      ...CAPABILITIES.map((name) => interfaceOf('families/family.ts', name)!.optional),
    ),
    'members of the largest options in app': Math.max(
      ...inApp.flatMap(({ interfaces }) =>
        [...interfaces].flatMap(([name, { members }]) => (name.endsWith('Options') ? [members] : [])),
      ),
    ),
    'words of Colombia in the toolkit': matches(toolkit, COLOMBIAN),
  };
}

/** The longest functions of the toolkit and of app. */
export const longestFunctions = (most: number): readonly LongFunction[] =>
  readSources()
    .filter(({ path, room }) => USE_CASES.includes(room) || isToolkit(path))
    .flatMap((file) => measure(file).functions)
    .sort((a, b) => b.lines - a.lines)
    .slice(0, most);
