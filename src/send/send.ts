import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Client } from '../client/client.js';
import { type Issue, issuesOf, paramOf, stop } from '../toolkit/core/issue.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import type { OutcomeCounts } from '../toolkit/schema/document.js';
import { createIssue } from './create-issue.js';
import { onlyRow, type Sql, type Write, type Writer } from './database.js';
import { createKeyLock, type Delivery, deliver, type Written, waitUntilHealthy } from './deliver.js';
import { type Documents, documentsOf, MANY } from './documents.js';
import type { Journal } from './journal.js';
import { type DocumentKind, missingForProof, type Proof } from './kind.js';
import type { PlannedDocument } from './planned-document.js';
import { NO_TURN, turnsByPredecessor } from './predecessors.js';
import {
  createPoller,
  createTraffic,
  defaultPolicy,
  type Policy,
  type RateLimiter,
  REAL_RUNTIME,
  type Runtime,
  rateLimiterOf,
  type Traffic,
} from './rate-limiter.js';
import {
  beginning,
  type FoundRun,
  findRunWithCounts,
  leaveRun,
  nitOf,
  outcomeCounts,
  outcomeState,
  type Run,
} from './runs.js';
import type { ProofNeed } from './state-machine.js';
import type { Verdict } from './verdict.js';

/**
 * Processes any number of items without a promise for each: at most `most()` are worked on at a time, and at most as
 * many again wait for their result to be on disk. After a failure no item is begun; it is thrown once all begun items
 * are over. Returns how many were begun.
 */
export async function workThrough<T>(
  items: Iterable<T> | AsyncIterable<T>,
  maxOpen: () => number,
  work: (item: T) => Promise<Written>,
  over: AbortSignal,
): Promise<number> {
  let total = 0;
  let open = 0;
  let writing = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const changed = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  const task = async (item: T): Promise<void> => {
    try {
      const { durable } = await work(item);
      void written(durable);
    } catch (error) {
      failure ??= { error };
    } finally {
      open -= 1;
      wake();
    }
  };
  const written = async (durable: Promise<void>): Promise<void> => {
    writing += 1;
    try {
      await durable;
    } catch (error) {
      failure ??= { error };
    } finally {
      writing -= 1;
      wake();
    }
  };

  for await (const item of items) {
    while (open >= maxOpen() || open + writing >= 2 * maxOpen()) await changed();
    if (failure !== undefined || over.aborted) break;
    total += 1;
    open += 1;
    void task(item);
  }
  while (open + writing > 0) await changed();
  if (failure !== undefined) throw failure.error;
  return total;
}

export interface SendOptions {
  readonly journal: Journal;
  /** Id of a planned or unfinished run. */
  readonly run: string;
  /** Run as it was found since the journal was opened. @default it is read again */
  readonly found?: FoundRun | undefined;
  readonly client: Client;
  readonly kind: DocumentKind;
  /** @default defaultPolicy(client.url) */
  readonly policy?: Partial<Policy>;
  /** Stops before the next request and waits for requests under way. */
  readonly finish?: AbortSignal;
  /** Aborts requests under way; their outcome is unknown until the run is resumed. */
  readonly abort?: AbortSignal;
  /** PIN of the payroll software, which proves the owner of a code; kept in memory only. @default not known */
  readonly softwarePin?: string;
  /**
   * NIT of the employer, which is hashed with the PIN. @default that of the run's company, or one that the journal
   * knows
   */
  readonly nit?: string;
  /** True if the service has answered already: the probe of the kind is not asked. @default false */
  readonly isRecognised?: boolean;
  /** Called after every answer; the counts are live, not a copy. */
  readonly onProgress?: (counts: OutcomeCounts) => void;
  /** Called after every wait for the rate limiter, in ms. */
  readonly onTurn?: ((ms: number) => void) | undefined;
  /** @default the real clock */
  readonly world?: Runtime;
}

export interface SendResult {
  /** made = accepted + rejected + pending + unknown + unsent */
  readonly counts: OutcomeCounts;
  /** Reason why the run ended early; documents not tried are unsent. */
  readonly stopped?: Issue;
  /** True if `finish` or `abort` ended it. */
  readonly interrupted: boolean;
  /** Reason why the given PIN proves nothing. */
  readonly pinIssue?: Issue;
  /** Codes that could not be proven, and what was missing; undefined if there are none. */
  readonly unproven?: Unproven;
}

