import type { Chance } from '../chaos/chance.js';
import { page, workbook } from '../inspect/grid.js';
import { type Column, gridOf, type Labelled, labelled, shuffled } from './columns.js';
import { TOWNS, type Town } from './company.js';
import type { Known, Scene } from './scene.js';

interface Patient {
  readonly document: string;
  /** What the clinic calls the patient. */
  readonly record: string;
  readonly first: string;
  readonly middle: string | undefined;
  readonly surname: string;
  readonly second: string;
  readonly born: string;
  readonly sex: 'M' | 'F';
  readonly regime: keyof typeof REGIMES;
  readonly town: Town;
  readonly zone: 'Rural' | 'Urbana';
  readonly email: string;
}

interface Service {
  readonly patient: Patient;
  /** Number of the visit in the file. */
  readonly visit: string;
  readonly kind: 'Consulta' | 'Procedimiento';
  readonly day: string;
  readonly hour: string;
  readonly cups: string;
  readonly diagnosis: string;
  readonly purpose: string;
  readonly cause: string;
  readonly value: number;
  readonly professional: string;
}

const REGIMES = {
  'Contributivo cotizante': 1,
  'Contributivo beneficiario': 2,
  Subsidiado: 4,
  Particular: 12,
} as const;
const USERS = { '9900000011': 11, '9900000012': 12 } as const;
const SITE = '110010990101';
const CUPS = {
  Consulta: { '890201': 328, '890203': 334, '890206': 333, '890208': 344 },
  Procedimiento: { '997310': 334, '232101': 334 },
} as const satisfies Record<Service['kind'], Record<string, number>>;
const DIAGNOSES = ['I10X', 'K021', 'E119', 'F321', 'Z000'];
const FIRST = ['Óscar', 'Luisa', 'Iván', 'Marta', 'Gloria', 'Julián'];
const SURNAMES = ['Castro', 'Rodríguez', 'Gómez', 'Güiza', 'Uribe', 'Chaparro', 'Rojas'];

const PARAMS = {
  month: '2026-10',
  note_type: 'RS',
  note_number_prefix: 'RS-2026-10-',
  note_number_width: 4,
  first_note_number: 1,
  profile: '948-v003',
  numDocumentoIdObligado: '900555321',
  users: Object.entries(USERS).map(([document, id]) => ({
    user_id: id,
    tipoDocumentoIdentificacion: 'CC',
    numDocumentoIdentificacion: document,
    codPrestador: SITE,
  })),
  cod_prestador: SITE,
  country_code: '170',
  codPaisResidencia: '170',
  codPaisOrigen: '170',
  incapacidad: 'NO',
  modalidadGrupoServicioTecSal: '01',
  viaIngresoServicioSalud: '01',
  tipoDiagnosticoPrincipal: '02',
  conceptoRecaudo: 5,
  valorPagoModerador: 0,
  type_document_identification_id: 3,
  services_by_cups: Object.fromEntries(
    Object.values(CUPS).flatMap((codes) =>
      Object.entries(codes).map(([code, codServicio]) => [code, { grupoServicios: '01', codServicio }]),
    ),
  ),
};

const two = (number: number): string => String(number).padStart(2, '0');

function patientOf({ pick, below }: Chance, at: number): Patient {
  return {
    document: String(9_800_700_000 + at * 13 + below(10)),
    record: `HC-${20_000 + at * 7 + below(6)}`,
    first: pick(FIRST),
    middle: below(2) === 0 ? pick(FIRST) : undefined,
    surname: pick(SURNAMES),
    second: pick(SURNAMES),
    born: `19${50 + below(45)}-0${1 + below(9)}-${10 + below(18)}`,
    sex: pick(['M', 'F']),
    regime: pick(Object.keys(REGIMES) as (keyof typeof REGIMES)[]),
    town: pick(TOWNS),
    zone: pick(['Rural', 'Urbana']),
    email: `persona${at}@correo.example`,
  };
}

