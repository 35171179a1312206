import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, UseCase } from '../app/context.js';
import { sharedJournals } from '../app/journal-access.js';
import { companyOf, type RunOptions, type WorkerOptions } from '../app/options.js';
import { countsOf } from '../app/overview.js';
import { type ProfiledCall, profiledCalls } from '../app/profile.js';
import { canonicalAddress, tokenFingerprint } from '../client/address.js';
import type { Client, Connections } from '../client/client.js';
import { canonicalCompany } from '../send/journal-proof.js';
import type { JournalLocation, SharedJournals } from '../send/journals.js';
import { openQueue, type Queue, type TakenJob } from '../send/queue.js';
import { defaultPolicy } from '../send/rate-limiter.js';
import { PipelineError } from '../toolkit/core/issue.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import type { OutcomeCounts, OutcomeState } from '../toolkit/schema/document.js';
import { sendQueued } from './queued.js';
import { afterTurn, handoffDelay, runsToPreempt } from './time-slices.js';
import { openLog, type WorkerLog } from './worker-log.js';
import { BACKLOG_STATES, type Meters, NO_METERS, openMeters, type Standing } from './worker-meters.js';

/** Default number of runs at a time; a run mostly waits for the service. */
const MAX_CONCURRENT_RUNS = 256;
/** Max runs taken at once: a busy worker looks later again, and leaves the rest to others. */
const MAX_TAKEN = 24;
const LOOK_MS = 500;
/** Min time between two looks at the queue, in ms. */
const SOON_MS = 50;
const BEAT_MS = 3_000;
const AGAIN_MS = 1_000;
const PROFILES_MS = 30_000;
/** Time after which a run is tried again if another process sends for its company, in seconds. */
const BUSY_S = 3;
/** Handoffs of a job before it is logged that no worker has its token. */
const MAX_HANDOFFS = 3;

/** Token, address and company that this worker may send for. */
interface WorkerCredential extends ProfiledCall {
  readonly address: string;
  readonly company: string;
  readonly token: string;
}

/** Returns the credentials of this host's profiles, and of the environment. */
async function readCredentials(context: Context): Promise<readonly WorkerCredential[]> {
  const { token, url, softwarePin, profileName, ask, ...bare } = context;
  const runContext: readonly ProfiledCall[] = token && url ? [{ context, options: {} }] : [];
  return [...runContext, ...(await profiledCalls(bare))].flatMap((call): readonly WorkerCredential[] => {
    const at = call.context;
    if (at.token === undefined || at.url === undefined) return [];
    return [
      {
        ...call,
        address: canonicalAddress(at.url),
        company: canonicalCompany(companyOf(call.options)),
        token: tokenFingerprint(at.url, at.token),
      },
    ];
  });
}

/** Returns the credential for a journal: one with a token that it knows, else one with its company's name. */
const credentialFor = (
  credentials: readonly WorkerCredential[],
  { address, names, tokens }: JournalLocation,
): WorkerCredential | undefined => {
  const there = credentials.filter((credential) => credential.address === address);
  return (
    there.find(({ token }) => tokens.includes(token)) ?? there.find(({ company }) => names.includes(company))
  );
};

interface ActiveRun {
  readonly since: number;
  /** Finishes requests under way and stops. */
  finish(): void;
  abort(): void;
  readonly ended: Promise<void>;
}

/** Creates an interrupt source that remembers requests made before a listener is attached. */
function stopper() {
  const listeners: (() => void)[] = [];
  let wishes = 0;
  return {
    wish(times: number): void {
      for (; wishes < times; wishes++) listeners[wishes]?.();
    },
    onInterrupt: (first: () => void, second: () => void): (() => void) => {
      listeners.splice(0, listeners.length, first, second);
      for (let wish = 0; wish < wishes; wish++) listeners[wish]?.();
      return () => void listeners.splice(0);
    },
  };
}

/** Wraps a client to measure its answers. */
const measured = (client: Client, meters: Meters): Client => ({
  ...client,
  async call(...request) {
    const start = performance.now();
    const answer = await client.call(...request);
    meters.answered(performance.now() - start, answer.kind !== 'failure' && answer.status < 500);
    return answer;
  },
});

