import { createIssue } from '../../send/create-issue.js';
import { onlyRow, type Sql } from '../../send/database.js';
import { NOT_HELD } from '../../send/runs.js';
import { textOf } from '../../send/verdict.js';
import { parseCanonical } from '../../toolkit/core/canonical.js';
import type { Issue } from '../../toolkit/core/issue.js';
import type { JsonObject, JsonValue, Pointer } from '../../toolkit/core/json.js';
import { batchRules } from '../../toolkit/schema/batch-rules.js';
import { resolveNode } from '../../toolkit/schema/registry.js';
import { sourcePointer } from './answer.js';
import { type AttentionParts, attentionOf, transactionOf } from './attention.js';
import { groupOf, NEWEST_PROFILE, nationalSchema, type RipsGroup, STARTS, USER_SOURCES } from './national.js';

/** Members with what was done; each group has one or none. */
const CODES = [
  'codConsulta',
  'codProcedimiento',
  'codTecnologiaSalud',
  'numDocumentoIdentificacion',
] as const;

/** Returns what was done when, as a key. */
export const serviceKey = (service: JsonObject): string => {
  const group = groupOf(service['service_type_id']);
  const code = CODES.map((name) => service[name]).find((value) => value !== undefined && value !== null);
  const start = group === undefined ? undefined : service[STARTS[group]];
  return [service['service_type_id'], code ?? '', start ?? ''].join(' ');
};

/** Part of the national form of an attention. */
interface NationalPart {
  readonly pointer: Pointer;
  readonly fields: JsonObject;
  readonly schema: readonly ['usuario' | 'servicios', ...string[]];
}

/** Returns patient and services, sorted by key; undefined if they are unknown, such as after a purge. */
function nationalParts({ document, national }: AttentionParts): readonly NationalPart[] | undefined {
  if (national?.usuario === undefined) return undefined;
  const counts = new Map<RipsGroup, number>();
  const services: (NationalPart & { readonly key: string })[] = [];
  for (const service of document.services) {
    const group = groupOf(service['service_type_id']);
    const at = group === undefined ? 0 : (counts.get(group) ?? 0);
    const fields = group && national.servicios?.[group]?.[at];
    if (group === undefined || fields === undefined) return undefined;
    counts.set(group, at + 1);
    const pointer = `/national/servicios/${group}/${at}`;
    services.push({ key: serviceKey(service), pointer, fields, schema: ['servicios', group, '*'] });
  }
  services.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return [{ pointer: '/national/usuario', fields: national.usuario, schema: ['usuario'] }, ...services];
}

/** Counter of services and patients, which is not compared. */
const COUNT = 'consecutivo';

const shown = (value: JsonValue | undefined): string => textOf(value ?? undefined) ?? '';

/** Package of the patient in another run; the care itself is checked elsewhere. */
interface Package {
  readonly id: number;
  readonly run: string;
  readonly number: string;
}

const BODY = 'SELECT body FROM content WHERE document = ?';

/** Subject prefixes of a patient's packages. */
export type Subjects = readonly [string, string];

/** SQL condition for a patient's packages; `rangesOf` gives its values. */
export const OF_PATIENT = '(d.subject > ? AND d.subject < ? OR d.subject > ? AND d.subject < ?)';

export const rangesOf = (subjects: Subjects): readonly string[] =>
  subjects.flatMap((subject) => [`${subject}|`, `${subject}}`]);

/** Service with its key in a rule over a file. */
interface Service {
  readonly key: string;
  readonly rule: string;
  readonly path: string;
}

