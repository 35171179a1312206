import {
  type Checked,
  formatPlace,
  type Issue,
  type IssueCode,
  issueOf,
  type Language,
  paramOf,
} from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import { areOpposed, collapse, fold, isWild, similarity, squash } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { readParam, titleOfParam, typeOf } from '../mapping/params.js';
import { LOOKS, readDateText, readNumberText } from '../mapping/read/cell.js';
import { type CompiledColumn, type CompiledTable, isFlat, patternsOf } from '../mapping/record.js';
import { listTitle } from '../messages/wording.js';
import { type Catalogue, type CatalogueRow, catalogue, type Words } from '../schema/catalogue.js';
import { areHalves } from '../tables/fortnight.js';
import { IGNORE } from '../tables/header.js';
import { scoreLabel } from '../tables/label-score.js';
import { cellPlace, type Row } from '../tables/table.js';
import { type Content, saysTotal, sortedTexts, withoutTime } from './content.js';
import { type Fit, isLikely, withDoubts } from './fit.js';
import {
  fitLabels,
  type HeadedSheet,
  isSameHeader,
  type LabelFit,
  labelAt,
  type OpenSheet,
  samplesOf,
  type TableFit,
} from './labels.js';
import {
  type Answer,
  type Answering,
  answersOf,
  LIKELY,
  type Question,
  readAnswer,
  rounded,
  suggestionsOf,
  tell,
  UNLIKELY,
} from './question.js';
import { cellOf, ignoreAnswer, labelName } from './questions.js';
import { abbreviations, firstOf, type Sheet } from './sheets.js';
import type { FormatFound, Trial } from './trial.js';
import type { Uses } from './uses.js';

/** Labels by which a sheet is known again. */
const MOST_SHOWN = 6;
/** Every sheet of a table that comes more than once, by `*`. */
const ALL_SHEETS = '*';

/** What a mapping is for, in the person's words. */
function describe({ name, description = name }: Fit, language: Language): string {
  return typeof description === 'string' ? description : description[language];
}

/** Which layout the files have, when none fits clearly. */
/** `Fecha de acuse` may end in what a column of records would say: its last words. */
const endingsOf = (label: string): readonly string[] => {
  const words = label.split(/\s+/);
  return words.map((_, at) => words.slice(at).join(' ')).filter((text) => /\p{L}{3}/u.test(text));
};

/** Titles that are words of a column by which records are told apart: a row for each is needed, rather than a column. */
function wordsAsTitles({ mapping, uses }: Fit, labels: readonly string[]): readonly string[] | undefined {
  for (const main of mapping.mains)
    for (const id of mapping.key) {
      const column = main.columns.get(id);
      if (column === undefined || !uses.classes.has(column)) continue;
      const classes = new Map(
        labels.flatMap((label): [string, string][] => {
          const [found] = sortedTexts(column, endingsOf(label), uses).values();
          return found === undefined ? [] : [[label, found]];
        }),
      );
      if (new Set(classes.values()).size > 1) return [...classes.keys()];
    }
  return undefined;
}

export function layoutQuestion(
  ranked: readonly Fit[],
  sheets: readonly HeadedSheet[],
  language: Language,
): Question {
  const answers = ranked.map(
    (fit): Answer => ({
      value: fit.name,
      title: describe(fit, language),
      score: Math.min(fit.score, UNLIKELY),
    }),
  );
  const likely = ranked.filter(({ score }) => score > 0).length;
  const titles = sheets.flatMap(({ header }) => header?.labels.flatMap((label) => label ?? []) ?? []);
  // Where one is likely the others are not compiled for this.
  // The plainest mapping of that form says it best.
  const plainest = ranked.some(isLikely)
    ? []
    : [...ranked].sort((a, b) => a.mapping.tables.size - b.mapping.tables.size);
  const [why] = plainest.flatMap((fit) => {
    const labels = wordsAsTitles(fit, titles)?.join(', ');
    const params = { labels: labels ?? '', mapping: fit.name, about: describe(fit, language) };
    return labels === undefined ? [] : tell(language, 'whySideways', params);
  });
  return {
    id: 'layout',
    path: ['extends'],
    title: tell(language, 'layout'),
    ...(why !== undefined && { why }),
    samples: [],
    ...answersOf(answers.slice(0, likely), answers.slice(likely)),
  };
}

/** A table as people name it: the sheet that it is by default. */
const namesOf = ({ spec }: CompiledTable): readonly string[] => [spec.sheet ?? spec.file ?? []].flat();

/** What people call a table: the first name of a sheet or file that its mapping expects. */
export const tableTitle = (table: CompiledTable): string | undefined =>
  namesOf(table).find((name) => !isWild(name));

