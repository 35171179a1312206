import { randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { EVENT_CODES } from '../families/events/sequence.js';
import type { ReceivedInvoice } from '../families/events/xml/received-invoice.js';
import { OPERATIONS, type OperationId } from '../generated/operations.js';
import { isDocumentCode, isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { SANDBOX_JSON } from '../toolkit/core/limits.js';
import { isPlainDate } from '../toolkit/core/plain-date.js';
import { schemaJson, schemaNames } from '../toolkit/schema/registry.js';
import {
  acceptBodies,
  type Call,
  type ChosenVerdict,
  createScript,
  type Effect,
  type Entry,
  type Handler,
  type Match,
  matches,
  prepared,
  received,
  refusalsOf,
  type Subject,
  subjectOf,
} from './answer.js';
import { createChance, LATENCY_PROFILES } from './chance.js';
import { createClock } from './clock.js';
import { type EventElsewhere, type Events, openEvents } from './events/events.js';
import type { RegisteredEvent } from './events/registry.js';
import {
  type Context,
  type Delivery,
  deliver,
  FAULT_KINDS,
  type Fault,
  type FaultKind,
  type HttpReply,
  phaseOf,
  readRequestedOutcome,
  toHttpReply,
  VERDICT_WORDS,
} from './faults.js';
import {
  type InvoiceOptions,
  type Latency,
  type LatencyProfile,
  type SandboxOptions,
  type Settings,
  settingsOf,
} from './options.js';
import type { ArchivedDocument } from './payroll/ledger.js';
import { openPayroll, type Payroll } from './payroll/payroll.js';
import type { Package, Professional } from './rips/records.js';
import { openRips, type Rips } from './rips/rips.js';
import {
  type Companies,
  type Company,
  type Mail,
  openCompanies,
  openOutbox,
  openStore,
  randomToken,
  type Snapshot,
  type Store,
} from './store.js';

const bearer = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** Returns the company of the request's token. */
function companyOf(headers: IncomingHttpHeaders, companies: Companies): Company | undefined {
  const token = bearer(headers);
  return token === undefined ? undefined : companies.byToken(token);
}

/** True if the request has the admin token, as `x-admin-token` or as bearer. */
function isAdmin(headers: IncomingHttpHeaders, adminToken: string): boolean {
  const given = Buffer.from(String(headers['x-admin-token'] ?? bearer(headers) ?? ''));
  const expected = Buffer.from(adminToken);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns the Host headers of requests for this host; a foreign page that resolves to it has another. */
const localHosts = (host: string, port: number): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]', hostName(host)].map((name) => `${name}:${port}`);

/** Controls of a test over the service; the admin routes offer the same over HTTP. */
export interface Controls {
  addFault(fault: Fault): Entry<Fault>;
  /** Adds an outcome; without `times` it applies until it is removed. */
  addOutcome(outcome: ChosenVerdict): Entry<ChosenVerdict>;
  /** Removes a fault, an outcome, a mail, or a record of DIAN (by CUNE, CUFE or CUDE). */
  remove(collection: RemovableCollection, id: string): boolean;
  /** Returns the requests received; they are counted even if no log is kept. */
  requests(match?: Match): { readonly count: number; readonly requests: readonly LoggedRequest[] };
  clearRequests(): void;
  documents(company?: string): readonly ArchivedDocument[];
  /** Returns the XML of an accepted document, of the latest ten thousand. */
  xml(cune: string): string | undefined;
  /** Adds an invoice to DIAN. Throws a TypeError if the CUFE is malformed. */
  addInvoice(invoice: InvoiceOptions): ReceivedInvoice;
  invoices(): readonly ReceivedInvoice[];
  /** Registers an event of another program at DIAN. Throws a TypeError if the CUFE is malformed. */
  addEvent(event: EventElsewhere): RegisteredEvent;
  /** Returns the events approved by DIAN. */
  events(cufe?: string): readonly RegisteredEvent[];
  /** Returns the RIPS packages that the health system accepted, one per generation. */
  packages(company?: string): readonly Package[];
  /** Adds a user, or replaces the one with the same company and id. */
  addProfessional(professional: Professional): Professional;
  professionals(): readonly Professional[];
  faults(): readonly Entry<Fault>[];
  outcomes(): readonly Entry<ChosenVerdict>[];
  outbox(): readonly Mail[];
  /** Returns records of the service without secrets. */
  view(name: View, company?: string): readonly object[];
  setClock(instant: Date): void;
  advanceClock(seconds: number): void;
  setLatency(latency: LatencyProfile | Latency): void;
  /** Returns the complete state with passwords, but without tokens and arranged entries. */
  state(): SandboxState;
  /** Replaces the complete state and removes arranged entries. */
  restore(state: SandboxState): void;
  /** Restores the state at the start: the same companies and tokens, nothing else. */
  reset(): void;
}

export interface SandboxState {
  /** ISO instant. */
  readonly clock: string;
  readonly collections: Snapshot;
}

const REMOVABLE = ['faults', 'outcomes', 'documents', 'invoices', 'events', 'outbox'] as const;
type RemovableCollection = (typeof REMOVABLE)[number];

/** Records of the service by name, as rows with their company. */
const VIEWS = {
  companies: ({ context }) =>
    context.companies.all().map(({ nit, token: _token, software, resolutions: _ranges, ...rest }) => ({
      company: nit,
      ...rest,
      payrollAddress: software.urlpayroll,
    })),
  ranges: ({ context }) =>
    context.companies
      .all()
      .flatMap(({ nit, resolutions }) => resolutions.map((range) => ({ company: nit, ...range }))),
  providers: ({ families }) => families.rips.records.providers.all(),
  patients: ({ families }) => families.rips.records.patients.all(),
  appointments: ({ families }) => families.rips.records.appointments.all(),
  'rips-documents': ({ families }) => families.rips.records.documents.all(),
} satisfies Record<string, (service: RunningService) => readonly { readonly company: string }[]>;
export type View = keyof typeof VIEWS;

interface Families {
  readonly payroll: Payroll;
  readonly rips: Rips;
  readonly events: Events;
}

/** State that a reset recreates. */
interface RunningService {
  readonly context: Context;
  readonly families: Families;
  readonly handlers: Readonly<Record<OperationId, Handler>>;
  readonly faultFor: (subject: Subject) => Fault | undefined;
  latency: LatencyProfile | Latency;
}

function startService(
  settings: Settings,
  store: Store,
  { faults = [], outcomes = [] }: Arrangements,
): RunningService {
  const context = contextOf(settings, store);
  const families = { payroll: openPayroll(context), rips: openRips(context), events: openEvents(context) };
  const { payroll, rips, events } = families;
  for (const fault of faults) context.faults.add(fault);
  for (const outcome of outcomes) context.verdicts.add(outcome);
  store.flush();
  return {
    context,
    families,
    handlers: { ...payroll.handlers, ...rips.handlers, ...events.handlers },
    faultFor: faultFinder(context),
    latency: settings.latency,
  };
}

function controlsOf(
  service: () => RunningService,
  store: Store,
  log: RequestLog,
  begin: () => void,
): Controls {
  const context = (): Context => service().context;
  const families = (): Families => service().families;
  const removers: Readonly<Record<RemovableCollection, (id: string) => boolean>> = {
    faults: (id) => context().faults.remove(id),
    outcomes: (id) => context().verdicts.remove(id),
    documents: (id) => families().payroll.archive.forget(id),
    invoices: (id) => families().events.invoices.forget(id),
    events: (id) => families().events.registry.forget(id),
    outbox: (id) => context().outbox.remove(id),
  };
  const flushed = <T>(changed: T): T => {
    store.flush();
    return changed;
  };
  const ofCompany = <T extends { readonly company: string }>(rows: readonly T[], company?: string): T[] =>
    rows.filter((row) => company === undefined || row.company === company);
  return {
    addFault: (fault) => context().faults.add(fault),
    addOutcome: (outcome) => context().verdicts.add(outcome),
    remove: (collection, id) => flushed(removers[collection](id)),
    requests: (match = {}) => {
      const found =
        Object.keys(match).length === 0 ? log.list() : log.list().filter((entry) => matches(match, entry));
      return { count: Object.keys(match).length === 0 ? log.count : found.length, requests: found };
    },
    clearRequests: log.clear,
    documents: (company) => ofCompany(families().payroll.archive.list(), company),
    xml: (cune) => {
      const found = families().payroll.papers.of(cune);
      return found === undefined ? undefined : Buffer.from(found, 'base64').toString('utf8');
    },
    addInvoice: (invoice) => flushed(families().events.fixInvoice(invoice)),
    invoices: () => families().events.invoices.list(),
    addEvent: (event) => flushed(families().events.registerElsewhere(event)),
    events: (cufe) =>
      families()
        .events.registry.list()
        .filter((event) => cufe === undefined || event.cufe === cufe),
    packages: (company) => ofCompany(families().rips.records.packages.all(), company),
    addProfessional: (professional) => flushed(families().rips.professionals.save(professional)),
    professionals: () => families().rips.professionals.list(),
    faults: () => context().faults.list(),
    outcomes: () => context().verdicts.list(),
    outbox: () => context().outbox.list(),
    view: (name, company) => ofCompany<{ readonly company: string }>(VIEWS[name](service()), company),
    setClock: (instant) => context().clock.set(instant),
    advanceClock: (seconds) => context().clock.advance(seconds),
    setLatency: (latency) => {
      service().latency = latency;
    },
    state() {
      const { companies = {}, ...others } = store.dump();
      const open = Object.entries(companies).map(([nit, company]) => [
        nit,
        { ...(company as Company), token: undefined },
      ]);
      return {
        clock: context().clock.now().toISOString(),
        collections: { ...others, companies: Object.fromEntries(open) },
      };
    },
    restore: ({ clock, collections }) => {
      store.restore(collections);
      begin();
      context().clock.set(new Date(clock));
    },
    reset: () => {
      store.restore({});
      log.clear();
      begin();
    },
  };
}

/** True if a member of an admin request has a valid value. */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isMoney: Check = (value) => isText(value) && /^\d+\.\d\d$/.test(value as string);
const isCufe: Check = (value) => isText(value) && isDocumentCode(value as string);
const isCount: Check = (value) => Number.isInteger(value) && (value as number) > 0;
const isDuration: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const isShare: Check = (value) => isDuration(value) && (value as number) <= 1;
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);
const each =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && wrongMember(value, checks) === undefined;

const MATCH = {
  operation: oneOf(Object.keys(OPERATIONS)),
  route: isText,
  company: isText,
  number: isText,
  worker: isText,
  key: isText,
};
const ARRANGED = { match: each(MATCH), times: isCount, skip: isCount, probability: isShare };
const FAULT = {
  ...ARRANGED,
  kind: oneOf(FAULT_KINDS),
  ms: isDuration,
  retryAfter: isDuration,
  phase: oneOf(['before', 'after']),
};
const OUTCOME = {
  ...ARRANGED,
  verdict: oneOf(VERDICT_WORDS),
  rules: (value: unknown) => Array.isArray(value) && value.every(isText),
};
const INVOICE = {
  cufe: isCufe,
  buyer: isText,
  buyerName: isText,
  seller: isText,
  sellerName: isText,
  number: isText,
  payment: oneOf(['credit', 'cash']),
  issueDate: (value: unknown) => typeof value === 'string' && isPlainDate(value),
  total: isMoney,
  tax: isMoney,
};
const EVENT = { cufe: isCufe, code: oneOf(Object.values(EVENT_CODES)), company: isText };
const PROFESSIONAL = {
  company: isText,
  id: isCount,
  name: isText,
  documentType: isText,
  documentNumber: isText,
  siteCode: isText,
};
const CLOCK = {
  now: (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  advance: (value: unknown) => Number.isFinite(value),
};

const isLatency: Check = (value) =>
  oneOf(LATENCY_PROFILES)(value) ||
  (isObject(value as JsonValue) && wrongMember(value as object, LATENCY, Object.keys(LATENCY)) === undefined);
const LATENCY = { median: isDuration, sigma: isDuration, longest: isDuration };
const STATE = {
  clock: CLOCK.now,
  collections: (value: unknown) =>
    isObject(value as JsonValue) && Object.values(value as JsonObject).every(isObject),
};

/** Returns the first member that is missing, unknown or invalid. */
function wrongMember(
  body: object,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): string | undefined {
  const missing = required.find((name) => !(name in body));
  return missing ?? Object.entries(body).find(([name, value]) => checks[name]?.(value) !== true)?.[0];
}

/** Adds the admin routes, which have their own token (FIDELITY.md). */
function addAdminRoutes(app: FastifyInstance, controls: Controls, adminToken: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isAdmin(request.headers, adminToken))
      return reply.code(401).send({ message: 'Admin token needed.' });
  });

  const post = (
    path: string,
    checks: Readonly<Record<string, Check>>,
    required: readonly string[],
    act: (body: unknown) => unknown,
  ): void => {
    app.post(path, { bodyLimit: SANDBOX_JSON.maxLength }, async (request, reply) => {
      const body = received(request).json;
      const wrong = wrongMember(body, checks, required);
      if (wrong !== undefined)
        return reply.code(400).send({ message: `Missing, wrong or unknown: ${wrong}` });
      return act(body);
    });
  };

  post('/faults', FAULT, ['match', 'kind'], (body) => controls.addFault(body as Fault));
  post('/outcomes', OUTCOME, ['match', 'verdict'], (body) => controls.addOutcome(body as ChosenVerdict));
  post('/invoices', INVOICE, ['cufe'], (body) => controls.addInvoice(body as InvoiceOptions));
  post('/events', EVENT, ['cufe', 'code'], (body) => controls.addEvent(body as EventElsewhere));
  post('/professionals', PROFESSIONAL, Object.keys(PROFESSIONAL), (body) =>
    controls.addProfessional(body as Professional),
  );
  post('/clock', CLOCK, [], (body) => {
    const { now, advance } = body as { now?: string; advance?: number };
    if (now !== undefined) controls.setClock(new Date(now));
    if (advance !== undefined) controls.advanceClock(advance);
    return { now: controls.state().clock };
  });

  post('/latency', { latency: isLatency }, ['latency'], (body) => {
    controls.setLatency((body as { latency: LatencyProfile | Latency }).latency);
    return body;
  });
  post('/reset', {}, [], () => {
    controls.reset();
    return { reset: true };
  });
  post('/state', STATE, Object.keys(STATE), (body) => {
    controls.restore(body as SandboxState);
    return { restored: true };
  });
  app.get('/state', async () => controls.state());

  app.get('/requests', async (request) => controls.requests(request.query as Match));
  const listed = (name: string, rows: (company?: string) => readonly object[]): void => {
    app.get(`/${name}`, async (request) => {
      const found = rows((request.query as { company?: string }).company);
      return { count: found.length, [name]: found };
    });
  };
  listed('documents', controls.documents);
  app.get<{ Params: { cune: string } }>('/documents/:cune/xml', async (request, reply) => {
    const xml = controls.xml(request.params.cune);
    if (xml === undefined) return reply.code(404).send({ message: 'Nothing of that name.' });
    return reply.type('application/xml').send(xml);
  });
  listed('packages', controls.packages);
  for (const name of Object.keys(VIEWS) as View[]) listed(name, (company) => controls.view(name, company));
  app.get('/invoices', async () => ({ invoices: controls.invoices() }));
  app.get('/events', async (request) => {
    const events = controls.events((request.query as { cufe?: string }).cufe);
    return { count: events.length, events };
  });
  app.get('/professionals', async () => ({ professionals: controls.professionals() }));
  app.get('/outbox', async () => ({ mails: controls.outbox() }));
  app.get('/faults', async () => ({ faults: controls.faults() }));
  app.get('/outcomes', async () => ({ outcomes: controls.outcomes() }));
  app.delete('/requests', async () => {
    controls.clearRequests();
    return { removed: true };
  });
  app.delete<{ Params: { collection: string; id: string } }>('/:collection/:id', async (request, reply) => {
    const { collection, id } = request.params;
    const known = REMOVABLE.includes(collection as RemovableCollection);
    if (known && controls.remove(collection as RemovableCollection, id)) return { removed: true };
    return reply.code(404).send({ message: 'Nothing of that name.' });
  });
}

