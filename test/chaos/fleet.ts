import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PIN } from '../send/support.js';
import { type CutLine, openLine } from './cut-line.js';

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const CLOCK = fileURLToPath(new URL('shifted-clock.cjs', import.meta.url));

/** The token of a company, where a worker looks for it. */
export function writeProfile(workspace: string, nit: string, url: string, token: string, pin = PIN): void {
  const folder = join(workspace, 'profiles');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const text = [
    `url: ${url}`,
    'environment: production',
    `company: { nit: '${nit}' }`,
    `token: '${token}'`,
    ...(pin === '' ? [] : [`software_pin: '${pin}'`]),
    'timeouts: { answer: 2 }',
  ];
  writeFileSync(join(folder, `c${nit}.yaml`), text.join('\n'), { mode: 0o600 });
}

/** What a worker wrote, a line each. */
export type Said = Readonly<Record<string, unknown>>;

export interface FleetWorker {
  readonly child: ChildProcess;
  readonly said: readonly Said[];
  /** Whether it was ended by us. */
  killed: boolean;
}

export interface FleetOptions {
  /** Address of the database. */
  readonly database: string;
  readonly workspace: string;
  readonly places: number;
  readonly args?: readonly string[];
  /** Milliseconds that the clock of the worker of that number is off. @default 0 */
  readonly shift?: (number: number) => number;
}

/** Starts a worker, as people do. */
export function startWorker(number: number, options: FleetOptions): FleetWorker {
  const { database, workspace, places, args = [], shift } = options;
  const child = spawn(
    process.execPath,
    ['--require', CLOCK, PROGRAM, 'worker', '--debug', '--concurrency', String(places), ...args],
    {
      env: {
        PATH: process.env['PATH'],
        CARGUE_JOURNAL: database,
        CARGUE_WORKSPACE: workspace,
        CARGUE_TEST_SHIFT: String(shift?.(number) ?? 0),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const said: Said[] = [];
  const worker: FleetWorker = { child, said, killed: false };
  createInterface({ input: child.stdout! }).on('line', (text) => {
    said.push(JSON.parse(text) as Said);
  });
  let errors = '';
  child.stderr!.on('data', (text) => (errors += text));
  child.once('exit', (code) => {
    if (!worker.killed && code !== 0) console.error(`worker ended with ${code}: ${errors}`);
  });
  return worker;
}

/** One whose line to the database can be cut. */
export interface LinedWorker {
  readonly worker: FleetWorker;
  readonly line: CutLine;
}

export async function startOnLine(number: number, options: FleetOptions): Promise<LinedWorker> {
  const address = new URL(options.database);
  const line = await openLine(address.hostname, Number(address.port));
  address.port = String(line.port);
  const worker = startWorker(number, { ...options, database: address.href });
  worker.child.once('exit', () => void line.close());
  return { worker, line };
}

export async function endWorker(worker: FleetWorker, signal: NodeJS.Signals): Promise<number | null> {
  worker.killed = true;
  if (worker.child.exitCode !== null || worker.child.signalCode !== null) return worker.child.exitCode;
  const gone = once(worker.child, 'exit');
  worker.child.kill(signal);
  if (signal !== 'SIGKILL') worker.child.kill('SIGCONT');
  const [code] = (await gone) as [number | null];
  return code;
}
