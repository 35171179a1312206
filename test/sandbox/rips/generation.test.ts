import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { admin, type Reply, request, sandbox } from '../client.js';
import {
  as,
  CONFIGURATION,
  clinic,
  configure,
  createAppointment,
  createDocument,
  createPatient,
  FIXTURES,
  generate,
  MORNING,
  PATIENT,
  prepared,
  SERVICES,
  verdict,
} from './clinic.js';

const wishing = (text: string): JsonObject => ({
  services: [{ ...SERVICES.consultas, numAutorizacion: text }],
});
const generated = async (box: Sandbox, document: JsonObject = {}): Promise<Reply> =>
  generate(box, await prepared(box, { document }));

/** Of two national users only what the service cannot carry may differ. */
const UNKNOWN_TO_THE_SERVICE = { registroSIRAS: null, incapacidad: 'NO' };

describe('documents of a clinic', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await clinic();
  });

  it.each(FIXTURES)('$case', async ({ patient, appointment, document, national }) => {
    const id = await prepared(box, { patient, appointment, document });
    const reply = await generate(box, id);
    expect([reply.status, verdict(reply)]).toEqual([200, 'accepted']);
    const sent = box.controls.packages().at(-1)!;
    expect([sent.documentId, sent.noteNumber, sent.patient]).toEqual([
      id,
      document['note_number'],
      patient['document_number'],
    ]);
    expect(sent.rips).toEqual({
      numDocumentoIdObligado: '900123456',
      numFactura: null,
      tipoNota: 'RS',
      numNota: document['note_number'],
      usuarios: [{ ...national.usuario, ...UNKNOWN_TO_THE_SERVICE, servicios: national.servicios }],
    });
  });
});

describe('accepted', () => {
  it('answers in PascalCase, with the clock of Bogotá and a process of its own', async () => {
    const reply = await generated(await clinic());
    const cuv = reply.at('/data/CodigoUnicoValidacion');
    expect(reply.json).toEqual({
      success: true,
      message: 'RIPS enviado',
      data: {
        ResultState: true,
        ProcesoId: 812345,
        NumFactura: 'RS-2026-11-0001',
        CodigoUnicoValidacion: cuv,
        CodigoUnicoValidacionToShow: cuv,
        FechaRadicacion: '2026-11-03T09:10:22',
        RutaArchivos: null,
        ResultadosValidacion: [],
      },
    });
    expect(cuv).toMatch(/^[0-9a-f]{96}$/);
  });

  it('twice, when a document is generated twice: two packages, two codes', async () => {
    const box = await clinic();
    const id = await prepared(box);
    const codes = [await generate(box, id), await generate(box, id)].map((reply) =>
      reply.at('/data/CodigoUnicoValidacion'),
    );
    expect(new Set(codes).size).toBe(2);
    expect(box.controls.packages().map(({ cuv }) => cuv)).toEqual(codes);
  });

  it('with the payment concept as 5, "5" or "05"', async () => {
    const box = await clinic();
    for (const [n, conceptoRecaudo] of [5, '5', '05'].entries()) {
      const patient = { email: `p${n}@example.com` };
      const document = { services: [{ ...SERVICES.consultas, conceptoRecaudo }] };
      expect(verdict(await generate(box, await prepared(box, { patient, document })))).toBe('accepted');
    }
  });
});

