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
  readonly back:
    | 'closed'
    | 'reset'
    | 'silence'
    | 'late'
    | 'cut'
    | 'swapped'
    | SocketError
    | ((answer: Reply, first?: Reply) => Reply);
}

export type SocketError = 'ETIMEDOUT' | 'EHOSTUNREACH' | 'ENETUNREACH';

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

const after = (status: number, text: string, headers: Reply['headers'] = {}): FaultKind => ({
  forward: 'now',
  back: instead(status, text, headers),
});
const page = (title: string): string =>
  `<html><head><title>${title}</title></head><body>${title}</body></html>`;

/** Of "already sent" nothing is left but the code. */
function withoutWhose(answer: Reply): Reply {
  try {
    const { employee: _, total_payroll: __, ...rest } = JSON.parse(answer.text) as Record<string, unknown>;
    return { ...answer, text: JSON.stringify(rest) };
  } catch {
    return answer;
  }
}

/** The service did as it was told; what the client hears of it is not the service's own word, or not about its request. */
export const ANSWER_KINDS = {
  '401 page': after(401, page('Authorization Required'), HTML),
  '401 of a gateway': after(401, '{"message":"Unauthorized"}'),
  '403 of a gateway': after(403, '{"message":"Forbidden"}'),
  '404 page': after(404, page('404 Not Found'), HTML),
  '404 of a gateway': after(404, '{"message":"no Route matched with those values"}'),
  '429 of a gateway': after(429, '{"message":"API rate limit exceeded"}'),
  '302 to a page': after(302, '', { location: 'http://portal.invalid/login' }),
  '200 page': after(200, page('Inicio de sesión'), HTML),
  '502 page, answered': after(502, page('502 Bad Gateway'), HTML),
  'no in unknown words': after(200, '{"success":false,"message":"Solicitud bloqueada por la política 4711"}'),
  '500, no in unknown words': after(
    500,
    '{"success":false,"message":"upstream","error":"upstream connect error"}',
  ),
  'nothing at all': after(200, ''),
  'half an answer': FAULT_KINDS['truncated JSON'],
  'answer to another': { forward: 'now', back: 'swapped' },
  'twice, answered by the first': { forward: 'twice', back: (answer, first) => first ?? answer },
  'twice, answered by the second': { forward: 'twice', back: (answer) => answer },
  'twice, not said whose': { forward: 'twice', back: withoutWhose },
  'connection timed out': { forward: 'now', back: 'ETIMEDOUT' },
  'host gone': { forward: 'now', back: 'EHOSTUNREACH' },
  'network gone': { forward: 'now', back: 'ENETUNREACH' },
} as const satisfies Record<string, FaultKind>;

export type AnswerName = keyof typeof ANSWER_KINDS;
export const ANSWER_NAMES = Object.keys(ANSWER_KINDS) as AnswerName[];

/** Of both adversaries: the line and the answer. */
export const ALL_KINDS: Readonly<Record<FaultName | AnswerName, FaultKind>> = {
  ...FAULT_KINDS,
  ...ANSWER_KINDS,
};
export type AnyFault = keyof typeof ALL_KINDS;
