import { type Argument, Command, Option } from 'commander';
import type { Language } from '../core/issue.js';
import type { Text } from '../generated/issue-codes.js';
import {
  ABOUT,
  AFTER,
  ARGUMENT_TEXTS,
  COMMAND_TEXTS,
  COMMAND_WORD,
  GROUPS,
  HELP,
  OPTION_TEXTS,
  OPTIONS_WORD,
  TITLES,
  VERSION,
} from '../generated/texts-help.js';
import { COMMANDS, type CommandSpec } from './command-table.js';
import { OPTIONS, type OptionName, type Options } from './options.js';

/** Runs a command with what was typed. */
type Dispatch = (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;

interface ProgramOptions {
  readonly language: Language;
  readonly version: string;
  /** Where help goes. */
  readonly write: (text: string) => void;
  /** In columns. @default 100 */
  readonly width?: number;
  readonly dispatch: Dispatch;
}

function optionOf(name: OptionName, language: Language): Option {
  const { flags, read, repeat } = OPTIONS[name];
  const option = new Option(flags, OPTION_TEXTS[name][language]);
  // Commander files values under the long flag's name; the table's keys are those names.
  if (repeat) return option.argParser((value: string, before: string[] = []) => [...before, value]);
  return read === undefined ? option : option.argParser(read);
}

/** The command line as commander knows it: words and options only, no work. */
export function createProgram(options: ProgramOptions): Command {
  const { language } = options;
  const finish = (command: Command): Command =>
    command.helpOption('-h, --help', HELP[language]).helpCommand(false);
  const program = finish(new Command('cargue'))
    .description(ABOUT[language])
    .version(options.version, '-V, --version', VERSION[language])
    .usage(`${COMMAND_WORD[language]} ${OPTIONS_WORD[language]}`)
    .configureHelp({
      helpWidth: options.width ?? 100,
      styleTitle: (title) => (TITLES as Readonly<Record<string, Text>>)[title]?.[language] ?? title,
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map((argument) => argumentTerm(argument))].join(' '),
    })
    .configureOutput({ writeOut: options.write, writeErr: () => undefined, outputError: () => undefined })
    .showSuggestionAfterError(false)
    .addOption(optionOf('lang', language))
    .addHelpText('after', AFTER[language])
    .exitOverride();
  const groups = new Map<string, Command>();
  const parentOf = (group: string): Command => {
    const known = groups.get(group);
    if (known !== undefined) return known;
    const made = finish(program.command(group))
      .description((GROUPS as Readonly<Record<string, Text>>)[group]?.[language] ?? '')
      .usage(COMMAND_WORD[language]);
    groups.set(group, made);
    return made;
  };
  for (const spec of COMMANDS) {
    const words = spec.name.split(' ');
    const args = Object.entries(spec.args ?? {});
    const parent = words.length === 2 ? parentOf(words[0]!) : program;
    const command = finish(parent.command(words.at(-1)!, { hidden: spec.hidden === true }))
      .description(COMMAND_TEXTS[spec.name][language])
      .usage([OPTIONS_WORD[language], ...args.map(([form]) => form)].join(' '));
    if (spec.after !== undefined) command.addHelpText('after', spec.after);
    for (const [form, text] of args) command.argument(form, ARGUMENT_TEXTS[text][language]);
    for (const name of spec.options) command.addOption(optionOf(name, language));
    command.action(() => options.dispatch(spec, command.args, command.opts<Options>()));
  }
  return program;
}

const argumentTerm = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};
