import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { configureHealthAccess, type HealthAccess } from '../../src/families/rips/answer.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import { forDeployment } from '../../src/families/rips/planner.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import {
  outcomes,
  type PlanInput,
  type SpoolOptions,
  type SpoolResult,
  spoolRun,
} from '../../src/send/documents.js';
import { type SendOptions, type SendResult, sendRun } from '../../src/send/send.js';
import type { Issue, Place } from '../../src/toolkit/core/issue.js';
import { childPointer, type JsonObject } from '../../src/toolkit/core/json.js';
import type { Outcome } from '../../src/toolkit/schema/document.js';
import { noDocuments, noRecords } from '../../src/toolkit/schema/document.js';
import { CONFIGURATION, FIXTURES, MORNING, SERVICES } from '../sandbox/rips/clinic.js';
import { allOf } from '../support/all-of.js';
import { clientOf, fastWorld, META, tempJournal } from './support.js';

type Journal = Awaited<ReturnType<typeof tempJournal>>;

export const NIT = '900123456';

export const patient = (number: number, changes: JsonObject = {}): JsonObject => ({
  type_document_identification_id: 3,
  document_number: String(52000000 + number),
  name: 'Luisa',
  last_name: 'Rojas',
  email: `luisa${number}@example.com`,
  birth_date: '1985-07-14',
  rips_user_type_id: 1,
  rips_gender_id: 3,
  municipality_id: 149,
  rips_zone_id: 2,
  country_code: '170',
  ...changes,
});

/** A visit of one patient; `hour` tells visits of a patient apart. User 7 is the token's own. */
export const attention = (
  number: number,
  {
    hour = 8,
    user = 7,
    person = {},
    service = {},
  }: Partial<Record<'hour' | 'user', number>> & {
    person?: JsonObject;
    service?: JsonObject;
  } = {},
): JsonObject => {
  const time = `${String(hour).padStart(2, '0')}:30`;
  const start = { fechaInicioAtencion: `2026-11-02T${time}:00` };
  return {
    patient: patient(number, person),
    appointment: { user_id: user, date: '2026-11-02', time },
    document: { note_type: 'RS', services: [{ ...SERVICES.consultas, ...start, ...service }] },
    national: { usuario: {}, servicios: {} },
  };
};

/** The fixtures of the sandbox as a mapping makes them: ids and number still to come. */
export const FIXTURE_ATTENTIONS: readonly JsonObject[] = FIXTURES.map(
  ({ patient: who, appointment, document, national }) => {
    const { patient_id: _none, ...booking } = appointment;
    const { appointment_id: _id, note_number: _number, ...rest } = document;
    return {
      patient: who,
      appointment: booking,
      document: rest,
      national: national as unknown as JsonObject,
    };
  },
);

/** A cell for every leaf: row of the document, label of the leaf. */
function traceOf(node: unknown, row: number, pointer = '', trace = new Map<string, Place[]>()) {
  if (typeof node !== 'object' || node === null)
    trace.set(pointer, [{ file: 'c.csv', row, column: 'C', label: pointer.split('/').at(-1)! }]);
  else
    for (const [key, value] of Object.entries(node)) traceOf(value, row, childPointer(pointer, key), trace);
  return trace;
}

export const careEnvelope = (sequence: number, body: JsonObject): PlanInput => ({
  sequence,
  key: `visit ${sequence}`,
  schema: 'rips/attention',
  body,
  trace: traceOf(body, sequence + 1),
  hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
});

const NOTES = { prefix: 'RS-2026-11-', width: 4 };

export function spoolCare(
  journal: Journal,
  attentions: readonly JsonObject[],
  options: Partial<SpoolOptions> = {},
): Promise<SpoolResult> {
  async function* documents(): AsyncIterable<readonly PlanInput[]> {
    yield attentions.map((one, index) => {
      const document = careEnvelope(index + 1, one);
      return { ...document, body: forDeployment(document.body, { notes: NOTES }, 0) };
    });
  }
  const made = { ...noDocuments(), planned: attentions.length, made: attentions.length };
  const records = { ...noRecords(), read: attentions.length, used: attentions.length };
  return spoolRun({
    journal,
    kind: RIPS,
    meta: META,
    documents: documents(),
    closing: () => ({ records, documents: made, defaults: {}, issues: [], skipped: [] }),
    clock: () => MORNING.getTime(),
    ...options,
  });
}

/** A sandbox with access to the health system, a journal and a way to send; all vanish with the test. */
export async function clinicOf(options: SandboxOptions = {}, access: JsonObject = {}) {
  const box = await startSandbox({ now: () => MORNING, ...options });
  onTestFinished(() => box.close());
  const journal = await tempJournal();
  const client = clientOf(box.url, { token: box.token });
  await configureHealthAccess(client, { ...CONFIGURATION, ...access } as unknown as HealthAccess);
  const world = fastWorld();
  const send = async (run: string, more: Partial<SendOptions> = {}): Promise<SendResult> => {
    await world.sleep(1_000); // later than the run before
    return sendRun({ journal, run, client, kind: RIPS, world, ...more });
  };
  return { box, journal, client, send };
}

/** `state code code …`, in order. */
export const ends = async (journal: Journal, run: string): Promise<string[]> =>
  (await allOf(outcomes(journal, run))).map(({ state, issues }) =>
    [state, ...issues.map(({ code }) => code)].join(' '),
  );

export const issuesOf = async (journal: Journal, run: string): Promise<readonly Issue[]> =>
  (await allOf(outcomes(journal, run))).flatMap(({ issues }) => issues);

export const outcomeOf = async (journal: Journal, run: string): Promise<Outcome> =>
  (await allOf(outcomes(journal, run)))[0]!;

/** What the service did of an operation, as it logged it. */
export const arrived = (box: Sandbox, operation: string): number =>
  box.controls.requests({ operation: operation as never }).count;

export const stored = (box: Sandbox, operation: string): number =>
  box.controls
    .requests({ operation: operation as never })
    .requests.filter(({ effect }) => effect === 'stored' || effect === 'accepted').length;
