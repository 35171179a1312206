import type { SchemaName } from '../../generated/schema-types.js';
import { type Issue, issueOf, type Place, paramOf, withParams } from '../../toolkit/core/issue.js';
import {
  childPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  type Pointer,
  parsePointer,
  valueAt,
} from '../../toolkit/core/json.js';
import { isNationalDateTime, type PlainDate } from '../../toolkit/core/plain-date.js';
import { required, unreachable } from '../../toolkit/core/required.js';
import type { Derivation } from '../../toolkit/documents/phases.js';
import type { ResolvedParams } from '../../toolkit/mapping/params.js';
import { isNullWord } from '../../toolkit/mapping/read/null-words.js';
import { type BatchKey, type BatchRule, batchRules } from '../../toolkit/schema/batch-rules.js';
import { childKeys, resolveNode } from '../../toolkit/schema/registry.js';
import { shapeAuthority } from '../../toolkit/schema/rule-data.js';
import { checkRules } from '../../toolkit/schema/rules.js';
import { validate } from '../../toolkit/schema/validate.js';
import type { JsonRecord } from '../../toolkit/tables/table.js';
import type { FormPart } from '../family.js';
import type { KnownUser } from './attention.js';
import {
  isEmpty,
  NEWEST_PROFILE,
  nationalFields,
  nationalSchema,
  profileOn,
  RIPS_GROUPS,
  type RipsGroup,
  type RipsProfile,
  STARTS,
  userFields,
} from './national.js';

const PROFILES: readonly RipsProfile[] = ['2275', '948-v003'];
const SERVICES = 'servicios';
const FIRST_USER = '/usuarios/0';

/** Keys that only this profile has, by list; `usuario` is the patient. */
type OwnKeys = ReadonlyMap<string, ReadonlySet<string>>;

const ownKeysKnown = new Map<RipsProfile, OwnKeys>();

function ownKeys(profile: RipsProfile): OwnKeys {
  let known = ownKeysKnown.get(profile);
  if (known === undefined) {
    const other = PROFILES.find((profileName) => profileName !== profile) ?? unreachable('other profile');
    const only = (mine: readonly string[], others: readonly string[]): ReadonlySet<string> =>
      new Set(mine.filter((key) => !others.includes(key)));
    const names = (ofProfile: RipsProfile, group: RipsGroup) =>
      nationalFields(ofProfile, group).map(({ name }) => name);
    known = new Map([
      ['usuario', only(userFields(profile), userFields(other))],
      ...RIPS_GROUPS.map((group) => [group, only(names(profile, group), names(other, group))] as const),
    ]);
    ownKeysKnown.set(profile, known);
  }
  return known;
}

const itemsIn = (user: JsonObject, group: string): readonly JsonValue[] => {
  const services = user[SERVICES];
  const items = isObject(services) ? services[group] : undefined;
  return Array.isArray(items) ? items : [];
};

/** Returns the profile of a patient in a file; only the current one has certain keys. */
function profileOf(user: JsonObject): RipsProfile {
  const keys = ownKeys(NEWEST_PROFILE);
  const has = (list: string, object: JsonValue): boolean => {
    if (isObject(object)) for (const key of required(keys, list)) if (Object.hasOwn(object, key)) return true;
    return false;
  };
  const isCurrent =
    has('usuario', user) ||
    RIPS_GROUPS.some((group) => itemsIn(user, group).some((item) => has(group, item)));
  return isCurrent ? NEWEST_PROFILE : '2275';
}

/** Returns the patient without keys the mapping ignores. */
function withoutIgnored(json: JsonRecord, ignored: ReadonlyMap<string, string>): JsonObject {
  const copy = new Map<JsonObject, readonly string[]>();
  for (const [path, object] of json.objects()) {
    const left = Object.keys(object).filter(
      (key) => ignored.has(key) && json.roleOf(path, key) === undefined,
    );
    if (left.length > 0) copy.set(object, left);
  }
  if (copy.size === 0) return json.value;
  const copied = (value: JsonValue): JsonValue =>
    Array.isArray(value)
      ? value.map(copied)
      : isObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([key]) => copy.get(value)?.includes(key) !== true)
              .map(([key, member]) => [key, copied(member)]),
          )
        : value;
  return copied(json.value) as JsonObject;
}

