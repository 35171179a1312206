import type { JsonObject } from '../../values/json.js';
import type { Call, Handler } from '../answer.js';
import { bogota } from '../clock.js';
import type { FieldFault } from '../refusals.js';
import { shapeFaults } from '../shape-faults.js';
import { isBlank, mentions, unknownChoice } from './checks.js';
import { type Columns, givenColumns } from './columns.js';
import type { RipsContext } from './context.js';
import type { Appointment } from './records.js';
import { created, found, invalid } from './replies.js';

/** R12–R14. */

const COLUMNS: Columns = { ids: ['patient_id', 'user_id'], texts: ['date', 'time'] };
const ROWS = 20;
const COLOR = '#3788d8';

const shown = ({ company: _company, ...appointment }: Appointment): JsonObject => ({ ...appointment });

/** R12: the latest twenty of the token's own user; no total, no pages. */
export const appointmentList = ({ records, professionals }: RipsContext): Handler => ({
  about: ({ query }) => ({ ...(query['search'] && { key: query['search'] }) }),
  answer: ({ company, query }) => {
    const user = professionals.tokenUser(company.nit);
    const rows = records.appointments
      .ofCompany(company.nit)
      .filter(({ user_id, date }) => user_id === user?.id && date.startsWith(query['month'] ?? ''))
      .map((appointment) => ({ appointment, patient: patientOf(records, appointment) }))
      .filter(({ patient }) => mentions(query['search'] ?? '', patient.name, patient.document))
      .slice(-ROWS)
      .reverse();
    return found(
      rows.map(({ appointment: { id, date, time }, patient }) => ({
        id,
        patient: patient.name,
        user: user?.name ?? '',
        date,
        time,
        color: COLOR,
      })),
    );
  },
});

function patientOf(
  records: RipsContext['records'],
  { company, patient_id }: Appointment,
): { readonly name: string; readonly document: string } {
  const patient = records.patients.own(company, patient_id);
  return {
    name: `${patient?.name ?? ''} ${patient?.last_name ?? ''}`.trim(),
    document: patient?.document_number ?? '',
  };
}

export const appointmentCreation = (context: RipsContext): Handler => ({
  about: ({ body, company }) => ({
    key: context.records.patients.own(company.nit, body['patient_id'])?.document_number ?? '',
  }),
  answer: (call) => {
    const faults = [...shapeFaults(call), ...unknownPeople(context, call), ...lateness(context, call)];
    if (faults.length > 0) return invalid(faults);
    const columns = givenColumns(call.body, COLUMNS) as unknown as Appointment;
    const row = context.records.appointments.add({ ...columns, company: call.company.nit });
    return created(shown(row), 'Cita creada');
  },
});

function unknownPeople({ records, professionals }: RipsContext, { body, company }: Call): FieldFault[] {
  const finders = {
    patient_id: (id: unknown) => records.patients.own(company.nit, id),
    user_id: (id: unknown) => professionals.of(company.nit, id),
  };
  return Object.entries(finders)
    .filter(([field, find]) => !isBlank(body, field) && find(body[field]) === undefined)
    .map(([field]) => unknownChoice(field));
}

/** Some deployments take no appointment before this moment in Colombia (service.md 6.4). */
function lateness({ settings, clock }: RipsContext, { body }: Call): FieldFault[] {
  if (settings.pastAppointments === 'accept') return [];
  const now = bogota(clock.now());
  const date = String(body['date'] ?? now.date);
  const time = String(body['time'] ?? now.time);
  if (date < now.date) return [{ field: 'date', text: 'The date must be a date after or equal to today.' }];
  if (date === now.date && time < now.time.slice(0, 5))
    return [{ field: 'time', text: 'The time must not be in the past.' }];
  return [];
}

export const appointmentReading = ({ records }: RipsContext): Handler => ({
  about: ({ path }) => ({ key: path['id'] ?? '' }),
  answer: ({ company, path }) => {
    const appointment = records.appointments.own(company.nit, path['id']);
    return found(appointment === undefined ? null : shown(appointment));
  },
});
