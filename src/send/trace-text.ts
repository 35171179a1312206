import { isSameSheet, type Place } from '../toolkit/core/issue.js';
import type { Pointer } from '../toolkit/core/json.js';
import { unreachable } from '../toolkit/core/required.js';
import type { Document, Trace } from '../toolkit/schema/document.js';

/** Place without its table: row, column, label, line, pointer into a JSON file. */
type PackedPlace = [
  table: number,
  row?: number | null,
  column?: string | null,
  label?: string | null,
  line?: number | null,
  json?: string,
];
/** Source outside of the cells, by the name of its member of a place. */
type PackedOutside = readonly ['param' | 'mapping', string];
interface Packed {
  readonly tables: readonly (readonly [file?: string | null, sheet?: string | null])[];
  readonly cells: Readonly<Record<Pointer, readonly (PackedPlace | PackedOutside)[]>>;
  /** `counted` of the document; undefined in those of older versions. */
  readonly records?: readonly (readonly [table: number, row: number | null])[];
  /** Facts of the files about the document that are not in its body. */
  readonly details?: Document['details'];
}

const isOutside = (packed: PackedPlace | PackedOutside): packed is PackedOutside =>
  typeof packed[0] === 'string';

/**
 * Formats the trace of a document. File and sheet are written once; repeated at every cell they would be most of the
 * journal.
 */
export function traceToText({
  trace,
  details,
  counted,
}: Pick<Document, 'trace' | 'details' | 'counted'>): string {
  const tables: string[] = [];
  let table = -1;
  let last: Place = {};
  /** Returns the index of a place's table; most cells of a document are in one. */
  function tableOf(place: Place): number {
    if (table >= 0 && isSameSheet(place, last)) return table;
    last = place;
    const sheet = `[${quoted(place.file)},${quoted(place.sheet)}]`;
    table = tables.indexOf(sheet);
    if (table < 0) table = tables.push(sheet) - 1;
    return table;
  }
  function packed(place: Place): string {
    const { row, column, label, line, json, param, mapping } = place;
    if (param !== undefined) return `["param",${quoted(param)}]`;
    if (mapping !== undefined) return `["mapping",${quoted(mapping)}]`;
    const cell = `[${tableOf(place)},${row ?? null},${quoted(column)},${quoted(label)}`;
    if (line === undefined && json === undefined) return `${cell}]`;
    return `${cell},${line ?? null}${json === undefined ? '' : `,${JSON.stringify(json)}`}]`;
  }
  let cells = '';
  for (const [pointer, places] of trace) {
    const all = places.map(packed).join();
    cells += `${cells === '' ? '' : ','}${quoted(pointer)}:[${all}]`;
  }
  const records = counted?.map((place) => `[${tableOf(place)},${place.row ?? null}]`);
  const more = [
    records === undefined ? '' : `,"records":[${records.join()}]`,
    details === undefined ? '' : `,"details":${JSON.stringify(details)}`,
  ];
  return `{"tables":[${tables.join()}],"cells":{${cells}}${more.join('')}}`;
}

/** JSON of texts that are in the trace of every document. */
const quotedTexts = new Map<string | undefined, string>([[undefined, 'null']]);
const MAX_CACHED_TEXTS = 10_000;

function quoted(text: string | undefined): string {
  let found = quotedTexts.get(text);
  if (found === undefined) {
    found = JSON.stringify(text ?? null);
    if (quotedTexts.size >= MAX_CACHED_TEXTS) return found;
    quotedTexts.set(text, found);
  }
  return found;
}

export function traceFromText(text: string): Trace {
  const { tables, cells } = JSON.parse(text) as Packed;
  const place = (packed: PackedPlace | PackedOutside): Place => {
    if (isOutside(packed)) return { [packed[0]]: packed[1] };
    const [table, row, column, label, line, json] = packed;
    const [file, sheet] = tables[table] ?? unreachable(`table ${table} of a trace`);
    return {
      ...(file != null && { file }),
      ...(sheet != null && { sheet }),
      ...(row != null && { row }),
      ...(column != null && { column }),
      ...(label != null && { label }),
      ...(line != null && { line }),
      ...(json !== undefined && { json }),
    };
  };
  return new Map(Object.entries(cells).map(([pointer, places]) => [pointer, places.map(place)]));
}

/** Reads the facts of the files that are not in the body, such as the seller of an invoice. */
export const detailsFromText = (text: string): NonNullable<Document['details']> =>
  (JSON.parse(text) as Packed).details ?? {};

/** Returns the rows that fed a document. */
export function rowsIn(trace: Trace): readonly Place[] {
  const found = new Map<string, Place>();
  for (const places of trace.values())
    for (const { file, sheet, row } of places)
      if (row !== undefined)
        found.set(`${file}\n${sheet}\n${row}`, {
          ...(file !== undefined && { file }),
          ...(sheet !== undefined && { sheet }),
          row,
        });
  return [...found.values()];
}

const nameOf = (
  file: string | undefined | null,
  sheet: string | undefined | null,
  row: number | undefined | null,
) => [file ?? '', sheet ?? '', row ?? ''].join('\n');

/** Returns the records that a document is counted with, by names that are unique in the run. */
export const recordNames = ({ counted, trace }: Pick<Document, 'counted' | 'trace'>): readonly string[] =>
  (counted ?? rowsIn(trace)).map(({ file, sheet, row }) => nameOf(file, sheet, row));

/** Returns the same names for a trace in the journal. */
export function recordNamesFromText(text: string): readonly string[] {
  const { tables, records } = JSON.parse(text) as Packed;
  return (
    records?.map(([table, row]) => {
      const [file, sheet] = tables[table] ?? unreachable(`table ${table} of a trace`);
      return nameOf(file, sheet, row);
    }) ?? recordNames({ trace: traceFromText(text) })
  );
}