/** Values of a profile's own keys that mean "not applicable": the norm has 0 for dispensing. */
const BLANKS: Readonly<Record<string, JsonValue>> = { vrDispensacion: 0 };

/**
 * Converts a patient into the other profile: its own keys are added as not applicable, empty keys of the first are
 * left out. `onLost` is called with values that have no place.
 */
function inProfile(
  user: JsonObject,
  from: RipsProfile,
  to: RipsProfile,
  onLost: (pointer: Pointer, field: string, value: JsonValue) => void,
): JsonObject {
  if (from === to) return user;
  const [added, dropped] = [ownKeys(to), ownKeys(from)];
  const convert = (list: string, object: JsonObject, at: Pointer, order: readonly string[]): JsonObject => {
    const made: JsonObject = {};
    const [addedKeys, droppedKeys] = [required(added, list), required(dropped, list)];
    const rest = Object.keys(object).filter((key) => !order.includes(key));
    for (const key of [...order, ...rest]) {
      const value = object[key];
      if (addedKeys.has(key)) made[key] = value ?? BLANKS[key] ?? null;
      else if (value === undefined) continue;
      else if (!droppedKeys.has(key)) made[key] = value;
      else if (!isEmpty(value) && value !== BLANKS[key]) onLost(childPointer(at, key), key, value);
    }
    return made;
  };
  const made = convert('usuario', user, '', [...userFields(to), SERVICES]);
  const services = user[SERVICES];
  if (!isObject(services)) return made;
  const converted: JsonObject = {};
  for (const [group, items] of Object.entries(services)) {
    const known = RIPS_GROUPS.find((name) => name === group);
    converted[group] =
      known === undefined || !Array.isArray(items)
        ? items
        : items.map((item, index) =>
            isObject(item)
              ? convert(
                  known,
                  item,
                  `/${SERVICES}/${known}/${index}`,
                  nationalFields(to, known).map(({ name }) => name),
                )
              : item,
          );
  }
  made[SERVICES] = converted;
  return made;
}

const HEAD = '/transaccion';
const USER = '/usuario';
/** Pointer of the object around the package. */
const AROUND = '/..';

/** Converts a pointer of the transaction with one patient into one of the record. */
const inRecord = (pointer: Pointer): Pointer =>
  pointer === '/usuarios' || pointer === FIRST_USER
    ? USER
    : pointer.startsWith(`${FIRST_USER}/`)
      ? USER + pointer.slice(FIRST_USER.length)
      : HEAD + pointer;

/** Returns the place of a record's pointer in the file; for a missing value, where it would be. */
function placeIn(json: JsonRecord, base: Place, pointer: Pointer): Place | undefined {
  if (pointer === USER || pointer.startsWith(`${USER}/`)) {
    const within = pointer.slice(USER.length);
    return { ...base, line: json.lineIn(within), json: json.pointer + within };
  }
  if (pointer.startsWith(AROUND)) {
    const found = json.beside.find((member) => member.pointer.endsWith(pointer.slice(AROUND.length)));
    return { ...base, line: found?.line ?? json.line, json: found?.pointer ?? '' };
  }
  if (pointer !== HEAD && !pointer.startsWith(`${HEAD}/`)) return undefined;
  const [member = ''] = parsePointer(pointer.slice(HEAD.length));
  return { ...base, line: json.headLine(member), json: json.headPointer + pointer.slice(HEAD.length) };
}

