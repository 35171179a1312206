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
import type { PrepareEvent } from '../toolkit/documents/phases.js';
import { asRead, styledColumns } from '../toolkit/documents/styled-columns.js';
import { isInstructions } from '../toolkit/inspect/choose.js';
import { hasTrait, wordInFull } from '../toolkit/messages/wording.js';
import type { StyledColumn } from '../toolkit/schema/document.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import type { Row, RowSource } from '../toolkit/tables/table.js';
import type { Context } from './context.js';
import { hashFiles } from './files.js';
import { placedOutcomes } from './outcomes.js';

/**
 * Files with tables, which can be copied; XML documents that a list stands beside are left as they are.
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

/** Reasons that a row names. */
const MOST_REASONS = 5;

type At = Pick<Place, 'file' | 'sheet' | 'row'>;

/** The records of a document, and those that it joins. */
interface FailedDocument {
  readonly own: readonly At[];
  readonly beside: readonly At[];
}

const PART: ReadonlySet<string> = new Set(Object.values(PART_HEADER));
/** Where the reasons go, if the file has such a column already. */
const REASONS: ReadonlySet<string> = new Set([...PART, ...Object.values(OWN_HEADERS.state)]);

/** Whether a table with these labels is one of rows to mend, and so a part of what it was made of. */
export const isPart = (labels: readonly (string | undefined)[]): boolean =>
  labels.some((label) => label !== undefined && PART.has(label));

/** States that call for mending; of the others nobody knows yet, or they are done. */
const CALLS: ReadonlySet<ReportedState> = new Set<ReportedState>(['rejected', 'held-back']);

const tableKey = ({ file, sheet }: At): string => `${file ?? ''}\n${sheet ?? ''}`;
const keyOf = (at: At): string => `${tableKey(at)}\n${at.row}`;

/**
 * The rows of the inputs whose documents are held back or rejected, gathered while they are read and sent, or from a
 * journal: a workbook to be mended and given back, a sheet for each table, in which what went well is not.
 */
export class FailedRows {
  /** Of each row its state, and the rows of its document. */
  private readonly rows = new Map<string, { readonly state: string; readonly of: readonly At[] }>();
  private readonly documents = new Map<number, FailedDocument>();
  /** What cells say before it is known what becomes of their document. */
  private readonly said = new Map<string, Set<string>>();
  /** What holds documents back and no cell caused, as a parameter that is missing. */
  private readonly general = new Set<string>();
  /** By table, the row of its labels. */
  private readonly headers = new Map<string, number>();
  private readonly styled: StyledColumn[] = [];

