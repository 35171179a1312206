import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../src/cli/command-line.js';
import { readOutput } from '../support/output-schema.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What `--json` said, a line each. */
  readonly events: readonly Event[];
}

export interface Event {
  readonly event: string;
  readonly code?: string;
  readonly [key: string]: unknown;
}

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'cargue-cli-'));

const readEvents = (stdout: string): readonly Event[] =>
  readOutput(stdout.split('\n').filter((line) => line.startsWith('{"event"')));

/** The settings of whoever runs the tests must not reach the program. */
const environment = (env: Readonly<Record<string, string>>, folder: string): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CARGUE|VITEST|NODE_OPTIONS)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    NO_COLOR: '1',
    CARGUE_WORKSPACE: join(folder, 'workspace'),
    ...env,
  };
};

export interface Call {
  /** Current folder, and the parent of the default workspace. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Starts the program as a person does; nothing can answer its questions. */
export function startCli(args: readonly string[], { folder = freshFolder(), env = {}, input }: Call = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: environment(env, folder),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  return child;
}

/** Runs the program to its end. */
export function runCli(args: readonly string[], call?: Call): Promise<Finished> {
  const child = startCli(args, call);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, events: readEvents(stdout) }));
  });
}

/** Runs the program to its end within the process of the test, for what needs none of its own. */
export async function callCli(
  args: readonly string[],
  { folder = freshFolder(), env = {}, input = '' }: Call = {},
): Promise<Finished> {
  const said = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text;
      return true;
    },
    once: () => undefined,
  });
  const before = process.cwd();
  process.chdir(folder);
  try {
    const code = await runCommandLine(args, {
      env: environment(env, folder),
      stdin: Readable.from([input]),
      stdout: sink('stdout'),
      stderr: sink('stderr'),
    });
    return { code, ...said, events: readEvents(said.stdout) };
  } finally {
    process.chdir(before);
  }
}

/** Codes of the issues that `--json` told, in order. */
export const codesOf = ({ events }: Finished): readonly (string | undefined)[] =>
  events.filter(({ event }) => event === 'issue').map(({ code }) => code);
