import { MAX_SHEET_COLUMNS } from '../toolkit/core/limits.js';
import { columnLetter } from '../toolkit/core/text.js';
import type { CellKind, Row } from '../toolkit/tables/table.js';
import { encoded, NEW_PART } from './annotate/package.js';

import {
  BODY_STYLE,
  DATE_STYLES,
  DECLARATION,
  directoryParts,
  editableXml,
  HEADER_STYLE,
  STYLES,
  sheetStart,
  widen,
} from './annotate/text-workbook.js';
import { ZipFileWriter } from './annotate/zip-writer.js';
import { serialAt, xmlText } from './cell-xml.js';

export interface KeptSheet {
  readonly name: string;
  /** Returns the rows to keep, in order. */
  rows(): AsyncIterable<Row>;
  /** Returns the text of a row in the column of reasons; for the label row its title. */
  reasonOf(row: number): string | undefined;
  /** Index of the column of reasons, from 0; undefined if there is none. */
  readonly reasons: number | undefined;
  /** Column widths in characters. */
  readonly widths: readonly number[];
  /** Row of the labels. */
  readonly header: number;
}

const COMPRESSION_LEVEL = 6;
/** Width in characters at which one or two sentences can be read. */
const REASONS_WIDTH = 80;
/** First serial after Excel's 29 February 1900; earlier dates stay text. */
const MIN_SERIAL = 61;

/** Writes rows of tables with their values as read; texts stay texts even if they look like formulas. */
export async function writeKeptRows(file: string, sheets: readonly KeptSheet[]): Promise<void> {
  const zip = await ZipFileWriter.open(file, COMPRESSION_LEVEL);
  try {
    for (const [at, sheet] of sheets.entries())
      await zip.add(`xl/worksheets/sheet${at + 1}.xml`, encoded(sheetPieces(sheet), NEW_PART));
    const parts: (readonly [string, string])[] = [
      ['xl/styles.xml', STYLES],
      ...directoryParts(sheets.map(({ name }) => name)),
    ];
    for (const [name, xml] of parts) await zip.add(name, encoded([DECLARATION + xml], NEW_PART));
    await zip.finish();
  } finally {
    await zip.close();
  }
}

async function* sheetPieces(sheet: KeptSheet): AsyncGenerator<string> {
  const { rows, reasonOf, reasons, header } = sheet;
  const widths = [...sheet.widths];
  if (reasons !== undefined) widths[reasons] = REASONS_WIDTH;
  yield sheetStart(widths, header);
  let at = 0;
  for await (const row of rows()) {
    // Rows above the labels keep their place.
    at = row.number <= header ? row.number : Math.max(at, header) + 1;
    const style = row.number === header ? HEADER_STYLE : BODY_STYLE;
    let cells = '';
    for (let column = 0; column < Math.min(row.texts.length, MAX_SHEET_COLUMNS); column++) {
      const text = row.texts[column];
      if (text !== undefined && column !== reasons)
        cells += cellXml(`${columnLetter(column)}${at}`, text, row.kinds?.[column] ?? 'text', style);
    }
    const reason = reasons === undefined ? undefined : reasonOf(row.number);
    if (reasons !== undefined && reason !== undefined)
      cells += editableXml(`${columnLetter(reasons)}${at}`, reason, style);
    yield `<row r="${at}">${cells}</row>`;
  }
  yield '</sheetData></worksheet>';
}

function cellXml(cell: string, text: string, kind: CellKind, style: number): string {
  switch (kind) {
    case 'number':
      return `<c r="${cell}"><v>${xmlText(text)}</v></c>`;
    case 'boolean':
      return `<c r="${cell}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
    case 'error':
      return `<c r="${cell}" t="e"><v>${xmlText(text)}</v></c>`;
    case 'date': {
      const stored = serialOf(text);
      return stored === undefined
        ? editableXml(cell, text, style)
        : `<c r="${cell}" s="${stored.style}"><v>${stored.serial}</v></c>`;
    }
    default:
      return editableXml(cell, text, style);
  }
}

const CLOCK = /^(\d+):(\d\d):(\d\d)$/;

/** Returns the serial and style of a date or time; undefined if it must stay text. */
function serialOf(text: string): { readonly serial: number; readonly style: number } | undefined {
  const [, hours, minutes, seconds] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) {
    const serial = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
    return { serial, style: serial < 1 ? DATE_STYLES.time : DATE_STYLES.duration };
  }
  const serial = serialAt(Date.parse(text.includes('T') ? `${text}Z` : text));
  if (!(serial >= MIN_SERIAL)) return undefined;
  return { serial, style: text.includes('T') ? DATE_STYLES.moment : DATE_STYLES.date };
}

/** Computes column widths in characters. */
export async function widthsOf(rows: AsyncIterable<Row>): Promise<readonly number[]> {
  const widths: number[] = [];
  for await (const { texts } of rows) widen(widths, texts);
  return widths;
}
