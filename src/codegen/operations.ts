import { parseRef, type SchemaJson } from './schema-files.js';

/** Parts of an OpenAPI operation that the table uses. */
interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Method of the typed client: `rips.patients.create`. */
  readonly 'x-client': string;
  readonly 'x-effect': boolean;
  readonly 'x-optional-path'?: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: ApiContent;
  /** Response of one success status, and those of refusals. */
  readonly responses: Readonly<Record<string, ApiContent>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly schema: { readonly type: string; readonly enum?: readonly unknown[] };
}

interface ApiContent {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

const SUCCESS = [200, 201] as const;

/** Operation with its position in the file. */
interface Operation {
  readonly api: ApiOperation;
  readonly method: string;
  readonly path: string;
}

/** Returns every operation of the OpenAPI file, in file order. */
function operationsOf(openApi: SchemaJson): readonly Operation[] {
  const paths = openApi['paths'] as Record<string, Record<string, ApiOperation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, api]): Operation => ({ api, method, path })),
  );
}

const schemaOf = (content: ApiContent | undefined): string | null =>
  content === undefined ? null : parseRef(content.content['application/json'].schema.$ref, '').name;

const bodyOf = ({ api }: Operation): string | null => schemaOf(api.requestBody);

const statusOf = ({ api }: Operation): number =>
  SUCCESS.find((status) => status in api.responses) ?? SUCCESS[0];

const answerOf = (operation: Operation): string | null =>
  schemaOf(operation.api.responses[statusOf(operation)]);

const parameters = ({ api }: Operation, place: ApiParameter['in']): readonly ApiParameter[] =>
  (api.parameters ?? []).filter((parameter) => parameter.in === place);

function parameterType({ schema }: ApiParameter): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return schema.type === 'integer' ? 'number' : schema.type;
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const HEADER = `import type { SchemaName, SchemaTypes } from './schema-types.js';

/** What a caller, or the sandbox, must know of one operation of the service. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Template below the base address: \`/api/ubl2.1/status/zip/{ZipKey}\`. */
  readonly path: string;
  /** Names in the template, in order. */
  readonly pathParameters: readonly string[];
  /** Those whose segment may be left out; always the last ones. */
  readonly optionalPathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly body: SchemaName | null;
  readonly response: SchemaName | null;
  /** Of an answer that is no refusal by the service itself; it says nothing about DIAN or the ministry. */
  readonly status: 200 | 201;
  /** Whether a call changes something: a document sent, a setting, a mail. */
  readonly effect: boolean;
  readonly tag: string;
  readonly summary: string;
}
`;

const list = (names: readonly string[]): string => `[${names.map(quote).join(', ')}]`;

function tableEntry(operation: Operation): string {
  const { api, method, path } = operation;
  const schema = (name: string | null): string => (name === null ? 'null' : quote(name));
  const names = (place: 'path' | 'query'): string =>
    list(parameters(operation, place).map(({ name }) => name));
  return `  ${api.operationId}: {
    id: ${quote(api.operationId)},
    method: ${quote(method.toUpperCase())},
    path: ${quote(path)},
    pathParameters: ${names('path')},
    optionalPathParameters: ${list(api['x-optional-path'] ?? [])},
    queryParameters: ${names('query')},
    body: ${schema(bodyOf(operation))},
    response: ${schema(answerOf(operation))},
    status: ${statusOf(operation)},
    effect: ${api['x-effect']},
    tag: ${quote(api.tags[0] ?? '')},
    summary: ${quote(api.summary)},
  },`;
}

function parametersType(operation: Operation, place: 'path' | 'query'): string {
  const optional = place === 'query' ? undefined : (operation.api['x-optional-path'] ?? []);
  const members = parameters(operation, place).map((parameter) => {
    const mark = optional === undefined || optional.includes(parameter.name) ? '?' : '';
    return `/** ${parameter.description} */ ${parameter.name}${mark}: ${parameterType(parameter)}`;
  });
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
}

function typeEntry(operation: Operation): string {
  const type = (name: string | null): string => (name === null ? 'undefined' : `SchemaTypes[${quote(name)}]`);
  return `  /** ${operation.api.summary}. */
  ${operation.api.operationId}: {
    path: ${parametersType(operation, 'path')};
    query: ${parametersType(operation, 'query')};
    body: ${type(bodyOf(operation))};
    response: ${type(answerOf(operation))};
  };`;
}

/** Writes the operation table: every operation of the OpenAPI file as data, and its types. */
export function operationTable(openApi: SchemaJson): string {
  const operations = operationsOf(openApi);
  return [
    HEADER,
    '/** Every operation of the service. */',
    'export const OPERATIONS = {',
    ...operations.map(tableEntry),
    '} as const satisfies Record<string, Operation>;',
    '',
    'export type OperationId = keyof typeof OPERATIONS;',
    '',
    '/** What goes in and what comes out of each operation. */',
    'export interface OperationTypes {',
    ...operations.map(typeEntry),
    '}',
    '',
  ].join('\n');
}

/** Methods by name; a group of methods is a subtree. */
interface MethodTree extends Map<string, MethodTree | Operation> {}

const METHOD = /^[a-z]\w*(\.[a-z]\w*)+$/;

/** Adds an operation at its `x-client`. Throws if that is not a method, or is taken. */
function place(tree: MethodTree, operation: Operation): MethodTree {
  const { operationId, 'x-client': method = '' } = operation.api;
  if (!METHOD.test(method))
    throw new Error(`${operationId}: x-client is ${JSON.stringify(method)}, not group.method`);
  const words = method.split('.');
  const name = words.pop() ?? '';
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

/** Writes path parameters in order, then the body, then the query, as a labelled tuple. */
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

/** Writes the typed client: the operation and arguments of each method. */
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
