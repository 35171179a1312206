import { getOrAdd, remember } from '../core/remember.js';
import { columnLetter, fold } from '../core/text.js';
import type { CellReader } from '../mapping/read/cell.js';
import type { CompiledColumn, CompiledTable } from '../mapping/record.js';
import { fortnightIn, fortnightOf } from '../tables/fortnight.js';
import { parseLetterLabel, type WantedColumn } from '../tables/header.js';
import { GROUPS_ALIKE, SCORE_LEVELS, scoreLabel } from '../tables/label-score.js';
import { inPart, type PartLabel, partNamer } from '../tables/part-names.js';
import { squashLabel } from '../tables/titles.js';
import { rounded } from './question.js';
import { abbreviations, type FoundHeader } from './sheets.js';
import type { Uses } from './uses.js';

/** Score that a label under its own group loses against one that spells out group and label. */
const LESS_SPECIFIC = 0.2;

const NEARLY_ALONE = SCORE_LEVELS.alone - 0.04;

/** Column → label → score: labels of sheets repeat, and mappings share their titles. */
const known = new Map<string, Map<string, number>>();

/** Returns the known scores of all columns with these titles. */
const scoresFor = remember((wanted: WantedColumn): Map<string, number> => {
  const key = JSON.stringify([wanted.id, wanted.titles, wanted.groups]);
  return getOrAdd(known, key, () => new Map());
});

/** Returns a function that scores a label against columns, each pair once. */
function scorer(label: string, group?: string): (wanted: WantedColumn) => number {
  const key = group === undefined ? label : `${label}\u0000${group}`;
  return (wanted) => {
    const scores = scoresFor(wanted);
    return getOrAdd(scores, key, () => scoreLabel(label, group, wanted, abbreviations()));
  };
}

/** A column as it is sought where the groups of the sheet say nothing: one object, by which its scores are known. */
const anywhere = remember((wanted: WantedColumn): WantedColumn => {
  const { groups, ...rest } = wanted;
  return groups === undefined ? wanted : rest;
});

export interface LabelText {
  readonly label: string;
  readonly group: string | undefined;
  /** Set when label or group name a half of the month; they are scored without it. */
  readonly half?: 1 | 2;
}

/** The words of a label that say what it is, apart from the fortnight that it is of. */
function labelText(label: string, group: string | undefined): LabelText {
  const above = group === undefined ? undefined : fortnightOf(group);
  const fortnight = fortnightOf(label);
  const half = fortnight?.half ?? above?.half;
  const text = fortnight === undefined || fortnight.rest === '' ? label : fortnight.rest;
  const over = above === undefined ? group : above.rest === '' ? undefined : above.rest;
  return { label: text, group: over, ...(half !== undefined && { half }) };
}

const isSection = (text: string, titles: readonly string[]): boolean =>
  scoreLabel(text, undefined, { id: '', titles }, abbreviations()) >= GROUPS_ALIKE;

const sectionTitles = (columns: readonly WantedColumn[]): readonly string[] => [
  ...new Set(columns.flatMap((wanted) => wanted.groups ?? [])),
];

/** The day on which a month ends is another one next month. */
const everyMonth = (name: string): string => name.replace(/(28|29|30|31)$/, '??');

/** Returns the mapping's names of the halves of a month side by side; undefined if the header lacks one. */
export function halvesOf(header: FoundHeader, table: CompiledTable): readonly string[][] | undefined {
  const titles = sectionTitles(readColumns(table).map(({ wanted }) => wanted));
  const names = { 1: new Set<string>(), 2: new Set<string>() };
  const add = (text: string | undefined, isGroup: boolean): void => {
    const found = text === undefined ? undefined : fortnightIn(text);
    if (text === undefined || found === undefined) return;
    const name = everyMonth(fold(found.name));
    const isWhole = !isGroup || found.rest === '' || isSection(found.rest, titles);
    const before = fold(text).startsWith(fold(found.name)) ? '' : '*';
    names[found.half].add(isWhole ? name : `${before}${name}*`);
  };
  for (const group of new Set(header.groupLabels)) add(group, true);
  for (const label of header.labels) add(label, false);
  const all = Object.values(names).map((group) => [...group]);
  if (all.some(({ length }) => length === 0)) return undefined;
  const partOf = partNamer(all);
  const parts = new Map<string, Set<number>>();
  for (const [column, label] of header.labels.entries()) {
    if (label === undefined) continue;
    const { part, ...bare } = inPart(partOf, label, header.groupLabels[column]);
    if (part !== undefined) parts.set(nameIn(bare), (parts.get(nameIn(bare)) ?? new Set()).add(part));
  }
  return [...parts.values()].some(({ size }) => size > 1) ? all : undefined;
}

const withGroup = (label: string, group: string | undefined): string =>
  group === undefined ? label : `${group} / ${label}`;

const nameIn = ({ label, group }: LabelText): string => fold(withGroup(label, group));

/** Labels as the mapping sees them: what comes again in the other half is one label. */
interface LabelSeen extends LabelText {
  /** All columns that it stands over. */
  readonly columns: readonly number[];
}

