import type { Issue, IssueParams, Level } from '../core/issue.js';
import { type JsonObject, type JsonValue, type Pointer, parsePointer, valueAt } from '../core/json.js';
import type { PlainDate } from '../core/plain-date.js';
import type { FormulaValue } from '../formula/functions.js';
import type { RuleCode } from '../generated/issue-codes.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { UncheckedTables } from './catalogue-functions.js';
import {
  type CompiledCheck,
  type CompiledRules,
  type CompiledUnique,
  type RuleFormula,
  rulesFor,
} from './compile-rules.js';
import { resolveNode } from './registry.js';
import { blamed, type Levels, levelOn, ruleIssue } from './rule-data.js';
import { evaluate, follow, RuleContext, type RunParams } from './rule-scope.js';
import { checkTotals } from './totals.js';

/** What a document, or an item of it, has that no other of the file may have. */
export interface BatchKey {
  readonly key: string;
  /** Leaf that is at fault where another had it before; worked out when asked for. */
  readonly pointer: Pointer;
}

class FoundKey implements BatchKey {
  constructor(
    readonly key: string,
    private readonly blame: string,
    private readonly path: readonly (string | number)[],
  ) {}

  get pointer(): Pointer {
    return blamed(this.blame, this.path);
  }
}

/** A rule over the documents of a file: no two of them may have the same key. */
export interface BatchRule {
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Each key once; none when the document takes no part, or lacks a part of its key. */
  readonly keysOf: (document: JsonObject) => readonly BatchKey[];
}

/** What is compared, as one text, of the document or the item that is looked at. */
function keyIn({ when, of }: CompiledUnique, context: RuleContext): string | undefined {
  return when !== undefined && evaluate(when, context) !== true ? undefined : textOf(of, context);
}

/** Every key of a document in order, those that it has twice among them. */
function allKeys(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const { items, data } = unique;
  const found: BatchKey[] = [];
  const meet = (): void => {
    const key = keyIn(unique, context);
    if (key !== undefined) found.push(new FoundKey(key, data.blame, context.path.slice()));
  };
  if (items === undefined) meet();
  else
    items.walk(context.document, context.path, (item) => {
      context.item = item;
      meet();
    });
  return found;
}

function keysOf(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const found = allKeys(unique, context);
  if (found.length < 2) return found;
  const keys = new Map<string, BatchKey>();
  for (const one of found) if (!keys.has(one.key)) keys.set(one.key, one);
  return [...keys.values()];
}

/** Whether a document has two of the items at all; most have not, and their keys need not be made. */
function hasTwo({ items }: CompiledUnique, { document, path }: RuleContext): boolean {
  let count = 0;
  items?.each(document, path, () => {
    count += 1;
  });
  return count > 1;
}

/** The leaves at fault of the items of one document that repeat an earlier one of it. */
function repeatedItems(unique: CompiledUnique, context: RuleContext): readonly Pointer[] {
  if (!hasTwo(unique, context)) return NO_RULES;
  const seen = new Set<string>();
  return allKeys(unique, context)
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ pointer }) => pointer);
}

const NO_RULES: readonly Pointer[] = [];

/** A rule over the documents of a file: those of one key have one value. */
export interface SameRule {
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** What the key is made of: rules of one such may share what is remembered of it. */
  readonly by: string;
  /** Leaf that is at fault. */
  readonly pointer: Pointer;
  readonly keyOf: (document: JsonObject) => string | undefined;
  readonly valueOf: (document: JsonObject) => string | undefined;
}

/** Several values as one text; undefined when one is blank. */
function textOf(formulas: readonly RuleFormula[], context: RuleContext): string | undefined {
  let text: string | undefined;
  for (const formula of formulas) {
    const value = evaluate(formula, context);
    if (value === undefined) return undefined;
    text = text === undefined ? String(value) : `${text}|${value}`;
  }
  return text;
}

export function sameRules(schema: SchemaName): readonly SameRule[] {
  let context: RuleContext | undefined;
  const contextOf = (document: JsonObject): RuleContext => {
    if (context?.document !== document) context = new RuleContext(document);
    return context;
  };
  return rulesFor(schema).same.map(({ rule, data, of, has }) => ({
    code: rule.code as RuleCode,
    level: rule.level,
    authority: rule.authority ?? [],
    by: data.of.join('|'),
    pointer: data.blame,
    keyOf: (document) => textOf(of, contextOf(document)),
    valueOf: (document) => textOf(has, contextOf(document)),
  }));
}

/** The rules over a whole file of documents of a schema; the caller remembers the keys. */
export function batchRules(schema: SchemaName): readonly BatchRule[] {
  let context: RuleContext | undefined;
  /** What one rule worked out of a document serves the next. */
  const contextOf = (document: JsonObject): RuleContext => {
    if (context?.document !== document) context = new RuleContext(document);
    return context;
  };
  return rulesFor(schema)
    .unique.filter(({ data }) => data.within === undefined)
    .map((unique) => ({
      code: unique.rule.code as RuleCode,
      level: unique.rule.level,
      authority: unique.rule.authority ?? [],
      keysOf: (document) => keysOf(unique, contextOf(document)),
    }));
}

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
