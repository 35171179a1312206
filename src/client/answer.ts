import { parseForeignJson } from '../toolkit/core/foreign-json.js';
import type { JsonValue, Pointer } from '../toolkit/core/json.js';

/** Reason why no answer came. `aborted`: this side ended the request. */
export type FailureReason =
  | 'timeout'
  | 'reset'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'untrusted-certificate'
  | 'expired-certificate'
  | 'certificate-of-another-host'
  | 'unreachable'
  | 'proxy'
  | 'too-large'
  | 'aborted'
  | 'other';

/**
 * Response to a call. The status decides nothing here: business refusals are 200 and validation may be 500
 * (service.md 8). A `Body` other than JSON is the observed shape of a success, and is not checked.
 */
export type Answer<Body = JsonValue> =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: Body;
      /** Pointers of keys that one object has twice, so that the answer is ambiguous; undefined if there are none. */
      readonly duplicateKeys?: readonly Pointer[];
      /** Header `Retry-After` as it came. */
      readonly retryAfter?: string;
    }
  /** No JSON, or JSON beyond the limits. */
  | {
      readonly kind: 'text';
      readonly status: number;
      /** First characters, with the token replaced. */
      readonly text: string;
      readonly retryAfter?: string;
    }
  | {
      readonly kind: 'failure';
      readonly reason: FailureReason;
      /** False only when no byte of the request can have arrived. */
      readonly sent: boolean;
    };

const EXCERPT = 300;

/** Reads a body whatever its declared type: the service mixes JSON, HTML and bare sentences. */
export function readAnswer(status: number, text: string, retryAfter: string | undefined): Answer {
  const rest = { status, ...(retryAfter !== undefined && { retryAfter }) };
  const read = parseForeignJson(text);
  if (read.problem !== undefined) return { kind: 'text', text: text.slice(0, EXCERPT), ...rest };
  const { value: body, duplicateKeys } = read;
  return { kind: 'json', body, ...rest, ...(duplicateKeys.length > 0 && { duplicateKeys }) };
}
