import type { Place } from '../core/issue.js';
import { baseName, flatName, fold, wildcard } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { asDeclared, locateTable } from '../mapping/located.js';
import {
  alwaysJoining,
  type CompiledTable,
  type ReadableTable,
  readRecord,
  showsColumn,
} from '../mapping/record.js';
import {
  findHeader,
  type Header,
  type HeaderOptions,
  matchedColumns,
  nearestHeader,
  positionalHeader,
  type WantedColumn,
} from '../tables/header.js';
import { withMerged } from '../tables/header-rows.js';
import type { InputFile, Row, RowSource } from '../tables/table.js';
import { withOwners } from './owner-rows.js';

/** Default number of first rows in which a header is searched. */
export const HEADER_WITHIN = 30;

/** Sheet or text table of a run. */
export interface Candidate {
  /** Input file; undefined for a table parameter. */
  readonly input: InputFile | undefined;
  readonly source: RowSource;
  /** First rows, enough to find a header. */
  readonly rows: readonly Row[];
  /** Row of the header, if the user gave it. */
  readonly headerRow?: number;
}

/** Header rows given by the user, by folded name of the sheet, or of a file without sheets. */
export type HeaderRows = ReadonlyMap<string, number>;

/** Returns the header row of a table that the user gave, if any. */
export const givenRow = (
  headers: HeaderRows,
  { sheet, file }: Pick<RowSource, 'sheet' | 'file'>,
): number | undefined => headers.get(fold(sheet ?? file)) ?? headers.get(fold(`${file}/${sheet}`));

export interface Fit {
  readonly candidate: Candidate;
  readonly header: Header;
}

export const wantedOf = (table: CompiledTable): WantedColumn[] =>
  [...table.columns.values()].flatMap(({ wanted }) => wanted ?? []);

const withinOf = ({ spec }: CompiledTable): number =>
  spec.header?.row ?? spec.header?.within ?? HEADER_WITHIN;

export function headerOptions(table: CompiledTable, mapping: LoadedMapping): HeaderOptions {
  const { header, labels, side_by_side } = table.spec;
  const keys = mapping.mains.includes(table) ? mapping.key : alwaysJoining(table.join).map(({ id }) => id);
  return {
    within: withinOf(table),
    // A computed column has no label: its sources must be there.
    mustHave: (header?.must_have ?? keys).flatMap(
      (id) => table.columns.get(id)?.needs.map((column) => column.id) ?? [],
    ),
    ...(header?.row !== undefined && { row: header.row }),
    ...(header?.groups !== undefined && { groups: header.groups }),
    ...(header?.none && { none: { ...(header.fields && { fields: header.fields }) } }),
    ...(labels && { labels: labels as Record<string, string> }),
    ...(table.ignored.length > 0 && { ignored: table.ignored }),
    ...(side_by_side && { parts: side_by_side.map((names) => [names].flat()) }),
    ...(table.repeated.length > 0 && {
      repeated: table.repeated.map((group) => ({ id: group.id, columns: wantedOf(group) })),
    }),
  };
}

/** Reads the first rows of a sheet, and one more, which may hold units. */
export async function firstRows(source: RowSource, last: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) {
    rows.push(...batch);
    if ((rows.at(-1)?.number ?? 0) > last) break;
  }
  const end = rows.findIndex((row) => row.number > last);
  return withMerged(source, end < 0 ? rows : rows.slice(0, end + 1), last);
}

/** Returns every sheet and text table of the inputs. */
export async function candidatesOf(
  inputs: readonly InputFile[],
  tables: Iterable<CompiledTable>,
  headers: HeaderRows = new Map(),
): Promise<Candidate[]> {
  const all = [...tables];
  const depth = Math.max(...all.map(withinOf));
  const owners = all.flatMap(({ spec }) => (spec.owner_rows ? [spec.owner_rows] : []));
  const candidates: Candidate[] = [];
  for (const input of inputs)
    for (const plain of input.tables) {
      const headerRow = givenRow(headers, plain);
      const last = Math.max(depth, headerRow ?? 0);
      let rows = await firstRows(plain, last);
      const source = owners.reduce((read, fields) => withOwners(read, fields, rows), plain);
      if (source !== plain) rows = await firstRows(source, last);
      candidates.push({ input, source, rows, ...(headerRow !== undefined && { headerRow }) });
    }
  return candidates;
}

