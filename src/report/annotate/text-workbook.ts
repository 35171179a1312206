import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../../toolkit/core/limits.js';
import { unreachable } from '../../toolkit/core/required.js';
import { columnLetter } from '../../toolkit/core/text.js';

import { needsQuotePrefix, textXml, xmlText } from '../cell-xml.js';
import { encoded, NEW_PART } from './package.js';
import { beyondSheet, type TextRows } from './sheet-plan.js';
import { ZipFileWriter } from './zip-writer.js';

/** Sheet and row of a record; a table longer than a sheet continues on the next. */
export interface TextPlaces {
  sheetOf(record: number): string;
  rowOf(record: number): number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a sheet's name may not have them
const FORBIDDEN = /[\\/?*[\]:\u0000-\u001F]/g;
const NAME_CHARACTERS = 27;

export function placesOf(fileName: string, rowsASheet: number = MAX_SHEET_ROWS): TextPlaces {
  const base = fileName
    .replace(/\.[^.]*$/, '')
    .replaceAll(FORBIDDEN, ' ')
    .slice(0, NAME_CHARACTERS);
  const name = base.replaceAll(/^['\s]+|['\s]+$/g, '') || 'Datos';
  return {
    sheetOf: (record) => {
      const nth = Math.ceil(record / rowsASheet);
      return nth <= 1 ? name : `${name} ${nth}`;
    },
    rowOf: (record) => ((record - 1) % rowsASheet) + 1,
  };
}

interface TextWorkbook {
  readonly file: string;
  readonly rows: TextRows;
  readonly places: TextPlaces;
  /** Record number of the header. */
  readonly header: number;
}

type Batch = readonly { readonly number: number; readonly texts: readonly (string | undefined)[] }[];

/** Compression level: the file is soon replaced by its annotated copy. */
const FAST = 1;
const MIN_WIDTH = 8;
const MAX_WIDTH = 40;

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Text format: document numbers stay texts, also when they are edited. */
export const BODY_STYLE = 1;
export const HEADER_STYLE = 2;
/** Same styles with the quote prefix: a text that looks like a formula stays a text when edited. */
const QUOTED_STYLES: Readonly<Record<number, number>> = { [BODY_STYLE]: 7, [HEADER_STYLE]: 8 };
/** Styles of dates and times. */
export const DATE_STYLES = { date: 3, moment: 4, time: 5, duration: 6 } as const;
/** Returns the text styles of body and header. */
const textStyles = (more: string): string =>
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0"${more} applyNumberFormat="1"/>` +
  `<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0"${more} applyNumberFormat="1" applyFont="1" applyFill="1"/>`;
export const STYLES =
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE3E8EF"/><bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="9"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${textStyles('')}` +
  [14, 22, 21, 46]
    .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join('') +
  `${textStyles(' quotePrefix="1"')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/**
 * Writes a table in text as a workbook with text cells only, and returns the names of its sheets. Rows are
 * streamed: exceljs would hold 570 MB for 300,000 records.
 */
export async function writeTextWorkbook(file: string, book: TextWorkbook): Promise<readonly string[]> {
  const zip = await ZipFileWriter.open(file, FAST);
  const add = (name: string, xml: string): Promise<void> =>
    zip.add(name, encoded([DECLARATION + xml], NEW_PART));
  try {
    const names: string[] = [];
    const sheets = new SheetSource(book);
    do {
      names.push(await sheets.nextName());
      await zip.add(`xl/worksheets/sheet${names.length}.xml`, encoded(sheets.pieces(), NEW_PART));
    } while (sheets.hasMore);
    await add('xl/styles.xml', STYLES);
    for (const [name, xml] of directoryParts(names)) await add(name, xml);
    await zip.finish();
    return names;
  } finally {
    await zip.close();
  }
}

/** Splits the stream of batches into sheets. */
class SheetSource {
  readonly #book: TextWorkbook;
  readonly #batches: AsyncIterator<Batch>;
  #batch: Batch = [];
  #at = 0;
  #widths: readonly number[] | undefined;
  hasMore = true;

  constructor(book: TextWorkbook) {
    this.#book = book;
    this.#batches = book.rows[Symbol.asyncIterator]();
  }

  async nextName(): Promise<string> {
    await this.#fill();
    return this.#book.places.sheetOf(this.#batch[this.#at]?.number ?? 1);
  }

  /** Yields the sheet that begins with the next record. */
  async *pieces(): AsyncGenerator<string> {
    const { places, header } = this.#book;
    const name = await this.nextName();
    this.#widths ??= widthsOf(this.#batch);
    yield sheetStart(this.#widths, places.sheetOf(header) === name ? places.rowOf(header) : 0, BODY_STYLE);
    while (this.hasMore) {
      const { number, texts } = this.#batch[this.#at] ?? unreachable('next record');
      if (places.sheetOf(number) !== name) break;
      this.#refuseWide(number, texts);
      yield rowXml(places.rowOf(number), texts, number === header ? HEADER_STYLE : BODY_STYLE);
      this.#at++;
      if (this.#at === this.#batch.length) await this.#fill();
    }
    yield '</sheetData></worksheet>';
  }

  /** Throws on a text in a column that no sheet has, which would otherwise be lost. */
  #refuseWide(row: number, texts: readonly (string | undefined)[]): void {
    for (let column = MAX_SHEET_COLUMNS; column < texts.length; column++)
      if (texts[column] !== undefined) beyondSheet(this.#book.file, row, columnLetter(column));
  }

  async #fill(): Promise<void> {
    while (this.hasMore && this.#at === this.#batch.length) {
      const { done, value } = await this.#batches.next();
      this.#at = 0;
      this.#batch = done === true ? [] : value;
      this.hasMore = done !== true;
    }
  }
}

/** Returns a text cell that stays a text when it is edited. */
export const editableXml = (at: string, text: string, style: number): string =>
  textXml(at, text, needsQuotePrefix(text) ? (QUOTED_STYLES[style] ?? style) : style);

function rowXml(row: number, texts: readonly (string | undefined)[], style: number): string {
  let cells = '';
  for (let column = 0; column < Math.min(texts.length, MAX_SHEET_COLUMNS); column++) {
    const text = texts[column];
    if (text !== undefined) cells += editableXml(`${columnLetter(column)}${row}`, text, style);
  }
  return `<row r="${row}">${cells}</row>`;
}

/** Returns the start of a sheet: frozen rows, column widths in characters, and the style of blank cells. */
export function sheetStart(widths: readonly number[], frozen: number, style?: number): string {
  const blank = style === undefined ? '' : ` style="${style}"`;
  const pane = `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>`;
  const cols = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}"${blank} customWidth="1"/>`,
  );
  return (
    `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${frozen > 0 ? pane : ''}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''}<sheetData>`
  );
}