/** Creates a listener that reports how many documents came into which state. */
function movesOf(meters: Meters): (counts: OutcomeCounts) => void {
  let before: Partial<Record<OutcomeState, number>> | undefined;
  return (counts) => {
    for (const [state, count] of Object.entries(counts) as [OutcomeState, number][]) {
      const more = count - (before?.[state] ?? (before === undefined ? count : 0));
      if (more > 0) meters.moved(state, more);
    }
    before = { ...counts };
  };
}

interface Worker {
  readonly context: Context;
  readonly connections: Connections;
  readonly queue: Queue;
  readonly log: WorkerLog;
  readonly meters: Meters;
}

/** Returns the seconds since the first of the times, or 0 if there are none. */
const ageOf = (times: readonly number[], now: number): number =>
  Math.max(0, now - Math.min(now, ...times)) / 1_000;

/** Returns the code of an error, without its text. */
const codeOf = (error: unknown): string =>
  error instanceof PipelineError ? (error.issues[0]?.code ?? error.key) : 'defect';

/**
 * True if another process has the run, or the database is away; its holder, or recovery, returns the run to the
 * queue.
 */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof PipelineError && (error.key === 'journal' || error.key === 'away');

const isAway = (error: unknown): boolean => error instanceof PipelineError && error.key === 'away';

/** True if the error of a database that was in use may pass: it is away, on standby, or full. */
const mayPass = (error: unknown): boolean =>
  isAway(error) ||
  (error instanceof PipelineError && error.issues.some((issue) => hasTrait(issue, 'passes')));

const isBusy = (error: unknown): boolean => error instanceof PipelineError && error.key === 'busy';

/** Sends a run for one time slice and returns or ends its job. */
async function takeTurn(
  { context, connections, queue, log, meters }: Worker,
  job: TakenJob,
  credential: WorkerCredential,
  { path }: JournalLocation,
  onInterrupt: Context['onInterrupt'],
): Promise<void> {
  const { journal, run, tries = 0, concurrency, rate } = job;
  const start = performance.now();
  const options: RunOptions = {
    ...credential.options,
    yes: true,
    ...(concurrency !== undefined && { concurrency }),
    ...(rate !== undefined && { rate }),
  };
  const runContext: Context = {
    ...credential.context,
    connections,
    now: context.now,
    tell: (event) => {
      if (event.event === 'stopped') log.warn({ journal, run, code: event.issue.code }, 'stopped');
    },
    taken: async () => {},
    onInterrupt,
  };
  const onProgress = movesOf(meters);
  let nextTries = tries;
  try {
    const end = await sendQueued(
      runContext,
      options,
      { path, run },
      {
        client: (client) => measured(client, meters),
        onOpened: onProgress,
        onProgress,
        onTurn: meters.waited,
      },
    );
    const pause = (defaultPolicy(credential.context.url!).outage.again ?? 1_000) / 1_000;
    const next = afterTurn(end, tries, pause);
    const how = end.finished
      ? 'finished'
      : next.is === 'over'
        ? 'left'
        : end.interrupted
          ? 'interrupted'
          : 'again';
    meters.turn(how);
    log.info({ journal, run, how, ms: Math.round(performance.now() - start), tries }, 'turn');
    if (next.is === 'over') return await queue.done(job);
    nextTries = next.tries;
    await queue.back(job, { ...job, tries: nextTries, passed: 0 }, next.seconds);
  } catch (error) {
    const code = codeOf(error);
    meters.turn(isBusy(error) ? 'busy' : 'failed');
    if (!isBusy(error)) log.warn({ journal, run, code }, 'failed');
    if (isOutOfReach(error)) return;
    const next = isBusy(error)
      ? { seconds: BUSY_S, tries }
      : afterTurn({ finished: false, interrupted: false, hopeless: false, moved: false }, tries, 60);
    if ('is' in next && next.is === 'over') return await queue.done(job);
    await queue.back(job, { ...job, tries: next.tries }, next.seconds);
  }
}

const BEAT = `
  INSERT INTO cargue.worker (id, host, pid, places, tokens) VALUES (?::uuid, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp(), tokens = excluded.tokens`;
const ALIVE = 'UPDATE cargue.worker SET seen = clock_timestamp() WHERE id = ?::uuid';
const REMOVE = `DELETE FROM cargue.worker WHERE id = ?::uuid OR seen < clock_timestamp() - interval '1 day'`;

