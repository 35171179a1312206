import { STATE_HEADER } from '../../document/accounting.js';
import type { Language } from '../../issues/issue.js';
import { LEVELS } from '../texts.js';
import type { RowChange, RowContext } from './patch-row.js';
import { onShownCells } from './ranges.js';
import {
  type CellMarks,
  firstHeader,
  type Mark,
  rowsOfPlan,
  type SheetPlan,
  wantsStates,
} from './sheet-plan.js';
import { type StyleBook, TONE_OF } from './style-book.js';
import type { Survey } from './survey.js';
import { noteText } from './texts.js';

/** A note on a cell; column 0-based. */
export interface Note {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** All that the second pass over a sheet needs to know. */
export interface SheetEdit {
  readonly survey: Survey;
  readonly context: RowContext;
  readonly notes: readonly Note[];
  /** Rows to be put in, in order. */
  readonly missingRows: readonly number[];
  /** The state column and its width, when it is written. */
  readonly states: { readonly column: number; readonly width: number } | undefined;
  /** The last row of all that is written. */
  readonly lastRow: number;
  changeOf(row: number): RowChange;
}

const NO_MARKS: ReadonlyMap<number, Mark> = new Map();
const LEAST_WIDTH = 18;
const MOST_WIDTH = 60;

export function editOf(plan: SheetPlan, survey: Survey, styles: StyleBook, language: Language): SheetEdit {
  const { stateColumn, hadStates } = survey;
  const rows = rowsOfPlan(plan);
  const marks = onShownCells(plan.marks, survey.merges);
  const column = wantsStates(plan) ? stateColumn : undefined;
  const header = STATE_HEADER[language];
  const from = firstHeader(plan);
  const rest: RowChange['state'] = hadStates ? 'clear' : 'keep';

  const stateOf = (row: number): RowChange['state'] => {
    if (row < from) return 'keep';
    if (column === undefined) return rest;
    if (plan.headers.has(row)) return { text: header, style: undefined };
    const state = plan.states.get(row);
    if (state !== undefined) return { text: state.text, style: styles.tone(TONE_OF[state.state]) };
    const mark = plan.rowMarks.get(row);
    if (mark === undefined) return rest;
    return {
      text: LEVELS[mark.level][language],
      style: styles.tone(mark.level === 'error' ? 'bad' : 'waiting'),
    };
  };
  const texts = [...plan.states.values()].map(({ text }) => text.length);
  const longest = texts.reduce((most, length) => Math.max(most, length), header.length);
  return {
    survey,
    context: { styles, stateColumn, widest: survey.widest, columns: survey.columns },
    notes: notesOf(marks, column === undefined ? new Map() : plan.rowMarks, column),
    missingRows: rows.filter((row) => !survey.present.has(row)),
    states:
      column === undefined
        ? undefined
        : { column, width: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest + 2)) },
    lastRow: rows.at(-1) ?? 0,
    changeOf: (row) => ({ marks: marks.get(row) ?? NO_MARKS, state: stateOf(row) }),
  };
}

function notesOf(
  marks: CellMarks,
  rowMarks: ReadonlyMap<number, Mark>,
  stateColumn: number | undefined,
): Note[] {
  const notes: Note[] = [];
  for (const [row, ofRow] of marks)
    for (const [column, { texts }] of ofRow) notes.push({ row, column, text: noteText(texts) });
  for (const [row, { texts }] of rowMarks)
    if (stateColumn !== undefined) notes.push({ row, column: stateColumn, text: noteText(texts) });
  return notes.sort((a, b) => a.row - b.row || a.column - b.column);
}
