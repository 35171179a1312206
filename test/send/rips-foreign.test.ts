import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configureHealthAccess } from '../../src/families/rips/answer.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import type { Sandbox } from '../../src/sandbox/server.js';
import { settleByPerson } from '../../src/send/settle.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { CONFIGURATION, SERVICES } from '../sandbox/rips/clinic.js';
import { arrived, attention, clinicOf, ends, NIT, spoolCare, stored } from './rips-support.js';
import { clientOf, tempJournal } from './support.js';

/** Another company at the same service. */
const OTHER_NIT = '900555321';

const OPERATIONS = {
  listPatients: /^GET \/api\/rips\/patients\?/,
  getPatient: /^GET \/api\/rips\/patients\/\d+$/,
  createPatient: /^POST \/api\/rips\/patients$/,
  updatePatient: /^PUT \/api\/rips\/patients\/\d+$/,
  listAppointments: /^GET \/api\/rips\/appointments\?/,
  getAppointment: /^GET \/api\/rips\/appointments\/\d+$/,
  createAppointment: /^POST \/api\/rips\/appointments$/,
  createRipsDocument: /^POST \/api\/rips\/documents$/,
  generateRips: /^POST \/api\/rips\/documents\/generate\/\d+$/,
} as const;
type Operation = keyof typeof OPERATIONS;

interface Replaced {
  readonly operation: Operation;
  /** Returns the data of the answer in place of the service's own. */
  readonly data: (own: JsonObject, asked: JsonObject) => unknown;
  /** The status that comes with it. @default that of the service */
  readonly status?: number;
  /** @default 1 */
  readonly times?: number;
  /** True if the service never gets the request. @default false */
  readonly isHeldBack?: boolean;
}

/** A line to the sandbox on which some answers are replaced by others; counts the requests to generate by their id. */
async function lineTo(box: Sandbox) {
  const rules: { rule: Replaced; left: number }[] = [];
  const generated = new Map<number, number>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const asked = `${request.method} ${request.url}`;
    requests += 1;
    const id = /\/generate\/(\d+)$/.exec(asked)?.[1];
    if (id !== undefined) generated.set(Number(id), (generated.get(Number(id)) ?? 0) + 1);
    const found = rules.find(({ rule, left }) => left > 0 && OPERATIONS[rule.operation].test(asked));
    if (found !== undefined) found.left -= 1;
    let status = found?.rule.status ?? 201;
    let own: JsonObject = {};
    if (found?.rule.isHeldBack !== true) {
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(box.url + request.url, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(body !== '' && { body }),
      });
      status = found?.rule.status ?? answer.status;
      own = (await answer.json()) as JsonObject;
    }
    const { data } = own as { data?: JsonObject };
    const said =
      found === undefined
        ? own
        : {
            success: true,
            data: found.rule.data(data ?? {}, body === '' ? {} : (JSON.parse(body) as JsonObject)),
            message: 'ok',
          };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    generated,
    requests: () => requests,
    replace: (rule: Replaced) => void rules.push({ rule, left: rule.times ?? 1 }),
    restore: () => void rules.splice(0),
  };
}

/** Rows of other patients at the service, which no journal of ours has. */
interface Foreign {
  readonly patient: JsonObject;
  readonly appointment: JsonObject;
  readonly document: JsonObject;
}

async function foreignRows(box: Sandbox, token: string, person: number): Promise<Foreign> {
  const client = clientOf(box.url, { token });
  const visit = attention(person);
  const made = async (operation: Operation, body: object): Promise<JsonObject> => {
    const answer = await client.call(operation as never, { body: body as never });
    return (answer as unknown as { body: { data: JsonObject } }).body.data;
  };
  const patient = await made('createPatient', visit['patient'] as object);
  const appointment = await made('createAppointment', {
    ...(visit['appointment'] as object),
    time: '06:00',
    patient_id: patient['id'],
  });
  const document = await made('createRipsDocument', {
    ...(visit['document'] as object),
    appointment_id: appointment['id'],
    note_number: 'RS-OTHER-1',
  });
  return { patient, appointment, document };
}

