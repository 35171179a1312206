import { formatPlace, type IssueCode, type Language, paramOf } from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import { firstOfEach } from '../core/remember.js';
import { columnLetter, fold, squash } from '../core/text.js';
import { NO_SCALE, type ScaleNote, scaleNotes } from '../documents/scaled-amounts.js';
import { choicesOf, titleOfParam } from '../mapping/params.js';
import { FORMAT_NAMES } from '../mapping/read/cell.js';
import { readDateText } from '../mapping/read/dates.js';
import { readNumberText } from '../mapping/read/numbers.js';
import type { CompiledColumn, CompiledTable } from '../mapping/record.js';
import { areHalves } from '../tables/fortnight.js';
import { IGNORE } from '../tables/header.js';
import { cellPlace, type Row } from '../tables/table.js';
import type { HeadedSheet, TableFit } from './assign.js';
import { type Content, saysTotal, sortedTexts, withoutTime } from './content.js';
import { type Fit, isLikely } from './fit.js';
import { pairsOf } from './homes.js';
import { cellOf, labelName } from './label-questions.js';
import { isMeant, type LabelFit, type MeantLabel } from './labels.js';
import { type Answer, answersOf, LIKELY, NO, type Question, tell, UNLIKELY, YES } from './question.js';
import { samplesOf } from './samples.js';
import type { Sheet } from './sheets.js';
import type { FormatFound, Trial } from './trial.js';
import type { Uses } from './uses.js';

/** Returns the purpose of a mapping in the user's language. */
function describe({ name, description = name }: Fit, language: Language): string {
  return typeof description === 'string' ? description : description[language];
}

/** `Fecha de acuse` may end in what a column of records would say: its last words. */
const endingsOf = (label: string): readonly string[] => {
  const words = label.split(/\s+/);
  return words.map((_, at) => words.slice(at).join(' ')).filter((text) => /\p{L}{3}/u.test(text));
};

/** Titles that are words of a column by which records are distinguished: a row for each is needed, rather than a column. */
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

/** Asks for the layout of the files if none fits clearly. */
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
  // The plainest mapping of that form says it best; where one is likely the others are not compiled for this.
  const plainest = ranked.some(isLikely)
    ? []
    : [...ranked].sort((a, b) => a.mapping.tables.size - b.mapping.tables.size);
  const [reason] = plainest.flatMap((fit) => {
    const labels = wordsAsTitles(fit, titles)?.join(', ');
    const params = { labels: labels ?? '', mapping: fit.name, about: describe(fit, language) };
    return labels === undefined ? [] : tell(language, 'whySideways', params);
  });
  return {
    id: 'layout',
    path: ['extends'],
    title: tell(language, 'layout'),
    ...(reason !== undefined && { reason }),
    samples: [],
    ...answersOf(answers.slice(0, likely), answers.slice(likely)),
  };
}

/** Min share of workers that come twice in a layout; fewer are a mistake. */
const REPEATED = 0.3;

/** Returns the first two labels in two sheets of a spread table that have the same amount of the same records. */
function amountTwice(
  labels: readonly LabelFit[],
  { mapping, uses }: Fit,
): readonly [LabelFit, LabelFit] | undefined {
  const [key] = mapping.key;
  if (key === undefined) return undefined;
  const amounts = labels.filter(({ table, means }) => {
    const column = means === undefined ? undefined : table.columns.get(means);
    return (
      table.spec.spread === true && column?.kind === 'money' && (uses.members.get(column)?.size ?? 0) > 0
    );
  });
  for (const [at, first] of amounts.entries())
    for (const other of amounts.slice(at + 1))
      if (
        other.sheet !== first.sheet &&
        other.means === first.means &&
        pairsOf(first, other, labels, key).length > 0
      )
        return [first, other];
  return undefined;
}

