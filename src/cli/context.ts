import type { ProxySettings } from '../client/address.js';
import type { Language } from '../issues/issue.js';
import type { ExitCode } from './exit-code.js';
import type { Options } from './options.js';
import type { Terminal } from './terminal.js';

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
  /** Calls back at the first and the second Ctrl-C; returns how to stop listening. */
  onInterrupt(first: () => void, second: () => void): () => void;
}

/** What every module of commands/ exports as `run`. */
export type Run = (context: Context, args: readonly string[], options: Options) => Promise<ExitCode>;
