import { hash } from 'node:crypto';
import type { Issue } from '../../core/issue.js';
import { type JsonObject, valueAt } from '../../core/json.js';
import type { Claim, Proof, ProofOptions } from '../../send/kind.js';
import { say } from '../../send/say.js';
import { NOTE_TYPE } from './adjust-note.js';
import { type CuneParts, cuneInput, DELETION_PARTS } from './cune.js';
import { numberOf, payrollTotals } from './subject.js';

/** All of a CUNE but the second in which the service made it, and the environment it was set to. */
export type KnownParts = Omit<CuneParts, 'issueTime' | 'environment'>;

/** What a code was made in. */
export interface Made {
  /** Of the day in Colombia. */
  readonly second: number;
  readonly environment: CuneParts['environment'];
}

export const DAY = 86_400;
const two = (number: number): string => String(number).padStart(2, '0');

/** A second of the day in Colombia, in the form of a CUNE. */
export const issueTimeOf = (second: number): string =>
  `${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}-05:00`;

const inDay = (second: number): number => ((second % DAY) + DAY) % DAY;

/** The second of the day in Colombia of a moment in milliseconds. */
export const secondOf = (at: number): number => inDay(Math.floor(at / 1_000) - 5 * 3_600);

/** Clocks differ by a little. */
const SLACK = 15 * 60;

/** The seconds between two moments in milliseconds, and a little around them; over midnight, and each of a day once. */
export function* secondsBetween(from: number, until: number): Iterable<number> {
  const length = Math.floor((until - from) / 1_000) + 2 * SLACK + 1;
  const last = secondOf(until) + SLACK;
  // The latest first: most answers come at once.
  for (let step = 0; step < Math.min(length, DAY); step++) yield inDay(last - step);
}

/**
 * The proof that a code is of a document with these parts: number, date, amounts, employer and worker are in the hash,
 * and all but second and environment is known. Undefined where none of the seconds gives the code; that proves the
 * contrary only if the PIN is right and the second was among them.
 */
export function madeOf(
  parts: KnownParts,
  code: string,
  seconds: Iterable<number>,
  environments: readonly CuneParts['environment'][] = ['1', '2'],
): Made | undefined {
  const wanted = code.toLowerCase();
  // Whatever stands before and after the time is the same for all of them.
  const [before, after] = cuneInput({ ...parts, issueTime: '\n', environment: '' as '1' }).split('\n');
  for (const second of seconds) {
    const known = `${before}${issueTimeOf(second)}${after}`;
    for (const environment of environments)
      if (hash('sha384', known + environment) === wanted) return { second, environment };
  }
  return undefined;
}

/** What the CUNE of a document is the hash of, but for what only service and company know. */
interface Hashed {
  readonly parts: Omit<KnownParts, 'employerNit' | 'softwarePin'>;
  /** Whether there is no doubt how the service prints the parts: only then can no match prove anything. */
  readonly isPlain: boolean;
}

/** The parts of a CUNE (payroll.md 1.1). */
function hashed(body: JsonObject): Hashed {
  const isNote = Number(body['type_document_id']) === NOTE_TYPE;
  const isDeletion = isNote && Number(body['type_note']) === 2;
  const worker = String(valueAt(body, '/worker/identification_number') ?? '').replace(/[.\s-]/g, '');
  return {
    parts: {
      number: numberOf(body),
      issueDate: String(valueAt(body, '/period/issue_date') ?? ''),
      ...payrollTotals(body),
      workerDocument: worker,
      xmlType: isNote ? '103' : '102',
      ...(isDeletion && DELETION_PARTS),
    },
    // Of a document with letters or leading zeros nobody knows how the service prints it.
    isPlain: isDeletion || /^[1-9]\d*$/.test(worker),
  };
}

interface Sure {
  readonly body: string;
  readonly code: string;
  readonly updated: number;
}

/** Documents that the PIN is tried on: one is enough to show that it is right. */
const SURE = 3;
/** Searches of a whole day, a fraction of a second each, that are spent before anything shows that the PIN is right. */
const UNSURE = 8;

/** Tries the seconds in which the service may have made a CUNE. */
export function proofOf({ journal, run, employer, pin }: ProofOptions): Proof {
  let isSure = false;
  let trouble: Issue | undefined;
  /** How the service's clock and set-up have shown themselves. */
  let environment: Made['environment'] | undefined;
  let shift = 0;
  let thorough = UNSURE;
  /** Answers that cost a whole day's search, by code and document. */
  const said = new Map<string, boolean>();

  /** Tries the time at which it should have been made; then, since clocks may be wrong, all others of a day. */
  function isMade({ body, documentCode, window: [from, until] }: Claim, employerNit: string): boolean {
    const { parts } = hashed(body);
    const key = `${documentCode} ${parts.number}`;
    const known = said.get(key);
    if (known !== undefined) return known;
    const tried = (first: number, last: number) =>
      madeOf(
        { ...parts, employerNit, softwarePin: pin },
        documentCode,
        secondsBetween(first, last),
        environment === undefined ? undefined : [environment],
      );
    const near = tried(from + shift, until + shift);
    if (near !== undefined) {
      environment = near.environment;
      return true;
    }
    if (!isSure && thorough === 0) return false;
    if (!isSure) thorough -= 1;
    const found = tried(until - DAY * 1_000, until);
    said.set(key, found !== undefined);
    if (found === undefined) return false;
    environment = found.environment;
    shift = (found.second - secondOf(until)) * 1_000;
    return true;
  }

  /** Tries the PIN on what was accepted without a doubt, first of this run. */
  function tryPin(nit: string): void {
    const sure = journal
      .prepare(`
        SELECT c.body, d.document_code AS code, d.updated FROM document d JOIN content c ON c.document = d.id
        WHERE d.state = 'accepted' AND d.doubt = 0 AND d.earlier IS NULL AND d.document_code IS NOT NULL
        ORDER BY d.run = ? DESC, d.id DESC LIMIT ${SURE}`)
      .all<Sure>(run);
    thorough += sure.length;
    isSure = sure.some(({ body, code, updated }) =>
      isMade({ body: JSON.parse(body), documentCode: code, window: [updated, updated] }, nit),
    );
    if (!isSure && sure.length > 0) trouble = say('send/pin-unusable', { tried: sure.length });
  }

  return {
    says(claim) {
      const { nit } = employer;
      if (nit === undefined || trouble !== undefined) return 'open';
      if (!isSure) tryPin(nit);
      if (trouble !== undefined) return 'open';
      if (isMade(claim, nit)) {
        isSure = true;
        return 'ours';
      }
      return isSure && hashed(claim.body).isPlain ? 'other-content' : 'open';
    },
    get isSure() {
      return isSure;
    },
    get trouble() {
      return trouble;
    },
  };
}
