import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Client } from '../client/client.js';
import type { OutcomeCounts } from '../document/accounting.js';
import type { Issue } from '../issues/issue.js';
import { stop } from '../issues/pipeline-error.js';
import { outcomeCounts, outcomeState } from './accounting.js';
import { type Delivery, deliver, knock } from './deliver.js';
import { type Documents, documentsOf, type Item } from './documents.js';
import { feed } from './feed.js';
import type { Journal } from './journal.js';
import { createKeyLock } from './key-lock.js';
import type { DocumentKind } from './kind.js';
import { openPace, type Pace } from './pace.js';
import { defaultPolicy, type Policy } from './policy.js';
import { createPoller } from './poller.js';
import { nitOf, proofOf } from './proof.js';
import { findRun, leaveRun, openRun, type Run } from './runs.js';
import { say } from './say.js';
import { successionOf } from './succession.js';
import { REAL_WORLD, type World } from './time.js';
import { createTraffic, type Traffic } from './traffic.js';
import { openWriter } from './writer.js';

export interface SendOptions {
  readonly journal: Journal;
  /** Id of a spooled run, or of one that was left unfinished. */
  readonly run: string;
  readonly client: Client;
  readonly kind: DocumentKind;
  /** @default defaultPolicy(client.url) */
  readonly policy?: Partial<Policy>;
  /** Begins nothing more, and waits for what is under way. */
  readonly finish?: AbortSignal;
  /** Hangs up at once; what was under way is unknown until it is resumed. */
  readonly abort?: AbortSignal;
  /** PIN of the payroll software, by which a code tells whose it is. It stays in memory. @default not known */
  readonly softwarePin?: string;
  /** After every answer; the counts are live, not a copy. */
  readonly onProgress?: (counts: OutcomeCounts) => void;
  /** @default the real clock */
  readonly world?: World;
}

export interface SendResult {
  /** made = accepted + rejected + pending + unknown + unsent */
  readonly counts: OutcomeCounts;
  /** Why it ended early; the documents not tried are unsent. */
  readonly stopped?: Issue;
  /** Ended by `finish` or `abort`. */
  readonly interrupted: boolean;
  /** Why the PIN that was given proves nothing. */
  readonly pinTrouble?: Issue;
  /** Documents whose code only the PIN could tell ours; absent when there are none, or the PIN was known. */
  readonly unproven?: number;
}

/** Retries that any run may make, however small. */
const LEAST_RETRIES = 100;

/**
 * Sends what is not final in a run: for a fresh one that is sending, for a left one resuming. Needs the sender lock.
 * Every attempt is durable in the journal before its request leaves, every answer before it counts. Troubles of the
 * service end in `stopped`, never in an error; only the journal throws (PipelineError `journal`).
 */
export async function sendRun(options: SendOptions): Promise<SendResult> {
  const { journal, client, world = REAL_WORLD } = options;
  const run = findRun(journal, options.run);
  refuseToStart(run);
  const policy: Policy = { ...defaultPolicy(client.url), ...options.policy };
  const writer = await openWriter(journal);
  try {
    const pace = openPace(journal.path, policy.requestsPerMinute, world);
    try {
      const documents = await documentsOf(journal, writer, run.id);
      return await work({ ...options, policy, world }, { run, documents, pace });
    } finally {
      pace.close();
    }
  } finally {
    writer.close();
  }
}

/** A person holds the run, or gave it up. */
function refuseToStart({ id, state, approval, abandonment }: Run): void {
  if (state === 'held' && approval === undefined)
    stop('usage', { code: 'send/not-approved', params: { run: id } });
  if (abandonment !== undefined) stop('usage', { code: 'send/given-up', params: { run: id } });
}

interface Work {
  readonly run: Run;
  readonly documents: Documents;
  readonly pace: Pace;
}

