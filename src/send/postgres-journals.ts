import { dirname } from 'node:path';
import { canonicalAddress } from '../client/address.js';
import { stop } from '../toolkit/core/issue.js';
import { doubtAll, fileAt, type Journal, type OpenOptions } from './journal.js';
import { canonicalCompany, joinedNames, joinedTokens, type Owner } from './journal-proof.js';
import { type Found, type Journals, type OverviewRow, refuseRuns, type SharedJournals } from './journals.js';
import { keepLeases } from './lease.js';
import { tableTurns } from './permit-store.js';
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
/** Where nobody changed them meanwhile. */
const NAME_FROM = `${NAME} AND names = ? AND tokens = ?`;
const MOVE = 'UPDATE cargue.journal SET moved = ? WHERE address = ? AND company = ?';
const ALL = 'SELECT * FROM cargue.journal WHERE moved IS NULL ORDER BY id';
/** Tables whose rows have numbers of their own. */
const COUNTED = ['document', 'attempt', 'finding', 'mail'];
/** In an order in which nothing refers to what is gone. */
const EMPTIED = ['tally', 'span', 'mail', 'finding', 'attempt', 'answer', 'content', 'document', 'run'];
const MARK = 'UPDATE cargue.journal SET cluster = ? WHERE id = ?';

/**
 * The very database that is running: another one after it was restored, copied, or taken over by its replica. Undefined
 * where a managed server does not tell.
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

/** A service's rate that is set is kept by all runs that begin so much later. */
const RATE_MS = 1_000;

const serviceKey = (address: string): string => `service ${address}`;

/** It is others' too. */
const notClosed = (pace: RateLimiter): RateLimiter => ({ ...pace, close: async () => {} });

/** A token as a list of them holds it; any, where none is given. */
const asListed = (token: string | undefined): string => (token === undefined ? '' : JSON.stringify(token));

const listOf = (json: string): readonly string[] => JSON.parse(json) as string[];

/** Journals of a PostgreSQL database; what lies beside them is in the workspace of this machine. */
export async function serverJournals(address: string, workspace: string): Promise<Journals> {
  return journalsOn(await connectServer(postgresAddress(address)), workspace);
}

/** A journal as people read it, and as it is found again: the database, and whose it is. */
const pathOf = ({ shown }: JournalServer, { address, company }: Owner): string =>
  `${shown}#${address}/${encodeURIComponent(company)}`;

function ownerAt(path: string): Owner {
  const whose = path.slice(path.indexOf('#') + 1);
  const at = whose.lastIndexOf('/');
  return { address: whose.slice(0, at), company: decodeURIComponent(whose.slice(at + 1)) };
}

function journalsOn(server: JournalServer, workspace: string): Journals {
  const unbound = server.database(server.shown, undefined);
  const leases = keepLeases(server);

  const rowAt = (path: string): Promise<Row | undefined> => {
    const { address, company } = ownerAt(path);
    return unbound.first<Row>(ONE, address, company);
  };
  const ids = new Map<string, number>();
  /** It stays what it is. */
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

  const foundBy = (row: Row): Found => ({
    path: pathOf(server, row),
    names: listOf(row.names),
    tokens: listOf(row.tokens),
    owner: { address: row.address, company: row.company },
  });

  async function cluster(): Promise<string | null> {
    try {
      return (await unbound.first<{ cluster: string }>(CLUSTER))!.cluster;
    } catch {
      return null;
    }
  }

  async function rowAndCluster(path: string): Promise<Row & { readonly running: string | null }> {
    const { address, company } = ownerAt(path);
    const told = unbound.first<Row & { running: string }>(ONE_RUNNING, address, company);
    return (await told.catch(() => undefined)) ?? { ...(await rowAt(path))!, running: null };
  }

  /** Of a service, for all runs of this process; made anew where the service's rate changes. */
  const services = new Map<string, { readonly perMinute: number; readonly pace: RateLimiter }>();
  const rates = new Map<string, { readonly asked: number; readonly perMinute: number | undefined }>();
  async function rateOf(key: string, now: number): Promise<number | undefined> {
    const known = rates.get(key);
    if (known !== undefined && Math.abs(now - known.asked) < RATE_MS) return known.perMinute;
    const found = await unbound.first<{ perMinute: number | null }>(RATE, key);
    const perMinute = found?.perMinute ?? undefined;
    rates.set(key, { asked: now, perMinute });
    return perMinute;
  }
  async function servicePace(address: string, world: Runtime): Promise<RateLimiter | undefined> {
    const key = serviceKey(address);
    const perMinute = await rateOf(key, world.clock());
    if (perMinute === undefined) return undefined;
    const known = services.get(address);
    if (known?.perMinute === perMinute) return known.pace;
    const made = createRateLimiter(tableTurns(unbound, key), { perMinute, shared: true }, world);
    services.set(address, { perMinute, pace: made });
    return made;
  }

  async function pace(
    journal: number,
    address: string,
    perMinute: number | undefined,
    world: Runtime,
  ): Promise<RateLimiter> {
    const common = await servicePace(address, world);
    const own =
      perMinute === undefined
        ? undefined
        : createRateLimiter(tableTurns(unbound, `journal ${journal}`), { perMinute, strict: true }, world);
    if (common === undefined || own === undefined) return own ?? notClosed(common ?? NO_RATE_LIMIT);
    return combineRateLimiters(own, notClosed(common));
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
    oldest: async () => (await unbound.first<{ at: number | null }>('SELECT cargue.oldest() AS at'))!.at,
    workers: async (token) => (await unbound.first<{ count: number }>(WORKERS, asListed(token)))!.count,
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
    { create = true, adopt = false, movedTo, laysOut = false }: OpenOptions,
  ): Promise<Journal> {
    const needed = laysOut ? ROLES.slice(0, 2) : ROLES.slice(0, 1);
    if (!needed.includes(server.role))
      stop('journal', { code: 'journal/no-right', params: { path, reason: needed.join(', ') } });
    const { address, company } = ownerAt(path);
    if (create) await unbound.run(MAKE, address, company, JSON.stringify([company]), await cluster());
    const id = await idOf(path);
    if (id === undefined) return missing(path);
    const lease = await leases.take(path, id);
    try {
      const journal = server.database(path, id, lease.epoch);
      // Looked at only now: whoever had the right before may have marked it.
      const own = await rowAndCluster(path);
      const { moved, cluster: before, running } = own;
      if (moved !== null && moved !== movedTo)
        stop('journal', { code: 'journal/moved', params: { path, to: moved } });
      const isSame = before === running && !adopt;
      const restored = isSame ? undefined : await doubtAll(journal, (sql) => sql.run(MARK, running, id));
      return {
        ...journal,
        pace: (perMinute, world) => pace(id, address, perMinute, world),
        lease,
        file: fileOf(path),
        tokens: listOf(own.tokens),
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
          const [names, tokens] = joined(own);
          if (names === own.names && tokens === own.tokens) return;
          const from = [own.names, own.tokens];
          if ((await journal.run(NAME_FROM, names, tokens, id, ...from)) === 0)
            await journal.run(NAME, ...joined((await rowAt(path))!), id);
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
    async pace(path, perMinute, world) {
      const found = await rowAt(path);
      return found === undefined ? NO_RATE_LIMIT : pace(found.id, found.address, perMinute, world);
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
      if ((await rowAt(path))!.moved !== null) {
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
      const left = listOf(found.tokens).filter((one) => one !== token);
      await unbound.run(NAME, found.names, JSON.stringify(left), found.id);
    },
  };
}
