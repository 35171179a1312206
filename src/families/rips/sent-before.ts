import type { Issue } from '../../core/issue.js';
import type { JsonObject } from '../../core/json.js';
import { batchRules } from '../../schema/rules.js';
import type { Sql } from '../../send/database.js';
import { NOT_HELD } from '../../send/runs.js';
import { say } from '../../send/say.js';
import { sourcePointer } from './answer.js';
import { type AttentionParts, attentionOf, transactionOf } from './attention.js';
import { CURRENT_PROFILE, nationalSchema } from './national.js';

/** The packages of a patient that other runs sent, or are about to; the care itself has a check of its own. */
const OF_OTHER_RUNS = `
  SELECT d.run, coalesce(d.number, d.key) AS number, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.subject > ? AND d.subject < ? AND d.subject <> ? AND d.run <> ? AND d.earlier IS NULL
    AND d.state <> 'rejected' AND ${NOT_HELD}
  ORDER BY d.id`;

interface Package {
  readonly run: string;
  readonly number: string;
  readonly body: string;
}

/** A service that other services are compared with, as the rules over a file do it. */
interface Service {
  readonly key: string;
  readonly rule: string;
  readonly path: string;
}

/** Whose packages, and in which run not. */
interface Asked {
  readonly run: string;
  readonly subject: string;
  /** What the subjects of all packages of the patient begin with. */
  readonly patient: string;
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
  return async (attention: AttentionParts, { run, subject, patient }: Asked): Promise<readonly Issue[]> => {
    const packages = await journal.all<Package>(OF_OTHER_RUNS, `${patient}|`, `${patient}}`, subject, run);
    if (packages.length === 0) return [];
    const sent = new Map<string, Package>();
    for (const one of packages)
      for (const { key } of servicesOf(attentionOf(JSON.parse(one.body) as JsonObject)))
        if (!sent.has(key)) sent.set(key, one);
    return servicesOf(attention).flatMap(({ key, rule, path }) => {
      const before = sent.get(key);
      if (before === undefined) return [];
      const pointer = sourcePointer(path, attention.document.services);
      const params = { rule, number: before.number, before: before.run };
      return [say('send/service-repeated', params, pointer === undefined ? {} : { pointer })];
    });
  };
}
