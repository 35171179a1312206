import type { Answer, FailureReason } from './answer.js';
import { NO_TUNNEL } from './proxy.js';

/** Reasons of errors before there was a connection. With a connection the same codes do not show what had arrived. */
const CONNECTING: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  [NO_TUNNEL]: 'proxy',
};

const CONNECTED: Readonly<Record<string, FailureReason>> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  UND_ERR_ABORTED: 'aborted',
};

/** Reasons of certificate errors; every other certificate code means an untrusted one. */
const CERTIFICATE: Readonly<Record<string, FailureReason>> = {
  CERT_HAS_EXPIRED: 'expired-certificate',
  CERT_NOT_YET_VALID: 'expired-certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-of-another-host',
};

const isUntrusted = (code: string): boolean =>
  code.startsWith('UNABLE_TO_') ||
  code.includes('SELF_SIGNED_CERT') ||
  /^(CERT|INVALID_CA|PATH_LENGTH)_?/.test(code);

const isTls = (code: string): boolean =>
  code.startsWith('ERR_TLS_') ||
  code.startsWith('ERR_SSL_') ||
  code.includes('CERT') ||
  code.includes('SIGNATURE');

const tlsReason = (code: string): FailureReason | undefined =>
  CERTIFICATE[code] ?? (isUntrusted(code) ? 'untrusted-certificate' : isTls(code) ? 'tls' : undefined);

/**
 * Classifies an error of undici or the sockets. The error itself is dropped, since it may quote the request.
 * `connecting`: it ended the attempt to connect, handshake included, so that no byte of the request left.
 */
export function failureOf(error: unknown, connecting: boolean): Extract<Answer, { kind: 'failure' }> {
  const { code, name, errors } = error as {
    code?: string;
    name?: string;
    errors?: readonly { code?: string }[];
  };
  if (name === 'AbortError') return { kind: 'failure', reason: 'aborted', sent: true };
  const known = code ?? errors?.[0]?.code ?? '';
  if (connecting)
    return {
      kind: 'failure',
      reason: CONNECTING[known] ?? tlsReason(known) ?? 'unreachable',
      sent: false,
    };
  return { kind: 'failure', reason: CONNECTED[known] ?? tlsReason(known) ?? 'other', sent: true };
}
