import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { proxySettings } from '../client/address.js';
import type { Language } from '../core/issue.js';
import type { TerminalContext } from './run.js';
import { askSecret, askText, askYes, type Terminal } from './terminal.js';

/** The language is needed before the options are read, to say what is wrong with them. */
export function languageOf(argv: readonly string[], env: NodeJS.ProcessEnv): Language {
  const at = argv.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  const said = at < 0 ? env['CARGUE_LANG'] : (argv[at]!.split('=')[1] ?? argv[at + 1]);
  return said === 'en' ? 'en' : 'es';
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function onInterrupt(first: () => void, second: () => void): () => void {
  let times = 0;
  const listener = (): void => {
    times += 1;
    if (times === 1) first();
    else second();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return ''; // a system that does not know its user
  }
}

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

/** What the environment says of a call. */
export function callFrom(
  { env, stdin }: { readonly env: NodeJS.ProcessEnv; readonly stdin: NodeJS.ReadableStream },
  terminal: Terminal,
): TerminalContext {
  return {
    terminal,
    language: terminal.language,
    now: () => new Date(),
    ...(env['CARGUE_URL'] && { url: env['CARGUE_URL'] }),
    ...(env['CARGUE_TOKEN'] && { token: env['CARGUE_TOKEN'] }),
    ...(env['CARGUE_PROFILE'] && { profileName: env['CARGUE_PROFILE'] }),
    ...(env['CARGUE_SOFTWARE_PIN'] && { softwarePin: env['CARGUE_SOFTWARE_PIN'] }),
    ...(env['CARGUE_SISPRO_PASSWORD'] && { sisproPassword: env['CARGUE_SISPRO_PASSWORD'] }),
    proxies: proxySettings(env),
    account: accountName(),
    workspace: workspaceFolder(env),
    piped: () => text(stdin),
    prompts: {
      yes: (question) => askYes(terminal, question),
      secret: (question) => askSecret(terminal, question),
      text: (question) => askText(terminal, question),
    },
    onInterrupt,
  };
}
