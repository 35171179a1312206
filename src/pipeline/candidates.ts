import type { LoadedMapping } from '../mapping/load.js';
import type { CompiledTable } from '../mapping/tables.js';
import {
  findHeader,
  type Header,
  type HeaderOptions,
  matchedColumns,
  nearestHeader,
  type WantedColumn,
} from '../source/header.js';
import type { InputFile, Row, RowSource } from '../source/table.js';
import { fold, wildcard } from '../values/fold.js';

const WITHIN = 30;

/** A sheet, or the table of a text file, among those of a run. */
export interface Candidate {
  /** Undefined for a table that is a parameter. */
  readonly input: InputFile | undefined;
  readonly source: RowSource;
  /** Its first rows, enough to look for a header. */
  readonly rows: readonly Row[];
}

/** A candidate that has the header of a table. */
export interface Fit {
  readonly candidate: Candidate;
  readonly header: Header;
}

export const wantedOf = (table: CompiledTable): WantedColumn[] =>
  [...table.columns.values()].flatMap(({ wanted }) => wanted ?? []);

const withinOf = ({ spec }: CompiledTable): number => spec.header?.row ?? spec.header?.within ?? WITHIN;

/** How the header of a table is to be found. */
export function headerOptions(table: CompiledTable, mapping: LoadedMapping): HeaderOptions {
  const { header, labels } = table.spec;
  const own = mapping.mains.includes(table) ? mapping.key : (table.join?.own.map(({ id }) => id) ?? []);
  return {
    within: withinOf(table),
    mustHave: header?.must_have ?? own.filter((id) => table.columns.get(id)?.wanted !== undefined),
    ...(header?.row !== undefined && { row: header.row }),
    ...(header?.groups !== undefined && { groups: header.groups }),
    ...(header?.none && { none: { ...(header.fields && { fields: header.fields }) } }),
    ...(labels && { labels: labels as Record<string, string> }),
    ...(table.ignored.length > 0 && { ignored: table.ignored }),
    ...(table.repeated.length > 0 && {
      repeated: table.repeated.map((group) => {
        const under = table.spec.repeated?.[group.id]?.under;
        return { id: group.id, columns: wantedOf(group), ...(under && { under }) };
      }),
    }),
  };
}

/** The first rows of a sheet; one more than a header may be, as units may stand below it. */
export async function firstRows(source: RowSource, last: number): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) {
    rows.push(...batch);
    if ((rows.at(-1)?.number ?? 0) > last) break;
  }
  const end = rows.findIndex((row) => row.number > last);
  return end < 0 ? rows : rows.slice(0, end + 1);
}

/** Every sheet and text table of the inputs. */
export async function candidatesOf(
  inputs: readonly InputFile[],
  tables: Iterable<CompiledTable>,
): Promise<Candidate[]> {
  const depth = Math.max(...[...tables].map(withinOf));
  const candidates: Candidate[] = [];
  for (const input of inputs)
    for (const source of input.tables)
      candidates.push({ input, source, rows: await firstRows(source, depth) });
  return candidates;
}

const patterns = (
  words: string | readonly string[] | undefined,
): ((text: string) => boolean)[] | undefined =>
  words === undefined ? undefined : [words].flat().map((pattern) => wildcard(pattern));

/**
 * Whether a mapping may mean this sheet or file by its names. A text file has no sheet and goes by its own name;
 * where the mapping has one table only (`single`), by none.
 */
export function isNamed({ spec }: CompiledTable, { source }: Candidate, single: boolean): boolean {
  const whole = fold(source.file);
  const file = whole.slice(whole.lastIndexOf('/') + 1); // inside a zip a text goes by its own name, or by both
  const byFile = patterns(spec.file);
  if (byFile !== undefined && !byFile.some((test) => test(file) || test(whole))) return false;
  const bySheet = patterns(spec.sheet);
  if (bySheet === undefined) return true;
  if (source.sheet !== undefined) return bySheet.some((test) => test(fold(source.sheet!)));
  const stem = file.replace(/\.[a-z]+$/, '');
  return byFile !== undefined || single || bySheet.some((test) => test(stem));
}

/** The candidate with the header of the table, if it has it. */
export function fitOf(table: CompiledTable, mapping: LoadedMapping, candidate: Candidate): Fit | undefined {
  const { source, rows } = candidate;
  const header = findHeader(source, rows, wantedOf(table), headerOptions(table, mapping));
  // Where no column is asked for, any row would do: one at least must be there.
  return header === undefined || (table.join?.every && matchedColumns(header) === 0)
    ? undefined
    : { candidate, header };
}

/** Of several candidates the one with a row that comes nearest to the header. */
export function nearestFit(
  table: CompiledTable,
  mapping: LoadedMapping,
  candidates: readonly Candidate[],
): Fit | undefined {
  const options = headerOptions(table, mapping);
  let nearest: Fit | undefined;
  for (const candidate of candidates) {
    const { source, rows } = candidate;
    const header = nearestHeader(source, rows, wantedOf(table), options.within, options);
    if (header !== undefined && matchedColumns(header) > (nearest ? matchedColumns(nearest.header) : 0))
      nearest = { candidate, header };
  }
  return nearest;
}