const patterns = (
  words: string | readonly string[] | undefined,
): ((text: string) => boolean)[] | undefined =>
  words === undefined ? undefined : [words].flat().map((pattern) => wildcard(pattern));

/** True if a file has a name; a name with a folder is compared with the whole path. */
export const hasName = (file: string, pattern: string): boolean => {
  const isCalled = wildcard(pattern);
  if (pattern.includes('/')) return isCalled(fold(file));
  const flat = flatName(file);
  return isCalled(fold(baseName(file))) || (flat !== undefined && isCalled(flat));
};

/**
 * True if a mapping may mean this sheet or file by name. A text file has no sheet and is compared by its own name, not
 * that of its zip or folder, unless the mapping names both; for a mapping of a `single` table any name will do.
 */
export function isNamed({ spec }: CompiledTable, { source, input }: Candidate, single: boolean): boolean {
  if ((spec.json !== undefined) !== (input?.kind === 'json')) return false;
  const names = spec.file === undefined ? undefined : [spec.file].flat();
  if (names !== undefined && !names.some((name) => hasName(source.file, name))) return false;
  const bySheet = patterns(spec.sheet);
  if (bySheet === undefined) return true;
  const { sheet } = source;
  if (sheet !== undefined) return bySheet.some((test) => test(fold(sheet)));
  const stem = fold(baseName(source.file)).replace(/\.[a-z]+$/, '');
  return names !== undefined || single || bySheet.some((test) => test(stem));
}

/** Kinds of cells that no label has. */
const STRICT: ReadonlySet<string | undefined> = new Set([
  'date',
  'datetime',
  'date_or_datetime',
  'time',
  'integer',
  'decimal',
  'money',
]);

const MIN_STRICT_CELLS = 2;

/**
 * True if a file that should have no header has one: the first row has no readable number, date or code, and the second
 * has. Its columns may be in another order than in the norm.
 */
export function beginsWithLabels(
  table: CompiledTable,
  source: RowSource,
  [first, second]: readonly Row[],
): boolean {
  if (first === undefined || second === undefined) return false;
  const hasFigures = ({ texts }: Row): boolean => texts.some((text) => text !== undefined && /\d/.test(text));
  if (!hasFigures(first) && hasFigures(second)) return true;
  const header = positionalHeader(wantedOf(table), table.ignored);
  const located = asDeclared(locateTable(table, source, header, 0, {}));
  const readIn = (row: Row) => {
    const { faults } = readRecord(located, row);
    const formed = located.present.flatMap(({ column, index }) => {
      const text = row.texts[index];
      return column.kind === 'text' || text === undefined ? [] : { column, text };
    });
    const good = formed.filter(({ column, text }) => !faults?.has(column) && /\d/.test(text));
    const strict = formed.filter(({ column }) => STRICT.has(column.kind));
    const strictGood = strict.filter(({ column }) => !faults?.has(column));
    return { formed: formed.length, good: good.length, strict: strict.length, strictGood: strictGood.length };
  };
  const [head, next] = [readIn(first), readIn(second)];
  if (head.formed > 0 && head.good === 0 && next.good > 0) return true;
  return head.strict >= MIN_STRICT_CELLS && head.strictGood === 0 && next.strictGood > 0;
}

