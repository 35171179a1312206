import type { CommanderError } from 'commander';
import { PipelineError } from '../issues/pipeline-error.js';
import { suggest } from '../values/similar.js';
import { COMMANDS, GROUPS } from './command-table.js';
import { OPTIONS } from './options.js';

const CODES: Readonly<Record<string, string>> = {
  'commander.unknownCommand': 'run/unknown-command',
  'commander.unknownOption': 'run/unknown-option',
  'commander.missingArgument': 'run/missing-argument',
  'commander.optionMissingArgument': 'run/missing-value',
  'commander.excessArguments': 'run/extra-argument',
};

/** The command that the words of a call name: `check`, `mapping lint`, or nothing yet. */
const commandIn = (words: readonly string[]): string | undefined =>
  COMMANDS.find(({ name }) => words.slice(0, 2).join(' ') === name || words[0] === name)?.name;

function candidates(code: string, words: readonly string[]): readonly string[] {
  if (code === 'run/unknown-command')
    return [
      ...COMMANDS.filter(({ hidden }) => !hidden).map(({ name }) => name.split(' ').at(-1)!),
      ...Object.keys(GROUPS),
    ];
  if (code !== 'run/unknown-option') return [];
  const spec = COMMANDS.find(({ name }) => name === commandIn(words));
  return (spec?.options ?? []).map(
    (name) => OPTIONS[name].flags.split(/[ ,]+/).find((flag) => flag.startsWith('--'))!,
  );
}

/** Commander's complaint in our own words and the user's language. */
export function usageError(error: CommanderError, argv: readonly string[]): PipelineError {
  const code = CODES[error.code] ?? 'run/extra-argument';
  const words = argv.filter((word) => !word.startsWith('-'));
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  // `--pin=…`: what was given to an option that does not exist may be a secret.
  const value = quoted.startsWith('-') ? quoted.split('=')[0]! : quoted;
  return new PipelineError(
    'usage',
    [
      {
        code,
        level: 'error',
        params: { command: commandIn(words) ?? '' },
        place: {},
        value,
        suggestions: suggest(value, candidates(code, words), 1),
      },
    ],
    // Its text would repeat the secret.
    quoted === value ? { cause: error } : {},
  );
}
