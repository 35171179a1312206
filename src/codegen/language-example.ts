import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A construct of the mapping language, shown and tested: a file of `schemas/mapping.examples/`. */
export interface LanguageExample {
  /** Name of its file, without ending. */
  readonly id: string;
  readonly title: string;
  /** Part of the schema of mappings that it belongs to: `table`, `column`; `mapping` is the whole. */
  readonly in: string;
  /** What to look at, in Markdown. */
  readonly about?: string;
  /** Text of the mapping file. Lines `cargue:` and `name:` are added where it has none. */
  readonly mapping: string;
  /** Files in the folder of the mapping, by name. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Files to read: the text of a `.csv`, or the sheets of a workbook, each as `sheetRows` reads them. */
  readonly input?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Every document that comes out, whole. */
  readonly documents?: readonly unknown[];
  /** The same, with only some of their keys. */
  readonly documents_in_part?: readonly Readonly<Record<string, unknown>>[];
  /** `[place, code]` of every issue, in order. */
  readonly issues?: readonly (readonly [place: string, code: string])[];
  /** Places of the records that are no data. */
  readonly skipped?: readonly string[];
  /** `[line:column, code]` of every finding of the lint, which leaves nothing else to come out. */
  readonly lint?: readonly (readonly [place: string, code: string])[];
}

const SUFFIX = '.yaml';

/** The examples in a folder, by name. */
export const readExamples = (folder: string): LanguageExample[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .sort()
    .map((file) => ({
      ...(parse(readFileSync(join(folder, file), 'utf8')) as LanguageExample),
      id: file.slice(0, -SUFFIX.length),
    }));

/** The mapping as a file of its own. What is added stands below, so that lines keep their numbers. */
export const wholeMapping = ({ id, mapping }: LanguageExample): string =>
  [mapping.trimEnd(), /^cargue:/m.test(mapping) ? '' : `cargue: 1\nname: language/${id}\n`].join('\n');

/** A row of a sheet; cells as their text in the example. */
export interface SheetRow {
  /** From 1, as Excel shows it. */
  readonly number: number;
  readonly hidden: boolean;
  readonly cells: readonly string[];
}

/** The rows of a sheet, written `| a | b |` each; a row that starts with `~` is hidden. */
export const sheetRows = (text: string): SheetRow[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line, index) => ({
      number: index + 1,
      hidden: line.startsWith('~'),
      cells: line
        .replace(/^~?\s*\|/, '')
        .replace(/\|\s*$/, '')
        .split('|')
        .map((cell) => cell.trim()),
    }));

/** What a cell holds: a number, a date (`2026-10-31`), nothing, or text; quotes make a text of a number. */
export function cellValue(cell: string): string | number | Date | null {
  if (cell === '') return null;
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell)) return Number(cell);
  if (/^\d{4}-\d{2}-\d{2}$/.test(cell)) return new Date(`${cell}T00:00:00Z`);
  return cell.replace(/^"(.*)"$/, '$1');
}
