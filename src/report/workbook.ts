import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Alignment, Style } from 'exceljs';
import type { StreamedSheet, default as WorkbookWriter } from 'exceljs/lib/stream/xlsx/workbook-writer.js';
import type { Issue, Language } from '../toolkit/core/issue.js';
import { MAX_SHEET_ROWS } from '../toolkit/core/limits.js';
import { columnLetter } from '../toolkit/core/text.js';
import type { ExtraCodes } from '../toolkit/messages/wording.js';

import { blankXml, numberXml, serialAt, textXml } from './cell-xml.js';
import { linksFrom } from './link.js';
import { TONES, type Tone } from './palette.js';
import { type Placing, putInPlace } from './put-in-place.js';
import { type CellValue, type Column, monthsText, type RunReport, type SheetRows, sheetsOf } from './rows.js';

/** Styles as exceljs takes them, or their indexes in the workbook. */
interface Styles<T = Partial<Style>> {
  readonly heading: T;
  readonly countHeading: T;
  readonly longHeading: T;
  readonly link: T;
  readonly moment: T;
  readonly kinds: Readonly<Record<Column['kind'], T>>;
  readonly tones: Readonly<Record<Tone, T>>;
}

const FONT = { name: 'Calibri', size: 11 } as const;
/** Font of codes of about 100 characters, which wrap in two lines. */
const HASH_FONT = { name: 'Consolas', size: 8 } as const;
const LINK = { underline: true, color: { argb: 'FF0B57D0' } } as const;
/** Text format: document numbers stay texts, and editing `=1+1` makes no formula. */
const AS_TEXT = '@';

/** Creates the styles of a workbook; exceljs caches by object and may modify them. */
function makeStyles(): Styles {
  const line = { style: 'hair', color: { argb: 'FFC9CED6' } } as const;
  const body = (more: Partial<Style>): Partial<Style> => ({
    font: { ...FONT },
    border: { bottom: { ...line } },
    alignment: { vertical: 'top' },
    ...more,
  });
  const tone = ({ fill, font }: { fill: string; font: string }): Partial<Style> =>
    body({
      numFmt: AS_TEXT,
      fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: fill } },
      font: { ...FONT, bold: true, color: { argb: font } },
    });
  const heading = (more: Partial<Alignment>): Partial<Style> => ({
    font: { ...FONT, bold: true, color: { argb: 'FFFFFFFF' } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F3A5F' } },
    alignment: { vertical: 'middle', ...more },
  });
  const wrapped = { vertical: 'top', wrapText: true } as const;
  return {
    heading: heading({}),
    countHeading: heading({ horizontal: 'right', indent: 1 }),
    longHeading: heading({ horizontal: 'left', indent: 1 }),
    link: body({ numFmt: AS_TEXT, font: { ...FONT, ...LINK } }),
    moment: body({ numFmt: 'dd/mm/yyyy hh:mm', alignment: { vertical: 'top', horizontal: 'left' } }),
    kinds: {
      code: body({ numFmt: AS_TEXT }),
      hash: body({ numFmt: AS_TEXT, font: { ...HASH_FONT }, alignment: { ...wrapped } }),
      // Indented, since LibreOffice writes an amount before it to the very edge.
      long: body({ numFmt: AS_TEXT, alignment: { ...wrapped, horizontal: 'left', indent: 1 } }),
      count: body({ numFmt: '#,##0', alignment: { vertical: 'top', horizontal: 'right', indent: 1 } }),
      amount: body({
        numFmt: '#,##0.00;[Red]-#,##0.00',
        alignment: { vertical: 'top', horizontal: 'right', indent: 1 },
      }),
      date: body({ numFmt: 'dd/mm/yyyy', alignment: { vertical: 'top', horizontal: 'left' } }),
    },
    tones: {
      good: tone(TONES.good),
      bad: tone(TONES.bad),
      waiting: tone(TONES.waiting),
      doubt: tone(TONES.doubt),
      idle: tone(TONES.idle),
    },
  };
}

function styleIndexes(styles: Styles, book: WorkbookWriter): Styles<number> {
  const number = (style: Partial<Style>): number => book.styles.addStyleModel(style);
  const each = <K extends string>(all: Readonly<Record<K, Partial<Style>>>) =>
    Object.fromEntries(
      Object.entries<Partial<Style>>(all).map(([name, style]) => [name, number(style)]),
    ) as Record<K, number>;
  const { kinds, tones, ...others } = styles;
  return { ...each(others), kinds: each(kinds), tones: each(tones) };
}

const headingOf = <T>(kind: Column['kind'], { heading, countHeading, longHeading }: Styles<T>): T => {
  if (kind === 'long') return longHeading;
  return kind === 'count' || kind === 'amount' ? countHeading : heading;
};

/** Excel's limits; height in points. */
export const LIMITS = { rows: MAX_SHEET_ROWS, links: 65_530, height: 409 } as const;
type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

/** Rows written at a time, and the max bytes that may wait for the zip, which is slower than the rows. */
const ROWS_PER_BATCH = 50;
const MAX_PENDING_BYTES = 2 ** 20;

