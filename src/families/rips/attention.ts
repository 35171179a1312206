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

/** A professional who attends, as the parameter `users` of a run has them: the user of the service and what only its web panel knows. */
export interface KnownUser {
  readonly user_id: string | number;
  readonly tipoDocumentoIdentificacion: string;
  readonly numDocumentoIdentificacion: string;
  /** Site in REPS, 12 digits. */
  readonly codPrestador: string;
}

/** What no file says and the national form needs. */
interface AttentionSite {
  readonly users: readonly KnownUser[];
  /** @default NEWEST_PROFILE */
  readonly profile?: RipsProfile;
}

/** What an adjust note calls itself. */
export const NOTE = 'NA';

/** Where the parts of an attention stand (schemas/rips/attention). */
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

/** Worked out once for the users of a run: every document asks. */
const attendantsOf = remember(
  (users: readonly KnownUser[]): ReadonlyMap<string, Attendant> =>
    new Map(
      // Of two users with one id the first counts.
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

const attendantOf = (attention: JsonObject, users: readonly KnownUser[]): Attendant | undefined =>
  attendantsOf(users).get(String(mapOf(attention['appointment'])['user_id']));

/**
 * What a mapping said of a national part itself stands over what follows from the other parts. Those are what the service
 * is sent, so what differs from them never reaches the ministry: `onLost` is told its name.
 */
function laidOver(
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

/** The one value of the national user that the service has a place for although its contract does not name it (service.md 6.3). */
export const INCAPACITY = { patient: '/patient/incapacity', national: `${USER}/incapacidad` } as const;

/** The patient with what the national user says; `NO` is what the service takes for granted. */
export const withIncapacity = (patient: JsonObject, { incapacidad }: JsonObject): JsonObject =>
  incapacidad === 'SI' && (patient['incapacity'] ?? null) === null
    ? { ...patient, incapacity: incapacidad }
    : patient;

/**
 * Completes an attention in place: `consecutivo` of each service, counted from 1 within its group, and the national form of patient and
 * services under `national`. What a mapping wrote there stays: values that the service's bodies have no place for, the items of a group in
 * the order of its services. Never throws; what is amiss in the parts is left for the schema to say.
 * The issues are a professional who is not among the users, national items without a service, and what the service cannot carry.
 */
export function completeAttention(
  attention: JsonObject,
  { users, profile = NEWEST_PROFILE }: AttentionSite,
): Issue[] {
  const issues: Issue[] = [];
  const given = mapOf(attention['national']);
  const givenGroups = mapOf(given['servicios']);
  const attendant = attendantOf(attention, users);
  const lostIn =
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
    const said = listOf(givenGroups[group])[at];
    if (said !== undefined)
      // What follows from a professional whom nobody knows is not known either.
      laidOver(item, said, attendant === undefined ? () => undefined : lostIn(`${SERVICES}/${group}/${at}`));
    items.push(item);
  }
  const servicios: JsonObject = {};
  for (const group of RIPS_GROUPS) {
    const items = groups.get(group);
    if (items !== undefined) servicios[group] = items;
    const said = given === NO_MEMBERS ? 0 : listOf(givenGroups[group]).length;
    if (said !== 0 && said !== (items?.length ?? 0))
      issues.push({
        code: 'attention/items-unmatched',
        level: 'error',
        params: { group, items: said, services: items?.length ?? 0 },
        place: { pointer: `${SERVICES}/${group}` },
      });
  }
  const patient = withIncapacity(mapOf(attention['patient']), mapOf(given['usuario']));
  const usuario = laidOver(nationalUser(patient, profile), given['usuario'], lostIn(USER));
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

/** An attention as the journal holds it (schemas/rips/attention); its parts are bodies of R9, R13 and R18. */
export type AttentionParts = JsonObject & {
  readonly patient: JsonObject;
  readonly appointment: JsonObject;
  readonly document: JsonObject & { readonly services: JsonObject[] };
  /** The same services in the ministry's form. */
  readonly national?: {
    readonly usuario?: JsonObject;
    readonly servicios?: Readonly<Partial<Record<RipsGroup, JsonObject[]>>>;
  };
};

/** What is laid out, or lies in the journal, was found to have the form of its schema. */
export const attentionOf = (body: JsonObject): AttentionParts => body as AttentionParts;

/** Fields of an item that the user of the appointment supplies where the item is silent (rips.md 2.10). */
export const OF_THE_USER: readonly string[] = [
  'codPrestador',
  'tipoDocumentoIdentificacion',
  'numDocumentoIdentificacion',
];

/**
 * Where the leaves of `national` follow from: pointer of the leaf → pointers of the leaves behind it, the likeliest first.
 * Both are pointers of the attention.
 */
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
      const own = `${ITEMS}/${index}/${field}`;
      sources.set(
        `${SERVICES}/${group}/${at}/${field}`,
        OF_THE_USER.includes(field) && service[field] === undefined ? [own, USER_ID] : [own],
      );
    }
  }
  return sources;
}

/**
 * The package of one attention without invoice, as the national system wants it: what lies under `rips` at the ministry, and in a file.
 * `note_number` is that of the document unless given.
 */
export function transactionOf(
  attention: JsonObject,
  nit: string | null,
  noteNumber: JsonValue = mapOf(attention['document'])['note_number'] ?? null,
): JsonObject {
  const national = mapOf(attention['national']);
  // A spread object that is then added to costs four times as much.
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
