import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Text } from '../../generated/issue-codes.js';
import { type Issue, type Suggestion, warning } from '../core/issue.js';
import { MAX_NAME_LENGTH } from '../core/limits.js';
import { packageFile } from '../core/package-file.js';
import { dateInBogota, type PlainDate } from '../core/plain-date.js';
import { getOrAdd } from '../core/remember.js';
import { unreachable } from '../core/required.js';
import { sha256 } from '../core/sha256.js';
import { squash, suggest } from '../core/text.js';
import { type Catalogue, type CatalogueRow, csvOf, listOf } from './catalogue-text.js';
import {
  isLawTable,
  joinedLawKey,
  type LawLayer,
  type LawOrigin,
  lawRowsByKey,
  mergeLawRows,
  readLawLayers,
  removeLawLayers,
  writeLawLayer,
} from './law-tables.js';

export type { Catalogue, CatalogueRow } from './catalogue-text.js';

/** Column of the codes of a published table, and their form. */
export interface CodeColumn {
  readonly titles: readonly string[];
  /** Labels of columns that form the code together, joined by hyphens. */
  readonly joined?: readonly (readonly string[])[];
  /** Regular expression of a code. */
  readonly form: string;
  /** Length of every code: one of digits that is a character shorter has lost its leading zero. */
  readonly width?: number;
  /** `cie10`: dots are dropped and a category of three characters ends in X. */
  readonly read?: 'cie10';
}

/** Table published by an authority, too large or too volatile to be packaged. */
export interface PublishedTable {
  readonly name: string;
  readonly title: Text;
  /** Name of the table at the ministry. */
  readonly sispro: string;
  /** Packaged list with a few of its rows, for users who have not loaded it. */
  readonly sample?: string;
  readonly code: CodeColumn;
  /** Labels of publishers by our column. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Words of a column and the codes they mean: column → code → words. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** File of published tables; `words` apply to every table that has the column. */
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

/** Returns the tables of schemas/catalogues/published.json. */
export function publishedTables(): readonly PublishedTable[] {
  tables ??= read();
  return tables;
}

export const publishedTable = (name: string): PublishedTable | undefined =>
  publishedTables().find((table) => table.name === name);

/** Origin of a version of a table that was loaded here; each table has a folder, each version a file. */
interface TableOrigin {
  /** File name or service address. */
  readonly source: string;
  readonly kind: 'file' | 'service' | 'pack';
  /** ISO instant. */
  readonly at: string;
  /** SHA-256 of the rows in hexadecimal; equal rows are the same version. */
  readonly hash: string;
  readonly rows: number;
  /** First day of validity. @default valid for all days before other versions */
  readonly from?: PlainDate;
}

const ORIGIN = '.json';
const ROWS = '.csv';

/** Version of a table; `stem` is the common path of its files. */
interface Version {
  readonly stem: string;
  readonly origin: TableOrigin;
}

const fromOf = ({ origin }: Version): string => origin.from ?? '';

/** Returns the versions of a table in order of validity, without replaced ones. */
function versionsIn(folder: string | undefined, name: string): readonly Version[] {
  if (folder === undefined || !existsSync(join(folder, name))) return [];
  const tableFolder = join(folder, name);
  const found = readdirSync(tableFolder)
    .filter((file) => file.endsWith(ORIGIN))
    .sort()
    .map(
      (file): Version => ({
        stem: join(tableFolder, file.slice(0, -ORIGIN.length)),
        origin: JSON.parse(readFileSync(join(tableFolder, file), 'utf8')) as TableOrigin,
      }),
    );
  const newest = new Map(found.map((version) => [fromOf(version), version]));
  return [...newest.values()].sort((a, b) => (fromOf(a) < fromOf(b) ? -1 : 1));
}

/** Returns the version valid on a day; undefined if the first begins later. */
const versionOn = (versions: readonly Version[], day: PlainDate): Version | undefined =>
  versions.findLast((version) => fromOf(version) <= day);

function rowsOf(name: string, { stem }: Version): Catalogue {
  return listOf(name, readFileSync(stem + ROWS, 'utf8'));
}

/** Returns the names of loaded tables. */
const storedNames = (folder: string | undefined): readonly string[] =>
  folder !== undefined && existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && versionsIn(folder, entry.name).length > 0)
        .map(({ name }) => name)
    : [];