export interface Unproven {
  readonly count: number;
  /** Missing needs, at least one. */
  readonly lacks: readonly ProofNeed[];
}

/** Min retries of a run, however small. */
const MIN_RETRIES = 100;

/**
 * Sends the documents of a run that are not final: a new run is sent, an unfinished one resumed. Needs the sender
 * lock. Every attempt is durable in the journal before its request leaves, every answer before it counts. Failures of
 * the service end in `stopped`, never in an error; only the journal throws (PipelineError `journal`).
 */
export async function sendRun(options: SendOptions): Promise<SendResult> {
  const { journal, client, world = REAL_RUNTIME } = options;
  const found = options.found ?? (await findRunWithCounts(journal, options.run));
  refuseToStart(found.run);
  const policy: Policy = { ...defaultPolicy(client.url), ...options.policy };
  const writer = await journal.writer(MANY);
  try {
    const rateLimiter = timed(await rateLimiterOf(journal, policy.requestsPerMinute, world), options.onTurn);
    try {
      const start = beginning(found.run.id, world.clock());
      // A draft may vanish, so the run is opened before the first request of any kind.
      if (found.run.state !== 'open') await writer.commit(start);
      const firstWriter = found.run.state === 'open' ? startingWith(writer, start) : writer;
      const documents = documentsOf(journal, firstWriter, found.run.id, options.kind);
      const nit = options.nit ?? nitOf(found.run.meta.company) ?? (await documents.employer());
      const employer = { nit, isStored: nit !== undefined && options.nit === undefined };
      return await new RunSending(
        { ...options, policy, world },
        { ...found, documents, rateLimiter, employer },
      ).toItsEnd();
    } finally {
      await rateLimiter.close();
    }
  } finally {
    await writer.close();
  }
}

/** Wraps a writer so that its first commit includes `start`, without a separate transaction. */
function startingWith(writer: Writer, start: Write): Writer {
  let left: readonly Write[] = [start];
  return {
    ...writer,
    commit(...writes) {
      const all = [...left, ...writes];
      left = [];
      return writer.commit(...all);
    },
  };
}

const timed = (rateLimiter: RateLimiter, onTurn: SendOptions['onTurn']): RateLimiter =>
  onTurn === undefined
    ? rateLimiter
    : {
        ...rateLimiter,
        async take(over) {
          const start = performance.now();
          const inTime = await rateLimiter.take(over);
          onTurn(performance.now() - start);
          return inTime;
        },
      };

/** Throws if the run is held without an approval, or was given up. */
function refuseToStart({ id, state, approval, abandonment }: Run): void {
  if (state === 'held' && approval === undefined)
    stop('usage', { code: 'send/not-approved', params: { run: id } });
  if (abandonment !== undefined) stop('usage', { code: 'send/given-up', params: { run: id } });
}

/** Max waits at the end of a run for requests that may still arrive. */
const MAX_LAST_LOOKS = 2;

interface Work extends FoundRun {
  readonly documents: Documents;
  readonly rateLimiter: RateLimiter;
  readonly employer: { readonly nit: string | undefined };
}

/** Sends one run: holds the state that all of its documents share. */
class RunSending {
  private readonly counts: OutcomeCounts;
  private readonly proof: Proof | undefined;
  /** Ends all requests if the journal fails. */
  private readonly broken = new AbortController();
  /** Signals of the caller that end the run. */
  private readonly asked: readonly AbortSignal[];
  private readonly traffic: Traffic;
  private readonly poller: ReturnType<typeof createPoller>;
  private readonly delivery: Delivery;
  private readonly nextTurn: ReturnType<typeof turnsByPredecessor>;
  private readonly again = new Set<number>();
  private readonly markedUnknown = new Set<number>();
  private readonly awaited = new Map<number, number>();
  /** Max documents under way; more than places, since documents also wait for the disk. */
  private maxOpen: number;
  private readonly hadNit: boolean;

