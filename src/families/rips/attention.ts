import type { Issue } from '../../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue, type Pointer } from '../../toolkit/core/json.js';
import { remember } from '../../toolkit/core/remember.js';
import {
  type Attendant,
  groupOf,
  NEWEST_PROFILE,
  nationalItem,
  nationalUser,
  RIPS_GROUPS,
  type RipsGroup,
  type RipsProfile,
  USER_SOURCES,
  userFields,
} from './national.js';

/** Professional in the run's parameter `users`: the service's user, with what only its web panel knows. */
export interface KnownUser {
  readonly user_id: string | number;
  readonly tipoDocumentoIdentificacion: string;
  readonly numDocumentoIdentificacion: string;
  /** REPS site code, 12 digits. */
  readonly codPrestador: string;
}

/** Values of the national form that no file has. */
interface AttentionSite {
  readonly users: readonly KnownUser[];
  /** @default NEWEST_PROFILE */
  readonly profile?: RipsProfile;
}

/** Note type of an adjust note. */
export const NOTE = 'NA';

/** Pointers of the parts of an attention (schemas/rips/attention). */
const USER = '/national/usuario';
const SERVICES = '/national/servicios';
const ITEMS = '/document/services';
export const USER_ID: Pointer = '/appointment/user_id';

const NO_MEMBERS: JsonObject = Object.freeze({});
const mapOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : NO_MEMBERS);
const NOTHING: readonly JsonObject[] = [];
const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  !Array.isArray(value) ? NOTHING : value.every(isObject) ? value : value.filter(isObject);

const servicesOf = (attention: JsonObject): readonly JsonObject[] =>
  listOf(mapOf(attention['document'])['services']);

const NOBODY: Attendant = { siteCode: '', documentType: '', documentNumber: '' };

/** Computed once per run, as every document needs it. */
const attendantsOf = remember(
  (users: readonly KnownUser[]): ReadonlyMap<string, Attendant> =>
    new Map(
      // The first of two users with one ID counts.
      users.toReversed().map((user) => [
        String(user.user_id),
        {
          siteCode: String(user.codPrestador),
          documentType: String(user.tipoDocumentoIdentificacion),
          documentNumber: String(user.numDocumentoIdentificacion),
        },
      ]),
    ),
);

/**
 * Applies values a mapping gave for a national part over the derived ones. The service gets only the source parts, so
 * a differing value never reaches the ministry: `onLost` is called with its name.
 */
function applyMappedOverrides(
  derived: JsonObject,
  given: JsonValue | undefined,
  onLost: (field: string, value: JsonValue, sent: JsonValue) => void,
): JsonObject {
  if (!isObject(given)) return derived;
  for (const key in given) {
    const [value, sent] = [given[key] ?? null, derived[key] ?? null];
    if (value === null) continue;
    if (String(value) !== String(sent)) onLost(key, value, sent);
    derived[key] = value;
  }
  return derived;
}

/** Field of the national user that the service can hold although its contract does not name it (service.md 6.3). */
export const INCAPACITY = { patient: '/patient/incapacity', national: `${USER}/incapacidad` } as const;

/** Returns the patient with the national user's `incapacidad`; the service assumes `NO`. */
export const withIncapacity = (patient: JsonObject, { incapacidad }: JsonObject): JsonObject =>
  incapacidad === 'SI' && (patient['incapacity'] ?? null) === null
    ? { ...patient, incapacity: incapacidad }
    : patient;

/**
 * Completes an attention in place: `consecutivo` of each service, from 1 within its group, and the national form of
 * patient and services under `national`. Values of a mapping stay; items of a group are in the order of its services.
 * Never throws: the schema reports wrong parts. Returns issues for an unknown professional, national items without a
 * service, and values the service cannot hold.
 */