/** Result of a request. */
interface Ending {
  readonly delivery: Delivery;
  readonly effect: Effect;
  readonly subject?: Subject;
  readonly fault?: Fault;
}

/** Converts `/a/{b}/{c}` to a path of Fastify; only the last segment can be optional. */
const routePath = (template: string, optional: readonly string[]): string =>
  template.replace(/\{(\w+)\}/g, (_match, name) => `:${name}${optional.includes(name) ? '?' : ''}`);

/** Registers every operation of the interface. */
function addRoutes(app: FastifyInstance, service: () => RunningService, log: RequestLog): void {
  const { handlers } = service();
  for (const { id, method, path, optionalPathParameters } of Object.values(OPERATIONS)) {
    const templates = [
      routePath(path, optionalPathParameters),
      ...(handlers[id].alsoAt ?? []).map((at) => routePath(at, [])),
    ];
    for (const url of templates)
      app.route({
        method,
        url,
        handler: async (request, reply) => {
          const ending = await answer(service(), id, request);
          log.add(entryOf(service(), request, ending, id));
          return send(reply, ending.delivery);
        },
      });
  }
}

/** Handles a request from its token to the response. */
async function answer(
  service: RunningService,
  operation: OperationId,
  request: FastifyRequest,
): Promise<Ending> {
  const { context, handlers, faultFor, latency } = service;
  const { companies, refusals, store, chance } = context;
  const handler = handlers[operation];
  const company = companyOf(request.headers, companies);
  if (company === undefined) return { delivery: toHttpReply(refusals.unauthenticated()), effect: 'refused' };

  const path = request.params as Call['path'];
  const query = request.query as Call['query'];
  const body = prepared(received(request).json) as JsonObject;
  const call: Call = { operation, route: routeOf(request), company, path, query, body };
  const patience = chance.wait(latency);
  if (patience > 0) await wait(patience);
  const subject = subjectOf(call, handler.about(call));
  const process = (): { readonly delivery: HttpReply; readonly effect: Effect } => {
    const done = handler.answer(call, subject);
    // Flushed before the response, so that a kill cannot undo it.
    store.flush();
    return { delivery: toHttpReply(done), effect: done.effect };
  };
  const fault = faultFor(subject);
  if (fault === undefined) return { ...process(), subject };
  const processed = phaseOf(fault) === 'after' ? process() : undefined;
  if (fault.ms !== undefined) await wait(fault.ms);
  const instead = deliver(fault, processed?.delivery, refusals);
  if (instead === undefined) return { ...process(), subject, fault };
  return { delivery: instead, effect: processed?.effect ?? 'none', subject, fault };
}

