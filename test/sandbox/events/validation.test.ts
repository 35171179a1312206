import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { attached } from '../../families/events/attached.js';
import { request } from '../client.js';
import { ANA, byCufe, byFile, cufeOf, morning, outcome, PATHS } from './requests.js';

const boxes = {} as Record<'stock' | '2026' | 'contract', Sandbox>;
beforeAll(async () => {
  boxes.stock = await morning({ eventPaths: 'observed' });
  boxes['2026'] = await morning({ eventPaths: 'observed', errorStyle: '2026' });
  boxes.contract = await morning();
});

const CUFE = cufeOf('validation');
const B = byCufe('030', CUFE);
const A = byFile('030', attached({ cufe: CUFE }));

const without = (body: JsonObject, ...fields: string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));

const required = (field: string): string => `The ${field} field is required.`;
const invalid = (field: string): string => `The ${field} format is invalid.`;

describe('refused by the validator', () => {
  it.each<[string, keyof typeof PATHS, JsonObject, string, string]>([
    ['no event', 'E2', without(B, 'event_id'), 'event_id', required('event_id')],
    ['no such event', 'E2', { ...B, event_id: 8 }, 'event_id', invalid('event_id')],
    ['an event by its code', 'E2', { ...B, event_id: '030' }, 'event_id', invalid('event_id')],
    [
      'no invoice',
      'E2',
      without(B, 'document_reference'),
      'document_reference',
      required('document_reference'),
    ],
    [
      'no CUFE',
      'E2',
      { ...B, document_reference: {} },
      'document_reference.cufe',
      required('document_reference.cufe'),
    ],
    [
      'a CUFE of 95 characters',
      'E2',
      byCufe('030', CUFE.slice(1)),
      'document_reference.cufe',
      invalid('document_reference.cufe'),
    ],
    [
      'a claim without reason',
      'E2',
      without(byCufe('031', CUFE), 'type_rejection_id'),
      'type_rejection_id',
      required('type_rejection_id'),
    ],
    [
      'a claim as text without reason',
      'E2',
      { ...without(byCufe('031', CUFE), 'type_rejection_id'), event_id: '2' },
      'type_rejection_id',
      required('type_rejection_id'),
    ],
    [
      'a claim without reason',
      'E1',
      without(byFile('031', attached()), 'type_rejection_id'),
      'type_rejection_id',
      required('type_rejection_id'),
    ],
    [
      'no such reason',
      'E2',
      byCufe('031', CUFE, { type_rejection_id: 5 }),
      'type_rejection_id',
      invalid('type_rejection_id'),
    ],
    [
      'no name of the file',
      'E1',
      without(A, 'base64_attacheddocument_name'),
      'base64_attacheddocument_name',
      required('base64_attacheddocument_name'),
    ],
    [
      'no file',
      'E1',
      without(A, 'base64_attacheddocument'),
      'base64_attacheddocument',
      required('base64_attacheddocument'),
    ],
    [
      'the CUFE where the file belongs',
      'E1',
      B,
      'base64_attacheddocument',
      required('base64_attacheddocument'),
    ],
    ['the file where the CUFE belongs', 'E2', A, 'document_reference', required('document_reference')],
    ...Object.keys(ANA).map((field): [string, 'E2', JsonObject, string, string] => [
      `a receiver without ${field}`,
      'E2',
      { ...B, issuer_party: without(ANA, field) },
      `issuer_party.${field}`,
      required(`issuer_party.${field}`),
    ]),
  ])('%s, %s', async (_name, path, body, field, text) => {
    const stock = await request(boxes.stock, 'POST', PATHS[path], body);
    expect([stock.status, (stock.at('/errors') as JsonObject)?.[field]]).toEqual([422, [text]]);
    const line2026 = await request(boxes['2026'], 'POST', PATHS[path], body);
    expect([line2026.status, line2026.at('/success')]).toEqual([500, false]);
    expect(line2026.at('/error')).toBe(Object.values(stock.at('/errors') as JsonObject).flat()[0]);
    expect(boxes.stock.controls.events(CUFE)).toEqual([]);
  });
});

describe('taken', () => {
  it.each<[string, JsonObject]>([
    ['numbers as text', { event_id: '1' }],
    ['a whole receiver', { issuer_party: ANA }],
    ['a receiver with a number', { issuer_party: { ...ANA, identification_number: 1020304050 } }],
    ['members that nobody knows', { colour: 'blue' }],
    ['booleans as numbers', { sendmail: 0, resend_consecutive: 0 }],
  ])('%s', async (name, more) => {
    const body = { ...byCufe('030', cufeOf(name)), ...more };
    expect(outcome(await request(boxes.stock, 'POST', PATHS.E2, body))).toBe('accepted');
  });
});

describe('paths as in the contract', () => {
  it.each([
    ['E1', 'base64_attacheddocument'],
    ['E2', 'document_reference'],
  ] as const)('%s without either option wants %s', async (path, field) => {
    const reply = await request(boxes.contract, 'POST', PATHS[path], { event_id: 1 });
    expect([reply.status, Object.keys(reply.at('/errors') as JsonObject)[0]]).toEqual([422, field]);
  });

  it.each([
    ['E1', 'A'],
    ['E1', 'B'],
    ['E2', 'A'],
    ['E2', 'B'],
  ] as const)('%s takes option %s', async (path, option) => {
    const cufe = cufeOf(path + option);
    const body = option === 'A' ? byFile('030', attached({ cufe })) : byCufe('030', cufe);
    const reply = await request(boxes.contract, 'POST', PATHS[path], body);
    expect([outcome(reply), reply.at('/invoice_cufe')]).toEqual(['accepted', cufe]);
  });

  it('a file counts before a CUFE', async () => {
    const body = { ...byCufe('030', cufeOf('other')), ...byFile('030', attached({ cufe: cufeOf('both') })) };
    const reply = await request(boxes.contract, 'POST', PATHS.E2, body);
    expect(reply.at('/invoice_cufe')).toBe(cufeOf('both'));
  });
});
