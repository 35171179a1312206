import { parseRef, type SchemaJson } from './schema-files.js';

/** The parts of an OpenAPI operation that the table is made of. */
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
  /** One of the statuses that mean success, and those of refusals. */
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

/** An operation, and where it stands in the file. */
export interface Operation {
  readonly api: ApiOperation;
  readonly method: string;
  readonly path: string;
}

/** Every operation of the OpenAPI file, in file order. */
export function operationsOf(openApi: SchemaJson): readonly Operation[] {
  const paths = openApi['paths'] as Record<string, Record<string, ApiOperation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, api]): Operation => ({ api, method, path })),
  );
}

const schemaOf = (content: ApiContent | undefined): string | null =>
  content === undefined ? null : parseRef(content.content['application/json'].schema.$ref, '').name;

/** Schema of the body; null when there is none. */
export const bodyOf = ({ api }: Operation): string | null => schemaOf(api.requestBody);

export const statusOf = ({ api }: Operation): number =>
  SUCCESS.find((status) => status in api.responses) ?? SUCCESS[0];

/** Schema of what a success answers. */
export const answerOf = (operation: Operation): string | null =>
  schemaOf(operation.api.responses[statusOf(operation)]);

export const parameters = ({ api }: Operation, place: ApiParameter['in']): readonly ApiParameter[] =>
  (api.parameters ?? []).filter((parameter) => parameter.in === place);

/** A parameter's TypeScript type. */
export function parameterType({ schema }: ApiParameter): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return schema.type === 'integer' ? 'number' : schema.type;
}

/** A TypeScript string. */
export const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
