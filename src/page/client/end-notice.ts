import { useEffect, useRef } from 'preact/hooks';
import type { TaskView } from '../api.js';
import { t } from './words.js';

/** True if the user has not decided yet whether the browser may notify. */
export const mayAskForNotices = (): boolean =>
  'Notification' in window && Notification.permission === 'default';

/** Asks whether the browser may notify; it asks only after a click of the user. */
export const allowNotices = (): Promise<unknown> => Notification.requestPermission();

/**
 * Tells in the title of a hidden tab, and by the browser's notification if it is allowed, that a sending which this
 * tab has watched has ended or asks something. The title is restored when the tab is seen again.
 */
export function useEndNotice(task: TaskView | undefined): void {
  const watched = useRef<string | undefined>(undefined);
  const isWaiting = task !== undefined && (task.state === 'ended' || task.pending !== null);
  useEffect(() => {
    if (task === undefined) return undefined;
    if (!isWaiting) watched.current = task.id;
    if (
      !isWaiting ||
      watched.current !== task.id ||
      !task.hasBegunToSend ||
      document.visibilityState === 'visible'
    )
      return undefined;
    watched.current = undefined;
    const title = document.title;
    const text = t(task.pending === null ? 'sendingEnded' : 'sendingAsks');
    document.title = `● ${text}`;
    if ('Notification' in window && Notification.permission === 'granted')
      new Notification(text, { tag: task.id });
    const restore = (): void => {
      if (document.visibilityState !== 'visible') return;
      document.title = title;
      document.removeEventListener('visibilitychange', restore);
    };
    document.addEventListener('visibilitychange', restore);
    return undefined;
  }, [task?.id, isWaiting]);
}
