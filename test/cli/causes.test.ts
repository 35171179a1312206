import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CODES } from '../../src/generated/codes.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { writeProfile } from '../chaos/fleet.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { type Event, freshFolder, runCli, startCli } from './run-cli.js';
import { PARAMS, SAMPLE } from './sample.js';

const VISITS = packageFile('samples', 'rips', 'consultas', 'Consultas octubre.csv');
const VISIT_PARAMS = packageFile('samples', 'rips', 'consultas', 'params.json');
const NIT = '900123456';
const TOKEN = 'clave+de-prueba/1';

/** Row of the table in docs/operations.md. */
interface Promised {
  readonly cause: string;
  readonly code: string;
  readonly title: string;
  readonly exit: string;
  readonly worker: string;
}

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');
const PROMISED: readonly Promised[] = [
  ...PAGE.matchAll(/^\| (.+?) \| `([a-z]+\/[a-z-]+)` (.+?) \| (.+?) \| (.+?) \|$/gm),
].map(([, cause = '', code = '', title = '', exit = '', worker = '']) => ({
  cause,
  code,
  title,
  exit,
  worker,
}));

/** What was seen of a cause; its keys are those of a row. */
type Seen = Pick<Promised, 'code' | 'exit' | 'worker'>;

let server: PostgresServer;
let data = '';
let database: string;
let sandbox: Sandbox;

const HBA = 'host all locked 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n';

beforeAll(async () => {
  server = await startPostgres({
    prepare(folder) {
      data = folder;
      writeFileSync(join(folder, 'pg_hba.conf'), HBA);
    },
  });
  database = await server.database();
  await migrateDatabase(postgresAddress(database));
  await asOwner(`CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE guest LOGIN;
    CREATE ROLE reader LOGIN; GRANT cargue_reader TO reader`);
  const companies = [{ nit: NIT, token: TOKEN, environment: 'production' as const }];
  sandbox = await startSandbox({ companies });
});
afterAll(async () => {
  await sandbox.close();
  await server.stop();
});

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** The database's address with other parts. */
function at(parts: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname' | 'search'>>): string {
  return Object.assign(new URL(database), parts).href;
}

/** Environment of a sender; a worker has a profile instead. */
const sender = (journal: string, token = TOKEN, url = sandbox.url) => ({
  CARGUE_JOURNAL: journal,
  CARGUE_URL: url,
  CARGUE_TOKEN: token,
});

const SEND = ['--company', NIT, '--yes', '--json'];
let month = 0;
/** Words that send the sample as a month of its own. */
function payroll(): readonly string[] {
  const year = 2027 + month++;
  const dates = [
    `month=${year}-10`,
    `settlement_start_date=${year}-10-01`,
    `settlement_end_date=${year}-10-31`,
    `issue_date=${year}-10-31`,
    `payment_date=${year}-10-30`,
    `first_consecutive=${month * 100}`,
  ].flatMap((param) => ['-p', param]);
  return ['send', SAMPLE, '-m', 'payroll/wide', '--params', PARAMS, ...dates, ...SEND];
}
const send = (journal: string) => runCli(payroll(), { env: sender(journal) });

/** A worker's process and what it logs. */
function startWorker(journal: string, token = TOKEN, url = sandbox.url, more = '') {
  const folder = freshFolder();
  const workspace = join(folder, 'workspace');
  writeProfile(workspace, NIT, url, token);
  appendFileSync(join(workspace, 'profiles', `c${NIT}.yaml`), `\n${more}`);
  const child = startCli(['worker'], { folder, env: { CARGUE_JOURNAL: journal } });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  child.stderr.resume();
  onTestFinished(() => void child.kill('SIGKILL'));
  const logged = () =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; code?: string; how?: string });
  const ended = once(child, 'close').then(([code]) => `ends with ${code}`);
  return {
    ended,
    logged,
    /** Resolves with `how` once a line is logged, or with how it ended. */
    async sees(msg: string, how: string): Promise<string> {
      for (const end = Date.now() + 40_000; Date.now() < end; ) {
        const over = await Promise.race([
          ended,
          new Promise<undefined>((go) => setTimeout(go, 50, undefined)),
        ]);
        if (logged().some((line) => line.msg === msg)) return how;
        if (over !== undefined) return over;
      }
      return `never logs ${msg}: ${text}`;
    },
  };
}

/** Runs a sender and a worker against an address that does not work. */
async function refusedAt(journal: string, workersAt = journal): Promise<Seen> {
  const [{ events, code }, worker] = await Promise.all([
    send(journal),
    startWorker(workersAt).sees('database is away', 'waits'),
  ]);
  return { code: lastCode(events, 'issue'), exit: String(code), worker };
}

