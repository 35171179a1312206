import { type Issue, issueOf } from '../core/issue.js';
import { fold, similarity } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type ParamValues, type ResolvedParams, titleOfParam } from '../mapping/params.js';
import type { CompiledColumn, CompiledTable, HeadedTable } from '../mapping/record.js';
import { findHeader, type Header, looksMisspelt, matchedColumns, missingColumn } from '../tables/header.js';
import { squashLabel } from '../tables/titles.js';
import { complementOf, isComplement } from './complement.js';
import { type Candidate, type Fit, fitOf, headerOptions, nameOf, nearestFit, placeOf } from './table-fit.js';

/** Why a table is in none of the files: `named` are those that it may be by their names. */
export function notFound(
  table: CompiledTable,
  mapping: LoadedMapping,
  named: readonly Candidate[],
  all: readonly Candidate[],
  located: readonly HeadedTable[],
): Issue[] {
  const isOwn = !isComplement(table);
  if (named.length > 0 && (isOwn || nearlyFound(table, mapping, named) !== undefined))
    return headerNotFound(table, mapping, named);
  if (!isOwn) {
    const { titles, keys } = complementOf(mapping, table, located);
    const params = { table: table.id, keys: keys.join(', '), columns: titles.join(', ') };
    return [{ code: 'header/complement-missing', level: 'error', params, place: {} }];
  }
  const wanted = [table.spec.sheet ?? table.spec.file ?? table.id].flat().join(', ');
  const found = all.map(nameOf).join(', ');
  const file = all[0]?.source.file;
  const place = file === undefined ? {} : { file };
  return [{ code: 'header/sheet-not-found', level: 'error', params: { wanted, found }, place }];
}

/** So many columns of a table are nearly its header. */
const NEARLY = 3;

function nearlyFound(
  table: CompiledTable,
  mapping: LoadedMapping,
  named: readonly Candidate[],
): Fit | undefined {
  const nearest = nearestFit(table, mapping, named);
  return nearest !== undefined && matchedColumns(nearest.header) >= NEARLY ? nearest : undefined;
}

/** When a row is nearly a header, its missing columns say more than "no header". */
function headerNotFound(table: CompiledTable, mapping: LoadedMapping, named: readonly Candidate[]): Issue[] {
  const { mustHave, within } = headerOptions(table, mapping);
  const nearest = nearlyFound(table, mapping, named);
  if (nearest !== undefined) {
    const { candidate, header } = nearest;
    const lacking = mustHave.filter((id) => !header.columns.has(id));
    return lacking.map((id) => missingColumn(candidate.source, header, table.columns.get(id)!.wanted!));
  }
  const wanted = mustHave.map((id) => table.columns.get(id)?.wanted?.titles[0] ?? id).join(', ');
  return [
    { code: 'header/not-found', level: 'error', params: { within, wanted }, place: placeOf(named[0]!) },
  ];
}

/**
 * Columns without which no document could be complete: one issue for the column, not one a record.
 * Of the others only those that seem to be there under a misspelt title: they would be lost unseen.
 */
export function missingColumns(
  mapping: LoadedMapping,
  tables: readonly HeadedTable[],
  present: ReadonlySet<CompiledColumn>,
  params: ParamValues,
): Issue[] {
  const lacking = new Set<CompiledColumn>();
  for (const { fields } of mapping.targets)
    for (const { needed, alternatives, param } of fields) {
      if (!needed) continue;
      if (param !== undefined && params[param] !== undefined) continue;
      if (alternatives.some((set) => set.every((column) => present.has(column)))) continue;
      const first = alternatives[0]?.find((column) => !present.has(column));
      if (first !== undefined) lacking.add(first);
    }
  const compiled = [...mapping.tables.values()];
  return tables.flatMap((table) => {
    const { source, header } = table;
    const { columns, spec } = compiled.find(({ slot }) => slot === table.slot)!;
    const labelled = Object.values(spec.labels ?? {});
    const beside = spec.spread ? tables.filter(({ slot }) => slot === table.slot) : [table];
    const fromColumns = [...columns.values()].flatMap((column) => {
      const { wanted, position } = column;
      if (wanted === undefined || beside.some(({ indexes }) => indexes[position] !== undefined)) return [];
      if (lacking.has(column)) return [missingColumn(source, header, wanted)];
      const isLikely =
        labelled.includes(wanted.id) || (header.row.number > 0 && looksMisspelt(header, wanted));
      return isLikely ? [missingColumn(source, header, wanted, 'warning')] : [];
    });
    return fromColumns;
  });
}

/** Names of sheets more alike than this are taken for one misspelt. */
const ALIKE = 0.75;

/** Rows that are counted of a sheet that nobody reads. */
const COUNTED = 10_000;

async function countRows({ source }: Candidate): Promise<string> {
  let rows = 0;
  for await (const batch of source.batches()) {
    rows += batch.length;
    if (rows > COUNTED) return `${COUNTED}+`;
  }
  return String(rows);
}

/** The share of its columns that a header has in common with another that counts as the same: branches and months differ in a few. */
const SAME = 0.8;

