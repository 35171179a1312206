import { basename } from 'node:path';
import { OWN_HEADERS, PART_HEADER, STATES } from '../generated/texts-report.js';
import { placesOf } from '../report/annotate/text-workbook.js';
import { type KeptSheet, widthsOf, writeKeptRows } from '../report/failed-workbook.js';
import { type Placing, putInPlace } from '../report/put-in-place.js';
import type { ReportedState } from '../report/run-report.js';
import { recordsOf, runFindings } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import type { Run } from '../send/runs.js';
import { type Issue, type Language, type Place, stop, wordPlace } from '../toolkit/core/issue.js';
import { Opened } from '../toolkit/documents/opened.js';
import { ownedTables, withOwners } from '../toolkit/documents/owner-rows.js';
import type { PrepareEvent } from '../toolkit/documents/phases.js';
import { asRead, styledColumns } from '../toolkit/documents/styled-columns.js';
import { firstRows, HEADER_WITHIN } from '../toolkit/documents/table-fit.js';
import { isInstructions } from '../toolkit/inspect/choose.js';
import { hasTrait, wordInFull } from '../toolkit/messages/wording.js';
import type { OwnedTable, OwnerField, StyledColumn } from '../toolkit/schema/document.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import type { Row, RowSource } from '../toolkit/tables/table.js';
import type { Context } from './context.js';
import { hashFiles } from './files.js';
import { placedOutcomes } from './outcomes.js';

/**
 * Returns the files with tables, which can be copied; XML documents next to a list are skipped.
 * @throws PipelineError('usage', run/annotate-no-table)
 */
export async function tablesOf(opened: Opened, option: string): Promise<readonly string[]> {
  const mayBeXml = opened.files.some((file) => /\.(xml|zip)$/i.test(file));
  const others = mayBeXml ? (await opened.inputs()).filter(({ kind }) => kind !== 'xml') : [];
  const tables = others.length === 0 ? opened.files : others.map(({ path }) => path);
  const other = tables.find((file) => /\.(xml|zip|json)$/i.test(file));
  if (other !== undefined) stop('usage', { code: 'run/annotate-no-table', value: other, params: { option } });
  return tables;
}

const MAX_REASONS_PER_ROW = 5;

type At = Pick<Place, 'file' | 'sheet' | 'row'>;

/** Records of a document, and the rows they look up. */
interface FailedDocument {
  readonly records: readonly At[];
  readonly related: readonly At[];
}

const PART: ReadonlySet<string> = new Set(Object.values(PART_HEADER));
/** Labels of an existing column that takes the reasons. */
const REASONS: ReadonlySet<string> = new Set([...PART, ...Object.values(OWN_HEADERS.state)]);

/** True if a table with these labels is a file of rows to fix, so a part of its original. */
export const isPart = (labels: readonly (string | undefined)[]): boolean =>
  labels.some((label) => label !== undefined && PART.has(label));

/** States the user can fix; the others are done or not known yet. */
const STATES_TO_FIX: ReadonlySet<ReportedState> = new Set<ReportedState>(['rejected', 'held-back']);

const tableKey = ({ file, sheet }: At): string => `${file ?? ''}\n${sheet ?? ''}`;
const keyOf = (at: At): string => `${tableKey(at)}\n${at.row}`;

/**
 * Rows whose documents were held back or rejected, collected during a run or from the journal. They are written as a
 * workbook to edit and send again, one sheet per table.
 */
export class RowsToFix {
  /** State by row, with the rows of its document. */
  private readonly rows = new Map<string, { readonly state: string; readonly of: readonly At[] }>();
  private readonly documents = new Map<number, FailedDocument>();
  /** Reasons by row, before the state of its document is known. */
  private readonly reasons = new Map<string, Set<string>>();
  /** Reasons without a cell, such as a missing parameter. */
  private readonly general = new Set<string>();
  /** Row of the labels, by table. */
  private readonly headers = new Map<string, number>();
  private readonly styled: StyledColumn[] = [];
  /** Data of owners, which the remaining rows have as columns, by table. */
  private readonly owners = new Map<string, readonly OwnerField[]>();

  /** Base names, as used in places. */
  private readonly files: ReadonlySet<string>;

