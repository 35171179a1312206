import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { isDocumentCode, type JsonObject } from '../core/json.js';
import { isPlainDate } from '../core/plain-date.js';
import { EVENT_CODES } from '../families/events/sequence.js';
import { OPERATIONS, type OperationId } from '../generated/operations.js';
import type { ReceivedInvoice } from '../tables/xml/received-invoice.js';
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
  type Refusals,
  received,
  refusalsOf,
  type Subject,
  subjectOf,
} from './answer.js';
import { type Clock, createClock } from './clock.js';
import { type EventElsewhere, type Events, openEvents } from './events/events.js';
import type { RegisteredEvent } from './events/registry.js';
import {
  type Context,
  type Delivery,
  deliver,
  FAULT_KINDS,
  type Fault,
  type FaultKind,
  phaseOf,
  readWish,
  toWire,
  VERDICT_WORDS,
  type Wire,
} from './faults.js';
import { type InvoiceOptions, type SandboxOptions, type Settings, settingsOf } from './options.js';
import type { ArchivedDocument } from './payroll/book.js';
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
  type Store,
} from './store.js';

const bearer = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** The company that the request's token belongs to. */
function companyOf(headers: IncomingHttpHeaders, companies: Companies): Company | undefined {
  const token = bearer(headers);
  return token === undefined ? undefined : companies.byToken(token);
}

/** Whether the request carries the admin token, as `x-admin-token` or as bearer. */
function isAdmin(headers: IncomingHttpHeaders, adminToken: string): boolean {
  const given = Buffer.from(String(headers['x-admin-token'] ?? bearer(headers) ?? ''));
  const expected = Buffer.from(adminToken);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The Host headers of requests meant for this machine: a page elsewhere that resolves to it has another. */
const localHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);

/** What can be arranged and looked up behind the service's back; the admin routes are the same over HTTP. */
export interface Controls {
  addFault(fault: Fault): Entry<Fault>;
  /** Without `times` it holds until it is removed. */
  addOutcome(outcome: ChosenVerdict): Entry<ChosenVerdict>;
  /** Removes one entity: a fault, an outcome, a mail, or what DIAN shall never have seen (by CUNE, CUFE or CUDE). */
  remove(collection: RemovableCollection, id: string): boolean;
  /** Requests that arrived; the count holds also where no log is kept. */
  requests(match?: Match): { readonly count: number; readonly requests: readonly LoggedRequest[] };
  clearRequests(): void;
  /** What DIAN has accepted. */
  documents(company?: string): readonly ArchivedDocument[];
  /** Makes an invoice known to DIAN. Throws a TypeError when the CUFE is none. */
  addInvoice(invoice: InvoiceOptions): ReceivedInvoice;
  invoices(): readonly ReceivedInvoice[];
  /** Registers an event at DIAN that came another way. Throws a TypeError when the CUFE is none. */
  addEvent(event: EventElsewhere): RegisteredEvent;
  /** Events that DIAN has approved. */
  events(cufe?: string): readonly RegisteredEvent[];
  /** RIPS packages that the health system accepted, one for each time that a document was generated. */
  packages(company?: string): readonly Package[];
  /** Replaces the one of the same company and id. */
  addProfessional(professional: Professional): Professional;
  professionals(): readonly Professional[];
  faults(): readonly Entry<Fault>[];
  outcomes(): readonly Entry<ChosenVerdict>[];
  outbox(): readonly Mail[];
  setClock(instant: Date): void;
  advanceClock(seconds: number): void;
}

const REMOVABLE = ['faults', 'outcomes', 'documents', 'invoices', 'events', 'outbox'] as const;
type RemovableCollection = (typeof REMOVABLE)[number];

/** The three families of operations. */
interface Families {
  readonly payroll: Payroll;
  readonly rips: Rips;
  readonly events: Events;
}

