import { collapse } from '../core/text.js';
import type { MergedCells, Row, RowSource } from './table.js';
import { labelForms, squashLabel, type TitleMatcher } from './titles.js';

/** Row of group labels, with the group names of mapping files. */
export interface GroupRow {
  readonly row: Row;
  /** Row above it, in a header of three rows: `PROVISIONES` over `PRIMA` over `Valor`. */
  readonly sections?: Row;
  readonly names: TitleMatcher;
}

/** Labels of a header of one to three rows, by 0-based column. */
export interface HeaderLabels {
  readonly labels: readonly (string | undefined)[];
  readonly groupLabels: readonly (string | undefined)[];
  /** Labels over the groups, in a header of three rows. */
  readonly sectionLabels: readonly (string | undefined)[];
  /** Returns the row whose cell holds the label of a column. */
  rowOf(column: number): Row;
}

/** Max distance of a group row: directly above, or with a blank row between. */
const REACH = 2;

export const isName = (names: TitleMatcher, text: string): boolean => names.closeness(labelForms(text)) > 0;

const isText = ({ texts, kinds }: Row): boolean =>
  texts.every((text, column) => text === undefined || (kinds?.[column] ?? 'text') === 'text');

/** Max length of a text that names columns. */
export const LONG_TEXT = 40;

/** True if a text may name columns below it, rather than be a line of a title block. */
export const mayNameGroup = (text: string): boolean => text.length <= LONG_TEXT && !/:|\d{4}/.test(text);

/** Returns the row of sections above the row of groups at an index, if there is one. */
function sectionsAbove(rows: readonly Row[], at: number): Row | undefined {
  const [row, below] = [rows[at - 1], rows[at]];
  if (row === undefined || row.number + 1 !== below?.number || !isText(row)) return undefined;
  const texts = row.texts.filter((text) => text !== undefined);
  // A section begins where one of its groups does; a title may be anywhere.
  const first = row.texts.findIndex((text) => text !== undefined);
  const isOverGroup = row.texts.some(
    (text, column) => column > first && text !== undefined && below.texts[column] !== undefined,
  );
  return texts.length > 1 && isOverGroup && texts.every(mayNameGroup) && mayReach(row, below)
    ? row
    : undefined;
}

/** Returns the row of group labels above a row: declared, or naming a wanted group. */
export function groupRowAbove(
  rows: readonly Row[],
  at: number,
  names: TitleMatcher,
  declared: boolean,
): GroupRow | undefined {
  const [row, below] = [rows[at - 1], rows[at]];
  if (row === undefined || below === undefined || below.number - row.number > REACH) return undefined;
  const sections = sectionsAbove(rows, at - 1);
  const texts = row.texts.filter((text) => text !== undefined);
  const named = [...texts, ...(sections?.texts ?? [])].some(
    (text) => text !== undefined && isName(names, text),
  );
  // A single text that names no group is the title of the sheet.
  return named || (declared && texts.length > 1) ? { row, ...(sections && { sections }), names } : undefined;
}

/** True if a text of a row may cover labels of the next one; a title in the first column does not. */
export function mayReach(row: Row, next: Row | undefined): boolean {
  if (next === undefined || next.number - row.number > REACH || !isText(row) || !isText(next)) return false;
  const first = row.texts.findIndex((text) => text !== undefined);
  const reaches = next.texts.some(
    (text, at) => at > first && text !== undefined && row.texts[at] === undefined,
  );
  return reaches && (first > 0 || row.texts.some((text, at) => at > first && text !== undefined));
}

/** Adds merged cells to rows that may be group rows; finding them unpacks the sheet, so other sheets are not read. */
export async function withMerged(
  source: RowSource,
  rows: readonly Row[],
  within: number,
): Promise<readonly Row[]> {
  const above = rows.filter((row, at) => row.number <= within && mayReach(row, rows[at + 1]));
  const last = above.at(-1)?.number;
  if (source.merged === undefined || last === undefined) return rows;
  const merged: MergedCells = await source.merged(last);
  return rows.map((row) => {
    const columns = merged.get(row.number);
    return columns === undefined ? row : { ...row, merged: columns };
  });
}

/**
 * Returns the text of a row over each column. A merged cell holds its text in its first column and covers its range,
 * else up to the next text. A text for which `isLabel` is true is a label merged over rows below, and ends the cover of
 * others.
 */
function namesOver(
  { texts, merged }: Row,
  width: number,
  isLabel: (text: string, column: number) => boolean,
): readonly (string | undefined)[] {
  let name: string | undefined;
  let last = Number.POSITIVE_INFINITY;
  return Array.from({ length: width }, (_, column) => {
    const text = texts[column];
    const end = merged?.get(column);
    if (column > last || end !== undefined) name = undefined;
    if (text !== undefined || end !== undefined) last = end ?? Number.POSITIVE_INFINITY;
    if (text !== undefined) name = isLabel(text, column) ? undefined : collapse(text);
    return name;
  });
}

/** Returns labels, their groups and sections. A text over blank cells that names no wanted group is a label too. */
export function labelsOf(row: Row, groups: GroupRow | undefined): HeaderLabels {
  const labels = row.texts.map((text) => (text === undefined ? undefined : collapse(text)));
  if (groups === undefined) return { labels, groupLabels: [], sectionLabels: [], rowOf: () => row };
  const { row: groupRow, sections, names } = groups;
  const rows = new Map<number, Row>();
  const width = Math.max(labels.length, groupRow.texts.length, sections?.texts.length ?? 0);
  const over = (above: Row): readonly (string | undefined)[] =>
    namesOver(above, width, (text, column) => {
      const isOverBlank = above === groupRow || groupRow.texts[column] === undefined;
      const isLabel = isOverBlank && labels[column] === undefined && !isName(names, text);
      if (isLabel) {
        labels[column] = collapse(text);
        rows.set(column, above);
      }
      return isLabel;
    });
  return {
    labels,
    groupLabels: over(groupRow),
    sectionLabels: sections === undefined ? [] : over(sections),
    rowOf: (column) => rows.get(column) ?? row,
  };
}

/** Squashed texts of a row of units under a header. */
const UNITS = new Set(
  (
    '$ % cop pesos enpesos valor hora horas hr hrs h dia dias mes meses cant cantidad und unidad unidades num numero ' +
    'texto fecha sino ddmmaaaa ddmmyyyy aaaammdd yyyymmdd ddmmaa hhmm hhmmss'
  ).split(' '),
);

const isUnit = (text: string): boolean => UNITS.has(squashLabel(text)) || /^\(?#\)?$/.test(text.trim());

/** Returns the row directly below the header at an index if it holds only units: `($)`, `Hrs`, `dd/mm/aaaa`. */
export function unitsRowBelow(rows: readonly Row[], at: number): Row | undefined {
  const [header, row] = [rows[at], rows[at + 1]];
  if (header === undefined || row?.number !== header.number + 1) return undefined;
  return row.texts.filter((text) => text !== undefined).length > 1 && isUnitsRow(row) ? row : undefined;
}

export const isUnitsRow = ({ texts }: Row): boolean =>
  texts.every((text) => text === undefined || isUnit(text));
