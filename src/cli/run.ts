import type { Context, Outcome, UseCase } from '../app/context.js';
import { maskFor } from '../app/mask.js';
import { EXIT, type ExitCode } from './failure.js';
import type { Options } from './options.js';
import { askOn, createRenderer, type Prompts } from './render.js';
import type { Terminal } from './terminal.js';

/** A word as a shell reads it back. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * `cargue resume 2026-10-03-1 --profile andina`: a command about what this call worked on, to be pasted into any shell. It
 * names what the call was told by options, environment or profile; of what the profile says itself, its name is enough.
 */
export function followUp(
  { profile, url }: Pick<Context, 'profile' | 'url'>,
  options: Options,
  command: string,
): string {
  const said = profile?.own;
  const needed = Object.entries({
    profile: profile?.name,
    company: options.company === said?.company ? undefined : options.company,
    url:
      url !== undefined && options.url === undefined && url === said?.url ? undefined : (options.url ?? url),
    ca: options.ca === said?.ca ? undefined : options.ca,
  });
  const flags = needed.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['cargue', command, ...flags].join(' ');
}

/** What a call gets from outside, and the terminal that it is on. */
export interface TerminalContext extends Omit<Context, 'tell' | 'taken' | 'ask'> {
  readonly terminal: Terminal;
  readonly prompts: Prompts;
}

/** Shows on the terminal what is told, and asks there where a person can answer. */
export function onTerminal<C extends TerminalContext>(call: C, options: Options): C & Context {
  const { terminal, prompts } = call;
  const { json = false, showValues } = options;
  const command = (next: string, local: boolean): string => {
    const { ca: _, ...rest } = options; // where the service is not called, its certificates do not matter
    return followUp(call, local ? rest : options, next);
  };
  const { ask: _, ...context } = call as C & Partial<Pick<Context, 'ask'>>;
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

/** Runs a use case on a terminal. Returns what the shell is told. */
export async function runOnTerminal(
  useCase: UseCase,
  call: TerminalContext,
  args: readonly string[],
  options: Options,
): Promise<ExitCode> {
  return EXIT_OF[await useCase(onTerminal(call, options), args, options)];
}
