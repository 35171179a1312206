import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Browsers keep cookies by host without its port: each server of this machine has a name of its own. */
const cookieName = (port: number): string => `cargue-${port}`;

/** How long a browser that was closed may come back without a new link, in seconds. */
const MAX_AGE_S = 7 * 86_400;

/** The person who started the program; uploads that an earlier server left are this person's. */
export const OWNER = 'owner';

const token = (): string => randomBytes(24).toString('base64url');

const same = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/** The Host headers of requests meant for this machine: a page elsewhere whose name resolves to it has another. */
const localHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);

const cookieOf = ({ headers }: FastifyRequest, port: number): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieName(port)}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];

/** Nothing but what this server sends itself; no frame may hold it. */
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

/** Who may use the page: whoever came by a link that works once, known from then on by a cookie. */
interface Door {
  /** Returns a path that lets `person` in, once. @default somebody new */
  invite(person?: string): string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The person whose cookie the request bears. */
    person: string;
  }
}

/** Answers a request whose cookie this server does not know; the status is set. */
type AnswerStranger = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Lets through only requests of this machine's own browser that came by an invitation: the host must be this one (against
 * names that resolve here), a request that changes anything must come from the page itself (against other pages), and the
 * cookie must be known.
 */
export function guard(app: FastifyInstance, portOf: () => number, answerStranger: AnswerStranger): Door {
  const invitations = new Map<string, string>();
  /** Persons by cookie. */
  const visitors = new Map<string, string>();
  const find = (known: ReadonlyMap<string, string>, given: string | undefined) =>
    given === undefined ? undefined : [...known].find(([one]) => same(one, given));
  const personOf = (request: FastifyRequest) => find(visitors, cookieOf(request, portOf()))?.[1];
  const refuse = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).type('text/plain; charset=utf-8').send('');

  app.decorateRequest('person', '');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const hosts = localHosts(portOf());
    const { host = '', origin } = request.headers;
    if (!hosts.includes(host)) return refuse(reply, 421);
    const own = `http://${host}`;
    const site = request.headers['sec-fetch-site'];
    const isForeign =
      (origin !== undefined && origin !== own) || site === 'cross-site' || site === 'same-site';
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (request.url.startsWith('/enter/')) return undefined;
    if (isForeign || (!reads && origin !== own)) return refuse(reply, 403);
    const person = personOf(request);
    if (person === undefined) return answerStranger(request, reply.code(401));
    request.person = person;
    return undefined;
  });

  app.get<{ Params: { token: string } }>('/enter/:token', async (request, reply) => {
    const known = personOf(request);
    const [invitation, person] = find(invitations, request.params.token) ?? [];
    if (invitation !== undefined) invitations.delete(invitation);
    // Whoever comes again stays who he is: his uploads are there.
    if (known !== undefined) return reply.redirect('/');
    if (person === undefined) return answerStranger(request, reply.code(401));
    const cookie = token();
    visitors.set(cookie, person);
    const value = `${cookieName(portOf())}=${cookie}; Max-Age=${MAX_AGE_S}`;
    reply.header('set-cookie', `${value}; HttpOnly; SameSite=Strict; Path=/`);
    return reply.redirect('/');
  });

  return {
    invite(person = token()) {
      const one = token();
      invitations.set(one, person);
      return `/enter/${one}`;
    },
  };
}
