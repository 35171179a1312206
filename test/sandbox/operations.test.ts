import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationId } from '../../src/generated/operations.js';
import type { Sandbox } from '../../src/sandbox/server.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import { request, sandbox, send, sendTest, TEST_SET, zipKeyOf } from './client.js';
import { payroll, payrollOf, replacement } from './payroll-requests.js';

interface Case {
  readonly path: string;
  readonly body?: JsonObject;
  /** A member of the body that the service cannot do without. */
  readonly needs?: string;
}

const boxes = {} as Record<'stock' | '2026', Sandbox>;
/** Filled by what was sent before the table runs. */
const known = { cune: '', zipKey: '' };

/** Every payroll operation; those of the other families have tables of their own. */
const CASES: Readonly<Partial<Record<OperationId, () => Case>>> = {
  configurePayrollSoftware: () => ({
    path: '/api/ubl2.1/config/softwarepayroll',
    body: { idpayroll: 'c0ffee', pinpayroll: '12345' },
    needs: 'pinpayroll',
  }),
  configureResolution: () => ({
    path: '/api/ubl2.1/config/resolution',
    body: { type_document_id: 9, from: 1, to: 500, prefix: 'QA' },
    needs: 'from',
  }),
  sendPayroll: () => ({ path: '/api/ubl2.1/payroll', body: payrollOf('2001', 1), needs: 'payment_dates' }),
  sendPayrollTestSet: () => ({
    path: `/api/ubl2.1/payroll/${TEST_SET}`,
    body: payrollOf('2002', 2),
    needs: 'worker',
  }),
  sendAdjustNote: () => ({
    path: '/api/ubl2.1/payroll-adjust-note',
    body: replacement(known.cune, 1),
    needs: 'predecessor',
  }),
  sendAdjustNoteTestSet: () => ({
    path: `/api/ubl2.1/payroll-adjust-note/${TEST_SET}`,
    body: replacement(known.cune, 2),
    needs: 'type_note',
  }),
  previewPayroll: () => ({
    path: '/api/ubl2.1/payroll/preeliminar-view',
    body: payrollOf('2003', 3),
    needs: 'accrued',
  }),
  getCurrentNumber: () => ({ path: '/api/ubl2.1/payroll/current_number/9/NI' }),
  getZipStatus: () => ({ path: `/api/ubl2.1/status/zip/${known.zipKey}`, body: { is_payroll: true } }),
  getDocumentStatus: () => ({
    path: `/api/ubl2.1/status/document/${known.cune}`,
    body: { is_payroll: true },
  }),
  emailPayroll: () => ({
    path: '/api/ubl2.1/send-email-document-payroll',
    body: { prefix: 'NI', consecutive: 1001, email: 'ana@example.com' },
    needs: 'email',
  }),
};

const TABLE = Object.values(OPERATIONS)
  .filter(({ tag }) => tag === 'payroll')
  .map((operation) => ({ ...operation, given: CASES[operation.id]! }));

beforeAll(async () => {
  for (const errorStyle of ['stock', '2026'] as const) {
    boxes[errorStyle] = await sandbox({ errorStyle });
    known.cune = String((await send(boxes[errorStyle], payroll())).at('/cune'));
  }
  known.zipKey = String(zipKeyOf(await sendTest(boxes.stock, payrollOf('2000', 1002))));
});

describe('every operation, valid', () => {
  it.each(TABLE)('$id', async ({ method, given, response }) => {
    const { path, body } = given();
    const reply = await request(boxes.stock, method, path, body);
    expect(reply.status).toBe(200);
    expect(validate(response!, 'tolerant', reply.json)).toEqual([]);
  });
});

describe('every operation, without a good token', () => {
  const cases = TABLE.flatMap((operation) =>
    ['', 'Bearer ', 'Bearer wrong', 'Basic wrong'].map((authorization) => ({ ...operation, authorization })),
  );
  it.each(cases)('$id "$authorization"', async ({ method, given, authorization }) => {
    const { path, body } = given();
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

describe('every operation with a body, a member missing', () => {
  const cases = TABLE.filter(({ given }) => given().needs !== undefined);
  it.each(cases)('$id', async ({ method, given }) => {
    const { path, body, needs } = given();
    const { [needs!]: _gone, ...rest } = body!;
    const text = `The ${needs} field is required.`;
    const stock = await request(boxes.stock, method, path, rest);
    expect([stock.status, stock.at(`/errors/${needs}/0`)]).toEqual([422, text]);
    const line2026 = await request(boxes['2026'], method, path, rest);
    expect([line2026.status, line2026.at('/error')]).toEqual([500, text]);
  });
});

describe('what is no operation', () => {
  it.each([
    ['stock', 404, undefined],
    ['2026', 404, false],
  ] as const)('unknown route, %s', async (style, status, success) => {
    const reply = await request(boxes[style], 'POST', '/api/ubl2.1/invoice', {});
    expect([reply.status, reply.at('/success')]).toEqual([status, success]);
  });

  it.each(['nonsense', '[]', 'null', '"text"'])('a body that is no object: %s', async (body) => {
    const reply = await request(boxes.stock, 'POST', '/api/ubl2.1/payroll', body);
    expect([reply.status, reply.at('/errors/worker/0')]).toEqual([422, 'The worker field is required.']);
  });

  it('a body beyond the limit', async () => {
    const reply = await request(boxes.stock, 'POST', '/api/ubl2.1/payroll', { notes: 'x'.repeat(9_000_000) });
    expect(reply.status).toBe(413);
  });
});