const tableAnswer = (table: CompiledTable): Answer => {
  const { id } = table;
  const names = namesOf(table);
  return { value: id, title: tableTitle(table) ?? id, also: names.length === 0 ? [id] : names };
};

/** What a sheet holds whose name does not say it. */
function sheetQuestion(
  { sheet, header, candidates }: OpenSheet,
  at: string,
  fit: Fit,
  language: Language,
): Question {
  const shown = header.labels.length > 0 ? header.labels : (header.data[0]?.texts ?? []);
  const labels = shown
    .flatMap((label) => label ?? [])
    .slice(0, MOST_SHOWN)
    .join(', ');
  const flat = candidates.some(({ table }) => isFlat(table));
  const tables = [...fit.mapping.tables.values()].filter(({ parent }) => parent === undefined);
  return {
    id: `sheet.${sheet.name}`,
    aliases: [sheet.name],
    path: ['tables', at, flat ? 'file' : 'sheet'],
    title: tell(language, 'sheet', { sheet: sheet.name, labels }),
    samples: [],
    ...answersOf(
      [
        ...candidates.map(({ table, score }): Answer => ({ ...tableAnswer(table), score: rounded(score) })),
        ignoreAnswer(language),
      ],
      tables.filter((table) => !flat || isFlat(table)).map(tableAnswer),
    ),
  };
}

/** By which the header of a sheet is answered. */
export const headerId = ({ title }: Sheet): string => `header.${title}`;

/** Which row of a sheet is its header: found without asking, and otherwise where a person says so. */
export function headerQuestion(sheet: Sheet, language: Language): Question {
  const rows = firstOf(sheet).map(({ number, texts }): Answer => {
    const labels = texts.flatMap((text) => text ?? []).slice(0, MOST_SHOWN);
    return { value: String(number), title: tell(language, 'headerIs', { labels: labels.join(', ') }) };
  });
  return {
    id: headerId(sheet),
    path: [],
    title: tell(language, 'header', { sheet: sheet.name }),
    samples: [],
    ...answersOf([], rows),
    free: () => undefined,
  };
}

/** Which of several sheets with one header are read: all, as fortnights, or one. */
function sheetsQuestion(fits: readonly TableFit[], language: Language): Question | undefined {
  const [first] = fits;
  const alike = fits.filter(
    ({ sheet, header }) => sheet.input === first!.sheet.input && isSameHeader(header, first!.header),
  );
  const names = alike.map(({ sheet }) => sheet.name);
  if (names.length < 2) return undefined;
  const isHalves = areHalves(names);
  const sheets = names.join(', ');
  const all: Answer = {
    value: ALL_SHEETS,
    title: tell(language, 'allSheets', { sheets }),
    score: isHalves ? LIKELY : UNLIKELY,
    also: ['todas', 'all'],
  };
  const single = alike.map(
    ({ sheet }): Answer => ({
      value: sheet.name,
      title: tell(language, sheet.source.hidden ? 'onlyHidden' : 'onlySheet', { sheet: sheet.name }),
    }),
  );
  return {
    id: `${first!.table.id}.sheet`,
    path: ['tables', first!.table.id, 'sheet'],
    title: tell(language, 'sheetsAlike', { sheets }),
    samples: [],
    // Two months are no fortnights: one of them is meant, if the sheets do not say otherwise.
    ...answersOf(isHalves ? [all, ...single] : [...single, all]),
  };
}

const YES = ['sí', 's', 'yes', 'y'];
const NO = ['no', 'n'];

/** So many of the workers must come twice before it is a layout rather than a mistake. */
const REPEATED = 0.3;

/** Whether the records of one worker are to be one document. */
export function groupingQuestion(
  { keys, told }: Trial,
  { mapping }: Fit,
  language: Language,
): Question | undefined {
  // Where one column does not tell documents apart, records of it are no parts of one: visits of a patient.
  if (mapping.onePer !== 'record' || mapping.key.length > 1) return undefined;
  const repeated = told - keys;
  if (keys === 0 || repeated / keys < REPEATED) return undefined;
  const key = mapping.key[0]!;
  return {
    id: 'one_per',
    path: ['one_per', 'key'],
    title: tell(language, 'grouping', { repeated, documents: keys }),
    samples: [],
    ...answersOf([
      { value: key, title: tell(language, 'merge'), score: UNLIKELY, also: [...YES, 'merge'] },
      { value: IGNORE, title: tell(language, 'noMerge'), also: NO },
    ]),
  };
}

const READ: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>> = {
  decimal: (text) => readNumberText(text) as unknown as Record<string, unknown>,
  date: (text) => readDateText(withoutTime(text)) as unknown as Record<string, unknown>,
};
const STYLES = { decimal: ['comma', 'dot'], date: ['dmy', 'mdy'] } as const;

