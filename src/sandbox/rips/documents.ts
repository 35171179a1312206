import type { JsonObject } from '../../values/json.js';
import type { Call, Handler } from '../answer.js';
import { text } from '../members.js';
import { shapeFaults } from '../shape-faults.js';
import type { RipsContext } from './context.js';
import type { Document } from './records.js';
import { crashed, created, invalid } from './replies.js';

/** R18: the validator sees only whether there are services; what is wrong in them comes out when they are generated. */
export const documentCreation = ({ records }: RipsContext): Handler => ({
  about: ({ body }) => ({ key: text(body, 'note_number') }),
  answer: (call) => {
    const faults = shapeFaults(call).filter(({ field }) => field === 'services');
    if (faults.length > 0) return invalid(faults);
    const { body, company } = call;
    const appointment = records.appointments.own(company.nit, body['appointment_id']);
    if (appointment === undefined) return crashed("Attempt to read property 'user' on null");
    const row = records.documents.add({
      appointment_id: appointment.id,
      note_type: text(body, 'note_type') || null,
      note_number: text(body, 'note_number') || null,
      services: servicesOf(call),
      company: company.nit,
    });
    return created(shown(row), 'Documento RIPS creado');
  },
});

const servicesOf = ({ body }: Call): readonly JsonObject[] => body['services'] as unknown as JsonObject[];

const shown = ({ id, appointment_id, note_type, note_number }: Document): JsonObject => ({
  id,
  appointment_id,
  note_type,
  note_number,
});