function servicesOf(
  patient: Patient,
  { pick, below }: Chance,
  number: number,
  isSimple: boolean,
): readonly Service[] {
  const visits = isSimple ? 1 : 1 + below(2);
  const first = 1 + below(12);
  return Array.from({ length: visits }, (_, at) => {
    const day = `2026-10-${two(first + at * 9)}`;
    const [professional] = isSimple ? Object.keys(USERS) : [pick(Object.keys(USERS))];
    const diagnosis = pick(DIAGNOSES);
    // Of sheets by kind the first service may stand in any of them.
    const isTurned = isSimple && below(2) === 0;
    return Array.from({ length: 1 + below(3) }, (_one, rank): Service => {
      const kind = rank === 0 ? 'Consulta' : 'Procedimiento';
      return {
        patient,
        visit: String(5_000 + number * 10 + at),
        kind,
        day,
        hour: `${two(7 + (isTurned ? 2 - rank : rank) * 2 + below(2))}:${pick(['00', '20', '45'])}`,
        cups: pick(Object.keys(CUPS[kind])),
        diagnosis,
        purpose: pick(['15', '16']),
        cause: '38',
        value: (20 + below(200)) * 1000,
        professional: professional!,
      };
    });
  }).flat();
}

type PatientColumn = Column<Patient>;
type ServiceColumn = Column<Service>;

const dateOf = (text: string): Date => new Date(`${text}T00:00:00Z`);

const PATIENT = {
  kind: { labels: ['Tipo documento', 'TIPO ID', 'Tipo Doc'], say: 'tipo de documento', value: () => 'CC' },
  document: {
    labels: ['Documento', 'No. Identificación', 'IDENTIFICACION'],
    say: 'número de documento',
    value: ({ document }) => document,
  },
  record: { labels: ['Historia', 'No. HC', 'Cód. paciente'], say: undefined, value: ({ record }) => record },
  first: { labels: ['Primer nombre', 'NOMBRE 1'], say: 'primer nombre', value: ({ first }) => first },
  middle: {
    labels: ['Segundo nombre', 'NOMBRE 2'],
    say: 'segundo nombre',
    value: ({ middle }) => middle ?? null,
  },
  surname: {
    labels: ['Primer apellido', 'APELLIDO 1'],
    say: 'primer apellido',
    value: ({ surname }) => surname,
  },
  second: {
    labels: ['Segundo apellido', 'APELLIDO 2'],
    say: 'segundo apellido',
    value: ({ second }) => second,
  },
  born: {
    labels: ['Fecha nacimiento', 'F. NACIM.', 'Fecha Nac'],
    say: 'fecha de nacimiento',
    value: ({ born }) => dateOf(born),
  },
  sex: { labels: ['Sexo', 'GENERO'], say: 'sexo', value: ({ sex }) => sex },
  regime: {
    labels: ['Tipo usuario', 'Régimen', 'TIPO DE USUARIO'],
    say: 'tipo de usuario',
    value: ({ regime }) => regime,
  },
  zone: { labels: ['Zona', 'ZONA RESIDENCIA'], say: 'zona', value: ({ zone }) => zone },
  email: { labels: ['Correo', 'E-mail'], say: 'correo', value: ({ email }) => email },
} as const satisfies Readonly<Record<string, PatientColumn>>;

const SERVICE = {
  visit: {
    labels: ['Ingreso', 'No. ingreso', 'Admisión'],
    say: 'número de ingreso',
    value: ({ visit }) => visit,
  },
  kind: {
    labels: ['Tipo servicio', 'CLASE DE SERVICIO'],
    say: 'tipo de servicio',
    value: ({ kind }) => kind,
  },
  moment: {
    labels: ['Fecha atención', 'Fecha y hora', 'FECHA INICIO'],
    say: 'fecha de la atención',
    value: ({ day, hour }) => `${day} ${hour}`,
  },
  cups: { labels: ['CUPS', 'Código CUPS', 'COD. CUPS'], say: 'código', value: ({ cups }) => cups },
  diagnosis: {
    labels: ['Dx principal', 'Diagnóstico', 'CIE10'],
    say: 'diagnóstico principal',
    value: ({ diagnosis }) => diagnosis,
  },
  purpose: { labels: ['Finalidad'], say: 'finalidad', value: ({ purpose }) => purpose },
  cause: { labels: ['Causa', 'Causa externa'], say: 'causa', value: ({ cause }) => cause },
  value: { labels: ['Valor', 'Vr. servicio'], say: 'valor del servicio', value: ({ value }) => value },
  professional: {
    labels: ['Doc. profesional', 'Documento profesional'],
    say: 'documento del profesional',
    value: ({ professional }) => professional,
  },
} as const satisfies Readonly<Record<string, ServiceColumn>>;

