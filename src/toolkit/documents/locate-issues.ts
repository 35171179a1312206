import { type Issue, issueOf } from '../core/issue.js';
import { fold, similarity } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type ParamValues, type ResolvedParams, titleOfParam } from '../mapping/params.js';
import type { CompiledColumn, CompiledTable, HeadedTable } from '../mapping/record.js';
import { findHeader, type Header, looksMisspelt, matchedColumns, missingColumn } from '../tables/header.js';
import { squashLabel } from '../tables/titles.js';
import { complementOf, isComplement } from './complement.js';
import { type Candidate, type Fit, fitOf, headerOptions, nameOf, nearestFit, placeOf } from './table-fit.js';

/** Reports a table that is in none of the files; `named` are the candidates by name. */
export function notFound(
  table: CompiledTable,
  mapping: LoadedMapping,
  named: readonly Candidate[],
  all: readonly Candidate[],
  located: readonly HeadedTable[],
): Issue[] {
  const isOwn = !isComplement(table);
  if (named.length > 0 && (isOwn || closestHeader(table, mapping, named) !== undefined))
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

/** Min columns of a row that is nearly a header. */
const MIN_MATCHED_COLUMNS = 3;

function closestHeader(
  table: CompiledTable,
  mapping: LoadedMapping,
  named: readonly Candidate[],
): Fit | undefined {
  const nearest = nearestFit(table, mapping, named);
  return nearest !== undefined && matchedColumns(nearest.header) >= MIN_MATCHED_COLUMNS ? nearest : undefined;
}

/** Reports the missing columns of a row that is nearly a header, else that there is none. */
function headerNotFound(table: CompiledTable, mapping: LoadedMapping, named: readonly Candidate[]): Issue[] {
  const { mustHave, within } = headerOptions(table, mapping);
  const nearest = closestHeader(table, mapping, named);
  if (nearest !== undefined) {
    const { candidate, header } = nearest;
    const lacking = mustHave.filter((id) => !header.columns.has(id));
    return lacking.flatMap((id) => {
      const wanted = table.columns.get(id)?.wanted;
      return wanted === undefined ? [] : missingColumn(candidate.source, header, wanted);
    });
  }
  const wanted = mustHave.map((id) => table.columns.get(id)?.wanted?.titles[0] ?? id).join(', ');
  return named
    .slice(0, 1)
    .map((candidate) => issueOf('header/not-found', 'error', { within, wanted }, placeOf(candidate)));
}

/**
 * Reports columns without which no document is complete, once per column. Others are reported only if a misspelt title
 * suggests that they exist.
 */
export function missingColumns(
  mapping: LoadedMapping,
  tables: readonly HeadedTable[],
  present: ReadonlySet<CompiledColumn>,
  params: ParamValues,
): Issue[] {
  /** Columns with the parameter that gives all their fields as well. */
  const lacking = new Map<CompiledColumn, string | undefined>();
  const located = new Set(tables.map(({ tableIndex }) => tableIndex));
  for (const { fields } of mapping.targets)
    for (const { needed, alternatives, param } of fields) {
      if (!needed) continue;
      if (param !== undefined && params[param] !== undefined) continue;
      if (alternatives.some((set) => set.every((column) => present.has(column)))) continue;
      const absent = alternatives.flatMap((set) => set.find((column) => !present.has(column)) ?? []);
      // A sheet that is there may have the column; of one that is not, nothing is said.
      const first = absent.find(({ tableIndex }) => located.has(tableIndex)) ?? absent[0];
      if (first === undefined) continue;
      lacking.set(first, !lacking.has(first) || lacking.get(first) === param ? param : undefined);
    }
  return tables.flatMap((table) => {
    const { source, header } = table;
    const { columns, spec } = table.compiled;
    const labelled = Object.values(spec.labels ?? {});
    const related = spec.spread
      ? tables.filter(({ tableIndex }) => tableIndex === table.tableIndex)
      : [table];
    const fromColumns = [...columns.values()].flatMap((column) => {
      const { wanted, position } = column;
      if (wanted === undefined || related.some(({ indexes }) => indexes[position] !== undefined)) return [];
      if (lacking.has(column))
        return related[0] === table
          ? [missingColumn(source, header, wanted, { param: lacking.get(column) })]
          : [];
      const isLikely =
        labelled.includes(wanted.id) || (header.row.number > 0 && looksMisspelt(header, wanted));
      return isLikely ? [missingColumn(source, header, wanted, { level: 'warning' })] : [];
    });
    return fromColumns;
  });
}

const MIN_NAME_SIMILARITY = 0.75;

/** Max rows counted of an unread sheet. */
const MAX_COUNTED_ROWS = 10_000;

async function countRows({ source }: Candidate): Promise<string> {
  let rows = 0;
  for await (const batch of source.batches()) {
    rows += batch.length;
    if (rows > MAX_COUNTED_ROWS) return `${MAX_COUNTED_ROWS}+`;
  }
  return String(rows);
}

/** Min share of columns in common for two headers to count as equal: branches and months differ in a few. */
const MIN_SHARED_COLUMNS = 0.8;

/** Returns the columns of a header: read ones by id, others by label. */
function columnsOf({ columns, labels }: Header): ReadonlySet<string> {
  const ids = new Map([...columns].map(([id, column]) => [column, id]));
  return new Set(
    labels.flatMap((label, column) => (label === undefined ? [] : (ids.get(column) ?? squashLabel(label)))),
  );
}

function isSame(header: Header, other: Header): boolean {
  const [columns, others] = [columnsOf(header), columnsOf(other)];
  const shared = [...columns].filter((column) => others.has(column)).length;
  return shared > 0 && shared >= MIN_SHARED_COLUMNS * Math.max(columns.size, others.size);
}

const sheetNames = ({ sheet }: CompiledTable['spec']): readonly string[] => [sheet ?? []].flat();

/** Finds a table that reads another sheet with the same header, if this one has records too. */
const readElsewhere = (
  mapping: LoadedMapping,
  candidate: Candidate,
  tables: readonly HeadedTable[],
): { readonly id: string; readonly sheet: string } | undefined => {
  for (const { compiled: table, source, header } of tables) {
    if (header.row.number === 0 || table.spec.param !== undefined) continue; // nothing to compare
    const found = fitOf(table, mapping, candidate)?.header;
    const hasRecords = candidate.rows.some(({ number }) => number >= (found?.firstDataRow ?? Infinity));
    if (found && hasRecords && isSame(found, header))
      return { id: table.id, sheet: source.sheet ?? source.file };
  }
  return undefined;
};

/** Reports files and sheets that no table reads and the mapping does not ignore: their data would be lost silently. */
export async function unreadSheets(
  mapping: LoadedMapping,
  candidates: readonly Candidate[],
  taken: ReadonlySet<Candidate>,
  tables: readonly HeadedTable[],
): Promise<Issue[]> {
  if (tables.length === 0) return [];
  const found = new Set(tables.map(({ tableIndex }) => tableIndex));
  const lacking = [...mapping.tables.values()].filter(
    ({ tableIndex, spec, parent }) =>
      !found.has(tableIndex) && spec.sheet !== undefined && parent === undefined,
  );
  const [main] = mapping.mains;
  const key = mapping.key.flatMap((id) => main.columns.get(id)?.wanted ?? []);
  const readFiles = new Set([...taken].map(({ input }) => input));
  const reportedFiles = new Set<Candidate['input']>();
  const about = async (candidate: Candidate): Promise<readonly Issue[]> => {
    const { input, source, rows } = candidate;
    if (taken.has(candidate) || rows.length === 0) return [];
    if (!readFiles.has(input)) {
      if (reportedFiles.has(input)) return [];
      reportedFiles.add(input);
      const ofFile = candidates.filter((other) => other.input === input);
      const isReported = !found.has(main.tableIndex) && !main.spec.optional;
      return isReported ? [] : headerNotFound(main, mapping, ofFile);
    }
    const place = placeOf(candidate);
    const value = nameOf(candidate);
    // A zip is sent as a whole: an unread file of services is lost money.
    if (input?.kind === 'zip')
      return [{ code: 'header/file-unused', level: 'error', params: {}, place, value }];
    // A sheet of exactly this name is not misspelt: its header is wrong, which is reported if the table is required.
    const namesake = lacking.find(({ spec }) => sheetNames(spec).some((name) => fold(name) === fold(value)));
    if (namesake !== undefined)
      return namesake.spec.optional ? headerNotFound(namesake, mapping, [candidate]) : [];
    const alike = lacking
      .flatMap(({ spec }) => sheetNames(spec))
      .find((name) => similarity(name, value) >= MIN_NAME_SIMILARITY);
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

/** Reports a table parameter whose records fit no column, and would be lost silently. */
export function lostParam(name: string, { params }: LoadedMapping, { tables }: ResolvedParams): Issue[] {
  if ((tables[name] ?? []).length === 0) return [];
  const param = params.get(name);
  if (param === undefined) return [];
  const { es, en } = titleOfParam(param);
  return [issueOf('param/table-unfit', 'error', { about_es: es, about_en: en })];
}
