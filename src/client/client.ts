import { buildConnector, type Dispatcher, errors, Pool } from 'undici';
import { OPERATIONS, type OperationId, type OperationTypes } from '../generated/operations.js';
import { stop } from '../toolkit/core/issue.js';
import { MAX_ANSWER_BYTES } from '../toolkit/core/limits.js';
import { secretHider } from '../toolkit/core/secret-hider.js';
import { fillPath, isLoopback, type Route, serviceUrl, tokenFingerprint } from './address.js';
import { type Answer, readAnswer } from './answer.js';
import { failureOf } from './failure.js';
import { throughProxy } from './proxy.js';

export interface ClientOptions {
  /** Base address; https, unless it is on the loopback. */
  readonly url: string;
  /** Company token. It stays inside the client. */
  readonly token: string;
  /** For the answer to begin, and between its pieces. A shorter one manufactures unknown outcomes (service.md 2). @default 200_000 */
  readonly timeoutMs?: number;
  /** For a whole answer, however steadily its pieces come. @default 600_000 */
  readonly wholeTimeoutMs?: number;
  /** @default 10_000 */
  readonly connectTimeoutMs?: number;
  /** @default 16 */
  readonly maxConnections?: number;
  /**
   * Lets a connection serve several requests. On one of its own no request gets the answer of another, whatever stands
   * between; a handshake costs little at the pace of a remote service. @default true on the loopback, false elsewhere
   */
  readonly keepAlive?: boolean;
  /** PEM of a private certificate authority; then only its certificates are taken. */
  readonly ca?: string;
  /** Reaches the service through this proxy. */
  readonly proxy?: URL;
  /** @default 'cargue' */
  readonly userAgent?: string;
  /** Bytes of an answer that are read at most. @default 32 MiB */
  readonly maxAnswerBytes?: number;
  /** Of a process that sends for many: their clients share what is connected. @default its own, `maxConnections` at most */
  readonly connections?: Connections;
}

export interface CallRequest<Id extends OperationId = OperationId> {
  readonly path?: OperationTypes[Id]['path'];
  readonly query?: OperationTypes[Id]['query'];
  readonly body?: OperationTypes[Id]['body'];
  /** A body as exact text, in place of `body`: what the journal holds is what goes out. */
  readonly bodyText?: string;
  /** A path template in place of the operation's own: a form that only some services have. */
  readonly pathForm?: string;
}

export interface CallOptions {
  /** Hangs up at once. */
  readonly signal?: AbortSignal;
}

/** Calls operations of the service, once each: whether to try again is the caller's question. */
export interface Client {
  /** Base address, without anything secret. */
  readonly url: string;
  /** See `tokenFingerprint`. */
  readonly fingerprint?: string;
  call<Id extends OperationId>(
    operation: Id | Route,
    request?: CallRequest<Id>,
    options?: CallOptions,
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** Every part of another form has to be given. */
const formOf = (operation: Route, path: string | undefined): Route =>
  path === undefined ? operation : { ...operation, path, optionalPathParameters: [] };

const queryText = (query: Readonly<Record<string, unknown>> | undefined): string => {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

function checkedToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) stop('usage', { code: 'send/bad-token' });
  return token;
}

/** The text of an answer, or a timeout: one that comes byte by byte would never end. */
async function wholeText(body: Dispatcher.ResponseData['body'], most: number): Promise<string> {
  const timer = setTimeout(() => body.destroy(new errors.BodyTimeoutError()), most);
  try {
    return await body.text();
  } finally {
    clearTimeout(timer);
  }
}

type Way = Pick<
  ClientOptions,
  'keepAlive' | 'timeoutMs' | 'connectTimeoutMs' | 'ca' | 'proxy' | 'maxAnswerBytes'
>;

interface Line {
  readonly pool: Pool;
  /** Errors that came before there was a connection: of a code alone nobody can tell. */
  readonly unconnected: WeakSet<object>;
}

/** `most`: connections at once; null is as many as there are requests. */
function openLine({ origin, hostname }: URL, way: Way, most: number | null): Line {
  const timeout = way.timeoutMs ?? 200_000;
  const connectTimeout = way.connectTimeoutMs ?? 10_000;
  const direct = buildConnector({
    timeout: connectTimeout,
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    ...(way.ca !== undefined && { ca: way.ca }),
  });
  const connect = way.proxy === undefined ? direct : throughProxy(way.proxy, connectTimeout, direct);
  const unconnected = new WeakSet<object>();
  const pool = new Pool(origin, {
    connections: most,
    ...((way.keepAlive ?? isLoopback(hostname)) ? {} : { pipelining: 0 }),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: way.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    connect: (target, done) =>
      connect(target, (...result) => {
        if (result[0] !== null) unconnected.add(result[0]);
        done(...result);
      }),
  });
  return { pool, unconnected };
}

/** What is connected for many clients: whose request is answered leaves the connection to the next, of whichever company. */
export interface Connections {
  to(url: URL, way: Way): Line;
  close(): Promise<void>;
}

export function shareConnections(): Connections {
  const lines = new Map<string, Line>();
  return {
    to(url, way) {
      const { keepAlive, timeoutMs, connectTimeoutMs, ca, proxy, maxAnswerBytes } = way;
      const key = JSON.stringify([
        url.origin,
        keepAlive,
        timeoutMs,
        connectTimeoutMs,
        ca,
        proxy,
        maxAnswerBytes,
      ]);
      const found = lines.get(key) ?? openLine(url, way, null);
      lines.set(key, found);
      return found;
    },
    close: async () => void (await Promise.all([...lines.values()].map(({ pool }) => pool.destroy()))),
  };
}

/** Throws a PipelineError (`usage`) when address or token cannot be used; nothing is connected yet. */
export function createClient(options: ClientOptions): Client {
  const url = serviceUrl(options.url);
  const token = checkedToken(options.token);
  const withoutToken = secretHider(token);
  const basePath = url.pathname.replace(/\/+$/, '');
  const line = options.connections?.to(url, options) ?? openLine(url, options, options.maxConnections ?? 16);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'user-agent': options.userAgent ?? 'cargue',
  };

  return {
    url: `${url.origin}${basePath}`,
    fingerprint: tokenFingerprint(url.href, token),
    async call(given, request = {}, { signal } = {}) {
      const operation: Route = typeof given === 'string' ? OPERATIONS[given] : given;
      const path =
        basePath +
        fillPath(formOf(operation, request.pathForm), request.path ?? {}) +
        queryText(request.query);
      const body = request.bodyText ?? (request.body === undefined ? null : JSON.stringify(request.body));
      if (signal?.aborted) return { kind: 'failure', reason: 'aborted', sent: false };
      try {
        const response = await line.pool.request({ path, method: operation.method, headers, body, signal });
        const text = await wholeText(response.body, options.wholeTimeoutMs ?? 600_000);
        const retryAfter = response.headers['retry-after'];
        const safe = withoutToken(text, '…');
        return readAnswer(response.statusCode, safe, typeof retryAfter === 'string' ? retryAfter : undefined);
      } catch (error) {
        return failureOf(error, line.unconnected.has(error as object));
      }
    },
    close: async () => {
      if (options.connections === undefined) await line.pool.destroy();
    },
  };
}
