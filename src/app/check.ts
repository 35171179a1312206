import type { Issue } from '../core/issue.js';
import { dateInBogota } from '../core/plain-date.js';
import { type PrepareEvent, prepare } from '../documents/prepare.js';
import type { LocatedTable } from '../mapping/record.js';
import { editedSource } from '../tables/edits.js';
import type { Header } from '../tables/header.js';
import type { Row, RowSource } from '../tables/table.js';
import type { Context, UseCase } from './context.js';
import { copiesFor } from './copies.js';
import { tellAccounts } from './events.js';
import { deriveFor, familyFor, type Job, loadJob } from './job.js';
import { readJob } from './reading.js';

/** A row of a file, as people name it. */
export interface RowPlace {
  readonly file: string;
  readonly sheet?: string | undefined;
  readonly row: number;
}

const keyOf = ({ file, sheet, row }: Partial<RowPlace>): string => [file, sheet, row].join('\n');

/** Records of a document; one that has more is checked with all that was read. */
const MOST_ROWS = 200;

/** What a check of whole files found out, so that the document of a row can be checked again by itself, at once. */
export class Checked {
  private readonly tables: LocatedTable[] = [];
  /** Rows of documents that have several, by each of them. */
  private readonly together = new Map<string, readonly RowPlace[]>();

  constructor(
    private readonly context: Context,
    private readonly job: Job,
  ) {}

  take(event: PrepareEvent): void {
    if (event.kind === 'formats') this.tables.push(event.voted.table);
    else if (this.job.mapping.onePer === 'record') return;
    else if (event.kind === 'document') this.keep((event.document.records ?? []) as readonly RowPlace[]);
    else if (event.kind === 'held-back') this.keep(event.places as readonly RowPlace[]);
  }

  private keep(places: readonly RowPlace[]): void {
    if (places.length > 1) for (const place of places) this.together.set(keyOf(place), places);
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
  headerOf(file: string, sheet: string | undefined): Header | undefined {
    return this.tables.find(({ source }) => source.file === file && source.sheet === sheet)?.header;
  }

  /** The rows of the document that a row is part of. */
  rowsWith(place: RowPlace): readonly RowPlace[] {
    return this.together.get(keyOf(place)) ?? [place];
  }

  /** Whether a document is all in rows of its own: nothing else is looked up, and none depends on those before it. */
  private get isAlone(): boolean {
    const { mapping, params } = this.job;
    const today = dateInBogota(this.context.now());
    const own = this.tables.every(({ slot }) =>
      [...mapping.tables.values()].some(
        (table) => table.slot === slot && (mapping.mains.includes(table) || table.spec.param !== undefined),
      ),
    );
    return own && familyFor(this.context, mapping)?.follow?.({ params, today }) === undefined;
  }

  /**
   * What is wrong in the rows of a document, as they are mended; what only all records together can tell is not said.
   * Undefined where the document cannot be told apart: then only the files as a whole say it.
   */
  async check(
    places: readonly RowPlace[],
    rowOf: (place: RowPlace) => Promise<Row | undefined>,
    edits: NonNullable<Job['edits']>,
  ): Promise<readonly Issue[] | undefined> {
    if (!this.isAlone || places.length > MOST_ROWS) return undefined;
    const located = await Promise.all(this.tables.map((table) => this.narrowed(table, places, rowOf, edits)));
    const keys = new Set(places.map(keyOf));
    const issues: Issue[] = [];
    for await (const events of prepare({
      ...this.job,
      located,
      derive: deriveFor(this.context),
      today: dateInBogota(this.context.now()),
    }))
      for (const event of events)
        if (event.kind === 'issue' && keys.has(keyOf(event.issue.place))) issues.push(event.issue);
    return issues;
  }

  /** A table with those rows alone. */
  private async narrowed(
    table: LocatedTable,
    places: readonly RowPlace[],
    rowOf: (place: RowPlace) => Promise<Row | undefined>,
    edits: NonNullable<Job['edits']>,
  ): Promise<LocatedTable> {
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
export const checkKeeping =
  (found?: (checked: Checked) => void): UseCase =>
  async (context, files, options) => {
    const job = await loadJob(context, files, options);
    const copies = copiesFor(context, job, options);
    const checked = found && new Checked(context, job);
    const reading = readJob(context, job, {
      copies: {
        take(event) {
          copies?.take(event);
          checked?.take(event);
        },
      },
    });
    for await (const _ of reading.documents); // all that a check wants is told on the way
    const findings = reading.findings();
    await copies?.write();
    tellAccounts(context, findings);
    if (checked !== undefined) found!(checked);
    return findings.errors === 0 ? 'fine' : 'data-errors';
  };

/** `cargue check FILE...`: reads everything, says what to fix, makes nothing. */
export const check = checkKeeping();