describe('refused', () => {
  const bad = { services: [{ ...SERVICES.consultas, valorPagoModerador: 5000 }] };

  it('in a 200: camelCase outside, PascalCase inside', async () => {
    const reply = await generated(await clinic({ ripsRefusal: '200' }), bad);
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        success: true,
        message: 'RIPS enviado',
        data: {
          resultState: false,
          procesoId: 812345,
          numFactura: 'RS-2026-11-0001',
          codigoUnicoValidacion: '-',
          codigoUnicoValidacionToShow: '-',
          fechaRadicacion: '2026-11-03T09:10:22',
          rutaArchivos: null,
          resultadosValidacion: [
            {
              Clase: 'RECHAZADO',
              Codigo: 'RVC061',
              Descripcion: 'Sin pago moderador (05) el valor es 0',
              Observaciones: '5000',
              PathFuente: 'rips.usuarios[0].servicios.consultas[0].valorPagoModerador',
              Fuente: 'Rips',
            },
          ],
        },
      },
    ]);
  });

  it.each([
    [undefined, ''], // after 120 characters the rule is lost
    [300, 'RVC061'],
    [10_000, 'RVC061'],
  ])('in a 500, cut off after %s characters', async (ripsRefusalLength, rules) => {
    const reply = await generated(
      await clinic(ripsRefusalLength === undefined ? {} : { ripsRefusalLength }),
      bad,
    );
    expect([reply.status, reply.at('/success'), reply.at('/error/success')]).toEqual([500, false, false]);
    expect(verdict(reply)).toBe(rules);
    expect(String(reply.at('/error/message')).includes('(truncated...)')).toBe(ripsRefusalLength !== 10_000);
  });

  it.each([
    ['200', 'cargue:reject-500 RVC061', 500],
    ['500', 'cargue:reject-200 RVC061', 200],
    ['200', 'cargue:reject RVC061', 200],
    ['500', 'cargue:reject RVC061', 500],
  ] as const)('with %s as a rule and the wish %s', async (ripsRefusal, wish, status) => {
    const reply = await generated(await clinic({ ripsRefusal }), wishing(wish));
    expect([reply.status, verdict(reply)]).toEqual([status, status === 200 ? 'RVC061' : '']);
  });

  it('without a reason', async () => {
    const reply = await generated(await clinic({ ripsRefusal: '200' }), wishing('cargue:reject'));
    expect([reply.at('/data/resultState'), reply.at('/data/resultadosValidacion')]).toEqual([false, []]);
  });

  it('as arranged, so often as arranged', async () => {
    const box = await clinic();
    const id = await prepared(box);
    const match = { operation: 'generateRips', key: 'RS-2026-11-0001' };
    await admin(box, 'POST', '/outcomes', { match, verdict: 'reject-200', rules: ['RVC019'], times: 1 });
    expect(verdict(await generate(box, id))).toBe('RVC019');
    expect(verdict(await generate(box, id))).toBe('accepted');
    expect(box.controls.packages()).toHaveLength(1);
  });

  it('never, when only notified', async () => {
    const reply = await generated(await clinic(), wishing('cargue:notify RVC019'));
    expect([verdict(reply), reply.at('/data/ResultadosValidacion/0/Clase')]).toEqual([
      'accepted',
      'NOTIFICACION',
    ]);
  });
});

describe('not even sent', () => {
  it.each<[string, JsonObject | undefined]>([
    ['wrong password', { password: 'wrong' }],
    ['no configuration', undefined],
  ])('%s', async (_name, configuration) => {
    const box = await sandbox({ now: () => MORNING });
    if (configuration !== undefined) await configure(box, configuration);
    const reply = await generated(box);
    expect([reply.status, reply.at('/success'), reply.at('/error/success')]).toEqual([500, false, false]);
    expect(reply.at('/error/message')).toMatch(/LoginSISPRO/);
    expect(box.controls.packages()).toEqual([]);
  });

  it.each([
    ['an unknown document', 99],
    ['no number', 'x'],
  ])('%s', async (_name, id) => {
    const reply = await generate(await clinic(), id);
    expect([reply.status, typeof reply.at('/error')]).toEqual([500, 'string']);
  });

  it('a service of no kind', async () => {
    const box = await clinic();
    expect((await generated(box, { services: [{ service_type_id: 8 }] })).status).toBe(500);
    expect(box.controls.packages()).toEqual([]);
  });
});

