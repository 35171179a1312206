import type { Answer } from '../../client/answer.js';
import { createIssue } from '../../send/create-issue.js';
import { readVerdict, textOf, type Verdict } from '../../send/verdict.js';
import { isObject, type JsonObject, type JsonValue } from '../../toolkit/core/json.js';
import { type ApprovalDetails, AS_IT_IS, CURRENT_NUMBER, type Delivery } from '../family.js';
import { invoiceDetails } from './event.js';
import { readAttachedDocument } from './xml/received-invoice.js';

/**
 * Reads the service's reading of a seller's file (service.md 7.4); nothing is stored there, so a lost response does
 * no harm.
 */
export function readReception(answer: Answer): Verdict {
  const body =
    answer.kind === 'json' && isObject(answer.body) && answer.status < 300 ? answer.body : undefined;
  const data = body?.['data'];
  if (body?.['success'] === true && isObject(data)) {
    const cufe = textOf(data['cufe']);
    return {
      kind: 'accepted',
      shown: {},
      issues: [],
      ...(cufe !== undefined && { documentCode: cufe }),
      answer: data,
    };
  }
  const verdict = readVerdict(answer, 'query');
  const text = textOf(body?.['message']) ?? '';
  return body?.['success'] === false && verdict.kind === 'refused-for-all'
    ? { kind: 'refused', issues: [createIssue('remote/refused', { text })] }
    : verdict;
}

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Flags of the service's own records; never a proof of an event (events.md 7). */
const FLAGS: readonly (readonly [key: string, code: string])[] = [
  ['acu_recibo', '030'],
  ['rec_bienes', '032'],
  ['aceptacion', '033'],
  ['rechazo', '031'],
];

const flagsOf = (data: JsonObject): string =>
  FLAGS.flatMap(([key, code]) => (Number(data[key]) === 1 ? [code] : [])).join(' ');

/** Returns a summary of the invoice that was read. */
const read = (data: JsonObject): Readonly<Record<'number' | 'seller' | 'total' | 'state', string>> => ({
  number: text(data['number']),
  seller: text(data['name_seller']),
  total: text(data['total']),
  state: flagsOf(data),
});

function detailsInFile(xml: unknown): ApprovalDetails | undefined {
  const reading = typeof xml === 'string' ? readAttachedDocument(Buffer.from(xml, 'base64')) : undefined;
  return reading !== undefined && reading.is !== 'refused'
    ? invoiceDetails(reading.document.invoice)
    : undefined;
}

/** Sellers' documents for the service to read; may be sent repeatedly. */
export const RECEPTION: Delivery = {
  greeting: CURRENT_NUMBER,
  subjectLeaf: undefined,
  createPlanner: () => AS_IT_IS,
  reading: { mapping: 'events/reception', read },
  decision: {
    all: true,
    irreversible: () => undefined,
    decided: async (_, { key, body }) =>
      detailsInFile((JSON.parse(body) as JsonObject)['xml_document']) ?? { number: key },
  },
  judge: () => ({ admit: async () => ({ is: 'new', remarks: [] }), remarks: () => [] }),
  stages: [
    {
      name: 'read',
      asks: 'never',
      send: ({ body: bodyText }) => ({
        operation: 'receiveSellerDocument',
        request: { bodyText },
        read: readReception,
      }),
    },
  ],
  fit: () => 'ours',
  // An invoice's CUFE, for which several files may come.
  sharesCodes: true,
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
};
