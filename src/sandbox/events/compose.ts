import { cude } from '../../events/cude.js';
import type { EventCode } from '../../events/kinds.js';
import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import { bogota } from '../clock.js';
import type { Company } from '../companies.js';
import type { RegisteredEvent } from './registry.js';

/** Seller's NIT, invoice and code joined, and the digit that a resend appends (service.md 7.3). */
export const eventNumber = ({ seller, number }: ReceivedInvoice, code: EventCode, digit = ''): string =>
  `${seller.id}${number}${code}${digit}`;

/** An event as the service composes it: dated by the clock, with its true CUDE (service.md 13.9). */
export function composeEvent(
  company: Company,
  invoice: ReceivedInvoice,
  code: EventCode,
  number: string,
  now: Date,
): RegisteredEvent {
  const { date, time } = bogota(now);
  const [sender, receiver] =
    code === '034' ? [invoice.seller, invoice.buyer] : [invoice.buyer, invoice.seller];
  return {
    environment: company.environment,
    buyer: invoice.buyer.id,
    cufe: invoice.cufe,
    code,
    number,
    cude: cude({
      eventNumber: number,
      issueDate: date,
      issueTime: time,
      sender: sender.id,
      receiver: receiver.id,
      eventCode: code,
      invoiceNumber: invoice.number,
      invoiceType: invoice.type,
      softwarePin: company.software.pin ?? company.software.pinpayroll,
    }),
    sender,
    receiver,
    date,
    time,
  };
}
