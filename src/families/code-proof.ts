import { hash } from 'node:crypto';
import { createIssue } from '../send/create-issue.js';
import { answerIn } from '../send/documents.js';
import type { Claim, Proof, ProofOptions } from '../send/kind.js';
import type { Issue } from '../toolkit/core/issue.js';

/** A text that a code may be the hash of, but for the time of the day that stands in it: `HH:MM:SS-05:00`. */
export interface HashedText {
  readonly before: string;
  readonly after: string;
  /** Environment that it is made in, where that is hashed too. */
  readonly environment?: string;
}

/** What the code of a document is the hash of, but for what only the service knows. */
export interface Hashed {
  /** None where too little is shown of the document. */
  readonly texts: readonly HashedText[];
  /** Where it is shown, `HH:MM:SS` and more. */
  readonly time?: string;
  /** Whether there is no doubt how the service prints the parts: only then can no match prove anything. */
  readonly isPlain: boolean;
  /** Whether no match leads to another question, so that a quarter of an hour around is enough. */
  readonly isAskedAgain?: boolean;
}

/** What only the company knows of its codes. */
export interface Secret {
  readonly nit: string;
  readonly pin: string;
}

interface Sure {
  readonly body: string;
  readonly answer: string | null;
  readonly code: string;
  readonly updated: number;
}

/** Documents that the PIN is tried on: one is enough to show that it is right. */
const SURE = 3;
/** Searches of a whole day, a tenth of a second each, that are spent before anything shows that the PIN is right. */
const UNSURE = 20;
/** Clocks differ by a little, and an answer may take minutes. */
const SLACK = 15 * 60;
export const DAY = 86_400;

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** A second of the day in Colombia, in the form of a CUNE. */
export const issueTimeOf = (second: number): string =>
  `${TWO[Math.floor(second / 3_600)]}:${TWO[Math.floor(second / 60) % 60]}:${TWO[second % 60]}-05:00`;

const inDay = (second: number): number => ((second % DAY) + DAY) % DAY;

/** The second of the day in Colombia of a moment in milliseconds. */
export const secondOf = (at: number): number => inDay(Math.floor(at / 1_000) - 5 * 3_600);

/** How many seconds later than another one; less than nothing is earlier. */
const later = (second: number, than: number): number => inDay(second - than + DAY / 2) - DAY / 2;

/** Seconds of the day outward from where something was most likely made, each once; half a day outward is all of them. */
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

/** The first second, and text, that gives a code. So short a text is hashed whole in half the time that a copied state takes. */
export function madeOf(
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
  ORDER BY d.run = ? DESC, d.id DESC LIMIT ${SURE}`;

/** The proof by what the codes of a family are the hash of (payroll.md 1.1, events.md 10). */
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
  /** How the service's set-up and clock have shown themselves: its environment, and the milliseconds that it is late. */
  let environment: string | undefined;
  let shift = 0;
  let thorough = UNSURE;
  /** Searches of a whole day that found nothing, by code and text. */
  const searched = new Set<string>();

  /** Starts from when it should have been made, in the environment that is known, and goes outward. */
  function isMade({ documentCode, moments }: Claim, { texts, time, isAskedAgain }: Hashed): boolean {
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
    const reach = isThorough ? undefined : SLACK;
    const known = texts.filter((text) => text.environment === environment);
    const others = texts.filter((text) => text.environment !== environment);
    const found =
      madeOf(known, documentCode, outward(known.length === 0 ? [] : around, reach)) ??
      madeOf(others, documentCode, outward(others.length === 0 ? [] : around, reach));
    if (found === undefined) {
      if (isThorough) searched.add(key);
      if (isThorough && !isSure) thorough -= 1;
      return false;
    }
    environment = found.text.environment;
    if (around.every((centre) => Math.abs(later(found.second, centre)) > SLACK))
      shift += later(found.second, centres.at(-1)!) * 1_000;
    return true;
  }

  /** Returns the text that the code hashes; ten digits may be a NIT with its check digit, which is not hashed. */
  function hashedOf(claim: Claim, nit: string): Hashed {
    const own = hashedBy(claim, { nit, pin });
    if (nit.length !== 10) return own;
    return { ...own, texts: [...own.texts, ...hashedBy(claim, { nit: nit.slice(0, -1), pin }).texts] };
  }

  /** Tries the PIN on what was accepted without a doubt, first of this run. */
  async function tryPin(nit: string): Promise<void> {
    const tried = (await journal.all<Sure>(ACCEPTED, run))
      .map(({ body, answer, code, updated }) => {
        const shown = answer === null ? {} : { kept: answerIn(answer) };
        const claim: Claim = { body: JSON.parse(body), documentCode: code, shown, moments: [updated] };
        return { claim, hashed: hashedOf(claim, nit) };
      })
      .filter(({ hashed }) => hashed.texts.length > 0);
    thorough += tried.length;
    isSure = tried.some(({ claim, hashed }) => isMade(claim, hashed));
    if (!isSure && tried.length > 0) issue = createIssue('send/pin-unusable', { tried: tried.length, nit });
  }

  return {
    async compare(claim) {
      const { nit } = employer;
      if (nit === undefined || issue !== undefined) return 'open';
      if (!isSure) await tryPin(nit);
      if (issue !== undefined) return 'open';
      const hashed = hashedOf(claim, nit);
      if (isMade(claim, hashed)) {
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
