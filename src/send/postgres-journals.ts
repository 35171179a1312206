import { dirname } from 'node:path';
import { canonicalAddress } from '../client/address.js';
import { stop } from '../toolkit/core/issue.js';
import { unreachable } from '../toolkit/core/required.js';
import { onlyRow } from './database.js';
import { fileAt, type Journal, markAllUnknown, type OpenOptions } from './journal.js';
import { canonicalCompany, joinedNames, joinedTokens, type Owner } from './journal-proof.js';
import {
  type FoundJournal,
  type Journals,
  type OverviewRow,
  refuseRuns,
  type SharedJournals,
} from './journals.js';
import { keepLeases } from './lease.js';
import { tablePermits } from './permit-store.js';
import { connectServer, type JournalServer, postgresAddress } from './postgres.js';
import { ROLES } from './postgres-schema.js';
import {
  combineRateLimiters,
  createRateLimiter,
  NO_RATE_LIMIT,
  type RateLimiter,
  type Runtime,
} from './rate-limiter.js';

interface Row {
  readonly id: number;
  readonly address: string;
  readonly company: string;
  readonly names: string;
  readonly tokens: string;
  readonly cluster: string | null;
  readonly moved: string | null;
}

const AT = `SELECT * FROM cargue.journal WHERE address = ? AND instr(tokens, ?) > 0 AND moved IS NULL ORDER BY id`;
const ONE = `SELECT * FROM cargue.journal WHERE address = ? AND company = ?`;
const MAKE = `
  INSERT INTO cargue.journal (address, company, names, cluster) VALUES (?, ?, ?, ?)
  ON CONFLICT (address, company) DO NOTHING`;
const NAME = 'UPDATE cargue.journal SET names = ?, tokens = ? WHERE id = ?';
/** Updates names and tokens only if they are unchanged since they were read. */
const NAME_FROM = `${NAME} AND names = ? AND tokens = ?`;
const MOVE = 'UPDATE cargue.journal SET moved = ? WHERE address = ? AND company = ?';
const ALL = 'SELECT * FROM cargue.journal WHERE moved IS NULL ORDER BY id';
/** Tables with their own sequence of ids. */
const COUNTED = ['document', 'attempt', 'finding', 'mail'];
/** Tables in an order in which referring rows are deleted first. */
const EMPTIED = ['tally', 'span', 'mail', 'finding', 'attempt', 'answer', 'content', 'document', 'run'];
const MARK = 'UPDATE cargue.journal SET cluster = ? WHERE id = ?';

/**
 * Identifies the running database; it differs after a restore, a copy or a failover. Fails on a managed server that
 * does not tell.
 */
const CLUSTER = `
  SELECT system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS cluster FROM pg_control_system()`;
const ONE_RUNNING = `SELECT *, (${CLUSTER}) AS running FROM cargue.journal WHERE address = ? AND company = ?`;

const BY_ID = `SELECT * FROM cargue.journal WHERE id = ? AND moved IS NULL`;
const RATE = 'SELECT per_minute AS "perMinute" FROM cargue.pace WHERE key = ?';
const WORKERS = `
  SELECT count(*) AS count FROM cargue.worker
  WHERE seen > clock_timestamp() - interval '30 seconds' AND instr(tokens, ?) > 0`;
const SET_RATE = `
  INSERT INTO cargue.pace (key, per_minute) VALUES (?, ?::float8)
  ON CONFLICT (key) DO UPDATE SET per_minute = excluded.per_minute`;

/** Time in ms for which a service's rate is cached: runs that begin later keep to a new one. */
const RATE_MS = 1_000;

const serviceKey = (address: string): string => `service ${address}`;

/** Wraps a rate limiter that others use too, so that closing does nothing. */
const notClosed = (rateLimiter: RateLimiter): RateLimiter => ({ ...rateLimiter, close: async () => {} });

/** Formats a token as the list of tokens holds it; undefined matches any. */
const asListed = (token: string | undefined): string => (token === undefined ? '' : JSON.stringify(token));

const listOf = (json: string): readonly string[] => JSON.parse(json) as string[];

/** Opens the journals of a PostgreSQL database; their other files are in the workspace of this host. */
export async function serverJournals(address: string, workspace: string): Promise<Journals> {
  return journalsOn(await connectServer(postgresAddress(address)), workspace);
}

