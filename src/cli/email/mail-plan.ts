import type { Issue, Place } from '../../issues/issue.js';
import { stop } from '../../issues/pipeline-error.js';
import { validate } from '../../schema/validate.js';
import type { Journal } from '../../send/journal.js';
import type { MailItem } from '../../send/mail-document.js';
import type { Mailbook } from '../../send/mailbook.js';
import { numberText, type RunBody, runBodies } from '../../send/run-bodies.js';
import { valueAt } from '../../values/pointer.js';
import { onlyThese } from '../only-these.js';
import type { Options } from '../options.js';

/** A mail that will be asked for, with what is needed to speak of it. */
export interface PlannedMail extends MailItem {
  readonly key: string;
  readonly text: string;
  readonly place: Place;
}

/** documents = mailed + already + unconfirmed + refused + noAddress + deletions + notAccepted + left */
export interface MailCounts {
  documents: number;
  mailed: number;
  already: number;
  unconfirmed: number;
  refused: number;
  noAddress: number;
  /** Accepted; they have neither worker nor paper (service.md 4.8). */
  deletions: number;
  notAccepted: number;
  left: number;
}

export interface MailPlan {
  readonly counts: MailCounts;
  readonly mails: readonly PlannedMail[];
  /** Accepted documents without an address. */
  readonly issues: readonly Issue[];
}

const ADDRESS = '/worker/email';

/**
 * The address of `--to`, as the service's schema wants it.
 * @throws PipelineError('usage', email/bad-address)
 */
export function checkedAddress(to: string): string {
  const faults = validate('payroll/email', 'strict', { prefix: 'A', consecutive: 1, email: to });
  return faults.length === 0 ? to : stop('usage', { code: 'email/bad-address', value: to });
}

const addressOf = ({ body }: RunBody): string | undefined => {
  const address = valueAt(body, ADDRESS);
  return typeof address === 'string' && address.trim() !== '' ? address.trim() : undefined;
};

const isDeletion = ({ body }: RunBody): boolean => Number(body['type_note']) === 2;

/** Which documents of a run are to be mailed where, and which are not; nothing is sent. */
export function planMails(journal: Journal, book: Mailbook, run: string, options: Options): MailPlan {
  const to = options.to === undefined ? undefined : checkedAddress(options.to);
  const chosen = onlyThese(options.only);
  const counts: MailCounts = {
    documents: 0,
    mailed: 0,
    already: 0,
    unconfirmed: 0,
    refused: 0,
    noAddress: 0,
    deletions: 0,
    notAccepted: 0,
    left: 0,
  };
  const mails: PlannedMail[] = [];
  const issues: Issue[] = [];

  const file = (document: RunBody): void => {
    const { id, key, number, documentCode, place } = document;
    if (document.state !== 'accepted' || number === undefined) {
      counts.notAccepted += 1;
      return;
    }
    if (isDeletion(document)) {
      counts.deletions += 1;
      return;
    }
    const address = to ?? addressOf(document);
    if (address === undefined) {
      counts.noAddress += 1;
      const at = { ...place, pointer: ADDRESS };
      issues.push({ code: 'email/no-address', level: 'warning', params: {}, place: at, documentKey: key });
      return;
    }
    const before = options.again ? 'never' : book.look(id, address);
    if (before === 'mailed') counts.already += 1;
    else if (before === 'unconfirmed') counts.unconfirmed += 1;
    else {
      counts.left += 1;
      const code = documentCode === undefined ? {} : { documentCode };
      mails.push({ id, number, address, ...code, key, text: numberText(document), place });
    }
  };

  for (const document of runBodies(journal, run)) {
    if (!chosen.has(numberText(document))) continue;
    counts.documents += 1;
    file(document);
  }
  chosen.refuseUnknown();
  return { counts, mails, issues };
}
