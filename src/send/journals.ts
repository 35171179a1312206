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

/** Whose journal is looked for. */
export interface JournalOwner {
  readonly url: string;
  readonly company: string;
  /** Fingerprint of the company's token, where it is known. */
  readonly token?: string | undefined;
  /** What else says which company it is: the run's parameters. */
  readonly nit?: string | undefined;
}

/** A journal that is there. */
export interface Found {
  readonly path: string;
  /** Names under which its company is known. */
  readonly names: readonly string[];
  /** Fingerprints of the tokens that sent for it. */
  readonly tokens: readonly string[];
  readonly owner: Owner;
}

type Warn = (issues: readonly Issue[]) => void;

/** Where the journals of companies are kept: in files of this machine, or in a database for many. */
export interface Journals {
  /** Those of a service, whatever the company, however either is spelt; those alone that know a token, where one is given. */
  at(whose: JournalOwner, token?: string): Promise<readonly Found[]>;
  /** Where a new one will be. */
  newPath(whose: JournalOwner): string;
  exists(path: string): Promise<boolean>;
  /** Of this machine, for what lies beside a journal. */
  folder(path: string): string;
  /** What speaks against the place, before anything is entrusted to it. */
  risks(path: string): readonly Issue[];
  /** Lends for reading; a sender may be at work meanwhile. */
  read(path: string, warn?: Warn): Promise<Journal>;
  /**
   * Opens with the right to send, which closing gives back.
   * @throws PipelineError('busy') when another process has it
   */
  open(path: string, options: OpenOptions & { readonly warn: Warn }): Promise<Journal>;
  /** Every one whose company and service are known, but those that were moved. */
  all(): Promise<readonly Found[]>;
  /** Opens to take the rows of another: one without runs, or one that was moved to `movedTo`, which is emptied. */
  receive(path: string, options: OpenOptions & { readonly warn: Warn }): Promise<Journal>;
  /** Marks that it was copied there, or was not; nobody sends from it then. */
  move(path: string, to: string | undefined): Promise<void>;
  /** The token is not that journal's any more. */
  forget(path: string, token: string): Promise<void>;
  /** What is sent for the company of a journal keeps to it, whoever sends. */
  pace(path: string, perMinute: number | undefined, world: Runtime): Promise<RateLimiter>;
  /** What all of them have in common; absent where each is a file. */
  readonly shared?: SharedJournals;
}

/** A journal that is there, and where what is sent for it goes. */
export interface JournalLocation extends Found {
  readonly address: string;
}

/** A run as an overview has it. */
export interface OverviewRow {
  readonly journal: number;
  readonly address: string;
  readonly company: string;
  readonly run: string;
  readonly state: 'held' | 'open' | 'closed';
  /** Milliseconds. */
  readonly created: number;
  readonly ended: number | null;
  /** As JSON: the issue that stopped its last sender. */
  readonly stopped: string | null;
  /** Who sends for the company at the moment. */
  readonly sender: string | null;
  /** As JSON: documents by state; null where there are none. */
  readonly counts: string | null;
}

/** What the journals of a database have in common. */
export interface SharedJournals {
  /** Bound to no journal. */
  readonly database: Database;
  whereabouts(journal: number): Promise<JournalLocation | undefined>;
  /** Unfinished runs of all companies that the login may see, and those that ended since then. */
  overview(endedSince: number): Promise<readonly OverviewRow[]>;
  /** When the oldest unfinished run was laid out; null where there is none. */
  oldest(): Promise<number | null>;
  /** How many workers were there lately; of those alone that have the token of this fingerprint, where one is given. */
  workers(token?: string): Promise<number>;
  /** From now on no minute holds more requests to a service, of all companies and machines. */
  setRate(address: string, perMinute: number): Promise<void>;
  /** Ends the connections of this process. */
  close(): Promise<void>;
}

/** @throws PipelineError('usage', journal/not-empty) */
export async function refuseRuns(journal: Journal): Promise<void> {
  if ((await journal.first('SELECT 1 FROM run LIMIT 1')) === undefined) return;
  await journal.close();
  stop('usage', { code: 'journal/not-empty', params: { path: journal.path } });
}

/** Whether anything was ever sent from it; of one that cannot be read, it is to be feared. */
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

