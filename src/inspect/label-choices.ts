import type { Language } from '../issues/issue.js';
import type { CompiledColumn } from '../mapping/columns.js';
import type { CompiledTable } from '../mapping/tables.js';
import { columnLetter } from '../values/a1.js';
import type { Answering, Choice, ChoiceCandidate } from './choice.js';
import { IGNORE, isRepeated, type LabelFit, type Reason, readColumns, shownScore } from './labels.js';
import { samplesOf } from './samples.js';
import type { Uses } from './uses.js';
import { tell, type Wording } from './wording.js';

const WHY: Partial<Readonly<Record<Reason, Wording>>> = {
  fortnight: 'whyFortnight',
  contested: 'whyContested',
  content: 'whyContent',
  rival: 'whyRival',
  needed: 'whyNeeded',
  order: 'whyOrder',
};

/** What a column is, in the words of people: its first title, with the group it stands under. */
export function titleOf({ wanted, id }: CompiledColumn): string {
  const title = wanted?.titles.find((text) => !/[*?{]/.test(text)) ?? id;
  const [group] = wanted?.groups ?? [];
  return group === undefined ? title : `${group} / ${title}`;
}

/** `Nómina!F6` */
export const cellOf = ({ sheet, header, column, label }: LabelFit): string => {
  const above = label !== undefined && header.row.texts[column] === undefined ? header.groupRow : undefined;
  return `${sheet.name}!${columnLetter(column)}${(above ?? header.row).number}`;
};

export const labelName = ({ label, group }: LabelFit): string =>
  label === undefined ? '' : group === undefined ? label : `${group} / ${label}`;

function aboutOf(fit: LabelFit, id: string, uses: Uses, language: Language): string {
  const column = fit.table.columns.get(id)!;
  const title = titleOf(column);
  const adds = (fit.why === 'fortnight' || fit.why === 'contested') && isAdded(column, uses);
  return adds ? tell(language, 'sum', { title }) : title;
}

/** Amounts of several labels make one; what all records must agree on does not. */
export const isAdded = (column: CompiledColumn, uses: Uses): boolean =>
  column.type === 'decimal' && !uses.single.has(column);

/** The question that a label leaves. */
export function labelChoice(fit: LabelFit, uses: Uses, language: Language): Choice {
  const { id, table, key, candidates, label, why } = fit;
  const params = {
    place: cellOf(fit),
    label: labelName(fit),
    samples: samplesOf(fit, uses).join(' · ') || '–',
  };
  const asked = tell(language, label === undefined ? 'blankLabel' : 'label', params);
  const reason = WHY[why];
  return {
    id,
    path: ['tables', table.id, 'labels', key],
    question: reason === undefined ? asked : `${asked} ${tell(language, reason)}`,
    candidates: [
      ...candidates.map(
        (one): ChoiceCandidate => ({
          value: one.value,
          score: shownScore(one),
          about: aboutOf(fit, one.value, uses, language),
        }),
      ),
      { value: IGNORE, about: tell(language, 'ignore') },
    ],
    others: readColumns(table).map((column) => column.id),
  };
}

/** Labels with their answers in place; two that cannot be added up are refused. */
export function answeredLabels(
  labels: readonly LabelFit[],
  uses: Uses,
  language: Language,
  answering: Answering,
): { readonly labels: readonly LabelFit[]; readonly open: readonly Choice[] } {
  const open: Choice[] = [];
  const answered = labels.map((fit): LabelFit => {
    if (isRepeated(fit)) return fit;
    const choice = labelChoice(fit, uses, language);
    const value = answering.answerTo(choice);
    if (value === undefined) {
      if (fit.state === 'open') open.push(choice);
      return fit;
    }
    const { means: _, ...rest } = fit;
    if (value === IGNORE)
      return { ...rest, state: 'ignored', why: fit.state === 'ignored' ? fit.why : 'answered' };
    return { ...rest, state: 'decided', means: value, why: fit.means === value ? fit.why : 'answered' };
  });
  const refused = new Set<LabelFit>();
  for (const [first, second] of doubles(answered, uses)) {
    refused.add(second);
    answering.refuse({
      code: 'inspect/answer-twice',
      params: { id: second.id, other: first.id, column: second.means! },
      place: {},
      value: `${second.id}=${second.means}`,
    });
  }
  return { labels: answered.filter((fit) => !refused.has(fit)), open };
}

/** Pairs of labels of one sheet that mean one column of which there can be no two. */
function doubles(labels: readonly LabelFit[], uses: Uses): (readonly [LabelFit, LabelFit])[] {
  const seen = new Map<string, LabelFit>();
  return labels.flatMap((fit) => {
    if (fit.means === undefined || isRepeated(fit)) return [];
    if (isAdded(fit.table.columns.get(fit.means)!, uses)) return [];
    const key = [fit.sheet.source.file, fit.sheet.name, fit.table.id, fit.means].join('\n');
    const first = seen.get(key);
    seen.set(key, first ?? fit);
    return first === undefined ? [] : [[first, fit] as const];
  });
}

/** The columns of a table that labels mean. */
export const meantIn = (table: CompiledTable, labels: readonly LabelFit[]): ReadonlySet<string> =>
  new Set(labels.flatMap((fit) => (fit.table === table && fit.means !== undefined ? [fit.means] : [])));
