import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { FaultKind, Reply, Wire } from './fault-kinds.js';

const ownLength = (body: string | Buffer) => ({ 'content-length': Buffer.byteLength(body) });

/** The whole of an answer, as it stands on the line. */
const onTheLine = ({ status, headers, text }: Reply): string =>
  [
    `HTTP/1.1 ${status} OK`,
    ...Object.entries({ ...headers, ...ownLength(text) }).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n');

/** In one piece, with its length. */
export const inOnePiece: Wire = (response, { status, headers, text }) => {
  response.writeHead(status, { ...headers, ...ownLength(text) });
  response.end(text);
};

/** Pieces that cut through words, escapes and letters of several bytes. */
function* oddPieces(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 2 + 1) % 1_021)
    yield bytes.subarray(at, at + size);
}

const chunked =
  (pieces: (text: string) => Iterable<Buffer>, between: (patience: number) => number, isWhole = true): Wire =>
  async (response, { status, headers, text }, { patience }) => {
    response.writeHead(status, headers);
    for (const piece of pieces(text)) {
      response.write(piece);
      if (between(patience) > 0) await wait(between(patience));
    }
    if (isWhole) response.end();
    else response.socket?.destroy();
  };

function* inPieces(text: string, count = 5): Generator<Buffer> {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / count);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
function* firstHalf(text: string): Generator<Buffer> {
  yield Buffer.from(text.slice(0, text.length / 2));
}

/** A length that is not that of the answer. */
const withLength =
  (lengthOf: (length: number) => number): Wire =>
  ({ socket }, answer) => {
    const length = Buffer.byteLength(answer.text);
    socket?.write(
      onTheLine(answer).replace(/content-length: \d+/, `content-length: ${Math.floor(lengthOf(length))}`),
    );
  };

/** `content-encoding: gzip`, which was not asked for. */
const compressed =
  (bytesOf: (text: string) => Buffer): Wire =>
  (response, { status, headers, text }) => {
    const bytes = bytesOf(text);
    response.writeHead(status, { ...headers, ...ownLength(bytes), 'content-encoding': 'gzip' });
    response.end(bytes);
  };

const BOMB = gzipSync(Buffer.alloc(64 * 2 ** 20));

/** Something before the answer. */
const first =
  (before: (response: ServerResponse) => void): Wire =>
  (response, answer, beside) => {
    before(response);
    return inOnePiece(response, answer, beside);
  };
const hints = (response: ServerResponse): void =>
  response.writeEarlyHints({ link: '</estilo.css>; rel=preload; as=style' });

/** Behind the answer, on the same connection, one to somebody else's request. */
const twoAnswers: Wire = ({ socket }, answer, { other }) =>
  void socket?.write(onTheLine(answer) + onTheLine(other ?? answer));

const BEHIND = Symbol('answers that are still to be given on a connection');
const LONGEST_BEHIND = 3;
interface Connection {
  [BEHIND]?: { left: number; readonly replies: Reply[] };
}

/**
 * From here on each request of the connection gets the answer to the one before, some times. Of a refusal, and of no row,
 * nobody can tell whose answer it is: those stay with their request.
 */
const oneBehind: Wire = (response, answer, beside) => {
  const connection = response.socket as Connection | null;
  const isNobodys = answer.status >= 300 || answer.text.includes('"data":null');
  if (connection !== null && !isNobodys) connection[BEHIND] = { left: LONGEST_BEHIND, replies: [answer] };
  return inOnePiece(response, beside.other ?? answer, beside);
};

/** The answer that a request gets on a connection that is behind; its own on any other. */
export function nextOn({ socket }: ServerResponse, own: Reply): Reply {
  const behind = (socket as Connection | null)?.[BEHIND];
  if (behind === undefined || behind.left === 0) return own;
  behind.left -= 1;
  behind.replies.push(own);
  return behind.replies.shift()!;
}

const onLine = (wire: Wire): FaultKind => ({ forward: 'now', back: (answer) => answer, wire });

/** The answer is the service's own, and comes over the line as few do. */
export const WIRE_KINDS = {
  'in odd chunks': onLine(chunked(oddPieces, () => 0)),
  'in slow chunks': onLine(chunked(inPieces, (patience) => patience / 3)),
  'chunks that break off': onLine(chunked(firstHalf, () => 1, false)),
  'longer than it says': onLine(withLength((length) => length / 2)),
  'shorter than it says': onLine(withLength((length) => length + 100)),
  'gzip that was not asked for': onLine(compressed(gzipSync)),
  'gzip of junk': onLine(compressed(() => randomBytes(512))),
  'gzip without end': onLine(compressed(() => BOMB)),
  'after early hints': onLine(first(hints)),
  'after many early hints': onLine(first((response) => Array(20).fill(response).forEach(hints))),
  'after a 100': onLine(first((response) => response.writeContinue())),
  'after a 102': onLine(first((response) => response.writeProcessing())),
  "with another's behind it": onLine(twoAnswers),
  'one behind on a connection': onLine(oneBehind),
} as const satisfies Record<string, FaultKind>;
