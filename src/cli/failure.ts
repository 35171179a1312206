import type { Issue } from '../issues/issue.js';
import { PipelineError } from '../issues/pipeline-error.js';
import { EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-code.js';
import { issueEvent, issueLine } from './issue-line.js';
import type { Terminal } from './terminal.js';

const unexpected = (error: unknown): Issue => ({
  code: 'run/unexpected',
  level: 'error',
  params: { reason: error instanceof Error ? error.message.split('\n')[0]! : String(error) },
  place: {},
});

/** What technical people want to see: the stack of the cause, or of the error itself. */
const detailOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const deepest = cause instanceof Error ? cause : error;
  return deepest instanceof Error ? (deepest.stack ?? deepest.message) : String(deepest);
};

/**
 * Says why the run stopped: a line for people, an event for programs that asked for them, a stack only with `--debug`.
 * Returns what the shell is told.
 */
export async function tellFailure(
  error: unknown,
  terminal: Terminal,
  argv: readonly string[],
): Promise<ExitCode> {
  const known = error instanceof PipelineError;
  const { language } = terminal;
  // Rules are worded in files of their own; they are loaded only when something went wrong.
  const { ruleEntry } = await import('../schema/rules.js');
  terminal.status('');
  for (const issue of known ? error.issues : [unexpected(error)]) {
    if (argv.includes('--json')) terminal.out(JSON.stringify(issueEvent(issue, language, ruleEntry)));
    terminal.say(terminal.paint('red', '✗ ') + issueLine(issue, language, ruleEntry));
  }
  if (argv.includes('--debug')) terminal.say(detailOf(error));
  return known ? EXIT_OF_ERROR[error.key] : EXIT.defect;
}
