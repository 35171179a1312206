import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { typeName } from '../../src/codegen/schema-files.js';
import { OPERATIONS } from '../../src/generated/operations.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';

const types = readFileSync(packageFile('src/generated/schema-types.ts'), 'utf8');
const operations = readFileSync(packageFile('src/generated/operations.ts'), 'utf8');

test.each([
  "  'payroll/payroll': Payroll;",
  '  identification_number: WorkerDocument;',
  'export type WorkerDocument = number | string;',
  '  worked_days: number;',
  '  worker: PayrollWorker;',
  '  payment_dates: PayrollPaymentDate[];',
  '  notes?: Text;',
  '  type_note: 1;',
  'export type Event = EventByDocument | EventByCufe;',
  "  'rips/services/consultation': RipsConsultation;",
  "  'rips/national/948-v003/consulta': NationalConsulta948;",
  '  codDiagnosticoRelacionado1?: string | null;',
  '  codDiagnosticoRelacionado1: string | null;',
  '  services: RipsService[];',
  '  service_type_id: 7;',
  'export type PayrollAdjustNote = PayrollAdjustNoteReplace | PayrollAdjustNoteDelete;',
])('a type says "%s"', (line) => {
  expect(types.split('\n')).toContain(line);
});

test.each([
  'Payroll',
  'PayrollWorker',
  'PayrollPeriod',
  'PayrollOvertime',
  'SoapText',
  'RipsService',
  'EventIssuerParty',
])('%s is declared once', (name) => {
  expect(types.match(new RegExp(`^export (interface|type) ${name}\\b`, 'gm'))).toHaveLength(1);
});

test.each([
  ['common/money', 'Money'],
  ['responses/preview', 'Preview'],
  ['payroll/payroll', 'Payroll'],
  ['payroll/worker', 'PayrollWorker'],
  ['events/event', 'Event'],
  ['events/event-by-cufe', 'EventByCufe'],
  ['events/seller-reception', 'EventSellerReception'],
  ['rips/patient', 'RipsPatient'],
  ['rips/services/other-service', 'RipsOtherService'],
  ['rips/national/fields', 'NationalFields'],
  ['rips/national/948-v003/recien-nacido', 'NationalRecienNacido948'],
  ['rips/national/2275/consulta', 'NationalConsulta2275'],
])('%s is the type %s', (name, type) => {
  expect(typeName(name)).toBe(type);
});

test('parameters have the types of their schemas', () => {
  expect(operations).toMatch(/type: 9 \| 10; .*prefix\?: string/);
});

test.each(Object.values(OPERATIONS))(
  '$id names the parameters of its path, optional ones last',
  (operation) => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(operation.pathParameters).toEqual(inPath);
    const optional: readonly string[] = operation.optionalPathParameters;
    expect(inPath.slice(inPath.length - optional.length)).toEqual(optional);
  },
);

test('what a creation answers has its own status', () => {
  const created = Object.values(OPERATIONS).filter(({ status }) => status === 201);
  expect(created.map(({ id }) => id)).toEqual([
    'createServiceProvider',
    'createPatient',
    'createAppointment',
    'createRipsDocument',
  ]);
  expect(OPERATIONS.createPatient.response).toBe('responses/patient-answer');
});

test('what changes something is told from what only asks', () => {
  const effects = Object.values(OPERATIONS).filter(({ effect }) => effect);
  expect(effects.map(({ id }) => id)).toEqual([
    'configurePayrollSoftware',
    'configureResolution',
    'sendPayroll',
    'sendPayrollTestSet',
    'sendAdjustNote',
    'sendAdjustNoteTestSet',
    'emailPayroll',
    'configureRips',
    'createServiceProvider',
    'updateServiceProvider',
    'deleteServiceProvider',
    'createPatient',
    'updatePatient',
    'createAppointment',
    'createRipsDocument',
    'generateRips',
    'sendEvent',
    'sendEventData',
  ]);
});
