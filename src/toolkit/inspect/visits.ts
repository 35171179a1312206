import type { Language } from '../core/issue.js';
import { required } from '../core/required.js';
import { choicesOf } from '../mapping/params.js';
import type { CompiledTable } from '../mapping/record.js';
import type { Fit } from './fit.js';
import type { Setting } from './joins.js';
import { isDistinct, mayBeIds } from './keys.js';
import { labelName, meantIn } from './label-questions.js';
import type { LabelFit } from './labels.js';
import { type Answer, answersOf, type Question, tell, UNLIKELY } from './question.js';

/** Question of a mapping about a file that does not say what makes a document. */
interface Asked {
  readonly main: CompiledTable;
  readonly param: string;
  /** Column that a column of the file may be. */
  readonly id: string;
}

function askedOf({ mapping }: Fit, labels: readonly LabelFit[]): Asked | undefined {
  const { one_per: per } = mapping.spec;
  const [main] = mapping.mains;
  const { param, columns } = ('key' in per && per.asks) || {};
  if (param === undefined) return undefined;
  const ids = [columns ?? []].flat();
  const [id] = ids;
  const meant = meantIn(main, labels);
  return id === undefined || ids.some((any) => meant.has(any)) ? undefined : { main, param, id };
}

/** Returns the columns that nothing reads and whose values each belong to a single key, and are more than the keys, such as the number of a prescription. */
function nestedIn(main: CompiledTable, { mapping }: Fit, labels: readonly LabelFit[]): readonly LabelFit[] {
  const inMain = labels.filter(({ table }) => table === main);
  const key = inMain.find(({ means }) => means === mapping.key[0]);
  if (key === undefined) return [];
  const keyOf = new Map(key.content.filled.map(({ row, text }) => [row, text.trim()]));
  const isNested = ({ filled }: LabelFit['content']): boolean => {
    const owners = new Map<string, string | undefined>();
    return filled.every(({ row, text }) => {
      const owner = owners.get(text) ?? keyOf.get(row);
      owners.set(text, owner);
      return owner === keyOf.get(row);
    });
  };
  return inMain.filter(
    ({ means, content }) =>
      means === undefined &&
      content.filled.length >= keyOf.size &&
      content.distinct.length > key.content.distinct.length &&
      mayBeIds(content) &&
      !isDistinct(content) &&
      isNested(content),
  );
}

/** Returns what makes a document as a question; undefined if the mapping does not ask, or the file says it. */
export function visitQuestion(
  labels: readonly LabelFit[],
  fit: Fit,
  language: Language,
  counts: ReadonlyMap<string, number> = new Map(),
): Question | undefined {
  const asked = askedOf(fit, labels);
  if (asked === undefined) return undefined;
  const { main, param } = asked;
  const { spec } = required(fit.mapping.params, param);
  const answer = (value: string, about: string): Answer => {
    const count = counts.get(value);
    return {
      value,
      title: count === undefined ? about : tell(language, 'visitBy', { about, count }),
      score: UNLIKELY,
    };
  };
  const column = (label: LabelFit): Answer =>
    answer(label.key, tell(language, 'visitColumn', { label: labelName(label) }));
  const free = labels.filter(({ table, means }) => table === main && means === undefined);
  return {
    id: 'visit',
    path: ['params', param, 'default'],
    title: tell(language, 'visit', {
      sheet: fit.tables.find(({ table }) => table === main)?.sheet.name ?? '',
    }),
    samples: [],
    ...answersOf(
      [
        ...nestedIn(main, fit, labels).map(column),
        ...choicesOf(spec).map(({ value, title }) => answer(value, title[language])),
      ],
      free.map(column),
    ),
  };
}

/** Returns the labels and the settings that an answer to what makes a document leads to. */
export function visitAnswered(
  value: string | undefined,
  labels: readonly LabelFit[],
  fit: Fit,
): { readonly labels: readonly LabelFit[]; readonly settings: Setting } {
  const asked = askedOf(fit, labels);
  if (asked === undefined || value === undefined) return { labels, settings: [] };
  const { main, param, id } = asked;
  const taken = labels.find((each) => each.table === main && each.key === value && each.means === undefined);
  if (taken === undefined) return { labels, settings: [[['params', param, 'default'], value]] };
  return {
    labels: labels.map((each) =>
      each === taken ? { ...each, state: 'decided', means: id, reason: 'answered' } : each,
    ),
    settings: [],
  };
}
