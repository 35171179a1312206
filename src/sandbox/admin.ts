import type { FastifyInstance } from 'fastify';
import { EVENT_CODES } from '../events/kinds.js';
import { OPERATIONS } from '../generated/operations.js';
import { isDocumentCode } from '../values/document-code.js';
import { isPlainDate } from '../values/plain-date.js';
import { isAdmin } from './auth.js';
import { received } from './body.js';
import type { Clock } from './clock.js';
import { type Controls, REMOVABLE, type RemovableCollection } from './controls.js';
import type { EventElsewhere } from './events/events.js';
import { FAULT_KINDS, type Fault } from './faults.js';
import type { InvoiceOptions } from './options.js';
import type { Professional } from './rips/professionals.js';
import type { Match } from './script.js';
import type { ChosenVerdict } from './verdict.js';
import { VERDICT_WORDS } from './wishes.js';

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
export function addAdminRoutes(
  app: FastifyInstance,
  controls: Controls,
  clock: Clock,
  adminToken: string,
): void {
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
