import { basename } from 'node:path';
import { GOOD, SKIPPED, STATES } from '../generated/texts-report.js';
import { annotateCopy } from '../report/annotate/annotate-copy.js';
import type { CellMark, CopyStatus, HeaderRow, RowState, TextRows } from '../report/annotate/sheet-plan.js';
import type { CopyState } from '../report/palette.js';
import { type Placing, withTemporary } from '../report/put-in-place.js';
import type { ReportedState } from '../report/run-report.js';
import { type Issue, type Language, type Place, stop, wordPlace } from '../toolkit/core/issue.js';
import type { PrepareEvent } from '../toolkit/documents/phases.js';
import { wordInFull } from '../toolkit/messages/wording.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import { type Edit, editsOf } from '../toolkit/tables/edits.js';
import type { InputFile } from '../toolkit/tables/table.js';
import { writeEditedCopy } from './edited-copy.js';
import { withInputs } from './files.js';
import { IssueDeduplicator } from './outcomes.js';

type At = Pick<Place, 'sheet' | 'row'>;

const sheetRow = ({ sheet, row = 0 }: At): { sheet?: string; row: number } => ({
  ...(sheet !== undefined && { sheet }),
  row,
});

/** Max different texts; beyond, cells are only coloured. */
const MAX_MARK_TEXTS = 10_000;

/** Content of the annotated copy of one input, collected while it is read and its documents are sent. */
export class Annotation {
  /** Marks by sheet, column, level and text; one mistake often occurs in many rows. */
  private readonly marks = new Map<
    string,
    { readonly mark: Omit<CellMark, 'row'>; readonly rows: number[] }
  >();
  /** States by sheet, then row. */
  private readonly states = new Map<string | undefined, Map<number, CopyStatus>>();
  private readonly plain = new Map<string, CopyStatus>();
  private readonly headers = new Map<string, HeaderRow>();
  /** Issues without a cell; their comment goes to the header. */
  private readonly general: Issue[] = [];
  private readonly documentIssues = new IssueDeduplicator();
  private readonly records = new Map<number, readonly Place[]>();
  private readonly edits: readonly Edit[];

  constructor(
    private readonly input: string,
    private readonly language: Language,
    edits: readonly Edit[] = [],
  ) {
    // A row that was left out keeps its texts; its state is written next to them.
    this.edits = editsOf(edits, basename(input)).filter((edit) => !('leftOut' in edit));
  }

  take(event: PrepareEvent): void {
    if (event.kind === 'issue') this.mark(event.issue);
    else if (event.kind === 'skipped')
      this.set(event.place, 'skipped', `${SKIPPED[this.language]}: ${event.note}`);
    else if (event.kind === 'formats') {
      const { source, header } = event.voted.table;
      const { number } = header.row;
      if (number > 0) this.headers.set(source.sheet ?? '', sheetRow({ ...source, row: number }));
    } else if (event.kind === 'held-back') {
      for (const place of event.places) this.set(place, 'held-back', STATES['held-back'][this.language]);
    } else if (event.kind === 'document') {
      const { sequence, records = [] } = event.document;
      this.records.set(sequence, records);
      for (const place of records) this.set(place, 'good', GOOD[this.language]);
    }
  }

  /** Adds the final state of a document. */
  outcome(sequence: number, state: ReportedState, code?: string, issues: readonly Issue[] = []): void {
    for (const place of this.records.get(sequence) ?? [])
      this.set(place, state, STATES[state][this.language], code);
    const [record] = this.records.get(sequence) ?? [];
    for (const issue of issues) if (!this.documentIssues.take(issue, record)) this.mark(issue);
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
    else if (text === undefined || this.marks.size < MAX_MARK_TEXTS)
      this.marks.set(key, { mark, rows: [row] });
    else this.add({ sheet, column, level }, row);
  }

  private set(place: At, state: CopyState, text: string, code?: string): void {
    if (place.row === undefined) return;
    const ofSheet = this.states.get(place.sheet) ?? new Map<number, CopyStatus>();
    this.states.set(place.sheet, ofSheet);
    ofSheet.set(place.row, code === undefined ? this.shared(state, text) : { state, text, code });
  }

  /** Returns one shared object for a state and text, as most rows have the same. */
  private shared(state: CopyState, text: string): CopyStatus {
    const known = this.plain.get(text);
    if (known?.state === state) return known;
    const status = { state, text };
    if (this.plain.size < MAX_MARK_TEXTS) this.plain.set(text, status);
    return status;
  }

  private *allStates(): Iterable<RowState> {
    for (const [sheet, rows] of this.states)
      for (const [row, status] of rows) yield { ...sheetRow({ sheet, row }), ...status };
  }

  private *allMarks(): Iterable<CellMark> {
    for (const { mark, rows } of this.marks.values()) for (const row of rows) yield { ...mark, row };
    for (const issue of [...this.general, ...this.documentIssues.finish()]) {
      const header = this.headers.get(issue.place.sheet ?? '') ?? [...this.headers.values()][0];
      if (header === undefined) continue;
      yield {
        ...header,
        level: issue.level,
        text: `${wordPlace(issue.place, this.language)}: ${wordInFull(issue, this.language, ruleEntry)}`,
      };
    }
  }

  /** Writes the copy with the user's cell edits; returns its path. */
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
    const write = async ([input]: readonly InputFile[]): Promise<string> => {
      if (input?.kind === 'json')
        stop('usage', { code: 'run/annotate-no-table', value: this.input, params: { option: '--annotate' } });
      if (input?.kind === 'csv') return annotated(this.input, input.tables[0]?.batches());
      if (this.edits.length === 0) return annotated(this.input);
      return withTemporary(output, async (edited) => {
        await writeEditedCopy(this.input, this.edits, edited);
        return annotated(edited);
      });
    };
    return withInputs(this.input, write, this.edits);
  }
}
