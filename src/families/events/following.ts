import type { Sql } from '../../send/database.js';
import { PAGE, paged } from '../../send/runs.js';
import { dateInBogota, type PlainDate } from '../../toolkit/core/plain-date.js';
import { getOrAdd, listIn } from '../../toolkit/core/remember.js';
import { dateInWords } from '../../toolkit/messages/texts.js';
import { type CatalogueRow, csvOf } from '../../toolkit/schema/catalogue-text.js';
import { type EventCode, type Registered, workOf } from './sequence.js';

/** Titles of the lists, which `events/list` knows. */
const TITLES = [
  'Factura',
  'CUFE',
  'Vendedor',
  'NIT del vendedor',
  'Total',
  'Evento',
  'Motivo',
  'Fecha límite',
];

const ACCEPTED = `
  SELECT d.id, d.subject, d.updated, c.trace FROM document d LEFT JOIN content c ON c.document = d.id
  WHERE d.state = 'accepted' AND d.earlier IS NULL AND d.subject LIKE 'event:%' AND d.id > ?
  ORDER BY d.id LIMIT ${PAGE}`;

interface AcceptedRow {
  readonly id: number;
  readonly subject: string;
  readonly updated: number;
  /** Null if the content was removed from the journal. */
  readonly trace: string | null;
}

interface Invoice {
  readonly events: Registered[];
  details: Readonly<Record<string, string>>;
}

async function invoicesOf(journal: Sql): Promise<ReadonlyMap<string, Invoice>> {
  const found = new Map<string, Invoice>();
  const page = (after: number) => journal.all<AcceptedRow>(ACCEPTED, after);
  for await (const { subject, updated, trace } of paged(0, page, ({ id }) => id)) {
    const [, cufe = '', code] = subject.split(':');
    const invoice = getOrAdd(found, cufe, (): Invoice => ({ events: [], details: {} }));
    invoice.events.push({ code: code as EventCode, date: dateInBogota(new Date(updated)), ours: true });
    if (trace !== null) invoice.details = { ...(JSON.parse(trace) as { details?: object }).details };
  }
  return found;
}

/**
 * Lists the events that the accepted ones of this journal make possible, by the name of a file: the receipt of goods or
 * services of acknowledged invoices, and those that are to be accepted or claimed before a day, which a person decides.
 */
export async function following(journal: Sql, today: PlainDate): Promise<ReadonlyMap<string, string>> {
  const lists = new Map<string, CatalogueRow[]>();
  for (const [cufe, { events, details }] of await invoicesOf(journal)) {
    const { state, deadline } = workOf(events, today);
    const isToReceive = state === 'acknowledged';
    if (!isToReceive && (state !== 'received' || (deadline !== undefined && deadline < today))) continue;
    const { invoice = '', seller = '', seller_id = '', total = '' } = details;
    const lastDay = deadline === undefined ? '' : dateInWords(deadline);
    const cells = [invoice, cufe, seller, seller_id, total, isToReceive ? '032' : '', '', lastDay];
    const row = Object.fromEntries(TITLES.map((title, at) => [title, cells[at] ?? '']));
    listIn(lists, isToReceive ? 'recibo-032.csv' : 'aceptar-o-reclamar.csv').push(row);
  }
  return new Map([...lists].map(([name, rows]) => [name, csvOf({ columns: TITLES, rows })]));
}
