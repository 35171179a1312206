import { formatPlace, type Issue, type IssueCode, type Language, paramOf } from '../core/issue.js';
import { areOpposed, collapse, columnLetter, similarity, squash, withoutEnd } from '../core/text.js';
import { type CompiledColumn, patternsOf } from '../mapping/record.js';
import { listTitle } from '../messages/wording.js';
import { type Catalogue, type CatalogueRow, catalogue, type Words } from '../schema/catalogue.js';
import { isOpposite, scoreLabel } from '../tables/label-score.js';
import type { Fit } from './fit.js';
import { ignoreAnswer } from './label-questions.js';
import { type LabelFit, labelAt } from './labels.js';
import {
  type Answer,
  answersOf,
  CATCH_ALL,
  LEAST,
  NO,
  type Question,
  rounded,
  type Sample,
  tell,
  UNLIKELY,
  withLeave,
  yesOrNo,
} from './question.js';
import { abbreviations } from './sheets.js';
import type { Trial } from './trial.js';
import type { Uses } from './uses.js';

/** A word that a code list, the classes of concepts, or a column of choices or of yes and no, do not know. */
export interface UnknownWord {
  readonly kind: 'value' | 'class' | 'choice';
  /** Code list, or the id of the column; undefined for classes. */
  readonly list?: string;
  /** Sorting columns of a word for classes, if its label is known. */
  readonly sorters?: readonly CompiledColumn[];
  /** Words for classes next to it. */
  readonly beside?: readonly Sample[];
  /** Meaning of a code for classes in a sheet that nothing reads: `SUELDO ORDINARIO` of `001`. */
  readonly legend?: Sample;
  readonly word: string;
  readonly count: number;
  readonly place: Issue['place'];
}

const CODES: Readonly<Partial<Record<IssueCode, UnknownWord['kind']>>> = {
  'lookup/unknown': 'value',
  'lookup/ambiguous': 'value',
  'class/unknown': 'class',
  'class/ambiguous': 'class',
  'check/failed': 'class',
  'cell/not-a-choice': 'choice',
  'cell/not-yes-or-no': 'choice',
};
const MAX_SHOWN = 4;
export const SHORT_LIST = 12;
/** A name that begins with the word as written. */
const BEGINS = 0.85;
/** A word that begins with a name and goes on may mean another: `Cédula venezolana`. */
const SAYS_MORE = 0.65;

/** The words that reading to the end has not understood, each once. */
export function unknownWords(
  { issues }: Trial,
  { uses, unused, tables }: Fit,
  labels: readonly LabelFit[],
): readonly UnknownWord[] {
  const found = new Map<string, UnknownWord>();
  const unread = unused.filter(({ sheet }) => tables.every((table) => table.sheet !== sheet));
  for (const issue of issues) {
    const { code, value, place } = issue;
    const kind = CODES[code];
    if (kind === undefined || value === undefined) continue;
    const pointer = place.pointer?.replace(/\/\d+(?=\/|$)/g, '/*') ?? '';
    const list =
      kind === 'value'
        ? String(paramOf(issue, 'catalogue') ?? uses.catalogues.get(pointer) ?? '')
        : kind === 'choice'
          ? (labelAt(labels, place)?.means ?? '')
          : undefined;
    if (list === '') continue;
    const key = `${list}\n${squash(value)}`;
    const known = found.get(key);
    const label = kind === 'class' ? labelAt(labels, place) : undefined;
    const sorters = label && sortersOf(label, uses);
    const legend = label && legendOf(value, unread);
    found.set(
      key,
      known
        ? { ...known, count: known.count + 1 }
        : {
            kind,
            ...(list && { list }),
            ...(sorters && { sorters }),
            ...(label && { beside: besideWord(label, value, labels, uses) }),
            ...(legend && { legend }),
            word: value,
            count: 1,
            place,
          },
    );
  }
  return [...found.values()];
}

function sortersOf({ table, means = '' }: LabelFit, { classes }: Uses) {
  const column = table.columns.get(means);
  return column && classes.get(column);
}

/** Returns the texts of another column of words for classes in the records of a word. */
function besideWord(
  label: LabelFit,
  word: string,
  labels: readonly LabelFit[],
  uses: Uses,
): readonly Sample[] {
  const other = labels.find(
    (otherLabel) =>
      otherLabel !== label &&
      otherLabel.sheet === label.sheet &&
      otherLabel.table === label.table &&
      sortersOf(otherLabel, uses) !== undefined,
  );
  if (other === undefined) return [];
  const rows = new Set(
    label.content.filled.flatMap(({ row, text }) => (squash(text) === squash(word) ? row : [])),
  );
  const texts = new Map<string, Sample>();
  for (const { row, text } of other.content.filled)
    if (rows.has(row) && !texts.has(squash(text)))
      texts.set(squash(text), { cell: `${other.sheet.name}!${columnLetter(other.column)}${row}`, text });
  return [...texts.values()].slice(0, MAX_SHOWN);
}

