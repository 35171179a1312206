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
  /** Company token; it stays inside the client. */
  readonly token: string;
  /**
   * Max time in ms until the answer begins, and between its chunks. A shorter one causes unknown outcomes (service.md
   * 2). @default 200_000
   */
  readonly timeoutMs?: number;
  /** Max time in ms for a whole answer. @default 600_000 */
  readonly wholeTimeoutMs?: number;
  /** @default 10_000 */
  readonly connectTimeoutMs?: number;
  /** @default 16 */
  readonly maxConnections?: number;
  /**
   * True to reuse connections. With one connection per request no proxy can confuse the answers of two; a handshake
   * costs little at the rate of a remote service. @default true on the loopback, false elsewhere
   */
  readonly keepAlive?: boolean;
  /** PEM of a private certificate authority; only its certificates are accepted then. */
  readonly ca?: string;
  readonly proxy?: URL;
  /** @default 'cargue' */
  readonly userAgent?: string;
  /** Max bytes of an answer. @default 32 MiB */
  readonly maxAnswerBytes?: number;
  /** Connections shared by the clients of a process. @default its own, `maxConnections` at most */
  readonly connections?: Connections;
}

export interface CallRequest<Id extends OperationId = OperationId> {
  readonly path?: OperationTypes[Id]['path'];
  readonly query?: OperationTypes[Id]['query'];
  readonly body?: OperationTypes[Id]['body'];
  /** Body as exact text, in place of `body`: the bytes of the journal are sent. */
  readonly bodyText?: string;
  /** Path template in place of the operation's, for a form that only some services have. */
  readonly pathForm?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Calls operations of the service, once each; the caller decides about retries. */
export interface Client {
  /** Base address, without secrets. */
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

/** Returns the operation with another path template, whose parameters are all required. */
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

/** Reads the text of an answer; times out on one that comes byte by byte without end. */
async function wholeText(body: Dispatcher.ResponseData['body'], timeoutMs: number): Promise<string> {
  const timer = setTimeout(() => body.destroy(new errors.BodyTimeoutError()), timeoutMs);
  try {
    return await body.text();
  } finally {
    clearTimeout(timer);
  }
}

type ConnectionOptions = Pick<
  ClientOptions,
  'keepAlive' | 'timeoutMs' | 'connectTimeoutMs' | 'ca' | 'proxy' | 'maxAnswerBytes'
>;

interface ConnectionPool {
  readonly pool: Pool;
  /** Errors thrown before there was a connection; their code alone does not show it. */
  readonly unconnected: WeakSet<object>;
}

/** Opens the connection pool of an address. `maxConnections`: null is as many as there are requests. */
function openPool(
  { origin, hostname }: URL,
  options: ConnectionOptions,
  maxConnections: number | null,
): ConnectionPool {
  const timeout = options.timeoutMs ?? 200_000;
  const connectTimeout = options.connectTimeoutMs ?? 10_000;
  const direct = buildConnector({
    timeout: connectTimeout,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(options.ca !== undefined && { ca: options.ca }),
  });
  const connect = options.proxy === undefined ? direct : throughProxy(options.proxy, connectTimeout, direct);
  const unconnected = new WeakSet<object>();
  const pool = new Pool(origin, {
    connections: maxConnections,
    ...((options.keepAlive ?? isLoopback(hostname)) ? {} : { pipelining: 0 }),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    connect: (target, done) =>
      connect(target, (...result) => {
        if (result[0] !== null) unconnected.add(result[0]);
        done(...result);
      }),
  });
  return { pool, unconnected };
}

/** Connection pools shared by many clients: a connection serves the next request, of whichever company. */
export interface Connections {
  to(url: URL, options: ConnectionOptions): ConnectionPool;
  close(): Promise<void>;
}

export function shareConnections(): Connections {
  const pools = new Map<string, ConnectionPool>();
  return {
    to(url, options) {
      const { keepAlive, timeoutMs, connectTimeoutMs, ca, proxy, maxAnswerBytes } = options;
      const key = JSON.stringify([
        url.origin,
        keepAlive,
        timeoutMs,
        connectTimeoutMs,
        ca,
        proxy,
        maxAnswerBytes,
      ]);
      const found = pools.get(key) ?? openPool(url, options, null);
      pools.set(key, found);
      return found;
    },
    close: async () => void (await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))),
  };
}

/** Creates a client without connecting. Throws a PipelineError (`usage`) if address or token cannot be used. */
export function createClient(options: ClientOptions): Client {
  const url = serviceUrl(options.url);
  const token = checkedToken(options.token);
  const withoutToken = secretHider(token);
  const basePath = url.pathname.replace(/\/+$/, '');
  const connection =
    options.connections?.to(url, options) ?? openPool(url, options, options.maxConnections ?? 16);
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
        const response = await connection.pool.request({
          path,
          method: operation.method,
          headers,
          body,
          signal,
        });
        const text = await wholeText(response.body, options.wholeTimeoutMs ?? 600_000);
        const retryAfter = response.headers['retry-after'];
        const safe = withoutToken(text, '…');
        return readAnswer(response.statusCode, safe, typeof retryAfter === 'string' ? retryAfter : undefined);
      } catch (error) {
        return failureOf(error, connection.unconnected.has(error as object));
      }
    },
    close: async () => {
      if (options.connections === undefined) await connection.pool.destroy();
    },
  };
}
