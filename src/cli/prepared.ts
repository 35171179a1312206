import type { DocumentCounts, RecordCounts } from '../document/accounting.js';
import { noDocuments, noRecords } from '../document/accounting.js';
import type { Draft } from '../document/draft.js';
import type { Issue, Place } from '../issues/issue.js';
import { prepare } from '../pipeline/prepare.js';
import { ruleEntry } from '../schema/rules.js';
import type { Context } from './context.js';
import { createIssuePrinter, type IssuePrinter } from './issue-printer.js';
import type { Job } from './job.js';
import { maskValue } from './mask.js';
import type { Options } from './options.js';
import { createProgress } from './progress.js';

/** What is known once the files have been read to the end. */
export interface Prepared {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly errors: number;
  readonly warnings: number;
  /** Parameters that the call did not give, with the values used. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether the table itself, and not only a record, has an error. */
  readonly tableErrors: boolean;
}

/** What a command does with what comes out; issues are printed in any case. */
export interface Handlers {
  document?(draft: Draft): void;
  heldBack?(key: string, name: string | undefined): void;
  skipped?(place: Place, note: string): void;
  issue?(issue: Issue): void;
  /** After each batch: the place to wait for a slow disk or reader. */
  batch?(): Promise<void>;
}

export const issuePrinterFor = (context: Context, job: Pick<Job, 'mapping'>, options: Options): IssuePrinter =>
  createIssuePrinter(context.terminal, {
    json: options.json === true,
    mask: options.showValues ? (issue) => issue : (issue) => maskValue(issue, [job.mapping.target]),
    extra: ruleEntry,
  });

/** Reads the files of a job to the end, printing issues and progress on the way. */
export async function runPrepare(
  context: Context,
  job: Job,
  options: Options,
  handlers: Handlers,
): Promise<Prepared> {
  const { terminal } = context;
  const printer = issuePrinterFor(context, job, options);
  const progress = createProgress(terminal, { what: 'reading' });
  let tableErrors = false;
  let done = 0;
  let end = { records: noRecords(), documents: noDocuments(), defaults: {} };

  const takeIssue = (issue: Issue): void => {
    if (issue.level === 'error' && issue.code.startsWith('header/')) tableErrors = true;
    printer.print(issue);
    handlers.issue?.(issue);
  };

  for await (const events of prepare(job)) {
    for (const event of events) {
      if (event.kind === 'issue') takeIssue(event.issue);
      else if (event.kind === 'end') end = event;
      else {
        done += 1;
        if (event.kind === 'document') handlers.document?.(event.draft);
        else if (event.kind === 'held-back') handlers.heldBack?.(event.key, event.name);
        else handlers.skipped?.(event.place, event.note);
      }
    }
    progress.update(done);
    await handlers.batch?.();
    await terminal.drained();
  }
  progress.finish();
  if (end.documents.made === 0 && printer.errors === 0)
    takeIssue({ code: 'run/no-documents', level: 'error', params: { read: end.records.read }, place: {} });
  printer.finish();
  const { records, documents, defaults } = end;
  return { records, documents, defaults, errors: printer.errors, warnings: printer.warnings, tableErrors };
}
