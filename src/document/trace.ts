import type { Place } from '../issues/issue.js';
import type { Pointer } from '../values/pointer.js';

/** Which cells fed a leaf; blank cells too, so that "missing" points at the cell to fill. */
export type Trace = ReadonlyMap<Pointer, readonly Place[]>;

/** The places of a pointer, or of its nearest ancestor that has any. */
export function placesOf(trace: Trace, pointer: Pointer): readonly Place[] {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const places = trace.get(at);
    if (places !== undefined && places.length > 0) return places;
    if (at === '') return [];
  }
}
