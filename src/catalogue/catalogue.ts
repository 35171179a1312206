import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { packageFile } from '../values/package-file.js';
import { publishedTable, publishedTables } from './published-tables.js';
import { storedNames, storedOrigin, storedTable, type TableOrigin } from './table-store.js';

/** A row of a code list; every cell is text, so that `05001` keeps its zero. */
export type CatalogueRow = Readonly<Record<string, string>>;

/** A code list of schemas/catalogues: `id` (the service's own), `code` (the norm's), `name` and what else it says. */
export interface Catalogue {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly CatalogueRow[];
}

const SHIPPED = packageFile('schemas', 'catalogues');
const known = new Map<string, Catalogue | undefined>();
let files: ReadonlyMap<string, string> | undefined;
let loaded: string | undefined;
let edition = 0;

function catalogueFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    readdirSync(SHIPPED, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.csv'))
      .map((file) => [file.replace(/^.*[\\/]/, '').slice(0, -'.csv'.length), join(SHIPPED, file)]),
  );
  return files;
}

/** From now on, tables that were loaded into a folder stand before the shipped ones; undefined: no such folder. */
export function useLoadedTables(folder: string | undefined): void {
  loaded = folder;
  known.clear();
  edition += 1;
}

/** Grows when lists may have changed, for those who keep what they made of one. */
export const catalogueEdition = (): number => edition;

/** The lists there are: shipped, loaded, and tables of which only a sample is here. */
export const catalogueNames = (): string[] =>
  [
    ...new Set([
      ...catalogueFiles().keys(),
      ...(loaded === undefined ? [] : storedNames(loaded)),
      ...publishedTables()
        .filter(({ sample }) => sample !== undefined)
        .map(({ name }) => name),
    ]),
  ].sort();

/** Where a loaded list came from; undefined for the shipped ones. */
export const catalogueOrigin = (name: string): TableOrigin | undefined =>
  loaded === undefined ? undefined : storedOrigin(loaded, name);

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
  if (known.has(name)) return known.get(name);
  const list = (loaded === undefined ? undefined : storedTable(loaded, name)) ?? shippedCatalogue(name);
  known.set(name, list);
  return list;
}

/** The same, or else the shipped sample of a table that is not loaded. */
export const catalogue = (name: string): Catalogue | undefined =>
  wholeCatalogue(name) ?? wholeCatalogue(publishedTable(name)?.sample ?? '');
