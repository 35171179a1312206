import type { OperationId } from '../../generated/operations.js';
import type { JsonObject, JsonValue } from '../../toolkit/core/json.js';
import { type CatalogueRow, catalogue } from '../../toolkit/schema/catalogue.js';
import {
  type Answer,
  type Call,
  type FieldFault,
  type Handler,
  ok,
  shapeFaults,
  type Topic,
  text,
  withoutNulls,
} from '../answer.js';
import { bogota } from '../clock.js';
import type { Context } from '../faults.js';
import { generation, type RipsContext } from './generation.js';
import {
  type Appointment,
  type Configuration,
  type Document,
  openProfessionals,
  openRecords,
  type Patient,
  type Provider,
  type Records,
} from './records.js';
import {
  crashed,
  created,
  found,
  invalid,
  isBlank,
  mentions,
  missing,
  page,
  shapeFaultsBut,
  takenValues,
  unknownChoice,
  unknownIds,
  updated,
} from './replies.js';

/** Columns of a request that a table stores. */
interface Columns {
  /** Ids, stored as numbers. */
  readonly ids: readonly string[];
  /** Other columns, stored as text. */
  readonly texts: readonly string[];
}

/** Returns the members of the request in the types of the table; null stays null. */
function givenColumns(body: JsonObject, { ids, texts }: Columns): JsonObject {
  const row: JsonObject = {};
  const keep = (name: string, as: (value: JsonValue) => JsonValue): void => {
    const value = body[name];
    if (value !== undefined) row[name] = value === null ? null : as(value);
  };
  for (const name of ids) keep(name, Number);
  for (const name of texts) keep(name, String);
  return row;
}

/** Returns every column; null if the request lacks it. */
const allColumns = (body: JsonObject, columns: Columns): JsonObject => ({
  ...Object.fromEntries([...columns.ids, ...columns.texts].map((name) => [name, null])),
  ...givenColumns(body, columns),
});

/** Appointments, R12–R14. */

const APPOINTMENT_COLUMNS: Columns = { ids: ['patient_id', 'user_id'], texts: ['date', 'time'] };
const ROWS = 20;
const COLOR = '#3788d8';

const shownAppointment = ({ company: _company, ...appointment }: Appointment): JsonObject => ({
  ...appointment,
});

/**
 * Handles R12: the latest twenty of the token's user, without total or pages. A search matches date and time; matches
 * by time are of any company (service.md 6.4).
 */
const appointmentList = ({ records, professionals }: RipsContext): Handler => ({
  about: ({ query }) => ({ ...(query['search'] && { key: query['search'] }) }),
  answer: ({ company, query }) => {
    const user = professionals.tokenUser(company.nit);
    const { month = '', search = '' } = query;
    const isOwn = (row: Appointment): boolean => row.company === company.nit && row.user_id === user?.id;
    const rows = records.appointments
      .all()
      .filter(
        (row) =>
          (isOwn(row) && row.date.startsWith(month) && row.date.includes(search)) ||
          (search !== '' && row.time.includes(search)),
      )
      .slice(-ROWS)
      .reverse();
    return found(
      rows.map((row) => ({
        id: row.id,
        patient: patientName(records, row),
        user: professionals.of(row.company, row.user_id)?.name ?? '',
        date: row.date,
        time: row.time,
        color: COLOR,
      })),
    );
  },
});

function patientName({ patients }: Records, { company, patient_id }: Appointment): string {
  const patient = patients.find(company, patient_id);
  return `${patient?.name ?? ''} ${patient?.last_name ?? ''}`.trim();
}

const appointmentCreation = (context: RipsContext): Handler => ({
  about: ({ body, company }) => ({
    key: context.records.patients.find(company.nit, body['patient_id'])?.document_number ?? '',
  }),
  answer: (call) => {
    const faults = [...shapeFaults(call), ...unknownPeople(context, call), ...lateness(context, call)];
    if (faults.length > 0) return invalid(faults);
    const columns = givenColumns(call.body, APPOINTMENT_COLUMNS) as unknown as Appointment;
    const row = context.records.appointments.add({ ...columns, company: call.company.nit });
    return created(shownAppointment(row), 'Cita creada');
  },
});