/** Asks whether the records of one worker are to be one document, and what amounts are that two sheets have of them. */
export function groupingQuestion(
  { distinctKeys: keys, documents, tried }: Trial,
  fit: Fit,
  labels: readonly LabelFit[],
  language: Language,
): Question | undefined {
  const { mapping } = fit;
  const spread = mapping.mains.find(({ spec }) => spec.spread);
  // Where one column does not tell documents apart, records of it are no parts of one: visits of a patient.
  if ((mapping.onePer !== 'record' && spread === undefined) || mapping.key.length > 1) return undefined;
  const repeated = spread ? (tried.issues.get('row/key-repeated')?.count ?? 0) : documents - keys;
  const twice = spread && amountTwice(labels, fit);
  if (keys === 0 || (repeated / keys < REPEATED && twice === undefined)) return undefined;
  const sheets = twice?.map(({ sheet }) => sheet.name);
  return {
    id: 'one_per',
    path: spread ? ['tables', spread.id, 'spread'] : ['one_per', 'key'],
    title:
      twice && sheets
        ? tell(language, 'amountTwice', { label: labelName(twice[0]), sheets: sheets.join(', ') })
        : tell(language, 'grouping', { repeated, documents: keys }),
    samples: twice?.flatMap((label) => samplesOf(label, fit.uses).slice(0, 1)) ?? [],
    ...answersOf([
      {
        value: spread ? 'records' : mapping.key[0],
        title: tell(language, twice ? 'amountsAdded' : 'merge'),
        score: sheets && areHalves(sheets) ? LIKELY : UNLIKELY,
        also: [...YES, 'merge'],
      },
      { value: IGNORE, title: tell(language, twice ? 'amountOnce' : 'noMerge'), also: NO },
    ]),
  };
}

type Format = 'decimal' | 'date';

const STYLES = { decimal: ['comma', 'dot'], date: ['dmy', 'mdy'] } as const;
type Style = (typeof STYLES)[Format][number];

const numberIn = (text: string, style: 'comma' | 'dot'): string | undefined => {
  const reading = readNumberText(text, style);
  return reading.kind === 'number' ? reading.decimal : undefined;
};
const dateIn = (text: string, order: 'dmy' | 'mdy'): string | undefined => {
  const reading = readDateText(withoutTime(text), order);
  return reading.kind === 'date' ? reading.date : undefined;
};
const READ: Readonly<Record<Style, (text: string) => string | undefined>> = {
  comma: (text) => numberIn(text, 'comma'),
  dot: (text) => numberIn(text, 'dot'),
  dmy: (text) => dateIn(text, 'dmy'),
  mdy: (text) => dateIn(text, 'mdy'),
};

/** Words for a style. */
const ALSO: Readonly<Record<Style, readonly string[]>> = {
  comma: ['coma'],
  dot: ['punto'],
  dmy: ['día/mes/año', 'día/mes', 'dd/mm/aaaa', 'day first'],
  mdy: ['mes/día/año', 'mes/día', 'mm/dd/aaaa', 'month first'],
};

/** Returns the only style that reads what a person types, or that reads a cell as that; undefined if both or none do. */
function styleTyped(styles: readonly Style[], cell: string, typed: string): Style | undefined {
  const reading = styles.filter((style) => READ[style](typed) !== undefined);
  const same = styles.filter((style) => READ[style](cell) === typed);
  return [reading, same].find(({ length }) => length === 1)?.[0];
}

