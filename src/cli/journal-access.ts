import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Issue } from '../issues/issue.js';
import { PipelineError, stop } from '../issues/pipeline-error.js';
import { closeInOrder, type Journal, openJournal, requireJournal } from '../send/journal.js';
import { closeToOthers, folderRisks } from '../send/journal-folder.js';
import { journalPath } from '../send/journal-path.js';
import { listRuns } from '../send/runs.js';
import { lockSender } from '../send/sender-lock.js';
import type { Context } from './context.js';
import { createIssuePrinter } from './issue-printer.js';
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

/** Every journal of the workspace, with what SQLite keeps beside it. */
export function journalFiles({ workspace }: Context): readonly string[] {
  const below = (folder: string): string[] => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  };
  return below(workspace)
    .flatMap(below)
    .flatMap(below)
    .filter((file) => /[\\/]journal\.db[^\\/]*$/.test(file));
}

/** Says what speaks against the folder. */
function warn({ terminal }: Context, { json }: Options, issues: readonly Issue[]): void {
  const printer = createIssuePrinter(terminal, { json: json === true, mask: (issue) => issue });
  for (const issue of issues) printer.print(issue);
}

/** What speaks against the folder of the journal, said before anything is entrusted to it. */
export const warnOfFolder = (context: Context, options: Options, path: string): void =>
  warn(context, options, folderRisks(dirname(path)));

/** Lends an existing journal for reading; a sender may be at work meanwhile. */
export async function withJournal<T>(
  context: Context,
  options: Options,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  const path = journalFile(context, options);
  warn(context, options, closeToOthers(dirname(path)));
  // Of a damaged one is shown what can be read.
  const journal = openJournal(path, { create: false, check: false });
  try {
    return await use(journal);
  } finally {
    journal.close();
  }
}

/** The right to send; where another process has it, the run that it is sending is named. */
function lockOrTell(path: string): ReturnType<typeof lockSender> {
  try {
    return lockSender(path);
  } catch (error) {
    const run = error instanceof PipelineError && error.key === 'busy' ? openRunIn(path) : undefined;
    if (run === undefined) throw error;
    return stop('busy', { code: 'send/in-progress', params: { run } }, error);
  }
}

function openRunIn(path: string): string | undefined {
  const journal = openJournal(path, { create: false, check: false });
  try {
    return listRuns(journal).find(({ state }) => state === 'open')?.id;
  } finally {
    journal.close();
  }
}

/**
 * Lends the journal with the right to send, made when it is missing and `create` says so.
 * @throws PipelineError('busy') when another process is sending
 */
export async function withSender<T>(
  context: Context,
  options: Options,
  create: boolean,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  const path = journalFile(context, options);
  if (!create) requireJournal(path);
  warnOfFolder(context, options, path);
  const lock = lockOrTell(path);
  try {
    warn(context, options, closeToOthers(dirname(path)));
    const journal = openJournal(path, { create });
    try {
      return await use(journal);
    } finally {
      closeInOrder(journal);
    }
  } finally {
    lock.release();
  }
}
