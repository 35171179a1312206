import { basename } from 'node:path';
import type { CallRequest } from '../client/client.js';
import { capabilities } from '../families/registry.js';
import type { OperationId } from '../generated/operations.js';
import { bogotaDate } from '../send/rate-limiter.js';
import { requireToken } from '../send/verdict.js';
import { type Issue, stop, warning } from '../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import type { PlainDate } from '../toolkit/core/plain-date.js';
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
import { type Context, tableFolder, type UseCase } from './context.js';
import { issueTeller, type ShownOrigin } from './events.js';
import { HEADER_WITHIN, readFirstSheet } from './first-sheet.js';
import { familiesOf } from './job.js';
import { takeLawTable } from './law.js';
import type { DecisionOptions, ServiceOptions } from './options.js';
import { confirmed } from './secrets.js';
import { clientFor, isElsewhere, serviceAddress } from './service.js';

export interface CatalogueOptions extends ServiceOptions, DecisionOptions {
  /** The table. */
  readonly as?: string;
  /** The first day on which it holds. */
  readonly validFrom?: PlainDate;
}

/** Reads the sheet, when it is the table: of several ways to read it the one with most codes. */
async function readSheet(table: PublishedTable, sheet: RowSource): Promise<ReadTable | undefined> {
  let readers: readonly PublishedReader[] = [];
  let seen = 0;
  for await (const batch of sheet.batches())
    for (const { texts } of batch) {
      for (const reader of readers) reader.add(texts);
      if (readers.some(({ isEmpty }) => !isEmpty)) continue;
      // A title above may be called as a column is: the last such row before the first code is the header.
      const headers = headersIn(table, texts);
      if (headers.length > 0)
        readers = headers.map((header) => new PublishedReader(table, header, shippedCatalogue(table.name)));
      if (readers.length === 0 && ++seen >= HEADER_WITHIN) return undefined;
    }
  return readers
    .map((reader) => reader.finish())
    .reduce<ReadTable | undefined>(
      (best, one) => (best === undefined || one.table.rows.length > best.table.rows.length ? one : best),
      undefined,
    );
}

/**
 * Reads a published table: the first sheet that has its codes.
 * @throws PipelineError('input', catalogue/no-codes) when no sheet has them
 */
const loadPublished = (path: string, table: PublishedTable): Promise<ReadTable> =>
  readFirstSheet(
    path,
    async (sheet) => {
      const read = await readSheet(table, sheet);
      // Where most codes have another form, it is another table.
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

/** What people should know of the codes that were read. */
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

/** Keeps a list on this machine, and says so. */
function store(context: Context, list: Catalogue, from: Parameters<typeof storeTable>[2]): void {
  const folder = tableFolder(context.workspace);
  const { origin, isNew } = storeTable(folder, list, from, context.now());
  context.tell({ event: 'catalogue-stored', name: list.name, isNew, origin });
}

/**
 * `cargue catalogue import FILE --as TABLE`: a published table, from now on used by lookups and rules; with a day, for services
 * from then on, those before being checked by what was loaded for them. Rows of a law table join the shipped ones.
 */
export const catalogueImport: UseCase<CatalogueOptions> = async (context, [file = ''], options) => {
  const { as = '', validFrom: from } = options;
  if (isLawTable(as)) return takeLawTable(context, file, as, options);
  const names = [...publishedTables().map(({ name }) => name), ...Object.keys(lawTables())];
  const table = publishedTable(as);
  if (table === undefined)
    return stop('usage', {
      code: 'run/bad-option',
      value: as,
      params: { option: '--as', expected: names.join(' | ') },
      suggestions: suggest(as, names),
    });
  const read = await withPackedWorkbook(file, (book) => loadPublished(book, table));
  const teller = issueTeller(context);
  for (const issue of remarksOn(read, table)) teller.tell(issue);
  teller.end();
  store(context, read.table, { kind: 'file', source: basename(file), ...(from !== undefined && { from }) });
  return 'fine';
};

/** Where a list comes from: of a loaded table each version, in the order of their days. */
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

/** `cargue catalogue list`: each list with its origin and version, parted by a tab; tables that could be loaded among them. */
export const catalogueList: UseCase<CatalogueOptions> = async ({ tell }) => {
  const names = new Set([...catalogueNames(), ...publishedTables().map(({ name }) => name)]);
  for (const name of [...names].sort())
    for (const origin of originsOf(name)) tell({ event: 'catalogue', name, origin });
  return 'fine';
};

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * What the service says, with what only the shipped list knows: found by name, else by id or code, since a deployment may count
 * otherwise than ours did.
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

/** The lists of an answer by our names, with the envelope of the health module or without; none where it has no rows. */
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

/** `cargue catalogue pull`: the tables of the service as they are now, kept with the time and used before the shipped ones. */
export const cataloguePull: UseCase<CatalogueOptions> = async (context, _args, options) => {
  const url = serviceAddress(context, options);
  const params = { url: url.origin };
  if (isElsewhere(url) && !(await confirmed(context, options, { key: 'askPull', params }))) return 'fine';
  const setups = await capabilities(familiesOf(context), 'setup');
  const asked = setups.flatMap(({ lists }) => Object.entries(lists)) as [
    OperationId,
    Readonly<Record<string, string>>,
  ][];
  const teller = issueTeller(context);
  const client = await clientFor(context, options, url);
  try {
    for (const [operation, names] of asked) {
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
        teller.tell({
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

/** `cargue catalogue show NAME`: its rows, columns parted by tabs; where it comes from is said to people. */
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
  const origin = origins.findLast(({ from = '' }) => from <= bogotaDate(now().getTime())) ?? origins[0]!;
  tell({ event: 'catalogue-rows', name, origin, columns, rows });
  return 'fine';
};
