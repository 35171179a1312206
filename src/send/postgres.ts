import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Client, ClientConfig, Connection, Pool, PoolClient, Submittable } from 'pg';
import { isLoopback } from '../client/address.js';
import { type Issue, issueOf, PipelineError, stop } from '../toolkit/core/issue.js';
import { getOrAdd } from '../toolkit/core/remember.js';
import { unreachable } from '../toolkit/core/required.js';
import {
  commitQueue,
  type Database,
  type ManyRows,
  merged,
  type Sql,
  type Value,
  type Write,
  type Writer,
} from './database.js';
import { optional } from './optional-package.js';
import { DATABASE_VERSION, LEASE_LOST, MIGRATIONS, ROLES, type Role, STATES } from './postgres-schema.js';

interface PostgresAddress {
  /** Address for users, without the password. */
  readonly shown: string;
  readonly config: ClientConfig;
}

const TLS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
/** Parameters that are read as libpq reads them; any other is refused, since it would be ignored silently. */
const KNOWN: ReadonlySet<string> = new Set([...TLS, 'application_name', 'connect_timeout']);
const FULL: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);

const pem = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? '';
    return stop('usage', { code: 'journal/no-certificate', params: { file, reason } });
  }
};

/**
 * Parses an address. A connection to a remote host is encrypted and its certificate checked, unless the address says
 * otherwise.
 * @throws PipelineError('usage', journal/bad-address, journal/needs-tls, journal/no-certificate)
 */
export function postgresAddress(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '')
    return stop('usage', { code: 'journal/bad-address', params: { reason: 'postgres://' } });
  const given = url.searchParams;
  for (const name of given.keys())
    if (!KNOWN.has(name)) stop('usage', { code: 'journal/bad-address', params: { reason: name } });
  const [mode, root, certificate, key] = TLS.map((name) => given.get(name) ?? undefined);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPlain =
    mode === 'disable' || (mode === undefined && root === undefined && isLoopback(url.hostname));
  if (!isPlain && mode === undefined && root === undefined)
    stop('usage', { code: 'journal/needs-tls', params: { host } });
  if (!isPlain && mode !== undefined && !FULL.has(mode))
    stop('usage', { code: 'journal/bad-address', params: { reason: `sslmode=${mode}` } });
  const database = decodeURIComponent(url.pathname.slice(1));
  const user = decodeURIComponent(url.username);
  return {
    shown: `postgres://${user === '' ? '' : `${user}@`}${url.host}/${database}`,
    config: {
      host,
      ...(url.port !== '' && { port: Number(url.port) }),
      ...(database !== '' && { database }),
      ...(user !== '' && { user }),
      ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
      application_name: given.get('application_name') ?? 'cargue',
      connectionTimeoutMillis: CONNECT_MS,
      ssl: isPlain
        ? false
        : {
            rejectUnauthorized: true,
            ...(root !== undefined && root !== 'system' && { ca: pem(root) }),
            ...(certificate !== undefined && { cert: pem(certificate) }),
            ...(key !== undefined && { key: pem(key) }),
          },
    },
  };
}

export { DATABASE_VERSION };

const CONNECT_MS = 10_000;
/** Max time to reconnect, in ms; then the journal is away. */
const RETRY_MS = 5_000;
const AGAIN_MS = 250;
/** Max pause inside of a transaction, in ms: a frozen sender loses it with its locks. */
const IDLE_MS = 20_000;
const ALIVE_MS = 5_000;

/** Codes and texts of the server, the network or TLS for a lost or unavailable connection. */
const AWAY = /^(08...|57P0[1-5]|53300|25P03|E[A-Z_]{3,})$/;
const LOST = /terminat|timeout|Connection|closed/i;

/** Errors of the server or the network; errors thrown inside of a transaction's work are not among them. */
const faults = new WeakSet<object>();

const asFault = (error: unknown): never => {
  faults.add(error as object);
  throw error;
};

/** Converts an error of the server or the network to a PipelineError, without its own text, which may show values. */
export function wordFault(path: string, error: unknown): PipelineError {
  if (error instanceof PipelineError) return error;
  const issue = reasonOf(path, error);
  return new PipelineError(issue.code === 'journal/away' ? 'away' : 'journal', [issue], { cause: error });
}

/** Errors of TLS, whose codes are Node's; `pg` has none for a server without TLS. */
const TLS_FAULT = /CERT|SIGNATURE|^ERR_(TLS|SSL)|does not support SSL/;
/** Refused logins; `pg` has no code for a missing password. */
const LOGIN_FAULT = /^28|^SASL/;