/** Finds the words next to a code in the sheets that nothing reads; undefined if they say several things of it. */
function legendOf(code: string, sheets: Fit['unused']): Sample | undefined {
  if (/\p{L}{3}|\s/u.test(code)) return undefined;
  const found = new Map<string, Sample>();
  for (const { sheet } of sheets)
    for (const { texts, number } of sheet.rows) {
      const words = texts.findIndex((text) => /\p{L}{3}/u.test(text ?? ''));
      const text = texts[words];
      if (text === undefined || !texts.some((cell) => cell?.trim() === code)) continue;
      found.set(squash(text), { cell: `${sheet.name}!${columnLetter(words)}${number}`, text });
    }
  const [legend, ...others] = found.values();
  return others.length === 0 ? legend : undefined;
}

/** Scores a word against names; what undoes or opposes one of them scores 0. */
function likeness(word: string, names: readonly string[]): number {
  if (names.some((name) => areOpposed(word, name))) return 0;
  const bare = squash(word);
  return Math.max(
    0,
    ...names.map((name) => {
      const other = squash(name);
      const alike = similarity(word, name);
      if (Math.min(bare.length, other.length) < 3) return alike;
      return Math.max(alike, other.startsWith(bare) ? BEGINS : bare.startsWith(other) ? SAYS_MORE : 0);
    }),
  );
}

const nameOf = (row: CatalogueRow): string => [row['name'], row['department']].filter(Boolean).join(', ');

const rowAnswer = (row: CatalogueRow, words: Words): Answer => ({
  value: row['code'] ?? '',
  title: nameOf(row),
  also: [
    ...(words[row['code'] ?? ''] ?? []),
    ...(row['department'] === undefined ? [] : [row['name'] ?? '']),
  ],
});

/** Rows of a code list that a word may mean, best first, and all the others. */
export function listAnswers(word: string, list: string, words: Words): Pick<Question, 'answers' | 'likely'> {
  const rows = catalogue(list)?.rows ?? [];
  const all = rows.map((row) => rowAnswer(row, words));
  const scored = all.map((item) => ({
    ...item,
    score: rounded(likeness(word, [item.title, ...(item.also ?? [])])),
  }));
  const like = scored.filter(({ score }) => score >= LEAST).sort((a, b) => b.score - a.score);
  // Equal names (Armenia) are no default: the department is not known.
  const [best, next] = like;
  const tied = next !== undefined && next.score === best?.score;
  const shown = (
    tied ? like.map((item) => ({ ...item, score: Math.min(item.score, UNLIKELY) })) : like
  ).slice(0, MAX_SHOWN);
  const isShown = new Set(shown.map(({ value }) => value));
  const others = rows.length <= SHORT_LIST ? scored.filter(({ value }) => !isShown.has(value)) : [];
  return answersOf([...shown, ...others], all);
}

/** The code list that a column is searched in. */
const listOf = ({ mapping }: Fit, column: CompiledColumn): Catalogue | undefined =>
  mapping.fields
    .flatMap(({ sources }) => sources.map(({ kind }) => kind))
    .flatMap((kind) =>
      kind.is === 'lookup' && kind.matches.some((match) => match.column === column)
        ? (catalogue(kind.catalogue) ?? [])
        : [],
    )[0];

type ClassTitles = readonly [
  name: string,
  titles: readonly string[],
  sorts: NonNullable<CompiledColumn['sorts']>,
];