async function clinic(options: { readonly other?: boolean } = {}) {
  const made = await clinicOf({ companies: [{ nit: NIT }, { nit: OTHER_NIT }] });
  const { box, journal } = made;
  const line = await lineTo(box);
  const client = clientOf(line.url, { token: box.token });
  const foreign = await foreignRows(box, options.other ? box.tokens[OTHER_NIT]! : box.token, 90);
  const send = (run: string, more: Parameters<typeof made.send>[1] = {}) =>
    made.send(run, { client, ...more });
  const settle = (run: string, number: string, word: string) =>
    settleByPerson(journal, RIPS, run, { number, word, now: Date.parse('2026-11-21T15:00:00Z') });
  box.controls.clearRequests();
  return { box, journal, line, foreign, send, settle };
}
type Clinic = Awaited<ReturnType<typeof clinic>>;

const NUMBER = 'RS-2026-11-0001';

/** Asserts that every CUV is of the document that has its number, and that nothing was generated twice. */
function expectOwnCuvs({ box, line }: Clinic, numbers: readonly string[]): void {
  const packages = box.controls.packages(NIT);
  expect(packages.map(({ noteNumber }) => noteNumber).toSorted()).toEqual(numbers);
  expect(new Set(packages.map(({ documentId }) => documentId)).size).toBe(packages.length);
  expect([...line.generated.values()].filter((times) => times > 1)).toEqual([]);
}

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `RS-2026-11-${String(index + 1).padStart(4, '0')}`);

/** What an answer may be about, in place of what was asked for. */
const ABOUT: Readonly<
  Record<string, (foreign: Foreign, own: JsonObject, asked: JsonObject, row: JsonObject) => unknown>
> = {
  'the id of another document': ({ document }) => ({ id: document['id'] }),
  'another document': ({ document }) => document,
  'another appointment': ({ appointment }) => appointment,
  'another patient': ({ patient }) => patient,
  'the id of another, as text': ({ document }) => ({ id: String(document['id']), message: 'ok' }),
  'no number': (_foreign, own) => ({ id: own['id'] }),
  'our own, with the id of another': (_foreign, own, asked, row) => ({ ...asked, ...own, id: row['id'] }),
};

const CREATIONS = ['createPatient', 'createAppointment', 'createRipsDocument'] as const;
const TABLES = {
  createPatient: 'patient',
  createAppointment: 'appointment',
  createRipsDocument: 'document',
} as const;
const CASES = CREATIONS.flatMap((operation) =>
  Object.keys(ABOUT).flatMap((about) => [true, false].map((lands) => ({ operation, about, lands }))),
);

describe('a creation that is answered about something else', () => {
  test.each(CASES)('$operation: $about, landed: $lands', async ({ operation, about, lands }) => {
    const all = await clinic();
    const { box, journal, line, foreign, send } = all;
    await send((await spoolCare(journal, [attention(2, { hour: 15 })])).run);
    const row = foreign[TABLES[operation]];
    const data = (own: JsonObject, asked: JsonObject) =>
      ABOUT[about]!(foreign, lands ? own : { id: 4711 }, asked, row);
    line.replace({ operation, data, isHeldBack: !lands });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    await send(run);
    expect([await ends(journal, run), stored(box, operation)]).toEqual([['accepted'], 2]);
    expect(line.generated.has(Number(foreign.document['id']))).toBe(false);
    expectOwnCuvs(all, numbers(2));
  });
});

test.each(CREATIONS)(
  '%s always lies about its id: nothing is transmitted, nor made without end',
  async (operation) => {
    const all = await clinic();
    const { journal, line, foreign, send } = all;
    const { id } = foreign[TABLES[operation]];
    line.replace({ operation, data: (own, asked) => ({ ...asked, ...own, id: id! }), times: 1_000 });
    line.replace({ operation: 'listPatients', data: () => ({ data: [], last_page: 1 }), times: 1_000 });
    line.replace({ operation: 'listAppointments', data: () => [], times: 1_000 });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    await send(run);
    if (operation !== 'createRipsDocument') {
      expect([(await ends(journal, run))[0]?.split(' ')[0], line.generated.size]).toEqual(['unknown', 0]);
      expect(line.requests()).toBeLessThan(200);
      line.restore();
      await send(run);
    }
    expect(line.generated.has(Number(foreign.document['id']))).toBe(false);
  },
);

