import { basename } from 'node:path';
import type { CallRequest } from '../client/client.js';
import { capabilities } from '../families/registry.js';
import type { OperationId } from '../generated/operations.js';
import { requireToken } from '../send/verdict.js';
import { type Issue, stop, warning } from '../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { dateInBogota, type PlainDate } from '../toolkit/core/plain-date.js';
import { fold, squash, suggest } from '../toolkit/core/text.js';
import {
  type Catalogue,
  type CatalogueRow,
  catalogue,
  catalogueNames,
  catalogueOrigins,
  type PublishedTable,
  publishedTable,
  publishedTables,
  shippedCatalogue,
  storeTable,
  wholeCatalogue,
} from '../toolkit/schema/catalogue.js';
import { isLawTable, lawTables } from '../toolkit/schema/law-tables.js';
import { headersIn, PublishedReader, type ReadTable } from '../toolkit/schema/read-published.js';
import { withPackedWorkbook } from '../toolkit/tables/packed-workbook.js';
import type { RowSource } from '../toolkit/tables/table.js';
import { badOption } from './bad-option.js';
import { type Context, tableFolder, type UseCase } from './context.js';
import { emitIssues, issueEmitter, type ShownOrigin } from './events.js';
import { HEADER_WITHIN, readFirstSheet } from './first-sheet.js';
import { familiesOf } from './job.js';
import { takeLawTable } from './law.js';
import type { DecisionOptions, ServiceOptions } from './options.js';
import { confirmed } from './secrets.js';
import { clientFor, isRemote, serviceAddress } from './service.js';

export interface CatalogueOptions extends ServiceOptions, DecisionOptions {
  /** Name of the table. */
  readonly as?: string;
  /** First day on which it applies. */
  readonly validFrom?: PlainDate;
}

/** Reads the sheet if it is the table; if its header can be read in several ways, the one with most codes. */
async function readSheet(table: PublishedTable, sheet: RowSource): Promise<ReadTable | undefined> {
  let readers: readonly PublishedReader[] = [];
  let rowsRead = 0;
  for await (const batch of sheet.batches())
    for (const { texts } of batch) {
      for (const reader of readers) reader.add(texts);
      if (readers.some(({ isEmpty }) => !isEmpty)) continue;
      // A title above may contain a column's name, so the last such row before the first code is the header.
      const headers = headersIn(table, texts);
      if (headers.length > 0)
        readers = headers.map((header) => new PublishedReader(table, header, shippedCatalogue(table.name)));
      if (readers.length === 0 && ++rowsRead >= HEADER_WITHIN) return undefined;
    }
  return readers
    .map((reader) => reader.finish())
    .reduce<ReadTable | undefined>(
      (best, other) =>
        best === undefined || other.table.rows.length > best.table.rows.length ? other : best,
      undefined,
    );
}

/**
 * Reads a published table from the first sheet that has its codes.
 * @throws PipelineError('input', catalogue/no-codes) if no sheet has them
 */
const loadPublished = (path: string, table: PublishedTable): Promise<ReadTable> =>
  readFirstSheet(
    path,
    async (sheet) => {
      const read = await readSheet(table, sheet);
      // If most codes have another form, it is another table.
      return read !== undefined && read.table.rows.length > read.refused.count ? read : undefined;
    },
    (file) =>
      stop('input', {
        code: 'catalogue/no-codes',
        value: file,
        params: { table: table.name, expected: table.code.titles.slice(0, 4).join(', ') },
        place: { file },
      }),
  );

/** Creates warnings on the codes that were refused, repeated or restored, and on another table's name. */
function remarksOn(
  { restored, refused, repeated, named }: ReadTable,
  { name, sispro, code }: PublishedTable,
): Issue[] {
  const valued = (issue: Issue, value: string | undefined): Issue =>
    value === undefined ? issue : { ...issue, value };
  const counted = [
    ['catalogue/rows-refused', refused],
    ['catalogue/zeros-restored', restored],
    ['catalogue/repeated', repeated],
  ] as const;
  return [
    ...(named === undefined || fold(named) === fold(sispro)
      ? []
      : [valued(warning('catalogue/other-name', { table: name, expected: sispro }), named)]),
    ...counted
      .filter(([, { count }]) => count > 0)
      .map(([id, { count, first }]) =>
        valued(warning(id, { table: name, count, width: code.width ?? '' }), first),
      ),
  ];
}

function store(context: Context, list: Catalogue, from: Parameters<typeof storeTable>[2]): void {
  const folder = tableFolder(context.workspace);
  const { origin, isNew } = storeTable(folder, list, from, context.now());
  context.tell({ event: 'catalogue-stored', name: list.name, isNew, origin });
}

/** Finds the table by the name that the ministry gives its file: `TablaReferencia_CUPSRips__1.xlsx`. */
function tableCalled(file: string): string | undefined {
  const words = basename(file)
    .split(/[^\p{L}\d]+/u)
    .map(fold);
  return publishedTables().find(({ sispro }) => words.includes(fold(sispro)))?.name;
}

/**
 * `cargue catalogue import FILE --as TABLE`: stores a published table for lookups and rules. With `--valid-from` it
 * applies to services from that day on; earlier ones are checked by the table loaded before. Rows of a law table are
 * added to the shipped ones.
 */