function reasonOf(path: string, error: unknown): Issue {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const params = { path, reason: code === '' ? message.slice(0, 60) : code };
  if (code === LEASE_LOST) return issueOf('send/lease-lost', 'error', { path });
  if (TLS_FAULT.test(code || message)) return issueOf('journal/untrusted', 'error', params);
  if (LOGIN_FAULT.test(code || message)) return issueOf('journal/login-refused', 'error', params);
  if (code === '3D000') return issueOf('journal/unknown-database', 'error', { path });
  if (code === '25006') return issueOf('journal/standby', 'error', { path });
  if (code === '42501') return issueOf('journal/no-right', 'error', params);
  if (/^(42P01|3F000)$/.test(code)) return issueOf('journal/to-migrate', 'error', { path });
  if (/^XX00[12]$/.test(code)) return issueOf('journal/damaged', 'error', params);
  // Codes of the server have five characters; others are of the network or TLS.
  const isServers = /^[0-9A-Z]{5}$/.test(code) && !isAway(error);
  return issueOf(isServers ? 'journal/not-writable' : 'journal/away', 'error', params);
}

const fail = (path: string, error: unknown): never => {
  throw faults.has(error as object) ? wordFault(path, error) : error;
};

const isAway = (error: unknown): boolean => {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === undefined ? LOST.test(message) : AWAY.test(code);
};

/** Numbers `?` for PostgreSQL; no statement has one in a text. */
const numbered = (sql: string): string => {
  let at = 0;
  return sql.replace(/\?/g, () => `$${++at}`);
};

interface Prepared {
  readonly name: string;
  readonly text: string;
}

const preparedStatements = new Map<string, Prepared>();

function prepared(sql: string): Prepared {
  return getOrAdd(preparedStatements, sql, () => ({
    name: `c${preparedStatements.size}`,
    text: numbered(sql),
  }));
}

/** Statements that a session has prepared; `unsure` are those that a failed batch may have left. */
interface Session {
  readonly known: Set<string>;
  readonly unsure: Set<string>;
  /** Journal that it is bound to, '' for none; undefined if uncertain. */
  bound?: string | undefined;
  /** True once it has its settings and role. */
  ready?: boolean;
  /** Last statement; the next one waits for its answer. */
  turn: Promise<unknown>;
}

const sessions = new WeakMap<object, Session>();

function sessionOf(client: object): Session {
  return getOrAdd(sessions, client, () => ({ known: new Set(), unsure: new Set(), turn: Promise.resolve() }));
}

/** Serialises queries per connection; `pg` warns about concurrent ones. */
function inTurnOf<T>(client: Client | PoolClient, ask: () => Promise<T>): Promise<T> {
  const session = sessionOf(client);
  const answer = session.turn.then(ask);
  session.turn = answer.catch(() => {});
  return answer;
}

export type Row = Record<string, unknown>;

interface Result {
  readonly rows: Row[];
  changed: number;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

const TYPES: ReadonlyMap<number, (text: string) => unknown> = new Map([
  [16, (text: string): unknown => text === 't'],
  ...[20, 21, 23, 26, 700, 701, 1700].map((oid) => [oid, Number] as const),
]);

/** Converts a value to text; PostgreSQL texts hold no NUL. */
const plain = (value: Value): string | null => {
  if (value === null) return null;
  const text = String(value);
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
};

/**
 * Statements sent to the server in one round trip. Outside of a transaction they are one: all or nothing, durable
 * once answered.
 */
class Batch implements Submittable {
  readonly results: Result[] = [];
  readonly #preparedStatements: readonly Write[];
  readonly #session: Session;
  readonly #done: (error: unknown) => void;
  #fields: readonly Field[] = [];
  #current: Result = { rows: [], changed: 0 };
  #error: unknown;

  readonly #answered: number;

  /** Creates a batch; only the last `answered` statements return rows. */
  constructor(
    statements: readonly Write[],
    answered: number,
    session: Session,
    done: (error: unknown) => void,
  ) {
    this.#preparedStatements = statements;
    this.#answered = answered;
    this.#session = session;
    this.#done = done;
  }

