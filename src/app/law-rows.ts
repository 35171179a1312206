import { basename } from 'node:path';
import { type Issue, type Place, stop, warning } from '../core/issue.js';
import { MAX_NAME_LENGTH } from '../core/limits.js';
import { isPlainDate } from '../core/plain-date.js';
import { squash } from '../core/text.js';
import { type Catalogue, type CatalogueRow, shippedCatalogue, wholeCatalogue } from '../schema/catalogue.js';
import { lawKeyOf, lawRowsByKey, lawTables, sameLawRow } from '../schema/law-layers.js';
import type { RowSource } from '../tables/table.js';
import { HEADER_WITHIN, readFirstSheet } from './first-sheet.js';

/** Rows of law tables by the name of the table. */
export type LawRows = Readonly<Record<string, readonly CatalogueRow[]>>;

/** Forms that all cells of a column may have. */
const FORMS = [/^\d+(\.\d+)?$/, /^\d\d:\d\d$/];
const PESOS = /^[1-9]\d*$/;

/** Returns what a cell of a column must be, by its name and the shipped cells. */
function cellTest(table: string, column: string, shipped: readonly string[]): (cell: string) => boolean {
  const { key, pesos = [] } = lawTables()[table]!;
  if (column === 'year') return (cell) => /^\d{4}$/.test(cell);
  if (column === 'valid_from' || column === 'valid_to') return (cell) => cell === '' || isPlainDate(cell);
  if (pesos.includes(column)) return (cell) => PESOS.test(cell);
  const filled = shipped.filter((cell) => cell !== '');
  const form = key.includes(column) ? undefined : FORMS.find((one) => filled.every((cell) => one.test(cell)));
  if (form === undefined || filled.length === 0) return (cell) => cell.length <= MAX_NAME_LENGTH;
  const mayBeBlank = filled.length < shipped.length;
  return (cell) => (mayBeBlank && cell === '') || form.test(cell);
}

/** Checks the rows of a law table. `placeOf`: where the row of an index stands. */
export function checkLawRows(
  name: string,
  rows: readonly CatalogueRow[],
  placeOf: (index: number) => Place,
): void {
  const list = shippedCatalogue(name)!;
  const tests = list.columns.map((column) => {
    const shipped = list.rows.map((row) => row[column]!);
    return [column, cellTest(name, column, shipped)] as const;
  });
  const keys = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const { valid_from: from = '', valid_to: to = '' } = row;
    const wrong =
      tests.find(([column, isGood]) => !isGood(row[column]!))?.[0] ??
      (to !== '' && to < from ? 'valid_to' : undefined);
    if (wrong !== undefined)
      stop('input', {
        code: 'catalogue/bad-figure',
        value: row[wrong]!,
        params: { column: wrong },
        place: placeOf(index),
      });
    const key = lawKeyOf(name, row).join(' ').trim();
    if (keys.has(key))
      stop('input', {
        code: 'catalogue/figure-twice',
        value: key,
        params: { catalogue: name },
        place: placeOf(index),
      });
    keys.add(key);
  }
}

/** The columns that a header has of a law table, each with its index. */
type Header = ReadonlyMap<string, number>;

/** Returns the columns of a law table that a row names; undefined unless it names the key and more. */
function headerOf(name: string, texts: readonly (string | undefined)[]): Header | undefined {
  const { key } = lawTables()[name]!;
  const at = new Map(texts.map((text, index) => [squash(text ?? ''), index]));
  const header = new Map(
    shippedCatalogue(name)!.columns.flatMap((column) => {
      const index = at.get(squash(column));
      return index === undefined ? [] : [[column, index] as const];
    }),
  );
  return header.size > key.length && key.every((column) => header.has(column)) ? header : undefined;
}

/** Finds the law table, of some, of which a row names most columns; undefined if it is as much of one as of another. */
function headerIn(names: readonly string[], texts: readonly (string | undefined)[]) {
  const found = names.flatMap((name) => {
    const header = headerOf(name, texts);
    return header === undefined
      ? []
      : [{ name, header, missing: shippedCatalogue(name)!.columns.length - header.size }];
  });
  const [best, next] = found.sort((a, b) => b.header.size - a.header.size || a.missing - b.missing);
  const isTie = best?.header.size === next?.header.size && best?.missing === next?.missing;
  return isTie ? undefined : best;
}

