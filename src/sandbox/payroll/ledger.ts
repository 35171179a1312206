import type { Decimal } from '../../toolkit/core/decimal.js';
import type { Verdict } from '../answer.js';
import type { Environment } from '../options.js';
import type { Collection, Store } from '../store.js';
import type { DocumentKind } from './document.js';

/** Row of the service's own records, independent of DIAN's (`Archive`). */
export interface Row {
  /** NIT. */
  readonly company: string;
  readonly typeDocumentId: number;
  /** Prefix of the resolution, which may differ from the request's. */
  readonly prefix: string;
  readonly consecutive: number;
  readonly number: string;
  readonly cune: string;
  readonly worker: string;
  readonly employee: string;
  readonly net: Decimal;
  readonly accepted: boolean;
}

/** Test-set submission waiting for its verdict. */
export interface Batch {
  readonly zipKey: string;
  readonly company: string;
  readonly kind: DocumentKind;
  readonly number: string;
  readonly worker: string;
  readonly cune: string;
  readonly rowKey: string;
  readonly verdict: Verdict;
  /** Number of status queries that found it in process. */
  readonly polls: number;
  /** True if it never leaves the queue. */
  readonly stuck?: true;
}

/** The service's own records: its rows, and test-set submissions that can be queried. */
export type Ledger = ReturnType<typeof openLedger>;

const seriesKey = (company: string, typeDocumentId: number, prefix: string): string =>
  [company, typeDocumentId, prefix].join('|');
const rowKeyOf = (row: Pick<Row, 'company' | 'typeDocumentId' | 'prefix' | 'consecutive'>): string =>
  `${seriesKey(row.company, row.typeDocumentId, row.prefix)}|${row.consecutive}`;

export function openLedger(store: Store) {
  const rows: Collection<Row> = store.collection('rows');
  const batches: Collection<Batch> = store.collection('batches');
  const highestOf = { accepted: new Map<string, number>(), written: new Map<string, number>() };
  const zipKeyOf = new Map<string, string>();

  const raise = (row: Row): void => {
    const series = seriesKey(row.company, row.typeDocumentId, row.prefix);
    for (const highest of row.accepted ? Object.values(highestOf) : [highestOf.written])
      highest.set(series, Math.max(highest.get(series) ?? 0, row.consecutive));
  };
  const put = (key: string, row: Row): void => {
    rows.put(key, row);
    raise(row);
  };
  const accepted = (company: string, typeDocumentId: number, prefix: string, consecutive: number) => {
    const row = rows.get(rowKeyOf({ company, typeDocumentId, prefix, consecutive }));
    return row?.accepted === true ? row : undefined;
  };

  for (const row of rows.values()) raise(row);
  for (const batch of batches.values()) zipKeyOf.set(`${batch.company}|${batch.cune}`, batch.zipKey);
  return {
    /** Writes a row, unless it is accepted already; returns its key. */
    write: (row: Row) => {
      const key = rowKeyOf(row);
      if (rows.get(key)?.accepted !== true) put(key, row);
      return key;
    },
    row: (key: string) => rows.get(key),
    accept: (key: string) => {
      const row = rows.get(key);
      if (row !== undefined && !row.accepted) put(key, { ...row, accepted: true });
    },
    accepted,
    /** Returns the accepted row of a number, whatever its type. */
    acceptedNumber: (company: string, prefix: string, consecutive: number) =>
      accepted(company, 9, prefix, consecutive) ?? accepted(company, 10, prefix, consecutive),
    /** Returns the largest consecutive, or 0; with `unaccepted`, rows never accepted count too. */
    highest: (company: string, typeDocumentId: number, prefix: string, unaccepted: boolean) =>
      highestOf[unaccepted ? 'written' : 'accepted'].get(seriesKey(company, typeDocumentId, prefix)) ?? 0,
    saveBatch: (batch: Batch) => {
      batches.put(batch.zipKey, batch);
      zipKeyOf.set(`${batch.company}|${batch.cune}`, batch.zipKey);
    },
    batch: (zipKey: string) => batches.get(zipKey),
    batchOf: (company: string, cune: string) => batches.get(zipKeyOf.get(`${company}|${cune}`) ?? ''),
  };
}

