import type { Decimal } from '../../values/decimal.js';
import type { Collection, Store } from '../store.js';
import type { Verdict } from '../verdict.js';
import type { DocumentKind } from './document.js';

/** A row of the service's own book. What DIAN holds is another matter (archive.ts). */
export interface Row {
  /** NIT. */
  readonly company: string;
  readonly typeDocumentId: number;
  /** Of the resolution, which the request's may differ from. */
  readonly prefix: string;
  readonly consecutive: number;
  readonly number: string;
  readonly cune: string;
  readonly worker: string;
  readonly employee: string;
  readonly net: Decimal;
  readonly accepted: boolean;
}

/** A test-set send on its way to a verdict. */
export interface Batch {
  readonly zipKey: string;
  readonly company: string;
  readonly kind: DocumentKind;
  readonly number: string;
  readonly worker: string;
  readonly cune: string;
  readonly rowKey: string;
  readonly verdict: Verdict;
  /** Status queries that found it in process. */
  readonly polls: number;
  /** Never leaves the queue. */
  readonly stuck?: true;
}

/** The service's own book: its rows, and the test-set sends that it can be asked about. */
export interface Book {
  /** Key of the written row. A row that was accepted stays as it is. */
  write(row: Row): string;
  row(key: string): Row | undefined;
  accept(key: string): void;
  accepted(company: string, typeDocumentId: number, prefix: string, consecutive: number): Row | undefined;
  /** The accepted row of that number, whatever its type. */
  acceptedNumber(company: string, prefix: string, consecutive: number): Row | undefined;
  /** Largest consecutive so far, 0 without any; counts rows that were never accepted on request. */
  highest(company: string, typeDocumentId: number, prefix: string, unaccepted: boolean): number;
  saveBatch(batch: Batch): void;
  batch(zipKey: string): Batch | undefined;
  batchOf(company: string, cune: string): Batch | undefined;
}

const seriesKey = (company: string, typeDocumentId: number, prefix: string): string =>
  [company, typeDocumentId, prefix].join('|');
export const rowKeyOf = (row: Pick<Row, 'company' | 'typeDocumentId' | 'prefix' | 'consecutive'>): string =>
  `${seriesKey(row.company, row.typeDocumentId, row.prefix)}|${row.consecutive}`;

export function openBook(store: Store): Book {
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
  const accepted: Book['accepted'] = (company, typeDocumentId, prefix, consecutive) => {
    const row = rows.get(rowKeyOf({ company, typeDocumentId, prefix, consecutive }));
    return row?.accepted === true ? row : undefined;
  };

  for (const row of rows.values()) raise(row);
  for (const batch of batches.values()) zipKeyOf.set(`${batch.company}|${batch.cune}`, batch.zipKey);
  return {
    write: (row) => {
      const key = rowKeyOf(row);
      if (rows.get(key)?.accepted !== true) put(key, row);
      return key;
    },
    row: (key) => rows.get(key),
    accept: (key) => {
      const row = rows.get(key);
      if (row !== undefined && !row.accepted) put(key, { ...row, accepted: true });
    },
    accepted,
    acceptedNumber: (company, prefix, consecutive) =>
      accepted(company, 9, prefix, consecutive) ?? accepted(company, 10, prefix, consecutive),
    highest: (company, typeDocumentId, prefix, unaccepted) =>
      highestOf[unaccepted ? 'written' : 'accepted'].get(seriesKey(company, typeDocumentId, prefix)) ?? 0,
    saveBatch: (batch) => {
      batches.put(batch.zipKey, batch);
      zipKeyOf.set(`${batch.company}|${batch.cune}`, batch.zipKey);
    },
    batch: (zipKey) => batches.get(zipKey),
    batchOf: (company, cune) => batches.get(zipKeyOf.get(`${company}|${cune}`) ?? ''),
  };
}
