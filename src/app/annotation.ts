import { basename } from 'node:path';
import { GOOD, SKIPPED, STATES } from '../generated/texts-report.js';
import { annotateCopy } from '../report/annotate/annotate-copy.js';
import type { CellMark, CopyStatus, HeaderRow, RowState, TextRows } from '../report/annotate/sheet-plan.js';
import { type Placing, withTemporary } from '../report/put-in-place.js';
import type { ReportedState } from '../report/run-report.js';
import type { CopyState } from '../report/tones.js';
import { type Issue, type Language, type Place, stop, wordPlace } from '../toolkit/core/issue.js';
import { type Opened, withOpened } from '../toolkit/documents/opened.js';
import type { PrepareEvent } from '../toolkit/documents/phases.js';
import { wordInFull } from '../toolkit/messages/wording.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import { type Edit, editsOf } from '../toolkit/tables/edits.js';
import { writeMended } from './mended.js';
import { SaidOnce } from './outcomes.js';

type At = Pick<Place, 'sheet' | 'row'>;

const at = ({ sheet, row }: At): { sheet?: string; row: number } => ({
  ...(sheet !== undefined && { sheet }),
  row: row!,
});

/** Beyond so many different words cells are only coloured: their copy says so. */
const MOST_MARKS = 10_000;

/** What the annotated copy of an input will say, gathered while the input is read and its documents are sent. */
export class Annotation {
  /** What is said of cells, by place but for the row, and by words: one mistake often stands in every row. */
  private readonly marks = new Map<
    string,
    { readonly mark: Omit<CellMark, 'row'>; readonly rows: number[] }
  >();
  /** By sheet and row. */
  private readonly states = new Map<string | undefined, Map<number, CopyStatus>>();
  private readonly plain = new Map<string, CopyStatus>();
  private readonly headers = new Map<string, HeaderRow>();
  /** What no cell caused: it is noted at the header. */
  private readonly general: Issue[] = [];
  private readonly once = new SaidOnce();
  private readonly records = new Map<number, readonly Place[]>();
  private readonly mended: readonly Edit[];

  constructor(
    private readonly input: string,
    private readonly language: Language,
    edits: readonly Edit[] = [],
  ) {
    // A row that is no record keeps its texts: what became of it is said beside it.
    this.mended = editsOf(edits, basename(input)).filter((edit) => !('leftOut' in edit));
  }

  take(event: PrepareEvent): void {
    if (event.kind === 'issue') this.mark(event.issue);
    else if (event.kind === 'skipped')
      this.set(event.place, 'skipped', `${SKIPPED[this.language]}: ${event.note}`);
    else if (event.kind === 'formats') {
      const { source, header } = event.voted.table;
      const { number } = header.row;
      if (number > 0) this.headers.set(source.sheet ?? '', at({ ...source, row: number }));
    } else if (event.kind === 'held-back') {
      for (const place of event.places) this.set(place, 'held-back', STATES['held-back'][this.language]);
    } else if (event.kind === 'document') {
      const { sequence, records = [] } = event.document;
      this.records.set(sequence, records);
      for (const place of records) this.set(place, 'good', GOOD[this.language]);
    }
  }

  /** What became of a document that was made. */
  outcome(sequence: number, state: ReportedState, code?: string, issues: readonly Issue[] = []): void {
    for (const place of this.records.get(sequence) ?? [])
      this.set(place, state, STATES[state][this.language], code);
    const [record] = this.records.get(sequence) ?? [];
    for (const issue of issues) if (!this.once.take(issue, record)) this.mark(issue);
  }

  private mark(issue: Issue): void {
    const { sheet, row, column, file } = issue.place;
    if (file !== undefined && file !== basename(this.input)) return;
    if (row === undefined) {
      if (issue.documents !== undefined) this.general.push(issue);
      return;
    }
    const { level } = issue;
    this.add({ sheet, column, level, text: wordInFull(issue, this.language, ruleEntry) }, row);
  }

  private add(mark: Omit<CellMark, 'row'>, row: number): void {
    const { sheet, column, level, text } = mark;
    const key = `${sheet}\n${column}\n${level}\n${text}`;
    const known = this.marks.get(key);
    if (known !== undefined) known.rows.push(row);
    else if (text === undefined || this.marks.size < MOST_MARKS) this.marks.set(key, { mark, rows: [row] });
    else this.add({ sheet, column, level }, row);
  }

  private set(place: At, state: CopyState, text: string, code?: string): void {
    if (place.row === undefined) return;
    const ofSheet = this.states.get(place.sheet) ?? new Map<number, CopyStatus>();
    this.states.set(place.sheet, ofSheet);
    ofSheet.set(place.row, code === undefined ? this.shared(state, text) : { state, text, code });
  }

  /** Most rows say the same: it is held once. */
  private shared(state: CopyState, text: string): CopyStatus {
    const known = this.plain.get(text);
    if (known?.state === state) return known;
    const status = { state, text };
    if (this.plain.size < MOST_MARKS) this.plain.set(text, status);
    return status;
  }

  private *allStates(): Iterable<RowState> {
    for (const [sheet, rows] of this.states)
      for (const [row, status] of rows) yield { ...at({ sheet, row }), ...status };
  }

  private *allMarks(): Iterable<CellMark> {
    for (const { mark, rows } of this.marks.values()) for (const row of rows) yield { ...mark, row };
    for (const issue of [...this.general, ...this.once.finish()]) {
      const header = this.headers.get(issue.place.sheet ?? '') ?? [...this.headers.values()][0];
      if (header === undefined) continue;
      yield {
        ...header,
        level: issue.level,
        text: `${wordPlace(issue.place, this.language)}: ${wordInFull(issue, this.language, ruleEntry)}`,
      };
    }
  }

  /** Writes the copy, with cells as a person mended them; returns where. */
  async write(output: string, placing: Placing = {}): Promise<string> {
    const annotated = async (input: string, rows?: TextRows): Promise<string> => {
      const { path } = await annotateCopy({
        input,
        output,
        placing,
        marks: this.allMarks(),
        states: this.allStates(),
        headerRows: [...this.headers.values()],
        language: this.language,
        ...(rows && { rows }),
      });
      return path;
    };
    const write = async (opened: Opened): Promise<string> => {
      const [input] = await opened.inputs();
      if (input?.kind === 'json')
        stop('usage', { code: 'run/annotate-no-table', value: this.input, params: { option: '--annotate' } });
      if (input?.kind === 'csv') return annotated(this.input, input.tables[0]?.batches());
      if (this.mended.length === 0) return annotated(this.input);
      return withTemporary(output, async (mended) => {
        await writeMended(this.input, this.mended, mended);
        return annotated(mended);
      });
    };
    return withOpened([this.input], write, this.mended);
  }
}