/** Result of `storeTable`; not new if the rows are in force already. */
interface Stored {
  readonly origin: TableOrigin;
  readonly isNew: boolean;
}

/**
 * Stores a new version. Rows are written before their origin, so a killed process leaves the old version in
 * force.
 */
export function storeTable(
  folder: string,
  table: Catalogue,
  from: Pick<TableOrigin, 'source' | 'kind' | 'from'>,
  now: Date,
): Stored {
  const text = csvOf(table);
  const hash = sha256(text);
  const before = versionsIn(folder, table.name).find(
    (version) => fromOf(version) === (from.from ?? ''),
  )?.origin;
  const at = now.toISOString();
  const origin: TableOrigin = { ...from, at, hash, rows: table.rows.length };
  if (before?.hash === hash) return { origin: before, isNew: false };
  const tableFolder = join(folder, table.name);
  mkdirSync(tableFolder, { recursive: true });
  const version = join(tableFolder, `${at.replace(/[:.]/g, '')}-${hash.slice(0, 8)}`);
  writeFileSync(version + ROWS, text);
  writeFileSync(`${version}.part`, `${JSON.stringify(origin, undefined, 2)}\n`);
  renameSync(`${version}.part`, version + ORIGIN);
  forgetRead();
  return { origin, isNew: true };
}

/** Drops what was cached of the lists in force. */
function forgetRead(): void {
  const current = lists();
  current.layers = undefined;
  current.versions.clear();
  current.read.clear();
  current.made.clear();
}

const SHIPPED = packageFile('schemas', 'catalogues');

let files: ReadonlyMap<string, string> | undefined;

/** Lists of one company: tables loaded into its folder take precedence over packaged ones. */
class CatalogueLists {
  readonly folder: string | undefined;
  readonly versions = new Map<string, readonly Version[]>();
  layers: readonly LawLayer[] | undefined;
  /** Lists by name, or by the stem of a version. */
  readonly read = new Map<string, Catalogue | undefined>();
  /** Values that other modules derived from these lists. */
  readonly made = new Map<unknown, Map<unknown, unknown>>();

  constructor(folder?: string) {
    this.folder = folder;
  }
}

const SHIPPED_ALONE = new CatalogueLists();
/** Lists of the current company; one process may serve several. */
const inForce = new AsyncLocalStorage<CatalogueLists>();
const lists = (): CatalogueLists => inForce.getStore() ?? SHIPPED_ALONE;

function catalogueFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    readdirSync(SHIPPED, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.csv'))
      .map((file) => [file.replace(/^.*[\\/]/, '').slice(0, -'.csv'.length), join(SHIPPED, file)]),
  );
  return files;
}

export const withLoadedTables = <T>(folder: string, work: () => T): T =>
  inForce.run(new CatalogueLists(folder), work);

/** Caches what is derived from the lists in force, per company and until a table is loaded. */
export function cachedByLists<K, V extends object>(make: (key: K) => V): (key: K) => V {
  return (key) => {
    const { made } = lists();
    let byKey = made.get(make) as Map<K, V> | undefined;
    if (byKey === undefined) {
      byKey = new Map();
      made.set(make, byKey);
    }
    return getOrAdd(byKey, key, () => make(key));
  };
}

/** Returns the names of all lists: packaged, loaded, or packaged as a sample only. */
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

function versionsOf(name: string): readonly Version[] {
  const { folder, versions } = lists();
  return getOrAdd(versions, name, () => versionsIn(folder, name));
}

/** Returns the origins of a loaded list in order of validity; none for packaged lists. */
export const catalogueOrigins = (name: string): readonly TableOrigin[] => [
  ...versionsOf(name).map(({ origin }) => origin),
  ...lawLayersOf(name).map(({ rows, ...origin }) => ({ ...origin, rows: rows.length })),
];

/** Returns the rows added to law tables, the oldest first. */
export function lawLayers(): readonly LawLayer[] {
  const current = lists();
  current.layers ??= readLawLayers(current.folder);
  return current.layers;
}

