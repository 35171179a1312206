import { createHash } from 'node:crypto';
import type { Decimal } from '../../core/decimal.js';
import type { PlainDate } from '../../core/plain-date.js';
import type { EventCode } from './sequence.js';

/** The parts of an invoice's CUFE in the order they are hashed (events.md 10). Amounts have two decimals. */
export interface CufeParts {
  /** Prefix and number joined: `FE2301`. */
  readonly number: string;
  readonly issueDate: PlainDate;
  /** With its zone: `10:53:10-05:00`. */
  readonly issueTime: string;
  /** Before taxes. */
  readonly gross: Decimal;
  readonly iva: Decimal;
  readonly inc: Decimal;
  readonly ica: Decimal;
  readonly total: Decimal;
  /** NITs without check digit. */
  readonly seller: string;
  readonly buyer: string;
  /** Of the seller's numbering range, known to seller and DIAN only. */
  readonly technicalKey: string;
  /** 1 production, 2 tests. */
  readonly environment: '1' | '2';
}

/** The parts of an event's CUDE in the order they are hashed (events.md 10). */
export interface CudeParts {
  readonly eventNumber: string;
  readonly issueDate: PlainDate;
  /** With its zone: `19:48:50-05:00`. */
  readonly issueTime: string;
  /** NITs without check digit. */
  readonly sender: string;
  readonly receiver: string;
  readonly eventCode: EventCode;
  readonly invoiceNumber: string;
  /** InvoiceTypeCode of the invoice, `01` for a sale. */
  readonly invoiceType: string;
  /** Known to sender and DIAN, never part of the document. */
  readonly softwarePin: string;
}

/** Codes in front of the three taxes. */
const IVA = '01';
const INC = '04';
const ICA = '03';

const sha384 = (text: string): string => createHash('sha384').update(text, 'utf8').digest('hex');

/** The text that is hashed: the parts joined without any separator. */
export const cufeInput = (parts: CufeParts): string =>
  [
    parts.number,
    parts.issueDate,
    parts.issueTime,
    parts.gross,
    IVA,
    parts.iva,
    INC,
    parts.inc,
    ICA,
    parts.ica,
    parts.total,
    parts.seller,
    parts.buyer,
    parts.technicalKey,
    parts.environment,
  ].join('');

/** The text that is hashed: neither an amount nor the environment is in it. */
export const cudeInput = (parts: CudeParts): string =>
  [
    parts.eventNumber,
    parts.issueDate,
    parts.issueTime,
    parts.sender,
    parts.receiver,
    parts.eventCode,
    parts.invoiceNumber,
    parts.invoiceType,
    parts.softwarePin,
  ].join('');

/** SHA-384 as 96 lower-case hex characters. */
export const cufe = (parts: CufeParts): string => sha384(cufeInput(parts));
export const cude = (parts: CudeParts): string => sha384(cudeInput(parts));