/** Returns a journal's path: the address of the database and the owner. */
const pathOf = ({ shown }: JournalServer, { address, company }: Owner): string =>
  `${shown}#${address}/${encodeURIComponent(company)}`;

function ownerAt(path: string): Owner {
  const owner = path.slice(path.indexOf('#') + 1);
  const at = owner.lastIndexOf('/');
  return { address: owner.slice(0, at), company: decodeURIComponent(owner.slice(at + 1)) };
}

function journalsOn(server: JournalServer, workspace: string): Journals {
  const unbound = server.database(server.shown, undefined);
  const leases = keepLeases(server);

  const rowAt = (path: string): Promise<Row | undefined> => {
    const { address, company } = ownerAt(path);
    return unbound.first<Row>(ONE, address, company);
  };
  const knownRow = async (path: string): Promise<Row> =>
    (await rowAt(path)) ?? unreachable(`journal at ${path}`);
  const ids = new Map<string, number>();
  /** Caches ids, which never change. */
  async function idOf(path: string): Promise<number | undefined> {
    const id = ids.get(path) ?? (await rowAt(path))?.id;
    if (id !== undefined) ids.set(path, id);
    return id;
  }
  const missing = (path: string): never => stop('journal', { code: 'journal/missing', params: { path } });
  const fileOf = (path: string): string => {
    const { address, company } = ownerAt(path);
    return fileAt(workspace, address, company);
  };

  const foundBy = (row: Row): FoundJournal => ({
    path: pathOf(server, row),
    names: listOf(row.names),
    tokens: listOf(row.tokens),
    owner: { address: row.address, company: row.company },
  });

  async function cluster(): Promise<string | null> {
    try {
      return (await onlyRow<{ cluster: string }>(unbound, CLUSTER)).cluster;
    } catch {
      return null;
    }
  }

  async function rowAndCluster(path: string): Promise<Row & { readonly running: string | null }> {
    const { address, company } = ownerAt(path);
    const found = unbound.first<Row & { running: string }>(ONE_RUNNING, address, company);
    return (await found.catch(() => undefined)) ?? { ...(await knownRow(path)), running: null };
  }

  /** Rate limiters by service, shared by all runs of this process; replaced if the service's rate changes. */
  const services = new Map<string, { readonly perMinute: number; readonly rateLimiter: RateLimiter }>();
  const rates = new Map<string, { readonly asked: number; readonly perMinute: number | undefined }>();
  async function rateOf(key: string, now: number): Promise<number | undefined> {
    const known = rates.get(key);
    if (known !== undefined && Math.abs(now - known.asked) < RATE_MS) return known.perMinute;
    const found = await unbound.first<{ perMinute: number | null }>(RATE, key);
    const perMinute = found?.perMinute ?? undefined;
    rates.set(key, { asked: now, perMinute });
    return perMinute;
  }
  async function serviceLimiter(address: string, world: Runtime): Promise<RateLimiter | undefined> {
    const key = serviceKey(address);
    const perMinute = await rateOf(key, world.clock());
    if (perMinute === undefined) return undefined;
    const known = services.get(address);
    if (known?.perMinute === perMinute) return known.rateLimiter;
    const made = createRateLimiter(tablePermits(unbound, key), { perMinute, shared: true }, world);
    services.set(address, { perMinute, rateLimiter: made });
    return made;
  }

  async function rateLimiter(
    journal: number,
    address: string,
    perMinute: number | undefined,
    world: Runtime,
  ): Promise<RateLimiter> {
    const serviceLimit = await serviceLimiter(address, world);
    const journalLimiter =
      perMinute === undefined
        ? undefined
        : createRateLimiter(tablePermits(unbound, `journal ${journal}`), { perMinute, strict: true }, world);
    if (serviceLimit === undefined || journalLimiter === undefined)
      return journalLimiter ?? notClosed(serviceLimit ?? NO_RATE_LIMIT);
    return combineRateLimiters(journalLimiter, notClosed(serviceLimit));
  }

  const shared: SharedJournals = {
    database: unbound,
    async whereabouts(journal) {
      const row = await unbound.first<Row>(BY_ID, journal);
      if (row === undefined) return undefined;
      const found = foundBy(row);
      ids.set(found.path, row.id);
      return { ...found, address: row.address };
    },
    overview: (endedSince) => unbound.all<OverviewRow>('SELECT * FROM cargue.overview(?)', endedSince),
    workers: async (token) => (await onlyRow<{ count: number }>(unbound, WORKERS, asListed(token))).count,
    async close() {
      await leases.close();
      await server.close();
    },
    async setRate(address, perMinute) {
      const key = serviceKey(address);
      await unbound.run(SET_RATE, key, perMinute);
      rates.delete(key);
    },
  };

  async function open(
    path: string,
    { create = true, adopt = false, movedTo, planOnly = false }: OpenOptions,
  ): Promise<Journal> {
    const needed = planOnly ? ROLES.slice(0, 2) : ROLES.slice(0, 1);
    if (!needed.includes(server.role))
      stop('journal', { code: 'journal/no-right', params: { path, reason: needed.join(', ') } });
    const { address, company } = ownerAt(path);
    if (create) await unbound.run(MAKE, address, company, JSON.stringify([company]), await cluster());
    const id = await idOf(path);
    if (id === undefined) return missing(path);
    const lease = await leases.take(path, id);
    try {
      const journal = server.database(path, id, lease.epoch);
      // Read after the lease is taken: the last holder may have marked it.
      const row = await rowAndCluster(path);
      const { moved, cluster: before, running } = row;
      if (moved !== null && moved !== movedTo)
        stop('journal', { code: 'journal/moved', params: { path, to: moved } });
      const isSame = before === running && !adopt;
      const restored = isSame
        ? undefined
        : await markAllUnknown(journal, (sql) => sql.run(MARK, running, id));
      return {
        ...journal,
        rateLimiter: (perMinute, world) => rateLimiter(id, address, perMinute, world),
        lease,
        file: fileOf(path),
        tokens: listOf(row.tokens),
        ...(restored !== undefined && { restored }),
        async copied(sql) {
          await sql.all('SELECT cargue.count_run(journal, id) FROM run'); // their counts are kept from here on
          for (const table of COUNTED)
            await sql.first(`SELECT cargue.count_on('${table}', coalesce(max(id), 1)) FROM ${table}`);
        },
        async claim(owner, token) {
          const joined = ({ names, tokens }: Row): [names: string, tokens: string] => [
            JSON.stringify(joinedNames(listOf(names), owner.company)),
            JSON.stringify(joinedTokens(listOf(tokens), token)),
          ];
          const [names, tokens] = joined(row);
          if (names === row.names && tokens === row.tokens) return;
          const from = [row.names, row.tokens];
          if ((await journal.run(NAME_FROM, names, tokens, id, ...from)) === 0)
            await journal.run(NAME, ...joined(await knownRow(path)), id);
        },
        async close() {
          await lease.release();
        },
      };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async function move(path: string, to: string | undefined): Promise<void> {
    const { address, company } = ownerAt(path);
    await unbound.run(MOVE, to ?? null, address, company);
  }

  return {
    async at({ url }, token) {
      const rows = await unbound.all<Row>(AT, canonicalAddress(url), asListed(token));
      return rows.map(foundBy);
    },
    shared,
    async rateLimiter(path, perMinute, world) {
      const found = await rowAt(path);
      return found === undefined ? NO_RATE_LIMIT : rateLimiter(found.id, found.address, perMinute, world);
    },
    newPath: ({ url, company }) =>
      pathOf(server, { address: canonicalAddress(url), company: canonicalCompany(company) }),
    exists: async (path) => (await rowAt(path)) !== undefined,
    folder: (path) => dirname(fileOf(path)),
    risks: () => [],
    async read(path) {
      const found = await rowAt(path);
      if (found === undefined) return missing(path);
      return { ...server.database(path, found.id), file: fileOf(path) };
    },
    open,
    all: async () => (await unbound.all<Row>(ALL)).map(foundBy),
    async receive(path, options) {
      const journal = await open(path, options);
      if ((await knownRow(path)).moved !== null) {
        await journal.transaction(async (sql) => {
          for (const table of EMPTIED) await sql.run(`DELETE FROM ${table}`);
        });
        await move(path, undefined);
      }
      await refuseRuns(journal);
      return journal;
    },
    move,
    async forget(path, token) {
      const found = await rowAt(path);
      if (found === undefined) return;
      const left = listOf(found.tokens).filter((known) => known !== token);
      await unbound.run(NAME, found.names, JSON.stringify(left), found.id);
    },
  };
}