/** Returns the rows added to one law table with their origins, the oldest first. */
export const lawLayersOf = (
  name: string,
): readonly (LawOrigin & { readonly rows: readonly CatalogueRow[] })[] =>
  lawLayers().flatMap(({ tables, ...origin }) => {
    const rows = Object.hasOwn(tables, name) ? tables[name] : undefined;
    return rows === undefined ? [] : [{ ...origin, rows }];
  });

/** True if a loaded list has versions by day. */
export const isDatedTable = (name: string): boolean =>
  versionsOf(name).some((version) => fromOf(version) !== '');

/** Returns the first day of a list that was loaded with one. */
export const firstDay = (name: string): PlainDate | undefined => catalogueOrigins(name)[0]?.from;

/** Day of the item that rules currently check, if it has one. */
let asked: PlainDate | undefined;

/** Runs `work` with the table versions of a day. */
export function onDay<T>(day: PlainDate, work: () => T): T {
  const before = asked;
  asked = day;
  try {
    return work();
  } finally {
    asked = before;
  }
}

/** Reads a packaged list, if there is one. */
export function shippedCatalogue(name: string): Catalogue | undefined {
  const file = catalogueFiles().get(name);
  if (file === undefined) return undefined;
  return listOf(name, readFileSync(file, 'utf8'));
}

/** Reads the packaged rows of a law table. */
export const shippedLawTable = (name: string): Catalogue =>
  shippedCatalogue(name) ?? unreachable(`law table ${name}`);

const notLoaded = (name: string): Catalogue | undefined =>
  isLawTable(name) ? mergedLawTable(name) : shippedCatalogue(name);

/**
 * Returns the full list of a name: the loaded version, else the packaged one. Undefined if only a sample
 * exists, which cannot tell that a code is unknown, or if no version covers the day.
 */
export function wholeCatalogue(name: string): Catalogue | undefined {
  const { read } = lists();
  const known = asked === undefined ? read.get(name) : undefined;
  if (known !== undefined) return known;
  const versions = versionsOf(name);
  const version =
    asked === undefined
      ? (versionOn(versions, dateInBogota(new Date())) ?? versions[0])
      : versionOn(versions, asked);
  if (version === undefined && versions.length > 0) return undefined;
  const key = version?.stem ?? name;
  if (!read.has(key)) read.set(key, version === undefined ? notLoaded(name) : rowsOf(name, version));
  const found = read.get(key);
  if (asked === undefined) read.set(name, found);
  return found;
}

/** Returns the full list, else the packaged sample of a published table. */
export const catalogue = (name: string): Catalogue | undefined =>
  wholeCatalogue(name) ?? wholeCatalogue(publishedTable(name)?.sample ?? '');

/** Returns a list that is always there: a packaged one. @throws Error a programming error, if it is not */
export const requiredCatalogue = (name: string): Catalogue => catalogue(name) ?? unreachable(`list ${name}`);

/** Returns the packaged rows of a law table merged with those added for the company. */
const mergedLawTable = (name: string): Catalogue =>
  lawLayersOf(name).reduce((list, { rows }) => mergeLawRows(list, rows), shippedLawTable(name));

/** Returns a test of rows that a list does not have in this form. */
function rowsUnlike(list: Catalogue): (row: CatalogueRow) => boolean {
  const known = lawRowsByKey(list);
  return (row) => !isDeepStrictEqual(known.get(joinedLawKey(list.name, row)), row);
}

/**
 * Adds rows to law tables, without those that change nothing.
 * @returns the tables that changed; if none did, nothing is stored
 */
export function storeLawRows(
  folder: string,
  origin: LawOrigin,
  tables: Readonly<Record<string, readonly CatalogueRow[]>>,
): readonly string[] {
  const changed: string[] = [];
  const stored: Record<string, readonly CatalogueRow[]> = {};
  for (const [name, rows] of Object.entries(tables)) {
    const isChange = rowsUnlike(withLoadedTables(folder, () => requiredCatalogue(name)));
    const isAddition = rowsUnlike(shippedLawTable(name));
    if (rows.some(isChange)) changed.push(name);
    const added = rows.filter((row) => isAddition(row) || isChange(row));
    if (added.length > 0) stored[name] = added;
  }
  if (changed.length > 0) {
    writeLawLayer(folder, { ...origin, tables: stored });
    forgetRead();
  }
  return changed;
}