/** Returns the text over each column; undefined if there is none, or if the label was seen in the other half. */
export function seenLabels(
  header: FoundHeader,
  halves: readonly string[][] | undefined,
): readonly (LabelSeen | undefined)[] {
  const { labels, groupLabels } = header;
  if (halves === undefined)
    return labels.map((label, column) =>
      label === undefined ? undefined : { ...labelText(label, groupLabels[column]), columns: [column] },
    );
  const partOf = partNamer(halves);
  const bare = labels.map((label, column) =>
    label === undefined ? undefined : inPart(partOf, label, groupLabels[column]),
  );
  const twins = (column: number, current: PartLabel): readonly number[] => {
    if (current.part === undefined) return [column];
    const parts = new Set<number>();
    return [...bare.keys()].filter((at) => {
      const other = bare[at];
      if (other?.part === undefined || nameIn(other) !== nameIn(current) || parts.has(other.part))
        return false;
      parts.add(other.part);
      return true;
    });
  };
  return bare.map((named, column) => {
    if (named === undefined) return undefined;
    const columns = twins(column, named);
    if (columns.includes(column) && columns[0] !== column) return undefined;
    const { label, group } = named;
    return { label, group, columns: columns.includes(column) ? columns : [column] };
  });
}

/** True if the groups of a header are sections that a mapping knows, such as earnings and deductions. */
export function hasSections(
  groups: readonly (string | undefined)[],
  columns: readonly WantedColumn[],
): boolean {
  const titles = sectionTitles(columns);
  const texts = [...new Set(groups)].filter((group) => group !== undefined);
  return texts.some((group) => isSection(group, titles));
}

/** Scores of a label for each column, those above nothing. `VACACIONES / DÍAS` means days of vacation before days. */
export function scoresOf(
  { label, group }: LabelText,
  columns: readonly WantedColumn[],
  sections: boolean,
  { without }: Uses,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  const byTitle = new Map<string, number>();
  const scoreOf = scorer(label, group);
  const wholeScore = scorer(`${group} ${label}`);
  for (const wanted of columns) {
    const score = scoreOf(sections ? wanted : anywhere(wanted));
    if (score > 0) scores.set(wanted.id, score);
    // What both spell out together scores nearly as much under the group.
    if (group !== undefined && score >= NEARLY_ALONE && !without.has('group and label together'))
      byTitle.set(wanted.id, wholeScore(wanted));
  }
  const spelt = [...byTitle].some(([, score]) => score >= SCORE_LEVELS.alone);
  if (spelt)
    for (const [id, score] of scores)
      if ((byTitle.get(id) ?? 0) < SCORE_LEVELS.alone) scores.set(id, rounded(score - LESS_SPECIFIC));
  return spelt ? new Map([...scores].filter(([, score]) => score > 0)) : scores;
}

export const readColumns = ({ columns, spec }: CompiledTable): LabelledColumn[] =>
  [...columns.values()].filter(
    (column): column is LabelledColumn =>
      column.read !== undefined &&
      column.wanted !== undefined &&
      (spec.header?.none !== true || column.wanted.position !== undefined),
  );

/** Column that a label, or the position in a table without header, stands for. */
export type LabelledColumn = CompiledColumn & { readonly wanted: WantedColumn; readonly read: CellReader };

type HeaderTexts = Pick<FoundHeader, 'labels' | 'groupLabels'>;

/** A column by its letter, and by the title that must stand there next month too. */
export function letterKey({ labels, groupLabels }: HeaderTexts, column: number): string {
  const label = labels[column];
  const letter = `[${columnLetter(column)}]`;
  return label === undefined ? letter : `${letter} ${withGroup(label, groupLabels[column])}`;
}

/** Returns the name of each label in a mapping: its text, its group if it comes twice, and its letter if that is not enough. */
export function keysOf(
  { labels, groupLabels }: HeaderTexts,
  header: HeaderTexts,
): (column: number) => string {
  const counts = new Map<string, number>();
  const count = (text: string): void => {
    counts.set(fold(text), (counts.get(fold(text)) ?? 0) + 1);
  };
  const namesOf = (column: number): ReadonlySet<string> => {
    const label = labels[column];
    return new Set(label === undefined ? [] : [label, withGroup(label, groupLabels[column])]);
  };
  for (const column of labels.keys()) for (const name of namesOf(column)) count(name);
  // A title such as `[COP] Sueldo` would be taken for a letter.
  const isEnough = (name: string): boolean =>
    counts.get(fold(name)) === 1 && parseLetterLabel(name) === undefined;
  return (column) => [...namesOf(column)].find(isEnough) ?? letterKey(header, column);
}

/** The same where halves stand side by side: a label of both is named once, and what is called alike outside by its letter. */
export function keysInHalves(
  seen: readonly (LabelSeen | undefined)[],
  header: HeaderTexts,
): (column: number) => string {
  const bare = { labels: seen.map((text) => text?.label), groupLabels: seen.map((text) => text?.group) };
  const keyOf = keysOf(bare, header);
  const both = new Set(
    seen.flatMap((text) => (text !== undefined && text.columns.length > 1 ? fold(text.label) : [])),
  );
  return (column) => {
    const text = seen[column];
    if (text === undefined || !both.has(fold(text.label))) return keyOf(column);
    return text.columns.length === 1 ? letterKey(header, column) : withGroup(text.label, text.group);
  };
}

/** Field codes before the names of a header: `C04_codConsulta`. */
const FIELD_CODE = /^\p{L}{1,3}\d{1,3}[\s_.:-]+(?=\p{L})/u;

/** Min share of labels that begin with a code where it is the form's: the fields that later norms added may have none. */
const CODED = 1 / 3;

/** The labels without the codes of their fields, where many of them begin with one; a code that is part of a title stays. */
export function withoutCodes(
  labels: FoundHeader['labels'],
  wanted: readonly WantedColumn[],
): FoundHeader['labels'] {
  const texts = labels.flatMap((label) => label ?? []);
  const coded = texts.filter((text) => FIELD_CODE.test(text)).length;
  if (coded < texts.length * CODED) return labels;
  const titles = new Set(wanted.flatMap((item) => item.titles.map(squashLabel)));
  return labels.map((label) =>
    label === undefined || titles.has(squashLabel(label)) ? label : label.replace(FIELD_CODE, ''),
  );
}
