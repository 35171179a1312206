import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { addAdminRoutes } from './admin.js';
import { localHosts } from './auth.js';
import { acceptBodies } from './body.js';
import { createClock } from './clock.js';
import { openCompanies, randomToken } from './companies.js';
import type { Context } from './context.js';
import { type Controls, controlsOf } from './controls.js';
import { openEvents } from './events/events.js';
import { toWire } from './faults.js';
import { type SandboxOptions, type Settings, settingsOf } from './options.js';
import { openOutbox } from './outbox.js';
import { openPayroll } from './payroll/payroll.js';
import { type Refusals, refusalsOf } from './refusals.js';
import { createRequestLog } from './request-log.js';
import { openRips } from './rips/rips.js';
import { addRoutes, type Handlers } from './routes.js';
import { createScript } from './script.js';
import { openStore, type Store } from './store.js';

export interface Sandbox {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Token of the first company. */
  readonly token: string;
  /** Tokens by NIT. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly adminToken: string;
  readonly controls: Controls;
  /** Cuts open connections. */
  close(): Promise<void>;
}

/** Larger than any document: DIAN takes 500 KB, a received invoice in base64 may be more. */
const BODY_LIMIT = 8 * 1024 * 1024;

/**
 * Starts the service on the loopback. Throws when the port is taken or the state file cannot be read.
 * What it imitates and what not stands in FIDELITY.md.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  const store = openStore(settings.stateFile);
  const context = contextOf(settings, store);
  const payroll = openPayroll(context);
  const events = openEvents(context);
  const rips = openRips(context);
  const handlers: Handlers = { ...payroll.handlers, ...rips.handlers, ...events.handlers };
  const log = createRequestLog(settings.requestLog);
  const controls = controlsOf(context, { payroll, rips, events }, log);
  const adminToken = settings.adminToken ?? randomToken();

  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
  acceptBodies(app);
  refuseStrangers(app);
  speakLikeTheService(app, context.refusals);
  addRoutes(app, context, handlers, log);
  await app.register(async (admin) => addAdminRoutes(admin, controls, context.clock, adminToken), {
    prefix: '/admin',
  });
  app.addHook('onClose', async () => store.close());
  await app.listen({ host: '127.0.0.1', port: settings.port });
  store.flush();

  const { port } = app.server.address() as AddressInfo;
  const companies = context.companies.all();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    token: companies[0]?.token ?? '',
    tokens: Object.fromEntries(companies.map(({ nit, token }) => [nit, token])),
    adminToken,
    controls,
    close: () => app.close(),
  };
}

const contextOf = (settings: Settings, store: Store): Context => ({
  settings,
  store,
  clock: createClock(settings.now),
  companies: openCompanies(store, settings.companies),
  refusals: refusalsOf(settings.errorStyle),
  faults: createScript(1),
  verdicts: createScript(Number.POSITIVE_INFINITY),
  outbox: openOutbox(store),
});

/** A web page elsewhere must not reach this server through a name that resolves to the loopback. */
function refuseStrangers(app: FastifyInstance): void {
  let hosts: readonly string[] | undefined;
  app.addHook('onRequest', async (request, reply) => {
    hosts ??= localHosts((app.server.address() as AddressInfo).port);
    if (!hosts.includes(request.headers.host ?? ''))
      return reply.code(421).send({ message: 'Unknown host.' });
  });
}

function speakLikeTheService(app: FastifyInstance, refusals: Refusals): void {
  app.setNotFoundHandler(async (request, reply) => {
    const { status, text, type } = toWire(refusals.unknownRoute(request.url));
    return reply.code(status).type(type).send(text);
  });
  app.setErrorHandler<Error & { statusCode?: number }>(async (error, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500)
      return reply.code(error.statusCode).send({ message: error.message });
    const { status, text, type } = toWire(refusals.crash(error.message));
    // An imitated crash is no exception: whoever sees this header found a fault of the sandbox itself.
    return reply.code(status).header('x-sandbox-fault', error.message).type(type).send(text);
  });
}
