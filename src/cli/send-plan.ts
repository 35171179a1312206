import type { Totals } from '../send/kind.js';
import type { Context } from './context.js';
import { companyText, targetText } from './environment.js';
import { formatMoney } from './money.js';
import type { Options } from './options.js';
import { formatCount, type Phrase, say } from './say.js';

/** What a run comes down to. */
export interface PlanFigures {
  readonly url: URL;
  readonly testSet: string | undefined;
  readonly planned: number;
  readonly totals: Totals;
  /** Accepted before. */
  readonly earlier: number;
  /** Not to be sent because of what the journal says. */
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** What is about to happen, for the person who must say yes. */
export function sayPlan(context: Context, options: Options, figures: PlanFigures): void {
  const { terminal, language } = context;
  const { url, testSet, planned, totals, earlier, blocked, errors, warnings } = figures;
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>>): void =>
    terminal.say(say(language, phrase, params));
  const count = (number: number): string => formatCount(number, language);
  terminal.say();
  line('company', { company: companyText(context, options) });
  line('service', { url: url.href });
  terminal.say(targetText(context, url, testSet));
  line('toSend', { count: count(planned) });
  if (planned > 0)
    for (const [name, amount] of Object.entries(totals))
      line(name as Phrase, { amount: formatMoney(amount, language) });
  if (earlier > 0) line('already', { count: count(earlier) });
  if (blocked > 0) line('blocked', { count: count(blocked) });
  line('issues', { errors: count(errors), warnings: count(warnings) });
}

/** Which run it is, and by which digest its content is known: the yes is for this. */
export const sayDigest = (
  { terminal, language }: Context,
  { json }: Options,
  { run, digest }: { readonly run: string; readonly digest: string },
): void => {
  if (json) terminal.out(JSON.stringify({ event: 'plan', run, digest }));
  terminal.say(say(language, 'theRun', { run, digest }));
};
