import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../cli/terminal.js';
import type { ProxySettings } from '../client/address.js';
import type { Language, PipelineErrorKey } from '../core/issue.js';
import { packageFile } from '../core/package-file.js';
import type { Family } from '../families/family.js';
import { FAMILIES } from '../families/registry.js';
import type { Options } from './options.js';

export type Environment = 'test' | 'production';

export interface ActiveProfile {
  readonly name: string;
  /** What it says by itself. */
  readonly own: Pick<Options, 'company' | 'url' | 'ca'>;
  /** Undefined where another address than the profile's is used. */
  readonly environment?: Environment;
  readonly companyName?: string;
  /** In seconds. */
  readonly connectTimeout?: number;
}

/** What a command gets from outside: nothing below reads the environment or the clock by itself. */
export interface Context {
  readonly terminal: Terminal;
  readonly language: Language;
  readonly now: () => Date;
  /** Of CARGUE_URL, CARGUE_TOKEN. */
  readonly url?: string;
  readonly token?: string;
  /** Of CARGUE_SOFTWARE_PIN. */
  readonly softwarePin?: string;
  /** Of CARGUE_SISPRO_PASSWORD. */
  readonly sisproPassword?: string;
  /** Of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly proxies?: ProxySettings;
  /** Of the person at this machine, as the system calls it. */
  readonly account?: string;
  /** Of CARGUE_PROFILE. */
  readonly profileName?: string;
  /** What is in force of a profile beside options and secrets. */
  readonly profile?: ActiveProfile;
  /** Folder of the journals and profiles. */
  readonly workspace: string;
  /** Asks a person; only where `terminal.interactive`. */
  readonly ask: {
    /** No, unless it is a clear yes. */
    yes(question: string): Promise<boolean>;
    /** Not shown while typed; blank when nothing was said. */
    secret(question: string): Promise<string>;
    /** What was typed, trimmed; blank when nothing was said. */
    text(question: string): Promise<string>;
  };
  /** Of the documents that this call knows. @default FAMILIES */
  readonly families?: readonly Family[];
  /** Calls back at the first and the second Ctrl-C; returns how to stop listening. */
  onInterrupt(first: () => void, second: () => void): () => void;
}

export const familiesOf = ({ families = FAMILIES }: Context): readonly Family[] => families;

/** A use case. */
export type UseCase = (context: Context, args: readonly string[], options: Options) => Promise<ExitCode>;

/** What the program tells the shell. */
export const EXIT = {
  fine: 0,
  dataErrors: 1,
  usage: 2,
  unreachable: 3,
  unfinished: 4,
  /** A defect of the program itself: EX_SOFTWARE of sysexits. */
  defect: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_ERROR: Readonly<Record<PipelineErrorKey, ExitCode>> = {
  usage: EXIT.usage,
  mapping: EXIT.usage,
  journal: EXIT.usage,
  output: EXIT.usage,
  unfinished: EXIT.unfinished,
  busy: EXIT.unfinished,
  input: EXIT.dataErrors,
  service: EXIT.unreachable,
};

/** As package.json has it. */
export const programVersion = (): string =>
  (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;

/** Where the journals live: what CARGUE_WORKSPACE says, else the user's data folder as each platform has it. */
export function workspaceFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const given = env['CARGUE_WORKSPACE'];
  if (given) return given;
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'cargue');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'cargue');
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'cargue');
}

/** Where the tables that were loaded on this machine lie. */
export const tableFolder = (workspace: string): string => join(workspace, 'catalogues');
