import { type Journal, openJournal } from '../send/journal.js';
import { journalPath } from '../send/journal-path.js';
import { lockSender } from '../send/sender-lock.js';
import type { Context } from './context.js';
import type { Options } from './options.js';
import { serviceAddress } from './service.js';

export const companyOf = (options: Options): string => options.company ?? 'default';

/** Where the journal of this call is, whether it exists or not. */
export const journalFile = (context: Context, options: Options): string =>
  journalPath({
    workspace: context.workspace,
    url: serviceAddress(context, options).href,
    company: companyOf(options),
  });

/** Lends an existing journal for reading; a sender may be at work meanwhile. */
export async function withJournal<T>(
  context: Context,
  options: Options,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  const journal = openJournal(journalFile(context, options), { create: false });
  try {
    return await use(journal);
  } finally {
    journal.close();
  }
}

/**
 * Lends the journal with the right to send, made when it is missing and `create` says so.
 * @throws PipelineError('journal') when another process is sending
 */
export async function withSender<T>(
  context: Context,
  options: Options,
  create: boolean,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  const path = journalFile(context, options);
  const journal = openJournal(path, { create });
  try {
    const lock = lockSender(path);
    try {
      return await use(journal);
    } finally {
      lock.release();
    }
  } finally {
    journal.close();
  }
}
