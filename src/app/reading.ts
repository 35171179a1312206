import { createIssuePrinter, type IssuePrinter } from '../cli/issue-printer.js';
import { createProgress } from '../cli/terminal.js';
import type { Issue, Place } from '../core/issue.js';
import { dateInBogota } from '../core/plain-date.js';
import type { Complete } from '../documents/check-document.js';
import { type Follow, type PrepareEvent, prepare } from '../documents/prepare.js';
import { deriveWith } from '../families/registry.js';
import { formatCount, say } from '../messages/texts.js';
import { hasTrait } from '../messages/wording.js';
import {
  type ColumnAccount,
  type DocumentCounts,
  type Draft,
  noDocuments,
  noRecords,
  type RecordCounts,
} from '../schema/document.js';
import { ruleEntry } from '../schema/rule-data.js';
import type { Annotation } from './annotation.js';
import { type Context, familiesOf } from './context.js';
import { familyFor, maskedIn } from './family.js';
import { FormatList, type Job } from './job.js';

import { maskFor } from './mask.js';
import type { Options } from './options.js';

/** What is known once the files have been read to the end. */
export interface Findings {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Every filled column, and what it is for. */
  readonly columns: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
  /** Parameters that the call did not give, with the values used. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether the table itself, and not only a record, has an error. */
  readonly tableErrors: boolean;
  /** Kept only when asked for. */
  readonly issues: readonly Issue[];
  readonly skipped: readonly { readonly place: Place; readonly note: string }[];
}

/** The files of a job on their way to documents, told to whoever watches. */
export interface Reading {
  /** Good documents, batch by batch. Read once. */
  readonly drafts: AsyncIterable<readonly Draft[]>;
  /** Complete when `drafts` is at its end. */
  findings(): Findings;
}

export interface ReadingOptions {
  /** Whether issues and skipped records are kept for a journal. @default false */
  readonly keep?: boolean;
  /** Whether nothing is told, as on a second reading. @default false */
  readonly quiet?: boolean;
  /** Told everything, for a copy of the file. */
  readonly annotation?: Annotation | undefined;
  /** Fills in what the records leave blank. */
  readonly complete?: Complete | undefined;
  /** How its documents follow each other. @default what the kind of the documents says by itself */
  readonly follow?: Follow | undefined;
}

type End = Extract<PrepareEvent, { kind: 'end' }>;
const NO_END: End = {
  kind: 'end',
  records: noRecords(),
  documents: noDocuments(),
  columns: [],
  defaults: {},
};

function printerFor(context: Context, { mapping }: Job, options: Options): IssuePrinter {
  return createIssuePrinter(context.terminal, {
    json: options.json === true,
    mask: maskFor(options, maskedIn(context, mapping)),
    extra: ruleEntry,
  });
}

/** What was decided without being asked: records left aside, constants that the call did not give. */
function sayAssumed(
  { terminal, language }: Context,
  skips: ReadonlyMap<string, number>,
  { defaults }: End,
  formats: FormatList,
): void {
  for (const [note, count] of skips)
    terminal.say(say(language, 'skippedRows', { note, count: formatCount(count, language) }));
  const read = formats.worded(language);
  if (read.length > 0) terminal.say(say(language, 'formats', { list: read.join('; ') }));
  const list = Object.entries(defaults).map(([name, value]) => `${name}=${String(value)}`);
  if (list.length > 0) terminal.say(say(language, 'defaults', { list: list.join(', ') }));
}

/** Reads the files of a job, printing issues and progress on the way. */
export function readJob(context: Context, job: Job, options: Options, reading: ReadingOptions = {}): Reading {
  const { terminal } = context;
  const { keep = false, quiet = false, annotation, complete } = reading;
  const today = dateInBogota(context.now());
  const follow = reading.follow ?? familyFor(context, job.mapping)?.follow?.({ params: job.params, today });
  const printer = printerFor(context, job, options);
  const issues: Issue[] = [];
  const skipped: { place: Place; note: string }[] = [];
  const skips = new Map<string, number>();
  const counts = { error: 0, warning: 0 };
  let tableErrors = false;
  /** Nothing to do is another thing than nothing to read. */
  let doneBefore = false;
  let end = NO_END;

  const takeIssue = (issue: Issue): void => {
    counts[issue.level] += 1;
    if (issue.level === 'error' && hasTrait(issue, 'about-table') && issue.documentKey === undefined)
      tableErrors = true;
    if (issue.code === 'events/already-done') doneBefore = true;
    if (keep) issues.push(issue);
    if (!quiet) printer.print(issue);
  };

  const formats = new FormatList();
  const take = (event: PrepareEvent, drafts: Draft[]): void => {
    annotation?.take(event);
    if (event.kind === 'issue') takeIssue(event.issue);
    else if (event.kind === 'document') drafts.push(event.draft);
    else if (event.kind === 'end') end = event;
    else if (event.kind === 'formats') formats.add(event.voted);
    else if (event.kind === 'skipped') {
      skips.set(event.note, (skips.get(event.note) ?? 0) + 1);
      if (keep) skipped.push({ place: event.place, note: event.note });
    }
  };

  async function* drafts(): AsyncGenerator<readonly Draft[]> {
    if (job.chosen !== undefined && !quiet)
      terminal.say(say(context.language, 'mappingChosen', { name: job.chosen }));
    const progress = createProgress(terminal, { what: 'reading' });
    let done = 0;
    for await (const events of prepare({
      ...job,
      today,
      derive: deriveWith(familiesOf(context)),
      ...(complete && { complete }),
      ...(follow && { follow }),
    })) {
      const batch: Draft[] = [];
      for (const event of events) take(event, batch);
      done += events.length;
      if (!quiet) progress.update(done);
      yield batch;
      await terminal.drained();
    }
    progress.finish();
    if (end.documents.made === 0 && counts.error === 0 && !doneBefore)
      takeIssue({ code: 'run/no-documents', level: 'error', params: { read: end.records.read }, place: {} });
    printer.finish();
    if (!quiet && !options.json) sayAssumed(context, skips, end, formats);
  }

  return {
    drafts: drafts(),
    findings: () => {
      const { records, documents, columns, defaults } = end;
      return {
        records,
        documents,
        columns,
        defaults,
        errors: counts.error,
        warnings: counts.warning,
        tableErrors,
        issues,
        skipped,
      };
    },
  };
}
