import type { ServerResponse } from 'node:http';

/** What came back from the sandbox. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How a request fails on its way. */
export interface FaultKind {
  /** When the sandbox gets it; `late` is once the client has given up, `twice` is by something in between that repeats it. */
  readonly forward: 'never' | 'now' | 'late' | 'twice';
  /**
   * What the client gets: a line that is closed, reset or silent, an answer after it has given up, half of one, the answer
   * to another request of that moment, an error of the system on a connection that stood, or another answer.
   */
  readonly back: 'closed' | 'reset' | 'silence' | 'late' | 'cut' | 'swapped' | SocketError | Change;
  /** Puts the answer on the line. @default in one piece, with its length */
  readonly wire?: Wire;
}

/** What something in between may give in place of an answer. */
export interface Beside {
  /** The answer to the first of two equal requests. */
  readonly first?: Reply | undefined;
  /** An earlier good answer to another request of the same operation. */
  readonly other?: Reply | undefined;
}

export type Change = (answer: Reply, beside: Beside) => Reply;

/** `patience`: milliseconds that the client waits for an answer, and between its pieces. */
export type Wire = (
  response: ServerResponse,
  answer: Reply,
  beside: Beside & { readonly patience: number },
) => void | Promise<void>;

export type SocketError = 'ETIMEDOUT' | 'EHOSTUNREACH' | 'ENETUNREACH';

export const instead = (status: number, text: string, headers: Reply['headers'] = {}) => {
  const reply: Reply = { status, headers: { 'content-type': 'application/json', ...headers }, text };
  return (): Reply => reply;
};

export const HTML = { 'content-type': 'text/html' };
const CRASH = instead(500, '{"message":"Server Error"}');
const BAD_GATEWAY = instead(502, '<html><body><h1>502 Bad Gateway</h1></body></html>', HTML);
const THROTTLED = '{"message":"Too Many Attempts."}';

export const FAULT_KINDS = {
  'dropped before': { forward: 'never', back: 'closed' },
  'dropped after': { forward: 'now', back: 'closed' },
  'reset before': { forward: 'never', back: 'reset' },
  'reset after': { forward: 'now', back: 'reset' },
  'answered late': { forward: 'now', back: 'late' },
  'arrived late': { forward: 'late', back: 'silence' },
  'pending, never arrived': { forward: 'never', back: 'silence' },
  'pending, processed': { forward: 'now', back: 'silence' },
  '429': { forward: 'never', back: instead(429, THROTTLED) },
  '429 with Retry-After': { forward: 'never', back: instead(429, THROTTLED, { 'retry-after': '2' }) },
  '500 before': { forward: 'never', back: CRASH },
  '500 after': { forward: 'now', back: CRASH },
  '502 page before': { forward: 'never', back: BAD_GATEWAY },
  '502 page after': { forward: 'now', back: BAD_GATEWAY },
  'bare string': { forward: 'now', back: instead(200, 'Undefined index: ResponseDian', HTML) },
  'truncated JSON': {
    forward: 'now',
    back: (answer) => ({ ...answer, text: answer.text.slice(0, Math.ceil(answer.text.length / 2)) }),
  },
  'cut in the middle': { forward: 'now', back: 'cut' },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof FAULT_KINDS;
export const FAULT_NAMES = Object.keys(FAULT_KINDS) as FaultName[];
