import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Text } from '../../generated/issue-codes.js';
import { type Issue, type Suggestion, warning } from '../core/issue.js';
import { MAX_NAME_LENGTH } from '../core/limits.js';
import { packageFile } from '../core/package-file.js';
import type { PlainDate } from '../core/plain-date.js';
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

/** Tables that were loaded on this machine: a folder each, a file a version. */

/** Where a version of a table came from. */
interface TableOrigin {
  /** Name of the file that it was read from, or address of the service. */
  readonly source: string;
  readonly kind: 'file' | 'service' | 'pack';
  /** ISO instant. */
  readonly at: string;
  /** SHA-256 of its rows, in hexadecimal: the same rows are the same version. */
  readonly hash: string;
  readonly rows: number;
  /** The first day on which it holds. @default it holds for all days before those of the others */
  readonly from?: PlainDate;
}

const ORIGIN = '.json';
const ROWS = '.csv';

/** A version of a table, by the stem of its files. */
interface Version {
  readonly stem: string;
  readonly origin: TableOrigin;
}

const fromOf = ({ origin }: Version): string => origin.from ?? '';

/** The versions of a table in the order in which they take over, those that another one has replaced left out. */
function versionsIn(folder: string | undefined, name: string): readonly Version[] {
  if (folder === undefined || !existsSync(join(folder, name))) return [];
  const own = join(folder, name);
  const found = readdirSync(own)
    .filter((file) => file.endsWith(ORIGIN))
    .sort()
    .map(
      (file): Version => ({
        stem: join(own, file.slice(0, -ORIGIN.length)),
        origin: JSON.parse(readFileSync(join(own, file), 'utf8')) as TableOrigin,
      }),
    );
  const newest = new Map(found.map((version) => [fromOf(version), version]));
  return [...newest.values()].sort((a, b) => (fromOf(a) < fromOf(b) ? -1 : 1));
}

/** The version that holds on a day; undefined where the first begins later. */
const versionOn = (versions: readonly Version[], day: PlainDate): Version | undefined =>
  versions.findLast((version) => fromOf(version) <= day);

function rowsOf(name: string, { stem }: Version): Catalogue {
  return listOf(name, readFileSync(stem + ROWS, 'utf8'));
}

/** Names of the tables that were loaded. */
const storedNames = (folder: string | undefined): readonly string[] =>
  folder !== undefined && existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && versionsIn(folder, entry.name).length > 0)
        .map(({ name }) => name)
    : [];

/** Where it came from, and whether it is new: the rows in force already are not stored again. */
interface Stored {
  readonly origin: TableOrigin;
  readonly isNew: boolean;
}

/** Keeps a new version. The rows are written before what names them, so that a killed run leaves the old one in force. */
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
  const own = join(folder, table.name);
  mkdirSync(own, { recursive: true });
  const version = join(own, `${at.replace(/[:.]/g, '')}-${hash.slice(0, 8)}`);
  writeFileSync(version + ROWS, text);
  writeFileSync(`${version}.part`, `${JSON.stringify(origin, undefined, 2)}\n`);
  renameSync(`${version}.part`, version + ORIGIN);
  forgetRead();
  return { origin, isNew: true };
}

/** Forgets what was read and made of the lists in force, which are others now. */
function forgetRead(): void {
  const own = lists();
  own.layers = undefined;
  own.versions.clear();
  own.read.clear();
  own.made.clear();
}

const SHIPPED = packageFile('schemas', 'catalogues');

let files: ReadonlyMap<string, string> | undefined;

/** The lists of one company: tables that were loaded into its folder stand before the shipped ones. */
class CatalogueLists {
  readonly folder: string | undefined;
  readonly versions = new Map<string, readonly Version[]>();
  layers: readonly LawLayer[] | undefined;
  /** By name, or by the stem of a version. */
  readonly read = new Map<string, Catalogue | undefined>();
  /** What others made of these lists. */
  readonly made = new Map<unknown, Map<unknown, unknown>>();

  constructor(folder?: string) {
    this.folder = folder;
  }
}

const SHIPPED_ALONE = new CatalogueLists();
/** One process may work for several companies at a time. */
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

/** Does some work with the tables that were loaded into a folder. */
export const withLoadedTables = <T>(folder: string, work: () => T): T =>
  inForce.run(new CatalogueLists(folder), work);

