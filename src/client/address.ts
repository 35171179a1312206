import { createHash } from 'node:crypto';
import type { Operation } from '../generated/operations.js';
import { stop } from '../toolkit/core/issue.js';

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * Returns host, port and path of an address in one spelling: case, default port, slashes and names of the loopback do
 * not count.
 */
export function canonicalAddress(text: string): string {
  const { hostname, port, pathname } = new URL(text);
  const name = hostname.replace(/\.$/, '');
  const host = isLoopback(name) ? '127.0.0.1' : name;
  const path = pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  return `${host}${port === '' ? '' : `:${port}`}${path}`;
}

/** Returns a hash that tells the tokens of companies at a service apart without showing them. */
export const tokenFingerprint = (url: string, token: string): string =>
  createHash('sha256')
    .update(`${canonicalAddress(url)} ${token}`)
    .digest('hex')
    .slice(0, 32);

/** Parses the service's address. Throws a PipelineError (`usage`) unless it is https, or http on the loopback. */
export function serviceUrl(text: string): URL {
  const shown = text.replace(/\/\/[^/]*@/, '//');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return stop('usage', { code: 'send/bad-url', value: shown });
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  return stop('usage', { code: 'send/insecure-url', value: shown });
}

/** Proxy of the environment: HTTPS_PROXY, else HTTP_PROXY, and NO_PROXY. */
export interface ProxySettings {
  readonly proxy?: string;
  /** Hosts that are reached directly: `example.org` with its subdomains, `host:port`, or `*`. */
  readonly noProxy?: string;
}

/** Reads the proxy from the environment; its names may be in capitals or not. */
export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const [proxy, noProxy] = [['https_proxy', 'http_proxy'], ['no_proxy']].map((names) =>
    names.flatMap((name) => [env[name], env[name.toUpperCase()]]).find(Boolean),
  );
  return { ...(proxy && { proxy }), ...(noProxy && { noProxy }) };
}

function isExempt({ hostname, port }: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', exemptPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (exemptPort !== undefined && exemptPort !== (port || '443'))) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/**
 * Returns the proxy for an address; undefined if it is reached directly, as the loopback always is.
 * @throws PipelineError('usage', run/bad-proxy)
 */
export function proxyFor(url: URL, { proxy, noProxy = '' }: ProxySettings): URL | undefined {
  if (proxy === undefined || isLoopback(url.hostname) || isExempt(url, noProxy)) return undefined;
  const text = proxy.includes('://') ? proxy : `http://${proxy}`;
  const found = URL.canParse(text) ? new URL(text) : undefined;
  if (found === undefined || !['http:', 'https:'].includes(found.protocol))
    return stop('usage', { code: 'run/bad-proxy', value: text.replace(/\/\/[^/]*@/, '//') });
  return found;
}

/** Parts of an operation that a call needs; a family may define one that is not in the table. */
export type Route = Pick<Operation, 'id' | 'method' | 'path' | 'optionalPathParameters'>;

/**
 * Fills the path of a call; an optional parameter without a value drops its segment. Throws a PipelineError (`usage`)
 * for a required one: a test-set send without its test set would go to production.
 */
export function fillPath(operation: Route, values: Readonly<Record<string, unknown>>): string {
  return operation.path.replace(/\/\{(\w+)\}/g, (_, name: string) => {
    const given = values[name] ?? '';
    const value = typeof given === 'object' ? '' : String(given); // a caller without types may pass a body here
    if (value === '' && operation.optionalPathParameters.includes(name)) return '';
    if (value === '' || value === '.' || value === '..')
      return stop('usage', { code: 'send/bad-parameter', params: { operation: operation.id, name }, value });
    return `/${encodeURIComponent(value)}`;
  });
}
