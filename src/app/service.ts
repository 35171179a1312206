import { readFile } from 'node:fs/promises';
import { isLoopback, proxyFor, serviceUrl } from '../client/address.js';
import type { Client } from '../client/client.js';
import type { Totals } from '../send/kind.js';
import { stop } from '../toolkit/core/issue.js';
import { type Message, type PlainPhrase, translate } from '../toolkit/messages/texts.js';
import type { Context } from './context.js';
import type { Environment } from './environment.js';
import type { Destination } from './events.js';
import type { DecisionOptions, ServiceOptions } from './options.js';
import { companyToken, needsYes } from './secrets.js';

/**
 * Returns the service's URL from `--url` or CARGUE_URL; makes no request.
 * @throws PipelineError('usage', run/needs-url or send/bad-url or send/insecure-url)
 */
export function serviceAddress(context: Context, options: ServiceOptions): URL {
  const given = options.url ?? context.url;
  if (given === undefined) return stop('usage', { code: 'run/needs-url' });
  return serviceUrl(given);
}

/** True if the service is on another computer; calling it needs confirmation. */
export const isRemote = (url: URL): boolean => !isLoopback(url.hostname);

async function readCa(file: string): Promise<string> {
  const refuse = (reason: string): never =>
    stop('usage', { code: 'run/ca-file', params: { reason }, value: file });
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => refuse(error.code ?? ''));
  return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : refuse('PEM');
}

/**
 * Creates a client from options and profile; asks for a missing token.
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

/** Returns the profile's environment; without a profile, a remote service without a test set counts as production. */
export const environmentOf = ({ profile }: Context, url: URL, testSet: string | undefined): Environment =>
  profile?.environment ?? (testSet === undefined && isRemote(url) ? 'production' : 'test');

/** Formats a company: `Comercial Andina SAS (900123456)`. */
function companyLabel({ profile, language }: Context, options: ServiceOptions): string {
  const company = options.company ?? translate(language, 'noCompany');
  return profile?.companyName === undefined ? company : `${profile.companyName} (${company})`;
}

/**
 * Asks for confirmation before documents become final, with company, environment, count and amounts. `--yes` replaces
 * it only if there is no user to ask; `--partial` does not.
 * @throws PipelineError('usage', run/needs-yes) if there is no user to ask
 */
export async function productionConfirmed(
  context: Context,
  options: ServiceOptions & DecisionOptions,
  { url, count, totals }: { readonly url: URL; readonly count: number; readonly totals: Totals },
): Promise<boolean> {
  const amounts = Object.entries(totals).map(([name, amount]) => ({
    key: 'amount' as const,
    params: { name: { key: name as PlainPhrase }, amount: { money: amount } },
  }));
  const question: Message = {
    key: 'askProduction',
    params: {
      count,
      company: companyLabel(context, options),
      service: url.host,
      totals: amounts.length === 0 ? '' : { key: 'finalTotals', params: { totals: { list: amounts } } },
    },
  };
  if (context.ask === undefined) return options.yes === true || needsYes(context, question);
  return context.ask.confirm(question, String(count));
}

/** Returns the destination of documents, for confirmation. */
export const destination = (
  context: Context,
  options: ServiceOptions,
  url: URL,
  testSet: string | undefined,
): Destination => ({
  company: companyLabel(context, options),
  url,
  environment: environmentOf(context, url, testSet),
  testSet,
});
