import type { Context } from './context.js';
import { companyText, environmentOf } from './environment.js';
import { formatMoney } from './money.js';
import type { Options } from './options.js';
import { formatCount, type Phrase, say } from './say.js';
import type { SpooledRun } from './spooling.js';

/** What is about to happen, for the person who must say yes. */
export function sayPlan(context: Context, options: Options, url: URL, spooled: SpooledRun): void {
  const { terminal, language } = context;
  const { findings, planned, earlier, blocked, totals } = spooled;
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>>): void =>
    terminal.say(say(language, phrase, params));
  const count = (number: number): string => formatCount(number, language);
  terminal.say();
  line('company', { company: companyText(context, options) });
  line('service', { url: url.href });
  const environment = say(language, environmentOf(context, url, options.testSet));
  if (options.testSet === undefined) line('direct', { environment });
  else line('testSet', { environment, testSet: options.testSet });
  line('toSend', { count: count(planned) });
  if (planned > 0)
    for (const [name, amount] of Object.entries(totals))
      line(name as Phrase, { amount: formatMoney(amount, language) });
  if (earlier > 0) line('already', { count: count(earlier) });
  if (blocked > 0) line('blocked', { count: count(blocked) });
  line('issues', { errors: count(findings.errors + blocked), warnings: count(findings.warnings) });
}
