import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, UseCase } from '../app/context.js';
import { sharedJournals } from '../app/journal-access.js';
import { companyOf, type RunOptions, type WorkerOptions } from '../app/options.js';
import { type ProfiledCall, profiledCalls } from '../app/profile.js';
import { canonicalAddress, tokenFingerprint } from '../client/address.js';
import type { Client, Connections } from '../client/client.js';
import { canonicalCompany } from '../send/journal-proof.js';
import type { JournalLocation, SharedJournals } from '../send/journals.js';
import { openQueue, type Queue, type TakenJob } from '../send/queue.js';
import { defaultPolicy } from '../send/rate-limiter.js';
import { PipelineError } from '../toolkit/core/issue.js';
import type { OutcomeCounts, OutcomeState } from '../toolkit/schema/document.js';
import { sendQueued } from './queued.js';
import { afterTurn, passAfter, runsToPreempt } from './time-slices.js';
import { openLog, type WorkerLog } from './worker-log.js';
import { type Meters, NO_METERS, openMeters, type Standing } from './worker-meters.js';

/** Runs at a time, unless it is said otherwise: most of a run is waiting for the service. */
const PLACES = 256;
/** Runs that one look takes: who has much to do comes to the next one late, and leaves the rest to the others. */
const AT_ONCE = 24;
const LOOK_MS = 500;
/** Between two looks that something gave reason for. */
const SOON_MS = 50;
const BEAT_MS = 3_000;
const AGAIN_MS = 1_000;
const PROFILES_MS = 30_000;
/** After which a company that somebody else sends for is tried again. */
const BUSY_S = 3;
/** Times that a job is passed on before it is said that nobody has its token. */
const STRANGE = 3;

/** A company that this machine may send for. */
interface Seat extends ProfiledCall {
  readonly address: string;
  readonly company: string;
  readonly token: string;
}

