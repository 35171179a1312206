import type { KeyObject } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { putInPlace } from '../report/put-in-place.js';
import { fingerprintOf, publicKeyOf, signatureOf, signerOf } from '../send/trail.js';
import { parseForeignJson } from '../toolkit/core/foreign-json.js';
import { type Issue, type Place, stop, warning } from '../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { FOREIGN_JSON, MAX_LAW_PACK_BYTES, MAX_NAME_LENGTH } from '../toolkit/core/limits.js';
import { isPlainDate } from '../toolkit/core/plain-date.js';
import { sha256 } from '../toolkit/core/sha256.js';
import { squash, suggest } from '../toolkit/core/text.js';
import {
  type CatalogueRow,
  dropLawRows,
  lawLayers,
  requiredCatalogue,
  shippedLawTable,
  storeLawRows,
} from '../toolkit/schema/catalogue.js';
import { cellOf, csvOf } from '../toolkit/schema/catalogue-text.js';
import {
  isLawTable,
  joinedLawKey,
  type LawLayer,
  type LawOrigin,
  lawKeyOf,
  lawRowsByKey,
  lawTable,
  lawTables,
} from '../toolkit/schema/law-tables.js';
import { stopUnreadable } from '../toolkit/tables/open.js';
import { withPackedWorkbook } from '../toolkit/tables/packed-workbook.js';
import type { RowSource } from '../toolkit/tables/table.js';
import { badOption } from './bad-option.js';
import { type Context, type Outcome, programVersion, tableFolder, type UseCase } from './context.js';
import { emitIssues, emitMessage } from './events.js';
import { HEADER_WITHIN, readFirstSheet } from './first-sheet.js';
import { lawTableState, lawTableStates } from './law-state.js';
import type { DecisionOptions, OutputOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { confirmed } from './secrets.js';
import { keyIn } from './trail.js';

export interface LawOptions extends DecisionOptions, OutputOptions {
  /** Name of the table, or author of an export. */
  readonly as?: string;
  /** File of the key to sign with or to verify against. */
  readonly key?: string;
}

type LawRows = Readonly<Record<string, readonly CatalogueRow[]>>;

/** Patterns that all cells of a column may share. */
const FORMS = [/^\d+(\.\d+)?$/, /^\d\d:\d\d$/];
const PESOS = /^[1-9]\d*$/;

/** Returns what a cell of a column must be, by its name and the shipped cells. */
function cellTest(table: string, column: string, shipped: readonly string[]): (cell: string) => boolean {
  const { key, pesos = [] } = lawTable(table);
  if (column === 'year') return (cell) => /^\d{4}$/.test(cell);
  if (column === 'valid_from' || column === 'valid_to') return (cell) => cell === '' || isPlainDate(cell);
  if (pesos.includes(column)) return (cell) => PESOS.test(cell);
  const filled = shipped.filter((cell) => cell !== '');
  const form = key.includes(column)
    ? undefined
    : FORMS.find((pattern) => filled.every((cell) => pattern.test(cell)));
  if (form === undefined || filled.length === 0) return (cell) => cell.length <= MAX_NAME_LENGTH;
  const mayBeBlank = filled.length < shipped.length;
  return (cell) => (mayBeBlank && cell === '') || form.test(cell);
}

/** Row of a law table as the user gave it. */
interface GivenRow {
  readonly row: CatalogueRow;
  readonly place: Place;
}

/**
 * Checks the rows of a law table.
 * @throws PipelineError('input', catalogue/bad-figure | catalogue/figure-twice)
 */
function checkLawRows(name: string, rows: readonly GivenRow[]): void {
  const list = shippedLawTable(name);
  const tests = list.columns.map((column) => {
    const shipped = list.rows.map((row) => cellOf(row, column));
    return [column, cellTest(name, column, shipped)] as const;
  });
  const keys = new Set<string>();
  for (const { row, place } of rows) {
    const { valid_from: from = '', valid_to: to = '' } = row;
    const wrong =
      tests.find(([column, isGood]) => !isGood(cellOf(row, column)))?.[0] ??
      (to !== '' && to < from ? 'valid_to' : undefined);
    if (wrong !== undefined)
      stop('input', {
        code: 'catalogue/bad-figure',
        value: cellOf(row, wrong),
        params: { column: wrong },
        place,
      });
    const key = lawKeyOf(name, row).join(' ').trim();
    if (keys.has(key))
      stop('input', { code: 'catalogue/figure-twice', value: key, params: { catalogue: name }, place });
    keys.add(key);
  }
}

/** Returns the law table's columns in a row; undefined unless the row has the key and one more. */
function headerOf(
  name: string,
  texts: readonly (string | undefined)[],
): ReadonlyMap<string, number> | undefined {
  const { key } = lawTable(name);
  const at = new Map(texts.map((text, index) => [squash(text ?? ''), index]));
  const header = new Map(
    shippedLawTable(name).columns.flatMap((column) => {
      const index = at.get(squash(column));
      return index === undefined ? [] : [[column, index] as const];
    }),
  );
  return header.size > key.length && key.every((column) => header.has(column)) ? header : undefined;
}

/** Returns the law table with most columns in this row; undefined if two tables fit equally. */
function headerIn(names: readonly string[], texts: readonly (string | undefined)[]) {
  const found = names.flatMap((name) => {
    const header = headerOf(name, texts);
    return header === undefined
      ? []
      : [{ name, header, missing: shippedLawTable(name).columns.length - header.size }];
  });
  const [best, next] = found.sort((a, b) => b.header.size - a.header.size || a.missing - b.missing);
  const isTie = best?.header.size === next?.header.size && best?.missing === next?.missing;
  return isTie ? undefined : best;
}

/** Reads the rows of a law table from a sheet; undefined if it has no such header. */
async function readSheet(
  names: readonly string[],
  file: string,
  sheet: RowSource,
): Promise<LawRows | undefined> {
  const rows: GivenRow[] = [];
  let found: ReturnType<typeof headerIn>;
  let rowsRead = 0;
  for await (const batch of sheet.batches())
    for (const { texts, number } of batch) {
      if (texts.every((text = '') => text.trim() === '')) continue;
      if (found === undefined) {
        found = headerIn(names, texts);
        if (found === undefined && ++rowsRead >= HEADER_WITHIN) return undefined;
        continue;
      }
      const { name, header } = found;
      const cells = shippedLawTable(name).columns.map((column) => [
        column,
        texts[header.get(column) ?? -1]?.trim() ?? '',
      ]);
      rows.push({ row: Object.fromEntries(cells), place: { file, row: number } });
    }
  if (found === undefined || rows.length === 0) return undefined;
  checkLawRows(found.name, rows);
  return { [found.name]: rows.map(({ row }) => row) };
}

/**
 * Reads rows of a law table from a workbook or a CSV.
 * @param as name of the table; else it is found by file name or columns
 * @throws PipelineError('input', catalogue/no-codes | catalogue/bad-figure | catalogue/figure-twice)
 */
async function loadLawRows(path: string, as: string | undefined): Promise<LawRows> {
  const file = squash(basename(path));
  const name = as ?? Object.keys(lawTables()).find((table) => file.includes(squash(table)));
  const names = name === undefined ? Object.keys(lawTables()) : [name];
  const expected = name === undefined ? names : shippedLawTable(name).columns;
  return readFirstSheet(
    path,
    (sheet, found) => readSheet(names, found, sheet),
    (found) => {
      const given = { value: found, place: { file: found } };
      const params = { expected: expected.join(', ') };
      return name === undefined
        ? stop('input', { code: 'catalogue/no-law-table', params, ...given })
        : stop('input', { code: 'catalogue/no-codes', params: { ...params, table: name }, ...given });
    },
  );
}

/** Warns about an amount lower than the year before, or more than a third higher. */
function amountWarnings(
  name: string,
  column: string,
  row: CatalogueRow,
  before: CatalogueRow,
): readonly Issue[] {
  const was = BigInt(cellOf(before, column));
  const is = BigInt(cellOf(row, column));
  const isMuchHigher = 3n * (is - was) > was; // more than a third
  if (is >= was && !isMuchHigher) return [];
  const params = { catalogue: name, column, period: cellOf(row, 'year'), before: cellOf(before, column) };
  const code = is < was ? 'catalogue/figure-lower' : 'catalogue/figure-higher';
  return [{ ...warning(code, params), value: cellOf(row, column) }];
}

/** Warns about rows that replace others, and amounts far from the year before. */
const lawWarnings = (given: LawRows): readonly Issue[] =>
  Object.entries(given).flatMap(([name, rows]) => {
    const known = lawRowsByKey(requiredCatalogue(name));
    const after = lawRowsByKey({ name, rows });
    const { pesos = [] } = lawTable(name);
    return rows.flatMap((row): readonly Issue[] => {
      const replaced = known.get(joinedLawKey(name, row));
      const column = replaced && Object.keys(row).find((field) => row[field] !== replaced[field]);
      if (replaced !== undefined && column === undefined) return [];
      const lastYear = joinedLawKey(name, { ...row, year: String(Number(row['year']) - 1) });
      const before = after.get(lastYear) ?? known.get(lastYear);
      const warnings =
        before === undefined ? [] : pesos.flatMap((peso) => amountWarnings(name, peso, row, before));
      if (replaced === undefined || column === undefined) return warnings;
      const period = lawKeyOf(name, row).join(' ').trim();
      const params = { catalogue: name, column, period, before: cellOf(replaced, column) };
      return [{ ...warning('catalogue/figure-replaced', params), value: cellOf(row, column) }, ...warnings];
    });
  });

/** Member of a pack that holds its format version. */
const FORM = 'cargue_law';
const VERSION = 1;

/** Serialises JSON with sorted keys, so that equal content has one signature. */
const canonicalJson = (value: JsonValue): string =>
  JSON.stringify(value, (_, inner: JsonValue) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

/** Returns the SHA-256 of a pack without its signature, which the author signs. */
const digestOf = ({ signature: _, ...content }: JsonObject): string => sha256(canonicalJson(content));

/** Rows to store, with warnings for the user. */
interface LawImport {
  readonly origin: Omit<LawOrigin, 'at'>;
  readonly tables: LawRows;
  readonly warnings: readonly Issue[];
}

/** Parses the tables of a pack; each row gets all columns of its table. */
function rowsIn(file: string, tables: JsonValue | undefined, refuse: (reason: string) => never): LawRows {
  if (!isObject(tables)) return refuse('tables');
  const found = Object.entries(tables).map(([name, rows]) => {
    const list = isLawTable(name) ? shippedLawTable(name) : refuse(name);
    if (!Array.isArray(rows)) return refuse(name);
    const texts = rows.map((row): CatalogueRow => {
      if (!isObject(row)) return refuse(name);
      for (const [column, cell] of Object.entries(row))
        if (typeof cell !== 'string' || !list.columns.includes(column)) refuse(`${name}.${column}`);
      return Object.fromEntries(list.columns.map((column) => [column, String(row[column] ?? '')]));
    });
    checkLawRows(
      name,
      texts.map((row, index) => ({ row, place: { file, sheet: name, row: index + 1 } })),
    );
    return [name, texts] as const;
  });
  return found.length === 0 ? refuse('tables') : Object.fromEntries(found);
}

/**
 * Reads a pack and verifies its signature.
 * @param wanted the key that must have signed
 * @throws PipelineError('input', catalogue/not-a-pack | catalogue/pack-signature | catalogue/bad-figure |
 * catalogue/figure-twice)
 */
async function readPack(path: string, wanted: KeyObject | undefined): Promise<LawImport> {
  const file = basename(path);
  const refuse = (reason: string): never =>
    stop('input', { code: 'catalogue/not-a-pack', params: { reason }, place: { file } });
  const { size } = await stat(path).catch((error: unknown) => stopUnreadable(error, file));
  if (size > MAX_LAW_PACK_BYTES) return refuse('too-large');
  const read = parseForeignJson((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''), FOREIGN_JSON);
  if (read.problem !== undefined) return refuse(read.problem);
  const pack = read.value;
  if (!isObject(pack) || pack[FORM] !== VERSION) return refuse(FORM);
  const [twice] = read.duplicateKeys;
  if (twice !== undefined) return refuse(twice);
  const { author, signature, tables } = pack;
  const hash = digestOf(pack);
  const key = isObject(signature) ? signerOf(signature, hash, wanted) : undefined;
  if (key === undefined && (wanted !== undefined || signature !== undefined))
    return stop('input', { code: 'catalogue/pack-signature', params: {}, place: { file } });
  const isKnown = wanted !== undefined || lawLayers().some((layer) => layer.key === key);
  const name = typeof author === 'string' ? author : '';
  const warnings =
    key === undefined
      ? [warning('catalogue/pack-unsigned', { author: name })]
      : isKnown
        ? []
        : [warning('catalogue/pack-unknown-key', { author: name, key })];
  return {
    origin: {
      kind: 'pack',
      source: file,
      hash,
      ...(name !== '' && { author: name }),
      ...(key !== undefined && { key }),
    },
    tables: rowsIn(file, tables, refuse),
    warnings,
  };
}

/** Reads the user's own rows from a workbook or a CSV. */
async function readTable(path: string, table: string | undefined): Promise<LawImport> {
  const tables = await withPackedWorkbook(path, (book) => loadLawRows(book, table));
  const texts = Object.entries(tables).map(([name, rows]) =>
    csvOf({ columns: shippedLawTable(name).columns, rows }),
  );
  return {
    origin: { kind: 'file', source: basename(path), hash: sha256(texts.join('')) },
    tables,
    warnings: [],
  };
}

/** Stores rows; if there are warnings, after the user confirms. */
async function take(context: Context, options: LawOptions, given: LawImport): Promise<Outcome> {
  const { tables } = given;
  const warnings = [...given.warnings, ...lawWarnings(tables)];
  emitIssues(context, warnings);
  const params = { source: given.origin.source };
  if (warnings.length > 0 && !(await confirmed(context, options, { key: 'askLaw', params }))) {
    emitMessage(context, 'lawNotTaken', params);
    return 'fine';
  }
  const origin: LawOrigin = { ...given.origin, at: context.now().toISOString() };
  const changed = storeLawRows(tableFolder(context.workspace), origin, tables);
  for (const [name, { length: rows }] of Object.entries(tables)) {
    const isNew = changed.includes(name);
    if (isNew || changed.length === 0)
      context.tell({ event: 'catalogue-stored', name, isNew, origin: { ...origin, rows } });
  }
  return 'fine';
}

/** Imports the user's rows of one law table. */
export const takeLawTable = async (
  context: Context,
  file: string,
  table: string,
  options: LawOptions,
): Promise<Outcome> => take(context, options, await readTable(file, table));

/**
 * `cargue law import FILE`: imports a pack or the user's own table; its rows are added to the shipped ones or replace
 * them.
 */
export const lawImport: UseCase<LawOptions> = async (context, [file = ''], options) => {
  const { as, key } = options;
  if (as !== undefined && !isLawTable(as)) {
    const names = Object.keys(lawTables());
    return badOption('--as', as, names.join(' | '), suggest(as, names));
  }
  const wanted = key === undefined ? undefined : await keyIn(key, false);
  const isPack = as === undefined && /\.json$/i.test(file);
  return take(context, options, isPack ? await readPack(file, wanted) : await readTable(file, as));
};

/** `cargue law show`: emits each law table with period, digest and origins. */
export const lawShow: UseCase<LawOptions> = async ({ tell }) => {
  for (const state of lawTableStates()) tell({ event: 'law-table', ...state });
  return 'fine';
};

/** `cargue law export FILE`: writes the law in force as a pack, signed if a key is given. */
export const lawExport: UseCase<LawOptions> = async (context, [output = ''], options) => {
  refuseOutput(context, options, { purpose: 'law', output });
  const key = options.key === undefined ? undefined : await keyIn(options.key, true);
  const content: JsonObject = {
    [FORM]: VERSION,
    author: options.as ?? context.profile?.companyName ?? context.account ?? '',
    source: [`cargue ${programVersion()}`, ...new Set(lawLayers().map(({ source }) => source))].join(', '),
    made: context.now().toISOString(),
    tables: Object.fromEntries(
      Object.keys(lawTables()).map((name) => [name, requiredCatalogue(name).rows.map((row) => ({ ...row }))]),
    ),
  };
  const hash = digestOf(content);
  const pack = { ...content, ...(key !== undefined && { signature: signatureOf(hash, key) }) };
  const file = await putInPlace(
    output,
    (temporary) => writeFile(temporary, `${JSON.stringify(pack, undefined, 1)}\n`),
    outputOf(context, options, 'law'),
  );
  const signer = key === undefined ? null : fingerprintOf(publicKeyOf(key));
  context.tell({ event: 'law-pack', file, sha256: hash, key: signer });
  if (signer === null) emitMessage(context, 'lawExported', { file, hash });
  else emitMessage(context, 'lawExportedSigned', { file, hash, key: signer });
  return 'fine';
};

/** Creates a test for layers by name: a source, the start of a digest, or its only table. */
const matchesName =
  (name: string | undefined) =>
  ({ source, hash, tables }: LawLayer): boolean =>
    name === undefined ||
    source === name ||
    (name.length >= MIN_DIGEST_LENGTH && hash.startsWith(name)) ||
    Object.keys(tables).every((table) => table === name);

const MIN_DIGEST_LENGTH = 8;

/** `cargue law remove [NAME]`: removes imported rows, all or by name, and emits what remains. */
export const lawRemove: UseCase<LawOptions> = async (context, [name], options) => {
  const isChosen = matchesName(name);
  const chosen = lawLayers().filter(isChosen);
  if (chosen.length === 0) {
    if (name === undefined) {
      emitMessage(context, 'lawNothingOwn');
      return 'usage';
    }
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'law show' },
      suggestions: suggest(
        name,
        lawLayers().map(({ source }) => source),
      ),
    });
  }
  const removed = {
    count: chosen.length,
    names: [...new Set(chosen.map(({ source }) => source))].join(', '),
  };
  if (!(await confirmed(context, options, { key: 'askLawRemove', params: removed }))) return 'fine';
  dropLawRows(tableFolder(context.workspace), isChosen);
  emitMessage(context, 'lawRemoved', removed);
  for (const table of [...new Set(chosen.flatMap(({ tables }) => Object.keys(tables)))].sort())
    context.tell({ event: 'law-table', ...lawTableState(table) });
  return 'fine';
};
