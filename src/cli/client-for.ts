import { readFile } from 'node:fs/promises';
import { proxyFor } from '../client/address.js';
import { type Client, createClient } from '../client/client.js';
import { stop } from '../issues/pipeline-error.js';
import type { Context } from './context.js';
import type { Options } from './options.js';
import { companyToken } from './service.js';

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
export async function clientFor(context: Context, options: Options, url: URL): Promise<Client> {
  const { concurrency, timeout } = options;
  const { connectTimeout } = context.profile ?? {};
  const proxy = proxyFor(url, context.proxies ?? {});
  const ca = options.ca === undefined ? undefined : await readCa(options.ca);
  return createClient({
    url: url.href,
    token: await companyToken(context),
    ...(proxy !== undefined && { proxy }),
    ...(concurrency !== undefined && { maxConnections: concurrency }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(connectTimeout !== undefined && { connectTimeoutMs: connectTimeout * 1_000 }),
    ...(ca !== undefined && { ca }),
  });
}
