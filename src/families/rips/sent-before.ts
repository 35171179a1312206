import type { Issue } from '../../core/issue.js';
import type { JsonObject } from '../../core/json.js';
import { resolveNode } from '../../schema/registry.js';
import { batchRules } from '../../schema/rules.js';
import type { Sql } from '../../send/database.js';
import { NOT_HELD } from '../../send/runs.js';
import { say } from '../../send/say.js';
import { textOf } from '../../send/verdict.js';
import { sourcePointer } from './answer.js';
import { type AttentionParts, attentionOf, transactionOf } from './attention.js';
import { CURRENT_PROFILE, nationalSchema } from './national.js';

/** A package of the patient that another run sent, or is about to; the care itself has a check of its own. */
interface Package {
  readonly id: number;
  readonly run: string;
  readonly number: string;
}

const BODY = 'SELECT body FROM content WHERE document = ?';

/** A service that other services are compared with, as the rules over a file do it. */
interface Service {
  readonly key: string;
  readonly rule: string;
  readonly path: string;
}

/**
 * What a package repeats of those that other runs sent: the services that the rules over a file (RVC018, RVG13) would
 * call repeated if both stood in one.
 */
export function repeatsOfOthers(journal: Sql) {
  const rules = batchRules(nationalSchema(CURRENT_PROFILE, 'transaccion'));
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
    for (const one of packages) {
      const content = await journal.first<{ body: string }>(BODY, one.id);
      if (content === undefined) continue;
      for (const { key } of servicesOf(attentionOf(JSON.parse(content.body) as JsonObject)))
        if (!sent.has(key)) sent.set(key, one);
    }
    return servicesOf(attention).flatMap(({ key, rule, path }) => {
      const before = sent.get(key);
      if (before === undefined) return [];
      const pointer = sourcePointer(path, attention.document.services);
      const params = { rule, number: before.number, before: before.run };
      return [say('send/service-repeated', params, pointer === undefined ? {} : { pointer })];
    });
  };
}

/** The latest package of a patient, of any run. */
const LATEST = `
  SELECT d.id, d.run, coalesce(d.number, d.key) AS number, c.body FROM document d
  JOIN content c ON c.document = d.id WHERE d.subject > ? AND d.subject < ? AND d.earlier IS NULL AND d.state <> 'rejected' AND ${NOT_HELD}
  ORDER BY d.id DESC LIMIT 1`;

/** What the service gives a row that does not say it. */
const TAKEN_FOR_GRANTED: Readonly<Record<string, string>> = { incapacity: 'NO' };

/** What a package would overwrite of its patient, whose data went with another package before: a warning a field. */
export async function patientDifferences(
  journal: Sql,
  { patient }: AttentionParts,
  subjects: string,
): Promise<readonly Issue[]> {
  const latest = await journal.first<Package & { readonly body: string }>(
    LATEST,
    `${subjects}|`,
    `${subjects}}`,
  );
  if (latest === undefined) return [];
  const { patient: before } = attentionOf(JSON.parse(latest.body) as JsonObject);
  return Object.keys({ ...before, ...patient }).flatMap((field) => {
    const [was, is] = [before, patient].map(
      (one) => textOf(one[field] ?? undefined) ?? TAKEN_FOR_GRANTED[field] ?? '',
    );
    if (was === is) return [];
    const title = resolveNode('rips/patient', [field])?.title ?? field;
    const params = { title, number: latest.number, before: latest.run };
    return [
      { ...say('send/patient-differs', params, { pointer: `/patient/${field}` }), value: `${was} → ${is}` },
    ];
  });
}
