import type { Language } from '../core/issue.js';
import { firstOfEach } from '../core/remember.js';
import { required, unreachable } from '../core/required.js';
import { fold, isWild } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledTable, isFlat } from '../mapping/record.js';
import { areHalves } from '../tables/fortnight.js';
import { IGNORE } from '../tables/header.js';
import { type HeadedSheet, isSameHeader, type OpenSheet, type TableFit, withSheetIds } from './assign.js';
import { type Fit, reviewLabelFits } from './fit.js';
import { answersFor, ignoreAnswer } from './label-questions.js';
import { fitLabels } from './labels.js';
import {
  type Answer,
  type Answering,
  answersOf,
  LIKELY,
  type Question,
  rounded,
  tell,
  UNLIKELY,
  YES,
} from './question.js';
import { firstOf, type Sheet, sheetPattern } from './sheets.js';

/** Labels by which a sheet is known again. */
const MOST_SHOWN = 6;
/** Every sheet of a table that comes more than once, by `*`. */
const ALL_SHEETS = '*';

/** A table as people name it: the sheet that it is by default. */
const namesOf = ({ spec }: CompiledTable): readonly string[] => [spec.sheet ?? spec.file ?? []].flat();

/** Returns the name of a table: the first sheet or file name that its mapping expects. */
export const tableTitle = (table: CompiledTable): string | undefined =>
  namesOf(table).find((name) => !isWild(name));

/** Offers a table by its name, else by the columns without which it is none. */
function tableAnswer(table: CompiledTable, fit: Fit, language: Language): Answer {
  const { id, spec } = table;
  const names = namesOf(table);
  const fields = answersFor(table, fit, language);
  const labels = (spec.header?.must_have ?? []).flatMap(
    (must) => fields.find(({ value }) => value === must)?.title ?? [],
  );
  const title = tableTitle(table) ?? tell(language, 'tableWith', { labels: labels.join(', ') });
  return { value: id, title, also: names.length === 0 ? [id] : names };
}

/** Asks what a sheet holds if its name does not say it. */
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
  const tables = topTables(fit.mapping);
  return {
    id: `sheet.${sheet.name}`,
    aliases: [sheet.name],
    path: ['tables', at, flat ? 'file' : 'sheet'],
    title: tell(language, 'sheet', { sheet: sheet.name, labels }),
    samples: [],
    ...answersOf(
      [
        ...candidates.map(
          ({ table, score }): Answer => ({ ...tableAnswer(table, fit, language), score: rounded(score) }),
        ),
        ignoreAnswer(language),
      ],
      tables.filter((table) => !flat || isFlat(table)).map((table) => tableAnswer(table, fit, language)),
    ),
  };
}

/** Returns the id of the question for the header of a sheet. */
export const headerId = ({ title }: Sheet): string => `header.${title}`;

/** Asks which row of a sheet is its header; never open, but an answer is heard. */
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
    // Any other row that was read may be named by its number.
    free: (text) => (sheet.rows.some(({ number }) => String(number) === text) ? text : undefined),
  };
}

/** Asks which of several sheets with one header are read: all, as fortnights, or one. */
function sheetsQuestion(fits: readonly TableFit[], language: Language): Question | undefined {
  const [first] = fits;
  if (first === undefined) return undefined;
  const alike = fits.filter(
    ({ sheet, header }) => sheet.input === first.sheet.input && isSameHeader(header, first.header),
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
    id: `${first.table.id}.sheet`,
    path: ['tables', first.table.id, 'sheet'],
    title: tell(language, 'sheetsAlike', { sheets }),
    samples: [],
    // Two months have the same records, and one of them is meant; earnings and deductions, or branches, have none in common.
    ...answersOf(isHalves || haveNoneInCommon(alike) ? [all, ...single] : [...single, all]),
  };
}

/** True if sheets have no record in common, by all columns that the header of their table must have. */
function haveNoneInCommon(fits: readonly TableFit[]): boolean {
  const sheets = fits.map(({ table, labels }) => {
    const records = new Map<number, string>();
    for (const id of table.spec.header?.must_have ?? [])
      for (const { row, text } of labels.find(({ means }) => means === id)?.content.filled ?? [])
        records.set(row, `${records.get(row) ?? ''}\n${fold(text)}`);
    return new Set(records.values());
  });
  const count = sheets.reduce((sum, { size }) => sum + size, 0);
  return count > 0 && new Set(sheets.flatMap((records) => [...records])).size === count;
}

