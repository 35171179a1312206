import { sum } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { DocumentKind } from './kind.js';
import { APPOINTMENT_STAGE } from './rips/appointment-stage.js';
import type { AttentionParts } from './rips/attention-parts.js';
import { careJudge } from './rips/care-judge.js';
import { DOCUMENT_STAGE } from './rips/document-stage.js';
import { GENERATE_STAGE } from './rips/generate-stage.js';
import { readHealth } from './rips/health-answer.js';
import { NOTE_NUMBERS } from './rips/note-numbers.js';
import { PATIENT_STAGE } from './rips/patient-stage.js';
import type { Verdict } from './verdict.js';

const chargeOf = (service: JsonObject): string => String(service['vrServicio'] ?? 0);

const FINE: Verdict = { kind: 'absent' };

function totals(body: JsonObject) {
  const { services } = (body as unknown as AttentionParts).document;
  return { careValue: sum(['0.00', ...services.map(chargeOf)]) };
}

/**
 * RIPS packages without invoice: a patient's visit from patient to CUV (service.md 6, rips.md 6). Bodies are attentions
 * (schemas/rips/attention) that were made ready by `forDeployment`.
 */
export const RIPS: DocumentKind = {
  judge: careJudge,
  numbers: NOTE_NUMBERS,
  totals,
  probe: { operation: 'getServiceTables', request: {}, read: (answer) => readHealth(answer, '', () => FINE) },
  // The service makes a package of what the patient's row says at that moment; and appointments of one patient could not be told apart.
  alone: (body) => {
    const { patient } = body as unknown as AttentionParts;
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
};