test('ten packages that are all answered with one document: none is transmitted under it', async () => {
  const all = await clinic();
  const { journal, line, foreign, send, settle } = all;
  line.replace({
    operation: 'createRipsDocument',
    data: () => ({ id: foreign.document['id'] }),
    times: 10,
  });
  const { run } = await spoolCare(
    journal,
    Array.from({ length: 10 }, (_, index) => attention(index + 1)),
  );
  await send(run);
  expect(await ends(journal, run)).toEqual(Array(10).fill('accepted'));
  expectOwnCuvs(all, numbers(10));
  await expect(settle(run, NUMBER, 'none')).rejects.toThrow('send/cannot-settle');
});

test('the service never shows our numbers: nothing is transmitted, and a user says whose the document is', async () => {
  const all = await clinic();
  const { journal, line, send, settle } = all;
  const ids: unknown[] = [];
  const bare = ({ id }: JsonObject) => {
    ids.push(id);
    return { id };
  };
  const noDocuments = ({ documents: _documents, ...own }: JsonObject) => own;
  line.replace({ operation: 'createRipsDocument', data: bare, times: 100 });
  line.replace({ operation: 'getAppointment', data: noDocuments, times: 100 });
  const { run } = await spoolCare(journal, [attention(1)]);
  await send(run);
  await send(run);
  expect([await ends(journal, run), line.generated.size]).toEqual([
    ['unknown send/rips-document-unknown'],
    0,
  ]);
  await settle(run, NUMBER, String(ids[0]));
  await send(run);
  expect(await ends(journal, run)).toEqual(['accepted']);
  expectOwnCuvs(all, numbers(1));
});

describe('a read-back that is answered about something else', () => {
  test.each<[name: string, operation: Operation, data: (foreign: Foreign) => unknown]>([
    [
      'another appointment',
      'getAppointment',
      ({ appointment, document }) => ({ ...appointment, documents: [document] }),
    ],
    [
      'an appointment without id',
      'getAppointment',
      ({ appointment: { id: _id, ...row } }) => ({ ...row, documents: [] }),
    ],
    ['nothing', 'getAppointment', () => null],
    ['a patient', 'getAppointment', ({ patient }) => patient],
  ])('%s: it is asked again, also after a restart', async (_name, operation, data) => {
    const all = await clinic();
    const { box, journal, line, foreign, send } = all;
    line.replace({ operation: 'createRipsDocument', data: () => ({ id: foreign.document['id'] }) });
    line.replace({ operation, data: () => data(foreign), times: 100 });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect([(await ends(journal, run))[0]?.split(' ')[0], line.generated.size]).toEqual(['unknown', 0]);
    line.restore();
    await send(run);
    expect([await ends(journal, run), stored(box, 'createRipsDocument')]).toEqual([['accepted'], 1]);
    expectOwnCuvs(all, numbers(1));
  });

  test('an update of a patient that is answered about another is read back', async () => {
    const all = await clinic();
    const { box, journal, line, foreign, send } = all;
    await send((await spoolCare(journal, [attention(1)])).run);
    line.replace({ operation: 'updatePatient', data: () => foreign.patient, isHeldBack: true });
    const person = { last_name: 'Rojas Díaz' };
    const { run } = await spoolCare(journal, [attention(1, { hour: 9, person })]);
    await send(run);
    expect([await ends(journal, run), stored(box, 'updatePatient')]).toEqual([['accepted'], 1]);
    expectOwnCuvs(all, numbers(2));
  });
});