/** Looks at a worker that was running as a cause comes and goes. */
async function whileRunning(come: () => Promise<unknown>, go: () => Promise<unknown>): Promise<string> {
  const worker = startWorker(database);
  if ((await worker.sees('started', 'started')) !== 'started') return 'does not start';
  await come();
  const how = await worker.sees('database is away', 'waits');
  await go();
  return how === 'waits' ? worker.sees('database is back', how) : how;
}

/** A pooler in front of the server; skips the test where there is none. */
async function startPooler(skip: () => never): Promise<string> {
  const path = `${process.env['PATH']}:/usr/sbin`;
  try {
    execFileSync('pgbouncer', ['--version'], { env: { PATH: path }, stdio: 'ignore' });
  } catch {
    skip();
  }
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as { port: number };
  free.close();
  await once(free, 'close');
  const folder = freshFolder();
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(
    file,
    [
      ...['[databases]', `* = host=127.0.0.1 port=${new URL(database).port}`, '[pgbouncer]'],
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = trust'],
      ...[`auth_file = ${users}`, 'pool_mode = transaction', 'default_pool_size = 4'],
    ].join('\n'),
  );
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if ('uid' in asNobody) for (const one of [folder, file, users]) chownSync(one, 65_534, 65_534);
  const child = spawn('pgbouncer', [file], { ...asNobody, env: { PATH: path }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = at({ port: String(port) });
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    const error = await client.connect().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    await client.end().catch(() => {});
    if (error === undefined) return url;
    if (tries > 100) throw error;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Makes the server a standby, or the primary again, as a failover does. */
async function restartAs(role: 'standby' | 'primary'): Promise<void> {
  const mark = join(data, 'standby.signal');
  await server.kill!();
  if (role === 'standby') {
    writeFileSync(mark, '');
    if (process.getuid?.() === 0) chownSync(mark, 65_534, 65_534);
    await server.start!();
  } else {
    await server.start!();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('SELECT pg_promote()');
    await client.end();
  }
}

/** Has a table refuse writes as a server does whose disk is full. */
const fill = (table: string) =>
  asOwner(`
  CREATE OR REPLACE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON cargue.${table} EXECUTE FUNCTION public.full_disk()`);
const empty = (table: string) => asOwner(`DROP TRIGGER full_disk ON cargue.${table}`);

const lastCode = (events: readonly Event[], ...kinds: readonly string[]): string =>
  events.findLast(({ event }) => kinds.includes(event))?.code ?? '';

/** Company of its own at a service of its own, whose run a worker takes. */
async function serviceOfOwn() {
  const companies = [{ nit: NIT, token: TOKEN, environment: 'production' as const }];
  const box = await startSandbox({ companies });
  onTestFinished(() => box.close());
  return box;
}

/** Starts the page for several people, whose provider nobody serves. */
async function serverRefused(env: Readonly<Record<string, string>>): Promise<Seen> {
  const file = join(freshFolder(), 'servidor.yaml');
  const settings = { url: 'http://127.0.0.1:9', issuer: 'http://127.0.0.1:9', client_id: 'x', companies: {} };
  writeFileSync(file, JSON.stringify(settings));
  const words = ['web', '--server', file, '--json'];
  const { code, events } = await runCli(words, { env: { CARGUE_OIDC_SECRET: 'x', ...env } });
  return { code: lastCode(events, 'issue'), exit: String(code), worker: '–' };
}

const TURNS: Readonly<Record<string, string>> = { again: 'tries the run again', left: 'leaves the run' };

/** Hands a run over, and looks at a worker's turn of it. */
async function turnOf(
  words: readonly string[],
  box: Sandbox,
  work: () => Promise<ReturnType<typeof startWorker>>,
): Promise<string> {
  const { code, stderr } = await runCli([...words, '--queue'], { env: sender(database, TOKEN, box.url) });
  // Samples of visits have records with planted errors.
  if (code !== 0 && code !== 1) return stderr;
  const worker = await work();
  const seen = await worker.sees('turn', 'turn');
  const how = worker.logged().find(({ msg }) => msg === 'turn')?.how ?? '';
  await asOwner('DELETE FROM pgboss.job');
  return TURNS[how] ?? `${seen} ${how}`;
}

const provoke: Readonly<Record<string, (skip: () => never) => Promise<Seen>>> = {
  'wrong user or password': () => refusedAt(at({ username: 'locked', password: 'wrong' })),
  'no password given': () => refusedAt(at({ username: 'locked' })),
  'login without a role': () => refusedAt(at({ username: 'guest' })),
  'login that may only read': () => refusedAt(at({ username: 'reader' })),
  'no such database': () => refusedAt(at({ pathname: '/nothing' })),
  'database not prepared': async () => refusedAt(await server.database()),
  'PgBouncer in transaction mode': async (skip) => refusedAt(await startPooler(skip)),
  'address without TLS': () => refusedAt('postgres://db.example.com/cargue'),
  'server without TLS': () => refusedAt(at({ search: '?sslmode=verify-full' })),
  'database away': () => refusedAt(at({ port: '1' })),
  'database killed while it is read': async () => {
    const reading = runCli(['status', '--all', '--watch', '--json'], { env: sender(database) });
    const worker = await whileRunning(
      async () => {
        await server.kill!();
        await reading;
      },
      () => server.start!(),
    );
    const { code, events } = await reading;
    return { code: events.at(-1)?.code ?? '', exit: String(code), worker };
  },
  standby: async () => {
    const running = await whileRunning(
      () => restartAs('standby'),
      () => restartAs('primary'),
    );
    await restartAs('standby');
    const { worker, ...seen } = await refusedAt(database);
    await restartAs('primary');
    return { ...seen, worker: `${worker}; ${running} if it was running` };
  },
  'disk of the database full': async () => {
    await fill('document');
    const { code, events } = await send(database);
    await empty('document');
    await fill('worker');
    const worker = await startWorker(database).sees('database is away', 'waits');
    await empty('worker');
    const running = await whileRunning(
      () => fill('worker'),
      () => empty('worker'),
    );
    return {
      code: lastCode(events, 'issue'),
      exit: String(code),
      worker: `${worker}; ${running} if it was running`,
    };
  },
  'page for several people: journal in files': () => serverRefused({}),
  'page for several people: no client secret': () =>
    serverRefused({ CARGUE_JOURNAL: database, CARGUE_OIDC_SECRET: '' }),
  'page for several people: provider away': () => serverRefused({ CARGUE_JOURNAL: database }),
  'service away': async () => {
    const box = await serviceOfOwn();
    const worker = await turnOf(payroll(), box, async () => {
      await box.close();
      return startWorker(database, TOKEN, box.url);
    });
    const { code, events } = await runCli(payroll(), { env: sender(database, TOKEN, box.url) });
    return { code: lastCode(events, 'stopped', 'issue'), exit: String(code), worker };
  },
  'token refused (401)': async () => {
    const box = await serviceOfOwn();
    const worker = await turnOf(payroll(), box, async () => startWorker(database, 'other', box.url));
    const { code, events } = await runCli(payroll(), { env: sender(database, 'other', box.url) });
    return { code: lastCode(events, 'stopped'), exit: String(code), worker };
  },
  'token refused (401), by `api`': async () => {
    const words = ['api', 'getCurrentNumber', '--path', 'type=9', '--json'];
    const { code, events } = await runCli(words, { env: sender(database, 'other') });
    return { code: lastCode(events, 'issue'), exit: String(code), worker: '–' };
  },
  'SISPRO refuses the login': async () => {
    const folder = freshFolder();
    const access = join(folder, 'access.yaml');
    const login = { type_document_identification_id: 3, number_identification: '1020304050' };
    const text = JSON.stringify({ ...login, url: 'https://sispro.example', password: 'wrong' });
    writeFileSync(access, text, { mode: 0o600 });
    const visits = () => ['send', VISITS, '--params', VISIT_PARAMS, '--partial', ...SEND];
    const box = await serviceOfOwn();
    const worker = await turnOf(visits(), box, async () =>
      startWorker(database, TOKEN, box.url, `sispro: ${access}`),
    );
    const other = await serviceOfOwn();
    const { code, events } = await runCli([...visits(), '--sispro', access], {
      env: sender(database, TOKEN, other.url),
    });
    return { code: lastCode(events, 'stopped'), exit: String(code), worker };
  },
};

test('the table of the page has each cause once', () => {
  expect(PROMISED.map(({ cause }) => cause).sort()).toEqual(Object.keys(provoke).sort());
});

test.for(PROMISED)('$cause', { timeout: 120_000 }, async ({ cause, code, title, exit, worker }, { skip }) => {
  expect(CODES[code]?.title.en).toBe(title);
  expect(await provoke[cause]?.(skip)).toEqual({ code, exit, worker });
});
