import type { DataValidation, Style, Workbook, Worksheet } from 'exceljs';
import type {
  TemplateColumn,
  TemplateKind,
  TemplateNeed,
  TemplatePlan,
  TemplateSheet,
} from '../document/template-plan.js';
import type { Language } from '../issues/issue.js';
import { columnLetter } from '../values/a1.js';
import { templateText } from './template-texts.js';

/** Rows that are made ready to be filled. */
export const READY_ROWS = 500;
/** What the box of a note shows without being dragged larger. */
const NOTE_LETTERS = 110;
/** What Excel takes in the hint of a cell. */
const HINT_LETTERS = 255;
const WIDEST = 34;
/** More columns than this cannot be read when they are shrunk to a page. */
const PAGE_COLUMNS = 14;

const FONT = { name: 'Calibri', size: 11 } as const;

/** Colours of headers by how much their column is needed. */
const TONES = {
  always: { fill: 'FF1F3A5F', font: 'FFFFFFFF' },
  unless: { fill: 'FF6D8DB3', font: 'FFFFFFFF' },
  optional: { fill: 'FFDCE6F1', font: 'FF1F3A5F' },
} as const;

export type Tone = keyof typeof TONES;

export const toneOf = (need: TemplateNeed): Tone => (typeof need === 'string' ? need : 'unless');

/** A fresh style each time: exceljs may write into those that it is given. */
export const headerStyle = (tone: Tone): Partial<Style> => ({
  font: { ...FONT, bold: true, color: { argb: TONES[tone].font } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: TONES[tone].fill } },
  alignment: { vertical: 'middle', wrapText: true },
  border: { right: { style: 'thin', color: { argb: 'FFFFFFFF' } } },
});

/** Text format keeps the zeros of `0123` and `=1+1` as it is typed. */
const FORMATS: Readonly<Record<TemplateKind, string>> = {
  text: '@',
  integer: '0',
  decimal: 'General',
  money: '#,##0.00',
  date: 'dd/mm/yyyy',
  datetime: 'dd/mm/yyyy hh:mm',
  time: 'hh:mm',
};

const WIDTHS: Readonly<Record<TemplateKind, number>> = {
  text: 20,
  integer: 12,
  decimal: 12,
  money: 17,
  date: 14,
  datetime: 18,
  time: 10,
};

const cut = (text: string, letters: number): string =>
  text.length <= letters ? text : `${text.slice(0, letters - 1).trimEnd()}…`;

const needText = (need: TemplateNeed, language: Language): string =>
  typeof need === 'string'
    ? templateText(language, need)
    : templateText(language, 'unless', { param: need.unless });

/** What a column is, whether it is needed and what may be written, as far as a note has room. */
function noteOf({ about, need, list }: TemplateColumn, plan: TemplatePlan, language: Language): string {
  const said = [about[language], needText(need, language)].filter(Boolean).join('. ');
  if (list === undefined) return cut(`${said}.`, NOTE_LETTERS);
  const words = templateText(language, 'list', { words: plan.lists.get(list)!.join(', ') });
  const whole = `${said}. ${words}.`;
  return whole.length <= NOTE_LETTERS
    ? whole
    : cut(`${said}. ${templateText(language, 'choose')}.`, NOTE_LETTERS);
}

/** Where the words of each list stand, as a formula: `'Listas'!$B$1:$M$1`. */
export type ListPlaces = ReadonlyMap<string, string>;

export function listPlaces({ lists }: TemplatePlan, sheet: string): ListPlaces {
  let at = 0;
  return new Map(
    [...lists].map(([name, { length }]) => {
      const place = `'${sheet}'!$${columnLetter(at)}$1:$${columnLetter(at + length - 1)}$1`;
      at += length;
      return [name, place];
    }),
  );
}

/** A hidden sheet with the lists one after the other, in one row: so that no reader takes it for a table. */
export function addLists(book: Workbook, { lists }: TemplatePlan, name: string): void {
  const row = book.addWorksheet(name, { state: 'hidden' }).getRow(1);
  for (const [index, word] of [...lists.values()].flat().entries()) {
    row.getCell(index + 1).value = word;
    row.getCell(index + 1).numFmt = FORMATS.text;
  }
}

/** Words from a list; another word is questioned, not refused, as the mapping knows synonyms. */
function validationOf(
  { about, list }: TemplateColumn,
  plan: TemplatePlan,
  places: ListPlaces,
  language: Language,
): DataValidation {
  const words = plan.lists.get(list!)!.join(', ');
  const prompt = [about[language], templateText(language, 'list', { words })].filter(Boolean).join('. ');
  return {
    type: 'list',
    allowBlank: true,
    formulae: [places.get(list!)!],
    showInputMessage: true,
    prompt: cut(prompt, HINT_LETTERS),
    showErrorMessage: true,
    errorStyle: 'warning',
    errorTitle: templateText(language, 'unknownTitle'),
    error: templateText(language, 'unknown'),
  };
}

/** exceljs takes whole ranges, though its types do not say so. */
const validationsOf = (sheet: Worksheet): { add(range: string, validation: DataValidation): void } =>
  (sheet as unknown as { dataValidations: ReturnType<typeof validationsOf> }).dataValidations;

const widthOf = ({ title, kind, list }: TemplateColumn, plan: TemplatePlan): number => {
  const words = list === undefined ? [] : plan.lists.get(list)!;
  const longest = Math.max(0, ...words.map(({ length }) => length));
  return Math.min(Math.max(WIDTHS[kind], title.length + 5, longest + 3), WIDEST);
};

/** A sheet to fill: headers with notes, formats of whole columns, drop-downs for the rows made ready. */
export function addSheet(
  book: Workbook,
  plan: TemplatePlan,
  { name, main, headerRow, columns }: TemplateSheet,
  { places, language }: { readonly places: ListPlaces; readonly language: Language },
): void {
  const last = headerRow + READY_ROWS;
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: headerRow }],
    pageSetup: {
      orientation: 'landscape',
      fitToPage: columns.length <= PAGE_COLUMNS,
      fitToWidth: 1,
      fitToHeight: 0,
    },
    properties: { tabColor: { argb: TONES[main ? 'always' : 'optional'].fill } },
  });
  sheet.columns = columns.map((column) => ({
    width: widthOf(column, plan),
    style: { numFmt: FORMATS[column.kind], font: { ...FONT } },
  }));
  const header = sheet.getRow(headerRow);
  header.height = 30;
  for (const [index, column] of columns.entries()) {
    const cell = header.getCell(index + 1);
    // The reader takes the star for a mark, not for a part of the title.
    cell.value = column.need === 'always' ? `${column.title} *` : column.title;
    cell.style = headerStyle(toneOf(column.need));
    cell.note = noteOf(column, plan, language);
    if (column.list === undefined) continue;
    const letter = columnLetter(index);
    validationsOf(sheet).add(
      `${letter}${headerRow + 1}:${letter}${last}`,
      validationOf(column, plan, places, language),
    );
  }
  sheet.autoFilter = `A${headerRow}:${columnLetter(columns.length - 1)}${last}`;
}
