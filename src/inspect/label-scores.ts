import type { WantedColumn } from '../source/header.js';
import { SCORE_LEVELS, scoreLabel } from '../source/label-score.js';
import { fortnightOf } from './fortnight.js';
import { abbreviations } from './vocabulary.js';

/** How much a label over a group of its own is worth less than one that group and label spell out together. */
const LESS_SPECIFIC = 0.2;
const NEARLY_ALONE = SCORE_LEVELS.alone - 0.04;

const known = new Map<string, number>();

/** Labels of sheets repeat, and mappings share their titles: each pair is scored once. */
function remembered(label: string, group: string | undefined, wanted: WantedColumn): number {
  const key = [
    label,
    group ?? '',
    wanted.id,
    wanted.titles.length,
    wanted.titles[0],
    wanted.groups ?? '',
  ].join('\u0000');
  let score = known.get(key);
  if (score === undefined) {
    score = scoreLabel(label, group, wanted, abbreviations());
    known.set(key, score);
  }
  return score;
}

export interface LabelText {
  readonly label: string;
  readonly group: string | undefined;
  /** Set when label or group name a half of the month; they are scored without it. */
  readonly half?: 1 | 2;
}

/** The words of a label that say what it is, apart from the fortnight that it is of. */
export function labelText(label: string, group: string | undefined): LabelText {
  const above = group === undefined ? undefined : fortnightOf(group);
  const own = fortnightOf(label);
  const half = own?.half ?? above?.half;
  const text = own === undefined || own.rest === '' ? label : own.rest;
  const over = above === undefined ? group : above.rest === '' ? undefined : above.rest;
  return { label: text, group: over, ...(half !== undefined && { half }) };
}

const GROUPS_ALIKE = 0.75;

/** Whether the groups of a header are sections that a mapping knows, such as earnings and deductions. */
export function hasSections(
  groups: readonly (string | undefined)[],
  columns: readonly WantedColumn[],
): boolean {
  const titles = [...new Set(columns.flatMap((wanted) => wanted.groups ?? []))];
  const texts = [...new Set(groups)].filter((group) => group !== undefined);
  return texts.some(
    (group) => scoreLabel(group, undefined, { id: '', titles }, abbreviations()) >= GROUPS_ALIKE,
  );
}

/** Scores of a label for each column, those above nothing. `VACACIONES / DÍAS` means days of vacation before days. */
export function scoresOf(
  { label, group }: LabelText,
  columns: readonly WantedColumn[],
  sections: boolean,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  const whole = new Map<string, number>();
  for (const wanted of columns) {
    const { groups: _, ...anywhere } = wanted;
    const score = remembered(label, group, sections ? wanted : anywhere);
    scores.set(wanted.id, score);
    // What both spell out together scores nearly as much under the group.
    if (group !== undefined && score >= NEARLY_ALONE)
      whole.set(wanted.id, remembered(`${group} ${label}`, undefined, wanted));
  }
  const spelt = [...whole].some(([, score]) => score >= SCORE_LEVELS.alone);
  if (spelt)
    for (const [id, score] of scores)
      if ((whole.get(id) ?? 0) < SCORE_LEVELS.alone)
        scores.set(id, Math.round((score - LESS_SPECIFIC) * 100) / 100);
  return new Map([...scores].filter(([, score]) => score > 0));
}
