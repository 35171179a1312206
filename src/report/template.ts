import type { CellValue, DataValidation, Style, Workbook, Worksheet } from 'exceljs';
import type { Text } from '../generated/issue-codes.js';
import { FORMS, TEMPLATE, TEMPLATE_SHEETS, type TemplateParams } from '../generated/texts-template.js';
import type { Language } from '../toolkit/core/issue.js';
import { required } from '../toolkit/core/required.js';
import { columnLetter } from '../toolkit/core/text.js';
import { choicesInWords } from '../toolkit/mapping/params.js';
import {
  ownSheetName,
  type TemplateColumn,
  type TemplateKind,
  type TemplateNeed,
  type TemplateParam,
  type TemplatePlan,
  type TemplateSheet,
} from '../toolkit/mapping/template-plan.js';
import { type ParamsOfText, translatorOf } from '../toolkit/messages/texts.js';
import { putInPlace } from './put-in-place.js';
import type { ReportOptions } from './workbook.js';

const templateText = translatorOf<TemplateParams>(TEMPLATE);

/** Rows prepared for data. */
const READY_ROWS = 500;
/** Max letters that the box of a comment shows without resizing. */
const MAX_NOTE_LENGTH = 110;
/** Max letters of Excel's hint for a cell. */
const MAX_HINT_LENGTH = 255;
const MAX_COLUMN_WIDTH = 34;
/** Max columns that are readable when shrunk to one page. */
const MAX_PAGE_COLUMNS = 14;

/** Colours of headers by how much the column is needed. */
const TONES = {
  always: { fill: 'FF1F3A5F', font: 'FFFFFFFF' },
  unless: { fill: 'FF6D8DB3', font: 'FFFFFFFF' },
  optional: { fill: 'FFDCE6F1', font: 'FF1F3A5F' },
} as const;

type Tone = keyof typeof TONES;

/** Returns a new style each time, since exceljs may modify it. Titles are text, also when edited. */
const headerStyle = (tone: Tone): Partial<Style> => ({
  numFmt: '@',
  font: { ...FONT, bold: true, color: { argb: TONES[tone].font } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: TONES[tone].fill } },
  alignment: { vertical: 'middle', wrapText: true },
  border: { right: { style: 'thin', color: { argb: 'FFFFFFFF' } } },
});

/** Excel formats; the text format keeps `0123` and `=1+1` as typed. */
const FORMATS: Readonly<Record<TemplateKind, string>> = {
  text: '@',
  integer: '0',
  decimal: 'General',
  money: '#,##0.00',
  date: 'dd/mm/yyyy',
  datetime: 'dd/mm/yyyy hh:mm',
  time: 'hh:mm',
};

const COLUMN_WIDTHS: Readonly<Record<TemplateKind, number>> = {
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

/** Returns the comment of a column: meaning, need and allowed words, as far as there is room. */
function noteOf({ about, need, list }: TemplateColumn, plan: TemplatePlan, language: Language): string {
  const about_ = [about[language], needText(need, language)].filter(Boolean).join('. ');
  if (list === undefined) return cut(`${about_}.`, MAX_NOTE_LENGTH);
  const words = templateText(language, 'list', { words: required(plan.lists, list).join(', ') });
  const full = `${about_}. ${words}.`;
  return full.length <= MAX_NOTE_LENGTH
    ? full
    : cut(`${about_}. ${templateText(language, 'choose')}.`, MAX_NOTE_LENGTH);
}

/** Formula of each list's range, such as `'Listas'!$B$1:$M$1`. */
type ListPlaces = ReadonlyMap<string, string>;

function listPlaces({ lists }: TemplatePlan, sheet: string): ListPlaces {
  let at = 0;
  return new Map(
    [...lists].map(([name, { length }]) => {
      const place = `'${sheet}'!$${columnLetter(at)}$1:$${columnLetter(at + length - 1)}$1`;
      at += length;
      return [name, place];
    }),
  );
}

/** Adds a hidden sheet with all lists in one row, so that no reader takes it for a table. */
function addLists(book: Workbook, { lists }: TemplatePlan, name: string): void {
  const row = book.addWorksheet(name, { state: 'hidden' }).getRow(1);
  for (const [index, word] of [...lists.values()].flat().entries()) {
    row.getCell(index + 1).value = word;
    row.getCell(index + 1).numFmt = FORMATS.text;
  }
}

/** Returns a drop-down; other words only give a warning, as the mapping knows synonyms. */
function validationOf(
  { about }: TemplateColumn,
  list: string,
  plan: TemplatePlan,
  places: ListPlaces,
  language: Language,
): DataValidation {
  const words = required(plan.lists, list).join(', ');
  const prompt = [about[language], templateText(language, 'list', { words })].filter(Boolean).join('. ');
  return {
    type: 'list',
    allowBlank: true,
    formulae: [required(places, list)],
    showInputMessage: true,
    prompt: cut(prompt, MAX_HINT_LENGTH),
    showErrorMessage: true,
    errorStyle: 'warning',
    errorTitle: templateText(language, 'unknownTitle'),
    error: templateText(language, 'unknown'),
  };
}

/** exceljs accepts ranges, though its types do not say so. */
const validationsOf = (sheet: Worksheet): { add(range: string, validation: DataValidation): void } =>
  (sheet as unknown as { dataValidations: ReturnType<typeof validationsOf> }).dataValidations;

const widthOf = ({ title, kind, list }: TemplateColumn, plan: TemplatePlan): number => {
  const words = list === undefined ? [] : required(plan.lists, list);
  const longest = Math.max(0, ...words.map(({ length }) => length));
  return Math.min(Math.max(COLUMN_WIDTHS[kind], title.length + 5, longest + 3), MAX_COLUMN_WIDTH);
};

/** Adds a sheet to fill: headers with comments, column formats, and drop-downs in the prepared rows. */
function addSheet(
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
      fitToPage: columns.length <= MAX_PAGE_COLUMNS,
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
    // The reader ignores the star.
    cell.value = column.need === 'always' ? `${column.title} *` : column.title;
    cell.style = headerStyle(typeof column.need === 'string' ? column.need : 'unless');
    cell.note = noteOf(column, plan, language);
    const { list } = column;
    if (list === undefined) continue;
    const letter = columnLetter(index);
    validationsOf(sheet).add(
      `${letter}${headerRow + 1}:${letter}${last}`,
      validationOf(column, list, plan, places, language),
    );
  }
  sheet.autoFilter = `A${headerRow}:${columnLetter(columns.length - 1)}${last}`;
}

