import { setMaxListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { canonicalAddress, tokenFingerprint } from '../client/address.js';
import type { Journal, OpenOptions } from '../send/journal.js';
import { canonicalCompany, type Owner } from '../send/journal-proof.js';
import {
  type Found,
  fileJournals,
  findJournal,
  type JournalOwner,
  type Journals,
  type SharedJournals,
  unclaimedJournal,
} from '../send/journals.js';
import { bogotaTime, defaultPolicy, type Policy, REAL_RUNTIME } from '../send/rate-limiter.js';
import { type RequestOptions, type RequestsResult, requestEach } from '../send/requests.js';
import { discardDraft, findRun, firstOpen, listRuns, type Run } from '../send/runs.js';
import { beginWaiting, stopWaiting } from '../send/waiting.js';
import { type Issue, PipelineError, stop, warning } from '../toolkit/core/issue.js';
import type { Message, Phrase, PlainPhrase } from '../toolkit/messages/texts.js';
import type { Context, Outcome } from './context.js';
import { say } from './events.js';
import { companyOf, type DecisionOptions, type ServiceOptions } from './options.js';
import { serviceAddress } from './service.js';

const servers = new Map<string, Promise<Journals>>();

/** Where the journals are: in the database that was named, else in the workspace. One pool of connections a process. */
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

/**
 * What journals of a database have in common.
 * @throws PipelineError('usage', run/needs-database)
 */
export const sharedJournals = async (context: Context): Promise<SharedJournals> =>
  (await journalsOf(context)).shared ?? stop('usage', { code: 'run/needs-database' });

const whoseOf = (context: Context, options: ServiceOptions, nit?: string): JournalOwner => {
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

/** Where the journal of this call is, whether it exists or not. */
export const journalPath = async (context: Context, options: ServiceOptions): Promise<string> =>
  findJournal(await journalsOf(context), whoseOf(context, options));

/** The journal of this call among these; one that was moved has no names here. */
export async function foundOf(context: Context, options: ServiceOptions, journals: Journals): Promise<Found> {
  const whose = { ...whoseOf(context, options), token: undefined };
  const path = await findJournal(journals, whose);
  const owner = ownerOf(whose);
  const found = (await journals.at(whose)).find((one) => one.path === path);
  return found ?? { path, names: [owner.company], tokens: [], owner };
}

/** The file that the journal of this call is, or would be on this machine: what belongs to it lies beside. */
export const journalFile = async (context: Context, options: ServiceOptions): Promise<string> => {
  const journals = await journalsOf(context);
  return join(journals.folder(await journalPath(context, options)), 'journal.db');
};

/**
 * From here on the journal knows the token of its company.
 * @throws PipelineError('usage', journal/of-another-company) where another one does
 */
export async function claimToken(
  context: Context,
  options: ServiceOptions,
  journal: Journal,
  token: string | undefined,
  fromOthers = false,
): Promise<void> {
  const whose = { ...whoseOf(context, options), token };
  const journals = await journalsOf(context);
  const isKnown = token === undefined || journal.tokens?.includes(token);
  const theirs = isKnown ? [] : await journals.at(whose, token);
  for (const { path, names } of theirs) {
    if (token === undefined || path === journal.path) continue;
    if (!fromOthers)
      stop('usage', {
        code: 'journal/of-another-company',
        params: { company: whose.company, other: names.join(', '), path },
      });
    await journals.forget(path, token);
  }
  await journal.claim?.(ownerOf(whose), token);
}

/** What `journal adopt` takes: what has the company's name, else what has none, else what lies where it would lie. */
export async function adoptable(context: Context, options: ServiceOptions): Promise<string> {
  const whose = { ...whoseOf(context, options), token: undefined };
  const journals = await journalsOf(context);
  return (await unclaimedJournal(journals, whose)) ?? findJournal(journals, whose);
}

/** Every journal of the workspace, with what lies beside it. */
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

/** Says what speaks against the folder. */
function warn({ tell }: Context, issues: readonly Issue[]): void {
  for (const issue of issues) tell({ event: 'issue', issue });
}

/** Lends an existing journal for reading; a sender may be at work meanwhile. */
export async function withJournal(
  context: Context,
  options: ServiceOptions,
  use: (journal: Journal) => Promise<Outcome>,
): Promise<Outcome> {
  const journals = await journalsOf(context);
  const path = await findJournal(journals, whoseOf(context, options));
  const journal = await journals.read(path, (issues) => warn(context, issues));
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

/** Lends the journal for reading where there is one and it is clear which; nothing is said of it to who only looks something up. */
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
  const path = await findJournal(journals, whoseOf(context, options));
  return (await journals.exists(path)) ? journals.read(path) : undefined;
}

/** How a person says of a run that was given up that its first document in doubt is not there. */
export const settling = async (journal: Journal, run: string): Promise<{ readonly next: string }> => ({
  next: `resume ${run} --settle ${await firstOpen(journal, run)}=none`,
});

/** Opens with the right to send; where another process has it, the run that it is sending is named. */
async function openOrTell(
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

/** Where a sender works: a journal without a name is taken for this company's only by a person's word. */
async function pathToSend(
  context: Context,
  options: ServiceOptions,
  journals: Journals,
  whose: JournalOwner,
  create: boolean,
): Promise<string> {
  const unclaimed = create ? await unclaimedJournal(journals, whose) : undefined;
  if (unclaimed === undefined) return findJournal(journals, whose);
  const params = { path: unclaimed, company: companyOf(options) };
  if (context.ask === undefined) return stop('usage', { code: 'journal/whose', params });
  const isOurs = await context.ask.confirm({ key: 'askWhose', params: params });
  return isOurs ? unclaimed : findJournal(journals, whose);
}

/** What of the way a journal is lent for writing differs. */
interface Lending extends Pick<OpenOptions, 'create'> {
  /** Path of one that is known. */
  readonly path?: string;
  /** Path of what a person takes for the journal. */
  readonly adopt?: string;
  /** The company's NIT, as the run's parameters say it. */
  readonly nit?: string | undefined;
}

/** A journal lent with the right to send, which others have while a person is asked. */
export interface LentJournal extends Journal {
  /** True if a person said no while another process sends: nothing can be written any more. */
  readonly isReadOnly: boolean;
}

/** Questions after whose no nothing is written any more. */
const ENDING_QUESTIONS: ReadonlySet<string> = new Set<Phrase>([
  'askSend',
  'askPartial',
  'askProduction',
  'askApprove',
  'askResume',
]);
const TRY_AGAIN_MS = 300;

/**
 * Lends the journal with the right to send, made when it is missing and `create` says so. What a restored one doubts is
 * said. `asking` is the context with questions that give the right to send back until the person has answered: what was
 * read before a question may be outdated after it.
 * @throws PipelineError('busy') when another process is sending
 */
export async function withSender(
  context: Context,
  options: ServiceOptions & DecisionOptions,
  lending: boolean | Lending,
  use: (journal: LentJournal, asking: Context) => Promise<Outcome>,
): Promise<Outcome> {
  const {
    create = false,
    path: known,
    adopt,
    nit,
  }: Lending = typeof lending === 'boolean' ? { create: lending } : lending;
  const whose = whoseOf(context, options, nit);
  const journals = await journalsOf(context);
  const path = known ?? adopt ?? (await pathToSend(context, options, journals, whose, create));
  const opening = {
    laysOut: Boolean(options.queue || options.hold || options.dryRun),
    owner: ownerOf(whose),
  };
  let journal = await openOrTell(journals, path, {
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
  /** Gives the right to send back for as long as a person thinks. */
  const released = async <T>(question: Message, ask: () => Promise<T>): Promise<T> => {
    if (isReadOnly) return ask();
    await beginWaiting(journal, context.now().getTime());
    isOpen = false;
    await journal.close();
    let said: T | undefined;
    try {
      said = await ask();
      return said;
    } finally {
      await takeBack(Boolean(said) || !(said === undefined || ENDING_QUESTIONS.has(question.key)));
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
            confirm: (question, typed) => released(question, () => ask.confirm(question, typed)),
            text: (question) => released(question, () => ask.text(question)),
            secret: (question) => released(question, () => ask.secret(question)),
          },
        };
  try {
    if (nit !== undefined) await journal.claim?.({ ...ownerOf(whose), company: canonicalCompany(nit) });
    tellRestored(context, journal);
    return await use(lent, asking);
  } finally {
    if (isOpen) await journal.close();
  }
}

/** Opens with the right to send once nobody else has it; undefined if another process has it and it need not be waited for. */
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
        if (tries === 0) say(context, 'waitsForTurn', { run: (await openRunIn(journals, path)) ?? '—' });
        await wait(TRY_AGAIN_MS);
      }
  } finally {
    stopListening();
  }
}

/** Removes a draft of which nothing was sent; one that cannot be written to is left to the next sender. */
export async function dropDraft(journal: LentJournal, run: string): Promise<void> {
  stopWaiting(journal.path, run);
  if (!journal.isReadOnly) await discardDraft(journal, run);
}

/** Once: from here on the documents themselves say that they are unconfirmed. */
function tellRestored(context: Context, { path, restored }: Journal): void {
  if (restored === undefined) return;
  const { documents, runs, until } = restored;
  const when = until === 0 ? '—' : bogotaTime(until);
  const list = runs.length === 0 ? '—' : runs.join(', ');
  warn(context, [warning('journal/restored', { path, until: when, documents, runs: list })]);
}

/** Which documents of a call are meant: all, or those whose numbers were named. */
interface OnlyThese {
  has(number: string): boolean;
  /** @throws PipelineError('usage', run/unknown-name) when a named number never came by */
  refuseUnknown(): void;
}

/** Numbers as people write them: `nom12` is `NOM12`. */
const fold = (number: string): string => number.replace(/[\s-]/g, '').toUpperCase();

export function onlyThese(numbers: readonly string[] | undefined): OnlyThese {
  if (numbers === undefined) return { has: () => true, refuseUnknown: () => undefined };
  const wanted = new Set(numbers.map(fold));
  const missing = new Set(wanted);
  return {
    has(number) {
      missing.delete(fold(number));
      return wanted.has(fold(number));
    },
    refuseUnknown() {
      const [value] = missing;
      if (value !== undefined)
        stop('usage', { code: 'run/unknown-name', value, params: { list: 'status RUN' } });
    },
  };
}

/** The run of a call: the one named, or the latest that fits. Undefined when none does. */
export const chosenRun = async (
  journal: Journal,
  id: string | undefined,
  fits: (run: Run) => boolean = () => true,
): Promise<Run | undefined> =>
  id === undefined ? (await listRuns(journal)).find(fits) : findRun(journal, id);

/** What the options say of the pace; the rest is the sender's own. */
export const policyOf = ({ concurrency, rate }: ServiceOptions): Partial<Policy> => ({
  ...(concurrency !== undefined && { concurrency }),
  // `undefined` is no limit, and must win over the default of a distant service.
  ...(rate !== undefined && ({ requestsPerMinute: rate === 0 ? undefined : rate } as Partial<Policy>)),
});

/** How a person stops what is under way: once lets it finish, twice hangs up. */
interface Stopping {
  readonly finish: AbortSignal;
  readonly abort: AbortSignal;
  /** Nobody listens any more. */
  done(): void;
}

export function stopping(context: Context): Stopping {
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, finish.signal, abort.signal); // every request under way listens
  const done = context.onInterrupt(
    () => {
      say(context, 'finishing');
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
  /** Makes one request, hanging up on the second Ctrl-C. */
  readonly ask: (abort: AbortSignal) => RequestOptions<Item, T>['ask'];
}

/** Makes the requests of a use case that sends no documents, under the eyes of a person: progress, Ctrl-C, why they stopped. */
export async function makeRequests<Item, T>(
  context: Context,
  options: ServiceOptions,
  { url, what, total, ask, settle, ...rest }: Requests<Item, T>,
): Promise<RequestsResult> {
  context.tell({ event: 'begins', what, total });
  const { finish, abort, done: stopListening } = stopping(context);
  const policy = { ...defaultPolicy(url.href), ...policyOf(options) };
  const journals = await journalsOf(context);
  const pace = await journals.pace(
    await journalPath(context, options),
    policy.requestsPerMinute,
    REAL_RUNTIME,
  );
  let done = 0;
  try {
    const result = await requestEach({
      ...rest,
      policy,
      pace,
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
    await pace.close();
    context.tell({ event: 'ends' });
    stopListening();
  }
}

/** How requests ended: what failed on the way goes before single failures. */
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
