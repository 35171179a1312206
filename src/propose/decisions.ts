import { formatPlace, type Issue, type IssueCode, type Language, paramOf } from '../core/issue.js';
import { fold, similarity, squash } from '../core/text.js';
import { readDateText, readNumberText } from '../mapping/read/cell.js';
import { type CatalogueRow, catalogue } from '../schema/catalogue.js';
import { scoreLabel } from '../tables/label-score.js';
import { cellPlace } from '../tables/table.js';
import { fortnightOf } from './content.js';
import { type Fit, withDoubts } from './fit.js';
import { fitLabels, IGNORE, isSameHeader, type LabelFit, type OpenSheet, type TableFit } from './labels.js';
import { type Answering, type Choice, type ChoiceCandidate, cellOf, labelName, tell } from './questions.js';
import { abbreviations } from './sheets.js';
import type { FormatFound, Trial } from './trial.js';

/** Every sheet of a table that comes more than once, by `*`. */
const ALL_SHEETS = '*';
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
function sheetChoice(
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
function sheetsChoice(fits: readonly TableFit[], language: Language): Choice | undefined {
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

const READ: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>> = {
  decimal: (text) => readNumberText(text) as unknown as Record<string, unknown>,
  date: (text) => readDateText(text) as unknown as Record<string, unknown>,
};
const STYLES = { decimal: ['comma', 'dot'], date: ['dmy', 'mdy'] } as const;

/** How amounts and dates are written, where no cell shows it. Of the table, when none of its columns does. */
export function formatChoices(trial: Trial, language: Language): readonly Choice[] {
  const choices: Choice[] = [];
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
    if (choices.some((one) => one.id === id)) continue;
    const { row, index, text } = found.verdict.ambiguous!;
    const place = formatPlace(
      cellPlace({ file: found.file, sheet: found.sheet, async *batches() {} }, row, index),
    );
    const reading = READ[kind]!(text);
    choices.push({
      id,
      path,
      question: tell(language, kind, { place, text }),
      candidates: [
        ...STYLES[kind].map((value) => ({
          value,
          about: tell(language, 'readAs', { value: String(reading[value] ?? text) }),
        })),
        { value: IGNORE, about: tell(language, 'formatIgnore') },
      ],
      others: kind === 'date' ? ['ymd'] : [],
    });
  }
  return choices;
}

const hasWord = (text: string, word: string): number => fold(text).indexOf(word);

/** The order that a label itself names: `Apellidos y nombres`. */
function orderInLabel(label: string): 'surnames_first' | 'names_first' | undefined {
  const [surnames, names] = [hasWord(label, 'apell'), hasWord(label, 'nomb')];
  if (surnames < 0 || names < 0) return undefined;
  return surnames < names ? 'surnames_first' : 'names_first';
}

/** What comes first in full names, when they are all there is. */
export function nameOrderChoice(
  labels: readonly LabelFit[],
  { uses }: Fit,
  language: Language,
): { choice: Choice; said?: string } | undefined {
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
  const choice: Choice = {
    id: use.param,
    path: ['params', use.param, 'default'],
    question: tell(language, 'nameOrder', { place: cellOf(fit), label: labelName(fit) }),
    candidates: (['surnames_first', 'names_first'] as const).map((value) => ({
      value,
      about: tell(language, value),
    })),
  };
  return { choice, ...(said && { said }) };
}

const SIGN = 'deduction_sign';
const NEGATIVE_SHARE = 0.1;

/** Whether deductions are written as negative amounts, when a list holds some. */
export function signChoice(
  labels: readonly LabelFit[],
  { mapping }: Fit,
  language: Language,
): Choice | undefined {
  const param = mapping.params.get(SIGN);
  if (param === undefined) return undefined;
  const fit = labels.find(
    ({ means, table, content }) =>
      means !== undefined &&
      table.columns.get(means)?.kind === 'money' &&
      content.negatives > 0 &&
      content.negatives / content.filled.length >= NEGATIVE_SHARE,
  );
  if (fit === undefined) return undefined;
  return {
    id: SIGN,
    path: ['params', SIGN, 'default'],
    question: tell(language, 'sign', { place: cellOf(fit), label: labelName(fit) }),
    candidates: (['negative', 'positive'] as const).map((value) => ({ value, about: tell(language, value) })),
  };
}

/** A fit whose sheets are where they were answered to be. */
export interface Placed {
  readonly fit: Fit;
  readonly open: readonly Choice[];
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
  readonly open: Choice[];
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
    const choice = sheetChoice(one, at, fit, language);
    const value = answering.answerTo(choice);
    if (value === undefined) {
      taken.add(at);
      still.push(one);
      open.push(choice);
      continue;
    }
    kept.set(choice.id, value);
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
    const choice = own.length > 1 && !sheets.has(table.id) ? sheetsChoice(own, language) : undefined;
    const value = choice && answering.answerTo(choice);
    if (choice === undefined) continue;
    if (value === undefined) {
      open.push(choice);
      continue;
    }
    kept.set(choice.id, value);
    const all = choice.candidates.map((one) => one.value).filter((name) => name !== ALL_SHEETS);
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
  const open: Choice[] = [];
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

/** A word that a code list, or the classes of concepts, do not know. */
export interface UnknownWord {
  readonly kind: 'value' | 'class';
  /** Code list; undefined for classes. */
  readonly list?: string;
  readonly word: string;
  readonly count: number;
  readonly place: Issue['place'];
}

const CODES: Readonly<Partial<Record<IssueCode, UnknownWord['kind']>>> = {
  'lookup/unknown': 'value',
  'lookup/ambiguous': 'value',
  'class/unknown': 'class',
  'class/ambiguous': 'class',
};
const OTHER = 'other_';
const MOST = 4;
const ALIKE_WORDS = 0.4;
const SHORT_LIST = 12;
/** A name that begins with the word as written. */
const BEGINS = 0.85;

/** The words that reading to the end has not understood, each once. */
export function unknownWords({ issues }: Trial, { uses }: Fit): readonly UnknownWord[] {
  const found = new Map<string, UnknownWord>();
  for (const issue of issues) {
    const { code, value, place } = issue;
    const kind = CODES[code];
    if (kind === undefined || value === undefined) continue;
    const pointer = place.pointer?.replace(/\/\d+(?=\/|$)/g, '/*') ?? '';
    const list =
      kind === 'value'
        ? String(paramOf(issue, 'catalogue') ?? uses.catalogues.get(pointer) ?? '')
        : undefined;
    if (list === '') continue;
    const key = `${list}\n${squash(value)}`;
    const known = found.get(key);
    found.set(
      key,
      known
        ? { ...known, count: known.count + 1 }
        : { kind, ...(list && { list }), word: value, count: 1, place },
    );
  }
  return [...found.values()];
}

function likeness(word: string, names: readonly string[]): number {
  const bare = squash(word);
  return Math.max(
    0,
    ...names.map((name) => {
      const other = squash(name);
      const begins = bare.length >= 3 && (other.startsWith(bare) || bare.startsWith(other));
      return Math.max(similarity(word, name), begins && other.length >= 3 ? BEGINS : 0);
    }),
  );
}

const nameOf = (row: CatalogueRow): string => [row['name'], row['department']].filter(Boolean).join(', ');

function valueCandidates({ list, word }: UnknownWord, fit: Fit): ChoiceCandidate[] {
  const rows = catalogue(list!)?.rows ?? [];
  const words = fit.mapping.synonyms.values[list!] ?? {};
  const scored = rows.map((row) => ({
    value: row['code'] ?? '',
    score: rounded(likeness(word, [row['name'] ?? '', ...(words[row['code'] ?? ''] ?? [])])),
    about: nameOf(row),
  }));
  const like = scored.filter(({ score }) => score >= ALIKE_WORDS).sort((a, b) => b.score - a.score);
  // Equal names (Armenia) are no default: the department is not known.
  const tied = like.length > 1 && like[0]!.score === like[1]!.score;
  const shown = (tied ? like.map((one) => ({ ...one, score: Math.min(one.score, 0.5) })) : like).slice(
    0,
    MOST,
  );
  return shown.length === 0 && rows.length <= SHORT_LIST ? scored : shown;
}

/** The classes that the mapping sorts words into, with their patterns without wildcards. */
const classesOf = ({ mapping }: Fit): (readonly [name: string, titles: readonly string[]])[] =>
  [...mapping.tables.values()].flatMap(({ computed }) =>
    computed.flatMap(({ sorts }) =>
      Object.entries(sorts?.classes ?? {}).map(([name, spec]) => {
        const titles = (Array.isArray(spec) ? spec : spec.like).map((text) =>
          text.replace(/\*+$/, '').trim(),
        );
        return [name, titles.filter((text) => text !== '' && !/[?*]/.test(text))] as const;
      }),
    ),
  );

function classCandidates({ word }: UnknownWord, fit: Fit): { shown: ChoiceCandidate[]; all: string[] } {
  const classes = classesOf(fit);
  const scored = classes.map(([name, titles]) => ({
    value: name,
    score: scoreLabel(word, undefined, { id: name, titles }, abbreviations()),
    about: titles[0] ?? name,
  }));
  const likely = scored
    .filter(({ score }) => score >= ALIKE_WORDS)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
  // What fits nowhere else: other earnings and deductions.
  const rest = scored.filter(
    ({ value }) => value.startsWith(OTHER) && !likely.some((one) => one.value === value),
  );
  return { shown: [...likely, ...rest], all: classes.map(([name]) => name) };
}

/** The question that an unknown word leaves; answers are codes of the list, or classes. */
export function wordChoice(word: UnknownWord, fit: Fit, language: Language): Choice {
  const params = {
    place: formatPlace(word.place),
    word: word.word,
    count: word.count,
    list: word.list ?? '',
  };
  const ignore: ChoiceCandidate = { value: IGNORE, about: tell(language, 'ignoreWord') };
  if (word.kind === 'class') {
    const { shown, all } = classCandidates(word, fit);
    return {
      id: `class.${word.word}`,
      path: ['decisions', 'classes', word.word],
      question: tell(language, 'class', params),
      candidates: [...shown, ignore],
      others: all,
    };
  }
  return {
    id: `value.${word.list}.${word.word}`,
    path: ['decisions', 'values', word.list!, word.word],
    question: tell(language, 'value', params),
    candidates: [...valueCandidates(word, fit), ignore],
    others: (catalogue(word.list!)?.rows ?? []).map((row) => row['code'] ?? ''),
  };
}