const FONT = { name: 'Calibri', size: 11 } as const;
const CODE = { name: 'Consolas', size: 10 } as const;
const WIDTHS = [4, 32, 66, 24, 18];
const LAST = WIDTHS.length;
const LETTERS_PER_LINE = 150;
const LINE_POINTS = 15;

const style = (more: Partial<Style> = {}): Partial<Style> => ({
  font: { ...FONT },
  alignment: { vertical: 'top', wrapText: true },
  ...more,
});

const heading = (): Partial<Style> =>
  style({ font: { ...FONT, size: 13, bold: true, color: { argb: 'FF1F3A5F' } } });

const code = (): Partial<Style> =>
  style({
    font: { ...CODE },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFF3F4F6' } },
    alignment: { vertical: 'top' },
  });

/** Writes a sheet row by row. */
class Page {
  private at = 0;
  constructor(private readonly sheet: Worksheet) {}

  gap(): void {
    this.at += 1;
  }

  /** Writes a text over the second column and those after it. */
  line(text: string, look: Partial<Style>, { to = LAST } = {}): void {
    this.at += 1;
    const cell = this.sheet.getCell(this.at, 2);
    cell.value = text;
    cell.style = look;
    this.sheet.mergeCells(this.at, 2, this.at, to);
    this.sheet.getRow(this.at).height =
      LINE_POINTS * Math.max(1, Math.ceil(text.length / LETTERS_PER_LINE)) + 3;
  }

  step(number: number, text: string): void {
    this.line(text, style());
    const cell = this.sheet.getCell(this.at, 1);
    cell.value = number;
    cell.style = style({
      font: { ...FONT, bold: true },
      alignment: { vertical: 'top', horizontal: 'center' },
    });
  }

  /** Writes cells from the second column on. */
  row(values: readonly CellValue[], look: () => Partial<Style>): void {
    this.at += 1;
    for (const [index, value] of values.entries()) {
      const cell = this.sheet.getCell(this.at, index + 2);
      cell.value = value;
      cell.style = look();
    }
    const lines = WIDTHS.slice(1).map((width, index) =>
      Math.ceil(String(values[index] ?? '').length / width),
    );
    this.sheet.getRow(this.at).height = LINE_POINTS * Math.max(1, ...lines) + 1;
  }
}

const tableRow = (): Partial<Style> =>
  style({ border: { bottom: { style: 'hair', color: { argb: 'FFC9CED6' } } } });

/** Returns an example value of the right form; dates are those of the day of writing. */
function exampleOf({ type, example, preset }: TemplateParam, now: Date): string | number | boolean {
  const day = now.toISOString();
  const shown: Readonly<Record<string, string | number | boolean>> = {
    integer: 1,
    decimal: '0.00',
    money: '0.00',
    date: day.slice(0, 10),
    datetime: day.slice(0, 19),
    time: day.slice(11, 16),
    month: day.slice(0, 7),
    boolean: false,
  };
  return preset ?? example ?? shown[type] ?? 'texto';
}

