import { hash } from 'node:crypto';
import { createIssue } from '../send/create-issue.js';
import { answerIn } from '../send/documents.js';
import type { Claim, Proof, ProofOptions } from '../send/kind.js';
import type { Issue } from '../toolkit/core/issue.js';

/** Text whose hash may be an acceptance code, without the time inside it (`HH:MM:SS-05:00`). */
export interface HashedText {
  readonly before: string;
  readonly after: string;
  /** Environment in the text, if it is hashed too. */
  readonly environment?: string;
}

/** Candidate texts of a document's code, without what only the service knows. */
export interface Hashed {
  /** Empty if too little is known of the document. */
  readonly texts: readonly HashedText[];
  /** Time, if it is shown, as `HH:MM:SS` and more. */
  readonly time?: string;
  /** True if the service's spelling of the parts is certain; only then does no match prove anything. */
  readonly isPlain: boolean;
  /** True if a failed match leads to another query, so a search of 15 minutes around is enough. */
  readonly isAskedAgain?: boolean;
}

/** Values known to the company only. */
export interface Secret {
  readonly nit: string;
  readonly pin: string;
}

interface ProofSample {
  readonly body: string;
  readonly answer: string | null;
  readonly code: string;
  readonly updated: number;
}

/** Max documents the PIN is tried on; one match proves it. */
const PROOF_SAMPLE_SIZE = 3;
/** Max searches of a whole day, 0.1 s each, before a match proves the PIN. */
const MAX_UNPROVEN_SEARCHES = 20;
/** Clock difference and response time to allow, in seconds. */
const CLOCK_TOLERANCE_S = 15 * 60;
export const DAY = 86_400;

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Formats a second of the day in Colombia as in a CUNE. */
export const issueTimeOf = (second: number): string =>
  `${TWO[Math.floor(second / 3_600)]}:${TWO[Math.floor(second / 60) % 60]}:${TWO[second % 60]}-05:00`;

const inDay = (second: number): number => ((second % DAY) + DAY) % DAY;

/** Returns the second of the day in Colombia of an instant in epoch milliseconds. */
export const secondOf = (at: number): number => inDay(Math.floor(at / 1_000) - 5 * 3_600);

/** Returns the difference in seconds; negative if earlier. */
const secondsAfter = (second: number, than: number): number => inDay(second - than + DAY / 2) - DAY / 2;

/** Yields seconds of the day outward from the centres, each once; a reach of half a day covers all. */
export function* outward(centres: readonly number[], reach = DAY / 2): Iterable<number> {
  const tried = new Uint8Array(DAY);
  for (let distance = 0; distance <= Math.min(reach, DAY / 2); distance++)
    for (const centre of centres)
      for (const second of [inDay(centre - distance), inDay(centre + distance)]) {
        if (tried[second] === 1) continue;
        tried[second] = 1;
        yield second;
      }
}

/**
 * Finds the first second and text with this hash. For such short texts hashing is twice as fast as copying a hash
 * state.
 */
export function findMatch(
  texts: readonly HashedText[],
  code: string,
  seconds: Iterable<number>,
): { readonly second: number; readonly text: HashedText } | undefined {
  const wanted = code.toLowerCase();
  for (const second of seconds) {
    const time = issueTimeOf(second);
    for (const text of texts)
      if (hash('sha384', text.before + time + text.after) === wanted) return { second, text };
  }
  return undefined;
}

const ACCEPTED = `
  SELECT c.body, a.body AS answer, d.document_code AS code, d.updated
  FROM document d JOIN content c ON c.document = d.id LEFT JOIN answer a ON a.document = d.id
  WHERE d.state = 'accepted' AND d.doubt = 0 AND d.earlier IS NULL AND d.document_code IS NOT NULL
  ORDER BY d.run = ? DESC, d.id DESC LIMIT ${PROOF_SAMPLE_SIZE}`;

/** Creates a proof by the texts a family's codes are hashes of (payroll.md 1.1, events.md 10). */
export const proofBy =
  (hashed: (claim: Claim, secret: Secret) => Hashed) =>
  (options: ProofOptions): Proof =>
    proofOf(hashed, options);

