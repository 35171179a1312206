import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationId } from '../../src/generated/operations.js';
import type { SchemaName } from '../../src/generated/schema-types.js';
import type { Sandbox } from '../../src/sandbox/server.js';
import { formatPointer, type JsonObject, type JsonValue } from '../../src/toolkit/core/json.js';
import { childKeys, isRequired, resolveNode } from '../../src/toolkit/schema/registry.js';
import { withValue } from '../schema/examples.js';
import { request, sandbox } from './client.js';
import { ANA, byCufe, byFile, cufeOf, FILES } from './events/requests.js';
import { deletion, payroll, payrollOf, replacement } from './payroll-requests.js';
import { configure, PATIENT, PROVIDER, SERVICES } from './rips/clinic.js';

/** How the service reads `null` and `""` (service.md 3.3a): what it demands is missing, the rest is as if absent. */

interface Case {
  readonly operation: OperationId;
  /** When the operation takes several. */
  readonly schema?: SchemaName;
  readonly path?: Readonly<Record<string, string>>;
  readonly body: (sequence: number) => JsonObject;
}

const CUNE = 'ab'.repeat(48);
const FILE = Object.values(FILES)[0]!;

/** Every request with a body, with all the parts that hold further fields. */
const CASES: readonly Case[] = [
  ...(['sendPayroll', 'sendPayrollTestSet', 'previewPayroll'] as const).map((operation) => ({
    operation,
    path: { testSetId: 'set' },
    body: () => payroll({ novelty: { novelty: false }, email_cc_list: [{ email: 'a@example.com' }] }),
  })),
  ...(['sendAdjustNote', 'sendAdjustNoteTestSet'] as const).flatMap((operation): Case[] => [
    {
      operation,
      schema: 'payroll/adjust-note-replace',
      path: { testSetId: 'set' },
      body: () => replacement(CUNE),
    },
    {
      operation,
      schema: 'payroll/adjust-note-delete',
      path: { testSetId: 'set' },
      body: () => deletion(CUNE),
    },
  ]),
  {
    operation: 'configurePayrollSoftware',
    body: () => ({ id: 'a', pin: '12345', idpayroll: 'c0ffee', pinpayroll: '12345' }),
  },
  {
    operation: 'configureResolution',
    body: () => ({ type_document_id: 9, from: 1, to: 99999999, prefix: 'NI' }),
  },
  { operation: 'emailPayroll', body: () => ({ prefix: 'NI', consecutive: 1, email: 'a@example.com' }) },
  { operation: 'getZipStatus', path: { ZipKey: 'key' }, body: () => ({ is_payroll: true }) },
  { operation: 'getDocumentStatus', path: { CUNE }, body: () => ({ is_payroll: true }) },
  {
    operation: 'configureRips',
    body: () => ({
      type_document_identification_id: 3,
      number_identification: '1',
      password: 'x',
      url: 'https://sispro.example',
    }),
  },
  {
    operation: 'createServiceProvider',
    body: (n) => ({ ...PROVIDER, email: `p${n}@example.com`, code: `${n}`, document_number: `${n}` }),
  },
  { operation: 'updateServiceProvider', path: { id: '1' }, body: () => PROVIDER },
  { operation: 'createPatient', body: (n) => ({ ...PATIENT, email: `${n}@example.com` }) },
  { operation: 'updatePatient', path: { id: '1' }, body: () => PATIENT },
  {
    operation: 'createAppointment',
    body: () => ({ patient_id: 1, user_id: 7, date: '2026-11-03', time: '08:30' }),
  },
  {
    operation: 'createRipsDocument',
    body: (n) => ({
      appointment_id: 1,
      note_type: 'RS',
      note_number: `RS-${n}`,
      services: [SERVICES.consultas],
    }),
  },
  {
    operation: 'sendEvent',
    schema: 'events/event-by-document',
    body: () => byFile('030', FILE, { issuer_party: ANA }),
  },
  {
    operation: 'sendEventData',
    schema: 'events/event-by-cufe',
    body: () => byCufe('030', cufeOf('empties'), { issuer_party: ANA }),
  },
  {
    operation: 'receiveSellerDocument',
    body: () => ({ company_idnumber: '900123456', xml_document: FILE.toString('base64') }),
  },
];

type Fate = 'taken' | 'missing' | 'crash';

/** What the shape demands and the service does not, or the other way round. */
const OTHERWISE: Readonly<Record<string, Fate>> = {
  // A single resolution needs no prefix (service.md 4.1).
  'payroll/payroll /prefix': 'taken',
  // A transfer needs the account (4.4).
  ...Object.fromEntries(
    ['bank_name', 'account_type', 'account_number'].map((name) => [
      `payroll/payroll /payment/${name}`,
      'missing' as const,
    ]),
  ),
  // Nothing in these bodies is validated; the invoice service is asked instead (4.10).
  'payroll/status-query /is_payroll': 'taken',
  // The database demands them, or nothing does until the patient is sent (6.3).
  ...Object.fromEntries(
    ['document_number', 'last_name'].map((name) => [`rips/patient /${name}`, 'crash' as const]),
  ),
  ...Object.fromEntries(
    ['birth_date', 'rips_user_type_id', 'rips_gender_id', 'municipality_id', 'rips_zone_id'].map((name) => [
      `rips/patient /${name}`,
      'taken' as const,
    ]),
  ),
  // Only `services` is validated (6.6).
  'rips/document /appointment_id': 'crash',
  'rips/document /note_type': 'taken',
  'rips/document /note_number': 'taken',
};

