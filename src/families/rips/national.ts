import type { SchemaName } from '../../generated/schema-types.js';
import type { JsonObject, JsonValue } from '../../toolkit/core/json.js';
import { dateInBogota, type PlainDate } from '../../toolkit/core/plain-date.js';
import { type CatalogueRow, cachedByLists, catalogue } from '../../toolkit/schema/catalogue.js';
import { ruleAt } from '../../toolkit/schema/dated-rows.js';
import { childKeys, resolveNode, type SchemaNode } from '../../toolkit/schema/registry.js';

/** Service groups by `service_type_id`, 1 to 7 (service.md 6.6). */
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

/** Returns the group of a service type ID, number or text. */
export const groupOf = (serviceTypeId: unknown): RipsGroup | undefined =>
  RIPS_GROUPS[Number(serviceTypeId) - 1];

/** Field with the start of a service, by group. */
export const STARTS: Readonly<Record<RipsGroup, string>> = {
  consultas: 'fechaInicioAtencion',
  procedimientos: 'fechaInicioAtencion',
  urgencias: 'fechaInicioAtencion',
  hospitalizacion: 'fechaInicioAtencion',
  recienNacidos: 'fechaNacimiento',
  medicamentos: 'fechaDispensAdmon',
  otrosServicios: 'fechaSuministroTecnologia',
};

/** Field with the procedure or product, by group; its diagnosis if the group has no such code. */
export const WHATS: Readonly<Record<RipsGroup, string>> = {
  consultas: 'codConsulta',
  procedimientos: 'codProcedimiento',
  urgencias: 'codDiagnosticoPrincipal',
  hospitalizacion: 'codDiagnosticoPrincipal',
  recienNacidos: 'codDiagnosticoPrincipal',
  medicamentos: 'codTecnologiaSalud',
  otrosServicios: 'codTecnologiaSalud',
};

/** Profile of the national form: Resolución 2275 of 2023, or version 3 under Resolución 948 of 2026. */
export type RipsProfile = '2275' | '948-v003';
/** Profile with the most fields. */
export const NEWEST_PROFILE: RipsProfile = '948-v003';

/** Returns the profile for packages sent on a day (catalogue `rips_profiles`); the newest if there is no row for it. */
export function profileOn(day: PlainDate = dateInBogota(new Date())): RipsProfile {
  const found = ruleAt('rips_profiles', day);
  return found.kind === 'row' ? (found.row['code'] as RipsProfile) : NEWEST_PROFILE;
}

/** Field of a service group in the national form. */
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

/** Returns the fields of a group in the norm's order (rips.md 2.3 to 2.9). */
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

/** Returns the fields of a user in the norm's order (rips.md 2.2). */
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

const byId = cachedByLists(
  (list: string): ReadonlyMap<string, CatalogueRow> =>
    new Map(catalogue(list)?.rows.map((row) => [row['id'] ?? '', row])),
);

/** Returns the code of an entry by the service's ID; null if there is none. */
const codeOf = (list: string, id: JsonValue | undefined, column = 'code'): string | null =>
  byId(list).get(String(id))?.[column] || null;

/** Field of the national user → source member of the patient. */
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

/** Returns the user fields the service has no source for. */
function unknownFields(profile: RipsProfile): readonly string[] {
  let fields = unknown.get(profile);
  if (fields === undefined) {
    fields = userFields(profile).filter((name) => name !== 'consecutivo' && !(name in USER_SOURCES));
    unknown.set(profile, fields);
  }
  return fields;
}

/**
 * Converts a patient (body of R9) into a national user without services. The service knows neither `registroSIRAS`
 * nor a country of origin (rips.md 2.10).
 */
export function nationalUser(patient: JsonObject, profile: RipsProfile = NEWEST_PROFILE): JsonObject {
  const country = String(patient['country_code'] ?? COLOMBIA).padStart(3, '0');
  const ofKind = (column: string): string | null =>
    codeOf('type_document_identifications', patient['type_document_identification_id'], column);
  const user: JsonObject = {
    // A type that is not in the national list gets its other code, for the rules to report.
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

/** True for the ministry's validation code: 96 hex digits; a rejected package has `-` (rips.md 5). */
export const isCuv = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{96}$/i.test(text);

/** User of the appointment, whose data fill missing fields of a service (rips.md 2). */
export interface Attendant {
  /** `codPrestador`: REPS site code, 12 digits. */
  readonly siteCode: string;
  /** National code: CC, CE … */
  readonly documentType: string;
  readonly documentNumber: string;
}

/** Parts of a package as the service has them. */
interface PackageParts {
  /** NIT of the provider, without check digit. */
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

export const isEmpty = (value: JsonValue | undefined): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** Converts only what the two forms write differently; wrong values stay, for the rules to report. */
function nationalValue({ name, kind }: NationalField, value: JsonValue): JsonValue {
  if (name === 'conceptoRecaudo') return String(value).padStart(2, '0');
  if (kind === 'date-time' && typeof value === 'string') return value.replace('T', ' ').slice(0, 16);
  if (kind === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/** Groups whose missing professional is the appointment's user. */
const ATTENDED: readonly RipsGroup[] = ['consultas', 'procedimientos'];

interface Form {
  /** All keys of the group in the norm's order, with null; copying is faster than building. */
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

/** Fills defaults of missing fields; others stay null. */
function fallBack(made: JsonObject, group: RipsGroup, attendant: Attendant): void {
  if (made['codPrestador'] === null) made['codPrestador'] = attendant.siteCode || null;
  if (made['vrDispensacion'] === null) made['vrDispensacion'] = 0;
  if (!ATTENDED.includes(group)) return;
  if (made['tipoDocumentoIdentificacion'] === null)
    made['tipoDocumentoIdentificacion'] = attendant.documentType || null;
  if (made['numDocumentoIdentificacion'] === null)
    made['numDocumentoIdentificacion'] = attendant.documentNumber || null;
}

/** Converts a service into its national form, with all keys of its group, null if empty. */
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
    if (field !== undefined && value !== undefined && !isEmpty(value))
      made[key] = nationalValue(field, value);
  }
  fallBack(made, group, attendant);
  return made;
}

/** Numbers items from 1 within a group; if one is missing or repeated, all are renumbered (rips.md 2.10). */
function numbered(items: readonly JsonObject[]): JsonObject[] {
  const given = new Set(items.map((item) => item['consecutivo']));
  const usable = given.size === items.length && !given.has(null);
  return usable ? [...items] : items.map((item, at) => ({ ...item, consecutivo: at + 1 }));
}

/** Converts services by group, in the norm's order. Empty groups and items of unknown groups are left out. */
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

/** Builds the national JSON of one appointment without invoice, as the ministry gets it under `rips`. */
export const nationalPackage = (parts: PackageParts): JsonObject => ({
  numDocumentoIdObligado: parts.nit,
  numFactura: null,
  tipoNota: parts.note.note_type,
  numNota: parts.note.note_number,
  usuarios: [{ ...nationalUser(parts.patient, parts.profile), servicios: nationalServices(parts) }],
});