  constructor(
    private readonly options: SendOptions & { readonly policy: Policy; readonly world: Runtime },
    private readonly work: Work,
  ) {
    const { journal, client, kind, policy, world, softwarePin: pin } = options;
    const { run, counts, documents, rateLimiter, employer } = work;
    this.counts = { ...counts };
    this.hadNit = employer.nit !== undefined;
    this.asked = [options.finish, options.abort].filter((signal) => signal !== undefined);
    const traffic = createTraffic(world, AbortSignal.any([...this.asked, this.broken.signal]), rateLimiter);
    this.traffic = traffic;
    this.listen();
    this.proof = pin === undefined ? undefined : kind.proof?.({ journal, run: run.id, employer, pin });
    this.maxOpen = Math.ceil(1.25 * policy.concurrency);
    this.nextTurn = turnsByPredecessor(journal, run.id, kind, policy);
    this.poller = createPoller(
      () => this.deliver(documents.pending()),
      () => this.counts.pending,
      policy,
      world,
      traffic.over,
    );
    this.delivery = {
      documents,
      client,
      place: pLimit(policy.concurrency),
      kind,
      testSet: run.testSet,
      policy,
      traffic,
      world,
      employer,
      proof: this.proof,
      claims: new Map(),
      again: this.again,
      markedUnknown: this.markedUnknown,
      awaited: this.awaited,
      resources: new Map(),
      lock: createKeyLock(),
      codes: createKeyLock(),
      abort: options.abort,
      sure: journal.lease?.sure,
      spendRetry: retryBudget(policy, this.counts, traffic),
      onMoved: (from, to) => this.moved(outcomeState(from.state), outcomeState(to.state)),
      onVerdict: rejectionWatch(kind, run, traffic),
    };
  }

  /** Stops the run if its lease is lost, and lifts the limit of listeners: every request listens to the signals. */
  private listen(): void {
    const { traffic } = this;
    setMaxListeners(0, traffic.over, ...this.asked);
    const { lost } = this.options.journal.lease ?? {};
    if (lost === undefined) return;
    const lose = (): void => {
      const [issue] = issuesOf(lost.reason); // a PipelineError
      if (issue !== undefined) traffic.stop(issue);
    };
    lost.addEventListener('abort', lose, { once: true });
    if (lost.aborted) lose();
  }

  private moved(from: keyof OutcomeCounts, to: keyof OutcomeCounts): void {
    const { counts, delivery, options } = this;
    counts[from] -= 1;
    counts[to] += 1;
    if (to === 'pending') this.poller.notice();
    if (delivery.place.pendingCount === 0 && this.maxOpen < 2 * options.policy.concurrency) this.maxOpen += 1;
    options.onProgress?.(counts);
  }

  private deliver(items: AsyncIterable<PlannedDocument>): Promise<number> {
    const { delivery, traffic } = this;
    return workThrough(
      items,
      () => this.maxOpen,
      (item) => deliver(item, delivery),
      traffic.over,
    );
  }

  async toItsEnd(): Promise<SendResult> {
    const { counts, poller, work, options } = this;
    const { documents } = work;
    if (counts.unknown > 0) await documents.markInterruptedUnknown();
    if (counts.pending > 0) poller.notice();
    try {
      const isOpen = counts.unsent + counts.unknown > 0;
      const { probe } = options.kind;
      if (probe !== undefined && isOpen && options.isRecognised !== true)
        await waitUntilHealthy(probe, this.delivery);
      await this.deliver(documents.open());
      await poller.idle();
      await this.lookAgain();
    } catch (error) {
      this.broken.abort();
      await poller.idle().catch(() => {});
      throw error;
    }
    return this.leave();
  }

  /**
   * Sends documents whose predecessor was accepted meanwhile, and asks at the end for requests that may still arrive.
   */
  private async lookAgain(): Promise<void> {
    const { counts, poller, traffic, again, markedUnknown, awaited, work } = this;
    const { journal, policy, world } = this.options;
    const { documents, run } = work;
    let secondLook = false;
    let lastLooks = MAX_LAST_LOOKS;
    for (;;) {
      Object.assign(counts, await outcomeCounts(journal, run.id));
      // Also if the run is over: a resumed run must find who is to try again.
      const nobodyWaits = counts.unsent + counts.unknown + counts.rejected === 0;
      const { ids: followers, pause } = nobodyWaits ? NO_TURN : await this.nextTurn(world.clock());
      // Unknown documents are asked about once more: others that were accepted since may explain them.
      const ids = secondLook
        ? followers
        : new Set([...followers, ...markedUnknown, ...(this.canProveMore ? again : [])]);
      secondLook = true;
      if (!nobodyWaits) Object.assign(counts, await outcomeCounts(journal, run.id));
      const last = ids.size === 0 && lastLooks > 0 ? new Map(awaited) : new Map<number, number>();
      if (ids.size + last.size === 0 || traffic.over.aborted) return;
      if (pause > 0) await world.sleep(pause, traffic.over);
      if (last.size > 0) {
        lastLooks -= 1;
        awaited.clear();
        const arrived = Math.max(...last.values()) + policy.arrivesWithin;
        await world.sleep(Math.max(arrived - world.clock(), 0), traffic.over);
        await this.deliver(only(documents.open(), new Set(last.keys())));
      }
      await this.deliver(only(documents.open(), ids));
      await poller.idle();
    }
  }