async function work(
  options: SendOptions & { readonly policy: Policy; readonly world: World },
  { run, documents, pace }: Work,
): Promise<SendResult> {
  const { journal, client, kind, policy, world, onProgress } = options;
  const broken = new AbortController();
  const asked = [options.finish, options.abort].filter((signal) => signal !== undefined);
  const traffic = createTraffic(world, AbortSignal.any([...asked, broken.signal]), pace);

  // Every request under way listens to them.
  setMaxListeners(0, traffic.over, ...asked);

  openRun(journal, run.id);
  documents.doubtInterrupted(world.clock());
  const counts = outcomeCounts(journal, run.id);
  const { softwarePin: pin } = options;
  const employer = { nit: nitOf(run.meta.company) ?? documents.employer() };
  const proof = pin === undefined ? undefined : proofOf({ kind, journal, run: run.id, employer, pin });
  const again = new Set<number>();
  const doubted = new Set<number>();
  const delivery: Delivery = {
    documents,
    client,
    place: pLimit(policy.concurrency),
    kind,
    testSet: run.testSet,
    policy,
    traffic,
    world,
    begun: Date.parse(run.created),
    employer,
    proof,
    claims: new Map(),
    again,
    doubted,
    lock: createKeyLock(),
    abort: options.abort,
    spendRetry: retryBudget(policy, counts, traffic),
    onMoved: (from, to) => {
      counts[outcomeState(from.state)] -= 1;
      counts[outcomeState(to.state)] += 1;
      if (to.state === 'pending') poller.notice();
      onProgress?.(counts);
    },
  };
  // While some documents wait for the service, others wait for the disk.
  const most = Math.ceil(1.25 * policy.concurrency);
  const deliverAll = (items: Iterable<Item>): Promise<number> =>
    feed(items, most, (item) => deliver(item, delivery), traffic.over);
  const poller = createPoller(
    () => deliverAll(documents.pending()),
    () => counts.pending,
    policy,
    world,
    traffic.over,
  );

  const nextTurn = successionOf(journal, run.id, kind, policy);

  let secondLook = false;
  if (counts.pending > 0) poller.notice();
  try {
    const isOpen = counts.unsent + counts.unknown > 0;
    if (kind.probe !== undefined && isOpen) await knock(kind.probe, delivery);
    await deliverAll(documents.open());
    await poller.idle();
    for (;;) {
      // Also when the run is over: who is to try again must be found so when it is resumed.
      const { ids: followers, pause } = nextTurn(world.clock());
      // Whatever was in doubt may be told now that others were accepted; once.
      const ids = secondLook
        ? followers
        : new Set([...followers, ...doubted, ...(proof?.isSure === true ? again : [])]);
      secondLook = true;
      Object.assign(counts, outcomeCounts(journal, run.id));
      if (ids.size === 0 || traffic.over.aborted) break;
      if (pause > 0) await world.sleep(pause, traffic.over);
      await deliverAll(only(documents.open(), ids));
      await poller.idle();
    }
  } catch (error) {
    broken.abort();
    await poller.idle().catch(() => {});
    throw error;
  }
  const finished = counts.pending + counts.unknown + counts.unsent === 0;
  const provable = kind.hashed !== undefined && proof === undefined;
  const unproven = provable && !finished ? unprovenCount(journal, run.id) : 0;
  leaveRun(journal, run.id, finished, world.clock(), traffic.stopped);
  return {
    counts,
    ...(traffic.stopped !== undefined && { stopped: traffic.stopped }),
    interrupted: asked.some((signal) => signal.aborted),
    ...(proof?.trouble !== undefined && { pinTrouble: proof.trouble }),
    ...(unproven > 0 && { unproven }),
  };
}

const unprovenCount = (journal: Journal, run: string): number =>
  journal
    .prepare(
      `SELECT count(*) AS count FROM document WHERE run = ? AND state = 'unknown' AND document_code IS NOT NULL`,
    )
    .first<{ count: number }>(run)!.count;

function* only(items: Iterable<Item>, ids: ReadonlySet<number>): Iterable<Item> {
  for (const item of items) if (ids.has(item.id)) yield item;
}

/** One budget for all documents: a service that needs more than this is ill. */
function retryBudget(policy: Policy, counts: OutcomeCounts, traffic: Traffic): () => boolean {
  const open = counts.unsent + counts.unknown + counts.pending;
  const budget = policy.retryBudget ?? Math.max(LEAST_RETRIES, open);
  let left = budget;
  return () => {
    left -= 1;
    if (left < 0) traffic.stop(say('send/too-many-retries', { budget }));
    return left >= 0;
  };
}
