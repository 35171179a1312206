import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationId } from '../../../src/generated/operations.js';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { validate } from '../../../src/toolkit/schema/validate.js';
import { request } from '../client.js';
import {
  as,
  CONFIGURATION,
  clinic,
  createAppointment,
  createDocument,
  createPatient,
  createProvider,
  PATIENT,
  PROVIDER,
  SERVICES,
} from './clinic.js';

interface Case {
  readonly path: string;
  readonly body?: JsonObject;
  /** A member without which the answer is a 422 … */
  readonly needs?: string;
  /** The refusal is the framework's, not the module's. */
  readonly plain?: true;
  /** … or a 500. */
  readonly crashesWithout?: string;
  /** What a company gets for a row of another one, when the call names a row: its status. */
  readonly stranger?: number;
}

const OWN = '900123456';
const OTHER = '901111222';
const boxes = {} as Record<'stock' | '2026', Sandbox>;

/** Rows that every sandbox of these tests has under id 1. */
const CASES: Readonly<Partial<Record<OperationId, Case>>> = {
  configureRips: { path: '/configuration', body: CONFIGURATION, needs: 'password', plain: true },
  listServiceProviders: { path: '/service-providers?search=marta' },
  createServiceProvider: {
    path: '/service-providers',
    body: { ...PROVIDER, email: 'b@example.com', code: '2', document_number: '2222' },
    needs: 'code',
  },
  getServiceProvider: { path: '/service-providers/1', stranger: 404 },
  updateServiceProvider: { path: '/service-providers/1', body: { name: 'Marta R.' }, stranger: 404 },
  deleteServiceProvider: { path: '/service-providers/2', stranger: 404 },
  getPatientTables: { path: '/patients/tables' },
  listPatients: { path: '/patients?search=rojas' },
  createPatient: {
    path: '/patients',
    body: { ...PATIENT, email: 'b@example.com' },
    needs: 'name',
    crashesWithout: 'last_name',
  },
  getPatient: { path: '/patients/1', stranger: 200 },
  updatePatient: {
    path: '/patients/1',
    body: PATIENT,
    needs: 'email',
    stranger: 500,
  },
  listAppointments: { path: '/appointments?month=2026-11' },
  createAppointment: {
    path: '/appointments',
    body: { patient_id: 1, user_id: 7, date: '2026-11-03', time: '10:00' },
    needs: 'user_id',
    stranger: 422,
  },
  getAppointment: { path: '/appointments/1', stranger: 200 },
  getServiceTables: { path: '/services/tables' },
  searchProcedures: { path: '/services/procedures?search=8902' },
  searchDiagnoses: { path: '/services/cies?search=caries' },
  createRipsDocument: {
    path: '/documents',
    body: { appointment_id: 1, note_type: 'RS', note_number: 'RS-2', services: [SERVICES.consultas] },
    needs: 'services',
    crashesWithout: 'appointment_id',
    stranger: 500,
  },
  generateRips: { path: '/documents/generate/1', stranger: 500 },
  getHealthDocumentTypes: { path: '/table/health_type_document_identifications' },
  getHealthUserTypes: { path: '/table/health_type_users' },
  getHealthPaymentMethods: { path: '/table/health_contracting_payment_methods' },
  getHealthCoverages: { path: '/table/health_coverages' },
};

const TABLE = Object.values(OPERATIONS)
  .filter(({ tag }) => tag === 'rips' || tag === 'tables')
  .map(({ id, method, tag, response, status }) => {
    const given: Case = CASES[id]!;
    return {
      id,
      method,
      response,
      status,
      ...given,
      path: (tag === 'rips' ? '/api/rips' : '/api') + given.path,
    };
  });

beforeAll(async () => {
  for (const errorStyle of ['stock', '2026'] as const) {
    const box = await clinic({ errorStyle, companies: [{ nit: OWN }, { nit: OTHER }] });
    await createProvider(box);
    await createProvider(box, { email: 'x@example.com', code: '1', document_number: '1111' });
    await createPatient(box);
    await createAppointment(box, { patient_id: 1 });
    await createDocument(box, { appointment_id: 1 });
    boxes[errorStyle] = box;
  }
});

it('there are 23 of them', () => expect(TABLE).toHaveLength(23));

describe.each(['stock', '2026'] as const)('errors, %s', (style) => {
  it.each(TABLE)('$id without a token', async ({ method, path, body }) => {
    const reply = await request(boxes[style], method, path, body, { authorization: 'Bearer wrong' });
    expect([reply.status, reply.at(style === 'stock' ? '/message' : '/error')]).toEqual([
      style === 'stock' ? 401 : 500,
      'Unauthenticated.',
    ]);
  });

  it.each(TABLE.filter(({ needs }) => needs))('$id without $needs', async (one) => {
    const { method, path, body, needs, plain } = one;
    const { [needs!]: _gone, ...rest } = body!;
    const reply = await request(boxes[style], method, path, rest);
    const text = `The ${needs} field is required.`;
    const errors = { [needs!]: [text] };
    if (plain && style === '2026') expect([reply.status, reply.at('/error')]).toEqual([500, text]);
    else if (plain)
      expect([reply.status, reply.json]).toEqual([422, { message: 'The given data was invalid.', errors }]);
    else
      expect([reply.status, reply.json]).toEqual([
        422,
        { success: false, message: 'Validation error', errors },
      ]);
  });

  it.each(TABLE.filter(({ crashesWithout }) => crashesWithout))(
    '$id without $crashesWithout',
    async ({ method, path, body, crashesWithout }) => {
      const { [crashesWithout!]: _gone, ...rest } = body!;
      const reply = await request(boxes[style], method, path, rest);
      expect([reply.status, reply.at('/success'), typeof reply.at('/error')]).toEqual([500, false, 'string']);
    },
  );

  it.each(TABLE.filter(({ stranger }) => stranger))(
    '$id of another company',
    async ({ method, path, body, stranger }) => {
      const reply = await request(as(boxes[style], OTHER), method, path, body);
      expect(reply.status).toBe(stranger);
      if (stranger === 200) expect(reply.at('/data')).toBeNull();
      else expect(reply.at('/success')).toBe(false);
    },
  );
});

describe('valid', () => {
  it.each(TABLE)('$id', async ({ method, path, body, response, status }) => {
    const reply = await request(boxes.stock, method, path, body);
    // Tables of the invoice come without the envelope.
    const success = path.startsWith('/api/table/') ? undefined : true;
    expect([reply.status, reply.at('/success')]).toEqual([status, success]);
    expect(validate(response!, 'tolerant', reply.json)).toEqual([]);
  });
});
