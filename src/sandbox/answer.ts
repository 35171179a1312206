import type { OperationId } from '../generated/operations.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { Company } from './companies.js';

/** What a request did to the state, as the request log shows it. */
export type Effect =
  | 'none'
  | 'refused'
  | 'received'
  | 'accepted'
  | 'rejected'
  | 'already-sent'
  | 'pending'
  | 'configured'
  | 'stored'
  | 'mailed'
  | 'answered';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  readonly effect: Effect;
}

/** An authenticated request. */
export interface Call {
  readonly operation: OperationId;
  readonly company: Company;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
}

/** What a call is about, as far as it says: scripted trouble and the request log go by it. */
export interface Topic {
  /** Prefix and consecutive joined. */
  readonly number?: string;
  readonly worker?: string;
  /** ZipKey, CUNE, CUFE: what stands in the path; of an event its CUFE and code, joined by a hyphen. */
  readonly key?: string;
  /** Free text of the document, which may hold a wish (wishes.ts). */
  readonly note?: string;
}

export interface Subject extends Topic {
  readonly operation: OperationId;
  /** NIT. */
  readonly company: string;
}

/** One operation of the interface. */
export interface Handler {
  /** Further path templates that lead here. */
  readonly alsoAt?: readonly string[];
  about(call: Call): Topic;
  answer(call: Call, subject: Subject): Answer;
}

export const subjectOf = (call: Call, topic: Topic): Subject => ({
  ...topic,
  operation: call.operation,
  company: call.company.nit,
});

export const ok = (body: JsonObject, effect: Effect): Answer => ({ status: 200, body, effect });

/** The service's own no: status 200 all the same (service.md 5.4). */
export const declined = (message: string, more: JsonObject = {}, effect: Effect = 'refused'): Answer =>
  ok({ success: false, message, ...more }, effect);
