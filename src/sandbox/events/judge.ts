import { orderRule } from '../../events/order.js';
import { termEnd } from '../../events/term.js';
import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import type { ChosenVerdict, Finding, Verdict } from '../verdict.js';
import type { RegisteredEvent, Registry } from './registry.js';

/** An event as it lies before DIAN. */
export interface EventSubmission {
  readonly event: RegisteredEvent;
  readonly invoice: ReceivedInvoice;
  readonly chosen?: Pick<ChosenVerdict, 'verdict' | 'rules'>;
}

const rejects = (rule: string): Finding => ({ rule, rejects: true });

/** The rule of the order that the event breaks, given what is registered for its invoice. */
function brokenRule(
  { event, invoice }: EventSubmission,
  earlier: readonly RegisteredEvent[],
): readonly Finding[] {
  const received = earlier.find(({ code }) => code === '032');
  const rule = orderRule(
    earlier.map(({ code }) => code),
    event.code,
    {
      soldForCash: invoice.payment !== 'credit',
      termOver: received !== undefined && event.date > termEnd(received.date),
    },
  );
  return rule === undefined ? [] : [rejects(rule)];
}

/** DIAN's verdict; what it approves is registered. */
export function judgeEvent(submission: EventSubmission, registry: Registry): Verdict {
  const { event, chosen } = submission;
  const documentKey = event.cude;
  if (chosen?.verdict === 'set-accepted') return { state: 'set-accepted', findings: [], documentKey };
  if (chosen?.verdict === 'reject')
    return { state: 'rejected', findings: (chosen.rules ?? []).map(rejects), documentKey };

  const earlier = registry.of(event);
  const same = earlier.find(({ number }) => number === event.number);
  if (same !== undefined) return { state: 'rejected', findings: [rejects('90')], documentKey: same.cude };

  const broken = brokenRule(submission, earlier);
  const notified = chosen?.verdict === 'notify' ? (chosen.rules ?? []) : [];
  const findings = [...broken, ...notified.map((rule): Finding => ({ rule, rejects: false }))];
  if (broken.length > 0) return { state: 'rejected', findings, documentKey };
  registry.register(event);
  return { state: 'accepted', findings, documentKey };
}
