import { type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import { fold, isSameNit } from '../core/text.js';
import type { HeadedTable } from '../mapping/record.js';
import { cellPlace, type Row } from '../tables/table.js';

/** `NIT: 900.123.456-7`, its check digit apart. */
const NIT = /\bn\.?\s?i\.?\s?t\b\D{0,15}(\d{3}(?:[.,\s]?\d{3}){2})(?!\d)/g;
/** Before it: who made the sheet, or works for the company. */
const OF_ANOTHER =
  /\b(?:elaborad|preparad|liquidad|revisad|generad|procesad|impres)[oa] por\b|\b(?:contador|contadora|revisora? fiscal|software|proveedora?|empresa usuaria|cliente|operadora?)\s*:/;

/** The company whose documents a run makes. */
export interface RunCompany {
  /** Without its check digit, as far as it is known. */
  readonly nit?: string;
}

/** The companies that are named above the header of a table by their NIT. */
interface Named {
  readonly table: HeadedTable;
  readonly nits: readonly string[];
  /** The row of the first one. */
  readonly row: Row;
}

function nitsIn({ texts }: Row): readonly string[] {
  // The number may stand in a cell of its own.
  const text = fold(texts.filter((one) => one !== undefined).join(' '));
  let behind = 0;
  return [...text.matchAll(NIT)].flatMap((found) => {
    const before = text.slice(behind, found.index);
    behind = found.index + found[0].length;
    return OF_ANOTHER.test(before) ? [] : [found[1]!.replace(/\D/g, '')];
  });
}

function namedAbove(table: HeadedTable, rows: readonly Row[]): readonly Named[] {
  const found = rows
    .filter(({ number }) => number < table.header.row.number)
    .flatMap((row) => nitsIn(row).map((nit) => ({ nit, row })));
  return found.length === 0 ? [] : [{ table, nits: found.map(({ nit }) => nit), row: found[0]!.row }];
}

/** Tables of another company than that of the run; where nobody said which that is, of another than the first. */
export function otherCompanies(
  { nit: own }: RunCompany,
  tables: readonly (readonly [table: HeadedTable, rows: readonly Row[]])[],
): readonly Issue[] {
  const named = tables.flatMap(([table, rows]) => namedAbove(table, rows));
  const [first] = named;
  if (first === undefined) return NO_ISSUES;
  return named.flatMap(({ table, nits, row }) => {
    const [nit = ''] = nits;
    const column = row.texts.findIndex((text) => text !== undefined);
    const place = cellPlace(table.source, row, column);
    if (own !== undefined) {
      if (nits.some((one) => isSameNit(one, own))) return [];
      return { ...issueOf('header/not-of-company', 'error', { nit, company: own }, place), value: nit };
    }
    if (nits.some((one) => first.nits.includes(one))) return [];
    const { file, sheet = file } = first.table.source;
    const params = { nit, other: first.nits[0]!, sheet };
    return { ...issueOf('header/other-company', 'error', params, place), value: nit };
  });
}
