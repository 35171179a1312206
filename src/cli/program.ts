import { type Argument, Command, Option } from 'commander';
import type { Language } from '../core/issue.js';
import type { Text } from '../generated/issue-codes.js';
import { COMMANDS, type CommandSpec, GROUPS } from './command-table.js';
import { OPTIONS, type OptionName, type Options } from './options.js';

const ABOUT: Text = {
  es: 'Convierte la nómina en Excel, o los CSV de una clínica, en documentos electrónicos aceptados.',
  en: 'Turns the payroll workbook, or the CSVs of a clinic, into accepted electronic documents.',
};
const TITLES: Readonly<Record<string, Text>> = {
  'Usage:': { es: 'Uso:', en: 'Usage:' },
  'Arguments:': { es: 'Datos:', en: 'Arguments:' },
  'Options:': { es: 'Opciones:', en: 'Options:' },
  'Commands:': { es: 'Comandos:', en: 'Commands:' },
};
const HELP: Text = { es: 'muestra esta ayuda', en: 'show this help' };
const VERSION: Text = { es: 'muestra la versión', en: 'show the version' };
const OPTIONS_WORD: Text = { es: '[opciones]', en: '[options]' };
const COMMAND_WORD: Text = { es: '[comando]', en: '[command]' };
const AFTER: Text = {
  es: `
Entorno: CARGUE_URL, CARGUE_TOKEN, CARGUE_PROFILE, CARGUE_SOFTWARE_PIN, CARGUE_SISPRO_PASSWORD, CARGUE_WORKSPACE, CARGUE_LANG,
  HTTPS_PROXY, NO_PROXY
Un valor se toma de la opción; si falta, del entorno; luego del perfil; luego el valor por defecto.
Códigos de salida: 0 bien · 1 datos con errores o documentos rechazados · 2 uso o mapeo
  3 servicio sin respuesta · 4 sin terminar (use resume) · 70 defecto del programa · 130 interrumpido`,
  en: `
Environment: CARGUE_URL, CARGUE_TOKEN, CARGUE_PROFILE, CARGUE_SOFTWARE_PIN, CARGUE_SISPRO_PASSWORD, CARGUE_WORKSPACE, CARGUE_LANG,
  HTTPS_PROXY, NO_PROXY
A value is taken from the option; else from the environment; else from the profile; else the default.
Exit codes: 0 fine · 1 data with errors or documents rejected · 2 usage or mapping
  3 service out of reach · 4 unfinished (use resume) · 70 defect of the program · 130 interrupted`,
};

/** Runs a command with what was typed. */
export type Dispatch = (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;

export interface ProgramOptions {
  readonly language: Language;
  readonly version: string;
  /** Where help goes. */
  readonly write: (text: string) => void;
  /** In columns. @default 100 */
  readonly width?: number;
  readonly dispatch: Dispatch;
}

function optionOf(name: OptionName, language: Language): Option {
  const { flags, about, read, repeat } = OPTIONS[name];
  const option = new Option(flags, about[language]);
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
      styleTitle: (title) => TITLES[title]?.[language] ?? title,
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
      .description(GROUPS[group]?.[language] ?? '')
      .usage(COMMAND_WORD[language]);
    groups.set(group, made);
    return made;
  };
  for (const spec of COMMANDS) {
    const words = spec.name.split(' ');
    const parent = words.length === 2 ? parentOf(words[0]!) : program;
    const command = finish(parent.command(words.at(-1)!, { hidden: spec.hidden === true }))
      .description(spec.about[language])
      .usage([OPTIONS_WORD[language], ...spec.args.map(({ form }) => form)].join(' '));
    if (spec.after !== undefined) command.addHelpText('after', spec.after);
    for (const { form, about } of spec.args) command.argument(form, about[language]);
    for (const name of spec.options) command.addOption(optionOf(name, language));
    command.action(() => options.dispatch(spec, command.args, command.opts<Options>()));
  }
  return program;
}

const argumentTerm = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};
