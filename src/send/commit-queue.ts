/** Takes a write; the promise resolves once it is on the disk, and rejects when it will never be. */
export type Commit = (write: () => void) => Promise<void>;

/** One transaction at a time: begin, the writes, and waiting for the disk while the program goes on. */
export interface Transactions {
  begin(): void;
  commit(): Promise<void>;
  undo(): void;
}

interface Group {
  readonly writes: (() => void)[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function newGroup(): Group {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const durable = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { writes: [], durable, resolve, reject };
}

/**
 * Group commit: writes asked for in one turn of the event loop, or while the disk is busy, share a transaction.
 * The disk is waited for once a group, and still nobody goes on before his own write is durable.
 */
export function commitQueue({ begin, commit, undo }: Transactions): Commit {
  let next: Group | undefined;
  let working = false;

  async function work(): Promise<void> {
    while (next !== undefined) {
      const group = next;
      next = undefined;
      try {
        begin();
        for (const write of group.writes) write();
        await commit();
        group.resolve();
      } catch (error) {
        undo();
        group.reject(error);
      }
    }
    working = false;
  }

  return (write) => {
    next ??= newGroup();
    next.writes.push(write);
    if (!working) {
      working = true;
      setImmediate(work);
    }
    return next.durable;
  };
}
