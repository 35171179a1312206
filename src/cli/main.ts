#!/usr/bin/env node
import { CommanderError } from 'commander';
import { programVersion, withTables } from '../app/context.js';
import type { CommandSpec } from './command-table.js';
import { callFrom, languageOf } from './environment.js';
import { EXIT, type ExitCode, tellFailure, usageError } from './failure.js';
import type { Options } from './options.js';
import { createProgram } from './program.js';
import type { TerminalContext } from './run.js';
import { createTerminal } from './terminal.js';

/** Runs a command; what only it needs is loaded here. */
async function runCommand(
  spec: CommandSpec,
  call: TerminalContext,
  args: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { onTerminal, runOnTerminal } = await import('./run.js');
  const useCase = await spec.load();
  if (!spec.options.includes('profile'))
    return withTables(call, () => runOnTerminal(useCase, call, args, options));
  const { withProfile } = await import('../app/profile.js');
  const whole = await withProfile({ context: onTerminal(call, options), options });
  return withTables(call, () => runOnTerminal(useCase, whole.context, args, whole.options));
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
      code = await runCommand(spec, callFrom(env, terminal), args, options);
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