function controlsOf(context: Context, { payroll, rips, events }: Families, log: RequestLog): Controls {
  const { faults, verdicts, outbox, clock, store } = context;
  const removers: Readonly<Record<RemovableCollection, (id: string) => boolean>> = {
    faults: faults.remove,
    outcomes: verdicts.remove,
    documents: payroll.archive.forget,
    invoices: events.invoices.forget,
    events: events.registry.forget,
    outbox: outbox.remove,
  };
  const kept = <T>(changed: T): T => {
    store.flush();
    return changed;
  };
  return {
    addFault: faults.add,
    addOutcome: verdicts.add,
    remove: (collection, id) => kept(removers[collection](id)),
    requests: (match = {}) => {
      const found =
        Object.keys(match).length === 0 ? log.list() : log.list().filter((entry) => matches(match, entry));
      return { count: Object.keys(match).length === 0 ? log.count : found.length, requests: found };
    },
    clearRequests: log.clear,
    documents: (company) =>
      payroll.archive.list().filter((document) => company === undefined || document.company === company),
    addInvoice: (invoice) => kept(events.fixInvoice(invoice)),
    invoices: events.invoices.list,
    addEvent: (event) => kept(events.registerElsewhere(event)),
    events: (cufe) => events.registry.list().filter((event) => cufe === undefined || event.cufe === cufe),
    packages: (company) =>
      rips.records.packages.all().filter((one) => company === undefined || one.company === company),
    addProfessional: (professional) => kept(rips.professionals.save(professional)),
    professionals: rips.professionals.list,
    faults: faults.list,
    outcomes: verdicts.list,
    outbox: outbox.list,
    setClock: clock.set,
    advanceClock: clock.advance,
  };
}

/** Whether a member of an admin request has a usable value. */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isMoney: Check = (value) => isText(value) && /^\d+\.\d\d$/.test(value as string);
const isCufe: Check = (value) => isText(value) && isDocumentCode(value as string);
const isCount: Check = (value) => Number.isInteger(value) && (value as number) > 0;
const isDuration: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
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
  company: isText,
  number: isText,
  worker: isText,
  key: isText,
};
const FAULT = {
  match: each(MATCH),
  kind: oneOf(FAULT_KINDS),
  times: isCount,
  ms: isDuration,
  retryAfter: isDuration,
  phase: oneOf(['before', 'after']),
};
const OUTCOME = {
  match: each(MATCH),
  verdict: oneOf(VERDICT_WORDS),
  rules: (value: unknown) => Array.isArray(value) && value.every(isText),
  times: isCount,
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

/** The first member that is missing, unknown or unusable. */
function wrongMember(
  body: object,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): string | undefined {
  const missing = required.find((name) => !(name in body));
  return missing ?? Object.entries(body).find(([name, value]) => checks[name]?.(value) !== true)?.[0];
}

/** Routes behind the service's back, with a token of their own (FIDELITY.md). */
function addAdminRoutes(app: FastifyInstance, controls: Controls, clock: Clock, adminToken: string): void {
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
    app.post(path, async (request, reply) => {
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
    return { now: clock.now().toISOString() };
  });

  app.get('/requests', async (request) => controls.requests(request.query as Match));
  app.get('/documents', async (request) => {
    const documents = controls.documents((request.query as { company?: string }).company);
    return { count: documents.length, documents };
  });
  app.get('/invoices', async () => ({ invoices: controls.invoices() }));
  app.get('/events', async (request) => {
    const events = controls.events((request.query as { cufe?: string }).cufe);
    return { count: events.length, events };
  });
  app.get('/packages', async (request) => {
    const packages = controls.packages((request.query as { company?: string }).company);
    return { count: packages.length, packages };
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

type Handlers = Readonly<Record<OperationId, Handler>>;

interface Processed {
  readonly delivery: Wire;
  readonly effect: Effect;
}

/** How a request ended. */
interface Ending {
  readonly delivery: Delivery;
  readonly effect: Effect;
  readonly subject?: Subject;
  readonly fault?: Fault;
}

/** `/a/{b}/{c}` as Fastify writes it; only the last segment can be optional. */
const routePath = (template: string, optional: readonly string[]): string =>
  template.replace(/\{(\w+)\}/g, (_match, name) => `:${name}${optional.includes(name) ? '?' : ''}`);

/** Registers every operation of the interface. */
function addRoutes(app: FastifyInstance, context: Context, handlers: Handlers, log: RequestLog): void {
  const faultFor = faultFinder(context);
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
          const ending = await answer(context, id, handlers[id], request, faultFor);
          log.add(entryOf(context, id, request, ending));
          return send(reply, ending.delivery);
        },
      });
  }
}