const presetText = ({ need, preset }: TemplateParam, language: Language): string =>
  need === 'always' ? templateText(language, 'always') : preset === undefined ? '' : String(preset);

/** Adds the sheet that explains how to fill in the others and what to do next. */
function addGuide(
  book: Workbook,
  plan: TemplatePlan,
  { name, language, now }: { readonly name: string; readonly language: Language; readonly now: Date },
): void {
  const text = <K extends keyof TemplateParams>(
    phrase: K,
    ...values: ParamsOfText<TemplateParams, K>
  ): string => templateText(language, phrase, ...values);
  const sheet = book.addWorksheet(name, {
    views: [{ showGridLines: false }],
    pageSetup: { paperSize: 9, orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  sheet.columns = WIDTHS.map((width) => ({ width }));
  const page = new Page(sheet);
  const { mapping } = plan;
  const mains = plan.sheets.filter(({ main }) => main).map(({ name }) => name);
  const main = mains.join('», «');
  const others = plan.sheets.filter((sheet) => !sheet.main);
  const command = (verb: string): void => page.line(text('command', { verb, mapping }), code());

  page.line(
    text('title', { about: plan.about[language] }),
    style({ font: { ...FONT, size: 18, bold: true } }),
  );
  page.line(text('reads', { mapping }), style({ font: { ...FONT, color: { argb: 'FF4B5563' } } }));
  page.gap();
  page.line(text('steps'), heading());
  const key = (others[0]?.key ?? []).join(' + ');
  const steps = [
    text(plan.grouped ? 'fillRecords' : 'fillMain', { main }),
    ...(others.length > 0 ? [text('fillOthers', { main, key })] : []),
    text('headers'),
    text('forms'),
    text('params'),
  ];
  for (const [index, step] of steps.entries()) page.step(index + 1, step);
  page.step(steps.length + 1, text('check'));
  command('check');
  page.step(steps.length + 2, text('send'));
  command('send');
  page.gap();

  page.line(text('colours'), heading());
  const tones: readonly (readonly [Tone, string])[] = [
    ['always', `${text('always')} *`],
    ['unless', text('unlessAny')],
    ['optional', text('optional')],
  ];
  for (const [tone, what] of tones) page.line(what, headerStyle(tone), { to: 3 });
  page.gap();

  page.line(text('example'), heading());
  const given = plan.params.filter(({ need }) => need === 'always');
  const example = Object.fromEntries(given.map((param) => [param.name, exampleOf(param, now)]));
  for (const line of JSON.stringify(example, undefined, 2).split('\n')) page.line(line, code());
  page.gap();

  page.line(text('sheets'), heading());
  page.row([text('sheet'), text('holds')], () => headerStyle('optional'));
  for (const { name: sheetName, about } of plan.sheets)
    page.row(
      [{ text: sheetName, hyperlink: `#'${sheetName.replaceAll("'", "''")}'!A1` }, about[language]],
      tableRow,
    );
  page.gap();

  page.line(text('paramTable'), heading());
  page.row([text('name'), text('about'), text('type'), text('preset')], () => headerStyle('optional'));
  const inOrder = [...given, ...plan.params.filter(({ need }) => need !== 'always')];
  for (const param of inOrder)
    page.row(
      [
        param.name,
        param.about[language],
        param.choices === undefined
          ? ((FORMS as Readonly<Record<string, Text>>)[param.type]?.[language] ?? param.type)
          : choicesInWords(param.choices, language),
        presetText(param, language),
      ],
      tableRow,
    );
}

/** Returns a name for a sheet of the template that no sheet to fill has. */
function ownName({ sheets }: TemplatePlan, name: string): string {
  const isTaken = sheets.some((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
  return ownSheetName(name, isTaken);
}

/**
 * Writes an empty workbook that the mapping of the plan reads: instructions, the sheets to fill, and a hidden one with
 * the words of drop-downs. Returns the name that the file got.
 * @throws PipelineError('output', report/not-writable)
 */
export async function writeTemplate(
  plan: TemplatePlan,
  { file, language, now, placing }: Pick<ReportOptions, 'file' | 'language' | 'now' | 'placing'>,
): Promise<string> {
  // Loaded only here: it is large.
  const { Workbook } = await import('./exceljs.js');
  const book = new Workbook();
  book.creator = 'cargue';
  book.lastModifiedBy = 'cargue';
  book.created = now;
  book.modified = now;
  const lists = ownName(plan, TEMPLATE_SHEETS.lists[language]);
  const places = listPlaces(plan, lists);
  addGuide(book, plan, { name: ownName(plan, TEMPLATE_SHEETS.guide[language]), language, now });
  for (const sheet of plan.sheets) addSheet(book, plan, sheet, { places, language });
  addLists(book, plan, lists);
  return putInPlace(file, (temporary) => book.xlsx.writeFile(temporary), placing);
}
