import { createHash } from 'node:crypto';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import type { EventCode } from './sequence.js';

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
export const cude = (parts: CudeParts): string =>
  createHash('sha384').update(cudeInput(parts), 'utf8').digest('hex');
