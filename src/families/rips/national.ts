import type { SchemaName } from '../../generated/schema-types.js';
import type { JsonObject, JsonValue } from '../../toolkit/core/json.js';
import { dateInBogota, type PlainDate } from '../../toolkit/core/plain-date.js';
import { type CatalogueRow, catalogue, keptByLists } from '../../toolkit/schema/catalogue.js';
import { ruleAt } from '../../toolkit/schema/dated-rows.js';
import { childKeys, resolveNode, type SchemaNode } from '../../toolkit/schema/registry.js';

/** The service groups, in the order of their `service_type_id`, 1 to 7 (service.md 6.6). */
export const RIPS_GROUPS = [
  'consultas',
  'procedimientos',
  'urgencias',
  'hospitalizacion',
  'recienNacidos',
  'medicamentos',
  'otrosServicios',
] as const;
export type RipsGroup = (typeof RIPS_GROUPS)[number];

/** The group of a service item; the id may come as number or text. */
export const groupOf = (serviceTypeId: unknown): RipsGroup | undefined =>
  RIPS_GROUPS[Number(serviceTypeId) - 1];

/** The field that says when a service of a group began. */
export const STARTS: Readonly<Record<RipsGroup, string>> = {
  consultas: 'fechaInicioAtencion',
  procedimientos: 'fechaInicioAtencion',
  urgencias: 'fechaInicioAtencion',
  hospitalizacion: 'fechaInicioAtencion',
  recienNacidos: 'fechaNacimiento',
  medicamentos: 'fechaDispensAdmon',
  otrosServicios: 'fechaSuministroTecnologia',
};

/** The field that says what was done; where a group has no such code, its diagnosis. */
export const WHATS: Readonly<Record<RipsGroup, string>> = {
  consultas: 'codConsulta',
  procedimientos: 'codProcedimiento',
  urgencias: 'codDiagnosticoPrincipal',
  hospitalizacion: 'codDiagnosticoPrincipal',
  recienNacidos: 'codDiagnosticoPrincipal',
  medicamentos: 'codTecnologiaSalud',
  otrosServicios: 'codTecnologiaSalud',
};

/** A data profile of the national form: Resolución 2275 of 2023, or version 3 of the form under Resolución 948 of 2026. */
export type RipsProfile = '2275' | '948-v003';
/** The profile that has the most fields. */
export const NEWEST_PROFILE: RipsProfile = '948-v003';

/** Returns the profile in which packages are sent on a day (catalogue `rips_profiles`); the newest if the table has no row for it. */
export function profileOn(day: PlainDate = dateInBogota(new Date())): RipsProfile {
  const found = ruleAt('rips_profiles', day);
  return found.kind === 'row' ? (found.row['code'] as RipsProfile) : NEWEST_PROFILE;
}

/** A field of a service group in the national form. */
interface NationalField {
  readonly name: string;
  readonly kind: 'number' | 'date-time' | 'text';
}

export const nationalSchema = (
  profile: RipsProfile,
  part: 'transaccion' | 'servicios' | 'usuario',
): SchemaName => `rips/national/${profile}/${part}`;

function kindOf({ type, format }: SchemaNode): NationalField['kind'] {
  if (format === 'national-date-time') return 'date-time';
  const types = [type].flat();
  return types.includes('integer') || types.includes('number') ? 'number' : 'text';
}

const known = new Map<string, readonly NationalField[]>();

