import type { Issue } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import { DAY, type Made, madeOf, secondOf, secondsBetween } from '../families/payroll/cune-proof.js';
import type { Journal } from './journal.js';
import type { DocumentKind } from './kind.js';
import { say } from './say.js';
import type { Fit } from './shown.js';

/** A document and the code that is said to be its own. */
export interface Claim {
  readonly body: JsonObject;
  readonly documentCode: string;
  /** Milliseconds: when the request can have left at the earliest, and when this is asked. */
  readonly window: readonly [number, number];
}

/** Tells by the PIN of the software whose a code is (payroll.md 1.1). It is in no journal, log or issue. */
export interface Proof {
  says(claim: Claim): Extract<Fit, 'ours' | 'open' | 'other-content'>;
  /** Whether the PIN has shown itself right: only then "no match" means another's document. */
  readonly isSure: boolean;
  /** Why the PIN proves nothing. */
  readonly trouble: Issue | undefined;
}

export interface ProofOptions {
  readonly kind: DocumentKind;
  readonly journal: Journal;
  readonly run: string;
  readonly employer: { readonly nit: string | undefined };
  readonly pin: string;
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

/** Of a company as a run names it, where that is one. */
export const nitOf = (company: string): string | undefined =>
  /^(\d{5,10})(-\d)?$/.exec(company.replace(/[.\s]/g, ''))?.[1];

export function proofOf({ kind, journal, run, employer, pin }: ProofOptions): Proof {
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
    const { parts } = kind.hashed!(body);
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
      if (kind.hashed === undefined || nit === undefined || trouble !== undefined) return 'open';
      if (!isSure) tryPin(nit);
      if (trouble !== undefined) return 'open';
      if (isMade(claim, nit)) {
        isSure = true;
        return 'ours';
      }
      return isSure && kind.hashed(claim.body).isPlain ? 'other-content' : 'open';
    },
    get isSure() {
      return isSure;
    },
    get trouble() {
      return trouble;
    },
  };
}
