import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Language } from '../toolkit/core/issue.js';
import { formatCount, inWords } from '../toolkit/messages/texts.js';
import { TONES } from './palette.js';
import type { CellValue, Column, SheetRows } from './rows.js';

/** Size and margin in points; A4 landscape. */
const PAGE = { width: 841.89, height: 595.28, margin: 28 } as const;
const INNER = PAGE.width - 2 * PAGE.margin;
/** Rows of a list on a page, if all have one line. */
const ROWS_PER_PAGE = 40;
const ROW_HEIGHT = 12;
/** Height of a line of small text. */
const LINE_HEIGHT = 5.2;
/** Lowest end of the last row of a page. */
const PAGE_BOTTOM = PAGE.height - 30;
/** Max lines of a cell: as many as fit on a page. */
const MAX_LINES = 90;
const HEAD_HEIGHT = 15;
const PAD = 5;
const SIZE = { title: 16, cover: 9, cell: 7.5, least: 4.5, hash: 5, foot: 7 } as const;
/** Width in points for half of a code of 96 characters. */
const HASH_WIDTH = 150;
/** Max links, since the writer holds them until the end; further codes are plain text. */
const MAX_LINKS = 5_000;
const FONTS = { plain: 'Helvetica', bold: 'Helvetica-Bold', hash: 'Courier' } as const;
const INK = { text: '#1F2933', faint: '#6B7280', line: '#C9CED6', band: '#1F3A5F', link: '#0B57D0' } as const;

/** Characters outside Latin-1 that the standard fonts can show. */
const EXTRA_CHARACTERS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** Replaces characters that the fonts lack by the letter without accent, or a question mark. */
const printableText = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/\s+/g, ' ')]
    .map((char) => {
      const isKnown = (letter: string): boolean =>
        /[\u0020-\u007E\u00A0-\u00FF]/.test(letter) || EXTRA_CHARACTERS.includes(letter);
      if (isKnown(char)) return char;
      const [plain = '?'] = char.normalize('NFD');
      return isKnown(plain) ? plain : '?';
    })
    .join('');

interface Cell {
  readonly text: string;
  readonly kind: Column['kind'] | 'heading';
  readonly colour?: string;
  readonly link?: string;
}

/** Kinds that are formatted for the language. */
const FORMS: Partial<Record<Cell['kind'], 'number' | 'date'>> = { amount: 'number', date: 'date' };

function cellOf(value: CellValue, kind: Cell['kind'], language: Language): Cell {
  if (value === undefined) return { text: '', kind };
  if (typeof value === 'number') return { text: formatCount(value, language), kind };
  if (typeof value === 'string') {
    const form = FORMS[kind];
    return { text: form === undefined ? printableText(value) : inWords(value, form, language), kind };
  }
  if ('as' in value) return cellOf(value.value, value.as, language);
  const text = printableText(value.text);
  return 'tone' in value
    ? { text, kind, colour: `#${TONES[value.tone].font.slice(2)}` }
    : { text, kind, link: value.link };
}

interface PaperColumn extends Column {
  /** Index of the value in the rows. */
  readonly at: number;
  readonly left: number;
  readonly points: number;
}

/** Returns the printed columns with positions over the full width. */
function layOutColumns(columns: readonly Column[]): readonly PaperColumn[] {
  const printed = columns.flatMap((column, at) => (column.screen ? [] : [{ ...column, at }]));
  const hashes = printed.filter(({ kind }) => kind === 'hash').length;
  const units = printed.reduce((sum, { kind, width }) => sum + (kind === 'hash' ? 0 : width), 0);
  const unit = (INNER - hashes * HASH_WIDTH) / Math.max(units, 1);
  let left = PAGE.margin as number;
  return printed.map((column) => {
    const points = column.kind === 'hash' ? HASH_WIDTH : column.width * unit;
    left += points;
    return { ...column, points, left: left - points };
  });
}

const isRight = (kind: Cell['kind']): boolean => kind === 'count' || kind === 'amount';

interface PdfOptions {
  readonly language: Language;
  readonly now: Date;
  /** Title on every page. */
  readonly title: string;
}

/**
 * Prints the sheets for paper: the cover, then lists of 40 rows to a page; pages are streamed.
 * @throws the file system's error
 */
