import { stop } from '../../issues/pipeline-error.js';
import { columnLetter } from '../../values/a1.js';
import type { Annotations, CopyState } from './marks.js';
import { columnOf } from './row-cells.js';

/** What is to be said of one cell: the worst level, and all texts. */
export interface Mark {
  readonly level: 'error' | 'warning';
  readonly texts: readonly string[];
}

export type CellMarks = ReadonlyMap<number, ReadonlyMap<number, Mark>>;

/** All that happens to one sheet. Rows as Excel shows them, columns 0-based. */
export interface SheetPlan {
  readonly headers: ReadonlySet<number>;
  readonly marks: CellMarks;
  readonly rowMarks: ReadonlyMap<number, Mark>;
  readonly states: ReadonlyMap<number, { readonly state: CopyState; readonly text: string }>;
}

export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;

/** No sheet has such a place, so the copy cannot show what stands there. */
export const beyondSheet = (file: string, row: number, column?: string): never =>
  stop('input', {
    code: 'run/annotate-beyond-sheet',
    params: { row: MOST_ROWS, column: columnLetter(MOST_COLUMNS - 1) },
    place: { file, row, ...(column !== undefined && { column }) },
  });

interface Gathered {
  readonly headers: Set<number>;
  readonly marks: Map<number, Map<number, Mark>>;
  readonly rowMarks: Map<number, Mark>;
  readonly states: Map<number, { state: CopyState; text: string }>;
}

const joined = (known: Mark | undefined, { level, texts }: Mark): Mark =>
  known === undefined
    ? { level, texts }
    : { level: known.level === 'error' ? 'error' : level, texts: [...known.texts, ...texts] };

export function addMark(
  marks: Map<number, Map<number, Mark>>,
  row: number,
  column: number,
  mark: Mark,
): void {
  const ofRow = marks.get(row) ?? new Map<number, Mark>();
  ofRow.set(column, joined(ofRow.get(column), mark));
  marks.set(row, ofRow);
}

/**
 * Marks, states and headers by sheet.
 * @throws Error on a sheet that the file does not have
 * @throws PipelineError('input', run/annotate-beyond-sheet)
 */
export function planBySheet(
  { marks, states, headerRows }: Annotations,
  sheets: readonly string[],
  file: string,
): ReadonlyMap<string, SheetPlan> {
  const plans = new Map<string, Gathered>();
  const planOf = (sheet = sheets[0] ?? '', row: number): Gathered => {
    if (!sheets.includes(sheet)) throw new Error(`no sheet ${sheet}`);
    if (!(Number.isInteger(row) && row >= 1 && row <= MOST_ROWS)) beyondSheet(file, row);
    const known = plans.get(sheet);
    if (known !== undefined) return known;
    const plan: Gathered = { headers: new Set(), marks: new Map(), rowMarks: new Map(), states: new Map() };
    plans.set(sheet, plan);
    return plan;
  };
  for (const { sheet, row } of headerRows) planOf(sheet, row).headers.add(row);
  for (const { sheet, row, state, text } of states) planOf(sheet, row).states.set(row, { state, text });
  for (const { sheet, row, column, level, text } of marks) {
    const plan = planOf(sheet, row);
    const mark: Mark = { level, texts: [text] };
    if (column === undefined) {
      plan.rowMarks.set(row, joined(plan.rowMarks.get(row), mark));
      continue;
    }
    const index = columnOf(column);
    if (!(index >= 0 && index < MOST_COLUMNS)) beyondSheet(file, row, column);
    addMark(plan.marks, row, index, mark);
  }
  return plans;
}

/** Rows that must be there, in order. */
export const rowsOfPlan = ({ headers, marks, rowMarks, states }: SheetPlan): readonly number[] =>
  [...new Set([...headers, ...marks.keys(), ...rowMarks.keys(), ...states.keys()])].sort((a, b) => a - b);

export const wantsStates = ({ states, rowMarks }: SheetPlan): boolean => states.size > 0 || rowMarks.size > 0;

/** The first row from which a column belongs to the table. */
export const firstHeader = ({ headers }: SheetPlan): number =>
  headers.size === 0 ? 1 : Math.min(...headers);
