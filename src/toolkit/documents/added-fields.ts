import type { Issue } from '../core/issue.js';
import { asDeclared } from '../mapping/located.js';
import { type HeadedTable, readRecord } from '../mapping/record.js';
import type { Row } from '../tables/table.js';

/** Min share of records that must agree. */
const MIN_SHARE = 0.8;

/** Text that may be an amount and must not stay unread. */
const LIKE_AMOUNT = /^\s*-?\d[\d.,]{2,}\s*$/;

/** Returns the number of fields of most records. */
export function usualFields(rows: readonly Row[]): number | undefined {
  const times = new Map<number, number>();
  for (const { texts } of rows) times.set(texts.length, (times.get(texts.length) ?? 0) + 1);
  return [...times].find(([, count]) => count / rows.length >= MIN_SHARE)?.[0];
}

/**
 * Accepts a file without header whose records all have more fields than declared: a separator at the end of each line,
 * or columns added by another program. It is accepted if dates, amounts and codes are found in their positions. A
 * single record with an extra separator has shifted, which is another error.
 */
export function withAddedFields(
  table: HeadedTable,
  first: readonly Row[],
): { readonly table: HeadedTable; readonly issues: readonly Issue[] } {
  const { fields, source } = table;
  const same = { table, issues: [] };
  const rows = first.filter(({ line }) => line !== undefined);
  const wanted = Math.max(...(fields ?? []));
  const found = usualFields(rows);
  if (fields === undefined || found === undefined || found <= wanted) return same;
  if (rows.some(({ texts }) => texts.length <= wanted)) return same;
  const usual = rows.filter(({ texts }) => texts.length === found);
  const added = usual.flatMap(({ texts }) => texts.slice(wanted).filter((text) => text !== undefined));
  const last = table.present.reduce((a, b) => (b.index > a.index ? b : a));
  const declared = asDeclared(table);
  const isInPlace = (row: Row): boolean => {
    const { faults } = readRecord(declared, row);
    const isFaulty = table.present.some(({ column }) => faults?.has(column));
    return !isFaulty && (added.length === 0 || row.texts[last.index] !== undefined);
  };
  const inPlace = usual.filter(isInPlace).length / usual.length >= MIN_SHARE;
  // Any text passes as text, so a shift would be unnoticed if the last column is one.
  const isSure =
    inPlace &&
    (added.length === 0 || (last.column.type !== 'text' && !added.some((text) => LIKE_AMOUNT.test(text))));
  const behind = Array.from({ length: found - wanted }, (_, at) => wanted + at + 1);
  const extra = behind.join(', ');
  const ignored = new Map([...table.header.ignored, ...behind.map((at) => [at - 1, extra] as const)]);
  const wider = { ...table, fields: [found], header: { ...table.header, ignored } };
  if (isSure && added.length === 0) return { table: wider, issues: [] };
  const code = isSure ? 'header/fields-added' : 'header/fields-unsure';
  const level = isSure ? 'warning' : 'error';
  const params = { found, wanted: fields.join(', '), extra };
  return {
    table: wider,
    issues: [{ code, level, params, place: { file: source.file }, value: String(found) }],
  };
}
