import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { expandLayout } from '../../src/toolkit/mapping/vocabulary.js';
import { type Decided, expectDecided, shownColumns, yaml } from '../support/core-forms.js';

const schema = (name: string): JsonObject =>
  JSON.parse(readFileSync(`schemas/rips/${name}.schema.json`, 'utf8')) as JsonObject;

const VOCABULARY = yaml('mappings/vocabularies/rips.yaml');
const KINDS: Readonly<Record<string, string>> = {
  consultas: 'consultation',
  procedimientos: 'procedure',
  urgencias: 'emergency',
  hospitalizacion: 'hospitalization',
  recienNacidos: 'newborn',
  medicamentos: 'medication',
  otrosServicios: 'other-service',
};

const BY_DOMAIN = /^\/params\/correo_dominio$|\/email\/default$/;
const OWN_DOMAIN = 'patients without e-mail get one of the domain that a parameter says';
const FOR_ALL: Decided[number] = [
  /\/usual$|\/(grupoServicios|codServicio|unidadMinDispensa|(tipo|cantidad|vrUnit)OS)(\/default)*$/,
  'a parameter says for all what a file lacks, usual codes first',
];
const COMPANY: Decided[number] = [
  /\/numDocumentoIdObligado\/offer$/,
  'the NIT of the company is put to people',
];
const TABLE_IN_WORDS: Decided[number] = [
  /\/services_by_cups\/about\/|^\/tables\/servicios\/columns\/\w+\/titles$/,
  'the table by CUPS codes has titles in words',
];
const OF_ALL: Decided[number] = [
  /\/(tipo|num)DocumentoIdentificacion\/(from|take|where|default)|\/profesionales\/columns\/user_id$/,
  'who attends all is who is booked, where no column says it',
];
const NOTHING_PAID: Decided[number] = [
  /\/conceptoPagado\/formula$/,
  'that nothing was paid, said of all, holds for those that paid nothing',
];
const KIND_BEFORE: Decided[number] = [/\/prefix$/, 'the kind of a document may stand before its number'];
const TITLES_ONCE = 'the titles of payments stand once for all layouts';

