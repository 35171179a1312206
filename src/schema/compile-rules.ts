import type { Formula } from '../formula/compile.js';
import { FormulaFault } from '../formula/lexer.js';
import type { Check, Derive, Rule, Unique } from '../generated/rule-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { parsePointer } from '../values/pointer.js';
import { catalogueFunctions } from './catalogue-functions.js';
import { PointerTree } from './pointer-tree.js';
import type { RuleContext } from './rule-context.js';
import { type RuleData, ruleData } from './rule-data.js';
import { RuleScope } from './rule-scope.js';

export type RuleFormula = Formula<RuleContext>;

export interface CompiledCheck {
  readonly rule: Rule;
  readonly data: Check;
  readonly when?: RuleFormula;
  readonly that: RuleFormula;
  readonly params: readonly (readonly [string, RuleFormula])[];
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
}

/** The rules of one kind of document, ready to run. */
export interface CompiledRules {
  readonly schema: SchemaName;
  readonly totals: readonly CompiledTotal[];
  /** Checks of the document as a whole. */
  readonly whole: readonly CompiledCheck[];
  /** Checks of items, where they stand: what a document lacks costs nothing. */
  readonly items: PointerTree<CompiledCheck>;
  readonly unique: readonly CompiledUnique[];
}

/** Turns a fault of a formula into an error that says whose it is. */
function named<T>(code: string, compile: () => T): T {
  try {
    return compile();
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    const details = JSON.stringify(fault.params);
    throw new Error(`rule ${code}: ${fault.reason} at ${fault.at} ${details}`, { cause: fault });
  }
}

function compileCheck(scope: RuleScope, rule: Rule, data: Check): CompiledCheck {
  const { each, when, that, params = {} } = data;
  return {
    rule,
    data,
    that: scope.compile(that, 'boolean', each),
    ...(when !== undefined && { when: scope.compile(when, 'boolean', each) }),
    params: Object.entries(params).map(([name, source]) => [name, scope.compile(source, undefined, each)]),
  };
}

function compileTotal(scope: RuleScope, rule: Rule, data: Derive): CompiledTotal {
  const formula = scope.compile(data.formula, 'decimal');
  return { rule, data, formula, ...(data.into !== undefined && { into: parsePointer(data.into) }) };
}

function compileUnique(scope: RuleScope, rule: Rule, data: Unique): CompiledUnique {
  return {
    rule,
    data,
    of: data.of.map((source) => scope.compile(source)),
    ...(data.when !== undefined && { when: scope.compile(data.when, 'boolean') }),
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
  const items = new PointerTree<CompiledCheck>();
  const unique: CompiledUnique[] = [];
  for (const rule of rules) {
    if (!rule.schemas.includes(schema)) continue;
    named(rule.code, () => {
      if (rule.derive !== undefined) totals.push(compileTotal(scope, rule, rule.derive));
      if (rule.unique !== undefined) unique.push(compileUnique(scope, rule, rule.unique));
      for (const data of rule.checks ?? []) {
        const check = compileCheck(scope, rule, data);
        if (data.each === undefined) whole.push(check);
        else for (const pointer of data.each) items.add(pointer, check);
      }
    });
  }
  return { schema, totals, whole, items, unique };
}

const compiled = new Map<SchemaName, CompiledRules>();

/** The rules of schemas/rules for a schema; compiled when first asked for. */
export function rulesFor(schema: SchemaName): CompiledRules {
  let rules = compiled.get(schema);
  if (rules === undefined) {
    rules = compileRules(schema, ruleData());
    compiled.set(schema, rules);
  }
  return rules;
}