/** How amounts and dates are written, where no cell shows it. Of the table, when none of its columns does. */
export function formatQuestions(trial: Trial, language: Language): readonly Question[] {
  const questions: Question[] = [];
  const kindOf = ({ column }: FormatFound): 'decimal' | 'date' =>
    column.type === 'decimal' ? 'decimal' : 'date';
  const open = trial.formats.filter(
    ({ verdict }) => verdict.by === 'undecided' && verdict.ambiguous !== undefined,
  );
  const tables = new Set(open.map(({ table }) => table));
  for (const found of open) {
    const kind = kindOf(found);
    const siblings = trial.formats.filter((one) => one.table === found.table && kindOf(one) === kind);
    const whole = siblings.every(({ verdict }) => verdict.style === undefined || verdict.by === 'declared');
    const path = whole
      ? ['tables', found.table, 'formats', kind]
      : ['tables', found.table, 'columns', found.column.id, 'formats', kind];
    const id = whole
      ? tables.size > 1
        ? `${found.table}.${kind}`
        : kind
      : `${found.table}.${found.column.id}.${kind}`;
    if (questions.some((one) => one.id === id)) continue;
    const { row, index, text } = found.verdict.ambiguous!;
    const place = formatPlace(
      cellPlace({ file: found.file, sheet: found.sheet, async *batches() {} }, row, index),
    );
    const reading = READ[kind]!(text);
    questions.push({
      id,
      path,
      title: tell(language, kind, { place, text }),
      samples: [{ cell: place, text }],
      ...answersOf(
        [
          ...STYLES[kind].map((value) => ({
            value,
            title: tell(language, 'readAs', { value: String(reading[value] ?? text) }),
          })),
          { value: IGNORE, title: tell(language, 'formatIgnore') },
        ],
        kind === 'date' ? [{ value: 'ymd', title: LOOKS.ymd }] : [],
      ),
    });
  }
  return questions;
}

const hasWord = (text: string, word: string): number => fold(text).indexOf(word);

/** The order that a label itself names: `Apellidos y nombres`. */
function orderInLabel(label: string): 'surnames_first' | 'names_first' | undefined {
  const [surnames, names] = [hasWord(label, 'apell'), hasWord(label, 'nomb')];
  if (surnames < 0 || names < 0) return undefined;
  return surnames < names ? 'surnames_first' : 'names_first';
}

/** What comes first in full names, when they are all there is. */
export function nameOrderQuestion(
  labels: readonly LabelFit[],
  { uses }: Fit,
  language: Language,
): { question: Question; said?: string } | undefined {
  const meant = new Set(
    labels.flatMap(({ table, means }) => (means === undefined ? [] : (table.columns.get(means) ?? []))),
  );
  const use = uses.names.find(
    ({ column, instead }) => meant.has(column) && !instead.some((one) => meant.has(one)),
  );
  const fit = labels.find(
    ({ table, means }) => use !== undefined && means !== undefined && table.columns.get(means) === use.column,
  );
  if (use === undefined || fit === undefined) return undefined;
  const said = fit.label === undefined ? undefined : orderInLabel(fit.label);
  const question: Question = {
    id: use.param,
    path: ['params', use.param, 'default'],
    title: tell(language, 'nameOrder', { place: cellOf(fit), label: labelName(fit) }),
    samples: samplesOf(fit, uses),
    ...answersOf(
      (['surnames_first', 'names_first'] as const).map((value) => ({ value, title: tell(language, value) })),
    ),
  };
  return { question, ...(said && { said }) };
}

const SIGN = 'deduction_sign';
const NEGATIVE_SHARE = 0.1;

/** Whether amounts say that deductions are written with a minus sign: most of a column of deductions, some of a list of all. */
function mayBeNegative({ columns }: CompiledTable, id: string, { negatives, filled }: Content): boolean {
  const { kind, sign } = columns.get(id) ?? {};
  const hasOwn = [...columns.values()].some((column) => column.sign === SIGN);
  const amounts = filled.filter(({ amount = 0 }) => amount !== 0).length;
  // A few of them are reversals.
  return hasOwn
    ? sign === SIGN && negatives * 2 > amounts
    : kind === 'money' && negatives > 0 && negatives / filled.length >= NEGATIVE_SHARE;
}

/** Whether deductions are written as negative amounts, when a list holds some. */
export function signQuestion(
  labels: readonly LabelFit[],
  { mapping, uses }: Fit,
  language: Language,
): Question | undefined {
  const param = mapping.params.get(SIGN);
  if (param === undefined) return undefined;
  const fit = labels.find(
    ({ means, table, content }) => means !== undefined && mayBeNegative(table, means, content),
  );
  if (fit === undefined) return undefined;
  return {
    id: SIGN,
    path: ['params', SIGN, 'default'],
    title: tell(language, 'sign', { place: cellOf(fit), label: labelName(fit) }),
    samples: samplesOf(fit, uses),
    ...answersOf([
      { value: 'negative', title: tell(language, 'negative'), also: YES },
      { value: 'positive', title: tell(language, 'positive'), also: NO },
    ]),
  };
}

