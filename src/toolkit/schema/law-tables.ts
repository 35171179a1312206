import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../core/package-file.js';
import { unreachable } from '../core/required.js';
import type { Catalogue, CatalogueRow } from './catalogue-text.js';

interface LawTable {
  /** Columns that identify a row: a row of a user or a pack replaces the packaged one with the same. */
  readonly key: readonly string[];
  /** Columns of amounts that rise a little every year. */
  readonly pesos?: readonly string[];
}

let tables: Readonly<Record<string, LawTable>> | undefined;

/** Returns the tables of schemas/catalogues/law-tables.json by name. */
export function lawTables(): Readonly<Record<string, LawTable>> {
  tables ??= JSON.parse(
    readFileSync(packageFile('schemas', 'catalogues', 'law-tables.json'), 'utf8'),
  ) as Record<string, LawTable>;
  return tables;
}

export const isLawTable = (name: string): boolean => Object.hasOwn(lawTables(), name);

/** Returns a law table by its name. @throws Error a programming error, if there is none */
export const lawTable = (name: string): LawTable => lawTables()[name] ?? unreachable(`law table ${name}`);

/** Returns the cells that identify a row of a law table. */
export const lawKeyOf = (table: string, row: CatalogueRow): readonly string[] =>
  lawTable(table).key.map((column) => row[column] ?? '');

export const joinedLawKey = (table: string, row: CatalogueRow): string => lawKeyOf(table, row).join('\u0000');

export const lawRowsByKey = ({
  name,
  rows,
}: Pick<Catalogue, 'name' | 'rows'>): ReadonlyMap<string, CatalogueRow> =>
  new Map(rows.map((row) => [joinedLawKey(name, row), row]));

/** Returns a law table with rows replaced or added, by its key. */
export const mergeLawRows = (list: Catalogue, rows: readonly CatalogueRow[]): Catalogue => ({
  ...list,
  rows: [...lawRowsByKey({ ...list, rows: [...list.rows, ...rows] }).values()],
});

/** Origin of rows of law tables: a pack, or a table of the user. */
export interface LawOrigin {
  readonly kind: 'file' | 'pack';
  /** Name of the file. */
  readonly source: string;
  /** ISO instant. */
  readonly at: string;
  /** SHA-256 in hexadecimal: of the signed content of a pack, or of the rows of a table. */
  readonly hash: string;
  readonly author?: string;
  /** Fingerprint of the key that signed the pack. */
  readonly key?: string;
}

/** Rows of law tables that were added together; later layers replace rows of earlier ones. */
export interface LawLayer extends LawOrigin {
  readonly tables: Readonly<Record<string, readonly CatalogueRow[]>>;
}

const ENDING = '.law';

const filesIn = (folder: string | undefined): readonly string[] =>
  folder !== undefined && existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(ENDING))
        .sort()
        .map((file) => join(folder, file))
    : [];

const readLayer = (file: string): LawLayer => JSON.parse(readFileSync(file, 'utf8')) as LawLayer;

/** Returns the layers of a folder, the oldest first. */
export const readLawLayers = (folder: string | undefined): readonly LawLayer[] =>
  filesIn(folder).map(readLayer);

/** Writes a layer to one file, so that a pack is added completely or not at all. */
export function writeLawLayer(folder: string, layer: LawLayer): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const count = String(filesIn(folder).length).padStart(4, '0');
  const file = join(folder, `${layer.at.replace(/[:.]/g, '')}-${count}-${layer.hash.slice(0, 8)}`);
  writeFileSync(`${file}.part`, `${JSON.stringify(layer, undefined, 1)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file + ENDING);
}

export function removeLawLayers(folder: string, isChosen: (layer: LawLayer) => boolean): void {
  for (const file of filesIn(folder)) if (isChosen(readLayer(file))) rmSync(file);
}

/** Law tables that a run used, so that it can be explained later. */
export interface LawUsed {
  /** SHA-256 over the digests of all law tables, in hexadecimal. */
  readonly sha256: string;
  /** Additions to the packaged rows, the oldest first; `sha256` of a pack is that of its signed content. */
  readonly sources: readonly {
    readonly source: string;
    readonly sha256: string;
    readonly tables: readonly string[];
  }[];
}