/** Returns the columns of a patient, without what tells the patient from others. */
function patientColumns(chance: Chance, isHalved: boolean): readonly Labelled<Patient>[] {
  const town: readonly Labelled<Patient>[] = isHalved
    ? [
        {
          label: chance.pick(['Departamento', 'Dpto']),
          say: 'departamento',
          value: ({ town: of }) => of.code.slice(0, 2),
        },
        {
          label: chance.pick(['Municipio', 'Mpio']),
          say: 'municipio',
          value: ({ town: of }) => of.code.slice(2),
        },
      ]
    : [
        {
          label: chance.pick(['Código municipio', 'Cód. Municipio']),
          say: 'municipio',
          value: ({ town: of }) => of.code,
        },
      ];
  const names = ['first', 'middle', 'surname', 'second', 'born', 'sex', 'regime', 'zone', 'email'] as const;
  return [...names.map((name) => labelled<Patient>(PATIENT[name], chance)), ...town];
}

const ofPatient = ({ label, say, value }: Labelled<Patient>): Labelled<Service> => ({
  label,
  say,
  value: ({ patient }) => value(patient),
});

interface Form {
  readonly patients: 'beside' | 'by document' | 'by record';
  readonly isHalved: boolean;
  readonly isByKind?: boolean;
}

async function filesOf(
  { patients: form, isHalved, isByKind = false }: Form,
  chance: Chance,
  services: readonly Service[],
  known: Known,
): Promise<readonly string[]> {
  const id = labelled<Patient>(form === 'by record' ? PATIENT.record : PATIENT.document, chance);
  const kind = labelled<Patient>(PATIENT.kind, chance);
  const people = patientColumns(chance, isHalved);
  const moment: readonly Labelled<Service>[] = isHalved
    ? [
        {
          label: chance.pick(['Fecha', 'Fecha atención']),
          say: 'fecha de la atención',
          value: ({ day }) => dateOf(day),
        },
        { label: chance.pick(['Hora', 'Hora atención']), say: 'hora', value: ({ hour }) => hour },
      ]
    : [labelled<Service>(SERVICE.moment, chance)];
  const hasVisit = !isByKind && chance.below(2) === 0;
  known.others['visit'] = 'el paciente y el día';
  const names = ['cups', 'diagnosis', 'purpose', 'cause', 'value', 'professional'] as const;
  const rest: readonly Labelled<Service>[] = [
    ...(hasVisit ? [labelled<Service>(SERVICE.visit, chance)] : []),
    ...(isByKind ? [] : [labelled<Service>(SERVICE.kind, chance)]),
    ...moment,
    ...names.map((name) => labelled<Service>(SERVICE[name], chance)),
  ];
  if (form === 'beside') {
    const own = shuffled([kind, id, ...people], chance).map(ofPatient);
    return [await workbook([page(gridOf('Atenciones', [...own, ...rest], services, known))])];
  }
  const others: readonly Labelled<Patient>[] =
    form === 'by record' ? [kind, labelled<Patient>(PATIENT.document, chance)] : [kind];
  const patients = [...new Set(services.map(({ patient }) => patient))];
  const home = gridOf('PACIENTES', [id, ...shuffled([...others, ...people], chance)], patients, known);
  known.sheets['PACIENTES'] = 'usuarios';
  known.others['join.'] = `${id.label} = ${id.label}`;
  const list = (name: string, own: readonly Service[], columns = rest) =>
    gridOf(name, [ofPatient(id), ...columns], own, known);
  if (!isByKind) {
    known.sheets['SERVICIOS'] = 'servicios';
    return [await workbook([page(list('SERVICIOS', services)), page(home)])];
  }
  known.sheets['CONSULTAS'] = 'consultas';
  known.sheets['PROCEDIMIENTOS'] = 'procedimientos';
  const ofKind = (of: Service['kind']): readonly Service[] => services.filter((one) => one.kind === of);
  // Such sheets have the words of the norm, since no parameter stands in for them.
  const fixed = (label: string, say: string, value: string | number): Labelled<Service> => ({
    label,
    say,
    value: () => value,
  });
  const norm: readonly Labelled<Service>[] = [
    fixed('Modalidad', 'modalidad', '01'),
    fixed('Grupo servicios', 'grupo de servicios', '01'),
    {
      label: 'Código servicio',
      say: 'código del servicio',
      value: ({ kind: of, cups }) => serviceOf(of, cups),
    },
    fixed('Concepto recaudo', 'concepto de recaudo', '05'),
    fixed('Pago moderador', 'valor del pago moderador', 0),
    fixed('Código prestador', 'código del prestador', SITE),
    fixed('Tipo doc. profesional', 'tipo de documento de quien atiende', 'CC'),
  ];
  const ofConsultations = fixed('Tipo diagnóstico', 'tipo de diagnóstico', '02');
  const ofProcedures = fixed('Vía ingreso', 'vía de ingreso', '01');
  const codeOf = (of: string) =>
    rest.map((one) => (one.say === 'código' ? { ...one, say: `código ${of}` } : one));
  const procedures = codeOf('del procedimiento').filter(({ say }) => say !== 'causa');
  return [
    await workbook([
      page(home),
      page(list('CONSULTAS', ofKind('Consulta'), [...codeOf('de la consulta'), ...norm, ofConsultations])),
      page(list('PROCEDIMIENTOS', ofKind('Procedimiento'), [...procedures, ...norm, ofProcedures])),
    ]),
  ];
}

