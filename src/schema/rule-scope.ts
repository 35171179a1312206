import { compileFormula, type Formula, type Reference, type Scope } from '../formula/compile.js';
import type { FormulaType, FormulaValue, WordFunction } from '../formula/functions.js';
import type { Term } from '../generated/rule-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { follow, inlineRead, leafReading, placeOf, pointerReference, remembered } from './document-scope.js';
import { evaluate, type RuleContext } from './rule-context.js';

/** The items that a formula looks at, by pointers, and those that they are compared with. */
export interface Items {
  readonly each: readonly string[];
  readonly against?: readonly string[];
}

/** Compiles the formulas of rules for one schema; terms are compiled when first named and computed once a document. */
export class RuleScope {
  private readonly terms = new Map<string, Reference<RuleContext>>();
  private readonly compiling = new Set<string>();
  /** What gathers the values at pointers, by those. */
  private readonly gatherers = new Map<string, (context: RuleContext) => readonly FormulaValue[]>();

  constructor(
    private readonly schema: SchemaName,
    private readonly data: readonly Term[],
    private readonly functions: Readonly<Record<string, WordFunction>>,
  ) {}

  /**
   * A formula over the document or over items of it.
   * Throws when it is none, or names what the documents do not have.
   */
  compile(source: string, wanted?: FormulaType, items?: Items): Formula<RuleContext> {
    return compileFormula(source, this.scope(items), wanted);
  }

  private scope(items: Items | undefined): Scope<RuleContext> {
    const resolve = (name: string): Reference<RuleContext> | undefined => {
      if (name.startsWith('/')) return pointerReference(this.schema, name, items?.each);
      if (name === 'today') return TODAY;
      if (name in RUN) return RUN[name];
      return (items && this.ofItem(name, items)) ?? this.term(name);
    };
    return {
      resolve,
      gather: (names) => this.gather(names, resolve),
      names: [
        'today',
        ...Object.keys(RUN),
        ...(items === undefined ? [] : ['self', 'list', 'position']),
        ...this.data.map(({ name }) => name),
      ],
      functions: this.functions,
    };
  }

  /** Pointers are gathered in one walk; other names are asked one by one. */
  private gather(
    names: readonly string[],
    resolve: (name: string) => Reference<RuleContext> | undefined,
  ): (context: RuleContext) => readonly FormulaValue[] {
    const pointers = this.gathererOf(names.filter((name) => name.startsWith('/')));
    const others = names.filter((name) => !name.startsWith('/')).map((name) => resolve(name)!.one);
    if (others.length === 0) return pointers;
    return (context) => [...pointers(context), ...others.map((read) => read(context))];
  }

  private gathererOf(pointers: readonly string[]): (context: RuleContext) => readonly FormulaValue[] {
    const name = pointers.join(' ');
    let found = this.gatherers.get(name);
    if (found === undefined) {
      found = remembered(this.schema, pointers, this.gatherers.size);
      this.gatherers.set(name, found);
    }
    return found;
  }

  /**
   * `self`, the value itself; `list`, the key of the list it stands in; `position`, which item of it, from 1; a member
   * of the item; or `other.` and a member of the item that it is compared with.
   */
  private ofItem(name: string, { each, against = [] }: Items): Reference<RuleContext> | undefined {
    if (name === 'list') return LIST;
    if (name === 'position') return POSITION;
    if (name.startsWith('other.')) return this.member(name.slice('other.'.length), against, 'other');
    return this.member(name, each, 'item');
  }

  private member(
    name: string,
    pointers: readonly string[],
    holder: 'item' | 'other',
  ): Reference<RuleContext> | undefined {
    const below = name === 'self' ? [] : [name];
    const found = pointers.map((pointer) => leafReading(placeOf(this.schema, [pointer, ...below].join('/'))));
    const readings = found.filter((one) => one !== undefined);
    const [reading] = readings;
    if (reading === undefined) return undefined;
    const { type, read } = reading;
    const other = readings.find((one) => one.type !== type || one.read !== read);
    if (other !== undefined)
      throw new Error(`${name} is ${type} in some of ${pointers.join(', ')} and ${other.type} in others`);
    const one = (context: RuleContext): FormulaValue => read(follow(context[holder], below));
    return { type, one, inline: { code: inlineRead(`c.${holder}`, below), as: read } };
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

const paramOf = (name: string, type: FormulaType): Reference<RuleContext> => ({
  type,
  one: ({ params }) => params?.[name],
});

const RUN: Readonly<Record<string, Reference<RuleContext>>> = {
  'param.month': paramOf('month', 'text'),
  'param.booking_date': paramOf('booking_date', 'date'),
};

const LIST: Reference<RuleContext> = {
  type: 'text',
  one: ({ path }) => path.findLast((key) => typeof key === 'string') as string | undefined,
};

const POSITION: Reference<RuleContext> = {
  type: 'decimal',
  one: ({ path }) => {
    const index = path.findLast((key) => typeof key === 'number');
    return index === undefined ? undefined : String(Number(index) + 1);
  },
};