/** The places of a schema as far as the body has the objects and lists that hold them. */
function placesOf(schema: SchemaName, keys: readonly string[], body: JsonValue): string[][] {
  const node = resolveNode(schema, keys)!;
  return childKeys(node).flatMap((key) => {
    const place = [...keys, key];
    const inside = (body as JsonObject)[key];
    if (Array.isArray(inside))
      return [place, ...(typeof inside[0] === 'object' ? placesOf(schema, [...place, '0'], inside[0]!) : [])];
    return typeof inside === 'object' && inside !== null
      ? [place, ...placesOf(schema, place, inside)]
      : [place];
  });
}

function fateOf(schema: SchemaName, keys: readonly string[]): Fate {
  const [last, holder] = [keys.at(-1)!, resolveNode(schema, keys.slice(0, -1))!];
  const known = OTHERWISE[`${schema} ${formatPointer(keys)}`];
  if (known !== undefined) return known;
  if (last.startsWith('establishment_')) return schema.startsWith('payroll') ? 'crash' : 'taken';
  if (!isRequired(holder, last)) return 'taken';
  if (schema === 'rips/document') return keys.length === 1 ? 'missing' : 'taken';
  // Items of nested lists are not validated (4.7).
  return ['accrued', 'deductions'].includes(keys[0]!) && keys.length > 2 ? 'crash' : 'missing';
}

let box: Sandbox;
let sequence = 0;

beforeAll(async () => {
  box = await sandbox();
  await configure(box);
  await request(box, 'POST', '/api/rips/service-providers', PROVIDER);
  await request(box, 'POST', '/api/rips/patients', PATIENT);
  await request(box, 'POST', '/api/rips/appointments', {
    patient_id: 1,
    user_id: 7,
    date: '2026-11-03',
    time: '08:00',
  });
});

const sent = async ({ operation, path = {} }: Case, body: unknown) => {
  const { method, path: template } = OPERATIONS[operation];
  return request(
    box,
    method,
    template.replace(/\{(\w+)\}/g, (_, name) => path[name]!),
    body,
  );
};

const fateSeen = ({ status }: { status: number }): Fate | number =>
  status < 300 ? 'taken' : status === 422 ? 'missing' : status === 500 ? 'crash' : status;

const schemaOf = ({ operation, schema }: Case): SchemaName => schema ?? OPERATIONS[operation].body!;

it('knows every operation that has a body', () => {
  const withBody = Object.values(OPERATIONS).filter(({ body }) => body !== null);
  expect([...new Set(CASES.map(({ operation }) => operation))].sort()).toEqual(
    withBody.map(({ id }) => id).sort(),
  );
});

describe.each(CASES.map((one) => ({ ...one, name: `${one.operation} ${schemaOf(one)}` })))('$name', (one) => {
  const schema = schemaOf(one);
  const places = placesOf(schema, [], one.body(0)).map((keys) => ({ keys, pointer: formatPointer(keys) }));

  it('takes the body as it is', async () => {
    expect(fateSeen(await sent(one, one.body(++sequence)))).toBe('taken');
  });

  it.each(places)('$pointer', async ({ keys, pointer }) => {
    const fate = fateOf(schema, keys);
    for (const empty of [null, '', '  ']) {
      const reply = await sent(one, withValue(one.body(++sequence), pointer, empty));
      // A preview crashes inside a 200 (service.md 5.2).
      if (one.operation === 'previewPayroll' && fate === 'crash')
        expect([reply.status, reply.at('/success')]).toEqual([200, false]);
      else expect(fateSeen(reply)).toBe(fate);
      if (fate === 'missing')
        expect(reply.at(`/errors/${keys.join('.')}/0`)).toBe(`The ${keys.join('.')} field is required.`);
    }
  });
});

describe('what depends on another member', () => {
  const fresh = sandbox();

  it.each([null, '', undefined])('a claim with %j for its reason', async (reason) => {
    const claim = { ...byCufe('031', cufeOf('claim')), type_rejection_id: reason };
    const reply = await request(await fresh, 'POST', '/api/ubl2.1/send-event-data', claim);
    expect([reply.status, Object.keys(reply.at('/errors') as object)]).toEqual([422, ['type_rejection_id']]);
  });

  it.each([null, '', undefined])('a novelty with %j for the earlier code', async (uuidnov) => {
    const body = { ...payroll(), novelty: { novelty: true, uuidnov } };
    const reply = await request(await fresh, 'POST', '/api/ubl2.1/payroll', body);
    expect([reply.status, Object.keys(reply.at('/errors') as object)]).toEqual([422, ['novelty.uuidnov']]);
  });
});

it('texts are trimmed', async () => {
  const body = { ...payrollOf('52000999', 77), prefix: ' NI ', payroll_period_id: ' 5 ' };
  const [padded, plain] = [await sandbox(), await sandbox()];
  const cune = (await request(padded, 'POST', '/api/ubl2.1/payroll/set', body)).at('/cune');
  expect(cune).toMatch(/^[0-9a-f]{96}$/);
  const same = await request(plain, 'POST', '/api/ubl2.1/payroll/set', payrollOf('52000999', 77));
  expect(same.at('/cune')).toBe(cune);
});

it('takes a body that is nested without end for none', async () => {
  const { url, token } = await sandbox();
  const answer = await fetch(`${url}/api/ubl2.1/payroll`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"prefix":"NE","worker":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  });
  expect([answer.status, answer.headers.get('x-sandbox-fault')]).toEqual([422, null]);
});
