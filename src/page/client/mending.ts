import { useEffect, useRef, useState } from 'preact/hooks';
import type { Change, EditsView, LoggedEdit, PageIssue } from '../api.js';
import { call, refusalOf } from './server.js';

/** So long after the last change all is checked again, in milliseconds. */
const PAUSE = 900;
const MOST_NAMED = 300;

type RowAt = Pick<Change, 'file' | 'sheet' | 'row'>;

const keyOf = ({ file, sheet, row }: { [K in keyof RowAt]: RowAt[K] | null }): string =>
  [file, sheet, row].join('\n');

/** What is wrong in a row since it was mended, until a check of all that began later says it. */
interface Said {
  readonly at: number;
  readonly issues: readonly PageIssue[];
}

export interface Mending {
  readonly log: readonly LoggedEdit[];
  readonly refused: readonly PageIssue[];
  readonly overlay: ReadonlyMap<string, Said>;
  /** True while a change is being saved, or was saved and no check of all has begun since. */
  readonly isDue: boolean;
  /** Of something that was mended only a check of all tells what is wrong, and none has yet. */
  readonly isUnsaid: boolean;
  /** The rows that were mended last; null where they are too many to name. */
  readonly changed: { readonly rows: readonly number[] | null } | undefined;
  readonly mend: (changes: readonly Change[]) => Promise<void>;
  readonly undo: () => Promise<void>;
  /** Issues of a check of all, with those of the rows that were mended since. */
  readonly over: (issues: readonly PageIssue[]) => readonly PageIssue[];
  /** The latest check of all has ended. */
  readonly settle: () => void;
}

/** What a person mends in the files: kept by the server, checked row by row at once, and as a whole after a pause. */
export function useMending(upload: string, checkAll: () => Promise<void>, isIdle: boolean): Mending {
  const [log, setLog] = useState<readonly LoggedEdit[]>([]);
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const [overlay, setOverlay] = useState<ReadonlyMap<string, Said>>(new Map());
  const [changed, setChanged] = useState<Mending['changed']>();
  /** How often something was mended, and how often it had been when the latest check of all began. */
  const [times, setTimes] = useState(0);
  const [begun, setBegun] = useState(0);
  /** The last change of which nothing could be said at once. */
  const [unsaid, setUnsaid] = useState(0);
  const [settled, setSettled] = useState(0);
  const latest = useRef(0);
  const [requests, setRequests] = useState(0);
  const during = async (work: Promise<void>): Promise<void> => {
    setRequests((before) => before + 1);
    await work.finally(() => setRequests((before) => before - 1));
  };
  useEffect(() => {
    void call<EditsView>('GET', `/uploads/${upload}/edits`).then(({ log: all }) => setLog(all));
  }, [upload]);
  useEffect(() => {
    if (!isIdle || times === begun) return undefined;
    const timer = setTimeout(() => {
      setBegun(times);
      void during(checkAll());
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [times, begun, isIdle]);

  const take = async (changes: readonly Change[], asked: Promise<EditsView>): Promise<void> => {
    try {
      const { log: all, checked } = await asked;
      latest.current += 1;
      const at = latest.current;
      setLog(all);
      setRefused([]);
      if (checked === null) setUnsaid(at);
      else
        setOverlay((before) => {
          const issues = (row: RowAt) => checked.issues.filter((issue) => keyOf(issue) === keyOf(row));
          return new Map([
            ...before,
            ...checked.rows.map((row): [string, Said] => [keyOf(row), { at, issues: issues(row) }]),
          ]);
        });
      setChanged({ rows: changes.length > MOST_NAMED ? null : changes.map(({ row }) => row) });
      setTimes(at);
    } catch (error) {
      setRefused(refusalOf(error));
    }
  };
  return {
    log,
    refused,
    overlay,
    isDue: times !== begun || requests > 0,
    isUnsaid: unsaid > settled,
    changed,
    mend: (changes) => during(take(changes, call('PUT', `/uploads/${upload}/edits`, changes))),
    undo: () => during(take(log.at(-1)?.changes ?? [], call('DELETE', `/uploads/${upload}/edits`))),
    over: (issues) =>
      overlay.size === 0
        ? issues
        : [
            ...issues.filter((issue) => issue.row === null || !overlay.has(keyOf(issue))),
            ...[...overlay.values()].flatMap((said) => said.issues),
          ],
    settle: () => {
      setOverlay((before) => new Map([...before].filter(([, { at }]) => at > begun)));
      setSettled(begun);
    },
  };
}