const DATES = 'record_dates';
/** The columns with the dates of a record, and so many of them at least are of a month that is not that of most. */
const DATED = ['period_start', 'period_end'];
const OTHER_MONTHS = 0.2;

function monthOf(text = ''): string | undefined {
  const found = readDateText(withoutTime(text), 'dmy');
  return found.kind === 'date' ? found.date.slice(0, 7) : undefined;
}

/** Whether the dates of records are those of their period, when a list has several months. */
export function datesQuestion(
  labels: readonly LabelFit[],
  { mapping, uses }: Fit,
  language: Language,
): Question | undefined {
  const fits = DATED.map((id) => labels.find(({ means }) => means === id));
  const [from, to] = fits;
  if (mapping.params.get(DATES) === undefined || from === undefined || to === undefined) return undefined;
  const months = from.sheet.rows.flatMap(({ number, texts }) => {
    const [start, end] = [from, to].map(({ column }) => monthOf(texts[column]));
    return number > from.header.row.number && start !== undefined && start === end ? [start] : [];
  });
  const counts = [...new Set(months)].map((month) => months.filter((one) => one === month).length);
  if (counts.length < 2 || Math.max(...counts) > months.length * (1 - OTHER_MONTHS)) return undefined;
  return {
    id: DATES,
    path: ['params', DATES, 'default'],
    title: tell(language, 'recordDates', { place: cellOf(from), label: labelName(from) }),
    samples: samplesOf(from, uses),
    ...answersOf([
      { value: 'period', title: tell(language, 'datesOfPeriod'), also: YES },
      { value: 'novelty', title: tell(language, 'datesOfNovelty'), also: NO },
    ]),
  };
}

/** Of records with other cells so many at least leave the columns of a block blank. */
const BELOW = 0.3;

/**
 * The columns that records say in the first one of a block alone, whose they are first: nowhere twice below each other. Names are among them
 * however they stand, so that a row that lost its document alone is none of the block above; names that nothing reads could not tell that.
 */
function saidOnce(
  { sheet, table, header }: TableFit,
  key: CompiledColumn | undefined,
  labels: readonly LabelFit[],
  { personal }: Uses,
): readonly LabelFit[] {
  const own = labels.filter((one) => one.sheet === sheet && one.table === table);
  const who = own.find(({ means }) => means !== undefined && means === key?.id);
  if (who === undefined) return [];
  const textIn = ({ texts }: Row, { column }: LabelFit): string => squash(texts[column] ?? '');
  const rows = sheet.rows.filter(
    (row) =>
      row.number > header.row.number &&
      !row.texts.some((text) => text !== undefined && saysTotal(text)) &&
      own.filter((one) => textIn(row, one) !== '').length > 1,
  );
  const filled = rows.filter((row) => textIn(row, who) !== '');
  const blank = rows.filter((row) => textIn(row, who) === '');
  const isTwice = filled.some((row, at) => at > 0 && textIn(row, who) === textIn(filled[at - 1]!, who));
  if (isTwice || filled.length < 2 || blank.length < rows.length * BELOW) return [];
  const isText = ({ means }: LabelFit): boolean => table.columns.get(means ?? '')?.type === 'text';
  const isName = ({ means }: LabelFit): boolean => personal.has(table.columns.get(means ?? '')!);
  const isSaidOnce = (one: LabelFit): boolean =>
    filled.some((row) => textIn(row, one) !== '') && blank.every((row) => textIn(row, one) === '');
  const others = own.filter((one) => one !== who && isText(one) && (isName(one) || isSaidOnce(one)));
  const isUnread = ({ means, content }: LabelFit): boolean => means === undefined && content.wordy;
  if (!others.some(isName) && own.some((one) => isUnread(one) && textIn(filled[0]!, one) !== '')) return [];
  return [who, ...others];
}

/** A question, and what of a mapping its answer sets. */
interface Setting {
  readonly question: Question;
  readonly value: JsonValue;
}

