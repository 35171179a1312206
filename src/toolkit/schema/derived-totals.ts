import type { Rule } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { absolute, compare, subtract, toMoney } from '../core/decimal.js';
import type { Issue } from '../core/issue.js';
import type { JsonObject, JsonValue, Pointer } from '../core/json.js';
import { getOrAdd } from '../core/remember.js';
import { type CompiledRules, type CompiledTotal, rulesFor } from './compiled-rules.js';
import { type Levels, ruleData, ruleIssue } from './rule-data.js';
import { evaluate, follow, RuleContext } from './rule-scope.js';

type Totals = ReadonlyMap<string, string>;
export const NO_TOTALS: Totals = new Map();

/** Returns the names of totals of a schema that a mapping may state: accrued_total, deductions_total, net. */
export const derivedNames = (schema: SchemaName): string[] => derivedIn(schema).map(({ name }) => name);

const derivedPlaces = new Map<SchemaName, ReadonlyMap<string, string>>();

/** Returns the pointers of leaves that rules fill, by the name of the total. */
export function derivedLeaves(schema: SchemaName): ReadonlyMap<string, string> {
  return getOrAdd(
    derivedPlaces,
    schema,
    () =>
      new Map(
        derivedIn(schema).flatMap(({ name, into }) => (into === undefined ? [] : [[name, into] as const])),
      ),
  );
}

/** Returns the totals declared by rules, without compiling them. */
const derivedIn = (schema: SchemaName): readonly NonNullable<Rule['derive']>[] =>
  ruleData().rules.flatMap(({ schemas, derive }) =>
    derive !== undefined && schemas.includes(schema) ? [derive] : [],
  );

function compute(total: CompiledTotal, context: RuleContext): string | undefined {
  const value = evaluate(total.formula, context);
  return typeof value === 'string' ? toMoney(value) : undefined;
}

function fill(document: JsonObject, keys: readonly string[], value: string): void {
  const leaf = keys.at(-1);
  if (leaf === undefined) return;
  let parent: JsonValue | undefined = document;
  for (const key of keys.slice(0, -1)) parent = (parent as JsonObject | undefined)?.[key];
  if (typeof parent === 'object' && parent !== null) (parent as JsonObject)[leaf] = value;
}

/**
 * Computes every total of the document and fills those that it carries, if their parent object exists. Mutates
 * the document.
 */
export function deriveTotals(schema: SchemaName, document: JsonObject): Totals {
  const rules = rulesFor(schema);
  if (rules.totals.length === 0) return NO_TOTALS;
  const totals = new Map<string, string>();
  const context = new RuleContext(document);
  for (const total of rules.totals) {
    const value = compute(total, context);
    if (value === undefined) continue;
    totals.set(total.data.name, value);
    if (total.into !== undefined) fill(document, total.into, value);
  }
  return totals;
}

/** Returns the issue of a wrong total, or undefined if it agrees to the cent. */
function difference(
  { rule, data }: CompiledTotal,
  stated: string,
  computed: string,
  pointer: Pointer | undefined,
  levels: Levels | undefined,
): Issue | undefined {
  if (compare(stated, computed) === 0) return undefined;
  const gap = subtract(stated, computed);
  const within = data.warn_within;
  const level = within !== undefined && compare(absolute(gap), within) <= 0 ? 'warning' : rule.level;
  const params = { stated, computed, difference: toMoney(gap) ?? gap };
  const issue = ruleIssue(rule, level, pointer, params, levels);
  return issue && { ...issue, value: stated };
}

/** A stated total that differs from the computed one. */
interface WrongTotal {
  /** Name of the total in mappings. */
  readonly name: string;
  readonly issue: Issue;
  /** Pointer of the leaf that holds it. */
  readonly into?: Pointer;
}

export const NO_WRONG_TOTALS: readonly WrongTotal[] = [];

/** True if a total builds on a wrong one, which is reported already. */
const restsOnWrong = ({ formula }: CompiledTotal, wrong: readonly WrongTotal[] = NO_WRONG_TOTALS): boolean =>
  wrong.some(({ into }) => into !== undefined && formula.references.includes(into));

/** Compares totals stated in the file with the derived ones; `stated` gives the text of their cells. */
export function compareStated(
  schema: SchemaName,
  totals: Totals,
  stated: (name: string) => string | undefined,
  levels?: Levels,
): readonly WrongTotal[] {
  let wrong: WrongTotal[] | undefined;
  for (const total of rulesFor(schema).totals) {
    const { name } = total.data;
    const claim = stated(name);
    const computed = totals.get(name);
    if (claim === undefined || computed === undefined || restsOnWrong(total, wrong)) continue;
    const issue = difference(total, claim, computed, undefined, levels);
    if (issue === undefined) continue;
    wrong ??= [];
    wrong.push({ name, issue, ...(total.data.into !== undefined && { into: total.data.into }) });
  }
  return wrong ?? NO_WRONG_TOTALS;
}

/** Checks the totals in a document against the sums of its parts. */
export function checkTotals(rules: CompiledRules, context: RuleContext, levels: Levels | undefined): Issue[] {
  return rules.totals.flatMap((total) => {
    if (total.into === undefined) return [];
    const stated = follow(context.document, total.into);
    const computed = compute(total, context);
    if (typeof stated !== 'string' || computed === undefined) return [];
    return difference(total, stated, computed, total.data.into, levels) ?? [];
  });
}
