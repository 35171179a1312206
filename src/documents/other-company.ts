import { type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import { fold } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { LocatedTable } from '../mapping/record.js';
import { cellPlace, type Row } from '../tables/table.js';

/** `NIT: 900.123.456-7`, its check digit apart. */
const NIT = /\bn\.?\s?i\.?\s?t\b\D{0,15}(\d{3}(?:[.,\s]?\d{3}){2})(?!\d)/;

/** The company that is named above the header of a table by its NIT. */
interface Company {
  readonly table: LocatedTable;
  readonly nit: string;
  readonly row: Row;
  readonly column: number;
}

function companyAbove(table: LocatedTable, rows: readonly Row[]): Company | undefined {
  for (const row of rows) {
    if (row.number >= table.header.row.number) return undefined;
    // The number may stand in a cell of its own.
    const found = NIT.exec(fold(row.texts.filter((text) => text !== undefined).join(' ')));
    if (found === null) continue;
    const nit = found[1]!.replace(/\D/g, '');
    return { table, nit, row, column: row.texts.findIndex((text) => text !== undefined) };
  }
  return undefined;
}

/** Whose documents are of one employer; above the tables of a clinic stand those who pay, one for each file. */
const OF_EMPLOYER = /^payroll\//;

/** Tables of other companies than the first. */
export function otherCompanies(
  { targets }: Pick<LoadedMapping, 'targets'>,
  tables: readonly (readonly [table: LocatedTable, rows: readonly Row[]])[],
): readonly Issue[] {
  if (!targets.every(({ schema }) => OF_EMPLOYER.test(schema))) return NO_ISSUES;
  const [first, ...others] = tables.flatMap(([table, rows]) => companyAbove(table, rows) ?? []);
  return others
    .filter(({ nit }) => nit !== first!.nit)
    .map(({ table, nit, row, column }) => {
      const { file, sheet = file } = first!.table.source;
      const params = { nit, other: first!.nit, sheet };
      const place = cellPlace(table.source, row, column);
      return { ...issueOf('header/other-company', 'error', params, place), value: nit };
    });
}
