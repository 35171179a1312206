import type { Language } from '../core/issue.js';
import { fold } from '../core/text.js';
import { CellFault, createCellReader } from '../mapping/read/cell.js';
import { share } from './content.js';
import type { Fit } from './fit.js';
import { labelName } from './label-questions.js';
import type { LabelFit } from './labels.js';
import { answersOf, LIKELY, type Question, tell, UNLIKELY } from './question.js';
import { samplesOf } from './samples.js';

/** A text of each record that two sheets of one table have, and not alike. */
interface Home {
  readonly question: Question;
  /** The labels of which one is taken. */
  readonly labels: readonly LabelFit[];
}

const readKey = createCellReader('identifier', {});

/** Least share of the records of both sheets that differ, if it is no mistake in some of them. */
const MIN_DIFFERENT = 0.5;

/** Returns the texts of a label by the key of their records. */
function textsByKey({ content }: LabelFit, key: LabelFit | undefined): ReadonlyMap<string, string> {
  const keys = new Map(key?.content.filled.map(({ row, text, kind }) => [row, readKey(text, kind)]));
  return new Map(
    content.filled.flatMap(({ row, text }): [string, string][] => {
      const value = keys.get(row);
      return value === undefined || value instanceof CellFault ? [] : [[String(value), text]];
    }),
  );
}

const wordsIn = (text: string): readonly string[] => fold(text).split(/\s+/);

/** Returns the pairs of texts that two labels have for the same records. */
function pairsOf(left: LabelFit, right: LabelFit, labels: readonly LabelFit[], key: string) {
  const keyFor = ({ sheet, table }: LabelFit): LabelFit | undefined =>
    labels.find((label) => label.sheet === sheet && label.table === table && label.means === key);
  const others = textsByKey(right, keyFor(right));
  return [...textsByKey(left, keyFor(left))].flatMap(([id, text]): (readonly [string, string])[] => {
    const other = others.get(id);
    return other === undefined ? [] : [[text, other]];
  });
}

/** Returns a question for each text that two sheets of a table have and that differs in most of their common records. */
export function homesOf(
  labels: readonly LabelFit[],
  { mapping, uses }: Fit,
  language: Language,
): readonly Home[] {
  const [key] = mapping.key;
  return labels.flatMap((left): Home[] => {
    const { table, means, sheet } = left;
    if (!table.spec.spread || means === undefined || means === key) return [];
    if (table.columns.get(means)?.type !== 'text') return [];
    const right = labels.find(
      (label) => label.table === table && label.means === means && label.sheet !== sheet,
    );
    if (right === undefined || labels.indexOf(right) < labels.indexOf(left)) return [];
    const pairs = pairsOf(left, right, labels, key!);
    const isOther = ([a, b]: readonly [string, string]): boolean => fold(a) !== fold(b);
    if (pairs.length === 0 || share(pairs, isOther) < MIN_DIFFERENT) return [];
    const holds = (a: string, b: string): boolean => wordsIn(b).every((word) => wordsIn(a).includes(word));
    const isFuller = share(pairs, ([a, b]) => holds(a, b)) >= MIN_DIFFERENT;
    const isLess = share(pairs, ([a, b]) => holds(b, a)) >= MIN_DIFFERENT;
    const ordered = isLess && !isFuller ? [right, left] : [left, right];
    const question: Question = {
      id: `home.${means}`,
      path: ['tables', table.id, 'labels', ordered[1]!.key],
      title: tell(language, 'home', { label: labelName(left) }),
      samples: ordered.flatMap((label) => samplesOf(label, uses).slice(0, 1)),
      ...answersOf(
        ordered.map((label, at) => ({
          value: label.sheet.name,
          title: tell(language, at === 0 && isFuller !== isLess ? 'homeFuller' : 'homeOf', {
            sheet: label.sheet.name,
          }),
          score: at === 0 && isFuller !== isLess ? LIKELY : UNLIKELY,
        })),
      ),
    };
    return [{ question, labels: ordered }];
  });
}

/** Returns the labels with the other sheets' ones left aside. */
export const withHome = (labels: readonly LabelFit[], home: Home, sheet: string): readonly LabelFit[] =>
  labels.map((label) => {
    if (!home.labels.includes(label) || label.sheet.name === sheet) return label;
    const { means: _, ...rest } = label;
    return { ...rest, state: 'ignored', why: 'answered' };
  });
