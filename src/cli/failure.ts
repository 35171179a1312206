import type { CommanderError } from 'commander';
import { GROUPS } from '../generated/texts-help.js';
import { issueOf, issuesOf, PipelineError, type PipelineErrorKey } from '../toolkit/core/issue.js';
import { suggest } from '../toolkit/core/text.js';
import { COMMANDS } from './command-table.js';
import { OPTIONS } from './options.js';
import { Interrupted, type Terminal } from './terminal.js';

export const EXIT = {
  fine: 0,
  dataErrors: 1,
  usage: 2,
  unreachable: 3,
  unfinished: 4,
  /** Defect of the program: EX_SOFTWARE of sysexits. */
  defect: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_ERROR: Readonly<Record<PipelineErrorKey, ExitCode>> = {
  usage: EXIT.usage,
  mapping: EXIT.usage,
  journal: EXIT.usage,
  away: EXIT.unreachable,
  output: EXIT.usage,
  unfinished: EXIT.unfinished,
  busy: EXIT.unfinished,
  input: EXIT.dataErrors,
  service: EXIT.unreachable,
};

const detailOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const deepest = cause instanceof Error ? cause : error;
  return deepest instanceof Error ? (deepest.stack ?? deepest.message) : String(deepest);
};

/** Prints why a run stopped: a line for users, an event for `--json`, a stack for `--debug`. Returns the exit code. */
export async function tellFailure(
  error: unknown,
  terminal: Terminal,
  argv: readonly string[],
): Promise<ExitCode> {
  if (error instanceof Interrupted || (error as Error | undefined)?.cause instanceof Interrupted)
    return EXIT.interrupted;
  const known = error instanceof PipelineError;
  const { language } = terminal;
  // Issue texts are loaded only after a failure.
  const [{ ruleEntry }, { issueEvent }, { issueLine }] = await Promise.all([
    import('../toolkit/schema/rule-data.js'),
    import('../toolkit/messages/wording.js'),
    import('./issue-printer.js'),
  ]);
  terminal.status('');
  for (const issue of issuesOf(error)) {
    if (argv.includes('--json')) terminal.out(JSON.stringify(issueEvent(issue, language, ruleEntry)));
    terminal.print(terminal.paint('red', '✗ ') + issueLine(issue, language, ruleEntry));
  }
  if (argv.includes('--debug')) terminal.print(detailOf(error));
  return known ? EXIT_OF_ERROR[error.key] : EXIT.defect;
}

const CODES = {
  'commander.unknownCommand': 'run/unknown-command',
  'commander.unknownOption': 'run/unknown-option',
  'commander.missingArgument': 'run/missing-argument',
  'commander.optionMissingArgument': 'run/missing-value',
  'commander.excessArguments': 'run/extra-argument',
} as const;

/** Returns the command that the words name: `check`, `mapping lint`, or undefined. */
export const commandIn = (words: readonly string[]): string | undefined =>
  COMMANDS.find(({ name }) => words.slice(0, 2).join(' ') === name || words[0] === name)?.name;

function candidates(code: string, words: readonly string[]): readonly string[] {
  if (code === 'run/unknown-command')
    return [
      ...COMMANDS.filter(({ hidden }) => !hidden).map(({ name }) => name.replace(/^.* /, '')),
      ...Object.keys(GROUPS),
    ];
  if (code !== 'run/unknown-option') return [];
  const spec = COMMANDS.find(({ name }) => name === commandIn(words));
  return (spec?.options ?? []).map((name) => /--[\w-]+/.exec(OPTIONS[name].flags)?.[0] ?? '');
}

/** Converts commander's error into an issue in the user's language. */
export function usageError(error: CommanderError, argv: readonly string[]): PipelineError {
  const code = CODES[error.code as keyof typeof CODES] ?? 'run/extra-argument';
  const words = argv.filter((word) => !word.startsWith('-'));
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  // In `--pin=…` the value of an unknown option may be a secret.
  const value = code === 'run/unknown-option' ? quoted.replace(/=.*$/s, '') : quoted;
  return new PipelineError(
    'usage',
    [
      {
        ...issueOf(code, 'error', { command: commandIn(words) ?? '' }),
        value,
        suggestions: suggest(value, candidates(code, words), 1),
      },
    ],
    // The cause's text would repeat the secret.
    quoted === value ? { cause: error } : {},
  );
}