/** The fields of a group in the order of the norm (rips.md 2.3 to 2.9). */
export function nationalFields(profile: RipsProfile, group: RipsGroup): readonly NationalField[] {
  const key = `${profile} ${group}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const schema = nationalSchema(profile, 'servicios');
  const names = childKeys(resolveNode(schema, [group, '*']) ?? {});
  const fields = names.map((name) => ({ name, kind: kindOf(resolveNode(schema, [group, '*', name]) ?? {}) }));
  known.set(key, fields);
  return fields;
}

const users = new Map<RipsProfile, readonly string[]>();

/** The fields of a user, in the order of the norm (rips.md 2.2). */
export function userFields(profile: RipsProfile): readonly string[] {
  let fields = users.get(profile);
  if (fields === undefined) {
    const schema = resolveNode(nationalSchema(profile, 'usuario'), []) ?? {};
    fields = childKeys(schema).filter((name) => name !== 'servicios');
    users.set(profile, fields);
  }
  return fields;
}

const COLOMBIA = '170';

const byId = keptByLists(
  (list: string): ReadonlyMap<string, CatalogueRow> =>
    new Map(catalogue(list)?.rows.map((row) => [row['id'] ?? '', row])),
);

/** Code of an entry that the service knows by its own id; null when there is none. */
const codeOf = (list: string, id: JsonValue | undefined, column = 'code'): string | null =>
  byId(list).get(String(id))?.[column] || null;

/** Field of the national user → member of the patient that it follows from. */
export const USER_SOURCES: Readonly<Record<string, string>> = {
  tipoDocumentoIdentificacion: 'type_document_identification_id',
  numDocumentoIdentificacion: 'document_number',
  tipoUsuario: 'rips_user_type_id',
  fechaNacimiento: 'birth_date',
  codSexo: 'rips_gender_id',
  codPaisResidencia: 'country_code',
  codMunicipioResidencia: 'municipality_id',
  codZonaTerritorialResidencia: 'rips_zone_id',
  incapacidad: 'incapacity',
  codPaisOrigen: 'country_code',
};

const unknown = new Map<RipsProfile, readonly string[]>();

/** Fields of a user that the service knows nothing of. */
function unknownFields(profile: RipsProfile): readonly string[] {
  let fields = unknown.get(profile);
  if (fields === undefined) {
    fields = userFields(profile).filter((name) => name !== 'consecutivo' && !(name in USER_SOURCES));
    unknown.set(profile, fields);
  }
  return fields;
}

/**
 * A patient, as in the body of R9, in the form of a national user without services. Neither `registroSIRAS` nor a country
 * of origin is known to the service (rips.md 2.10).
 */
export function nationalUser(patient: JsonObject, profile: RipsProfile = NEWEST_PROFILE): JsonObject {
  const country = String(patient['country_code'] ?? COLOMBIA).padStart(3, '0');
  const ofKind = (column: string): string | null =>
    codeOf('type_document_identifications', patient['type_document_identification_id'], column);
  const user: JsonObject = {
    // One that the national list does not have has the code of the other list, for the rules to say.
    tipoDocumentoIdentificacion: ofKind('code_rips') ?? ofKind('code'),
    numDocumentoIdentificacion: patient['document_number'] ?? null,
    tipoUsuario: codeOf('rips_user_types', patient['rips_user_type_id']),
    fechaNacimiento: patient['birth_date'] ?? null,
    codSexo: codeOf('rips_genders', patient['rips_gender_id']),
    codPaisResidencia: country,
    codMunicipioResidencia: codeOf('municipalities', patient['municipality_id']),
    codZonaTerritorialResidencia: codeOf('rips_zones', patient['rips_zone_id']),
    incapacidad: patient['incapacity'] ?? 'NO',
    consecutivo: 1,
    codPaisOrigen: country,
  };
  for (const name of unknownFields(profile)) user[name] = null;
  return user;
}

/** The ministry's validation code: 96 hexadecimal characters; a refused package has `-` (rips.md 5). */
export const isCuv = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{96}$/i.test(text);

/** From what the service is told to what the national system wants (rips.md 2). */

/** The user of the appointment: supplies what a service item does not say. */
export interface Attendant {
  /** `codPrestador`: the site in REPS, 12 digits. */
  readonly siteCode: string;
  /** National code: CC, CE … */
  readonly documentType: string;
  readonly documentNumber: string;
}

/** The parts of a package, each as the service has it. */
interface PackageParts {
  /** Of who reports, without check digit. */
  readonly nit: string;
  readonly note: { readonly note_type: string | null; readonly note_number: string | null };
  /** Body of R9. */
  readonly patient: JsonObject;
  readonly attendant: Attendant;
  /** Service items of R18. */
  readonly services: readonly JsonObject[];
  /** @default NEWEST_PROFILE */
  readonly profile?: RipsProfile;
}

/** A service's `2026-10-01T07:20:00` as `2026-10-01 07:20`. */
const nationalDateTime = (text: string): string => text.replace('T', ' ').slice(0, 16);

/** A payment concept may come as 5, "5" or "05". */
const twoDigits = (value: JsonValue): string => String(value).padStart(2, '0');

export const isEmpty = (value: JsonValue | undefined): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** Only what the two forms write differently is changed: what is wrong stays wrong, for the rules to say. */
function nationalValue({ name, kind }: NationalField, value: JsonValue): JsonValue {
  if (name === 'conceptoRecaudo') return twoDigits(value);
  if (kind === 'date-time' && typeof value === 'string') return nationalDateTime(value);
  if (kind === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/** Groups whose professional is the user of the appointment, where the item names none. */
const ATTENDED: readonly RipsGroup[] = ['consultas', 'procedimientos'];

interface Form {
  /** Every key of the group in the order of the norm, null; copying it is quicker than building it. */
  readonly blank: JsonObject;
  readonly fields: ReadonlyMap<string, NationalField>;
}

const forms = new Map<string, Form>();

function formOf(profile: RipsProfile, group: RipsGroup): Form {
  const key = `${profile} ${group}`;
  let form = forms.get(key);
  if (form === undefined) {
    const fields = nationalFields(profile, group);
    form = {
      blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
      fields: new Map(fields.map((field) => [field.name, field])),
    };
    forms.set(key, form);
  }
  return form;
}

/** What stands where an item says nothing; anything else is null. */
function fallBack(made: JsonObject, group: RipsGroup, attendant: Attendant): void {
  if (made['codPrestador'] === null) made['codPrestador'] = attendant.siteCode || null;
  if (made['vrDispensacion'] === null) made['vrDispensacion'] = 0;
  if (!ATTENDED.includes(group)) return;
  if (made['tipoDocumentoIdentificacion'] === null)
    made['tipoDocumentoIdentificacion'] = attendant.documentType || null;
  if (made['numDocumentoIdentificacion'] === null)
    made['numDocumentoIdentificacion'] = attendant.documentNumber || null;
}

/** A service item in its national form: every key of its group is there, null when empty. */
export function nationalItem(
  group: RipsGroup,
  item: JsonObject,
  attendant: Attendant,
  profile: RipsProfile = NEWEST_PROFILE,
): JsonObject {
  const { blank, fields } = formOf(profile, group);
  const made = { ...blank };
  for (const key in item) {
    const field = fields.get(key);
    const value = item[key];
    if (field !== undefined && !isEmpty(value)) made[key] = nationalValue(field, value!);
  }
  fallBack(made, group, attendant);
  return made;
}

/** Consecutives count from 1 within a group; where one is missing or doubled, all are counted anew (rips.md 2.10). */
function numbered(items: readonly JsonObject[]): JsonObject[] {
  const given = new Set(items.map((item) => item['consecutivo']));
  const usable = given.size === items.length && !given.has(null);
  return usable ? [...items] : items.map((item, at) => ({ ...item, consecutivo: at + 1 }));
}

/** Services by group, in the order of the norm; groups without services are left out. Items of no known group are dropped. */
function nationalServices({ services, attendant, profile }: PackageParts): JsonObject {
  const groups = RIPS_GROUPS.map((group): [RipsGroup, JsonObject[]] => [
    group,
    services
      .filter((item) => groupOf(item['service_type_id']) === group)
      .map((item) => nationalItem(group, item, attendant, profile)),
  ]);
  return Object.fromEntries(
    groups.filter(([, items]) => items.length > 0).map(([group, items]) => [group, numbered(items)]),
  );
}

/** The national JSON of one appointment's services, without invoice: what lies under `rips` at the ministry. */
export const nationalPackage = (parts: PackageParts): JsonObject => ({
  numDocumentoIdObligado: parts.nit,
  numFactura: null,
  tipoNota: parts.note.note_type,
  numNota: parts.note.note_number,
  usuarios: [{ ...nationalUser(parts.patient, parts.profile), servicios: nationalServices(parts) }],
});
