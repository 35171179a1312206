import type { JsonObject, JsonValue } from '../values/json.js';
import { CURRENT_PROFILE, type NationalField, nationalFields, type RipsProfile } from './fields.js';
import { groupOf, RIPS_GROUPS, type RipsGroup } from './groups.js';
import { nationalUser } from './national-user.js';

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
export interface PackageParts {
  /** Of who reports, without check digit. */
  readonly nit: string;
  readonly note: { readonly note_type: string | null; readonly note_number: string | null };
  /** Body of R9. */
  readonly patient: JsonObject;
  readonly attendant: Attendant;
  /** Service items of R18. */
  readonly services: readonly JsonObject[];
  /** @default CURRENT_PROFILE */
  readonly profile?: RipsProfile;
}

/** A service's `2026-10-01T07:20:00` as `2026-10-01 07:20`. */
const nationalDateTime = (text: string): string => text.replace('T', ' ').slice(0, 16);

/** A payment concept may come as 5, "5" or "05". */
const twoDigits = (value: JsonValue): string => String(value).padStart(2, '0');

const isEmpty = (value: JsonValue | undefined): value is null | undefined | '' =>
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
  profile: RipsProfile = CURRENT_PROFILE,
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
