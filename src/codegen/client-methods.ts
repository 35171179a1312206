import { bodyOf, type Operation, operationsOf, parameters, parameterType, quote } from './api-operations.js';
import type { SchemaJson } from './schema-files.js';

/** Methods by name; a group of methods is such a tree again. */
interface MethodTree extends Map<string, MethodTree | Operation> {}

const METHOD = /^[a-z]\w*(\.[a-z]\w*)+$/;

/** Puts an operation where its `x-client` says. Throws when that is no method, or another operation stands in its way. */
function place(tree: MethodTree, operation: Operation): MethodTree {
  const { operationId, 'x-client': method = '' } = operation.api;
  if (!METHOD.test(method))
    throw new Error(`${operationId}: x-client is ${JSON.stringify(method)}, not group.method`);
  const words = method.split('.');
  const name = words.pop()!;
  let group = tree;
  for (const word of words) {
    const inner = group.get(word) ?? (new Map() as MethodTree);
    if (!(inner instanceof Map)) throw new Error(`${operationId}: ${method} goes through a method`);
    group.set(word, inner);
    group = inner;
  }
  if (group.has(name)) throw new Error(`${operationId}: ${method} is taken`);
  group.set(name, operation);
  return tree;
}

const treeLines = (tree: MethodTree, indent: string): readonly string[] =>
  [...tree].flatMap(([name, node]) => {
    if (node instanceof Map) return [`${indent}${name}: {`, ...treeLines(node, `${indent}  `), `${indent}},`];
    const { api, method, path } = node;
    return [
      `${indent}/** ${api.summary}: \`${method.toUpperCase()} ${path}\`. */`,
      `${indent}${name}: ${quote(api.operationId)},`,
    ];
  });

/** Path parameters in order, then the body, then the query, as a labelled tuple. */
function argumentsLine(operation: Operation): string {
  const { api } = operation;
  const optional = api['x-optional-path'] ?? [];
  const typeOf = (part: string): string => `OperationTypes[${quote(api.operationId)}][${quote(part)}]`;
  const members = parameters(operation, 'path').map(
    (parameter) =>
      `${parameter.name}${optional.includes(parameter.name) ? '?' : ''}: ${parameterType(parameter)}`,
  );
  if (bodyOf(operation) !== null) members.push(`body: ${typeOf('body')}`);
  if (parameters(operation, 'query').length > 0) members.push(`query?: ${typeOf('query')}`);
  return `  ${api.operationId}: [${members.join(', ')}];`;
}

/** TypeScript of the typed client: where each operation hangs, and what its method takes. */
export function clientMethods(openApi: SchemaJson): string {
  const operations = operationsOf(openApi);
  const tree = operations.reduce(place, new Map() as MethodTree);
  return [
    "import type { OperationTypes } from './operations.js';",
    '',
    '/** The operation behind each method of the typed client, in groups. */',
    'export const CLIENT_METHODS = {',
    ...treeLines(tree, '  '),
    '} as const;',
    '',
    '/** What the method of an operation takes: path parameters in order, the body, the query. */',
    'export interface MethodArguments {',
    ...operations.map(argumentsLine),
    '}',
    '',
  ].join('\n');
}