/** Whether the rows below somebody's first one, which do not say whose they are, are his. */
export function fillDownQuestions(
  labels: readonly LabelFit[],
  { mapping, tables, uses }: Fit,
  language: Language,
): readonly Setting[] {
  const asked = new Map<string, Setting>();
  for (const one of tables) {
    const { table } = one;
    const { columns = [], param } = table.fillDown ?? {};
    // The mapping says it already.
    if (
      table.fillDown !== undefined &&
      (param === undefined || mapping.spec.params?.[param]?.default === true)
    )
      continue;
    const isGrouped = mapping.onePer === 'key' && mapping.mains.includes(table);
    const key = isGrouped ? table.columns.get(mapping.key[0]!) : table.join?.keys[0]?.own[0];
    const found = saidOnce(one, columns.find(({ kind }) => kind === 'identifier') ?? key, labels, uses);
    const [who] = found;
    const id = param ?? `fill_down.${table.id}`;
    if (who === undefined || asked.has(id)) continue;
    const question: Question = {
      id,
      path: param === undefined ? ['tables', table.id, 'fill_down'] : ['params', param, 'default'],
      title: tell(language, 'fillDown', { place: cellOf(who), label: labelName(who) }),
      samples: samplesOf(who, uses),
      ...answersOf([
        { value: 'yes', title: tell(language, 'fillDownYes'), score: LIKELY, also: YES },
        { value: IGNORE, title: tell(language, 'fillDownNo'), also: NO },
      ]),
    };
    const value = param === undefined ? { columns: found.map(({ means }) => means!) } : true;
    asked.set(id, { question, value });
  }
  return [...asked.values()];
}

/** A sheet with amounts that nothing reads: it stays out on a person's word alone. */
export function unreadQuestion(sheet: string, pattern: string, language: Language): Question {
  const leave = ignoreAnswer(language);
  return {
    id: `unread.${pattern}`,
    aliases: [`unread.${sheet}`],
    path: ['ignore_sheets'],
    title: tell(language, 'unreadSheet', { sheet }),
    samples: [],
    ...answersOf([{ ...leave, also: [...(leave.also ?? []), ...YES] }]),
  };
}

/** A fit whose sheets are where they were answered to be. */
export interface Placed {
  readonly fit: Fit;
  readonly open: readonly Question[];
  /** Answers that the mapping does not show as they were given. */
  readonly kept: ReadonlyMap<string, string>;
  /** Table → sheets that were answered. */
  readonly sheets: ReadonlyMap<string, readonly string[]>;
}

/** The table whose `sheet:` holds the question: the likeliest that no other sheet, and no other question, has. */
function askedAt({ candidates }: OpenSheet, { mapping }: Fit, taken: ReadonlySet<string>): string {
  const others = [...mapping.tables.values()].filter(({ spec }) => spec.sheet !== undefined);
  const tables = [...candidates.map(({ table }) => table), ...others];
  return (tables.find(({ id }) => !taken.has(id)) ?? tables[0]!).id;
}

interface Placing {
  readonly fit: Fit;
  readonly language: Language;
  readonly answering: Answering;
  readonly tables: readonly TableFit[];
  readonly open: Question[];
  readonly kept: Map<string, string>;
  readonly sheets: Map<string, readonly string[]>;
}

/** Puts sheets whose name does not say what they hold where they were answered to be. */
function placeOpen({ fit, language, answering, tables, open, kept, sheets }: Placing): {
  readonly tables: readonly TableFit[];
  readonly still: readonly OpenSheet[];
} {
  const placed = [...tables];
  const still: OpenSheet[] = [];
  const taken = new Set(tables.map(({ table }) => table.id));
  for (const one of fit.open) {
    const at = askedAt(one, fit, taken);
    const question = sheetQuestion(one, at, fit, language);
    const value = answering.answerTo(question);
    if (value === undefined) {
      taken.add(at);
      still.push(one);
      open.push(question);
      continue;
    }
    kept.set(question.id, value);
    const table = fit.mapping.tables.get(value);
    if (table === undefined) continue;
    const { sheet, header } = one;
    placed.push({ table, sheet, header, labels: [], named: 0 });
    const names = placed.filter((other) => other.table === table).map((other) => other.sheet.name);
    if (names.length > 1) sheets.set(table.id, names);
  }
  return { tables: placed, still };
}

/** Of several sheets that are one table, those that were answered to be read. */
function chooseAlike({ language, answering, tables, open, kept, sheets }: Placing): readonly TableFit[] {
  let read = tables;
  for (const table of new Set(tables.map((one) => one.table))) {
    const own = tables.filter((one) => one.table === table);
    const question = own.length > 1 && !sheets.has(table.id) ? sheetsQuestion(own, language) : undefined;
    const value = question && answering.answerTo(question);
    if (question === undefined) continue;
    if (value === undefined) {
      open.push(question);
      continue;
    }
    kept.set(question.id, value);
    const all = question.answers.map((one) => one.value).filter((name) => name !== ALL_SHEETS);
    const names = value === ALL_SHEETS ? all : [value];
    sheets.set(table.id, names);
    read = read.filter(
      ({ table: of, sheet }) =>
        of !== table || names.includes(sheet.name) || sheet.input !== own[0]!.sheet.input,
    );
  }
  return read;
}

