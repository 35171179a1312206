import { columnIndex } from '../../toolkit/core/text.js';
import type { Edit } from '../../toolkit/tables/edits.js';
import { isBlank } from '../../toolkit/tables/table.js';
import type { Change, GridRow, LoggedEdit } from '../api.js';

type RowAt = Pick<Change, 'file' | 'sheet' | 'row'>;
type Logged = LoggedEdit['changes'][number];

const rowKey = ({ file, sheet, row }: RowAt): string => `${file}\n${sheet ?? ''}\n${row}`;

/** A change of a row that is there, with the text that the file has in its cell. */
interface ChangeOf {
  readonly change: Change;
  readonly own: string;
}

/** What is in force in a row. */
interface RowState {
  readonly at: RowAt;
  /** By column. */
  readonly texts: Map<string, string>;
  leftOut: boolean;
}

/** What a person mended in the files of an upload; the files themselves stay as they came. */
export class Edits {
  private entries: LoggedEdit[] = [];
  private states = new Map<string, RowState>();

  get log(): readonly LoggedEdit[] {
    return this.entries;
  }

  /** Takes the acts of an earlier server. */
  restore(log: readonly LoggedEdit[]): void {
    this.replay([...log]);
  }

  /**
   * Takes changes of one act.
   * @returns what was taken; undefined if nothing changes
   */
  add(changes: readonly ChangeOf[], by: string | null): LoggedEdit | undefined {
    const logged: Logged[] = [];
    for (const { change, own } of changes) {
      if ('leftOut' in change) logged.push(change);
      else {
        const text = isBlank(change.text) ? '' : change.text;
        const before = this.states.get(rowKey(change))?.texts.get(change.column) ?? own;
        if (text !== before) logged.push({ ...change, text, before, own: text === own });
      }
    }
    if (logged.length === 0) return undefined;
    const entry = { at: new Date().toISOString(), by, changes: logged };
    this.entries = [...this.entries, entry];
    for (const change of logged) this.apply(change);
    return entry;
  }

  /** @returns what was taken back */
  undo(): readonly Change[] {
    const last = this.entries.at(-1);
    if (last !== undefined) this.replay(this.entries.slice(0, -1));
    return last?.changes ?? [];
  }

  /** Another file has come under the name, or none. */
  forget(file: string): void {
    const left = this.entries.map((entry) => ({
      ...entry,
      changes: entry.changes.filter((change) => change.file.split('/', 1)[0] !== file),
    }));
    this.replay(left.filter(({ changes }) => changes.length > 0));
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
    else if (change.own) state.texts.delete(change.column);
    else state.texts.set(change.column, change.text);
  }

  /** All that is in force. */
  all(): readonly Edit[] {
    return [...this.states.values()].flatMap(({ at: { file, sheet, row }, texts, leftOut }): Edit[] => {
      const at = { file, row, ...(sheet !== null && { sheet }) };
      if (leftOut) return [{ ...at, leftOut }];
      return [...texts].map(([column, text]) => ({ ...at, column, text }));
    });
  }

  /** A row as it is shown: one that was left out keeps its texts. */
  laidOver(row: GridRow, at: Omit<RowAt, 'row'>): GridRow {
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
