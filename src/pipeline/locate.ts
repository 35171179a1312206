import type { Issue } from '../issues/issue.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { type LocatedTable, locateTable } from '../mapping/record.js';
import { findHeader, type Header, looksMisspelt, missingColumn, nearestHeader } from '../source/header.js';
import type { InputFile, Row, RowSource } from '../source/table.js';
import { fold, wildcard } from '../values/fold.js';

const WITHIN = 30;

export interface Located {
  readonly table?: LocatedTable;
  /** Trouble with the table as a whole: sheet, header, columns. */
  readonly issues: readonly Issue[];
}

interface Candidate {
  readonly source: RowSource;
  readonly header: Header;
}

/** The first rows of a sheet, enough to look for a header. */
async function firstRows(source: RowSource, last: number): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) {
    rows.push(...batch);
    if ((rows.at(-1)?.number ?? 0) >= last) break;
  }
  return rows.filter((row) => row.number <= last);
}

/** The sheets that a mapping may mean; a CSV has no name to compare. */
function sheetsFor(mapping: LoadedMapping, input: InputFile): readonly RowSource[] {
  const wanted = mapping.table.spec.sheet ?? '*';
  const tests = (Array.isArray(wanted) ? wanted : [wanted]).map((pattern) => wildcard(pattern));
  return input.tables.filter(({ sheet }) => sheet === undefined || tests.some((test) => test(fold(sheet))));
}

/** Finds the table of a mapping in a file: the sheet whose header fits best. */
export async function locate(
  mapping: LoadedMapping,
  input: InputFile,
  params: ParamValues,
): Promise<Located> {
  const { spec, columns } = mapping.table;
  const wanted = [...columns.values()];
  const within = spec.header?.row ?? spec.header?.within ?? WITHIN;
  const mustHave = spec.header?.must_have ?? [mapping.key.id];
  const sheets = sheetsFor(mapping, input);
  if (sheets.length === 0) return { issues: [sheetNotFound(mapping, input)] };

  let best: Candidate | undefined;
  let nearest: Candidate | undefined;
  for (const source of sheets) {
    const rows = await firstRows(source, within);
    const header = findHeader(source, rows, wanted, {
      within,
      mustHave,
      ...(spec.header?.row && { row: spec.header.row }),
    });
    if (header !== undefined && header.columns.size > (best?.header.columns.size ?? -1))
      best = { source, header };
    const near = nearestHeader(source, rows, wanted, within);
    if (near !== undefined && near.columns.size > (nearest?.header.columns.size ?? 0))
      nearest = { source, header: near };
  }
  if (best === undefined) return { issues: headerNotFound(mapping, sheets[0]!, nearest, within, mustHave) };
  const table = locateTable(best.source, best.header, wanted);
  return { table, issues: [...best.header.issues, ...missingColumns(mapping, table, params)] };
}

function sheetNotFound(mapping: LoadedMapping, input: InputFile): Issue {
  const wanted = mapping.table.spec.sheet ?? '*';
  return {
    code: 'header/sheet-not-found',
    level: 'error',
    params: {
      wanted: [wanted].flat().join(', '),
      found: input.tables.map(({ sheet }) => sheet ?? '').join(', '),
    },
    place: { file: input.file },
  };
}

/** When a row is nearly a header, its missing columns say more than "no header". */
function headerNotFound(
  mapping: LoadedMapping,
  sheet: RowSource,
  nearest: Candidate | undefined,
  within: number,
  mustHave: readonly string[],
): Issue[] {
  const { columns } = mapping.table;
  const lacking = mustHave.filter((id) => !nearest?.header.columns.has(id));
  if (nearest !== undefined && nearest.header.columns.size >= 3)
    return lacking.map((id) => missingColumn(nearest.source, nearest.header, columns.get(id)!));
  const titles = mustHave.map((id) => columns.get(id)?.titles[0] ?? id).join(', ');
  const { file, sheet: name } = sheet;
  return [
    {
      code: 'header/not-found',
      level: 'error',
      params: { within, wanted: titles },
      place: { file, ...(name !== undefined && { sheet: name }) },
    },
  ];
}

/**
 * Columns without which no document could be complete: one issue for the column, not one a record.
 * Of the others only those that seem to be there under a misspelt title: they would be lost unseen.
 */
function missingColumns(mapping: LoadedMapping, table: LocatedTable, params: ParamValues): Issue[] {
  const has = (id: string): boolean => table.header.columns.has(id);
  const lacking = new Set<string>();
  for (const { alternatives, param } of mapping.tree.needs) {
    if (param !== undefined && params[param] !== undefined) continue;
    if (alternatives.some((set) => set.every(({ id }) => has(id)))) continue;
    const [first = []] = alternatives;
    const id = first.find((column) => !has(column.id))?.id;
    if (id !== undefined) lacking.add(id);
  }
  const { source, header } = table;
  const misspelt = table.columns.filter(
    (column) => !has(column.id) && !lacking.has(column.id) && looksMisspelt(header, column),
  );
  return [
    ...[...lacking].map((id) => missingColumn(source, header, mapping.table.columns.get(id)!)),
    ...misspelt.map((column) => missingColumn(source, header, column, 'warning')),
  ];
}