  submit(connection: Connection): void {
    const { known, unsure } = this.#session;
    const { stream } = connection as unknown as { stream: { cork(): void; uncork(): void } };
    const to = connection as unknown as Record<
      'parse' | 'bind' | 'describe' | 'execute' | 'close',
      (message: object) => void
    > & {
      sync(): void;
    };
    stream.cork();
    const first = this.#preparedStatements.length - this.#answered;
    for (const [at, [sql, ...values]] of this.#preparedStatements.entries()) {
      const { name, text } = prepared(sql);
      if (!known.has(name)) {
        if (unsure.has(name)) to.close({ type: 'S', name });
        to.parse({ name, text, types: [] });
        known.add(name);
        unsure.add(name);
      }
      to.bind({ portal: '', statement: name, values: values.map(plain) });
      if (at >= first) to.describe({ type: 'P', name: '' });
      to.execute({ portal: '', rows: 0 });
    }
    to.sync();
    stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#fields.length === 0) return; // of a sentence that only writes
    const row: Row = {};
    let at = 0;
    for (const { name, dataTypeID } of this.#fields) {
      const found = fields[at++] ?? null;
      row[name] = found === null ? null : (TYPES.get(dataTypeID)?.(found) ?? found);
    }
    this.#current.rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#current.changed = Number(/\d+$/.exec(text)?.[0] ?? 0);
    this.results.push(this.#current);
    this.#current = { rows: [], changed: 0 };
    this.#fields = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handlePortalSuspended(): void {}

  /** Notes an error. The server skips the rest and rolls back; the batch ends once it is ready again. */
  handleError(error: unknown): void {
    this.#error = error;
    for (const [sql] of this.#preparedStatements) {
      const { name } = prepared(sql);
      if (this.#session.unsure.has(name)) this.#session.known.delete(name);
    }
    this.#finish();
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined)
      for (const [sql] of this.#preparedStatements) this.#session.unsure.delete(prepared(sql).name);
    this.#finish();
  }

  #finish(): void {
    this.#done(this.#error);
  }
}

/** Executes statements in one round trip; only the last `answered` ones return rows. */
export function executeAll(
  client: Client | PoolClient,
  statements: readonly Write[],
  answered = statements.length,
): Promise<readonly Result[]> {
  const ask = (): Promise<readonly Result[]> =>
    new Promise((resolve, reject) => {
      const batch = new Batch(statements, answered, sessionOf(client), (error) => {
        if (error === undefined) return resolve(batch.results);
        faults.add(error as object);
        reject(error);
      });
      client.query(batch);
    });
  return inTurnOf(client, ask);
}

export const lastResult = (results: readonly Result[]): Result =>
  results.at(-1) ?? unreachable('result of a statement');

const execute = async (client: Client | PoolClient, ...statement: Write): Promise<Result> =>
  lastResult(await executeAll(client, [statement]));

/** Statements that prepare a new session. */
const SETTINGS: readonly Write[] = [
  // A generic plan made while a table was small would be kept when it is large. Each statement is planned once: one
  // with many values, mostly null, would be planned every time, which takes longer than to run it. A plan made for
  // a company of ten is used for one of a million too, so rows are looked up and never all of a company read to
  // join them.
  [
    `SELECT set_config('search_path', 'cargue', false), set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false),
    set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
    set_config('plan_cache_mode', 'force_generic_plan', false), set_config('idle_in_transaction_session_timeout', '${IDLE_MS}', false)`,
  ],
  [
    `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
  ],
];

/** Checks the database's version table and which of our roles the login has. */
const LOOK = `
  SELECT to_regclass('cargue.version') IS NOT NULL AS made, (SELECT string_agg(rolname, ' ') FROM pg_roles
    WHERE rolname IN (${ROLES.map((role) => `'${role}'`).join()}) AND pg_has_role(session_user, oid, 'MEMBER')) AS roles`;

/** Adds an error listener: without one an error would end the program. Callers get the error with their query. */
function addErrorListener<C extends Client | PoolClient>(client: C): C {
  client.on('error', () => {});
  return client;
}

/** Max connections; reads and transactions of all journals share them. */
const MAX_CONNECTIONS = 10;

/** Database with the journals of many companies, and the connections of this process to it. */
export type JournalServer = Awaited<ReturnType<typeof connectServer>>;

const MARK_SESSION = `SELECT pg_backend_pid() AS pid, set_config('cargue.mark', 'own', false)`;
const SESSION_MARK = `SELECT current_setting('cargue.mark', true) AS mark`;

const loadPg = async (): Promise<typeof import('pg')> =>
  (await optional('pg', import('pg'))).default as unknown as typeof import('pg');

/**
 * Connects to a database with journals.
 * @throws PipelineError('usage' or 'journal')
 */
export async function connectServer({ shown, config }: PostgresAddress) {
  const pg = await loadPg();
  const pool: Pool = new pg.Pool({ ...config, max: MAX_CONNECTIONS, allowExitOnIdle: true });
  pool.on('error', () => {}); // one that nobody used; the next is made anew
  // Before it is used: a connection may be lost the moment it is made.
  pool.on('connect', addErrorListener);
  let role: Role | undefined;

  /** Prepares a session once: its settings, and the role to which row-level security applies. */
  async function prepare(client: Client | PoolClient): Promise<void> {
    const session = sessionOf(client);
    if (session.ready) return;
    if (role === undefined) await requireOwnSession(client);
    role ??= await chooseRole(client, shown);
    await executeAll(client, [...SETTINGS, [`SELECT set_config('role', '${role}', false)`]]);
    const { rows } = await execute(client, `SELECT row_security_active('cargue.document') AS active`);
    if (rows[0]?.['active'] !== true)
      stop('journal', { code: 'journal/no-right', params: { path: shown, reason: 'BYPASSRLS' } });
    session.ready = true;
  }

  /**
   * Stops if a pooler gives sessions to other clients after each transaction: they hold role, company and prepared
   * statements. Only a connection whose process is not the server's goes through one.
   */
  async function requireOwnSession(client: Client | PoolClient): Promise<void> {
    const { rows } = await client.query(MARK_SESSION).catch(asFault);
    if (rows[0].pid === (client as unknown as { processID: number | null }).processID) return;
    const other = addErrorListener(new pg.Client(config));
    try {
      await other.connect();
      const [mark, ours] = [await other.query(SESSION_MARK), await client.query(SESSION_MARK)];
      if (mark.rows[0].mark || !ours.rows[0].mark)
        stop('journal', { code: 'journal/pooled', params: { path: shown } });
    } catch (error) {
      asFault(error);
    } finally {
      await other.end().catch(() => {});
    }
  }

  async function checkout(): Promise<PoolClient> {
    const client = await pool.connect().catch(asFault);
    try {
      await prepare(client);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /**
   * Repeats work while the connection is lost, up to `RETRY_MS`; only for work that was not sent yet, or may be
   * repeated.
   */
  async function retried<T>(work: () => Promise<T>): Promise<T> {
    for (const begun = performance.now(); ; ) {
      try {
        return await work();
      } catch (error) {
        if (!isAway(error) || performance.now() - begun > RETRY_MS) throw error;
        await wait(AGAIN_MS);
      }
    }
  }

  async function use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await retried(checkout);
    let isBroken = true;
    try {
      const result = await work(client);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = isAway(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  // Fails at once if it cannot connect.
  await checkout().then(
    (client) => client.release(),
    (error) => fail(shown, error),
  );

  const chosen = role ?? unreachable('role of a session');
  return {
    /** Address without the password. */
    shown,
    /** Role of the sessions: the most powerful that the login has. */
    role: chosen,
    /** Opens the port, bound to a journal or to none. With `epoch` its writes fail once another process may send. */
    database: (path: string, journal: number | undefined, epoch?: number) =>
      boundTo(path, use, retried, chosen, journal, epoch),
    /** Opens a separate connection with its settings; the caller ends it. */
    connect: async () => {
      const client = addErrorListener(new pg.Client(config));
      try {
        await client.connect();
        await prepare(client);
        return client;
      } catch (error) {
        await client.end().catch(() => {});
        throw wordFault(shown, error);
      }
    },
    close: () => pool.end(),
  };
}

async function chooseRole(client: Client | PoolClient, path: string): Promise<Role> {
  const found = await execute(client, LOOK);
  const { made, roles } = found.rows[0] as { made: boolean; roles: string | null };
  if (!made) stop('journal', { code: 'journal/to-migrate', params: { path } });
  const role = ROLES.find((name) => roles?.split(' ').includes(name));
  if (role === undefined)
    return stop('journal', { code: 'journal/no-right', params: { path, reason: ROLES.join(', ') } });
  await executeAll(client, [[`SELECT set_config('role', '${role}', false)`]]);
  const version = await execute(client, 'SELECT number FROM cargue.version');
  const { number } = version.rows[0] as { number: number };
  if (number > DATABASE_VERSION) stop('journal', { code: 'journal/newer', params: { path } });
  if (number < DATABASE_VERSION) stop('journal', { code: 'journal/to-migrate', params: { path } });
  return role;
}

const BIND = `SELECT set_config('cargue.journal', ?, false)`;
/** Locks the lease. A sender may do so without the function, which would take twice the time. */
const FENCE = `
  SELECT CASE WHEN count(*) = 0 THEN cargue.lease_lost() END
  FROM (SELECT 1 FROM cargue.sender WHERE journal = ? AND epoch = ? FOR KEY SHARE) held`;
const FENCE_OF_OTHERS = 'SELECT cargue.fence(?, ?)';
/** Counts the documents whose states the transaction changed. */
const COUNT: Write = ['SELECT cargue.count_moved()'];
/**
 * Discards plans, since a plan made while a table was empty takes any of its indexes. Only the transaction sees its
 * rows, so it does so each time that their number has doubled.
 */
const REPLAN: Write = ['DISCARD PLANS'];
const FIRST_REPLAN = 256;
/** Max queued writes before they are sent. */
const MAX_QUEUED_WRITES = 64;
const TALLY_OF = `
  SELECT ${STATES.map((state) => `sum(${state}) AS ${state}`).join(', ')} FROM tally WHERE run = ? HAVING count(*) > 0`;
const IS_TABLE = `SELECT to_regclass('cargue.' || ?) IS NOT NULL AS found`;

/** Opens the port over a database, bound to a journal. */
function boundTo(
  path: string,
  use: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>,
  retried: <T>(work: () => Promise<T>) => Promise<T>,
  role: Role,
  journal: number | undefined,
  epoch: number | undefined,
): Database {
  const wanted = journal === undefined ? '' : String(journal);
  const fence = role === 'cargue_sender' ? FENCE : FENCE_OF_OTHERS;
  /** Last statements of a transaction that writes. */
  const end: Write[] =
    epoch === undefined ? [COUNT] : [COUNT, [fence, journal ?? unreachable('journal of a lease'), epoch]];

  /** Executes statements after binding the session to the journal, if it is not bound yet. */
  async function executeBound(
    client: PoolClient,
    statements: readonly Write[],
    answered?: number,
  ): Promise<readonly Result[]> {
    const session = sessionOf(client);
    if (session.bound === wanted)
      return statements.length === 0 ? [] : executeAll(client, statements, answered);
    session.bound = undefined; // what a batch binds is undone with it
    const [, ...results] = await executeAll(client, [[BIND, wanted], ...statements], answered);
    session.bound = wanted;
    return results;
  }

  /** Wraps a connection; queued writes go before the next statement. */
  function on(client: PoolClient): Sql & { flush(): Promise<void> } {
    let waiting: Write[] = [];
    let executed = 0;
    let replan = FIRST_REPLAN;
    async function flushed(answered: number, ...statements: readonly Write[]): Promise<readonly Result[]> {
      const all = [...waiting, ...statements];
      waiting = [];
      executed += all.length;
      if (executed >= replan) {
        replan = 2 * executed;
        all.unshift(REPLAN);
      }
      return executeBound(client, all, answered);
    }
    const result = async (answered: number, statement: Write): Promise<Result> =>
      lastResult(await flushed(answered, statement));
    return {
      all: async <T>(sql: string, ...values: Value[]) => (await result(1, [sql, ...values])).rows as T[],
      first: async <T>(sql: string, ...values: Value[]) =>
        (await result(1, [sql, ...values])).rows[0] as T | undefined,
      run: async (sql, ...values) => (await result(0, [sql, ...values])).changed,
      async later(sql, ...values) {
        waiting.push([sql, ...values]);
        if (waiting.length >= MAX_QUEUED_WRITES) await flushed(0);
      },
      async script(sql) {
        await flushed(0);
        await inTurnOf(client, () => client.query(sql)).catch(asFault);
      },
      hasTable: async (name) => (await result(1, [IS_TABLE, name])).rows[0]?.['found'] === true,
      flush: async () => void (await flushed(0)),
    };
  }

  const firstResult = ([result]: readonly Result[]): Result => result ?? unreachable('result of a statement');

  const together = (writes: readonly Write[]): Promise<readonly Result[]> =>
    use((client) => executeBound(client, [...writes, ...end], 0)).catch((error) => fail(path, error));

  const reading = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    retried(() => use((client) => work(on(client)))).catch((error) => fail(path, error));

  async function inside<T>(begin: string, end: readonly Write[], work: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      return await use(async (client) => {
        await executeBound(client, []);
        await executeAll(client, [[begin]]);
        // Slow work is not a frozen sender.
        const alive = setInterval(() => void executeAll(client, [['SELECT 1']]).catch(() => {}), ALIVE_MS);
        try {
          const sql = on(client);
          const result = await work(sql);
          await sql.flush();
          await executeAll(client, [...end, ['COMMIT']]);
          return result;
        } catch (error) {
          await executeAll(client, [['ROLLBACK']]).catch(() => {});
          throw error;
        } finally {
          clearInterval(alive);
        }
      });
    } catch (error) {
      return fail(path, error);
    }
  }

  const inTurn = pLimit(1);
  const transaction = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    inTurn(() => inside('BEGIN', end, work));

  return {
    path,
    all: (sql, ...values) => reading((bound) => bound.all(sql, ...values)),
    first: (sql, ...values) => reading((bound) => bound.first(sql, ...values)),
    hasTable: (name) => reading((bound) => bound.hasTable(name)),
    tally: (run) => reading((bound) => bound.first(TALLY_OF, run)),
    numbers: 'cargue.numbers()',
    run: async (sql, ...values) => firstResult(await together([[sql, ...values]])).changed,
    later: async (sql, ...values) => void (await together([[sql, ...values]])),
    script: (sql) => transaction((bound) => bound.script(sql)),
    transaction,
    moment: (work) => inside('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', [], work),
    writer: async (many) => writerOf(together, many),
    close: async () => {},
  };
}

/** Characters that are invalid in JSON texts or for PostgreSQL. */
const NO_TEXT = /[\0\p{Surrogate}]/gu;

/** Formats a statement with the values of several rows as JSON. */
function ofRows({ types, sql }: ManyRows, rows: readonly (readonly Value[])[]): Write {
  const named = rows.map((values) =>
    Object.fromEntries(
      values.map((value, at) => [
        `c${at + 1}`,
        typeof value === 'string' ? value.replace(NO_TEXT, '\uFFFD') : value,
      ]),
    ),
  );
  const columns = types.map((type, at) => `c${at + 1} ${type}`).join();
  return [`WITH v AS (SELECT * FROM json_to_recordset(?) AS v (${columns})) ${sql}`, JSON.stringify(named)];
}

/** Opens a group commit: the writes of a turn, and of the time of the group before, are one transaction. */
function writerOf(
  together: (writes: readonly Write[]) => Promise<unknown>,
  many: ReadonlyMap<string, ManyRows> = new Map(),
): Writer {
  const commit = commitQueue<Write>({
    commit: async (writes) => void (await together(merged(writes, many, ofRows))),
  });
  return { commit, close: async () => {} };
}

/** Oldest supported server (PostgreSQL 14), as `server_version_num`. */
const OLDEST = 140_000;
const ONE_AT_A_TIME = 20_261_123;

/**
 * Migrates a database to this version; needs a login that may create schemas and roles. Returns its version before.
 * @throws PipelineError('usage' or 'journal')
 */
export async function migrateDatabase({ shown, config }: PostgresAddress): Promise<number> {
  const pg = await loadPg();
  const client = new pg.Client(config);
  client.on('error', () => {});
  const first = async <T>(sql: string): Promise<T> => (await client.query(sql)).rows[0] as T;
  try {
    await client.connect();
    const { number } = await first<{ number: string }>(
      `SELECT current_setting('server_version_num') AS number`,
    );
    if (Number(number) < OLDEST)
      stop('journal', { code: 'journal/old-server', params: { path: shown, version: number } });
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${ONE_AT_A_TIME})`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS cargue; SET LOCAL search_path = cargue;
      CREATE TABLE IF NOT EXISTS version (number integer NOT NULL)`);
    const before = (await first<{ number: number } | undefined>('SELECT number FROM version'))?.number ?? 0;
    if (before > DATABASE_VERSION) stop('journal', { code: 'journal/newer', params: { path: shown } });
    if (before < DATABASE_VERSION) {
      await client.query(await (MIGRATIONS[before] ?? unreachable(`migration ${before}`))());
      await client.query(`INSERT INTO version VALUES (${DATABASE_VERSION})`);
    }
    await client.query('COMMIT');
    return before;
  } catch (error) {
    throw wordFault(shown, error);
  } finally {
    await client.end().catch(() => {});
  }
}
