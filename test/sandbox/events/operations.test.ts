import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/generated/operations.js';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { validate } from '../../../src/toolkit/schema/validate.js';
import { attached } from '../../families/events/attached.js';
import { request } from '../client.js';
import { as, BUYER, byCufe, byFile, cufeOf, morning, SELLER, sendAll } from './requests.js';

interface Case {
  readonly path: string;
  readonly body?: JsonObject;
  /** A member of the body that the service cannot do without. */
  readonly needs?: string;
  /** What another company is told, a token of its own in hand. */
  readonly stranger: { readonly pointer: string; readonly value: unknown };
}

const THIRD = '900000003';
const CUFE = cufeOf('operations');
const NO = { pointer: '/success', value: false };
const IN_FILE = attached({ cufe: cufeOf('operations, file') });

const CASES: Readonly<Record<string, Case>> = {
  sendEvent: {
    path: '/api/ubl2.1/send-event',
    body: byFile('030', IN_FILE),
    needs: 'base64_attacheddocument',
    stranger: NO,
  },
  sendEventData: {
    path: '/api/ubl2.1/send-event-data',
    body: byCufe('032', CUFE),
    needs: 'event_id',
    stranger: NO,
  },
  getInvoiceEvents: { path: `/api/ubl2.1/status/events-document/${CUFE}`, body: {}, stranger: NO },
  queryEventsByCufe: {
    path: `/api/ubl2.1/query-events-cufe-dian/${CUFE}/2`,
    stranger: { pointer: '/success', value: 'false' },
  },
  queryEventsByUuid: {
    path: `/api/ubl2.1/query-events-uuid/${CUFE}`,
    // Observed: not confined to the company.
    stranger: { pointer: '/success', value: true },
  },
  queryEventsByNumber: { path: '/api/ubl2.1/query-events-prefix-number/FE/2301', stranger: NO },
  receiveSellerDocument: {
    path: '/api/process-seller-document-reception',
    body: { company_idnumber: BUYER, xml_document: Buffer.from(IN_FILE).toString('base64') },
    needs: 'xml_document',
    stranger: NO,
  },
};

const TABLE = Object.values(OPERATIONS)
  .filter(({ tag }) => tag === 'events')
  .map((operation) => ({ ...operation, given: CASES[operation.id]! }));

const boxes = {} as Record<'stock' | '2026', Sandbox>;
beforeAll(async () => {
  for (const errorStyle of ['stock', '2026'] as const) {
    boxes[errorStyle] = await morning({
      errorStyle,
      companies: [{ nit: BUYER }, { nit: SELLER }, { nit: THIRD }],
      invoices: [{ cufe: CUFE, buyer: BUYER, seller: SELLER, number: 'FE2301' }],
    });
    await sendAll(as(boxes[errorStyle], BUYER), CUFE, '030');
  }
});

it('seven operations', () => {
  expect(TABLE.map(({ id }) => id).sort()).toEqual(Object.keys(CASES).sort());
});

describe('another company', () => {
  it.each(TABLE)('$id', async ({ method, given: { path, body, stranger } }) => {
    const reply = await request(as(boxes.stock, THIRD), method, path, body);
    expect([reply.status, reply.at(stranger.pointer)]).toEqual([200, stranger.value]);
  });
});

describe('valid', () => {
  it.each(TABLE)('$id', async ({ id, method, given, response }) => {
    const nit = id === 'queryEventsByNumber' ? SELLER : BUYER;
    const reply = await request(as(boxes.stock, nit), method, given.path, given.body);
    expect([reply.status, String(reply.at('/success'))]).toEqual([200, 'true']);
    expect(validate(response!, 'tolerant', reply.json)).toEqual([]);
  });
});

describe('without a good token', () => {
  const cases = TABLE.flatMap((operation) =>
    ['', 'Bearer wrong', 'Basic wrong'].map((authorization) => ({ ...operation, authorization })),
  );
  it.each(cases)('$id "$authorization"', async ({ method, given: { path, body }, authorization }) => {
    const stock = await request(boxes.stock, method, path, body, { authorization });
    expect([stock.status, stock.json]).toEqual([401, { message: 'Unauthenticated.' }]);
    const line2026 = await request(boxes['2026'], method, path, body, { authorization });
    expect([line2026.status, line2026.at('/success'), line2026.at('/error')]).toEqual([
      500,
      false,
      'Unauthenticated.',
    ]);
  });
});

describe('a member missing', () => {
  it.each(TABLE.filter(({ given }) => given.needs !== undefined))('$id', async ({ method, given }) => {
    const { [given.needs!]: _gone, ...rest } = given.body!;
    const text = `The ${given.needs} field is required.`;
    const stock = await request(boxes.stock, method, given.path, rest);
    expect([stock.status, stock.at(`/errors/${given.needs}/0`)]).toEqual([422, text]);
    const line2026 = await request(boxes['2026'], method, given.path, rest);
    expect([line2026.status, line2026.at('/error')]).toEqual([500, text]);
  });
});