/** Connects to the database, and retries while it is away; undefined if it is not wanted any more. */
async function connected(
  context: Context,
  log: WorkerLog,
  isWanted: () => boolean,
): Promise<SharedJournals | undefined> {
  for (let tries = 0; isWanted(); tries++) {
    try {
      return await sharedJournals(context);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (tries === 0) log.warn({ code: codeOf(error) }, 'database is away');
      await pause(AGAIN_MS);
    }
  }
  return undefined;
}

/** Takes runs from the queue and sends them, each in one of its places. */
class QueueWorker {
  private readonly id = randomUUID();
  /** Runs that are being sent, by job. */
  private readonly active = new Map<string, ActiveRun>();
  /** Journals that this process is sending for. */
  private readonly sending = new Set<number>();
  /** Runs whose token this host lacks. */
  private readonly withoutToken = new Set<string>();
  private readonly whereabouts = new Map<number, JournalLocation>();
  private credentials: readonly WorkerCredential[] = [];
  private beatenAt = Number.NEGATIVE_INFINITY;
  private profilesReadAt = Number.NEGATIVE_INFINITY;
  private isStopping = false;
  /** True once the database has taken this worker's writes. */
  private isStarted = false;
  private isAway = false;
  private wake = (): void => {};

  constructor(
    private readonly worker: Worker,
    private readonly shared: SharedJournals,
    private readonly places: number,
    private readonly serviceRate: number | undefined,
  ) {}

  /** Starts no more runs; `run` resolves once those being sent have ended. */
  finish(): void {
    this.isStopping = true;
    for (const run of this.active.values()) run.finish();
    this.wake();
  }

  /** Aborts requests under way. */
  abort(): void {
    for (const run of this.active.values()) run.abort();
  }

  async standing(): Promise<Standing> {
    const { context, queue } = this.worker;
    const rows = await this.shared.overview(Number.MAX_SAFE_INTEGER);
    const open = rows.filter(({ state }) => state === 'open');
    const counts = open.map(countsOf);
    const backlogOf = (state: (typeof BACKLOG_STATES)[number]) =>
      [state, counts.reduce((sum, { [state]: count = 0 }) => sum + count, 0)] as const;
    return {
      active: this.active.size,
      waiting: await queue.waiting(),
      oldest: ageOf(
        open.map(({ created }) => created),
        context.now().getTime(),
      ),
      withoutToken: this.withoutToken.size,
      backlog: Object.fromEntries(BACKLOG_STATES.map(backlogOf)) as Standing['backlog'],
    };
  }

