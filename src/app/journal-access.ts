import { setMaxListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { canonicalAddress, tokenFingerprint } from '../client/address.js';
import type { Journal, OpenOptions } from '../send/journal.js';
import { canonicalCompany, type Owner } from '../send/journal-proof.js';
import {
  type FoundJournal,
  fileJournals,
  findJournal,
  type JournalOwner,
  type Journals,
  type SharedJournals,
  unclaimedJournal,
} from '../send/journals.js';
import { defaultPolicy, type Policy, REAL_RUNTIME } from '../send/rate-limiter.js';
import { type RequestOptions, type RequestsResult, requestEach } from '../send/requests.js';
import { discardDraft, findRun, firstOpen, listRuns, type Run } from '../send/runs.js';
import { beginWaiting, stopWaiting } from '../send/waiting.js';
import { type Issue, PipelineError, stop, warning } from '../toolkit/core/issue.js';
import { timeInBogota } from '../toolkit/core/plain-date.js';
import type { Message, Phrase, PlainPhrase } from '../toolkit/messages/texts.js';
import type { Context, Outcome } from './context.js';
import { emitMessage } from './events.js';
import { companyOf, type DecisionOptions, type ServiceOptions } from './options.js';
import { serviceAddress } from './service.js';

const servers = new Map<string, Promise<Journals>>();

/**
 * Returns the journals: in the configured database, else in the workspace. A process has one connection pool per
 * database.
 */
export async function journalsOf({
  journal: address,
  workspace,
}: Pick<Context, 'journal' | 'workspace'>): Promise<Journals> {
  if (address === undefined) return fileJournals(workspace);
  const key = `${workspace}\n${address}`;
  let found = servers.get(key);
  if (found === undefined) {
    const { serverJournals } = await import('../send/postgres-journals.js');
    found = serverJournals(address, workspace);
    found.catch(() => servers.delete(key)); // the next call may have more luck
    servers.set(key, found);
  }
  return found;
}

/** Returns the shared state of the journals in a database. @throws PipelineError('usage', run/needs-database) */
export const sharedJournals = async (
  context: Pick<Context, 'journal' | 'workspace'>,
): Promise<SharedJournals> =>
  (await journalsOf(context)).shared ?? stop('usage', { code: 'run/needs-database' });

const ownerQuery = (context: Context, options: ServiceOptions, nit?: string): JournalOwner => {
  const url = serviceAddress(context, options).href;
  return {
    url,
    company: companyOf(options),
    token: context.token === undefined ? undefined : tokenFingerprint(url, context.token),
    nit,
  };
};

const ownerOf = ({ url, company }: JournalOwner): Owner => ({
  address: canonicalAddress(url),
  company: canonicalCompany(company),
});

/** Returns the path of this call's journal, even if it does not exist yet. */
export const journalPath = async (context: Context, options: ServiceOptions): Promise<string> =>
  findJournal(await journalsOf(context), ownerQuery(context, options));

/** Finds the journal of this call among these; for one that does not exist it returns the default path. */
export async function findOwnJournal(
  context: Context,
  options: ServiceOptions,
  journals: Journals,
): Promise<FoundJournal> {
  const query = { ...ownerQuery(context, options), token: undefined };
  const path = await findJournal(journals, query);
  const owner = ownerOf(query);
  const found = (await journals.at(query)).find((other) => other.path === path);
  return found ?? { path, names: [owner.company], tokens: [], owner };
}

/** Returns the file of this call's journal, on this computer; its companion files are in the same folder. */
export const journalFile = async (context: Context, options: ServiceOptions): Promise<string> => {
  const journals = await journalsOf(context);
  return join(journals.folder(await journalPath(context, options)), 'journal.db');
};

/**
 * Stores the company's token in its journal.
 * @param fromOthers takes the token from other journals
 * @throws PipelineError('usage', journal/of-another-company) if another journal has it
 */
export async function claimToken(
  context: Context,
  options: ServiceOptions,
  journal: Journal,
  token: string | undefined,
  fromOthers = false,
): Promise<void> {
  const owner = { ...ownerQuery(context, options), token };
  const journals = await journalsOf(context);
  const isKnown = token === undefined || journal.tokens?.includes(token);
  const others = isKnown ? [] : await journals.at(owner, token);
  for (const { path, names } of others) {
    if (token === undefined || path === journal.path) continue;
    if (!fromOthers)
      stop('usage', {
        code: 'journal/of-another-company',
        params: { company: owner.company, other: names.join(', '), path },
      });
    await journals.forget(path, token);
  }
  await journal.claim?.(ownerOf(owner), token);
}

/**
 * Returns the path that `journal adopt` takes: the company's journal, else one without a name, else the default path.
 */
export async function adoptable(context: Context, options: ServiceOptions): Promise<string> {
  const owner = { ...ownerQuery(context, options), token: undefined };
  const journals = await journalsOf(context);
  return (await unclaimedJournal(journals, owner)) ?? findJournal(journals, owner);
}

export function journalFiles({ workspace }: Context): readonly string[] {
  const below = (folder: string): string[] => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  };
  return below(workspace)
    .flatMap(below)
    .flatMap(below)
    .filter((file) => /[\\/]journal\.(db[^\\/]*|proof)$/.test(file));
}