describe('generate that is answered about something else', () => {
  test.each<[name: string, data: (foreign: Foreign) => unknown]>([
    ['a document', ({ document }) => document],
    ['an appointment', ({ appointment }) => appointment],
    ['a patient', ({ patient }) => patient],
    [
      'the result of another',
      () => ({ ResultState: true, CodigoUnicoValidacion: 'ab'.repeat(48), NumFactura: 'RS-OTHER-1' }),
    ],
    [
      'the rejection of another',
      () => ({ ResultState: false, NumFactura: 'RS-OTHER-1', ResultadosValidacion: [] }),
    ],
  ])('%s: "none" makes the document anew and transmits that', async (_name, data) => {
    const all = await clinic();
    const { box, journal, line, foreign, send, settle } = all;
    line.replace({ operation: 'generateRips', data: () => data(foreign), status: 200, isHeldBack: true });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    await send(run);
    expect([await ends(journal, run), line.generated.size]).toEqual([['unknown send/cuv-unknown'], 1]);
    await settle(run, NUMBER, 'none');
    await send(run);
    expect([await ends(journal, run), stored(box, 'createRipsDocument')]).toEqual([['accepted'], 2]);
    expectOwnCuvs(all, numbers(1));
  });

  test('an id that was requested under is not taken by the word of a user', async () => {
    const { journal, line, foreign, send, settle } = await clinic();
    line.replace({ operation: 'generateRips', data: () => foreign.document, status: 200, isHeldBack: true });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    const [id] = line.generated.keys();
    await settle(run, NUMBER, 'none');
    await expect(settle(run, NUMBER, String(id))).rejects.toThrow('send/cannot-settle');
    // Who said "none" by mistake may still have the code.
    const cuv = 'cd'.repeat(48);
    await settle(run, NUMBER, `accepted:${cuv}`);
    await send(run);
    expect([await ends(journal, run), line.generated.size]).toEqual([['accepted'], 1]);
  });
});

test('one CUV for two documents is that of neither: "none" transmits each under another id', async () => {
  const all = await clinic();
  const { journal, line, send, settle } = all;
  const result = { ResultState: true, CodigoUnicoValidacion: 'ab'.repeat(48), ResultadosValidacion: [] };
  for (const NumFactura of numbers(2))
    line.replace({
      operation: 'generateRips',
      data: () => ({ ...result, NumFactura }),
      status: 200,
      isHeldBack: true,
    });
  const { run } = await spoolCare(journal, [attention(1), attention(2)]);
  await send(run);
  await send(run);
  expect(await ends(journal, run)).toEqual(['unknown send/cuv-unknown', 'unknown send/cuv-unknown']);
  for (const number of numbers(2)) await settle(run, number, 'none');
  await send(run);
  expect([await ends(journal, run), line.generated.size]).toEqual([['accepted', 'accepted'], 4]);
  expectOwnCuvs(all, numbers(2));
});

describe('ids that a journal keeps without evidence', () => {
  /** As an earlier version left it: with these ids, and nothing else known of them. */
  async function left(
    all: Clinic,
    ids: Partial<Record<'patient' | 'appointment' | 'document', unknown>>,
    state: string,
  ) {
    const { journal, line, send } = all;
    line.replace({ operation: 'generateRips', data: () => ({}), status: 500, isHeldBack: true });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    line.restore();
    line.generated.clear();
    const { made } = (await journal.first<{ made: string }>('SELECT made FROM document WHERE run = ?', run))!;
    const { patient, appointment, document } = JSON.parse(made) as JsonObject;
    const kept = JSON.stringify({ patient, appointment, document, ...ids });
    await journal.run(
      'UPDATE document SET made = ?, state = ?, doubt = ? WHERE run = ?',
      kept,
      state,
      state === 'unknown' ? 1 : 0,
      run,
    );
    return run;
  }

  test.each(['document', 'appointment', 'patient', 'none of them'] as const)(
    'of another %s: found out before anything is transmitted',
    async (stage) => {
      const all = await clinic();
      const { box, journal, foreign, send } = all;
      const ids = stage === 'none of them' ? {} : { [stage]: foreign[stage]['id'] };
      const run = await left(all, ids, 'planned');
      await send(run);
      expect(await ends(journal, run)).toEqual(['accepted']);
      expectOwnCuvs(all, numbers(1));
      const [, updated] = [stored(box, 'createPatient'), arrived(box, 'updatePatient')];
      expect(updated).toBe(0);
    },
  );

  test('"none" of a transmission under the document of another goes back to our own', async () => {
    const all = await clinic();
    const { journal, foreign, send, settle } = all;
    const run = await left(all, { document: foreign.document['id'] }, 'unknown');
    await send(run);
    expect((await ends(journal, run))[0]).toMatch(/^unknown send\/cuv-unknown/);
    await settle(run, NUMBER, 'none');
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted']);
    expectOwnCuvs(all, numbers(1));
  });
});

