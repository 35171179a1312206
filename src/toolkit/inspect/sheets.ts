import { isSameSheet } from '../core/issue.js';
import { collapse, fold, wildcard } from '../core/text.js';
import { HEADER_WITHIN } from '../documents/table-fit.js';
import type { LoadedMapping } from '../mapping/load.js';
import { monthNumber } from '../mapping/read/dates.js';
import type { HeadedTable } from '../mapping/record.js';
import { readSynonyms } from '../mapping/synonyms.js';
import type { OwnerField } from '../schema/document.js';
import { fortnightOf } from '../tables/fortnight.js';
import { findHeader, looksFilled, positionalHeader } from '../tables/header.js';
import {
  groupRowAbove,
  type HeaderLabels,
  LONG_TEXT,
  labelsOf,
  mayNameGroup,
  mayReach,
  withMerged,
} from '../tables/header-rows.js';
import { type Abbreviations, wordsOf } from '../tables/label-score.js';
import { isOtherHeader, isRepeatedHeader } from '../tables/repeated-header.js';
import type { InputFile, Row, RowSource } from '../tables/table.js';
import { squashLabel, titleMatcher } from '../tables/titles.js';
import { type Content, contentOf, dataRows, hasAmounts, isTotalRow } from './content.js';
import { type Outline, wordsIn } from './ready.js';

/** A sheet, or the table of a text file, with its first rows. */
export interface Sheet {
  readonly input: InputFile;
  readonly source: RowSource;
  /** Sheet name, or the file's where it has no sheets. */
  readonly name: string;
  /** With its file, where another one has that name. */
  readonly title: string;
  readonly rows: readonly Row[];
  /** Those of them that stand further down. */
  readonly late?: ReadonlySet<Row>;
  /** Data that rows above the records of each owner state; the rows have them as columns. */
  readonly owners?: readonly OwnerField[];
}

/** Enough for a title block, a header, and some two hundred records. */
const ROWS = 260;

export async function firstRows(source: RowSource): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) {
    rows.push(...batch);
    if (rows.length >= ROWS) break;
  }
  return withMerged(source, rows.slice(0, ROWS), HEADER_WITHIN);
}

/** Reads the beginning of every sheet of the files. */
export async function readSheets(inputs: readonly InputFile[]): Promise<readonly Sheet[]> {
  const sheets: Sheet[] = [];
  const nameOf = ({ sheet, file }: RowSource): string => sheet ?? file;
  const names = inputs.flatMap(({ tables }) => tables.map(nameOf));
  for (const input of inputs)
    for (const source of input.tables) {
      const name = nameOf(source);
      const title = names.filter((other) => other === name).length > 1 ? `${source.file}/${name}` : name;
      sheets.push({ input, source, name, title, rows: await firstRows(source) });
    }
  return sheets;
}

/** True if a file holds amounts that a mapping neither reads nor ignores: another sheet, a column without label. */
export async function hasUnreadAmounts(
  inputs: readonly InputFile[],
  { leftAside }: LoadedMapping,
  tables: readonly HeadedTable[],
): Promise<boolean> {
  const sheets = await readSheets(inputs);
  return sheets.some(({ source, rows }) => {
    const matching = tables.filter((table) => isSameSheet(table.source, source));
    if (matching.length === 0)
      return source.sheet !== undefined && leftAside(source.sheet) === undefined && hasAmounts(rows);
    return matching.some(({ header }) => {
      if (header.row.number === 0) return false;
      const read = new Set([...header.ignored.keys(), ...[...header.several.values()].flat()]);
      const data = rows.filter(({ number }) => number >= header.firstDataRow);
      return hasAmounts(data, (column) => header.labels[column] === undefined && !read.has(column));
    });
  });
}

/** A column whose values belong to records of another sheet, which has a document next to them: a number of the file's own. */
export interface SharedKey {
  readonly column: number;
  /** Header of the sheet with the documents; undefined in that sheet itself. */
  readonly home?: FoundHeader;
  readonly homeColumn: number;
}

/** The header of a sheet, found without knowing yet what the sheet is. */
export interface FoundHeader extends HeaderLabels {
  readonly row: Row;
  readonly groupRow?: Row;
  readonly data: readonly Row[];
  /** Content of each 0-based column. */
  readonly contents: readonly Content[];
  /** Column that joins the sheet to others and holds no document. */
  readonly shared?: SharedKey;
}

/** A word of a month, or a year: what differs in next month's sheet. */
const isOfMonth = (word: string): boolean =>
  monthNumber(fold(word)) !== undefined || /^(20)?\d{2}$/.test(word);

/** Number of cells that are shown of a column. */
const SHOWN = 3;

/** Rows below the first ones that fill columns which those leave blank, seen while all are read: a few for each column. */
export class LateRows {
  readonly found = new Map<Sheet, Row[]>();
  private readonly counts = new Map<Sheet, Map<number, number>>();

  constructor(private readonly tables: readonly { readonly sheet: Sheet; readonly header: FoundHeader }[]) {}

