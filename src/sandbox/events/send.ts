import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import { type Answer, type Call, declined, type Handler, ok, type Subject, type Topic } from '../answer.js';
import { isTrue, text } from '../members.js';
import type { FieldFault } from '../refusals.js';
import { schemaFaults, shapeFaults } from '../shape-faults.js';
import type { Verdict } from '../verdict.js';
import { readWish } from '../wishes.js';
import { accepted, alreadyInBook, sent } from './answers.js';
import { composeEvent, eventNumber } from './compose.js';
import type { EventContext } from './context.js';
import { judgeEvent } from './judge.js';
import { mailEvent } from './mail.js';
import type { RegisteredEvent } from './registry.js';
import { codeOf, mayRegister, targetOf } from './target.js';

/** E1 and E2. Each wants its own option, as observed, or both take both, as the contract says (service.md 7.2). */

const OBSERVED = { sendEvent: 'events/event-by-document', sendEventData: 'events/event-by-cufe' } as const;

function faultsOf({ settings }: EventContext, call: Call): readonly FieldFault[] {
  const observed =
    settings.eventPaths === 'observed' ? OBSERVED[call.operation as keyof typeof OBSERVED] : undefined;
  return observed === undefined ? shapeFaults(call) : schemaFaults(observed, call.body);
}

/** CUFE and event code joined by a hyphen; the receiver's job title may hold a wish. */
function topicOf(context: EventContext, call: Call): Topic {
  const target = targetOf(context, call);
  const code = codeOf(call);
  const note = text(call.body, 'issuer_party', 'job_title');
  return {
    ...(target.is === 'found' && {
      number: target.invoice.number,
      ...(code !== undefined && { key: `${target.invoice.cufe}-${code}` }),
    }),
    ...(note !== '' && { note }),
  };
}

export function eventSend(context: EventContext): Handler {
  const { refusals, marks, settings, clock } = context;
  return {
    about: (call) => topicOf(context, call),
    answer: (call, subject) => {
      const { body, company } = call;
      const faults = faultsOf(context, call);
      if (faults.length > 0) return refusals.invalid(faults);
      const code = codeOf(call)!;
      if (company.certificateDaysLeft <= 0)
        return declined('El certificado digital se encuentra vencido', { certificate_days_left: 0 });
      const target = targetOf(context, call);
      if (target.is === 'refused') return declined(target.message);
      if (!mayRegister(company, code, target))
        return declined(`El documento no corresponde al adquiriente ${company.nit}`);

      const { invoice } = target;
      const again = isTrue(body['resend_consecutive']);
      if (again) marks.clear(company.nit, invoice.cufe, code);
      const mark = marks.of(company.nit, invoice.cufe, code);
      if (mark !== undefined) return alreadyInBook(invoice, mark, call.operation === 'sendEventData');
      const number = eventNumber(invoice, code, again ? String(settings.resendDigit()) : '');
      return deliver(
        context,
        call,
        subject,
        invoice,
        composeEvent(company, invoice, code, number, clock.now()),
      );
    },
  };
}

/** The event before DIAN, and what the service makes of the verdict. */
function deliver(
  context: EventContext,
  call: Call,
  subject: Subject,
  invoice: ReceivedInvoice,
  event: RegisteredEvent,
): Answer {
  const chosen = context.verdicts.take(subject) ?? readWish(subject.note).verdict;
  const verdict = judgeEvent({ event, invoice, ...(chosen !== undefined && { chosen }) }, context.registry);
  const { cufe, code, cude, date } = event;
  if (isDone(verdict)) context.marks.set(call.company.nit, cufe, code, { cude, date });
  const body = sent(call.company, event, verdict);
  if (verdict.state !== 'accepted') return ok(body, isRepeated(verdict) ? 'already-sent' : 'rejected');
  mailEvent(context, call, invoice, event);
  return ok({ ...body, ...accepted(invoice) }, 'accepted');
}

const has = ({ findings }: Verdict, ...rules: readonly string[]): boolean =>
  findings.some(({ rule, rejects }) => rejects && rules.includes(rule));

/** Rule 90 makes the service believe that the event is done; LGC01, which says the same, does not (service.md 7.3). */
const isDone = (verdict: Verdict): boolean => verdict.state === 'accepted' || has(verdict, '90');
const isRepeated = (verdict: Verdict): boolean => has(verdict, '90', 'LGC01');