/** Reads the rows of a law table from a sheet whose header has its columns; undefined if there is no such header. */
async function readSheet(
  names: readonly string[],
  file: string,
  sheet: RowSource,
): Promise<LawRows | undefined> {
  const rows: CatalogueRow[] = [];
  const numbers: number[] = [];
  let found: ReturnType<typeof headerIn>;
  let seen = 0;
  for await (const batch of sheet.batches())
    for (const { texts, number } of batch) {
      if (texts.every((text = '') => text.trim() === '')) continue;
      if (found === undefined) {
        found = headerIn(names, texts);
        if (found === undefined && ++seen >= HEADER_WITHIN) return undefined;
        continue;
      }
      const { name, header } = found;
      rows.push(
        Object.fromEntries(
          shippedCatalogue(name)!.columns.map((column) => [
            column,
            texts[header.get(column) ?? -1]?.trim() ?? '',
          ]),
        ),
      );
      numbers.push(number);
    }
  if (found === undefined || rows.length === 0) return undefined;
  checkLawRows(found.name, rows, (index) => ({ file, row: numbers[index]! }));
  return { [found.name]: rows };
}

/**
 * Reads rows of a law table from a workbook or a CSV with the columns that the table has.
 * @param as the table; else the one that the file is called after, or that the columns are of
 * @throws PipelineError('input', catalogue/no-codes | catalogue/bad-figure | catalogue/figure-twice)
 */
export async function loadLawRows(path: string, as: string | undefined): Promise<LawRows> {
  const file = squash(basename(path));
  const name = as ?? Object.keys(lawTables()).find((one) => file.includes(squash(one)));
  const names = name === undefined ? Object.keys(lawTables()) : [name];
  const expected = name === undefined ? names : shippedCatalogue(name)!.columns;
  return readFirstSheet(
    path,
    (sheet, found) => readSheet(names, found, sheet),
    (found) => {
      const given = { value: found, place: { file: found } };
      const params = { expected: expected.join(', ') };
      return name === undefined
        ? stop('input', { code: 'catalogue/no-law-table', params, ...given })
        : stop('input', { code: 'catalogue/no-codes', params: { ...params, table: name }, ...given });
    },
  );
}

/** Returns what a person should look at in an amount, beside that of the year before. */
function amountDoubt(
  name: string,
  column: string,
  row: CatalogueRow,
  before: CatalogueRow,
): Issue | undefined {
  const [was, is] = [BigInt(before[column]!), BigInt(row[column]!)];
  const params = { catalogue: name, column, period: row['year']!, before: before[column]! };
  const issue =
    is < was
      ? warning('catalogue/figure-lower', params)
      : 3n * (is - was) > was // more than a third
        ? warning('catalogue/figure-higher', params)
        : undefined;
  return issue && { ...issue, value: row[column]! };
}

/** Returns what a person should look at before rows are taken: rows that replace others, and amounts far from those of the year before. */
export function lawDoubts(given: LawRows): readonly Issue[] {
  return Object.entries(given).flatMap(([name, rows]) => {
    const known = lawRowsByKey(wholeCatalogue(name)!);
    const after = lawRowsByKey({ name, rows } as Catalogue);
    const { pesos = [] } = lawTables()[name]!;
    return rows.flatMap((row): Issue[] => {
      const replaced = sameLawRow(name, known, row);
      const changed = replaced && Object.keys(row).filter((column) => row[column] !== replaced[column]);
      if (changed?.length === 0) return [];
      const [column] = changed ?? [];
      const doubts =
        column === undefined
          ? []
          : [
              {
                ...warning('catalogue/figure-replaced', {
                  catalogue: name,
                  column,
                  period: lawKeyOf(name, row).join(' ').trim(),
                  before: replaced![column]!,
                }),
                value: row[column]!,
              },
            ];
      const year = { ...row, year: String(Number(row['year']) - 1) };
      const before = sameLawRow(name, after, year) ?? sameLawRow(name, known, year);
      const amounts = before === undefined ? [] : pesos.map((one) => amountDoubt(name, one, row, before));
      return [...doubts, ...amounts.filter((one) => one !== undefined)];
    });
  });
}
