import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFormula, FormulaGroup, type Scope } from '../../src/toolkit/formula/compile.js';
import { BeyondBounds, BlankOperand, type FormulaValue } from '../../src/toolkit/formula/functions.js';

/** What a formula comes to, by the definition of the language alone: compiled code must say the same. */

type Values = Readonly<Record<string, FormulaValue>>;
type Worth = Big | boolean | undefined;

interface Made {
  readonly source: string;
  /** Throws where a value that is needed is blank. */
  readonly worth: (values: Values) => Worth;
}

class Blank extends Error {}

const need = (worth: Worth): Big | boolean => {
  if (worth === undefined) throw new Blank();
  return worth;
};
const number = (made: Made, values: Values): Big => need(made.worth(values)) as Big;
const truth = (made: Made, values: Values): boolean => need(made.worth(values)) as boolean;

const NAMES = ['a', 'b', 'c', 'd'];
const scope: Scope<Values> = {
  resolve: (name) => (NAMES.includes(name) ? { type: 'decimal', read: (values) => values[name] } : undefined),
  names: () => NAMES,
};

const amount = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom('', '.5', '.05', '.00')),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.constantFrom('', '.25', '.0000001')),
  },
);
const literal = amount.map(
  ([whole, part]): Made => ({ source: `${whole}${part}`, worth: () => Big(`${whole}${part}`) }),
);
const name = fc.constantFrom(...NAMES).map(
  (name): Made => ({
    source: name,
    worth: (values) => (values[name] === undefined ? undefined : Big(values[name] as string)),
  }),
);

const ARITHMETIC = {
  '+': (a: Big, b: Big) => a.plus(b),
  '-': (a: Big, b: Big) => a.minus(b),
  '*': (a: Big, b: Big) => a.times(b),
} as const;
const ORDERS = {
  '=': (order: number) => order === 0,
  '<>': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;
const keys = <T extends object>(of: T): fc.Arbitrary<keyof T> =>
  fc.constantFrom(...(Object.keys(of) as (keyof T)[]));

const { formula, boolean } = fc.letrec<{ decimal: Made; boolean: Made; formula: Made }>((tie) => ({
  decimal: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    name,
    literal,
    fc.tuple(tie('decimal'), keys(ARITHMETIC), tie('decimal')).map(
      ([a, sign, b]): Made => ({
        source: `(${a.source} ${sign} ${b.source})`,
        worth: (values) => {
          const left = number(a, values);
          return ARITHMETIC[sign](left, number(b, values));
        },
      }),
    ),
    tie('decimal').map(
      (a): Made => ({ source: `abs(${a.source})`, worth: (values) => number(a, values).abs() }),
    ),
    tie('decimal').map(
      (a): Made => ({ source: `(-${a.source})`, worth: (values) => number(a, values).neg() }),
    ),
    fc.tuple(tie('decimal'), tie('decimal')).map(
      ([a, b]): Made => ({
        source: `if_blank(${a.source}, ${b.source})`,
        worth: (values) => a.worth(values) ?? b.worth(values),
      }),
    ),
    fc.tuple(tie('boolean'), tie('decimal'), tie('decimal')).map(
      ([condition, yes, no]): Made => ({
        source: `if(${condition.source}, ${yes.source}, ${no.source})`,
        worth: (values) => (truth(condition, values) ? yes : no).worth(values),
      }),
    ),
  ),
  boolean: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(tie('decimal'), keys(ORDERS), tie('decimal')).map(
      ([a, sign, b]): Made => ({
        source: `(${a.source} ${sign} ${b.source})`,
        worth: (values) => {
          const left = number(a, values);
          return ORDERS[sign](left.cmp(number(b, values)));
        },
      }),
    ),
    fc.tuple(tie('boolean'), tie('boolean')).map(
      ([a, b]): Made => ({
        source: `(${a.source} and ${b.source})`,
        worth: (values) => truth(a, values) && truth(b, values),
      }),
    ),
    fc.tuple(tie('boolean'), tie('boolean')).map(
      ([a, b]): Made => ({
        source: `(${a.source} or ${b.source})`,
        worth: (values) => truth(a, values) || truth(b, values),
      }),
    ),
    tie('boolean').map((a): Made => ({ source: `(not ${a.source})`, worth: (values) => !truth(a, values) })),
    tie('decimal').map(
      (a): Made => ({ source: `(${a.source} is blank)`, worth: (values) => a.worth(values) === undefined }),
    ),
    fc.tuple(tie('decimal'), fc.array(tie('decimal'), { minLength: 1, maxLength: 3 })).map(
      ([a, options]): Made => ({
        source: `(${a.source} in (${options.map(({ source }) => source).join(', ')}))`,
        worth: (values) => {
          const own = number(a, values);
          return options.some((option) => own.eq(number(option, values)));
        },
      }),
    ),
  ),
  formula: fc.oneof(tie('decimal'), tie('boolean')),
}));

