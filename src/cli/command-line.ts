import { userInfo } from 'node:os';
import { type Argument, Command, CommanderError, Option } from 'commander';
import { programVersion, withTables } from '../app/context.js';
import type { Loaders } from '../families/family.js';
import type { Text } from '../generated/issue-codes.js';
import {
  ABOUT,
  AFTER,
  ARGUMENT_TEXTS,
  COMMAND_TEXTS,
  COMMAND_WORD,
  EXAMPLES,
  EXAMPLES_WORD,
  GROUPS,
  HELP,
  OPTION_GROUPS,
  OPTION_TEXTS,
  OPTIONS_WORD,
  PLACEHOLDERS,
  TITLES,
  VERSION,
} from '../generated/texts-help.js';
import type { Language } from '../toolkit/core/issue.js';
import { COMMANDS, type CommandSpec } from './command-table.js';
import { commandIn, EXIT, type ExitCode, tellFailure, usageError } from './failure.js';
import { groupOf, OPTIONS, type OptionName, type OptionSpec, type Options } from './options.js';
import type { TerminalContext } from './run.js';
import { askSecret, askText, askYes, createTerminal, type Sink, type Terminal } from './terminal.js';
import { workspaceFolder } from './workspace.js';

/** Finds the language before options are parsed, for messages about them. */
function languageOf(argv: readonly string[], env: NodeJS.ProcessEnv): Language {
  const at = argv.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  const value = at < 0 ? env['CARGUE_LANG'] : (argv[at]?.split('=')[1] ?? argv[at + 1]);
  return value === 'en' ? 'en' : 'es';
}

/** Signals that stop a command; closing the window is one. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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

/** Returns the variables with this prefix, by the rest of their names. */
const variablesAfter = (start: string, env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(start) && value !== undefined ? [[name.slice(start.length), value]] : [],
    ),
  );

async function callFrom(
  { env, stdin }: { readonly env: NodeJS.ProcessEnv; readonly stdin: NodeJS.ReadableStream },
  terminal: Terminal,
): Promise<TerminalContext> {
  const { proxySettings } = await import('../client/address.js');
  return {
    terminal,
    language: terminal.language,
    now: () => new Date(),
    ...(env['CARGUE_URL'] && { url: env['CARGUE_URL'] }),
    ...(env['CARGUE_TOKEN'] && { token: env['CARGUE_TOKEN'] }),
    ...(env['CARGUE_JOURNAL'] && { journal: env['CARGUE_JOURNAL'] }),
    ...(env['CARGUE_PROFILE'] && { profileName: env['CARGUE_PROFILE'] }),
    ...(env['CARGUE_NIT'] && { nit: env['CARGUE_NIT'] }),
    ...(env['CARGUE_SOFTWARE_PIN'] && { softwarePin: env['CARGUE_SOFTWARE_PIN'] }),
    ...(env['CARGUE_SISPRO_PASSWORD'] && { sisproPassword: env['CARGUE_SISPRO_PASSWORD'] }),
    ...(env['CARGUE_OIDC_SECRET'] && { oidcSecret: env['CARGUE_OIDC_SECRET'] }),
    sandboxVariables: variablesAfter('CARGUE_SANDBOX_', env),
    proxies: proxySettings(env),
    account: accountName(),
    workspace: workspaceFolder(env),
    folder: process.cwd(),
    piped: async () => process.getBuiltinModule('node:stream/consumers').text(stdin),
    prompts: {
      yes: (question) => askYes(terminal, question),
      secret: (question) => askSecret(terminal, question),
      text: (question) => askText(terminal, question),
    },
    onInterrupt,
  };
}

