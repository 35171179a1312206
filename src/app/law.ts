import type { KeyObject } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseForeignJson } from '../core/foreign-json.js';
import { type Issue, stop, warning } from '../core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { FOREIGN_JSON, MAX_LAW_PACK_BYTES } from '../core/limits.js';
import { sha256 } from '../core/sha256.js';
import { suggest } from '../core/text.js';
import { putInPlace } from '../report/put-in-place.js';
import {
  type CatalogueRow,
  dropLawRows,
  lawLayers,
  shippedCatalogue,
  storeLawRows,
  wholeCatalogue,
} from '../schema/catalogue.js';
import { csvOf } from '../schema/catalogue-text.js';
import { isLawTable, type LawLayer, type LawOrigin, lawTables } from '../schema/law-layers.js';
import { lawTableState, lawTableStates } from '../schema/law-state.js';
import { fingerprintOf, publicKeyOf, signatureOf, signerOf } from '../send/trail.js';
import { withPackedWorkbook } from '../tables/packed-workbook.js';
import { type Context, type Outcome, programVersion, tableFolder, type UseCase } from './context.js';
import { issueTeller, say } from './events.js';
import { checkLawRows, type LawRows, lawDoubts, loadLawRows } from './law-rows.js';
import type { Options } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { confirmed } from './secrets.js';
import { keyIn } from './trail.js';

/** Version of the form of packs, in a member of this name. */
const FORM = 'cargue_law';
const VERSION = 1;

/** Returns JSON with the keys of its objects in order, so that equal content is signed alike. */
const canonicalJson = (value: JsonValue): string =>
  JSON.stringify(value, (_, inner: JsonValue) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

/** Returns the digest that the author of a pack signs: of all but the signature. */
const digestOf = ({ signature: _, ...content }: JsonObject): string => sha256(canonicalJson(content));

/** Rows that are to be taken, and what a person should know before. */
interface Given {
  readonly origin: Omit<LawOrigin, 'at'>;
  readonly tables: LawRows;
  readonly doubts: readonly Issue[];
}

/** Reads the rows of a pack, each with all columns of its table. */
function rowsIn(file: string, tables: JsonValue | undefined): LawRows {
  const refuse = (reason: string): never =>
    stop('input', { code: 'catalogue/not-a-pack', params: { reason }, place: { file } });
  if (!isObject(tables)) return refuse('tables');
  const found = Object.entries(tables).map(([name, rows]) => {
    const list = isLawTable(name) ? shippedCatalogue(name)! : refuse(name);
    if (!Array.isArray(rows)) return refuse(name);
    const texts = rows.map((row): CatalogueRow => {
      if (!isObject(row)) return refuse(name);
      for (const [column, cell] of Object.entries(row))
        if (typeof cell !== 'string' || !list.columns.includes(column)) refuse(`${name}.${column}`);
      return Object.fromEntries(list.columns.map((column) => [column, String(row[column] ?? '')]));
    });
    checkLawRows(name, texts, (index) => ({ file, sheet: name, row: index + 1 }));
    return [name, texts] as const;
  });
  return found.length === 0 ? refuse('tables') : Object.fromEntries(found);
}

/**
 * Reads a pack, and who signed it.
 * @param wanted the key that must have signed
 * @throws PipelineError('input', catalogue/not-a-pack | catalogue/pack-signature | catalogue/bad-figure | catalogue/figure-twice)
 */
async function readPack(path: string, wanted: KeyObject | undefined): Promise<Given> {
  const file = basename(path);
  const refuse = (reason: string): never =>
    stop('input', { code: 'catalogue/not-a-pack', params: { reason }, place: { file } });
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) =>
    stop('input', { code: 'file/not-readable', params: { part: '' }, place: { file } }, error),
  );
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
  const doubts =
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
    tables: rowsIn(file, tables),
    doubts,
  };
}

