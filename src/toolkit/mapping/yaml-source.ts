import { closeSync, openSync, readSync } from 'node:fs';
import type { Document, LineCounter, Node } from 'yaml';
import type { REASONS } from '../../generated/texts-issue.js';
import { type Issue, type IssueCode, issueOf, type Params, type Suggestion } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { SETTINGS } from '../core/limits.js';
import { columnLetter, suggest } from '../core/text.js';
import { yaml } from '../core/yaml.js';
import type { FormulaFault } from '../formula/parser.js';
import type { ShapeFault } from '../schema/registry.js';
import { shippedValue } from './shipped.js';

export type YamlPath = readonly (string | number)[];

/** A YAML (1.2 core) or JSON text with the place of every node. */
export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly value: JsonValue;
  /** Faults of the text itself. */
  readonly issues: readonly Issue[];
  /** True if all of it came with this program, whose build checked its shape. */
  readonly shipped: boolean;
  /** True if a vocabulary says what its concepts mean. */
  readonly hasVocabulary?: boolean;
  has(path: YamlPath): boolean;
  /** True if only the mapping that it extends has a value at a path. */
  inherits(path: YamlPath): boolean;
  /** True if the text itself has a value at a path, not only its expansion. */
  isWritten(path: YamlPath): boolean;
  /** Line and column (from 1) of the value at a path, or of its key; of the nearest parent when it is not there. */
  locate(path: YamlPath, what?: 'key' | 'value', offset?: number): YamlPlace;
}

/** The issue's place names the line as row; the column is said in params too, as text columns are numbers. */
interface YamlPlace {
  /** Another file than the mapping's own: the one that it extends. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** An issue of a mapping file, placed as `file:line:column`. */
export function mappingIssue<C extends IssueCode>(
  file: string,
  { file: placeFile = file, line, column }: YamlPlace,
  code: C,
  ...[{ params = {} as Params<C>, ...found } = {}]: FindingOf<C>
): Issue {
  const place = { file: placeFile, line, character: column, row: line, column: columnLetter(column - 1) };
  return { ...issueOf<IssueCode>(code, 'error', params, place), ...found };
}

const SIGNS = /[[\]{},:?*&!#"'\n]|- /g;
/** Levels in the text that the parser certainly manages. */
const MAX_NESTING = 400;
const INDENT: ReadonlySet<string> = new Set([' ', '-', '?', ':']);
const MAX_FAULTS = 100;

/** A file of settings as text: of one that is too large to be any, no more than shows it. */
export function readSmallText(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(SETTINGS.maxBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** Fault of a text by its reason: the parser's, or one of the limits of this file. */
interface Fault {
  readonly reason: keyof typeof REASONS;
  readonly at: number;
}

interface Parsed {
  readonly lines: LineCounter;
  readonly document: Document;
  readonly value: JsonValue;
  readonly faults: readonly Fault[];
  /** Came with this program: its shape was checked when that was built. */
  readonly shipped?: true;
}

/** Returns a text whose value is known; it is parsed only when places are read. */
function knownText(text: string, value: JsonValue): Parsed {
  let parsed: Parsed | undefined;
  const read = (): Parsed => {
    parsed ??= parse(text);
    return parsed;
  };
  return {
    value,
    faults: [],
    get lines() {
      return read().lines;
    },
    get document() {
      return read().document;
    },
  };
}

function shipped(text: string): Parsed | undefined {
  const value = shippedValue(text);
  return value === undefined ? undefined : Object.assign(knownText(text, value), { shipped: true as const });
}

const MAX_PLAIN_JSON_CHARACTERS = 65_536;
/** Keys of a JSON text: texts before a colon. */
const KEYS = /"(?:[^"\\]|\\.)*"\s*:/g;

/** Reads a small JSON object without the YAML parser; undefined if it may have a fault. */
function plainJson(text: string): Parsed | undefined {
  if (text.length > MAX_PLAIN_JSON_CHARACTERS || !/^\s*\{/.test(text)) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const isComplete = keysIn(value) === (text.match(KEYS) ?? []).length;
  return isComplete ? knownText(text, value) : undefined;
}

/** Returns the number of keys of all maps; NaN if they are nested too deep. */
function keysIn(value: JsonValue, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= SETTINGS.maxDepth) return Number.NaN;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, member) => sum + keysIn(member, depth + 1), keys);
}

/** Parses any text; faults are returned, never thrown. */
function parse(text: string): Parsed {
  const { Document, LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const refused = (reason: Fault['reason'], at = 0): Parsed => ({
    lines,
    document: new Document(),
    value: null,
    faults: [{ reason, at }],
  });
  if (text.length > SETTINGS.maxBytes || Buffer.byteLength(text) > SETTINGS.maxBytes)
    return refused('TOO_LARGE');
  let signs = 0;
  for (const _ of text.matchAll(SIGNS)) if (++signs > SETTINGS.maxSigns) return refused('TOO_MANY');
  const deep = tooDeep(text);
  if (deep !== undefined) return refused('TOO_DEEP', deep);
  try {
    // Keys are compared below: the parser compares each with all others, which takes minutes in a long map.
    const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: false });
    const faults = document.errors
      .slice(0, MAX_FAULTS)
      .map(({ code, pos }): Fault => ({ reason: code, at: pos[0] }));
    if (faults.length === 0) faults.push(...wrongNodes(document));
    // An alias of nothing, and one of too much, are only met by toJS.
    return {
      lines,
      document,
      value: faults.length > 0 ? null : (document.toJS({ maxAliasCount: SETTINGS.maxAliases }) as JsonValue),
      faults,
    };
  } catch {
    return refused('BAD_ALIAS');
  }
}

