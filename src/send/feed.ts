import type { Written } from './deliver.js';

/**
 * Works through items of any number without holding promises for them: at most `most` are worked on at a time, and no
 * more than as many again wait for the disk to have what came of them.
 * After a failure nothing more is begun; it is thrown once everything begun is over. Returns how many were begun.
 */
export async function feed<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<Written>,
  over: AbortSignal,
): Promise<number> {
  let total = 0;
  let open = 0;
  let writing = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const changed = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  const task = async (item: T): Promise<void> => {
    try {
      const { durable } = await work(item);
      void written(durable);
    } catch (error) {
      failure ??= { error };
    } finally {
      open -= 1;
      wake();
    }
  };
  const written = async (durable: Promise<void>): Promise<void> => {
    writing += 1;
    try {
      await durable;
    } catch (error) {
      failure ??= { error };
    } finally {
      writing -= 1;
      wake();
    }
  };

  for (const item of items) {
    while (open >= most || open + writing >= 2 * most) await changed();
    if (failure !== undefined || over.aborted) break;
    total += 1;
    open += 1;
    void task(item);
  }
  while (open + writing > 0) await changed();
  if (failure !== undefined) throw failure.error;
  return total;
}
