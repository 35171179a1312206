import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OPERATIONS, type OperationId } from '../generated/operations.js';
import { type Call, type Effect, type Handler, type Subject, subjectOf } from './answer.js';
import { companyOf } from './auth.js';
import { received } from './body.js';
import type { Context } from './context.js';
import { type Delivery, deliver, type Fault, phaseOf, toWire, type Wire } from './faults.js';
import type { RequestLog } from './request-log.js';
import { readWish } from './wishes.js';

export type Handlers = Readonly<Record<OperationId, Handler>>;

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
export function addRoutes(app: FastifyInstance, context: Context, handlers: Handlers, log: RequestLog): void {
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
  const call: Call = { operation, company, path, query, body: received(request).json };
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
