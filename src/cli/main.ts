#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { CommanderError } from 'commander';
import {
  type Context,
  EXIT,
  type ExitCode,
  programVersion,
  tableFolder,
  workspaceFolder,
} from '../app/context.js';
import type { Call } from '../app/profile.js';
import { proxySettings } from '../client/address.js';
import type { Language } from '../core/issue.js';
import type { CommandSpec } from './command-table.js';
import { tellFailure, usageError } from './failure.js';
import { createProgram } from './program.js';
import { askSecret, askText, askYes, createTerminal, type Terminal } from './terminal.js';

/** The language is needed before the options are read, to say what is wrong with them. */
function languageOf(argv: readonly string[], env: NodeJS.ProcessEnv): Language {
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

function createContext(terminal: Terminal, env: NodeJS.ProcessEnv): Context {
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
    ask: {
      yes: (question) => askYes(terminal, question),
      secret: (question) => askSecret(terminal, question),
      text: (question) => askText(terminal, question),
    },
    onInterrupt,
  };
}

/** What a profile adds to the call of a command that takes one. */
async function complete(call: Call, spec: CommandSpec): Promise<Call> {
  if (!spec.options.includes('profile')) return call;
  return (await import('../app/profile.js')).withProfile(call);
}

/** Tables that were loaded on this machine stand before the shipped lists. */
async function withTables<T>(workspace: string, work: () => Promise<T>): Promise<T> {
  const folder = tableFolder(workspace);
  if (!existsSync(folder)) return work();
  const { withLoadedTables } = await import('../schema/catalogue.js');
  return withLoadedTables(folder, work);
}

async function main(argv: readonly string[]): Promise<ExitCode> {
  const { env, stdin, stdout, stderr } = process;
  const language = languageOf(argv, env);
  const terminal = createTerminal({ stdin, stdout, stderr, language, noColour: Boolean(env['NO_COLOR']) });
  process.on('uncaughtException', (error) => {
    void tellFailure(error, terminal, argv).then((code) => process.exit(code));
  });
  let code: ExitCode = EXIT.fine;
  const program = createProgram({
    language,
    version: programVersion(),
    write: (text) => stdout.write(text),
    dispatch: async (spec, args, options) => {
      const run = await spec.load();
      const call = await complete({ context: createContext(terminal, env), options }, spec);
      code = await withTables(call.context.workspace, () => run(call.context, args, call.options));
    },
  });
  if (argv.length === 0) {
    terminal.say(program.helpInformation());
    return EXIT.usage;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return tellFailure(error, terminal, argv);
    return error.exitCode === 0 ? EXIT.fine : tellFailure(usageError(error, argv), terminal, argv);
  }
}

// `cargue … | head`: the reader has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.fine : EXIT.usage);
});

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

const code = await main(process.argv.slice(2));
await Promise.all([written(process.stdout), written(process.stderr)]);
// Said outright: after thousands of connections that broke, Node was seen to wait at its end for one of them for ever.
process.exit(code);