/** Sheets whose name does not say what they hold, and tables that several sheets hold, as answered. */
export function placeSheets(fit: Fit, answering: Answering, language: Language): Placed {
  const open: Question[] = [];
  const kept = new Map<string, string>();
  const sheets = new Map<string, readonly string[]>();
  const placing = { fit, language, answering, tables: fit.tables, open, kept, sheets };
  const { tables: all, still } = placeOpen(placing);
  const read = chooseAlike({ ...placing, tables: all });
  return { fit: relabelled({ ...fit, open: still }, read), open, kept, sheets };
}

/** The fit with these sheets as its tables, and what their labels mean together. */
export function relabelled(fit: Fit, sheets: readonly TableFit[]): Fit {
  const { mapping, uses } = fit;
  const read = sheets.map((one) => ({ ...one, table: mapping.tables.get(one.table.id)! }));
  const labels = withDoubts(
    mapping,
    uses,
    read.flatMap(({ table, sheet, header }) => fitLabels(table, sheet, header, uses)),
  );
  const tables = read.map((one) => ({
    ...one,
    labels: labels.filter(({ sheet, table }) => sheet === one.sheet && table === one.table),
  }));
  return { ...fit, tables, labels };
}

/** A word that a code list, the classes of concepts, or a column of choices or of yes and no, do not know. */
export interface UnknownWord {
  readonly kind: 'value' | 'class' | 'choice';
  /** Code list, or the id of the column; undefined for classes. */
  readonly list?: string;
  /** Of a word for classes: what sorts its column, where its label is known. */
  readonly sorters?: readonly CompiledColumn[];
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
const OTHER = 'other_';
const MOST = 4;
const ALIKE_WORDS = 0.4;
const SHORT_LIST = 12;
/** A name that begins with the word as written. */
const BEGINS = 0.85;
/** A word that begins with a name and goes on may mean another: `Cédula venezolana`. */
const SAYS_MORE = 0.65;

/** The words that reading to the end has not understood, each once. */
export function unknownWords(
  { issues }: Trial,
  { uses }: Fit,
  labels: readonly LabelFit[],
): readonly UnknownWord[] {
  const found = new Map<string, UnknownWord>();
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
    const sorters = label && uses.classes.get(label.table.columns.get(label.means!)!);
    found.set(
      key,
      known
        ? { ...known, count: known.count + 1 }
        : { kind, ...(list && { list }), ...(sorters && { sorters }), word: value, count: 1, place },
    );
  }
  return [...found.values()];
}

/** How likely a word means something of these names; what undoes or opposes one of them never does. */
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
  also: words[row['code'] ?? ''] ?? [],
});

/** Rows of a code list that a word may mean, best first, and all the others. */
function listAnswers(word: string, list: string, words: Words): Pick<Question, 'answers' | 'likely'> {
  const rows = catalogue(list)?.rows ?? [];
  const all = rows.map((row) => rowAnswer(row, words));
  const scored = all.map((one) => ({ ...one, score: rounded(likeness(word, [one.title, ...one.also!])) }));
  const like = scored.filter(({ score }) => score >= ALIKE_WORDS).sort((a, b) => b.score - a.score);
  // Equal names (Armenia) are no default: the department is not known.
  const tied = like.length > 1 && like[0]!.score === like[1]!.score;
  const shown = (tied ? like.map((one) => ({ ...one, score: Math.min(one.score, UNLIKELY) })) : like).slice(
    0,
    MOST,
  );
  return answersOf(shown.length === 0 && rows.length <= SHORT_LIST ? scored : shown, all);
}

