import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalAddress } from '../client/address.js';
import { stop } from '../issues/pipeline-error.js';
import { readJournal } from './journal.js';
import { canonicalCompany, isNit, NO_NAME, readProof } from './journal-proof.js';
import { listRuns } from './runs.js';

/** Readable, safe as a folder name, and different for different texts. */
function folder(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, 60);
  if (plain === text) return plain;
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** Whose journal is looked for. */
export interface Whose {
  readonly workspace: string;
  readonly url: string;
  readonly company: string;
  /** Fingerprint of the company's token, where it is known. */
  readonly token?: string | undefined;
  /** What else says which company it is: the run's parameters. */
  readonly nit?: string | undefined;
}

const fileAt = (workspace: string, address: string, company: string): string =>
  join(workspace, folder(address.replace(':', '_')), folder(company), 'journal.db');

/** Where a new journal of one company at one service lies: `<workspace>/<host>/<company>/journal.db`. */
export const journalPath = ({ workspace, url, company }: Whose): string =>
  fileAt(workspace, canonicalAddress(url), canonicalCompany(company));

interface Found {
  readonly path: string;
  readonly names: readonly string[];
  readonly tokens: readonly string[];
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

/** The journals of a service, whatever the company; the proof beside each says whose it is. */
function journalsAt({ workspace, url, company }: Whose): readonly Found[] {
  const address = canonicalAddress(url);
  const withProof = subfolders(workspace)
    .flatMap(subfolders)
    .flatMap((at): readonly Found[] => {
      const path = join(at, 'journal.db');
      const proof = readProof(path);
      return proof?.address === address ? [{ path, names: proof.names, tokens: proof.tokens }] : [];
    });
  // Of those without a proof only the folder says whose they are.
  const known = new Set(withProof.map(({ path }) => path));
  const names = [...new Set([canonicalCompany(company), company, NO_NAME])];
  const bare = new Map(
    spellings(url).flatMap((spelt) =>
      names.map((name): [string, string] => [fileAt(workspace, spelt, name), canonicalCompany(name)]),
    ),
  );
  const withoutProof = [...bare].flatMap(([path, name]) =>
    known.has(path) || !existsSync(path) ? [] : [{ path, names: [name], tokens: [] }],
  );
  return [...withProof, ...withoutProof];
}

/** Whether anything was ever sent from it; of one that cannot be read, it is to be feared. */
export function hasRuns(path: string): boolean {
  try {
    const journal = readJournal(path);
    try {
      return listRuns(journal).length > 0;
    } finally {
      journal.close();
    }
  } catch {
    return true;
  }
}

/** Of several only those count that something was sent from. */
const used = (list: readonly Found[]): readonly Found[] => {
  const some = list.length > 1 ? list.filter(({ path }) => hasRuns(path)) : [];
  return some.length > 0 ? some : list.slice(0, 1);
};

/**
 * The journal of a company at a service, however either is spelt: the one that knows the token, else the one that knows the
 * name; without any, where a new one will lie.
 * @throws PipelineError('usage', journal/of-another-company, journal/two-journals)
 */
export function findJournal(whose: Whose): string {
  const { token, nit = '' } = whose;
  const name = canonicalCompany(whose.company);
  const called = [name, canonicalCompany(nit)].filter((one) => one !== '');
  const all = journalsAt(whose);
  const byToken = used(all.filter(({ tokens }) => token !== undefined && tokens.includes(token)));
  const byName = used(all.filter(({ names }) => called.some((one) => names.includes(one))));
  const [first, second] = byToken.length > 0 ? byToken : byName;
  if (first === undefined) return journalPath(whose);
  if (second !== undefined)
    stop('usage', {
      code: 'journal/two-journals',
      params: { company: name, one: first.path, other: second.path },
    });
  const [own] = byName;
  const otherNit = first.names.find(isNit);
  const isAnothers = isNit(name) && otherNit !== undefined && !first.names.includes(name);
  const hasOwn = own !== undefined && own.path !== first.path && name !== NO_NAME && hasRuns(own.path);
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
export function unclaimedJournal(whose: Whose): string | undefined {
  if (canonicalCompany(whose.company) === NO_NAME || existsSync(findJournal(whose))) return undefined;
  return journalsAt(whose).find(
    ({ path, names, tokens }) =>
      tokens.length === 0 && names.every((one) => one === NO_NAME) && hasRuns(path),
  )?.path;
}

/** Other journals of the service that know the token. */
export const othersOfToken = (whose: Whose, own: string): readonly string[] =>
  journalsAt(whose).flatMap(({ path, tokens }) =>
    path !== own && whose.token !== undefined && tokens.includes(whose.token) ? [path] : [],
  );