interface ProgramOptions {
  readonly language: Language;
  readonly version: string;
  readonly write: (text: string) => void;
  /** Width of the help in columns. @default 100 */
  readonly width?: number;
  /** Families of documents; commands that none of them supports are left out. @default all families */
  readonly families?: readonly Loaders[];
  /** Words of the call; commands they cannot mean get no options. @default all commands get theirs */
  readonly words?: readonly string[];
  readonly dispatch: (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;
}

const GROUP_ORDER = Object.keys(OPTION_GROUPS);

const byGroup = (options: readonly OptionName[]): readonly OptionName[] =>
  [...options].sort((a, b) => GROUP_ORDER.indexOf(groupOf(a)) - GROUP_ORDER.indexOf(groupOf(b)));

/** Translates placeholders: `--params <FILE>` → `--params <ARCHIVO>`. */
const inLanguage = (form: string, language: Language): string =>
  form.replaceAll(
    /(?<=[<[])[^>\]]+/g,
    (name) => (PLACEHOLDERS as Readonly<Record<string, Text>>)[name]?.[language] ?? name,
  );

function optionOf(name: OptionName, language: Language): Option {
  const { flags, read, repeat }: OptionSpec = OPTIONS[name];
  const option = new Option(inLanguage(flags, language), OPTION_TEXTS[name][language]).helpGroup(
    OPTION_GROUPS[groupOf(name)][language],
  );
  // Commander stores values under the long flag's name, which is the table's key.
  if (repeat) return option.argParser((value: string, before: string[] = []) => [...before, value]);
  return read === undefined ? option : option.argParser(read);
}

/** Creates the commander program: words and options only. */
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
  const { families } = options;
  for (const spec of COMMANDS) {
    const { needs } = spec;
    if (needs && families?.every((family) => family[needs] === undefined)) continue;
    const words = spec.name.split(' ');
    const args = Object.entries(spec.args ?? {});
    const [group = '', verb = group] = words;
    const parent = words.length === 2 ? parentOf(group) : program;
    const command = finish(parent.command(verb, { hidden: spec.hidden === true }))
      .description(COMMAND_TEXTS[spec.name][language])
      .usage([...args.map(([form]) => inLanguage(form, language)), OPTIONS_WORD[language]].join(' '));
    for (const [form, text] of args)
      command.argument(inLanguage(form, language), ARGUMENT_TEXTS[text][language]);
    if (options.words !== undefined && !words.every((word) => options.words?.includes(word))) continue;
    command.addHelpText('after', examplesOf(spec, language));
    if (spec.after !== undefined) command.addHelpText('after', spec.after);
    for (const name of byGroup(spec.options)) command.addOption(optionOf(name, language));
    command.action(() => options.dispatch(spec, command.args, command.opts<Options>()));
  }
  return program;
}

const examplesOf = ({ name }: CommandSpec, language: Language): string =>
  ['', EXAMPLES_WORD[language], ...EXAMPLES[name][language].split('\n').map((line) => `  ${line}`)].join(
    '\n',
  );

const argumentTerm = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};

/** Runs a command, loading only its code. */
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
  const { withProject } = await import('../app/project.js');
  const { withProfile } = await import('../app/profile.js');
  const readsFiles = Object.keys(spec.args ?? {}).some((form) => form.startsWith('<FILE...'));
  const takes = (option: OptionName): boolean =>
    spec.options.includes(option) && (readsFiles || option === 'profile' || option === 'company');
  const inProject = spec.name === 'new' ? (call: typeof here) => call : withProject;
  const here = { context: onTerminal(call, options), options, args, takes };
  const profiled = await withProfile(inProject(here));
  return withTables(call, () => runOnTerminal(useCase, profiled.context, args, profiled.options));
}

/** Streams and environment of the process; replaced in tests. */
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

/** Returns the width of the help: the terminal's, up to 120 columns. */
const widthOf = ({ columns = 100 }: Sink): number => Math.max(60, Math.min(columns, 120));

/** Turns `cargue help send` into `cargue send --help`; a word that is no command has no help, so that it is refused. */
function normalised([first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const words = first === 'help' ? [...rest, '--help'] : [first, ...rest];
  const [verb = '', noun = ''] = words;
  if (verb.startsWith('-')) return words;
  const isGroup = verb in GROUPS && (noun === '' || noun.startsWith('-'));
  const isKnown = isGroup || commandIn(words) !== undefined;
  return isKnown ? words : words.filter((word) => word !== '--help' && word !== '-h');
}

/** Runs a command line; returns the exit code. */
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
    width: widthOf(surroundings.stdout),
    words: argv,
    dispatch: async (spec, args, options) => {
      code = await runCommand(spec, await callFrom(surroundings, terminal), args, options);
    },
  });
  if (argv.length === 0) {
    terminal.print(program.helpInformation());
    return EXIT.usage;
  }
  try {
    await program.parseAsync(normalised(argv), { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return tellFailure(error, terminal, argv);
    return error.exitCode === 0 ? EXIT.fine : tellFailure(usageError(error, argv), terminal, argv);
  }
}