/** Trace that computes the places of a JSON record on request; they precede a parameter that is not given. */
class JsonTrace extends Map<Pointer, readonly Place[]> {
  constructor(
    known: Iterable<readonly [Pointer, readonly Place[]]>,
    private readonly placeOf: (pointer: Pointer) => Place | undefined,
  ) {
    super();
    for (const [pointer, places] of known) this.set(pointer, places);
  }

  override get(pointer: Pointer): readonly Place[] | undefined {
    const known = super.get(pointer);
    const [first] = known ?? [];
    if (first !== undefined && first.param === undefined) return known;
    const place = this.placeOf?.(pointer);
    return place === undefined ? known : [place];
  }
}

/** Yields the texts in a value with their pointers. */
function* textsIn(value: JsonValue, pointer: Pointer): Generator<readonly [pointer: Pointer, text: string]> {
  if (typeof value === 'string') yield [pointer, value];
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, childPointer(pointer, key));
}

/**
 * Returns issues of a JSON record that its schema does not cover: null words, inexact numbers, members around the
 * package.
 */
function recordFaults(json: JsonRecord, user: Pointer): Issue[] {
  const issues: Issue[] = [];
  for (const [pointer, text] of textsIn(json.value, user))
    if (isNullWord(text, 'text'))
      issues.push({ ...issueOf('json/null-word', 'error', {}, { pointer }), value: text });
  for (const [pointer, found] of json.inexact)
    issues.push(issueOf('json/number-inexact', 'error', { found }, { pointer: user + pointer }));
  for (const { pointer } of json.beside) {
    const key = parsePointer(pointer).at(-1) ?? '';
    issues.push(issueOf('json/beside', 'warning', { key }, { pointer: childPointer(AROUND, key) }));
  }
  return issues;
}

/** Returns the record as a transaction with one patient, for the profile's schema and rules. */
const transactionOf = ({ transaccion, usuario }: JsonObject): JsonObject => ({
  ...(transaccion as JsonObject),
  usuarios: [usuario ?? {}],
});

class KeyOfPackage implements BatchKey {
  constructor(
    private readonly found: BatchKey,
    private readonly within: string,
  ) {}

  get key(): string {
    return `${this.within}|${this.found.key}`;
  }

  get pointer(): Pointer {
    return inRecord(this.found.pointer);
  }
}

/** Schemas of service items, in the order of their groups. */
const BODIES: readonly SchemaName[] = [
  'rips/services/consultation',
  'rips/services/procedure',
  'rips/services/emergency',
  'rips/services/hospitalization',
  'rips/services/newborn',
  'rips/services/medication',
  'rips/services/other-service',
];

/** Converts a national item into a service; values it cannot hold stay in the national part. */
function serviceOf(group: RipsGroup, item: JsonObject): JsonObject {
  const at = RIPS_GROUPS.indexOf(group);
  const body = BODIES[at] ?? unreachable(`schema of ${group}`);
  const service: JsonObject = { service_type_id: at + 1 };
  for (const key of childKeys(resolveNode(body, []) ?? {})) {
    const value = item[key];
    if (value === undefined || isEmpty(value)) continue;
    const { type, format } = resolveNode(body, [key]) ?? {};
    service[key] =
      typeof value !== 'string'
        ? value
        : format === 'local-date-time' && isNationalDateTime(value)
          ? `${value.replace(' ', 'T')}:00`
          : type === 'integer' && /^\d+$/.test(value)
            ? Number(value)
            : value;
  }
  return service;
}

/** Groups whose items name the attending professional; others name the prescriber. */
const ATTENDED: readonly RipsGroup[] = ['consultas', 'procedimientos', 'otrosServicios', 'medicamentos'];

/** Yields the items of a patient in the order of the services. */
function* allItems(user: JsonObject): Generator<{ group: RipsGroup; at: number; item: JsonObject }> {
  for (const group of RIPS_GROUPS)
    for (const [at, item] of itemsIn(user, group).entries()) if (isObject(item)) yield { group, at, item };
}