  /** True if codes that proved nothing before may do so now. */
  private get canProveMore(): boolean {
    if (this.proof === undefined) return false;
    return this.proof.isSure || (!this.hadNit && this.work.employer.nit !== undefined);
  }

  private async leave(): Promise<SendResult> {
    const { counts, traffic, proof } = this;
    const { journal, kind, world } = this.options;
    const { id } = this.work.run;
    const finished = counts.pending + counts.unknown + counts.unsent === 0;
    const lacks = kind.proof === undefined ? [] : missingForProof(proof, this.work.employer.nit);
    const unproven = lacks.length > 0 && !finished ? await unprovenCount(journal, id) : 0;
    await leaveRun(journal, id, finished, world.clock(), traffic.stopped);
    return {
      counts,
      ...(traffic.stopped !== undefined && { stopped: traffic.stopped }),
      interrupted: this.asked.some((signal) => signal.aborted),
      ...(proof?.issue !== undefined && { pinIssue: proof.issue }),
      ...(unproven > 0 && { unproven: { count: unproven, lacks } }),
    };
  }
}

/** Returns what a rejection says apart from its document: rules and the fields that they name. */
const reasonOf = (issues: readonly Issue[]): string =>
  issues
    .filter(({ level }) => level === 'error')
    .map((issue) => `${paramOf(issue, 'rule') ?? '—'} ${paramOf(issue, 'path') ?? ''}`)
    .map((reason) => reason.replaceAll(/\[\d+\]/g, '').trim())
    .toSorted()
    .join(', ');

/**
 * Stops a run whose documents are rejected in a row for the same reasons, since the fault is in all of them. A user
 * who resumes it has seen the reasons and is not stopped by them again.
 */
function rejectionWatch(
  { equalRejections: maxOpen }: Pick<DocumentKind, 'equalRejections'>,
  { id: run, stopped: before }: Run,
  traffic: Traffic,
): ((verdict: Verdict) => void) | undefined {
  if (maxOpen === undefined) return undefined;
  const knownReasons =
    before && hasTrait(before, 'equal-rejections') ? paramOf(before, 'reasons') : undefined;
  let reasons = '';
  let count = 0;
  return (verdict) => {
    if (verdict.kind === 'accepted') count = 0;
    if (verdict.kind !== 'rejected') return;
    const current = reasonOf(verdict.issues);
    count = current === reasons ? count + 1 : 1;
    reasons = current;
    if (count < maxOpen || current === knownReasons) return;
    const [issue] = verdict.issues;
    const text = String((issue && paramOf(issue, 'text')) ?? '');
    const params = { count: maxOpen, reasons, text, run };
    const isTold = verdict.rules.length > 0;
    traffic.stop(
      createIssue('send/equal-rejections', isTold ? params : { ...params, case: 'without-reasons' }),
    );
  };
}

async function unprovenCount(journal: Sql, run: string): Promise<number> {
  const sql = `SELECT count(*) AS count FROM document WHERE run = ? AND state = 'unknown' AND document_code IS NOT NULL`;
  return (await onlyRow<{ count: number }>(journal, sql, run)).count;
}

async function* only(
  items: AsyncIterable<PlannedDocument>,
  ids: ReadonlySet<number>,
): AsyncIterable<PlannedDocument> {
  for await (const item of items) if (ids.has(item.id)) yield item;
}

/** Creates the retry budget of all documents; a service that needs more is ill. */
function retryBudget(policy: Policy, counts: OutcomeCounts, traffic: Traffic): () => boolean {
  const open = counts.unsent + counts.unknown + counts.pending;
  const budget = policy.retryBudget ?? Math.max(MIN_RETRIES, open);
  let left = budget;
  return () => {
    left -= 1;
    if (left < 0) traffic.stop(createIssue('send/too-many-retries', { budget }));
    return left >= 0;
  };
}
