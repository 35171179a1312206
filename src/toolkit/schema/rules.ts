import type { SchemaName } from '../../generated/schema-types.js';
import { type Issue, type IssueParams, NO_ISSUES } from '../core/issue.js';
import { type JsonObject, type JsonValue, type Pointer, parsePointer, valueAt } from '../core/json.js';
import type { PlainDate } from '../core/plain-date.js';
import type { FormulaValue } from '../formula/functions.js';
import { repeatedItems } from './batch-rules.js';
import { onDay, type UncheckedTables, wholeCatalogue } from './catalogue.js';
import {
  type CheckingRun,
  type CompiledCheck,
  type CompiledRules,
  type DatedTables,
  type RuleFormula,
  rulesFor,
} from './compiled-rules.js';
import { MissingFigure } from './dated-rows.js';
import { checkTotals } from './derived-totals.js';
import { resolveNode } from './registry.js';
import { blamed, type Levels, levelOn, ruleIssue } from './rule-data.js';
import { evaluate, follow, RuleContext, type RunParams } from './rule-scope.js';

export interface RuleOptions {
  /** Skips totals, because they were just derived. @default false */
  readonly derived?: boolean;
  /** Day of the run; rules that need it are silent without it. */
  readonly today?: PlainDate;
  /** Parameters of the run; rules that need one are silent without it. */
  readonly params?: RunParams;
  /** Levels by code that replace a rule's own; `off` disables it. */
  readonly levels?: Levels;
  /** Collects the tables that rules needed and that are not loaded; shared by the documents of a run. */
  readonly unchecked?: UncheckedTables;
}

const DERIVED: RuleOptions = { derived: true };
const AS_IT_IS: RuleOptions = {};

/**
 * Checks a complete document against every rule of its schema that one document can answer. Issues carry the
 * blamed pointer and the authority's ids; a rule whose operands are missing or malformed is silent. `true` for
 * `options` means `{ derived: true }`.
 */
export function checkRules(
  schema: SchemaName,
  document: JsonObject,
  options: RuleOptions | boolean = AS_IT_IS,
): readonly Issue[] {
  if (typeof options === 'boolean') return checkRules(schema, document, options ? DERIVED : AS_IT_IS);
  return runRules(rulesFor(schema), document, options);
}

/** Checks a document against the given rules. */
export function runRules(rules: CompiledRules, document: JsonObject, options: RuleOptions): readonly Issue[] {
  const context = new RuleContext(document, options.today, options.params);
  const run = new RuleRun(rules, context, options);
  options.unchecked?.begin();
  if (options.derived !== true)
    for (const issue of checkTotals(rules, context, options.levels)) run.add(issue);
  rules.ofDocument(context, run);
  rules.items.walk(document, context.path, (item, runners) => {
    context.item = item;
    for (const runner of runners) runner(context, run);
  });
  run.lookForRepeated();
  return run.issues ?? NO_ISSUES;
}

/** Rules of one document; a class, since there are many documents. */
class RuleRun implements CheckingRun {
  issues: Issue[] | undefined;

  constructor(
    private readonly rules: CompiledRules,
    private readonly context: RuleContext,
    private readonly options: RuleOptions,
  ) {}

  add(issue: Issue | undefined): void {
    if (issue === undefined) return;
    this.issues ??= [];
    this.issues.push(issue);
  }

  broken(check: CompiledCheck): void {
    const { rules, context, options } = this;
    if (isInForce(check.rule, context.document))
      this.add(issueOf(rules.schema, check, context, options.levels));
  }

  lacking(check: CompiledCheck, { needed }: MissingFigure): void {
    const { unchecked } = this.options;
    if (unchecked === undefined || !isInForce(check.rule, this.context.document)) return;
    const { memory } = check;
    memory.lacked ??= new Map();
    const lacks = memory.lacked.get(needed) ?? [needed];
    memory.lacked.set(needed, lacks);
    if (!unchecked.isCounted(lacks)) unchecked.add(lacks, check.rule.code);
  }

