import { addTotals, type Totals } from '../send/kind.js';
import { type Issue, isSameSheet } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { columnIndex } from '../toolkit/core/text.js';
import { foundBefore } from '../toolkit/documents/locate.js';
import type { DocumentSequence, PrepareEvent } from '../toolkit/documents/phases.js';
import { runLocated } from '../toolkit/documents/run.js';
import {
  askingIds,
  type CompiledColumn,
  type CompiledTable,
  joiningColumns,
  type ReadableTable,
} from '../toolkit/mapping/record.js';
import { columnWords } from '../toolkit/mapping/template.js';
import { type Edit, editedSource } from '../toolkit/tables/edits.js';
import type { Row } from '../toolkit/tables/table.js';
import { writeComplement } from './complement.js';
import type { Context, UseCase } from './context.js';
import { copiesFor } from './copies.js';
import { emitAccounts } from './events.js';
import { onFiles } from './files.js';
import { familyFor, followFor, type Job, loadJob, planOf } from './job.js';
import { withJournalIfAny } from './journal-access.js';
import type { CheckOptions } from './options.js';
import { type Findings, readJob } from './reading.js';

/** Row of an input file, as users name it. */
export interface RowPlace {
  readonly file: string;
  readonly sheet?: string | undefined;
  readonly row: number;
}

const keyOf = ({ file, sheet, row }: Partial<RowPlace>): string => [file, sheet, row].join('\n');

/** Max words of the list of a cell; a longer list is no help. */
const MAX_WORDS = 2_000;

/** Table of a file after a check. */
export interface CheckedSheet {
  readonly file: string;
  /** Null for a table in text. */
  readonly sheet: string | null;
  readonly header: { readonly row: number; readonly labels: readonly (string | null)[] };
  /** Columns of the name that people know a document by, in order; empty if it is in another table. */
  readonly name: readonly number[];
  /** Words of the columns that take no others, by column. */
  readonly words: ReadonlyMap<number, readonly string[]>;
  /** Columns of amounts of money. */
  readonly money: readonly number[];
}

/** Max related rows re-read after an edit; larger groups wait for the full check. */
const MAX_RELATED_ROWS = 200;

/** Rows to re-read with an edited one, and those of them whose issues are then complete. */
interface RelatedRows {
  readonly read: readonly RowPlace[];
  readonly reported: readonly RowPlace[];
}

/** Row index of a full check, which lets the documents of an edited row be checked again alone. */
export class CheckIndex {
  private readonly tables: ReadableTable[] = [];
  /** Documents by row, each with all its rows; documents of a single row are not stored. */
  private readonly documents = new Map<string, (readonly RowPlace[])[]>();

  private sums: Totals = {};

  constructor(
    private readonly context: Context,
    private readonly job: Job,
    private readonly totalsOf: ((body: JsonObject) => Totals) | undefined,
  ) {}

  take(event: PrepareEvent): void {
    if (event.kind === 'formats') this.tables.push(event.voted.table);
    else if (event.kind === 'document') {
      const { records = [], beside = [], body } = event.document;
      this.add([...records, ...beside] as readonly RowPlace[]);
      this.sums = addTotals(this.sums, this.totalsOf?.(body) ?? {});
    } else if (event.kind === 'held-back')
      this.add([...event.places, ...(event.beside ?? [])] as readonly RowPlace[]);
  }

  private add(places: readonly RowPlace[]): void {
    if (places.length < 2) return;
    for (const place of places) {
      const known = this.documents.get(keyOf(place));
      if (known === undefined) this.documents.set(keyOf(place), [places]);
      else if (known.length <= MAX_RELATED_ROWS) known.push(places);
    }
  }

  /** Returns the tables that were read from files, as a screen needs them to edit their cells. */
  sheets(): readonly CheckedSheet[] {
    return this.tables
      .filter(({ compiled }) => compiled.spec.param === undefined)
      .map(({ source, header, compiled, tableIndex }) => {
        const at = ({ id }: CompiledColumn): readonly number[] => {
          const index = header.columns.get(id);
          return index === undefined ? [] : [index];
        };
        const words = [...columnWords(this.job.mapping, compiled, MAX_WORDS)].flatMap(([column, words]) =>
          at(column).map((index) => [index, words] as const),
        );
        const money = [...header.several].filter(([id]) => compiled.columns.get(id)?.kind === 'money');
        const shown = this.job.mapping.display.filter((column) => column.tableIndex === tableIndex);
        return {
          file: source.file,
          sheet: source.sheet ?? null,
          header: { row: header.row.number, labels: Array.from(header.labels, (label) => label ?? null) },
          name: [...new Set(shown.flatMap(({ feeders }) => feeders).flatMap(at))],
          words: new Map(words),
          money: money.flatMap(([, columns]) => columns),
        };
      });
  }

  /** Returns the totals of the documents that can be sent. */
  get totals(): Totals {
    return this.sums;
  }

  /** Returns the rows of the document this row belongs to; rows of a table it looks up are not among them. */
  rowsWith(place: RowPlace): readonly RowPlace[] {
    if (!this.feedsDocuments(place)) return [place];
    const [rows = [place]] = this.documents.get(keyOf(place)) ?? [];
    return rows.filter((row) => this.feedsDocuments(row));
  }

  private feedsDocuments(place: RowPlace): boolean {
    return this.tables.some(
      ({ source, tableIndex }) =>
        isSameSheet(source, place) && this.job.mapping.mains.some((main) => main.tableIndex === tableIndex),
    );
  }

