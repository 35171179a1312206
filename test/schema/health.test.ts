import { describe, expect, test } from 'vitest';
import {
  childKeys,
  isFilledLater,
  leafKind,
  resolveNode,
  schemaJson,
} from '../../src/toolkit/schema/registry.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import type { View } from '../../src/toolkit/schema/views.js';
import { withValue } from './examples.js';
import * as example from './health-examples.js';

const codes = (name: string, view: View, document: object): string[] =>
  validate(name, view, document).map((issue) => `${issue.place.pointer} ${issue.code}`);

const EXAMPLES: readonly (readonly [name: string, document: object])[] = [
  ['rips/configuration', example.CONFIGURATION],
  ['rips/service-provider', example.PROVIDER],
  ['rips/service-provider-update', { email: 'otra@example.com' }],
  ['rips/patient', example.PATIENT],
  ['rips/appointment', example.APPOINTMENT],
  ['rips/document', example.RIPS_DOCUMENT],
  ...Object.entries(example.SERVICES),
];

describe.each(EXAMPLES)('%s', (name, document) => {
  test('takes the example in every view', () => {
    for (const view of ['strict', 'draft', 'tolerant'] as const)
      expect(codes(name, view, document)).toEqual([]);
  });
  test('needs each member that is required, and no other', () => {
    const required = schemaJson(name).required ?? [];
    const { country_code: _, ...needed } = document as Record<string, unknown>;
    if (name !== 'rips/service-provider-update')
      expect([...required].sort()).toEqual(Object.keys(needed).sort());
    for (const key of required)
      expect(codes(name, 'strict', withValue(document, `/${key}`, undefined))).toEqual([
        `/${key} document/required`,
      ]);
  });
  test('is closed, and open in the tolerant view', () => {
    const extended = { ...document, desconocido: 1 };
    expect(codes(name, 'strict', extended)).toEqual(['/desconocido document/not-allowed']);
    expect(codes(name, 'tolerant', extended)).toEqual([]);
  });
});

test('what a service lacks is said with the words of its kind', () => {
  const { note_type, note_number } = example.RIPS_DOCUMENT;
  const newborn = { note_type, note_number, services: [{ service_type_id: 5 }] };
  const issues = validate('rips/document', 'draft', newborn);
  const issue = issues.find(({ place }) => place.pointer === '/services/0/tipoDocumentoIdentificacion');
  expect(issue?.params).toMatchObject({ title: 'Tipo de documento del recién nacido' });
});

const FAULTS: readonly (readonly [
  name: string,
  document: object,
  pointer: string,
  value: unknown,
  code: string,
])[] = [
  ['rips/configuration', example.CONFIGURATION, '/url', 'sispro', 'document/format-uri'],
  ['rips/configuration', example.CONFIGURATION, '/password', '', 'document/blank'],
  ['rips/service-provider', example.PROVIDER, '/code', '1100100000011', 'document/too-long'],
  ['rips/service-provider', example.PROVIDER, '/name', 'x'.repeat(256), 'document/too-long'],
  ['rips/patient', example.PATIENT, '/email', 'luisa', 'document/format-email'],
  ['rips/patient', example.PATIENT, '/country_code', 170, 'document/format-country-code'],
  ['rips/patient', example.PATIENT, '/country_code', 'CO', 'document/format-country-code'],
  ['rips/patient', example.PATIENT, '/birth_date', '14/07/1985', 'document/format-date'],
  ['rips/patient', example.PATIENT, '/incapacity', 'S', 'document/choice'],
  ['rips/appointment', example.APPOINTMENT, '/time', '8:30', 'document/format-time'],
  ['rips/appointment', example.APPOINTMENT, '/patient_id', '41', 'document/type'],
  ['rips/document', example.RIPS_DOCUMENT, '/services', [], 'document/too-few'],
  ['rips/document', example.RIPS_DOCUMENT, '/note_type', 'XX', 'document/choice'],
  ['rips/document', example.RIPS_DOCUMENT, '/note_number', 'R'.repeat(21), 'document/too-long'],
  [
    'rips/document',
    example.RIPS_DOCUMENT,
    '/services/0/codDiagnosticoPrincipal',
    'I10',
    'document/format-cie10',
  ],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/codConsulta', '89020', 'document/format-cups'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/codServicio', '328', 'document/type'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/codServicio', 28, 'document/too-small'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/conceptoRecaudo', '05', 'document/type'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/conceptoRecaudo', 6, 'document/too-large'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/vrServicio', 60000.5, 'document/type'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/vrServicio', null, 'document/type'],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/grupoServicios', '1', 'document/too-short'],
  [
    'rips/document',
    example.RIPS_DOCUMENT,
    '/services/0/numAutorizacion',
    'A'.repeat(31),
    'document/too-long',
  ],
  [
    'rips/document',
    example.RIPS_DOCUMENT,
    '/services/0/fechaInicioAtencion',
    '2026-11-03 08:30',
    'document/format-local-date-time',
  ],
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/service_type_id', 8, 'document/choice'],
];

test.each(FAULTS)('%s %#: %s is told as a fault', (name, document, pointer, value, code) => {
  expect(codes(name, 'strict', withValue(document, pointer, value))).toEqual([`${pointer} ${code}`]);
});

