import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalAddress } from '../client/address.js';
import { type Issue, stop, warning } from '../toolkit/core/issue.js';
import { checkDigit, hasRightDigit, readNit } from '../toolkit/core/nit.js';
import type { Database } from './database.js';
import {
  closeInOrder,
  closeToOthers,
  fileAt,
  folderRisks,
  type Journal,
  journalPath,
  knowsLess,
  lockSender,
  markMoved,
  movedMark,
  type OpenOptions,
  openJournal,
  readJournal,
  requireJournal,
  setAside,
} from './journal.js';
import {
  canonicalCompany,
  isNit,
  NO_NAME,
  type Owner,
  type Proof,
  readProof,
  writeProof,
} from './journal-proof.js';
import { openRateLimiter, type RateLimiter, type Runtime } from './rate-limiter.js';

/** Company and service whose journal is wanted. */
export interface JournalOwner {
  readonly url: string;
  readonly company: string;
  /** Fingerprint of the company's token, if known. */
  readonly token?: string | undefined;
  /** NIT from the run's parameters, which identifies the company as well. */
  readonly nit?: string | undefined;
}

export interface FoundJournal {
  readonly path: string;
  readonly names: readonly string[];
  /** Fingerprints of the tokens that sent for it. */
  readonly tokens: readonly string[];
  readonly owner: Owner;
}

type Warn = (issues: readonly Issue[]) => void;

/** Store of the journals of companies: files on this host, or a database for many. */
export interface Journals {
  /** Returns the journals of a service, for any company and in any spelling; with `token` only those that know it. */
  at(owner: JournalOwner, token?: string): Promise<readonly FoundJournal[]>;
  newPath(owner: JournalOwner): string;
  exists(path: string): Promise<boolean>;
  /** Returns the folder on this host for the journal's other files. */
  folder(path: string): string;
  /** Warns about the place of a journal before it is used. */
  risks(path: string): readonly Issue[];
  /** Opens for reading; a sender may be working meanwhile. */
  read(path: string, warn?: Warn): Promise<Journal>;
  /**
   * Opens with the right to send, which closing releases.
   * @throws PipelineError('busy') if another process has it
   */
  open(path: string, options: OpenOptions & { readonly warn: Warn }): Promise<Journal>;
  /** Returns every journal whose company and service are known, except moved ones. */
  all(): Promise<readonly FoundJournal[]>;
  /**
   * Opens to copy another journal into it: one without runs, or one that was moved to `movedTo`, which is emptied.
   */
  receive(path: string, options: OpenOptions & { readonly warn: Warn }): Promise<Journal>;
  /** Marks a journal as moved, so that it is not sent from, or removes the mark. */
  move(path: string, to: string | undefined): Promise<void>;
  forget(path: string, token: string): Promise<void>;
  /** Opens the rate limiter of a journal's company, shared by all senders. */
  rateLimiter(path: string, perMinute: number | undefined, world: Runtime): Promise<RateLimiter>;
  /** Data and settings that the journals of a database share; undefined for files. */
  readonly shared?: SharedJournals;
}

export interface JournalLocation extends FoundJournal {
  readonly address: string;
}

export interface OverviewRow {
  readonly journal: number;
  readonly address: string;
  readonly company: string;
  readonly run: string;
  readonly state: 'held' | 'open' | 'closed';
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly ended: number | null;
  /** Issue that stopped its last sender, as JSON. */
  readonly stopped: string | null;
  /** Process that sends for the company at the moment. */
  readonly sender: string | null;
  /** Documents by state, as JSON; null if there are none. */
  readonly counts: string | null;
}