export const catalogueImport: UseCase<CatalogueOptions> = async (context, [file = ''], options) => {
  const { as = tableCalled(file) ?? '', validFrom: from } = options;
  if (isLawTable(as)) return takeLawTable(context, file, as, options);
  const names = [...publishedTables().map(({ name }) => name), ...Object.keys(lawTables())];
  const table = publishedTable(as);
  if (table === undefined) return badOption('--as', as, names.join(' | '), suggest(as, names));
  const read = await withPackedWorkbook(file, (book) => loadPublished(book, table));
  emitIssues(context, remarksOn(read, table));
  store(context, read.table, { kind: 'file', source: basename(file), ...(from !== undefined && { from }) });
  return 'fine';
};

/** Returns the origin of a list; for a loaded table one entry per version, by first day. */
function originsOf(name: string): readonly ShownOrigin[] {
  const loaded = catalogueOrigins(name);
  if (loaded.length > 0)
    return loaded.map(({ kind, rows, source, at, hash, from }) => ({
      origin: kind,
      rows,
      source,
      at,
      version: hash.slice(0, 8),
      ...(from !== undefined && { from }),
    }));
  const rows = catalogue(name)?.rows.length;
  if (rows === undefined) return [{ origin: 'absent', rows: 0 }];
  return [{ origin: wholeCatalogue(name) === undefined ? 'sample' : 'shipped', rows }];
}

/** `cargue catalogue list`: emits each list with origin and version, including tables not loaded yet. */
export const catalogueList: UseCase<CatalogueOptions> = async ({ tell }) => {
  const names = new Set([...catalogueNames(), ...publishedTables().map(({ name }) => name)]);
  for (const name of [...names].sort())
    for (const origin of originsOf(name)) tell({ event: 'catalogue', name, origin });
  return 'fine';
};

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * Completes a row of the service with columns only the shipped list has. Rows match by name first, else by code or
 * id, since deployments number them differently.
 */
function merged(answered: JsonObject, shipped: Catalogue): CatalogueRow {
  const [id, code, name] = [textOf(answered['id']), textOf(answered['code']), textOf(answered['name'])];
  const known =
    shipped.rows.find(
      (row) => squash(row['name'] ?? '') === squash(name) && (code === '' || row['code'] === code),
    ) ?? shipped.rows.find((row) => (code !== '' ? row['code'] === code : row['id'] === id));
  const row = Object.fromEntries(shipped.columns.map((column) => [column, known?.[column] ?? '']));
  return { ...row, ...(id && { id }), ...(code && { code }), ...(name && { name }) };
}

/**
 * Returns the lists of a response under our names, with or without the health module's envelope; none if it has no
 * rows.
 */
function listsIn(names: Readonly<Record<string, string>>, body: JsonValue): readonly Catalogue[] {
  const data = isObject(body) ? (body['data'] ?? body) : undefined;
  return Object.entries(names).flatMap(([member, name]): Catalogue[] => {
    const rows = isObject(data) ? data[member] : data;
    const shipped = shippedCatalogue(name);
    if (!Array.isArray(rows) || rows.length === 0 || shipped === undefined) return [];
    return [
      { name, columns: shipped.columns, rows: rows.filter(isObject).map((row) => merged(row, shipped)) },
    ];
  });
}

/**
 * `cargue catalogue pull`: downloads the service's tables and stores them with the time; they take precedence over
 * the shipped ones.
 */
export const cataloguePull: UseCase<CatalogueOptions> = async (context, _args, options) => {
  const url = serviceAddress(context, options);
  const params = { url: url.origin };
  if (isRemote(url) && !(await confirmed(context, options, { key: 'askPull', params }))) return 'fine';
  const setups = await capabilities(familiesOf(context), 'setup');
  const operations = setups.flatMap(({ lists }) => Object.entries(lists)) as [
    OperationId,
    Readonly<Record<string, string>>,
  ][];
  const teller = issueEmitter(context);
  const client = await clientFor(context, options, url);
  try {
    for (const [operation, names] of operations) {
      const answer = await client.call(operation, {} as CallRequest);
      if (answer.kind === 'failure')
        return stop('service', {
          code: 'run/no-answer',
          value: url.origin,
          params: { reason: answer.reason },
        });
      requireToken(answer);
      const lists = answer.kind === 'json' && answer.status < 400 ? listsIn(names, answer.body) : [];
      if (lists.length === 0)
        teller.emit({
          code: 'catalogue/not-answered',
          level: 'error',
          params: { operation, status: answer.status },
          place: {},
        });
      for (const list of lists) store(context, list, { kind: 'service', source: url.origin });
    }
  } finally {
    teller.end();
    await client.close();
  }
  return teller.errors > 0 ? 'data-errors' : 'fine';
};

/** `cargue catalogue show NAME`: emits the rows that apply today, and their origin. */
export const catalogueShow: UseCase<CatalogueOptions> = async ({ tell, now }, [name = '']) => {
  const list = catalogue(name);
  if (list === undefined)
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'catalogue list' },
      suggestions: suggest(name, catalogueNames()),
    });
  const { columns, rows } = list;
  const origins = originsOf(name);
  // The rows are those that hold today.
  const origin = origins.findLast(({ from = '' }) => from <= dateInBogota(now().getTime())) ?? origins[0]!;
  tell({ event: 'catalogue-rows', name, origin, columns, rows });
  return 'fine';
};