function unknownPeople({ records, professionals }: RipsContext, { body, company }: Call): FieldFault[] {
  const finders = {
    patient_id: (id: unknown) => records.patients.find(company.nit, id),
    user_id: (id: unknown) => professionals.of(company.nit, id),
  };
  return Object.entries(finders)
    .filter(([field, find]) => !isBlank(body, field) && find(body[field]) === undefined)
    .map(([field]) => unknownChoice(field));
}

/** Returns the error of an appointment in the past, which some deployments refuse (service.md 6.4). */
function lateness({ settings, clock }: RipsContext, { body }: Call): FieldFault[] {
  if (settings.pastAppointments === 'accept') return [];
  const now = bogota(clock.now());
  const date = String(body['date'] ?? now.date);
  const time = String(body['time'] ?? now.time);
  if (date < now.date) return [{ field: 'date', text: 'The date must be a date after or equal to today.' }];
  if (date === now.date && time < now.time.slice(0, 5))
    return [{ field: 'time', text: 'The time must not be in the past.' }];
  return [];
}

/** Handles R14: the appointment with its related rows. */
const appointmentReading = ({ records, professionals }: RipsContext): Handler => ({
  about: ({ path }) => ({ key: path['id'] ?? '' }),
  answer: ({ company: { nit }, path }) => {
    const appointment = records.appointments.find(nit, path['id']);
    if (appointment === undefined) return found(null);
    const patient = records.patients.find(nit, appointment.patient_id);
    const user = professionals.of(nit, appointment.user_id);
    const documents = records.documents
      .ofCompany(nit)
      .filter(({ appointment_id }) => appointment_id === appointment.id);
    return found({
      ...shownAppointment(appointment),
      patient: patient === undefined ? null : shownPatient(patient),
      user: user === undefined ? null : { id: user.id, name: user.name },
      documents: documents.map(shown),
    });
  },
});

const COLUMNS: Columns = {
  ids: ['type_document_identification_id'],
  texts: ['number_identification', 'password', 'url'],
};

/**
 * Handles R1: one per company. The response shows the password, like the service's; its refusal is the framework's
 * (service.md 6.4).
 */
const configurationSetup = ({ records, refusals }: RipsContext): Handler => ({
  about: () => ({}),
  answer: (call) => {
    const { body, company } = call;
    const faults = [
      ...shapeFaults(call),
      ...unknownIds(body, { type_document_identification_id: 'type_document_identifications' }),
    ];
    if (faults.length > 0) return refusals.invalid(faults);
    const { configurations } = records;
    const columns = givenColumns(body, COLUMNS) as unknown as Configuration;
    const before = configurations.holder('company', company.nit);
    const row =
      before === undefined
        ? configurations.add({ ...columns, company: company.nit })
        : { ...before, ...columns };
    configurations.put(row);
    const { company: _company, ...configuration } = row;
    return ok({ success: true, message: 'Configuración guardada', configuration }, 'configured');
  },
});

/** Handles R18: the validator only requires services; their errors appear when they are generated. */
const documentCreation = ({ records }: RipsContext): Handler => ({
  about: ({ body }) => ({ key: text(body, 'note_number') }),
  answer: (call) => {
    const faults = shapeFaults(call).filter(({ field }) => field === 'services');
    if (faults.length > 0) return invalid(faults);
    const { body, company } = call;
    const appointment = records.appointments.find(company.nit, body['appointment_id']);
    if (appointment === undefined) return crashed("Attempt to read property 'user' on null");
    const row = records.documents.add({
      appointment_id: appointment.id,
      note_type: text(body, 'note_type') || null,
      note_number: text(body, 'note_number') || null,
      services: call.body['services'] as unknown as JsonObject[],
      company: company.nit,
    });
    return created(shown(row), 'Documento RIPS creado');
  },
});

