import { CLIENT_METHODS, type MethodArguments } from '../generated/client-methods.js';
import {
  OPERATIONS,
  type Operation,
  type OperationId,
  type OperationTypes,
} from '../generated/operations.js';
import type { Answer } from './answer.js';
import {
  type CallOptions,
  type CallRequest,
  type Client,
  type ClientOptions,
  createClient,
} from './client.js';

/** Operation as a function: path parameters in order, the body, the query, and call options. */
export type Method<Id extends OperationId> = (
  ...given: [...MethodArguments[Id], options?: CallOptions]
) => Promise<Answer<OperationTypes[Id]['response']>>;

type Methods<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends OperationId
    ? Method<Table[Name]>
    : Methods<Table[Name]>;
};

/** Client with a method for every operation: `client.rips.patients.create(body)`. */
export interface ServiceClient extends Client, Methods<typeof CLIENT_METHODS> {}

interface MethodTable {
  readonly [name: string]: OperationId | MethodTable;
}

/** Sorts what a method was given into the parts of a request. */
function callOf(operation: Operation, given: readonly unknown[]): [CallRequest, CallOptions | undefined] {
  const { pathParameters, queryParameters, body } = operation;
  const [path, rest] = [given.slice(0, pathParameters.length), given.slice(pathParameters.length)];
  const request = {
    path: Object.fromEntries(pathParameters.map((name, at) => [name, path[at]])),
    ...(body !== null && { body: rest.shift() }),
    ...(queryParameters.length > 0 && { query: rest.shift() }),
  };
  return [request as CallRequest, rest[0] as CallOptions | undefined];
}

function methodsOf(client: Client, table: MethodTable): object {
  const method =
    (id: OperationId) =>
    async (...given: unknown[]) =>
      client.call(id, ...callOf(OPERATIONS[id], given));
  const entries = Object.entries(table).map(([name, node]) => [
    name,
    typeof node === 'string' ? method(node) : methodsOf(client, node),
  ]);
  return Object.fromEntries(entries);
}

/** Creates a client without connecting. Throws a PipelineError (`usage`) if address or token cannot be used. */
export function createServiceClient(options: ClientOptions): ServiceClient {
  const client = createClient(options);
  return { ...client, ...methodsOf(client, CLIENT_METHODS) } as ServiceClient;
}