/** Returns the candidate with the header of the table, if it has one. */
export function fitOf(table: CompiledTable, mapping: LoadedMapping, candidate: Candidate): Fit | undefined {
  const { source, rows, headerRow } = candidate;
  const fields = table.spec.header?.none ? table.spec.header.fields : undefined;
  // A letter whose file name resembles that of a flat file has no fields.
  if (
    fields !== undefined &&
    rows.length > 0 &&
    rows.every(({ texts }) => texts.length < Math.min(...fields) / 2)
  )
    return undefined;
  if (fields !== undefined && beginsWithLabels(table, source, rows)) return undefined;
  const options = headerOptions(table, mapping);
  const header = findHeader(
    source,
    rows,
    wantedOf(table),
    headerRow === undefined ? options : { ...options, row: headerRow },
  );
  if (
    headerRow !== undefined &&
    header !== undefined &&
    !options.mustHave.every((id) => header.columns.has(id))
  )
    return undefined;
  // Without required columns any row would do, so one column must match.
  return header === undefined || (table.join?.every && matchedColumns(header) === 0)
    ? undefined
    : { candidate, header: withPrefixes(table, withoutDoubtful(table, header, rows), rows) };
}

/** Drops columns with vague titles, unless their cells confirm them or `labels` declare them. */
function withoutDoubtful({ columns, spec }: CompiledTable, header: Header, rows: readonly Row[]): Header {
  const declared = new Set(Object.values(spec.labels ?? {}));
  const below = rows.filter(({ number }) => number >= header.firstDataRow);
  const left = [...header.columns].filter(([id, index]) => {
    const column = columns.get(id);
    if (column?.doubtful === undefined || declared.has(id)) return true;
    const cells = below.flatMap(({ texts, kinds }) =>
      texts[index] === undefined ? [] : [{ text: texts[index], kind: kinds?.[index] ?? ('text' as const) }],
    );
    return showsColumn(column, cells);
  });
  return left.length === header.columns.size ? header : { ...header, columns: new Map(left) };
}

/** Adds the columns whose words stand before the values of others, if the sheet has no other cells for them. */
function withPrefixes({ columns }: CompiledTable, header: Header, rows: readonly Row[]): Header {
  const added = [...header.columns].flatMap(([id, index]): [string, number][] => {
    const { prefix } = columns.get(id) ?? {};
    if (prefix === undefined || !columns.has(prefix.column) || header.columns.has(prefix.column)) return [];
    const isThere = rows.some(
      ({ number, texts }) => number >= header.firstDataRow && prefix.of(texts[index] ?? '') !== undefined,
    );
    return isThere ? [[prefix.column, index]] : [];
  });
  return added.length === 0 ? header : { ...header, columns: new Map([...header.columns, ...added]) };
}

/** Finds the table under other labels above the header, with at least the identity columns. */
export function upperOf(
  table: CompiledTable,
  mapping: LoadedMapping,
  { source, rows }: Candidate,
  header: Header,
): ReadableTable | undefined {
  const { row: _, ...options } = headerOptions(table, mapping);
  const mustHave = table.identity.flatMap(({ needs }) => needs.map(({ id }) => id));
  const above = rows.filter(({ number }) => number < header.row.number);
  if (above.length < 2 || mustHave.length === 0) return undefined;
  const upper = findHeader(source, above, wantedOf(table), { ...options, mustHave });
  return upper && asDeclared(locateTable(table, source, upper, 0, {}));
}

/** Returns the candidate whose row is nearest to the header. */
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

/** Returns the sheets with a table: the best of each file, or every one that fits. */
export function fitting(
  table: CompiledTable,
  mapping: LoadedMapping,
  candidates: readonly Candidate[],
): Fit[] {
  const fits = candidates.flatMap((candidate) => fitOf(table, mapping, candidate) ?? []);
  if (table.spec.every || table.spec.spread) return fits;
  const best = new Map<InputFile | RowSource | undefined, Fit>();
  for (const fit of fits) {
    const { input, source } = fit.candidate;
    const file = input?.kind === 'zip' ? source : input;
    const known = best.get(file);
    if (known === undefined || matchedColumns(fit.header) > matchedColumns(known.header)) best.set(file, fit);
  }
  return [...best.values()];
}

export const placeOf = ({ source }: Candidate): Place => ({
  file: source.file,
  ...(source.sheet !== undefined && { sheet: source.sheet }),
});

export const nameOf = ({ source }: Candidate): string => source.sheet ?? source.file;
