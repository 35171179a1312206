import { createHash } from 'node:crypto';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import type { EventCode } from './sequence.js';

/** Parts of an event's CUDE, in hash order (events.md 10). */
export interface CudeParts {
  readonly eventNumber: string;
  readonly issueDate: PlainDate;
  /** Time with zone: `19:48:50-05:00`. */
  readonly issueTime: string;
  /** NITs without check digit. */
  readonly sender: string;
  readonly receiver: string;
  readonly eventCode: EventCode;
  readonly invoiceNumber: string;
  /** InvoiceTypeCode of the invoice, `01` for a sale. */
  readonly invoiceType: string;
  /** PIN known to sender and DIAN; not part of the document. */
  readonly softwarePin: string;
}

/** Returns the text to hash; it has neither an amount nor the environment. */
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

/** Returns the SHA-384 as 96 lowercase hex digits. */
export const cude = (parts: CudeParts): string =>
  createHash('sha384').update(cudeInput(parts), 'utf8').digest('hex');
