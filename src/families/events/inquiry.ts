import type { Inquiry } from '../family.js';
import { type AskedInvoice, EVENT_QUERIES } from './answer.js';
import { answeredOf, shownIn } from './event.js';
import { eventOf } from './sequence.js';
import { createWorklist } from './worklist.js';

/** What DIAN has on received invoices, whoever did it. */
export const INQUIRY: Inquiry = {
  phrase: 'askingEvents',
  about({ body, key, name, details = {} }): AskedInvoice {
    // A list shows the number beside its key; a file has it for its key.
    const { invoice } = details;
    const number = invoice ?? ('base64_attacheddocument' in body ? key : (name ?? key));
    return { id: eventOf(body).cufe, number, name: invoice ?? name ?? key, details };
  },
  async known(journal, { id, name, details }) {
    const told = shownIn(await answeredOf(journal, id));
    return { id, name: details?.['invoice'] ?? told['invoice'] ?? name, details: { ...told, ...details } };
  },
  queries: EVENT_QUERIES,
  untold: ({ id: cufe }) => ({ code: 'events/state-unknown', level: 'warning', params: { cufe }, place: {} }),
  worklist: createWorklist,
};