function proofOf(
  hashedBy: (claim: Claim, secret: Secret) => Hashed,
  { journal, run, employer, pin }: ProofOptions,
): Proof {
  let isSure = false;
  let issue: Issue | undefined;
  /** Environment and clock shift (ms) of the service, as matches have shown them. */
  let environment: string | undefined;
  let shift = 0;
  let thorough = MAX_UNPROVEN_SEARCHES;
  /** Searches of a whole day without a match, by code and text. */
  const searched = new Set<string>();

  /** Searches outward from the expected time, in the known environment first. */
  function matches({ documentCode, moments }: Claim, { texts, time, isAskedAgain }: Hashed): boolean {
    const key = `${documentCode} ${texts[0]?.before}`;
    if (texts.length === 0 || searched.has(key)) return false;
    if (time !== undefined)
      return texts.some(
        ({ before, after }) => hash('sha384', before + time + after) === documentCode.toLowerCase(),
      );
    const centres = moments.map((at) => secondOf(at + shift));
    const around = shift === 0 ? centres : [...centres, ...moments.map(secondOf)];
    /*
     * That none matches is bounded by the day alone. The time is of the service's own clock (payroll.md 1.1), which may
     * be wrong, or set right between two documents, and so may its environment; but no match sends a worker's month
     * again. What is asked once more, or proves nothing yet, need not be searched for as far.
     */
    const isThorough = isSure ? isAskedAgain !== true : thorough > 0;
    const reach = isThorough ? undefined : CLOCK_TOLERANCE_S;
    const known = texts.filter((text) => text.environment === environment);
    const others = texts.filter((text) => text.environment !== environment);
    const found =
      findMatch(known, documentCode, outward(known.length === 0 ? [] : around, reach)) ??
      findMatch(others, documentCode, outward(others.length === 0 ? [] : around, reach));
    if (found === undefined) {
      if (isThorough) searched.add(key);
      if (isThorough && !isSure) thorough -= 1;
      return false;
    }
    environment = found.text.environment;
    const last = centres.at(-1);
    const isNear = around.some((centre) => Math.abs(secondsAfter(found.second, centre)) <= CLOCK_TOLERANCE_S);
    if (last !== undefined && !isNear) shift += secondsAfter(found.second, last) * 1_000;
    return true;
  }

  /** Returns the candidate texts; a NIT of ten digits may include its check digit, which is not hashed. */
  function hashedOf(claim: Claim, nit: string): Hashed {
    const hashed = hashedBy(claim, { nit, pin });
    if (nit.length !== 10) return hashed;
    return { ...hashed, texts: [...hashed.texts, ...hashedBy(claim, { nit: nit.slice(0, -1), pin }).texts] };
  }

  /** Tries the PIN on accepted documents, those of this run first. */
  async function tryPin(nit: string): Promise<void> {
    const tried = (await journal.all<ProofSample>(ACCEPTED, run))
      .map(({ body, answer, code, updated }) => {
        const shown = answer === null ? {} : { kept: answerIn(answer) };
        const claim: Claim = { body: JSON.parse(body), documentCode: code, shown, moments: [updated] };
        return { claim, hashed: hashedOf(claim, nit) };
      })
      .filter(({ hashed }) => hashed.texts.length > 0);
    thorough += tried.length;
    isSure = tried.some(({ claim, hashed }) => matches(claim, hashed));
    if (!isSure && tried.length > 0) issue = createIssue('send/pin-unusable', { tried: tried.length, nit });
  }

  return {
    async compare(claim) {
      const { nit } = employer;
      if (nit === undefined || issue !== undefined) return 'open';
      if (!isSure) await tryPin(nit);
      if (issue !== undefined) return 'open';
      const hashed = hashedOf(claim, nit);
      if (matches(claim, hashed)) {
        isSure = true;
        return 'ours';
      }
      return isSure && hashed.isPlain ? 'other-content' : 'open';
    },
    get isSure() {
      return isSure;
    },
    get issue() {
      return issue;
    },
  };
}
