import type { Verdict } from '../../send/verdict.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import type { Delivery } from '../family.js';
import { readHealth } from './answer.js';
import { APPOINTMENT_STAGE } from './appointment.js';
import { attentionOf } from './attention.js';
import { DOCUMENT_STAGE, GENERATE_STAGE } from './package.js';
import { PATIENT_STAGE } from './patient.js';
import { createPlanner, NOTE_NUMBERS } from './planner.js';
import { careTotals } from './report.js';
import { judge } from './same-care.js';

const FINE: Verdict = { kind: 'absent' };

/**
 * RIPS packages without invoice: a visit from patient to CUV (service.md 6, rips.md 6). Bodies are attentions
 * (schemas/rips/attention) prepared by `forDeployment`.
 */
export const RIPS: Delivery = {
  subjectLeaf: undefined,
  createPlanner,
  judge,
  kept: {
    bare: { patient: {}, appointment: {}, document: { services: [] } },
    leaves: ['/document/note_type', '/document/note_number'],
  },
  numbers: NOTE_NUMBERS,
  totals: careTotals,
  probe: { operation: 'getServiceTables', request: {}, read: (answer) => readHealth(answer, '', () => FINE) },
  // The package is made from the patient's row at that moment, and appointments of one patient could not be told
  // apart.
  alone: (body) => {
    const { patient } = attentionOf(body);
    return `${patient['type_document_identification_id']} ${patient['document_number']}`;
  },
  stages: [PATIENT_STAGE, APPOINTMENT_STAGE, DOCUMENT_STAGE, GENERATE_STAGE],
  fit: ({ document }, { numbers = [] }) =>
    numbers.every((number) => number === String((document as JsonObject)['note_number']))
      ? 'open'
      : 'other-number',
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
  equalRejections: 10,
};