  read({ file, sheet: name }: RowSource, row: Row): void {
    for (const { sheet, header } of this.tables) {
      if (sheet.source.file !== file || sheet.source.sheet !== name || header.row.number === 0) continue;
      if (row.number > (header.data.at(-1)?.number ?? Infinity)) this.look(sheet, header, row);
    }
  }

  private look(sheet: Sheet, { contents, labels }: FoundHeader, row: Row): void {
    let isNew = false;
    for (let column = 0; column < row.texts.length; column++) {
      const text = row.texts[column];
      if (text === undefined || (contents[column]?.filled.length ?? 0) > 0) continue;
      // Labels come again on each page, and totals say nothing of a column by themselves.
      if (collapse(text) === labels[column] || isTotalRow(row)) continue;
      const counts = this.counts.get(sheet) ?? new Map<number, number>();
      const count = counts.get(column) ?? 0;
      if (count === SHOWN || contentOf([row], column).filled.length === 0) continue;
      this.counts.set(sheet, counts.set(column, count + 1));
      isNew = true;
    }
    if (isNew) this.found.set(sheet, [...(this.found.get(sheet) ?? []), row]);
  }
}

/** A sheet with rows that were seen further down. */
export function withLate(sheet: Sheet, found: readonly Row[]): Sheet {
  const numbers = new Set(found.map(({ number }) => number));
  const first = sheet.rows.filter(({ number }) => !numbers.has(number));
  const rows = [...first, ...found].sort((a, b) => a.number - b.number);
  return { ...sheet, rows, late: new Set([...(sheet.late ?? []), ...found]) };
}

/** The name of a sheet as next month's file will have it too, where no other sheet goes by it: `NOMINA *`. */
export function sheetPattern({ name, input }: Sheet): string {
  const pattern = name
    .replace(/[\p{L}\p{N}]+/gu, (word) => (isOfMonth(word) ? '*' : word))
    .replace(/\*(?:[^\p{L}\p{N}]*\*)+/gu, '*');
  const fits = wildcard(pattern);
  const alike = input.tables.filter(({ sheet }) => sheet !== undefined && fits(fold(sheet)));
  return /\p{L}{3}/u.test(pattern) && alike.length === 1 ? pattern : name;
}

const NO_NAMES = titleMatcher([]);
const EXACT = 2;

const isNumberLike = (text: string): boolean => /\d{3}|^\W*\d+[\d.,]*\W*$/.test(text);

/** Equal to a title counts twice as much as sharing a word with one, unless its group is one; cells that are data count against. */
function likeness({ labels, groupLabels }: HeaderLabels, row: Row, { titles, words }: Vocabulary): number {
  const isTitle = (text: string | undefined): boolean => text !== undefined && titles.has(squashLabel(text));
  let score = 0;
  for (const [column, label] of labels.entries()) {
    if (label === undefined) continue;
    const kind = row.texts[column] === undefined ? 'text' : (row.kinds?.[column] ?? 'text');
    const bare = fortnightOf(label)?.rest ?? label;
    if (kind !== 'text' || label.length > LONG_TEXT) score -= 1;
    else if (isTitle(bare)) score += EXACT;
    else if (wordsOf(bare).some(({ text }) => text.length > 1 && words.has(text)))
      score += isTitle(groupLabels[column]) ? EXACT : 1;
    else if (isNumberLike(label)) score -= 1;
  }
  return score;
}

/** Names over columns, not the lines of a title block. */
function namesGroups(row: Row, labels: readonly (string | undefined)[]): boolean {
  const texts = row.texts.filter((text) => text !== undefined);
  const known = labels.filter((label) => label !== undefined).length;
  return (
    texts.length > 1 &&
    texts.length <= known &&
    texts.every((text) => mayNameGroup(text) || fortnightOf(text) !== undefined) &&
    row.kinds?.every((kind) => kind === undefined || kind === 'text') !== false
  );
}

/** Max number of filled cells of a row that names an area. */
const AREA = 2;

interface Guess {
  readonly row: Row;
  readonly header: HeaderLabels;
  readonly groupRow?: Row;
  readonly score: number;
}

/** The readings of a row as a header: alone, and under the row above. */
function guesses(row: Row, rows: readonly Row[], at: number, vocabulary: Vocabulary): Guess[] {
  const alone = labelsOf(row, undefined);
  const plain: Guess = { row, header: alone, score: likeness(alone, row, vocabulary) };
  const groups = groupRowAbove(rows, at, NO_NAMES, true);
  if (groups === undefined) return [plain];
  const header = labelsOf(row, groups);
  if (!namesGroups(groups.row, header.labels)) return [plain];
  // A few words that fill no gap between labels name the area of the records below them.
  if (row.texts.filter((text) => text !== undefined).length <= AREA && !mayReach(groups.row, row))
    return [plain];
  const grouped = likeness(header, row, vocabulary);
  // Between equals the row of groups says more; a first record under a header is no header under groups.
  const score = plain.score > 0 || grouped > plain.score ? grouped + 0.5 : grouped - 1;
  return [plain, { row, header, groupRow: groups.row, score }];
}