const serviceOf = (kind: Service['kind'], cups: string): number =>
  (CUPS[kind] as Readonly<Record<string, number>>)[cups]!;

function bodyOf(own: readonly Service[]): unknown {
  const [{ patient, day }] = own as [Service];
  const [first] = [...own].sort((a, b) => (a.hour < b.hour ? -1 : 1)) as [Service];
  return {
    patient: {
      type_document_identification_id: 3,
      document_number: patient.document,
      name: [patient.first, patient.middle].filter(Boolean).join(' '),
      last_name: `${patient.surname} ${patient.second}`,
      email: patient.email,
      birth_date: patient.born,
      rips_user_type_id: REGIMES[patient.regime],
      rips_gender_id: patient.sex === 'M' ? 1 : 3,
      municipality_id: patient.town.id,
      rips_zone_id: patient.zone === 'Rural' ? 1 : 2,
      country_code: '170',
    },
    appointment: { user_id: USERS[first.professional as keyof typeof USERS], date: day, time: first.hour },
    services: own.map(({ kind, hour, cups, purpose, cause, diagnosis, value, professional }) => ({
      service_type_id: kind === 'Consulta' ? 1 : 2,
      fechaInicioAtencion: `${day}T${hour}:00`,
      modalidadGrupoServicioTecSal: '01',
      grupoServicios: '01',
      codServicio: serviceOf(kind, cups),
      finalidadTecnologiaSalud: purpose,
      codDiagnosticoPrincipal: diagnosis,
      vrServicio: value,
      conceptoRecaudo: 5,
      valorPagoModerador: 0,
      ...(kind === 'Consulta'
        ? { codConsulta: cups, causaMotivoAtencion: cause, tipoDiagnosticoPrincipal: '02' }
        : {
            codPrestador: SITE,
            codProcedimiento: cups,
            viaIngresoServicioSalud: '01',
            tipoDocumentoIdentificacion: 'CC',
            numDocumentoIdentificacion: professional,
          }),
    })),
  };
}

interface Body {
  readonly patient: { readonly document_number: string };
  readonly appointment: { readonly date: string };
  readonly document: { readonly services: readonly object[] };
}

const FORMS: Readonly<Record<string, Form>> = {
  'services with their patients': { patients: 'beside', isHalved: false },
  'halves of moments and codes': { patients: 'beside', isHalved: true },
  'patients in a second sheet': { patients: 'by document', isHalved: false },
  'patients under a record number': { patients: 'by record', isHalved: false },
  'a sheet for each kind of service': { patients: 'by document', isHalved: false, isByKind: true },
};

export const CLINIC_KINDS = Object.keys(FORMS);

const FEWEST = 8;

export async function clinicScene(kind: string, chance: Chance): Promise<Scene> {
  const patients = Array.from({ length: FEWEST + chance.below(6) }, (_, at) => patientOf(chance, at));
  const services = patients.flatMap((patient, at) =>
    servicesOf(patient, chance, at, FORMS[kind]!.isByKind === true),
  );
  const known: Known = { columns: {}, words: { Urbana: 'urbano' }, sheets: {}, others: {} };
  const files = await filesOf(FORMS[kind]!, chance, services, known);
  const visits = new Map<string, Service[]>();
  for (const service of services) visits.set(service.visit, [...(visits.get(service.visit) ?? []), service]);
  return {
    files,
    known,
    params: FORMS[kind]!.isByKind ? { ...PARAMS, user_id: USERS['9900000011'] } : PARAMS,
    documents: new Map(
      [...visits.values()].map((own) => [`${own[0]!.patient.document} ${own[0]!.day}`, bodyOf(own)]),
    ),
    keyOf: (body) => `${(body as Body).patient.document_number} ${(body as Body).appointment.date}`,
    comparable(body) {
      const { patient, appointment, document } = body as Body;
      return { patient, appointment, services: document.services };
    },
  };
}
