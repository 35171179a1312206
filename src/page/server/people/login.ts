import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Configuration } from 'openid-client';
import { isLoopback } from '../../../client/address.js';
import { optional } from '../../../send/optional-package.js';
import { stop } from '../../../toolkit/core/issue.js';
import { sha256 } from '../../../toolkit/core/sha256.js';
import { type AnswerStranger, cookieOf, type Entrance } from '../safety.js';
import type { Person, Roles } from './roles.js';

/** Max time between the start of a log-in and its end, in seconds. */
const MAX_LOGIN_S = 600;
const DEFAULT_IDLE_MINUTES = 60;
const DEFAULT_SESSION_HOURS = 12;
const MINUTE_MS = 60_000;

const BACK = '/login/back';

interface Session {
  readonly person: Person;
  readonly idToken: string | undefined;
  /** Instants in ms. */
  readonly began: number;
  seen: number;
}

/** Sessions by the hash of their cookie, in memory: after a restart people log in again. */
class Sessions {
  private readonly open = new Map<string, Session>();

  constructor(
    private readonly roles: Roles,
    private readonly now: () => number,
  ) {}

  /** Opens a session and returns its cookie. */
  begin(person: Person, idToken: string | undefined): string {
    for (const [key, session] of this.open) if (this.hasEnded(session)) this.open.delete(key);
    const cookie = randomBytes(32).toString('base64url');
    const now = this.now();
    this.open.set(sha256(cookie), { person, idToken, began: now, seen: now });
    return cookie;
  }

  private hasEnded({ began, seen }: Session): boolean {
    const { idle_minutes: idle, session_hours: hours } = this.roles.settings;
    const now = this.now();
    return (
      now - seen >= (idle ?? DEFAULT_IDLE_MINUTES) * MINUTE_MS ||
      now - began >= (hours ?? DEFAULT_SESSION_HOURS) * 60 * MINUTE_MS
    );
  }

  find(cookie: string): Session | undefined {
    const session = this.open.get(sha256(cookie));
    return session === undefined || this.hasEnded(session) ? undefined : session;
  }

  /** Finds a session, which lasts longer by that. */
  use(cookie: string): Session | undefined {
    const session = this.find(cookie);
    if (session !== undefined) session.seen = this.now();
    return session;
  }

  end(cookie: string): void {
    this.open.delete(sha256(cookie));
  }
}

/** Returns the person of the provider's claims; an e-mail address counts only if the provider has verified it. */
function personIn(claims: Readonly<Record<string, unknown>>, groupsClaim: string): Person {
  const { sub, email, email_verified: isVerified, name } = claims;
  const address =
    isVerified === true && typeof email === 'string' && /^[^\s:@]+@[^\s@]+$/.test(email)
      ? email.toLowerCase()
      : undefined;
  const groups = claims[groupsClaim];
  const id = address ?? String(sub);
  return {
    id,
    name: typeof name === 'string' && name.trim() !== '' ? name : id,
    entries: [
      ...(address === undefined ? [] : [address]),
      `sub:${sub}`,
      ...(Array.isArray(groups) ? groups.map((group) => `group:${group}`) : []),
    ],
  };
}

/** Discovers the provider. @throws PipelineError('service', server/login-away) */
async function providerOf({ settings }: Roles, secret: string) {
  const oidc = await optional('openid-client', import('openid-client'));
  const { issuer, client_id: id } = settings;
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  const config: Configuration = await oidc
    .discovery(
      new URL(issuer),
      id,
      undefined,
      (server, ...request) => {
        const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
        return (isBasic ? basic : post)(server, ...request);
      },
      isLoopback(new URL(issuer).hostname) ? { execute: [oidc.allowInsecureRequests] } : {},
    )
    .catch((error: Error & { code?: string }) => {
      const cause = error.cause as { code?: string } | undefined;
      const reason = cause?.code ?? error.code ?? error.message;
      return stop('service', { code: 'server/login-away', params: { url: issuer, reason } }, error);
    });
  return { oidc, config };
}

/** Lets people in by OpenID Connect: authorization code with PKCE, state and nonce. */
export async function openLogin(
  roles: Roles,
  secret: string,
  now: () => Date,
  answerFailed: AnswerStranger,
): Promise<Entrance> {
  const { oidc, config } = await providerOf(roles, secret);
  const { settings } = roles;
  const origin = new URL(settings.url).origin;
  const isSecure = origin.startsWith('https:');
  // Browsers take a cookie of this prefix only from this host, over TLS.
  const name = isSecure ? '__Host-cargue' : `cargue-${new URL(origin).port}`;
  const loginName = `${name}-login`;
  const sessions = new Sessions(roles, () => now().getTime());
  const setCookie = (reply: FastifyReply, cookie: string, value: string, seconds?: number) =>
    reply.header(
      'set-cookie',
      [
        `${cookie}=${value}`,
        'Path=/',
        'HttpOnly',
        // Lax: the provider's redirect leads here from another site.
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
        ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
      ].join('; '),
    );
  const sessionOf = (request: FastifyRequest): Session | undefined =>
    sessions.find(cookieOf(request, name) ?? '');

  function addRoutes(app: FastifyInstance): void {
    app.get('/login', async (_, reply) => {
      const [state, nonce, verifier] = [
        oidc.randomState(),
        oidc.randomNonce(),
        oidc.randomPKCECodeVerifier(),
      ];
      setCookie(reply, loginName, [state, nonce, verifier].join('.'), MAX_LOGIN_S);
      const target = oidc.buildAuthorizationUrl(config, {
        redirect_uri: origin + BACK,
        scope: settings.scope ?? 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return reply.redirect(target.href);
    });

    app.get(BACK, async (request, reply) => {
      const [state = '', nonce = '', verifier = ''] = cookieOf(request, loginName)?.split('.') ?? [];
      setCookie(reply, loginName, '', 0);
      if (state === '') return answerFailed(request, reply.code(401));
      try {
        const tokens = await oidc.authorizationCodeGrant(config, new URL(request.url, origin), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return answerFailed(request, reply.code(401));
        const isAsked = config.serverMetadata().userinfo_endpoint !== undefined;
        const more = isAsked ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
        const person = personIn({ ...more, ...claims }, settings.groups_claim ?? 'groups');
        setCookie(reply, name, sessions.begin(person, tokens.id_token));
      } catch {
        return answerFailed(request, reply.code(401));
      }
      return reply.redirect('/');
    });

    app.post('/api/logout', async (request, reply) => {
      const session = sessionOf(request);
      sessions.end(cookieOf(request, name) ?? '');
      setCookie(reply, name, '', 0);
      if (config.serverMetadata().end_session_endpoint === undefined) return { to: '/' };
      const target = oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: `${origin}/`,
        ...(session?.idToken !== undefined && { id_token_hint: session.idToken }),
      });
      return { to: target.href };
    });
  }

  return {
    origins: () => [origin],
    isOpen: (path) => path === '/login' || path === BACK,
    isLinked: true,
    personOf: (request) => sessions.use(cookieOf(request, name) ?? '')?.person,
    isIn: (request) => sessionOf(request) !== undefined,
    addRoutes,
  };
}
