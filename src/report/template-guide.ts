import type { CellValue, Style, Workbook, Worksheet } from 'exceljs';
import type { TemplateParam, TemplatePlan } from '../document/template-plan.js';
import type { Language } from '../issues/issue.js';
import { headerStyle, type Tone } from './template-sheet.js';
import { FORMS, templateText } from './template-texts.js';

const FONT = { name: 'Calibri', size: 11 } as const;
const CODE = { name: 'Consolas', size: 10 } as const;
const WIDTHS = [4, 32, 66, 24, 18];
const LAST = WIDTHS.length;
const LETTERS_A_LINE = 150;
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

/** Writes a sheet from the top, a row at a time. */
class Page {
  private at = 0;
  constructor(private readonly sheet: Worksheet) {}

  gap(): void {
    this.at += 1;
  }

  /** One text over the second column and those after it. */
  line(text: string, look: Partial<Style>, { to = LAST } = {}): void {
    this.at += 1;
    const cell = this.sheet.getCell(this.at, 2);
    cell.value = text;
    cell.style = look;
    this.sheet.mergeCells(this.at, 2, this.at, to);
    this.sheet.getRow(this.at).height =
      LINE_POINTS * Math.max(1, Math.ceil(text.length / LETTERS_A_LINE)) + 3;
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

  /** Cells from the second column on. */
  row(values: readonly CellValue[], look: () => Partial<Style>): void {
    this.at += 1;
    for (const [index, value] of values.entries()) {
      const cell = this.sheet.getCell(this.at, index + 2);
      cell.value = value;
      cell.style = look();
    }
    const lines = values.map((value, index) => Math.ceil(String(value ?? '').length / WIDTHS[index + 1]!));
    this.sheet.getRow(this.at).height = LINE_POINTS * Math.max(1, ...lines) + 1;
  }
}

const tableRow = (): Partial<Style> =>
  style({ border: { bottom: { style: 'hair', color: { argb: 'FFC9CED6' } } } });

/** A value of the right form; days are those of the day on which the template is written. */
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

export interface GuideOptions {
  readonly name: string;
  readonly language: Language;
  readonly now: Date;
}

/** The sheet that says how to fill the others and what to do with them then. */
export function addGuide(book: Workbook, plan: TemplatePlan, { name, language, now }: GuideOptions): void {
  const text = (
    phrase: Parameters<typeof templateText>[1],
    values?: Readonly<Record<string, string>>,
  ): string => templateText(language, phrase, values);
  const sheet = book.addWorksheet(name, {
    views: [{ showGridLines: false }],
    pageSetup: { paperSize: 9, orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  sheet.columns = WIDTHS.map((width) => ({ width }));
  const page = new Page(sheet);
  const { mapping } = plan;
  const mains = plan.sheets.filter(({ main }) => main).map(({ name }) => name);
  const main = mains.join('», «');
  const others = plan.sheets.filter((one) => !one.main);
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
    text('fillMain', { main }),
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
        FORMS[param.type]?.[language] ?? param.type,
        presetText(param, language),
      ],
      tableRow,
    );
}
