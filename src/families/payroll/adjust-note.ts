import { type Decimal, fromScientific, subtract, toMoney } from '../../toolkit/core/decimal.js';
import { isDecimal } from '../../toolkit/core/decimal-text.js';
import {
  childPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  type Pointer,
  parsePointer,
} from '../../toolkit/core/json.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import { contentHash } from '../../toolkit/schema/document.js';
import { childKeys, isPersonal, leafKind, requiredNode, resolveNode } from '../../toolkit/schema/registry.js';
import type { ChangedField } from '../family.js';
import { textAt } from './subject.js';

/** Adjust notes of payroll (payroll.md 8, service.md 4.8). The functions are pure. */

export const REPLACEMENT = 'payroll/adjust-note-replace';
export const DELETION = 'payroll/adjust-note-delete';

/** `type_document_id` of an adjust note. */
export const NOTE_TYPE = 10;

/** The accepted document that a note replaces or deletes. */
interface Predecessor {
  /** Consecutive of the document, without prefix. */
  readonly number: number;
  readonly cune: string;
  readonly issueDate: PlainDate;
}

export interface NoteOptions {
  /** Prefix of the notes, which have a range of their own. */
  readonly prefix: string;
  readonly resolution?: string;
  readonly issueDate: PlainDate;
  /** Text for `notes`. */
  readonly reason: string;
  readonly predecessor: Predecessor;
}

/** Members that make up the content of a payroll: numbers, mail and appearance are not part of it. */
const RESTATED = [
  'payroll_period_id',
  'period',
  'worker',
  'payment',
  'payment_dates',
  'accrued',
  'deductions',
] as const;

const pick = (body: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])));

/** Adds the employer's code to the worker: a payroll may have it at its top, a note has it only here. */
function workerWithCode(body: JsonObject): JsonValue | undefined {
  const { worker, worker_code } = body;
  if (!isObject(worker) || worker_code === undefined || worker['worker_code'] !== undefined) return worker;
  return { ...worker, worker_code };
}

const withWorker = (body: JsonObject): JsonObject => {
  const worker = workerWithCode(body);
  return worker === undefined ? body : { ...body, worker };
};

