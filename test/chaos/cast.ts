import { createHash } from 'node:crypto';
import { DELETION, deletionOf, REPLACEMENT, replacementOf } from '../../src/families/payroll/adjust-note.js';
import type { SchemaName } from '../../src/generated/schema-types.js';
import type { PlanInput } from '../../src/send/documents.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { Outcome } from '../../src/toolkit/schema/document.js';
import { payroll } from '../send/support.js';
import { type Chance, chanceOf } from './chance.js';

/** How a document must end, known before it is sent: what DIAN is made to say of it. */
export type Truth =
  | { readonly state: 'accepted' }
  | { readonly state: 'rejected'; readonly rule: string }
  /** It never left: what it had to wait for was rejected, or a person gave it up. */
  | { readonly state: 'held-back' }
  /** The service never gives a verdict. */
  | { readonly state: 'pending' };

/** A document with its part in the play. */
export interface Role {
  readonly envelope: PlanInput;
  readonly truth: Truth;
}

const ACCEPTED: Truth = { state: 'accepted' };
const REJECTED: Truth = { state: 'rejected', rule: 'NIE024' };

/** What a free text makes the sandbox do, by how many in a hundred documents have it. */
const PARTS: readonly (readonly [percent: number, note: string, truth: Truth])[] = [
  [6, 'cargue:reject NIE024', REJECTED],
  [4, 'cargue:notify NIE026', ACCEPTED],
];
const STUCK: (typeof PARTS)[number] = [2, 'cargue:pending-forever', { state: 'pending' }];

interface Part {
  readonly notes?: string;
  readonly truth: Truth;
}

function partOf({ next }: Chance, parts: typeof PARTS): Part {
  let place = next() * 100;
  for (const [percent, notes, truth] of parts) {
    place -= percent;
    if (place < 0) return { notes, truth };
  }
  return { truth: ACCEPTED };
}

const envelopeOf = (schema: SchemaName, key: string, body: JsonObject): Omit<PlanInput, 'sequence'> => ({
  key,
  schema,
  body,
  trace: new Map(),
  hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
});

const keyOf = (worker: number): string => String(9000100000 + worker);

const payrollRole = (worker: number, { notes, truth }: Part, changes: JsonObject = {}) => ({
  envelope: envelopeOf(
    'payroll/payroll',
    keyOf(worker),
    payroll(worker, { ...(notes !== undefined && { notes }), ...changes }),
  ),
  truth,
});

type Unplaced = { readonly envelope: Omit<PlanInput, 'sequence'>; readonly truth: Truth };

/** Sequences by position. */
const placed = (roles: readonly Unplaced[]): readonly Role[] =>
  roles.map(({ envelope, truth }, index) => ({
    envelope: { ...envelope, sequence: index + 1 },
    truth,
  }));

export interface CastOptions {
  readonly seed: number;
  readonly count: number;
  readonly testSet: boolean;
  /** First worker that has nothing yet. @default 1 */
  readonly from?: number;
}

const partsOf = (testSet: boolean): typeof PARTS => (testSet ? [...PARTS, STUCK] : PARTS);

/** Payrolls of as many workers. */
export function payrollCast({ seed, count, testSet, from = 1 }: CastOptions): readonly Role[] {
  const chance = chanceOf(seed, 'cast', from);
  return placed(
    Array.from({ length: count }, (_, index) => payrollRole(from + index, partOf(chance, partsOf(testSet)))),
  );
}

/** Payrolls that are all accepted, for notes to correct. */
export const plainCast = (count: number, from = 1): readonly Role[] =>
  placed(Array.from({ length: count }, (_, index) => payrollRole(from + index, { truth: ACCEPTED })));

const RISEN: JsonObject = { payment_dates: [{ payment_date: '2026-10-29' }] };
/** Added to a worker whose document number was wrong. */
const RENUMBERED = 50_000;
export const NEVER_LEFT: Truth = { state: 'held-back' };

/**
 * Corrections of accepted payrolls among new ones: replacements, deletions, and deletions that a payroll of the right
 * worker has to wait for; some are rejected, and then what waits for them never leaves.
 */
export function noteCast(options: CastOptions, accepted: readonly Outcome[]): readonly Role[] {
  const { seed, count, testSet } = options;
  const chance = chanceOf(seed, 'notes');
  const roles: Unplaced[] = [];
  /** By the sequence of a deletion: that of the payroll that waits for it. */
  const before = new Map<number, number>();
  for (const { number, documentCode } of accepted) {
    const consecutive = Number(number!.replace(/^\D+/, ''));
    const worker = consecutive;
    const { notes, truth } = partOf(chance, PARTS);
    const of = {
      prefix: 'NA',
      issueDate: '2026-11-09',
      reason: notes ?? 'Corrección',
      predecessor: { number: consecutive, cune: documentCode!, issueDate: '2026-10-31' },
    };
    const way = chance.pick(['replace', 'delete', 'again'] as const);
    if (way === 'replace') {
      const note = replacementOf(payroll(worker, RISEN), of);
      roles.push({ envelope: envelopeOf(REPLACEMENT, keyOf(worker), note), truth });
      continue;
    }
    if (way === 'again') {
      const follows = truth.state === 'accepted' ? ACCEPTED : NEVER_LEFT;
      roles.push(payrollRole(RENUMBERED + worker, { truth: follows }));
      before.set(roles.length + 1, roles.length);
    }
    roles.push({ envelope: envelopeOf(DELETION, keyOf(worker), deletionOf(payroll(worker), of)), truth });
  }
  const rest = { seed, testSet, count: Math.max(0, count - roles.length), from: accepted.length + 1 };
  const all = placed([...roles, ...payrollCast(rest)]);
  return all.map(({ envelope, truth }) => {
    const waiting = before.get(envelope.sequence);
    return { envelope: { ...envelope, ...(waiting !== undefined && { before: waiting }) }, truth };
  });
}

export const envelopesOf = (roles: readonly Role[]): readonly PlanInput[] =>
  roles.map(({ envelope }) => envelope);
