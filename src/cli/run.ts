import type { Context, Outcome, UseCase } from '../app/context.js';
import { maskFor } from '../app/mask.js';
import { formatNextCommand, quotedCommands } from '../app/next-command.js';
import { EXIT, type ExitCode } from './failure.js';
import type { Options } from './options.js';
import { askOn, createRenderer, type Prompts } from './render.js';
import type { Terminal } from './terminal.js';

/** Context of a call without its callbacks, and its terminal. */
export interface TerminalContext extends Omit<Context, 'tell' | 'taken' | 'ask'> {
  readonly terminal: Terminal;
  readonly prompts: Prompts;
}

/** Adds callbacks that print on the terminal and, if there is a user, ask there. */
export function onTerminal<C extends TerminalContext>(call: C, options: Options): C & Context {
  const { terminal, prompts } = call;
  const { json = false, showValues } = options;
  const command = (next: string, isLocal: boolean): string => formatNextCommand(call, options, next, isLocal);
  const { ask: _, ...context } = call as C & Partial<Pick<Context, 'ask'>>;
  // Environment variables stay set in the shell.
  terminal.completing((line) =>
    quotedCommands(line, (words, isLocal) =>
      formatNextCommand({ profile: call.profile }, options, words, isLocal),
    ),
  );
  return {
    ...(context as C),
    tell: createRenderer(terminal, { json, mask: maskFor(showValues), command }),
    taken: () => terminal.drained(),
    ...(terminal.interactive && { ask: askOn(terminal, prompts, { json, command }) }),
  };
}

const EXIT_OF: Readonly<Record<Outcome, ExitCode>> = {
  fine: EXIT.fine,
  'data-errors': EXIT.dataErrors,
  usage: EXIT.usage,
  unreachable: EXIT.unreachable,
  unfinished: EXIT.unfinished,
  interrupted: EXIT.interrupted,
};

/** Runs a use case on a terminal; returns the exit code. */
export async function runOnTerminal(
  useCase: UseCase,
  call: TerminalContext,
  args: readonly string[],
  options: Options,
): Promise<ExitCode> {
  return EXIT_OF[await useCase(onTerminal(call, options), args, options)];
}
