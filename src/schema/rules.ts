import type { SchemaName } from '../generated/schema-types.js';
import type { Issue, IssueParams } from '../issues/issue.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { PlainDate } from '../values/plain-date.js';
import { formatPointer, type Pointer, parsePointer, valueAt } from '../values/pointer.js';
import { type CompiledCheck, type CompiledRules, rulesFor } from './compile-rules.js';
import { resolveNode } from './registry.js';
import { evaluate, RuleContext } from './rule-context.js';
import { type Levels, ruleIssue } from './rule-issue.js';
import { checkTotals } from './totals.js';

export { type BatchRule, batchRules } from './batch-rules.js';
export { blamedLeaves, ruleAuthority, ruleCodes, ruleEntry } from './rule-data.js';
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
  { derived = false, today, levels }: RuleOptions,
): readonly Issue[] {
  let issues: Issue[] | undefined;
  const context = new RuleContext(document, today);
  const report = (check: CompiledCheck): void => {
    const issue = issueOf(rules.schema, check, context, levels);
    if (issue === undefined) return;
    issues ??= [];
    issues.push(issue);
  };
  if (!derived) issues = checkTotals(rules, context, levels);
  for (const check of rules.whole) if (fails(check, context)) report(check);
  rules.items.walk(document, context.path, (item, checks) => {
    context.item = item;
    for (const check of checks) if (fails(check, context)) report(check);
  });
  return issues ?? NONE;
}

const fails = ({ when, that, rule }: CompiledCheck, context: RuleContext): boolean =>
  (when === undefined || evaluate(when, context) === true) &&
  evaluate(that, context) === false &&
  (rule.dated_by === undefined || isInForce(rule, context.document));

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

/** The blamed leaf: an absolute pointer, a member of the item, or the item itself. */
function blamed({ data: { blame } }: CompiledCheck, path: readonly (string | number)[]): Pointer {
  if (blame.startsWith('/')) return blame;
  return formatPointer(blame === 'self' ? path : [...path, blame]);
}

function issueOf(
  schema: SchemaName,
  check: CompiledCheck,
  context: RuleContext,
  levels: Levels | undefined,
): Issue | undefined {
  const { rule, data } = check;
  const pointer = blamed(check, context.path);
  const issue = ruleIssue(
    rule,
    data.level ?? rule.level,
    pointer,
    wordsOf(schema, check, pointer, context),
    levels,
  );
  if (issue === undefined) return undefined;
  const found = valueAt(context.document, pointer) as JsonValue | undefined;
  return isLeaf(found) ? { ...issue, value: String(found) } : issue;
}

const isLeaf = (value: JsonValue | undefined): value is string | number | boolean =>
  value !== undefined && typeof value !== 'object';

/** What the wording names: the field and its Spanish title as for faults of shape, and the rule's own params. */
function wordsOf(
  schema: SchemaName,
  { params }: CompiledCheck,
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
