import type { Issue } from '../issues/issue.js';
import { squash } from '../values/fold.js';
import { suggest } from '../values/similar.js';
import type { Header, WantedColumn } from './header.js';
import { cellPlace, type RowSource } from './table.js';

/** Texts shorter than this are too easily alike to be hinted at. */
const HINT_LENGTH = 6;
/** A label this much like a title is probably that title, misspelt. */
const MISSPELT = 0.8;

const isLong = (text: string): boolean => squash(text).length >= HINT_LENGTH;

/** The unused label that looks most like one of a column's titles. */
function nearestLabel(
  header: Header,
  wanted: WantedColumn,
): { column: number; label: string; score: number } | undefined {
  const candidates = header.unused.filter(({ label }) => isLong(label));
  const labels = candidates.map(({ label }) => label);
  const [near] = wanted.titles
    .filter(isLong)
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
  const [group] = wanted.groups ?? [];
  return {
    code: 'header/missing',
    level,
    params: { title: group === undefined ? title : `${group} / ${title}`, column: wanted.id },
    place: cellPlace(source, header.row, near?.column ?? first, near?.label),
    ...(near !== undefined && { value: near.label, suggestions: [{ value: title, score: near.score }] }),
  };
}

/** Whether an unused label is so like a lacking column that its data would probably be lost. */
export const looksMisspelt = (header: Header, wanted: WantedColumn): boolean =>
  (nearestLabel(header, wanted)?.score ?? 0) >= MISSPELT;