/** One request from the token to what goes over the wire. */
async function answer(
  { companies, refusals, store }: Context,
  operation: OperationId,
  handler: Handler,
  request: FastifyRequest,
  faultFor: (subject: Subject) => Fault | undefined,
): Promise<Ending> {
  const company = companyOf(request.headers, companies);
  if (company === undefined) return { delivery: toWire(refusals.unauthenticated()), effect: 'refused' };

  const path = request.params as Call['path'];
  const query = request.query as Call['query'];
  const body = prepared(received(request).json) as JsonObject;
  const call: Call = { operation, company, path, query, body };
  const subject = subjectOf(call, handler.about(call));
  const process = (): Processed => {
    const done = handler.answer(call, subject);
    // Nothing is answered that a kill could still undo.
    store.flush();
    return { delivery: toWire(done), effect: done.effect };
  };
  const fault = faultFor(subject);
  if (fault === undefined) return { ...process(), subject };
  const processed = phaseOf(fault) === 'after' ? process() : undefined;
  if (fault.ms !== undefined) await wait(fault.ms);
  const instead = deliver(fault, processed?.delivery, refusals);
  if (instead === undefined) return { ...process(), subject, fault };
  return { delivery: instead, effect: processed?.effect ?? 'none', subject, fault };
}

/** Arranged faults first, then the one that the document wishes, which strikes once for each number and key. */
function faultFinder({ faults }: Context): (subject: Subject) => Fault | undefined {
  const struck = new Set<string>();
  return (subject) => {
    const arranged = faults.take(subject, (fault) => phaseOf(fault) !== 'query');
    if (arranged !== undefined) return arranged;
    const wished = readWish(subject.note).fault;
    if (wished === undefined) return undefined;
    const fault: Fault = { match: {}, ...wished };
    const key = [subject.company, subject.number, subject.key, fault.kind].join('|');
    if (phaseOf(fault) === 'query' || struck.has(key)) return undefined;
    struck.add(key);
    return fault;
  };
}

const entryOf = (
  { clock }: Context,
  operation: OperationId,
  request: FastifyRequest,
  { delivery, effect, subject, fault }: Ending,
): Parameters<RequestLog['add']>[0] => {
  const { note: _note, ...topic } = subject ?? {};
  return {
    at: clock.now().toISOString(),
    ...topic,
    operation,
    bodyHash: received(request).hash,
    effect,
    status: delivery === 'reset' ? null : delivery.status,
    ...(fault !== undefined && { fault: fault.kind }),
  };
};

function send(reply: FastifyReply, delivery: Delivery): FastifyReply {
  if (delivery === 'reset') {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  return reply.code(delivery.status).headers(delivery.headers).type(delivery.type).send(delivery.text);
}

/** One request that really arrived, secrets and amounts left out. */
export interface LoggedRequest extends Partial<Pick<Subject, 'company' | 'number' | 'worker' | 'key'>> {
  readonly sequence: number;
  /** ISO instant of the sandbox's clock. */
  readonly at: string;
  readonly operation: Subject['operation'];
  /** SHA-256 of the body's bytes: equal for a true repetition. */
  readonly bodyHash: string;
  readonly effect: Effect;
  /** Status that went out; null when the connection was closed instead. */
  readonly status: number | null;
  readonly fault?: FaultKind;
}

interface RequestLog {
  add(request: Omit<LoggedRequest, 'sequence'>): void;
  readonly count: number;
  list(): readonly LoggedRequest[];
  clear(): void;
}

function createRequestLog(keep: boolean): RequestLog {
  let count = 0;
  let entries: LoggedRequest[] = [];
  return {
    add: (request) => {
      count += 1;
      if (keep) entries.push({ sequence: count, ...request });
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