const values = fc.record(
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      fc.option(
        fc.tuple(fc.constantFrom('', '-'), amount).map(([sign, [whole, part]]) => `${sign}${whole}${part}`),
        { nil: undefined, freq: 3 },
      ),
    ]),
  ),
) as fc.Arbitrary<Values>;

const expected = ({ worth }: Made, given: Values): Worth | 'nothing' => {
  try {
    return worth(given);
  } catch (error) {
    if (error instanceof Blank) return 'nothing';
    throw error;
  }
};

test('a compiled formula says what the language says, and nothing where a needed value is blank', () => {
  let looked = 0;
  fc.assert(
    fc.property(formula, fc.array(values, { minLength: 1, maxLength: 6 }), (made, all) => {
      const { attempt, run } = compileFormula(made.source, scope);
      for (const given of all) {
        const wanted = expected(made, given);
        let found: FormulaValue | null;
        try {
          found = attempt(given);
        } catch (error) {
          expect(error).toBeInstanceOf(BeyondBounds); // of numbers that no document has
          continue;
        }
        looked += 1;
        if (wanted === 'nothing') {
          expect([found, made.source]).toEqual([null, made.source]);
          expect(() => run(given)).toThrow(BlankOperand);
        } else if (wanted instanceof Big)
          expect([Big(found as string).eq(wanted), made.source, found]).toEqual([true, made.source, found]);
        else expect([found, made.source]).toEqual([wanted, made.source]);
      }
    }),
    { numRuns: 1_500 },
  );
  expect(looked).toBeGreaterThan(2_000);
});

test('formulas that run together say what each says alone, and read each value once', () => {
  fc.assert(
    fc.property(fc.array(boolean, { minLength: 1, maxLength: 5 }), values, (made, given) => {
      let reads: string[] = [];
      const named = new Map(
        NAMES.map((name) => [
          name,
          {
            type: 'decimal' as const,
            read(values: Values) {
              reads.push(name);
              return values[name];
            },
          },
        ]),
      );
      const formulas = made.map(({ source }) =>
        compileFormula(source, { resolve: (name) => named.get(name), names: () => NAMES }),
      );
      let alone: (FormulaValue | null)[];
      try {
        alone = formulas.map(({ attempt }) => attempt(given));
      } catch (error) {
        expect(error).toBeInstanceOf(BeyondBounds);
        return;
      }
      const group = new FormulaGroup<Values>();
      const body = formulas.map((one, at) =>
        [true, false].map((wanted) => group.test(one, wanted, `found[${at}] = ${wanted};`)).join(' '),
      );
      const run = group.compile<(values: Values, found: (boolean | null)[]) => void>(
        'c, found',
        body.join('\n'),
        {},
      );
      const together = made.map((): boolean | null => null);
      reads = [];
      run(given, together);
      expect(together).toEqual(alone.map((value) => (typeof value === 'boolean' ? value : null)));
      expect(reads).toEqual([...new Set(reads)]);
    }),
    { numRuns: 1_000 },
  );
});
