import type { Place } from '../issues/issue.js';
import type { Pointer } from '../values/pointer.js';

/**
 * Which cells fed a leaf; blank cells too, so that "missing" points at the cell to fill. What no cell fed stands at the parameter
 * or the mapping that gave it, a derived total at its record.
 */
export type Trace = ReadonlyMap<Pointer, readonly Place[]>;

/** An item of a list, or something inside one. */
const IN_ITEM = /^(.*\/\d+)(?:\/|$)/;

function below(trace: Trace, pointer: Pointer): readonly Place[] {
  let first: readonly Place[] = [];
  for (const [leaf, places] of trace) {
    if (places.length === 0 || !leaf.startsWith(`${pointer}/`)) continue;
    if (places[0]!.row !== undefined) return places;
    if (first.length === 0) first = places;
  }
  return first;
}

/**
 * The places of a pointer: its own, or for an object or a list those of the first leaf in it that has cells. What an item of a
 * list lacks stands at the item's record. A leaf beside it explains nothing: without any of these there is no place.
 */
export function placesOf(trace: Trace, pointer: Pointer): readonly Place[] {
  const own = trace.get(pointer);
  if (own !== undefined && own.length > 0) return own;
  const inside = pointer === '' ? [] : below(trace, pointer);
  if (inside.length > 0) return inside;
  const item = IN_ITEM.exec(pointer)?.[1];
  const [cell] = item === undefined ? [] : below(trace, item);
  if (cell?.row === undefined) return [];
  const { column: _, label: __, ...record } = cell;
  return [record];
}
