import { describe, expect, test } from 'vitest';
import { bundleOpenApi } from '../../src/codegen/bundle.js';
import { readJson, readSchemaFiles, type SchemaJson } from '../../src/codegen/schema-files.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, unknown>>;
}

const files = readSchemaFiles(packageFile('schemas'));
const api = readJson(packageFile('schemas/service.openapi.json'));
const bundle = bundleOpenApi(api, files);

/** The interface, as its own description lists it: tag, then method, path and id in that order. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  payroll: [
    'PUT /api/ubl2.1/config/softwarepayroll configurePayrollSoftware',
    'PUT /api/ubl2.1/config/resolution configureResolution',
    'POST /api/ubl2.1/payroll sendPayroll',
    'POST /api/ubl2.1/payroll/{testSetId} sendPayrollTestSet',
    'POST /api/ubl2.1/payroll-adjust-note sendAdjustNote',
    'POST /api/ubl2.1/payroll-adjust-note/{testSetId} sendAdjustNoteTestSet',
    'POST /api/ubl2.1/payroll/preeliminar-view previewPayroll',
    'GET /api/ubl2.1/payroll/current_number/{type}/{prefix} getCurrentNumber',
    'POST /api/ubl2.1/status/zip/{ZipKey} getZipStatus',
    'POST /api/ubl2.1/status/document/{CUNE} getDocumentStatus',
    'POST /api/ubl2.1/send-email-document-payroll emailPayroll',
  ],
  rips: [
    'POST /api/rips/configuration configureRips',
    'GET /api/rips/service-providers listServiceProviders',
    'POST /api/rips/service-providers createServiceProvider',
    'GET /api/rips/service-providers/{id} getServiceProvider',
    'PUT /api/rips/service-providers/{id} updateServiceProvider',
    'DELETE /api/rips/service-providers/{id} deleteServiceProvider',
    'GET /api/rips/patients/tables getPatientTables',
    'GET /api/rips/patients listPatients',
    'POST /api/rips/patients createPatient',
    'GET /api/rips/patients/{id} getPatient',
    'PUT /api/rips/patients/{id} updatePatient',
    'GET /api/rips/appointments listAppointments',
    'POST /api/rips/appointments createAppointment',
    'GET /api/rips/appointments/{id} getAppointment',
    'GET /api/rips/services/tables getServiceTables',
    'GET /api/rips/services/procedures searchProcedures',
    'GET /api/rips/services/cies searchDiagnoses',
    'POST /api/rips/documents createRipsDocument',
    'POST /api/rips/documents/generate/{id} generateRips',
  ],
  tables: [
    'GET /api/table/health_type_document_identifications getHealthDocumentTypes',
    'GET /api/table/health_type_users getHealthUserTypes',
    'GET /api/table/health_contracting_payment_methods getHealthPaymentMethods',
    'GET /api/table/health_coverages getHealthCoverages',
  ],
  events: [
    'POST /api/ubl2.1/send-event sendEvent',
    'POST /api/ubl2.1/send-event-data sendEventData',
    'POST /api/ubl2.1/status/events-document/{CUFE} getInvoiceEvents',
    'POST /api/ubl2.1/query-events-cufe-dian/{cufe}/{ambiente} queryEventsByCufe',
    'POST /api/ubl2.1/query-events-uuid/{uuid} queryEventsByUuid',
    'POST /api/ubl2.1/query-events-prefix-number/{prefix}/{number} queryEventsByNumber',
    'POST /api/process-seller-document-reception receiveSellerDocument',
  ],
};

const operations = Object.entries(api['paths'] as Record<string, Record<string, ApiOperation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
);

test('the file holds the interface: 41 operations, each with its own id', () => {
  const found = operations.map(({ tags, method, path, operationId }) => [
    tags.join(),
    `${method} ${path} ${operationId}`,
  ]);
  const wanted = Object.entries(OPERATIONS).flatMap(([tag, lines]) => lines.map((line) => [tag, line]));
  expect(found).toEqual(wanted);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(41);
});

test.each(operations)('$operationId declares its parameters, and what it answers', (operation) => {
  const { path, method, parameters = [], requestBody, responses, summary } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  expect(inPath.every(({ required }) => required === true)).toBe(true);
  expect(parameters.every((parameter) => ['path', 'query'].includes(parameter.in))).toBe(true);
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '429', '500']));
  expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toHaveLength(1);
  if (method === 'GET' || method === 'DELETE') expect(requestBody).toBeUndefined();
  if (requestBody !== undefined) expect(responses).toHaveProperty('422');
  expect(summary).not.toBe('');
});

test('query parameters are those of the interface', () => {
  const asked = operations.map(({ operationId, parameters = [] }) => [
    operationId,
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
  ]);
  expect(Object.fromEntries(asked.filter(([, names]) => names!.length > 0))).toEqual({
    listServiceProviders: ['search'],
    listPatients: ['search'],
    listAppointments: ['search', 'month'],
    searchProcedures: ['search'],
    searchDiagnoses: ['search'],
  });
});

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);

const at = (document: SchemaJson, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as SchemaJson | undefined)?.[key], document);

describe('the bundle', () => {
  test('stands by itself: every reference points into it', () => {
    const refs = refsIn(bundle);
    expect(refs.length).toBeGreaterThan(400);
    expect(refs.filter((ref) => !ref.startsWith('#/') || at(bundle, ref) === undefined)).toEqual([]);
  });

  test('names components by type, and takes in what operations reach', () => {
    const names = Object.keys((bundle['components'] as { schemas: SchemaJson }).schemas);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining(['Payroll', 'Event', 'RipsPatient', 'RipsConsultation', 'Refusal']),
    );
    expect(names).not.toContain('NationalConsulta948');
  });

  test('has a copy of what a reference points at inside a schema, narrowed where it stands', () => {
    const { RipsConsultation } = (bundle['components'] as { schemas: Record<string, SchemaJson> }).schemas;
    expect(RipsConsultation).toMatchObject({
      properties: {
        codConsulta: { $ref: '#/components/schemas/CupsCode', 'x-layer': 'contract' },
        codDiagnosticoRelacionado2: { type: ['string', 'null'], format: 'cie10', 'x-layer': 'observed' },
      },
    });
    const refs = refsIn(bundle).filter((ref) => ref.startsWith('#/components/schemas/'));
    expect(refs.filter((ref) => ref.split('/').length > 4)).toEqual([]);
  });

  test('leaves its sources as they are', () => {
    expect(api).toEqual(readJson(packageFile('schemas/service.openapi.json')));
    expect((bundle['components'] as SchemaJson)['securitySchemes']).toEqual(
      (api['components'] as SchemaJson)['securitySchemes'],
    );
  });

  test('is not made of schemas that do not exist', () => {
    const lost = { paths: { '/x': { get: { $ref: 'payroll/nothing.schema.json' } } } };
    expect(() => bundleOpenApi(lost, files)).toThrow('payroll/nothing');
  });
});
