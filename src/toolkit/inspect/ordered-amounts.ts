import type { CompiledColumn } from '../mapping/record.js';
import { wordsOf } from '../tables/label-score.js';
import type { LabelFit } from './labels.js';
import type { Uses } from './uses.js';

/** Ids of two columns of which the first is never more than the second: pay of the month and monthly salary. */
type OrderedPair = readonly [lower: string, upper: string];

export const ORDERED_PAIRS: readonly OrderedPair[] = [['salary', 'base_salary']];

/** Reads a cell as the number that a column makes of it; NaN if it makes none. */
export const numberIn = ({ table }: LabelFit, id: string, text: string, kind: 'number' | 'text'): number => {
  const value = table.columns.get(id)?.read?.(text, kind);
  return typeof value === 'string' ? Number(value) : Number.NaN;
};

/** Returns the numbers of a label's cells by row. */
export const numbersOf = (fit: LabelFit, id: string): ReadonlyMap<number, number> =>
  new Map(
    fit.content.filled.map(({ row, text, kind }) => [
      row,
      numberIn(fit, id, text, kind === 'number' ? 'number' : 'text'),
    ]),
  );

const meaningOf = (fit: LabelFit): string | undefined => fit.means ?? fit.candidates[0]?.value;

/** True if each word of a label is in titles of both columns: `Básico` and `Sueldo`, but not `Sueldo mensual`. */
function saysNeither(label: string, columns: readonly CompiledColumn[]): boolean {
  const known = columns.map(
    ({ wanted }) => new Set(wanted?.titles.flatMap((title) => wordsOf(title).map(({ stem }) => stem))),
  );
  return wordsOf(label).every(({ stem }) => known.every((stems) => stems.has(stem)));
}

function areEqual(fit: LabelFit, other: LabelFit, id: string): boolean {
  const [amounts, others] = [numbersOf(fit, id), numbersOf(other, id)];
  return (
    amounts.size > 0 &&
    amounts.size === others.size &&
    [...amounts].every(([row, amount]) => others.get(row) === amount)
  );
}

/** True if two labels of a sheet mean one of an ordered pair each, and neither their words nor their cells tell which. */
export function areInterchangeable(pair: OrderedPair, first: LabelFit, other: LabelFit): boolean {
  if (first.sheet !== other.sheet || first.table !== other.table || first.state === 'ignored') return false;
  const fits = [first, other];
  if (!fits.every((fit) => fit.label !== undefined && pair.includes(meaningOf(fit) ?? ''))) return false;
  const columns = pair.flatMap((id) => first.table.columns.get(id) ?? []);
  return (
    columns.length === pair.length &&
    fits.every((fit) =>
      saysNeither([fit.section, fit.group, fit.label].filter(Boolean).join(' '), columns),
    ) &&
    areEqual(first, other, pair[0])
  );
}

/** True if a column states the total of another one again, be it that of its halves. */
export function statesAgain(fit: LabelFit, other: LabelFit, id: string, { stated }: Uses): boolean {
  const column = fit.table.columns.get(id);
  const isAgain = fit.columns.length < other.columns.length || areEqual(fit, other, id);
  return column !== undefined && stated.has(column) && isAgain;
}
