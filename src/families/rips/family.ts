import type { JsonObject, Pointer } from '../../core/json.js';
import { blamedLeaves } from '../../schema/rule-data.js';
import type { Verdict } from '../../send/verdict.js';
import type { DocumentForm, Family } from '../family.js';
import { configureHealthAccess, type HealthAccess, paperIn, readHealth, sourceForm } from './answer.js';
import { APPOINTMENT_STAGE } from './appointment.js';
import { attentionOf, NOTE, transactionOf } from './attention.js';
import { attentionDerivation } from './attention-parts.js';
import { layOut, NOTE_NUMBERS } from './lay-out.js';
import { recordDerivation, recordPart } from './national-file.js';
import { DOCUMENT_STAGE, GENERATE_STAGE } from './package.js';
import { PATIENT_STAGE } from './patient.js';
import { careTotals, RIPS_COLUMNS, resultFiles, ripsAbout, ripsSheets } from './report.js';
import { judge } from './same-care.js';

const FINE: Verdict = { kind: 'absent' };

/** The national JSON of a package, named by the number of its note, or of its invoice. */
const NATIONAL: DocumentForm = {
  name({ document, transaccion }) {
    const { numFactura, numNota } = (transaccion ?? {}) as JsonObject;
    const number = (document as JsonObject | undefined)?.['note_number'] ?? numFactura ?? numNota ?? '';
    return String(number).replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'paquete';
  },
  part: recordPart,
  text(document, { values: { numDocumentoIdObligado: nit } }) {
    return `${JSON.stringify(transactionOf(document, typeof nit === 'string' ? nit : null), null, 2)}\n`;
  },
};

const LISTS: Family['lists'] = {
  getPatientTables: {
    document_types: 'type_document_identifications',
    user_types: 'rips_user_types',
    genders: 'rips_genders',
    zones: 'rips_zones',
    municipalities: 'municipalities',
  },
  getServiceTables: {
    care_modalities: 'rips_care_modalities',
    service_groups: 'rips_service_groups',
    main_diagnosis_types: 'rips_main_diagnosis_types',
    collection_concepts: 'rips_collection_concepts',
    consultation_purposes: 'rips_consultation_purposes',
    external_causes: 'rips_external_causes',
  },
  getHealthDocumentTypes: { health_type_document_identifications: 'health_type_document_identifications' },
  getHealthUserTypes: { health_type_users: 'health_type_users' },
  getHealthPaymentMethods: { health_contracting_payment_methods: 'health_contracting_payment_methods' },
  getHealthCoverages: { health_coverages: 'health_coverages' },
};

/** The ministry's rules are about the national form; people know the leaves behind it. */
const blame = (rule: string): readonly Pointer[] => [
  ...new Set(blamedLeaves(rule).flatMap((leaf) => sourceForm(leaf) ?? [])),
];

/**
 * RIPS packages without invoice: a patient's visit from patient to CUV (service.md 6, rips.md 6). Bodies are attentions
 * (schemas/rips/attention) that were made ready by `forDeployment`.
 */
export const RIPS: Family = {
  schemas: ['rips/attention', 'rips/national/record'],
  unsent: ['rips/national/record'],
  ready: { kind: 'json', mapping: 'rips/json', sending: 'rips/json-envio' },
  derive: (params, schema, today) =>
    schema === 'rips/attention' ? attentionDerivation(params, today) : recordDerivation(params, today),
  layOut,
  blame,
  columns: RIPS_COLUMNS,
  sheets: ripsSheets,
  results: resultFiles,
  paperIn,
  form: NATIONAL,
  access: {
    schema: 'rips/configuration',
    password: {
      question: 'askSisproPassword',
      needs: { code: 'send/needs-sispro-password', params: {} },
    },
    unreadable: (reason) => ({ code: 'send/health-access-file', params: { reason } }),
    done: 'sisproStored',
    store: (client, access) => configureHealthAccess(client, access as unknown as HealthAccess),
  },
  lists: LISTS,
  correcting: { note_type: NOTE, note_number_prefix: 'NA-' },
  judge,
  kept: {
    bare: { patient: {}, appointment: {}, document: { services: [] } },
    leaves: ['/document/note_type', '/document/note_number'],
  },
  numbers: NOTE_NUMBERS,
  totals: careTotals,
  about: ripsAbout,
  probe: { operation: 'getServiceTables', request: {}, read: (answer) => readHealth(answer, '', () => FINE) },
  // The service makes a package of what the patient's row says at that moment; and appointments of one patient could not be told apart.
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