const shown = ({ id, appointment_id, note_type, note_number }: Document): JsonObject => ({
  id,
  appointment_id,
  note_type,
  note_number,
});

/** Code lists from the catalogues, R7, R15–R17, R20–R23. */

type Shape = (row: CatalogueRow) => JsonObject;

const byId: Shape = ({ id, name }) => ({ id: Number(id), name: name ?? '' });
const byIdWithCode: Shape = ({ id, code, name }) => ({ id: Number(id), name: name ?? '', code: code ?? '' });
const byCode: Shape = ({ code, name }) => ({ code: code ?? '', name: name ?? '' });

/** Returns the rows of a list; throws if it is not packaged. */
function rowsOf(list: string, shape: Shape): JsonObject[] {
  const found = catalogue(list);
  if (found === undefined) throw new Error(`No catalogue ${list}`);
  return found.rows.map(shape);
}

const listing = (data: () => JsonObject | JsonObject[]): Handler => ({
  about: () => ({}),
  answer: () => found(data()),
});

const patientTables = (): Handler =>
  listing(() => ({
    document_types: rowsOf('type_document_identifications', byId),
    user_types: rowsOf('rips_user_types', byId),
    genders: rowsOf('rips_genders', byId),
    zones: rowsOf('rips_zones', byId),
    municipalities: rowsOf('municipalities', byIdWithCode),
    countries: [{ id: 170, code: '170', name: 'Colombia' }],
  }));

/** Returns the service's own tables, which lag behind the national ones (rips.md 3). */
const serviceTables = (): Handler =>
  listing(() => ({
    document_types: rowsOf('tipo_documento', byCode),
    care_modalities: rowsOf('rips_care_modalities', byCode),
    service_groups: rowsOf('rips_service_groups', byCode),
    main_diagnosis_types: rowsOf('rips_main_diagnosis_types', byCode),
    collection_concepts: rowsOf('rips_collection_concepts', byCode),
    service_codes: rowsOf('cod_servicio_ejemplos', (row) => ({
      ...byCode(row),
      description: row['name'] ?? '',
    })),
    consultation_purposes: rowsOf('rips_consultation_purposes', byCode),
    external_causes: rowsOf('rips_external_causes', byCode),
  }));

const SEARCHED = 20;

/** Handles R16 and R17, which know the sample catalogues only; an empty search uses a default text (service.md 6.5). */
const search = (list: string, unless: string): Handler => ({
  about: ({ query }) => ({ ...(query['search'] && { key: query['search'] }) }),
  answer: ({ query }) => {
    const wanted = query['search'] || unless;
    const rows = (catalogue(list)?.rows ?? []).filter(({ code, name }) =>
      mentions(wanted, code ?? '', name ?? ''),
    );
    return found(rows.slice(0, SEARCHED).map(byCode));
  },
});

/** Handles R20–R23: tables of the invoice, without the envelope of the module. */
const invoiceTable = (list: string): Handler => ({
  about: () => ({}),
  answer: () => ok({ [list]: rowsOf(list, byIdWithCode) }, 'answered'),
});

/** Patients, R8–R11. */

const LISTS: Readonly<Record<string, string>> = {
  type_document_identification_id: 'type_document_identifications',
  rips_user_type_id: 'rips_user_types',
  rips_gender_id: 'rips_genders',
  municipality_id: 'municipalities',
  rips_zone_id: 'rips_zones',
};
const PATIENT_COLUMNS: Columns = {
  ids: Object.keys(LISTS),
  texts: ['document_number', 'name', 'last_name', 'email', 'birth_date', 'country_code', 'incapacity'],
};
/** Required by the database, not by the validator: without them the service crashes (service.md 6.3). */
const NOT_NULL = ['document_number', 'last_name'];
/** Nullable columns; without some of them nothing can be sent. */
const OPTIONAL = [
  'birth_date',
  'rips_user_type_id',
  'rips_gender_id',
  'municipality_id',
  'rips_zone_id',
  'country_code',
  'incapacity',
];
const COUNTRY = '170';

