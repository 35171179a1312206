import { basename } from 'node:path';
import { type Issue, type Language, type Place, stop, wordPlace } from '../core/issue.js';
import type { PrepareEvent } from '../documents/prepare.js';
import { GOOD, SKIPPED, STATES } from '../generated/texts-report.js';
import { word } from '../messages/wording.js';
import { annotateCopy } from '../report/annotate/annotate-copy.js';
import type { CellMark, HeaderRow, RowState } from '../report/annotate/sheet-plan.js';
import { type Placing, withTemporary } from '../report/put-in-place.js';
import type { ReportedState } from '../report/run-report.js';
import type { CopyState } from '../report/tones.js';
import { ruleEntry } from '../schema/rule-data.js';
import { type Edit, editsOf, withEdits } from '../tables/edits.js';
import { openInput } from '../tables/open.js';
import { writeMended } from './mended.js';
import { SaidOnce } from './outcomes.js';

type At = Pick<Place, 'sheet' | 'row'>;

const at = ({ sheet, row }: At): { sheet?: string; row: number } => ({
  ...(sheet !== undefined && { sheet }),
  row: row!,
});

const MOST_TEXTS = 10_000;

/** What the annotated copy of an input will say, gathered while the input is read and its documents are sent. */
export class Annotation {
  private readonly marks: CellMark[] = [];
  private readonly states = new Map<string, RowState>();
  private readonly headers = new Map<string, HeaderRow>();
  /** What no cell caused: it is noted at the header. */
  private readonly general: Issue[] = [];
  private readonly once = new SaidOnce();
  private readonly records = new Map<number, readonly Place[]>();
  private readonly texts = new Map<string, string>();
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
    const text = [STATES[state][this.language], code].filter(Boolean).join(' ');
    for (const place of this.records.get(sequence) ?? []) this.set(place, state, text);
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
    const { message } = word(issue, this.language, ruleEntry);
    this.marks.push({ sheet, row, column, level: issue.level, text: this.kept(message) });
  }

  /** One mistake often stands in every row: its words are held once. */
  private kept(text: string): string {
    const known = this.texts.get(text);
    if (known === undefined && this.texts.size < MOST_TEXTS) this.texts.set(text, text);
    return known ?? text;
  }

  private set(place: At, state: CopyState, text: string): void {
    if (place.row === undefined) return;
    const where = at(place);
    this.states.set(`${where.sheet ?? ''}\n${where.row}`, { ...where, state, text });
  }

  private *allMarks(): Iterable<CellMark> {
    yield* this.marks;
    for (const issue of [...this.general, ...this.once.finish()]) {
      const header = this.headers.get(issue.place.sheet ?? '') ?? [...this.headers.values()][0];
      if (header === undefined) continue;
      const { message, fix } = word(issue, this.language, ruleEntry);
      yield {
        ...header,
        level: issue.level,
        text: `${wordPlace(issue.place, this.language)}: ${message} ${fix}`,
      };
    }
  }

  /** Writes the copy, with cells as a person mended them; returns where. */
  async write(output: string, placing: Placing = {}): Promise<string> {
    const opened = withEdits(await openInput(this.input), this.mended);
    const [table] = opened.tables;
    try {
      if (opened.kind === 'json')
        stop('usage', { code: 'run/annotate-no-table', value: this.input, params: { option: '--annotate' } });
      const annotated = async (input: string): Promise<string> => {
        const { path } = await annotateCopy({
          input,
          output,
          placing,
          marks: this.allMarks(),
          states: this.states.values(),
          headerRows: [...this.headers.values()],
          language: this.language,
          ...(opened.kind === 'csv' && { rows: table!.batches() }),
        });
        return path;
      };
      if (opened.kind === 'csv' || this.mended.length === 0) return await annotated(this.input);
      return await withTemporary(output, async (mended) => {
        await writeMended(this.input, this.mended, mended);
        return annotated(mended);
      });
    } finally {
      await opened.close();
    }
  }
}