/** Computes widths from the first batch of rows. */
function widthsOf(batch: Batch): number[] {
  const widths: number[] = [];
  for (const { texts } of batch) widen(widths, texts);
  return widths;
}

/** Widens columns for one more row. */
export function widen(widths: number[], texts: readonly (string | undefined)[]): void {
  for (const [index, text = ''] of texts.slice(0, MAX_SHEET_COLUMNS).entries())
    widths[index] = Math.max(widths[index] ?? MIN_WIDTH, Math.min(MAX_WIDTH, text.length + 2));
}

/** Returns the parts that list the others. */
export function directoryParts(names: readonly string[]): readonly (readonly [name: string, xml: string])[] {
  const sheets = names.map((name, index) => ({ name: xmlText(name), n: index + 1 }));
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
  const relations = (list: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`;
  const override = (part: string, type: string): string =>
    `<Override PartName="/xl/${part}.xml" ContentType="${TYPES}.${type}+xml"/>`;
  const list = (write: (sheet: { name: string; n: number }) => string): string => sheets.map(write).join('');
  return [
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${list(({ name, n }) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        list(({ n }) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`)) +
          relation(`rId${names.length + 1}`, 'styles', 'styles.xml'),
      ),
    ],
    ['_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook', 'sheet.main')}${override('styles', 'styles')}${list(({ n }) => override(`worksheets/sheet${n}`, 'worksheet'))}</Types>`,
    ],
  ];
}
