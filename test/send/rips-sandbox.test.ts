import { describe, expect, test } from 'vitest';
import { configureHealthAccess } from '../../src/families/rips/answer.js';
import { completeAttention } from '../../src/families/rips/attention.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import { RIPS_GROUPS } from '../../src/families/rips/national.js';
import { resultFiles } from '../../src/families/rips/report.js';
import type { FaultKind } from '../../src/sandbox/faults.js';
import { outcomes, runIssues } from '../../src/send/documents.js';
import { RESTORED } from '../../src/send/planned-document.js';
import type { SendResult } from '../../src/send/send.js';
import { settleByPerson } from '../../src/send/settle.js';
import { type Issue, paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { CONFIGURATION, SERVICES } from '../sandbox/rips/clinic.js';
import { allOf } from '../support/all-of.js';
import { bytesOf } from './engines.js';
import {
  arrived,
  attention,
  careEnvelope,
  clinicOf,
  ends,
  FIXTURE_ATTENTIONS,
  issuesOf,
  NIT,
  outcomeOf,
  spoolCare,
  stored,
} from './rips-support.js';
import { clientOf, fastWorld } from './support.js';

const CUV = /^[0-9a-f]{96}$/;

describe('from patient to CUV', () => {
  test.each(RIPS_GROUPS)('%s', async (group) => {
    const { box, journal, send } = await clinicOf();
    const visit = attention(1, { person: { rips_gender_id: 3 } });
    const newborn = group === 'recienNacidos' ? { birth_date: '1995-07-14' } : {};
    const { run } = await spoolCare(journal, [
      {
        ...visit,
        patient: { ...(visit['patient'] as object), ...newborn } as never,
        document: { note_type: 'RS', services: [SERVICES[group]] },
      },
    ]);
    await send(run);
    const { state, documentCode, number, attempts } = await outcomeOf(journal, run);
    expect([state, number, attempts]).toEqual(['accepted', 'RS-2026-11-0001', 1]);
    const [sent, ...more] = box.controls.packages(NIT);
    expect([more.length, sent?.cuv, sent?.noteNumber]).toEqual([0, documentCode, number]);
    const [user] = sent!.rips['usuarios'] as [{ servicios: object }];
    expect(Object.keys(user.servicios)).toEqual([group]);
  });

  test('a file of a clinic: all accepted, sent again nothing leaves', async () => {
    const { box, journal, send } = await clinicOf();
    const { run, planned, totals } = await spoolCare(journal, FIXTURE_ATTENTIONS);
    expect([planned, Object.keys(totals)]).toEqual([FIXTURE_ATTENTIONS.length, ['careValue']]);
    const { counts } = await send(run);
    expect(counts).toEqual({
      accepted: FIXTURE_ATTENTIONS.length,
      rejected: 0,
      pending: 0,
      unknown: 0,
      unsent: 0,
    });
    for await (const { documentCode } of outcomes(journal, run)) expect(documentCode).toMatch(CUV);
    const before = box.controls.requests().count;
    const again = await spoolCare(journal, FIXTURE_ATTENTIONS);
    await send(again.run);
    expect([again.planned, again.earlier]).toEqual([0, FIXTURE_ATTENTIONS.length]);
    expect(box.controls.requests().count).toBe(before);
  });

  test('three visits of one patient at once: one patient', async () => {
    const { box, journal, send } = await clinicOf();
    const { run } = await spoolCare(
      journal,
      [8, 9, 10, 11].map((hour) => attention(1, { hour })),
    );
    const { counts } = await send(run);
    expect(counts.accepted).toBe(4);
    expect([arrived(box, 'createPatient'), arrived(box, 'updatePatient')]).toEqual([1, 0]);
    expect(stored(box, 'createAppointment')).toBe(4);
  });

  test('a patient that is there is brought up to date, not made again', async () => {
    const { box, journal, client, send } = await clinicOf();
    const { run: first } = await spoolCare(journal, [attention(1)]);
    await send(first);
    const { run } = await spoolCare(journal, [
      attention(1, { hour: 9, person: { last_name: 'Rojas Díaz', email: 'nueva@example.com' } }),
    ]);
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted']);
    expect([stored(box, 'createPatient'), stored(box, 'updatePatient')]).toEqual([1, 1]);
    const page = await client.call('listPatients', { query: { search: '52000001' } });
    expect(page).toMatchObject({
      body: { data: { total: 1, data: [{ last_name: 'Rojas Díaz', email: 'nueva@example.com' }] } },
    });
  });

  test('a patient is told from others by type and whole number, on any page of the search', async () => {
    const { box, journal, client, send } = await clinicOf();
    for (let number = 0; number < 45; number++)
      await client.call('createPatient', {
        body: {
          ...(attention(1)['patient'] as object),
          document_number: `9952000001${number}`,
          email: `p${number}@example.com`,
        } as never,
      });
    const person = { document_number: '52000001' };
    await client.call('createPatient', {
      body: {
        ...(attention(1)['patient'] as object),
        ...person,
        type_document_identification_id: 2,
      } as never,
    });
    const there = await client.call('createPatient', {
      body: { ...(attention(1)['patient'] as object), ...person, email: 'x@example.com' } as never,
    });
    box.controls.clearRequests();
    const { run } = await spoolCare(journal, [attention(1, { person: { email: 'x@example.com' } })]);
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted']);
    expect([arrived(box, 'createPatient'), arrived(box, 'listPatients')]).toEqual([0, 3]);
    const made = (await journal.first<{ made: string }>('SELECT made FROM document'))!.made;
    expect(JSON.parse(made)).toMatchObject({
      patient: (there as unknown as { body: { data: { id: number } } }).body.data.id,
    });
  });

  test("another company's row of the same person is not touched", async () => {
    const { box, journal, send } = await clinicOf({ companies: [{ nit: NIT }, { nit: '900555321' }] });
    const other = clientOf(box.url, { token: box.tokens['900555321']! });
    await other.call('createPatient', {
      body: { ...(attention(1)['patient'] as object), email: 'otra@example.com' } as never,
    });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted']);
    expect([stored(box, 'createPatient'), arrived(box, 'updatePatient')]).toEqual([2, 0]);
  });

  test("somebody else's address is the data's fault, at its cell", async () => {
    const { box, journal, send } = await clinicOf();
    const email = 'misma@example.com';
    const { run } = await spoolCare(journal, [
      attention(1, { person: { email } }),
      attention(2, { person: { email } }),
    ]);
    await send(run, { policy: { concurrency: 1 } });
    const refused = await issuesOf(journal, run);
    expect(refused.map(({ code, place }) => [code, place.pointer, place.label])).toEqual([
      ['remote/refused', '/patient/email', 'email'],
    ]);
    expect(stored(box, 'createPatient')).toBe(1);
  });
});

describe('rejections', () => {
  const paid = { valorPagoModerador: 5000, conceptoRecaudo: 5 };
  test.each(['200', '500'] as const)('name item and column, refused by a %s', async (ripsRefusal) => {
    const { journal, send } = await clinicOf({ ripsRefusal, ripsRefusalLength: 5000 });
    const visit = attention(1);
    const second = { ...SERVICES.consultas, ...paid, fechaInicioAtencion: '2026-11-02T09:30:00' };
    const services = [SERVICES.procedimientos, SERVICES.consultas, second];
    const { run } = await spoolCare(journal, [{ ...visit, document: { note_type: 'RS', services } }]);
    await send(run);
    const issues = await issuesOf(journal, run);
    const [first] = issues.filter(({ params }) => paramOf({ params }, 'rule') === 'RVC061');
    const { state } = await outcomeOf(journal, run);
    expect([state, first?.code]).toEqual(['rejected', 'remote/rips-rejected']);
    expect(first?.place).toMatchObject({
      row: 2,
      pointer: '/document/services/2/valorPagoModerador',
      label: 'valorPagoModerador',
    });
    expect(paramOf(first!, 'path')).toMatch(/usuarios\[0\]\.servicios\.consultas\[1\]\.valorPagoModerador$/);
  });

  test.each([
    [260, ['RVC061'], ['remote/rips-rejected', 'remote/rips-cut-off']],
    [20, [undefined], ['remote/rips-no-reasons']],
  ] as const)('cut off after %i characters', async (ripsRefusalLength, rules, codes) => {
    const { journal, send } = await clinicOf({ ripsRefusalLength });
    const { run } = await spoolCare(journal, [attention(1, { service: paid })]);
    await send(run);
    const issues = await issuesOf(journal, run);
    expect((await outcomeOf(journal, run)).state).toBe('rejected');
    expect(issues.map(({ code }) => code)).toEqual(codes);
    expect(paramOf(issues[0]!, 'rule')).toBe(rules[0]);
  });

  test('the corrected visit goes under a number of its own', async () => {
    const { journal, send } = await clinicOf();
    const { run } = await spoolCare(journal, [attention(1, { service: paid })]);
    await send(run);
    const again = await spoolCare(journal, [attention(1)]);
    await send(again.run);
    expect(await outcomeOf(journal, again.run)).toMatchObject({
      state: 'accepted',
      number: 'RS-2026-11-0002',
    });
  });

  test('accepted care with other data is not sent again', async () => {
    const { journal, send } = await clinicOf();
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    const changed = attention(1, { service: { vrServicio: 70000 } });
    const again = await spoolCare(journal, [changed, attention(2), attention(2)]);
    expect([again.planned, again.blocked]).toEqual([1, 2]);
    expect(await ends(journal, again.run)).toEqual(['unsent']);
    const held = (await allOf(runIssues(journal, again.run))).filter(({ level }) => level === 'error');
    expect(held.map(({ code }) => code)).toEqual(['send/care-accepted', 'send/care-repeated']);
  });
});

const PROFESSIONAL = { tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9900000007' };

/** With its national form, which is what the rules compare. */
function completed(visit: JsonObject, codPrestador = '110010990101'): JsonObject {
  completeAttention(visit, { users: [{ user_id: 7, codPrestador, ...PROFESSIONAL }] });
  return visit;
}
const whole = (...args: Parameters<typeof attention>): JsonObject => completed(attention(...args));

describe('an adjust note', () => {
  type Told = readonly [code: string, pointer?: string, value?: string];
  const USER = '/national/usuario';
  const ITEM = '/national/servicios/consultas/0';
  const as = (note_type: string, visit: JsonObject): JsonObject => ({
    ...visit,
    document: { ...(visit['document'] as JsonObject), note_type },
  });
  /** A consultation and a procedure, in this order or the other. */
  const two = (swapped = false): JsonObject => {
    const visit = attention(1);
    const services = [...((visit['document'] as JsonObject)['services'] as JsonObject[])];
    services.push({ ...SERVICES.procedimientos }, { ...services[0]!, codConsulta: '890301' });
    return completed({
      ...visit,
      document: { note_type: 'RS', services: swapped ? services.toReversed() : services },
    });
  };
  const spooled = async (journal: Parameters<typeof spoolCare>[0], visits: readonly JsonObject[]) => {
    const told: Told[] = [];
    const onIssue = ({ code, place, value }: Issue): unknown =>
      told.push([code, place.pointer, value].filter((one) => one !== undefined) as unknown as Told);
    const { run, planned, earlier, blocked } = await spoolCare(journal, visits, { onIssue });
    return { run, counts: [planned, earlier, blocked], told };
  };
  const SICK = { codDiagnosticoPrincipal: 'J00X' };

  test.each<[string, JsonObject, readonly JsonObject[], readonly number[], readonly Told[]]>([
    ['of what did not change', whole(1), [whole(1)], [0, 1, 0], []],
    ['of services in another order', two(), [two(true)], [0, 1, 0], []],
    [
      'of what never reaches the ministry',
      whole(1),
      [whole(1, { person: { name: 'Luz', email: 'luz@example.com' } })],
      [0, 1, 0],
      [],
    ],
    [
      'of another diagnosis',
      whole(1),
      [whole(1, { service: SICK })],
      [1, 0, 0],
      [['send/note-changes', `${ITEM}/codDiagnosticoPrincipal`, 'I10X → J00X']],
    ],
    [
      'of another patient’s data, and an e-mail',
      whole(1),
      [whole(1, { person: { birth_date: '1985-07-15', email: 'luz@example.com' } })],
      [1, 0, 0],
      [
        ['send/note-changes', `${USER}/fechaNacimiento`, '1985-07-14 → 1985-07-15'],
        ['send/patient-differs', '/patient/email', 'luisa1@example.com → luz@example.com'],
      ],
    ],
    [
      'of the site of the professional',
      whole(1),
      [completed(attention(1), '110010990102')],
      [1, 0, 0],
      [['send/note-changes', `${ITEM}/codPrestador`, '110010990101 → 110010990102']],
    ],
    [
      'of another day',
      whole(1),
      [whole(1, { service: { fechaInicioAtencion: '2026-11-01T08:30:00' } })],
      [1, 0, 0],
      [['send/note-of-nothing']],
    ],
    ['of another person', whole(1), [whole(2)], [1, 0, 0], [['send/note-of-nothing']]],
    [
      'twice in a file, the first unchanged',
      whole(1),
      [whole(1), whole(1, { service: SICK })],
      [0, 1, 1],
      [['send/care-repeated']],
    ],
    [
      'of what went without its national form',
      attention(1),
      [whole(1)],
      [1, 0, 0],
      [['send/note-of-unknown']],
    ],
  ])('%s', async (_, sent, notes, counts, told) => {
    const { journal, send } = await clinicOf();
    await send((await spoolCare(journal, [sent])).run);
    const found = await spooled(
      journal,
      notes.map((one) => as('NA', one)),
    );
    expect([found.counts, found.told]).toEqual([counts, told]);
  });

  test('is not sent again, nor what it says as a first one; what it corrects names it', async () => {
    const { box, journal, send } = await clinicOf();
    const { run } = await spoolCare(journal, [whole(1)]);
    await send(run);
    const corrected = whole(1, { service: SICK });
    const note = await spooled(journal, [as('NA', corrected)]);
    await send(note.run);
    expect([await ends(journal, note.run), (await outcomeOf(journal, run)).correctedBy]).toEqual([
      ['accepted'],
      (await outcomeOf(journal, note.run)).number,
    ]);
    const other = whole(1, { service: { codDiagnosticoPrincipal: 'J01X' } });
    expect((await spooled(journal, [as('NA', corrected)])).counts).toEqual([0, 1, 0]);
    expect((await spooled(journal, [corrected])).counts).toEqual([0, 1, 0]);
    expect((await spooled(journal, [whole(1)])).counts).toEqual([0, 1, 0]);
    expect((await spooled(journal, [other])).told).toEqual([
      ['send/care-accepted', `${ITEM}/codDiagnosticoPrincipal`],
    ]);
    expect((await spooled(journal, [as('NA', whole(1))])).told).toEqual([
      ['send/note-changes', `${ITEM}/codDiagnosticoPrincipal`, 'J00X → I10X'],
    ]);
    expect(box.controls.packages().length).toBe(2);
  });

  test.each([
    ['RS', []],
    ['NA', [['RS', whole(1)]]],
  ] as const)('waits for a %s whose outcome is not known', async (kind, before) => {
    const { box, journal, send } = await clinicOf();
    for (const [type, visit] of before) await send((await spoolCare(journal, [as(type, visit)])).run);
    box.controls.addFault({ kind: 'reset-after', match: { operation: 'generateRips' as never }, times: 1 });
    const { run } = await spoolCare(journal, [as(kind, whole(1, { service: SICK }))]);
    await send(run);
    const found = await spooled(journal, [
      as('NA', whole(1, { service: { codDiagnosticoPrincipal: 'J01X' } })),
    ]);
    expect([await ends(journal, run), found.counts, found.told]).toEqual([
      ['unknown send/cuv-unknown'],
      [0, 0, 1],
      [['send/unfinished-run']],
    ]);
  });

  test('of credit is held against its own kind alone', async () => {
    const { journal, send } = await clinicOf();
    await send((await spoolCare(journal, [whole(1)])).run);
    const found = await spooled(journal, [as('NC', whole(1))]);
    expect([found.counts, found.told]).toEqual([[1, 0, 0], []]);
  });
});

describe('a service that another run sent', () => {
  test.each<[string, JsonObject, boolean]>([
    ['the same code at another hour', whole(1, { hour: 9 }), true],
    ['another code', whole(1, { hour: 9, service: { codConsulta: '890301' } }), false],
    ['another day', whole(1, { hour: 9, service: { fechaInicioAtencion: '2026-11-01T09:30:00' } }), false],
    ['another patient', whole(2, { hour: 9 }), false],
  ])('%s', async (_, visit, said) => {
    const { journal, send } = await clinicOf();
    const { run } = await spoolCare(journal, [whole(1)]);
    await send(run);
    const issues: Issue[] = [];
    const { planned } = await spoolCare(journal, [visit], { onIssue: (issue) => issues.push(issue) });
    expect(planned).toBe(1);
    expect(
      issues.map(({ code, level, params, place }) => ({ code, level, params, column: place.label })),
    ).toEqual(
      said
        ? [
            {
              code: 'send/service-repeated',
              level: 'warning',
              params: { rule: 'RVC018', number: 'RS-2026-11-0001', before: run },
              column: 'codConsulta',
            },
          ]
        : [],
    );
  });

  test('is not one that was rejected', async () => {
    const { journal, send } = await clinicOf({ ripsRefusal: '200' });
    const { run } = await spoolCare(journal, [whole(1, { service: { valorPagoModerador: 5000 } })]);
    await send(run);
    const issues: Issue[] = [];
    await spoolCare(journal, [whole(1, { hour: 9 })], { onIssue: (issue) => issues.push(issue) });
    expect(issues).toEqual([]);
  });
});

describe('the data of a patient that went before with others', () => {
  const care = (hour: number, person: JsonObject = {}) => attention(1, { hour, person });

  test.each<[string, readonly JsonObject[], readonly unknown[]]>([
    ['are the same', [care(9)], []],
    ['take for granted what is said now', [care(9, { incapacity: 'NO' })], []],
    ['are others', [care(9, { last_name: 'Quintero' })], [['/patient/last_name', 'Apellidos', 'Quintero']]],
    [
      'are others within the run, and back',
      [care(9, { last_name: 'Quintero' }), care(10)],
      [
        ['/patient/last_name', 'Apellidos', 'Quintero'],
        ['/patient/last_name', 'Apellidos', String((care(9)['patient'] as JsonObject)['last_name'])],
      ],
    ],
  ])('%s', async (_, visits, said) => {
    const { box, journal, send } = await clinicOf();
    await send((await spoolCare(journal, [care(8)])).run);
    const issues: Issue[] = [];
    const { run } = await spoolCare(journal, visits, { onIssue: (issue) => issues.push(issue) });
    expect(
      issues.map((issue) => [
        issue.place.pointer,
        paramOf(issue, 'title'),
        String(issue.value).split(' → ')[1],
      ]),
    ).toEqual(said);
    expect(new Set(issues.map(({ code }) => code))).toEqual(
      new Set(said.length > 0 ? ['send/patient-differs'] : []),
    );
    // One row, which in the end says what the last one said.
    await send(run);
    expect([
      stored(box, 'createPatient'),
      (await ends(journal, run)).every((end) => end === 'accepted'),
    ]).toEqual([1, true]);
  });

  test('are looked for, made and read back once in a run', async () => {
    const { box, journal, send } = await clinicOf();
    const { run } = await spoolCare(journal, [care(8), care(9), care(10)]);
    await send(run);
    const asked = ['listPatients', 'getPatient', 'createPatient', 'updatePatient'].map((one) =>
      arrived(box, one),
    );
    expect(asked).toEqual([1, 1, 1, 0]);
  });
});

describe('the ministry rejects one package after the other', () => {
  const many = (count: number, service: (number: number) => JsonObject) =>
    Array.from({ length: count }, (_, at) => attention(at + 1, { service: service(at + 1) }));
  const ONE_BY_ONE = { policy: { concurrency: 1 } };
  const UNPAID = { valorPagoModerador: 5000 };

  test('for the same reason: the run stops, goes on when a person resumes it, and stops for another reason', async () => {
    const { journal, send } = await clinicOf({ ripsRefusal: '200' });
    const other = { codDiagnosticoRelacionado1: 'I10X' };
    const { run } = await spoolCare(
      journal,
      many(40, (number) => (number <= 25 ? UNPAID : other)),
    );
    const first = await send(run, ONE_BY_ONE);
    // One more may be on its way when the tenth is rejected.
    const rejected = ({ counts }: SendResult, most: number) =>
      counts.rejected <= most + 1 && counts.rejected >= most;
    expect(first.stopped?.code).toBe('send/equal-rejections');
    expect(first.stopped?.params).toEqual({
      count: 10,
      reasons: expect.stringMatching(/^RVC061 \S*consultas\.valorPagoModerador$/),
      text: expect.stringContaining('5000'),
      run,
    });
    expect(rejected(first, 10)).toBe(true);
    const second = await send(run, ONE_BY_ONE);
    expect([second.stopped?.params, rejected(second, 35)]).toEqual([
      { count: 10, reasons: expect.stringContaining('RVC086'), text: expect.anything(), run },
      true,
    ]);
    expect((await send(run, ONE_BY_ONE)).counts).toMatchObject({ rejected: 40, unsent: 0 });
  });

  test('and its reasons do not arrive: the run stops all the same, and goes on', async () => {
    const { journal, send } = await clinicOf({ ripsRefusalLength: 60 });
    const { run } = await spoolCare(
      journal,
      many(24, () => UNPAID),
    );
    const { stopped } = await send(run, ONE_BY_ONE);
    expect(stopped).toMatchObject({
      code: 'send/equal-rejections',
      params: { case: 'without-reasons', text: expect.stringMatching(/^ProcesoId \d+$/) },
    });
    expect((await send(run, ONE_BY_ONE)).counts).toMatchObject({ rejected: 24, unsent: 0 });
  });

  test.each<[string, (number: number) => JsonObject]>([
    ['with an acceptance in between', (number) => (number % 10 === 0 ? {} : UNPAID)],
    ['for reasons of their own', (number) => (number % 2 === 0 ? UNPAID : { codConsulta: null })],
  ])('%s: it goes to the end', async (_, service) => {
    const { journal, send } = await clinicOf({ ripsRefusal: '200' });
    const { run } = await spoolCare(journal, many(24, service));
    const { stopped, counts } = await send(run, ONE_BY_ONE);
    expect([stopped, counts.unsent]).toEqual([undefined, 0]);
  });
});

describe('access to the health system', () => {
  test('a wrong password stops the run before anything is transmitted; with the right one it goes on', async () => {
    const { box, journal, client, send } = await clinicOf({}, { password: 'wrong' });
    const { run } = await spoolCare(
      journal,
      [1, 2, 3].map((number) => attention(number)),
    );
    const { counts, stopped } = await send(run, { policy: { concurrency: 1 } });
    expect([counts, stopped?.code]).toEqual([
      { accepted: 0, rejected: 0, pending: 0, unknown: 0, unsent: 3 },
      'send/health-access',
    ]);
    await configureHealthAccess(client, CONFIGURATION as never);
    expect((await send(run)).counts.accepted).toBe(3);
    expect([stored(box, 'createPatient'), stored(box, 'createRipsDocument')]).toEqual([3, 3]);
    expect(box.controls.packages(NIT)).toHaveLength(3);
  });

  test('a refusal says what is wrong; the password is in no journal', async () => {
    const { journal, client, send } = await clinicOf();
    const reply = await configureHealthAccess(client, { ...CONFIGURATION, url: 'no url' } as never);
    expect(reply.kind === 'refused' && reply.issues.map(({ code }) => code)).toEqual([
      'send/health-access-refused',
    ]);
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect((await bytesOf(journal)).includes(String(CONFIGURATION['password']))).toBe(false);
  });
});

describe('results of the ministry', () => {
  test('have its names', async () => {
    const { journal, send } = await clinicOf({ ripsRefusal: '200' });
    const { run } = await spoolCare(journal, [
      attention(1),
      attention(2, { service: { conceptoRecaudo: 5, valorPagoModerador: 5000 } }),
    ]);
    await send(run, { policy: { concurrency: 1 } });
    const [first, second] = await allOf(resultFiles(journal, run));
    // The ministry counts as they arrive, and nobody promises in which order two leave.
    expect([first?.name, second?.name]).toEqual([
      expect.stringMatching(/^ResultadosMSPS_RS-2026-11-0001_ID81234[56]_A_CUV\.json$/),
      expect.stringMatching(/^ResultadosMSPS_RS-2026-11-0002_ID81234[56]_R\.json$/),
    ]);
    expect(JSON.parse(first!.text)).toMatchObject({
      CodigoUnicoValidacion: (await outcomeOf(journal, run)).documentCode,
    });
  });

  test('none without answers', async () => {
    const { journal } = await clinicOf();
    const { run } = await spoolCare(journal, [attention(1)]);
    expect(await allOf(resultFiles(journal, run))).toEqual([]);
  });
});

/** What becomes of one package when a stage's first answer is lost or bad, and what the service did for it. */
interface Loss {
  readonly operation: string;
  readonly kind: FaultKind;
  /** The professional of the appointment; not the token's own user where it is said. */
  readonly user?: number;
  /** After another package of the same professional, at another time. */
  readonly after?: true;
  readonly end: string;
  /** Really made: patients, appointments, documents, packages. */
  readonly made: readonly [number, number, number, number];
}

const LOSSES: readonly Loss[] = [
  { operation: 'listPatients', kind: 'reset-before', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'listPatients', kind: '502-html', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createPatient', kind: 'reset-before', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createPatient', kind: 'reset-after', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createPatient', kind: 'truncated-json', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createPatient', kind: 'bare-string', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createPatient', kind: '500', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createPatient', kind: '429', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createAppointment', kind: 'reset-after', end: 'accepted', made: [1, 1, 1, 1] },
  // Nothing shows that a list without it would have it.
  {
    operation: 'createAppointment',
    kind: '429',
    end: 'unknown send/appointment-unknown',
    made: [1, 0, 0, 0],
  },
  {
    operation: 'createAppointment',
    kind: 'reset-before',
    end: 'unknown send/appointment-unknown',
    made: [1, 0, 0, 0],
  },
  { operation: 'createAppointment', kind: '429', after: true, end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createAppointment', kind: 'reset-before', after: true, end: 'accepted', made: [1, 1, 1, 1] },
  {
    operation: 'createAppointment',
    kind: 'reset-before',
    user: 11,
    after: true,
    end: 'accepted',
    made: [1, 1, 1, 1],
  },
  { operation: 'createAppointment', kind: 'reset-after', user: 11, end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createRipsDocument', kind: 'reset-after', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createRipsDocument', kind: 'reset-before', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createRipsDocument', kind: '500', end: 'accepted', made: [1, 1, 1, 1] },
  { operation: 'createRipsDocument', kind: '429', end: 'accepted', made: [1, 1, 1, 1] },
  {
    operation: 'generateRips',
    kind: 'reset-after',
    end: 'unknown send/cuv-unknown',
    made: [1, 1, 1, 1],
  },
  {
    operation: 'generateRips',
    kind: 'reset-before',
    end: 'unknown send/cuv-unknown',
    made: [1, 1, 1, 0],
  },
  {
    operation: 'generateRips',
    kind: 'bare-string',
    end: 'unknown send/cuv-unknown',
    made: [1, 1, 1, 1],
  },
  {
    operation: 'generateRips',
    kind: 'truncated-json',
    end: 'unknown send/cuv-unknown',
    made: [1, 1, 1, 1],
  },
  {
    operation: 'generateRips',
    kind: '502-html',
    end: 'unknown send/cuv-unknown',
    made: [1, 1, 1, 0],
  },
  // Something in between may have written it.
  { operation: 'generateRips', kind: '429', end: 'unknown send/cuv-unknown', made: [1, 1, 1, 0] },
  { operation: 'generateRips', kind: 'login-failed', end: 'accepted', made: [1, 1, 1, 1] },
];

const STAGE_OPERATIONS = [
  'createPatient',
  'createAppointment',
  'createRipsDocument',
  'generateRips',
] as const;

describe('lost answers', () => {
  test.each(LOSSES)('$kind at $operation, user $user, after another: $after: $end', async (loss) => {
    const { operation, kind, user, after = false, end, made } = loss;
    const { box, journal, send } = await clinicOf();
    const whose = user === undefined ? {} : { user };
    const before = after ? 1 : 0;
    if (after) {
      const { run } = await spoolCare(journal, [attention(2, { ...whose, hour: 15 })]);
      await send(run);
    }
    box.controls.addFault({ kind, match: { operation: operation as never }, times: 1, retryAfter: 0 });
    const { run } = await spoolCare(journal, [attention(1, whose)]);
    await send(run);
    expect(await ends(journal, run)).toEqual([end]);
    const count = () => STAGE_OPERATIONS.map((one) => stored(box, one) - before);
    expect(count()).toEqual(made);
    // Nothing more is made or sent by trying again.
    await send(run);
    expect(await ends(journal, run)).toEqual([end]);
    expect(count()).toEqual(made);
    expect(box.controls.packages(NIT)).toHaveLength(made[3] + before);
  });

  test.each(['createAppointment', 'createRipsDocument'])(
    'a %s that may still be on its way is waited for',
    async (operation) => {
      const { box, journal, send } = await clinicOf();
      await send((await spoolCare(journal, [attention(2, { hour: 15 })])).run);
      box.controls.addFault({ kind: 'reset-before', match: { operation: operation as never }, times: 1 });
      const { run } = await spoolCare(journal, [attention(1)]);
      const finish = new AbortController();
      const world = fastWorld();
      const sleep = async (ms: number) => (ms > 60_000 ? finish.abort() : world.sleep(ms));
      await send(run, {
        policy: { arrivesWithin: 600_000 },
        world: { ...world, sleep },
        finish: finish.signal,
      });
      expect([await ends(journal, run), arrived(box, operation)]).toEqual([['unknown send/may-arrive'], 2]);
      await send(run, { policy: { arrivesWithin: 600_000 } });
      expect([await ends(journal, run), stored(box, operation)]).toEqual([['accepted'], 2]);
    },
  );

  test.each([
    // The one of the list that fits is taken; what is behind it is not.
    ['createAppointment', 'reset-after', 'send/rips-document-unknown'],
    ['createAppointment', 'reset-before', 'send/appointment-unknown'],
    ['createRipsDocument', 'reset-after', 'send/rips-document-unknown'],
    ['createRipsDocument', 'reset-before', 'send/rips-document-unknown'],
  ] as const)(
    'a restored journal makes nothing again, and leaves what was lost to a person: %s, %s',
    async (operation, kind, code) => {
      const { box, journal, send } = await clinicOf();
      await send((await spoolCare(journal, [attention(2, { hour: 15 })])).run);
      box.controls.addFault({ kind, match: { operation: operation as never }, times: 1 });
      const { run } = await spoolCare(journal, [attention(1)]);
      const finish = new AbortController();
      // It ends before it asks what became of the lost request; then the journal is restored.
      await send(run, {
        world: { ...fastWorld(), sleep: async () => finish.abort() },
        finish: finish.signal,
      });
      await journal.run(`UPDATE document SET state = 'unknown', doubt = ${RESTORED} WHERE run = ?`, run);
      const before = stored(box, operation);
      await send(run);
      expect([await ends(journal, run), stored(box, operation)]).toEqual([[`unknown ${code}`], before]);
    },
  );

  test('a full list of a time says nothing of what it lacks', async () => {
    const { box, journal, send } = await clinicOf();
    const visits = Array.from({ length: 20 }, (_, index) => attention(10 + index));
    await send((await spoolCare(journal, visits)).run);
    box.controls.addFault({
      kind: 'reset-before',
      match: { operation: 'createAppointment' as never },
      times: 1,
    });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect([await ends(journal, run), stored(box, 'createAppointment')]).toEqual([
      ['unknown send/appointment-unknown'],
      20,
    ]);
  });

  test('two visits of one patient at one time and place: each its own appointment, none taken for the other', async () => {
    const { box, journal, send } = await clinicOf();
    box.controls.addFault({
      kind: 'reset-after',
      match: { operation: 'createAppointment' as never },
      times: 2,
    });
    const procedure = { note_type: 'RS', services: [{ ...SERVICES.procedimientos }] };
    const { run } = await spoolCare(journal, [attention(1), { ...attention(1), document: procedure }]);
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted', 'accepted']);
    const ids = await journal.all<{ id: number }>(
      `SELECT json_extract(made, '$.appointment') AS id FROM document`,
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
    expect(stored(box, 'createAppointment')).toBe(2);
  });
});

/** The number of the only package of these runs. */
const NUMBER = 'RS-2026-11-0001';

/** Times that a run asks. */
const LOOKS = 5;

describe("a person's word", () => {
  async function lost(operation: string, kind: FaultKind) {
    const clinic = await clinicOf();
    const fault = (what: FaultKind, of: string, times: number) =>
      clinic.box.controls.addFault({ kind: what, match: { operation: of as never }, times });
    fault(kind, operation, 1);
    // Nor can it be asked about.
    if (operation === 'createRipsDocument') fault('500', 'getAppointment', LOOKS);
    const { run } = await spoolCare(clinic.journal, [attention(1)]);
    await clinic.send(run);
    expect((await outcomeOf(clinic.journal, run)).state).toBe('unknown');
    const settle = async (word: string, number = NUMBER): Promise<void> => {
      await settleByPerson(clinic.journal, RIPS, run, { number, word, now: 0 });
    };
    return { ...clinic, run, settle };
  }

  test.each([
    ['createAppointment', 'reset-before', 'none', [1, 1, 1, 1]],
    ['createRipsDocument', 'reset-before', 'none', [1, 1, 1, 1]],
    ['createRipsDocument', 'reset-after', '1', [1, 1, 1, 1]],
    ['generateRips', 'reset-before', 'none', [1, 1, 1, 1]],
  ] as const)('%s lost by %s: %s, and the rest goes its way', async (operation, kind, word, made) => {
    const { box, journal, run, send, settle } = await lost(operation, kind);
    await settle(word);
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted']);
    expect(STAGE_OPERATIONS.map((one) => stored(box, one))).toEqual(made);
  });

  test('a CUV that was looked up ends the package; nothing is sent', async () => {
    const { box, journal, run, send, settle } = await lost('generateRips', 'reset-after');
    const { cuv } = box.controls.packages(NIT)[0]!;
    await settle(cuv);
    const before = box.controls.requests().count;
    expect((await send(run)).counts.accepted).toBe(1);
    expect([(await outcomeOf(journal, run)).documentCode, box.controls.requests().count]).toEqual([
      cuv,
      before,
    ]);
  });

  test.each([
    ['12', NUMBER],
    ['no', NUMBER],
    ['none', 'RS-2026-11-0002'],
  ])('%s for %s is refused', async (word, number) => {
    const { settle } = await lost('generateRips', 'reset-after');
    await expect(settle(word, number)).rejects.toThrow('send/cannot-settle');
  });
});

test('an envelope says where its leaves came from', () => {
  expect(careEnvelope(1, attention(1)).trace.get('/patient/email')?.[0]).toMatchObject({ row: 2 });
});
