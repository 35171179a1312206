import type { Issue } from '../issues/issue.js';
import { PipelineError, stop } from '../issues/pipeline-error.js';
import type { Context } from './context.js';
import { issueLine } from './issue-line.js';
import type { Options } from './options.js';
import { readWithRights } from './private-file.js';
import { say } from './say.js';
import { fieldIssues, TRIES } from './setup/setup-value.js';

/** A PIN is never part of what is said about it. */
const faults = (pin: string): readonly Issue[] =>
  fieldIssues('payroll/software', 'pinpayroll', pin).map(({ value, ...issue }) => issue);

function checked(pin: string): string {
  const issues = faults(pin);
  if (issues.length > 0) throw new PipelineError('usage', issues);
  return pin;
}

async function fromFile(file: string): Promise<string> {
  const { text, open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'setup/pin-file', params: { reason: error.code ?? '' } }),
  );
  return open ? stop('usage', { code: 'setup/open-pin-file', value: file }) : text.trim();
}

/** Typed twice: a wrong PIN would only show in the rejection of every document. */
async function typedTwice({ terminal, language, ask }: Context): Promise<string> {
  for (let tries = 1; ; tries++) {
    const pin = await ask.secret(say(language, 'askPin'));
    const issues =
      faults(pin).length > 0
        ? faults(pin)
        : (await ask.secret(say(language, 'askPinAgain'))) === pin
          ? []
          : [{ code: 'setup/pins-differ', level: 'error', params: {}, place: {} } as const];
    if (issues.length === 0) return pin;
    if (tries === TRIES) throw new PipelineError('usage', issues);
    for (const issue of issues) terminal.say(terminal.paint('red', '✗ ') + issueLine(issue, language));
  }
}

/**
 * The PIN of the payroll software where nobody has to be asked: from a private file or CARGUE_SOFTWARE_PIN.
 * @throws PipelineError('usage', setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function givenPin({ softwarePin }: Context, { pinFile }: Options): Promise<string | undefined> {
  if (pinFile !== undefined) return checked(await fromFile(pinFile));
  return softwarePin === undefined ? undefined : checked(softwarePin);
}

/**
 * Asks for the PIN, once: it is only tried on codes that are there. Undefined when nothing is said, or no PIN.
 */
export async function pinToProve({ ask, language }: Context, count: number): Promise<string | undefined> {
  const pin = await ask.secret(say(language, 'askPinToProve', { count }));
  return pin === '' || faults(pin).length > 0 ? undefined : pin;
}

/**
 * The PIN of the payroll software: from a private file, CARGUE_SOFTWARE_PIN or a person; never an argument.
 * @throws PipelineError('usage', setup/needs-pin, setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function softwarePin(context: Context, options: Options): Promise<string> {
  const given = await givenPin(context, options);
  if (given !== undefined) return given;
  return context.terminal.interactive ? typedTwice(context) : stop('usage', { code: 'setup/needs-pin' });
}