/** Emits issues about the journal's folder. */
function warn({ tell }: Context, issues: readonly Issue[]): void {
  for (const issue of issues) tell({ event: 'issue', issue });
}

/** Opens an existing journal for reading, also while another process sends. */
export async function withJournal(
  context: Context,
  options: ServiceOptions,
  use: (journal: Journal) => Promise<Outcome>,
): Promise<Outcome> {
  const journals = await journalsOf(context);
  const path = await findJournal(journals, ownerQuery(context, options));
  const journal = await journals.read(path, (issues) => warn(context, issues));
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

/** Opens the journal for reading if there is exactly one for this call; errors of the search are ignored. */
export async function withJournalIfAny<T>(
  context: Context,
  options: ServiceOptions,
  use: (journal: Journal | undefined) => Promise<T>,
): Promise<T> {
  const journal = await journalIfAny(context, options).catch((error: unknown) => {
    if (error instanceof PipelineError) return undefined;
    throw error;
  });
  try {
    return await use(journal);
  } finally {
    await journal?.close();
  }
}

async function journalIfAny(context: Context, options: ServiceOptions): Promise<Journal | undefined> {
  const journals = await journalsOf(context);
  const path = await findJournal(journals, ownerQuery(context, options));
  return (await journals.exists(path)) ? journals.read(path) : undefined;
}

/** Returns the command that settles the first open document of an abandoned run as not there. */
export const settleCommand = async (journal: Journal, run: string): Promise<{ readonly next: string }> => ({
  next: `resume ${run} --settle ${await firstOpen(journal, run)}=none`,
});

/**
 * Opens with the right to send.
 * @throws PipelineError('busy', send/in-progress) that names the run another process is sending
 */
async function openOrNameRun(
  journals: Journals,
  path: string,
  options: Parameters<Journals['open']>[1],
): Promise<Journal> {
  try {
    return await journals.open(path, options);
  } catch (error) {
    const run =
      error instanceof PipelineError && error.key === 'busy' ? await openRunIn(journals, path) : undefined;
    if (run === undefined) throw error;
    return stop('busy', { code: 'send/in-progress', params: { run } }, error);
  }
}

async function openRunIn(journals: Journals, path: string): Promise<string | undefined> {
  const journal = await journals.read(path);
  try {
    return (await listRuns(journal)).find(({ state }) => state === 'open')?.id;
  } finally {
    await journal.close();
  }
}

/** Returns the journal to send from. A journal without a name is used only if the user confirms it is the company's. */
async function pathToSend(
  context: Context,
  options: ServiceOptions,
  journals: Journals,
  owner: JournalOwner,
  create: boolean,
): Promise<string> {
  const unclaimed = create ? await unclaimedJournal(journals, owner) : undefined;
  if (unclaimed === undefined) return findJournal(journals, owner);
  const params = { path: unclaimed, company: companyOf(options) };
  if (context.ask === undefined) return stop('usage', { code: 'journal/whose', params });
  const isOurs = await context.ask.confirm({ key: 'askWhose', params });
  return isOurs ? unclaimed : findJournal(journals, owner);
}

interface JournalAccess extends Pick<OpenOptions, 'create'> {
  /** Path of a known journal. */
  readonly path?: string;
  /** Path of the file the user adopts as journal. */
  readonly adopt?: string;
  /** NIT of the company, from the run's parameters. */
  readonly nit?: string | undefined;
}

/** Journal opened with the right to send, which is released while the user is asked. */
export interface LentJournal extends Journal {
  /** True if the user refused while another process sends; nothing can be written any more. */
  readonly isReadOnly: boolean;
}

/** Questions after whose "no" nothing is written. */
const ENDING_QUESTIONS: ReadonlySet<string> = new Set<Phrase>([
  'askSend',
  'askPartial',
  'askProduction',
  'askApprove',
  'askResume',
]);
const TRY_AGAIN_MS = 300;

/**
 * Opens the journal with the right to send and closes it after `use`; a restored journal is reported. `asking` is the
 * context whose questions release the right until the user answers, so anything read before a question may be
 * outdated after it.
 * @throws PipelineError('busy') if another process is sending
 */
export async function withSender(
  context: Context,
  options: ServiceOptions & DecisionOptions,
  access: boolean | JournalAccess,
  use: (journal: LentJournal, asking: Context) => Promise<Outcome>,
): Promise<Outcome> {
  const {
    create = false,
    path: known,
    adopt,
    nit,
  }: JournalAccess = typeof access === 'boolean' ? { create: access } : access;
  const owner = ownerQuery(context, options, nit);
  const journals = await journalsOf(context);
  const path = known ?? adopt ?? (await pathToSend(context, options, journals, owner, create));
  const opening = {
    planOnly: Boolean(options.queue || options.hold || options.dryRun),
    owner: ownerOf(owner),
  };
  let journal = await openOrNameRun(journals, path, {
    ...opening,
    create,
    adopt: adopt !== undefined,
    warn: (issues) => warn(context, issues),
  });
  let isOpen = true;
  let isReadOnly = false;
  const lent = new Proxy({} as LentJournal, {
    get: (_, name) => (name === 'isReadOnly' ? isReadOnly : Reflect.get(journal, name)),
  });
  const takeBack = async (mustWrite: boolean): Promise<void> => {
    const again = await openInTurn(context, journals, path, { ...opening, create: false }, mustWrite);
    isReadOnly = again === undefined;
    journal = again ?? (await journals.read(path));
    isOpen = true;
  };
  /** Releases the right to send while the user decides. */
  const askReleased = async <T>(question: Message, ask: () => Promise<T>): Promise<T> => {
    if (isReadOnly) return ask();
    await beginWaiting(journal, context.now().getTime());
    isOpen = false;
    await journal.close();
    let answer: T | undefined;
    try {
      answer = await ask();
      return answer;
    } finally {
      await takeBack(Boolean(answer) || !(answer === undefined || ENDING_QUESTIONS.has(question.key)));
    }
  };
  const { ask } = context;
  const asking: Context =
    ask === undefined
      ? context
      : {
          ...context,
          ask: {
            ...ask,
            confirm: (question, typed) => askReleased(question, () => ask.confirm(question, typed)),
            text: (question) => askReleased(question, () => ask.text(question)),
            secret: (question) => askReleased(question, () => ask.secret(question)),
          },
        };
  try {
    if (nit !== undefined) await journal.claim?.({ ...ownerOf(owner), company: canonicalCompany(nit) });
    warnRestored(context, journal);
    return await use(lent, asking);
  } finally {
    if (isOpen) await journal.close();
  }
}

/**
 * Opens with the right to send, waiting for it if `mustWrite`; otherwise returns undefined if another process has it.
 */
async function openInTurn(
  context: Context,
  journals: Journals,
  path: string,
  options: OpenOptions,
  mustWrite: boolean,
): Promise<Journal | undefined> {
  let isStopped = false;
  const stopHere = (): void => {
    isStopped = true;
  };
  const stopListening = context.onInterrupt(stopHere, stopHere);
  try {
    for (let tries = 0; ; tries++)
      try {
        return await journals.open(path, { ...options, warn: () => {} });
      } catch (error) {
        if (!(error instanceof PipelineError) || error.key !== 'busy' || isStopped) throw error;
        if (!mustWrite) return undefined;
        if (tries === 0)
          emitMessage(context, 'waitsForTurn', { run: (await openRunIn(journals, path)) ?? '—' });
        await wait(TRY_AGAIN_MS);
      }
  } finally {
    stopListening();
  }
}

/** Removes a draft; in a read-only journal the next sender removes it. */
export async function dropDraft(journal: LentJournal, run: string): Promise<void> {
  stopWaiting(journal.path, run);
  if (!journal.isReadOnly) await discardDraft(journal, run);
}

/** Warns once about a restored journal; from then on its documents are unknown. */
function warnRestored(context: Context, { path, restored }: Journal): void {
  if (restored === undefined) return;
  const { documents, runs, until } = restored;
  const when = until === 0 ? '—' : timeInBogota(until);
  const list = runs.length === 0 ? '—' : runs.join(', ');
  warn(context, [warning('journal/restored', { path, until: when, documents, runs: list })]);
}

/** Normalises a number as users write it: `nom12` → `NOM12`. */
const fold = (number: string): string => number.replace(/[\s-]/g, '').toUpperCase();

/** Selects the documents of a call: those with the given numbers, or all. */
export function selectDocuments(numbers: readonly string[] | undefined) {
  const wanted = new Set(numbers?.map(fold));
  const missing = new Set(wanted);
  return {
    has(number: string): boolean {
      missing.delete(fold(number));
      return numbers === undefined || wanted.has(fold(number));
    },
    /** @throws PipelineError('usage', run/unknown-name) if a given number did not occur */
    refuseUnknown(): void {
      const [value] = missing;
      if (value !== undefined)
        stop('usage', { code: 'run/unknown-name', value, params: { list: 'status RUN' } });
    },
  };
}

/** Returns the run with this ID, or the latest that fits; undefined if none does. */
export const chosenRun = async (
  journal: Journal,
  id: string | undefined,
  fits: (run: Run) => boolean = () => true,
): Promise<Run | undefined> =>
  id === undefined ? (await listRuns(journal)).find(fits) : findRun(journal, id);

/** Returns the sending policy that options set; the sender has defaults for the rest. */
export const policyOf = ({ concurrency, rate }: ServiceOptions): Partial<Policy> => ({
  ...(concurrency !== undefined && { concurrency }),
  // `undefined` is no limit, and must win over the default of a distant service.
  ...(rate !== undefined && ({ requestsPerMinute: rate === 0 ? undefined : rate } as Partial<Policy>)),
});

/** Signals to stop: the first interrupt finishes open requests, the second aborts them. */
interface StopSignals {
  readonly finish: AbortSignal;
  readonly abort: AbortSignal;
  /** Stops listening. */
  done(): void;
}

export function listenForStop(context: Context): StopSignals {
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, finish.signal, abort.signal); // every request under way listens
  const done = context.onInterrupt(
    () => {
      emitMessage(context, 'finishing');
      finish.abort();
    },
    () => abort.abort(),
  );
  return { finish: finish.signal, abort: abort.signal, done };
}

