import { formatPlace, type Issue, type Place } from '../core/issue.js';
import { dateInBogota } from '../core/plain-date.js';
import type { Complete } from '../documents/check-document.js';
import type { VotedTable } from '../documents/decide.js';
import { prepare } from '../documents/prepare.js';
import type { Follow, PrepareEvent } from '../documents/run.js';
import { styledColumns } from '../documents/styled-columns.js';
import { atTitle, choicesOf, titleOfParam, titlesOf } from '../mapping/params.js';
import { hasTrait, noteInWords } from '../messages/wording.js';
import { nameOfValue } from '../propose/param-questions.js';
import {
  type ColumnAccount,
  type Document,
  type DocumentCounts,
  noDocuments,
  noRecords,
  type RecordCounts,
  type StyledColumn,
} from '../schema/document.js';
import type { HeldBack } from '../send/documents.js';
import { cellPlace } from '../tables/table.js';
import type { Context } from './context.js';
import type { Copies } from './copies.js';
import { issueTeller, say } from './events.js';
import { isPart } from './failed.js';
import { deriveFor, followFor, type Job, maskedIn } from './job.js';

/** What is known once the files have been read to the end. */
export interface Findings {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Every filled column, and what it is for. */
  readonly columns: readonly ColumnAccount[];
  readonly styled: readonly StyledColumn[];
  readonly errors: number;
  readonly warnings: number;
  /** Parameters that the call did not give, with the values used. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether the table itself, and not only a record, has an error. */
  readonly tableErrors: boolean;
  /** Whether a file has only rows to mend of another. */
  readonly isPart: boolean;
  /** Kept only when asked for. */
  readonly issues: readonly Issue[];
  readonly skipped: readonly { readonly place: Place; readonly note: string }[];
  /** The documents that were not made, by their keys. */
  readonly heldBack: ReadonlyMap<string, HeldBack>;
}

/** The files of a job on their way to documents, told to whoever watches. */
interface Reading {
  /** Good documents, batch by batch. Read once. */
  readonly documents: AsyncIterable<readonly Document[]>;
  /** Complete when `documents` is at its end. */
  findings(): Findings;
}

