import type { JsonObject } from '../../values/json.js';
import type { Call, Handler } from '../answer.js';
import { text } from '../members.js';
import type { FieldFault } from '../refusals.js';
import { isBlank, mentions, shapeFaultsBut, takenValues, unknownIds } from './checks.js';
import { allColumns, type Columns, givenColumns } from './columns.js';
import type { RipsContext } from './context.js';
import type { Patient } from './records.js';
import { crashed, created, found, invalid, missing, page, updated } from './replies.js';

/** R8–R11. */

const LISTS: Readonly<Record<string, string>> = {
  type_document_identification_id: 'type_document_identifications',
  rips_user_type_id: 'rips_user_types',
  rips_gender_id: 'rips_genders',
  municipality_id: 'municipalities',
  rips_zone_id: 'rips_zones',
};
const COLUMNS: Columns = {
  ids: Object.keys(LISTS),
  texts: ['document_number', 'name', 'last_name', 'email', 'birth_date', 'country_code', 'incapacity'],
};
/** Demanded by the database, not by the validator: without them the service crashes (service.md 6.3). */
const NOT_NULL = ['document_number', 'last_name'];
/** May be null; without some of them nothing can be sent. */
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

const shown = ({ company: _company, ...patient }: Patient): JsonObject => ({ ...patient });

const faultsOf = ({ records }: RipsContext, call: Call, self?: Patient): readonly FieldFault[] => [
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

/** R8: the search is not confined to the company, so that foreign patients appear. */
export const patientList = ({ records }: RipsContext): Handler => ({
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
    return found(page(rows.map(shown), query));
  },
});

export const patientCreation = (context: RipsContext): Handler => ({
  about: ({ body }) => ({ key: text(body, 'document_number') }),
  answer: (call) => {
    const faults = faultsOf(context, call);
    if (faults.length > 0) return invalid(faults);
    const columns = allColumns(call.body, COLUMNS);
    const crash = crashOf(columns);
    if (crash !== undefined) return crashed(crash);
    const row = context.records.patients.add({
      ...(columns as unknown as Patient),
      country_code: String(columns['country_code'] ?? COUNTRY),
      incapacity: String(columns['incapacity'] ?? 'NO'),
      company: call.company.nit,
    });
    return created(shown(row), 'Paciente creado');
  },
});

const ownPatient = ({ records }: RipsContext, { company, path }: Call): Patient | undefined =>
  records.patients.own(company.nit, path['id']);

/** R10: 200 without data for an id that is not the company's. */
export const patientReading = (context: RipsContext): Handler => ({
  about: (call) => ({ key: ownPatient(context, call)?.document_number ?? call.path['id'] ?? '' }),
  answer: (call) => {
    const patient = ownPatient(context, call);
    return found(patient === undefined ? null : shown(patient));
  },
});

/** R11: the same demands as on creation. */
export const patientUpdate = (context: RipsContext): Handler => ({
  about: ({ body, path }) => ({ key: text(body, 'document_number') || (path['id'] ?? '') }),
  answer: (call) => {
    const patient = ownPatient(context, call);
    if (patient === undefined) return missing('Paciente no encontrado');
    const faults = faultsOf(context, call, patient);
    if (faults.length > 0) return invalid(faults);
    const row = { ...patient, ...givenColumns(call.body, COLUMNS) };
    const crash = crashOf({ ...row });
    if (crash !== undefined) return crashed(crash);
    context.records.patients.put(row);
    return updated(shown(row), 'Paciente actualizado');
  },
});
