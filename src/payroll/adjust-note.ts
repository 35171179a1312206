import { contentHash } from '../schema/content-hash.js';
import { childKeys, resolveNode } from '../schema/registry.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { PlainDate } from '../values/plain-date.js';

/** Adjust notes of payroll (payroll.md 8, service.md 4.8), as pure functions over bodies. */

export const REPLACEMENT = 'payroll/adjust-note-replace';
export const DELETION = 'payroll/adjust-note-delete';

/** `type_document_id` of an adjust note. */
export const NOTE_TYPE = 10;

/** The accepted document that a note replaces or deletes. */
export interface Predecessor {
  /** Its consecutive, without prefix. */
  readonly number: number;
  readonly cune: string;
  readonly issueDate: PlainDate;
}

export interface NoteOptions {
  /** Of the notes: a range of their own. */
  readonly prefix: string;
  readonly issueDate: PlainDate;
  /** Goes to `notes`. */
  readonly reason: string;
  readonly predecessor: Predecessor;
}

/** What of a payroll people mean when they say that it changed: numbers, mail and looks are no part of it. */
const RESTATED = [
  'payroll_period_id',
  'period',
  'worker',
  'payment',
  'payment_dates',
  'accrued',
  'deductions',
] as const;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pick = (body: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])));

/** The worker with the employer's own code, which a payroll may carry at its top and a note only here. */
function workerWithCode(body: JsonObject): JsonValue | undefined {
  const { worker, worker_code } = body;
  if (!isObject(worker) || worker_code === undefined || worker['worker_code'] !== undefined) return worker;
  return { ...worker, worker_code };
}

const withWorker = (body: JsonObject): JsonObject => {
  const worker = workerWithCode(body);
  return worker === undefined ? body : { ...body, worker };
};

function heading(kind: 1 | 2, { prefix, reason, predecessor }: NoteOptions, period: JsonValue | undefined) {
  return {
    type_document_id: NOTE_TYPE,
    type_note: kind,
    prefix,
    ...(period !== undefined && { payroll_period_id: period }),
    predecessor: {
      predecessor_number: predecessor.number,
      predecessor_cune: predecessor.cune,
      predecessor_issue_date: predecessor.issueDate,
    },
    notes: reason,
  };
}

const issuedOn = (body: JsonObject, issueDate: PlainDate): JsonObject => {
  const { period } = body;
  return { ...(isObject(period) ? period : {}), issue_date: issueDate };
};

/** `Reemplazar`: a payroll restated in full, without its number. Members that a note does not have are left out. */
export function replacementOf(payroll: JsonObject, options: NoteOptions): JsonObject {
  const carried = pick(withWorker(payroll), childKeys(resolveNode(REPLACEMENT, [])!));
  const { type_document_id, type_note, consecutive, ...content } = carried;
  return {
    ...content,
    ...heading(1, options, payroll['payroll_period_id']),
    period: issuedOn(payroll, options.issueDate),
  };
}

/** `Eliminar`: takes back a payroll or a replacement; names no worker and no amounts, the period is that of the document. */
export const deletionOf = (document: JsonObject, options: NoteOptions): JsonObject => ({
  ...heading(2, options, document['payroll_period_id']),
  period: issuedOn(document, options.issueDate),
});

/** What a payroll and the note that restates it have in common. */
export const restated = (document: JsonObject): JsonObject => pick(withWorker(document), RESTATED);

/** Whether two documents, payrolls or replacements, say the same of a worker's month. */
export const saysTheSame = (a: JsonObject, b: JsonObject): boolean =>
  contentHash(REPLACEMENT, restated(a)) === contentHash(REPLACEMENT, restated(b));
