import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Companies, Company } from './companies.js';

const bearer = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** The company that the request's token belongs to. */
export function companyOf(headers: IncomingHttpHeaders, companies: Companies): Company | undefined {
  const token = bearer(headers);
  return token === undefined ? undefined : companies.byToken(token);
}

/** Whether the request carries the admin token, as `x-admin-token` or as bearer. */
export function isAdmin(headers: IncomingHttpHeaders, adminToken: string): boolean {
  const given = Buffer.from(String(headers['x-admin-token'] ?? bearer(headers) ?? ''));
  const expected = Buffer.from(adminToken);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The Host headers of requests meant for this machine: a page elsewhere that resolves to it has another. */
export const localHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
