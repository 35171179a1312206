import { type Issue, isSameSheet, type Place } from '../toolkit/core/issue.js';
import { columnIndex } from '../toolkit/core/text.js';
import { foundBefore } from '../toolkit/documents/locate.js';
import type { Follow, PrepareEvent } from '../toolkit/documents/phases.js';
import { runLocated } from '../toolkit/documents/run.js';
import {
  askingIds,
  type CompiledTable,
  joiningColumns,
  type ReadableTable,
} from '../toolkit/mapping/record.js';
import { type Edit, editedSource } from '../toolkit/tables/edits.js';
import type { Header } from '../toolkit/tables/header.js';
import type { Row, RowSource } from '../toolkit/tables/table.js';
import { writeComplement } from './complement.js';
import type { Context, UseCase } from './context.js';
import { copiesFor } from './copies.js';
import { tellAccounts } from './events.js';
import { onFiles } from './files.js';
import { familyFor, followFor, type Job, loadJob, planOf } from './job.js';
import { withJournalIfAny } from './journal-access.js';
import type { CheckOptions } from './options.js';
import { type Findings, readJob } from './reading.js';

/** A row of a file, as people name it. */
export interface RowPlace {
  readonly file: string;
  readonly sheet?: string | undefined;
  readonly row: number;
}

const keyOf = ({ file, sheet, row }: Partial<RowPlace>): string => [file, sheet, row].join('\n');

/** Rows that are read again for one that was mended; where more belong together the check of the whole tells. */
const MOST_ROWS = 200;

/** The rows with which one that was mended is to be read again, and those of which all is known then. */
interface Together {
  readonly read: readonly RowPlace[];
  readonly told: readonly RowPlace[];
}

/** A row as it was mended: by which columns, where it is still a record. */
type MendedAt = RowPlace & { readonly column?: string };

/** What a check of whole files found out, so that the documents of a row can be checked again by themselves, at once. */
export class Checked {
  private readonly tables: ReadableTable[] = [];
  /** By row the documents that it feeds, each with all its rows; a document of a single row is not kept. */
  private readonly documents = new Map<string, (readonly RowPlace[])[]>();

  constructor(
    private readonly context: Context,
    private readonly job: Job,
  ) {}

  take(event: PrepareEvent): void {
    if (event.kind === 'formats') this.tables.push(event.voted.table);
    else if (event.kind === 'document')
      this.keep([...(event.document.records ?? []), ...(event.document.beside ?? [])] as readonly RowPlace[]);
    else if (event.kind === 'held-back')
      this.keep([...event.places, ...(event.beside ?? [])] as readonly RowPlace[]);
  }

  private keep(places: readonly RowPlace[]): void {
    if (places.length < 2) return;
    for (const place of places) {
      const known = this.documents.get(keyOf(place));
      if (known === undefined) this.documents.set(keyOf(place), [places]);
      else if (known.length <= MOST_ROWS) known.push(places);
    }
  }

  /** Where the records come from. */
  get sources(): readonly RowSource[] {
    return this.tables.filter(({ slot }) => !this.isGiven(slot)).map(({ source }) => source);
  }

  /** Given with the parameters: it has no rows of a file. */
  private isGiven(slot: number): boolean {
    return [...this.job.mapping.tables.values()].some(
      (table) => table.slot === slot && table.spec.param !== undefined,
    );
  }

  /** The header of a sheet that was read. */
  headerOf(place: Pick<Place, 'file' | 'sheet'>): Header | undefined {
    return this.tables.find(({ source }) => isSameSheet(source, place))?.header;
  }

  /** The rows of the document that a row is part of; what it looks up is none. */
  rowsWith(place: RowPlace): readonly RowPlace[] {
    if (!this.isOwn(place)) return [place];
    const [own = [place]] = this.documents.get(keyOf(place)) ?? [];
    return own.filter((one) => this.isOwn(one));
  }

  /** Whether documents are made of the rows of its table. */
  private isOwn(place: RowPlace): boolean {
    return this.tables.some(
      ({ source, slot }) =>
        isSameSheet(source, place) && this.job.mapping.mains.some((main) => main.slot === slot),
    );
  }

