import { type Catalogue, type CatalogueRow, shippedCatalogue } from '../../catalogue/catalogue.js';
import type { OperationId } from '../../generated/operations.js';
import { squash } from '../../values/fold.js';
import type { JsonObject, JsonValue } from '../../values/json.js';

/** The tables that the service answers with: operation → member of the answer → our list; '' where the answer is the list itself. */
export const SERVICE_LISTS: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
  getPatientTables: {
    document_types: 'type_document_identifications',
    user_types: 'rips_user_types',
    genders: 'rips_genders',
    zones: 'rips_zones',
    municipalities: 'municipalities',
  },
  getServiceTables: {
    care_modalities: 'rips_care_modalities',
    service_groups: 'rips_service_groups',
    main_diagnosis_types: 'rips_main_diagnosis_types',
    collection_concepts: 'rips_collection_concepts',
    consultation_purposes: 'rips_consultation_purposes',
    external_causes: 'rips_external_causes',
  },
  getHealthDocumentTypes: { '': 'health_type_document_identifications' },
  getHealthUserTypes: { '': 'health_type_users' },
  getHealthPaymentMethods: { '': 'health_contracting_payment_methods' },
  getHealthCoverages: { '': 'health_coverages' },
};

const isRow = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * What the service says, with what only the shipped list knows: found by name, else by id or code, since a deployment may count
 * otherwise than ours did.
 */
function merged(answered: JsonObject, shipped: Catalogue): CatalogueRow {
  const [id, code, name] = [textOf(answered['id']), textOf(answered['code']), textOf(answered['name'])];
  const known =
    shipped.rows.find(
      (row) => squash(row['name'] ?? '') === squash(name) && (code === '' || row['code'] === code),
    ) ?? shipped.rows.find((row) => (code !== '' ? row['code'] === code : row['id'] === id));
  const row = Object.fromEntries(shipped.columns.map((column) => [column, known?.[column] ?? '']));
  return { ...row, ...(id && { id }), ...(code && { code }), ...(name && { name }) };
}

/** The lists of an answer, `{data: …}`, by our names; none where it has no rows. */
export function listsIn(operation: OperationId, body: JsonValue): readonly Catalogue[] {
  const data = isRow(body) ? body['data'] : undefined;
  return Object.entries(SERVICE_LISTS[operation] ?? {}).flatMap(([member, name]): Catalogue[] => {
    const rows = member === '' ? data : isRow(data) ? data[member] : undefined;
    const shipped = shippedCatalogue(name);
    if (!Array.isArray(rows) || rows.length === 0 || shipped === undefined) return [];
    return [{ name, columns: shipped.columns, rows: rows.filter(isRow).map((row) => merged(row, shipped)) }];
  });
}