/** Data and settings that the journals of a database share. */
export interface SharedJournals {
  /** Port bound to no journal. */
  readonly database: Database;
  whereabouts(journal: number): Promise<JournalLocation | undefined>;
  /** Returns unfinished runs of all companies that the login may see, and those that ended since. */
  overview(endedSince: number): Promise<readonly OverviewRow[]>;
  /** Counts the workers of the last 30 seconds; with `token` only those that have it. */
  workers(token?: string): Promise<number>;
  /** Limits the requests per minute to a service, over all companies and hosts. */
  setRate(address: string, perMinute: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Throws if a journal has runs.
 * @throws PipelineError('usage', journal/not-empty)
 */
export async function refuseRuns(journal: Journal): Promise<void> {
  if ((await journal.first('SELECT 1 FROM run LIMIT 1')) === undefined) return;
  await journal.close();
  stop('usage', { code: 'journal/not-empty', params: { path: journal.path } });
}

/** True if anything was ever sent from a journal, or it cannot be read. */
async function hasRuns(journals: Journals, path: string): Promise<boolean> {
  try {
    const journal = await journals.read(path);
    try {
      return (await journal.first(`SELECT 1 FROM run WHERE state <> 'draft' LIMIT 1`)) !== undefined;
    } finally {
      await journal.close();
    }
  } catch {
    return true;
  }
}

/** Keeps the journals with sent runs; the first one if none has any. */
async function used(journals: Journals, list: readonly FoundJournal[]): Promise<readonly FoundJournal[]> {
  const sent: FoundJournal[] = [];
  if (list.length > 1) for (const found of list) if (await hasRuns(journals, found.path)) sent.push(found);
  return sent.length > 0 ? sent : list.slice(0, 1);
}

/** Drops the check digit of a NIT: an earlier version stored one without a hyphen. */
function withoutDigit(name: string): string {
  const found = isNit(name) ? readNit(name) : undefined;
  return found !== undefined && hasRightDigit(found) ? found.nit : name;
}

const isSameCompany = (name: string, other: string): boolean => withoutDigit(name) === withoutDigit(other);

/**
 * Finds the journal of a company at a service, in any spelling: the one that knows the token, else the one that knows
 * the name. Returns the path of a new one if there is none.
 * @throws PipelineError('usage', journal/of-another-company, journal/two-journals)
 */
export async function findJournal(journals: Journals, owner: JournalOwner): Promise<string> {
  const { token, nit = '' } = owner;
  const name = canonicalCompany(owner.company);
  const called = [name, canonicalCompany(nit)].filter((text) => text !== '');
  const all = await journals.at(owner);
  const byToken = all.filter(({ tokens }) => token !== undefined && tokens.includes(token));
  const byName = await used(
    journals,
    all.filter(({ names }) => called.some((text) => names.some((known) => isSameCompany(known, text)))),
  );
  const [first, second] = byToken.length > 0 ? await used(journals, byToken) : byName;
  if (first === undefined) return journals.newPath(owner);
  if (second !== undefined)
    stop('usage', {
      code: 'journal/two-journals',
      params: { company: name, one: first.path, other: second.path },
    });
  const [named] = byName;
  const otherNit = first.names.find(isNit);
  const isKnown = first.names.some((known) => isSameCompany(known, name));
  const isAnothers = isNit(name) && otherNit !== undefined && !isKnown;
  const hasOwn =
    named !== undefined &&
    named.path !== first.path &&
    name !== NO_NAME &&
    (await hasRuns(journals, named.path));
  if (isAnothers || hasOwn)
    stop('usage', {
      code: 'journal/of-another-company',
      params: { company: name, other: otherNit ?? first.names.join(', '), path: first.path },
    });
  return first.path;
}

/**
 * Finds a journal without company name and token, which may belong to a company that has a name now. Undefined if
 * there is none, or the company has a journal.
 */
export async function unclaimedJournal(journals: Journals, owner: JournalOwner): Promise<string | undefined> {
  if (canonicalCompany(owner.company) === NO_NAME) return undefined;
  if (await journals.exists(await findJournal(journals, owner))) return undefined;
  for (const { path, names, tokens } of await journals.at(owner)) {
    const isUnclaimed = tokens.length === 0 && names.every((name) => name === NO_NAME);
    if (isUnclaimed && (await hasRuns(journals, path))) return path;
  }
  return undefined;
}

/** Returns the spellings of an address that earlier versions used for folders. */
function spellings(url: string): readonly string[] {
  const address = canonicalAddress(url);
  const { host, pathname } = new URL(url);
  const asGiven = `${host}${pathname.replace(/\/+$/, '')}`;
  const loopback = /^127\.0\.0\.1(?=[:/]|$)/;
  const others = loopback.test(address)
    ? ['localhost', '[::1]'].map((name) => address.replace(loopback, name))
    : [];
  return [address, asGiven, ...others];
}

const subfolders = (path: string): readonly string[] => {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(path, entry.name)] : [],
    );
  } catch {
    return [];
  }
};

