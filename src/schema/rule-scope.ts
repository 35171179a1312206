import { compileFormula, type Formula, type Reference, type Scope } from '../formula/compile.js';
import type { FormulaType, FormulaValue, WordFunction } from '../formula/functions.js';
import type { Term } from '../generated/rule-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { parsePointer } from '../values/pointer.js';
import { follow, gatherer, inlineRead, nodeType, pointerReference, readAs } from './document-scope.js';
import { resolveNode } from './registry.js';
import { evaluate, type RuleContext } from './rule-context.js';

/** Compiles the formulas of rules for one schema; terms are compiled when first named and computed once a document. */
export class RuleScope {
  private readonly terms = new Map<string, Reference<RuleContext>>();
  private readonly compiling = new Set<string>();

  constructor(
    private readonly schema: SchemaName,
    private readonly data: readonly Term[],
    private readonly functions: Readonly<Record<string, WordFunction>>,
  ) {}

  /**
   * A formula over the document or, with `each`, over the items at those pointers.
   * Throws when it is none, or names what the documents do not have.
   */
  compile(source: string, wanted?: FormulaType, each?: readonly string[]): Formula<RuleContext> {
    return compileFormula(source, this.scope(each), wanted);
  }

  private scope(each: readonly string[] | undefined): Scope<RuleContext> {
    const resolve = (name: string): Reference<RuleContext> | undefined => {
      if (name.startsWith('/')) return pointerReference(this.schema, name);
      if (name === 'today') return TODAY;
      return (each && this.ofItem(name, each)) ?? this.term(name);
    };
    return {
      resolve,
      gather: (names) => this.gather(names, resolve),
      names: ['today', ...(each === undefined ? [] : ['self', 'list']), ...this.data.map(({ name }) => name)],
      functions: this.functions,
    };
  }

  /** Pointers are gathered in one walk; other names are asked one by one. */
  private gather(
    names: readonly string[],
    resolve: (name: string) => Reference<RuleContext> | undefined,
  ): (context: RuleContext) => FormulaValue[] {
    const pointers = gatherer(names.filter((name) => name.startsWith('/')));
    const others = names.filter((name) => !name.startsWith('/')).map((name) => resolve(name)!.one);
    if (others.length === 0) return pointers;
    return (context) => [...pointers(context), ...others.map((read) => read(context))];
  }

  /** `self`, the value itself; `list`, the key of the list it stands in; or a member of the item. */
  private ofItem(name: string, each: readonly string[]): Reference<RuleContext> | undefined {
    if (name === 'list') return LIST;
    const below = name === 'self' ? [] : [name];
    const found = each.map((pointer) =>
      nodeType(resolveNode(this.schema, [...parsePointer(pointer), ...below])),
    );
    const [type, other] = new Set(found.filter((one) => one !== undefined));
    if (type === undefined) return undefined;
    if (other !== undefined)
      throw new Error(`${name} is ${type} in some of ${each.join(', ')} and ${other} in others`);
    const read = readAs(type);
    const one = ({ item }: RuleContext): FormulaValue => read(follow(item, below));
    return { type, one, inline: { code: inlineRead('c.item', below), as: read } };
  }

  private term(name: string): Reference<RuleContext> | undefined {
    const known = this.terms.get(name);
    if (known !== undefined) return known;
    const term = this.data.find((one) => one.name === name);
    if (term === undefined || this.compiling.has(name)) return undefined;
    this.compiling.add(name);
    const formula = this.compile(term.formula);
    const position = this.terms.size;
    const reference: Reference<RuleContext> = {
      type: formula.type,
      one: (context) => {
        const known = context.terms[position];
        if (known !== undefined) return known ?? undefined;
        const value = evaluate(formula, context);
        context.terms[position] = value ?? null;
        return value;
      },
    };
    this.terms.set(name, reference);
    return reference;
  }
}

const TODAY: Reference<RuleContext> = { type: 'date', one: ({ today }) => today };

const LIST: Reference<RuleContext> = {
  type: 'text',
  one: ({ path }) => path.findLast((key) => typeof key === 'string') as string | undefined,
};
