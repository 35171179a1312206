import type { Issue, Place } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import type { PlainDate } from '../core/plain-date.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues, ResolvedParams } from '../mapping/params.js';
import type { CompiledTable, HeadedTable, ReadableTable } from '../mapping/record.js';
import type { Note } from '../messages/wording.js';
import {
  type ColumnAccount,
  type Document,
  type DocumentCounts,
  noDocuments,
  noRecords,
  type RecordCounts,
} from '../schema/document.js';
import type { Edit } from '../tables/edits.js';
import type { InputFile, Row } from '../tables/table.js';
import type { CellAccounting } from './cells.js';
import type { Complete, Derivation } from './check-document.js';
import { type FormatDecider, formatWarnings, type GivenFormats, type VotedTable } from './decide.js';
import { isRecord } from './joined-tables.js';
import type { Located } from './locate.js';
import type { RunCompany } from './other-company.js';
import { type RowStep, readTable, recordsIn } from './read.js';
import type { HeaderRows } from './table-fit.js';
import type { TextChanges } from './text-changes.js';
import type { BatchChecks } from './totals.js';

/** The derivation that documents of a schema need, if any. */
export type Derive = (
  schema: SchemaName,
  params: ResolvedParams,
  today?: PlainDate,
) => Derivation | undefined;

export interface PrepareOptions {
  readonly files: readonly string[];
  /** What a person mended in them. */
  readonly edits?: readonly Edit[];
  /** Read instead of `files`, and closed at the end: tables that are in memory already. */
  readonly inputs?: readonly InputFile[];
  /** Read instead of those: tables that were found before, and how their cells are read decided. */
  readonly located?: readonly ReadableTable[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** Company whose documents are made, where a table may name its company above its header. */
  readonly company?: RunCompany | undefined;
  /** How texts are read where the mapping does not say: answers to what a vote left open. */
  readonly formats?: GivenFormats;
  /** Slips of form in JSON files that leave no doubt are read as what they mean. @default as the mapping says */
  readonly mendsJson?: boolean;
  /** Rows of headers that a person said. */
  readonly headers?: HeaderRows;
  /** Day of the run, for rules about it; they are silent without. */
  readonly today?: string;
  /** Fills in what the records leave blank and the caller knows, before a document is checked. */
  readonly complete?: Complete;
  /** What follows from the mapped parts of documents of a schema. @default nothing */
  readonly derive?: Derive;
  /** Decides what becomes of a good document, given those before it; it then knows what is repeated, too. */
  readonly follow?: Follow;
  /** The mapping was picked by itself: its name. Nobody has said that it knows every column of the files. */
  readonly chosen?: string;
  /** Is told of every row below a header as it is read, be it a record or not. */
  readonly onRow?: (table: ReadableTable, row: Row) => void;
}

/** A document that is not made, and where its records are. */
interface HeldBackEvent {
  readonly kind: 'held-back';
  readonly key: string;
  readonly name?: string;
  readonly places: readonly Place[];
  /** Places of the records that it joins. */
  readonly beside: readonly Place[];
}

/** What happens on the way from files to documents, in order; `end` comes last. */
export type PrepareEvent =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'document'; readonly document: Document }
  | HeldBackEvent
  | {
      readonly kind: 'skipped';
      readonly place: Place;
      readonly note: Note;
      /** What it asks for is done already. */
      readonly done?: true;
    }
  | { readonly kind: 'formats'; readonly voted: VotedTable }
  | {
      readonly kind: 'end';
      readonly records: RecordCounts;
      readonly documents: DocumentCounts;
      /** Every filled column. */
      readonly columns: readonly ColumnAccount[];
      /** Parameters that the run did not give, with the values used. */
      readonly defaults: ParamValues;
    };

/** What the steps of a run share: its counts, and what is to be told. */
export class Tally {
  readonly records = noRecords();
  readonly documents = noDocuments();
  private events: PrepareEvent[] = [];

  tell(event: PrepareEvent): void {
    this.events.push(event);
  }

  issue(issue: Issue): void {
    this.events.push({ kind: 'issue', issue });
  }

  /** What was told since the last time, handed over. */
  drain(): readonly PrepareEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

export interface Reading {
  readonly options: PrepareOptions;
  readonly tally: Tally;
  readonly located: Located;
  readonly formats: FormatDecider;
  readonly batch: BatchChecks;
  readonly cells: CellAccounting;
  readonly changes: TextChanges;
}

/** Tells of a row that is no record, or of how the cells of a table are read. */
export function tellStep({ tally }: Reading, table: CompiledTable, step: RowStep): void {
  if (step.is === 'formats') {
    tally.tell({ kind: 'formats', voted: step.voted });
    for (const issue of formatWarnings(step.voted)) tally.issue(issue);
  } else if (step.is === 'skipped') {
    const { place, note, issues } = step;
    if (table.spec.param === undefined) {
      if (!table.join?.every) tally.records.skipped += 1;
      tally.tell({ kind: 'skipped', place, note });
    }
    for (const issue of issues) tally.issue(issue);
  }
}

/** Reads one table of the mapping from every sheet that holds it, and counts what it holds. */
export async function* stepsOf(
  reading: Reading,
  table: CompiledTable,
): AsyncGenerator<{ readonly source: HeadedTable; readonly steps: readonly RowStep[] }> {
  const { options, tally, changes, batch, cells, located, formats } = reading;
  const isMain = options.mapping.mains.includes(table);
  const onRow = (source: ReadableTable, row: Row): void => {
    options.onRow?.(source, row);
    if (row.changes !== undefined) changes.add(source, row);
    if (isMain || isRecord(table, row)) tally.records.read += 1;
  };
  for (const source of located.tables.filter(({ slot }) => slot === table.slot))
    for await (const steps of readTable(table, source, formats, { onRow })) {
      const records = recordsIn(steps);
      batch.add(records);
      if (table.spec.param === undefined) cells.add(source, records);
      yield { source, steps };
    }
}

/** What becomes of a document that depends on those before it; issues point into the document. */
export type Followed =
  /** Made, after others that the record did not name. */
  | { readonly is: 'next'; readonly before: readonly JsonObject[]; readonly issues: readonly Issue[] }
  /** Done already: the record is skipped. */
  | { readonly is: 'done'; readonly issue: Issue }
  /** Held back. */
  | { readonly is: 'refused'; readonly issue: Issue };

/** Where a document comes from: the row of its first record, and what people call what it is about. */
export interface Followable {
  readonly row: number;
  readonly details?: Document['details'];
}

export interface Follow {
  /** Asked once for each document that is good by itself, in order. */
  next(document: JsonObject, from: Followable): Followed | Promise<Followed>;
  /** Told, in the same order, of each that is not; some of it may be missing. */
  heldBack?(document: JsonObject, from: Followable): void;
}
