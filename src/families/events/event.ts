import type { Sql } from '../../send/database.js';
import { answerIn } from '../../send/documents.js';
import { textOf } from '../../send/verdict.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import type { Decided } from '../family.js';
import { EVENT_CODES, eventSubject } from './sequence.js';
import type { ReceivedInvoice } from './xml/received-invoice.js';

/** An invoice by what its own file says. */
export const decidedBy = ({ number, seller, total }: ReceivedInvoice): Decided => ({
  number,
  name: seller.name,
  total,
});

const ANSWERED = `
  SELECT a.body AS answer FROM document d JOIN answer a ON a.document = d.id
  WHERE d.subject = ? AND d.state = 'accepted' ORDER BY d.id LIMIT 1`;

/** What the service answered of an invoice to events that were accepted earlier. */
export async function answeredOf(journal: Sql, cufe: string): Promise<JsonObject> {
  let told: JsonObject = {};
  for (const code of Object.values(EVENT_CODES)) {
    const row = await journal.first<{ answer: string }>(ANSWERED, eventSubject(cufe, code));
    if (row !== undefined) told = { ...answerIn(row.answer), ...told };
  }
  return told;
}

/** What an answer shows of the invoice, as mappings call it. */
export function shownIn(told: JsonObject): Readonly<Record<string, string>> {
  const shown = {
    invoice: told['invoice_number'],
    seller: told['transmitter_name'] ?? told['seller_name'],
    seller_id: told['transmitter_id'] ?? told['seller_id'],
    total: told['invoice_total'],
  };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