/** Finds the fault of a request: arranged ones first, then the wish of the document, once per number and key. */
function faultFinder({ faults }: Context): (subject: Subject) => Fault | undefined {
  const struck = new Set<string>();
  return (subject) => {
    const arranged = faults.take(subject, (fault) => phaseOf(fault) !== 'query');
    if (arranged !== undefined) return arranged;
    const wished = readRequestedOutcome(subject.note).fault;
    if (wished === undefined) return undefined;
    const fault: Fault = { match: {}, ...wished };
    const key = [subject.company, subject.number, subject.key, fault.kind].join('|');
    if (phaseOf(fault) === 'query' || struck.has(key)) return undefined;
    struck.add(key);
    return fault;
  };
}

const entryOf = (
  { context: { clock } }: RunningService,
  request: FastifyRequest,
  { delivery, effect, subject, fault }: Ending,
  operation: LoggedRequest['operation'],
): Parameters<RequestLog['add']>[0] => {
  const { note: _note, ...topic } = subject ?? {};
  const { json, hash } = received(request);
  return {
    at: clock.now().toISOString(),
    route: routeOf(request),
    ...topic,
    operation,
    headers: masked(request.headers, SECRET_HEADERS),
    body: masked(json, secretMembers()),
    bodyHash: hash,
    effect,
    status: delivery === 'reset' ? null : delivery.status,
    ...(fault !== undefined && { fault: fault.kind }),
  };
};

