import type { Sql } from '../../send/database.js';
import { answerIn } from '../../send/documents.js';
import { textOf } from '../../send/verdict.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import type { ApprovalDetails } from '../family.js';
import { EVENT_CODES, eventSubject } from './sequence.js';
import type { ReceivedInvoice } from './xml/received-invoice.js';

export const invoiceDetails = ({ number, seller, total }: ReceivedInvoice): ApprovalDetails => ({
  number,
  name: seller.name,
  total,
});

const ANSWERED = `
  SELECT a.body AS answer FROM document d JOIN answer a ON a.document = d.id
  WHERE d.subject = ? AND d.state = 'accepted' ORDER BY d.id LIMIT 1`;

/** Returns the members of responses to accepted events of this invoice. */
export async function answersAbout(journal: Sql, cufe: string): Promise<JsonObject> {
  let members: JsonObject = {};
  for (const code of Object.values(EVENT_CODES)) {
    const row = await journal.first<{ answer: string }>(ANSWERED, eventSubject(cufe, code));
    if (row !== undefined) members = { ...answerIn(row.answer), ...members };
  }
  return members;
}

/** Returns the invoice members of a response, under the mappings' names. */
export function invoiceMembers(response: JsonObject): Readonly<Record<string, string>> {
  const shown = {
    invoice: response['invoice_number'],
    seller: response['transmitter_name'] ?? response['seller_name'],
    seller_id: response['transmitter_id'] ?? response['seller_id'],
    total: response['invoice_total'],
  };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