/** The columns of a header: those that are read by their ids, others by their labels. */
function columnsOf({ columns, labels }: Header): ReadonlySet<string> {
  const ids = new Map([...columns].map(([id, column]) => [column, id]));
  return new Set(
    labels.flatMap((label, column) => (label === undefined ? [] : (ids.get(column) ?? squashLabel(label)))),
  );
}

function isSame(header: Header, other: Header): boolean {
  const [own, others] = [columnsOf(header), columnsOf(other)];
  const shared = [...own].filter((column) => others.has(column)).length;
  return shared > 0 && shared >= SAME * Math.max(own.size, others.size);
}

/** The table that reads another sheet with the header of this one, which has records as well. */
const readElsewhere = (
  mapping: LoadedMapping,
  candidate: Candidate,
  tables: readonly HeadedTable[],
): { readonly id: string; readonly sheet: string } | undefined => {
  for (const { slot, source, header } of tables) {
    const table = [...mapping.tables.values()].find((one) => one.slot === slot)!;
    if (header.row.number === 0 || table.spec.param !== undefined) continue; // nothing to compare
    const found = fitOf(table, mapping, candidate)?.header;
    const hasRecords = candidate.rows.some(({ number }) => number >= (found?.firstDataRow ?? Infinity));
    if (found && hasRecords && isSame(found, header))
      return { id: table.id, sheet: source.sheet ?? source.file };
  }
  return undefined;
};

/** Files and sheets that no table of the mapping reads and nobody left aside: they would be lost unseen. */
export async function unreadSheets(
  mapping: LoadedMapping,
  candidates: readonly Candidate[],
  taken: ReadonlySet<Candidate>,
  tables: readonly HeadedTable[],
): Promise<Issue[]> {
  if (tables.length === 0) return [];
  const found = new Set(tables.map(({ slot }) => slot));
  const lacking = [...mapping.tables.values()].filter(
    ({ slot, spec, parent }) => !found.has(slot) && spec.sheet !== undefined && parent === undefined,
  );
  const [main] = mapping.mains;
  const key = mapping.key.flatMap((id) => main!.columns.get(id)?.wanted ?? []);
  const readFiles = new Set([...taken].map(({ input }) => input));
  const saidFiles = new Set<Candidate['input']>();
  const about = async (candidate: Candidate): Promise<readonly Issue[]> => {
    const { input, source, rows } = candidate;
    if (taken.has(candidate) || rows.length === 0) return [];
    if (!readFiles.has(input)) {
      if (saidFiles.has(input)) return [];
      saidFiles.add(input);
      const own = candidates.filter((one) => one.input === input);
      const isSaidAlready = !found.has(main!.slot) && !main!.spec.optional;
      return isSaidAlready ? [] : headerNotFound(main!, mapping, own);
    }
    const place = placeOf(candidate);
    const value = nameOf(candidate);
    // Who sends a zip sends all of it: a file of services that nobody reads is money lost.
    if (input?.kind === 'zip')
      return [{ code: 'header/file-unused', level: 'error', params: {}, place, value }];
    // A sheet of the very name is not misspelt: its header is at fault, which is said already where the table must be there.
    const namesake = lacking.find(({ spec }) =>
      [spec.sheet!].flat().some((name) => fold(name) === fold(value)),
    );
    if (namesake !== undefined)
      return namesake.spec.optional ? headerNotFound(namesake, mapping, [candidate]) : [];
    const alike = lacking
      .flatMap(({ spec }) => [spec.sheet!].flat())
      .find((name) => similarity(name, value) >= ALIKE);
    if (alike !== undefined) {
      const suggestions = [{ value: alike, score: 1 }];
      return [
        {
          code: 'header/sheet-misspelt',
          level: 'error',
          params: { wanted: alike },
          place,
          value,
          suggestions,
        },
      ];
    }
    const elsewhere = readElsewhere(mapping, candidate, tables);
    if (elsewhere !== undefined) {
      const { id: table, sheet: read } = elsewhere;
      const params = { read, table, rows: await countRows(candidate) };
      return [{ code: 'header/sheet-left-out', level: 'error', params, place, value }];
    }
    const options = { within: rows.length, mustHave: key.map(({ id }) => id) };
    const hasKey = rows.length > 1 && key.length > 0 && findHeader(source, rows, key, options) !== undefined;
    const hidden = source.hidden ? 'header/hidden-sheet-unread' : 'header/sheet-unread';
    const code = hasKey ? 'header/sheet-unused' : hidden;
    return [{ code, level: 'warning', params: { rows: await countRows(candidate) }, place, value }];
  };
  const issues: Issue[] = [];
  for (const candidate of candidates) issues.push(...(await about(candidate)));
  return issues;
}

/** A parameter whose records fit no column would be lost unseen. */
export function lostParam(name: string, { params }: LoadedMapping, { tables }: ResolvedParams): Issue[] {
  if ((tables[name] ?? []).length === 0) return [];
  const { es, en } = titleOfParam(params.get(name)!);
  return [issueOf('param/table-unfit', 'error', { about_es: es, about_en: en })];
}
