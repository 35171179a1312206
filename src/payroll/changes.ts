import { leafKind, resolveNode } from '../schema/registry.js';
import { type Decimal, fromScientific, isDecimal, subtract, toMoney } from '../values/decimal.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { childPointer, type Pointer, parsePointer } from '../values/pointer.js';
import { REPLACEMENT, restated } from './adjust-note.js';

type Leaf = string | number | boolean;

/** A leaf that is not what it was. */
export interface Change {
  readonly pointer: Pointer;
  readonly before?: Leaf;
  readonly after?: Leaf;
  /** after − before, where the leaf is an amount or a quantity; what is not there counts as zero. */
  readonly difference?: Decimal;
}

/** Leaves that are not content: the date of issue is that of the note. */
const OUTSIDE: readonly Pointer[] = ['/period/issue_date'];

function* leavesOf(value: JsonValue, pointer: Pointer): Iterable<[Pointer, Leaf]> {
  if (value === null) return;
  if (typeof value !== 'object') yield [pointer, value];
  else for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, childPointer(pointer, key));
}

const leaves = (document: JsonObject): Map<Pointer, Leaf> => {
  const found = new Map(leavesOf(restated(document), ''));
  for (const pointer of OUTSIDE) found.delete(pointer);
  return found;
};

const AMOUNTS: ReadonlySet<string> = new Set(['money', 'quantity', 'two-decimals', 'number']);

/** Whether a leaf of a payroll is an amount, a quantity or a span of time: what can be counted. */
export function isAmount(pointer: Pointer): boolean {
  const node = resolveNode(REPLACEMENT, parsePointer(pointer));
  return node !== undefined && AMOUNTS.has(leafKind(node) ?? '');
}

/** Spanish titles from the outermost to the leaf: `Devengados`, `Bonificaciones 1`, `Bonificación salarial`. */
export function titlesOf(pointer: Pointer): readonly string[] {
  const keys = parsePointer(pointer);
  const titles: string[] = [];
  keys.forEach((key, depth) => {
    if (/^\d+$/.test(key)) titles.push(`${titles.pop() ?? ''} ${Number(key) + 1}`);
    else titles.push(resolveNode(REPLACEMENT, keys.slice(0, depth + 1))?.title ?? key);
  });
  return titles;
}

const decimalOf = (leaf: Leaf | undefined): Decimal | undefined => {
  if (leaf === undefined) return '0';
  const text = String(leaf);
  return isDecimal(text) ? text : fromScientific(text);
};

function changeAt(pointer: Pointer, before: Leaf | undefined, after: Leaf | undefined): Change {
  const [from, to] = isAmount(pointer) ? [decimalOf(before), decimalOf(after)] : [];
  const gap = from === undefined || to === undefined ? undefined : subtract(to, from);
  return {
    pointer,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(gap !== undefined && { difference: toMoney(gap) ?? gap }),
  };
}

/** Every leaf in which two documents, payrolls or replacements, differ; in the order of the later one. */
export function changesBetween(before: JsonObject, after: JsonObject): readonly Change[] {
  const [old, now] = [leaves(before), leaves(after)];
  const pointers = [...now.keys(), ...[...old.keys()].filter((pointer) => !now.has(pointer))];
  return pointers
    .filter((pointer) => String(old.get(pointer)) !== String(now.get(pointer)))
    .map((pointer) => changeAt(pointer, old.get(pointer), now.get(pointer)));
}

/** The amounts that people know a payroll by. */
const TOTALS: readonly Pointer[] = ['/accrued/accrued_total', '/deductions/deductions_total'];

/** The totals of a document that comes (`after`) or goes (`before`) as a whole. */
export function wholeAs(side: 'before' | 'after', document: JsonObject): readonly Change[] {
  const found = leaves(document);
  return TOTALS.flatMap((pointer) => {
    const leaf = found.get(pointer);
    if (leaf === undefined) return [];
    return [side === 'before' ? changeAt(pointer, leaf, undefined) : changeAt(pointer, undefined, leaf)];
  });
}
