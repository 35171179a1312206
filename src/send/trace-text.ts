import type { Trace } from '../document/trace.js';
import type { Place } from '../issues/issue.js';
import type { Pointer } from '../values/pointer.js';

/** A place without its table: row, column, label, line. */
type PackedPlace = [
  table: number,
  row?: number | null,
  column?: string | null,
  label?: string | null,
  line?: number,
];
/** What is not a cell, by the name of its member of a place. */
type PackedOutside = readonly ['param' | 'mapping', string];
interface Packed {
  readonly tables: readonly (readonly [file?: string | null, sheet?: string | null])[];
  readonly cells: Readonly<Record<Pointer, readonly (PackedPlace | PackedOutside)[]>>;
}

const isOutside = (packed: PackedPlace | PackedOutside): packed is PackedOutside =>
  typeof packed[0] === 'string';

/** A trace as text. File and sheet are told once: they repeat at every cell and would be most of the journal. */
export function traceToText(trace: Trace): string {
  const tables: [string | null, string | null][] = [];
  const known = new Map<string, number>();
  const cells: Record<Pointer, (PackedPlace | PackedOutside)[]> = {};
  for (const [pointer, places] of trace)
    cells[pointer] = places.map(({ file = null, sheet = null, row, column, label, line, param, mapping }) => {
      if (param !== undefined) return ['param', param];
      if (mapping !== undefined) return ['mapping', mapping];
      const key = `${file}\n${sheet}`;
      let table = known.get(key);
      if (table === undefined) {
        table = tables.push([file, sheet]) - 1;
        known.set(key, table);
      }
      const packed: PackedPlace = [table, row, column, label];
      if (line !== undefined) packed.push(line);
      return packed;
    });
  return JSON.stringify({ tables, cells } satisfies Packed);
}

export function traceFromText(text: string): Trace {
  const { tables, cells } = JSON.parse(text) as Packed;
  const place = (packed: PackedPlace | PackedOutside): Place => {
    if (isOutside(packed)) return { [packed[0]]: packed[1] };
    const [table, row, column, label, line] = packed;
    const [file, sheet] = tables[table]!;
    return {
      ...(file != null && { file }),
      ...(sheet != null && { sheet }),
      ...(row != null && { row }),
      ...(column != null && { column }),
      ...(label != null && { label }),
      ...(line != null && { line }),
    };
  };
  return new Map(Object.entries(cells).map(([pointer, places]) => [pointer, places.map(place)]));
}