describe('trouble on demand', () => {
  it('the answer is lost, the package is not', async () => {
    const box = await clinic();
    const id = await prepared(box, { document: wishing('cargue:reset-after') });
    await expect(generate(box, id)).rejects.toThrow();
    expect(box.controls.packages()).toHaveLength(1);
    const [lost] = box.controls.requests({ operation: 'generateRips' }).requests;
    expect([lost?.key, lost?.effect, lost?.status]).toEqual(['RS-2026-11-0001', 'accepted', null]);
  });

  it('the login fails once', async () => {
    const box = await clinic();
    const id = await prepared(box, { document: wishing('cargue:login-failed') });
    expect((await generate(box, id)).at('/error/message')).toMatch(/LoginSISPRO/);
    expect(verdict(await generate(box, id))).toBe('accepted');
  });

  it.each([
    ['429', 429, 0],
    ['500', 500, 0],
    ['502-html', 502, 0],
    ['bare-string', 200, 1],
    ['truncated-json', 200, 1],
  ])('%s when a patient is created', async (kind, status, patients) => {
    const box = await clinic();
    const match = { operation: 'createPatient', key: PATIENT['document_number'] };
    await admin(box, 'POST', '/faults', { match, kind });
    const reply = await createPatient(box);
    expect(reply.status).toBe(status);
    expect((await request(box, 'GET', '/api/rips/patients')).at('/data/total')).toBe(patients);
  });
});

describe('the request log', () => {
  it('knows a request by patient or note', async () => {
    const box = await clinic();
    await generated(box);
    expect(
      box.controls.requests().requests.map(({ operation, key, effect }) => [operation, key, effect]),
    ).toEqual([
      ['configureRips', undefined, 'configured'],
      ['createPatient', '52000111', 'stored'],
      ['createAppointment', '52000111', 'stored'],
      ['createRipsDocument', 'RS-2026-11-0001', 'stored'],
      ['generateRips', 'RS-2026-11-0001', 'accepted'],
    ]);
  });
});

describe('two companies', () => {
  const [ONE, TWO] = ['900123456', '901111222'] as const;

  it('never see, use or send what is the other one’s', async () => {
    const box = await clinic({ companies: [{ nit: ONE }, { nit: TWO }] });
    const other = as(box, TWO);
    await configure(other);
    const id = await prepared(box);
    expect((await generate(other, id)).status).toBe(500);
    expect((await createDocument(other, { appointment_id: 1 })).status).toBe(500);
    expect(verdict(await generate(box, id))).toBe('accepted');
    expect((await admin(box, 'GET', `/packages?company=${TWO}`)).at('/count')).toBe(0);
    expect((await admin(box, 'GET', `/packages?company=${ONE}`)).at('/packages/0')).toMatchObject({
      company: ONE,
      noteNumber: 'RS-2026-11-0001',
      patient: '52000111',
      rips: { numDocumentoIdObligado: ONE },
    });
  });

  it('have professionals of their own', async () => {
    const mine = {
      id: 3,
      name: 'Rita Sol',
      documentType: 'CC',
      documentNumber: '9900000003',
      siteCode: '050010990102',
    };
    const box = await clinic({ companies: [{ nit: ONE, professionals: [mine] }, { nit: TWO }] });
    await createPatient(box);
    expect((await createAppointment(box, { patient_id: 1, user_id: 7 })).status).toBe(422);
    const added = await admin(box, 'POST', '/professionals', {
      ...mine,
      company: ONE,
      id: 7,
      name: 'Eva Paz',
    });
    expect(added.json).toMatchObject({ id: 7, company: ONE });
    expect((await createAppointment(box, { patient_id: 1, user_id: 7 })).status).toBe(201);
    await createDocument(box, { appointment_id: 1 });
    await generate(box, 1);
    expect(box.controls.packages()[0]?.rips).toMatchObject({
      usuarios: [{ servicios: { consultas: [{ codPrestador: '050010990102' }] } }],
    });
    expect((await admin(box, 'POST', '/professionals', { ...mine })).status).toBe(400);
  });
});

it('all of it outlives a restart', async () => {
  const stateFile = join(mkdtempSync(join(tmpdir(), 'rips-')), 'state.jsonl');
  const first = await clinic({ stateFile });
  const id = await prepared(first);
  await generate(first, id);
  await first.close();
  const second = await sandbox({ stateFile, now: () => MORNING });
  expect(second.controls.packages()).toEqual(first.controls.packages());
  expect((await createPatient(second)).at('/errors/email')).toBeDefined();
  expect((await generate(second, id)).at('/data/ProcesoId')).toBe(812346);
  expect(
    (await request(second, 'POST', '/api/rips/configuration', CONFIGURATION)).at('/configuration/id'),
  ).toBe(1);
});
