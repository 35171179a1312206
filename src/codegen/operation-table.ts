import { parseRef, type SchemaJson } from './schema-files.js';

/** The parts of an OpenAPI operation that the table is made of. */
interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-effect': boolean;
  readonly 'x-optional-path'?: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: ApiContent;
  /** One of the statuses that mean success, and those of refusals. */
  readonly responses: Readonly<Record<string, ApiContent>>;
}

interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly schema: { readonly type: string; readonly enum?: readonly unknown[] };
}

interface ApiContent {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

const SUCCESS = [200, 201] as const;

interface Operation {
  readonly api: ApiOperation;
  readonly method: string;
  readonly path: string;
}

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

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const list = (names: readonly string[]): string => `[${names.map(quote).join(', ')}]`;

const schemaOf = (content: ApiContent | undefined): string | null =>
  content === undefined ? null : parseRef(content.content['application/json'].schema.$ref, '').name;

const statusOf = ({ api }: Operation): number =>
  SUCCESS.find((status) => status in api.responses) ?? SUCCESS[0];

const answerOf = (operation: Operation): string | null =>
  schemaOf(operation.api.responses[statusOf(operation)]);

const parameters = ({ api }: Operation, place: ApiParameter['in']): readonly ApiParameter[] =>
  (api.parameters ?? []).filter((parameter) => parameter.in === place);

function tableEntry(operation: Operation): string {
  const { api, method, path } = operation;
  const schema = (name: string | null): string => (name === null ? 'null' : quote(name));
  const names = (place: ApiParameter['in']): string =>
    list(parameters(operation, place).map(({ name }) => name));
  return `  ${api.operationId}: {
    id: ${quote(api.operationId)},
    method: ${quote(method.toUpperCase())},
    path: ${quote(path)},
    pathParameters: ${names('path')},
    optionalPathParameters: ${list(api['x-optional-path'] ?? [])},
    queryParameters: ${names('query')},
    body: ${schema(schemaOf(api.requestBody))},
    response: ${schema(answerOf(operation))},
    status: ${statusOf(operation)},
    effect: ${api['x-effect']},
    tag: ${quote(api.tags[0]!)},
    summary: ${quote(api.summary)},
  },`;
}

function parameterType({ schema }: ApiParameter): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return schema.type === 'integer' ? 'number' : schema.type;
}

function parametersType(operation: Operation, place: ApiParameter['in']): string {
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
    body: ${type(schemaOf(operation.api.requestBody))};
    response: ${type(answerOf(operation))};
  };`;
}

/** TypeScript of the operation table: every operation of the OpenAPI file as data, and its types. */
export function operationTable(openApi: SchemaJson): string {
  const paths = openApi['paths'] as Record<string, Record<string, ApiOperation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, api]): Operation => ({ api, method, path })),
  );
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