  /** Base names, as places call them. */
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
    } else if (event.kind === 'issue') this.say(event.issue);
    else if (event.kind === 'held-back')
      this.fail({ own: event.places, beside: event.beside }, STATES['held-back'][this.language]);
    else if (event.kind === 'document') {
      const { sequence, records = [], beside = [] } = event.document;
      this.documents.set(sequence, { own: records, beside });
    }
  }

  /** Where the labels of a table stand. */
  header(table: At, row: number): void {
    this.headers.set(tableKey(table), row);
  }

  /** How columns are read, which the rows that stay may not show. */
  styles(styled: readonly StyledColumn[]): void {
    this.styled.push(...styled);
  }

  outcome(sequence: number, state: ReportedState, _code?: string, issues: readonly Issue[] = []): void {
    const document = this.documents.get(sequence);
    if (document !== undefined) this.ended(document, state, issues);
  }

  /** What became of a document that was made, or that is held back. */
  ended(document: FailedDocument, state: ReportedState, issues: readonly Issue[]): void {
    if (!CALLS.has(state)) return;
    this.fail(document, STATES[state][this.language]);
    const [first] = document.own;
    for (const issue of issues) this.say(issue, first);
  }

  private fail({ own, beside }: FailedDocument, state: string): void {
    const of = [...own, ...beside];
    for (const place of of)
      if (place.row !== undefined && !this.rows.has(keyOf(place))) this.rows.set(keyOf(place), { state, of });
  }

  /** Of a cell in its row; what no cell caused, in the first row of the document. */
  private say(issue: Issue, first?: At): void {
    const { file, row } = issue.place;
    if (issue.level !== 'error' || (file !== undefined && !this.files.has(file))) return;
    const at = row === undefined ? first : issue.place;
    const reasons = at === undefined ? this.general : (this.said.get(keyOf(at)) ?? new Set());
    if (reasons.size < MOST_REASONS) {
      const { documents, ...alone } = issue; // how many it concerns says nothing of this row
      const where =
        row === undefined && issue.place.param === undefined
          ? ''
          : `${wordPlace(issue.place, this.language)}: `;
      reasons.add(`${where}${wordInFull(alone, this.language, ruleEntry)}`);
    }
    if (at !== undefined) this.said.set(keyOf(at), reasons);
  }

  /** Records that belong to no document and are wrong by themselves stay too; one that is right says which of its document is not. */
  private reasonOf(at: At): string | undefined {
    const failed = this.rows.get(keyOf(at));
    const own = this.said.get(keyOf(at));
    if (failed === undefined && own === undefined) return undefined;
    const reasons = own ?? failed?.of.map((place) => this.said.get(keyOf(place))).find(Boolean);
    const state = failed?.state ?? STATES['held-back'][this.language];
    return [`${state}.`, ...(reasons ?? this.general)].join(' ');
  }

  /** Writes them; returns where. Undefined when nothing failed. */
  async write(output: string, placing: Placing): Promise<string | undefined> {
    if (this.rows.size === 0 && this.said.size === 0) return undefined;
    try {
      const sheets: KeptSheet[] = [];
      for (const { file, tables } of await this.opened.inputs())
        for (const source of this.files.has(file) ? tables : []) {
          const header = this.headers.get(tableKey(source));
          if (header !== undefined) sheets.push(await this.kept(source, header));
          else if (source.sheet !== undefined && isInstructions(source.sheet))
            sheets.push(await whole(source));
        }
      return await putInPlace(output, (temporary) => writeKeptRows(temporary, eachNamed(sheets)), placing);
    } finally {
      await this.opened.close();
    }
  }

  /** The labels, what stands above them, and the rows that failed. */
  private async kept(source: RowSource, header: number): Promise<KeptSheet> {
    const { file, sheet } = source;
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
      // Where columns are known by their position alone, one more would be one too many.
      reasons: header === 0 ? undefined : (known ?? widths.length),
      widths,
    };
  }
}

const MOST_LETTERS = 31;

/** Sheets of several files may be called the same: `Nómina`, `Nómina 2`. */
function eachNamed(sheets: readonly KeptSheet[]): readonly KeptSheet[] {
  const taken = new Set<string>();
  return sheets.map((sheet) => {
    let name = sheet.name;
    for (let n = 2; taken.has(name.toLowerCase()); n++)
      name = `${sheet.name.slice(0, MOST_LETTERS - 1 - String(n).length)} ${n}`;
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

async function whole(source: RowSource): Promise<KeptSheet> {
  const rows = (): AsyncIterable<Row> => rowsThat(source, () => true);
  const widths = await widthsOf(rows());
  return { name: source.sheet!, header: 0, rows, reasonOf: () => undefined, reasons: undefined, widths };
}

/**
 * The same of a run, from the journal and the files that it was made of, which must be as they were.
 * @throws PipelineError('usage', run/input-changed, run/annotate-no-table)
 */
export async function failedOfRun(context: Context, journal: Journal, run: Run): Promise<FailedRows> {
  const opened = new Opened(run.meta.inputs.map(({ file, path = file }) => path));
  const tables = await tablesOf(opened, '--failed').finally(() => opened.close());
  const now = await hashFiles(opened.files).catch(() => []);
  for (const [at, { file, sha256, path = file }] of run.meta.inputs.entries())
    if (now[at]?.sha256 !== sha256) stop('usage', { code: 'run/input-changed', value: path });
  const rows = new FailedRows(opened, tables, context.language);
  for (const { place } of run.counts.columns ?? [])
    if (place.row !== undefined) rows.header(place, place.row);
  rows.styles(run.counts.styled ?? []);
  for await (const { issue, document } of runFindings(journal, run.id)) {
    const records = document?.records ?? [];
    if (!hasTrait(issue, 'elsewhere')) rows.ended({ own: records, beside: [] }, 'held-back', []);
    rows.take({ kind: 'issue', issue });
  }
  for await (const { sequence, state, issues } of placedOutcomes(context, journal, run.id)) {
    if (!CALLS.has(state)) continue;
    rows.ended({ own: await recordsOf(journal, run.id, sequence), beside: [] }, state, issues);
  }
  return rows;
}
