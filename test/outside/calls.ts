import type { OperationTypes } from '../../dist/types.js';
import { attached as attachedXml } from '../families/events/attached.js';

export type OperationId = keyof OperationTypes;

/** What an answer teaches for later calls. */
export interface Known {
  readonly cune: string;
  readonly zipKey: string;
  readonly provider: number;
  readonly patient: number;
  readonly appointment: number;
  readonly document: number;
}

type Filled<T> = {
  [Part in keyof T as T[Part] extends Record<string, never> | undefined ? never : Part]: T[Part];
};

type Calls = {
  readonly [Id in OperationId]: (known: Known) => Filled<Pick<OperationTypes[Id], 'path' | 'query' | 'body'>>;
};

const TEST_SET = 'e5f1a0d2-0000-4000-8000-000000000001';
export const CUFE = 'b'.repeat(96);

const attached = Buffer.from(attachedXml({ cufe: 'c'.repeat(96) })).toString('base64');

const PERIOD = {
  admision_date: '2024-02-01',
  settlement_start_date: '2026-03-01',
  settlement_end_date: '2026-03-31',
  worked_time: '780.00',
  issue_date: '2026-03-31',
};

/** A small payroll of somebody under a number. */
const payroll = (person: number, consecutive: number): OperationTypes['sendPayroll']['body'] => ({
  type_document_id: 9,
  prefix: 'NI',
  consecutive,
  payroll_period_id: 5,
  period: PERIOD,
  worker: {
    type_worker_id: 1,
    sub_type_worker_id: 1,
    payroll_type_document_identification_id: 3,
    municipality_id: 149,
    type_contract_id: 2,
    high_risk_pension: false,
    integral_salarary: false,
    identification_number: person,
    surname: 'Pérez',
    second_surname: 'Gómez',
    first_name: 'Ana',
    address: 'Calle 10 # 20-30',
    salary: '2200000.00',
  },
  payment: {
    payment_method_id: 45,
    bank_name: 'Banco de Ejemplo',
    account_type: 'Ahorros',
    account_number: '0012345678',
  },
  payment_dates: [{ payment_date: '2026-03-31' }],
  accrued: {
    worked_days: 30,
    salary: '2200000.00',
    transportation_allowance: '249095.00',
    accrued_total: '2449095.00',
  },
  deductions: {
    eps_type_law_deductions_id: 1,
    eps_deduction: '88000.00',
    pension_type_law_deductions_id: 5,
    pension_deduction: '88000.00',
    deductions_total: '176000.00',
  },
});

const deletion = (cune: string, consecutive: number): OperationTypes['sendAdjustNote']['body'] => ({
  type_document_id: 10,
  type_note: 2,
  prefix: 'NA',
  consecutive,
  payroll_period_id: 5,
  period: { ...PERIOD, issue_date: '2026-04-06' },
  predecessor: { predecessor_number: 1, predecessor_cune: cune, predecessor_issue_date: '2026-03-31' },
  notes: 'Enviada por error',
});

const PATIENT: OperationTypes['createPatient']['body'] = {
  type_document_identification_id: 3,
  document_number: '52000111',
  name: 'Luisa',
  last_name: 'Rojas',
  email: 'luisa@example.com',
  birth_date: '1985-07-14',
  rips_user_type_id: 1,
  rips_gender_id: 3,
  municipality_id: 149,
  rips_zone_id: 2,
  country_code: '170',
};

const PROVIDER: OperationTypes['createServiceProvider']['body'] = {
  document_type_id: 3,
  document_number: '80000222',
  name: 'Marta Ruiz',
  email: 'marta@example.com',
  code: '110010990101',
};

