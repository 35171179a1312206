import type { Check, Derive, Rule, Same, Unique } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import type { Issue, Level, Suggestion } from '../core/issue.js';
import { type JsonValue, type Pointer, parsePointer } from '../core/json.js';
import { isPlainDate, type PlainDate } from '../core/plain-date.js';
import { type Formula, FormulaGroup } from '../formula/compile.js';
import { BlankOperand, type FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import { cachedByLists, firstDay, isDatedTable, nearestCodes } from './catalogue.js';
import { catalogueFunctions } from './catalogue-functions.js';
import { MissingFigure } from './dated-rows.js';
import { PointerTree } from './pointer-tree.js';
import { type Levels, type RuleData, ruleData } from './rule-data.js';
import { follow, type RuleContext, RuleScope } from './rule-scope.js';

/**
 * Runs several checks at the current item, and passes those that fail, or need more than two formulas, to the
 * run.
 */
type CheckRunner = (context: RuleContext, run: CheckingRun) => void;

/** Receives what a `CheckRunner` finds in a document. */
export interface CheckingRun {
  broken(check: CompiledCheck): void;
  /** Evaluates a check that compares items or lacks a table. */
  look(check: CompiledCheck): void;
  /** Reports a missing figure of a law table. */
  lacking(check: CompiledCheck, figure: MissingFigure): void;
}

/** Ignores a blank operand: the missing leaf is reported by another check. */
function pass(error: unknown, run: CheckingRun, check: CompiledCheck): void {
  if (error instanceof MissingFigure) run.lacking(check, error);
  else if (!(error instanceof BlankOperand)) throw error;
}

/**
 * Compiles checks into one JavaScript function with their formulas inlined: every document passes all of them,
 * and a call for each would cost more than most checks do.
 */
function compileRunner(checks: readonly CompiledCheck[]): CheckRunner {
  const group = new FormulaGroup<RuleContext>();
  const lines = checks.map(({ when, that, against, lacks, dated }, at) => {
    if (against !== undefined || lacks !== undefined || dated !== undefined)
      return `run.look(checks[${at}]);`;
    const fails = group.test(that, false, `run.broken(checks[${at}]);`);
    return `try { ${when === undefined ? fails : group.test(when, true, fails)} } catch (error) { pass(error, run, checks[${at}]); }`;
  });
  return group.compile('c, run', lines.join('\n'), { checks, pass });
}

/** Compiles a runner on first use: most kinds of items are in no document of a run. */
function whenMet(compile: () => CheckRunner): CheckRunner {
  let runner: CheckRunner | undefined;
  return (context, run) => {
    runner ??= compile();
    runner(context, run);
  };
}

export type RuleFormula = Formula<RuleContext>;

export interface CompiledCheck {
  readonly rule: Rule;
  readonly data: Check;
  readonly when?: RuleFormula;
  readonly that: RuleFormula;
  readonly params: readonly (readonly [string, RuleFormula])[];
  /** Items with which those of `each` are compared. */
  readonly against?: PointerTree<true>;
  /** Names of required tables that are not loaded. */
  readonly lacks?: readonly string[];
  /** Set if a table's content depends on the day of the item. */
  readonly dated?: DatedTables;
  /** Finds the codes of the check's list that are nearest to an unknown one. */
  readonly nearest?: (code: string) => readonly Suggestion[];
  /** Last finding, and the list of each missing figure, which must stay one object. */
  readonly memory: { last?: Finding; lacked?: Map<string, readonly string[]> };
}

export interface DatedTables {
  /** Returns the day of the item, or undefined if it has none. */
  readonly dayOf: (context: RuleContext) => PlainDate | undefined;
  /** Tables, with what each is said to miss on days before its first version. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
}

/** Last issue of a check with all its inputs. */
interface Finding {
  readonly pointer: Pointer;
  readonly keys: readonly string[];
  readonly level: Level;
  readonly levels: Levels | undefined;
  readonly value: JsonValue | undefined;
  readonly params: readonly FormulaValue[];
  readonly issue: Issue | undefined;
}

export interface CompiledTotal {
  readonly rule: Rule;
  readonly data: Derive;
  readonly formula: RuleFormula;
  /** Keys of the leaf that holds the total. */
  readonly into?: readonly string[];
}

export interface CompiledUnique {
  readonly rule: Rule;
  readonly data: Unique;
  readonly when?: RuleFormula;
  readonly of: readonly RuleFormula[];
  /** Items that have the values; undefined if the document has them. */
  readonly items?: PointerTree<true>;
}

interface CompiledSame {
  readonly rule: Rule;
  readonly data: Same;
  readonly of: readonly RuleFormula[];
  readonly has: readonly RuleFormula[];
}

export interface CompiledRules {
  readonly schema: SchemaName;
  readonly totals: readonly CompiledTotal[];
  readonly ofDocument: CheckRunner;
  /** Checks of items by their pointers: absent items cost nothing. */
  readonly items: PointerTree<CheckRunner>;
  readonly unique: readonly CompiledUnique[];
  readonly same: readonly CompiledSame[];
}

/** Adds the rule's code to an error of its formula. */
function withRuleCode<T>(code: string, compile: () => T): T {
  try {
    return compile();
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    const details = JSON.stringify(fault.params);
    throw new Error(`rule ${code}: ${fault.code} at ${fault.at} ${details}`, { cause: fault });
  }
}

/** Tables that a formula looks a code up in. */
const LOOKED_UP = /\b(?:has|has_value|says|says_number)\('(\w+)'/g;

const tablesIn = ({ that, when = '' }: Check): readonly string[] => [
  ...new Set([...`${that} ${when}`.matchAll(LOOKED_UP)].flatMap(([, table]) => table ?? [])),
];

/** Returns the tables of a check with versions by day, and the day of its items; undefined without either. */
function datedTables(data: Check, days: readonly string[]): DatedTables | undefined {
  const tables = tablesIn(data).filter(isDatedTable);
  const keys = days
    .map((day) => parsePointer(day))
    .filter((day) => data.each?.every((item) => standsBeside(day, parsePointer(item))))[0];
  if (tables.length === 0 || keys === undefined) return undefined;
  return {
    tables: new Map(tables.map((table) => [table, [`${table}@${firstDay(table)}`]])),
    dayOf({ document, path }) {
      const moment = follow(
        document,
        keys.map((key, at) => (key === '*' ? String(path[at]) : key)),
      );
      const day = typeof moment === 'string' ? moment.slice(0, 10) : '';
      return isPlainDate(day) ? day : undefined;
    },
  };
}

/** True if a leaf is a member of the item or of one of its containers. */
const standsBeside = (leaf: readonly string[], item: readonly string[]): boolean =>
  leaf.slice(0, -1).every((key, at) => key === item[at]);

function compileCheck(scope: RuleScope, rule: Rule, data: Check, days: readonly string[]): CompiledCheck {
  const { each, against, params = {} } = data;
  const items = each && { each, ...(against && { against }) };
  const that = scope.compile(data.that, 'boolean', items);
  const when = data.when === undefined ? undefined : scope.compile(data.when, 'boolean', items);
  const asks = when === undefined || when.absent.length === 0; // else it cannot say whether the check is due
  const lacks = [...that.absent, ...(when?.absent ?? [])];
  return {
    rule,
    data,
    that,
    ...(when && asks && { when }),
    ...(against && { against: treeOf(against) }),
    ...(lacks.length > 0 ? { lacks } : datedIn(data, days)),
    ...nearestIn(data),
    params: Object.entries(params).map(([name, source]) => [name, scope.compile(source, undefined, items)]),
    memory: {},
  };
}

/** Returns the suggestions of a check that a list has a code. */
function nearestIn({ that }: Check): Pick<CompiledCheck, 'nearest'> {
  const [, table] = /^has\('(\w+)', /.exec(that) ?? [];
  return table === undefined ? {} : { nearest: nearestCodes(table) };
}

/** Splits a check whose items have days at several places. */
function byDay(data: Check, days: readonly string[]): readonly Check[] {
  if (!tablesIn(data).some(isDatedTable)) return [data];
  const parts = new Map<string | undefined, string[]>();
  for (const item of data.each ?? []) {
    const day = days.find((leaf) => standsBeside(parsePointer(leaf), parsePointer(item)));
    parts.set(day, [...(parts.get(day) ?? []), item]);
  }
  return [...parts.values()].map((each) => ({ ...data, each: each as [string, ...string[]] }));
}

const datedIn = (data: Check, days: readonly string[]): Pick<CompiledCheck, 'dated'> => {
  const dated = datedTables(data, days);
  return dated === undefined ? {} : { dated };
};

function treeOf(pointers: readonly string[]): PointerTree<true> {
  const tree = new PointerTree<true>();
  for (const pointer of pointers) tree.add(pointer, true);
  return tree;
}

function compileTotal(scope: RuleScope, rule: Rule, data: Derive): CompiledTotal {
  const formula = scope.compile(data.formula, 'decimal');
  return { rule, data, formula, ...(data.into !== undefined && { into: parsePointer(data.into) }) };
}

function compileUnique(scope: RuleScope, rule: Rule, data: Unique): CompiledUnique {
  const { each } = data;
  const items = each && { each };
  return {
    rule,
    data,
    of: data.of.map((source) => scope.compile(source, undefined, items)),
    ...(data.when !== undefined && { when: scope.compile(data.when, 'boolean', items) }),
    ...(each && { items: treeOf(each) }),
  };
}

/** Compiles the rules of a schema. Throws an Error that names the rule if one of its formulas is wrong. */
export function compileRules(
  schema: SchemaName,
  { rules, terms, days }: RuleData,
  functions = catalogueFunctions(),
): CompiledRules {
  const scope = new RuleScope(schema, terms, functions);
  const totals: CompiledTotal[] = [];
  const ofDocument: CompiledCheck[] = [];
  /** Checks by the pointer of their items, each with its number. */
  const each = new Map<string, Map<number, CompiledCheck>>();
  let checks = 0;
  const unique: CompiledUnique[] = [];
  const same: CompiledSame[] = [];
  for (const rule of rules) {
    if (!rule.schemas.includes(schema)) continue;
    withRuleCode(rule.code, () => {
      if (rule.derive !== undefined) totals.push(compileTotal(scope, rule, rule.derive));
      if (rule.unique !== undefined) unique.push(compileUnique(scope, rule, rule.unique));
      if (rule.same !== undefined) {
        const compiled = (list: readonly string[]) => list.map((source) => scope.compile(source));
        same.push({ rule, data: rule.same, of: compiled(rule.same.of), has: compiled(rule.same.has) });
      }
      for (const data of rule.checks ?? []) {
        if (data.schemas?.includes(schema) === false) continue;
        if (data.each === undefined) ofDocument.push(compileCheck(scope, rule, data, days));
        else
          for (const part of byDay(data, days)) {
            const check = compileCheck(scope, rule, part, days);
            checks += 1;
            for (const pointer of part.each ?? [])
              each.set(pointer, (each.get(pointer) ?? new Map()).set(checks, check));
          }
      }
    });
  }
  const items = new PointerTree<CheckRunner>();
  /** Runners by their checks; items with the same checks share one. */
  const runners = new Map<string, CheckRunner>();
  for (const [pointer, found] of each) {
    const name = [...found.keys()].join();
    const runner = runners.get(name) ?? whenMet(() => compileRunner([...found.values()]));
    runners.set(name, runner);
    items.add(pointer, runner);
  }
  return { schema, totals, ofDocument: compileRunner(ofDocument), items, unique, same };
}

/** Returns the compiled rules of schemas/rules for a schema, cached for the code lists in force. */
export const rulesFor = cachedByLists(
  (schema: SchemaName): CompiledRules => compileRules(schema, ruleData()),
);
