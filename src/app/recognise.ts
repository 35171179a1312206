import type { Answer } from '../client/answer.js';
import type { Client } from '../client/client.js';
import type { DocumentKind } from '../send/kind.js';
import { stop } from '../toolkit/core/issue.js';
import { isObject } from '../toolkit/core/json.js';

/**
 * Members of which each response to these operations has at least one (service.md 5.2, 6.5, 7.4); other responses
 * vary more.
 */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  getCurrentNumber: ['success', 'number', 'prefix'],
  getServiceTables: ['success', 'data'],
  getInvoiceEvents: ['success', 'events', 'ResponseDian'],
};
const ANY_MEMBERS = ['success', 'ResponseDian'];

/**
 * Classifies a response by whether the service sent it. An error status leaves it open: a token, a limit, an outage
 * or a firewall may be the cause.
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

/**
 * Returns the address the user probably meant: the part before `/api`, else the host; undefined if that is the given
 * one.
 */
export function likelyAddress(given: string): string | undefined {
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, '');
  const before = path.replace(/\/api(\/.*)?$/i, '');
  const likely = `${url.origin}${before === path ? '' : before}`;
  return path === '' ? undefined : likely;
}

/**
 * Client for requests before the first document; it throws on responses of other servers until the service has
 * answered.
 */
export interface RecognisingClient extends Client {
  /** Client for the documents, whose responses have rules of their own. */
  readonly plain: Client;
  /** True after the first request. */
  readonly hasAsked: boolean;
  /** True once the service has answered. */
  readonly isRecognised: boolean;
}

/** Wraps a client. @throws PipelineError('service', send/not-the-service) from `call` */
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
 * Makes one harmless request before the first document, unless one was made already: the responses of a wrong address
 * could hide an acceptance. Does nothing for documents without a greeting.
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