/** Keeps what is made of the lists in force; made anew for those of another company, and when a table is loaded. */
export function keptByLists<K, V>(make: (key: K) => V): (key: K) => V {
  return (key) => {
    const { made } = lists();
    let own = made.get(make) as Map<K, V> | undefined;
    if (own === undefined) {
      own = new Map();
      made.set(make, own);
    }
    const known = own.get(key);
    if (known !== undefined || own.has(key)) return known!;
    const value = make(key);
    own.set(key, value);
    return value;
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

function versionsOf(name: string): readonly Version[] {
  const { folder, versions } = lists();
  let found = versions.get(name);
  if (found === undefined) {
    found = versionsIn(folder, name);
    versions.set(name, found);
  }
  return found;
}

/** Where a loaded list came from, each version that holds for some days, in their order; none for the shipped ones. */
export const catalogueOrigins = (name: string): readonly TableOrigin[] => [
  ...versionsOf(name).map(({ origin }) => origin),
  ...lawLayersOf(name).map(({ tables, ...origin }) => ({ ...origin, rows: tables[name]!.length })),
];

/** Returns what was taken for law tables, the oldest first. */
export function lawLayers(): readonly LawLayer[] {
  const own = lists();
  own.layers ??= readLawLayers(own.folder);
  return own.layers;
}

/** Returns what was taken for one law table, the oldest first. */
export const lawLayersOf = (name: string): readonly LawLayer[] =>
  lawLayers().filter(({ tables }) => Object.hasOwn(tables, name));

/** Whether it depends on the day what a list says. */
export const isDatedTable = (name: string): boolean =>
  versionsOf(name).some((version) => fromOf(version) !== '');

/** The first day of which a list says anything, where it was loaded for days. */
export const firstDay = (name: string): PlainDate | undefined => catalogueOrigins(name)[0]?.from;

/** The day for which rules ask, while they look at something that has one. */
let asked: PlainDate | undefined;

/** Does some work with the versions of tables that hold on a day. */
export function onDay<T>(day: PlainDate, work: () => T): T {
  const before = asked;
  asked = day;
  try {
    return work();
  } finally {
    asked = before;
  }
}

const today = (): PlainDate => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10) as PlainDate;

/** A list as it is shipped. */
export function shippedCatalogue(name: string): Catalogue | undefined {
  const file = catalogueFiles().get(name);
  if (file === undefined) return undefined;
  return listOf(name, readFileSync(file, 'utf8'));
}

const notLoaded = (name: string): Catalogue | undefined =>
  isLawTable(name) ? lawTable(name) : shippedCatalogue(name);

/**
 * The whole list of that name, read once: the loaded one, else the shipped one. Undefined when there is none: a sample
 * of a table cannot say that a code is not in it, nor can a version of which no day is told what held before it.
 */
export function wholeCatalogue(name: string): Catalogue | undefined {
  const { read } = lists();
  const known = asked === undefined ? read.get(name) : undefined;
  if (known !== undefined) return known;
  const versions = versionsOf(name);
  const version =
    asked === undefined ? (versionOn(versions, today()) ?? versions[0]) : versionOn(versions, asked);
  if (version === undefined && versions.length > 0) return undefined;
  const key = version?.stem ?? name;
  if (!read.has(key)) read.set(key, version === undefined ? notLoaded(name) : rowsOf(name, version));
  const found = read.get(key);
  if (asked === undefined) read.set(name, found);
  return found;
}

/** The same, or else the shipped sample of a table that is not loaded. */
export const catalogue = (name: string): Catalogue | undefined =>
  wholeCatalogue(name) ?? wholeCatalogue(publishedTable(name)?.sample ?? '');

/** Returns the shipped rows of a law table together with those that were taken for the company. */
function lawTable(name: string): Catalogue | undefined {
  const shipped = shippedCatalogue(name);
  return (
    shipped && lawLayersOf(name).reduce((list, { tables }) => mergeLawRows(list, tables[name]!), shipped)
  );
}

/** Returns a test of rows that are not in a list as they are. */
function rowsUnlike(list: Catalogue | undefined): (row: CatalogueRow) => boolean {
  const known = lawRowsByKey(list!);
  return (row) => !isDeepStrictEqual(known.get(joinedLawKey(list!.name, row)), row);
}

/**
 * Takes rows of law tables, those left out that change nothing.
 * @returns the tables that are others now; without any, nothing is kept
 */
export function storeLawRows(
  folder: string,
  origin: LawOrigin,
  tables: Readonly<Record<string, readonly CatalogueRow[]>>,
): readonly string[] {
  const changed: string[] = [];
  const kept: Record<string, readonly CatalogueRow[]> = {};
  for (const [name, rows] of Object.entries(tables)) {
    const isChange = rowsUnlike(withLoadedTables(folder, () => wholeCatalogue(name)));
    const isOwn = rowsUnlike(shippedCatalogue(name));
    if (rows.some(isChange)) changed.push(name);
    const own = rows.filter((row) => isOwn(row) || isChange(row));
    if (own.length > 0) kept[name] = own;
  }
  if (changed.length > 0) {
    writeLawLayer(folder, { ...origin, tables: kept });
    forgetRead();
  }
  return changed;
}

/** Removes what was taken for law tables, where a test chooses it. */
export function dropLawRows(folder: string, isChosen: (layer: LawLayer) => boolean): void {
  removeLawLayers(folder, isChosen);
  forgetRead();
}

/** Words that mean an entry, or what it lies within, by its code: `13` → CC, cédula. */
export type Words = Readonly<Record<string, readonly string[]>>;
export type LookupColumn = 'code' | 'id' | 'name';

export type LookupResult =
  | { readonly kind: 'found'; readonly row: CatalogueRow; readonly restored?: string }
  | { readonly kind: 'unknown'; readonly suggestions: readonly Suggestion[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly CatalogueRow[] };

export interface Lookup {
  /** Finds by text, among the entries that agree with `within` (catalogue column → text, folded). */
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

/** Official lists themselves have lost a zero here and there. */
const NEARLY_ALL = 0.99;

/** Nearly all codes of a list have one width: then a shorter number lost its leading zeros. */
function codeWidth(list: Catalogue): number | undefined {
  const counts = new Map<number, number>();
  for (const { code = '' } of list.rows) counts.set(code.length, (counts.get(code.length) ?? 0) + 1);
  const [width, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return count > 0 && count >= list.rows.length * NEARLY_ALL ? width : undefined;
}

const NO_WORDS: Words = {};
const lookups = new WeakMap<Catalogue, WeakMap<Words, Map<string, Lookup>>>();

/**
 * Lookup by the given columns, tried in order. Leading zeros are restored only when the padded code exists;
 * `restored` then says the code, so that the repair is reported. Never matches by likeness. Many columns and mappings ask alike.
 */
export function createLookup(
  list: Catalogue,
  by: readonly LookupColumn[],
  words: Words = NO_WORDS,
  /** The list may lack entries, so nothing in it is suggested for another. */
  open = false,
): Lookup {
  const ofList = lookups.get(list) ?? new WeakMap<Words, Map<string, Lookup>>();
  const ofWords = ofList.get(words) ?? new Map<string, Lookup>();
  lookups.set(list, ofList.set(words, ofWords));
  const key = [...by, open].join();
  const lookup = ofWords.get(key) ?? new ListLookup(list, by, words, open);
  ofWords.set(key, lookup);
  return lookup;
}

/** `1.0`, as programs write a code that a table of theirs held as a number. */
const WHOLE_NUMBER = /^\d+[.,]0+$/;
/** `5.001`, `05 001`, `05-001`: a code in groups of three. */
const GROUPED = /^\d{1,3}(?:[.,' -]\d{3})+$/;
/** `01 - Cotizante`, `CC Cédula de ciudadanía`, `(05001) Medellín`; and `Medellín (05001)`, `Rural - 01`. */
const CODE_THEN_NAME = /^\s*\(?([\p{L}\d]{1,6})\)?(?:\s*[-–—:|./=]\s*|\s+)(\p{L}.*)$/su;
const NAME_THEN_CODE = /^(\p{L}.*?)(?:\s*[-–—:|/(]\s*|\s+)([\p{L}\d]{1,6})\)?\s*$/su;

type Within = Readonly<Record<string, string>> | undefined;

/** Results remembered; a list has few texts that are asked for, a file of wrong ones many. */
const MOST_REMEMBERED = 50_000;

/** Finds the entries of a list by the text of some of its columns. */
class ListLookup implements Lookup {
  /** Rows by their text, made when a column is first asked: a mapping that is only linted asks nothing. */
  private readonly indexes = new Map<LookupColumn, ReadonlyMap<string, readonly CatalogueRow[]>>();
  private readonly known = new Map<string, LookupResult>();
  /** Digits of its codes, to give lost zeros back; null until it is needed. */
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
      if (this.known.size < MOST_REMEMBERED) this.known.set(key, result);
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
    // Made when they are looked at: who only asks whether a text is known asks thousands.
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
      if (rows.length === 1) return { kind: 'found', row: rows[0]! };
      if (rows.length > 1) return { kind: 'ambiguous', candidates: rows };
    }
    if (this.width === null) this.width = codeWidth(this.list);
    if (this.width === undefined || !/^\d+$/.test(text) || text.length >= this.width) return undefined;
    const restored = text.padStart(this.width, '0');
    const [row] = this.rowsBy('code', restored, within);
    return row && { kind: 'found', row, restored };
  }

  /** An entry by its code with its name beside it: both must be of one entry, however rightly the code alone would be one. */
  private named(text: string, within: Within): LookupResult | undefined {
    if (text.length > MAX_NAME_LENGTH) return undefined;
    const [, code, name] = CODE_THEN_NAME.exec(text) ?? [];
    const [, nameFirst, codeLast] = NAME_THEN_CODE.exec(text) ?? [];
    for (const [own, beside] of [[code, name] as const, [codeLast, nameFirst] as const]) {
      const byCode = own === undefined ? undefined : this.entryOf(own, within);
      if (byCode?.kind !== 'found') continue;
      const { row } = byCode;
      if (this.rowsBy('name', squash(beside!)).includes(row)) return { kind: 'found', row };
    }
    return undefined;
  }

  private rowsBy(column: LookupColumn, text: string, within?: Within): readonly CatalogueRow[] {
    let index = this.indexes.get(column);
    if (index === undefined) {
      index = this.indexOf(column);
      this.indexes.set(column, index);
    }
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
/** Of so many wrong codes the nearest are looked for; who has more of them has another table. */
const MOST_LOOKED_FOR = 500;

const withoutZeros = (code: string): string => code.replace(/^0+/, '');

function samePrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** Finds the codes of a list that are nearest to one it does not have: without lost zeros the same, else alike, best of all from their beginning. */
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
    const found = known.get(code) ?? (known.size < MOST_LOOKED_FOR ? search(code) : []);
    known.set(code, found);
    return found;
  };
}

/** What the checks of a table would have been: how many documents they were due for, and by whose rules. */
interface Due {
  documents: number;
  lastDocument: number;
  readonly rules: Set<string>;
}

/** Tables that rules needed in a run and that are not loaded: said once each, never passed over in silence. */
export class UncheckedTables {
  private readonly due = new Map<string, Due>();
  /** The same by the list that a rule gives, which is one object for each rule. */
  private readonly byRule = new Map<readonly string[], readonly Due[]>();
  private document = 0;

  /** A document is about to be checked. */
  begin(): void {
    this.document += 1;
  }

  /** A rule of the document could not be checked, for want of these tables. */
  add(tables: readonly string[], rule: string): void {
    let dues = this.byRule.get(tables);
    if (dues === undefined) {
      dues = tables.map((table) => this.dueOf(table, rule));
      this.byRule.set(tables, dues);
    }
    for (const due of dues) {
      if (due.lastDocument === this.document) continue;
      due.lastDocument = this.document;
      due.documents += 1;
    }
  }

  /** Whether the document is counted for these tables, and the rule that gives the list known: nothing to add. */
  isCounted(tables: readonly string[]): boolean {
    return this.byRule.get(tables)?.every(({ lastDocument }) => lastDocument === this.document) === true;
  }

  private dueOf(table: string, rule: string): Due {
    let due = this.due.get(table);
    if (due === undefined) {
      due = { documents: 0, lastDocument: 0, rules: new Set() };
      this.due.set(table, due);
    }
    due.rules.add(rule);
    return due;
  }

  /**
   * A warning a table: `table` is what `cargue catalogue import --as` calls it, with the column where only that is missing,
   * or the day from which the first version of it holds. Of a law table the period that it has no figure for.
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
