import { invoiceOfEvent } from '../../events/invoice-of.js';
import { EVENT_CODES, type EventCode, eventCode } from '../../events/kinds.js';
import type { Registered } from '../../events/sequence.js';
import type { JsonObject } from '../../values/json.js';
import { dateInBogota } from '../../values/plain-date.js';
import type { Journal } from '../journal.js';

/** What the journal calls an event: an invoice has at most one of a code. */
export const eventSubject = (cufe: string, code: EventCode): string => `event:${cufe}:${code}`;

/** The invoice and code of a body that is an event. Throws a TypeError for another body. */
export function eventOf(body: JsonObject): { readonly cufe: string; readonly code: EventCode } {
  const code = eventCode(body['event_id']);
  const invoice = invoiceOfEvent(body);
  if (code === undefined || invoice === undefined) throw new TypeError('Not the body of an event');
  return { cufe: invoice.cufe, code };
}

/** The events of an invoice that this journal saw accepted, with their day. */
export function acceptedEvents(journal: Journal): (cufe: string) => readonly Registered[] {
  const find = journal.prepare(
    `SELECT updated FROM document WHERE subject = ? AND state = 'accepted' AND earlier IS NULL ORDER BY id LIMIT 1`,
  );
  return (cufe) =>
    Object.values(EVENT_CODES).flatMap((code) => {
      const row = find.first<{ updated: number }>(eventSubject(cufe, code));
      return row === undefined ? [] : [{ code, date: dateInBogota(new Date(row.updated)), ours: true }];
    });
}
