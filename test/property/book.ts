import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { columnIndex, columnLetter } from '../../src/toolkit/core/text.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import type { CellKind, InputFile } from '../../src/toolkit/tables/table.js';
import { partsOf } from '../fuzz/mutations.js';
import { zipOf } from '../support/zip-writer.js';

/** A filled cell of a file, a string of a JSON file, or a text of an XML document. */
export interface Cell {
  /** Base name, with that of the zip before it. */
  readonly file: string;
  readonly sheet?: string;
  /** As issues name it; of JSON and XML the line. */
  readonly row: number;
  /** 0-based; of JSON and XML the position among all texts of the file. */
  readonly column: number;
  readonly text: string;
  readonly kind: CellKind;
}

/** A text that is written in the place of a cell; undefined empties it. */
export interface Change {
  readonly cell: Pick<Cell, 'file' | 'sheet' | 'row' | 'column'>;
  readonly text: string | undefined;
  /** The cell stays, and the text follows as a second cell of the same address. */
  readonly isSecond?: boolean;
}

/** Files in memory, with their cells. */
export interface Book {
  readonly cells: readonly Cell[];
  /** Writes the files with these changes into a folder of their own. Returns their paths. */
  write(changes: readonly Change[]): readonly string[];
}

const keyOf = ({ file, sheet = '', row, column }: Change['cell']): string =>
  `${file}|${sheet}|${row}|${column}`;

type Changes = ReadonlyMap<string, Change>;

/** A file whose cells can be changed. */
interface OpenFile {
  readonly cells: readonly Cell[];
  changed(changes: Changes): Buffer;
}

const decoded = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return (text.includes('\ufffd') ? bytes.toString('latin1') : text).replace(/^\ufeff/, '');
};