/** Reads rows of the user's own, from a workbook or a CSV. */
async function readTable(path: string, table: string | undefined): Promise<Given> {
  const tables = await withPackedWorkbook(path, (book) => loadLawRows(book, table));
  const texts = Object.entries(tables).map(([name, rows]) =>
    csvOf({ columns: shippedCatalogue(name)!.columns, rows }),
  );
  return {
    origin: { kind: 'file', source: basename(path), hash: sha256(texts.join('')) },
    tables,
    doubts: [],
  };
}

/** Takes rows once a person has said yes to what is doubtful about them. */
async function take(context: Context, options: Options, given: Given): Promise<Outcome> {
  const { tables } = given;
  const doubts = [...given.doubts, ...lawDoubts(tables)];
  const teller = issueTeller(context);
  for (const issue of doubts) teller.tell(issue);
  teller.end();
  const params = { source: given.origin.source };
  if (doubts.length > 0 && !(await confirmed(context, options, { key: 'askLaw', params }))) {
    say(context, 'lawNotTaken', params);
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

/** Takes rows of one law table from a file of the user's own. */
export const takeLawTable = async (
  context: Context,
  file: string,
  table: string,
  options: Options,
): Promise<Outcome> => take(context, options, await readTable(file, table));

/** `cargue law import FILE`: a pack, or a table of the user's own; its rows join the shipped ones, or stand in their places. */
export const lawImport: UseCase = async (context, [file = ''], options) => {
  const { as, key } = options;
  if (as !== undefined && !isLawTable(as)) {
    const names = Object.keys(lawTables());
    return stop('usage', {
      code: 'run/bad-option',
      value: as,
      params: { option: '--as', expected: names.join(' | ') },
      suggestions: suggest(as, names),
    });
  }
  const wanted = key === undefined ? undefined : await keyIn(key, false);
  const isPack = as === undefined && /\.json$/i.test(file);
  return take(context, options, isPack ? await readPack(file, wanted) : await readTable(file, as));
};

/** `cargue law show`: each law table with its days, its digest and what it is made of. */
export const lawShow: UseCase = async ({ tell }) => {
  for (const state of lawTableStates()) tell({ event: 'law-table', ...state });
  return 'fine';
};

/** `cargue law export FILE`: the law in force as a pack, signed where a key is given. */
export const lawExport: UseCase = async (context, [output = ''], options) => {
  refuseOutput(context, options, { purpose: 'law', output });
  const key = options.key === undefined ? undefined : await keyIn(options.key, true);
  const content: JsonObject = {
    [FORM]: VERSION,
    author: options.as ?? context.profile?.companyName ?? context.account ?? '',
    source: [`cargue ${programVersion()}`, ...new Set(lawLayers().map(({ source }) => source))].join(', '),
    made: context.now().toISOString(),
    tables: Object.fromEntries(
      Object.keys(lawTables()).map((name) => [name, wholeCatalogue(name)!.rows.map((row) => ({ ...row }))]),
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
  if (signer === null) say(context, 'lawExported', { file, hash });
  else say(context, 'lawExportedSigned', { file, hash, key: signer });
  return 'fine';
};

/** Returns a test of what a name means: a source, the beginning of its digest, or the one table that it is. */
const namedBy =
  (name: string | undefined) =>
  ({ source, hash, tables }: LawLayer): boolean =>
    name === undefined ||
    source === name ||
    (name.length >= MIN_DIGEST_LENGTH && hash.startsWith(name)) ||
    Object.keys(tables).every((table) => table === name);

/** Characters of a digest that name a pack. */
const MIN_DIGEST_LENGTH = 8;

/** `cargue law remove [NAME]`: what was taken, all or by name; then what remains. */
export const lawRemove: UseCase = async (context, [name], options) => {
  const isChosen = namedBy(name);
  const chosen = lawLayers().filter(isChosen);
  if (chosen.length === 0) {
    if (name === undefined) {
      say(context, 'lawNothingOwn');
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
  say(context, 'lawRemoved', removed);
  for (const table of [...new Set(chosen.flatMap(({ tables }) => Object.keys(tables)))].sort())
    context.tell({ event: 'law-table', ...lawTableState(table) });
  return 'fine';
};
