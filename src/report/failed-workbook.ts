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

/** What is written of a sheet. */
export interface KeptSheet {
  readonly name: string;
  /** Those that stay, in order. */
  rows(): AsyncIterable<Row>;
  /** What a row of records has in the column of reasons; the row of labels has its title. */
  reasonOf(row: number): string | undefined;
  /** 0-based; undefined where the sheet has none. */
  readonly reasons: number | undefined;
  /** Of its columns, in characters. */
  readonly widths: readonly number[];
  /** The row of labels. */
  readonly header: number;
}

const LEVEL = 6;
/** A sentence or two can be read without opening the cell. */
const REASONS_WIDTH = 80;
/** Days before that leap day are counted otherwise: they stay text. */
const FIRST_SAFE = 61;

/** Writes rows of tables, one under the other, with their values as they were read: texts stay texts, whatever they begin with. */
export async function writeKeptRows(file: string, sheets: readonly KeptSheet[]): Promise<void> {
  const zip = await ZipFileWriter.open(file, LEVEL);
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
    // What stands above the labels and on them stays where it is.
    at = row.number <= header ? row.number : Math.max(at, header) + 1;
    const style = row.number === header ? HEADER_STYLE : BODY_STYLE;
    let cells = '';
    for (let column = 0; column < Math.min(row.texts.length, MAX_SHEET_COLUMNS); column++) {
      const text = row.texts[column];
      if (text !== undefined && column !== reasons)
        cells += cellXml(`${columnLetter(column)}${at}`, text, row.kinds?.[column] ?? 'text', style);
    }
    const reason = reasons === undefined ? undefined : reasonOf(row.number);
    if (reason !== undefined) cells += editableXml(`${columnLetter(reasons!)}${at}`, reason, style);
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

/** How Excel keeps a date or a time. */
function serialOf(text: string): { readonly serial: number; readonly style: number } | undefined {
  const [, hours, minutes, seconds] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) {
    const serial = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
    return { serial, style: serial < 1 ? DATE_STYLES.time : DATE_STYLES.duration };
  }
  const serial = serialAt(Date.parse(text.includes('T') ? `${text}Z` : text));
  if (!(serial >= FIRST_SAFE)) return undefined;
  return { serial, style: text.includes('T') ? DATE_STYLES.moment : DATE_STYLES.date };
}

/** Of the columns that rows have, in characters. */
export async function widthsOf(rows: AsyncIterable<Row>): Promise<readonly number[]> {
  const widths: number[] = [];
  for await (const { texts } of rows) widen(widths, texts);
  return widths;
}