/** What differs on purpose from the core form that layouts had, each with its reason. */
const DECIDED: Readonly<Record<string, Decided>> = {
  lista: [
    KIND_BEFORE,
    [BY_DOMAIN, OWN_DOMAIN],
    FOR_ALL,
    COMPANY,
    TABLE_IN_WORDS,
    [/services\/5\/tipoMedicamento/, 'the column of the kind is looked up by the leaf itself'],
    [/^\/description\/|^\/tables\/pacientes$/, 'patients may stand in another sheet'],
    [/^\/document\/(patient|national)\//, 'of the service, else of the sheet of patients'],
    NOTHING_PAID,
    [/\/(horaAtencion|default_time)$/, 'a parameter gives the time of dates that have none'],
    [/\/copago\/titles$/, TITLES_ONCE],
    [/\/codDiagnosticoPrincipal\/titles$/, 'the first of numbered diagnoses'],
    [/\/vrServicio\/titles$/, 'a value is called a cost or a price as well'],
    [/^\/tables\/lista\/ignore$/, 'a dentist says the tooth here too'],
    [
      /^\/tables\/(consultas|procedimientos|medicamentos|otrosServicios)$/,
      'further services of a visit may stand in other sheets',
    ],
    [/\/via$|^\/values\/entrada$/, 'procedures beside a stay have its way of entry'],
    OF_ALL,
  ],
  'excel-por-nodo': [
    KIND_BEFORE,
    OF_ALL,
    [/CIE11\/blanks$/, 'a dash is no code, as in lists'],
    [/\/nombreCompleto$|^\/display$/, 'a full name may stand in one column, as in lists'],
    [/\/codDiagnosticoPrincipal\/titles$|\/ignore\//, 'lists number diagnoses, and say the tooth'],
    [/^\/params\/|\/default$/, 'a parameter says for all what a file lacks, as in lists'],
    [/\/(tipoServicio|clase)$/, 'a list of several kinds is none of one'],
    [/^\/document\/appointment\/|^\/values$/, 'the appointment is that of the earliest service'],
    [
      /\/(pag\w+|copago|cuotaModeradora|concepto(Dicho|Pagado))$|\/(conceptoRecaudo|valorPagoModerador)\/|^\/checks$/,
      'a title says what was paid, as in lists',
    ],
    [
      /\/(servicios|cups|grupo)$|\/(grupoServicios|codServicio)\//,
      'a parameter says it by the CUPS code, as in lists',
    ],
    [
      /\/(profesionales|tipoProfesional)$|\/tipoDocumentoIdentificacion\//,
      'the list of professionals says it by the number, as in lists',
    ],
  ],
  consultas: [
    KIND_BEFORE,
    [BY_DOMAIN, OWN_DOMAIN],
    FOR_ALL,
    COMPANY,
    TABLE_IN_WORDS,
    [/^\/params\/tipo_profesional$|\/tipoDocumentoIdentificacion\/default$/, 'as in lists'],
    [/\/lookup\/give$/, 'the code is what these leaves take anyway'],
    NOTHING_PAID,
    [/\/(copago|cuotaModeradora)\/titles$/, TITLES_ONCE],
    [/^\/checks\/5\//, 'both payments of a service are told as in lists'],
  ],
  '3374-zip': [
    COMPANY,
    [/\/ignore\/\d+\/titles$/, 'what is left aside is named beside its positions, for files with titles'],
  ],
};

/** The layout without the services of tables that its core form did not have. */
function withoutAdded(now: JsonObject, before: JsonObject): JsonObject {
  const { document } = now as unknown as { document: { document?: { services?: readonly JsonObject[] } } };
  const services = document.document?.services?.filter(
    ({ $each: id }) => id === undefined || String(id) in (before['tables'] as JsonObject),
  );
  return services === undefined
    ? now
    : ({ ...now, document: { ...document, document: { ...document.document, services } } } as JsonObject);
}

describe.each(Object.entries(DECIDED))('rips/%s', (name, decided) => {
  const before = yaml(`test/mapping/core/rips-${name}.yaml`);
  const now = withoutAdded(expandLayout(yaml(`mappings/rips/${name}.yaml`), VOCABULARY), before);

  test('is what its core form was, but for what was decided', () => {
    expectDecided(before, now, decided);
  });

  test('has its columns in the same order', () => {
    const { tables } = before as { readonly tables: JsonObject };
    const own = Object.entries(now['tables'] as JsonObject).filter(([id]) => id in tables);
    expect(shownColumns(Object.fromEntries(own))).toEqual(shownColumns(tables));
  });
});

/** Leaves of a layout by kind of service, of both forms. */
async function leavesOf(layout: string): Promise<Readonly<Record<string, ReadonlySet<string>>>> {
  const { spec } = await loadMapping(`mappings/rips/${layout}.yaml`);
  const { document, national } = spec.document as unknown as {
    readonly document: { readonly services: readonly JsonObject[] };
    readonly national: { readonly servicios?: { readonly consultas?: readonly JsonObject[] } };
  };
  return Object.fromEntries(
    Object.keys(KINDS).map((kind, at) => {
      const own = document.services.filter(
        (block) => (block['service_type_id'] as JsonObject)['const'] === at + 1,
      );
      const apart = kind === 'consultas' ? (national.servicios?.consultas ?? []) : [];
      return [kind, new Set([...own, ...apart].flatMap((block) => Object.keys(block)))];
    }),
  );
}

/** Fields of a kind of service, of both forms; consecutive numbers are given later. */
function fieldsOf(kind: string): readonly string[] {
  const national = kind === 'consultas' ? ['national/948-v003/consulta'] : [];
  const fields = [`services/${KINDS[kind]}`, ...national].flatMap((name) =>
    Object.keys(schema(name)['properties'] as JsonObject),
  );
  return [...new Set(fields)].filter((field) => field !== 'consecutivo');
}

/** Fields that a layout leaves out, each with its reason; any other layout has all. */
const LEFT_OUT: readonly (readonly [layouts: readonly string[], fields: RegExp, reason: string])[] = [
  [['3374-zip', '3374-titulos'], /CIE11$|^codigoVIDA$/, 'the norm of 2000 knows neither'],
  [
    ['3374-zip', '3374-titulos'],
    /^(idMIPRES|numFEVPagoModerador|formaFarmaceutica|medicamentos\.codDiagnosticoRelacionado)$/,
    'no field of the flat files has it',
  ],
  [
    ['3374-zip', '3374-titulos'],
    /^consultas\.(codPrestador|\w+DocumentoIdentificacion)$/,
    'the professional is the user of the visit',
  ],
];

const LISTS = [
  'lista',
  'lista-de-un-tipo',
  'excel-por-nodo',
  'libro-por-nodo',
  'servicios-sin-titulos',
  'sin-titulos',
  '3374-zip',
  '3374-titulos',
];

describe('every field of every kind of service', () => {
  test.each([...LISTS, 'consultas', 'agenda'])('is filled by rips/%s', async (layout) => {
    const leaves = await leavesOf(layout);
    const kinds = LISTS.includes(layout) ? Object.keys(KINDS) : ['consultas'];
    const missing = kinds.flatMap((kind) =>
      fieldsOf(kind)
        .filter((field) => !leaves[kind]!.has(field))
        .map((field) => `${kind}.${field}`),
    );
    const exceptions = LEFT_OUT.filter(([layouts]) => layouts.includes(layout));
    expect(
      missing.filter(
        (field) =>
          !exceptions.some(([, fields]) => fields.test(field) || fields.test(field.replace(/^\w+\./, ''))),
      ),
    ).toEqual([]);
    for (const [, fields, reason] of exceptions)
      expect(
        missing.some((field) => fields.test(field) || fields.test(field.replace(/^\w+\./, ''))),
        reason,
      ).toBe(true);
  });
});

/** Why a layout fills a field otherwise than the vocabulary does. */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  lista: {
    'a column of codes for all kinds, or one for each list of codes':
      /^(codConsulta|codProcedimiento|cum|codTecnologiaSalud)$/,
    'a date of all kinds stands for that of one':
      /^(fechaInicioAtencion|entry|fechaDispensAdmon|fechaSuministroTecnologia)$/,
    'quantity and value of a unit stand in columns of all kinds': /^(one_value|cantidad\w+|vrUnit\w+)$/,
    'diagnoses of the discharge stand in the columns of all kinds':
      /^(nomCod|cod)DiagnosticoRelacionadoE\d(CIE11)?$/,
    'a list holds in words for all medicines what the norm wants of some':
      /^(medicine|concentracionMedicamento|unidadMedida|formaFarmaceutica)$/,
    'the kind of service says it': /^tipoOS$/,
    'who is booked attends consultations and procedures alone': /^(tipo|num)DocumentoIdentificacion$/,
  },
  consultas: {
    'date and time stand apart, or a parameter says the time': /^fechaInicioAtencion$/,
    'a parameter says it for all': /^(codConsulta|vrServicio)$/,
    'the list of professionals says the site': /^codPrestador$/,
    'a parameter says it by the CUPS code': /^(grupoServicios|codServicio)$/,
  },
};

test.each(Object.entries(OTHERWISE))('rips/%s has a reason for each field of its own', (layout, reasons) => {
  const { tables } = yaml(`mappings/rips/${layout}.yaml`) as unknown as {
    readonly tables: Readonly<Record<string, { readonly parts: object }>>;
  };
  const parts = Object.keys(tables[layout]!.parts).filter((part) => part !== 'use');
  const known = Object.values(reasons);
  expect(parts.filter((part) => !known.some((pattern) => pattern.test(part)))).toEqual([]);
  expect(known.filter((pattern) => !parts.some((part) => pattern.test(part)))).toEqual([]);
});

test('a word of a kind is said once for all lists', () => {
  const { tables } = compileMapping(
    'own.yaml',
    'cargue: 1\nextends: rips/lista\nname: own\nconcepts:\n  procedimientos: { words: [+Terapias] }\n',
  );
  const classes = tables.get('lista')!.columns.get('clase')!.sorts!.classes;
  expect(classes['procedimientos']).toEqual(expect.arrayContaining(['Terapias', 'Procedimiento']));
});
