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
import { fail, type SqliteFile } from './sqlite.js';

/** Of whoever gave the company no name. */
export const NO_NAME = 'default';

export const isNit = (name: string): boolean => /^\d{6,15}$/.test(name);

/** A NIT without points and check digit; any other name as it is. */
export function canonicalCompany(name: string): string {
  const [, digits = ''] = /^([\d.\s]+?)(?:\s*-\s*\d)?$/.exec(name.trim()) ?? [];
  const nit = digits.replace(/[.\s]/g, '');
  return isNit(nit) ? nit : name.trim();
}

/** Whose journal it is: one company at one service, however either is spelt. */
export interface Owner {
  /** Canonical, see `canonicalAddress`. */
  readonly address: string;
  /** See `canonicalCompany`. */
  readonly company: string;
}

/** The file that it was written for: a copy lies elsewhere, or came to be later. */
interface Place {
  readonly host: string;
  readonly inode: string;
  readonly birth: number;
}

/**
 * What is known of a journal outside of it, in a small file beside it: it is never ahead of the journal, since it is
 * written after each commit and before anything leaves that the commit is about. A journal that knows less is damaged.
 */
export interface Proof extends Place {
  /** Of the journal, until it is restored or adopted: then it has another. */
  readonly journal: string;
  /** Commits that were counted. */
  readonly commits: number;
  /** When it was written, milliseconds: a copy of it is younger than it says. */
  readonly at: number;
  readonly address?: string;
  /** Names under which the company is known; NITs among them. */
  readonly names: readonly string[];
  /** Fingerprints of the tokens that sent for it. */
  readonly tokens: readonly string[];
}

/** The same, as the journal itself has it. */
export interface Identity {
  readonly journal: string;
  /** Which proof may still lie beside it. */
  readonly previous: string | null;
  readonly commits: number;
  /** 1 in what `journal backup` wrote. */
  readonly copy: number;
}

export const proofFile = (journal: string): string =>
  join(dirname(journal), `${basename(journal, '.db')}.proof`);

/** Of SQLite's header (`application_id`), which no log can change unseen: the file is a journal, or a copy of one. */
export const COPY_MARK = 0x43475243;
const HEADER_MARK = 68;

/** Whether `journal backup` wrote the very file, whatever log lies beside it. */
export function isCopy(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const mark = Buffer.alloc(4);
    return readSync(file, mark, 0, 4, HEADER_MARK) === 4 && mark.readUInt32BE(0) === COPY_MARK;
  } catch {
    // Opening it will say what is wrong.
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function placeOf(path: string): Place {
  const { ino, birthtimeMs } = statSync(path, { bigint: true });
  // The first label: the rest changes with the network.
  return { host: hostname().split('.')[0]!.toLowerCase(), inode: String(ino), birth: Number(birthtimeMs) };
}

/** So much later than it says is a proof at most on the disk. */
const SLACK = 10_000;

/** Whether the journal is the file that the proof was written for, and the proof no copy. */
export function isInPlace(path: string, { host, inode, birth, at }: Proof): boolean {
  const here = placeOf(path);
  const same = here.host === host && here.inode === inode && here.birth === birth;
  return same && Math.abs(statSync(proofFile(path)).mtimeMs - at) <= SLACK;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Undefined where there is none, or none that can be read. */
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

/** Digits that both numbers always have, so that the text keeps its length and is written over in one go. */
const DIGITS = 16;

function textOf({ commits, at, ...rest }: Proof): string {
  return `${JSON.stringify({ commits: String(commits).padStart(DIGITS, '0'), at, ...rest })}\n`;
}

/** In the place of the one before, all or nothing. */
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

/** Keeps the proof of a journal while it is written. */
export interface ProofKeeper {
  /** After a commit is on the disk, and before anybody acts on it. */
  note(commits: number): void;
  /** What the company is called, and the fingerprint of its token. */
  claim(owner: Owner, token?: string): void;
  close(): void;
}

/** Enough for every token that a company had in years. */
const TOKENS = 8;

const joined = (list: readonly string[], more: string | undefined): readonly string[] =>
  more === undefined || list.includes(more) ? list : [...list, more];

/** Without a name is nobody who has one, and a company has one NIT. */
export function joinedNames(names: readonly string[], company: string): readonly string[] {
  const isNone = company === NO_NAME && names.length > 0;
  const isOther = isNit(company) && names.some(isNit);
  return isNone || isOther ? names : joined(names, company);
}

export const joinedTokens = (tokens: readonly string[], token: string | undefined): readonly string[] =>
  joined(tokens, token).slice(-TOKENS);

export function keepProof(path: string, first: Omit<Proof, keyof Place | 'at'>): ProofKeeper {
  let proof: Proof = { ...first, ...placeOf(path), at: Date.now() };
  const write = (): number => {
    writeProof(path, proof);
    return openSync(proofFile(path), 'r+');
  };
  let file = write();
  return {
    note(commits) {
      if (commits <= proof.commits) return;
      proof = { ...proof, commits, at: Date.now() };
      try {
        writeSync(file, textOf(proof), 0);
      } catch (error) {
        fail(proofFile(path), error);
      }
    },
    claim({ address, company }, token) {
      const names = joinedNames(proof.names, company);
      const tokens = joinedTokens(proof.tokens, token);
      if (proof.address === address && names === proof.names && tokens.length === proof.tokens.length) return;
      closeSync(file);
      proof = { ...proof, address, names, tokens, at: Date.now() };
      file = write();
    },
    close() {
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

export const IDENTITY_OF = 'SELECT journal, previous, commits, copy FROM identity';

export const identityOf = (file: SqliteFile): Identity => file.prepare(IDENTITY_OF).first<Identity>()!;

export const newIdentity = (): string => randomBytes(16).toString('hex');

/** Counts the transaction that is under way; the number it gives is noted once it is committed. */
export const COUNT_COMMIT = 'UPDATE identity SET commits = commits + 1 RETURNING commits';
