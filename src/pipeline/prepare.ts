import { type DocumentCounts, noDocuments, noRecords, type RecordCounts } from '../document/accounting.js';
import type { Draft } from '../document/draft.js';
import type { Trace } from '../document/trace.js';
import type { Issue, Place } from '../issues/issue.js';
import { originsOf } from '../mapping/apply.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues, ResolvedParams } from '../mapping/params.js';
import { type LocatedTable, placeOf, type ReadRecord, readRecord, rowPlace } from '../mapping/record.js';
import { openInput } from '../source/open.js';
import type { Row } from '../source/table.js';
import { checkRecord } from './check-record.js';
import { locate } from './locate.js';
import { SeenKeys } from './seen-keys.js';

export interface PrepareOptions {
  readonly files: readonly string[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
}

/** Records whose documents live at once: few, so that they die young and cost the collector little. */
const AT_ONCE = 32;

/** What happens on the way from files to documents, in order; `end` comes last. */
export type PrepareEvent =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'document'; readonly draft: Draft }
  | { readonly kind: 'held-back'; readonly key: string; readonly name?: string }
  | { readonly kind: 'skipped'; readonly place: Place; readonly note: string }
  | {
      readonly kind: 'end';
      readonly records: RecordCounts;
      readonly documents: DocumentCounts;
      /** Parameters that the run did not give, with the values used. */
      readonly defaults: ParamValues;
    };

/** read → map → validate. Streams: a batch of rows in, its events out; memory does not grow with the file. */
export async function* prepare(options: PrepareOptions): AsyncGenerator<readonly PrepareEvent[]> {
  const run = new Run(options);
  for (const [index, path] of options.files.entries()) {
    const input = await openInput(path);
    try {
      const { table, issues } = await locate(options.mapping, input, options.params.values);
      yield issues.map((issue) => ({ kind: 'issue', issue }) as const);
      if (table === undefined) continue;
      for await (const rows of table.source.batches())
        for (let at = 0; at < rows.length; at += AT_ONCE)
          yield run.take(table, rows.slice(at, at + AT_ONCE), index);
    } finally {
      await input.close();
    }
  }
  yield [{ kind: 'end', records: run.records, documents: run.documents, defaults: options.params.defaults }];
}

/** The state of one run: what was counted and which keys were seen. */
class Run {
  readonly records = noRecords();
  readonly documents = noDocuments();
  private readonly keys = new SeenKeys();
  private readonly saidOfParams = new Set<string>();
  private events: PrepareEvent[] = [];

  constructor(private readonly options: PrepareOptions) {}

  take(table: LocatedTable, rows: readonly Row[], file: number): readonly PrepareEvent[] {
    this.events = [];
    for (const row of rows) if (row.number > table.header.row.number) this.record(table, row, file);
    return this.events;
  }

  private record(table: LocatedTable, row: Row, file: number): void {
    const { mapping, params } = this.options;
    this.records.read += 1;
    const record = readRecord(table, row);
    const note = this.skipNote(record);
    if (note !== undefined) {
      this.records.skipped += 1;
      this.events.push({ kind: 'skipped', place: rowPlace(table, row), note });
      return;
    }
    const { key, issue } = this.key(table, record, file);
    const checked = checkRecord(mapping, table, record, params.values);
    this.documents.planned += 1;
    if (issue !== undefined) this.issue({ ...issue, documentKey: key });
    if (row.hidden && mapping.table.spec.hidden_rows !== 'include') this.issue(hiddenRow(table, row, key));
    for (const found of checked.issues) this.issue({ ...found, documentKey: key });
    for (const found of checked.paramIssues) this.paramIssue(found);
    if (!checked.good || issue !== undefined) {
      this.documents.heldBack += 1;
      this.records.heldBack += 1;
      const name = displayName(mapping, record);
      this.events.push({ kind: 'held-back', key, ...(name !== undefined && { name }) });
      return;
    }
    this.documents.made += 1;
    this.records.used += 1;
    this.events.push({
      kind: 'document',
      draft: new RecordDraft(this.documents.made, key, checked.document, table, record, this.options),
    });
  }

  private issue(issue: Issue): void {
    this.events.push({ kind: 'issue', issue });
  }

  /** A wrong parameter spoils every record alike: it is said once, and belongs to no record. */
  private paramIssue(issue: Issue): void {
    const said = `${issue.code} ${issue.place.pointer}`;
    if (this.saidOfParams.has(said)) return;
    this.saidOfParams.add(said);
    this.issue(issue);
  }

  /** Why a record is no data, if so. */
  private skipNote(record: ReadRecord): string | undefined {
    const { mapping, params } = this.options;
    if (record.row.hidden && mapping.table.spec.hidden_rows === 'skip') return 'fila oculta / hidden row';
    for (const { when, note } of mapping.table.skips)
      if (when.read({ values: record.values, params: params.values }) === true) return note;
    return undefined;
  }

  /** The key of a record, and what is wrong with it: blank, or seen before (the later record is the faulty one). */
  private key(table: LocatedTable, record: ReadRecord, file: number): { key: string; issue?: Issue } {
    const { key: column } = this.options.mapping;
    const { row, values, faults } = record;
    const value = values[column.position];
    if (typeof value !== 'string') {
      const index = table.indexes[column.position];
      const raw = index === undefined ? undefined : row.texts[index];
      const key = raw ?? `${row.number}`;
      if (faults?.has(column) || index === undefined) return { key };
      return {
        key,
        issue: { code: 'row/key-blank', level: 'error', params: {}, place: placeOf(table, row, column) },
      };
    }
    const first = this.keys.add(value, { file, row: row.number });
    if (first === undefined) return { key: value };
    const place = placeOf(table, row, column);
    const related: Place[] = [{ ...place, row: first.row }];
    return {
      key: value,
      issue: {
        code: 'row/key-repeated',
        level: 'error',
        params: { first: first.row },
        place,
        value,
        related,
      },
    };
  }
}

/** A draft that keeps its record, and computes name and trace only when asked. */
class RecordDraft implements Draft {
  constructor(
    readonly sequence: number,
    readonly key: string,
    readonly document: Draft['document'],
    private readonly table: LocatedTable,
    private readonly record: ReadRecord,
    private readonly options: PrepareOptions,
  ) {}

  get schema(): Draft['schema'] {
    return this.options.mapping.target;
  }

  get name(): string | undefined {
    return displayName(this.options.mapping, this.record);
  }

  get trace(): Trace {
    return originsOf(this.options.mapping, this.table, this.record, this.options.params.values).trace;
  }
}

function displayName(mapping: LoadedMapping, { values }: ReadRecord): string | undefined {
  const parts = mapping.display.flatMap(({ position }) => values[position] ?? []);
  return parts.length > 0 ? parts.join(' ') : undefined;
}

function hiddenRow(table: LocatedTable, row: Row, key: string): Issue {
  const place = { ...rowPlace(table, row), column: 'A' };
  return { code: 'row/hidden', level: 'warning', params: {}, place, documentKey: key };
}