/** Asks how amounts and dates are written if no cell shows it; of the table if none of its columns does. */
export function formatQuestions(trial: Trial, language: Language): readonly Question[] {
  const questions: Question[] = [];
  const kindOf = ({ column }: Pick<FormatFound, 'column'>): Format =>
    column.type === 'decimal' ? 'decimal' : 'date';
  const open = trial.formats.flatMap(({ verdict: { by, ambiguous }, ...found }) =>
    by === 'undecided' && ambiguous !== undefined ? [{ ...found, ambiguous }] : [],
  );
  const tables = new Set(open.map(({ table }) => table));
  for (const found of open) {
    const kind = kindOf(found);
    const siblings = trial.formats.filter(
      (format) => format.table === found.table && kindOf(format) === kind,
    );
    const isSharedStyle = siblings.every(
      ({ verdict }) => verdict.style === undefined || verdict.by === 'declared',
    );
    const path = isSharedStyle
      ? ['tables', found.table, 'formats', kind]
      : ['tables', found.table, 'columns', found.column.id, 'formats', kind];
    const id = isSharedStyle
      ? tables.size > 1
        ? `${found.table}.${kind}`
        : kind
      : `${found.table}.${found.column.id}.${kind}`;
    if (questions.some((question) => question.id === id)) continue;
    const { row, index, text } = found.ambiguous;
    const place = formatPlace(
      cellPlace({ file: found.file, sheet: found.sheet, async *batches() {} }, row, index),
    );
    questions.push({
      id,
      path,
      title: tell(language, kind, { place, text }),
      samples: [{ cell: place, text }],
      ...answersOf(
        [
          ...STYLES[kind].map((value) => ({
            value,
            title: tell(language, 'readAs', { value: READ[value](text) ?? text }),
            also: ALSO[value],
          })),
          { value: IGNORE, title: tell(language, 'formatIgnore') },
        ],
        kind === 'date' ? [{ value: 'ymd', title: FORMAT_NAMES.ymd }] : [],
      ),
      reads: (typed) => styleTyped(STYLES[kind], text, typed),
    });
  }
  return questions;
}

/** Asks whether hours without a. m. and p. m. are of 24 if no cell of a table shows it. */
export function clockQuestions({ clocks }: Trial, language: Language): readonly Question[] {
  const first = firstOfEach(clocks, ({ table }) => table);
  return first.map(({ table, file, sheet, ambiguous: { row, index, text } }) => {
    const place = formatPlace(cellPlace({ file, sheet, async *batches() {} }, row, index));
    return {
      id: first.length > 1 ? `${table}.time` : 'time',
      path: ['tables', table, 'formats', 'time'],
      title: tell(language, 'clock', { place, text }),
      samples: [{ cell: place, text }],
      ...answersOf([
        { value: '24h', title: tell(language, 'clock24') },
        { value: 'afternoon', title: tell(language, 'clockAfternoon') },
        { value: IGNORE, title: tell(language, 'formatIgnore') },
      ]),
    };
  });
}

/** Asks which of several lists a column uses if its values do not show it, once for each parameter that says so. */
export function listQuestions({ issues }: Trial, { mapping }: Fit, language: Language): readonly Question[] {
  const questions = new Map<string, Question>();
  for (const issue of issues) {
    const { code, place, value = '' } = issue;
    const param = mapping.params.get(String(paramOf(issue, 'param') ?? ''));
    if (!LIST_CODES.has(code) || param === undefined || questions.has(param.name)) continue;
    const at = formatPlace(place);
    questions.set(param.name, {
      id: param.name,
      path: ['params', param.name, 'default'],
      title: tell(language, 'whichList', { place: at, text: value, about: titleOfParam(param)[language] }),
      samples: [{ cell: at, text: value }],
      ...answersOf(
        choicesOf(param.spec).map(({ value: choice, title }) => ({ value: choice, title: title[language] })),
      ),
    });
  }
  return [...questions.values()];
}

const LIST_CODES: ReadonlySet<IssueCode> = new Set(['lookup/contradiction', 'lookup/which-list']);

const hasWord = (text: string, word: string): number => fold(text).indexOf(word);

/** The order that a label itself names: `Apellidos y nombres`. */
function orderInLabel(label: string): 'surnames_first' | 'names_first' | undefined {
  const [surnames, names] = [hasWord(label, 'apell'), hasWord(label, 'nomb')];
  if (surnames < 0 || names < 0) return undefined;
  return surnames < names ? 'surnames_first' : 'names_first';
}

