import type { Context } from './context.js';
import { companyOf } from './journal-access.js';
import type { Options } from './options.js';
import { formatCount, type Phrase, say } from './say.js';
import type { SpooledRun } from './spooling.js';

/** `1750905.00` → `1.750.905,00`, without passing through a float. */
export function formatMoney(amount: string, language: 'es' | 'en'): string {
  const [whole = '', cents = '00'] = amount.split('.');
  const [thousands, decimal] = language === 'es' ? ['.', ','] : [',', '.'];
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands) + decimal + cents;
}

/** What is about to happen, for the person who must say yes. */
export function sayPlan(
  { terminal, language }: Context,
  options: Options,
  url: URL,
  spooled: SpooledRun,
): void {
  const { findings, planned, earlier, blocked, totals } = spooled;
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>>): void =>
    terminal.say(say(language, phrase, params));
  const count = (number: number): string => formatCount(number, language);
  terminal.say();
  line('company', { company: companyOf(options) });
  line('service', { url: url.href });
  if (options.testSet === undefined) line('production', {});
  else line('testSet', { testSet: options.testSet });
  line('toSend', { count: count(planned) });
  if (planned > 0)
    for (const name of ['accrued', 'deductions', 'net'] as const)
      line(name, { amount: formatMoney(totals[name], language) });
  if (earlier > 0) line('already', { count: count(earlier) });
  if (blocked > 0) line('blocked', { count: count(blocked) });
  line('issues', { errors: count(findings.errors + blocked), warnings: count(findings.warnings) });
}
