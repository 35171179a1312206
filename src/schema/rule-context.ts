import { BlankOperand, type Formula } from '../formula/compile.js';
import type { FormulaValue } from '../formula/functions.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { PlainDate } from '../values/plain-date.js';

/** What a run was told of all its documents: the month that it is for, and the day on which appointments are booked instead of that of the care. */
export type RunParams = Readonly<Record<string, FormulaValue>>;

/** What the formulas of rules are computed over: one document, and the item of it that is looked at. */
export class RuleContext {
  /** Keys down to the item. */
  readonly path: (string | number)[] = [];
  item: JsonValue | undefined;
  /** The item that it is compared with. */
  other: JsonValue | undefined;
  /** Values of terms already computed, by their position; `null` for those that are blank. */
  readonly terms: (FormulaValue | null)[] = [];
  /** Values gathered from lists, by the position of who asks, and the index of the item that they are of. */
  readonly gathered: (
    | { readonly of: string | number | undefined; readonly values: readonly FormulaValue[] }
    | undefined
  )[] = [];

  constructor(
    readonly document: JsonObject,
    readonly today?: PlainDate,
    /** Parameters of the run that rules know. */
    readonly params?: RunParams,
  ) {}
}

/** What a formula gives, or undefined where a leaf it needs is not there: then another check says so. */
export function evaluate(formula: Formula<RuleContext>, context: RuleContext): FormulaValue {
  try {
    return formula.run(context);
  } catch (error) {
    if (error instanceof BlankOperand) return undefined;
    throw error;
  }
}
