import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import type { JsonObject } from '../../values/json.js';
import { type Answer, declined } from '../answer.js';
import type { Company } from '../companies.js';
import { envelope, nested } from '../soap.js';
import type { Verdict } from '../verdict.js';
import { verdictResult } from '../verdict-result.js';
import type { Mark } from './marks.js';
import type { RegisteredEvent } from './registry.js';
import { EVENT_RULE_TEXTS } from './rule-texts.js';

/** What E1 and E2 answer (service.md 7.3, 13.9). */

const RESULT = ['SendEventUpdateStatusResponse', 'SendEventUpdateStatusResult'];

/**
 * Sent, whatever DIAN says of it: `success` is true on a rejection too. `consecutive` is the number of the event;
 * the contract promises it under no name, the key is the sandbox's own.
 */
export const sent = (company: Company, event: RegisteredEvent, verdict: Verdict): JsonObject => ({
  success: true,
  message: 'Evento enviado',
  ResponseDian: envelope(
    nested(
      RESULT,
      verdictResult(verdict, {
        fileName: event.number,
        authorised: `El evento ${event.number} ha sido autorizado.`,
        ruleTexts: EVENT_RULE_TEXTS,
      }),
    ),
  ),
  cude: event.cude,
  consecutive: event.number,
  certificate_days_left: company.certificateDaysLeft,
});

/** What an approved event has besides. */
export const accepted = (invoice: ReceivedInvoice): JsonObject => ({
  transmitter_id: invoice.seller.id,
  transmitter_name: invoice.seller.name,
  receiver_id: invoice.buyer.id,
  receiver_name: invoice.buyer.name,
  invoice_number: invoice.number,
  invoice_date: invoice.issueDate,
  invoice_cufe: invoice.cufe,
  invoice_total: invoice.total,
  invoice_tax: invoice.tax,
});

/** The service's own no; only E2 tells what it has in its book. */
export const alreadyInBook = (invoice: ReceivedInvoice, mark: Mark, tell: boolean): Answer =>
  declined(
    'Evento registrado previamente',
    tell
      ? {
          cude: mark.cude,
          date_issue: mark.date,
          seller_id: invoice.seller.id,
          seller_name: invoice.seller.name,
          invoice_number: invoice.number,
          invoice_cufe: invoice.cufe,
        }
      : {},
    'already-sent',
  );
