import type { Issue } from '../../core/issue.js';
import type { JsonObject } from '../../core/json.js';
import { batchRules } from '../../schema/rules.js';
import type { Sql } from '../../send/database.js';
import { say } from '../../send/say.js';
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
      const { body } = (await journal.first<{ body: string }>(BODY, one.id))!;
      for (const { key } of servicesOf(attentionOf(JSON.parse(body) as JsonObject)))
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