/** Document accepted by DIAN. */
export interface ArchivedDocument {
  /** NIT of the employer. */
  readonly company: string;
  readonly environment: Environment;
  readonly kind: DocumentKind;
  readonly number: string;
  readonly cune: string;
  readonly worker: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** CUNE of the payroll at the start of its chain of notes; its own for a payroll. */
  readonly root: string;
  readonly accrued: Decimal;
  readonly deductions: Decimal;
  readonly net: Decimal;
  /** ISO instant. */
  readonly acceptedAt: string;
  /** True on the payroll if a note deleted its chain: it stays, but cannot be adjusted (payroll.md 8). */
  readonly deleted?: true;
}

/** Employer in one environment, within which documents are visible. */
export interface Realm {
  readonly company: string;
  readonly environment: Environment;
}

/** Documents held by DIAN. */
export type Archive = ReturnType<typeof openArchive>;

/** XML of accepted documents, base64, by CUNE. */
export type Papers = ReturnType<typeof openPapers>;

/** Max stored XML documents, so that a long run does not fill the memory. */
const MAX_PAPERS = 10_000;

export function openPapers(store: Store) {
  const papers: Collection<string> = store.collection('papers');
  const order = [...papers.keys()];
  return {
    keep: (cune: string, xml: string) => {
      if (papers.get(cune) === undefined && order.push(cune) > MAX_PAPERS) papers.delete(order.shift() ?? '');
      papers.put(cune, xml);
    },
    of: (cune: string) => papers.get(cune),
  };
}

const realmKey = ({ company, environment }: Realm, ...more: string[]): string =>
  [company, environment, ...more].join('|');

export function openArchive(store: Store) {
  const documents: Collection<ArchivedDocument> = store.collection('documents');
  const numbers = new Map<string, string>();
  const months = new Map<string, Set<string>>();

  const monthKey = (document: ArchivedDocument): string =>
    realmKey(document, document.worker, document.month);
  const index = (document: ArchivedDocument): void => {
    numbers.set(realmKey(document, document.number), document.cune);
    if (document.kind !== 'payroll') return;
    const cunes = months.get(monthKey(document)) ?? new Set();
    months.set(monthKey(document), cunes.add(document.cune));
  };
  const isDeleted = (document: ArchivedDocument): boolean => documents.get(document.root)?.deleted === true;

  for (const document of documents.values()) index(document);
  return {
    accept: (document: ArchivedDocument) => {
      documents.put(document.cune, document);
      index(document);
    },
    byCune: (realm: Realm, cune: string) => {
      const document = documents.get(cune);
      return document !== undefined && realmKey(document) === realmKey(realm) ? document : undefined;
    },
    byNumber: (realm: Realm, number: string) => documents.get(numbers.get(realmKey(realm, number)) ?? ''),
    /** Returns payrolls of a worker and month that no note deleted. */
    ofMonth: (realm: Realm, worker: string, month: string) =>
      [...(months.get(realmKey(realm, worker, month)) ?? [])]
        .flatMap((cune) => documents.get(cune) ?? [])
        .filter((document) => !isDeleted(document)),
    isDeleted,
    markDeleted: (root: string) => {
      const document = documents.get(root);
      if (document !== undefined) documents.put(root, { ...document, deleted: true });
    },
    list: () => [...documents.values()],
    /** Removes a document as if it had never arrived. */
    forget: (cune: string) => {
      const document = documents.get(cune);
      if (document === undefined) return false;
      numbers.delete(realmKey(document, document.number));
      months.get(monthKey(document))?.delete(cune);
      return documents.delete(cune);
    },
  };
}