/** Returns the first professional of the services who is known to the run, else the first. */
function attendantIn(user: JsonObject, users: readonly KnownUser[]) {
  const named = [...allItems(user)]
    .filter(({ group, item }) => ATTENDED.includes(group) && !isEmpty(item['numDocumentoIdentificacion']))
    .sort((a, b) => ATTENDED.indexOf(a.group) - ATTENDED.indexOf(b.group));
  for (const candidate of named) {
    const {
      tipoDocumentoIdentificacion: type,
      numDocumentoIdentificacion: number,
      codPrestador,
    } = candidate.item;
    const same = users.filter(
      (known) =>
        String(known.numDocumentoIdentificacion) === number && known.tipoDocumentoIdentificacion === type,
    );
    const known = same.find((user) => String(user.codPrestador) === codPrestador) ?? same[0];
    if (known !== undefined) return { ...candidate, known };
  }
  return named[0] && { ...named[0], known: undefined };
}

const isSet = (part: JsonValue | undefined, key: string): boolean => isObject(part) && !isEmpty(part[key]);

const partOf = (document: JsonObject, name: string): JsonObject => {
  const part = document[name];
  if (isObject(part)) return part;
  const made: JsonObject = {};
  document[name] = made;
  return made;
};

/** Fills an attention from a patient of the national JSON, except what the mapping set. */
export function fromNational(
  document: JsonObject,
  { json, ignored }: { readonly json: JsonRecord; readonly ignored: ReadonlyMap<string, string> },
  { users, profile }: { readonly users: readonly KnownUser[]; readonly profile: RipsProfile },
): Issue[] {
  const issues: Issue[] = [];
  const value = withoutIgnored(json, ignored);
  const user = inProfile(value, profileOf(value), profile, (pointer, field, value) => {
    const lost = issueOf(
      'attention/profile-lacks',
      'error',
      { field, profile },
      { pointer: inAttention(USER + pointer) },
    );
    issues.push({ ...lost, value: String(value) });
  });
  const items = [...allItems(user)];
  const servicios: JsonObject = {};
  for (const { group, item } of items) {
    const list = servicios[group] as JsonValue[] | undefined;
    if (list === undefined) servicios[group] = [{ ...item }];
    else list.push({ ...item });
  }
  const services = isObject(user[SERVICES]) ? user[SERVICES] : {};
  for (const [group, list] of Object.entries(services))
    if (!RIPS_GROUPS.some((known) => known === group) && !isEmpty(list)) servicios[group] = list;
  const { [SERVICES]: _, ...usuario } = user;
  // The service numbers the patients of a package; there is one.
  document['national'] = { usuario: { ...usuario, consecutivo: 1 }, servicios };
  partOf(document, 'document')['services'] = items.map(({ group, item }) => serviceOf(group, item));
  const appointment = partOf(document, 'appointment');
  const [first] = items;
  const start = first?.item[STARTS[first.group]];
  if (typeof start === 'string' && isNationalDateTime(start)) {
    if (!isSet(appointment, 'date')) appointment['date'] = start.slice(0, 10);
    if (!isSet(appointment, 'time')) appointment['time'] = start.slice(11, 16);
  }
  const attendant = isSet(appointment, 'user_id') ? undefined : attendantIn(user, users);
  if (attendant?.known !== undefined) appointment['user_id'] = Number(attendant.known.user_id);
  else if (attendant !== undefined)
    issues.push({
      ...issueOf('attention/user-unknown', 'error', {}, { pointer: '/appointment/user_id' }),
      value: String(attendant.item['numDocumentoIdentificacion']),
    });
  if (!isEmpty(json.head['numFactura']))
    issues.push({
      ...issueOf('attention/invoiced', 'error', {}, { pointer: `${HEAD}/numFactura` }),
      value: String(json.head['numFactura']),
    });
  return [...issues, ...recordFaults(json, USER).map(attentionPlaced)];
}

