import type { Issue, Level } from '../core/issue.js';
import { type JsonValue, type Pointer, parsePointer } from '../core/json.js';
import type { Formula } from '../formula/compile.js';
import { BlankOperand, type FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import type { Check, Derive, Rule, Same, Unique } from '../generated/rule-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { keptByLists } from './catalogue.js';
import { catalogueFunctions } from './catalogue-functions.js';
import { PointerTree } from './pointer-tree.js';
import { type Levels, type RuleData, ruleData } from './rule-data.js';
import { type RuleContext, RuleScope } from './rule-scope.js';

/**
 * Runs several checks over what the context stands at: `broken` is told of those that do not hold; `look` is given those that
 * take more than two formulas: compared with other items, or in want of a table.
 */
type CheckRunner = (
  context: RuleContext,
  broken: (check: CompiledCheck) => void,
  look: (check: CompiledCheck) => void,
) => void;

/** A formula that needs a leaf which is not there says nothing: then another check does. */
function pass(error: unknown): void {
  if (!(error instanceof BlankOperand)) throw error;
}

/**
 * The checks one after the other as JavaScript of its own: every document goes through all of them, and called from one
 * loop they would share one call site, at which V8 could put none of them in place.
 */
function compileRunner(checks: readonly CompiledCheck[]): CheckRunner {
  const lines = checks.map(({ when, against, lacks }, at) => {
    if (against !== undefined || lacks !== undefined) return `look(checks[${at}]);`;
    const due = when === undefined ? '' : `when${at}(c) === true && `;
    return `try { if (${due}that${at}(c) === false) broken(checks[${at}]); } catch (error) { pass(error); }`;
  });
  const formulas = checks.map(
    (_, at) => `const when${at} = checks[${at}].when?.run, that${at} = checks[${at}].that.run;`,
  );
  const make = new Function(
    'checks',
    'pass',
    `${formulas.join('\n')}\nreturn (c, broken, look) => { ${lines.join('\n')} };`,
  ) as (list: readonly CompiledCheck[], pass: (error: unknown) => void) => CheckRunner;
  return make(checks, pass);
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
  /** What it found last. */
  readonly memory: { last?: Finding };
}

/** An issue, and all that it was made of. */
export interface Finding {
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

export interface CompiledSame {
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

function compileCheck(scope: RuleScope, rule: Rule, data: Check): CompiledCheck {
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
    ...(lacks.length > 0 && { lacks }),
    params: Object.entries(params).map(([name, source]) => [name, scope.compile(source, undefined, items)]),
    memory: {},
  };
}

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
  { rules, terms }: RuleData,
  functions = catalogueFunctions(),
): CompiledRules {
  const scope = new RuleScope(schema, terms, functions);
  const totals: CompiledTotal[] = [];
  const whole: CompiledCheck[] = [];
  const each = new Map<string, CompiledCheck[]>();
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
        const check = compileCheck(scope, rule, data);
        if (data.each === undefined) whole.push(check);
        else for (const pointer of data.each) each.set(pointer, [...(each.get(pointer) ?? []), check]);
      }
    });
  }
  const items = new PointerTree<CheckRunner>();
  for (const [pointer, checks] of each) items.add(pointer, compileRunner(checks));
  return { schema, totals, whole: compileRunner(whole), items, unique, same };
}

/** The rules of schemas/rules for a schema; compiled when first asked for, and anew when other code lists are in use. */
export const rulesFor = keptByLists((schema: SchemaName): CompiledRules => compileRules(schema, ruleData()));