const LINE_POINTS = 15;

/** Letters per unit of width: widths count zeros, and letters are narrower. */
const LETTERS_PER_ZERO = 1.1;

/** Estimates the lines of a wrapped text, since viewers other than Excel do not. */
const linesOf = (text: string, width: number): number =>
  text
    .split('\n')
    .reduce((lines, part) => lines + Math.max(1, Math.ceil(part.length / (width * LETTERS_PER_ZERO))), 0);

const HASH_POINTS = 11;

function pointsOf(value: CellValue, { kind, width }: Column): number {
  const text = typeof value === 'object' && 'text' in value ? value.text : value;
  if (typeof text !== 'string') return LINE_POINTS;
  if (kind === 'long') return linesOf(text, width - 1) * LINE_POINTS; // its indent
  return kind === 'hash' ? linesOf(text, width) * HASH_POINTS + 2 : LINE_POINTS;
}

const heightOf = (values: readonly CellValue[], columns: readonly Column[]): number =>
  Math.min(
    columns.reduce((max, column, at) => Math.max(max, pointsOf(values[at], column)), LINE_POINTS),
    LIMITS.height,
  );

/** Amounts that Excel can hold exactly: it keeps 15 digits. */
const NUMBER = /^-?\d+(\.\d+)?$/;
const MAX_DIGITS = 15;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?/;

/** Returns the number that a text is in Excel; undefined if it is not exact or not a number. */
function numberOf(text: string, kind: Column['kind']): number | string | undefined {
  if (kind === 'amount')
    return NUMBER.test(text) && text.replace(/\D/g, '').length <= MAX_DIGITS ? text : undefined;
  if (kind !== 'date') return undefined;
  const [, ...parts] = DATE.exec(text) ?? [];
  const [year, month, day, hours = '0', minutes = '0'] = parts;
  if (year === undefined) return undefined;
  return serialAt(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes)));
}

/** Lets a long heading extend over blank cells, which empty texts would stop. */
const headingXml = (at: string, text: string, style: number): string =>
  text === '' ? blankXml(at, style) : textXml(at, text, style);

/** Writes the rows of one sheet as XML. */
class SheetWriter {
  private links = 0;
  private xml = '';

  constructor(
    private readonly sheet: StreamedSheet,
    private readonly columns: readonly Column[],
    private readonly styles: Styles<number>,
    private readonly limits: Limits,
  ) {}

  write(row: number, values: readonly CellValue[]): void {
    const { columns } = this;
    let cells = '';
    let at = 0;
    for (const { kind } of columns) {
      cells += this.cell(`${columnLetter(at)}${row}`, values[at], kind);
      at += 1;
    }
    this.xml += `<row r="${row}" ht="${heightOf(values, columns)}" customHeight="1">${cells}</row>`;
  }

  flush(): void {
    if (this.xml !== '') this.sheet.stream.write(this.xml);
    this.xml = '';
  }

  async drained(): Promise<void> {
    for (const zip of this.sheet.stream.pipes)
      if (zip._writableState.length > MAX_PENDING_BYTES) await once(zip, 'drain');
    await setImmediate();
  }

  private cell(at: string, value: CellValue, kind: Column['kind']): string {
    const { kinds, tones, moment, link } = this.styles;
    if (value === undefined || value === '') return blankXml(at, kinds[kind]);
    if (typeof value === 'number') return numberXml(at, value, kinds[kind]);
    if (typeof value === 'string') {
      const number = numberOf(value, kind);
      if (number === undefined) return textXml(at, value, kinds[kind]);
      return numberXml(at, number, kind === 'date' && value.includes(':') ? moment : kinds[kind]);
    }
    if ('as' in value)
      return value.as === 'heading'
        ? headingXml(at, String(value.value), headingOf(kind, this.styles))
        : this.cell(at, value.value, value.as);
    if ('tone' in value) return textXml(at, value.text, tones[value.tone]);
    // A code is linked by the next cell, since LibreOffice does not wrap links.
    if (this.links >= this.limits.links || kind === 'hash') return textXml(at, value.text, kinds[kind]);
    this.links += 1;
    this.sheet._sheetRelsWriter.addHyperlink({ address: at, target: value.link });
    return textXml(at, value.text, link);
  }
}

function openSheet(
  book: WorkbookWriter,
  name: string,
  { columns, cover }: SheetRows,
  styles: Styles,
): StreamedSheet {
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: 1, showGridLines: false }],
    pageSetup: {
      paperSize: 9,
      orientation: 'landscape',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      ...(!cover && { printTitlesRow: '1:1' }),
      margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 },
    },
    headerFooter: { oddFooter: '&L&A&R&P / &N' },
  });
  sheet.columns = columns.map(({ width }) => ({ width }));
  const header = sheet.getRow(1);
  header.height = 22;
  columns.forEach(({ heading, kind }, index) => {
    const cell = header.getCell(index + 1);
    cell.value = heading;
    cell.style = headingOf(kind, styles);
  });
  header.commit();
  return sheet;
}