describe('the word of a user that an id is of a document', () => {
  /** The first of two visits hangs at a stage; the second is where `until` says. */
  async function hanging(stage: 'createAppointment' | 'createRipsDocument', until?: Operation) {
    const all = await clinic();
    const { journal, line, foreign, send } = all;
    const { run: second } = await spoolCare(journal, [attention(2, { hour: 15 })]);
    if (until !== undefined) line.replace({ operation: until, data: () => null, status: 502, times: 100 });
    await send(second);
    line.restore();
    line.replace({ operation: stage, data: () => foreign.patient, isHeldBack: true, times: 100 });
    line.replace({ operation: 'listAppointments', data: () => null, times: 100 });
    line.replace({ operation: 'getAppointment', data: () => null, times: 100 });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect((await ends(journal, run))[0]).toMatch(/^unknown/);
    line.restore();
    const { made } = (await journal.first<{ made: string }>(
      'SELECT made FROM document WHERE run = ?',
      second,
    ))!;
    return { all, run, second, ids: JSON.parse(made) as Record<'appointment' | 'document', number> };
  }
  const HANGING = 'RS-2026-11-0002';

  test.each(['createAppointment', 'createRipsDocument'] as const)(
    'at %s: of a row of another it is read back, and not believed',
    async (stage) => {
      const { all, run } = await hanging(stage);
      const { journal, foreign, line, send, settle } = all;
      const row = stage === 'createAppointment' ? foreign.appointment : foreign.document;
      await settle(run, HANGING, String(row['id']));
      await send(run);
      await send(run);
      expect(['accepted', 'unknown send/appointment-unknown']).toContain((await ends(journal, run))[0]);
      expect(line.generated.get(Number(foreign.document['id']))).toBeUndefined();
      expect([...line.generated.values()].every((times) => times === 1)).toBe(true);
    },
  );

  test('every other holder is in doubt: one that was not transmitted finds its own again', async () => {
    const { all, run, second, ids } = await hanging('createRipsDocument', 'generateRips');
    const { journal, send, settle } = all;
    await journal.run(
      `UPDATE document SET state = 'planned', doubt = 0, issues = NULL WHERE run = ?`,
      second,
    );
    all.line.generated.clear();
    await settle(run, HANGING, String(ids.document));
    expect(await ends(journal, second)).toEqual(['unknown send/id-contested']);
    await send(run);
    await send(second);
    expect([await ends(journal, run), await ends(journal, second)]).toEqual([['accepted'], ['accepted']]);
    expect([...all.line.generated.values()]).toEqual([1, 1]);
  });

  test('one that was accepted is left to a user, and its id is never requested under again', async () => {
    const { all, run, second, ids } = await hanging('createRipsDocument');
    const { journal, line, send, settle } = all;
    expect(await ends(journal, second)).toEqual(['accepted']);
    await settle(run, HANGING, String(ids.document));
    expect(await ends(journal, second)).toEqual(['unknown send/id-contested']);
    await send(run);
    await send(second);
    expect([await ends(journal, run), await ends(journal, second)]).toEqual([
      ['accepted'],
      ['unknown send/id-contested'],
    ]);
    expect([...line.generated.values()]).toEqual([1, 1]);
    await settle(second, NUMBER, 'none');
    await send(second);
    expect(await ends(journal, second)).toEqual(['accepted']);
    expect([...line.generated.values()]).toEqual([1, 1, 1]);
  });
});

