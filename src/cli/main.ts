#!/usr/bin/env node
import { CommanderError } from 'commander';
import type { Issue, Language } from '../issues/issue.js';
import { PipelineError } from '../issues/pipeline-error.js';
import { askSecret, askYes } from './ask.js';
import type { Context } from './context.js';
import { EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-code.js';
import { issueEvent, issueLine } from './issue-line.js';
import { createProgram } from './program.js';
import { createTerminal, type Terminal } from './terminal.js';
import { usageError } from './usage-error.js';
import { programVersion } from './version.js';
import { workspaceFolder } from './workspace.js';

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

function createContext(terminal: Terminal, env: NodeJS.ProcessEnv): Context {
  return {
    terminal,
    language: terminal.language,
    now: () => new Date(),
    ...(env['CARGUE_URL'] && { url: env['CARGUE_URL'] }),
    ...(env['CARGUE_TOKEN'] && { token: env['CARGUE_TOKEN'] }),
    workspace: workspaceFolder(env),
    ask: {
      yes: (question) => askYes(terminal, question),
      secret: (question) => askSecret(terminal, question),
    },
    onInterrupt,
  };
}

const unexpected = (error: unknown): Issue => ({
  code: 'run/unexpected',
  level: 'error',
  params: { reason: error instanceof Error ? error.message.split('\n')[0]! : String(error) },
  place: {},
});

/** Says why the run stopped, to programs as an event when they asked for events. */
async function tell(error: unknown, terminal: Terminal, argv: readonly string[]): Promise<ExitCode> {
  const known = error instanceof PipelineError;
  const issues = known ? error.issues : [unexpected(error)];
  terminal.status('');
  // Rules have their wording in files of their own: read only when one is to be worded.
  const { ruleEntry } = issues.some(({ code }) => code.includes('/'))
    ? await import('../schema/rules.js')
    : { ruleEntry: undefined };
  for (const issue of issues) {
    if (argv.includes('--json'))
      terminal.out(JSON.stringify(issueEvent(issue, terminal.language, ruleEntry)));
    terminal.say(terminal.paint('red', '✗ ') + issueLine(issue, terminal.language, ruleEntry));
  }
  if (argv.includes('--debug'))
    terminal.say(String((error instanceof Error && (error.cause as Error)?.stack) || (error as Error).stack));
  return known ? EXIT_OF_ERROR[error.key] : EXIT.defect;
}

async function main(argv: readonly string[]): Promise<ExitCode> {
  const { env, stdin, stdout, stderr } = process;
  const language = languageOf(argv, env);
  const terminal = createTerminal({ stdin, stdout, stderr, language, noColour: Boolean(env['NO_COLOR']) });
  let code: ExitCode = EXIT.fine;
  const program = createProgram({
    language,
    version: programVersion(),
    write: (text) => stdout.write(text),
    dispatch: async (spec, args, options) => {
      const { run } = await spec.load();
      code = await run(createContext(terminal, env), args, options);
    },
  });
  try {
    if (argv.length === 0) {
      terminal.say(program.helpInformation());
      return EXIT.usage;
    }
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return tell(error, terminal, argv);
    return error.exitCode === 0 ? EXIT.fine : tell(usageError(error, argv), terminal, argv);
  }
}

// `cargue … | head`: the reader has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.fine : EXIT.usage);
});

process.exitCode = await main(process.argv.slice(2));