  look(check: CompiledCheck): void {
    try {
      this.lookWithTables(check);
    } catch (error) {
      if (!(error instanceof MissingFigure)) throw error;
      this.lacking(check, error);
    }
  }

  private lookWithTables(check: CompiledCheck): void {
    const { lacks, dated } = check;
    const { context, options } = this;
    const day = dated?.dayOf(context);
    if (lacks !== undefined) countUnchecked(check, lacks, context, options.unchecked);
    else if (dated !== undefined && day !== undefined) this.lookOn(day, check, dated);
    else this.lookAt(check);
  }

  private lookOn(day: PlainDate, check: CompiledCheck, { tables }: DatedTables): void {
    onDay(day, () => {
      for (const [table, lacks] of tables)
        if (wholeCatalogue(table) === undefined)
          return countUnchecked(check, lacks, this.context, this.options.unchecked);
      this.lookAt(check);
    });
  }

  private lookAt(check: CompiledCheck): void {
    const { context } = this;
    if (check.against === undefined ? isBroken(check, context) : isBrokenByOne(check, context))
      this.broken(check);
  }

  lookForRepeated(): void {
    const { rules, context, options } = this;
    for (const unique of rules.unique) {
      if (unique.items === undefined) continue;
      for (const pointer of repeatedItems(unique, context)) {
        const level = levelOn(unique.rule, unique.rule.level, options.today);
        const words = wordsOf(rules.schema, pointer, [], []);
        const value = valueAt(context.document, pointer) as JsonValue | undefined;
        this.add(withValue(ruleIssue(unique.rule, level, pointer, words, options.levels), value));
      }
    }
  }
}

/** Counts a check whose table is missing, if it applies. */
function countUnchecked(
  { when, rule }: CompiledCheck,
  lacks: readonly string[],
  context: RuleContext,
  unchecked: UncheckedTables | undefined,
): void {
  if (unchecked === undefined || context.item === null || unchecked.isCounted(lacks)) return;
  if (when === undefined || evaluate(when, context) !== false)
    unchecked.add(lacks, rule.authority?.[0] ?? rule.code);
}

const isBroken = ({ when, that }: CompiledCheck, context: RuleContext): boolean =>
  (when === undefined || evaluate(when, context) === true) && evaluate(that, context) === false;

/** Compares the item with the others until one violates the check; that one is in the wording. */
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

/** True if the document's date is within the rule's validity. */
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

/** Computes a param of the wording; blank if a figure is missing that the rule itself did not need. */
function paramOf(formula: RuleFormula, context: RuleContext): FormulaValue {
  try {
    return evaluate(formula, context);
  } catch (error) {
    if (error instanceof MissingFigure) return undefined;
    throw error;
  }
}

/**
 * Creates the issue of a violated check, or reuses the last one: documents of a file violate a rule in the
 * same way.
 */
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
  if (
    last?.pointer === pointer &&
    last.level === level &&
    last.levels === levels &&
    last.value === value &&
    check.params.every(([, formula], index) => paramOf(formula, context) === last.params[index])
  )
    return last.issue;
  const params = check.params.map(([, formula]) => paramOf(formula, context));
  const words = wordsOf(schema, pointer, check.params, params);
  const issue = withNearest(withValue(ruleIssue(rule, level, pointer, words, levels), value), check);
  memory.last = { pointer, keys, level, levels, value, params, issue };
  return issue;
}

/** Adds the value at the issue's pointer, if it is a leaf. */
const withValue = (issue: Issue | undefined, found: JsonValue | undefined): Issue | undefined =>
  issue && isLeaf(found) ? { ...issue, value: String(found) } : issue;

function withNearest(issue: Issue | undefined, { nearest }: CompiledCheck): Issue | undefined {
  const suggestions = issue?.value === undefined ? [] : (nearest?.(issue.value) ?? []);
  return issue === undefined || suggestions.length === 0 ? issue : { ...issue, suggestions };
}

const isLeaf = (value: JsonValue | undefined): value is string | number | boolean =>
  value !== undefined && typeof value !== 'object';

/** Returns the params of the wording: the field, its Spanish title, and the rule's own. */
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
