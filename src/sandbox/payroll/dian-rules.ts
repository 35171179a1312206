import { checkRules, ruleAuthority } from '../../schema/rules.js';
import { absolute, add, compare, type Decimal, subtract } from '../../values/decimal.js';
import type { JsonObject, JsonValue } from '../../values/json.js';
import { type DocumentKind, exactAmount } from './document.js';

/** DIAN's tolerance on monetary checks (payroll.md 3). */
const TOLERANCE: Decimal = '2.00';

/** The rules on amounts that are imitated; ours know more of them. */
const JUDGED: ReadonlySet<string> = new Set(['NIE187', 'NIE188', 'NIE189']);

const SCHEMAS = { payroll: 'payroll/payroll', replace: 'payroll/adjust-note-replace' } as const;

/** The document with every amount as exact text, the only form that rules read. */
function exact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value === 'object' && value !== null) {
    const copy: JsonObject = {};
    for (const key in value) copy[key] = exact(value[key]!);
    return copy;
  }
  return exactAmount(value) ?? value;
}

function hasNegative(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return value < 0;
  if (typeof value === 'string') return value.startsWith('-') && exactAmount(value) !== undefined;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNegative);
}

/**
 * DIAN's rules on amounts that a document fails: NIE187, NIE188, NIE189 and VLR01 (payroll.md 3).
 * The sums are those of schemas/rules. NIE189 compares the net of the stated totals with the net of the items,
 * since the request itself states none.
 */
export function failedAmounts(kind: DocumentKind, body: JsonObject): readonly string[] {
  if (kind === 'delete') return [];
  const { accrued, deductions } = body;
  const failed = new Set<string>();
  let netDifference: Decimal = '0';
  for (const issue of checkRules(SCHEMAS[kind], {
    accrued: exact(accrued!),
    deductions: exact(deductions!),
  })) {
    const rule = ruleAuthority(issue.code);
    if (rule === undefined || !JUDGED.has(rule)) continue;
    if (issue.level === 'error') failed.add(rule);
    const difference = issue.params['difference'];
    if (typeof difference !== 'string') continue;
    netDifference = issue.place.pointer?.startsWith('/accrued')
      ? add(netDifference, difference)
      : subtract(netDifference, difference);
  }
  if (compare(absolute(netDifference), TOLERANCE) > 0) failed.add('NIE189');
  if (hasNegative(accrued) || hasNegative(deductions)) failed.add('VLR01');
  return [...failed];
}
