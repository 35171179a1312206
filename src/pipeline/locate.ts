import type { Issue, Place } from '../issues/issue.js';
import type { CompiledColumn } from '../mapping/columns.js';
import type { LoadedMapping } from '../mapping/load.js';
import { locateTable } from '../mapping/located.js';
import type { ResolvedParams } from '../mapping/params.js';
import type { LocatedTable } from '../mapping/record.js';
import type { CompiledTable } from '../mapping/tables.js';
import { matchedColumns } from '../source/header.js';
import type { InputFile, RowSource } from '../source/table.js';
import { type Candidate, candidatesOf, type Fit, firstRows, fitOf, isNamed } from './candidates.js';
import { paramTable } from './inputs.js';
import { missingColumns, notFound, unreadSheets } from './unlocated.js';

/** The tables of a mapping in the files of a run. */
export interface Located {
  readonly tables: readonly LocatedTable[];
  /** Columns that some file has. */
  readonly present: ReadonlySet<CompiledColumn>;
  /** Trouble with tables as a whole: sheet, header, columns. */
  readonly issues: readonly Issue[];
  /** Filled sheets that the mapping leaves aside. */
  readonly leftAside: readonly { readonly place: Place; readonly note: string }[];
}

/** Finds every table of a mapping. */
export async function locate(
  mapping: LoadedMapping,
  inputs: readonly InputFile[],
  params: ResolvedParams,
): Promise<Located> {
  const wanted = [...mapping.tables.values()].filter(({ parent }) => parent === undefined);
  const all = await candidatesOf(inputs, wanted);
  const asideOf = ({ source: { sheet } }: Candidate) =>
    sheet === undefined ? undefined : mapping.leftAside(sheet);
  const candidates = all.filter((one) => asideOf(one)?.yields ?? asideOf(one) === undefined);
  const taken = new Set<Candidate>();
  const tables: LocatedTable[] = [];
  const issues: Issue[] = [];
  // Those that make documents choose first: a list that holds the personal data too is no table of workers. Then those with a file of their own.
  const rank = (table: CompiledTable): number =>
    mapping.mains.includes(table) ? 0 : table.spec.file !== undefined ? 1 : 2;
  const inOrder = [...wanted].sort((a, b) => rank(a) - rank(b));
  for (const table of inOrder) {
    const given = table.spec.param;
    const free = candidates.filter((one) => !taken.has(one) && isNamed(table, one, wanted.length === 1));
    const fits =
      given === undefined
        ? fitting(table, mapping, free)
        : await fitsGiven(table, mapping, given, params.tables[given] ?? []);
    for (const { candidate, header } of fits) {
      taken.add(candidate);
      tables.push(locateTable(table, candidate.source, header, tables.length, params.values));
      issues.push(...header.issues);
    }
    if (fits.length > 0) continue;
    if (given !== undefined) issues.push(...lostParam(given, params));
    else if (!table.spec.optional) issues.push(...notFound(table, mapping, free, candidates));
  }
  const present = new Set(
    tables
      .flatMap((table) => [table, ...table.repeats])
      .flatMap((table) => table.present.map(({ column }) => column)),
  );
  const leftAside = all.flatMap((one) => {
    const { file, sheet } = one.source;
    const note = taken.has(one) || one.rows.length === 0 ? undefined : asideOf(one)?.reason;
    return note === undefined ? [] : [{ place: { file, sheet: sheet! }, note }];
  });
  const others = candidates.filter((one) => asideOf(one) === undefined);
  issues.push(
    ...missingColumns(mapping, tables, present, params.values),
    ...(await unreadSheets(mapping, others, taken, tables)),
  );
  return { tables, present, issues, leftAside };
}

/** The sheets that hold a table: the best of each file, or every one that fits. */
function fitting(table: CompiledTable, mapping: LoadedMapping, candidates: readonly Candidate[]): Fit[] {
  const fits = candidates.flatMap((candidate) => fitOf(table, mapping, candidate) ?? []);
  if (table.spec.every) return fits;
  const best = new Map<InputFile | RowSource | undefined, Fit>();
  for (const fit of fits) {
    const { input, source } = fit.candidate;
    const file = input?.kind === 'zip' ? source : input;
    const known = best.get(file);
    if (known === undefined || matchedColumns(fit.header) > matchedColumns(known.header)) best.set(file, fit);
  }
  return [...best.values()];
}

/** A parameter whose records fit no column would be lost unseen. */
const lostParam = (name: string, { tables }: ResolvedParams): Issue[] =>
  (tables[name] ?? []).length === 0
    ? []
    : [{ code: 'param/table-unfit', level: 'error', params: { name }, place: {} }];

/** A table that is a parameter. */
async function fitsGiven(
  table: CompiledTable,
  mapping: LoadedMapping,
  name: string,
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<Fit[]> {
  if (records.length === 0) return [];
  const source = paramTable(name, records);
  const fit = fitOf(table, mapping, { input: undefined, source, rows: await firstRows(source, 1) });
  return fit === undefined ? [] : [fit];
}