/** Removes the chosen additions to law tables. */
export function dropLawRows(folder: string, isChosen: (layer: LawLayer) => boolean): void {
  removeLawLayers(folder, isChosen);
  forgetRead();
}

/** Words that mean an entry, or its container, by code: `13` → CC, cédula. */
export type Words = Readonly<Record<string, readonly string[]>>;
export type LookupColumn = 'code' | 'id' | 'name';

export type LookupResult =
  | { readonly kind: 'found'; readonly row: CatalogueRow; readonly restored?: string }
  | { readonly kind: 'unknown'; readonly suggestions: readonly Suggestion[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogueRow[] };

export interface Lookup {
  /** Finds an entry by text among those that agree with `within` (catalogue column → text, folded). */
  find(text: string, within?: Readonly<Record<string, string>>): LookupResult;
}

const group = (rows: Iterable<[string, CatalogueRow]>): Map<string, CatalogueRow[]> => {
  const index = new Map<string, CatalogueRow[]>();
  for (const [key, row] of rows) {
    const list = index.get(key);
    if (list === undefined) index.set(key, [row]);
    else if (!list.includes(row)) list.push(row);
  }
  return index;
};

/** Min share of codes of one width; official lists have lost a zero here and there. */
const NEARLY_ALL = 0.99;

/** Returns the width of nearly all codes of a list: a shorter number has lost its leading zeros. */
function codeWidth(list: Catalogue): number | undefined {
  const counts = new Map<number, number>();
  for (const { code = '' } of list.rows) counts.set(code.length, (counts.get(code.length) ?? 0) + 1);
  const [width, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return count > 0 && count >= list.rows.length * NEARLY_ALL ? width : undefined;
}

const NO_WORDS: Words = {};
const lookups = new WeakMap<Catalogue, WeakMap<Words, Map<string, Lookup>>>();

/**
 * Creates a lookup by the given columns, tried in order. Leading zeros are restored only if the padded code
 * exists;
 * `restored` then is that code. Never matches by similarity. Lookups are shared by columns and mappings.
 * @param open the list may lack entries, so nothing in it is suggested for another
 */
export function createLookup(
  list: Catalogue,
  by: readonly LookupColumn[],
  words: Words = NO_WORDS,
  open = false,
): Lookup {
  const ofList = getOrAdd(lookups, list, () => new WeakMap());
  const ofWords = getOrAdd(ofList, words, () => new Map());
  return getOrAdd(ofWords, [...by, open].join(), () => new ListLookup(list, by, words, open));
}

/** `1.0`: a code that another program stored as a number. */
const WHOLE_NUMBER = /^\d+[.,]0+$/;
/** `5.001`, `05 001`, `05-001`: a code in groups of three. */
const GROUPED = /^\d{1,3}(?:[.,' -]\d{3})+$/;
/** `01 - Cotizante`, `CC Cédula de ciudadanía`, `(05001) Medellín`; and `Medellín (05001)`, `Rural - 01`. */
const CODE_THEN_NAME = /^\s*\(?([\p{L}\d]{1,6})\)?(?:\s*[-–—:|./=]\s*|\s+)(\p{L}.*)$/su;
const NAME_THEN_CODE = /^(\p{L}.*?)(?:\s*[-–—:|/(]\s*|\s+)([\p{L}\d]{1,6})\)?\s*$/su;

/** Returns the code that stands before its name, `232101 OBTURACIÓN DENTAL`; any other text as it is. */
export const withoutItsName = (text: string): string => {
  const [, code = '', name = ''] = CODE_THEN_NAME.exec(text) ?? [];
  return /\d{2}/.test(code) && /\p{L}{3}/u.test(name) ? code : text;
};

type Within = Readonly<Record<string, string>> | undefined;

/** Max cached results per list: right texts are few, wrong ones many. */
const MAX_CACHED_RESULTS = 50_000;

/** Finds the entries of a list by the text of some of its columns. */
class ListLookup implements Lookup {
  /** Rows by the text of a column, indexed on first use: linting a mapping looks nothing up. */
  private readonly indexes = new Map<LookupColumn, ReadonlyMap<string, readonly CatalogueRow[]>>();
  private readonly known = new Map<string, LookupResult>();
  /** Width of its codes, to restore lost zeros; null until it is computed. */
  private width: number | undefined | null;

  constructor(
    private readonly list: Catalogue,
    private readonly by: readonly LookupColumn[],
    private readonly words: Words,
    private readonly isOpen: boolean,
  ) {
    this.width = by.includes('code') ? null : undefined;
  }

  find(text: string, within?: Within): LookupResult {
    const key = within === undefined ? text : `${text}\u0000${Object.values(within).join('\u0000')}`;
    let result = this.known.get(key);
    if (result === undefined) {
      result = this.search(text, within);
      if (this.known.size < MAX_CACHED_RESULTS) this.known.set(key, result);
    }
    return result;
  }

  private search(text: string, within: Within): LookupResult {
    const found =
      this.entryOf(text, within) ??
      (GROUPED.test(text)
        ? this.entryOf(text.replace(/\D/g, ''), within)
        : WHOLE_NUMBER.test(text)
          ? this.entryOf(text.replace(/[.,]0+$/, ''), within)
          : this.named(text, within));
    if (found !== undefined) return found;
    if (this.isOpen) return { kind: 'unknown', suggestions: [] };
    const names = (): ReadonlySet<string> => this.namesWithin(within);
    // Computed on access: many callers only ask whether a text is known.
    let suggestions: readonly Suggestion[] | undefined;
    return {
      kind: 'unknown',
      get suggestions() {
        suggestions ??= suggest(text, names());
        return suggestions;
      },
    };
  }

  private entryOf(text: string, within: Within): LookupResult | undefined {
    for (const column of this.by) {
      const rows = this.rowsBy(column, column === 'name' ? squash(text) : text, within);
      const [row, ...others] = rows;
      if (row === undefined) continue;
      return others.length === 0 ? { kind: 'found', row } : { kind: 'ambiguous', candidates: rows };
    }
    if (this.width === null) this.width = codeWidth(this.list);
    if (this.width === undefined || !/^\d+$/.test(text) || text.length >= this.width) return undefined;
    const restored = text.padStart(this.width, '0');
    const [row] = this.rowsBy('code', restored, within);
    return row && { kind: 'found', row, restored };
  }

  /** Finds an entry by code and name in one text; both must be of the same entry. */
  private named(text: string, within: Within): LookupResult | undefined {
    if (text.length > MAX_NAME_LENGTH) return undefined;
    const [, code, name] = CODE_THEN_NAME.exec(text) ?? [];
    const [, nameFirst, codeLast] = NAME_THEN_CODE.exec(text) ?? [];
    return this.entryNamed(code, name, within) ?? this.entryNamed(codeLast, nameFirst, within);
  }

  private entryNamed(
    code: string | undefined,
    name: string | undefined,
    within: Within,
  ): LookupResult | undefined {
    if (code === undefined || name === undefined) return undefined;
    const found = this.entryOf(code, within);
    return found?.kind === 'found' && this.rowsBy('name', squash(name)).includes(found.row)
      ? { kind: 'found', row: found.row }
      : undefined;
  }

  private rowsBy(column: LookupColumn, text: string, within?: Within): readonly CatalogueRow[] {
    const index = getOrAdd(this.indexes, column, () => this.indexOf(column));
    const rows = index.get(text) ?? NO_ROWS;
    return within === undefined ? rows : rows.filter((row) => this.agrees(row, within));
  }

  private indexOf(column: LookupColumn): ReadonlyMap<string, readonly CatalogueRow[]> {
    const { rows } = this.list;
    if (column !== 'name') return group(rows.map((row) => [row[column] ?? '', row]));
    return group([
      ...rows.map((row): [string, CatalogueRow] => [squash(row['name'] ?? ''), row]),
      ...rows.flatMap((row) =>
        (this.words[row['code'] ?? ''] ?? []).map((word): [string, CatalogueRow] => [squash(word), row]),
      ),
    ]);
  }

  private agrees(row: CatalogueRow, within: Readonly<Record<string, string>>): boolean {
    return Object.entries(within).every(([column, text]) => {
      const wanted = squash(text);
      const code = row[`${column}_code`] ?? '';
      const names = [row[column] ?? '', ...(this.words[code] ?? [])];
      return (
        (code !== '' && code === text.padStart(code.length, '0')) ||
        names.some((name) => squash(name) === wanted)
      );
    });
  }

  private namesWithin(within: Within): ReadonlySet<string> {
    const { rows } = this.list;
    const pool = within === undefined ? rows : rows.filter((row) => this.agrees(row, within));
    return new Set((pool.length > 0 ? pool : rows).map((row) => row['name'] ?? ''));
  }
}

const NO_ROWS: readonly CatalogueRow[] = [];

const NEAREST = 3;
/** Max wrong codes for which the nearest are searched; a file with more has another table. */
const MAX_SEARCHED_CODES = 500;

const withoutZeros = (code: string): string => code.replace(/^0+/, '');

function samePrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/**
 * Finds the codes nearest to an unknown one: equal but for leading zeros, else similar, a common prefix first.
 */
export function nearestCodes(name: string): (code: string) => readonly Suggestion[] {
  const known = new Map<string, readonly Suggestion[]>();
  const search = (code: string): readonly Suggestion[] => {
    const codes = (wholeCatalogue(name)?.rows ?? [])
      .filter((row) => row['habilitado'] !== 'NO')
      .map((row) => row['code'] ?? '');
    const bare = withoutZeros(code);
    const padded = codes.filter((other) => bare !== '' && withoutZeros(other) === bare);
    if (padded.length > 0) return padded.slice(0, NEAREST).map((value) => ({ value, score: 1 }));
    return suggest(code, codes, Number.POSITIVE_INFINITY)
      .sort((a, b) => b.score - a.score || samePrefix(b.value, code) - samePrefix(a.value, code))
      .slice(0, NEAREST);
  };
  return (code) => {
    return getOrAdd(known, code, () => (known.size < MAX_SEARCHED_CODES ? search(code) : []));
  };
}

/** Checks that a missing table prevented: number of documents, and codes of the rules. */
interface Due {
  documents: number;
  lastDocument: number;
  readonly rules: Set<string>;
}

/** Counts, for one run, the checks that missing tables prevented, so that each table is reported once. */
export class UncheckedTables {
  private readonly due = new Map<string, Due>();
  /** Same counts by the list that a rule passes, which is one object per rule. */
  private readonly byRule = new Map<readonly string[], readonly Due[]>();
  private document = 0;

  begin(): void {
    this.document += 1;
  }

  /** Records that a rule of the document could not be checked without these tables. */
  add(tables: readonly string[], rule: string): void {
    const dues = getOrAdd(this.byRule, tables, () => tables.map((table) => this.dueOf(table, rule)));
    for (const due of dues) {
      if (due.lastDocument === this.document) continue;
      due.lastDocument = this.document;
      due.documents += 1;
    }
  }

  /** True if the document and the rule are counted for these tables already. */
  isCounted(tables: readonly string[]): boolean {
    return this.byRule.get(tables)?.every(({ lastDocument }) => lastDocument === this.document) === true;
  }

  private dueOf(table: string, rule: string): Due {
    const due = getOrAdd(this.due, table, () => ({
      documents: 0,
      lastDocument: 0,
      rules: new Set<string>(),
    }));
    due.rules.add(rule);
    return due;
  }

  /**
   * Returns one warning per table. `table` is the name for `cargue catalogue import --as`, with the column if
   * only that is missing, or the first day of its first version; for a law table the period without a figure.
   */
  issues(): readonly Issue[] {
    return [...this.due].sort().map(([needed, { documents, rules }]) => {
      const [, table = needed, kind, more = ''] = /^(.*?)(?:([.@#])(.*))?$/.exec(needed) ?? [];
      const params = { table, documents, rules: [...rules].sort().join(', ') };
      if (kind === '#')
        return warning('payroll/figure-missing', {
          table,
          catalogue: table,
          period: more,
          documents,
          checks: params.rules,
        });
      if (kind === '.') return warning('catalogue/column-missing', { ...params, column: more });
      return kind === '@'
        ? warning('catalogue/no-version-then', { ...params, from: more })
        : warning('catalogue/not-loaded', params);
    });
  }
}
