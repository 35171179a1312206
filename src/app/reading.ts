import type { HeldBack } from '../send/documents.js';
import type { RunCounts } from '../send/runs.js';
import { formatPlace, type Issue, type Place } from '../toolkit/core/issue.js';
import type { VotedTable } from '../toolkit/documents/decide.js';
import { ownedTables } from '../toolkit/documents/owner-rows.js';
import type { Complete, DocumentSequence, Hooks, PrepareEvent } from '../toolkit/documents/phases.js';
import { run } from '../toolkit/documents/run.js';
import { styledColumns } from '../toolkit/documents/styled-columns.js';
import { nameOfValue } from '../toolkit/inspect/param-questions.js';
import { atTitle, choicesOf, titleOfParam, titlesOf } from '../toolkit/mapping/params.js';
import { hasTrait, noteInWords } from '../toolkit/messages/wording.js';
import {
  type Document,
  noDocuments,
  noRecords,
  type OwnedTable,
  type StyledColumn,
} from '../toolkit/schema/document.js';
import { cellPlace } from '../toolkit/tables/table.js';
import type { Context } from './context.js';
import type { Copies } from './copies.js';
import { emitMessage, issueEmitter } from './events.js';
import { followFor, type Job, maskedIn, planOf } from './job.js';
import { isPart } from './rows-to-fix.js';

/** Results of reading the files to the end. */
export interface Findings extends Required<RunCounts> {
  readonly errors: number;
  readonly warnings: number;
  /** True if a table, not only a record, has an error. */
  readonly tableErrors: boolean;
  /** True if a file holds only rows to fix of another. */
  readonly isPart: boolean;
  /** Empty unless `keep` was set. */
  readonly issues: readonly Issue[];
  readonly skipped: readonly { readonly place: Place; readonly note: string }[];
  /** Documents held back, by key. */
  readonly heldBack: ReadonlyMap<string, HeldBack>;
}

interface ReadingOptions {
  /** True to keep issues and skipped records for a journal. @default false */
  readonly keep?: boolean;
  /** True to emit nothing, as on a second reading. @default false */
  readonly quiet?: boolean;
  /** Receives all events, for copies of the files. */
  readonly copies?: Pick<Copies, 'take'> | undefined;
  /** Fills fields the records leave blank. */
  readonly complete?: Complete | undefined;
  /** Order rules of the documents. @default those of their family */
  readonly follow?: DocumentSequence | undefined;
}

const NO_END: Extract<PrepareEvent, { kind: 'end' }> = {
  kind: 'end',
  records: noRecords(),
  documents: noDocuments(),
  columns: [],
  defaults: {},
};

/** Min cells that show a format; fewer may be typing errors. */
const MIN_CELLS = 3;

/** Collects inferred formats, each with a cell that shows it. */
class ShownFormats {
  private readonly found = new Map<
    string,
    { readonly style: string; readonly cell: string; cells: number }
  >();

  add({ table, verdicts }: VotedTable): void {
    for (const { style, by, evidence, witnesses = 0 } of verdicts.values()) {
      if (style === undefined || by !== 'column' || evidence === undefined) continue;
      if (evidence.row.file !== undefined) continue; // XML is written one way
      const place = cellPlace(table.source, evidence.row, evidence.index);
      const key = [place.file, place.sheet, style].join('\n');
      const known = this.found.get(key);
      const cell = `${formatPlace(place)} «${evidence.text.trim()}»`;
      if (known !== undefined) known.cells += witnesses;
      else this.found.set(key, { style, cell, cells: witnesses });
    }
  }

  all = () => [...this.found.values()].map(({ cells, ...format }) => ({ ...format, few: cells < MIN_CELLS }));

  /** Returns the format names, for the file of next month. */
  styles = () => [...new Set([...this.found.values()].map(({ style }) => style))].sort();
}

/** Consumes the events of a reading and keeps what a command needs. */
class RunSink {
  readonly formats = new ShownFormats();
  readonly teller: ReturnType<typeof issueEmitter>;
  /** Number of skipped records by reason. */
  readonly skips = new Map<string, number>();
  end = NO_END;
  private readonly titles: ReturnType<typeof titlesOf>;
  private readonly issues: Issue[] = [];
  private readonly styled: StyledColumn[] = [];
  private readonly owned: OwnedTable[] = [];
  private readonly skipped: { place: Place; note: string }[] = [];
  private readonly heldBack = new Map<string, HeldBack>();
  private readonly counts = { error: 0, warning: 0 };
  private tableErrors = false;
  private isPart = false;
  /** True if documents were skipped because they are done already. */
  private isDoneBefore = false;

  constructor(
    private readonly context: Context,
    { mapping }: Job,
    private readonly options: ReadingOptions,
  ) {
    this.teller = issueEmitter(context, maskedIn(context, mapping));
    this.titles = titlesOf(mapping.params);
  }

