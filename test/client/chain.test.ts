import { expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { createServiceClient } from '../../src/client/service-client.js';
import { clinic } from '../sandbox/rips/clinic.js';
import { CONSULTATION, PATIENT } from '../schema/health-examples.js';

/** What one call answers is what the next one takes, without a cast: this file has to compile. */

function bodyOf<Body>(answer: Answer<Body>): Body {
  if (answer.kind !== 'json') throw new Error(answer.kind);
  return answer.body;
}

/** An id is there unless the service refused. */
function idIn<Id>(row: { readonly id?: Id } | null | undefined): Id {
  if (row?.id === undefined) throw new Error('no id');
  return row.id;
}

test('from a patient to the answer of the ministry, by the ids of the answers', async () => {
  const { url, token } = await clinic();
  const { rips, close } = createServiceClient({ url, token });
  onTestFinished(() => close());

  const created = await rips.patients.create(PATIENT);
  const patient = idIn(bodyOf(created).data);
  expect(idIn(bodyOf(await rips.patients.get(patient)).data)).toBe(patient);

  const visit = { patient_id: patient, user_id: 7, date: '2026-11-03', time: '08:30' };
  const appointment = idIn(bodyOf(await rips.appointments.create(visit)).data);
  const nested = bodyOf(await rips.appointments.get(appointment)).data;
  expect([nested?.patient_id, idIn(nested?.patient), nested?.user?.name]).toEqual([
    patient,
    patient,
    'Marta Ruiz',
  ]);
  const [listed] = bodyOf(await rips.appointments.list({ month: '2026-11' })).data ?? [];
  expect(idIn(listed)).toBe(appointment);

  const document = await rips.documents.create({
    appointment_id: appointment,
    note_type: 'RS',
    note_number: 'RS-1',
    services: [CONSULTATION],
  });
  const generated = bodyOf(await rips.documents.generate(idIn(bodyOf(document).data)));
  expect(generated.data?.ResultState).toBe(true);

  const provider = await rips.serviceProviders.create({
    document_type_id: 3,
    document_number: '80000222',
    name: 'Marta Ruiz',
    email: 'marta@example.com',
    code: '110010990101',
  });
  const removed = await rips.serviceProviders.delete(idIn(bodyOf(provider).data));
  expect(bodyOf(removed).success).toBe(true);
});