  /** Undefined where rows do not say by themselves whom they belong to: then only the files as a whole tell. */
  around(mended: readonly MendedAt[]): Together | undefined {
    const plan = planOf(this.context, this.job);
    if (followFor(this.context, plan.mapping, plan) !== undefined) return undefined;
    const documents = new Set<readonly RowPlace[]>();
    const alone: RowPlace[] = [];
    for (const place of mended) {
      const table = this.tables.find(({ source }) => isSameSheet(source, place));
      if (table === undefined || (place.column !== undefined && this.isKey(table, columnIndex(place.column))))
        return undefined;
      const own = this.documents.get(keyOf(place));
      if (own === undefined && !this.isOwn(place)) return undefined;
      if (own === undefined) alone.push({ file: place.file, sheet: place.sheet, row: place.row });
      for (const places of own ?? []) documents.add(places);
    }
    const read = [...new Map([...documents, alone].flat().map((place) => [keyOf(place), place])).values()];
    if (read.length > MOST_ROWS) return undefined;
    // Of a row that other documents look up as well, they have a word too.
    const told = read.filter((place) =>
      (this.documents.get(keyOf(place)) ?? []).every((places) => documents.has(places)),
    );
    return { read, told };
  }

  private compiled(slot: number): readonly CompiledTable[] {
    return [...this.job.mapping.tables.values()].filter((table) => table.slot === slot);
  }

  /** Whether a column says to which document a row belongs, where several rows make one. */
  private isKey({ slot, header }: ReadableTable, column: number): boolean {
    const { mapping } = this.job;
    const joins = [...mapping.tables.values()].flatMap(({ join }) => join ?? []);
    if (mapping.onePer === 'record' && joins.length === 0) return false;
    const ids = [...mapping.key, ...joins.flatMap(askingIds)];
    return this.compiled(slot)
      .flatMap(({ columns, join }) => [
        ...ids.flatMap((id) => columns.get(id.split('.').at(-1)!) ?? []),
        ...joiningColumns(join),
        ...(join?.whose.map(({ own }) => own) ?? []),
      ])
      .flatMap((one) => [one, ...one.feeders])
      .some(({ id }) => header.columns.get(id) === column);
  }

  /** What is wrong in those rows, as they are mended; what only all records together can tell is not said. */
  async check(
    { read, told }: Together,
    rowOf: (place: RowPlace) => Promise<Row | undefined>,
    edits: readonly Edit[],
  ): Promise<readonly Issue[]> {
    const located = await Promise.all(this.tables.map((table) => this.narrowed(table, read, rowOf, edits)));
    const keys = new Set(told.map(keyOf));
    const issues: Issue[] = [];
    for await (const events of runLocated(planOf(this.context, this.job), foundBefore(located)))
      for (const event of events)
        if (event.kind === 'issue' && keys.has(keyOf(event.issue.place))) issues.push(event.issue);
    return issues;
  }

  /** A table with those rows alone. */
  private async narrowed(
    table: ReadableTable,
    places: readonly RowPlace[],
    rowOf: (place: RowPlace) => Promise<Row | undefined>,
    edits: readonly Edit[],
  ): Promise<ReadableTable> {
    if (this.isGiven(table.slot)) return table;
    const { source } = table;
    const own = places.filter(({ file, sheet }) => file === source.file && sheet === source.sheet);
    const rows = (await Promise.all(own.map(rowOf))).flatMap((row) => row ?? []);
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

/** Told, besides what a check says, what it found out. */
export const checkKeeping = (found?: (checked: Checked) => void): UseCase<CheckOptions> =>
  onFiles(async (context, opened, options) => {
    if (options.writeComplement !== undefined)
      return writeComplement(context, opened, options, options.writeComplement);
    const job = await loadJob(context, opened, options);
    const copies = await copiesFor(context, job, options);
    const checked = found && new Checked(context, job);
    const plan = planOf(context, job);
    const read = async (follow?: Follow): Promise<Findings> => {
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
    tellAccounts(context, findings);
    if (checked !== undefined) found!(checked);
    return findings.errors === 0 ? 'fine' : 'data-errors';
  });

/** `cargue check FILE...`: reads everything, says what to fix, makes nothing. */
export const check = checkKeeping();
