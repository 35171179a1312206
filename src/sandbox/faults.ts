import type { Answer, ChosenVerdict, Refusals, Script, Scripted } from './answer.js';
import type { Chance } from './chance.js';
import type { Clock } from './clock.js';
import type { Settings } from './options.js';
import { loginFailed } from './rips/replies.js';
import type { Companies, Outbox, Store } from './store.js';

/** Dependencies of every family of operations. */
export interface Context {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly companies: Companies;
  readonly refusals: Refusals;
  readonly faults: Script<Fault>;
  readonly verdicts: Script<ChosenVerdict>;
  readonly outbox: Outbox;
}

/** Response as sent; `reset` closes the connection instead. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly text: string;
}
export type Delivery = HttpReply | 'reset';

export interface Fault extends Scripted {
  readonly kind: FaultKind;
  /** Delay in milliseconds before it acts. */
  readonly ms?: number;
  /** Seconds, for 429. */
  readonly retryAfter?: number;
  /** Time of the fault relative to the processing of the request. @default that of the kind */
  readonly phase?: 'before' | 'after';
}

interface Kind {
  readonly phase: 'before' | 'after' | 'query';
  /** Returns the substitute response; undefined processes the request. */
  deliver(fault: Fault, answer: HttpReply | undefined, refusals: Refusals): Delivery | undefined;
}

export const toHttpReply = (answer: Answer): HttpReply => ({
  status: answer.status,
  headers: answer.headers ?? {},
  type: 'application/json',
  text: JSON.stringify(answer.body),
});

const page = (status: number, title: string): HttpReply => ({
  status,
  headers: {},
  type: 'text/html',
  text: `<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>`,
});

const FAULT_TABLE = {
  /** Normal response, but late. */
  delay: { phase: 'before', deliver: (_fault, answer) => answer },
  'reset-before': { phase: 'before', deliver: () => 'reset' },
  /** The response is lost, the document is not. */
  'reset-after': { phase: 'after', deliver: () => 'reset' },
  '429': {
    phase: 'before',
    deliver: (fault, _answer, refusals) => toHttpReply(refusals.throttled(fault.retryAfter ?? 1)),
  },
  '500': {
    phase: 'before',
    deliver: (_fault, _answer, refusals) => toHttpReply(refusals.crash('Server Error')),
  },
  '502-html': { phase: 'before', deliver: () => page(502, 'Bad Gateway') },
  /** Redirects to a login page, as without `Accept: application/json` (service.md 2). */
  '302-html': {
    phase: 'before',
    deliver: () => ({ ...page(302, 'Found'), headers: { location: '/login' } }),
  },
  /** Crash after sending (service.md 5.3). */
  'bare-string': {
    phase: 'after',
    deliver: () => ({ status: 200, headers: {}, type: 'text/html', text: 'Undefined index: ResponseDian' }),
  },
  'truncated-json': {
    phase: 'after',
    deliver: (_fault, answer) => ({
      status: 200,
      headers: {},
      type: 'application/json',
      text: answer === undefined ? '{' : answer.text.slice(0, Math.ceil(answer.text.length / 2)),
    }),
  },
  /** Status queries report "in process" for ever. */
  'pending-forever': { phase: 'query', deliver: (_fault, answer) => answer },
  /** DIAN is down, the service is not (service.md 5.4). */
  'dian-503': {
    phase: 'before',
    deliver: () =>
      toHttpReply({
        status: 200,
        body: { success: false, message: 'La DIAN no se encuentra disponible: 503 Service Unavailable' },
        effect: 'refused',
      }),
  },
  /** The health system refuses the service's login (service.md 6.7). */
  'login-failed': { phase: 'before', deliver: () => toHttpReply(loginFailed()) },
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof FAULT_TABLE;
export const FAULT_KINDS = Object.keys(FAULT_TABLE) as FaultKind[];

const isFaultKind = (text: string): text is FaultKind => Object.hasOwn(FAULT_TABLE, text);

export const phaseOf = (fault: Fault): Kind['phase'] => fault.phase ?? FAULT_TABLE[fault.kind].phase;

export const deliver = (
  fault: Fault,
  answer: HttpReply | undefined,
  refusals: Refusals,
): Delivery | undefined => (FAULT_TABLE[fault.kind] as Kind).deliver(fault, answer, refusals);

/** Outcome requested by the document itself, like test cards of payment systems. */
export interface RequestedOutcome {
  readonly verdict?: Pick<ChosenVerdict, 'verdict' | 'rules'>;
  readonly fault?: Pick<Fault, 'kind' | 'ms'>;
}

/** Words after `cargue:` that choose a verdict; every kind of fault is such a word too. */
export const VERDICT_WORDS = ['reject', 'reject-200', 'reject-500', 'notify', 'set-accepted'] as const;

const FORM = /cargue:(\S+)((?: +[A-Z0-9]+[a-z]?)*)/;
const NO_REQUESTED_OUTCOME: RequestedOutcome = {};

/**
 * Parses the wish in a free text (`notes` for payroll, any text of a service for RIPS, the receiver's job title for
 * events): `cargue:reject NIE187 NIE189`, `cargue:notify NIE026`, `cargue:reset-after`, `cargue:delay 500`.
 */
export function readRequestedOutcome(note: string | undefined): RequestedOutcome {
  const [, word = '', more = ''] = FORM.exec(note ?? '') ?? [];
  const rest = more.split(' ').filter(Boolean);
  const verdict = VERDICT_WORDS.find((known) => known === word);
  if (verdict !== undefined) return { verdict: { verdict, rules: rest } };
  if (isFaultKind(word))
    return { fault: { kind: word, ...(rest[0] !== undefined && { ms: Number(rest[0]) }) } };
  return NO_REQUESTED_OUTCOME;
}