export function completeAttention(
  attention: JsonObject,
  { users, profile = NEWEST_PROFILE }: AttentionSite,
): Issue[] {
  const issues: Issue[] = [];
  const given = mapOf(attention['national']);
  const givenGroups = mapOf(given['servicios']);
  const attendant = attendantsOf(users).get(String(mapOf(attention['appointment'])['user_id']));
  const reportLost =
    (part: Pointer) =>
    (field: string, value: JsonValue, sent: JsonValue): void => {
      issues.push({
        code: 'attention/not-carried',
        level: 'warning',
        params: { field, sent: sent === null ? '—' : String(sent) },
        place: { pointer: `${part}/${field}` },
        value: String(value),
      });
    };
  const groups = new Map<RipsGroup, JsonObject[]>();
  for (const service of servicesOf(attention)) {
    const group = groupOf(service['service_type_id']);
    if (group === undefined) continue;
    const items = groups.get(group) ?? [];
    groups.set(group, items);
    const at = items.length;
    service['consecutivo'] = at + 1;
    const item = nationalItem(group, service, attendant ?? NOBODY, profile);
    const mapped = listOf(givenGroups[group])[at];
    if (mapped !== undefined)
      // Fields of an unknown professional are unknown too.
      applyMappedOverrides(
        item,
        mapped,
        attendant === undefined ? () => undefined : reportLost(`${SERVICES}/${group}/${at}`),
      );
    items.push(item);
  }
  const servicios: JsonObject = {};
  for (const group of RIPS_GROUPS) {
    const items = groups.get(group);
    if (items !== undefined) servicios[group] = items;
    const count = given === NO_MEMBERS ? 0 : listOf(givenGroups[group]).length;
    if (count !== 0 && count !== (items?.length ?? 0))
      issues.push({
        code: 'attention/items-unmatched',
        level: 'error',
        params: { group, items: count, services: items?.length ?? 0 },
        place: { pointer: `${SERVICES}/${group}` },
      });
  }
  const patient = withIncapacity(mapOf(attention['patient']), mapOf(given['usuario']));
  const usuario = applyMappedOverrides(nationalUser(patient, profile), given['usuario'], reportLost(USER));
  attention['national'] = { usuario, servicios };
  const user = mapOf(attention['appointment'])['user_id'];
  if (attendant === undefined && user !== undefined)
    issues.push({
      code: 'attention/user-unknown',
      level: 'error',
      params: {},
      place: { pointer: USER_ID },
      value: String(user),
    });
  return issues;
}

/** Attention as stored in the journal (schemas/rips/attention); its parts are bodies of R9, R13 and R18. */
export type AttentionParts = JsonObject & {
  readonly patient: JsonObject;
  readonly appointment: JsonObject;
  readonly document: JsonObject & { readonly services: JsonObject[] };
  /** Services in the ministry's form. */
  readonly national?: {
    readonly usuario?: JsonObject;
    readonly servicios?: Readonly<Partial<Record<RipsGroup, JsonObject[]>>>;
  };
};

/** Casts a planned or stored body, which was checked against its schema. */
export const attentionOf = (body: JsonObject): AttentionParts => body as AttentionParts;

/** Item fields taken from the appointment's user if the item has none (rips.md 2.10). */
export const OF_THE_USER: readonly string[] = [
  'codPrestador',
  'tipoDocumentoIdentificacion',
  'numDocumentoIdentificacion',
];

/** Returns the sources of the fields under `national`: pointer → pointers of source fields, the likeliest first. */
export function nationalSources(
  attention: JsonObject,
  profile: RipsProfile = NEWEST_PROFILE,
): ReadonlyMap<Pointer, readonly Pointer[]> {
  const sources = new Map<Pointer, readonly Pointer[]>();
  for (const field of userFields(profile)) {
    const source = USER_SOURCES[field];
    if (source !== undefined) sources.set(`${USER}/${field}`, [`/patient/${source}`]);
  }
  sources.set(SERVICES, [ITEMS]);
  const national = mapOf(mapOf(attention['national'])['servicios']);
  const counts = new Map<RipsGroup, number>();
  for (const [index, service] of servicesOf(attention).entries()) {
    const group = groupOf(service['service_type_id']);
    if (group === undefined) continue;
    const at = counts.get(group) ?? 0;
    counts.set(group, at + 1);
    for (const field of Object.keys(mapOf(listOf(national[group])[at]))) {
      const source = `${ITEMS}/${index}/${field}`;
      sources.set(
        `${SERVICES}/${group}/${at}/${field}`,
        OF_THE_USER.includes(field) && service[field] === undefined ? [source, USER_ID] : [source],
      );
    }
  }
  return sources;
}

/**
 * Returns the national package of an attention without invoice, as the ministry gets it under `rips` and as a file
 * has it.
 * @param noteNumber
 * @default the document's `note_number`
 */
export function transactionOf(
  attention: JsonObject,
  nit: string | null,
  noteNumber: JsonValue = mapOf(attention['document'])['note_number'] ?? null,
): JsonObject {
  const national = mapOf(attention['national']);
  // Copying with a spread before adding members takes four times as long.
  const user: JsonObject = Object.assign({}, mapOf(national['usuario']));
  user['servicios'] = mapOf(national['servicios']);
  return {
    numDocumentoIdObligado: nit,
    numFactura: null,
    tipoNota: mapOf(attention['document'])['note_type'] ?? null,
    numNota: noteNumber,
    usuarios: [user],
  };
}