describe('a stage that hangs after answers about something else', () => {
  const LOOKS: readonly Operation[] = ['listPatients', 'getPatient', 'listAppointments', 'getAppointment'];

  test.each(
    CREATIONS.flatMap((stage) =>
      ['none', 'the id of another', 'its own id'].map((word) => ({ stage, word })),
    ),
  )('$stage: $word', async ({ stage, word }) => {
    const all = await clinic();
    const { journal, line, foreign, send, settle } = all;
    const made: unknown[] = [];
    line.replace({
      operation: stage,
      data: ({ id }) => {
        made.push(id);
        return foreign.document;
      },
      isHeldBack: word !== 'its own id',
      times: 100,
    });
    // The search before the first request finds nothing, as it should.
    if (stage === 'createPatient')
      line.replace({ operation: 'listPatients', data: () => ({ data: [], last_page: 1 }) });
    for (const operation of LOOKS) {
      if (stage !== 'createPatient' && operation.includes('Patient')) continue;
      line.replace({ operation, data: () => null, times: 100 });
    }
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect([(await ends(journal, run))[0]?.split(' ')[0], line.generated.size]).toEqual(['unknown', 0]);
    line.restore();
    const row = { createPatient: foreign.patient, createAppointment: foreign.appointment }[stage as string];
    const ids: Readonly<Record<string, unknown>> = {
      none: 'none',
      'the id of another': (row ?? foreign.document)['id'],
      'its own id': made[0],
    };
    await settle(run, NUMBER, String(ids[word]));
    await send(run);
    // What no list shows may be there: only a user can tell.
    if ((await ends(journal, run))[0] !== 'accepted') {
      expect([stage, word, await ends(journal, run)]).toEqual([
        'createAppointment',
        'the id of another',
        ['unknown send/appointment-unknown'],
      ]);
      await settle(run, NUMBER, 'none');
      await send(run);
    }
    expect(await ends(journal, run)).toEqual(['accepted']);
    expect(line.generated.has(Number(foreign.document['id']))).toBe(false);
    expectOwnCuvs(all, numbers(1));
  });
});

describe('an id that is found with our number, and that another document of the journal has', () => {
  const SHOWN = ['patient', 'appointment', 'document'];
  test.each<
    [
      name: string,
      state: string,
      shownStages: readonly string[],
      both: readonly string[],
      later: readonly string[],
    ]
  >([
    ['without evidence', 'planned', [], ['accepted', 'unknown send/id-contested'], ['accepted', 'accepted']],
    [
      'with evidence',
      'planned',
      SHOWN,
      ['unknown send/id-contested', 'unknown send/id-contested'],
      ['accepted', 'accepted'],
    ],
    [
      'and that it was transmitted under',
      'accepted',
      SHOWN,
      ['unknown send/id-contested', 'unknown send/id-contested'],
      ['unknown send/id-contested', 'unknown send/id-contested'],
    ],
  ])('%s', async (_name, state, shownStages, both, later) => {
    const all = await clinic();
    const { journal, line, send, settle } = all;
    line.replace({ operation: 'generateRips', data: () => ({}), status: 502, isHeldBack: true });
    const { run: first } = await spoolCare(journal, [attention(1)]);
    await send(first);
    const made: number[] = [];
    line.replace({
      operation: 'createRipsDocument',
      data: ({ id }) => {
        made.push(Number(id));
        return { id: id! };
      },
    });
    line.replace({ operation: 'getAppointment', data: () => null, times: 100 });
    const { run } = await spoolCare(journal, [attention(2)]);
    await send(run);
    line.restore();
    line.generated.clear();
    const row = await journal.first<{ made: string }>('SELECT made FROM document WHERE run = ?', first);
    const { patient, appointment } = JSON.parse(row!.made) as JsonObject;
    const ids = JSON.stringify({ patient, appointment, document: made[0], shownStages });
    await journal.run(
      'UPDATE document SET made = ?, state = ?, doubt = 0, issues = NULL WHERE run = ?',
      ids,
      state,
      first,
    );
    const found = async () => [...(await ends(journal, run)), ...(await ends(journal, first))];
    await send(run);
    expect(await found()).toEqual(both);
    await send(run);
    await send(first);
    expect(await found()).toEqual(later);
    // Whoever is left says that nothing arrived: both are made anew, and sent under ids of their own.
    const left = [
      { of: run, number: 'RS-2026-11-0002' },
      { of: first, number: NUMBER },
    ];
    for (const { of, number } of left) {
      if ((await ends(journal, of))[0] === 'accepted') continue;
      await settle(of, number, 'none');
      await send(of);
    }
    expect(await found()).toEqual(['accepted', 'accepted']);
    expectOwnCuvs(all, numbers(2));
  });
});