  take(raw: PrepareEvent): void {
    const { keep = false, copies } = this.options;
    const event =
      raw.kind === 'skipped'
        ? { ...raw, note: noteInWords(raw.note, this.context.language) }
        : raw.kind === 'issue'
          ? { ...raw, issue: atTitle(raw.issue, this.titles) }
          : raw;
    copies?.take(event);
    if (event.kind === 'issue') this.takeIssue(event.issue);
    else if (event.kind === 'end') this.end = event;
    else if (event.kind === 'formats') {
      this.formats.add(event.voted);
      this.isPart ||= isPart(event.voted.table.header.labels);
      if (keep) this.styled.push(...styledColumns(event.voted));
      if (keep) this.owned.push(...ownedTables(event.voted.table));
    } else if (event.kind === 'held-back') {
      const { key, name, places, beside } = event;
      const records = [...places, ...beside];
      if (keep) this.heldBack.set(key, { ...(name !== undefined && { name }), records });
    } else if (event.kind === 'skipped') {
      const { place, note } = event;
      if (event.done) this.isDoneBefore = true;
      this.skips.set(note, (this.skips.get(note) ?? 0) + 1);
      if (keep) this.skipped.push({ place, note });
    }
  }

  private takeIssue(issue: Issue): void {
    const { keep = false, quiet = false } = this.options;
    this.counts[issue.level] += 1;
    if (issue.level === 'error' && hasTrait(issue, 'about-table') && issue.documentKey === undefined)
      this.tableErrors = true;
    if (keep) this.issues.push(issue);
    if (!quiet) this.teller.emit(issue);
  }

  /** Adds an issue if no document was made and nothing says why. */
  finish(): void {
    const { documents, records } = this.end;
    if (documents.made === 0 && this.counts.error === 0 && !this.isDoneBefore)
      this.takeIssue({
        code: 'run/no-documents',
        level: 'error',
        params: { read: records.read },
        place: {},
      });
  }

  findings(): Findings {
    const { end, counts, styled, owned, tableErrors, issues, skipped, heldBack } = this;
    const { records, documents, columns, defaults } = end;
    return {
      records,
      documents,
      columns,
      styled,
      owned,
      defaults,
      errors: counts.error,
      warnings: counts.warning,
      tableErrors,
      isPart: this.isPart,
      issues,
      skipped,
      heldBack,
    };
  }
}

/** Emits what was assumed without asking: formats and parameters. */
async function emitAssumed(context: Context, job: Job, { skips, formats, end }: RunSink): Promise<void> {
  const usualFormats = (await job.keepFormats?.(formats.styles())) ?? false;
  context.tell({
    event: 'assumed',
    skipped: skips,
    formats: formats.all(),
    usualFormats,
    defaults: end.defaults,
    named: Object.entries(end.defaults).flatMap(([name, value]) => {
      const param = job.mapping.params.get(name);
      // The user could not change a parameter with one choice.
      if (param === undefined || choicesOf(param.spec).length === 1) return [];
      const text = nameOfValue(name, value, job.mapping, context.language) ?? String(value);
      return [{ title: titleOfParam(param), type: param.spec.type, value: text }];
    }),
    usual: job.usualDefaults === true,
  });
}

/**
 * Reads the files of a job and emits issues and progress. `documents` are the good ones in batches and can be read once;
 * `findings` is complete after they ended.
 */
export function readJob(context: Context, job: Job, options: ReadingOptions = {}) {
  const sink = new RunSink(context, job, options);
  return { documents: documentsOf(context, job, options, sink), findings: () => sink.findings() };
}

async function* documentsOf(
  context: Context,
  job: Job,
  options: ReadingOptions,
  sink: RunSink,
): AsyncGenerator<readonly Document[]> {
  const { quiet = false, complete } = options;
  const plan = planOf(context, job);
  const follow = options.follow ?? followFor(context, job.mapping, plan);
  if (job.chosen !== undefined && !quiet) emitMessage(context, 'mappingChosen', { name: job.chosen });
  if (!quiet) context.tell({ event: 'begins', what: 'reading' });
  let done = 0;
  const hooks: Hooks = { ...(complete && { complete }), ...(follow && { follow }) };
  try {
    for await (const events of run(plan, await job.opened.inputs(), hooks)) {
      const batch: Document[] = [];
      for (const event of events) {
        sink.take(event);
        if (event.kind === 'document') batch.push(event.document);
      }
      done += events.length;
      if (!quiet) context.tell({ event: 'progress', done });
      yield batch;
      await context.taken();
    }
  } finally {
    await job.opened.close(); // sending may take hours
  }
  if (!quiet) context.tell({ event: 'ends' });
  sink.finish();
  if (quiet) return;
  sink.teller.end();
  await emitAssumed(context, job, sink);
}
