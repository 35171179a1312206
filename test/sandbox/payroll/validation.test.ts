import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import { formatPointer, type JsonObject, parsePointer } from '../../../src/toolkit/core/json.js';
import { production, request, send, verdict } from '../client.js';
import { deletion, payroll, replacement } from '../payroll-requests.js';

const boxes = {} as Record<'stock' | '2026', Sandbox>;
beforeAll(async () => {
  boxes.stock = await production();
  boxes['2026'] = await production({ errorStyle: '2026' });
});

/** A copy with one value set, or taken out when it is undefined. */
function altered(body: JsonObject, pointer: string, value: unknown): JsonObject {
  const copy = structuredClone(body);
  const keys = parsePointer(pointer);
  const parent = keys.slice(0, -1).reduce((at, key) => (at as JsonObject)[key] as JsonObject, copy);
  if (value === undefined) delete parent[keys.at(-1)!];
  else parent[keys.at(-1)!] = value as JsonObject;
  return copy;
}

const CUNE = 'a'.repeat(96);
const PREDECESSOR_FIELDS = ['predecessor_number', 'predecessor_cune', 'predecessor_issue_date'];

const REQUIRED: [string, JsonObject, string][] = [
  ...[
    'payroll_period_id',
    'consecutive',
    'period/issue_date',
    'period/worked_time',
    'worker/identification_number',
    'worker/address',
    'worker/high_risk_pension',
    'worker/integral_salarary',
    'payment/payment_method_id',
    'accrued/accrued_total',
    'deductions/eps_deduction',
  ].map((path): [string, JsonObject, string] => ['payroll', payroll(), `/${path}`]),
  ...['bank_name', 'account_type', 'account_number'].map((name): [string, JsonObject, string] => [
    'payroll by bank',
    payroll(),
    `/payment/${name}`,
  ]),
  ...['bank_name', 'account_number'].map((name): [string, JsonObject, string] => [
    'replacement in cash',
    altered(replacement(CUNE), '/payment/payment_method_id', 10),
    `/payment/${name}`,
  ]),
  ...PREDECESSOR_FIELDS.map((name): [string, JsonObject, string] => [
    'deletion',
    deletion(CUNE),
    `/predecessor/${name}`,
  ]),
  ['deletion', deletion(CUNE), '/period'],
  ['replacement', replacement(CUNE), '/worker'],
];

describe('a member that the validator wants', () => {
  it.each(REQUIRED)('%s without $2', async (_name, body, pointer) => {
    const field = parsePointer(pointer).join('.');
    const reply = await send(boxes.stock, altered(body, pointer, undefined));
    expect([reply.status, reply.json]).toEqual([
      422,
      { message: expect.any(String), errors: { [field]: [`The ${field} field is required.`] } },
    ]);
  });
});

describe('a value that the validator refuses', () => {
  it.each([
    ['/type_document_id', 10, 'type_document_id'],
    ['/consecutive', 0, 'consecutive'],
    ['/consecutive', 100_000_000, 'consecutive'],
    ['/period/issue_date', '31/03/2026', 'period.issue_date'],
    ['/worker/type_worker_id', 99, 'worker.type_worker_id'],
    ['/payment/payment_method_id', 999, 'payment.payment_method_id'],
    ['/accrued/accrued_total', 'mucho', 'accrued.accrued_total'],
    ['/payment_dates', [], 'payment_dates'],
    ['/novelty', { novelty: true }, 'novelty.uuidnov'],
  ])('%s = %j', async (pointer, value, field) => {
    const reply = await send(boxes.stock, altered(payroll(), pointer, value));
    expect(reply.status).toBe(422);
    expect(reply.at(formatPointer(['errors', field, 0]))).toEqual(expect.any(String));
  });
});

describe('what the validator lets through and the service crashes on', () => {
  it.each([
    ['top-level date', '/date', '2026-03-31', 500],
    ['top-level time', '/time', '10:00:00', 500],
    ['null establishment data', '/establishment_name', null, 500],
    ['null establishment municipality', '/establishment_municipality', null, 500],
    ['unknown municipality', '/worker/municipality_id', 99999, 500],
    ['unregistered prefix', '/prefix', 'TOOLONG', 500],
    ['nested item without payment', '/accrued/HEDs/0/payment', undefined, 500],
    ['nested item without description', '/deductions/orders/0/description', undefined, 500],
    ['nested amount that is none', '/accrued/bonuses/0/non_salary_bonus', 'mucho', 500],
    ['nested date that is none', '/accrued/HEDs/0/start_time', 'ayer', 400],
  ])('%s', async (_name, pointer, value, in2026) => {
    const body = altered(payroll(), pointer, value);
    const stock = await send(boxes.stock, body);
    expect([stock.status, stock.json]).toEqual([500, { message: 'Server Error' }]);
    const line2026 = await send(boxes['2026'], body);
    expect([line2026.status, line2026.at('/success'), line2026.at('/error')]).toEqual([
      in2026,
      false,
      expect.any(String),
    ]);
    expect(stock.headers.get('x-sandbox-fault')).toBeNull();
  });

  it('is 200 with success false in a preview', async () => {
    const body = altered(payroll(), '/worker/municipality_id', 99999);
    const reply = await request(boxes.stock, 'POST', '/api/ubl2.1/payroll/preeliminar-view', body);
    expect([reply.status, reply.at('/success')]).toEqual([200, false]);
  });
});

describe('what is tolerated', () => {
  it.each([
    ['document as text', '/worker/identification_number', 'AB123456'],
    ['amount as a number', '/accrued/accrued_total', 2599095],
    ['amount without decimals', '/accrued/accrued_total', '2599095'],
    ['integer as text', '/worker/municipality_id', '149'],
    ['unknown member', '/colour', 'blue'],
    ['overtime without a sense in its percentage', '/accrued/HEDs/0/percentage', '25.00'],
  ])('%s', async (_name, pointer, value) => {
    const box = await production();
    expect(verdict(await send(box, altered(payroll(), pointer, value)))).toBe('accepted');
  });
});
