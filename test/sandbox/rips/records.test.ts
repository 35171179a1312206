import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { type Reply, request } from '../client.js';
import {
  as,
  CONFIGURATION,
  clinic,
  configure,
  createAppointment,
  createDocument,
  createPatient,
  createProvider,
  PATIENT,
} from './clinic.js';

const [ONE, TWO] = ['900123456', '901111222'] as const;
const twoCompanies = { companies: [{ nit: ONE }, { nit: TWO }] };

const get = (box: Parameters<typeof request>[0], path: string): Promise<Reply> =>
  request(box, 'GET', `/api/rips${path}`);
const put = (box: Parameters<typeof request>[0], path: string, body: JsonObject): Promise<Reply> =>
  request(box, 'PUT', `/api/rips${path}`, body);
const faultsOf = (reply: Reply): unknown => [
  reply.status,
  Object.keys((reply.at('/errors') as object) ?? {}),
];

describe('configuration', () => {
  it('is one row a company, and shows the password', async () => {
    const box = await clinic(twoCompanies);
    const again = await configure(box, { password: 'new' });
    expect(again.at('/configuration')).toEqual({ id: 1, ...CONFIGURATION, password: 'new' });
    expect((await configure(as(box, TWO))).at('/configuration/id')).toBe(2);
  });

  it.each([
    ['url', 'not an address'],
    ['type_document_identification_id', 99],
  ])('demands a known %s', async (field, value) => {
    expect(faultsOf(await configure(await clinic(), { [field]: value }))).toEqual([422, [field]]);
  });

  it('never appears in the request log', async () => {
    const box = await clinic();
    expect(JSON.stringify(box.controls.requests())).not.toContain(CONFIGURATION['password']);
  });
});

describe('providers', () => {
  it.each<[string, JsonObject]>([
    ['email', { code: '2', document_number: '2' }],
    ['code', { email: 'b@example.com', document_number: '2' }],
    ['document_number', { email: 'b@example.com', code: '2' }],
  ])('%s is unique across the service', async (field, others) => {
    const box = await clinic(twoCompanies);
    await createProvider(box);
    expect(faultsOf(await createProvider(as(box, TWO), others))).toEqual([422, [field]]);
  });

  it('change only what is given, and may keep their own values', async () => {
    const box = await clinic();
    const before = (await createProvider(box)).at('/data') as JsonObject;
    const after = await put(box, '/service-providers/1', { email: 'marta@example.com', name: 'M. Ruiz' });
    expect([after.status, after.at('/data')]).toEqual([200, { ...before, name: 'M. Ruiz' }]);
  });

  it('leave their values free when deleted, but never their id', async () => {
    const box = await clinic();
    await createProvider(box);
    expect((await request(box, 'DELETE', '/api/rips/service-providers/1')).status).toBe(200);
    expect((await get(box, '/service-providers/1')).status).toBe(404);
    expect((await createProvider(box)).at('/data/id')).toBe(2);
  });

  it('code of more than 12 characters', async () => {
    expect(faultsOf(await createProvider(await clinic(), { code: '1'.repeat(13) }))).toEqual([422, ['code']]);
  });
});

describe('patients', () => {
  it('e-mail is unique across the service, the document is not', async () => {
    const box = await clinic(twoCompanies);
    await createPatient(box);
    expect(faultsOf(await createPatient(as(box, TWO)))).toEqual([422, ['email']]);
    expect((await createPatient(box, { email: 'b@example.com' })).status).toBe(201);
  });

  it('take country and incapacity by default, and ids as text', async () => {
    const { country_code: _country, ...rest } = PATIENT;
    const box = await clinic();
    const reply = await request(box, 'POST', '/api/rips/patients', { ...rest, municipality_id: '149' });
    expect(reply.at('/data')).toEqual({ id: 1, ...PATIENT, incapacity: 'NO' });
    expect((await createPatient(box, { email: 'b@example.com', country_code: 170 })).status).toBe(201);
  });

  it('can be saved without what is needed to send', async () => {
    const box = await clinic();
    const { birth_date: _birth, rips_gender_id: _gender, municipality_id: _town, ...rest } = PATIENT;
    const reply = await request(box, 'POST', '/api/rips/patients', rest);
    expect([reply.status, reply.at('/data/birth_date'), reply.at('/data/rips_gender_id')]).toEqual([
      201,
      null,
      null,
    ]);
  });

  it.each(['rips_gender_id', 'municipality_id', 'rips_zone_id', 'type_document_identification_id'])(
    'unknown %s',
    async (field) => {
      expect(faultsOf(await createPatient(await clinic(), { [field]: 9999 }))).toEqual([422, [field]]);
    },
  );

  it('a null document crashes an update, a missing one does not', async () => {
    const box = await clinic();
    await createPatient(box);
    expect((await put(box, '/patients/1', { ...PATIENT, document_number: null })).status).toBe(500);
    const { document_number: _gone, ...rest } = PATIENT;
    const reply = await put(box, '/patients/1', { ...rest, name: 'Luisa Fernanda' });
    expect([reply.status, reply.at('/data/document_number')]).toEqual([200, PATIENT['document_number']]);
  });

  it('come in pages of twenty', async () => {
    const box = await clinic();
    for (let n = 1; n <= 21; n++)
      await createPatient(box, { email: `p${n}@example.com`, document_number: `98${n}` });
    const first = await get(box, '/patients');
    expect([first.at('/data/total'), first.at('/data/last_page'), first.at('/data/data/19/id')]).toEqual([
      21, 2, 20,
    ]);
    expect((await get(box, '/patients?page=2')).at('/data/data')).toMatchObject([{ id: 21 }]);
  });

  it('of other companies appear in a search, and nowhere else', async () => {
    const box = await clinic(twoCompanies);
    const other = as(box, TWO);
    await createPatient(other);
    const found = (path: string): Promise<unknown> => get(box, path).then((reply) => reply.at('/data/total'));
    expect(await found('/patients?search=52000111')).toBe(1);
    expect(await found('/patients?search=rojas')).toBe(1);
    expect(await found('/patients?search=nobody')).toBe(0);
    expect(await found('/patients')).toBe(0);
    expect((await get(box, '/patients/1')).json).toMatchObject({ success: true, data: null });
    expect(faultsOf(await createAppointment(box, { patient_id: 1 }))).toEqual([422, ['patient_id']]);
  });
});

