import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change, EditsView, LoggedEdit, PageIssue } from '../api.js';
import { call, refusalOf } from './server.js';

/** Delay between the last edit and the full check, in ms. */
const RECHECK_DELAY_MS = 900;
const MAX_REFETCHED_ROWS = 300;

type RowAt = Pick<Change, 'file' | 'sheet' | 'row'>;

const keyOf = ({ file, sheet, row }: { [K in keyof RowAt]: RowAt[K] | null }): string =>
  [file, sheet, row].join('\n');

/** Issues of a row since edit number `at`; valid until a later full check has ended. */
interface RowIssues {
  readonly at: number;
  readonly issues: readonly PageIssue[];
}

export interface EditSession {
  readonly log: readonly LoggedEdit[];
  readonly refused: readonly PageIssue[];
  readonly overlay: ReadonlyMap<string, RowIssues>;
  /** True while an edit is being saved, or no full check has begun since. */
  readonly isDue: boolean;
  /** True if only a full check can tell the issues of an edit, and none has ended since. */
  readonly awaitsCheck: boolean;
  /** Rows of the latest edit; null if too many to list. */
  readonly changed: { readonly rows: readonly number[] | null } | undefined;
  /** Number of undone entries that can be done again. */
  readonly undone: number;
  /** Saves changes as one entry, and returns the issues of their rows; undefined if only a full check can tell. */
  readonly edit: (changes: readonly Change[]) => Promise<readonly PageIssue[] | undefined>;
  readonly undo: () => Promise<unknown>;
  readonly redo: () => Promise<unknown>;
  /** Returns the issues of a full check, replaced by later ones for edited rows. */
  readonly withRowIssues: (issues: readonly PageIssue[]) => readonly PageIssue[];
  /** Drops row issues that the full check, which has just ended, covers. */
  readonly checkEnded: () => void;
}

/**
 * Manages the edits of the files: the server stores them and checks their rows at once, everything after a
 * pause.
 */
export function useEdits(upload: string, checkAll: () => Promise<void>, isIdle: boolean): EditSession {
  const [log, setLog] = useState<readonly LoggedEdit[]>([]);
  const [undone, setUndone] = useState(0);
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const [overlay, setOverlay] = useState<ReadonlyMap<string, RowIssues>>(new Map());
  const [changed, setChanged] = useState<EditSession['changed']>();
  /** Number of edits, and that number when the latest full check began. */
  const [editCount, setEditCount] = useState(0);
  const [checkBeganAt, setCheckBeganAt] = useState(0);
  /** Number of the latest edit whose issues only a full check can tell. */
  const [lastUnchecked, setLastUnchecked] = useState(0);
  const [lastChecked, setLastChecked] = useState(0);
  const lastEdit = useRef(0);
  const [requests, setRequests] = useState(0);
  const track = async <T>(work: Promise<T>): Promise<T> => {
    setRequests((before) => before + 1);
    return work.finally(() => setRequests((before) => before - 1));
  };
  useEffect(() => {
    void call<EditsView>('GET', `/uploads/${upload}/edits`).then((view) => {
      setLog(view.log);
      setUndone(view.undone);
    });
  }, [upload]);
  useEffect(() => {
    if (!isIdle || editCount === checkBeganAt) return undefined;
    const timer = setTimeout(() => {
      setCheckBeganAt(editCount);
      void track(checkAll());
    }, RECHECK_DELAY_MS);
    return () => clearTimeout(timer);
  }, [editCount, checkBeganAt, isIdle]);

  const take = async (asked: Promise<EditsView>): Promise<readonly PageIssue[] | undefined> => {
    try {
      const { log: all, undone: left, changes, checked } = await asked;
      lastEdit.current += 1;
      const at = lastEdit.current;
      setLog(all);
      setUndone(left);
      setRefused([]);
      if (checked === null) setLastUnchecked(at);
      else
        setOverlay((before) => {
          const issues = (row: RowAt) => checked.issues.filter((issue) => keyOf(issue) === keyOf(row));
          return new Map([
            ...before,
            ...checked.rows.map((row): [string, RowIssues] => [keyOf(row), { at, issues: issues(row) }]),
          ]);
        });
      setChanged({ rows: changes.length > MAX_REFETCHED_ROWS ? null : changes.map(({ row }) => row) });
      setEditCount(at);
      return checked?.issues;
    } catch (error) {
      setRefused(refusalOf(error));
      return undefined;
    }
  };
  return {
    log,
    refused,
    overlay,
    isDue: editCount !== checkBeganAt || requests > 0,
    awaitsCheck: lastUnchecked > lastChecked,
    changed,
    undone,
    edit: (changes) => track(take(call('PUT', `/uploads/${upload}/edits`, changes))),
    undo: () => track(take(call('DELETE', `/uploads/${upload}/edits`))),
    redo: () => track(take(call('POST', `/uploads/${upload}/edits/redo`))),
    withRowIssues: (issues) =>
      overlay.size === 0
        ? issues
        : [
            ...issues.filter((issue) => issue.row === null || !overlay.has(keyOf(issue))),
            ...[...overlay.values()].flatMap((row) => row.issues),
          ],
    checkEnded: () => {
      setOverlay((before) => new Map([...before].filter(([, { at }]) => at > checkBeganAt)));
      setLastChecked(checkBeganAt);
    },
  };
}