/** The companies whose token this machine has: of its profiles, and of the environment. */
async function seatsOf(context: Context): Promise<readonly Seat[]> {
  const { token, url, softwarePin, profileName, ask, ...bare } = context;
  const own: readonly ProfiledCall[] = token && url ? [{ context, options: {} }] : [];
  return [...own, ...(await profiledCalls(bare))].flatMap((call): readonly Seat[] => {
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

/** Who may send for the company of a journal: who has a token that it knows, else who has its name. */
const seatFor = (seats: readonly Seat[], { address, names, tokens }: JournalLocation): Seat | undefined => {
  const there = seats.filter((seat) => seat.address === address);
  return (
    there.find(({ token }) => tokens.includes(token)) ?? there.find(({ company }) => names.includes(company))
  );
};

/** A run that is being sent. */
interface Going {
  readonly since: number;
  /** Begins nothing more. */
  finish(): void;
  /** Hangs up. */
  abort(): void;
  readonly ended: Promise<void>;
}

/** A wish to end that may come before anybody listens. */
function stopper() {
  const heard: (() => void)[] = [];
  let wishes = 0;
  return {
    wish(times: number): void {
      for (; wishes < times; wishes++) heard[wishes]?.();
    },
    onInterrupt: (first: () => void, second: () => void): (() => void) => {
      heard.splice(0, heard.length, first, second);
      for (let wish = 0; wish < wishes; wish++) heard[wish]?.();
      return () => void heard.splice(0);
    },
  };
}

/** Requests are counted where they are made. */
const measured = (client: Client, meters: Meters): Client => ({
  ...client,
  async call(...request) {
    const start = performance.now();
    const answer = await client.call(...request);
    meters.answered(performance.now() - start, answer.kind !== 'failure' && answer.status < 500);
    return answer;
  },
});

/** Tells how many documents came into which state, as they do. */
function movesOf(meters: Meters): (counts: OutcomeCounts) => void {
  let before: Partial<Record<OutcomeState, number>> | undefined;
  return (counts) => {
    for (const [state, count] of Object.entries(counts) as [OutcomeState, number][]) {
      const more = count - (before?.[state] ?? (before === undefined ? count : 0));
      if (more !== 0) meters.documents(state, more);
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

const ageOf = (at: number | null, now: number): number => (at === null ? 0 : Math.max(0, now - at) / 1_000);

/** What a fault is called, and nothing of what it says. */
const codeOf = (error: unknown): string =>
  error instanceof PipelineError ? (error.issues[0]?.code ?? error.key) : 'defect';

/** Another one has it, or the database is away: whoever is there brings the run back. */
const isGone = (error: unknown): boolean => error instanceof PipelineError && error.key === 'journal';

const isBusy = (error: unknown): boolean => error instanceof PipelineError && error.key === 'busy';

/** One turn of a run, and what becomes of its job. */
async function takeTurn(
  { context, connections, queue, log, meters }: Worker,
  job: TakenJob,
  seat: Seat,
  { path }: JournalLocation,
  onInterrupt: Context['onInterrupt'],
): Promise<void> {
  const { journal, run, tries = 0, concurrency, rate } = job;
  const start = performance.now();
  const options: RunOptions = {
    ...seat.options,
    yes: true,
    ...(concurrency !== undefined && { concurrency }),
    ...(rate !== undefined && { rate }),
  };
  const own: Context = {
    ...seat.context,
    connections,
    now: context.now,
    tell: (event) => {
      if (event.event === 'stopped') log.warn({ journal, run, code: event.issue.code }, 'stopped');
    },
    taken: async () => {},
    onInterrupt,
  };
  const onProgress = movesOf(meters);
  let left = tries;
  try {
    const end = await sendQueued(
      own,
      options,
      { path, run },
      {
        client: (client) => measured(client, meters),
        onOpened: onProgress,
        onProgress,
        onTurn: meters.waited,
      },
    );
    const pause = (defaultPolicy(seat.context.url!).outage.again ?? 1_000) / 1_000;
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
    left = next.tries;
    await queue.back(job, { ...job, tries: left, passed: 0 }, next.seconds);
  } catch (error) {
    const code = codeOf(error);
    meters.turn(isBusy(error) ? 'busy' : 'failed');
    if (!isBusy(error)) log.warn({ journal, run, code }, 'failed');
    if (isGone(error)) return;
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
const GONE = `DELETE FROM cargue.worker WHERE id = ?::uuid OR seen < clock_timestamp() - interval '1 day'`;

/** The database of the journals; one that is away at the start is waited for as one that goes away later, until it is no longer wanted. */
async function connected(
  context: Context,
  log: WorkerLog,
  isWanted: () => boolean,
): Promise<SharedJournals | undefined> {
  for (let tries = 0; isWanted(); tries++) {
    try {
      return await sharedJournals(context);
    } catch (error) {
      if (!isGone(error) || codeOf(error) !== 'journal/away') throw error;
      if (tries === 0) log.warn({ code: codeOf(error) }, 'database is away');
      await pause(AGAIN_MS);
    }
  }
  return undefined;
}

/** Takes runs from the queue and sends them, as many at a time as it has places. */
class QueueWorker {
  private readonly id = randomUUID();
  /** Runs that are being sent, by job. */
  private readonly going = new Map<string, Going>();
  /** Journals that this process sends for. */
  private readonly sending = new Set<number>();
  /** Runs whose token nobody here has. */
  private readonly strange = new Set<string>();
  private readonly whereabouts = new Map<number, JournalLocation>();
  private seats: readonly Seat[] = [];
  private beatenAt = Number.NEGATIVE_INFINITY;
  private profilesReadAt = Number.NEGATIVE_INFINITY;
  private isStopping = false;
  private isAway = false;
  private wake = (): void => {};

  constructor(
    private readonly worker: Worker,
    private readonly shared: SharedJournals,
    private readonly places: number,
    private readonly serviceRate: number | undefined,
  ) {}

  /** Begins nothing more; `run` ends once what is being sent has ended. */
  finish(): void {
    this.isStopping = true;
    for (const one of this.going.values()) one.finish();
    this.wake();
  }

  /** Hangs up. */
  abort(): void {
    for (const one of this.going.values()) one.abort();
  }

  async standing(): Promise<Standing> {
    const { context, queue } = this.worker;
    return {
      going: this.going.size,
      waiting: await queue.waiting(),
      oldest: ageOf(await this.shared.oldest(), context.now().getTime()),
      strange: this.strange.size,
    };
  }

  /** @param url where the meters are read */
  async run(url: string | undefined): Promise<void> {
    const { log } = this.worker;
    while (!this.isStopping) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      try {
        await this.look(url);
        if (this.isAway) log.info({}, 'database is back');
        this.isAway = false;
      } catch (error) {
        if (!this.isAway) log.warn({ code: codeOf(error) }, 'database is away');
        if (!(error instanceof PipelineError)) throw error;
        this.isAway = true;
      }
      await pause(SOON_MS);
      await Promise.race([woken, pause(LOOK_MS)]);
    }
    log.info({ runs: this.going.size }, 'stopping');
    await Promise.all([...this.going.values()].map(({ ended }) => ended));
    await this.shared.database.run(GONE, this.id).catch(() => {});
    log.info({}, 'stopped');
  }

  private async look(url: string | undefined): Promise<void> {
    const { going, places } = this;
    const { queue } = this.worker;
    await this.readProfiles(url);
    await this.beat();
    const room = places - going.size;
    const jobs = room > 0 ? await queue.take(Math.min(room, AT_ONCE)) : [];
    for (const job of jobs) this.begin(job);
    if (jobs.length === AT_ONCE) this.wake();
    const waiting = going.size < places ? 0 : await queue.waiting();
    const turns = [...going].map(([job, { since }]) => ({ id: job, since }));
    for (const over of runsToPreempt(turns, { now: performance.now(), waiting, places }))
      going.get(over)?.finish();
  }

  /** Reads now and then for which companies this machine may send. */
  private async readProfiles(url: string | undefined): Promise<void> {
    const { id, places, serviceRate } = this;
    const { context, log } = this.worker;
    const now = performance.now();
    if (now - this.profilesReadAt <= PROFILES_MS) return;
    const seats = await seatsOf(context);
    this.seats = seats;
    if (this.profilesReadAt < 0) log.info({ companies: seats.length, places, metrics: url }, 'started');
    this.profilesReadAt = now;
    const tokens = JSON.stringify(seats.map(({ token }) => token));
    await this.shared.database.run(BEAT, id, hostname(), process.pid, places, tokens);
    for (const address of new Set(seats.map((seat) => seat.address)))
      if (serviceRate !== undefined) await this.shared.setRate(address, serviceRate);
  }

  /** Says that this worker is alive, and takes over what dead ones left. */
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
    const ended = this.play(job, stop.onInterrupt).finally(() => {
      this.going.delete(job.id);
      this.wake();
    });
    const finish = (): void => stop.wish(1);
    this.going.set(job.id, { since: performance.now(), finish, abort: () => stop.wish(2), ended });
  }

  private async play(job: TakenJob, onInterrupt: Context['onInterrupt']): Promise<void> {
    const { sending } = this;
    const { queue, log } = this.worker;
    const { journal, run } = job;
    try {
      const where = await this.whereIs(journal);
      const seat = where && seatFor(this.seats, where);
      if (where === undefined || seat === undefined) return await this.passOn(job);
      this.strange.delete(`${journal}/${run}`);
      if (sending.has(journal)) return await queue.back(job, job, BUSY_S);
      sending.add(journal);
      try {
        await takeTurn(this.worker, job, seat, where, onInterrupt);
      } finally {
        sending.delete(journal);
      }
    } catch (error) {
      log.warn({ journal, run, code: codeOf(error) }, 'not brought back');
    }
  }

  private async whereIs(journal: number): Promise<JournalLocation | undefined> {
    const known = this.whereabouts.get(journal);
    if (known !== undefined && seatFor(this.seats, known) !== undefined) return known;
    const found = await this.shared.whereabouts(journal);
    if (found !== undefined) this.whereabouts.set(journal, found);
    return found;
  }

  /** Leaves a job to a worker that has its token. */
  private async passOn(job: TakenJob): Promise<void> {
    const { journal, run, passed = 0 } = job;
    const { queue, log } = this.worker;
    this.strange.add(`${journal}/${run}`);
    if (passed === STRANGE) log.warn({ journal, run }, 'no token');
    await queue.back(job, { ...job, passed: passed + 1 }, passAfter(passed));
  }
}

/** `cargue worker`: sends what was handed over, of every company whose token this machine has, until it is stopped. */
export const worker: UseCase<WorkerOptions> = async (
  context,
  _args,
  { concurrency: places = PLACES, metrics: port, serviceRate },
) => {
  const log = await openLog((text) => context.tell({ event: 'text', text }));
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