  /** @param tables paths of the inputs with tables */
  constructor(
    private readonly opened: Opened,
    tables: readonly string[],
    private readonly language: Language,
  ) {
    this.files = new Set(tables.map((path) => basename(path)));
  }

  take(event: PrepareEvent): void {
    if (event.kind === 'formats') {
      const { source, header } = event.voted.table;
      this.header(source, header.row.number);
      this.styles(styledColumns(event.voted));
      this.owned(ownedTables(event.voted.table));
    } else if (event.kind === 'issue') this.addReason(event.issue);
    else if (event.kind === 'held-back')
      this.fail({ records: event.places, related: event.beside }, STATES['held-back'][this.language]);
    else if (event.kind === 'document') {
      const { sequence, records = [], beside = [] } = event.document;
      this.documents.set(sequence, { records, related: beside });
    }
  }

  /** Records the row number of a table's labels. */
  header(table: At, row: number): void {
    this.headers.set(tableKey(table), row);
  }

  /** Records how columns are read, which the remaining rows may not show. */
  styles(styled: readonly StyledColumn[]): void {
    this.styled.push(...styled);
  }

  /** Records tables whose rows do not say whose they are. */
  owned(tables: readonly OwnedTable[]): void {
    for (const table of tables) this.owners.set(tableKey(table), table.fields);
  }

  outcome(sequence: number, state: ReportedState, _code?: string, issues: readonly Issue[] = []): void {
    const document = this.documents.get(sequence);
    if (document !== undefined) this.ended(document, state, issues);
  }

  /** Adds a document that was held back or rejected. */
  ended(document: FailedDocument, state: ReportedState, issues: readonly Issue[]): void {
    if (!STATES_TO_FIX.has(state)) return;
    this.fail(document, STATES[state][this.language]);
    const [first] = document.records;
    for (const issue of issues) this.addReason(issue, first);
  }

  private fail({ records, related }: FailedDocument, state: string): void {
    const of = [...records, ...related];
    for (const place of of)
      if (place.row !== undefined && !this.rows.has(keyOf(place))) this.rows.set(keyOf(place), { state, of });
  }

  /** Adds an issue to the row of its cell; without a cell, to the first row of the document. */
  private addReason(issue: Issue, first?: At): void {
    const { file, row } = issue.place;
    if (issue.level !== 'error' || (file !== undefined && !this.files.has(file))) return;
    const at = row === undefined ? first : issue.place;
    const reasons = at === undefined ? this.general : (this.reasons.get(keyOf(at)) ?? new Set());
    if (reasons.size < MAX_REASONS_PER_ROW) {
      const { documents, ...alone } = issue; // how many it concerns says nothing of this row
      const where =
        row === undefined && issue.place.param === undefined
          ? ''
          : `${wordPlace(issue.place, this.language)}: `;
      reasons.add(`${where}${wordInFull(alone, this.language, ruleEntry)}`);
    }
    if (at !== undefined) this.reasons.set(keyOf(at), reasons);
  }

  /**
   * Returns the text for a row: its own reasons, else those of another row of its document, else the general ones.
   * Undefined if it needs no fix.
   */
  private reasonOf(at: At): string | undefined {
    const failed = this.rows.get(keyOf(at));
    const ofRow = this.reasons.get(keyOf(at));
    if (failed === undefined && ofRow === undefined) return undefined;
    const reasons = ofRow ?? failed?.of.map((place) => this.reasons.get(keyOf(place))).find(Boolean);
    const state = failed?.state ?? STATES['held-back'][this.language];
    return [`${state}.`, ...(reasons ?? this.general)].join(' ');
  }

  /** Writes the workbook; returns its path, or undefined if nothing failed. */
  async write(output: string, placing: Placing): Promise<string | undefined> {
    if (this.rows.size === 0 && this.reasons.size === 0) return undefined;
    try {
      const sheets: KeptSheet[] = [];
      for (const { file, tables } of await this.opened.inputs())
        for (const source of this.files.has(file) ? tables : []) {
          const header = this.headers.get(tableKey(source));
          if (header !== undefined) sheets.push(await this.sheetToFix(source, header));
          else if (source.sheet !== undefined && isInstructions(source.sheet))
            sheets.push(await entireSheet(source, source.sheet));
        }
      return await putInPlace(
        output,
        (temporary) => writeKeptRows(temporary, withUniqueNames(sheets)),
        placing,
      );
    } finally {
      await this.opened.close();
    }
  }

