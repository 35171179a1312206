import { readdirSync, readFileSync } from 'node:fs';
import { BlankOperand, compileFormula, type Formula } from '../formula/compile.js';
import type { Rule } from '../generated/rule-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { CodeEntry } from '../issues/codes.js';
import type { Issue, IssueParams, Level, Place } from '../issues/issue.js';
import { absolute, compare, subtract, toMoney } from '../values/decimal.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { packageFile } from '../values/package-file.js';
import { parsePointer, valueAt } from '../values/pointer.js';
import { documentScope } from './document-scope.js';

interface CompiledRule {
  readonly data: Rule;
  readonly derive?: Formula<JsonObject>;
  readonly into?: readonly string[];
  readonly that?: Formula<JsonObject>;
  readonly when?: Formula<JsonObject>;
}

let data: readonly Rule[] | undefined;
const compiled = new Map<SchemaName, readonly CompiledRule[]>();

function allRules(): readonly Rule[] {
  data ??= readdirSync(packageFile('schemas', 'rules'))
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(packageFile('schemas', 'rules', file), 'utf8')) as Rule[]);
  return data;
}

/** Wording and level of a rule's code, in the form that issues are worded by. */
export const ruleEntry = (code: string): CodeEntry | undefined =>
  allRules().find((rule) => rule.code === code);

export const ruleCodes = (): string[] => allRules().map((rule) => rule.code);

/** The authority's id that the service answers with (`NIE187`), if the rule has one. */
export const ruleAuthority = (code: string): string | undefined =>
  allRules().find((rule) => rule.code === code)?.authority?.[0];

/** Names that a mapping may state for a kind of document: accrued_total, deductions_total, net. */
export const derivedNames = (schema: SchemaName): string[] =>
  rulesFor(schema).flatMap(({ data: rule }) => (rule.derive ? [rule.derive.name] : []));

/** The leaves that rules fill in a kind of document, by the name of the total. */
export const derivedLeaves = (schema: SchemaName): ReadonlyMap<string, string> =>
  new Map(
    rulesFor(schema).flatMap(({ data: rule }) =>
      rule.derive?.into === undefined ? [] : [[rule.derive.name, rule.derive.into] as const],
    ),
  );

/** The leaves that a rule of the authority (`NIE187`) is about, as far as our own rules know. */
export const blamedLeaves = (authority: string): readonly string[] =>
  allRules()
    .filter((rule) => rule.authority?.includes(authority))
    .flatMap((rule) => rule.blame ?? rule.derive?.into ?? []);

function rulesFor(schema: SchemaName): readonly CompiledRule[] {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const scope = documentScope(schema);
  const rules = allRules()
    .filter((rule) => rule.schemas.includes(schema))
    .map(
      (rule): CompiledRule => ({
        data: rule,
        ...(rule.derive && { derive: compileFormula(rule.derive.formula, scope, 'decimal') }),
        ...(rule.derive?.into !== undefined && { into: parsePointer(rule.derive.into) }),
        ...(rule.that !== undefined && { that: compileFormula(rule.that, scope, 'boolean') }),
        ...(rule.when !== undefined && { when: compileFormula(rule.when, scope, 'boolean') }),
      }),
    );
  compiled.set(schema, rules);
  return rules;
}

/** What a formula gives, or undefined where a leaf it needs is not there: then another check says so. */
function evaluate(formula: Formula<JsonObject>, document: JsonObject): string | boolean | undefined {
  try {
    return formula.run(document);
  } catch (error) {
    if (error instanceof BlankOperand) return undefined;
    throw error;
  }
}

/** Derived totals by name. */
export type Totals = ReadonlyMap<string, string>;

function compute(rule: CompiledRule, document: JsonObject): string | undefined {
  const value = rule.derive === undefined ? undefined : evaluate(rule.derive, document);
  return typeof value === 'string' ? toMoney(value) : undefined;
}