/** Creates a check for services that other runs sent, by the rules over a file (RVC018, RVG13). */
export function repeatsOfOthers(journal: Sql) {
  const rules = batchRules(nationalSchema(NEWEST_PROFILE, 'transaccion'));
  const servicesOf = (attention: JsonObject): readonly Service[] => {
    const transaction = transactionOf(attention, null);
    return rules.flatMap(({ code, authority, keysOf }) =>
      keysOf(transaction).map(({ key, pointer }) => ({
        key: `${code} ${key}`,
        rule: authority[0] ?? code,
        path: pointer.slice(1).replaceAll('/', '.'),
      })),
    );
  };
  return async (attention: AttentionParts, packages: readonly Package[]): Promise<readonly Issue[]> => {
    if (packages.length === 0) return [];
    const sent = new Map<string, Package>();
    for (const sentPackage of packages) {
      const content = await journal.first<{ body: string }>(BODY, sentPackage.id);
      if (content === undefined) continue;
      for (const { key } of servicesOf(attentionOf(parseCanonical(content.body))))
        if (!sent.has(key)) sent.set(key, sentPackage);
    }
    return servicesOf(attention).flatMap(({ key, rule, path }) => {
      const before = sent.get(key);
      if (before === undefined) return [];
      const pointer = sourcePointer(path, attention.document.services);
      const params = { rule, number: before.number, before: before.run };
      return [createIssue('send/service-repeated', params, pointer === undefined ? {} : { pointer })];
    });
  };
}

/**
 * Returns a warning per field that differs from an earlier package of the same care. Names and e-mails are not
 * compared, as the ministry does not get them. Undefined if the earlier content was purged.
 */
export async function careChanges(
  journal: Sql,
  before: Package,
  attention: AttentionParts,
): Promise<readonly Issue[] | undefined> {
  const { body } = await onlyRow<{ body: string }>(journal, BODY, before.id);
  const was = nationalParts(attentionOf(parseCanonical(body)));
  const is = nationalParts(attention);
  if (was === undefined || is === undefined) return undefined;
  return is.flatMap(({ pointer, fields, schema: [part, ...path] }, index) => {
    const earlier = was[index]?.fields ?? {};
    return Object.keys({ ...earlier, ...fields }).flatMap((field) => {
      const [old, now] = [shown(earlier[field]), shown(fields[field])];
      if (field === COUNT || old === now) return [];
      const title = resolveNode(nationalSchema(NEWEST_PROFILE, part), [...path, field])?.title ?? field;
      const params = { title, number: before.number, before: before.run };
      const change = createIssue('send/note-changes', params, { pointer: `${pointer}/${field}` });
      return [{ ...change, value: `${old} → ${now}` }];
    });
  });
}

/** Latest package of a patient, in any run. */
const LATEST = `
  SELECT d.id, d.run, coalesce(d.number, d.key) AS number, c.body FROM document d
  JOIN content c ON c.document = d.id WHERE ${OF_PATIENT} AND d.earlier IS NULL AND d.state <> 'rejected' AND ${NOT_HELD}
  ORDER BY d.id DESC LIMIT 1`;

/** Default values of the service. */
const SERVICE_DEFAULTS: Readonly<Record<string, string>> = { incapacity: 'NO' };

/** Patient members the ministry gets. */
const SENT_MEMBERS: readonly string[] = Object.values(USER_SOURCES);

/**
 * Returns a warning per field of the patient that the package would overwrite.
 * @param all false to compare only what the service does not pass on
 */
export async function patientDifferences(
  journal: Sql,
  { patient }: AttentionParts,
  subjects: Subjects,
  all = true,
): Promise<readonly Issue[]> {
  const latest = await journal.first<Package & { readonly body: string }>(LATEST, ...rangesOf(subjects));
  if (latest === undefined) return [];
  const { patient: before } = attentionOf(parseCanonical(latest.body));
  if (Object.keys(before).length === 0) return []; // purged: what it was is not known
  return Object.keys({ ...before, ...patient }).flatMap((field) => {
    const [was, is] = [before, patient].map(
      (patientData) => textOf(patientData[field] ?? undefined) ?? SERVICE_DEFAULTS[field] ?? '',
    );
    if (was === is || (!all && SENT_MEMBERS.includes(field))) return [];
    const title = resolveNode('rips/patient', [field])?.title ?? field;
    const params = { title, number: latest.number, before: latest.run };
    return [
      {
        ...createIssue('send/patient-differs', params, { pointer: `/patient/${field}` }),
        value: `${was} → ${is}`,
      },
    ];
  });
}
