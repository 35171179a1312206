import { subscribe, unsubscribe } from 'node:diagnostics_channel';
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
import { ALL_KINDS, type AnyFault } from './answer-kinds.js';
import { chanceOf } from './chance.js';
import { type Beside, FAULT_NAMES, type FaultKind, type Reply, type SocketError } from './fault-kinds.js';
import { inOnePiece, nextOn } from './wire-kinds.js';

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
  readonly faultOf?: (passing: Passing) => AnyFault | undefined;
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
  readonly seen: { requests: number; readonly faults: Partial<Record<AnyFault, number>> };
  /** Sends that reached the sandbox, in order. */
  readonly arrived: readonly Passing[];
  /** What something in between delivered twice, with both answers. */
  readonly twice: readonly { readonly path: string; readonly answers: readonly [Reply, Reply] }[];
  /** Resolves when nothing is on its way to the sandbox any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** The given share of requests fails, in ways that only depend on the seed, the document and how often it was tried. */
export const seededFaults =
  (seed: number, share: number, names: readonly AnyFault[]): NonNullable<ProxyOptions['faultOf']> =>
  ({ path, about, nth, isSend }) => {
    const { next, pick } = chanceOf(seed, isSend ? path : path.replace(/[^/]*$/, ''), about, nth);
    return next() < share ? pick(names) : undefined;
  };

/** The same for families whose requests are told apart by what they say. */
export function requestFaults(
  seed: number,
  share: number,
  names: readonly AnyFault[] = FAULT_NAMES,
): NonNullable<ProxyOptions['faultOf']> {
  const times = new Map<string, number>();
  return ({ path, body }) => {
    const nth = (times.get(path + body) ?? 0) + 1;
    times.set(path + body, nth);
    const { next, pick } = chanceOf(seed, path, body, nth);
    return next() < share ? pick(names) : undefined;
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
  const clients = clientSockets();
  const exchange = createExchange(patience / 4);
  const others = createMemory();
  const twice: { path: string; answers: readonly [Reply, Reply] }[] = [];
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
    if (said !== undefined) return respond(response, { forward: 'never', back: () => said }, NO_REPLY);
    const name = faultOf(passing);
    if (name !== undefined) seen.faults[name] = (seen.faults[name] ?? 0) + 1;
    const fault: FaultKind =
      name === undefined ? { forward: 'now', back: (answer) => answer } : ALL_KINDS[name];
    const go = () => forward(incoming, passing);
    const first = fault.forward === 'twice' ? await go() : undefined;
    let answer = await process(fault.forward, go);
    if (first !== undefined) twice.push({ path: passing.path, answers: [first, answer] });
    if (fault.back === 'late') await wait(patience + LATE);
    if (fault.back === 'swapped' && namesWhose(passing, answer))
      answer = await exchange(operationOf(passing.path), answer);
    if (isSocketError(fault.back)) return clients.fail(incoming.socket.remotePort!, fault.back);
    const other = others.besides(passing, answer);
    if (answer.status < 300 && namesWhose(passing, answer)) answer = nextOn(response, answer);
    await respond(response, fault, answer, { first, other }, patience);
  }

  async function process(when: FaultKind['forward'], go: () => Promise<Reply>): Promise<Reply> {
    if (when === 'now' || when === 'twice') return go();
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
    twice,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => {
      clients.close();
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Requests of one kind, whichever document they are about. */
const operationOf = (path: string): string => path.replace(/\/[^/]*\d[^/]*$/, '');

/** Of an empty list, or of no row at all, nobody can tell whose answer it is: those stay with their question. */
const namesWhose = ({ path }: Passing, { text: body }: Reply): boolean =>
  !path.includes('?') && !body.includes('"data":null');

/** Two that come soon after one another get what the other one brought; one that stays alone keeps its own. */
function createExchange(soon: number) {
  const waiting = new Map<string, (other: Reply) => Reply>();
  return (kind: string, own: Reply): Promise<Reply> => {
    const swap = waiting.get(kind);
    if (swap !== undefined) return Promise.resolve(swap(own));
    return new Promise((resolve) => {
      const end = (reply: Reply): void => {
        clearTimeout(timer);
        waiting.delete(kind);
        resolve(reply);
      };
      const timer = setTimeout(end, soon, own);
      waiting.set(kind, (other) => {
        end(other);
        return own;
      });
    });
  };
}

const isSocketError = (back: FaultKind['back']): back is SocketError =>
  typeof back === 'string' && back.startsWith('E');

/** The client's own ends of the connections, in this process: only there can the system fail one that stands. */
function clientSockets() {
  const ends = new Map<number, Socket>();
  const add = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    const port = socket.localPort!;
    ends.set(port, socket);
    socket.once('close', () => ends.delete(port));
  };
  subscribe('undici:client:connected', add);
  return {
    fail: (port: number, code: SocketError): void =>
      void ends.get(port)?.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' })),
    close: () => void unsubscribe('undici:client:connected', add),
  };
}

/** Keeps good answers that say whose they are, for requests of the same operation that are not the same. */
function createMemory() {
  const last = new Map<string, { readonly request: string; readonly reply: Reply }>();
  return {
    besides(passing: Passing, own: Reply): Reply | undefined {
      const kind = operationOf(passing.path);
      const request = passing.path + passing.body;
      const found = last.get(kind);
      if (own.status >= 300 || own.status === 0 || !namesWhose(passing, own)) return undefined;
      last.set(kind, { request, reply: own });
      return found?.request === request ? undefined : found?.reply;
    },
  };
}

function respond(
  response: ServerResponse,
  { back, wire = inOnePiece }: FaultKind,
  answer: Reply,
  beside: Beside = {},
  patience = 0,
): void | Promise<void> {
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
  } else
    return wire(response, typeof back === 'function' ? back(answer, beside) : answer, {
      ...beside,
      patience,
    });
}
