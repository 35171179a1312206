import type { SchemaName } from '../generated/schema-types.js';
import type { Issue, IssueParams } from '../issues/issue.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { PlainDate } from '../values/plain-date.js';
import { type Pointer, parsePointer, valueAt } from '../values/pointer.js';
import { repeatedItems } from './batch-rules.js';
import { blamed } from './blamed.js';
import { type CompiledCheck, type CompiledRules, rulesFor } from './compile-rules.js';
import { resolveNode } from './registry.js';
import { evaluate, RuleContext } from './rule-context.js';
import { type Levels, levelOn, ruleIssue } from './rule-issue.js';
import { checkTotals } from './totals.js';
import type { UncheckedTables } from './unchecked-tables.js';

export { type BatchKey, type BatchRule, batchRules } from './batch-rules.js';
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
  { derived = false, today, levels, unchecked }: RuleOptions,
): readonly Issue[] {
  let issues: Issue[] | undefined;
  const context = new RuleContext(document, today);
  const add = (issue: Issue | undefined): void => {
    if (issue === undefined) return;
    issues ??= [];
    issues.push(issue);
  };
  const look = (check: CompiledCheck): void => {
    if (check.lacks !== undefined) tellUnchecked(check, context, unchecked);
    else if (fails(check, context)) add(issueOf(rules.schema, check, context, levels));
  };
  unchecked?.begin();
  if (!derived) issues = checkTotals(rules, context, levels);
  for (const check of rules.whole) look(check);
  rules.items.walk(document, context.path, (item, checks) => {
    context.item = item;
    for (const check of checks) look(check);
  });
  for (const unique of rules.unique)
    if (unique.items !== undefined)
      for (const pointer of repeatedItems(unique, context)) {
        const level = levelOn(unique.rule, unique.rule.level, today);
        const words = wordsOf(rules.schema, NO_PARAMS, pointer, context);
        add(withValue(ruleIssue(unique.rule, level, pointer, words, levels), document));
      }
  return issues ?? NONE;
}

const NO_PARAMS: CompiledCheck['params'] = [];

/** A check whose table is not there is due for what is there to check. */
function tellUnchecked(
  { when, lacks, rule }: CompiledCheck,
  context: RuleContext,
  unchecked: UncheckedTables | undefined,
): void {
  if (unchecked === undefined || context.item === null) return;
  if (when === undefined || evaluate(when, context) !== false)
    unchecked.add(lacks!, rule.authority?.[0] ?? rule.code);
}

const fails = (check: CompiledCheck, context: RuleContext): boolean =>
  (check.against === undefined ? isBroken(check, context) : isBrokenByOne(check.against, check, context)) &&
  (check.rule.dated_by === undefined || isInForce(check.rule, context.document));

const isBroken = ({ when, that }: CompiledCheck, context: RuleContext): boolean =>
  (when === undefined || evaluate(when, context) === true) && evaluate(that, context) === false;

/** The item is compared with each of the others until it does not hold; that one then words the issue. */
function isBrokenByOne(
  against: NonNullable<CompiledCheck['against']>,
  check: CompiledCheck,
  context: RuleContext,
): boolean {
  let breaker: JsonValue | undefined;
  against.walk(context.document, context.path, (other) => {
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
  const date = valueAt(document, dated_by!);
  if (typeof date !== 'string') return false;
  return (
    (valid_from === undefined || date >= valid_from) && (valid_until === undefined || date <= valid_until)
  );
}

function issueOf(
  schema: SchemaName,
  check: CompiledCheck,
  context: RuleContext,
  levels: Levels | undefined,
): Issue | undefined {
  const { rule, data } = check;
  const pointer = blamed(data.blame, context.path);
  const level = levelOn(rule, data.level ?? rule.level, context.today);
  const issue = ruleIssue(rule, level, pointer, wordsOf(schema, check.params, pointer, context), levels);
  return withValue(issue, context.document);
}

/** What was found at the pointer of an issue, where it is a leaf. */
function withValue(issue: Issue | undefined, document: JsonObject): Issue | undefined {
  const found = issue && (valueAt(document, issue.place.pointer ?? '') as JsonValue | undefined);
  return issue && isLeaf(found) ? { ...issue, value: String(found) } : issue;
}

const isLeaf = (value: JsonValue | undefined): value is string | number | boolean =>
  value !== undefined && typeof value !== 'object';

/** What the wording names: the field and its Spanish title as for faults of shape, and the rule's own params. */
function wordsOf(
  schema: SchemaName,
  params: CompiledCheck['params'],
  pointer: Pointer,
  context: RuleContext,
): IssueParams {
  const keys = parsePointer(pointer);
  const field = keys.findLast((key) => !/^\d+$/.test(key)) ?? '';
  const words: Record<string, string> = { field, title: resolveNode(schema, keys)?.title ?? field };
  for (const [name, formula] of params) {
    const value = evaluate(formula, context);
    if (value !== undefined) words[name] = String(value);
  }
  return words;
}
