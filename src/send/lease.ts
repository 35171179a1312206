import { hostname } from 'node:os';
import pLimit from 'p-limit';
import type { Client } from 'pg';
import { type PipelineError, stop } from '../toolkit/core/issue.js';
import { executeAll, type JournalServer, lastResult, wordFault } from './postgres.js';
import { LEASE_LOST, LEASE_MS } from './postgres-schema.js';

/**
 * Time-limited exclusive right to send for a journal in a database. It is renewed long before its end; a process that
 * was frozen or cut off finds it lost: the database refuses its writes, and it makes no request.
 */
export interface Lease {
  /** Rises with each holder; every write carries it. */
  readonly epoch: number;
  /** Fires once another process may hold the lease. */
  readonly lost: AbortSignal;
  /**
   * Confirms the lease just before a request leaves: at once while it is fresh by the clocks of this process, else by
   * asking the database.
   * @throws PipelineError('journal', send/lease-lost, journal/away)
   */
  sure(): void | Promise<void>;
  release(): Promise<void>;
}

const RENEW_MS = 5_000;
/** Time before the end, in ms, in which the lease no longer counts, so that a request can still arrive. */
const MARGIN_MS = 3_000;
const AGAIN_MS = 500;
const ANSWER_MS = 5_000;

const TAKE = 'SELECT cargue.take_lease(?, ?) AS epoch';
const RENEW = 'SELECT cargue.renew_leases(?::integer[], ?::bigint[]) AS journal';
const RELEASE = 'SELECT cargue.give_back_lease(?, ?)';

/** Time by two clocks: the first stands still while the machine sleeps, the second may be set. */
type Moment = readonly [monotonic: number, wall: number];
const moment = (): Moment => [performance.now(), Date.now()];
const elapsed = ([monotonic, wall]: Moment): number =>
  Math.max(performance.now() - monotonic, Date.now() - wall);

interface Held {
  readonly journal: number;
  readonly epoch: number;
  readonly lost: AbortController;
  /** Time at which the last successful renewal was requested. */
  since: Moment;
}

const isFresh = ({ since }: Held): boolean => elapsed(since) < LEASE_MS - MARGIN_MS;

/** Runs a statement and destroys the connection if nothing comes back within `ANSWER_MS`. */
async function answered(
  client: Client,
  statement: Parameters<typeof executeAll>[1],
): ReturnType<typeof executeAll> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  const timer = setTimeout(() => stream.destroy(), ANSWER_MS);
  try {
    return await executeAll(client, statement);
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps the leases of a process, on a separate connection that no query can block. */
export function keepLeases(server: JournalServer) {
  const held = new Set<Held>();
  let client: Promise<Client> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;
  const inTurn = pLimit(1);
  /** Statements under way on the connection or waiting for it. */
  let asking = 0;

  const connection = (): Promise<Client> => {
    client ??= server.connect();
    return client;
  };
  async function drop(): Promise<void> {
    const closing = client;
    client = undefined;
    await closing?.then((lease) => lease.end()).catch(() => {});
  }
  /** Runs one statement at a time. */
  async function ask(...statement: Parameters<typeof executeAll>[1]) {
    asking += 1;
    try {
      return lastResult(await inTurn(async () => answered(await connection(), statement)));
    } catch (error) {
      await drop();
      throw error;
    } finally {
      asking -= 1;
    }
  }

  function lose(lease: Held, reason: PipelineError): void {
    held.delete(lease);
    lease.lost.abort(reason);
  }

  const worded = (error: unknown): PipelineError => wordFault(server.shown, error);

  async function renewAll(): Promise<void> {
    const all = [...held];
    if (all.length === 0) return;
    const since = moment();
    try {
      const list = (values: readonly number[]): string => `{${values.join()}}`;
      const { rows } = await ask([
        RENEW,
        list(all.map((lease) => lease.journal)),
        list(all.map((lease) => lease.epoch)),
      ]);
      const renewed = new Set(rows.map(({ journal }) => journal));
      for (const lease of all) {
        if (renewed.has(lease.journal)) lease.since = since;
        else lose(lease, lostTo(server.shown));
      }
    } catch (error) {
      for (const lease of all) if (!isFresh(lease)) lose(lease, worded(error));
    }
  }
  const renew = (): Promise<void> => {
    renewing ??= renewAll().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  function schedule(): void {
    if (timer !== undefined || held.size === 0) return;
    const isLate = [...held].some(({ since }) => performance.now() - since[0] > RENEW_MS);
    timer = setTimeout(
      async () => {
        await renew();
        timer = undefined;
        schedule();
      },
      isLate ? AGAIN_MS : RENEW_MS,
    );
    timer.unref();
  }

  async function confirm(lease: Held): Promise<void> {
    if (held.has(lease)) await renew();
    if (!isFresh(lease) && held.has(lease)) await renew(); // the one under way was asked for too long ago
    if (!held.has(lease) || !isFresh(lease)) throw lease.lost.signal.reason ?? lostTo(server.shown);
  }

  return {
    /** @throws PipelineError('busy', send/locked) */
    async take(path: string, journal: number): Promise<Lease> {
      const since = moment();
      const holder = `${hostname()}:${process.pid}`;
      const { rows } = await ask([TAKE, journal, holder]).catch((error) => {
        throw wordFault(path, error);
      });
      const { epoch } = rows[0] as { epoch: number | null };
      if (epoch === null) return stop('busy', { code: 'send/locked' });
      const lease: Held = { journal, epoch, lost: new AbortController(), since };
      held.add(lease);
      schedule();
      return {
        epoch,
        lost: lease.lost.signal,
        sure: () => (held.has(lease) && isFresh(lease) ? undefined : confirm(lease)),
        async release() {
          if (!held.delete(lease)) return;
          await renewing;
          // If this fails, the lease runs out.
          await ask([RELEASE, journal, epoch]).catch(() => {});
          if (held.size + asking === 0) await drop();
        },
      };
    },
    close: drop,
  };
}

function lostTo(path: string): PipelineError {
  return wordFault(path, { code: LEASE_LOST });
}
