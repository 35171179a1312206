import type { Answer, FailureReason } from './answer.js';

type Failure = Extract<Answer, { kind: 'failure' }>;

const NOT_SENT: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
};

const SENT: Readonly<Record<string, FailureReason>> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  UND_ERR_ABORTED: 'aborted',
};

const isTls = (code: string): boolean =>
  code.startsWith('ERR_TLS_') ||
  code.startsWith('ERR_SSL_') ||
  code.includes('CERT') ||
  code.includes('SIGNATURE');

/** Sorts what undici and the sockets throw; the error itself is dropped, since it may quote the request. */
export function failureOf(error: unknown): Failure {
  const { code, name, errors } = error as {
    code?: string;
    name?: string;
    errors?: readonly { code?: string }[];
  };
  if (name === 'AbortError') return { kind: 'failure', reason: 'aborted', sent: true };
  const known = code ?? errors?.[0]?.code ?? '';
  const early = NOT_SENT[known] ?? (isTls(known) ? 'tls' : undefined);
  if (early !== undefined) return { kind: 'failure', reason: early, sent: false };
  return { kind: 'failure', reason: SENT[known] ?? 'other', sent: true };
}