const shownPatient = ({ company: _company, ...patient }: Patient): JsonObject => ({ ...patient });

const faultsOfPatient = ({ records }: RipsContext, call: Call, self?: Patient): readonly FieldFault[] => [
  ...shapeFaultsBut(call, [...NOT_NULL, ...OPTIONAL]),
  ...unknownIds(call.body, LISTS),
  ...takenValues(records.patients, call.body, ['email'], self),
];

const crashOf = (row: JsonObject): string | undefined => {
  const column = NOT_NULL.find((name) => isBlank(row, name));
  return column === undefined
    ? undefined
    : `SQLSTATE[23000]: Integrity constraint violation: 1048 Column '${column}' cannot be null`;
};

/** Handles R8: the search is not limited to the company, so it finds foreign patients. */
const patientList = ({ records }: RipsContext): Handler => ({
  about: ({ query }) => ({ ...(query['search'] && { key: query['search'] }) }),
  answer: ({ company, query }) => {
    const search = query['search'] ?? '';
    const rows =
      search === ''
        ? records.patients.ofCompany(company.nit)
        : records.patients
            .all()
            .filter(({ document_number, name, last_name }) =>
              mentions(search, document_number, name, last_name),
            );
    return found(page(rows.map(shownPatient), query));
  },
});

const patientCreation = (context: RipsContext): Handler => ({
  about: ({ body }) => ({ key: text(body, 'document_number') }),
  answer: (call) => {
    const faults = faultsOfPatient(context, call);
    if (faults.length > 0) return invalid(faults);
    const columns = allColumns(call.body, PATIENT_COLUMNS);
    const crash = crashOf(columns);
    if (crash !== undefined) return crashed(crash);
    const row = context.records.patients.add({
      ...(columns as unknown as Patient),
      country_code: String(columns['country_code'] ?? COUNTRY),
      incapacity: String(columns['incapacity'] ?? 'NO'),
      company: call.company.nit,
    });
    return created(shownPatient(row), 'Paciente creado');
  },
});

const ownPatient = ({ records }: RipsContext, { company, path }: Call): Patient | undefined =>
  records.patients.find(company.nit, path['id']);

/** Handles R10: 200 without data for an id of another company. */
const patientReading = (context: RipsContext): Handler => ({
  about: (call) => ({ key: ownPatient(context, call)?.document_number ?? call.path['id'] ?? '' }),
  answer: (call) => {
    const patient = ownPatient(context, call);
    return found(patient === undefined ? null : shownPatient(patient));
  },
});

/** Handles R11: validated like a creation; an id of another company crashes it (service.md 6.4). */
const patientUpdate = (context: RipsContext): Handler => ({
  about: ({ body, path }) => ({ key: text(body, 'document_number') || (path['id'] ?? '') }),
  answer: (call) => {
    const patient = ownPatient(context, call);
    if (patient === undefined) return crashed('Call to a member function update() on null');
    const faults = faultsOfPatient(context, call, patient);
    if (faults.length > 0) return invalid(faults);
    const row = { ...patient, ...givenColumns(call.body, PATIENT_COLUMNS) };
    const crash = crashOf({ ...row });
    if (crash !== undefined) return crashed(crash);
    context.records.patients.put(row);
    return updated(shownPatient(row), 'Paciente actualizado');
  },
});

/** Providers, R2–R6, which are not used for sending (service.md 6.2). */

const PROVIDER_COLUMNS: Columns = {
  ids: ['document_type_id'],
  texts: ['document_number', 'name', 'email', 'code'],
};
const UNIQUE = ['email', 'code', 'document_number'] as const;

const shownProvider = ({ company: _company, ...provider }: Provider): JsonObject => provider;