const routeOf = ({ method, url }: FastifyRequest): string => `${method} ${url.split('?', 1)[0]}`;

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-admin-token', 'cookie']);

let secrets: ReadonlySet<string> | undefined;

/** Returns the members that schemas mark as secret. */
function secretMembers(): ReadonlySet<string> {
  secrets ??= new Set(
    schemaNames().flatMap((name) =>
      Object.entries(schemaJson(name).properties ?? {}).flatMap(([member, { writeOnly }]) =>
        writeOnly === true ? [member] : [],
      ),
    ),
  );
  return secrets;
}

/** Masks every member of these names, at any depth. */
function masked(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, names.has(name) ? '***' : masked(inner, names)]),
  );
}

function send(reply: FastifyReply, delivery: Delivery): FastifyReply {
  if (delivery === 'reset') {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  return reply.code(delivery.status).headers(delivery.headers).type(delivery.type).send(delivery.text);
}

/** Received request, with secrets masked. */
export interface LoggedRequest extends Partial<Pick<Subject, 'company' | 'number' | 'worker' | 'key'>> {
  readonly sequence: number;
  /** ISO instant of the sandbox's clock. */
  readonly at: string;
  /** Method and path. */
  readonly route: string;
  /** `unknown` for a route that does not exist. */
  readonly operation: Subject['operation'] | 'unknown';
  /** Headers, of the latest thousand requests only, like the body. */
  readonly headers?: unknown;
  readonly body?: unknown;
  /** SHA-256 of the body's bytes: equal for a true repetition. */
  readonly bodyHash: string;
  readonly effect: Effect;
  /** Status of the response; null if the connection was closed instead. */
  readonly status: number | null;
  readonly fault?: FaultKind;
}

type RequestLog = ReturnType<typeof createRequestLog>;

/** Max entries with headers and body; older ones are only for counting. */
const MAX_FULL_ENTRIES = 1000;

function createRequestLog(keep: boolean) {
  let count = 0;
  let entries: LoggedRequest[] = [];
  return {
    add: (request: Omit<LoggedRequest, 'sequence'>) => {
      count += 1;
      if (!keep) return;
      entries.push({ sequence: count, ...request });
      const old = entries.at(-1 - MAX_FULL_ENTRIES);
      if (old === undefined) return;
      const { headers: _headers, body: _body, ...rest } = old;
      entries[entries.length - 1 - MAX_FULL_ENTRIES] = rest;
    },
    get count() {
      return count;
    },
    list: () => entries,
    clear: () => {
      count = 0;
      entries = [];
    },
  };
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Token of the first company. */
  readonly token: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly adminToken: string;
  readonly controls: Controls;
  /** Closes the server and cuts open connections. */
  close(): Promise<void>;
}

/** Max body size, above any document: DIAN takes 500 KB, a received invoice in base64 may have more. */
const BODY_LIMIT = 8 * 1024 * 1024;

/**
 * Starts the sandbox on the loopback; FIDELITY.md says what it imitates. Throws if the port is taken or the state file
 * is unreadable.
 */
export async function startSandbox({
  faults,
  outcomes,
  ...options
}: SandboxOptions & Arrangements = {}): Promise<Sandbox> {
  const given = settingsOf(options);
  const store = openStore(given.stateFile);
  const first = contextOf(given, store).companies.all();
  // A reset forgets stored state, but not tokens.
  const settings: Settings = {
    ...given,
    companies: given.companies.map((company, at) => ({
      ...company,
      ...(first[at] && { token: first[at].token }),
    })),
  };
  const arranged = { ...(faults && { faults }), ...(outcomes && { outcomes }) };
  let current = startService(settings, store, arranged);
  const service = (): RunningService => current;
  const log = createRequestLog(settings.requestLog);
  const controls = controlsOf(service, store, log, () => {
    current = startService(settings, store, arranged);
  });
  const adminToken = settings.adminToken ?? randomToken();

  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
  acceptBodies(app);
  if (isLoopback(settings.host)) refuseStrangers(app, settings.host);
  speakLikeTheService(app, service, log);
  addRoutes(app, service, log);
  await app.register(async (admin) => addAdminRoutes(admin, controls, adminToken), { prefix: '/admin' });
  app.addHook('onClose', async () => store.close());
  await app.listen({ host: settings.host, port: settings.port });

  const { port } = app.server.address() as AddressInfo;
  const companies = current.context.companies.all();
  return {
    url: `http://${hostName(settings.host)}:${port}`,
    port,
    token: companies[0]?.token ?? '',
    tokens: Object.fromEntries(companies.map(({ nit, token }) => [nit, token])),
    adminToken,
    controls,
    close: () => app.close(),
  };
}

/** Entries arranged at the start and after each reset. */
export interface Arrangements {
  readonly faults?: readonly Fault[];
  readonly outcomes?: readonly ChosenVerdict[];
}

/** True if only this host reaches the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);

/** Returns the name by which this host calls a listening address. */
function hostName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function contextOf(settings: Settings, store: Store): Context {
  const clock = createClock(settings.now);
  if (settings.clock !== undefined) clock.set(new Date(settings.clock));
  const chance = createChance(settings.seed ?? randomInt(2 ** 32));
  return {
    settings,
    store,
    clock,
    chance,
    companies: openCompanies(store, settings.companies),
    refusals: refusalsOf(settings.errorStyle),
    faults: createScript(1, chance.next),
    verdicts: createScript(Number.POSITIVE_INFINITY, chance.next),
    outbox: openOutbox(store),
  };
}

/** Refuses requests of foreign web pages by a name that resolves to the loopback. */
function refuseStrangers(app: FastifyInstance, host: string): void {
  let hosts: readonly string[] | undefined;
  app.addHook('onRequest', async (request, reply) => {
    hosts ??= localHosts(host, (app.server.address() as AddressInfo).port);
    if (!hosts.includes(request.headers.host ?? ''))
      return reply.code(421).send({ message: 'Unknown host.' });
  });
}

function speakLikeTheService(app: FastifyInstance, service: () => RunningService, log: RequestLog): void {
  const { refusals } = service().context;
  app.setNotFoundHandler(async (request, reply) => {
    const delivery = toHttpReply(refusals.unknownRoute(request.url));
    if (!request.url.startsWith('/admin/'))
      log.add(entryOf(service(), request, { delivery, effect: 'refused' }, 'unknown'));
    return send(reply, delivery);
  });
  app.setErrorHandler<Error & { statusCode?: number }>(async (error, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500)
      return reply.code(error.statusCode).send({ message: error.message });
    const { status, text, type } = toHttpReply(refusals.crash(error.message));
    // An imitated crash is no exception: this header marks an error of the sandbox itself.
    return reply.code(status).header('x-sandbox-fault', error.message).type(type).send(text);
  });
}
