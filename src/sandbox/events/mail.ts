import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import type { Call } from '../answer.js';
import { isTrue, text } from '../members.js';
import type { EventContext } from './context.js';
import type { RegisteredEvent } from './registry.js';

/** With `sendmail` an approved event goes to the seller, whose address stands in the invoice, and to the copies. */
export function mailEvent(
  { outbox, clock }: EventContext,
  { body, company }: Call,
  { seller }: ReceivedInvoice,
  { number, cude }: RegisteredEvent,
): void {
  if (!isTrue(body['sendmail'])) return;
  const list = body['email_cc_list'];
  const copies = Array.isArray(list) ? list.map((entry) => text({ entry }, 'entry', 'email')) : [];
  for (const to of [seller.email ?? '', ...copies])
    if (to !== '')
      outbox.put({ company: company.nit, to, number, documentCode: cude, at: clock.now().toISOString() });
}