const faultsOf = ({ records }: RipsContext, call: Call, self?: Provider): readonly FieldFault[] => [
  ...shapeFaults(call),
  ...unknownIds(call.body, { document_type_id: 'type_document_identifications' }),
  ...takenValues(records.providers, call.body, UNIQUE, self),
];

const providerList = ({ records }: RipsContext): Handler => ({
  about: ({ query }) => ({ ...(query['search'] && { key: query['search'] }) }),
  answer: ({ company, query }) => {
    const rows = records.providers
      .ofCompany(company.nit)
      .filter(({ document_number, name, code, email }) =>
        mentions(query['search'] ?? '', document_number, name, code, email),
      );
    return found(page(rows.map(shownProvider), query));
  },
});

const providerCreation = (context: RipsContext): Handler => ({
  about: ({ body }) => ({ key: text(body, 'document_number') }),
  answer: (call) => {
    const faults = faultsOf(context, call);
    if (faults.length > 0) return invalid(faults);
    const columns = allColumns(call.body, PROVIDER_COLUMNS) as unknown as Provider;
    const row = context.records.providers.add({ ...columns, company: call.company.nit });
    return created(shownProvider(row), 'Prestador creado');
  },
});

/** Handles an operation on a provider of the company; 404 for any other. */
const onProvider = (
  { records: { providers } }: RipsContext,
  answer: (provider: Provider, call: Call) => Answer,
): Handler => {
  const find = ({ company, path }: Call): Provider | undefined => providers.find(company.nit, path['id']);
  const about = (call: Call): Topic => ({ key: find(call)?.document_number ?? call.path['id'] ?? '' });
  return {
    about,
    answer: (call) => {
      const provider = find(call);
      return provider === undefined ? missing('Prestador no encontrado') : answer(provider, call);
    },
  };
};

const providerUpdate = (context: RipsContext): Handler =>
  onProvider(context, (provider, call) => {
    const faults = faultsOf(context, call, provider);
    if (faults.length > 0) return invalid(faults);
    const row = { ...provider, ...givenColumns(withoutNulls(call.body), PROVIDER_COLUMNS) };
    context.records.providers.put(row);
    return updated(shownProvider(row), 'Prestador actualizado');
  });

const providerDeletion = (context: RipsContext): Handler =>
  onProvider(context, (provider) => {
    context.records.providers.delete(provider);
    return updated(null, 'Prestador eliminado');
  });

export type Rips = ReturnType<typeof openRips>;

const handlersOf = (context: RipsContext) =>
  ({
    configureRips: configurationSetup(context),
    listServiceProviders: providerList(context),
    createServiceProvider: providerCreation(context),
    getServiceProvider: onProvider(context, (provider) => found(shownProvider(provider))),
    updateServiceProvider: providerUpdate(context),
    deleteServiceProvider: providerDeletion(context),
    getPatientTables: patientTables(),
    listPatients: patientList(context),
    createPatient: patientCreation(context),
    getPatient: patientReading(context),
    updatePatient: patientUpdate(context),
    listAppointments: appointmentList(context),
    createAppointment: appointmentCreation(context),
    getAppointment: appointmentReading(context),
    getServiceTables: serviceTables(),
    searchProcedures: search('cups_ejemplos', '01'),
    searchDiagnoses: search('cie10_ejemplos', 'FIEBRE'),
    createRipsDocument: documentCreation(context),
    generateRips: generation(context),
    getHealthDocumentTypes: invoiceTable('health_type_document_identifications'),
    getHealthUserTypes: invoiceTable('health_type_users'),
    getHealthPaymentMethods: invoiceTable('health_contracting_payment_methods'),
    getHealthCoverages: invoiceTable('health_coverages'),
  }) satisfies Partial<Record<OperationId, Handler>>;

/** Opens the operations of the health module, R1–R23 (service.md 3.2). */
export function openRips(context: Context) {
  const records = openRecords(context.store);
  const professionals = openProfessionals(context.store, context.settings.companies);
  return {
    handlers: handlersOf({ ...context, records, professionals }),
    records,
    professionals,
  };
}
