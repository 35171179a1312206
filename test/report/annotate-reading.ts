import { posix } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import exceljs from 'exceljs';
import { SaxesParser } from 'saxes';
import { openPromise } from 'yauzl';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { openInput } from '../../src/toolkit/tables/open.js';

/** Cells of every sheet by address: what it holds and of which kind. */
export type Cells = Readonly<Record<string, Readonly<Record<string, string>>>>;

export async function cellsOf(path: string): Promise<Cells> {
  const input = await openInput(path);
  try {
    const sheets: Record<string, Record<string, string>> = {};
    for (const table of input.tables) {
      const cells: Record<string, string> = {};
      sheets[table.sheet!] = cells;
      for await (const batch of table.batches())
        for (const row of batch)
          for (const [column, text] of row.texts.entries())
            if (text !== undefined)
              cells[`${columnLetter(column)}${row.number}`] = `${row.kinds?.[column] ?? 'text'} ${text}`;
    }
    return sheets;
  } finally {
    await input.close();
  }
}

export interface ZipPart {
  /** Packed, as it lies in the zip. */
  readonly packed: Buffer;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Parts of a zip by name; sizes and checksums are verified. */
export async function partsOf(path: string): Promise<ReadonlyMap<string, ZipPart>> {
  const zip = await openPromise(path, { autoClose: false });
  const parts = new Map<string, ZipPart>();
  try {
    for await (const entry of zip.eachEntry()) {
      const chunks: Buffer[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry, { decodeFileData: false }))
        chunks.push(chunk);
      const packed = Buffer.concat(chunks);
      const bytes = entry.compressionMethod === 0 ? packed : inflateRawSync(packed);
      if (crc32(bytes) !== entry.crc32 || bytes.length !== entry.uncompressedSize)
        throw new Error(entry.fileName);
      if (parts.has(entry.fileName)) throw new Error(`twice ${entry.fileName}`);
      parts.set(entry.fileName, { packed, bytes, text: bytes.toString('utf8') });
    }
  } finally {
    zip.close();
  }
  return parts;
}

export async function loaded(path: string): Promise<exceljs.Workbook> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(path);
  return book;
}

/** Texts of the notes of a sheet by address. */
export async function notesOf(path: string, sheet = 1): Promise<Readonly<Record<string, string>>> {
  const parts = await partsOf(path);
  const relations = parts.get(`xl/worksheets/_rels/sheet${sheet}.xml.rels`)?.text ?? '';
  const target = /Target="\.\.\/(comments\d+\.xml)"/.exec(relations)?.[1];
  const notes: Record<string, string> = {};
  if (target === undefined) return notes;
  let at = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, attributes }) => {
    if (local !== 'comment') return;
    at = attributes['ref']!.value;
    if (at in notes) throw new Error(`two notes on ${at}`);
    notes[at] = '';
  });
  parser.on('text', (text) => {
    if (at !== '') notes[at] += text;
  });
  parser.on('closetag', ({ local }) => {
    if (local === 'comment') at = '';
  });
  parser.write(parts.get(`xl/${target}`)!.text).close();
  return notes;
}

/** What a cell looks like: fill, number format, bold, alignment, border. */
export async function looksOf(path: string, address: string, sheet = 0) {
  const cell = (await loaded(path)).worksheets[sheet]!.getCell(address);
  const { fill } = cell;
  return {
    fill:
      fill?.type === 'pattern' && fill.pattern !== 'none'
        ? { pattern: fill.pattern, ...fill.fgColor }
        : undefined,
    numFmt: cell.numFmt,
    bold: cell.font?.bold ?? false,
    alignment: cell.alignment,
    border: cell.border,
  };
}

/** Names of the elements of a part, in their order; throws when it is not well-formed. */
export function elementsOf({ bytes }: ZipPart): string[] {
  const mark = bytes.readUInt16BE(0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  const names: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local }) => names.push(local));
  parser.write(new TextDecoder(encoding, { fatal: true }).decode(bytes)).close();
  return names;
}

/** The order in which a sheet's children must stand (ECMA-376 part 1, 18.3.1.99). */
const SHEET_ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetProtection autoFilter mergeCells conditionalFormatting dataValidations hyperlinks pageMargins pageSetup headerFooter drawing legacyDrawing legacyDrawingHF picture oleObjects controls tableParts extLst'.split(
    ' ',
  );

/** What Excel would repair: parts that are not well-formed, not typed, relationships to nothing, children in disorder. */
export async function faultsOf(path: string): Promise<string[]> {
  const parts = await partsOf(path);
  const faults: string[] = [];
  const types = parts.get('[Content_Types].xml')!.text;
  for (const [name, part] of parts) {
    if (/\.(xml|rels)$/.test(name)) elementsOf(part);
    if (/comments\d+\.xml$/.test(name) && !types.includes(`PartName="/${name}"`))
      faults.push(`untyped ${name}`);
    if (name.endsWith('.vml') && !types.includes('Extension="vml"')) faults.push(`untyped ${name}`);
    if (name.endsWith('.rels')) {
      const base = posix.join('/', posix.dirname(name), '..', 'x');
      for (const [, target] of part.text.matchAll(/Target="([^"]*)"/g))
        if (!parts.has(posix.resolve(posix.dirname(base), target!).slice(1)))
          faults.push(`${name} → ${target}`);
    }
    if (/worksheets\/sheet\d+\.xml$/.test(name)) {
      const places = elementsOf(part)
        .map((element) => SHEET_ORDER.indexOf(element))
        .filter((place) => place >= 0);
      if (places.some((place, index) => place < (places[index - 1] ?? -1)))
        faults.push(`disorder in ${name}`);
    }
  }
  return faults;
}
