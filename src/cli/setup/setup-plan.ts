import type { Issue } from '../../issues/issue.js';
import { stop } from '../../issues/pipeline-error.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { createIssuePrinter } from '../issue-printer.js';
import { companyOf } from '../journal-access.js';
import type { Options } from '../options.js';
import { type Phrase, say } from '../say.js';
import { confirmed } from '../service.js';

/** One value that the call sets. */
export interface PlanLine {
  readonly name: Phrase;
  readonly value: string;
  /** Where it was another before. */
  readonly before?: string;
}

/** A change that a yes to the whole does not cover. */
export interface Grave {
  /** What a person is asked by itself. */
  readonly question: string;
  /** Whether an option said so already. */
  readonly allowed: boolean;
  /** Code of the refusal where `--yes` stands in for a person and no option allows it. */
  readonly needs: { readonly code: string; readonly params: Readonly<Record<string, string>> };
}

export interface SetupPlan {
  readonly url: URL;
  readonly lines: readonly PlanLine[];
  readonly warnings: readonly Issue[];
  readonly graves: readonly Grave[];
}

export const warning = (code: string, params: Issue['params'] = {}): Issue => ({
  code,
  level: 'warning',
  params,
  place: {},
});

/** Shows what the call will change. */
function sayPlan(
  { terminal, language }: Context,
  options: Options,
  { url, lines, warnings }: SetupPlan,
): void {
  terminal.say();
  terminal.say(say(language, 'company', { company: companyOf(options) }));
  terminal.say(say(language, 'service', { url: url.href }));
  terminal.say(say(language, 'planSoftware'));
  for (const { name, value, before } of lines) {
    const params = { name: say(language, name), value, before: before ?? '' };
    terminal.say(say(language, before === undefined ? 'planLine' : 'planChange', params));
  }
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
  for (const issue of warnings) printer.print(issue);
  printer.finish();
}

/** Each grave change by itself: a person's yes, or the option that says so beside `--yes`. */
async function gravesAllowed(context: Context, options: Options, graves: readonly Grave[]): Promise<boolean> {
  for (const { question, allowed, needs } of graves) {
    if (options.yes) {
      if (!allowed) stop('usage', needs);
    } else if (!(await confirmed(context, options, question))) return false;
  }
  return true;
}

/**
 * Shows the plan and asks. False when nothing is to be done, which is then said.
 * @throws PipelineError('usage', run/needs-yes, or what a grave change needs)
 */
export async function planAccepted(context: Context, options: Options, plan: SetupPlan): Promise<boolean> {
  const { terminal, language } = context;
  sayPlan(context, options, plan);
  if (options.dryRun) {
    terminal.say(say(language, 'dryConfigured'));
    return false;
  }
  const question = say(language, 'askConfigure', { url: plan.url.href, company: companyOf(options) });
  const yes =
    (await gravesAllowed(context, options, plan.graves)) && (await confirmed(context, options, question));
  if (!yes) terminal.say(say(language, 'notConfigured'));
  return yes;
}

/** The end for whoever reads: what the service stored otherwise, or the phrase of a good end. */
export function tellFaults(
  { terminal, language }: Context,
  options: Options,
  faults: readonly Issue[],
  fine: Phrase,
): ExitCode {
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
  for (const issue of faults) printer.print(issue);
  printer.finish();
  if (printer.errors > 0) return EXIT.dataErrors;
  terminal.say(say(language, fine));
  return EXIT.fine;
}
