import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Returns a cookie name per port: browsers share cookies between the ports of a host. */
const cookieName = (port: number): string => `cargue-${port}`;

/** Max age of a session cookie, in seconds. */
const MAX_AGE_S = 7 * 86_400;

/** Name of the user who started the program; restored uploads belong to this user. */
export const OWNER = 'owner';

const token = (): string => randomBytes(24).toString('base64url');

const isSameToken = (a: string, b: string): boolean => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/**
 * Returns the accepted Host headers; a foreign page whose name resolves to this computer sends another one.
 */
const localHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);

const cookieOf = ({ headers }: FastifyRequest, port: number): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieName(port)}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];

/** Response headers: only resources of this server load, and no frame may embed the page. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Issues invitations: single-use links whose visitor is recognised by a cookie afterwards. */
interface Door {
  /** Returns a single-use path that lets `person` in. @default a new person */
  invite(person?: string): string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Person whose session cookie the request carries. */
    person: string;
  }
}

/** Answers a request without a known cookie; the status is set. */
type AnswerStranger = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Accepts only requests from an invited browser on this computer: the Host must be local (DNS rebinding), a
 * request that changes anything must come from the page itself (cross-site requests), and the cookie must be
 * known.
 */
export function guard(app: FastifyInstance, portOf: () => number, answerStranger: AnswerStranger): Door {
  const invitations = new Map<string, string>();
  /** Persons by session cookie. */
  const sessions = new Map<string, string>();
  const find = (known: ReadonlyMap<string, string>, given: string | undefined) =>
    given === undefined ? undefined : [...known].find(([entry]) => isSameToken(entry, given));
  const personOf = (request: FastifyRequest) => find(sessions, cookieOf(request, portOf()))?.[1];
  const refuse = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).type('text/plain; charset=utf-8').send('');

  app.decorateRequest('person', '');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const hosts = localHosts(portOf());
    const { host = '', origin } = request.headers;
    if (!hosts.includes(host)) return refuse(reply, 421);
    const pageOrigin = `http://${host}`;
    const site = request.headers['sec-fetch-site'];
    const isForeign =
      (origin !== undefined && origin !== pageOrigin) || site === 'cross-site' || site === 'same-site';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.url.startsWith('/enter/')) return undefined;
    if (isForeign || (!isRead && origin !== pageOrigin)) return refuse(reply, 403);
    const person = personOf(request);
    if (person === undefined) return answerStranger(request, reply.code(401));
    request.person = person;
    return undefined;
  });

  app.get<{ Params: { token: string } }>('/enter/:token', async (request, reply) => {
    const known = personOf(request);
    const [invitation, person] = find(invitations, request.params.token) ?? [];
    if (invitation !== undefined) invitations.delete(invitation);
    // A known visitor stays the same person and finds the open uploads.
    if (known !== undefined) return reply.redirect('/');
    if (person === undefined) return answerStranger(request, reply.code(401));
    const cookie = token();
    sessions.set(cookie, person);
    const value = `${cookieName(portOf())}=${cookie}; Max-Age=${MAX_AGE_S}`;
    reply.header('set-cookie', `${value}; HttpOnly; SameSite=Strict; Path=/`);
    return reply.redirect('/');
  });

  return {
    invite(person = token()) {
      const invitation = token();
      invitations.set(invitation, person);
      return `/enter/${invitation}`;
    },
  };
}