const foundBy = (path: string, address: string, { names, tokens }: Proof): FoundJournal => ({
  path,
  names,
  tokens,
  owner: { address, company: names.find(isNit) ?? names[0] ?? NO_NAME },
});

/** Opens the journals in the folders of a workspace; the proof next to each names its owner. */
export function fileJournals(workspace: string): Journals {
  function at({ url, company }: JournalOwner): readonly FoundJournal[] {
    const address = canonicalAddress(url);
    const withProof = subfolders(workspace)
      .flatMap(subfolders)
      .flatMap((folder): readonly FoundJournal[] => {
        const path = join(folder, 'journal.db');
        const proof = readProof(path);
        return proof?.address === address ? [foundBy(path, address, proof)] : [];
      });
    // A journal without a proof has its owner in the folder's name only.
    const known = new Set(withProof.map(({ path }) => path));
    const name = canonicalCompany(company);
    const withDigit = isNit(name) ? [name + checkDigit(name)] : [];
    const names = [...new Set([name, company, ...withDigit, NO_NAME])];
    const bare = new Map(
      spellings(url).flatMap((spelt) =>
        names.map((name): [string, string] => [fileAt(workspace, spelt, name), canonicalCompany(name)]),
      ),
    );
    const withoutProof = [...bare].flatMap(([path, name]) =>
      known.has(path) || !existsSync(path)
        ? []
        : [{ path, names: [name], tokens: [], owner: { address, company: name } }],
    );
    return [...withProof, ...withoutProof];
  }

  async function open(path: string, { warn, ...options }: OpenOptions & { readonly warn: Warn }) {
    if (options.create === false && readProof(path) === undefined) requireJournal(path);
    warn(folderRisks(dirname(path)));
    const lock = lockSender(path);
    try {
      warn(closeToOthers(dirname(path)));
      const journal = await openJournal(path, options);
      return {
        ...journal,
        async close() {
          try {
            await closeInOrder(journal);
          } finally {
            lock.release();
          }
        },
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  return {
    at: async (owner, token) =>
      at(owner).filter(({ tokens }) => token === undefined || tokens.includes(token)),
    newPath: (owner) => journalPath({ workspace, ...owner }),
    exists: async (path) => existsSync(path),
    folder: dirname,
    risks: (path) => folderRisks(dirname(path)),
    async read(path, warn = () => {}) {
      warn(closeToOthers(dirname(path)));
      const proof = readProof(path);
      const journal = await readJournal(path);
      try {
        const missing = await knowsLess(journal, proof);
        if (missing !== undefined) warn([warning('journal/behind', { path, missing })]);
        return journal;
      } catch (error) {
        await journal.close();
        throw error;
      }
    },
    rateLimiter: async (path, perMinute, world) => openRateLimiter(path, perMinute, world),
    open,
    all: async () =>
      subfolders(workspace)
        .flatMap(subfolders)
        .flatMap((folder) => {
          const path = join(folder, 'journal.db');
          const proof = readProof(path);
          const isHere = existsSync(path) && movedMark(path) === undefined;
          return isHere && proof?.address !== undefined ? [foundBy(path, proof.address, proof)] : [];
        }),
    async receive(path, options) {
      if (movedMark(path) !== undefined && movedMark(path) === options.movedTo) setAside(path);
      const journal = await open(path, options);
      await refuseRuns(journal);
      return journal;
    },
    move: async (path, to) => markMoved(path, to),
    async forget(path, token) {
      const proof = readProof(path);
      if (proof === undefined) return;
      writeProof(path, { ...proof, at: Date.now(), tokens: proof.tokens.filter((known) => known !== token) });
    },
  };
}
