import type { Answer } from '../client/answer.js';
import type { Client } from '../client/client.js';
import type { DocumentKind } from '../send/kind.js';
import { stop } from '../toolkit/core/issue.js';
import { isObject } from '../toolkit/core/json.js';

/** Members of which every answer to these questions has at least one (service.md 5.2, 6.5, 7.4); other answers vary more. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  getCurrentNumber: ['success', 'number', 'prefix'],
  getServiceTables: ['success', 'data'],
  getInvoiceEvents: ['success', 'events', 'ResponseDian'],
};
const ANY_MEMBERS = ['success', 'ResponseDian'];

/**
 * How an answer to a question that every version of the service knows stands to the service. A refusal of any kind proves
 * nothing against the address: a token, a limit, an outage or a firewall may be behind it.
 */
function originOf(answer: Answer, operation: string): 'service' | 'foreign' | 'open' {
  if (answer.kind === 'failure') return 'open';
  const { status } = answer;
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return 'foreign';
  if (answer.kind === 'text') {
    const isCut = /^\s*[[{]/.test(answer.text);
    return status < 300 && !isCut ? 'foreign' : 'open';
  }
  const { body } = answer;
  if (status >= 300) return isObject(body) && 'message' in body && status !== 403 ? 'service' : 'open';
  const members = MEMBERS[operation] ?? ANY_MEMBERS;
  if (isObject(body) && members.some((member) => member in body)) return 'service';
  return operation in MEMBERS || !isObject(body) ? 'foreign' : 'open';
}

/** Returns the address that was probably meant: what stands before `/api`, else the host alone; undefined if that is the given one. */
export function likelyAddress(given: string): string | undefined {
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, '');
  const before = path.replace(/\/api(\/.*)?$/i, '');
  const likely = `${url.origin}${before === path ? '' : before}`;
  return path === '' ? undefined : likely;
}

/** A client for questions before the first document: an answer that is not the service's ends the call, until one is. */
export interface RecognisingClient extends Client {
  /** The client for the documents themselves, whose answers are read by their own rules. */
  readonly plain: Client;
  /** True once anything was asked. */
  readonly hasAsked: boolean;
  /** True once the service has answered. */
  readonly isRecognised: boolean;
}

/** @throws PipelineError('service', send/not-the-service) from `call` */
export function recognising(client: Client): RecognisingClient {
  let hasAsked = false;
  let isRecognised = false;
  return {
    ...client,
    plain: client,
    get hasAsked() {
      return hasAsked;
    },
    get isRecognised() {
      return isRecognised;
    },
    async call(operation, request, options) {
      const answer = await client.call(operation, request, options);
      hasAsked = true;
      const origin = isRecognised
        ? 'service'
        : originOf(answer, typeof operation === 'string' ? operation : operation.id);
      isRecognised = origin === 'service';
      if (origin === 'foreign' && answer.kind !== 'failure') refuse(client.url, answer.status);
      return answer;
    },
  };
}

function refuse(url: string, status: number): never {
  const likely = likelyAddress(url);
  const params = { url, status };
  return stop('service', {
    code: 'send/not-the-service',
    params: likely === undefined ? params : { ...params, likely, case: 'likely' },
    value: url,
  });
}

/**
 * Asks one harmless question before the first document, unless something was asked already: a wrong address would answer
 * every document with what may hide an acceptance. A kind without a greeting is of another service, of which nothing is known.
 * @param asking counts like the requests of a run
 * @throws PipelineError('service', send/not-the-service)
 */
export async function recognise(
  client: RecognisingClient,
  asking: Client,
  { probe, greeting = probe }: Pick<DocumentKind, 'greeting' | 'probe'>,
): Promise<void> {
  if (client.hasAsked || greeting === undefined) return;
  await asking.call(greeting.operation, greeting.request);
}
