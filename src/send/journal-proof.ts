import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { unreachable } from '../toolkit/core/required.js';
import { fail, type SqliteFile } from './sqlite.js';

/** Name of a company that was given none. */
export const NO_NAME = 'default';

export const isNit = (name: string): boolean => /^\d{6,15}$/.test(name);

/** Normalises a name: a NIT loses points and check digit, any other name stays. */
export function canonicalCompany(name: string): string {
  const [, digits = ''] = /^([\d.\s]+?)(?:\s*-\s*\d)?$/.exec(name.trim()) ?? [];
  const nit = digits.replace(/[.\s]/g, '');
  return isNit(nit) ? nit : name.trim();
}

/** Owner of a journal: one company at one service, in normal form. */
export interface Owner {
  /** See `canonicalAddress`. */
  readonly address: string;
  /** See `canonicalCompany`. */
  readonly company: string;
}

/** File that the proof was written for; a copy has another host, inode or birth time. */
interface Place {
  readonly host: string;
  readonly inode: string;
  readonly birth: number;
}

/**
 * Facts about a journal in a small file next to it. The proof is never ahead of the journal: it is written after each
 * commit, and before a request that the commit is about. A journal that is behind its proof is damaged.
 */
export interface Proof extends Place {
  /** Id of the journal; it changes when the journal is restored or adopted. */
  readonly journal: string;
  readonly commits: number;
  /** Time of writing in ms; the mtime of a copy is later. */
  readonly at: number;
  readonly address?: string;
  /** Names of the company, NITs among them. */
  readonly names: readonly string[];
  /** Fingerprints of the tokens that sent for it. */
  readonly tokens: readonly string[];
}

/** Identity that the journal itself stores. */
export interface Identity {
  readonly journal: string;
  /** Id before it was restored: the proof may still have that one. */
  readonly previous: string | null;
  readonly commits: number;
  /** Holds 1 in a file that `journal backup` wrote. */
  readonly copy: number;
}

export const proofFile = (journal: string): string =>
  join(dirname(journal), `${basename(journal, '.db')}.proof`);

/** Mark in SQLite's header (`application_id`) of a copy of a journal; no log can change it unseen. */
export const COPY_MARK = 0x43475243;
const HEADER_MARK = 68;

/** True if `journal backup` wrote this very file, whatever log is next to it. */
export function isCopy(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const mark = Buffer.alloc(4);
    return readSync(file, mark, 0, 4, HEADER_MARK) === 4 && mark.readUInt32BE(0) === COPY_MARK;
  } catch {
    // Opening it will report the error.
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function placeOf(path: string): Place {
  const { ino, birthtimeMs } = statSync(path, { bigint: true });
  // Only the first label: the rest changes with the network.
  return {
    host: hostname().replace(/\..*/s, '').toLowerCase(),
    inode: String(ino),
    birth: Number(birthtimeMs),
  };
}

/** Max difference between a proof's timestamp and its file's mtime, in ms. */
const PROOF_MTIME_TOLERANCE_MS = 10_000;

/** True if the journal is the file that the proof was written for, and the proof is no copy. */
export function isInPlace(path: string, { host, inode, birth, at }: Proof): boolean {
  const here = placeOf(path);
  const same = here.host === host && here.inode === inode && here.birth === birth;
  return same && Math.abs(statSync(proofFile(path)).mtimeMs - at) <= PROOF_MTIME_TOLERANCE_MS;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Reads the proof of a journal; undefined if it is missing or unreadable. */
export function readProof(path: string): Proof | undefined {
  try {
    const { commits, ...rest } = JSON.parse(readFileSync(proofFile(path), 'utf8')) as Record<string, unknown>;
    const proof = { ...rest, commits: Number(commits) } as unknown as Proof;
    const sound =
      [proof.journal, proof.host, proof.inode].every(isText) &&
      [proof.names, proof.tokens].every(areTexts) &&
      Number.isSafeInteger(proof.commits);
    return sound ? proof : undefined;
  } catch {
    return undefined;
  }
}

/** Digits of both numbers, so that the text keeps its length and one write replaces it. */
const DIGITS = 16;

function textOf({ commits, at, ...rest }: Proof): string {
  return `${JSON.stringify({ commits: String(commits).padStart(DIGITS, '0'), at, ...rest })}\n`;
}

/** Replaces a proof, all or nothing. */
export function writeProof(path: string, proof: Proof): void {
  const target = proofFile(path);
  const temporary = `${target}.new`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeSync(file, textOf(proof));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    fail(target, error);
  }
}

/** Keeps the proof of a journal up to date while it is written. */
export type ProofKeeper = ReturnType<typeof keepProof>;

/** Max tokens stored; enough for all that a company had in years. */
const MAX_TOKENS = 8;

const joined = (list: readonly string[], more: string | undefined): readonly string[] =>
  more === undefined || list.includes(more) ? list : [...list, more];

/** Adds a company name, unless it is the default name or a second NIT. */
export function joinedNames(names: readonly string[], company: string): readonly string[] {
  const isNone = company === NO_NAME && names.length > 0;
  const isOther = isNit(company) && names.some(isNit);
  return isNone || isOther ? names : joined(names, company);
}

export const joinedTokens = (tokens: readonly string[], token: string | undefined): readonly string[] =>
  joined(tokens, token).slice(-MAX_TOKENS);

export function keepProof(path: string, first: Omit<Proof, keyof Place | 'at'>) {
  let proof: Proof = { ...first, ...placeOf(path), at: Date.now() };
  const write = (): number => {
    writeProof(path, proof);
    return openSync(proofFile(path), 'r+');
  };
  let file = write();
  return {
    /** Notes a commit once it is on disk, before the caller acts on it. */
    note(commits: number): void {
      if (commits <= proof.commits) return;
      proof = { ...proof, commits, at: Date.now() };
      try {
        writeSync(file, textOf(proof), 0);
      } catch (error) {
        fail(proofFile(path), error);
      }
    },
    /** Adds the company's name and the fingerprint of its token. */
    claim({ address, company }: Owner, token?: string): void {
      const names = joinedNames(proof.names, company);
      const tokens = joinedTokens(proof.tokens, token);
      if (proof.address === address && names === proof.names && tokens.length === proof.tokens.length) return;
      closeSync(file);
      proof = { ...proof, address, names, tokens, at: Date.now() };
      file = write();
    },
    close(): void {
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

export const IDENTITY_OF = 'SELECT journal, previous, commits, copy FROM identity';

export const identityOf = (file: SqliteFile): Identity =>
  file.prepare(IDENTITY_OF).first<Identity>() ?? unreachable('identity of a journal');

export const newIdentity = (): string => randomBytes(16).toString('hex');

/** Counts the current transaction; the number is noted after the commit. */
export const COUNT_COMMIT = 'UPDATE identity SET commits = commits + 1 RETURNING commits';
