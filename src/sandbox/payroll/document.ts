import { type CuneParts, DELETION_PARTS, truncateToCents } from '../../families/payroll/cune.js';
import { type Decimal, fromScientific, subtract } from '../../toolkit/core/decimal.js';
import { isDecimal } from '../../toolkit/core/decimal-text.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import { isTrue, member, text } from '../answer.js';
import type { Company } from '../store.js';

/** A payroll, or one of the two kinds of adjust note (service.md 4.8). */
export type DocumentKind = 'payroll' | 'replace' | 'delete';

/** Members of a validated request that service and DIAN use. */
export interface PayrollDocument {
  readonly kind: DocumentKind;
  readonly typeDocumentId: 9 | 10;
  readonly prefix: string;
  readonly consecutive: number;
  /** Prefix and consecutive joined. */
  readonly number: string;
  /** Worker's document without dots or hyphens; `0` for a deletion, which names none. */
  readonly worker: string;
  readonly employee: string;
  readonly email?: string;
  /** `YYYY-MM` of the settlement start: one payroll per worker and month. */
  readonly month: string;
  readonly issueDate: PlainDate;
  readonly settlementEnd: PlainDate;
  readonly accrued: Decimal;
  readonly deductions: Decimal;
  readonly net: Decimal;
  /** CUNE of the document that a note corrects. */
  readonly predecessor?: string;
  /** Declares a second document of the month, with the CUNE of the earlier one. */
  readonly novelty?: { readonly earlier: string };
  readonly body: JsonObject;
}

/** Converts an amount, given as number or numeric text, to an exact decimal. */
export function exactAmount(value: unknown): Decimal | undefined {
  if (typeof value === 'string') {
    const unsigned = value.startsWith('+') ? value.slice(1) : value;
    return isDecimal(unsigned) ? unsigned : undefined;
  }
  return typeof value === 'number' ? fromScientific(String(value)) : undefined;
}

const amount = (body: JsonObject, ...keys: string[]): Decimal =>
  truncateToCents(exactAmount(member(body, ...keys)) ?? '0');

const KINDS: Readonly<Record<string, DocumentKind>> = {
  '9/': 'payroll',
  '10/1': 'replace',
  '10/2': 'delete',
};

export const kindOf = (body: JsonObject): DocumentKind | undefined =>
  KINDS[`${text(body, 'type_document_id')}/${text(body, 'type_note')}`] ??
  (text(body, 'type_document_id') === '9' ? 'payroll' : undefined);

/** Returns prefix and consecutive joined, before validation. */
export const numberOf = (body: JsonObject): string => text(body, 'prefix') + text(body, 'consecutive');

export const workerOf = (body: JsonObject): string =>
  text(body, 'worker', 'identification_number').replace(/[.\s-]/g, '');

const NAME = ['first_name', 'middle_name', 'surname', 'second_surname'];

export function readDocument(kind: DocumentKind, body: JsonObject): PayrollDocument {
  const accrued = amount(body, 'accrued', 'accrued_total');
  const deductions = amount(body, 'deductions', 'deductions_total');
  const consecutive = Number(text(body, 'consecutive'));
  const prefix = text(body, 'prefix');
  const email = text(body, 'worker', 'email');
  const predecessor = text(body, 'predecessor', 'predecessor_cune');
  return {
    kind,
    typeDocumentId: kind === 'payroll' ? 9 : 10,
    prefix,
    consecutive,
    number: `${prefix}${consecutive}`,
    worker: kind === 'delete' ? DELETION_PARTS.workerDocument : workerOf(body),
    employee: NAME.map((part) => text(body, 'worker', part))
      .filter(Boolean)
      .join(' '),
    ...(email !== '' && { email }),
    month: text(body, 'period', 'settlement_start_date').slice(0, 7),
    issueDate: text(body, 'period', 'issue_date'),
    settlementEnd: text(body, 'period', 'settlement_end_date'),
    accrued,
    deductions,
    net: truncateToCents(subtract(accrued, deductions)),
    ...(predecessor !== '' && { predecessor }),
    ...(isTrue(member(body, 'novelty', 'novelty')) && {
      novelty: { earlier: text(body, 'novelty', 'uuidnov') },
    }),
    body,
  };
}

/**
 * Returns the parts of the CUNE: environment and PIN of the company's setup, time of the service's clock (service.md
 * 4.9).
 */
export const cunePartsOf = (document: PayrollDocument, company: Company, issueTime: string): CuneParts => ({
  number: document.number,
  issueDate: document.issueDate,
  issueTime,
  accrued: document.accrued,
  deductions: document.deductions,
  net: document.net,
  employerNit: company.nit,
  workerDocument: document.worker,
  xmlType: document.kind === 'payroll' ? '102' : '103',
  softwarePin: company.software.pinpayroll,
  environment: company.environment === 'production' ? '1' : '2',
});

/** Document as composed by the service for DIAN. */
export interface Composed {
  readonly company: Company;
  readonly document: PayrollDocument;
  readonly parts: CuneParts;
  readonly cune: string;
}

/** Returns the name of a file of the service (service.md 5.2). */
export const fileName = ({ kind, number }: PayrollDocument, ending: 'xml' | 'pdf'): string =>
  `${kind === 'payroll' ? 'NIS' : 'NAS'}-${number}.${ending}`;