/** Every operation once, in an order in which each finds what it needs; the bodies are of our own types. */
export const CALLS: Calls = {
  configurePayrollSoftware: () => ({ body: { idpayroll: 'c0ffee', pinpayroll: '12345' } }),
  configureResolution: () => ({ body: { type_document_id: 9, from: 1, to: 500, prefix: 'QA' } }),
  getCurrentNumber: () => ({ path: { type: 9, prefix: 'NI' } }),
  previewPayroll: () => ({ body: payroll(2003, 3) }),
  sendPayroll: () => ({ body: payroll(2001, 1) }),
  sendPayrollTestSet: () => ({ path: { testSetId: TEST_SET }, body: payroll(2002, 2) }),
  getZipStatus: ({ zipKey }) => ({ path: { ZipKey: zipKey }, body: { is_payroll: true } }),
  getDocumentStatus: ({ cune }) => ({ path: { CUNE: cune }, body: { is_payroll: true } }),
  emailPayroll: () => ({ body: { prefix: 'NI', consecutive: 1, email: 'ana@example.com' } }),
  sendAdjustNote: ({ cune }) => ({ body: deletion(cune, 1) }),
  sendAdjustNoteTestSet: ({ cune }) => ({ path: { testSetId: TEST_SET }, body: deletion(cune, 2) }),
  configureRips: () => ({
    body: {
      type_document_identification_id: 3,
      number_identification: '1020304050',
      password: 's3cret',
      url: 'https://sispro.clinica.example',
    },
  }),
  createServiceProvider: () => ({ body: PROVIDER }),
  listServiceProviders: () => ({ query: { search: 'marta' } }),
  getServiceProvider: ({ provider }) => ({ path: { id: provider } }),
  updateServiceProvider: ({ provider }) => ({
    path: { id: provider },
    body: { ...PROVIDER, name: 'Marta R.' },
  }),
  getPatientTables: () => ({}),
  createPatient: () => ({ body: PATIENT }),
  listPatients: () => ({ query: { search: 'rojas' } }),
  getPatient: ({ patient }) => ({ path: { id: patient } }),
  updatePatient: ({ patient }) => ({ path: { id: patient }, body: PATIENT }),
  createAppointment: ({ patient }) => ({
    body: { patient_id: patient, user_id: 7, date: '2026-11-03', time: '08:30' },
  }),
  listAppointments: () => ({ query: { month: '2026-11' } }),
  getAppointment: ({ appointment }) => ({ path: { id: appointment } }),
  getServiceTables: () => ({}),
  searchProcedures: () => ({ query: { search: '8902' } }),
  searchDiagnoses: () => ({ query: { search: 'caries' } }),
  createRipsDocument: ({ appointment }) => ({
    body: {
      appointment_id: appointment,
      note_type: 'RS',
      note_number: 'RS-1',
      services: [
        {
          service_type_id: 1,
          codPrestador: '110010990101',
          fechaInicioAtencion: '2026-11-03T08:30:00',
          codConsulta: '890201',
          modalidadGrupoServicioTecSal: '01',
          grupoServicios: '01',
          codServicio: 328,
          finalidadTecnologiaSalud: '15',
          causaMotivoAtencion: '38',
          codDiagnosticoPrincipal: 'I10X',
          tipoDiagnosticoPrincipal: '01',
          tipoDocumentoIdentificacion: 'CC',
          numDocumentoIdentificacion: '80000222',
          vrServicio: 45000,
          conceptoRecaudo: 5,
          valorPagoModerador: 0,
          consecutivo: 1,
        },
      ],
    },
  }),
  generateRips: ({ document }) => ({ path: { id: document } }),
  getHealthDocumentTypes: () => ({}),
  getHealthUserTypes: () => ({}),
  getHealthPaymentMethods: () => ({}),
  getHealthCoverages: () => ({}),
  sendEventData: () => ({ body: { event_id: 1, document_reference: { cufe: CUFE } } }),
  sendEvent: () => ({
    body: {
      event_id: 3,
      base64_attacheddocument: attached,
      base64_attacheddocument_name: 'ad08600123450002600002301.xml',
    },
  }),
  getInvoiceEvents: () => ({ path: { CUFE } }),
  queryEventsByCufe: () => ({ path: { cufe: CUFE, ambiente: 2 } }),
  queryEventsByUuid: () => ({ path: { uuid: CUFE } }),
  queryEventsByNumber: () => ({ path: { prefix: 'FE', number: 2301 } }),
  receiveSellerDocument: () => ({ body: { company_idnumber: '900123456', xml_document: attached } }),
  deleteServiceProvider: ({ provider }) => ({ path: { id: provider } }),
};
