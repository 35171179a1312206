import { stop } from '../issues/pipeline-error.js';
import type { Totals } from '../send/kind.js';
import type { Context, Environment } from './context.js';
import { companyOf } from './journal-access.js';
import { formatMoney } from './money.js';
import type { Options } from './options.js';
import { formatCount, type Phrase, say } from './say.js';
import { isElsewhere } from './service.js';

/** As the profile says; without its word, what goes to another machine and to no test set is taken for final. */
export const environmentOf = ({ profile }: Context, url: URL, testSet: string | undefined): Environment =>
  profile?.environment ?? (testSet === undefined && isElsewhere(url) ? 'production' : 'test');

/** Where documents go, in one line: environment and test set. */
export const targetText = (context: Context, url: URL, testSet: string | undefined): string => {
  const { language } = context;
  const environment = say(language, environmentOf(context, url, testSet));
  return testSet === undefined
    ? say(language, 'direct', { environment })
    : say(language, 'testSet', { environment, testSet });
};

/** `Comercial Andina SAS (900123456)` */
export function companyText({ profile }: Context, options: Options): string {
  const company = companyOf(options);
  return profile?.companyName === undefined ? company : `${profile.companyName} (${company})`;
}

/** `Neto: 1.750.905,00` of each figure, where there are any. */
const totalsText = ({ language }: Context, totals: Totals): string =>
  Object.entries(totals)
    .map(([name, amount]) =>
      say(language, name as Phrase, { amount: formatMoney(amount, language) }).replaceAll(/\s+/g, ' '),
    )
    .join(', ');

export interface Leaving {
  readonly url: URL;
  /** Documents. */
  readonly count: number;
  readonly totals: Totals;
}

/**
 * The yes before documents become final: it names company, environment, count and amounts. `--yes` stands in only
 * where nobody is there to be asked, and `--partial` is about errors alone.
 * @throws PipelineError('usage', run/needs-yes) where nobody can answer
 */
export async function productionConfirmed(
  context: Context,
  options: Options,
  { url, count, totals }: Leaving,
): Promise<boolean> {
  const { terminal, language, ask } = context;
  if (!terminal.interactive) return options.yes === true || stop('usage', { code: 'run/needs-yes' });
  const amounts = totalsText(context, totals);
  return ask.yes(
    say(language, 'askProduction', {
      count: formatCount(count, language),
      company: companyText(context, options),
      service: url.host,
      totals: amounts === '' ? '' : ` ${amounts}.`,
    }),
  );
}
