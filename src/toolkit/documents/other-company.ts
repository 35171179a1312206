import { type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import { fold, isSameNit } from '../core/text.js';
import type { HeadedTable } from '../mapping/record.js';
import { cellPlace, type Row } from '../tables/table.js';

/** `NIT: 900.123.456-7`, without its check digit. */
const NIT = /\bn\.?\s?i\.?\s?t\b\D{0,15}(\d{3}(?:[.,\s]?\d{3}){2})(?!\d)/g;
/** Text before the NIT of someone who made the sheet or works for the company. */
const OF_ANOTHER =
  /\b(?:elaborad|preparad|liquidad|revisad|generad|procesad|impres)[oa] por\b|\b(?:contador|contadora|revisora? fiscal|software|proveedora?|empresa usuaria|cliente|operadora?)\s*:/;

export interface RunCompany {
  /** NIT without check digit, if known. */
  readonly nit?: string;
}

/** Companies named above the header of a table by their NIT. */
interface CompanyNote {
  readonly table: HeadedTable;
  readonly nits: readonly string[];
  /** Row of the first one. */
  readonly row: Row;
}

function nitsIn({ texts }: Row): readonly string[] {
  // The number may be in the next cell.
  const text = fold(texts.filter((cell) => cell !== undefined).join(' '));
  let behind = 0;
  return [...text.matchAll(NIT)].flatMap(({ index, 0: found, 1: nit = '' }) => {
    const before = text.slice(behind, index);
    behind = index + found.length;
    return OF_ANOTHER.test(before) ? [] : [nit.replace(/\D/g, '')];
  });
}

function namedAbove(table: HeadedTable, rows: readonly Row[]): readonly CompanyNote[] {
  const found = rows
    .filter(({ number }) => number < table.header.row.number)
    .flatMap((row) => nitsIn(row).map((nit) => ({ nit, row })));
  const [first] = found;
  return first === undefined ? [] : [{ table, nits: found.map(({ nit }) => nit), row: first.row }];
}

/** Reports tables of another company than the run's or, if that is unknown, than the first table's. */
export function otherCompanies(
  { nit: company }: RunCompany,
  tables: readonly (readonly [table: HeadedTable, rows: readonly Row[]])[],
): readonly Issue[] {
  const notes = tables.flatMap(([table, rows]) => namedAbove(table, rows));
  const [first] = notes;
  if (first === undefined) return NO_ISSUES;
  return notes.flatMap(({ table, nits, row }) => {
    const [nit = ''] = nits;
    const column = row.texts.findIndex((text) => text !== undefined);
    const place = cellPlace(table.source, row, column);
    if (company !== undefined) {
      if (nits.some((found) => isSameNit(found, company))) return [];
      return { ...issueOf('header/not-of-company', 'error', { nit, company }, place), value: nit };
    }
    if (nits.some((found) => first.nits.includes(found))) return [];
    const { file, sheet = file } = first.table.source;
    const [other = ''] = first.nits;
    const params = { nit, other, sheet };
    return { ...issueOf('header/other-company', 'error', params, place), value: nit };
  });
}
