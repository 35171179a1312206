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

/** `cargue worker`: sends what was handed over, of every company whose token this machine has, until it is stopped. */
export const worker: UseCase<WorkerOptions> = async (
  context,
  _args,
  { concurrency: places = PLACES, metrics: port, serviceRate },
) => {
  const log = await openLog((text) => context.tell({ event: 'text', text }));
  const id = randomUUID();
  const going = new Map<string, Going>();
  /** Journals that this process sends for. */
  const sending = new Set<number>();
  const strange = new Set<string>();
  let seats: readonly Seat[] = [];
  let isStopping = false;
  let wake = (): void => {};
  const stopListening = context.onInterrupt(
    () => {
      isStopping = true;
      for (const one of going.values()) one.finish();
      wake();
    },
    () => {
      for (const one of going.values()) one.abort();
    },
  );

  /** One that is away at the start is waited for as one that goes away later. */
  async function connected(): Promise<SharedJournals | undefined> {
    for (let tries = 0; !isStopping; tries++) {
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
  const shared = await connected().catch((error) => {
    stopListening();
    throw error;
  });
  if (shared === undefined) return 'fine';
  const { database, oldest, setRate, whereabouts: find } = shared;
  const queue = await openQueue(database);

  const standing = async (): Promise<Standing> => ({
    going: going.size,
    waiting: await queue.waiting(),
    oldest: ageOf(await oldest(), context.now().getTime()),
    strange: strange.size,
  });
  const served = port === undefined ? undefined : await openMeters(port, standing);
  const meters = served ?? NO_METERS;
  // Loaded only here: most calls reach no service.
  const connections = (await import('../client/client.js')).shareConnections();
  const all: Worker = { context, connections, queue, log, meters };

  const whereabouts = new Map<number, JournalLocation>();
  async function whereIs(journal: number): Promise<JournalLocation | undefined> {
    const known = whereabouts.get(journal);
    if (known !== undefined && seatFor(seats, known) !== undefined) return known;
    const found = await find(journal);
    if (found !== undefined) whereabouts.set(journal, found);
    return found;
  }

  /** To somebody who has the token. */
  async function passOn(job: TakenJob): Promise<void> {
    const { journal, run, passed = 0 } = job;
    strange.add(`${journal}/${run}`);
    if (passed === STRANGE) log.warn({ journal, run }, 'no token');
    await queue.back(job, { ...job, passed: passed + 1 }, passAfter(passed));
  }

  async function play(job: TakenJob, onInterrupt: Context['onInterrupt']): Promise<void> {
    try {
      const where = await whereIs(job.journal);
      const seat = where && seatFor(seats, where);
      if (where === undefined || seat === undefined) return await passOn(job);
      strange.delete(`${job.journal}/${job.run}`);
      if (sending.has(job.journal)) return await queue.back(job, job, BUSY_S);
      sending.add(job.journal);
      try {
        await takeTurn(all, job, seat, where, onInterrupt);
      } finally {
        sending.delete(job.journal);
      }
    } catch (error) {
      log.warn({ journal: job.journal, run: job.run, code: codeOf(error) }, 'not brought back');
    }
  }

  function begin(job: TakenJob): void {
    const stop = stopper();
    const ended = play(job, stop.onInterrupt).finally(() => {
      going.delete(job.id);
      wake();
    });
    const finish = (): void => stop.wish(1);
    going.set(job.id, { since: performance.now(), finish, abort: () => stop.wish(2), ended });
  }

  let beaten = Number.NEGATIVE_INFINITY;
  let read = Number.NEGATIVE_INFINITY;
  let isAway = false;
  async function beat(): Promise<void> {
    const now = performance.now();
    if (now - read > PROFILES_MS) {
      seats = await seatsOf(context);
      if (read < 0) log.info({ companies: seats.length, places, metrics: served?.url }, 'started');
      read = now;
      const tokens = JSON.stringify(seats.map(({ token }) => token));
      await database.run(BEAT, id, hostname(), process.pid, places, tokens);
      for (const address of new Set(seats.map((seat) => seat.address)))
        if (serviceRate !== undefined) await setRate(address, serviceRate);
    }
    if (now - beaten < BEAT_MS) return;
    beaten = now;
    await database.run(ALIVE, id);
    const recovered = await queue.recover();
    if (recovered > 0) log.info({ runs: recovered }, 'taken over');
    meters.recovered(recovered);
  }

  async function look(): Promise<void> {
    await beat();
    const room = places - going.size;
    const jobs = room > 0 ? await queue.take(Math.min(room, AT_ONCE)) : [];
    for (const job of jobs) begin(job);
    if (jobs.length === AT_ONCE) wake();
    const waiting = going.size < places ? 0 : await queue.waiting();
    const turns = [...going].map(([job, { since }]) => ({ id: job, since }));
    for (const over of runsToPreempt(turns, { now: performance.now(), waiting, places }))
      going.get(over)?.finish();
  }

  try {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      try {
        await look();
        if (isAway) log.info({}, 'database is back');
        isAway = false;
      } catch (error) {
        if (!isAway) log.warn({ code: codeOf(error) }, 'database is away');
        if (!(error instanceof PipelineError)) throw error;
        isAway = true;
      }
      await pause(SOON_MS);
      await Promise.race([woken, pause(LOOK_MS)]);
    }
    log.info({ runs: going.size }, 'stopping');
    await Promise.all([...going.values()].map(({ ended }) => ended));
    await database.run(GONE, id).catch(() => {});
    log.info({}, 'stopped');
    return 'fine';
  } finally {
    stopListening();
    await connections.close();
    await served?.close();
  }
};