describe('appointments', () => {
  it('are listed for the user of the token, the latest twenty', async () => {
    const box = await clinic(twoCompanies);
    await createPatient(box);
    for (let n = 1; n <= 21; n++) await createAppointment(box, { patient_id: 1 });
    await createAppointment(box, { patient_id: 1, user_id: 11 });
    const rows = (await get(box, '/appointments')).at('/data') as JsonObject[];
    expect([rows.length, rows[0]]).toEqual([
      20,
      {
        id: 21,
        patient: 'Luisa Rojas',
        user: 'Marta Ruiz',
        date: '2026-11-03',
        time: '08:30',
        color: '#3788d8',
      },
    ]);
    expect((await get(as(box, TWO), '/appointments')).at('/data')).toEqual([]);
  });

  it.each([
    ['?month=2026-11', 1],
    ['?month=2026-10', 0],
    ['?search=2026-11-03', 1],
    ['?search=08:30', 1],
    ['?search=11-04', 0],
    ['?search=luisa', 0],
    ['?search=11-03&month=2026-10', 0],
  ])('listed by %s', async (query, count) => {
    const box = await clinic();
    await createPatient(box);
    await createAppointment(box, { patient_id: 1 });
    expect((await get(box, `/appointments${query}`)).at('/data')).toHaveLength(count);
  });

  it('of others appear where a time is searched', async () => {
    const box = await clinic(twoCompanies);
    await createPatient(as(box, TWO));
    await createAppointment(as(box, TWO), { patient_id: 1, time: '11:45' });
    const found = async (search: string) => (await get(box, `/appointments?search=${search}`)).at('/data');
    expect(await found('11:45')).toMatchObject([{ id: 1, patient: 'Luisa Rojas', time: '11:45' }]);
    expect(await found('2026-11-03')).toEqual([]);
  });

  it('nest all that hangs on them', async () => {
    const box = await clinic();
    await createPatient(box);
    await createAppointment(box, { patient_id: 1 });
    await createDocument(box, { appointment_id: 1 });
    expect((await get(box, '/appointments/1')).at('/data')).toMatchObject({
      patient_id: 1,
      patient: { id: 1, last_name: 'Rojas' },
      user: { id: 7, name: 'Marta Ruiz' },
      documents: [{ id: 1, note_number: 'RS-2026-11-0001' }],
    });
  });

  // The clock of the clinic stands at 09:10 of 2026-11-03.
  it.each([
    ['2026-11-02', '10:00', ['date']],
    ['2026-11-03', '09:09', ['time']],
    ['2026-11-03', '09:10', undefined],
    ['2026-11-04', '00:00', undefined],
  ])('on %s at %s', async (date, time, faults) => {
    const [accepting, refusing] = [await clinic(), await clinic({ pastAppointments: 'refuse' })];
    for (const box of [accepting, refusing]) await createPatient(box);
    expect((await createAppointment(accepting, { patient_id: 1, date, time })).status).toBe(201);
    const reply = await createAppointment(refusing, { patient_id: 1, date, time });
    expect(faults === undefined ? reply.status : faultsOf(reply)).toEqual(
      faults === undefined ? 201 : [422, faults],
    );
  });

  it('demand a professional of the company', async () => {
    const box = await clinic();
    await createPatient(box);
    expect(faultsOf(await createAppointment(box, { patient_id: 1, user_id: 99 }))).toEqual([
      422,
      ['user_id'],
    ]);
  });
});

describe('code lists', () => {
  it('have the ids of the service', async () => {
    const box = await clinic();
    const tables = await get(box, '/patients/tables');
    expect(tables.at('/data/genders')).toEqual([
      { id: 1, name: 'Hombre' },
      { id: 2, name: 'Indeterminado o intersexual' },
      { id: 3, name: 'Mujer' },
    ]);
    expect(tables.at('/data/municipalities/148')).toMatchObject({ id: 149, code: '11001' });
    expect((await get(box, '/services/tables')).at('/data/care_modalities/0/code')).toBe('01');
  });

  it('of the invoice differ from those of RIPS', async () => {
    const box = await clinic();
    const invoice = await request(box, 'GET', '/api/table/health_type_users');
    const particular = (invoice.at('/health_type_users') as JsonObject[]).find(
      ({ name }) => name === 'Particular',
    );
    expect(particular?.['code']).toBe('08');
    expect(Object.keys(invoice.json as object)).toEqual(['health_type_users']);
  });

  it.each([
    ['/services/procedures', ['010101', '890201']],
    ['/services/procedures?search=odonto', ['890203']],
    ['/services/cies', []],
    ['/services/cies?search=K02', ['K020', 'K021']],
  ])('are searched: %s', async (path, codes) => {
    const rows = (await get(await clinic(), path)).at('/data') as JsonObject[];
    expect(rows.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
    if (!path.endsWith('procedures')) expect(rows).toHaveLength(codes.length);
  });
});