test('a password that is wrong is not shown', () => {
  const [issue] = validate('rips/configuration', 'strict', { ...example.CONFIGURATION, password: 12345 });
  expect(issue).toMatchObject({ code: 'document/type', place: { pointer: '/password' } });
  expect(JSON.stringify(issue)).not.toContain('12345');
});

test('what a record may lack can be null or absent', () => {
  const item = { ...example.CONSULTATION, numAutorizacion: null, codDiagnosticoRelacionado1: 'E119' };
  expect(codes('rips/services/consultation', 'strict', item)).toEqual([]);
});

describe('a service is judged by the kind it says it is', () => {
  test('all seven in one document', () => {
    const services = Object.values(example.SERVICES);
    expect(codes('rips/document', 'strict', { ...example.RIPS_DOCUMENT, services })).toEqual([]);
  });
  test('a consultation that calls itself a procedure', () => {
    expect(
      codes('rips/services/service', 'strict', { ...example.CONSULTATION, service_type_id: 2 }).sort(),
    ).toEqual([
      '/causaMotivoAtencion document/not-allowed',
      '/codConsulta document/not-allowed',
      '/codProcedimiento document/required',
      '/tipoDiagnosticoPrincipal document/not-allowed',
      '/viaIngresoServicioSalud document/required',
    ]);
  });
  test('no kind at all', () => {
    const { service_type_id: _, ...item } = example.CONSULTATION;
    expect(codes('rips/services/service', 'strict', item)).toEqual(['/service_type_id document/required']);
  });
});

describe('a draft', () => {
  test('has no ids of the service and no number of its own yet', () => {
    expect(
      codes('rips/appointment', 'draft', withValue(example.APPOINTMENT, '/patient_id', undefined)),
    ).toEqual([]);
    const { appointment_id: _, note_number: __, ...draft } = example.RIPS_DOCUMENT;
    expect(codes('rips/document', 'draft', draft)).toEqual([]);
  });
  test('knows which leaves those are', () => {
    const later = (name: string): string[] =>
      childKeys(schemaJson(name)).filter((key) => isFilledLater(resolveNode(name, [key])!));
    expect(later('rips/document')).toEqual(['appointment_id', 'note_number']);
    expect(later('rips/appointment')).toEqual(['patient_id']);
  });
});

const TOLERATED: readonly (readonly [name: string, document: object, pointer: string, value: unknown])[] = [
  ['rips/patient', example.PATIENT, '/country_code', 170],
  ['rips/patient', example.PATIENT, '/rips_gender_id', '3'],
  ['rips/patient', example.PATIENT, '/rips_gender_id', undefined],
  ['rips/patient', example.PATIENT, '/document_number', undefined],
  ['rips/appointment', example.APPOINTMENT, '/user_id', '7'],
  ['rips/document', example.RIPS_DOCUMENT, '/appointment_id', undefined],
  ['rips/document', example.RIPS_DOCUMENT, '/note_type', undefined],
  ['rips/document', example.RIPS_DOCUMENT, '/note_number', 1],
  // The service does not look into the services; what is amiss there surfaces later.
  ['rips/document', example.RIPS_DOCUMENT, '/services/0/codConsulta', undefined],
  ['rips/services/consultation', example.CONSULTATION, '/conceptoRecaudo', '05'],
  ['rips/services/consultation', example.CONSULTATION, '/vrServicio', 60000.5],
  ['rips/services/consultation', example.CONSULTATION, '/service_type_id', '1'],
  ['rips/services/consultation', example.CONSULTATION, '/codDiagnosticoPrincipal', 'I10'],
];

test.each(TOLERATED)(
  '%s %#: the tolerant view takes %s, which strict refuses',
  (name, document, pointer, value) => {
    const changed = withValue(document, pointer, value);
    expect(codes(name, 'tolerant', changed)).toEqual([]);
    expect(codes(name, 'strict', changed)).not.toEqual([]);
  },
);

const NOT_TOLERATED: readonly (readonly [name: string, document: object, pointer: string, value: unknown])[] =
  [
    ['rips/configuration', example.CONFIGURATION, '/url', 'sispro'],
    ['rips/service-provider', example.PROVIDER, '/code', '1100100000011'],
    ['rips/patient', example.PATIENT, '/email', undefined],
    ['rips/patient', example.PATIENT, '/email', 'luisa'],
    ['rips/appointment', example.APPOINTMENT, '/time', '8 a. m.'],
    ['rips/document', example.RIPS_DOCUMENT, '/services', undefined],
    ['rips/document', example.RIPS_DOCUMENT, '/services', []],
  ];

test.each(NOT_TOLERATED)('%s %#: the tolerant view refuses %s', (name, document, pointer, value) => {
  const told = codes(name, 'tolerant', withValue(document, pointer, value));
  expect(told).toEqual([expect.stringContaining(`${pointer} document/`)]);
});

test.each([
  ['services.*.conceptoRecaudo', 'integer'],
  ['services.*.unidadMedida', 'integer'],
  ['services.*.concentracionMedicamento', 'number'],
  ['services.*.numAutorizacion', 'text'],
  ['services.*.fechaEgreso', 'local-date-time'],
  ['note_number', 'text'],
  ['services', undefined],
])('%s is a leaf of kind %s', (path, kind) => {
  expect(leafKind(resolveNode('rips/document', path.split('.'))!)).toBe(kind);
});
