import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type { Issue, Place } from '../issues/issue.js';
import { columnLetter } from '../values/a1.js';
import type { JsonValue } from '../values/json.js';

export type YamlPath = readonly (string | number)[];

/** A YAML (1.2 core) or JSON text with the place of every node. */
export interface YamlSource {
  readonly file: string;
  readonly text: string;
  readonly value: JsonValue;
  /** Faults of the text itself. */
  readonly issues: readonly Issue[];
  /** Whether something stands at a path. */
  has(path: YamlPath): boolean;
  /** Line and column (from 1) of the value at a path, or of its key; of the nearest parent when it is not there. */
  locate(path: YamlPath, what?: 'key' | 'value', offset?: number): YamlPlace;
}

/** The issue's place names the line as row; the column is said in params too, as text columns are numbers. */
export interface YamlPlace {
  /** Another file than the mapping's own: the one that it extends. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** An issue of a mapping file, placed as `file:line:column`. */
export function mappingIssue(
  file: string,
  at: YamlPlace,
  issue: Pick<Issue, 'code'> & Partial<Pick<Issue, 'params' | 'value' | 'suggestions' | 'level'>>,
): Issue {
  const named = at.file ?? file;
  const place: Place = { file: named, line: at.line, row: at.line, column: columnLetter(at.column - 1) };
  return {
    level: 'error',
    ...issue,
    params: { ...issue.params, file: named, line: at.line, column: at.column },
    place,
  };
}

interface Plain {
  readonly value: JsonValue;
  readonly issues: readonly { readonly message: string; readonly at: number }[];
}

/** What a text comes to; an alias of nothing is only met here. */
function plainValue(document: Document): Plain {
  const issues = document.errors.map(({ message, pos }) => ({ message, at: pos[0] }));
  if (issues.length > 0) return { value: null, issues };
  try {
    return { value: document.toJS() as JsonValue, issues };
  } catch (error) {
    return { value: null, issues: [{ message: (error as Error).message, at: 0 }] };
  }
}

export function readYaml(file: string, text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: true });

  const position = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const pairAt = (path: YamlPath): { key?: Node; value?: Node } | undefined => {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    if (!isMap(parent)) return undefined;
    const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === path.at(-1));
    return pair === undefined
      ? undefined
      : { key: pair.key as Node, ...(isNode(pair.value) && { value: pair.value }) };
  };

  const { value, issues } = plainValue(document);
  return {
    file,
    text,
    has: (path) => document.hasIn(path),
    value,
    issues: issues.map(({ message, at }) =>
      mappingIssue(file, position(at), {
        code: 'mapping/yaml',
        params: { reason: message.split('\n')[0]!.replace(/ at line.*$/, '') },
      }),
    ),
    locate(path, what = 'value', offset = 0) {
      for (let depth = path.length; depth > 0; depth--) {
        const at = path.slice(0, depth);
        const pair = pairAt(at);
        const node =
          what === 'key' && pair?.key ? pair.key : (pair?.value ?? document.getIn(at, true) ?? pair?.key);
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