/**
 * Returns the offset at which a text is nested so deep that the parser would overflow its stack and end the process;
 * undefined if it is not. Brackets inside of texts count as well.
 */
function tooDeep(text: string): number | undefined {
  let open = 0;
  let indent = 0;
  let isIndent = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\n') {
      indent = 0;
      isIndent = true;
    } else if (isIndent && sign !== undefined && INDENT.has(sign)) indent += 1;
    else isIndent = false;
    if (sign === '[' || sign === '{') open += 1;
    else if ((sign === ']' || sign === '}') && open > 0) open -= 1;
    if (open > MAX_NESTING || indent > MAX_NESTING) return at;
  }
  return undefined;
}

/** Keys that come twice in their map, and what lies too deep. */
function wrongNodes(document: Document): Fault[] {
  const { isCollection, isMap, isScalar, visit } = yaml();
  const faults: Fault[] = [];
  visit(document, {
    Collection(_, node, above) {
      const [at = 0] = node.range ?? [];
      if (above.filter(isCollection).length >= SETTINGS.maxDepth) {
        faults.push({ reason: 'TOO_DEEP', at });
        return visit.BREAK;
      }
      if (!isMap(node)) return undefined;
      const seen = new Set<unknown>();
      for (const { key } of node.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) faults.push({ reason: 'DUPLICATE_KEY', at: key.range?.[0] ?? 0 });
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return faults;
}

/** Max texts kept parsed, and max characters of each: a run reads its mapping several times. */
const MAX_CACHED_TEXTS = 8;
const MAX_CACHED_CHARACTERS = 100_000;
const recent = new Map<string, Parsed>();

function parsed(text: string): Parsed {
  const known = recent.get(text) ?? shipped(text) ?? plainJson(text) ?? parse(text);
  if (text.length > MAX_CACHED_CHARACTERS) return known;
  recent.delete(text);
  recent.set(text, known);
  for (const oldest of recent.keys()) if (recent.size > MAX_CACHED_TEXTS) recent.delete(oldest);
  return known;
}

const stands = (value: JsonValue | undefined, [key, ...below]: YamlPath): boolean => {
  if (key === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  return stands((value as Record<string | number, JsonValue>)[key], below);
};

export function readYaml(file: string, text: string): YamlSource {
  const source = parsed(text);
  const { value, faults } = source;

  const position = (offset: number): YamlPlace => {
    const { line, col } = source.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const pairAt = (path: YamlPath): { key?: Node; value?: Node } | undefined => {
    const { document } = source;
    const { isMap, isNode, isScalar } = yaml();
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    if (!isMap(parent)) return undefined;
    const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === path.at(-1));
    return pair === undefined
      ? undefined
      : { key: pair.key as Node, ...(isNode(pair.value) && { value: pair.value }) };
  };

  return {
    file,
    text,
    has: (path) => stands(value, path),
    inherits: () => false,
    isWritten: (path) => source.document.hasIn(path),
    value,
    shipped: source.shipped === true,
    issues: faults.map(({ reason, at }) =>
      mappingIssue(file, position(at), 'mapping/yaml', { params: { reason } }),
    ),
    locate(path, what = 'value', offset = 0) {
      const { isNode, isScalar } = yaml();
      for (let depth = path.length; depth > 0; depth--) {
        const at = path.slice(0, depth);
        const pair = pairAt(at);
        const node =
          what === 'key' && pair?.key
            ? pair.key
            : (pair?.value ?? source.document.getIn(at, true) ?? pair?.key);
        const start = isNode(node) ? node.range?.[0] : undefined;
        if (start === undefined) continue;
        const quoted =
          isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') ? 1 : 0;
        const single = isScalar(node) && (quoted === 1 || node.type === 'PLAIN');
        return position(start + (depth === path.length && single ? offset + (offset > 0 ? quoted : 0) : 0));
      }
      return { line: 1, column: 1 };
    },
  };
}

/** Issues of a mapping file, collected while it is compiled, each at its line and column. */
export interface Lint {
  readonly issues: Issue[];
  /** True if the build of this program checked its shape. */
  readonly shipped: boolean;
  report<C extends IssueCode>(path: YamlPath, code: C, ...[finding]: FindingOf<C>): void;
  /** True if only the mapping that it extends has a value at a path. */
  inherits(path: YamlPath): boolean;
  /** Reports a fault inside a formula, at its place in the text. */
  formula(path: YamlPath, fault: FormulaFault): void;
}

interface LintFinding {
  readonly value?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Point at the key rather than at the value. */
  readonly key?: boolean;
}

/** Details of a finding in addition to its code; optional if the code needs no params. */
export type FindingOf<C extends IssueCode> =
  Record<string, never> extends Params<C>
    ? [finding?: LintFinding & { readonly params?: Params<C> }]
    : [finding: LintFinding & { readonly params: Params<C> }];

export function createLint(source: YamlSource): Lint {
  const issues: Issue[] = [...source.issues];
  return {
    issues,
    shipped: source.shipped,
    inherits: (path) => source.inherits(path),
    report(path, code, ...[finding]) {
      const at = source.locate(path, finding?.key ? 'key' : 'value');
      issues.push(mappingIssue<IssueCode>(source.file, at, code, finding));
    },
    formula(path, fault) {
      const { code, params, near, at } = fault;
      issues.push(
        mappingIssue<IssueCode>(source.file, source.locate(path, 'value', at), code, {
          params,
          ...(near !== undefined && { suggestions: [{ value: near, score: 1 }] }),
        }),
      );
    },
  };
}

type JsonMap = { readonly [key: string]: JsonValue };

/** Keys that say where a value comes from: a node that names another one stands alone. */
const SOURCES = [
  'from',
  'const',
  'param',
  'lookup',
  'formula',
  'parts',
  'sequence',
  'read',
  'classify',
  'record',
  'of',
  'undecided',
];

export const sourceOf = (node: JsonMap): string | undefined => SOURCES.find((key) => key in node);

/** Lists of what is ignored and of checks: one's own come before those of the base. */
const ADDED: ReadonlySet<string | number | undefined> = new Set(['ignore', 'ignore_sheets', 'checks']);

/** Returns the path in the base of a path in a merged mapping, whose lists begin with the added entries. */
export const inBase = (over: JsonValue, path: YamlPath): YamlPath =>
  path.map((key, at) => {
    if (typeof key !== 'number' || !ADDED.has(path[at - 1])) return key;
    const list = valueAt(over, path.slice(0, at));
    return Array.isArray(list) ? key - list.length : key;
  });

const valueAt = (value: JsonValue | undefined, path: YamlPath): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((node, key) => (isObject(node) ? node[key] : undefined), value);

/** Merges one mapping over another: maps merge, ignored columns, sheets and checks add up, null removes a key, other values replace. */
function overlaid(base: JsonValue, over: JsonValue): JsonValue {
  if (!isObject(base) || !isObject(over)) return over;
  const source = sourceOf(over);
  if (source !== undefined && source !== sourceOf(base)) return over;
  const merged: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete merged[key];
    else {
      const below = base[key];
      const added = ADDED.has(key) && Array.isArray(below) && Array.isArray(value);
      merged[key] = below === undefined ? value : added ? [...value, ...below] : overlaid(below, value);
    }
  }
  return merged;
}

/** Merges one mapping over another; lookups and joins of the base go with the columns that they need. */
export function mappingOver(base: JsonValue, over: JsonValue): JsonValue {
  const merged = overlaid(base, over);
  const tables = Object.entries((valueAt(over, ['tables']) ?? {}) as JsonMap).flatMap(([id, table]) => {
    const overColumns = (valueAt(table, ['columns']) ?? {}) as JsonMap;
    const isTaken = (match: JsonValue): boolean => overColumns[String(valueAt(match, ['from']))] === null;
    const gone = Object.entries((valueAt(base, ['tables', id, 'columns']) ?? {}) as JsonMap).filter(
      ([column, spec]) => {
        const matches = valueAt(spec, ['lookup', 'match']);
        return !(column in overColumns) && Array.isArray(matches) && matches.every(isTaken);
      },
    );
    const columns = Object.fromEntries(gone.map(([column]) => [column, null]));
    const whose = Object.keys((valueAt(base, ['tables', id, 'join', 'whose']) ?? {}) as JsonMap);
    const isGone = (column: string): boolean => overColumns[column] === null || column in columns;
    const join = whose.some(isGone) ? { join: { whose: null } } : {};
    return gone.length === 0 ? [] : [[id, { columns, ...join }]];
  });
  return tables.length === 0 ? merged : overlaid(merged, { tables: Object.fromEntries(tables) });
}

/** Reports what a part of a mapping has wrong in its shape, at the keys and values of the file. */
export function reportShape(lint: Lint, path: YamlPath, faults: readonly ShapeFault[]): void {
  for (const fault of faults) {
    const at = [...path, ...fault.path];
    if (fault.kind === 'unknown-key')
      lint.report([...at, fault.key], 'mapping/unknown-key', {
        value: fault.key,
        suggestions: suggest(fault.key, fault.known, 1),
        key: true,
      });
    else if (fault.kind === 'missing-key')
      lint.report(at, 'mapping/missing-key', { value: fault.key, key: true });
    else
      lint.report(at, 'mapping/shape', {
        params: { expected_es: fault.expected.es, expected_en: fault.expected.en },
        ...(fault.value !== undefined && { suggestions: suggest(fault.value, fault.known, 1) }),
      });
  }
}
