import type { Check, Derive, Rule, Same, Unique } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import type { Issue, Level, Suggestion } from '../core/issue.js';
import { type JsonValue, type Pointer, parsePointer } from '../core/json.js';
import { isPlainDate, type PlainDate } from '../core/plain-date.js';
import { type Formula, FormulaGroup } from '../formula/compile.js';
import { BlankOperand, type FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import { firstDay, isDatedTable, keptByLists, nearestCodes } from './catalogue.js';
import { catalogueFunctions } from './catalogue-functions.js';
import { MissingFigure } from './dated-rows.js';
import { PointerTree } from './pointer-tree.js';
import { type Levels, type RuleData, ruleData } from './rule-data.js';
import { follow, type RuleContext, RuleScope } from './rule-scope.js';

/**
 * Runs several checks over what the context stands at: the run is told of those that do not hold, and looks itself at those that
 * take more than two formulas: compared with other items, or in want of a table.
 */
type CheckRunner = (context: RuleContext, run: CheckingRun) => void;

/** Whoever looks at a document: is told of the checks that do not hold. */
export interface CheckingRun {
  broken(check: CompiledCheck): void;
  /** Looks itself. */
  look(check: CompiledCheck): void;
  /** A figure that the check asked for is missing. */
  lacking(check: CompiledCheck, figure: MissingFigure): void;
}

/** A formula that needs a leaf which is not there says nothing: then another check does. */
function pass(error: unknown, run: CheckingRun, check: CompiledCheck): void {
  if (error instanceof MissingFigure) run.lacking(check, error);
  else if (!(error instanceof BlankOperand)) throw error;
}

/**
 * The checks one after the other as JavaScript of its own, their formulas in place: every document goes through all of them, and a
 * call for each costs more than most of them do.
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

/** Most items that documents may have are in none of a run. */
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
  /** Items that those of `each` are compared with. */
  readonly against?: PointerTree<true>;
  /** Tables that it needs and that are not there. */
  readonly lacks?: readonly string[];
  /** Where it depends on the day of the item what a table says. */
  readonly dated?: DatedTables;
  /** Finds the codes of its list that are nearest to one that is not in it. */
  readonly nearest?: (code: string) => readonly Suggestion[];
  /** What it found last, and what it lacked, which stays one list for each figure. */
  readonly memory: { last?: Finding; lacked?: Map<string, readonly string[]> };
}

export interface DatedTables {
  /** The day of the item; undefined where it is not there. */
  readonly dayOf: (context: RuleContext) => PlainDate | undefined;
  readonly tables: readonly string[];
  /** What is missing of a table on the days before its first version. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** An issue, and all that it was made of. */
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
  /** Keys of the leaf that holds it. */
  readonly into?: readonly string[];
}

export interface CompiledUnique {
  readonly rule: Rule;
  readonly data: Unique;
  readonly when?: RuleFormula;
  readonly of: readonly RuleFormula[];
  /** The items that have the values; without it the document has them. */
  readonly items?: PointerTree<true>;
}

interface CompiledSame {
  readonly rule: Rule;
  readonly data: Same;
  readonly of: readonly RuleFormula[];
  readonly has: readonly RuleFormula[];
}

/** The rules of one kind of document, ready to run. */
export interface CompiledRules {
  readonly schema: SchemaName;
  readonly totals: readonly CompiledTotal[];
  /** Checks of the document as a whole. */
  readonly whole: CheckRunner;
  /** Checks of items, where they stand: what a document lacks costs nothing. */
  readonly items: PointerTree<CheckRunner>;
  readonly unique: readonly CompiledUnique[];
  readonly same: readonly CompiledSame[];
}

/** Turns a fault of a formula into an error that says whose it is. */
function named<T>(code: string, compile: () => T): T {
  try {
    return compile();
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    const details = JSON.stringify(fault.params);
    throw new Error(`rule ${code}: ${fault.code} at ${fault.at} ${details}`, { cause: fault });
  }
}

/** Tables that a formula asks for a code. */
const ASKED = /\b(?:has|has_value|says|says_number)\('(\w+)'/g;

const tablesIn = ({ that, when = '' }: Check): readonly string[] => [
  ...new Set([...`${that} ${when}`.matchAll(ASKED)].map(([, table]) => table!)),
];

/** The tables of a check that were loaded for days, and the day of its items; undefined where there is none of either. */
function datedTables(data: Check, days: readonly string[]): DatedTables | undefined {
  const tables = tablesIn(data).filter(isDatedTable);
  const keys = days
    .map((day) => parsePointer(day))
    .filter((day) => data.each?.every((item) => standsBeside(day, parsePointer(item))))[0];
  if (tables.length === 0 || keys === undefined) return undefined;
  return {
    tables,
    missing: new Map(tables.map((table) => [table, [`${table}@${firstDay(table)}`]])),
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

/** Whether a leaf is a member of the item, or of one that the item stands in. */
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

/** A check that a list has a code knows those that it has. */
function nearestIn({ that }: Check): Pick<CompiledCheck, 'nearest'> {
  const [, table] = /^has\('(\w+)', /.exec(that) ?? [];
  return table === undefined ? {} : { nearest: nearestCodes(table) };
}

/** A check whose items have days at several places is one for each place. */
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

/** Compiles the rules of a schema. Throws an Error that names the rule when one of its formulas is wrong. */
export function compileRules(
  schema: SchemaName,
  { rules, terms, days }: RuleData,
  functions = catalogueFunctions(),
): CompiledRules {
  const scope = new RuleScope(schema, terms, functions);
  const totals: CompiledTotal[] = [];
  const whole: CompiledCheck[] = [];
  const ofItems: CompiledCheck[] = [];
  /** Which of those look at the items at a pointer. */
  const each = new Map<string, number[]>();
  const unique: CompiledUnique[] = [];
  const same: CompiledSame[] = [];
  for (const rule of rules) {
    if (!rule.schemas.includes(schema)) continue;
    named(rule.code, () => {
      if (rule.derive !== undefined) totals.push(compileTotal(scope, rule, rule.derive));
      if (rule.unique !== undefined) unique.push(compileUnique(scope, rule, rule.unique));
      if (rule.same !== undefined) {
        const [of, has] = [rule.same.of, rule.same.has].map((list) =>
          list.map((source) => scope.compile(source)),
        );
        same.push({ rule, data: rule.same, of: of!, has: has! });
      }
      for (const data of rule.checks ?? []) {
        if (data.schemas?.includes(schema) === false) continue;
        if (data.each === undefined) whole.push(compileCheck(scope, rule, data, days));
        else
          for (const one of byDay(data, days)) {
            const at = ofItems.push(compileCheck(scope, rule, one, days)) - 1;
            for (const pointer of one.each ?? []) each.set(pointer, [...(each.get(pointer) ?? []), at]);
          }
      }
    });
  }
  const items = new PointerTree<CheckRunner>();
  /** Items that are looked at alike share one. */
  const runners = new Map<string, CheckRunner>();
  for (const [pointer, checks] of each) {
    const name = checks.join();
    const runner = runners.get(name) ?? whenMet(() => compileRunner(checks.map((at) => ofItems[at]!)));
    runners.set(name, runner);
    items.add(pointer, runner);
  }
  return { schema, totals, whole: compileRunner(whole), items, unique, same };
}

/** The rules of schemas/rules for a schema; compiled when first asked for, and anew when other code lists are in use. */
export const rulesFor = keptByLists((schema: SchemaName): CompiledRules => compileRules(schema, ruleData()));
