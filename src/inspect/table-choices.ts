import type { Language } from '../issues/issue.js';
import type { OpenSheet, TableFit } from './assign.js';
import { isSameHeader } from './assign.js';
import type { Choice, ChoiceCandidate } from './choice.js';
import type { Fit } from './fit.js';
import { fortnightOf } from './fortnight.js';
import { IGNORE } from './labels.js';
import type { Trial } from './trial.js';
import { tell } from './wording.js';

/** Every sheet of a table that comes more than once, by `*`. */
export const ALL_SHEETS = '*';
const LIKELY = 0.75;
const UNLIKELY = 0.5;
const rounded = (score: number): number => Math.round(score * 100) / 100;

/** Which layout the files have, when none fits clearly. */
export const layoutChoice = (ranked: readonly Fit[], language: Language): Choice => ({
  id: 'layout',
  path: ['extends'],
  question: tell(language, 'layout'),
  candidates: ranked
    .filter(({ score }) => score > 0)
    .map(({ name, mapping, score }) => ({
      value: name,
      about: `${mapping.spec.description ?? name} (${Math.round(score * 100)} %)`,
    })),
  others: ranked.map(({ name }) => name),
});

/** What a sheet holds whose name does not say it. */
export function sheetChoice(
  { sheet, header, candidates }: OpenSheet,
  at: string,
  fit: Fit,
  language: Language,
): Choice {
  const labels = header.labels
    .flatMap((label) => label ?? [])
    .slice(0, 6)
    .join(', ');
  const tables = [...fit.mapping.tables.values()].filter(({ parent }) => parent === undefined);
  return {
    id: `sheet.${sheet.name}`,
    path: ['tables', at, 'sheet'],
    question: tell(language, 'sheet', { sheet: sheet.name, labels }),
    candidates: [
      ...candidates.map(
        ({ table, score }): ChoiceCandidate => ({
          value: table.id,
          score: rounded(score),
          about: [table.spec.sheet ?? table.id].flat()[0]!,
        }),
      ),
      { value: IGNORE, about: tell(language, 'ignore') },
    ],
    others: tables.filter(({ id }) => !fit.mapping.mains.some((main) => main.id === id)).map(({ id }) => id),
  };
}

/** Which of several sheets with one header are read: all, as fortnights, or one. */
export function sheetsChoice(fits: readonly TableFit[], language: Language): Choice | undefined {
  const [first] = fits;
  const alike = fits.filter(
    ({ sheet, header }) => sheet.input === first!.sheet.input && isSameHeader(header, first!.header),
  );
  const names = alike.map(({ sheet }) => sheet.name);
  if (names.length < 2) return undefined;
  const halves = new Set(names.map((name) => fortnightOf(name)?.half));
  const sheets = names.join(', ');
  return {
    id: `${first!.table.id}.sheet`,
    path: ['tables', first!.table.id, 'sheet'],
    question: tell(language, 'sheetsAlike', { sheets }),
    candidates: [
      {
        value: ALL_SHEETS,
        score: halves.has(1) && halves.has(2) ? LIKELY : UNLIKELY,
        about: tell(language, 'allSheets', { sheets }),
      },
      ...names.map((value) => ({ value, about: tell(language, 'onlySheet', { sheet: value }) })),
    ],
  };
}

/** So many of the workers must come twice before it is a layout rather than a mistake. */
const REPEATED = 0.3;

/** Whether the records of one worker are to be one document. */
export function groupingChoice(
  { keys, told }: Trial,
  { mapping }: Fit,
  language: Language,
): Choice | undefined {
  if (mapping.onePer !== 'record') return undefined;
  const repeated = told - keys;
  if (keys === 0 || repeated / keys < REPEATED) return undefined;
  const key = mapping.key[0]!;
  return {
    id: 'one_per',
    path: ['one_per', 'key'],
    question: tell(language, 'grouping', { repeated, documents: keys }),
    candidates: [
      { value: key, score: UNLIKELY, about: tell(language, 'merge') },
      { value: IGNORE, about: tell(language, 'noMerge') },
    ],
    others: ['merge'],
  };
}
