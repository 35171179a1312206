import { basename } from 'node:path';
import { type Issue, type Language, type Place, wordPlace } from '../core/issue.js';
import type { PrepareEvent } from '../documents/prepare.js';
import { STATE_HEADER, STATES } from '../generated/texts-report.js';
import { word } from '../messages/wording.js';
import { isInstructions } from '../propose/choose.js';
import { placesOf } from '../report/annotate/text-workbook.js';
import { type KeptSheet, widthOf, writeKeptRows } from '../report/failed-workbook.js';
import { type Placing, putInPlace } from '../report/put-in-place.js';
import type { ReportedState } from '../report/run-report.js';
import { ruleEntry } from '../schema/rule-data.js';
import { type Edit, withEdits } from '../tables/edits.js';
import { openInput } from '../tables/open.js';
import type { Row, RowSource } from '../tables/table.js';

/** Reasons that a row names. */
const MOST_REASONS = 5;

type At = Pick<Place, 'sheet' | 'row'>;

interface FailedDocument {
  readonly own: readonly At[];
  readonly beside: readonly At[];
}

/** States that call for mending; of the others nobody knows yet, or they are done. */
const CALLS: ReadonlySet<ReportedState> = new Set<ReportedState>(['rejected', 'held-back']);

const keyOf = ({ sheet, row }: At): string => `${sheet ?? ''}\n${row}`;

/**
 * The rows of an input whose documents are held back or rejected, gathered while it is read and sent: a workbook to be
 * mended and given back, in which what went well is not.
 */
export class FailedRows {
  /** Of each row its state and what is wrong. */
  private readonly rows = new Map<string, { state: string; readonly reasons: Set<string> }>();
  private readonly documents = new Map<number, FailedDocument>();
  /** What cells say before it is known what becomes of their document. */
  private readonly said = new Map<string, Set<string>>();
  /** By sheet, the row of its labels. */
  private readonly headers = new Map<string, number>();

  constructor(
    private readonly input: string,
    private readonly edits: readonly Edit[],
    private readonly language: Language,
  ) {}

  take(event: PrepareEvent): void {
    if (event.kind === 'formats') {
      const { source, header } = event.voted.table;
      if (source.file === basename(this.input)) this.headers.set(source.sheet ?? '', header.row.number);
    } else if (event.kind === 'issue') this.say(event.issue);
    else if (event.kind === 'held-back')
      this.fail({ own: event.places, beside: event.beside }, STATES['held-back'][this.language]);
    else if (event.kind === 'document') {
      const { sequence, records = [], beside = [] } = event.document;
      this.documents.set(sequence, { own: records, beside });
    }
  }

  outcome(sequence: number, state: ReportedState, _code?: string, issues: readonly Issue[] = []): void {
    const document = this.documents.get(sequence);
    if (document === undefined || !CALLS.has(state)) return;
    this.fail(document, STATES[state][this.language]);
    const [first] = document.own;
    for (const issue of issues) this.say(issue, first);
  }

  private fail({ own, beside }: FailedDocument, state: string): void {
    for (const place of [...own, ...beside]) this.failRow(place, state);
  }

  private failRow(place: At, state: string): void {
    if (place.row === undefined) return;
    const known = this.rows.get(keyOf(place));
    if (known === undefined) this.rows.set(keyOf(place), { state, reasons: new Set() });
  }

  /** Of a cell in its row; what no cell caused, in the first row of the document. */
  private say(issue: Issue, first?: At): void {
    const { file, sheet, row } = issue.place;
    if (issue.level !== 'error' || (file !== undefined && file !== basename(this.input))) return;
    const at = row === undefined ? first : { ...(sheet !== undefined && { sheet }), row };
    if (at === undefined) return;
    const { message, fix } = word(issue, this.language, ruleEntry);
    const reasons = this.said.get(keyOf(at)) ?? new Set();
    if (reasons.size < MOST_REASONS) {
      const where = row === undefined ? '' : `${wordPlace(issue.place, this.language)}: `;
      reasons.add(`${where}${message} ${fix}`.trim());
    }
    this.said.set(keyOf(at), reasons);
  }

  /** Records that belong to no document and are wrong by themselves stay too. */
  private reasonOf(at: At): string | undefined {
    const failed = this.rows.get(keyOf(at));
    const reasons = this.said.get(keyOf(at));
    if (failed === undefined && reasons === undefined) return undefined;
    const state = failed?.state ?? STATES['held-back'][this.language];
    return [state, ...(reasons ?? [])].join('. ');
  }

  /** Writes them; returns where. Undefined when nothing failed. */
  async write(output: string, placing: Placing): Promise<string | undefined> {
    if (this.rows.size === 0 && this.said.size === 0) return undefined;
    const opened = await openInput(this.input);
    try {
      const { tables } = withEdits(opened, this.edits);
      const sheets: KeptSheet[] = [];
      for (const source of tables) {
        const header = this.headers.get(source.sheet ?? '');
        if (header !== undefined) sheets.push(await this.kept(source, header));
        else if (source.sheet !== undefined && isInstructions(source.sheet)) sheets.push(whole(source));
      }
      return await putInPlace(output, (temporary) => writeKeptRows(temporary, sheets), placing);
    } finally {
      await opened.close();
    }
  }

  /** The labels, what stands above them, and the rows that failed. */
  private async kept(source: RowSource, header: number): Promise<KeptSheet> {
    const { sheet } = source;
    const at = (row: number): At => ({ ...(sheet !== undefined && { sheet }), row });
    const title = STATE_HEADER[this.language];
    const reasonOf = (row: number): string | undefined =>
      row === header ? title : row < header ? undefined : this.reasonOf(at(row));
    const stays = (row: number): boolean => row <= header || reasonOf(row) !== undefined;
    const rows = (): AsyncIterable<Row> => rowsThat(source, stays);
    const own = new Set(Object.values(STATE_HEADER));
    let known: number | undefined;
    for await (const { texts } of rowsThat(source, (row) => row === header)) {
      const found = texts.findIndex((text) => text !== undefined && own.has(text));
      if (found >= 0) known = found;
    }
    return {
      name: sheet ?? placesOf(source.file).sheetOf(1),
      header,
      rows,
      reasonOf,
      // Where columns are known by their position alone, one more would be one too many.
      reasons: header === 0 ? undefined : (known ?? (await widthOf(rows()))),
    };
  }
}

async function* rowsThat(source: RowSource, stays: (row: number) => boolean): AsyncGenerator<Row> {
  for await (const batch of source.batches()) for (const row of batch) if (stays(row.number)) yield row;
}

const whole = (source: RowSource): KeptSheet => ({
  name: source.sheet!,
  header: 0,
  rows: () => rowsThat(source, () => true),
  reasonOf: () => undefined,
  reasons: undefined,
});
