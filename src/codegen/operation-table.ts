import {
  answerOf,
  bodyOf,
  type Operation,
  operationsOf,
  parameters,
  parameterType,
  quote,
  statusOf,
} from './api-operations.js';
import type { SchemaJson } from './schema-files.js';

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
    tag: ${quote(api.tags[0]!)},
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

/** TypeScript of the operation table: every operation of the OpenAPI file as data, and its types. */
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
