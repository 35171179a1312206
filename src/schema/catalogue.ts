import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { packageFile } from '../core/package-file.js';
import type { Text } from '../generated/issue-codes.js';

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

/** Tables that were loaded on this machine: a folder each, a file a version, the newest in force. */

/** Where a version of a table came from. */
interface TableOrigin {
  /** Name of the file that it was read from, or address of the service. */
  readonly source: string;
  readonly kind: 'file' | 'service';
  /** ISO instant. */
  readonly at: string;
  /** SHA-256 of its rows, in hexadecimal: the same rows are the same version. */
  readonly hash: string;
  readonly rows: number;
}

const ORIGIN = '.json';
const ROWS = '.csv';

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const csvOf = ({ columns, rows }: Omit<Catalogue, 'name'>): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.map(quoted).join(',')}\n`)
    .join('');

/** File stems of the versions of a table, oldest first. */
function versions(folder: string | undefined, name: string): readonly string[] {
  if (folder === undefined || !existsSync(join(folder, name))) return [];
  const own = join(folder, name);
  return readdirSync(own)
    .filter((file) => file.endsWith(ORIGIN))
    .map((file) => file.slice(0, -ORIGIN.length))
    .sort();
}

const originOf = (folder: string, name: string, version: string): TableOrigin =>
  JSON.parse(readFileSync(join(folder, name, version + ORIGIN), 'utf8')) as TableOrigin;

/** Where the version in force came from; undefined when the table was never loaded. */
function storedOrigin(folder: string | undefined, name: string): TableOrigin | undefined {
  const version = versions(folder, name).at(-1);
  return folder === undefined || version === undefined ? undefined : originOf(folder, name, version);
}

/** The version in force; undefined when the table was never loaded. */
function storedTable(folder: string | undefined, name: string): Catalogue | undefined {
  const version = versions(folder, name).at(-1);
  if (folder === undefined || version === undefined) return undefined;
  const [columns = [], ...lines]: string[][] = parse(readFileSync(join(folder, name, version + ROWS)));
  const rows = lines.map(
    (cells): CatalogueRow => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])),
  );
  return { name, columns, rows };
}

/** Names of the tables that were loaded. */
const storedNames = (folder: string | undefined): readonly string[] =>
  folder !== undefined && existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && versions(folder, entry.name).length > 0)
        .map(({ name }) => name)
    : [];

/** Where it came from, and whether it is new: the rows in force already are not stored again. */
export interface Stored {
  readonly origin: TableOrigin;
  readonly isNew: boolean;
}

/** Keeps a new version. The rows are written before what names them, so that a killed run leaves the old one in force. */
export function storeTable(
  folder: string,
  table: Catalogue,
  from: Pick<TableOrigin, 'source' | 'kind'>,
  now: Date,
): Stored {
  const text = csvOf(table);
  const hash = createHash('sha256').update(text).digest('hex');
  const before = storedOrigin(folder, table.name);
  const at = now.toISOString();
  const origin: TableOrigin = { ...from, at, hash, rows: table.rows.length };
  if (before?.hash === hash) return { origin: before, isNew: false };
  const own = join(folder, table.name);
  mkdirSync(own, { recursive: true });
  const version = join(own, `${at.replace(/[:.]/g, '')}-${hash.slice(0, 8)}`);
  writeFileSync(version + ROWS, text);
  writeFileSync(`${version}.part`, `${JSON.stringify(origin, undefined, 2)}\n`);
  renameSync(`${version}.part`, version + ORIGIN);
  const { read, made } = lists();
  read.clear();
  made.clear();
  return { origin, isNew: true };
}

/** A row of a code list; every cell is text, so that `05001` keeps its zero. */
export type CatalogueRow = Readonly<Record<string, string>>;

/** A code list of schemas/catalogues: `id` (the service's own), `code` (the norm's), `name` and what else it says. */
export interface Catalogue {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly CatalogueRow[];
}

const SHIPPED = packageFile('schemas', 'catalogues');
let files: ReadonlyMap<string, string> | undefined;

/** The lists of one company: tables that were loaded into its folder stand before the shipped ones. */
class Lists {
  readonly folder: string | undefined;
  readonly read = new Map<string, Catalogue | undefined>();
  /** What others made of these lists. */
  readonly made = new Map<unknown, Map<unknown, unknown>>();

  constructor(folder?: string) {
    this.folder = folder;
  }
}

const SHIPPED_ALONE = new Lists();
/** One process may work for several companies at a time. */
const inForce = new AsyncLocalStorage<Lists>();
const lists = (): Lists => inForce.getStore() ?? SHIPPED_ALONE;

function catalogueFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    readdirSync(SHIPPED, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.csv'))
      .map((file) => [file.replace(/^.*[\\/]/, '').slice(0, -'.csv'.length), join(SHIPPED, file)]),
  );
  return files;
}

/** Does some work with the tables that were loaded into a folder. */
export const withLoadedTables = <T>(folder: string, work: () => T): T => inForce.run(new Lists(folder), work);

/** Keeps what is made of the lists in force; made anew for those of another company, and when a table is loaded. */
export function keptByLists<K, V>(make: (key: K) => V): (key: K) => V {
  return (key) => {
    const { made } = lists();
    const own = (made.get(make) ?? new Map()) as Map<K, V>;
    made.set(make, own);
    if (!own.has(key)) own.set(key, make(key));
    return own.get(key)!;
  };
}

/** The lists there are: shipped, loaded, and tables of which only a sample is here. */
export const catalogueNames = (): string[] =>
  [
    ...new Set([
      ...catalogueFiles().keys(),
      ...storedNames(lists().folder),
      ...publishedTables()
        .filter(({ sample }) => sample !== undefined)
        .map(({ name }) => name),
    ]),
  ].sort();

/** Where a loaded list came from; undefined for the shipped ones. */
export const catalogueOrigin = (name: string): TableOrigin | undefined => storedOrigin(lists().folder, name);

/** A list as it is shipped. */
export function shippedCatalogue(name: string): Catalogue | undefined {
  const file = catalogueFiles().get(name);
  if (file === undefined) return undefined;
  const rows: CatalogueRow[] = parse(readFileSync(file, 'utf8'), { columns: true, bom: true });
  return { name, columns: Object.keys(rows[0] ?? {}), rows };
}

/**
 * The whole list of that name, read once: the loaded one, else the shipped one. Undefined when there is none: a sample
 * of a table cannot say that a code is not in it.
 */
export function wholeCatalogue(name: string): Catalogue | undefined {
  const { folder, read } = lists();
  if (!read.has(name)) read.set(name, storedTable(folder, name) ?? shippedCatalogue(name));
  return read.get(name);
}

/** The same, or else the shipped sample of a table that is not loaded. */
export const catalogue = (name: string): Catalogue | undefined =>
  wholeCatalogue(name) ?? wholeCatalogue(publishedTable(name)?.sample ?? '');