interface Requests<Item, T> extends Pick<RequestOptions<Item, T>, 'items' | 'settle' | 'repeat'> {
  readonly url: URL;
  readonly what: PlainPhrase;
  readonly total: number;
  /** Creates the request function; `abort` hangs up on the second interrupt. */
  readonly ask: (abort: AbortSignal) => RequestOptions<Item, T>['ask'];
}

/** Makes the requests of a use case that sends no documents, with progress, interrupts and the reason it stopped. */
export async function makeRequests<Item, T>(
  context: Context,
  options: ServiceOptions,
  { url, what, total, ask, settle, ...rest }: Requests<Item, T>,
): Promise<RequestsResult> {
  context.tell({ event: 'begins', what, total });
  const { finish, abort, done: stopListening } = listenForStop(context);
  const policy = { ...defaultPolicy(url.href), ...policyOf(options) };
  const journals = await journalsOf(context);
  const rateLimiter = await journals.rateLimiter(
    await journalPath(context, options),
    policy.requestsPerMinute,
    REAL_RUNTIME,
  );
  let done = 0;
  try {
    const result = await requestEach({
      ...rest,
      policy,
      rateLimiter,
      ask: ask(abort),
      settle: async (item, reply) => {
        await settle(item, reply);
        done += 1;
        context.tell({ event: 'progress', done });
      },
      finish,
    });
    context.tell({ event: 'ends' });
    if (result.stopped !== undefined) context.tell({ event: 'stopped', issue: result.stopped });
    return result;
  } finally {
    await rateLimiter.close();
    context.tell({ event: 'ends' });
    stopListening();
  }
}

/** Maps the result of requests to the command result; a stop takes precedence over single failures. */
export function outcomeOfRequests(
  { stopped, interrupted }: RequestsResult,
  open: number,
  failed: number,
): Outcome {
  if (interrupted) return 'interrupted';
  if (stopped !== undefined) return 'unreachable';
  if (open > 0) return 'unfinished';
  return failed > 0 ? 'data-errors' : 'fine';
}