/**
 * Converts a pointer of a record: `/usuario/servicios/x` is `/national/servicios/x` of an attention, other fields of
 * the user are in `usuario`.
 */
const inAttention = (pointer: Pointer): Pointer =>
  pointer
    .replace(/^\/usuario\/servicios(?=\/|$)/, '/national/servicios')
    .replace(/^\/usuario(?=\/|$)/, '/national/usuario');

const attentionPlaced = (issue: Issue): Issue => ({
  ...issue,
  place: { ...issue.place, pointer: inAttention(issue.place.pointer ?? '') },
});

/** Returns the trace of an attention made from JSON. */
export function nationalTrace(
  known: ReadonlyMap<Pointer, readonly Place[]>,
  { json, place }: { readonly json: JsonRecord; readonly place: Place },
  users: readonly KnownUser[],
): ReadonlyMap<Pointer, readonly Place[]> {
  const user = json.value;
  const items = [...allItems(user)];
  const itemPointer = ({ group, at }: (typeof items)[number]): Pointer =>
    `${USER}/${SERVICES}/${group}/${at}`;
  const sourceOf = (pointer: Pointer): Pointer | undefined => {
    const service = /^\/document\/services\/(\d+)(\/.*)?$/.exec(pointer);
    if (service !== null) {
      const item = items[Number(service[1])];
      return item && itemPointer(item) + (service[2] ?? '');
    }
    if (pointer.startsWith('/national/servicios'))
      return `${USER}/${SERVICES}${pointer.slice('/national/servicios'.length)}`;
    if (pointer.startsWith('/national/usuario')) return USER + pointer.slice('/national/usuario'.length);
    if (pointer.startsWith('/document/services')) return `${USER}/${SERVICES}`;
    if (pointer === '/appointment/user_id') {
      const attendant = attendantIn(user, users);
      return attendant && `${itemPointer(attendant)}/numDocumentoIdentificacion`;
    }
    const [first] = items;
    if (first !== undefined && /^\/appointment\/(date|time)$/.test(pointer))
      return `${itemPointer(first)}/${STARTS[first.group]}`;
    return pointer.startsWith(HEAD) || pointer.startsWith(AROUND) ? pointer : undefined;
  };
  return new JsonTrace(known, (pointer) => {
    const source = sourceOf(pointer);
    return source === undefined ? undefined : placeIn(json, place, source);
  });
}

const INDENT = '\n    ';

/** Returns a patient as part of the package's file, which is written patient by patient. */
export function recordPart({ transaccion, usuario, posicion, de }: JsonObject): FormPart | undefined {
  if (!isObject(transaccion) || usuario === undefined) return undefined;
  const head = JSON.stringify({ ...transaccion, usuarios: [] }, null, 2);
  const end = head.lastIndexOf(']');
  return {
    at: Number(posicion),
    of: Number(de),
    head: head.slice(0, end),
    text: `${posicion === 1 ? '' : ','}${INDENT}${JSON.stringify(usuario, null, 2).replaceAll('\n', INDENT)}`,
    tail: `\n  ${head.slice(end)}\n`,
  };
}

/** Ministry's rule for form errors without a rule. */
const STRUCTURE = 'RVG01';
/** Rule over the list of patients, which would be reported for each. */
const OF_ALL_USERS = 'rips/no-services';
const CONSECUTIVE = 'rips/consecutive';