function heading(
  kind: 1 | 2,
  { prefix, resolution, reason, predecessor }: NoteOptions,
  period: JsonValue | undefined,
) {
  return {
    type_document_id: NOTE_TYPE,
    type_note: kind,
    prefix,
    ...(resolution !== undefined && { resolution_number: resolution }),
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

/**
 * Builds a note `Reemplazar`: a payroll in full, without its number. Members that a note does not have are left out.
 */
export function replacementOf(payroll: JsonObject, options: NoteOptions): JsonObject {
  const carried = pick(withWorker(payroll), childKeys(requiredNode(REPLACEMENT, [])));
  const { type_document_id, type_note, consecutive, resolution_number, ...content } = carried;
  return {
    ...content,
    ...heading(1, options, payroll['payroll_period_id']),
    period: issuedOn(payroll, options.issueDate),
  };
}

/**
 * Builds a note `Eliminar`, which takes back a payroll or a replacement; it has no worker and no amounts, and the
 * period of the document.
 */
export const deletionOf = (document: JsonObject, options: NoteOptions): JsonObject => ({
  ...heading(2, options, document['payroll_period_id']),
  period: issuedOn(document, options.issueDate),
});

/** Returns the members that a payroll has in common with the note that replaces it. */
const restated = (document: JsonObject): JsonObject => pick(withWorker(document), RESTATED);

/** True if two documents, payrolls or replacements, have the same content for a worker's month. */
export const saysTheSame = (a: JsonObject, b: JsonObject): boolean =>
  contentHash(REPLACEMENT, restated(a)) === contentHash(REPLACEMENT, restated(b));

/** A change against the month before that people should check. */
interface MonthChange {
  readonly code: 'payroll/salary-changed' | 'payroll/account-changed';
  readonly pointer: Pointer;
  /** Value of this month. */
  readonly value: string;
}

const WATCHED: readonly Pick<MonthChange, 'code' | 'pointer'>[] = [
  { code: 'payroll/salary-changed', pointer: '/worker/salary' },
  { code: 'payroll/account-changed', pointer: '/payment/account_number' },
];

/**
 * Compares base salary and bank account of a worker with the month before; what one of the months lacks is no change.
 */
export const changesSince = (before: JsonObject, now: JsonObject): readonly MonthChange[] =>
  WATCHED.flatMap(({ code, pointer }) => {
    const [old, value] = [textAt(before, pointer), textAt(now, pointer)];
    return old === '' || value === '' || old === value ? [] : [{ code, pointer, value }];
  });

type Leaf = string | number | boolean;

/** Leaves that are not content: the issue date is that of the note. */
const OUTSIDE: readonly Pointer[] = ['/period/issue_date'];

function* leavesOf(value: JsonValue, pointer: Pointer): Iterable<[Pointer, Leaf]> {
  if (value === null) return;
  if (typeof value !== 'object') yield [pointer, value];
  else for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, childPointer(pointer, key));
}

const leaves = (document: JsonObject): Map<Pointer, Leaf> => {
  const found = new Map(leavesOf(restated(document), ''));
  for (const pointer of OUTSIDE) found.delete(pointer);
  return found;
};

const AMOUNTS: ReadonlySet<string> = new Set(['money', 'quantity', 'two-decimals', 'number']);

/** True if the field holds an amount or a quantity. */
function isAmount(pointer: Pointer): boolean {
  const node = resolveNode(REPLACEMENT, parsePointer(pointer));
  return node !== undefined && AMOUNTS.has(leafKind(node) ?? '');
}

/**
 * Returns the Spanish titles from the outermost to the leaf: `Devengados`, `Bonificaciones 1`, `Bonificación salarial`.
 */
export function titlesOf(pointer: Pointer): readonly string[] {
  const keys = parsePointer(pointer);
  const titles: string[] = [];
  keys.forEach((key, depth) => {
    if (/^\d+$/.test(key)) titles.push(`${titles.pop() ?? ''} ${Number(key) + 1}`);
    else titles.push(resolveNode(REPLACEMENT, keys.slice(0, depth + 1))?.title ?? key);
  });
  return titles;
}

const decimalOf = (leaf: Leaf | undefined): Decimal | undefined => {
  if (leaf === undefined) return '0';
  const text = String(leaf);
  return isDecimal(text) ? text : fromScientific(text);
};

function changeAt(pointer: Pointer, before: Leaf | undefined, after: Leaf | undefined): ChangedField {
  const counts = isAmount(pointer);
  const [from, to] = counts ? [decimalOf(before), decimalOf(after)] : [];
  const gap = from === undefined || to === undefined ? undefined : subtract(to, from);
  return {
    pointer,
    titles: titlesOf(pointer),
    isAmount: counts,
    isPersonal: isPersonal(REPLACEMENT, pointer),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(gap !== undefined && { difference: toMoney(gap) ?? gap }),
  };
}

/** Returns all leaves in which two documents, payrolls or replacements, differ; in the order of the later one. */
export function changesBetween(before: JsonObject, after: JsonObject): readonly ChangedField[] {
  const [old, now] = [leaves(before), leaves(after)];
  const pointers = [...now.keys(), ...[...old.keys()].filter((pointer) => !now.has(pointer))];
  return pointers
    .filter((pointer) => String(old.get(pointer)) !== String(now.get(pointer)))
    .map((pointer) => changeAt(pointer, old.get(pointer), now.get(pointer)));
}

/** Amounts that people know a payroll by. */
const TOTALS: readonly Pointer[] = ['/accrued/accrued_total', '/deductions/deductions_total'];

/** Returns the totals of a document that is added (`after`) or removed (`before`) as a whole. */
export function fieldsAs(side: 'before' | 'after', document: JsonObject): readonly ChangedField[] {
  const found = leaves(document);
  return TOTALS.flatMap((pointer) => {
    const leaf = found.get(pointer);
    if (leaf === undefined) return [];
    return [side === 'before' ? changeAt(pointer, leaf, undefined) : changeAt(pointer, undefined, leaf)];
  });
}