function textFile(file: string, bytes: Buffer): OpenFile {
  const text = decoded(bytes);
  const [first = ''] = text.split('\n', 1);
  const signs = ['\t', ';', ','].map((sign) => ({ sign, count: first.split(sign).length }));
  const { sign: delimiter } = signs.reduce((best, one) => (one.count > best.count ? one : best));
  const records = parse(text, { delimiter, relax_column_count: true, relax_quotes: true }) as string[][];
  const cells = records.flatMap((record, at) =>
    record.flatMap((value, column): Cell[] =>
      value === '' ? [] : [{ file, row: at + 1, column, text: value, kind: 'text' }],
    ),
  );
  const field = (value: string): string =>
    /["\n\r]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
  return {
    cells,
    changed: (changes) => {
      const lines = records.map((record, at) => {
        const last = [...changes.values()].map(({ cell }) =>
          cell.file === file && cell.row === at + 1 ? cell.column + 1 : 0,
        );
        return Array.from({ length: Math.max(record.length, ...last) }, (_, column) => {
          const change = changes.get(keyOf({ file, row: at + 1, column }));
          return field(change === undefined ? (record[column] ?? '') : (change.text ?? ''));
        }).join(delimiter);
      });
      return Buffer.from(`${lines.join('\r\n')}\r\n`);
    },
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** The part of each sheet, by its name. */
function sheetParts(parts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const relations = new Map(
    [...parts.get('xl/_rels/workbook.xml.rels')!.matchAll(/<Relationship [^>]*>/g)].map(([tag]) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target').replace(/^\/xl\//, ''),
    ]),
  );
  const names = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(+code));
  return new Map(
    [...parts.get('xl/workbook.xml')!.matchAll(/<sheet [^>]*>/g)].map(([tag]) => [
      `xl/${relations.get(attribute(tag, 'r:id'))!}`,
      names(attribute(tag, 'name')),
    ]),
  );
}

const CELL = /<c\s[^>]*?r="([A-Z]+)\d+"[^>]*?(?:\/>|>.*?<\/c>)/gs;

function changedSheet(xml: string, sheet: string, file: string, changes: Changes): string {
  const own = [...changes.values()].filter(({ cell }) => cell.file === file && cell.sheet === sheet);
  if (own.length === 0) return xml;
  const rows = new Map<number, Change[]>();
  for (const change of own) rows.set(change.cell.row, [...(rows.get(change.cell.row) ?? []), change]);
  return xml
    .replace(/<dimension [^>]*>/, '')
    .replace(/<row\s([^>]*?)(?:\/>|>(.*?)<\/row>)/gs, (whole, attributes: string, content = '') => {
      const here = rows.get(Number(attribute(` ${attributes}`, 'r')));
      if (here === undefined) return whole;
      const cells = new Map(
        [...(content as string).matchAll(CELL)].map(([cell, letters]) => [columnIndex(letters!), cell]),
      );
      for (const { cell, text, isSecond } of here) {
        const before = cells.get(cell.column) ?? '';
        const style = attribute(before.replace(/>.*/s, ''), 's');
        const made =
          text === undefined
            ? ''
            : `<c r="${columnLetter(cell.column)}${cell.row}"${style && ` s="${style}"`} t="inlineStr">` +
              `<is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
        cells.set(cell.column, isSecond ? before + made : made);
      }
      const sorted = [...cells].sort(([a], [b]) => a - b).map(([, cell]) => cell);
      return `<row ${attributes.replace(/\sspans="[^"]*"/, '')}>${sorted.join('')}</row>`;
    });
}

/** The cells as the program reads them: which they are is not what is tested. */
async function cellsOf(input: InputFile): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const { file, sheet, batches } of input.tables)
    for await (const rows of batches())
      for (const { number, texts, kinds } of rows)
        for (const [column, text] of texts.entries())
          if (text !== undefined)
            cells.push({
              file,
              ...(sheet !== undefined && { sheet }),
              row: number,
              column,
              text,
              kind: kinds?.[column] ?? 'text',
            });
  return cells;
}

async function workbook(path: string, file: string): Promise<OpenFile> {
  const input = await openInput(path);
  const cells = await cellsOf(input).finally(() => input.close());
  const parts = new Map(partsOf(readFileSync(path)).map(({ name, data }) => [name, data]));
  const texts = new Map([...parts].map(([name, data]) => [name, data.toString('utf8')]));
  const sheets = sheetParts(texts);
  return {
    cells,
    changed: (changes) =>
      zipOf(
        [...parts].map(([name, data]) => {
          const sheet = sheets.get(name);
          return {
            name,
            data: sheet === undefined ? data : changedSheet(texts.get(name)!, sheet, file, changes),
          };
        }),
      ),
  };
}

/** Texts between delimiters of a language. */
function plainFile(file: string, bytes: Buffer, pattern: RegExp, write: (text: string) => string): OpenFile {
  const whole = bytes.toString('utf8');
  const found = [...whole.matchAll(pattern)];
  const cells = found.map(({ 0: text, index }, column): Cell => {
    const row = whole.slice(0, index).split('\n').length;
    return { file, row, column, text, kind: 'text' };
  });
  return {
    cells,
    changed: (changes) => {
      let at = 0;
      return Buffer.from(
        whole.replace(pattern, (text) => {
          const change = changes.get(keyOf(cells[at++]!));
          return change === undefined ? text : write(change.text ?? '');
        }),
      );
    },
  };
}

/** Strings that are values, without their quotes and without escapes. */
const JSON_STRING = /(?<=:\s*")[^"\\]+(?=")/g;
/** Texts of elements, those of documents within a document too. */
const XML_TEXT = /(?<=<\w[^<>]*>)[^<>&\n]+(?=<\/)/g;

async function openFile(path: string, file: string, bytes: Buffer): Promise<OpenFile> {
  if (/\.xlsx$/.test(file)) return workbook(path, file);
  if (/\.json$/.test(file))
    return plainFile(file, bytes, JSON_STRING, (text) => JSON.stringify(text).slice(1, -1));
  if (/\.xml$/.test(file)) return plainFile(file, bytes, XML_TEXT, escaped);
  if (!/\.zip$/.test(file)) return textFile(file, bytes);
  const parts = await Promise.all(
    partsOf(bytes).map(async ({ name, data }) => ({
      name,
      data: await openFile(path, `${file}/${name}`, data),
    })),
  );
  return {
    cells: parts.flatMap(({ data }) => data.cells),
    changed: (changes) => zipOf(parts.map(({ name, data }) => ({ name, data: data.changed(changes) }))),
  };
}

export async function openBook(paths: readonly string[]): Promise<Book> {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, file: await openFile(path, basename(path), readFileSync(path)) })),
  );
  return {
    cells: files.flatMap(({ file }) => file.cells),
    write: (changes) => {
      const folder = mkdtempSync(join(tmpdir(), 'cargue-property-'));
      mkdirSync(folder, { recursive: true });
      const byKey = new Map(changes.map((change) => [keyOf(change.cell), change]));
      return files.map(({ path, file }) => {
        const to = join(folder, basename(path));
        writeFileSync(to, file.changed(byKey));
        return to;
      });
    },
  };
}