const squashedLabels = ({ header: { labels } }: Guess): readonly string[] =>
  labels.flatMap((label) => (label === undefined ? [] : squashLabel(label)));

/** True if records stand between a header and a likelier one with mostly the same labels, which would lose them. */
function hasOwnRecords(first: Guess, next: Guess, rows: readonly Row[]): boolean {
  const [earlier, later] = [squashedLabels(first), squashedLabels(next)];
  const shared = earlier.filter((label) => later.includes(label)).length;
  if (shared * 2 < Math.max(earlier.length, later.length)) return false;
  const { labels } = first.header;
  const columns = [...labels.keys()].filter((column) => labels[column] !== undefined);
  return rows.some(
    (row) => row.number > first.row.number && row.number < next.row.number && looksFilled(row, columns),
  );
}

/** Rows of which one may be the header. */
export const firstOf = ({ rows }: Sheet): readonly Row[] =>
  rows.filter(({ number }) => number <= HEADER_WITHIN);

/** Returns the row that looks most like a header among the first ones, or the one that a person says; undefined if no row does. */
export function headerRow(sheet: Sheet, vocabulary: Vocabulary, said?: number): FoundHeader | undefined {
  let best: Guess | undefined;
  const rows = said === undefined ? firstOf(sheet) : sheet.rows;
  for (const [at, row] of rows.entries()) {
    if (said !== undefined && row.number !== said) continue;
    for (const guess of guesses(row, sheet.rows, at, vocabulary))
      if (guess.score > (best?.score ?? (said === undefined ? 1 : -Infinity)))
        if (best === undefined || !hasOwnRecords(best, guess, sheet.rows)) best = guess;
  }
  if (best === undefined) return undefined;
  const { row, groupRow } = best;
  const header = findHeader(sheet.source, sheet.rows, [], {
    row: row.number,
    within: row.number,
    mustHave: [],
    ...(groupRow && { groups: 'above' }),
  });
  if (header === undefined) return undefined;
  // Labels that come again say nothing of what stands below them, and what stands below others is not read.
  const below = sheet.rows.filter(
    (otherRow) => otherRow.number >= header.firstDataRow && !isRepeatedHeader(header, otherRow),
  );
  const other = below.findIndex((item) => isOtherHeader(header, item));
  const records = other < 0 ? below : below.slice(0, other);
  const data = dataRows(records, header.firstDataRow, sheet.late);
  const width = Math.max(header.labels.length, ...data.map(({ texts }) => texts.length));
  return {
    row,
    ...(groupRow && { groupRow }),
    labels: header.labels,
    groupLabels: header.groupLabels,
    sectionLabels: header.sectionLabels,
    rowOf: header.rowOf,
    data,
    contents: Array.from({ length: width }, (_, column) => contentOf(data, column)),
  };
}

/** Returns the stand-in for the header of a file without one: columns are known by position. */
export function noHeader({ rows, late }: Sheet): FoundHeader {
  const data = dataRows(rows, 1, late);
  const width = Math.max(0, ...data.map(({ texts }) => texts.length));
  const { row, labels, groupLabels, sectionLabels, rowOf } = positionalHeader([]);
  return {
    row,
    labels,
    groupLabels,
    sectionLabels,
    rowOf,
    data,
    contents: Array.from({ length: width }, (_, column) => contentOf(data, column)),
  };
}

/** Every header word that some ready-made mapping knows: tells headers from data, not one column from another. */
interface Vocabulary {
  readonly titles: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

let loaded: Abbreviations | undefined;

/** Returns how words of headers are abbreviated, and said otherwise or in English (mappings/synonyms). */
export function abbreviations(): Abbreviations {
  loaded ??= readSynonyms<Abbreviations>('words');
  return loaded;
}

/** Labels as titles are compared, word for word. */
export const asTitles = (labels: readonly string[]): readonly string[] =>
  labels.map((label) => squashLabel(fortnightOf(label)?.rest ?? label));

/** Counts the labels that are titles of a mapping. */
export const titlesAmong = (labels: readonly string[], { titles }: Outline): number =>
  labels.filter((label) => titles.has(label)).length;

/** True if the labels include all by which a mapping knows the headers it needs. */
export const hasHeads = (labels: ReadonlySet<string>, { heads }: Outline): boolean =>
  heads.flat().every((titles) => titles.some((title) => labels.has(title)));

let abbreviated: readonly string[] | undefined;

export function vocabularyOf(outlines: readonly Outline[]): Vocabulary {
  abbreviated ??= wordsIn(Object.values(abbreviations()).flat());
  return {
    titles: new Set(outlines.flatMap(({ titles }) => [...titles])),
    words: new Set([...outlines.flatMap(({ words }) => [...words]), ...abbreviated]),
  };
}