/** Of several only those count that something was sent from. */
async function used(journals: Journals, list: readonly Found[]): Promise<readonly Found[]> {
  const some: Found[] = [];
  if (list.length > 1) for (const found of list) if (await hasRuns(journals, found.path)) some.push(found);
  return some.length > 0 ? some : list.slice(0, 1);
}

/** Drops the check digit of a NIT: an earlier version kept one that stood there without a hyphen. */
function withoutDigit(name: string): string {
  const found = isNit(name) ? readNit(name) : undefined;
  return found !== undefined && hasRightDigit(found) ? found.nit : name;
}

const isSameCompany = (one: string, other: string): boolean => withoutDigit(one) === withoutDigit(other);

/**
 * The journal of a company at a service, however either is spelt: the one that knows the token, else the one that knows the
 * name; without any, where a new one will be.
 * @throws PipelineError('usage', journal/of-another-company, journal/two-journals)
 */
export async function findJournal(journals: Journals, whose: JournalOwner): Promise<string> {
  const { token, nit = '' } = whose;
  const name = canonicalCompany(whose.company);
  const called = [name, canonicalCompany(nit)].filter((one) => one !== '');
  const all = await journals.at(whose);
  const byToken = all.filter(({ tokens }) => token !== undefined && tokens.includes(token));
  const byName = await used(
    journals,
    all.filter(({ names }) => called.some((one) => names.some((known) => isSameCompany(known, one)))),
  );
  const [first, second] = byToken.length > 0 ? await used(journals, byToken) : byName;
  if (first === undefined) return journals.newPath(whose);
  if (second !== undefined)
    stop('usage', {
      code: 'journal/two-journals',
      params: { company: name, one: first.path, other: second.path },
    });
  const [own] = byName;
  const otherNit = first.names.find(isNit);
  const isKnown = first.names.some((known) => isSameCompany(known, name));
  const isAnothers = isNit(name) && otherNit !== undefined && !isKnown;
  const hasOwn =
    own !== undefined && own.path !== first.path && name !== NO_NAME && (await hasRuns(journals, own.path));
  if (isAnothers || hasOwn)
    stop('usage', {
      code: 'journal/of-another-company',
      params: { company: name, other: otherNit ?? first.names.join(', '), path: first.path },
    });
  return first.path;
}

/**
 * A journal of a company without a name, whose token nobody knows: it may be that of the company that has a name now.
 * Undefined where there is none, or the company has a journal.
 */
export async function unclaimedJournal(journals: Journals, whose: JournalOwner): Promise<string | undefined> {
  if (canonicalCompany(whose.company) === NO_NAME) return undefined;
  if (await journals.exists(await findJournal(journals, whose))) return undefined;
  for (const { path, names, tokens } of await journals.at(whose)) {
    const isNobodys = tokens.length === 0 && names.every((one) => one === NO_NAME);
    if (isNobodys && (await hasRuns(journals, path))) return path;
  }
  return undefined;
}

/** How an address was spelt in folders before it was made canonical. */
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

const foundBy = (path: string, address: string, { names, tokens }: Proof): Found => ({
  path,
  names,
  tokens,
  owner: { address, company: names.find(isNit) ?? names[0] ?? NO_NAME },
});

/** Each in a folder of the workspace; the proof beside it says whose it is. */
export function fileJournals(workspace: string): Journals {
  function at({ url, company }: JournalOwner): readonly Found[] {
    const address = canonicalAddress(url);
    const withProof = subfolders(workspace)
      .flatMap(subfolders)
      .flatMap((folder): readonly Found[] => {
        const path = join(folder, 'journal.db');
        const proof = readProof(path);
        return proof?.address === address ? [foundBy(path, address, proof)] : [];
      });
    // Of those without a proof only the folder says whose they are.
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
    at: async (whose, token) =>
      at(whose).filter(({ tokens }) => token === undefined || tokens.includes(token)),
    newPath: (whose) => journalPath({ workspace, ...whose }),
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
    pace: async (path, perMinute, world) => openRateLimiter(path, perMinute, world),
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
      writeProof(path, { ...proof, at: Date.now(), tokens: proof.tokens.filter((one) => one !== token) });
    },
  };
}