interface ReadingOptions {
  /** Whether issues and skipped records are kept for a journal. @default false */
  readonly keep?: boolean;
  /** Whether nothing is told, as on a second reading. @default false */
  readonly quiet?: boolean;
  /** Told everything, for a copy of the file. */
  readonly copies?: Pick<Copies, 'take'> | undefined;
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

/** Fewer cells than these may be a slip of who typed them. */
const ENOUGH_CELLS = 3;

/** The formats that were decided by what the cells show, each with a cell that shows it. */
function formatList() {
  const found = new Map<string, { readonly style: string; readonly cell: string; cells: number }>();
  return {
    add({ table, verdicts }: VotedTable): void {
      for (const { style, by, evidence, witnesses = 0 } of verdicts.values()) {
        if (style === undefined || by !== 'column' || evidence === undefined) continue;
        if (evidence.row.file !== undefined) continue; // XML is written one way
        const place = cellPlace(table.source, evidence.row, evidence.index);
        const key = [place.file, place.sheet, style].join('\n');
        const known = found.get(key);
        if (known !== undefined) known.cells += witnesses;
        else
          found.set(key, {
            style,
            cell: `${formatPlace(place)} «${evidence.text.trim()}»`,
            cells: witnesses,
          });
      }
    },
    all: () => [...found.values()].map(({ cells, ...one }) => ({ ...one, few: cells < ENOUGH_CELLS })),
    /** Which they are, for next month's file. */
    styles: () => [...new Set([...found.values()].map(({ style }) => style))].sort(),
  };
}

/** Reads the files of a job, telling issues and progress on the way. */
export function readJob(context: Context, job: Job, reading: ReadingOptions = {}): Reading {
  const { keep = false, quiet = false, copies, complete } = reading;
  const today = dateInBogota(context.now());
  const follow = reading.follow ?? followFor(context, job.mapping, { params: job.params, today });
  const teller = issueTeller(context, maskedIn(context, job.mapping));
  const titles = titlesOf(job.mapping.params);
  const issues: Issue[] = [];
  const styled: StyledColumn[] = [];
  const skipped: { place: Place; note: string }[] = [];
  const heldBack = new Map<string, HeldBack>();
  const skips = new Map<string, number>();
  const counts = { error: 0, warning: 0 };
  let tableErrors = false;
  let ofPart = false;
  /** Nothing to do is another thing than nothing to read. */
  let doneBefore = false;
  let end = NO_END;

  const takeIssue = (issue: Issue): void => {
    counts[issue.level] += 1;
    if (issue.level === 'error' && hasTrait(issue, 'about-table') && issue.documentKey === undefined)
      tableErrors = true;
    if (keep) issues.push(issue);
    if (!quiet) teller.tell(issue);
  };

  const formats = formatList();
  const take = (told: PrepareEvent, documents: Document[]): void => {
    const event =
      told.kind === 'skipped'
        ? { ...told, note: noteInWords(told.note, context.language) }
        : told.kind === 'issue'
          ? { ...told, issue: atTitle(told.issue, titles) }
          : told;
    copies?.take(event);
    if (event.kind === 'issue') takeIssue(event.issue);
    else if (event.kind === 'document') documents.push(event.document);
    else if (event.kind === 'end') end = event;
    else if (event.kind === 'formats') {
      formats.add(event.voted);
      ofPart ||= isPart(event.voted.table.header.labels);
      if (keep) styled.push(...styledColumns(event.voted));
    } else if (event.kind === 'held-back') {
      const { key, name, places, beside } = event;
      if (keep) heldBack.set(key, { ...(name !== undefined && { name }), records: [...places, ...beside] });
    } else if (event.kind === 'skipped') {
      if (event.done) doneBefore = true;
      skips.set(event.note, (skips.get(event.note) ?? 0) + 1);
      if (keep) skipped.push({ place: event.place, note: event.note });
    }
  };

  async function* documents(): AsyncGenerator<readonly Document[]> {
    if (job.chosen !== undefined && !quiet) say(context, 'mappingChosen', { name: job.chosen });
    if (!quiet) context.tell({ event: 'begins', what: 'reading' });
    let done = 0;
    for await (const events of prepare({
      ...job,
      today,
      derive: deriveFor(context),
      ...(complete && { complete }),
      ...(follow && { follow }),
    })) {
      const batch: Document[] = [];
      for (const event of events) take(event, batch);
      done += events.length;
      if (!quiet) context.tell({ event: 'progress', done });
      yield batch;
      await context.taken();
    }
    if (!quiet) context.tell({ event: 'ends' });
    if (end.documents.made === 0 && counts.error === 0 && !doneBefore)
      takeIssue({ code: 'run/no-documents', level: 'error', params: { read: end.records.read }, place: {} });
    if (quiet) return;
    teller.end();
    const usualFormats = (await job.keepFormats?.(formats.styles())) ?? false;
    context.tell({
      event: 'assumed',
      skipped: skips,
      formats: formats.all(),
      usualFormats,
      defaults: end.defaults,
      named: Object.entries(end.defaults).flatMap(([name, value]) => {
        const param = job.mapping.params.get(name);
        // What has one choice is no default that anybody could change.
        if (param === undefined || choicesOf(param.spec).length === 1) return [];
        const text = nameOfValue(name, value, job.mapping, context.language) ?? String(value);
        return [{ title: titleOfParam(param), type: param.spec.type, value: text }];
      }),
      usual: job.usualDefaults === true,
    });
  }

  return {
    documents: documents(),
    findings: () => {
      const { records, documents, columns, defaults } = end;
      return {
        records,
        documents,
        columns,
        styled,
        defaults,
        errors: counts.error,
        warnings: counts.warning,
        tableErrors,
        isPart: ofPart,
        issues,
        skipped,
        heldBack,
      };
    },
  };
}
