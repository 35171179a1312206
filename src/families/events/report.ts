import { aboutOf, codeOf, type DocumentLayout, numberOf } from '../../report/rows.js';
import type { ReportedDocument } from '../../report/run-report.js';
import { answerIn } from '../../send/documents.js';
import { PAGE } from '../../send/runs.js';
import { detailsFromText } from '../../send/trace-text.js';
import { textOf } from '../../send/verdict.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { dateInBogota, isPlainDate } from '../../toolkit/core/plain-date.js';
import type { Outcome } from '../../toolkit/schema/document.js';
import type { ReportPart } from '../family.js';
import { invoiceMembers } from './event.js';
import { eventOf, eventTitle, invoiceOfEvent, termEnd, termOf } from './sequence.js';

interface Row {
  readonly sequence: number;
  readonly schema: string;
  readonly body: string;
  readonly trace: string;
  readonly answer: string | null;
  readonly updated: number;
}

const OF_RUN = `
  SELECT d.sequence, d.schema, c.body, c.trace, a.body AS answer, coalesce(e.updated, d.updated) AS updated
  FROM document d JOIN content c ON c.document = d.id LEFT JOIN document e ON e.id = d.earlier
    LEFT JOIN answer a ON a.document = coalesce(d.earlier, d.id)
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** Returns event and invoice details of an outcome, from file and response. */
function about(row: Row, { key, name, state }: Outcome): ReportedDocument['about'] {
  const body = JSON.parse(row.body) as JsonObject;
  const { cufe, code } = eventOf(body);
  const { invoice } = invoiceOfEvent(body) ?? {};
  const response = row.answer === null ? {} : answerIn(row.answer);
  const day = textOf(response['date_issue'])?.slice(0, 10) ?? dateInBogota(new Date(row.updated));
  const registered = state === 'accepted' && isPlainDate(day) ? day : undefined;
  const fromFile = row.schema === 'events/event-by-document';
  const details = detailsFromText(row.trace);
  const shown = invoiceMembers(response);
  const more: Readonly<Record<string, string | undefined>> = {
    seller: invoice?.seller.name ?? shown['seller'] ?? details['seller'],
    sellerId: invoice?.seller.id ?? shown['seller_id'] ?? details['seller_id'],
    total: invoice?.total ?? shown['total'] ?? details['total'],
    registered,
    deadline: registered && termOf('031')?.from === code ? termEnd(registered) : undefined,
  };
  return {
    invoice: details['invoice'] ?? (fromFile ? key : (name ?? key)),
    cufe,
    code,
    name: eventTitle(code),
    ...Object.fromEntries(
      Object.entries(more).flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])),
    ),
  };
}

const EVENT_COLUMNS: DocumentLayout = [
  ['invoice', 20, 'long', ({ key, about }) => about?.['invoice'] ?? key],
  ['seller', 30, 'long', aboutOf('seller')],
  ['sellerId', 14, 'code', aboutOf('sellerId')],
  ['invoiceTotal', 18, 'amount', aboutOf('total')],
  ['eventCode', 10, 'code', aboutOf('code')],
  ['eventName', 36, 'long', aboutOf('name')],
  ['registered', 13, 'date', aboutOf('registered')],
  ['deadline', 13, 'date', aboutOf('deadline')],
  ['state', 15, 'code'],
  ['message', 52, 'long'],
  ['cude', 44, 'hash', codeOf],
  ['cufe', 44, 'hash', aboutOf('cufe')],
  ['eventNumber', 22, 'code', numberOf],
  ['attempts', 10, 'count'],
  ['where', 34, 'code'],
];

export const REPORT: ReportPart = {
  columns: () => EVENT_COLUMNS,
  about: { page: OF_RUN, of: about },
  sheets: () => [],
};

const RECEPTION_COLUMNS: DocumentLayout = [
  ['key', 26, 'long'],
  ['name', 32, 'long'],
  ['state', 15, 'code'],
  ['message', 52, 'long'],
  ['cufeRead', 44, 'hash', codeOf],
  ['attempts', 10, 'count'],
  ['where', 34, 'code'],
];

/** Report of sellers' files the service read. */
export const RECEPTION_REPORT: ReportPart = { columns: () => RECEPTION_COLUMNS, sheets: () => [] };
