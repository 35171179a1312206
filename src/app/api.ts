import { readFile } from 'node:fs/promises';
import type { Answer } from '../client/answer.js';
import type { CallRequest } from '../client/client.js';
import { OPERATIONS, type Operation, type OperationId } from '../generated/operations.js';
import { requireToken } from '../send/verdict.js';
import { parseForeignJson } from '../toolkit/core/foreign-json.js';
import { stop } from '../toolkit/core/issue.js';
import type { JsonValue } from '../toolkit/core/json.js';
import { suggest } from '../toolkit/core/text.js';
import { badOption } from './bad-option.js';
import type { Context, UseCase } from './context.js';
import { type DecisionOptions, namedValues, type ServiceOptions } from './options.js';
import { confirmed, redact, redactExcerpt, secretNames, secretsIn } from './secrets.js';
import { clientFor, isRemote, serviceAddress } from './service.js';

export interface ApiOptions extends ServiceOptions, DecisionOptions {
  readonly path?: readonly string[];
  readonly query?: readonly string[];
  readonly body?: string;
}

const isOperation = (id: string): id is OperationId => Object.hasOwn(OPERATIONS, id);

function operationNamed(id: string): Operation & { readonly id: OperationId } {
  if (isOperation(id)) return OPERATIONS[id];
  const ids = Object.keys(OPERATIONS);
  const params = { list: 'api --help' };
  return stop('usage', { code: 'run/unknown-name', value: id, params, suggestions: suggest(id, ids) });
}

function knownValues(option: string, pairs: readonly string[] | undefined, known: readonly string[]) {
  const values = namedValues(option, pairs);
  for (const name of Object.keys(values))
    if (!known.includes(name)) badOption(option, name, known.join(' | ') || '–');
  return values;
}

async function readBody({ piped }: Context, source: string): Promise<string> {
  const bad = (reason: string, cause?: unknown): never =>
    stop('usage', { code: 'run/bad-body', params: { reason } }, cause);
  const raw = await (source === '-' && piped ? piped() : readFile(source, 'utf8')).catch(
    (cause: NodeJS.ErrnoException) => bad(cause.code ?? 'not-json', cause),
  );
  const body = raw.replace(/^\uFEFF/, '');
  const { problem } = parseForeignJson(body);
  if (problem !== undefined) bad(problem === 'syntax' ? 'not-json' : `json-${problem}`);
  return body;
}

/** Emits the response with secrets removed: those the schemas mark, and those the request held. */
function show(
  { tell }: Context,
  operation: OperationId,
  answer: Exclude<Answer, { kind: 'failure' }>,
  bodyText = 'null',
): void {
  const isSecret = secretNames();
  const secrets = secretsIn(JSON.parse(bodyText) as JsonValue, isSecret);
  const shown =
    answer.kind === 'text'
      ? { text: redactExcerpt(answer.text, secrets) }
      : { body: redact(answer.body, isSecret, secrets) };
  tell({ event: 'response', operation, status: answer.status, ...shown });
}

/** `cargue api OPERATION`: makes one call and emits the response without secrets. */
export const api: UseCase<ApiOptions> = async (context, [id = ''], options) => {
  const operation = operationNamed(id);
  const path = knownValues('--path', options.path, operation.pathParameters);
  const query = knownValues('--query', options.query, operation.queryParameters);
  const bodyText = options.body === undefined ? undefined : await readBody(context, options.body);
  const url = serviceAddress(context, options);
  const params = { operation: operation.id, url: url.origin };
  if (isRemote(url) && !(await confirmed(context, options, { key: 'askCall', params }))) return 'fine';
  const client = await clientFor(context, options, url);
  try {
    const request = { path, query, ...(bodyText !== undefined && { bodyText }) } as CallRequest;
    const answer = await client.call(operation.id, request);
    if (answer.kind === 'failure')
      return stop('service', { code: 'run/no-answer', value: url.origin, params: { reason: answer.reason } });
    show(context, operation.id, answer, bodyText);
    requireToken(answer);
    return answer.status < 400 ? 'fine' : 'data-errors';
  } finally {
    await client.close();
  }
};
