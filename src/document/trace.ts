import type { Place } from '../issues/issue.js';
import type { Pointer } from '../values/pointer.js';

/** Which cells fed a leaf; blank cells too, so that "missing" points at the cell to fill. */
export type Trace = ReadonlyMap<Pointer, readonly Place[]>;

/** The places of a pointer; where it has none, those of the nearest leaf that was fed beside or above it. */
export function placesOf(trace: Trace, pointer: Pointer): readonly Place[] {
  const own = trace.get(pointer);
  if (own !== undefined && own.length > 0) return own;
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    const parent = pointer.slice(0, end + 1);
    for (const [leaf, places] of trace) if (places.length > 0 && leaf.startsWith(parent)) return places;
    if (end === 0) break;
  }
  return [];
}