test('a patient is shared by visits: the word of a user that the row is theirs puts no other in doubt', async () => {
  const all = await clinic();
  const { journal, line, send, settle } = all;
  const { run: first } = await spoolCare(journal, [attention(1)]);
  await send(first);
  line.replace({ operation: 'listPatients', data: () => ({ data: [], last_page: 1 }) });
  line.replace({ operation: 'createPatient', data: () => null, isHeldBack: true, times: 100 });
  line.replace({ operation: 'listPatients', data: () => null, times: 100 });
  const { run } = await spoolCare(journal, [attention(1, { hour: 9 })]);
  await send(run);
  expect((await ends(journal, run))[0]).toMatch(/^unknown/);
  line.restore();
  const { made } = (await journal.first<{ made: string }>('SELECT made FROM document WHERE run = ?', first))!;
  await settle(run, 'RS-2026-11-0002', String((JSON.parse(made) as JsonObject)['patient']));
  expect(await ends(journal, first)).toEqual(['accepted']);
  await send(run);
  expect(await ends(journal, run)).toEqual(['accepted']);
  expectOwnCuvs(all, numbers(2));
});

describe('two runs and two companies', () => {
  test('the id of a document of another run is not taken, and that one keeps it', async () => {
    const all = await clinic();
    const { journal, line, send } = all;
    const { run: first } = await spoolCare(journal, [attention(1)]);
    await send(first);
    const [id] = line.generated.keys();
    line.replace({ operation: 'createRipsDocument', data: (own) => ({ ...own, id: id! }) });
    const { run } = await spoolCare(journal, [attention(2)]);
    await send(run);
    expect([await ends(journal, first), await ends(journal, run)]).toEqual([['accepted'], ['accepted']]);
    expectOwnCuvs(all, numbers(2));
  });

  test('two that are answered with one id at once: each finds its own', async () => {
    const all = await clinic();
    const { journal, line, send } = all;
    line.replace({ operation: 'createRipsDocument', data: (own) => ({ ...own, id: 2 }), times: 2 });
    const { run } = await spoolCare(journal, [attention(1), attention(2)]);
    await send(run);
    expect(await ends(journal, run)).toEqual(['accepted', 'accepted']);
    expectOwnCuvs(all, numbers(2));
  });

  test('another company has a package under the same number', async () => {
    const all = await clinic({ other: true });
    const { box, journal, line, send } = all;
    const theirs = await tempJournal();
    const token = box.tokens[OTHER_NIT]!;
    await configureHealthAccess(clientOf(box.url, { token }), CONFIGURATION as never);
    const { run: other } = await spoolCare(theirs, [attention(50)]);
    await send(other, { journal: theirs, client: clientOf(box.url, { token }) });
    expect(await ends(theirs, other)).toEqual(['accepted']);
    const { made } = (await theirs.first<{ made: string }>('SELECT made FROM document'))!;
    const { appointment: appointment_id, document: id } = JSON.parse(made) as JsonObject;
    line.replace({
      operation: 'createRipsDocument',
      data: () => ({ id: id!, appointment_id: appointment_id!, note_number: NUMBER }),
    });
    const { run } = await spoolCare(journal, [attention(1)]);
    await send(run);
    expect([await ends(journal, run), line.generated.has(Number(id))]).toEqual([['accepted'], false]);
    expectOwnCuvs(all, numbers(1));
  });
});

test('where every answer shows whose it is, a patient and a package are each read back once', async () => {
  const { journal, line, send } = await clinic();
  const procedure = { note_type: 'RS', services: [{ ...SERVICES.procedimientos }] };
  const { run } = await spoolCare(journal, [
    attention(1),
    attention(2),
    { ...attention(1, { hour: 9 }), document: procedure },
  ]);
  await send(run);
  expect(await ends(journal, run)).toEqual(['accepted', 'accepted', 'accepted']);
  // The probe; two patients searched, made and read back; three appointments, documents, read-backs and transmissions.
  expect(line.requests()).toBe(1 + 2 * 3 + 3 * 4);
});
