import type { Language, Level } from '../../issues/issue.js';

/** Something to say about a cell, or about a row as a whole. */
export interface CellMark {
  /** Absent: the first sheet. */
  readonly sheet?: string;
  /** As Excel shows it; for CSV the record number, the header being 1. */
  readonly row: number;
  /** Letters. Absent: the row as a whole; its note goes to the cell of the state column. */
  readonly column?: string;
  readonly level: Level;
  readonly text: string;
}

export type CopyState =
  | 'accepted'
  | 'rejected'
  | 'pending'
  | 'unknown'
  | 'unsent'
  | 'held-back'
  | 'elsewhere'
  | 'skipped'
  | 'good';

/** What the state column says of a row; the state is its colour. */
export interface RowState {
  readonly sheet?: string;
  readonly row: number;
  readonly state: CopyState;
  readonly text: string;
}

export interface HeaderRow {
  readonly sheet?: string;
  readonly row: number;
}

/** Rows of a table in text, as `RowSource.batches` gives them. */
export type TextRows = AsyncIterable<
  readonly { readonly number: number; readonly texts: readonly (string | undefined)[] }[]
>;

export interface Annotations {
  readonly marks: readonly CellMark[];
  readonly states: readonly RowState[];
  readonly headerRows: readonly HeaderRow[];
  readonly language: Language;
}
