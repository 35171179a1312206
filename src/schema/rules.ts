import type { FormulaValue } from '../formula/functions.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Issue, IssueParams } from '../issues/issue.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { PlainDate } from '../values/plain-date.js';
import { type Pointer, parsePointer, valueAt } from '../values/pointer.js';
import { repeatedItems } from './batch-rules.js';
import { blamed } from './blamed.js';
import { type CompiledCheck, type CompiledRules, rulesFor } from './compile-rules.js';
import { follow } from './document-scope.js';
import { resolveNode } from './registry.js';
import { evaluate, RuleContext, type RunParams } from './rule-context.js';
import { type Levels, levelOn, ruleIssue } from './rule-issue.js';
import { checkTotals } from './totals.js';
import type { UncheckedTables } from './unchecked-tables.js';

export { type BatchKey, type BatchRule, batchRules, type SameRule, sameRules } from './batch-rules.js';
export { blamedLeaves, codesOf, ruleAuthority, ruleCodes, ruleEntry, shapeAuthority } from './rule-data.js';
export type { Levels } from './rule-issue.js';
export {
  compareStated,
  derivedLeaves,
  derivedNames,
  deriveTotals,
  type Totals,
  type WrongTotal,
} from './totals.js';

export interface RuleOptions {
  /** The totals of the document were just derived and need no second look. @default false */
  readonly derived?: boolean;
  /** The day of the run; rules that need it are silent without it. */
  readonly today?: PlainDate;
  /** Parameters of the run; rules that need one are silent without it. */
  readonly params?: RunParams;
  /** Levels that the caller gives to codes instead of their own; `off` silences one. */
  readonly levels?: Levels;
  /** Is told of the tables that rules needed and that are not loaded; the same for all documents of a run. */
  readonly unchecked?: UncheckedTables;
}

const NONE: readonly Issue[] = [];
const DERIVED: RuleOptions = { derived: true };
const AS_IT_IS: RuleOptions = {};

/**
 * Checks a complete document against every rule of its kind that one document can answer. Issues carry the blamed
 * pointer and the authority's rules; where a value that a rule needs is missing or malformed, the rule is silent.
 * `true` for `options` stands for `{ derived: true }`.
 */
export function checkRules(
  schema: SchemaName,
  document: JsonObject,
  options: RuleOptions | boolean = AS_IT_IS,
): readonly Issue[] {
  if (typeof options === 'boolean') return checkRules(schema, document, options ? DERIVED : AS_IT_IS);
  return runRules(rulesFor(schema), document, options);
}

/** The same, with rules of one's own. */
export function runRules(
  rules: CompiledRules,
  document: JsonObject,
  { derived = false, today, params, levels, unchecked }: RuleOptions,
): readonly Issue[] {
  let issues: Issue[] | undefined;
  const context = new RuleContext(document, today, params);
  const add = (issue: Issue | undefined): void => {
    if (issue === undefined) return;
    issues ??= [];
    issues.push(issue);
  };
  const broken = (check: CompiledCheck): void => {
    if (isInForce(check.rule, document)) add(issueOf(rules.schema, check, context, levels));
  };
  const look = (check: CompiledCheck): void => {
    if (check.lacks !== undefined) tellUnchecked(check, context, unchecked);
    else if (isBrokenByOne(check, context)) broken(check);
  };
  unchecked?.begin();
  if (!derived) issues = checkTotals(rules, context, levels);
  rules.whole(context, broken, look);
  rules.items.walk(document, context.path, (item, runners) => {
    context.item = item;
    for (const run of runners) run(context, broken, look);
  });
  for (const unique of rules.unique)
    if (unique.items !== undefined)
      for (const pointer of repeatedItems(unique, context)) {
        const level = levelOn(unique.rule, unique.rule.level, today);
        const words = wordsOf(rules.schema, pointer, [], []);
        const value = valueAt(document, pointer) as JsonValue | undefined;
        add(withValue(ruleIssue(unique.rule, level, pointer, words, levels), value));
      }
  return issues ?? NONE;
}

/** A check whose table is not there is due for what is there to check. */
function tellUnchecked(
  { when, lacks, rule }: CompiledCheck,
  context: RuleContext,
  unchecked: UncheckedTables | undefined,
): void {
  if (unchecked === undefined || context.item === null || unchecked.isCounted(lacks!)) return;
  if (when === undefined || evaluate(when, context) !== false)
    unchecked.add(lacks!, rule.authority?.[0] ?? rule.code);
}

const isBroken = ({ when, that }: CompiledCheck, context: RuleContext): boolean =>
  (when === undefined || evaluate(when, context) === true) && evaluate(that, context) === false;

/** The item is compared with each of the others until it does not hold; that one then words the issue. */
function isBrokenByOne(check: CompiledCheck, context: RuleContext): boolean {
  let breaker: JsonValue | undefined;
  check.against?.each(context.document, context.path, (other) => {
    if (breaker !== undefined) return;
    context.other = other;
    if (isBroken(check, context)) breaker = other;
  });
  context.other = breaker;
  return breaker !== undefined;
}

/** Rules of a norm hold for the documents of its days. */
function isInForce(
  { dated_by, valid_from, valid_until }: CompiledCheck['rule'],
  document: JsonObject,
): boolean {
  if (dated_by === undefined) return true;
  const date = valueAt(document, dated_by);
  if (typeof date !== 'string') return false;
  return (
    (valid_from === undefined || date >= valid_from) && (valid_until === undefined || date <= valid_until)
  );
}

/** Documents of a file break a rule alike: while all that an issue is made of is the same, so is the issue. */
function issueOf(
  schema: SchemaName,
  check: CompiledCheck,
  context: RuleContext,
  levels: Levels | undefined,
): Issue | undefined {
  const { rule, data, memory } = check;
  const pointer = blamed(data.blame, context.path);
  const level = levelOn(rule, data.level ?? rule.level, context.today);
  const { last } = memory;
  const keys = last?.pointer === pointer ? last.keys : parsePointer(pointer);
  const value = follow(context.document, keys);
  const params = check.params.map(([, formula]) => evaluate(formula, context));
  if (
    last?.pointer === pointer &&
    last.level === level &&
    last.levels === levels &&
    last.value === value &&
    last.params.every((param, index) => param === params[index])
  )
    return last.issue;
  const words = wordsOf(schema, pointer, check.params, params);
  const issue = withValue(ruleIssue(rule, level, pointer, words, levels), value);
  memory.last = { pointer, keys, level, levels, value, params, issue };
  return issue;
}

/** What was found at the pointer of an issue, where it is a leaf. */
const withValue = (issue: Issue | undefined, found: JsonValue | undefined): Issue | undefined =>
  issue && isLeaf(found) ? { ...issue, value: String(found) } : issue;

const isLeaf = (value: JsonValue | undefined): value is string | number | boolean =>
  value !== undefined && typeof value !== 'object';

/** What the wording names: the field and its Spanish title as for faults of shape, and the rule's own params. */
function wordsOf(
  schema: SchemaName,
  pointer: Pointer,
  params: CompiledCheck['params'],
  values: readonly FormulaValue[],
): IssueParams {
  const keys = parsePointer(pointer);
  const field = keys.findLast((key) => !/^\d+$/.test(key)) ?? '';
  const words: Record<string, string> = { field, title: resolveNode(schema, keys)?.title ?? field };
  for (const [index, [name]] of params.entries())
    if (values[index] !== undefined) words[name] = String(values[index]);
  return words;
}
