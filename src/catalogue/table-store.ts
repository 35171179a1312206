import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Catalogue, CatalogueRow } from './catalogue.js';

/** Tables that were loaded on this machine: a folder each, a file a version, the newest in force. */

/** Where a version of a table came from. */
export interface TableOrigin {
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
function versions(folder: string, name: string): readonly string[] {
  const own = join(folder, name);
  if (!existsSync(own)) return [];
  return readdirSync(own)
    .filter((file) => file.endsWith(ORIGIN))
    .map((file) => file.slice(0, -ORIGIN.length))
    .sort();
}

const originOf = (folder: string, name: string, version: string): TableOrigin =>
  JSON.parse(readFileSync(join(folder, name, version + ORIGIN), 'utf8')) as TableOrigin;

/** Where the version in force came from; undefined when the table was never loaded. */
export function storedOrigin(folder: string, name: string): TableOrigin | undefined {
  const version = versions(folder, name).at(-1);
  return version === undefined ? undefined : originOf(folder, name, version);
}

/** The version in force; undefined when the table was never loaded. */
export function storedTable(folder: string, name: string): Catalogue | undefined {
  const version = versions(folder, name).at(-1);
  if (version === undefined) return undefined;
  const [columns = [], ...lines]: string[][] = parse(readFileSync(join(folder, name, version + ROWS)));
  const rows = lines.map(
    (cells): CatalogueRow => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])),
  );
  return { name, columns, rows };
}

/** Names of the tables that were loaded. */
export const storedNames = (folder: string): readonly string[] =>
  existsSync(folder)
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
  return { origin, isNew: true };
}