/** The code list that a column is looked up in. */
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
  sorters.flatMap((column) =>
    Object.entries(column.sorts!.classes).map(([name, spec]) => {
      const known = listOf(fit, column)?.rows.find(({ code }) => code === name)?.['name'];
      const patterns = patternsOf(spec).filter((text) => !text.includes('?'));
      const titles = patterns.map((text) => collapse(text.replace(/\*+/g, ' ')).replace(/[\s[-]+$/, ''));
      const all = [...(known ? [known] : []), ...titles.filter((text) => text !== '')];
      return [name, all, column.sorts!] as const;
    }),
  );

function classAnswers({ word, sorters }: UnknownWord, fit: Fit): { likely: Answer[]; all: Answer[] } {
  const by = sorters ?? [...fit.uses.classes.values()].flat();
  // A word that has a class is asked about because it cannot be that.
  const doubted = by.map(({ sorts }) => sorts!.classOf(word));
  const classes = classesOf(by, fit).filter(([name]) => !doubted.includes(name));
  const all = classes.map(([value, titles, { tells, strays }]): Answer => {
    const score = (some: readonly string[]): number =>
      scoreLabel(word, undefined, { id: value, titles: some }, abbreviations());
    // What is called almost so, but for a word that makes or may make another thing of it, is no default.
    const alike = strays(value, word) ? [] : titles.filter((title) => tells(title) === tells(word));
    return {
      value,
      title: titles.find((title) => /\p{L}{3}/u.test(title)) ?? value,
      also: titles,
      score: Math.max(alike.length === 0 ? 0 : score(alike), Math.min(score(titles), UNLIKELY)),
    };
  });
  const likely = all
    .filter(({ score = 0 }) => score >= ALIKE_WORDS)
    .sort((a, b) => b.score! - a.score!)
    .slice(0, MOST);
  // What fits nowhere else: other earnings and deductions.
  const rest = all.filter(
    ({ value }) => value.startsWith(OTHER) && !likely.some((one) => one.value === value),
  );
  const shown = [...likely, ...rest];
  return { likely: shown.length === 0 && all.length <= SHORT_LIST ? all : shown, all };
}

/** What a column of choices, or of yes and no, may be. */
function choicesOf(id: string, { mapping }: Fit, language: Language): readonly Answer[] {
  const column = [...mapping.tables.values()].flatMap((table) => table.columns.get(id) ?? [])[0];
  if (column?.kind === 'boolean') return yesOrNo(language);
  return Object.entries(column?.choices ?? {}).map(([value, also]) => ({ value, title: value, also }));
}

/** The words of one answer begin as the word does, and those of no other. */
const BEGINS_ALONE = 0.75;

function choiceAnswers({ list, word }: UnknownWord, fit: Fit, language: Language): Answer[] {
  const all = choicesOf(list!, fit, language);
  const begins = ({ title, also = [] }: Answer): boolean =>
    [title, ...also].some((one) => squash(one).startsWith(squash(word)));
  const alone = all.filter(begins).length === 1;
  return all
    .map((one) => {
      const alike = rounded(likeness(word, [one.title, ...(one.also ?? [])]));
      return { ...one, score: alone && begins(one) ? Math.max(alike, BEGINS_ALONE) : alike };
    })
    .sort((a, b) => b.score - a.score);
}

/** The question that an unknown word leaves; answers are codes of the list, or classes. */
export function wordQuestion(word: UnknownWord, fit: Fit, language: Language): Question {
  const cell = formatPlace(word.place);
  const list = listTitle(word.list ?? '', language);
  const params = { place: cell, word: word.word, count: word.count, list };
  const leave: Answer = {
    ...ignoreAnswer(language),
    title: tell(language, 'ignoreWord'),
    typed: tell(language, 'ignoreTyped'),
  };
  const samples = [{ cell, text: word.word }];
  if (word.kind === 'class') {
    const { likely, all } = classAnswers(word, fit);
    return {
      id: `class.${word.word}`,
      aliases: [word.word],
      path: ['decisions', 'classes', word.word],
      title: tell(language, 'class', params),
      samples,
      ...answersOf([...likely, leave], all),
    };
  }
  if (word.kind === 'choice') {
    // "No" is an answer to whether something is so.
    const also = leave.also?.filter((one) => !NO.includes(one)) ?? [];
    return {
      id: `choice.${word.list}.${word.word}`,
      aliases: [word.word],
      path: ['decisions', 'choices', word.list!, word.word],
      title: tell(language, 'choice', params),
      samples,
      ...answersOf([...choiceAnswers(word, fit, language), { ...leave, also }]),
    };
  }
  const found = listAnswers(word.word, word.list!, fit.mapping.synonyms.values[word.list!] ?? {});
  return {
    id: `value.${word.list}.${word.word}`,
    aliases: [word.word],
    path: ['decisions', 'values', word.list!, word.word],
    title: tell(language, 'value', params),
    samples,
    ...answersOf([...found.answers.slice(0, found.likely), leave], found.answers),
  };
}

/** A parameter that each run gives anew. */
export const EACH_RUN = 'each_run';

/** Parameters that say when, or are tables, differ from month to month. */
const LASTING: ReadonlySet<string> = new Set(['text', 'integer', 'decimal', 'boolean', 'choice']);

/** The code list that the leaf of a parameter is filled from, and the column that is written. */
export function listOfParam(
  name: string,
  { targets }: LoadedMapping,
): { list: string; column: string } | undefined {
  for (const { node, params } of targets.flatMap(({ fields }) => fields)) {
    const list = node['x-catalogue'];
    if (params.includes(name) && list !== undefined && catalogue(list) !== undefined)
      return { list, column: node['x-catalogue-column'] ?? 'id' };
  }
  return undefined;
}

/** What a parameter may be, where it is one of a code list or a choice; undefined for others. */
export function answersOfParam(
  name: string,
  mapping: LoadedMapping,
  language: Language,
): readonly Answer[] | undefined {
  const found = listOfParam(name, mapping);
  if (found !== undefined)
    return listAnswers('', found.list, mapping.synonyms.values[found.list] ?? {}).answers;
  const { choices } = typeOf(mapping.params.get(name)!.spec);
  return choices?.map(({ value, title }) => ({ value, title: title[language], also: [title.es, title.en] }));
}

/** What people call a value of a parameter; undefined where it has no name. */
export const nameOfValue = (
  name: string,
  value: unknown,
  mapping: LoadedMapping,
  language: Language,
): string | undefined =>
  mapping.params.get(name)?.spec.named?.[String(value)]?.[language] ??
  answersOfParam(name, mapping, language)?.find(
    (one) => String(paramValue(name, one.value, mapping)) === String(value),
  )?.title;

/** A value for all documents, where no column gives it. */
export function paramQuestion(name: string, { mapping }: Fit, language: Language): Question | undefined {
  const param = mapping.params.get(name)!;
  const { spec } = param;
  if (!LASTING.has(spec.type)) return undefined;
  const found = listOfParam(name, mapping);
  const all = answersOfParam(name, mapping, language) ?? (spec.type === 'boolean' ? yesOrNo(language) : []);
  const each: Answer = { value: EACH_RUN, title: tell(language, 'eachRun'), typed: 'Enter' };
  const rows = found && catalogue(found.list)!.rows;
  return {
    id: `param.${name}`,
    path: ['params', name, 'default'],
    title: tell(language, 'param', { title: titleOfParam(param)[language] }),
    samples: [],
    usual: EACH_RUN,
    ...answersOf([...(all.length <= SHORT_LIST ? all : []), each], all),
    ...(rows && {
      inMapping: (text: string) => rows.find((row) => row[found.column] === text)?.['code'] ?? text,
    }),
    ...(all.length === 0 && {
      free: (text: string) => (readParam(spec, text) === undefined ? undefined : text),
    }),
  };
}

const yesOrNo = (language: Language): Answer[] => [
  { value: 'true', title: tell(language, 'yes'), also: YES },
  { value: 'false', title: tell(language, 'no'), also: NO },
];

/** An answer as the parameter takes it: a code becomes what the leaf holds. */
export function paramValue(name: string, value: string, mapping: LoadedMapping): string | number | boolean {
  const { spec } = mapping.params.get(name)!;
  const found = listOfParam(name, mapping);
  const row = found && catalogue(found.list)!.rows.find(({ code }) => code === value);
  const text = row?.[found!.column] ?? value;
  if (spec.type === 'boolean') return text === 'true';
  return spec.type === 'integer' ? Number(text) : text;
}

/** What was said of parameters, values of code lists by their name or code too: `Bogotá` or `11001` as the `149` of the leaf. */
export function inValues(
  said: Readonly<Record<string, unknown>>,
  mapping: LoadedMapping,
  language: Language,
): Checked<Readonly<Record<string, unknown>>> {
  const issues: Issue[] = [];
  const value = Object.entries(said).map(([name, one]) => {
    const found = valueOfList(name, one, mapping, language);
    issues.push(...found.issues);
    return [name, found.value] as const;
  });
  return { value: Object.fromEntries(value), issues };
}

function valueOfList(
  name: string,
  said: unknown,
  mapping: LoadedMapping,
  language: Language,
): Checked<unknown> {
  const found = listOfParam(name, mapping);
  if (found === undefined || (typeof said !== 'string' && typeof said !== 'number'))
    return { value: said, issues: [] };
  const text = String(said);
  const { list, column } = found;
  const { rows } = catalogue(list)!;
  const param = mapping.params.get(name)!;
  const { es: about_es, en: about_en } = titleOfParam(param);
  const about = { about_es, about_en, name };
  const taken = rows.find((row) => row[column] === text);
  const coded = rows.find((row) => row !== taken && row['code'] === text);
  if (taken !== undefined) {
    if (coded === undefined) return { value: said, issues: [] };
    const both = { ...about, taken: taken['name'] ?? '', other: coded['name'] ?? '' };
    return { value: said, issues: [{ ...issueOf('param/also-a-code', 'warning', both), value: text }] };
  }
  const reading = readAnswer({ answers: answersOfParam(name, mapping, language)! }, text);
  if ('value' in reading) return { value: paramValue(name, reading.value, mapping), issues: [] };
  // A number that the list lacks is an error of each document, as in a cell.
  if (readParam(param.spec, said) !== undefined) return { value: said, issues: [] };
  const issue = issueOf('param/not-in-list', 'error', { ...about, list });
  return { issues: [{ ...issue, value: text, suggestions: suggestionsOf(reading.near) }] };
}
