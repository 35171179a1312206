/** What came back from the sandbox. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How a request fails on its way. */
export interface FaultKind {
  /** When the sandbox gets it; `late` is once the client has given up. */
  readonly forward: 'never' | 'now' | 'late';
  /** What the client gets: a line that is closed, reset or silent, an answer after it has given up, half of one, or another one. */
  readonly back: 'closed' | 'reset' | 'silence' | 'late' | 'cut' | ((answer: Reply) => Reply);
}

const instead = (status: number, text: string, headers: Reply['headers'] = {}) => {
  const reply: Reply = { status, headers: { 'content-type': 'application/json', ...headers }, text };
  return (): Reply => reply;
};

const HTML = { 'content-type': 'text/html' };
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
