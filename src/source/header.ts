import type { Issue } from '../issues/issue.js';
import { columnLetter } from '../values/a1.js';
import { collapse, fold, squash, wildcard } from '../values/fold.js';
import { suggest } from '../values/similar.js';
import { cellPlace, type Row, type RowSource } from './table.js';

/** A column that a mapping wants, and the header texts that mean it. */
export interface WantedColumn {
  readonly id: string;
  readonly titles: readonly string[];
}

export interface HeaderOptions {
  /** The header is this row, as Excel shows it. */
  readonly row?: number;
  /** Else the best fitting of the first so many rows. */
  readonly within: number;
  /** Ids without which a row is no header. */
  readonly mustHave: readonly string[];
}

/** A header row, and which column of the sheet holds which wanted column. */
export interface Header {
  readonly row: Row;
  /** Header texts by 0-based column. */
  readonly labels: readonly (string | undefined)[];
  /** Wanted id → 0-based column. A column claimed twice keeps its first cell, and is an issue. */
  readonly columns: ReadonlyMap<string, number>;
  /** Labels that no wanted column claims. */
  readonly unused: readonly { readonly column: number; readonly label: string }[];
  readonly issues: readonly Issue[];
}

interface Matcher {
  readonly id: string;
  /** How closely a label fits: 3 equal once folded, 2 also without separators, 1 by a declared wildcard, 0 not. */
  readonly closeness: (folded: string, squashed: string) => number;
}

function matcher({ id, titles }: WantedColumn): Matcher {
  const plain = titles.filter((title) => !/[*?]/.test(title));
  const folded = new Set(plain.map(fold));
  const squashed = new Set(plain.map(squash));
  const patterns = titles.filter((title) => /[*?]/.test(title)).map((title) => wildcard(title));
  return {
    id,
    closeness: (label, bare) =>
      folded.has(label) ? 3 : squashed.has(bare) ? 2 : patterns.some((test) => test(label)) ? 1 : 0,
  };
}

/** The wanted columns that fit a label best; more than one means that the mapping cannot tell them apart. */
function claims(label: string, matchers: readonly Matcher[]): readonly string[] {
  const folded = fold(label);
  const bare = squash(label);
  const fits = matchers.map(({ closeness }) => closeness(folded, bare));
  const best = Math.max(0, ...fits);
  return best === 0 ? [] : matchers.filter((_, index) => fits[index] === best).map(({ id }) => id);
}

function readHeader(source: RowSource, row: Row, matchers: readonly Matcher[]): Header {
  const labels = row.texts.map((text) => (text === undefined ? undefined : collapse(text)));
  const columns = new Map<string, number>();
  const unused: { column: number; label: string }[] = [];
  const issues: Issue[] = [];
  for (const [column, label] of labels.entries()) {
    if (label === undefined) continue;
    const [id, ...others] = claims(label, matchers);
    if (id === undefined) {
      unused.push({ column, label });
      continue;
    }
    const place = cellPlace(source, row, column, label);
    if (others.length > 0) {
      issues.push({
        code: 'header/ambiguous',
        level: 'error',
        params: { columns: [id, ...others].join(', ') },
        place,
        value: label,
      });
      continue;
    }
    const first = columns.get(id);
    if (first === undefined) {
      columns.set(id, column);
      continue;
    }
    issues.push({
      code: 'header/duplicate',
      level: 'error',
      params: { first: `${columnLetter(first)}${row.number}`, firstLabel: labels[first] ?? '', column: id },
      place,
      value: label,
      related: [cellPlace(source, row, first, labels[first])],
    });
  }
  return { row, labels, columns, unused, issues };
}

/** The header among the first rows of a sheet: the declared row, or the one that has what it must and fits best. */
export function findHeader(
  source: RowSource,
  rows: readonly Row[],
  wanted: readonly WantedColumn[],
  options: HeaderOptions,
): Header | undefined {
  const matchers = wanted.map(matcher);
  const candidates =
    options.row === undefined
      ? rows.filter((row) => row.number <= options.within)
      : rows.filter((row) => row.number === options.row);
  let best: Header | undefined;
  for (const row of candidates) {
    const header = readHeader(source, row, matchers);
    if (options.row === undefined && !options.mustHave.every((id) => header.columns.has(id))) continue;
    if (best === undefined || header.columns.size > best.columns.size) best = header;
  }
  return best;
}

/** The row that comes nearest to a header, to say what it lacks. */
export function nearestHeader(
  source: RowSource,
  rows: readonly Row[],
  wanted: readonly WantedColumn[],
  within: number,
): Header | undefined {
  const header = findHeader(source, rows, wanted, { within, mustHave: [] });
  return header === undefined || header.columns.size === 0 ? undefined : header;
}

/** Labels shorter than this are too easily alike to be hinted at. */
const HINT_LENGTH = 6;

/** The unused label that looks most like one of a column's titles. */
function nearestLabel(
  header: Header,
  wanted: WantedColumn,
): { column: number; label: string; score: number } | undefined {
  const candidates = header.unused.filter(({ label }) => squash(label).length >= HINT_LENGTH);
  const labels = candidates.map(({ label }) => label);
  const [near] = wanted.titles
    .flatMap((title) => suggest(title, labels, 1))
    .sort((a, b) => b.score - a.score);
  const at = candidates.find(({ label }) => label === near?.value);
  return near === undefined || at === undefined ? undefined : { ...at, score: near.score };
}

/** A wanted column that the header lacks, with the unused label most like one of its titles. */
export function missingColumn(
  source: RowSource,
  header: Header,
  wanted: WantedColumn,
  level: Issue['level'] = 'error',
): Issue {
  const near = nearestLabel(header, wanted);
  const first = Math.max(
    0,
    header.labels.findIndex((label) => label !== undefined),
  );
  const title = wanted.titles[0] ?? wanted.id;
  return {
    code: 'header/missing',
    level,
    params: { title, column: wanted.id },
    place: cellPlace(source, header.row, near?.column ?? first, near?.label),
    ...(near !== undefined && { value: near.label, suggestions: [{ value: title, score: near.score }] }),
  };
}

/** Whether an unused label is so like a lacking column that its data would probably be lost. */
export const looksMisspelt = (header: Header, wanted: WantedColumn): boolean =>
  (nearestLabel(header, wanted)?.score ?? 0) >= 0.8;