function closeSheet(sheet: StreamedSheet, lastRow: number, { columns, cover }: SheetRows): void {
  if (!cover) sheet.autoFilter = `A1:${columnLetter(columns.length - 1)}${lastRow}`;
  // Trailing columns for the screen only are not printed, so that the others are larger.
  const printed = columns.findLastIndex(({ screen }) => !screen);
  if (printed < columns.length - 1) sheet.pageSetup.printArea = `A$1:${columnLetter(printed)}$${lastRow}`;
  sheet.commit();
}

/** Writes a list; one longer than a sheet continues on the next: `Documentos 2`. */
async function writeSheet(book: WorkbookWriter, plan: SheetRows, styles: Styles, limits: Limits) {
  const numbers = styleIndexes(styles, book);
  let sheets = 0;
  let current: { readonly sheet: StreamedSheet; readonly writer: SheetWriter } | undefined;
  let at = 1;
  const close = (): void => {
    if (current === undefined) return;
    current.writer.flush();
    closeSheet(current.sheet, at, plan);
  };
  const next = () => {
    close();
    sheets += 1;
    at = 1;
    const sheet = openSheet(book, sheets === 1 ? plan.name : `${plan.name} ${sheets}`, plan, styles);
    return { sheet, writer: new SheetWriter(sheet, plan.columns, numbers, limits) };
  };
  if (!plan.optional) current = next();
  for await (const values of plan.rows) {
    if (current === undefined || at === limits.rows) current = next();
    at += 1;
    current.writer.write(at, values);
    if (at % ROWS_PER_BATCH !== 0) continue;
    current.writer.flush();
    await current.writer.drained();
  }
  close();
}

/**
 * Streams the sheets into a temporary file.
 * @throws the file system's error, such as a full disk
 */
export async function writeWorkbook(
  file: string,
  sheets: readonly SheetRows[],
  options: { readonly now: Date; readonly limits?: Limits },
): Promise<void> {
  // Loaded lazily: it is large, and most calls write no workbook.
  const { WorkbookWriter } = await import('./exceljs.js');
  // exceljs listens for file errors only at the end, too late for a full disk.
  const out = createWriteStream(file);
  const failed = new Promise<never>((_, reject) => out.once('error', reject));
  const book = new WorkbookWriter({
    stream: out,
    useStyles: true,
    useSharedStrings: false,
  });
  book.creator = 'cargue';
  book.lastModifiedBy = 'cargue';
  book.created = options.now;
  book.modified = options.now;
  const styles = makeStyles();
  const write = async () => {
    for (const sheet of sheets) await writeSheet(book, sheet, styles, options.limits ?? LIMITS);
    await book.commit();
  };
  await Promise.race([write(), failed]);
}

export interface ReportOptions {
  readonly file: string;
  readonly language: Language;
  readonly now: Date;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
  /** Completes the commands in a text for this run. @default leaves them unchanged */
  readonly complete?: (text: string) => string;
  readonly placing?: Placing;
}

export interface WrittenReport {
  readonly file: string;
  /** A warning if another program has the requested file open, so that a second name was used. */
  readonly issues: readonly Issue[];
}

/** Returns the sheets of a run, with links relative to the file to write. */
function sheetsFor(
  report: RunReport,
  { file, language, extra, complete }: ReportOptions,
): readonly SheetRows[] {
  const pathOf = new Map(
    report.facts.inputs.flatMap(({ file, path }) => (path === undefined ? [] : [[file, path] as const])),
  );
  return sheetsOf(report, {
    language,
    linkTo: linksFrom(file, pathOf),
    ...(extra && { extra }),
    ...(complete && { complete }),
  });
}

/**
 * Writes the workbook of a run.
 * @throws PipelineError('output', report/not-writable)
 */
export async function writeReport(report: RunReport, options: ReportOptions): Promise<WrittenReport> {
  const sheets = sheetsFor(report, options);
  return place(options, (temporary) => writeWorkbook(temporary, sheets, { now: options.now }));
}

/**
 * Prints the sheets of a run for paper.
 * @throws PipelineError('output', report/not-writable)
 */
export async function printReport(report: RunReport, options: ReportOptions): Promise<WrittenReport> {
  const { writePdf } = await import('./pdf.js');
  const sheets = sheetsFor(report, options);
  const { language, now } = options;
  const { companyName, nit, run } = report.facts;
  const named = [companyName, nit && `NIT ${nit}`, monthsText(report.facts, language), run];
  const title = named.filter(Boolean).join(' · ');
  return place(options, (temporary) => writePdf(temporary, sheets, { language, now, title }));
}

async function place(
  options: ReportOptions,
  write: (temporary: string) => Promise<void>,
): Promise<WrittenReport> {
  const file = await putInPlace(options.file, write, options.placing);
  if (file === options.file) return { file, issues: [] };
  const params = { wanted: options.file, file };
  return { file, issues: [{ code: 'report/second-name', level: 'warning', params, place: {} }] };
}