function fill(document: JsonObject, keys: readonly string[], value: string): void {
  let parent: JsonValue | undefined = document;
  for (let depth = 0; depth < keys.length - 1; depth++)
    parent = (parent as JsonObject | undefined)?.[keys[depth]!];
  if (typeof parent === 'object' && parent !== null) (parent as JsonObject)[keys.at(-1)!] = value;
}

/**
 * Computes every total of the document and fills those that it carries; their parent object must be there.
 * Changes the document it is given.
 */
export function deriveTotals(schema: SchemaName, document: JsonObject): Totals {
  const totals = new Map<string, string>();
  for (const rule of rulesFor(schema)) {
    const value = rule.derive === undefined ? undefined : compute(rule, document);
    if (value === undefined) continue;
    totals.set(rule.data.derive!.name, value);
    if (rule.into !== undefined) fill(document, rule.into, value);
  }
  return totals;
}

function issueOf(rule: Rule, level: Level, place: Place, params: IssueParams): Issue {
  const authority = rule.authority?.[0];
  return {
    code: rule.code,
    level,
    params: { ...params, ...(authority !== undefined && { rule: authority }) },
    place,
  };
}

/** The issue of a total that is not what it should be, or undefined when it agrees to the cent. */
function difference(rule: Rule, stated: string, computed: string, place: Place): Issue | undefined {
  if (toMoney(stated) === computed || compare(stated, computed) === 0) return undefined;
  const gap = subtract(stated, computed);
  const within = rule.derive?.warn_within;
  const level = within !== undefined && compare(absolute(gap), within) <= 0 ? 'warning' : rule.level;
  return {
    ...issueOf(rule, level, place, { stated, computed, difference: toMoney(gap) ?? gap }),
    value: stated,
  };
}

/** A stated total that is not what it should be. */
export interface WrongTotal {
  /** What mappings call it. */
  readonly name: string;
  readonly issue: Issue;
}

/** Compares totals stated in the file with the derived ones; the caller knows the cells that state them. */
export function compareStated(
  schema: SchemaName,
  totals: Totals,
  stated: (name: string) => string | undefined,
): readonly WrongTotal[] {
  let wrong: WrongTotal[] | undefined;
  for (const { data: rule } of rulesFor(schema)) {
    if (rule.derive === undefined) continue;
    const { name } = rule.derive;
    const claim = stated(name);
    const computed = totals.get(name);
    const issue =
      claim === undefined || computed === undefined ? undefined : difference(rule, claim, computed, {});
    if (issue === undefined) continue;
    wrong ??= [];
    wrong.push({ name, issue });
  }
  return wrong ?? NONE_WRONG;
}

const NONE_WRONG: readonly WrongTotal[] = [];
const NONE: readonly Issue[] = [];

/**
 * Checks a complete document against every rule of its kind. Issues carry the blamed pointer and the authority's rule.
 * `derived` says that its totals were just derived and need no second look.
 */
export function checkRules(schema: SchemaName, document: JsonObject, derived = false): readonly Issue[] {
  let issues: Issue[] | undefined;
  for (const rule of rulesFor(schema)) {
    const issue = checkRule(rule, document) ?? (derived ? undefined : checkTotal(rule, document));
    if (issue === undefined) continue;
    issues ??= [];
    issues.push(issue);
  }
  return issues ?? NONE;
}

function checkRule(rule: CompiledRule, document: JsonObject): Issue | undefined {
  if (rule.that === undefined) return undefined;
  if (rule.when !== undefined && evaluate(rule.when, document) !== true) return undefined;
  if (evaluate(rule.that, document) !== false) return undefined;
  return issueOf(rule.data, rule.data.level, { pointer: rule.data.blame?.[0] ?? '' }, {});
}

/** A total that the document carries, against what its parts add up to. */
function checkTotal(rule: CompiledRule, document: JsonObject): Issue | undefined {
  const into = rule.data.derive?.into;
  if (into === undefined) return undefined;
  const stated = valueAt(document, into);
  const computed = compute(rule, document);
  if (typeof stated !== 'string' || computed === undefined) return undefined;
  return difference(rule.data, stated, computed, { pointer: into });
}
