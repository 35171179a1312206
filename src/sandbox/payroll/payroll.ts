import type { OperationId } from '../../generated/operations.js';
import type { Handler } from '../answer.js';
import type { Context } from '../context.js';
import { type Archive, openArchive } from './archive.js';
import { openBook } from './book.js';
import type { PayrollContext } from './context.js';
import { documentMail } from './email.js';
import { currentNumber, resolutionSetup } from './numbering.js';
import { preview } from './preview.js';
import { synchronousSend, testSetSend } from './send.js';
import { softwareSetup } from './software.js';
import { documentStatus, zipStatus } from './status.js';

export interface Payroll {
  readonly handlers: ReturnType<typeof handlersOf>;
  /** What DIAN holds. */
  readonly archive: Archive;
}

const handlersOf = (context: PayrollContext) =>
  ({
    configurePayrollSoftware: softwareSetup(context),
    configureResolution: resolutionSetup(context),
    sendPayroll: synchronousSend(context),
    sendPayrollTestSet: testSetSend(context),
    sendAdjustNote: synchronousSend(context),
    sendAdjustNoteTestSet: testSetSend(context),
    previewPayroll: preview(context),
    getCurrentNumber: currentNumber(context),
    getZipStatus: zipStatus(context),
    getDocumentStatus: documentStatus(context),
    emailPayroll: documentMail(context),
  }) satisfies Partial<Record<OperationId, Handler>>;

/** The eleven payroll operations, P1–P11 (service.md 3.1). */
export function openPayroll(context: Context): Payroll {
  const archive = openArchive(context.store);
  return { handlers: handlersOf({ ...context, book: openBook(context.store), archive }), archive };
}