/** A sheet with amounts that nothing reads: a person says which table it is, or that it stays out. */
export function unreadQuestion({ sheet, header }: HeadedSheet, fit: Fit, language: Language): Question {
  const leave = ignoreAnswer(language);
  const tables = header === undefined ? [] : topTables(fit.mapping).filter((table) => !isFlat(table));
  return {
    id: `unread.${sheetPattern(sheet)}`,
    aliases: [`unread.${sheet.name}`],
    path: ['ignore_sheets'],
    title: tell(language, 'unreadSheet', { sheet: sheet.name }),
    samples: [],
    ...answersOf([
      { ...leave, also: [...(leave.also ?? []), ...YES] },
      ...tables.map((table) => tableAnswer(table, fit, language)),
    ]),
  };
}

/** Tables that a sheet may hold: no parameters, nor parts of another. */
const topTables = ({ tables }: LoadedMapping): readonly CompiledTable[] =>
  [...tables.values()].filter(({ parent, spec }) => parent === undefined && spec.param === undefined);

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
  const [first = unreachable('candidate')] = tables;
  return (tables.find(({ id }) => !taken.has(id)) ?? first).id;
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
  const place = ({ sheet, header }: Pick<OpenSheet, 'sheet' | 'header'>, value: string): void => {
    const table = fit.mapping.tables.get(value);
    if (table === undefined) return;
    placed.push({ table, sheet, header, labels: [], named: 0 });
    const names = placed.filter((other) => other.table === table).map((other) => other.sheet.name);
    if (names.length > 1) sheets.set(table.id, names);
  };
  for (const item of fit.open) {
    const at = askedAt(item, fit, taken);
    const question = sheetQuestion(item, at, fit, language);
    const value = answering.answerTo(question);
    if (value === undefined) {
      taken.add(at);
      still.push(item);
      open.push(question);
      continue;
    }
    kept.set(question.id, value);
    place(item, value);
  }
  for (const { sheet, header } of fit.unused) {
    if (header === undefined) continue;
    const question = unreadQuestion({ sheet, header }, fit, language);
    const value = answering.answerTo(question);
    if (value === undefined || value === IGNORE) continue;
    kept.set(question.id, value);
    place({ sheet, header }, value);
  }
  return { tables: placed, still };
}

/** Returns the sheets to be read where several are one table. */
function chooseAlike({ language, answering, tables, open, kept, sheets }: Placing): readonly TableFit[] {
  let read = tables;
  for (const { table, header, sheet: first } of firstOfEach(tables, (fit) => fit.table)) {
    const fits = tables.filter((otherTable) => otherTable.table === table);
    const areUnlike = fits.some((fit) => !isSameHeader(fit.header, header));
    if (areUnlike && !table.spec.spread && !isFlat(table) && !sheets.has(table.id))
      sheets.set(
        table.id,
        fits.map(({ sheet }) => sheetPattern(sheet)),
      );
    const question = sheets.has(table.id) ? undefined : sheetsQuestion(fits, language);
    const value = question && answering.answerTo(question);
    if (question === undefined) continue;
    if (value === undefined) {
      open.push(question);
      continue;
    }
    kept.set(question.id, value);
    const all = question.answers.map((answer) => answer.value).filter((name) => name !== ALL_SHEETS);
    const names = value === ALL_SHEETS ? all : [value];
    sheets.set(table.id, names);
    read = read.filter(
      ({ table: of, sheet }) => of !== table || names.includes(sheet.name) || sheet.input !== first.input,
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
  const read = withSheetIds(
    sheets.map(({ sheet, header, named, table: { id } }) => {
      const table = required(mapping.tables, id);
      return { table, sheet, header, named, labels: fitLabels(table, sheet, header, uses) };
    }),
  );
  const labels = reviewLabelFits(
    mapping,
    uses,
    read.flatMap((item) => item.labels),
  );
  const tables = read.map((item) => ({
    ...item,
    labels: labels.filter(({ sheet, table }) => sheet === item.sheet && table === item.table),
  }));
  return { ...fit, tables, labels };
}
