import { type Issue, issueOf } from '../core/issue.js';
import { getOrAdd } from '../core/remember.js';
import { MIN_READABLE_CELLS } from '../mapping/record.js';
import { cellPlace, type Row } from '../tables/table.js';
import { squashLabel } from '../tables/titles.js';
import { type Outline, outlineOf, type ReadyMapping } from './ready.js';
import { asTitles, hasHeads, type Sheet, titlesAmong } from './sheets.js';

/** Min number of titles in a column, each once, that cannot be its values. */
const MIN_TITLES = 4;

/** Titles stand in one of the first columns. */
const MAX_TITLE_COLUMN = 3;

/** A summary has a column of values, or two. */
const MAX_SUMMARY_COLUMNS = 2;

/** A slip has at least a concept and its amount. */
const MIN_SLIP_TITLES = 2;

const MAX_SHOWN = 4;

const filledIn = ({ texts }: Row): readonly string[] => texts.flatMap((text) => text?.trim() || []);

/** The most titles that some mapping has among those texts. */
const mostTitles = (texts: readonly string[], outlines: readonly Outline[]): number =>
  Math.max(0, ...outlines.map((outline) => titlesAmong(asTitles(texts), outline)));

/** True for a row with numbers of several records: a legend of concepts and codes has none. */
const hasNumbers = (row: Row): boolean =>
  filledIn(row).filter((text) => /\d{4}/.test(text)).length >= MAX_SUMMARY_COLUMNS;

/** Titles that stand below each other, with a column for each record next to them. */
function transposed({ source, rows }: Sheet, outlines: readonly Outline[]): Issue | undefined {
  const isTitle = (text: string | undefined): text is string =>
    text !== undefined && mostTitles([text], outlines) > 0;
  const most = Math.max(0, ...rows.map((row) => mostTitles(filledIn(row), outlines)));
  for (let column = 0; column < MAX_TITLE_COLUMN; column++) {
    const texts = rows.flatMap((row) => row.texts[column] ?? []);
    const known = mostTitles(texts, outlines);
    if (known < MIN_TITLES || known <= most || known * 2 < texts.length) continue;
    const titled = rows.filter((row) => isTitle(row.texts[column]));
    const [first] = titled;
    const titles = titled.flatMap((row) => row.texts[column] ?? []);
    if (new Set(asTitles(titles)).size < titles.length * MIN_READABLE_CELLS) continue;
    const isWide = (row: Row): boolean => filledIn(row).length > MAX_SUMMARY_COLUMNS;
    const areWide = titled.filter(isWide).length >= titled.length * MIN_READABLE_CELLS;
    if (first === undefined || !areWide || !titled.some(hasNumbers)) continue;
    const params = { titles: titles.slice(0, MAX_SHOWN).join(', ') };
    return issueOf('inspect/transposed', 'error', params, cellPlace(source, first, column));
  }
  return undefined;
}

/** True if a row names a datum next to its value: `Cédula: 79.000.001`, `Empleado:`. */
const saysDatum = (row: Row, outlines: readonly Outline[]): boolean =>
  filledIn(row).some((text) => {
    const [label] = text.split(':') as [string];
    const isLabel =
      text.includes(':') ||
      outlines.some(({ heads }) => heads.some((head) => head[0]?.includes(squashLabel(text))));
    return isLabel && mostTitles([label], outlines) > 0;
  });

/** The same labels again and again, none of which says whose the rows below are, and data of a person above each. */
function slips(sheets: readonly Sheet[], outlines: readonly Outline[]): Issue | undefined {
  const found = new Map<string, { readonly titles: readonly string[]; places: Issue['place'][] }>();
  for (const { source, rows } of sheets) {
    let isSaid = false;
    for (const row of rows) {
      const texts = filledIn(row);
      const titles = asTitles(texts);
      const isHeader =
        texts.length > MIN_SLIP_TITLES - 1 &&
        mostTitles(texts, outlines) >= MIN_SLIP_TITLES &&
        !texts.some((text) => /\d{3}/.test(text));
      const isWhole = outlines.some(
        (outline) => outline.heads.flat().length > 0 && hasHeads(new Set(titles), outline),
      );
      if (!isHeader || isWhole) {
        isSaid ||= saysDatum(row, outlines);
        continue;
      }
      if (!isSaid) continue;
      isSaid = false;
      const key = titles.join('\n');
      const slip = getOrAdd(found, key, () => ({ titles: texts, places: [] }));
      slip.places.push(
        cellPlace(
          source,
          row,
          row.texts.findIndex((text) => text !== undefined),
        ),
      );
    }
  }
  const most = [...found.values()].sort((a, b) => b.places.length - a.places.length)[0];
  const [, second] = most?.places ?? [];
  if (most === undefined || second === undefined || most.places.length < MIN_SLIP_TITLES) return undefined;
  return issueOf('inspect/slips', 'error', { titles: most.titles.slice(0, MAX_SHOWN).join(', ') }, second);
}

/** Detects files without a row for each record below one header, which no mapping reads. */
export function detectUnsupportedLayout(
  sheets: readonly Sheet[],
  ready: readonly ReadyMapping[],
): Issue | undefined {
  const outlines = ready.map(outlineOf);
  const turned = sheets.flatMap((sheet) => transposed(sheet, outlines) ?? []);
  return turned[0] ?? slips(sheets, outlines);
}