export async function writePdf(
  file: string,
  sheets: readonly SheetRows[],
  { language, now, title }: PdfOptions,
): Promise<void> {
  // Loaded lazily: most calls print nothing.
  const { default: PDFDocument } = await import('pdfkit');
  const info = { Title: title, Creator: 'cargue', Producer: 'cargue', CreationDate: now };
  const doc = new PDFDocument({ size: 'A4', layout: 'landscape', margin: 0, autoFirstPage: false, info });
  const out = createWriteStream(file);
  const written = finished(doc.pipe(out));
  written.catch(() => undefined);
  let pages = 0;
  let links = 0;
  let y = 0;

  const put = (text: string, left: number, top: number, width: number, right = false): void => {
    const space = right ? Math.max(width - doc.widthOfString(text), 0) : 0;
    doc.text(text, left + space, top, { lineBreak: false });
  };

  /** Reduces the letter size until the text fits; at the smallest size the text is cut. */
  function fitted(text: string, width: number, size: number): string {
    let at = size;
    while (at > SIZE.least && doc.fontSize(at).widthOfString(text) > width) at -= 0.5;
    doc.fontSize(at);
    if (doc.widthOfString(text) <= width) return text;
    let end = text.length;
    while (end > 1 && doc.widthOfString(`${text.slice(0, end)}…`) > width) end -= 1;
    return `${text.slice(0, end)}…`;
  }

  function drawCode({ text, link: wanted }: Cell, left: number, top: number): void {
    const link = wanted !== undefined && links < MAX_LINKS ? wanted : undefined;
    if (link !== undefined) links += 1;
    const half = Math.ceil(text.length / 2);
    doc
      .font(FONTS.hash)
      .fontSize(SIZE.hash)
      .fillColor(link === undefined ? INK.text : INK.link);
    const lines = text.length > 48 ? [text.slice(0, half), text.slice(half)] : [text];
    for (const [at, line] of lines.entries()) put(line, left + PAD, top + 1.2 + at * 5, HASH_WIDTH);
    if (link !== undefined) doc.link(left + PAD, top, HASH_WIDTH - 2 * PAD, ROW_HEIGHT, link);
  }

  /** Splits a text into lines of small letters; a word longer than a line is split too. */
  function linesOf(text: string, points: number): readonly string[] {
    doc.font(FONTS.plain).fontSize(SIZE.hash);
    const fits = (line: string): boolean => doc.widthOfString(line) <= points - 2 * PAD;
    function parted(word: string): readonly string[] {
      if (fits(word)) return [word];
      let end = word.length - 1;
      while (end > 1 && !fits(word.slice(0, end))) end -= 1;
      return [word.slice(0, end), ...parted(word.slice(end))];
    }
    const lines = [''];
    for (const word of text.split(' ').flatMap(parted)) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (fits(longer)) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.slice(0, MAX_LINES);
  }

  function drawLines(lines: readonly string[], left: number, top: number): void {
    doc.font(FONTS.plain).fontSize(SIZE.hash).fillColor(INK.text);
    for (const [at, line] of lines.entries()) put(line, left + PAD, top + 1.2 + at * LINE_HEIGHT, INNER);
  }

  function drawCell(cell: Cell, { left, points, kind }: PaperColumn, top: number, size: number): void {
    if (cell.text === '') return;
    const isHeading = cell.kind === 'heading';
    doc
      .font(isHeading || cell.colour !== undefined ? FONTS.bold : FONTS.plain)
      .fillColor(isHeading ? '#FFFFFF' : (cell.colour ?? INK.text));
    const text = fitted(cell.text, points - 2 * PAD, size);
    put(text, left + PAD, top + 2.5, points - 2 * PAD, isRight(isHeading ? kind : cell.kind));
  }

  const band = (top: number, height: number): void =>
    void doc.rect(PAGE.margin, top, INNER, height).fill(INK.band);
  const rule = (top: number): void =>
    void doc
      .moveTo(PAGE.margin, top)
      .lineTo(PAGE.width - PAGE.margin, top)
      .lineWidth(0.4)
      .stroke(INK.line);

  function openPage(heading: string): void {
    doc.addPage();
    pages += 1;
    doc.font(FONTS.bold).fontSize(10).fillColor(INK.text);
    put(fitted(printableText(heading), INNER / 3, 10), PAGE.margin, 20, INNER / 3);
    doc.font(FONTS.plain).fontSize(SIZE.foot).fillColor(INK.faint);
    put(printableText(title), PAGE.width - PAGE.margin - INNER * 0.6, 22, INNER * 0.6, true);
    put(String(pages), PAGE.margin, PAGE.height - 22, INNER, true);
    y = 38;
  }

  function drawHead(columns: readonly PaperColumn[]): void {
    band(y, HEAD_HEIGHT);
    for (const column of columns) {
      doc.font(FONTS.bold).fillColor('#FFFFFF');
      const text = fitted(printableText(column.heading), column.points - 2 * PAD, SIZE.cell);
      put(text, column.left + PAD, y + 4, column.points - 2 * PAD, isRight(column.kind));
    }
    y += HEAD_HEIGHT;
  }

  /** Prints the cover: names and values. */
  async function printCover({ name, columns, rows }: SheetRows): Promise<void> {
    const printed = layOutColumns(columns);
    openPage(name);
    doc.font(FONTS.bold).fontSize(SIZE.title).fillColor(INK.text);
    put(printableText(columns[0]?.heading ?? ''), PAGE.margin, y, INNER);
    y += 26;
    for await (const values of rows) {
      const cells = printed.map((column) => ({
        column,
        cell: cellOf(values[column.at], column.kind, language),
      }));
      if (y > PAGE.height - 40) openPage(name);
      if (cells.some(({ cell }) => cell.kind === 'heading')) band(y, HEAD_HEIGHT);
      else if (values.length > 0) rule(y + HEAD_HEIGHT - 0.5);
      let left = 0;
      for (const [at, { column, cell }] of cells.entries()) {
        // A fact may extend over the blank cells to its right.
        const isFact = at === 1 && cells.length > 2 && values.length === 2;
        drawCell(cell, isFact ? { ...column, points: INNER - left } : column, y, SIZE.cover);
        left += column.points;
      }
      y += HEAD_HEIGHT;
    }
  }

  async function printList({ name, columns, rows, optional }: SheetRows): Promise<void> {
    const printed = layOutColumns(columns);
    const message = columns.findIndex(({ kind, screen }) => kind === 'long' && screen);
    const begin = (): void => {
      openPage(name);
      drawHead(printed);
    };
    if (!optional) begin();
    /** Returns the lines of a cell with more than one: the reason why a code is missing, or a long text. */
    function linesIn({ kind, points }: PaperColumn, { text }: Cell, reason: string): readonly string[] {
      if (kind === 'hash') return text === '' ? linesOf(reason, points) : [];
      if (kind !== 'long') return [];
      const lines = linesOf(text, points);
      return lines.length > 1 ? lines : [];
    }

    let onPage = 0;
    let isFirst = true;
    for await (const values of rows) {
      // The message is printed where the code is missing.
      const reason = message < 0 ? '' : cellOf(values[message], 'long', language).text;
      const cells = printed.map((column) => {
        const cell = cellOf(values[column.at], column.kind, language);
        return { column, cell, lines: linesIn(column, cell, reason) };
      });
      const height = Math.max(ROW_HEIGHT, ...cells.map(({ lines }) => lines.length * LINE_HEIGHT + 1.6));
      if (onPage === ROWS_PER_PAGE || (onPage > 0 && y + height > PAGE_BOTTOM) || (isFirst && optional)) {
        if (!isFirst) await setImmediate(); // the page leaves
        begin();
        onPage = 0;
      }
      for (const { column, cell, lines } of cells) {
        if (lines.length > 0) drawLines(lines, column.left, y);
        else if (column.kind === 'hash') drawCode(cell, column.left, y);
        else drawCell(cell, column, y, SIZE.cell);
      }
      y += height;
      rule(y);
      onPage += 1;
      isFirst = false;
    }
  }

  const print = async (): Promise<void> => {
    for (const sheet of sheets) if (sheet.paper) await (sheet.cover ? printCover(sheet) : printList(sheet));
    doc.end();
    await written;
  };
  await Promise.race([print(), written.then(() => new Promise<never>(() => undefined))]);
}