  /** Returns the rows up to the header and those to fix. */
  private async sheetToFix(plain: RowSource, header: number): Promise<KeptSheet> {
    const { file, sheet } = plain;
    const fields = this.owners.get(tableKey(plain));
    const source =
      fields === undefined
        ? plain
        : withOwners(plain, fields, await firstRows(plain, Math.max(header, HEADER_WITHIN)));
    const at = (row: number): At => ({ file, ...(sheet !== undefined && { sheet }), row });
    const title = PART_HEADER[this.language];
    const reasonOf = (row: number): string | undefined =>
      row === header ? title : row < header ? undefined : this.reasonOf(at(row));
    const stays = (row: number): boolean => row <= header || reasonOf(row) !== undefined;
    const styled = this.styled.filter((column) => tableKey(column) === tableKey(source));
    const rows = (): AsyncIterable<Row> => rowsThat(source, stays, header, asRead(styled));
    let known: number | undefined;
    for await (const { texts } of rowsThat(source, (row) => row === header)) {
      const found = texts.findIndex((text) => text !== undefined && REASONS.has(text));
      if (found >= 0) known = found;
    }
    const widths = await widthsOf(rows());
    return {
      name: sheet ?? placesOf(source.file).sheetOf(1),
      header,
      rows,
      reasonOf,
      // Columns known by position only must not get one more.
      reasons: header === 0 ? undefined : (known ?? widths.length),
      widths,
    };
  }
}

const MAX_SHEET_NAME_LENGTH = 31;

/** Makes sheet names of several files unique: `Nómina`, `Nómina 2`. */
function withUniqueNames(sheets: readonly KeptSheet[]): readonly KeptSheet[] {
  const taken = new Set<string>();
  return sheets.map((sheet) => {
    let name = sheet.name;
    for (let n = 2; taken.has(name.toLowerCase()); n++)
      name = `${sheet.name.slice(0, MAX_SHEET_NAME_LENGTH - 1 - String(n).length)} ${n}`;
    taken.add(name.toLowerCase());
    return { ...sheet, name };
  });
}

async function* rowsThat(
  source: RowSource,
  stays: (row: number) => boolean,
  header = 0,
  written = (row: Row) => row,
): AsyncGenerator<Row> {
  for await (const batch of source.batches())
    for (const row of batch) if (stays(row.number)) yield row.number > header ? written(row) : row;
}

async function entireSheet(source: RowSource, name: string): Promise<KeptSheet> {
  const rows = (): AsyncIterable<Row> => rowsThat(source, () => true);
  const widths = await widthsOf(rows());
  return { name, header: 0, rows, reasonOf: () => undefined, reasons: undefined, widths };
}

/**
 * Collects the rows to fix of a run from the journal and its unchanged input files.
 * @throws PipelineError('usage', run/input-changed, run/annotate-no-table)
 */
export async function rowsToFixOfRun(context: Context, journal: Journal, run: Run): Promise<RowsToFix> {
  const opened = new Opened(run.meta.inputs.map(({ file, path = file }) => path));
  const tables = await tablesOf(opened, '--failed').finally(() => opened.close());
  const now = await hashFiles(opened.files).catch(() => []);
  for (const [at, { file, sha256, path = file }] of run.meta.inputs.entries())
    if (now[at]?.sha256 !== sha256) stop('usage', { code: 'run/input-changed', value: path });
  const rows = new RowsToFix(opened, tables, context.language);
  for (const { place } of run.counts.columns ?? [])
    if (place.row !== undefined) rows.header(place, place.row);
  rows.styles(run.counts.styled ?? []);
  rows.owned(run.counts.owned ?? []);
  for await (const { issue, document } of runFindings(journal, run.id)) {
    const records = document?.records ?? [];
    if (!hasTrait(issue, 'elsewhere')) rows.ended({ records, related: [] }, 'held-back', []);
    rows.take({ kind: 'issue', issue });
  }
  for await (const { sequence, state, issues } of placedOutcomes(context, journal, run.id)) {
    if (!STATES_TO_FIX.has(state)) continue;
    rows.ended({ records: await recordsOf(journal, run.id, sequence), related: [] }, state, issues);
  }
  return rows;
}
