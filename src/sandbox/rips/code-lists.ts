import { type CatalogueRow, catalogue } from '../../catalogue/catalogue.js';
import type { JsonObject } from '../../values/json.js';
import type { Handler } from '../answer.js';
import { mentions } from './checks.js';
import { found } from './replies.js';

/** R7, R15–R17, R20–R23: code lists, read from the catalogues. */

type Shape = (row: CatalogueRow) => JsonObject;

const byId: Shape = ({ id, name }) => ({ id: Number(id), name: name ?? '' });
const byIdWithCode: Shape = ({ id, code, name }) => ({ id: Number(id), name: name ?? '', code: code ?? '' });
const byCode: Shape = ({ code, name }) => ({ code: code ?? '', name: name ?? '' });
const described: Shape = (row) => ({ ...byCode(row), description: row['name'] ?? '' });

/** Rows of a list; throws where the list is not shipped. */
function rowsOf(list: string, shape: Shape): JsonObject[] {
  const found = catalogue(list);
  if (found === undefined) throw new Error(`No catalogue ${list}`);
  return found.rows.map(shape);
}

const listing = (data: () => JsonObject | JsonObject[]): Handler => ({
  about: () => ({}),
  answer: () => found(data()),
});

export const patientTables = (): Handler =>
  listing(() => ({
    document_types: rowsOf('type_document_identifications', byId),
    user_types: rowsOf('rips_user_types', byId),
    genders: rowsOf('rips_genders', byId),
    zones: rowsOf('rips_zones', byId),
    municipalities: rowsOf('municipalities', byIdWithCode),
    countries: [{ id: 170, code: '170', name: 'Colombia' }],
  }));

/** The service's own tables, which lag behind the national ones (rips.md 3). */
export const serviceTables = (): Handler =>
  listing(() => ({
    document_types: rowsOf('tipo_documento', byCode),
    care_modalities: rowsOf('rips_care_modalities', byCode),
    service_groups: rowsOf('rips_service_groups', byCode),
    main_diagnosis_types: rowsOf('rips_main_diagnosis_types', byCode),
    collection_concepts: rowsOf('rips_collection_concepts', byCode),
    service_codes: rowsOf('cod_servicio_ejemplos', described),
    consultation_purposes: rowsOf('rips_consultation_purposes', byCode),
    external_causes: rowsOf('rips_external_causes', byCode),
  }));

const SEARCHED = 20;

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

/** R16 and R17 know the sample catalogues only; an empty search has a text of its own (service.md 6.5). */
export const procedureSearch = (): Handler => search('cups_ejemplos', '01');
export const diagnosisSearch = (): Handler => search('cie10_ejemplos', 'FIEBRE');

/** R20–R23: tables of the invoice, not of RIPS. */
export const invoiceTable = (list: string): Handler => listing(() => rowsOf(list, byIdWithCode));
