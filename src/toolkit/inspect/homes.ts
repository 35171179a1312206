import type { Language } from '../core/issue.js';
import { listIn } from '../core/remember.js';
import { fold } from '../core/text.js';
import { CellFault } from '../mapping/read/cell.js';
import { share } from './content.js';
import type { Fit } from './fit.js';
import { readId } from './keys.js';
import { labelName } from './label-questions.js';
import type { LabelFit } from './labels.js';
import { answersOf, LIKELY, type Question, tell, UNLIKELY } from './question.js';
import { samplesOf } from './samples.js';

/** A text of each record that several sheets of one table have, and not alike. */
interface Home {
  readonly question: Question;
  /** The labels of which one is taken. */
  readonly labels: readonly LabelFit[];
}

const ID_START = 'home.';

/** True if a question asks which sheet a text is taken from. */
export const isHomeQuestion = ({ id }: Question): boolean => id.startsWith(ID_START);

/** Least share of the records of both sheets that differ, if it is no mistake in some of them. */
const MIN_DIFFERENT = 0.5;

/** Returns the texts of a label by the key of their records. */
function textsByKey({ content }: LabelFit, key: LabelFit | undefined): ReadonlyMap<string, string> {
  const keys = new Map(key?.content.filled.map(({ row, text, kind }) => [row, readId(text, kind)]));
  return new Map(
    content.filled.flatMap(({ row, text }): [string, string][] => {
      const value = keys.get(row);
      return value === undefined || value instanceof CellFault ? [] : [[String(value), text]];
    }),
  );
}

const wordsIn = (text: string): readonly string[] => fold(text).split(/\s+/);

/** Returns the pairs of texts that two labels have for the same records. */
export function pairsOf(left: LabelFit, right: LabelFit, labels: readonly LabelFit[], key: string) {
  const keyFor = ({ sheet, table }: LabelFit): LabelFit | undefined =>
    labels.find((label) => label.sheet === sheet && label.table === table && label.means === key);
  const others = textsByKey(right, keyFor(right));
  return [...textsByKey(left, keyFor(left))].flatMap(([id, text]): (readonly [string, string])[] => {
    const other = others.get(id);
    return other === undefined ? [] : [[text, other]];
  });
}

const holds = (a: string, b: string): boolean => wordsIn(b).every((word) => wordsIn(a).includes(word));

type Repeated = [LabelFit, LabelFit, ...LabelFit[]];

/** Returns the labels of each text column that several sheets of a table have. */
function repeatedTexts(labels: readonly LabelFit[], key: string): readonly Repeated[] {
  const groups = new Map<string, LabelFit[]>();
  for (const label of labels) {
    const { table, means, sheet } = label;
    if (!table.spec.spread || means === undefined || means === key) continue;
    if (table.columns.get(means)?.type !== 'text') continue;
    const id = `${table.id}.${means}`;
    const group = listIn(groups, id);
    if (group.every((other) => other.sheet !== sheet)) group.push(label);
  }
  return [...groups.values()].filter((group): group is Repeated => group.length > 1);
}

/** Returns a question for each text that several sheets of a table have and that differs in most of their common records. */
export function homesOf(
  labels: readonly LabelFit[],
  { mapping, uses }: Fit,
  language: Language,
): readonly Home[] {
  const [key] = mapping.key;
  return repeatedTexts(labels, key).flatMap((group): Home[] => {
    const [first] = group;
    const areSo = (a: LabelFit, b: LabelFit, test: (a: string, b: string) => boolean): boolean => {
      const pairs = pairsOf(a, b, labels, key);
      return pairs.length > 0 && share(pairs, ([left, right]) => test(left, right)) >= MIN_DIFFERENT;
    };
    const isOther = (a: string, b: string): boolean => fold(a) !== fold(b);
    if (!group.some((label, at) => group.slice(at + 1).some((other) => areSo(label, other, isOther))))
      return [];
    const isFuller = (label: LabelFit, other: LabelFit): boolean =>
      areSo(label, other, holds) && !areSo(other, label, holds);
    const fullnessOf = (label: LabelFit): number => group.filter((other) => isFuller(label, other)).length;
    const ordered: Repeated = [...group];
    ordered.sort((a, b) => fullnessOf(b) - fullnessOf(a));
    const hasFullest = fullnessOf(ordered[0]) > fullnessOf(ordered[1]);
    const question: Question = {
      id: `${ID_START}${first.table.id}.${first.means}`,
      path: ['tables', first.table.id, 'labels', ordered[1].key],
      title: tell(language, 'home', { label: labelName(first) }),
      samples: ordered.flatMap((label) => samplesOf(label, uses).slice(0, 1)),
      ...answersOf(
        ordered.map((label, at) => ({
          value: label.sheet.name,
          title: tell(language, at === 0 && hasFullest ? 'homeFuller' : 'homeOf', {
            sheet: label.sheet.name,
          }),
          score: at === 0 && hasFullest ? LIKELY : UNLIKELY,
        })),
      ),
    };
    return [{ question, labels: ordered }];
  });
}

/** Returns the labels with the other sheets' ones ignored. */
export const withHome = (labels: readonly LabelFit[], home: Home, sheet: string): readonly LabelFit[] =>
  labels.map((label) => {
    if (!home.labels.includes(label) || label.sheet.name === sheet) return label;
    const { means: _, ...rest } = label;
    return { ...rest, state: 'ignored', reason: 'answered' };
  });
