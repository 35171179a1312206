import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { packageFile } from '../values/package-file.js';

/** A row of a code list; every cell is text, so that `05001` keeps its zero. */
export type CatalogueRow = Readonly<Record<string, string>>;

/** A code list of schemas/catalogues: `id` (the service's own), `code` (the norm's), `name` and what else it says. */
export interface Catalogue {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly CatalogueRow[];
}

const FOLDER = packageFile('schemas', 'catalogues');
const loaded = new Map<string, Catalogue>();
let files: ReadonlyMap<string, string> | undefined;

function catalogueFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.csv'))
      .map((file) => [file.replace(/^.*[\\/]/, '').slice(0, -'.csv'.length), join(FOLDER, file)]),
  );
  return files;
}

export const catalogueNames = (): string[] => [...catalogueFiles().keys()].sort();

/** The code list of that name, read once; undefined when there is none. */
export function catalogue(name: string): Catalogue | undefined {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = catalogueFiles().get(name);
  if (file === undefined) return undefined;
  const rows: CatalogueRow[] = parse(readFileSync(file, 'utf8'), { columns: true, bom: true });
  const list = { name, columns: Object.keys(rows[0] ?? {}), rows };
  loaded.set(name, list);
  return list;
}
