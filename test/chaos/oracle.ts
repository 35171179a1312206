import type { ArchivedDocument } from '../../src/sandbox/payroll/ledger.js';
import type { LoggedRequest } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { Outcome } from '../../src/toolkit/schema/document.js';
import { allOf } from '../support/all-of.js';
import { NEVER_LEFT, type Role } from './cast.js';
import type { Passing } from './fault-proxy.js';

/** What must be empty, a line each. */
export interface Findings {
  /** A number with two contents, a content under two numbers, a worker's month or a document accepted twice. */
  readonly doubles: readonly string[];
  /** Spooled and not told of, without an end, or accepted by the service and not in the journal. */
  readonly lost: readonly string[];
  /** Told otherwise than it is: against the service's archive, and against what the document was made for. */
  readonly wrong: readonly string[];
}

/** The two books that are compared, and what went between them. */
export interface Evidence {
  readonly journal: Journal;
  readonly run: string;
  readonly roles: readonly Role[];
  /** What DIAN holds, of this run and of others. */
  readonly archive: readonly ArchivedDocument[];
  /** Numbers of earlier runs, which are nobody's loss. */
  readonly earlier: ReadonlySet<string>;
  /** Sends of the run that reached the service. */
  readonly arrived: readonly Pick<Passing, 'body' | 'about'>[];
  readonly log: readonly LoggedRequest[];
  /** Whether what is unknown may wait for a person, if it says why. @default false */
  readonly mayWait?: boolean;
}

export async function examine(evidence: Evidence): Promise<Findings> {
  const told = await allOf(outcomes(evidence.journal, evidence.run));
  return { doubles: doublesIn(evidence), lost: lostIn(evidence, told), wrong: wrongIn(evidence, told) };
}

/** Keys with more than one value. */
function ambiguous(pairs: Iterable<readonly [key: string, value: string]>): string[] {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const [key, value] of pairs) {
    const known = first.get(key) ?? value;
    first.set(key, known);
    if (known !== value) found.add(key);
  }
  return [...found];
}

const content = (body: string): string => {
  const { consecutive: _, ...rest } = JSON.parse(body) as JsonObject;
  return JSON.stringify(rest);
};

function doublesIn({ arrived, archive, log }: Evidence): string[] {
  const numbers = ambiguous(arrived.map(({ about, body }) => [about, body]));
  const contents = ambiguous(arrived.map(({ about, body }) => [content(body), about]));
  const codes = ambiguous(archive.map(({ number, cune }) => [number, cune]));
  const months = ambiguous(
    archive
      .filter(({ kind, deleted }) => kind === 'payroll' && deleted !== true)
      .map(({ worker, month, cune }) => [`${worker} ${month}`, cune]),
  );
  const taken = log.filter(({ operation, effect }) => effect === 'accepted' && operation.startsWith('send'));
  const twice = ambiguous(taken.map(({ number, sequence }) => [number ?? '', String(sequence)]));
  return [
    ...numbers.map((number) => `${number} was sent with two contents`),
    ...contents.map((text) => `sent under two numbers: ${text.slice(0, 80)}`),
    ...codes.map((number) => `${number} was accepted under two codes`),
    ...months.map((month) => `accepted twice: ${month}`),
    ...twice.map((number) => `${number} was accepted twice`),
  ];
}

const OPEN = new Set(['unknown', 'unsent']);

/** Nothing is known of it, and words say what a person is to do. */
export const waits = ({ state, issues }: Outcome): boolean => state === 'unknown' && issues.length > 0;

function lostIn({ roles, archive, earlier, mayWait = false }: Evidence, told: readonly Outcome[]): string[] {
  const keys = told.map(({ sequence, key }) => `${sequence} ${key}`);
  const expected = roles.map(({ envelope }) => `${envelope.sequence} ${envelope.key}`);
  const numbers = new Set(told.map(({ number }) => number));
  // Also what has to come after something that waits.
  const behind = new Set(
    roles.flatMap(({ envelope: { sequence, before } }) =>
      told[sequence - 1]?.state === 'unknown' ? [before] : [],
    ),
  );
  const isWaiting = (outcome: Outcome): boolean =>
    mayWait && (waits(outcome) || behind.has(outcome.sequence));
  return [
    ...expected.filter((key) => !keys.includes(key)).map((key) => `${key} is not told of`),
    ...(keys.length === expected.length ? [] : [`${keys.length} of ${expected.length} documents told of`]),
    ...told
      .filter((outcome) => OPEN.has(outcome.state) && !isWaiting(outcome))
      .map(({ number, state }) => `${number} is left ${state}`),
    ...archive
      .filter(({ number }) => !earlier.has(number) && !numbers.has(number))
      .map(({ number }) => `${number} was accepted and is nobody's`),
  ];
}

const rulesOf = ({ issues }: Outcome): readonly unknown[] =>
  issues
    .filter(({ level }) => level === 'error')
    .map(({ code, params }) => paramOf({ params }, 'rule') ?? code);

function wrongIn({ roles, archive }: Evidence, told: readonly Outcome[]): string[] {
  const codes = new Map(archive.map(({ number, cune }) => [number, cune]));
  return told.flatMap((outcome) => {
    const { number = '', state, documentCode, sequence } = outcome;
    const held = codes.get(number);
    const truth = roles[sequence - 1]!.truth;
    if (OPEN.has(state)) return [];
    const faults: string[] = [];
    if (state !== truth.state) faults.push(`${number} is ${state}, was made to be ${truth.state}`);
    // A verdict that never comes is known to DIAN all the same.
    if (state !== 'pending' && (state === 'accepted') !== (held !== undefined))
      faults.push(`${number} is ${state}, ${held === undefined ? 'not held' : 'held'} by the service`);
    if (state === 'accepted' && documentCode !== held)
      faults.push(`${number} has the code of another document`);
    // What a restored journal had forgotten, a person may have found.
    const isTried = outcome.attempts > 0 || outcome.settled !== undefined;
    if (truth === NEVER_LEFT ? outcome.attempts > 0 : !isTried)
      faults.push(`${number} was tried ${outcome.attempts} times`);
    if (truth.state === 'rejected' && state === 'rejected')
      if (rulesOf(outcome).join() !== truth.rule)
        faults.push(`${number} was rejected for ${rulesOf(outcome).join()}, not for ${truth.rule}`);
    return faults;
  });
}
