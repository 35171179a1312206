import { readFileSync } from 'node:fs';
import type { Text } from '../issues/codes.js';
import { packageFile } from '../values/package-file.js';

/** How the codes of a published table are found and read. */
export interface CodeColumn {
  /** Labels of the column. */
  readonly titles: readonly string[];
  /** Labels of columns that make the code together, a hyphen between them. */
  readonly joined?: readonly (readonly string[])[];
  /** What a code looks like, as a regular expression. */
  readonly form: string;
  /** Characters of every code: one of digits only that is one short has lost its leading zero. */
  readonly width?: number;
  /** `cie10`: dots are dropped and a category of three characters ends in X. */
  readonly read?: 'cie10';
}

/** A table that an authority publishes and that is too large, or changes too often, to be shipped. */
export interface PublishedTable {
  readonly name: string;
  readonly title: Text;
  /** What the ministry calls it. */
  readonly sispro: string;
  /** The shipped list with a few of its rows, for those who have not loaded it. */
  readonly sample?: string;
  readonly code: CodeColumn;
  /** Our columns, with the labels that publishers write. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Words of a column and the codes they stand for: column → code → words. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Words of columns that every table may have stand once, beside the tables. */
interface PublishedFile {
  readonly words: NonNullable<PublishedTable['words']>;
  readonly tables: readonly PublishedTable[];
}

let tables: readonly PublishedTable[] | undefined;

function read(): readonly PublishedTable[] {
  const file = packageFile('schemas', 'catalogues', 'published.json');
  const { words, tables } = JSON.parse(readFileSync(file, 'utf8')) as PublishedFile;
  return tables.map((table) => ({ ...table, words: { ...words, ...table.words } }));
}

/** The tables of schemas/catalogues/published.json, read once. */
export function publishedTables(): readonly PublishedTable[] {
  tables ??= read();
  return tables;
}

export const publishedTable = (name: string): PublishedTable | undefined =>
  publishedTables().find((table) => table.name === name);