/** Asks what comes first in full names if there are no other names. */
export function nameOrderQuestion(
  labels: readonly LabelFit[],
  { uses }: Fit,
  language: Language,
): { question: Question; said?: string } | undefined {
  const meant = new Set(
    labels.flatMap(({ table, means }) => (means === undefined ? [] : (table.columns.get(means) ?? []))),
  );
  const use = uses.names.find(
    ({ column, instead }) => meant.has(column) && !instead.some((item) => meant.has(item)),
  );
  const fit = labels.find(
    ({ table, means }) => use !== undefined && means !== undefined && table.columns.get(means) === use.column,
  );
  // A comma says where the surnames end.
  if (use === undefined || fit === undefined || fit.content.filled.every(({ text }) => text.includes(',')))
    return undefined;
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

/** True if deductions seem to be negative: most amounts of their column, some of a list of all. */
function mayBeNegative({ columns }: CompiledTable, id: string, { negatives, filled }: Content): boolean {
  const { kind, sign } = columns.get(id) ?? {};
  const hasOwn = [...columns.values()].some((column) => column.sign === SIGN);
  const amounts = filled.filter(({ amount = 0 }) => amount !== 0).length;
  // A few of them are reversals.
  return hasOwn
    ? sign === SIGN && negatives * 2 > amounts
    : kind === 'money' && negatives > 0 && negatives / filled.length >= NEGATIVE_SHARE;
}

/** Asks whether deductions are written as negative amounts if a list holds some. */
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

/** A note of scale, and the label of the column that it is of; undefined if it is of the table. */
interface Noted extends ScaleNote {
  readonly sheet: Sheet;
  readonly of: string | undefined;
}

/** Finds what the sheets of a table say of the scale of its amounts, by header. */
function notedIn(money: readonly LabelFit[]): readonly (readonly Noted[])[] {
  return firstOfEach(money, ({ header }) => header).map(({ header, sheet }) => {
    const amounts = money.filter((fit) => fit.header === header);
    const begins = header.data[0]?.number ?? Number.POSITIVE_INFINITY;
    const above = sheet.rows.filter(({ number }) => number < begins);
    const indexes = amounts.map(({ column }) => column);
    return scaleNotes(header, above, indexes).flatMap((note): Noted[] => {
      if (note.isOf === 'table') return [{ ...note, sheet, of: undefined }];
      const named = amounts.filter(({ column }) => note.isOf === 'column' && column === note.amounts[0]);
      return named.map(({ means }) => ({ ...note, sheet, of: means }));
    });
  });
}

/**
 * Whether amounts are thousands or millions, where what stands above them says so. Asked of the table, or of a column with a note in
 * its title, only where all sheets that have it say the same: of others the header's own issue tells.
 */
export function scaleQuestions(
  labels: readonly LabelFit[],
  { uses }: Fit,
  language: Language,
): readonly Question[] {
  const money = labels.filter(({ table, means }) => table.columns.get(means ?? '')?.kind === 'money');
  return [...new Set(money.map(({ table }) => table))].flatMap((table) => {
    const amounts = money.filter((fit) => fit.table === table);
    const sheets = notedIn(amounts);
    return firstOfEach(sheets.flat(), ({ of }) => of).flatMap((first): Question[] => {
      const { of, sheet, row, column, text, scale } = first;
      const said = sheets.flatMap((notes) => notes.find((note) => note.of === of) ?? []);
      const having = amounts.filter(({ means }) => of === undefined || means === of);
      const isOfAll = said.length === new Set(having.map(({ header }) => header)).size;
      if (!isOfAll || said.some((item) => item.scale !== scale)) return [];
      const place = `${sheet.name}!${columnLetter(column)}${row.number}`;
      return [
        {
          id: [table.id, ...(of === undefined ? [] : [of]), 'scale'].join('.'),
          path: ['tables', table.id, ...(of === undefined ? [] : ['columns', of]), 'formats', 'scale'],
          title: tell(language, of === undefined ? 'scale' : 'scaleColumn', { place, text }),
          samples: having.slice(0, 1).flatMap((fit) => samplesOf(fit, uses)),
          ...answersOf([
            { value: String(scale), title: tell(language, 'scaled', { scale }), also: YES },
            { value: String(NO_SCALE), title: tell(language, 'unscaled'), also: NO },
          ]),
        },
      ];
    });
  });
}

const DATES = 'record_dates';
/** Columns with the dates of a record, and the min share of records whose month is not that of most. */
const DATED = ['period_start', 'period_end'];
const OTHER_MONTHS = 0.2;

function monthOf(text = ''): string | undefined {
  const found = readDateText(withoutTime(text), 'dmy');
  return found.kind === 'date' ? found.date.slice(0, 7) : undefined;
}

/** Asks whether the dates of records are those of their period if a list has several months. */
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
  const counts = [...new Set(months)].map(
    (month) => months.filter((otherMonth) => otherMonth === month).length,
  );
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

/** Min share of the records with other cells that leave the columns of a block blank. */
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
): readonly MeantLabel[] {
  const inTable = labels.filter((label) => label.sheet === sheet && label.table === table);
  const meant = inTable.filter(isMeant);
  const who = meant.find(({ means }) => means === key?.id);
  if (who === undefined) return [];
  const textIn = ({ texts }: Row, { column }: LabelFit): string => squash(texts[column] ?? '');
  const rows = sheet.rows.filter(
    (row) =>
      row.number > header.row.number &&
      !row.texts.some((text) => text !== undefined && saysTotal(text)) &&
      inTable.filter((item) => textIn(row, item) !== '').length > 1,
  );
  const filled = rows.filter((row) => textIn(row, who) !== '');
  const blank = rows.filter((row) => textIn(row, who) === '');
  const [first, second] = filled;
  const keys = filled.map((row) => textIn(row, who));
  const isTwice = keys.some((text, at) => text === keys[at - 1]);
  if (isTwice || !first || !second || blank.length < rows.length * BELOW) return [];
  const isText = ({ means }: MeantLabel): boolean => table.columns.get(means)?.type === 'text';
  const names = new Set([...table.columns].flatMap(([id, column]) => (personal.has(column) ? [id] : [])));
  const isName = ({ means }: MeantLabel): boolean => names.has(means);
  const isSaidOnce = (fit: LabelFit): boolean =>
    filled.some((row) => textIn(row, fit) !== '') && blank.every((row) => textIn(row, fit) === '');
  const others = meant.filter((item) => item !== who && isText(item) && (isName(item) || isSaidOnce(item)));
  const isUnread = ({ means, content }: LabelFit): boolean => means === undefined && content.wordy;
  if (!others.some(isName) && inTable.some((item) => isUnread(item) && textIn(first, item) !== '')) return [];
  return [who, ...others];
}

/** A question, and what of a mapping its answer sets. */
interface Setting {
  readonly question: Question;
  readonly value: JsonValue;
}

/** Asks whether rows without a key belong to the person of the row above. */
export function fillDownQuestions(
  labels: readonly LabelFit[],
  { mapping, tables, uses }: Fit,
  language: Language,
): readonly Setting[] {
  const asked = new Map<string, Setting>();
  for (const otherTable of tables) {
    const { table } = otherTable;
    const { columns = [], param } = table.fillDown ?? {};
    // The mapping says it already.
    if (
      table.fillDown !== undefined &&
      (param === undefined || mapping.spec.params?.[param]?.default === true)
    )
      continue;
    const isGrouped = mapping.onePer === 'key' && mapping.mains.includes(table);
    const key = isGrouped ? table.columns.get(mapping.key[0]) : table.join?.keys[0]?.columns[0];
    const found = saidOnce(
      otherTable,
      columns.find(({ kind }) => kind === 'identifier') ?? key,
      labels,
      uses,
    );
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
    const value = param === undefined ? { columns: found.map(({ means }) => means) } : true;
    asked.set(id, { question, value });
  }
  return [...asked.values()];
}