  /**
   * Works until it is finished. `url`: address of the metrics.
   * @throws PipelineError('journal') if the database refuses this worker; later only if the error is permanent
   */
  async run(url: string | undefined): Promise<void> {
    const { log } = this.worker;
    while (!this.isStopping) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      try {
        await this.look(url);
        if (this.isAway) log.info({}, 'database is back');
        this.isAway = false;
      } catch (error) {
        if (!(this.isStarted ? mayPass(error) : isAway(error))) {
          log.warn({ code: codeOf(error) }, 'refused');
          this.finish();
          await Promise.all([...this.active.values()].map(({ ended }) => ended));
          throw error;
        }
        if (!this.isAway) log.warn({ code: codeOf(error) }, 'database is away');
        this.isAway = true;
      }
      await pause(SOON_MS);
      await Promise.race([woken, pause(LOOK_MS)]);
    }
    log.info({ runs: this.active.size }, 'stopping');
    await Promise.all([...this.active.values()].map(({ ended }) => ended));
    await this.shared.database.run(REMOVE, this.id).catch(() => {});
    log.info({}, 'stopped');
  }

  private async look(url: string | undefined): Promise<void> {
    const { active, places } = this;
    const { queue } = this.worker;
    await this.readProfiles(url);
    await this.beat();
    const room = places - active.size;
    const jobs = room > 0 ? await queue.take(Math.min(room, MAX_TAKEN)) : [];
    for (const job of jobs) this.begin(job);
    if (jobs.length === MAX_TAKEN) this.wake();
    const waiting = active.size < places ? 0 : await queue.waiting();
    const turns = [...active].map(([job, { since }]) => ({ id: job, since }));
    for (const over of runsToPreempt(turns, { now: performance.now(), waiting, places }))
      active.get(over)?.finish();
  }

  /** Reads the credentials again every `PROFILES_MS`. */
  private async readProfiles(url: string | undefined): Promise<void> {
    const { id, places, serviceRate } = this;
    const { context, log } = this.worker;
    const now = performance.now();
    if (now - this.profilesReadAt <= PROFILES_MS) return;
    const credentials = await readCredentials(context);
    this.credentials = credentials;
    const tokens = JSON.stringify(credentials.map(({ token }) => token));
    await this.shared.database.run(BEAT, id, hostname(), process.pid, places, tokens);
    for (const address of new Set(credentials.map((credential) => credential.address)))
      if (serviceRate !== undefined) await this.shared.setRate(address, serviceRate);
    if (!this.isStarted) log.info({ companies: credentials.length, places, metrics: url }, 'started');
    this.isStarted = true;
    this.profilesReadAt = now;
  }

  /** Reports that this worker is alive, and recovers runs of dead ones. */
  private async beat(): Promise<void> {
    const { queue, log, meters } = this.worker;
    const now = performance.now();
    if (now - this.beatenAt < BEAT_MS) return;
    this.beatenAt = now;
    await this.shared.database.run(ALIVE, this.id);
    const recovered = await queue.recover();
    if (recovered > 0) log.info({ runs: recovered }, 'taken over');
    meters.recovered(recovered);
  }

  private begin(job: TakenJob): void {
    const stop = stopper();
    const ended = this.runJob(job, stop.onInterrupt).finally(() => {
      this.active.delete(job.id);
      this.wake();
    });
    const finish = (): void => stop.wish(1);
    this.active.set(job.id, { since: performance.now(), finish, abort: () => stop.wish(2), ended });
  }

  private async runJob(job: TakenJob, onInterrupt: Context['onInterrupt']): Promise<void> {
    const { sending } = this;
    const { queue, log } = this.worker;
    const { journal, run } = job;
    try {
      const where = await this.whereIs(journal);
      const credential = where && credentialFor(this.credentials, where);
      if (where === undefined || credential === undefined) return await this.handOff(job);
      this.withoutToken.delete(`${journal}/${run}`);
      if (sending.has(journal)) return await queue.back(job, job, BUSY_S);
      sending.add(journal);
      try {
        await takeTurn(this.worker, job, credential, where, onInterrupt);
      } finally {
        sending.delete(journal);
      }
    } catch (error) {
      log.warn({ journal, run, code: codeOf(error) }, 'not brought back');
    }
  }

  private async whereIs(journal: number): Promise<JournalLocation | undefined> {
    const known = this.whereabouts.get(journal);
    if (known !== undefined && credentialFor(this.credentials, known) !== undefined) return known;
    const found = await this.shared.whereabouts(journal);
    if (found !== undefined) this.whereabouts.set(journal, found);
    return found;
  }

  /** Returns the job to the queue for a worker that has the company's token. */
  private async handOff(job: TakenJob): Promise<void> {
    const { journal, run, passed = 0 } = job;
    const { queue, log } = this.worker;
    this.withoutToken.add(`${journal}/${run}`);
    if (passed === MAX_HANDOFFS) log.warn({ journal, run }, 'no token');
    await queue.back(job, { ...job, passed: passed + 1 }, handoffDelay(passed));
  }
}

/** Runs `cargue worker`: sends queued runs of every company whose token this host has, until it is stopped. */
export const worker: UseCase<WorkerOptions> = async (
  context,
  _args,
  { concurrency: places = MAX_CONCURRENT_RUNS, metrics: port, serviceRate },
) => {
  const log = await openLog((line) => context.tell({ event: 'log', line }));
  const interrupts = stopper();
  let isWanted = true;
  const stopListening = context.onInterrupt(
    () => {
      isWanted = false;
      interrupts.wish(1);
    },
    () => interrupts.wish(2),
  );
  try {
    const shared = await connected(context, log, () => isWanted);
    if (shared === undefined) return 'fine';
    const queue = await openQueue(shared.database);
    // Loaded only here: most calls reach no service.
    const connections = (await import('../client/client.js')).shareConnections();
    const served = port === undefined ? undefined : await openMeters(port, () => runs.standing());
    const meters = served ?? NO_METERS;
    const runs = new QueueWorker({ context, connections, queue, log, meters }, shared, places, serviceRate);
    interrupts.onInterrupt(
      () => runs.finish(),
      () => runs.abort(),
    );
    try {
      await runs.run(served?.url);
      return 'fine';
    } finally {
      await connections.close();
      await served?.close();
    }
  } finally {
    stopListening();
  }
};
