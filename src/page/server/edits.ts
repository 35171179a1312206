import { columnIndex } from '../../toolkit/core/text.js';
import type { Edit } from '../../toolkit/tables/edits.js';
import { isBlank } from '../../toolkit/tables/table.js';
import type { Change, GridRow, LoggedEdit } from '../api.js';

type RowAt = Pick<Change, 'file' | 'sheet' | 'row'>;
type Logged = LoggedEdit['changes'][number];

const rowKey = ({ file, sheet, row }: RowAt): string => `${file}\n${sheet ?? ''}\n${row}`;

/** A change of an existing row, with the text of its cell in the file. */
interface LocatedChange {
  readonly change: Change;
  readonly fileText: string;
}

/** Edits in force in one row. */
interface RowState {
  readonly at: RowAt;
  /** Edited texts by column letter. */
  readonly texts: Map<string, string>;
  leftOut: boolean;
}

/** Edits of the files of an upload, as a log; the files themselves stay unchanged. */
export class Edits {
  private entries: LoggedEdit[] = [];
  /** Undone entries, the one to do again next at the end; a new edit drops them. */
  private undoneEntries: LoggedEdit[] = [];
  private states = new Map<string, RowState>();

  get log(): readonly LoggedEdit[] {
    return this.entries;
  }

  /** Number of undone entries that can be done again. */
  get undone(): number {
    return this.undoneEntries.length;
  }

  /** Loads the log that an earlier server stored; older ones called `isFileText` otherwise. */
  restore(log: readonly LoggedEdit[]): void {
    const current = (change: Logged): Logged =>
      'own' in change ? { ...change, isFileText: change['own'] === true } : change;
    this.replay(log.map((entry) => ({ ...entry, changes: entry.changes.map(current) })));
  }

  /**
   * Adds changes as one entry of the log.
   * @returns the entry; undefined if nothing changes
   */
  add(changes: readonly LocatedChange[], by: string | null): LoggedEdit | undefined {
    const logged: Logged[] = [];
    for (const { change, fileText } of changes) {
      if ('leftOut' in change) logged.push(change);
      else {
        const text = isBlank(change.text) ? '' : change.text;
        const before = this.states.get(rowKey(change))?.texts.get(change.column) ?? fileText;
        if (text !== before) logged.push({ ...change, text, before, isFileText: text === fileText });
      }
    }
    if (logged.length === 0) return undefined;
    const entry = { at: new Date().toISOString(), by, changes: logged };
    this.undoneEntries = [];
    this.push(entry);
    return entry;
  }

  private push(entry: LoggedEdit): void {
    this.entries = [...this.entries, entry];
    for (const change of entry.changes) this.apply(change);
  }

  /** @returns the changes of the last entry, which is removed */
  undo(): readonly Change[] {
    const last = this.entries.at(-1);
    if (last === undefined) return [];
    this.undoneEntries.push(last);
    this.replay(this.entries.slice(0, -1));
    return last.changes;
  }

  /** @returns the entry undone last, which is added again; undefined if there is none */
  redo(): LoggedEdit | undefined {
    const entry = this.undoneEntries.pop();
    if (entry !== undefined) this.push(entry);
    return entry;
  }

  /** Drops the edits of a file that was replaced or removed. */
  dropFile(file: string): void {
    this.undoneEntries = [];
    const remaining = this.entries.map((entry) => ({
      ...entry,
      changes: entry.changes.filter((change) => change.file.split('/', 1)[0] !== file),
    }));
    this.replay(remaining.filter(({ changes }) => changes.length > 0));
  }

  private replay(entries: LoggedEdit[]): void {
    this.entries = entries;
    this.states = new Map();
    for (const { changes } of entries) for (const change of changes) this.apply(change);
  }

  private apply(change: Logged): void {
    const { file, sheet, row } = change;
    const key = rowKey(change);
    const state = this.states.get(key) ?? { at: { file, sheet, row }, texts: new Map(), leftOut: false };
    this.states.set(key, state);
    if ('leftOut' in change) state.leftOut = change.leftOut;
    else if (change.isFileText) state.texts.delete(change.column);
    else state.texts.set(change.column, change.text);
  }

  /** Returns all edits in force. */
  all(): readonly Edit[] {
    return [...this.states.values()].flatMap(({ at: { file, sheet, row }, texts, leftOut }): Edit[] => {
      const at = { file, row, ...(sheet !== null && { sheet }) };
      if (leftOut) return [{ ...at, leftOut }];
      return [...texts].map(([column, text]) => ({ ...at, column, text }));
    });
  }

  /** Returns the text of a cell with its edit. */
  textAt(at: RowAt, column: string, text: string): string {
    return this.states.get(rowKey(at))?.texts.get(column) ?? text;
  }

  /** Returns a row with its edits; a row that is left out keeps its texts. */
  withEdits(row: GridRow, at: Omit<RowAt, 'row'>): GridRow {
    const state = this.states.get(rowKey({ ...at, row: row.number }));
    if (state === undefined) return row;
    const texts = [...row.texts];
    for (const [column, text] of state.texts) texts[columnIndex(column)] = text === '' ? null : text;
    return {
      number: row.number,
      texts: Array.from(texts, (text) => text ?? null),
      edited: [...state.texts.keys()].map(columnIndex),
      ...(state.leftOut && { leftOut: true }),
    };
  }
}