/** Creates the derivation of patients in a national JSON file, in the file's profile or the requested one. */
export function recordDerivation({ values }: ResolvedParams, today?: PlainDate): Derivation {
  const current = profileOn(today);
  const wanted = values['profile'] as RipsProfile | undefined;
  let latest: { readonly document: JsonObject; readonly profile: RipsProfile } | undefined;
  const profileIn = (document: JsonObject): RipsProfile =>
    latest?.document === document
      ? latest.profile
      : (wanted ?? profileOf((document['usuario'] ?? {}) as JsonObject));
  const isOwn = (document: JsonObject, { place: { pointer = '' } }: Issue): boolean =>
    document['posicion'] === 1 || pointer === USER || pointer.startsWith(`${USER}/`);
  const placed = (issue: Issue): Issue => ({
    ...issue,
    place: { ...issue.place, pointer: inRecord(issue.place.pointer ?? '') },
  });
  return {
    complete(document, from) {
      if (from?.json === undefined) return [];
      const { json, ignored } = from;
      const value = withoutIgnored(json, ignored);
      const given = profileOf(value);
      const profile = wanted ?? given;
      const issues = recordFaults(json, USER);
      const user = inProfile(value, given, profile, (pointer, field, value) => {
        const lost = issueOf(
          'attention/profile-lacks',
          'error',
          { field, profile },
          { pointer: USER + pointer },
        );
        issues.push({ ...lost, value: String(value) });
      });
      Object.assign(document, {
        transaccion: Object.fromEntries(
          Object.entries(json.head).filter(
            ([key]) => !ignored.has(key) || json.roleOf('', key) !== undefined,
          ),
        ),
        usuario: user,
        posicion: json.position,
        de: json.count,
      });
      latest = { document, profile };
      const schema = nationalSchema(profile, 'transaccion');
      for (const fault of validate(schema, 'strict', transactionOf(document))) {
        const rule = shapeAuthority(schema, fault.code) ?? paramOf(fault, 'rule') ?? STRUCTURE;
        issues.push(placed(withParams(fault, { rule })));
      }
      if (json.position === 1 && profile !== current && wanted === undefined)
        issues.push(issueOf('attention/profile-old', 'warning', { profile, current }, { pointer: HEAD }));
      return issues.filter((issue) => isOwn(document, issue));
    },
    shape: (_document, faults) => faults,
    rules(document, shape, options) {
      const wrong = new Set(shape.map(({ place }) => place.pointer));
      const { posicion, de } = document as { posicion: number; de: number };
      const given = valueAt(document, '/usuario/consecutivo');
      // The rule counts in the list it gets, which has one patient.
      const usuario =
        typeof given === 'number'
          ? { ...(document['usuario'] as JsonObject), consecutivo: given - posicion + 1 }
          : document['usuario'];
      const transaction = transactionOf({ ...document, ...(usuario !== undefined && { usuario }) });
      return checkRules(nationalSchema(profileIn(document), 'transaccion'), transaction, options)
        .filter(({ code }) => code !== OF_ALL_USERS || de === 1)
        .map((issue) => {
          const here = placed(issue);
          if (issue.code !== CONSECUTIVE || here.place.pointer !== `${USER}/consecutivo`) return here;
          return { ...withParams(here, { expected: posicion }), value: String(given) };
        })
        .filter((issue) => !wrong.has(issue.place.pointer) && isOwn(document, issue));
    },
    batch: PROFILES.flatMap((profile) => {
      const schema = nationalSchema(profile, 'transaccion');
      const forProfile = (rule: BatchRule, isOfPackage: boolean): BatchRule => ({
        ...rule,
        keysOf(document) {
          if (profileIn(document) !== profile) return [];
          const { numFactura, numNota } = document['transaccion'] as JsonObject;
          const within = isOfPackage ? `${numFactura}|${numNota}` : '';
          return rule.keysOf(transactionOf(document)).map((found) => new KeyOfPackage(found, within));
        },
      });
      return [
        ...batchRules(schema).map((rule) => forProfile(rule, false)),
        ...batchRules(schema, 'document').map((rule) => forProfile(rule, true)),
      ];
    }),
    origins(_document, { trace }, record) {
      const { json, place } = record ?? {};
      if (json === undefined || place === undefined) return { trace };
      return { trace: new JsonTrace(trace, (pointer) => placeIn(json, place, pointer)) };
    },
  };
}
