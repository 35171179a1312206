import { readFile } from 'node:fs/promises';
import { isLoopback, proxyFor, serviceUrl } from '../client/address.js';
import type { Client } from '../client/client.js';
import type { Totals } from '../send/kind.js';
import { stop } from '../toolkit/core/issue.js';
import { type Message, type PlainPhrase, say } from '../toolkit/messages/texts.js';
import type { Context } from './context.js';
import type { Environment } from './environment.js';
import type { Destination } from './events.js';
import type { DecisionOptions, ServiceOptions } from './options.js';
import { companyToken, needsYes } from './secrets.js';

/**
 * Address of the service, from `--url` or CARGUE_URL, checked but not called.
 * @throws PipelineError('usage', run/needs-url or send/bad-url or send/insecure-url)
 */
export function serviceAddress(context: Context, options: ServiceOptions): URL {
  const given = options.url ?? context.url;
  if (given === undefined) return stop('usage', { code: 'run/needs-url' });
  return serviceUrl(given);
}

/** Beyond this machine, nothing happens without a yes. */
export const isElsewhere = (url: URL): boolean => !isLoopback(url.hostname);

async function readCa(file: string): Promise<string> {
  const refuse = (reason: string): never =>
    stop('usage', { code: 'run/ca-file', params: { reason }, value: file });
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => refuse(error.code ?? ''));
  return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : refuse('PEM');
}

/**
 * A client for the service as options, profile and token say; a person is asked for the token where it is missing.
 * @throws PipelineError('usage', run/ca-file, run/needs-token, send/bad-token, run/bad-proxy)
 */
export async function clientFor(context: Context, options: ServiceOptions, url: URL): Promise<Client> {
  const { concurrency, timeout } = options;
  const { connectTimeout } = context.profile ?? {};
  const proxy = proxyFor(url, context.proxies ?? {});
  const ca = options.ca === undefined ? undefined : await readCa(options.ca);
  // Loaded only here: most calls reach no service.
  const { createClient } = await import('../client/client.js');
  return createClient({
    url: url.href,
    token: await companyToken(context),
    ...(context.connections !== undefined && { connections: context.connections }),
    ...(proxy !== undefined && { proxy }),
    ...(concurrency !== undefined && { maxConnections: concurrency }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(connectTimeout !== undefined && { connectTimeoutMs: connectTimeout * 1_000 }),
    ...(ca !== undefined && { ca }),
  });
}

/** As the profile says; without its word, what goes to another machine and to no test set is taken for final. */
export const environmentOf = ({ profile }: Context, url: URL, testSet: string | undefined): Environment =>
  profile?.environment ?? (testSet === undefined && isElsewhere(url) ? 'production' : 'test');

/** `Comercial Andina SAS (900123456)` */
function companyText({ profile, language }: Context, options: ServiceOptions): string {
  const company = options.company ?? say(language, 'noCompany');
  return profile?.companyName === undefined ? company : `${profile.companyName} (${company})`;
}

interface Leaving {
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
  options: ServiceOptions & DecisionOptions,
  { url, count, totals }: Leaving,
): Promise<boolean> {
  const amounts = Object.entries(totals).map(([name, amount]) => ({
    key: 'amount' as const,
    params: { name: { key: name as PlainPhrase }, amount: { money: amount } },
  }));
  const question: Message = {
    key: 'askProduction',
    params: {
      count,
      company: companyText(context, options),
      service: url.host,
      totals: amounts.length === 0 ? '' : { key: 'finalTotals', params: { totals: { list: amounts } } },
    },
  };
  if (context.ask === undefined) return options.yes === true || needsYes(context, question);
  return context.ask.confirm(question, String(count));
}

/** Where documents go, for whoever must say yes. */
export const destination = (
  context: Context,
  options: ServiceOptions,
  url: URL,
  testSet: string | undefined,
): Destination => ({
  company: companyText(context, options),
  url,
  environment: environmentOf(context, url, testSet),
  testSet,
});
