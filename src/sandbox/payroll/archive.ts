import type { Decimal } from '../../values/decimal.js';
import type { Environment } from '../options.js';
import type { Collection, Store } from '../store.js';
import type { DocumentKind } from './document.js';

/** A document that DIAN accepted. */
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
  /** Set on the payroll when a note deletes its chain: it stays, but nothing more can be adjusted (payroll.md 8). */
  readonly deleted?: true;
}

/** One employer in one environment: nobody sees further. */
export interface Realm {
  readonly company: string;
  readonly environment: Environment;
}

/** What DIAN holds. */
export interface Archive {
  accept(document: ArchivedDocument): void;
  byCune(realm: Realm, cune: string): ArchivedDocument | undefined;
  byNumber(realm: Realm, number: string): ArchivedDocument | undefined;
  /** Payrolls of a worker and month that no note deleted. */
  ofMonth(realm: Realm, worker: string, month: string): readonly ArchivedDocument[];
  isDeleted(document: ArchivedDocument): boolean;
  markDeleted(root: string): void;
  list(): readonly ArchivedDocument[];
  /** As if it had never arrived. */
  forget(cune: string): boolean;
}

const realmKey = ({ company, environment }: Realm, ...more: string[]): string =>
  [company, environment, ...more].join('|');

export function openArchive(store: Store): Archive {
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
    accept: (document) => {
      documents.put(document.cune, document);
      index(document);
    },
    byCune: (realm, cune) => {
      const document = documents.get(cune);
      return document !== undefined && realmKey(document) === realmKey(realm) ? document : undefined;
    },
    byNumber: (realm, number) => documents.get(numbers.get(realmKey(realm, number)) ?? ''),
    ofMonth: (realm, worker, month) =>
      [...(months.get(realmKey(realm, worker, month)) ?? [])]
        .map((cune) => documents.get(cune)!)
        .filter((document) => !isDeleted(document)),
    isDeleted,
    markDeleted: (root) => {
      const document = documents.get(root);
      if (document !== undefined) documents.put(root, { ...document, deleted: true });
    },
    list: () => [...documents.values()],
    forget: (cune) => {
      const document = documents.get(cune);
      if (document === undefined) return false;
      numbers.delete(realmKey(document, document.number));
      months.get(monthKey(document))?.delete(cune);
      return documents.delete(cune);
    },
  };
}
