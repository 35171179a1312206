import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'cargue';

const token = (): string => randomBytes(24).toString('base64url');

const same = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/** The Host headers of requests meant for this machine: a page elsewhere whose name resolves to it has another. */
const localHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);

const cookieOf = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];

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
  /** A path that lets one visitor in, once. */
  invite(): string;
}

/** The visitor of a request that was let through. */
export const visitorOf = (request: FastifyRequest): string => cookieOf(request)!;

/**
 * Lets through only requests of this machine's own browser that came by an invitation: the host must be this one (against
 * names that resolve here), a request that changes anything must come from the page itself (against other pages), and the
 * cookie must be known.
 */
export function guard(app: FastifyInstance, portOf: () => number): Door {
  const invitations = new Set<string>();
  const visitors = new Set<string>();
  const refuse = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).type('text/plain; charset=utf-8').send('');

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
    const visitor = cookieOf(request);
    if (visitor === undefined || ![...visitors].some((known) => same(known, visitor)))
      return refuse(reply, 401);
    return undefined;
  });

  app.get<{ Params: { token: string } }>('/enter/:token', async (request, reply) => {
    const given = [...invitations].find((known) => same(known, request.params.token));
    if (given === undefined) return refuse(reply, 401);
    invitations.delete(given);
    const known = cookieOf(request);
    // Whoever comes again stays who he is: his uploads are there.
    const visitor = known !== undefined && visitors.has(known) ? known : token();
    visitors.add(visitor);
    reply.header('set-cookie', `${COOKIE}=${visitor}; HttpOnly; SameSite=Strict; Path=/`);
    return reply.redirect('/');
  });

  return {
    invite() {
      const one = token();
      invitations.add(one);
      return `/enter/${one}`;
    },
  };
}