/** Classes that words are sorted into, with their patterns without wildcards; one that is a code goes by its name. */
const classesOf = (sorters: readonly CompiledColumn[], fit: Fit): ClassTitles[] =>
  sorters.flatMap((column) => {
    const { sorts } = column;
    if (sorts === undefined) return [];
    return Object.entries(sorts.classes).map(([name, spec]): ClassTitles => {
      const known = listOf(fit, column)?.rows.find(({ code }) => code === name)?.['name'];
      const patterns = patternsOf(spec).filter((text) => !text.includes('?'));
      const titles = patterns.map((text) => withoutEnd(collapse(text.replace(/\*+/g, ' ')), /[\s[-]/));
      const all = [...(known ? [known] : []), ...titles.filter((text) => text !== '')];
      return [name, all, sorts];
    });
  });

/** Score of the class that a code's legend plainly is. */
const BY_LEGEND = 0.9;

function classAnswers(
  { word: written, sorters, legend }: UnknownWord,
  fit: Fit,
): { likely: Answer[]; all: Answer[] } {
  const word = legend?.text ?? written;
  const by = sorters ?? [...fit.uses.classes.values()].flat();
  // A word that has a class is asked about because it cannot be that.
  const classifiers = by.flatMap(({ sorts }) => sorts ?? []);
  const known = classifiers.map(({ classOf }) => classOf(word));
  const excluded = legend === undefined ? known : [];
  const classes = classesOf(by, fit).filter(([name]) => !excluded.includes(name));
  const all = classes.map(([value, titles, { tells, strays }]): Answer => {
    const answer = { value, title: titles.find((title) => /\p{L}{3}/u.test(title)) ?? value, also: titles };
    if (legend !== undefined && known.includes(value)) return { ...answer, score: BY_LEGEND };
    if (isOpposite(word, { id: value, titles })) return { ...answer, score: 0 };
    const score = (names: readonly string[]): number =>
      scoreLabel(word, undefined, { id: value, titles: names }, abbreviations());
    // What is called almost so, but for a word that makes or may make another thing of it, is no default.
    const alike = strays(value, word) ? [] : titles.filter((title) => tells(title) === tells(word));
    return {
      ...answer,
      score: Math.max(alike.length === 0 ? 0 : score(alike), Math.min(score(titles), UNLIKELY)),
    };
  });
  const likely = all
    .filter(({ score = 0 }) => score >= LEAST)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, MAX_SHOWN);
  // What fits nowhere else: other earnings and deductions.
  const rest = all.filter(
    ({ value }) => value.startsWith(CATCH_ALL) && !likely.some((item) => item.value === value),
  );
  const shown = [...likely, ...rest];
  return { likely: shown.length === 0 && all.length <= SHORT_LIST ? all : shown, all };
}

/** Returns the answers for a column of choices, or of yes and no. */
function choicesOf(id: string, { mapping }: Fit, language: Language): readonly Answer[] {
  const column = [...mapping.tables.values()].flatMap((table) => table.columns.get(id) ?? [])[0];
  if (column?.kind === 'boolean') return yesOrNo(language);
  return Object.entries(column?.choices ?? {}).map(([value, also]) => ({ value, title: value, also }));
}

/** The words of one answer begin as the word does, and those of no other. */
const BEGINS_ALONE = 0.75;

function choiceAnswers({ list = '', word }: UnknownWord, fit: Fit, language: Language): Answer[] {
  const all = choicesOf(list, fit, language);
  const begins = ({ title, also = [] }: Answer): boolean =>
    [title, ...also].some((item) => squash(item).startsWith(squash(word)));
  const alone = all.filter(begins).length === 1;
  return all
    .map((item) => {
      const alike = rounded(likeness(word, [item.title, ...(item.also ?? [])]));
      return { ...item, score: alone && begins(item) ? Math.max(alike, BEGINS_ALONE) : alike };
    })
    .sort((a, b) => b.score - a.score);
}

/** The question that an unknown word leaves; answers are codes of the list, or classes. */
export function wordQuestion(word: UnknownWord, fit: Fit, language: Language): Question {
  const cell = formatPlace(word.place);
  const { list = '' } = word;
  const params = { place: cell, word: word.word, count: word.count, list: listTitle(list, language) };
  const leave: Answer = {
    ...ignoreAnswer(language),
    title: tell(language, 'ignoreWord'),
    typed: tell(language, 'ignoreTyped'),
  };
  const samples = [{ cell, text: word.word }];
  const { beside = [] } = word;
  if (word.kind === 'class') {
    const { likely, all } = classAnswers(word, fit);
    const { legend } = word;
    const words = beside.map(({ text }) => text).join(', ');
    const reason =
      legend === undefined
        ? words && tell(language, 'whyBeside', { words })
        : tell(language, 'whyLegend', legend);
    return {
      id: `class.${word.word}`,
      aliases: [word.word],
      path: ['decisions', 'classes', word.word],
      title: tell(language, 'class', params),
      ...(reason !== '' && { reason: reason }),
      samples: legend !== undefined ? [legend] : beside.length > 0 ? beside : samples,
      ...answersOf(withLeave(likely, [leave]), all),
      ...(likely[0]?.score === BY_LEGEND && { batch: 'codes.classes' }),
    };
  }
  if (word.kind === 'choice') {
    // "No" is an answer to whether something is so.
    const also = leave.also?.filter((item) => !NO.includes(item)) ?? [];
    return {
      id: `choice.${word.list}.${word.word}`,
      aliases: [word.word],
      path: ['decisions', 'choices', list, word.word],
      title: tell(language, 'choice', params),
      samples,
      ...answersOf([...choiceAnswers(word, fit, language), { ...leave, also }]),
    };
  }
  const found = listAnswers(word.word, list, fit.mapping.synonyms.values[list] ?? {});
  return {
    id: `value.${word.list}.${word.word}`,
    aliases: [word.word],
    path: ['decisions', 'values', list, word.word],
    title: tell(language, 'value', params),
    samples,
    ...answersOf(withLeave(found.answers.slice(0, found.likely), [leave]), found.answers),
  };
}
