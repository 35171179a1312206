import { type CatalogueRow, catalogue } from '../catalogue/catalogue.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { CURRENT_PROFILE, type RipsProfile, userFields } from './fields.js';

const COLOMBIA = '170';

const byId = new Map<string, ReadonlyMap<string, CatalogueRow>>();

/** Code of an entry that the service knows by its own id; null when there is none. */
function codeOf(list: string, id: JsonValue | undefined, column = 'code'): string | null {
  let rows = byId.get(list);
  if (rows === undefined) {
    rows = new Map(catalogue(list)?.rows.map((row) => [row['id'] ?? '', row]));
    byId.set(list, rows);
  }
  return rows.get(String(id))?.[column] || null;
}

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

/**
 * A patient, as in the body of R9, in the form of a national user without services. Neither `registroSIRAS` nor a country
 * of origin is known to the service (rips.md 2.10).
 */
export function nationalUser(patient: JsonObject, profile: RipsProfile = CURRENT_PROFILE): JsonObject {
  const country = String(patient['country_code'] ?? COLOMBIA).padStart(3, '0');
  const made: JsonObject = {};
  const user: JsonObject = {
    tipoDocumentoIdentificacion: codeOf(
      'type_document_identifications',
      patient['type_document_identification_id'],
      'code_rips',
    ),
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
  for (const name of userFields(profile)) made[name] = user[name] ?? null;
  return made;
}