  /**
   * Returns the rows to check again for these edits, or undefined if only the full check can tell: keys changed,
   * order rules apply, or too many rows are related.
   */
  relatedTo(edited: readonly (RowPlace & { readonly column?: string })[]): RelatedRows | undefined {
    const plan = planOf(this.context, this.job);
    if (followFor(this.context, plan.mapping, plan) !== undefined) return undefined;
    const documents = new Set<readonly RowPlace[]>();
    const singleRows: RowPlace[] = [];
    for (const place of edited) {
      const table = this.tables.find(({ source }) => isSameSheet(source, place));
      if (table === undefined || (place.column !== undefined && this.isKey(table, columnIndex(place.column))))
        return undefined;
      const ofRow = this.documents.get(keyOf(place));
      if (ofRow === undefined && !this.feedsDocuments(place)) return undefined;
      if (ofRow === undefined) singleRows.push({ file: place.file, sheet: place.sheet, row: place.row });
      for (const places of ofRow ?? []) documents.add(places);
    }
    const read = [
      ...new Map([...documents, singleRows].flat().map((place) => [keyOf(place), place])).values(),
    ];
    if (read.length > MAX_RELATED_ROWS) return undefined;
    // A row that other documents look up as well has issues from those too.
    const reported = read.filter((place) =>
      (this.documents.get(keyOf(place)) ?? []).every((places) => documents.has(places)),
    );
    return { read, reported };
  }

  private compiled(tableIndex: number): readonly CompiledTable[] {
    return [...this.job.mapping.tables.values()].filter((table) => table.tableIndex === tableIndex);
  }

  /** True if the column is part of the key or of a join, so a change may move the row to another document. */
  private isKey({ tableIndex, header }: ReadableTable, column: number): boolean {
    const { mapping } = this.job;
    const joins = [...mapping.tables.values()].flatMap(({ join }) => join ?? []);
    if (mapping.onePer === 'record' && joins.length === 0) return false;
    const ids = [...mapping.key, ...joins.flatMap(askingIds)];
    return this.compiled(tableIndex)
      .flatMap(({ columns, join }) => [
        ...ids.flatMap((id) => columns.get(id.slice(id.lastIndexOf('.') + 1)) ?? []),
        ...joiningColumns(join),
        ...(join?.whose.map(({ column }) => column) ?? []),
      ])
      .flatMap((column) => [column, ...column.feeders])
      .some(({ id }) => header.columns.get(id) === column);
  }

  /** Returns the issues of these rows after the edits. Issues that need all records are not among them. */
  async check(
    { read, reported }: RelatedRows,
    rowOf: (place: RowPlace) => Promise<Row | undefined>,
    edits: readonly Edit[],
  ): Promise<readonly Issue[]> {
    const located = await Promise.all(this.tables.map((table) => this.withRows(table, read, rowOf, edits)));
    const keys = new Set(reported.map(keyOf));
    const issues: Issue[] = [];
    for await (const events of runLocated(planOf(this.context, this.job), foundBefore(located)))
      for (const event of events)
        if (event.kind === 'issue' && keys.has(keyOf(event.issue.place))) issues.push(event.issue);
    return issues;
  }

  /** Returns the table limited to these rows. */
  private async withRows(
    table: ReadableTable,
    places: readonly RowPlace[],
    rowOf: (place: RowPlace) => Promise<Row | undefined>,
    edits: readonly Edit[],
  ): Promise<ReadableTable> {
    if (table.compiled.spec.param !== undefined) return table;
    const { source } = table;
    const ofTable = places.filter(({ file, sheet }) => file === source.file && sheet === source.sheet);
    const rows = (await Promise.all(ofTable.map(rowOf))).flatMap((row) => row ?? []);
    const narrow = editedSource(
      {
        ...source,
        async *batches() {
          if (rows.length > 0) yield rows;
        },
      },
      edits,
    );
    return { ...table, source: narrow };
  }
}

/** Creates `check`; after the run `onIndex` gets the row index for later single-row checks. */
export const checkWithIndex = (onIndex?: (checked: CheckIndex) => void): UseCase<CheckOptions> =>
  onFiles(async (context, opened, options) => {
    if (options.writeComplement !== undefined)
      return writeComplement(context, opened, options, options.writeComplement);
    const job = await loadJob(context, opened, options);
    const copies = await copiesFor(context, job, options);
    const totalsOf = onIndex && (await familyFor(context, job.mapping)?.delivery?.())?.totals;
    const checked = onIndex && new CheckIndex(context, job, totalsOf);
    const plan = planOf(context, job);
    const read = async (follow?: DocumentSequence): Promise<Findings> => {
      const reading = readJob(context, job, {
        follow,
        copies: {
          take(event) {
            copies?.take(event);
            checked?.take(event);
          },
        },
      });
      for await (const _ of reading.documents); // all that a check wants is told on the way
      return reading.findings();
    };
    const findings =
      familyFor(context, job.mapping)?.documents.follow === undefined
        ? await read()
        : await withJournalIfAny(context, options, (journal) =>
            read(followFor(context, job.mapping, { ...plan, ...(journal && { journal }) })),
          );
    await copies?.write();
    emitAccounts(context, findings);
    if (checked !== undefined) onIndex?.(checked);
    return findings.errors === 0 ? 'fine' : 'data-errors';
  });

/** `cargue check FILE...`: reads everything and reports what to fix; writes no documents. */
export const check = checkWithIndex();
