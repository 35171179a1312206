import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from './people/roles.js';

/** Max age of a session cookie, in seconds. */
const MAX_AGE_S = 7 * 86_400;

/** Id of the user who started the program; restored uploads belong to this user. */
export const OWNER = 'owner';

const token = (): string => randomBytes(24).toString('base64url');

const isSameToken = (a: string, b: string): boolean => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/** Returns the value of a cookie; undefined if the request has none of the name. */
export const cookieOf = ({ headers }: FastifyRequest, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w.-]+)`).exec(headers.cookie ?? '')?.[1];

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

declare module 'fastify' {
  interface FastifyRequest {
    /** Person whose session cookie the request carries. */
    person: Person;
  }
}

/** Address of the page, and the way its visitors are let in and recognised. */
export interface Entrance {
  /** Origins of the page. */
  readonly origins: () => readonly string[];
  /** True for a path that lets visitors in. */
  readonly isOpen: (path: string) => boolean;
  /** True if pages of other sites may link to the first screen. */
  readonly isLinked: boolean;
  readonly personOf: (request: FastifyRequest) => Person | undefined;
  /** True while the session of a request lasts; asking does not prolong it. */
  readonly isIn: (request: FastifyRequest) => boolean;
  addRoutes(app: FastifyInstance): void;
}

/** Answers a request of a visitor who is not known; the status is set. */
export type AnswerStranger = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Accepts only requests of known visitors: the Host must be the page's (DNS rebinding), a request that changes
 * anything must come from the page itself (cross-site requests), and the cookie must be known.
 */
export function guard(
  app: FastifyInstance,
  { origins, isOpen, isLinked, personOf, isIn, addRoutes }: Entrance,
  answerStranger: AnswerStranger,
): void {
  const refuse = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).type('text/plain; charset=utf-8').send('');

  app.decorateRequest('person');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const { host = '', origin } = request.headers;
    const pageOrigin = origins().find((known) => new URL(known).host === host);
    if (pageOrigin === undefined) return refuse(reply, 421);
    const [path = ''] = request.url.split('?', 1);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isOpen(path) && isRead) return undefined;
    const site = request.headers['sec-fetch-site'];
    const isForeign =
      (origin !== undefined && origin !== pageOrigin) ||
      ((site === 'cross-site' || site === 'same-site') && !(isLinked && isRead && path === '/'));
    if (isForeign || (!isRead && origin !== pageOrigin)) return refuse(reply, 403);
    // The page asks all the while whether the server is there, which prolongs no session.
    if (path === '/api/alive' && isIn(request)) return reply.send({});
    const person = personOf(request);
    if (person === undefined) return answerStranger(request, reply.code(401));
    request.person = person;
    return undefined;
  });
  addRoutes(app);
}

/** Lets visitors of this computer in by single-use links; a cookie recognises them afterwards. */
export function invitations(portOf: () => number, answerStranger: AnswerStranger) {
  const invited = new Map<string, string>();
  /** Ids of persons by session cookie. */
  const sessions = new Map<string, string>();
  // The name has the port: browsers share cookies between the ports of a host.
  const cookieName = (): string => `cargue-${portOf()}`;
  const find = (known: ReadonlyMap<string, string>, given: string | undefined) =>
    given === undefined ? undefined : [...known].find(([entry]) => isSameToken(entry, given));
  const personOf = (request: FastifyRequest): Person | undefined => {
    const id = find(sessions, cookieOf(request, cookieName()))?.[1];
    return id === undefined ? undefined : { id };
  };
  const entrance: Entrance = {
    origins: () => ['127.0.0.1', 'localhost'].map((name) => `http://${name}:${portOf()}`),
    isOpen: (path) => path.startsWith('/enter/'),
    isLinked: false,
    personOf,
    isIn: (request) => personOf(request) !== undefined,
    addRoutes(app) {
      app.get<{ Params: { token: string } }>('/enter/:token', async (request, reply) => {
        const known = personOf(request);
        const [invitation, person] = find(invited, request.params.token) ?? [];
        if (invitation !== undefined) invited.delete(invitation);
        // A known visitor stays the same person and finds the open uploads.
        if (known !== undefined) return reply.redirect('/');
        if (person === undefined) return answerStranger(request, reply.code(401));
        const cookie = token();
        sessions.set(cookie, person);
        const value = `${cookieName()}=${cookie}; Max-Age=${MAX_AGE_S}`;
        reply.header('set-cookie', `${value}; HttpOnly; SameSite=Strict; Path=/`);
        return reply.redirect('/');
      });
    },
  };
  return {
    entrance,
    /** Returns a single-use path that lets a person in. @default a new person */
    invite(person = token()): string {
      const invitation = token();
      invited.set(invitation, person);
      return `/enter/${invitation}`;
    },
  };
}
