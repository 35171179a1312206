import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { chanceOf } from './chance.js';
import { FAULT_KINDS, FAULT_NAMES, type FaultKind, type FaultName, type Reply } from './fault-kinds.js';

/** One request, as the proxy tells them apart. */
export interface Passing {
  readonly path: string;
  readonly body: string;
  readonly isSend: boolean;
  /** Number of the document, also of one asked about by a key that an answer gave; else the path. */
  readonly about: string;
  /** How often this was asked about this document, from 1. */
  readonly nth: number;
}

export interface ProxyOptions {
  /** Base address of the sandbox. */
  readonly target: string;
  /** Milliseconds that the client waits for an answer. */
  readonly patience: number;
  /** @default none ever */
  readonly faultOf?: (passing: Passing) => FaultName | undefined;
  /** What the service is made to say in place of its own answer; it does not get the request. @default its own answer */
  readonly answerOf?: (passing: Passing, headers: IncomingHttpHeaders) => Reply | undefined;
  readonly onArrival?: (passing: Passing) => void | Promise<void>;
  /** The sandbox has answered, the client does not know it yet. */
  readonly onProcessed?: (passing: Passing) => void | Promise<void>;
}

/** A line to the sandbox that fails as arranged. */
export interface FaultProxy {
  readonly url: string;
  /** Requests that came, and what was done to them. */
  readonly seen: { requests: number; readonly faults: Partial<Record<FaultName, number>> };
  /** Sends that reached the sandbox, in order. */
  readonly arrived: readonly Passing[];
  /** Resolves when nothing is on its way to the sandbox any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** The given share of requests fails, in ways that only depend on the seed, the document and how often it was tried. */
export const seededFaults =
  (seed: number, share: number, names: readonly FaultName[]): NonNullable<ProxyOptions['faultOf']> =>
  ({ path, about, nth, isSend }) => {
    const { next, pick } = chanceOf(seed, isSend ? path : path.replace(/[^/]*$/, ''), about, nth);
    return next() < share ? pick(names) : undefined;
  };

/** The same for families whose requests are told apart by what they say. */
export function requestFaults(seed: number, share: number): NonNullable<ProxyOptions['faultOf']> {
  const times = new Map<string, number>();
  return ({ path, body }) => {
    const nth = (times.get(path + body) ?? 0) + 1;
    times.set(path + body, nth);
    const { next, pick } = chanceOf(seed, path, body, nth);
    return next() < share ? pick(FAULT_NAMES) : undefined;
  };
}

const NO_REPLY: Reply = { status: 0, headers: {}, text: '' };

/** Beyond the client's patience, by a little. */
const LATE = 30;

const isSendPath = (path: string): boolean => /\/payroll(-adjust-note)?(\/[^/]+)?$/.test(path);

export async function startFaultProxy(options: ProxyOptions): Promise<FaultProxy> {
  const { target, patience, faultOf = () => undefined, answerOf, onArrival, onProcessed } = options;
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  const times = new Map<string, number>();
  const numberOf = new Map<string, string>();
  const arrived: Passing[] = [];
  const seen: FaultProxy['seen'] = { requests: 0, faults: {} };
  const underWay = new Set<Promise<unknown>>();

  function passingOf(path: string, body: string): Passing {
    const isSend = isSendPath(path);
    const key = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    const { prefix, consecutive } = isSend ? (JSON.parse(body) as Record<string, unknown>) : {};
    const about = isSend ? `${prefix}${consecutive}` : (numberOf.get(key) ?? path);
    const subject = `${isSend ? 'send' : path.replace(/[^/]*$/, '')} ${about}`;
    const nth = (times.get(subject) ?? 0) + 1;
    times.set(subject, nth);
    return { path, body, isSend, about, nth };
  }

  /** Hands a request on, and remembers whose keys the answer holds. */
  async function forward(incoming: IncomingMessage, passing: Passing): Promise<Reply> {
    if (passing.isSend) arrived.push(passing);
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    const outgoing = httpRequest(target + passing.path, { agent, method: incoming.method, headers });
    outgoing.end(passing.body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    const reply: Reply = {
      status: answer.statusCode!,
      headers: { 'content-type': answer.headers['content-type'] ?? '' },
      text: await text(answer),
    };
    for (const [, key] of reply.text.matchAll(/"(?:ZipKey|cune|XmlDocumentKey)":"([^"]+)"/g))
      numberOf.set(key!, passing.about);
    await onProcessed?.(passing);
    return reply;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const passing = passingOf(incoming.url!, await text(incoming));
    seen.requests += 1;
    await onArrival?.(passing);
    const said = answerOf?.(passing, incoming.headers);
    if (said !== undefined) return respond(response, () => said, NO_REPLY);
    const name = faultOf(passing);
    if (name !== undefined) seen.faults[name] = (seen.faults[name] ?? 0) + 1;
    const fault: FaultKind =
      name === undefined ? { forward: 'now', back: (answer) => answer } : FAULT_KINDS[name];
    const answer = await process(fault.forward, () => forward(incoming, passing));
    if (fault.back === 'late') await wait(patience + LATE);
    respond(response, fault.back, answer);
  }

  async function process(when: FaultKind['forward'], go: () => Promise<Reply>): Promise<Reply> {
    if (when === 'now') return go();
    if (when === 'late') track(wait(patience + LATE).then(go));
    return NO_REPLY;
  }

  function track(work: Promise<unknown>): void {
    // A client that is killed in the middle of its request is no fault of the proxy.
    const done = work.catch(() => {}).finally(() => underWay.delete(done));
    underWay.add(done);
  }

  const server = createServer((incoming, response) => track(handle(incoming, response)));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    arrived,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(response: ServerResponse, back: FaultKind['back'], answer: Reply): void {
  const { socket } = response;
  if (back === 'silence') return;
  if (back === 'closed') socket?.destroy();
  else if (back === 'reset') socket?.resetAndDestroy();
  else if (back === 'cut') {
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-length': Buffer.byteLength(answer.text),
    });
    response.write(answer.text.slice(0, answer.text.length / 2), () => socket?.destroy());
  } else {
    const { status, headers, text: body } = typeof back === 'function' ? back(answer) : answer;
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  }
}
