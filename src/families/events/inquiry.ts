import type { Inquiry } from '../family.js';
import { type AskedInvoice, EVENT_QUERIES } from './answer.js';
import { answersAbout, invoiceMembers } from './event.js';
import { eventOf } from './sequence.js';
import { createWorklist } from './worklist.js';

/** Queries DIAN for events of received invoices, registered by anyone. */
export const INQUIRY: Inquiry = {
  phrase: 'askingEvents',
  about({ body, key, name, details = {} }): AskedInvoice {
    // A list has the number besides its key; for a file it is the key.
    const { invoice } = details;
    const number = invoice ?? ('base64_attacheddocument' in body ? key : (name ?? key));
    return { id: eventOf(body).cufe, number, name: invoice ?? name ?? key, details };
  },
  async known(journal, { id, name, details }) {
    const members = invoiceMembers(await answersAbout(journal, id));
    return {
      id,
      name: details?.['invoice'] ?? members['invoice'] ?? name,
      details: { ...members, ...details },
    };
  },
  queries: EVENT_QUERIES,
  unanswered: ({ id: cufe }) => ({
    code: 'events/state-unknown',
    level: 'warning',
    params: { cufe },
    place: {},
  }),
  worklist: createWorklist,
};
