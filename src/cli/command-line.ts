import { CommanderError } from 'commander';
import { programVersion, withTables } from '../app/context.js';
import type { CommandSpec } from './command-table.js';
import { callFrom, languageOf } from './environment.js';
import { EXIT, type ExitCode, tellFailure, usageError } from './failure.js';
import type { Options } from './options.js';
import { createProgram } from './program.js';
import type { TerminalContext } from './run.js';
import { createTerminal, type Sink, type Terminal } from './terminal.js';

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

/** What a call knows of its process; a test hands over its own. */
interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
}

export const terminalOf = (argv: readonly string[], { env, stdin, stdout, stderr }: Surroundings): Terminal =>
  createTerminal({
    stdin,
    stdout,
    stderr,
    language: languageOf(argv, env),
    noColour: Boolean(env['NO_COLOR']),
  });

/** Runs what was typed. Returns what the shell is told. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
  terminal = terminalOf(argv, surroundings),
): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  const program = createProgram({
    language: terminal.language,
    version: programVersion(),
    write: (text) => surroundings.stdout.write(text),
    dispatch: async (spec, args, options) => {
      code = await runCommand(spec, callFrom(surroundings, terminal), args, options);
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
