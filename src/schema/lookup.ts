import type { Suggestion } from '../core/issue.js';
import { squash, suggest } from '../core/text.js';
import type { Catalogue, CatalogueRow } from './catalogue.js';

/** Words that mean an entry, by its code: `13` → CC, cédula. */
export type Words = Readonly<Record<string, readonly string[]>>;
export type LookupColumn = 'code' | 'id' | 'name';

export type LookupResult =
  | { readonly kind: 'found'; readonly row: CatalogueRow; readonly restored?: string }
  | { readonly kind: 'unknown'; readonly suggestions: readonly Suggestion[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogueRow[] };

export interface Lookup {
  /** Finds by text, among the entries that agree with `within` (catalogue column → text, folded). */
  find(text: string, within?: Readonly<Record<string, string>>): LookupResult;
}

const group = (rows: Iterable<[string, CatalogueRow]>): Map<string, CatalogueRow[]> => {
  const index = new Map<string, CatalogueRow[]>();
  for (const [key, row] of rows) {
    const list = index.get(key);
    if (list === undefined) index.set(key, [row]);
    else if (!list.includes(row)) list.push(row);
  }
  return index;
};

/** Official lists themselves have lost a zero here and there. */
const NEARLY_ALL = 0.99;

/** Nearly all codes of a list have one width: then a shorter number lost its leading zeros. */
function codeWidth(list: Catalogue): number | undefined {
  const counts = new Map<number, number>();
  for (const { code = '' } of list.rows) counts.set(code.length, (counts.get(code.length) ?? 0) + 1);
  const [width, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return count > 0 && count >= list.rows.length * NEARLY_ALL ? width : undefined;
}

/**
 * Lookup by the given columns, tried in order. Leading zeros are restored only when the padded code exists;
 * `restored` then says the code, so that the repair is reported. Never matches by likeness.
 */
export function createLookup(
  list: Catalogue,
  by: readonly LookupColumn[],
  words: Words = {},
  /** The list may lack entries, so nothing in it is suggested for another. */
  open = false,
): Lookup {
  const indexOf = (column: LookupColumn): Map<string, CatalogueRow[]> =>
    column === 'name'
      ? group([
          ...list.rows.map((row): [string, CatalogueRow] => [squash(row['name'] ?? ''), row]),
          ...list.rows.flatMap((row) =>
            (words[row['code'] ?? ''] ?? []).map((word): [string, CatalogueRow] => [squash(word), row]),
          ),
        ])
      : group(list.rows.map((row) => [row[column] ?? '', row]));
  // Made when first asked: a mapping that is only linted asks nothing.
  const made = new Map<LookupColumn, Map<string, CatalogueRow[]>>();
  const rowsBy = (column: LookupColumn, text: string): readonly CatalogueRow[] | undefined => {
    let index = made.get(column);
    if (index === undefined) {
      index = indexOf(column);
      made.set(column, index);
    }
    return index.get(text);
  };
  let width: number | undefined | null = by.includes('code') ? null : undefined;
  const hits = new Map<string, LookupResult>();

  const agrees = (row: CatalogueRow, within: Readonly<Record<string, string>>): boolean =>
    Object.entries(within).every(([column, text]) => {
      const wanted = squash(text);
      return squash(row[column] ?? '') === wanted || row[`${column}_code`] === text;
    });

  const namesWithin = (within: Readonly<Record<string, string>> | undefined): Set<string> => {
    const pool = within === undefined ? list.rows : list.rows.filter((row) => agrees(row, within));
    return new Set((pool.length > 0 ? pool : list.rows).map((row) => row['name'] ?? ''));
  };

  const search = (text: string, within: Readonly<Record<string, string>> | undefined): LookupResult => {
    const wanted = (rows: readonly CatalogueRow[] | undefined): readonly CatalogueRow[] =>
      rows === undefined ? [] : within === undefined ? rows : rows.filter((row) => agrees(row, within));
    for (const column of by) {
      const rows = wanted(rowsBy(column, column === 'name' ? squash(text) : text));
      if (rows.length === 1) return { kind: 'found', row: rows[0]! };
      if (rows.length > 1) return { kind: 'ambiguous', candidates: rows };
    }
    if (width === null) width = codeWidth(list);
    if (width !== undefined && /^\d+$/.test(text) && text.length < width) {
      const padded = text.padStart(width, '0');
      const [row] = wanted(rowsBy('code', padded));
      if (row !== undefined) return { kind: 'found', row, restored: padded };
    }
    if (open) return { kind: 'unknown', suggestions: [] };
    // Made when they are looked at: who only asks whether a text is known asks thousands.
    let suggestions: readonly Suggestion[] | undefined;
    return {
      kind: 'unknown',
      get suggestions() {
        suggestions ??= suggest(text, namesWithin(within));
        return suggestions;
      },
    };
  };

  return {
    find(text, within) {
      const key = within === undefined ? text : `${text}\u0000${Object.values(within).join('\u0000')}`;
      let result = hits.get(key);
      if (result === undefined) {
        result = search(text, within);
        if (hits.size < 50_000) hits.set(key, result);
      }
      return result;
    },
  };
}
